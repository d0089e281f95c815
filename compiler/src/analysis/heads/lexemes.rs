//! Terminals spelled as symbols of the lexer.

use crate::ids::SymbolClass;
use crate::lexer::{Symbols, TerminalAutomaton};
use crate::random::Random;
use gcc_grammar_ir::{Discipline, Grammar, TerminalId};
use std::collections::VecDeque;

/// Symbols of a random lexeme at most, before it is given up for the shortest.
const RANDOM_LENGTH: usize = 8;

/// What the bytes of a class are mostly, as far as that decides whether lexemes run together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Word,
    Punctuation,
    Other,
}

/// How terminals are spelled.
pub(super) struct Lexemes<'a> {
    symbols: &'a Symbols,
    /// Per terminal.
    shortest: Vec<Vec<SymbolClass>>,
    /// Per class.
    kinds: Vec<Kind>,
    /// What may be put between lexemes that would run together.
    separator: Vec<SymbolClass>,
}

impl<'a> Lexemes<'a> {
    pub(super) fn new(grammar: &Grammar, symbols: &'a Symbols) -> Self {
        let shortest: Vec<_> = symbols.terminals.iter().map(shortest).collect();
        // Under any split, lexemes end wherever they may.
        let separator = match grammar.discipline {
            Discipline::LongestMatch => separator(grammar, symbols, &shortest),
            Discipline::AnySplit => Vec::new(),
        };
        Self { symbols, shortest, kinds: kinds(symbols), separator }
    }

    /// The length of the shortest lexeme of each terminal.
    pub(super) fn costs(&self) -> Vec<u32> {
        self.shortest.iter().map(|lexeme| lexeme.len() as u32).collect()
    }

    /// Terminals in a row, each as its shortest lexeme.
    pub(super) fn spell(&self, terminals: &[TerminalId]) -> Vec<SymbolClass> {
        let mut text = Vec::new();
        for terminal in terminals {
            self.append(&mut text, &self.shortest[terminal.index()]);
        }
        text
    }

    /// Terminals in a row, as random lexemes.
    pub(super) fn spell_randomly(&self, terminals: &[TerminalId], random: &mut Random) -> Vec<SymbolClass> {
        let mut text = Vec::new();
        for terminal in terminals {
            match draw(&self.symbols.terminals[terminal.index()], random) {
                Some(lexeme) => self.append(&mut text, &lexeme),
                None => self.append(&mut text, &self.shortest[terminal.index()]),
            }
        }
        text
    }

    fn append(&self, text: &mut Vec<SymbolClass>, lexeme: &[SymbolClass]) {
        if let (Some(last), Some(first)) = (text.last(), lexeme.first()) {
            let (last, first) = (self.kinds[last.index()], self.kinds[first.index()]);
            if last == first && first != Kind::Other {
                text.extend_from_slice(&self.separator);
            }
        }
        text.extend_from_slice(lexeme);
    }
}

fn kinds(symbols: &Symbols) -> Vec<Kind> {
    let mut kinds = vec![Kind::Other; symbols.classes];
    for byte in (0..=u8::MAX).filter(u8::is_ascii_graphic) {
        let kind = &mut kinds[symbols.class_of(byte).index()];
        if byte.is_ascii_alphanumeric() || byte == b'_' {
            *kind = Kind::Word;
        } else if *kind == Kind::Other {
            *kind = Kind::Punctuation;
        }
    }
    kinds
}

/// A space if that is ignored, or else the shortest lexeme that is.
fn separator(grammar: &Grammar, symbols: &Symbols, shortest: &[Vec<SymbolClass>]) -> Vec<SymbolClass> {
    let space = symbols.class_of(b' ');
    let takes_space = |automaton: &TerminalAutomaton| {
        automaton.transitions(0).iter().any(|&(class, to)| class == space && automaton.is_accepting(to))
    };
    if grammar.ignored.iter().any(|terminal| takes_space(&symbols.terminals[terminal.index()])) {
        return vec![space];
    }
    let ignored = grammar.ignored.iter().map(|terminal| &shortest[terminal.index()]);
    ignored.min_by_key(|lexeme| lexeme.len()).cloned().unwrap_or_default()
}

/// The shortest lexeme of a terminal, breadth first; empty if it has none.
fn shortest(automaton: &TerminalAutomaton) -> Vec<SymbolClass> {
    let mut came_from: Vec<Option<(u32, SymbolClass)>> = vec![None; automaton.states()];
    let mut open = VecDeque::from([0]);
    while let Some(state) = open.pop_front() {
        if automaton.is_accepting(state) {
            let before = |&(state, _): &(u32, SymbolClass)| came_from[state as usize];
            let way = std::iter::successors(came_from[state as usize], before);
            let mut lexeme: Vec<SymbolClass> = way.map(|(_, class)| class).collect();
            lexeme.reverse();
            return lexeme;
        }
        for &(class, to) in automaton.transitions(state) {
            if to != 0 && came_from[to as usize].is_none() {
                came_from[to as usize] = Some((state, class));
                open.push_back(to);
            }
        }
    }
    Vec::new()
}

/// A walk through the automaton that ends where it may with a probability of one half.
fn draw(automaton: &TerminalAutomaton, random: &mut Random) -> Option<Vec<SymbolClass>> {
    let (mut state, mut lexeme) = (0, Vec::new());
    for _ in 0..RANDOM_LENGTH {
        let transitions = automaton.transitions(state);
        let &(class, to) = transitions.get(random.below(transitions.len().max(1)))?;
        lexeme.push(class);
        state = to;
        if automaton.is_accepting(state) && random.below(2) == 0 {
            return Some(lexeme);
        }
    }
    None
}
