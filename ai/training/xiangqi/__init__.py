"""Training the evaluation of 象棋: positions by self-play, learning with torch, export to ONNX."""
