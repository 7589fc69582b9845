"""Engine protocols that people's programs speak, one module a family."""
