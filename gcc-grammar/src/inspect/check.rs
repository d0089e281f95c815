//! Checks a grammar without a vocabulary: its sizes, its warnings, and its conflicts explained.

use crate::artifacts::findings::{Findings, uncertified};
use crate::error::Error;
use crate::sources::options::Options;
use crate::sources::parse::Parsed;
pub use gcc_grammar_compiler::analysis::ambiguity::ConflictCost as Cost;
pub use gcc_grammar_compiler::liveness::Liveness;

use gcc_grammar_compiler::Automata;
use gcc_grammar_compiler::analysis::ambiguity::{Extent, conflict_costs};
use gcc_grammar_compiler::analysis::conflicts::{Conflict, ConflictAction, conflicts};
use gcc_grammar_compiler::ids::ProductionId;
use gcc_grammar_ir::Symbol;

/// The result of a check.
#[derive(Debug)]
#[non_exhaustive]
pub struct Check {
    /// Rules of the grammar.
    pub rules: usize,
    /// Terminals of the grammar.
    pub terminals: usize,
    /// States of the minimized LR automaton, as in [`Stats`](gcc_grammar_compiler::Stats).
    pub lr_states: usize,
    /// Cells of the action table with several actions.
    pub conflict_count: usize,
    /// Whether every token that a mask allows can be continued to a text of the language, if the vocabulary has a token for every
    /// byte alone.
    pub liveness: Liveness,
    /// Whether the empty text is in the language; then it is the shortest.
    pub has_empty_text: bool,
    /// What the analyses found out.
    pub findings: Findings,
    /// The first conflicts, explained.
    pub conflicts: Vec<ExplainedConflict>,
}

/// A conflict of the parser by names, and what it costs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ExplainedConflict {
    /// The symbols from the start of the text to the conflict.
    pub prefix: Vec<String>,
    /// The symbols before the conflict as one text.
    pub prefix_text: String,
    /// The terminal that comes next.
    pub terminal: String,
    /// The actions, `shift` or `reduce`, each with its production and a dot after the symbols that were read.
    pub readings: Vec<(&'static str, String)>,
    /// How long two parser stacks may be kept.
    pub cost: Cost,
    /// The number of symbols of random texts at which the conflict parted stacks.
    pub met: usize,
}

/// Checks a parsed source. At most `max_conflicts` conflicts are explained.
///
/// # Errors
/// The grammar cannot be compiled, or a limit is exceeded.
pub fn check(parsed: &Parsed, options: &Options, max_conflicts: usize) -> Result<Check, Error> {
    let parsed = &*parsed.spelled_out()?;
    let grammar = &parsed.grammar;
    let budget = parsed.budget(options)?;
    let automata = Automata::without_vocabulary(grammar, budget).map_err(|error| parsed.error(error))?;
    let mut findings = if Findings::are_possible(&automata, parsed.is_schema()) {
        Findings::new(&automata, parsed.is_schema(), Extent::Whole)
    } else {
        Findings::default()
    };
    findings.warnings.extend(uncertified(&automata.live.liveness));
    Ok(Check {
        liveness: automata.live.liveness.clone(),
        has_empty_text: automata.has_empty_text(),
        rules: grammar.rules.len(),
        terminals: grammar.terminals.len(),
        lr_states: automata.decoding().lr.states(),
        conflict_count: automata.decoding().lr.conflicts(),
        conflicts: explained(&automata, &findings, max_conflicts),
        findings,
    })
}

/// The first conflicts.
fn explained(automata: &Automata, findings: &Findings, most: usize) -> Vec<ExplainedConflict> {
    if most == 0 {
        return Vec::new();
    }
    let forks =
        findings.heads.as_ref().and_then(|heads| heads.sample.as_ref()).map(|sample| &sample.conflicts);
    let met = |conflict: &Conflict| {
        let fork = (conflict.state, conflict.terminal);
        forks.and_then(|forks| forks.get(&fork)).copied().unwrap_or(0)
    };
    let costs = conflict_costs(automata.decoding().lr);
    let conflicts = conflicts(automata).take(most).zip(costs);
    conflicts.map(|(conflict, cost)| explain(automata, &conflict, cost, met(&conflict))).collect()
}

fn explain(automata: &Automata, conflict: &Conflict, cost: Cost, met: usize) -> ExplainedConflict {
    ExplainedConflict {
        prefix: conflict.prefix.iter().map(|&symbol| automata.symbol_name(symbol).to_owned()).collect(),
        prefix_text: automata.sequence_text(&conflict.prefix),
        terminal: automata.terminal_name(conflict.terminal).to_owned(),
        readings: readings(automata, conflict),
        cost,
        met,
    }
}

fn readings(automata: &Automata, conflict: &Conflict) -> Vec<(&'static str, String)> {
    let mut out = Vec::new();
    for action in &conflict.actions {
        match action {
            ConflictAction::Reduce(id) => out.push(("reduce", production(automata, *id, usize::MAX))),
            ConflictAction::Shift(items) => {
                out.extend(
                    items.iter().map(|item| ("shift", production(automata, item.production, item.dot))),
                );
            }
        }
    }
    out
}

/// A production with a dot after the symbols that were read.
fn production(automata: &Automata, id: ProductionId, read: usize) -> String {
    let production = &automata.cfg.productions[id.index()];
    let mut words: Vec<&str> = production.rhs.iter().map(|&symbol| automata.symbol_name(symbol)).collect();
    words.insert(read.min(words.len()), "\u{2022}");
    format!("{}: {}", automata.symbol_name(Symbol::Nonterminal(production.lhs)), words.join(" "))
}
