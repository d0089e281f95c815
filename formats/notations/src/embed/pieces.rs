//! Terminals of several grammars, made disjoint.
//!
//! Input: the terminals of all parts, one part after the other. Output: terminals of the host, and per input terminal the symbols whose
//! union it is. Equal languages are one terminal, and no text is matched by two of the output terminals, provided that the terminals were
//! [cut](Pieces::cut).

use gcc_grammar_ir::{Grammar, Pattern, Symbol, Terminal, TerminalId};
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{Dfa, Regex, RegularLimits};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The terminals of all parts. Equal languages are kept once, and languages that overlap are cut into disjoint pieces.
#[derive(Default)]
pub(super) struct Pieces {
    /// The terminals of the parts, in order.
    lexemes: Vec<Lexeme>,
    /// Different languages, with the first terminal that has each.
    languages: Vec<(Arc<Dfa>, Terminal)>,
    by_language: FxHashMap<Arc<Dfa>, usize>,
    /// The pieces: before the cut, the languages themselves; after it, pairwise disjoint languages.
    pieces: Vec<Arc<Dfa>>,
    /// Per language, the pieces whose union it is.
    made_of: Vec<Vec<usize>>,
}

/// A terminal of a part.
enum Lexeme {
    /// An index into `languages`.
    Language(usize),
    Tokens(Terminal),
}

impl Pieces {
    /// Adds the next terminal of the parts.
    pub(super) fn add(&mut self, terminal: &Terminal, limits: &RegularLimits) -> Result<(), OverBudget> {
        let regex = match &terminal.pattern {
            Pattern::Token(_) => {
                self.lexemes.push(Lexeme::Tokens(terminal.clone()));
                return Ok(());
            }
            Pattern::Regex(regex) => regex,
        };
        let dfa = match regex {
            Regex::Automaton(dfa) => Arc::clone(dfa),
            other => Arc::new(other.to_dfa(limits)?),
        };
        let next = self.languages.len();
        let index = *self.by_language.entry(Arc::clone(&dfa)).or_insert(next);
        if index == next {
            self.languages.push((Arc::clone(&dfa), terminal.clone()));
            self.pieces.push(dfa);
            self.made_of.push(vec![index]);
        }
        self.lexemes.push(Lexeme::Language(index));
        Ok(())
    }

    /// Cuts the languages into the atoms of the boolean algebra that they generate.
    pub(super) fn cut(&mut self, limits: &RegularLimits) -> Result<(), OverBudget> {
        self.pieces.clear();
        for language in 0..self.languages.len() {
            let mut rest = (*self.languages[language].0).clone();
            let mut made_of = Vec::new();
            for piece in 0..self.pieces.len() {
                if !self.pieces[piece].intersects(&rest) {
                    continue;
                }
                let common = self.pieces[piece].intersect(&rest, limits)?;
                let outside = self.pieces[piece].difference(&rest, limits)?;
                rest = rest.difference(&common, limits)?;
                made_of.push(piece);
                if !outside.is_empty() {
                    let new = self.pieces.len();
                    self.pieces.push(Arc::new(outside));
                    let earlier =
                        self.made_of[..language].iter_mut().filter(|made_of| made_of.contains(&piece));
                    earlier.for_each(|made_of| made_of.push(new));
                    self.pieces[piece] = Arc::new(common);
                }
            }
            if !rest.is_empty() {
                made_of.push(self.pieces.len());
                self.pieces.push(Arc::new(rest));
            }
            self.made_of[language] = made_of;
        }
        Ok(())
    }

    /// Appends the pieces to the terminals of the host. Returns, per terminal of the parts, the symbols whose union it is.
    pub(super) fn into_symbols(self, host: &mut Grammar) -> Vec<Vec<Symbol>> {
        let first = host.terminals.len();
        for (index, piece) in self.pieces.iter().enumerate() {
            let mut whole =
                self.languages.iter().zip(&self.made_of).filter(|(_, made_of)| made_of.contains(&index));
            let Some(((_, terminal), made_of)) = whole.next() else { continue };
            let name =
                if made_of.len() == 1 { terminal.name.clone() } else { format!("{}#{index}", terminal.name) };
            let pattern = Pattern::Regex(Regex::Automaton(Arc::clone(piece)));
            host.terminals.push(Terminal { name, pattern, ..terminal.clone() });
        }
        let symbol = |index| Symbol::Terminal(TerminalId::new(index));
        let mut symbols = Vec::with_capacity(self.lexemes.len());
        for lexeme in self.lexemes {
            symbols.push(match lexeme {
                Lexeme::Language(language) => {
                    self.made_of[language].iter().map(|piece| symbol(first + piece)).collect()
                }
                Lexeme::Tokens(terminal) => {
                    host.terminals.push(terminal);
                    vec![symbol(host.terminals.len() - 1)]
                }
            });
        }
        symbols
    }
}
