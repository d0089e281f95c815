//! The runtime alone: artifacts and vocabularies as they are in their files, and matchers that own their scratch.

use crate::failure::{Failure, quoted};
use gcc_grammar_artifact::grammar::VOCABULARY;
use gcc_grammar_artifact::{ArtifactError, GrammarView};
use gcc_grammar_runtime::{Engine, Error, TokenId, VocabularyView, larger_scratch, with_enough_scratch};
use self_cell::{MutBorrow, self_cell};
use std::ops::Range;
use std::rc::Rc;

/// The bytes that are said to be certain by one call, at most.
const MOST_FORCED_BYTES: usize = 1 << 16;

self_cell!(
    struct OwnedVocabulary {
        owner: Vec<u8>,
        #[covariant]
        dependent: VocabularyView,
    }
);

/// The tokens of a model.
#[derive(Clone)]
pub(crate) struct Vocabulary(Rc<OwnedVocabulary>);

impl Vocabulary {
    fn view(&self) -> &VocabularyView<'_> {
        self.0.borrow_dependent()
    }
}

pub(crate) fn token(vocabulary: &Vocabulary, token: u32) -> Option<&[u8]> {
    vocabulary.view().bytes(TokenId(token))
}

pub(crate) fn vocabulary_file(vocabulary: &Vocabulary) -> Vec<u8> {
    vocabulary.0.borrow_owner().clone()
}

pub(crate) fn open_vocabulary(file: &[u8]) -> Result<Vocabulary, Failure> {
    let opened = OwnedVocabulary::try_new(file.to_vec(), |file| VocabularyView::open(file));
    Ok(Vocabulary(Rc::new(opened?)))
}

/// A JSON object with the width, the end tokens and the special tokens of a vocabulary.
pub(crate) fn about(vocabulary: &Vocabulary) -> String {
    let view = vocabulary.view();
    let width = view.meta().mask_width;
    let ends: Vec<String> = view.end_tokens().map(|TokenId(id)| id.to_string()).collect();
    let special = |id: u32| {
        let name = view.stored(TokenId(id)).filter(|_| view.is_special(TokenId(id)))?;
        Some(format!("[{},{id}]", quoted(&String::from_utf8_lossy(name))))
    };
    let specials: Vec<String> = (0..width).filter_map(special).collect();
    let (ends, specials) = (ends.join(","), specials.join(","));
    format!(r#"{{"width":{width},"end_tokens":[{ends}],"special_tokens":[{specials}]}}"#)
}

self_cell!(
    struct OwnedEngine {
        owner: (Vec<u8>, Vocabulary),
        #[covariant]
        dependent: Engine,
    }
);

/// An artifact with its vocabulary.
#[derive(Clone)]
pub(crate) struct Session(Rc<OwnedEngine>);

/// Opens an artifact with a vocabulary, or with the one inside it.
pub(crate) fn open(file: Vec<u8>, vocabulary: Option<Vocabulary>) -> Result<Session, Failure> {
    let inside = || match GrammarView::open(&file)?.container().bytes(&VOCABULARY) {
        Err(ArtifactError::MissingSection { .. }) => Err(Failure::no_vocabulary()),
        bytes => open_vocabulary(bytes?),
    };
    let vocabulary = vocabulary.map_or_else(inside, Ok)?;
    let engine = OwnedEngine::try_new((file, vocabulary), |(file, vocabulary)| {
        let grammar = GrammarView::open(file)?;
        grammar.verify()?;
        Engine::new(grammar, vocabulary.view())
    });
    Ok(Session(Rc::new(engine?)))
}

impl Session {
    fn engine(&self) -> &Engine<'_> {
        self.0.borrow_dependent()
    }

    pub(crate) fn vocabulary(&self) -> &Vocabulary {
        &self.0.borrow_owner().1
    }

    pub(crate) fn row_words(&self) -> usize {
        self.engine().row_words()
    }

    pub(crate) fn restore(&self, saved: &[u8]) -> Result<Matcher, Error> {
        Matcher::growing(self, |engine, scratch| RuntimeMatcher::restore(engine, scratch, saved))
    }
}

pub(crate) fn grammar_file(session: &Session) -> Result<Vec<u8>, Failure> {
    Ok(session.0.borrow_owner().0.clone())
}

type RuntimeMatcher<'a> = gcc_grammar_runtime::Matcher<'a, 'a>;

struct Parts {
    session: Session,
    words: usize,
    scratch: MutBorrow<Vec<u32>>,
}

self_cell!(
    struct OwnedMatcher {
        owner: Parts,
        #[covariant]
        dependent: RuntimeMatcher,
    }
);

/// The state of one output. Where its scratch is full, it is doubled and the operation repeated.
pub(crate) struct Matcher(OwnedMatcher);

/// The matcher at the beginning of an output.
pub(crate) fn begin(
    session: &Session,
    max_rollback: u32,
    max_work: Option<u64>,
    options: &str,
) -> Result<Matcher, Failure> {
    if !options.is_empty() {
        return Err(Failure::usage("this option of a matcher needs the module with the compiler"));
    }
    let mut matcher =
        Matcher::growing(session, |engine, scratch| RuntimeMatcher::new(engine, scratch, max_rollback))?;
    if max_work.is_some() {
        matcher.0.with_dependent_mut(|_, matcher| matcher.set_max_work(max_work));
    }
    Ok(matcher)
}

