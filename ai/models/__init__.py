"""Networks that ship: one ``.onnx`` file a game, each with its model card beside it."""
