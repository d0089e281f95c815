//! Verdicts of the oracle on real programs. The oracle is an independent parser of the same grammar; see `gcc_grammar_tests::oracle`.
//!
//! The only thing that it may take from the compiler is the form of the productions, because that decides which terminals are possible in
//! which context.

use crate::Result;
use crate::language::{find_source, parse_source};
use gcc_grammar_compiler::{Automata, Limits};
use gcc_grammar_tests::law::no_tokens;
use gcc_grammar_tests::oracle::{Recognizer, Unit, recognizer};
use gcc_grammar_tests::subject::productions;

/// Reads texts byte by byte. It remembers the last text, so that the common prefix of that and the next text is not read again.
pub struct Oracle {
    recognizer: Box<dyn Recognizer>,
    read: Vec<u8>,
}

/// The oracle exceeded one of its own limits, and gives no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GaveUp;

impl Oracle {
    /// An oracle for a bundled grammar or a grammar file. Special tokens match nothing.
    ///
    /// With `own_productions` it takes nothing from the compiler, but the contexts may differ, and it gives up more often.
    ///
    /// # Errors
    /// The grammar is not found or refused.
    pub fn new(grammar: &str, own_productions: bool) -> Result<Self> {
        let grammar = parse_source(&find_source(grammar)?)?.grammar;
        let vocabulary = no_tokens();
        let productions = if own_productions {
            None
        } else {
            Some(productions(&Automata::new(&grammar, &vocabulary, Limits::default(), &mut ())?.cfg))
        };
        let recognizer = recognizer(&grammar, &(&vocabulary).into(), productions);
        Ok(Self { recognizer, read: Vec::new() })
    }

    /// The length of the longest viable prefix of a text, and whether the text is in the language.
    ///
    /// # Errors
    /// [`GaveUp`].
    pub fn judge(&mut self, text: &[u8]) -> Result<(usize, bool), GaveUp> {
        self.back_to(common_prefix(&self.read, text));
        let rest = self.read.len();
        let is_viable = text[rest..].iter().all(|&byte| self.push(byte));
        let verdict = (self.read.len(), is_viable && self.recognizer.accepts());
        self.answer(verdict)
    }

    /// Whether each of the tokens may come after a viable text. The tokens are sorted by their bytes.
    ///
    /// # Errors
    /// [`GaveUp`].
    pub fn allowed<'t>(
        &mut self,
        text: &[u8],
        tokens: impl Iterator<Item = &'t [u8]>,
    ) -> Result<Vec<bool>, GaveUp> {
        self.judge(text)?;
        let mut allowed = Vec::new();
        for token in tokens {
            self.back_to(text.len() + common_prefix(&self.read[text.len()..], token));
            let rest = self.read.len() - text.len();
            allowed.push(token[rest..].iter().all(|&byte| self.push(byte)));
        }
        self.answer(allowed)
    }

    /// Reads a byte if the text stays viable. Returns whether it does.
    fn push(&mut self, byte: u8) -> bool {
        let is_viable = self.recognizer.push(Unit::Byte(byte));
        if is_viable {
            self.read.push(byte);
        } else {
            self.recognizer.truncate(self.read.len());
        }
        is_viable
    }

    fn back_to(&mut self, length: usize) {
        self.recognizer.truncate(length);
        self.read.truncate(length);
    }

    /// Passes the answer on if no limit was exceeded.
    fn answer<T>(&mut self, answer: T) -> Result<T, GaveUp> {
        if !self.recognizer.is_exhausted() {
            return Ok(answer);
        }
        self.back_to(0);
        self.recognizer.forget_exhaustion();
        Err(GaveUp)
    }
}

/// The length of the longest common prefix.
fn common_prefix(one: &[u8], other: &[u8]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}
