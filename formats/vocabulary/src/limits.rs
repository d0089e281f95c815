//! Limits on files and vocabularies.
//!
//! They keep every count and every offset in 32 bits, and the memory that a damaged or hostile file can claim within
//! reason. A file or vocabulary over a limit is refused with [`ErrorKind::TooLarge`](crate::ErrorKind::TooLarge).

/// Limit of the mask width; ids stay below it.
pub(crate) const WIDTH: u32 = gcc_grammar_artifact::vocabulary::MAX_WIDTH;
/// Number of tokens in a file.
pub(crate) const TOKENS: usize = WIDTH as usize;
/// Length of a token in bytes. The trie stores depths in 16 bits.
pub(crate) const TOKEN_BYTES: usize = gcc_grammar_artifact::vocabulary::MAX_TOKEN_BYTES as usize;
/// Total length of all tokens in bytes.
pub(crate) const TOTAL_BYTES: usize = 1 << 27;
/// Length of a file in bytes, before and after it is expanded. Real tokenizer files have up to 40 MB.
pub(crate) const FILE_BYTES: usize = 1 << 27;
