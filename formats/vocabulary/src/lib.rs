//! Tokenizer files to token bytes, and the vocabulary artifact.
