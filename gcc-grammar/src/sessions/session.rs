//! An artifact together with its vocabulary, owned, so that it can be kept in a struct and shared by threads.

use crate::artifacts::artifact::Artifact;
use crate::error::{Error, ErrorKind};
use crate::metadata::Metadata;
use crate::sessions::on_demand::{Begun, Demand, DemandOptions, Uncompiled, Whole, in_background};
use crate::sources::options::Options;
use crate::sources::source::Source;
use crate::vocabulary::Vocabulary;
use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::grammar::CompletionView;
use gcc_grammar_ir::{Code, Diagnostic};
use gcc_grammar_runtime::{Engine, Error as MatchError};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// An artifact with its vocabulary. It is `Send` and `Sync`; clones share it.
#[derive(Clone)]
pub struct Session(Arc<OwnedEngine>);

struct Parts {
    artifact: Artifact,
    /// Set when the engine is made, which may have to look into the artifact first.
    vocabulary: OnceLock<Vocabulary>,
    /// Whether the tables of the artifact are intact, once somebody has asked.
    is_intact: OnceLock<bool>,
    /// Where masks come from, if the artifact has none.
    demand: Option<Demand<Session>>,
}

self_cell::self_cell!(
    struct OwnedEngine {
        owner: Parts,
        #[covariant]
        dependent: Engine,
    }
);

impl Session {
    /// Opens an artifact with its vocabulary.
    ///
    /// # Errors
    /// The artifact is damaged, or was compiled for another vocabulary.
    pub fn new(artifact: Artifact, vocabulary: &Vocabulary) -> Result<Self, Error> {
        Self::with(artifact, |_, _| Ok(vocabulary.clone()))
    }

    /// Verifies the artifact, finds its vocabulary, and brings the two together.
    pub(crate) fn with(
        artifact: Artifact,
        find: impl FnOnce(&Artifact, &GrammarView<'_>) -> Result<Vocabulary, Error>,
    ) -> Result<Self, Error> {
        let parts = Parts { artifact, vocabulary: OnceLock::new(), is_intact: OnceLock::new(), demand: None };
        let engine = OwnedEngine::try_new(parts, |Parts { artifact, vocabulary, .. }| {
            let grammar = artifact.grammar()?;
            let found = find(artifact, &grammar)?;
            let vocabulary = vocabulary.get_or_init(|| found);
            Engine::new(grammar, vocabulary).map_err(|error| artifact.error(error))
        });
        Ok(Self(Arc::new(engine?)))
    }

    /// Opens a source whose artifact is not there yet: masks are made on demand, and a thread compiles the artifact meanwhile.
    ///
    /// Budgets, stated bounds and [saving](Artifact::save) need the artifact: [`complete`](Self::complete) waits for it. Also returns the
    /// warnings of the front end.
    ///
    /// # Errors
    /// The source is refused, or its automata exceed a limit. If only the artifact exceeds one, `complete` says so, and masks are made
    /// on demand for good.
    pub fn on_demand(
        source: &Source,
        vocabulary: &Vocabulary,
        options: &Options,
        demand: &DemandOptions,
    ) -> Result<(Self, Vec<Diagnostic>), Error> {
        Self::on_demand_by(source, vocabulary, options, demand, |uncompiled| uncompiled.compile())
    }

    /// The same, where `compile` finds the artifact, in a store, say, or [compiles](Uncompiled::compile) it. It gives the artifact of
    /// [`compile`](crate::compile()) for the same source, vocabulary and options.
    ///
    /// # Errors
    /// As [`on_demand`](Self::on_demand).
    pub fn on_demand_by(
        source: &Source,
        vocabulary: &Vocabulary,
        options: &Options,
        demand: &DemandOptions,
        compile: impl Fn(&Uncompiled<'_>) -> Result<Artifact, Error> + Send + Sync + 'static,
    ) -> Result<(Self, Vec<Diagnostic>), Error> {
        let Begun { demand: begun, tables, warnings } =
            Demand::begin(source, vocabulary, options, demand, compile)?;
        let session = Self::of_demand(tables, begun)?;
        if demand.completes {
            let shared = Arc::downgrade(&session.0);
            in_background(move || {
                // If the session is gone by then, nobody wants the artifact.
                if let Some(shared) = shared.upgrade() {
                    let _is_known_to_the_session = Self(shared).complete();
                }
            });
        }
        Ok((session, warnings))
    }

    /// Brings tables without masks together with what makes the masks.
    fn of_demand(tables: Artifact, demand: Demand<Self>) -> Result<Self, Error> {
        let vocabulary = OnceLock::from(demand.vocabulary().clone());
        let parts =
            Parts { artifact: tables, vocabulary, is_intact: OnceLock::from(true), demand: Some(demand) };
        let engine = OwnedEngine::try_new(parts, |Parts { artifact, vocabulary, demand, .. }| {
            let (vocabulary, demand) =
                (vocabulary.get().expect("just set"), demand.as_ref().expect("just set"));
            let grammar = GrammarView::open_on_demand(artifact.bytes(), demand.masks());
            grammar
                .and_then(|grammar| Engine::new(grammar, vocabulary))
                .map_err(|error| artifact.error(error))
        });
        Ok(Self(Arc::new(engine?)))
    }

    /// Whether masks are made [on demand](Self::on_demand). This session stays so when its artifact is there, and so do
    /// its matchers; new ones are those of the artifact.
    #[must_use]
    pub fn is_on_demand(&self) -> bool {
        self.0.borrow_owner().demand.is_some()
    }

    /// What the session takes besides its vocabulary, in bytes: its artifact, and, if masks are made on demand, what they are made from and
    /// the masks so far, as the compiler estimates it.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let Parts { artifact, demand, .. } = self.0.borrow_owner();
        artifact.bytes().len() as u64 + demand.as_ref().map_or(0, Demand::bytes)
    }

    /// The session of the artifact, if masks are made on demand and the artifact is compiled.
    #[must_use]
    pub fn completed(&self) -> Option<&Self> {
        self.0.borrow_owner().demand.as_ref()?.completed()
    }

    /// The session of the whole artifact: this one, or, if masks are made on demand, that of the artifact that is compiled behind it. Waits
    /// for it.
    ///
    /// # Errors
    /// Compiling the artifact exceeds a limit.
    pub fn complete(&self) -> Result<Self, Error> {
        match &self.0.borrow_owner().demand {
            Some(demand) => demand.complete(|artifact| self.behind(artifact, demand.vocabulary())),
            None => Ok(self.clone()),
        }
    }

    /// The session of the artifact behind this one. It has the same parser: by its numbers, the artifact says what completing a text costs.
    fn behind(&self, artifact: Artifact, vocabulary: &Vocabulary) -> Result<Self, Error> {
        let whole = Self::new(artifact, vocabulary)?;
        let [own, other] = [self, &whole].map(|session| session.engine().grammar().parser_checksum());
        if own.is_some() && own == other {
            return Ok(whole);
        }
        let message = "the artifact was compiled from another source or with other options";
        let diagnostic = Diagnostic::error(Code::Runtime, message);
        Err(Error::new(ErrorKind::Refused, whole.artifact().name(), diagnostic))
    }

    /// Opens the bytes of an artifact with its vocabulary; `name` is for errors.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn from_bytes(name: &str, bytes: Vec<u8>, vocabulary: &Vocabulary) -> Result<Self, Error> {
        Self::new(Artifact::from_bytes(name, bytes)?, vocabulary)
    }

