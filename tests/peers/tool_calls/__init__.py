"""What tools.py compares: the families' tokenizers, the engines, and the families' parsers."""
