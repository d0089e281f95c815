//! The runtime alone: artifacts and vocabularies as they are in their files.

use crate::failure::{Failure, quoted};
use gcc_grammar_artifact::grammar::VOCABULARY;
use gcc_grammar_artifact::{ArtifactError, GrammarView};
use gcc_grammar_owned::{HasEngine, OwnedMatcher};
use gcc_grammar_runtime::{Engine, Error, TokenId, VocabularyView};
use self_cell::self_cell;
use std::sync::Arc;

self_cell!(
    struct OwnedVocabulary {
        owner: Vec<u8>,
        #[covariant]
        dependent: VocabularyView,
    }
);

/// The tokens of a model.
#[derive(Clone)]
pub(crate) struct Vocabulary(Arc<OwnedVocabulary>);

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
    Ok(Vocabulary(Arc::new(opened?)))
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
pub(crate) struct Session(Arc<OwnedEngine>);

/// Opens an artifact with a vocabulary, or with the one inside it.
pub(crate) fn open(file: Vec<u8>, vocabulary: Option<Vocabulary>) -> Result<Session, Failure> {
    let inside = || match GrammarView::open_trusted(&file)?.container().bytes(&VOCABULARY) {
        Err(ArtifactError::MissingSection { .. }) => Err(Failure::no_vocabulary()),
        bytes => open_vocabulary(bytes?),
    };
    let vocabulary = vocabulary.map_or_else(inside, Ok)?;
    let engine = OwnedEngine::try_new((file, vocabulary), |(file, vocabulary)| {
        Engine::new(GrammarView::open(file)?, vocabulary.view())
    });
    Ok(Session(Arc::new(engine?)))
}

impl Session {
    pub(crate) fn engine(&self) -> &Engine<'_> {
        self.0.borrow_dependent()
    }

    pub(crate) fn vocabulary(&self) -> &Vocabulary {
        &self.0.borrow_owner().1
    }

    pub(crate) fn row_words(&self) -> usize {
        self.engine().row_words()
    }
}

impl HasEngine for Session {
    fn engine(&self) -> &Engine<'_> {
        Self::engine(self)
    }
}

pub(crate) fn grammar_file(session: &Session) -> Result<Vec<u8>, Failure> {
    Ok(session.0.borrow_owner().0.clone())
}

/// The state of one output.
pub(crate) type Matcher = OwnedMatcher<Session>;

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
    let mut matcher = Matcher::new(session, max_rollback)?;
    if max_work.is_some() {
        matcher.set_max_work(max_work);
    }
    Ok(matcher)
}

/// The matcher of saved bytes.
pub(crate) fn restore(session: &Session, saved: &[u8]) -> Result<Matcher, Error> {
    Matcher::restore(session, saved)
}

/// There is no free text in front without the compiler.
pub(crate) fn is_free(_: &Matcher) -> bool {
    false
}
