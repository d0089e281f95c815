//! Compiles many sources for one vocabulary, and keeps what later ones can use.
//!
//! In: sources, one after the other or from several threads. Out: for each the artifact that [`compile`](crate::compile()) makes of it, byte
//! by byte, in whatever order they come. What lexemes have in common, such as strings, dates, numbers and the keys of objects, is walked
//! through the vocabulary once. Only limits can make a difference: what was kept costs no work a second time, so a source near the limits
//! may be refused alone and compiled in a session.

use crate::artifacts::artifact::Artifact;
use crate::artifacts::compile::{Compilation, compile_parsed_by};
use crate::artifacts::key::{Key, artifact_key, key_of};
use crate::artifacts::packing::Packing;
use crate::error::Error;
use crate::sessions::on_demand::{DemandOptions, Inputs, Uncompiled};
use crate::sources::options::Options;
use crate::sources::parse::{Parsed, parse_for};
use crate::sources::source::Source;
use crate::vocabulary::Vocabulary;
use gcc_grammar_compiler::{self as compiler, Observer};
use gcc_grammar_ir::Diagnostic;
use gcc_grammar_limits::Recent;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Compiles sources for one vocabulary. It can be shared: threads that compile at the same time keep walks of their own, each up to the
/// bound.
pub struct CompileSession {
    vocabulary: Vocabulary,
    /// A cache for each thread that has compiled at the same time. A compilation takes one, and gives it back.
    idle: Mutex<Vec<compiler::CompileSession>>,
    artifacts: Mutex<Recent<Key, Box<[u8]>>>,
    most_bytes: u64,
}

impl fmt::Debug for CompileSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CompileSession").field("most_bytes", &self.most_bytes).finish_non_exhaustive()
    }
}

impl CompileSession {
    /// What a thread keeps by default, in bytes as the compiler estimates them.
    pub const DEFAULT_BYTES: u64 = gcc_grammar_compiler::DEFAULT_BYTES;

    /// A session for a vocabulary, which keeps up to [`DEFAULT_BYTES`](Self::DEFAULT_BYTES).
    #[must_use]
    pub fn new(vocabulary: &Vocabulary) -> Self {
        Self::with_bound(vocabulary, Self::DEFAULT_BYTES)
    }

    /// A session that keeps walks of up to `most_bytes` per thread, and artifacts of a quarter of it. Beyond that, the walks that were used
    /// last are kept in half of it.
    #[must_use]
    pub fn with_bound(vocabulary: &Vocabulary, most_bytes: u64) -> Self {
        let artifacts = Mutex::new(Recent::new(most_bytes / 4));
        Self { vocabulary: vocabulary.clone(), idle: Mutex::default(), artifacts, most_bytes }
    }

    /// The vocabulary that all sources are compiled for.
    #[must_use]
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Compiles a source, unless its artifact is one of the last used.
    ///
    /// # Errors
    /// As [`compile`](crate::compile()).
    pub fn compile(&self, source: &Source, options: &Options) -> Result<Artifact, Error> {
        self.compile_with(source, options, Packing::Referenced).map(|(artifact, _)| artifact)
    }

    /// The same, with a packing. Also returns the warnings, unless the artifact is one that was kept.
    ///
    /// # Errors
    /// As [`compile`](crate::compile()).
    pub fn compile_with(
        &self,
        source: &Source,
        options: &Options,
        packing: Packing,
    ) -> Result<(Artifact, Option<Vec<Diagnostic>>), Error> {
        let key = artifact_key(source, &self.vocabulary, options, packing)?;
        if let Some(artifact) = self.kept(&key, source) {
            return Ok((artifact, None));
        }
        let parsed = parse_for(source, &self.vocabulary, options)?;
        let Compilation { artifact, warnings, .. } =
            self.compile_parsed(&parsed, options, packing, &mut ())?;
        self.keep(key, &artifact);
        Ok((artifact, Some(warnings)))
    }

    /// Opens a source whose artifact is not among the last used: masks are made on demand, and this session compiles the artifact in
    /// the background. Also returns the warnings of the front end, unless the artifact is one that was kept.
    ///
    /// # Errors
    /// As [`Session::on_demand`](crate::Session::on_demand).
    pub fn on_demand(
        self: &Arc<Self>,
        source: &Source,
        options: &Options,
        demand: &DemandOptions,
    ) -> Result<(crate::Session, Option<Vec<Diagnostic>>), Error> {
        let key = artifact_key(source, &self.vocabulary, options, Packing::Referenced)?;
        if let Some(artifact) = self.kept(&key, source) {
            return Ok((crate::Session::new(artifact, &self.vocabulary)?, None));
        }
        let own = Arc::clone(self);
        let compile = move |uncompiled: &Uncompiled<'_>| own.compile_uncompiled(uncompiled);
        let (session, warnings) =
            crate::Session::on_demand_by(source, &self.vocabulary, options, demand, compile)?;
        Ok((session, Some(warnings)))
    }

    /// Compiles a parsed source. `observer` receives the stages.
    ///
    /// # Errors
    /// As [`compile_parsed`](crate::compile_parsed()).
    pub fn compile_parsed(
        &self,
        parsed: &Parsed,
        options: &Options,
        packing: Packing,
        observer: &mut dyn Observer,
    ) -> Result<Compilation, Error> {
        let tokens = self.vocabulary.tokens();
        self.with_walks(|session| {
            let compiled = compile_parsed_by(
                parsed,
                &self.vocabulary,
                options,
                packing,
                observer,
                |grammar, options, observer| session.compile(grammar, tokens, options, observer),
            );
            compiled.map(|compilation| Compilation { reuse: session.reuse(), ..compilation })
        })
    }

    /// Compiles the artifact of a source for the vocabulary of this session whose masks are made on demand.
    ///
    /// # Errors
    /// As [`compile`](crate::compile()).
    pub fn compile_uncompiled(&self, uncompiled: &Uncompiled<'_>) -> Result<Artifact, Error> {
        let Inputs { source, options, parsed, .. } = uncompiled.inputs;
        let key = key_of(&parsed.source, &parsed.options, &self.vocabulary, Packing::Referenced);
        if let Some(artifact) = self.kept(&key, source) {
            return Ok(artifact);
        }
        let artifact = uncompiled.compile_by(
            |prepared, observer| self.with_walks(|session| session.compile_prepared(prepared, observer)),
            || self.compile(source, options),
        )?;
        self.keep(key, &artifact);
        Ok(artifact)
    }

    /// Does something with the walks of a compilation before, which are kept for later ones.
    fn with_walks<T>(&self, work: impl FnOnce(&mut compiler::CompileSession) -> T) -> T {
        let idle = self.idle().pop();
        let mut session = idle.unwrap_or_else(|| compiler::CompileSession::new(self.most_bytes));
        let made = work(&mut session);
        self.idle().push(session);
        made
    }

    /// Estimated bytes of the walks that are kept by all threads that do not compile just now, and of the artifacts.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.idle().iter().map(compiler::CompileSession::bytes).sum::<u64>() + self.artifacts().bytes()
    }

    /// An artifact that is one of the last used.
    fn kept(&self, key: &Key, source: &Source) -> Option<Artifact> {
        self.artifacts().get(key).map(|bytes| Artifact::new(&source.text().name, bytes.into_vec()))
    }

    fn keep(&self, key: Key, artifact: &Artifact) {
        let bytes = artifact.bytes();
        self.artifacts().add(key, bytes.into(), bytes.len() as u64);
    }

    fn artifacts(&self) -> MutexGuard<'_, Recent<Key, Box<[u8]>>> {
        self.artifacts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<compiler::CompileSession>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
