"""The policy network of 象棋: learning from the best moves of self-play, export, model card."""
