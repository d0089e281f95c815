//! Whether texts belong to a grammar's language, byte by byte. Without tokens there are no masks to make, so compiling is quick.

use crate::language::parse;
use gcc_grammar::{Limits, Options, compile};
use gcc_grammar_artifact::{Fingerprint, Fingerprints, GrammarView};
use gcc_grammar_runtime::{Engine, Matcher, TokenId, Tokens};
use gcc_grammar_vocabulary::Vocabulary;

/// Words of scratch that no program fills.
const SCRATCH: usize = 1 << 22;

/// No tokens but one that ends the text.
pub struct NoTokens(Vocabulary);

impl Tokens for NoTokens {
    fn bytes(&self, _: TokenId) -> Option<&[u8]> {
        None
    }

    fn fingerprint(&self) -> Fingerprint {
        self.0.fingerprint()
    }
}

/// What a judge knows.
pub struct Law {
    artifact: Vec<u8>,
    tokens: NoTokens,
}

impl Law {
    /// Of a bundled grammar, or a Lark file. The error is for people.
    pub fn new(grammar: &str) -> Result<Self, String> {
        let parsed = parse(grammar)?;
        let vocabulary = Vocabulary::from_tokens(Vec::new(), Vec::new(), vec![0], 1)
            .map_err(|error| format!("{error:?}"))?;
        let options = Options::from(Limits { work: 20_000_000_000, bytes: 8 << 30, ..Limits::default() });
        let compiled =
            compile(&parsed.grammar, &vocabulary, &options, &mut ()).map_err(|error| format!("{error:?}"))?;
        let fingerprints = Fingerprints { vocabulary: vocabulary.fingerprint(), ..Fingerprints::default() };
        Ok(Self { artifact: compiled.tables.write(fingerprints, Vec::new()), tokens: NoTokens(vocabulary) })
    }

    /// Does something with a function that says how much of a text can be read, and whether it may end there.
    ///
    /// # Panics
    /// Never: the artifact was just written, for this vocabulary.
    pub fn judge<T>(&self, work: impl FnOnce(&mut dyn FnMut(&[u8]) -> (usize, bool)) -> T) -> T {
        let view = GrammarView::open(&self.artifact).expect("the artifact just written opens");
        let engine = Engine::new(view, &self.tokens).expect("the vocabulary is the one compiled for");
        let mut scratch = vec![0; SCRATCH];
        let mut matcher = Matcher::new(&engine, &mut scratch, 1).expect("room for the beginning");
        work(&mut |text| {
            matcher.reset();
            let read = text.iter().take_while(|&&byte| matcher.commit_bytes(&[byte]).is_ok()).count();
            (read, read == text.len() && matcher.is_accepting().is_ok_and(|accepting| accepting))
        })
    }
}
