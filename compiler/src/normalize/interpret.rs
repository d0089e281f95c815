//! Interprets a [`Cfg`]: decides whether it derives a sequence of terminals. For tests.
//!
//! This is the definition of derivation, memoized per nonterminal and span of the text. It ends because no
//! production is empty and there is no cycle of unit productions: a recursive call has a shorter span, or the
//! same span and a nonterminal further down a chain of unit productions.

use super::cfg::{Cfg, productions_of};
use gcc_grammar_ir::{NonterminalId, Symbol, TerminalId};
use rustc_hash::FxHashMap;

/// Whether `cfg` derives `text` (without the end of text).
#[must_use]
pub fn interpret(cfg: &Cfg, text: &[TerminalId]) -> bool {
    let text = [text, &[cfg.end]].concat();
    Derivations { cfg, text: &text, known: FxHashMap::default() }.derives(cfg.start, 0, text.len())
}

struct Derivations<'a> {
    cfg: &'a Cfg,
    text: &'a [TerminalId],
    known: FxHashMap<(NonterminalId, usize, usize), bool>,
}

impl Derivations<'_> {
    /// Whether `lhs` derives `text[from..to]`.
    fn derives(&mut self, lhs: NonterminalId, from: usize, to: usize) -> bool {
        if let Some(&known) = self.known.get(&(lhs, from, to)) {
            return known;
        }
        let cfg = self.cfg;
        let derives = productions_of(&cfg.productions, lhs).iter().any(|p| self.matches(&p.rhs, from, to));
        self.known.insert((lhs, from, to), derives);
        derives
    }

    /// Whether the symbols of `rhs` derive `text[from..to]`, each of them a part that is not empty.
    fn matches(&mut self, rhs: &[Symbol], from: usize, to: usize) -> bool {
        match *rhs {
            [] => from == to,
            [Symbol::Terminal(t), ref rest @ ..] => {
                from < to && self.text[from] == t && self.matches(rest, from + 1, to)
            }
            [Symbol::Nonterminal(n)] => from < to && self.derives(n, from, to),
            [Symbol::Nonterminal(n), ref rest @ ..] => {
                (from + 1..to).any(|middle| self.derives(n, from, middle) && self.matches(rest, middle, to))
            }
        }
    }
}
