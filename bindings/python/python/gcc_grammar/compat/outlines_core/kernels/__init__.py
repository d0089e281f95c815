"""Masks in arrays of NumPy and PyTorch, and logits under them."""
