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
//! lexemes), [`certificate`].

mod certificate;
mod lexemes;
mod spelling;

use crate::lexer::{Contexts, Lexer};
use crate::lr::LrTables;
use gcc_grammar_ir::{Discipline, Grammar};
use gcc_grammar_limits::{Budget, OverBudget};
use lexemes::Lexemes;

/// Whether every token that a mask allows can be continued to a text of the language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Liveness {
    /// It can.
    Certified,
    /// It is not known, for this reason.
    NotCertified(String),
}

/// The result of the stage.
#[derive(Debug)]
pub struct Live {
    /// The certificate.
    pub liveness: Liveness,
}

/// Checks the tables of `grammar`.
///
/// # Errors
/// The budget is spent.
pub fn build(
    grammar: &Grammar,
    lr: &LrTables,
    lexer: &Lexer,
    contexts: &Contexts,
    budget: &Budget,
) -> Result<Live, OverBudget> {
    let budget = budget.stage("liveness");
    if grammar.discipline == Discipline::AnySplit {
        return Ok(Live { liveness: Liveness::Certified });
    }
    let mut lexemes = Lexemes::new(lexer, &budget)?;
    let found = certificate::unspelled(lr, contexts, &mut lexemes, &budget)?;
    let liveness = match found.len() {
        0 => Liveness::Certified,
        places => Liveness::NotCertified(format!("at {places} places an expected terminal cannot be spelled")),
    };
    Ok(Live { liveness })
}
