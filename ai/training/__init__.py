"""Training of networks: self-play, learning, export and the match that lets a network in."""