    /// The artifact. Where masks are made on demand, it has the parser's tables only and cannot be opened by itself: see
    /// [`complete`](Self::complete).
    #[must_use]
    pub fn artifact(&self) -> &Artifact {
        &self.0.borrow_owner().artifact
    }

    /// What is known about the source, and the runtime does not need.
    pub(crate) fn metadata(&self) -> Result<Metadata, Error> {
        let Parts { artifact, demand, .. } = self.0.borrow_owner();
        match demand {
            Some(demand) => Ok(demand.metadata()),
            None => Ok(artifact.metadata(self.engine().grammar())?),
        }
    }

    /// The vocabulary.
    #[must_use]
    pub fn vocabulary(&self) -> &Vocabulary {
        self.0.borrow_owner().vocabulary.get().expect("the vocabulary is set when the engine is made")
    }

    /// Checks that the tables of the artifact are intact, also if it is [trusted](Artifact::trusted). They are read once.
    ///
    /// # Errors
    /// [`MatchError::Damaged`].
    pub fn verify(&self) -> Result<(), MatchError> {
        let Parts { artifact, is_intact, .. } = self.0.borrow_owner();
        let is_intact = is_intact.get_or_init(|| artifact.verify(self.engine().grammar()).is_ok());
        if *is_intact { Ok(()) } else { Err(MatchError::Damaged) }
    }

    /// Whether the other is a clone of this session.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// A number that no other session has as long as this one or a clone of it is in use.
    pub(crate) fn identity(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    /// The engine of the runtime, for callers that manage scratch memory themselves.
    #[must_use]
    pub fn engine(&self) -> &Engine<'_> {
        self.0.borrow_dependent()
    }

    /// The number of `u32` words of a mask row: the mask width divided by 32, rounded up.
    #[must_use]
    pub fn row_words(&self) -> usize {
        self.engine().row_words()
    }
}

impl Whole for Session {
    fn completion(&self) -> Option<&CompletionView<'_>> {
        self.engine().grammar().completion()
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("artifact", &self.artifact().name()).finish_non_exhaustive()
    }
}
