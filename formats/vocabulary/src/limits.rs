//! Limits on vocabularies, and so on the files that define them.
//!
//! They keep every count and every offset in 32 bits, and the memory that a damaged or hostile file can claim within
//! reason. A file or vocabulary over a limit is refused with [`ErrorKind::TooLarge`](crate::ErrorKind::TooLarge).

/// Limit of the mask width; ids stay below it.
pub const WIDTH: u32 = gcc_grammar_artifact::vocabulary::MAX_WIDTH;
/// Number of tokens in a file.
pub const TOKENS: usize = WIDTH as usize;
/// Length of a token in bytes. The trie stores depths in 16 bits.
pub const TOKEN_BYTES: usize = gcc_grammar_artifact::vocabulary::MAX_TOKEN_BYTES as usize;
/// Total length of all tokens in bytes.
pub const TOTAL_BYTES: usize = 1 << 27;
