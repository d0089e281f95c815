//! What compilations for a vocabulary keep for later ones.
//!
//! In: grammars, one after the other. Out: for each what [`compile`](crate::compile) makes of it, byte by byte, in whatever
//! order they come, and in less time where they have lexemes in common: a string, a date, a number, any JSON value.
//!
//! WalkCache are the walks of the vocabulary ([`terminal`](crate::terminal)). A walk that was kept is not charged again, so a
//! grammar near the limits of work may be refused alone and compiled here. The cache is bounded: beyond the bound, the
//! walks that were used last are kept in half of it.

use crate::automata::Observer;
use crate::error::CompileError;
use crate::options::Options;
use crate::pipeline::{Compiled, WalkCache, finish};
use crate::prepared::Prepared;
use crate::terminal::Reuse;
use gcc_grammar_artifact::Fingerprint;
use gcc_grammar_ir::Grammar;
use gcc_grammar_vocabulary::Vocabulary;
use gcc_grammar_vocabulary::walks::PrecomputedWalk;
use std::sync::Arc;

/// The bound on the cache, in estimated bytes.
pub const DEFAULT_BYTES: u64 = 256 << 20;

/// Compilations for one vocabulary after the other, which keep what later ones can use.
pub struct CompileSession {
    /// The vocabulary that the walks are for.
    vocabulary: Option<Fingerprint>,
    cache: WalkCache,
    most_bytes: u64,
    reuse: Reuse,
}

impl Default for CompileSession {
    fn default() -> Self {
        Self::new(DEFAULT_BYTES)
    }
}

impl CompileSession {
    /// A session that keeps up to `most_bytes`, as the compiler estimates them.
    #[must_use]
    pub fn new(most_bytes: u64) -> Self {
        Self { vocabulary: None, cache: WalkCache::new(), most_bytes, reuse: Reuse::default() }
    }

    /// Compiles `grammar` for `vocabulary`. For another vocabulary than before, and after an error, the session starts anew.
    ///
    /// # Errors
    /// As [`compile`](crate::compile).
    pub fn compile(
        &mut self,
        grammar: &Arc<Grammar>,
        vocabulary: &Vocabulary,
        options: &Options,
        observer: &mut dyn Observer,
    ) -> Result<Compiled, CompileError> {
        self.keeping(vocabulary, observer, |observer| {
            Prepared::with_keys(grammar, vocabulary, true, false, options, observer)
        })
    }

    /// Compiles a grammar whose automata are there, in the same way.
    ///
    /// # Errors
    /// As [`compile`](crate::compile).
    pub fn compile_prepared(
        &mut self,
        prepared: &Prepared,
        observer: &mut dyn Observer,
    ) -> Result<Compiled, CompileError> {
        self.keeping(&prepared.vocabulary, observer, |observer| prepared.whole(true, observer))
    }

    fn keeping(
        &mut self,
        vocabulary: &Vocabulary,
        observer: &mut dyn Observer,
        prepare: impl FnOnce(&mut dyn Observer) -> Result<Prepared, CompileError>,
    ) -> Result<Compiled, CompileError> {
        // A compilation that ends early, in whatever way, leaves nothing.
        let mut cache = std::mem::replace(&mut self.cache, WalkCache::new());
        if self.vocabulary.replace(vocabulary.fingerprint()) != Some(vocabulary.fingerprint()) {
            cache = WalkCache::new();
        }
        self.reuse = Reuse::default();
        let compiled = finish(&mut cache, &prepare(observer)?, observer)?;
        self.reuse = cache.walks.reuse();
        if cache.tokens.bytes() + cache.walks.bytes() > self.most_bytes {
            cache.tokens = cache.walks.shrink(cache.tokens, self.most_bytes / 2)?;
        }
        self.cache = cache;
        Ok(compiled)
    }

    /// How many walks the last compilation found here, and how many it had to make.
    #[must_use]
    pub fn reuse(&self) -> Reuse {
        self.reuse
    }

    /// The walks that are kept and may come with the vocabulary from now on.
    #[must_use]
    pub fn precomputed_walks(&self) -> Vec<PrecomputedWalk> {
        self.cache.walks.known(&self.cache.tokens)
    }

    /// Estimated bytes that are kept.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.cache.tokens.bytes() + self.cache.walks.bytes()
    }
}
