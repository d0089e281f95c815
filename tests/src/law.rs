//! Which texts belong to a grammar's language, byte by byte, as the runtime says. Without tokens there are no masks to make, so compiling
//! is quick.

use crate::subject::TokenBytes;
use gcc_grammar_artifact::{Fingerprints, GrammarView};
use gcc_grammar_compiler::{CompileError, Options, compile};
use gcc_grammar_ir::Grammar;
use gcc_grammar_runtime::{Engine, Matcher};
use gcc_grammar_vocabulary::Vocabulary;

/// Words of scratch that no program fills.
const SCRATCH: usize = 1 << 22;

/// A vocabulary of nothing but a token that ends the text.
#[must_use]
pub fn no_tokens() -> Vocabulary {
    Vocabulary::from_tokens(Vec::new(), Vec::new(), vec![0], 1).expect("one end token is a vocabulary")
}

/// How much of a text can be read, and whether it may end there.
pub type Read<'r> = dyn FnMut(&[u8]) -> (usize, bool) + 'r;

/// A compiled grammar.
pub struct Law {
    artifact: Vec<u8>,
    vocabulary: Vocabulary,
}

impl Law {
    /// Of this grammar.
    pub fn new(grammar: &Grammar, options: &Options) -> Result<Self, CompileError> {
        let vocabulary = no_tokens();
        let compiled = compile(grammar, &vocabulary, options, &mut ())?;
        let fingerprints = Fingerprints { vocabulary: vocabulary.fingerprint(), ..Fingerprints::default() };
        Ok(Self { artifact: compiled.tables.write(fingerprints, Vec::new()), vocabulary })
    }

    /// Does something with a function that reads texts.
    ///
    /// # Panics
    /// Where a text fills the scratch.
    pub fn judge<T>(&self, work: impl FnOnce(&mut Read<'_>) -> T) -> T {
        let view = GrammarView::open(&self.artifact).expect("the artifact just written opens");
        let tokens = TokenBytes(&self.vocabulary);
        let engine = Engine::new(view, &tokens).expect("the vocabulary is the one compiled for");
        let mut scratch = vec![0; SCRATCH];
        let mut matcher = Matcher::new(&engine, &mut scratch, 1).expect("room for the beginning");
        work(&mut |text| {
            matcher.reset();
            let read = text.iter().take_while(|&&byte| matcher.commit_bytes(&[byte]).is_ok()).count();
            (read, matcher.is_accepting().expect("room"))
        })
    }
}
