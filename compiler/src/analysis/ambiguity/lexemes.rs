//! Spells sequences of terminals as texts.
//!
//! In: terminals. Out: a text in symbols of the lexer, made of the shortest or of random lexemes. Under longest
//! match, ignored text is put between two lexemes that would run together, such as two words.

use crate::ids::SymbolClass;
use crate::lexer::{Symbols, TerminalAutomaton};
use crate::random::Random;
use gcc_grammar_ir::{Grammar, TerminalId};
use std::collections::VecDeque;

/// The largest number of symbols in a random lexeme. The shortest lexeme replaces a longer one.
const RANDOM_LENGTH: usize = 8;

/// The kind of the characters in a symbol class. Lexemes run together if a character of a word follows another,
/// or a punctuation character another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CharacterKind {
    Word,
    Punctuation,
    Other,
}

/// The spellings of all terminals.
pub(super) struct Lexemes<'a> {
    symbols: &'a Symbols,
    /// Per terminal: its shortest lexeme.
    shortest: Vec<Vec<SymbolClass>>,
    /// Per symbol class: the kind of its characters.
    kinds: Vec<CharacterKind>,
    /// The ignored text between lexemes that would run together; empty if nothing is ignored.
    separator: Vec<SymbolClass>,
}

impl<'a> Lexemes<'a> {
    pub(super) fn new(grammar: &Grammar, symbols: &'a Symbols) -> Self {
        let shortest: Vec<_> = symbols.terminals.iter().map(shortest).collect();
        // Under any split, lexemes cannot run together.
        let separator =
            if grammar.is_any_split() { Vec::new() } else { separator(grammar, symbols, &shortest) };
        Self { symbols, shortest, kinds: kinds(symbols), separator }
    }

    /// The length of the shortest lexeme of each terminal.
    pub(super) fn costs(&self) -> Vec<u32> {
        self.shortest.iter().map(|lexeme| lexeme.len() as u32).collect()
    }

    /// Spells each terminal as its shortest lexeme.
    pub(super) fn spell(&self, terminals: &[TerminalId]) -> Vec<SymbolClass> {
        let mut text = Vec::new();
        for terminal in terminals {
            self.append(&mut text, &self.shortest[terminal.index()]);
        }
        text
    }

    /// Spells each terminal as a random lexeme.
    pub(super) fn spell_randomly(&self, terminals: &[TerminalId], random: &mut Random) -> Vec<SymbolClass> {
        let mut text = Vec::new();
        for terminal in terminals {
            match random_lexeme(&self.symbols.terminals[terminal.index()], random) {
                Some(lexeme) => self.append(&mut text, &lexeme),
                None => self.append(&mut text, &self.shortest[terminal.index()]),
            }
        }
        text
    }

    /// A text in bytes, printable ones where there are any; `None` if it has special tokens.
    pub(super) fn bytes(&self, text: &[SymbolClass]) -> Option<Vec<u8>> {
        let bytes = || (b' '..=b'~').chain(0..=u8::MAX);
        text.iter().map(|&class| bytes().find(|&byte| self.symbols.class_of(byte) == class)).collect()
    }

    /// Appends a lexeme, with a separator before it where it would run together with the last lexeme.
    fn append(&self, text: &mut Vec<SymbolClass>, lexeme: &[SymbolClass]) {
        if let (Some(last), Some(first)) = (text.last(), lexeme.first()) {
            let (last, first) = (self.kinds[last.index()], self.kinds[first.index()]);
            if last == first && first != CharacterKind::Other {
                text.extend_from_slice(&self.separator);
            }
        }
        text.extend_from_slice(lexeme);
    }
}

fn kinds(symbols: &Symbols) -> Vec<CharacterKind> {
    let mut kinds = vec![CharacterKind::Other; symbols.classes];
    for byte in (0..=u8::MAX).filter(u8::is_ascii_graphic) {
        let kind = &mut kinds[symbols.class_of(byte).index()];
        if byte.is_ascii_alphanumeric() || byte == b'_' {
            *kind = CharacterKind::Word;
        } else if *kind == CharacterKind::Other {
            *kind = CharacterKind::Punctuation;
        }
    }
    kinds
}

/// A space if it is an ignored lexeme, otherwise the shortest ignored lexeme.
fn separator(grammar: &Grammar, symbols: &Symbols, shortest: &[Vec<SymbolClass>]) -> Vec<SymbolClass> {
    let space = symbols.class_of(b' ');
    let accepts_space = |automaton: &TerminalAutomaton| {
        automaton.transitions(0).iter().any(|&(class, to)| class == space && automaton.is_accepting(to))
    };
    if grammar.ignored.iter().any(|terminal| accepts_space(&symbols.terminals[terminal.index()])) {
        return vec![space];
    }
    let ignored = grammar.ignored.iter().map(|terminal| &shortest[terminal.index()]);
    ignored.min_by_key(|lexeme| lexeme.len()).cloned().unwrap_or_default()
}

/// The shortest lexeme of a terminal, found breadth-first; empty if there is none.
fn shortest(automaton: &TerminalAutomaton) -> Vec<SymbolClass> {
    let mut came_from: Vec<Option<(u32, SymbolClass)>> = vec![None; automaton.states()];
    let mut open = VecDeque::from([0]);
    while let Some(state) = open.pop_front() {
        if automaton.is_accepting(state) {
            let before = |&(state, _): &(u32, SymbolClass)| came_from[state as usize];
            let path = std::iter::successors(came_from[state as usize], before);
            let mut lexeme: Vec<SymbolClass> = path.map(|(_, class)| class).collect();
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

/// A random lexeme: a random walk through the automaton that ends in an accepting state with probability 1/2.
/// `None` if it gets too long.
fn random_lexeme(automaton: &TerminalAutomaton, random: &mut Random) -> Option<Vec<SymbolClass>> {
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
