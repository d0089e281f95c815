//! What the oracle says of real programs: an independent parser of the same grammar, see `gcc_grammar_tests::oracle`.
//!
//! All it may have of the compiler is the layout of productions, which decides the lexical contexts.

use crate::language::parse;
use gcc_grammar_compiler::{Automata, Limits};
use gcc_grammar_tests::law::no_tokens;
use gcc_grammar_tests::oracle::{Recognizer, Unit, recognizer};
use gcc_grammar_tests::subject::productions;

/// Reads texts byte by byte and remembers the last one, so that what the next one has in common with it is not read again.
pub struct Oracle {
    recognizer: Box<dyn Recognizer>,
    read: Vec<u8>,
}

/// It reached a limit of its own and knows no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GaveUp;

impl Oracle {
    /// Of a bundled grammar, or a Lark file; special tokens match nothing. The error is for people.
    ///
    /// With a layout of its own it has nothing of the compiler, but contexts may differ, and it gives up more often.
    pub fn new(grammar: &str, own_layout: bool) -> Result<Self, String> {
        let grammar = parse(grammar)?.grammar;
        let nothing = no_tokens();
        let layout = if own_layout {
            None
        } else {
            let automata = Automata::new(&grammar, &nothing, Limits::default(), &mut ());
            Some(productions(&automata.map_err(|error| format!("{error:?}"))?.cfg))
        };
        let recognizer = recognizer(&grammar, &(&nothing).into(), layout);
        Ok(Self { recognizer, read: Vec::new() })
    }

    /// How much of a text can be read, and whether it may end there.
    pub fn judge(&mut self, text: &[u8]) -> Result<(usize, bool), GaveUp> {
        self.back_to(common(&self.read, text));
        let rest = self.read.len();
        let whole = text[rest..].iter().all(|&byte| self.push(byte));
        let verdict = (self.read.len(), whole && self.recognizer.accepts());
        self.answer(verdict)
    }

    /// By token: whether it may come after a text that can be read. The tokens are sorted.
    pub fn allowed<'t>(
        &mut self,
        text: &[u8],
        tokens: impl Iterator<Item = &'t [u8]>,
    ) -> Result<Vec<bool>, GaveUp> {
        self.judge(text)?;
        let mut allowed = Vec::new();
        for token in tokens {
            self.back_to(text.len() + common(&self.read[text.len()..], token));
            let rest = self.read.len() - text.len();
            allowed.push(token[rest..].iter().all(|&byte| self.push(byte)));
        }
        self.answer(allowed)
    }

    /// Reads a byte if it can be read.
    fn push(&mut self, byte: u8) -> bool {
        let viable = self.recognizer.push(Unit::Byte(byte));
        if viable {
            self.read.push(byte);
        } else {
            self.recognizer.truncate(self.read.len());
        }
        viable
    }

    fn back_to(&mut self, length: usize) {
        self.recognizer.truncate(length);
        self.read.truncate(length);
    }

    /// The answer, if it counts.
    fn answer<T>(&mut self, answer: T) -> Result<T, GaveUp> {
        if !self.recognizer.is_exhausted() {
            return Ok(answer);
        }
        self.back_to(0);
        self.recognizer.forget_exhaustion();
        Err(GaveUp)
    }
}

/// How many bytes both begin with.
fn common(one: &[u8], other: &[u8]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}
