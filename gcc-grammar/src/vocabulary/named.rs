//! [`Named`]: the tokens of a vocabulary with their name and origin, and the model's own tokenizer.

use crate::error::{Error, ErrorKind};
use gcc_grammar_ir::{Code, Diagnostic};
pub(crate) use gcc_grammar_tokenizers::CanonicalState;
use gcc_grammar_tokenizers::{Cache, Canonical, Origin, Resolved, Tokenizer, TokenizerOptions, Unspellable};
use std::path::PathBuf;
use std::sync::OnceLock;

/// The tokens, and the tokenizers, each made when it is first used.
pub(super) struct Named {
    resolved: Resolved,
    outputs: OnceLock<Tokenizer>,
    /// Of prompts, in which names of special tokens are text, or stand for the tokens.
    prompts: [OnceLock<Tokenizer>; 2],
    /// Which tokens it can write behind others; none if that is not known.
    canonical: OnceLock<Option<Canonical>>,
}

impl Named {
    /// Tokens that were not read from a tokenizer file; `path` is where they come from.
    pub(super) fn compiled(
        name: &str,
        path: PathBuf,
        vocabulary: gcc_grammar_vocabulary::Vocabulary,
    ) -> Self {
        let (origin, cache) = (Origin::Compiled(path.clone()), Cache::Read(path));
        Resolved::new(name.to_owned(), origin, cache, vocabulary).into()
    }

    pub(super) fn name(&self) -> &str {
        &self.resolved.name
    }

    pub(super) fn tokens(&self) -> &gcc_grammar_vocabulary::Vocabulary {
        &self.resolved.vocabulary
    }

    pub(super) fn resolved(&self) -> &Resolved {
        &self.resolved
    }

    /// The tokenizer for these options, which is made once.
    pub(super) fn tokenizer(&self, options: TokenizerOptions) -> Result<&Tokenizer, Error> {
        let TokenizerOptions { prompt, special_names } = options;
        let tokenizer = if prompt { &self.prompts[usize::from(special_names)] } else { &self.outputs };
        match tokenizer.get() {
            Some(tokenizer) => Ok(tokenizer),
            None => {
                let made = self.resolved.tokenizer(options)?;
                Ok(tokenizer.get_or_init(|| made))
            }
        }
    }

    pub(super) fn cut_exactly(&self, text: &[u8]) -> Result<Option<Vec<u32>>, Error> {
        let tokens = self.tokenizer(TokenizerOptions::default())?.tokenize(text).ok();
        Ok(tokens.filter(|tokens| tokens.exact).map(|tokens| tokens.ids))
    }

    /// The tables of canonical texts, which are made once; none if the tokenizer is not known.
    fn canonical(&self) -> Option<&Canonical> {
        let made = || self.tokenizer(TokenizerOptions::default()).ok()?.canonical();
        self.canonical.get_or_init(made).as_ref()
    }

    pub(super) fn canonical_begin(&self) -> Option<CanonicalState> {
        self.canonical().map(Canonical::begin)
    }

    pub(super) fn canonical_push(&self, state: &CanonicalState, token: u32) -> Option<CanonicalState> {
        self.canonical()?.push(state, token, self.tokens())
    }

    pub(super) fn canonical_restrict(&self, state: &CanonicalState, row: &mut [u32]) {
        if let Some(canonical) = self.canonical() {
            canonical.restrict(state, row, self.tokens());
        }
    }

    pub(super) fn canonical_has(&self, state: &CanonicalState) -> bool {
        self.canonical().is_some_and(|canonical| canonical.has(state))
    }

    pub(super) fn spell(&self, text: &[u8]) -> Result<Vec<u32>, Error> {
        let tokens = self.tokenizer(TokenizerOptions::default())?.tokenize(text);
        Ok(tokens.map_err(|error| self.unspellable(error))?.ids)
    }

    pub(super) fn unspellable(&self, error: Unspellable) -> Error {
        let diagnostic = Diagnostic::error(Code::Unspellable, error.to_string());
        Error::new(ErrorKind::Refused, self.name(), diagnostic)
    }
}

impl From<Resolved> for Named {
    fn from(resolved: Resolved) -> Self {
        Self { resolved, outputs: OnceLock::new(), prompts: Default::default(), canonical: OnceLock::new() }
    }
}
