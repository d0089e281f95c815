//! Decides with the runtime which texts belong to the language of a grammar.
//!
//! In: a grammar, then texts. Out: for each text, how many of its bytes can be read, and whether the text may end there. The
//! grammar is compiled for a vocabulary without tokens. There are no masks to make then, so compiling is quick.

use crate::subject::TokenBytes;
use gcc_grammar_artifact::{Fingerprints, GrammarView};
use gcc_grammar_compiler::{CompileError, Options, compile};
use gcc_grammar_ir::Grammar;
use gcc_grammar_runtime::{Engine, Matcher};
use gcc_grammar_vocabulary::Vocabulary;

/// The size of the scratch in words; no program of a test fills it.
const SCRATCH: usize = 1 << 22;

/// A vocabulary that has only a token that ends the text.
#[must_use]
pub fn no_tokens() -> Vocabulary {
    Vocabulary::from_tokens(Vec::new(), Vec::new(), vec![0], 1).expect("one end token is a vocabulary")
}

/// Returns the number of bytes of a text that can be read, and whether the text may end after them.
pub type Read<'r> = dyn FnMut(&[u8]) -> (usize, bool) + 'r;

/// A grammar, compiled for a vocabulary without tokens.
pub struct Law {
    artifact: Vec<u8>,
    vocabulary: Vocabulary,
}

impl Law {
    /// Compiles a grammar.
    ///
    /// # Errors
    /// The compiler refuses the grammar.
    pub fn new(grammar: &Grammar, options: &Options) -> Result<Self, CompileError> {
        let vocabulary = no_tokens();
        let compiled = compile(&grammar.clone().into(), &vocabulary, options, &mut ())?;
        let fingerprints = Fingerprints { vocabulary: vocabulary.fingerprint(), ..Fingerprints::default() };
        Ok(Self { artifact: compiled.tables.write(fingerprints, Vec::new()), vocabulary })
    }

    /// Lends a function that reads texts to `work`.
    ///
    /// # Panics
    /// If a text fills the scratch.
    pub fn judge<T>(&self, work: impl FnOnce(&mut Read<'_>) -> T) -> T {
        let view = GrammarView::open(&self.artifact).expect("the artifact just written opens");
        let tokens = TokenBytes::new(&self.vocabulary);
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