impl Matcher {
    fn build(
        session: &Session,
        words: usize,
        make: impl for<'a> FnOnce(&'a Engine<'a>, &'a mut [u32]) -> Result<RuntimeMatcher<'a>, Error>,
    ) -> Result<Self, Error> {
        let parts = Parts { session: session.clone(), words, scratch: MutBorrow::new(vec![0; words]) };
        OwnedMatcher::try_new(parts, |parts| make(parts.session.engine(), parts.scratch.borrow_mut()))
            .map(Self)
    }

    /// Makes a matcher with the scratch that the artifact recommends, or with more if that is too little.
    fn growing(
        session: &Session,
        make: impl for<'a> Fn(&'a Engine<'a>, &'a mut [u32]) -> Result<RuntimeMatcher<'a>, Error>,
    ) -> Result<Self, Error> {
        let first = session.engine().first_scratch_words();
        with_enough_scratch(first, |words| Self::build(session, words, &make))
    }

    fn call<T>(
        &mut self,
        mut operation: impl for<'a> FnMut(&mut RuntimeMatcher<'a>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        loop {
            match self.0.with_dependent_mut(|_, matcher| operation(matcher)) {
                Err(Error::ScratchFull) => {
                    *self = self.copy(larger_scratch(self.0.borrow_owner().words)?)?;
                }
                result => return result,
            }
        }
    }

    fn copy(&self, words: usize) -> Result<Self, Error> {
        let Parts { session, .. } = self.0.borrow_owner();
        let matcher = self.0.borrow_dependent();
        Self::build(session, words, |engine, scratch| matcher.fork_onto(engine, scratch))
    }

    pub(crate) fn session(&self) -> &Session {
        &self.0.borrow_owner().session
    }

    pub(crate) fn fork(&self) -> Result<Self, Error> {
        self.copy(self.0.borrow_owner().words)
    }

    pub(crate) fn fill_mask(&mut self, row: &mut [u32]) -> Result<(), Error> {
        self.call(|matcher| matcher.fill_mask(row))
    }

    pub(crate) fn degraded_masks(&self) -> u64 {
        self.0.borrow_dependent().degraded_masks()
    }

    pub(crate) fn set_budget(&mut self, remaining: Option<u32>) -> Result<(), Error> {
        self.call(|matcher| matcher.set_budget(remaining))
    }

    pub(crate) fn remaining(&self) -> Option<u32> {
        self.0.borrow_dependent().remaining()
    }

    pub(crate) fn min_remaining(&mut self) -> Result<Option<u32>, Error> {
        self.call(|matcher| matcher.min_remaining())
    }

    pub(crate) fn shortest_completion(&mut self) -> Result<Option<Vec<u32>>, Error> {
        let Some(most) = self.min_remaining()? else { return Ok(None) };
        let mut tokens = vec![TokenId(0); most as usize];
        let length = self.call(|matcher| matcher.shortest_completion(&mut tokens))?;
        Ok(Some(tokens[..length].iter().map(|token| token.0).collect()))
    }

    pub(crate) fn allows(&mut self, token: u32) -> Result<bool, Error> {
        self.call(|matcher| matcher.allows(TokenId(token)))
    }

    pub(crate) fn allowed_ranges(&mut self) -> Result<Vec<Range<u32>>, Error> {
        self.call(|matcher| {
            let mut ranges = Vec::new();
            matcher.each_allowed_range(|range| ranges.push(range))?;
            Ok(ranges)
        })
    }

    pub(crate) fn count_allowed(&mut self) -> Result<u32, Error> {
        self.call(|matcher| matcher.count_allowed())
    }

    pub(crate) fn forced(&mut self, most: usize) -> Result<Vec<u8>, Error> {
        let mut bytes = vec![0; most.min(MOST_FORCED_BYTES)];
        let length = self.call(|matcher| matcher.forced(&mut bytes))?;
        bytes.truncate(length);
        Ok(bytes)
    }

    pub(crate) fn commit(&mut self, token: u32) -> Result<(), Error> {
        self.call(|matcher| matcher.commit(TokenId(token)))
    }

    pub(crate) fn commit_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.call(|matcher| matcher.commit_bytes(bytes))
    }

    pub(crate) fn validate(&mut self, tokens: &[u32]) -> Result<usize, Error> {
        let tokens: Vec<TokenId> = tokens.iter().copied().map(TokenId).collect();
        self.call(|matcher| matcher.validate(&tokens))
    }

    pub(crate) fn rollback(&mut self, count: u64) -> Result<(), Error> {
        self.0.with_dependent_mut(|_, matcher| matcher.rollback(count))
    }

    pub(crate) fn reset(&mut self) {
        self.0.with_dependent_mut(|_, matcher| matcher.reset());
    }

    pub(crate) fn committed(&self) -> u64 {
        self.0.borrow_dependent().committed()
    }

    pub(crate) fn is_accepting(&mut self) -> Result<bool, Error> {
        self.call(|matcher| matcher.is_accepting())
    }

    pub(crate) fn is_terminated(&self) -> bool {
        self.0.borrow_dependent().is_terminated()
    }

    /// There is no free text in front without the compiler.
    pub(crate) fn is_free(&self) -> bool {
        false
    }

    pub(crate) fn save(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        while let Err(Error::BufferTooShort { needed }) =
            self.0.with_dependent_mut(|_, matcher| matcher.save(&mut bytes))
        {
            bytes.resize(needed, 0);
        }
        bytes
    }
}
