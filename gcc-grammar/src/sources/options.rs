//! The options of a compilation: what the input means, and what compiling it may cost.

use crate::error::{Error, SourceText};
pub use gcc_grammar_compiler::TokenBudgets;
use gcc_grammar_compiler::{Budget, Interrupt, Limits};
use serde::Deserialize;
use std::path::PathBuf;
use std::time::Instant;

pub use gcc_grammar_ir::SpecialTokens;
use gcc_grammar_json_schema::Narrowing;
pub use gcc_grammar_json_schema::Options as SchemaOptions;
pub use gcc_grammar_notations::lark::{Indenter, Lexer};
pub use gcc_grammar_notations::tools::Calls as ToolOptions;

/// The options of a compilation.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The rule that derives whole texts; by default `start` in Lark, `root` in GBNF and EBNF.
    pub start: Option<String>,
    /// Further folders in which files that a Lark grammar imports are looked for.
    pub import_folders: Vec<PathBuf>,
    /// How text is cut into lexemes in a Lark grammar.
    pub lexer: Lexer,
    /// How Lark's `Indenter` is set up, for grammars that declare its tokens.
    pub indenter: Indenter,
    /// The model that calls tools, and which calls it may make.
    pub tools: ToolOptions,
    /// The meaning of JSON Schemas: alone, in structural tags and tools, and in `%json` of Lark grammars.
    pub schema: SchemaOptions,
    /// Whether a schema is refused if the grammar refuses texts of valid values.
    pub strict: Strict,
    /// The narrowings that `strict` allows.
    pub allow_narrowed: Vec<Narrowing>,
    /// Where special tokens are accepted that the grammar does not name by id.
    pub special_tokens: SpecialTokens,
    /// What the artifact says about the tokens that complete a text.
    pub budgets: TokenBudgets,
    /// Bounds on work and memory.
    pub limits: LimitOptions,
    /// Ends everything that has these options, with [`ErrorKind::Interrupted`](crate::ErrorKind::Interrupted), some milliseconds after it was set.
    pub interrupt: Interrupt,
}

impl Options {
    /// What may be spent, where `default` holds what the options leave open.
    pub(crate) fn budget(&self, default: Limits) -> Budget {
        Budget::new(self.limits.over(default)).until(&self.interrupt)
    }

    /// Refuses what was made of an input if the interrupt was set: it may lack what there was no time for.
    pub(crate) fn whole<T>(&self, input: &SourceText, made: T) -> Result<T, Error> {
        if self.interrupt.is_set() { Err(Error::interrupted(input)) } else { Ok(made) }
    }
}

/// Which texts of valid values a grammar may refuse.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Strict {
    /// Any: the report lists them.
    #[default]
    Off,
    /// Only texts that no option admits, which the report lists.
    On,
    /// None.
    All,
}

impl Strict {
    /// Whether a schema with this kind of narrowings is refused.
    #[must_use]
    pub const fn refuses(self, kind: Narrowing) -> bool {
        match self {
            Self::Off => false,
            Self::On => kind.is_optional(),
            Self::All => true,
        }
    }
}

/// Bounds on work and memory that replace the defaults. The defaults of choices grow with their length.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[serde(deny_unknown_fields, default, expecting = "an object of limits")]
pub struct LimitOptions {
    /// Elementary steps over all stages, about 3 * 10^7 a second.
    pub work: Option<u64>,
    /// Estimated bytes held by the tables of all stages.
    pub bytes: Option<u64>,
    /// States of the LR automaton.
    pub lr_states: Option<u64>,
    /// States of the lexer automaton.
    pub lexer_states: Option<u64>,
    /// States of the Parser DWA before minimization.
    pub dwa_states: Option<u64>,
    /// States of one terminal's automaton.
    pub terminal_states: Option<u64>,
    /// The time at which the compilation is given up. The only limit that depends on the machine.
    #[serde(skip)]
    pub deadline: Option<Instant>,
}

impl LimitOptions {
    /// These limits, and those of `default` where none is given.
    #[must_use]
    pub fn over(&self, default: Limits) -> Limits {
        let &Self { work, bytes, lr_states, lexer_states, dwa_states, terminal_states, deadline } = self;
        Limits {
            work: work.unwrap_or(default.work),
            bytes: bytes.unwrap_or(default.bytes),
            lr_states: lr_states.unwrap_or(default.lr_states),
            lexer_states: lexer_states.unwrap_or(default.lexer_states),
            dwa_states: dwa_states.unwrap_or(default.dwa_states),
            terminal_states: terminal_states.unwrap_or(default.terminal_states),
            deadline: deadline.or(default.deadline),
        }
    }

    /// The smaller one of each limit and its `other`, where both are given.
    #[must_use]
    pub fn least(&self, other: Self) -> Self {
        let least = |a: Option<u64>, b: Option<u64>| a.into_iter().chain(b).min();
        Self {
            work: least(self.work, other.work),
            bytes: least(self.bytes, other.bytes),
            lr_states: least(self.lr_states, other.lr_states),
            lexer_states: least(self.lexer_states, other.lexer_states),
            dwa_states: least(self.dwa_states, other.dwa_states),
            terminal_states: least(self.terminal_states, other.terminal_states),
            deadline: self.deadline.into_iter().chain(other.deadline).min(),
        }
    }
}

impl From<Limits> for LimitOptions {
    fn from(limits: Limits) -> Self {
        let Limits { work, bytes, lr_states, lexer_states, dwa_states, terminal_states, deadline } = limits;
        Self {
            work: Some(work),
            bytes: Some(bytes),
            lr_states: Some(lr_states),
            lexer_states: Some(lexer_states),
            dwa_states: Some(dwa_states),
            terminal_states: Some(terminal_states),
            deadline,
        }
    }
}
