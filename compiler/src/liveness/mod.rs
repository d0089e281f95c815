//! Makes sure that no token leads into a dead end.
//!
//! In: the LR tables, the contexts and the lexer. Out: [`Live`]: whether every token that a mask will allow can be
//! continued to a text of the language, and, where the LR tables and the lexer do not guarantee it by themselves,
//! tables that do.
//!
//! A viable prefix can always be completed, as a sequence of terminals. What can fail is the *spelling* of the rest:
//! under longest match, what a lexeme could still have become may rule out every text of the terminal that has to come
//! next. Under any split nothing rules out anything, and there is nothing to do.
//!
//! The files, in the order of the data: [`spelling`] and [`lexemes`] (what can come next at a boundary between
//! lexemes), [`certificate`]. If there is no certificate: [`situations`], [`summaries`], [`restricted`], [`labels`],
//! [`filters`] and [`prune`](mod@prune). [`explain`] says why a language is empty. That tokens spell what bytes do was
//! seen to before ([`terminals`](crate::terminals)).

mod certificate;
mod explain;
mod filters;
mod labels;
mod lexemes;
mod prune;
mod repeated;
mod restricted;
mod situations;
mod spelling;
mod summaries;
#[cfg(test)]
mod tests;

pub use prune::Pruned;

use crate::error::CompileError;
use crate::lexer::{self, Contexts, Lexer, Symbols};
use crate::lr::{self, LrTables};
use crate::normalize::Cfg;
use gcc_grammar_ir::Grammar;
use gcc_grammar_limits::{Budget, OverBudget};
use gcc_grammar_regular::Dfa;
use lexemes::Lexemes;
use prune::{Outcome, Parser};
use std::fmt;

/// Whether every token that a mask allows can be continued to a text of the language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Liveness {
    /// It can.
    Certified,
    /// It is not known, for this reason.
    NotCertified(String),
}

impl fmt::Display for Liveness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Certified => f.write_str("certified"),
            Self::NotCertified(reason) => write!(f, "not certified: {reason}"),
        }
    }
}

/// The result of the stage.
#[derive(Debug)]
pub struct Live {
    /// The certificate.
    pub liveness: Liveness,
    /// The tables for the later stages, if the tables before this stage lead into dead ends.
    pub pruned: Option<Box<Pruned>>,
}

/// The stages before.
pub(crate) struct Stages<'a> {
    pub(crate) grammar: &'a Grammar,
    pub(crate) cfg: &'a Cfg,
    pub(crate) lr: &'a LrTables,
    pub(crate) symbols: &'a Symbols,
    pub(crate) lexer: &'a Lexer,
    pub(crate) contexts: &'a Contexts,
    /// The automata of the terminals.
    pub(crate) dfas: &'a [Option<Dfa>],
    /// Why the vocabulary may not spell every text, if so.
    pub(crate) incompleteness: Option<String>,
}

/// Certifies the tables, or makes tables without dead ends.
pub(crate) fn build(stages: &Stages<'_>, budget: &Budget) -> Result<Live, CompileError> {
    let budget = budget.stage("liveness");
    let without_suffix = || has_states_only_limits_end(stages.symbols).then(|| WITHOUT_THE_SUFFIX.to_owned());
    let unreadable = repeated::unreadable(stages, &budget)?;
    let reason = stages.incompleteness.clone().or_else(without_suffix).or(unreadable);
    let liveness = reason.map_or(Liveness::Certified, Liveness::NotCertified);
    let unchanged = Live { liveness, pruned: None };
    if stages.grammar.is_any_split() {
        return Ok(unchanged);
    }
    let unchanged = match unchanged.liveness == Liveness::Certified && competes_within_limit(stages) {
        true => Live { liveness: Liveness::NotCertified(BEFORE_THE_LIMIT.to_owned()), pruned: None },
        false => unchanged,
    };
    let mut lexemes = Lexemes::new(stages.lexer, &budget)?;
    let found = certificate::unspelled(stages.lr, stages.contexts, &mut lexemes, &budget)?;
    if found.is_empty() {
        return Ok(unchanged);
    }
    match prune(stages, &budget)? {
        Outcome::Pruned(pruned) => Ok(Live { pruned: Some(pruned), ..unchanged }),
        Outcome::Empty => Err(explain::empty(stages.grammar, stages.lr, &found)),
        Outcome::TooLarge(reason) => {
            Ok(Live { liveness: Liveness::NotCertified(reason.to_owned()), pruned: None })
        }
    }
}

/// Why tables are not certified in which a lexeme has a limit on its tokens. All else is as in the certificate.
pub const BEFORE_THE_LIMIT: &str = "the grammar has max_tokens under longest match, and before that many tokens nothing else may end the text";

/// Why tables are not certified if the vocabulary does not write the suffix of a lexeme with a limit on its tokens.
pub const WITHOUT_THE_SUFFIX: &str =
    "the tokens cannot write what ends a text with max_tokens, and before that many tokens nothing else may";

/// Whether nothing but a limit ends some lexeme. The certificate assumes that the limit does, but it does so only where the lexeme has that number of tokens.
fn has_states_only_limits_end(symbols: &Symbols) -> bool {
    let closing = symbols.limits.iter().filter(|limit| limit.closes);
    let first = symbols.limits.iter().map(|limit| limit.symbol).min();
    let Some(first) = first else { return false };
    closing.map(|limit| &symbols.terminals[limit.terminal.index()]).any(|texts| !texts.ends_everywhere(first))
}

/// Whether a terminal with a limit on its tokens competes for the longest match: the certificate assumes that the limit ends the lexeme
/// wherever it can, which it does only where the lexeme has that number of tokens.
fn competes_within_limit(stages: &Stages<'_>) -> bool {
    let competing = stages.grammar.competing();
    stages.symbols.limits.iter().any(|limit| competing[limit.terminal.index()])
}

/// Makes tables without dead ends. Unions become ordinary nonterminals: an item behind a union stands for several
/// productions, which may be completed in different situations. Units are not left out ([`lr::without_units`]), so that the
/// states are those of the productions.
fn prune(stages: &Stages<'_>, budget: &Budget) -> Result<Outcome, OverBudget> {
    let &Stages { grammar, cfg, symbols, .. } = stages;
    let cfg = cfg.without_unions();
    let automaton = lr::build_automaton(&cfg, budget)?;
    let whole = lr::tables(&cfg, &automaton, &lr::Plain(&cfg), budget)?;
    let kinds = lexer::kinds(grammar, whole.terminals);
    let (minimal, state_of) = lr::merge(&whole, lr::by_entry(&whole, &kinds), budget)?;
    drop(whole);
    let (lexer, contexts) = lexer::build(grammar, &minimal, symbols, budget)?;
    let parser = Parser { cfg: &cfg, automaton: &automaton, minimal: &minimal, state_of: &state_of };
    let tables = (&lexer, &contexts, symbols.read_classes());
    prune::prune(&parser, tables, &mut Lexemes::new(&lexer, budget)?, budget)
}
