//! The options `--limit-...`: bounds on the work and memory of the compiler.

use clap::Args;
use gcc_grammar::LimitOptions;

/// Bounds on the work and memory of the compiler.
#[derive(Args)]
#[command(next_help_heading = "Limits (for choices, they grow with the length of the input)")]
pub(crate) struct LimitArguments {
    /// Elementary steps of all stages together, about 3 * 10^7 a second [default: 500000000]
    #[arg(long = "limit-work", value_name = "N")]
    work: Option<u64>,
    /// Bytes of the tables of all stages together, estimated [default: 800000000]
    #[arg(long = "limit-bytes", value_name = "N")]
    bytes: Option<u64>,
    /// States of the LR automaton [default: 200000]
    #[arg(long = "limit-lr-states", value_name = "N")]
    lr_states: Option<u64>,
    /// States of the lexer automaton [default: 500000]
    #[arg(long = "limit-lexer-states", value_name = "N")]
    lexer_states: Option<u64>,
    /// States of the Parser DWA before minimization [default: 1000000]
    #[arg(long = "limit-dwa-states", value_name = "N")]
    dwa_states: Option<u64>,
    /// States of one terminal's automaton [default: 200000]
    #[arg(long = "limit-terminal-states", value_name = "N")]
    terminal_states: Option<u64>,
}

impl LimitArguments {
    /// The limits for the library.
    pub(crate) fn options(&self) -> LimitOptions {
        let &Self { work, bytes, lr_states, lexer_states, dwa_states, terminal_states } = self;
        LimitOptions { work, bytes, lr_states, lexer_states, dwa_states, terminal_states, deadline: None }
    }
}
