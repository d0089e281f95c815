//! Sessions whose masks are made when they are asked for, while the artifact is compiled behind them.
//!
//! In: a source that has no artifact yet. Out: a [`Session`](crate::Session) after the front end and the LR tables, long before the compilation would be
//! done. Its matchers have the same masks as those of the artifact. A thread compiles the artifact from the same automata, byte for byte that of
//! [`compile`](crate::compile()); once it is there, new matchers are those of the artifact. A matcher keeps the source of its masks to the end: what is
//! remembered of masks, in rows, say, has the numbers of that source. Lexer and LR tables are the same for both, though lexer states may be made as they
//! are read, with numbers of their own. States of a matcher are saved by the numbers of the artifact: one that was saved there continues here, and costs of
//! completions, which are known by these numbers, are those of the artifact.
//!
//! ```text
//! source ──expansion──▶ automata ──▶ masks, one by one ──▶ matchers until then
//!                          └──background──▶ artifact, as a whole ──▶ matchers from then on
//!                                               └──▶ costs of completions ──▶ all matchers
//! ```
//! | file | job |
//! |---|---|
//! | `expansion` | what the compiler makes masks from, owned |
//! | `uncompiled` | the artifact, from the same |
//! | `background` | the threads that compile artifacts |

mod background;
mod expansion;
mod uncompiled;

use crate::artifacts::artifact::{Artifact, parser_tables};
use crate::artifacts::compile::metadata;
use crate::error::Error;
use crate::metadata::Metadata;
use crate::sources::options::Options;
use crate::sources::parse::parse_for;
use crate::sources::source::Source;
use crate::vocabulary::Vocabulary;
pub(crate) use background::in_background;
use expansion::Expansion;
pub(crate) use expansion::Whole;
use gcc_grammar_artifact::grammar::MaskSource;
use gcc_grammar_compiler::Limits;
use gcc_grammar_ir::Diagnostic;
pub(crate) use uncompiled::Inputs;
pub use uncompiled::Uncompiled;

/// The default bound on the memory of a grammar, in bytes as the compiler estimates them.
const DEFAULT_BYTES: u64 = 64 << 20;

/// How a session makes its masks on demand.
#[derive(Clone, Debug)]
pub struct DemandOptions {
    /// The bound on the memory, in bytes as the compiler estimates them. Beyond that it begins anew, and keeps the masks.
    pub most_bytes: u64,
    /// Whether the artifact is compiled in the background, by a thread that on Linux has a low priority. If not, it is compiled by the
    /// thread that calls [`Session::complete`](crate::Session::complete) first, which may be one of your own pool.
    pub completes: bool,
}

impl Default for DemandOptions {
    fn default() -> Self {
        Self { most_bytes: DEFAULT_BYTES, completes: true }
    }
}

/// Compiles an artifact, or finds it.
type Compile = dyn Fn(&Uncompiled<'_>) -> Result<Artifact, Error> + Send + Sync;

/// A grammar whose masks are made on demand, and how to compile its artifact.
pub(crate) struct Demand<W> {
    masks: Expansion<W>,
    compile: Box<Compile>,
}

/// What a session is made of before its artifact is there.
pub(crate) struct Begun<W> {
    pub(crate) demand: Demand<W>,
    /// The tables that commits read.
    pub(crate) tables: Artifact,
    /// The warnings of the front end.
    pub(crate) warnings: Vec<Diagnostic>,
}

impl<W: Whole> Demand<W> {
    /// Reads a source and builds its automata. `compile` compiles the artifact or finds it.
    pub(crate) fn begin(
        source: &Source,
        vocabulary: &Vocabulary,
        options: &Options,
        demand: &DemandOptions,
        compile: impl Fn(&Uncompiled<'_>) -> Result<Artifact, Error> + Send + Sync + 'static,
    ) -> Result<Begun<W>, Error> {
        let parsed = parse_for(source, vocabulary, options)?;
        let (name, warnings) = (parsed.text.name.clone(), parsed.warnings.clone());
        let limits = options.limits.over(source.default_limits());
        let limits = Limits { bytes: limits.bytes.min(demand.most_bytes), ..limits };
        let (source, options, vocabulary) = (source.clone(), options.clone(), vocabulary.clone());
        let masks = Expansion::new(Inputs { source, options, parsed, vocabulary }, limits)?;
        let tables =
            Artifact::new(&name, parser_tables(&masks.parser_tables(), masks.inputs().vocabulary.tokens()));
        Ok(Begun { demand: Self { masks, compile: Box::new(compile) }, tables, warnings })
    }

    /// Where the masks come from.
    pub(crate) fn masks(&self) -> &dyn MaskSource {
        &self.masks
    }

    /// Estimated bytes of what the masks are made from, and of the masks so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.masks.bytes()
    }

    /// The vocabulary that masks are made for.
    pub(crate) fn vocabulary(&self) -> &Vocabulary {
        &self.masks.inputs().vocabulary
    }

    /// What the artifact will say about its source.
    pub(crate) fn metadata(&self) -> Metadata {
        let Inputs { parsed, vocabulary, .. } = self.masks.inputs();
        metadata(parsed, &parsed.warnings, vocabulary)
    }

    /// What decodes with the artifact, if it was compiled.
    pub(crate) fn completed(&self) -> Option<&W> {
        self.masks.completed()
    }

    /// What decodes with the artifact, which is compiled unless it is there. `open` opens it.
    pub(crate) fn complete(&self, open: impl FnOnce(Artifact) -> Result<W, Error>) -> Result<W, Error> {
        self.masks.complete(|| open((self.compile)(&self.masks.uncompiled())?))
    }
}
