//! [`Named`]: the tokens of a vocabulary with their name and origin, and the model's own tokenizer.

use crate::error::{Error, ErrorKind};
use gcc_grammar_ir::{Code, Diagnostic};
pub(crate) use gcc_grammar_tokenizers::CanonicalState;
use gcc_grammar_tokenizers::{Cache, Canonical, Origin, Resolved, Tokenizer, TokenizerOptions, Unspellable};
use std::path::PathBuf;
use std::sync::OnceLock;

/// The tokenizers of a vocabulary, each made when it is first used.
#[derive(Default)]
struct LazyTokenizers<'v> {
    outputs: OnceLock<Tokenizer<'v>>,
    /// Of prompts, in which names of special tokens are text, or stand for the tokens.
    prompts: [OnceLock<Tokenizer<'v>>; 2],
    /// Which tokens it can write behind others; none if that is not known.
    canonical: OnceLock<Option<Canonical>>,
}

impl<'v> LazyTokenizers<'v> {
    fn get(&self, options: TokenizerOptions) -> &OnceLock<Tokenizer<'v>> {
        if options.prompt { &self.prompts[usize::from(options.special_names)] } else { &self.outputs }
    }
}

self_cell::self_cell!(
    pub(super) struct Named {
        owner: Resolved,
        #[not_covariant]
        dependent: LazyTokenizers,
    }
);

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
        &self.borrow_owner().name
    }

    pub(super) fn tokens(&self) -> &gcc_grammar_vocabulary::Vocabulary {
        &self.borrow_owner().vocabulary
    }

    /// Calls `work` with the tokenizer for these options, which is made once.
    pub(super) fn with_tokenizer<T>(
        &self,
        options: TokenizerOptions,
        work: impl FnOnce(&Tokenizer<'_>) -> T,
    ) -> Result<T, Error> {
        self.with_dependent(|resolved, tokenizers| {
            let tokenizer = tokenizers.get(options);
            match tokenizer.get() {
                Some(tokenizer) => Ok(work(tokenizer)),
                None => {
                    let made = resolved.tokenizer(options)?;
                    Ok(work(tokenizer.get_or_init(|| made)))
                }
            }
        })
    }

    pub(super) fn cut_exactly(&self, text: &[u8]) -> Result<Option<Vec<u32>>, Error> {
        let cut = |tokenizer: &Tokenizer<'_>| {
            let tokens = tokenizer.tokenize(text).ok().filter(|tokens| tokens.exact);
            tokens.map(|tokens| tokens.ids)
        };
        self.with_tokenizer(TokenizerOptions::default(), cut)
    }

    /// Calls `work` with the tables of canonical texts, which are made once; none if the tokenizer is not known.
    fn with_canonical<T>(&self, work: impl FnOnce(&Canonical) -> T) -> Option<T> {
        let outputs = TokenizerOptions::default();
        let known = |tokenizer: &Tokenizer<'_>| tokenizer.canonical();
        let made = || self.with_tokenizer(outputs, known).ok().flatten();
        self.with_dependent(|_, tokenizers| tokenizers.canonical.get_or_init(made).as_ref().map(work))
    }

    pub(super) fn canonical_begin(&self) -> Option<CanonicalState> {
        self.with_canonical(Canonical::begin)
    }

    pub(super) fn canonical_push(&self, state: &CanonicalState, token: u32) -> Option<CanonicalState> {
        self.with_canonical(|canonical| canonical.push(state, token, self.tokens())).flatten()
    }

    pub(super) fn canonical_restrict(&self, state: &CanonicalState, row: &mut [u32]) {
        self.with_canonical(|canonical| canonical.restrict(state, row, self.tokens()));
    }

    pub(super) fn canonical_has(&self, state: &CanonicalState) -> bool {
        self.with_canonical(|canonical| canonical.has(state)).unwrap_or(false)
    }

    pub(super) fn spell(&self, text: &[u8]) -> Result<Vec<u32>, Error> {
        let cut = |tokenizer: &Tokenizer<'_>| tokenizer.tokenize(text);
        let tokens = self.with_tokenizer(TokenizerOptions::default(), cut)?;
        Ok(tokens.map_err(|error| self.unspellable(error))?.ids)
    }

    pub(super) fn unspellable(&self, error: Unspellable) -> Error {
        let diagnostic = Diagnostic::error(Code::Unspellable, error.to_string());
        Error::new(ErrorKind::Refused, self.name(), diagnostic)
    }
}

impl From<Resolved> for Named {
    fn from(resolved: Resolved) -> Self {
        Self::new(resolved, |_| LazyTokenizers::default())
    }
}
