//! Finds the regular parts of a grammar over characters and turns them into terminals.
//!
//! ```text
//! rules ──components──▶ in the order of use ──linear──▶ automata of regular rules ──terms──▶ maximal regular parts
//! ```
//! Input: a grammar under [any split](Discipline::AnySplit), and the rules that must stay rules. Output: a grammar of the same language
//! with fewer rules and larger terminals. Without this pass, the parser would push a state for every character.
//! 1. A rule is regular if it uses only regular rules, or if the rules of its strongly connected component are all right-linear or all
//!    left-linear (`s: "" | [a-z] s`). Such a system of equations is solved by elimination with Arden's lemma: `X = A X | B` has the
//!    solution `X = A* B` (Arden, "Delayed-logic and finite-state machines", 1961). Self-embedding rules stay rules (Chomsky, "On
//!    certain formal properties of grammars", 1959: grammars without self-embedding are exactly the regular ones).
//! 2. In the right parts of the remaining rules, regular neighbours of a sequence, regular alternatives of a choice, and repetitions of
//!    regular parts become one terminal. Equal languages become the same terminal.
//!
//! The language stays the same only because lexemes play no role under any split: a text belongs to it or not however it is cut. A
//! grammar that ignores terminals is returned as it is. Special tokens are not text, so the parts on both sides of one are not joined.
//!
//! If an automaton would be too large, its parts become terminals instead. All automata together have an allowance, too; when it is used
//! up, the remaining rules stay as they are.

mod allowance;
pub(crate) mod bounded;
mod difference;
mod languages;
mod linear;
mod rewrite;
mod terms;
#[cfg(test)]
mod tests;

use allowance::Allowance;
pub(crate) use difference::{subtract, terminals};
use gcc_grammar_ir::special::has_marks;
use gcc_grammar_ir::{Discipline, Grammar, NonterminalId, Pattern};
use gcc_grammar_regular::{Regex, RegularLimits};
use languages::Languages;
use rewrite::Rewriter;
use std::sync::Arc;

/// Turns the regular parts of a grammar into terminals; the language stays the same. The rules of `places` stay rules, whatever they
/// derive. They and the start rule get new numbers, which replace the old ones in `places`.
#[must_use]
pub fn regularize(grammar: Grammar, places: &mut [NonterminalId], limits: &RegularLimits) -> Grammar {
    if grammar.discipline != Discipline::AnySplit || !grammar.ignored.is_empty() {
        return grammar;
    }
    let allowance = Allowance::new(limits);
    let languages = regular_languages(&grammar, places, &allowance);
    Rewriter::new(&grammar, &languages, &allowance).rewrite(places)
}

/// The languages of the terminals, and none of the rules.
fn terminal_languages(grammar: &Grammar, allowance: &Allowance) -> Languages {
    let terminals = grammar.terminals.iter().map(|terminal| match &terminal.pattern {
        Pattern::Regex(Regex::Literal(_))
        | Pattern::Token(_)
        | Pattern::Limited(..)
        | Pattern::Counted(..)
        | Pattern::WithRole(..) => None,
        // In the automata of this pass, the byte 0xFF is that of marks.
        Pattern::Regex(regex) => {
            allowance.dfa(regex).filter(|dfa| !has_marks(&Regex::Automaton(Arc::clone(dfa))))
        }
        Pattern::Marked(regex) => allowance.dfa(regex),
    });
    Languages { terminals: terminals.collect(), rules: vec![None; grammar.rules.len()] }
}

/// Finds the regular rules, in the order of use, so that what a rule uses is known before it.
fn regular_languages(grammar: &Grammar, places: &[NonterminalId], allowance: &Allowance) -> Languages {
    let mut known = terminal_languages(grammar, allowance);
    for component in languages::in_order_of_use(grammar) {
        if component.iter().any(|rule| places.contains(rule)) {
            continue;
        }
        known.solve(grammar, &component, allowance);
    }
    known
}
