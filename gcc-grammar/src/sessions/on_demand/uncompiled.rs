//! From what masks on demand are made from to the artifact.

use crate::artifacts::artifact::Artifact;
use crate::artifacts::compile::{Analyzing, compile, written};
use crate::artifacts::packing::Packing;
use crate::error::Error;
use crate::sources::options::Options;
use crate::sources::parse::Parsed;
use crate::sources::source::Source;
use crate::vocabulary::Vocabulary;
use gcc_grammar_compiler::{CompileError, Compiled, Observer, Prepared, compile_prepared};

/// A grammar with the vocabulary that it is compiled for, and what it was read from.
pub(crate) struct Inputs {
    pub(crate) source: Source,
    pub(crate) options: Options,
    pub(crate) parsed: Parsed,
    pub(crate) vocabulary: Vocabulary,
}

/// A source whose masks are made on demand: it is read, and its automata are there, but not its artifact.
pub struct Uncompiled<'a> {
    pub(crate) inputs: &'a Inputs,
    pub(super) prepared: &'a Prepared,
}

impl Uncompiled<'_> {
    /// Compiles the artifact, byte for byte that of [`compile`](crate::compile()). Nothing is read again, and no automaton of a terminal or of the
    /// parser is made again.
    ///
    /// # Errors
    /// As [`compile`](crate::compile()).
    pub fn compile(&self) -> Result<Artifact, Error> {
        let Inputs { source, options, vocabulary, .. } = self.inputs;
        self.compile_by(compile_prepared, || compile(source, vocabulary, options))
    }

    /// The artifact whose tables `finish` makes. If characters cannot be counted that the grammar counts, which is known when all states are made,
    /// the artifact is what `again` makes of the source.
    pub(crate) fn compile_by(
        &self,
        finish: impl FnOnce(&Prepared, &mut dyn Observer) -> Result<Compiled, CompileError>,
        again: impl FnOnce() -> Result<Artifact, Error>,
    ) -> Result<Artifact, Error> {
        let Inputs { parsed, vocabulary, options, .. } = self.inputs;
        let mut nobody = ();
        let mut analyzing = Analyzing::new(parsed, &mut nobody);
        match options.whole(&parsed.text, finish(self.prepared, &mut analyzing))? {
            Ok(compiled) => {
                Ok(written(parsed, vocabulary, Packing::Referenced, compiled, analyzing).artifact)
            }
            Err(CompileError::NotCounted(_)) => again(),
            Err(error) => Err(parsed.error(error)),
        }
    }
}
