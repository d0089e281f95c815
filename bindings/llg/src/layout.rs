//! The structs that cross the interface, laid out as in llguidance 1.0 to 1.9.
//!
//! Between these versions only two things changed: `LlgParserLimits::verbose_errors` (since 1.3) lies where 1.0 has padding, and
//! `LlgTokenizerInitV2` (since 1.7) is new. So one layout serves all of them.

use gcc_grammar_llguidance::engine::tokens::Tokens;
use std::ffi::{c_char, c_void};
use std::sync::Arc;

/// The number of a token.
pub type LlgToken = u32;

/// Cuts bytes into tokens: writes `output_tokens_len` tokens at most, and returns how many there are. It is called by several threads.
pub type LlgTokenizeFn = Option<
    unsafe extern "C" fn(
        user_data: *const c_void,
        bytes: *const u8,
        bytes_len: usize,
        output_tokens: *mut u32,
        output_tokens_len: usize,
    ) -> usize,
>;

/// The tokens of a model.
#[derive(Clone)]
pub struct LlgTokenizer(pub(crate) Arc<Tokens>);

/// Called when an operation is done.
pub type LlgCallback = Option<unsafe extern "C" fn(user_data: *const c_void)>;

/// Limits of llguidance's parser. They have no effect here.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct LlgParserLimits {
    /// Items of one row of the chart.
    pub max_items_in_row: usize,
    /// Steps to build the lexer.
    pub initial_lexer_fuel: u64,
    /// Steps of the lexer for one mask.
    pub step_lexer_fuel: u64,
    /// Items of the chart for one mask.
    pub step_max_items: usize,
    /// States of the lexer.
    pub max_lexer_states: usize,
    /// Symbols of the grammar.
    pub max_grammar_size: usize,
    /// Whether large lexemes are computed in advance.
    pub precompute_large_lexemes: bool,
    /// Whether errors have the state of the parser.
    pub verbose_errors: bool,
}

/// What a matcher is made for.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct LlgConstraintInit {
    /// The tokenizer.
    pub tokenizer: *const LlgTokenizer,
    /// Messages that are kept for `llg_flush_logs`: 0 none, 1 warnings.
    pub log_buffer_level: u32,
    /// Messages on the standard error output: 0 none, 1 warnings.
    pub log_stderr_level: u32,
    /// Whether a constraint may commit more than one token at a time.
    pub ff_tokens_ok: bool,
    /// Has no effect: nothing is ever taken back.
    pub backtrack_ok: bool,
    /// Limits, which have no effect.
    pub limits: LlgParserLimits,
}

/// The tokens of a model.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct LlgTokenizerInit {
    /// The number of tokens.
    pub vocab_size: u32,
    /// The token that ends an output.
    pub tok_eos: LlgToken,
    /// The number of bytes of each token.
    pub token_lens: *const u32,
    /// The bytes of all tokens, one after the other. Those of special tokens begin with 0xff.
    pub token_bytes: *const u8,
    /// The content of a file `tokenizer.json`, instead of lengths and bytes.
    pub tokenizer_json: *const c_char,
    /// Whether `tokenize_fn` takes UTF-8 only.
    pub tokenize_assumes_string: bool,
    /// Cuts texts as the model's own tokenizer does.
    pub tokenize_fn: LlgTokenizeFn,
    /// Whether texts are cut into the longest tokens instead.
    pub use_approximate_greedy_tokenize_fn: bool,
    /// The first argument of `tokenize_fn`.
    pub tokenize_user_data: *const c_void,
    /// Has no effect.
    pub slices: *const *const c_char,
}

/// The tokens of a model, with several end tokens.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct LlgTokenizerInitV2 {
    /// The size of this struct as the caller knows it. What lies behind it counts as zero.
    pub struct_size: usize,
    /// The number of tokens.
    pub vocab_size: u32,
    /// The token that ends an output.
    pub tok_eos: LlgToken,
    /// The number of bytes of each token.
    pub token_lens: *const u32,
    /// The bytes of all tokens, one after the other. Those of special tokens begin with 0xff.
    pub token_bytes: *const u8,
    /// The content of a file `tokenizer.json`, instead of lengths and bytes.
    pub tokenizer_json: *const c_char,
    /// Whether `tokenize_fn` takes UTF-8 only.
    pub tokenize_assumes_string: bool,
    /// Cuts texts as the model's own tokenizer does.
    pub tokenize_fn: LlgTokenizeFn,
    /// Whether texts are cut into the longest tokens instead.
    pub use_approximate_greedy_tokenize_fn: bool,
    /// The first argument of `tokenize_fn`.
    pub tokenize_user_data: *const c_void,
    /// Has no effect.
    pub slices: *const *const c_char,
    /// More tokens that end an output.
    pub tok_eos_extra: *const LlgToken,
    /// The number of these tokens.
    pub tok_eos_extra_count: u32,
}

/// The mask of a constraint.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct LlgMaskResult {
    /// One bit per token; null if the output has ended. It lives until the next call with the constraint.
    pub sample_mask: *const u32,
    /// The temperature to sample with; always 0.
    pub temperature: f32,
    /// Whether the output has ended.
    pub is_stop: bool,
}

/// The tokens that a constraint adds to the output.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct LlgCommitResult {
    /// The tokens. They live until the next call with the constraint.
    pub tokens: *const u32,
    /// Their number.
    pub n_tokens: u32,
    /// Whether the output has ended.
    pub is_stop: bool,
}

impl From<&LlgTokenizerInit> for LlgTokenizerInitV2 {
    fn from(init: &LlgTokenizerInit) -> Self {
        Self {
            struct_size: size_of::<Self>(),
            vocab_size: init.vocab_size,
            tok_eos: init.tok_eos,
            token_lens: init.token_lens,
            token_bytes: init.token_bytes,
            tokenizer_json: init.tokenizer_json,
            tokenize_assumes_string: init.tokenize_assumes_string,
            tokenize_fn: init.tokenize_fn,
            use_approximate_greedy_tokenize_fn: init.use_approximate_greedy_tokenize_fn,
            tokenize_user_data: init.tokenize_user_data,
            slices: init.slices,
            tok_eos_extra: std::ptr::null(),
            tok_eos_extra_count: 0,
        }
    }
}

/// The defaults of llguidance.
impl Default for LlgParserLimits {
    fn default() -> Self {
        Self {
            max_items_in_row: 2_000,
            initial_lexer_fuel: 1_000_000,
            step_lexer_fuel: 200_000,
            step_max_items: 50_000,
            max_lexer_states: 250_000,
            max_grammar_size: 500_000,
            precompute_large_lexemes: true,
            verbose_errors: true,
        }
    }
}
