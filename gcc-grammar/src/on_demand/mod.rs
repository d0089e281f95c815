//! Sessions whose masks are made when they are asked for, while the artifact is compiled behind them.
//!
//! In: a source that has no artifact yet. Out: a [`Session`] after the front end and the LR tables, long before the compilation would be
//! done. Its matchers have the same masks as those of the artifact. A thread compiles the artifact, byte for byte that of
//! [`compile`](crate::compile()); once it is there, matchers under way go on with it: lexer and LR tables are the same, and so is every state
//! of a matcher.
//!
//! ```text
//! source ──expansion──▶ automata ──▶ masks, one by one ──▶ matcher
//!    └──background──▶ artifact, as a whole ────────────────┘ from then on
//! ```
//! | file | job |
//! |---|---|
//! | `expansion` | what the compiler makes masks from, owned |
//! | `background` | the threads that compile artifacts |

mod background;
mod expansion;

use crate::artifact::{Artifact, parser_tables};
use crate::compile::compile;
use crate::error::Error;
use crate::options::Options;
use crate::parse::parse_for;
use crate::session::Session;
use crate::source::Source as Text;
use crate::vocabulary::Vocabulary;
use expansion::{Expansion, Inputs};
use gcc_grammar_artifact::grammar::MaskSource;
use gcc_grammar_compiler::Limits;
use gcc_grammar_ir::Diagnostic;
use std::sync::{Arc, OnceLock};

/// What is remembered of a grammar at most unless the caller asks for another number, in bytes as the compiler estimates them.
const DEFAULT_BYTES: u64 = 64 << 20;

/// How a session makes its masks on demand.
#[derive(Clone, Debug)]
pub struct DemandOptions {
    /// What is remembered at most, in bytes as the compiler estimates them. Beyond that it begins anew, and keeps the masks.
    pub most_bytes: u64,
    /// Whether the artifact is compiled by a thread in the background. If not, it is compiled where [`Session::complete`] asks for it.
    pub completes: bool,
}

impl Default for DemandOptions {
    fn default() -> Self {
        Self { most_bytes: DEFAULT_BYTES, completes: true }
    }
}

/// A grammar whose masks are made on demand, and the session of its artifact once it is compiled.
pub(crate) struct Demand {
    masks: Expansion,
    compile: Box<dyn Fn() -> Result<Artifact, Error> + Send + Sync>,
    completed: OnceLock<Result<Session, Error>>,
}

impl Demand {
    /// Where the masks come from.
    pub(crate) fn masks(&self) -> &dyn MaskSource {
        &self.masks
    }

    /// The vocabulary that masks are made for.
    pub(crate) fn vocabulary(&self) -> &Vocabulary {
        &self.masks.inputs().vocabulary
    }

    /// The session of the artifact, if it is compiled.
    pub(crate) fn completed(&self) -> Option<&Session> {
        self.completed.get()?.as_ref().ok()
    }

    /// Compiles the artifact, or waits for whoever does.
    pub(crate) fn complete(&self) -> &Result<Session, Error> {
        self.completed.get_or_init(|| Session::new((self.compile)()?, self.vocabulary()))
    }
}

impl Session {
    /// Opens a source whose artifact is not there yet: masks are made on demand, and a thread compiles the artifact meanwhile.
    ///
    /// Budgets, stated bounds and [saving](Artifact::save) need the artifact: [`complete`](Self::complete) waits for it. Also returns the
    /// warnings of the front end.
    ///
    /// # Errors
    /// The source is refused, or its automata exceed a limit. If only the artifact exceeds one, `complete` says so, and masks are made
    /// on demand for good.
    pub fn on_demand(
        text: &Text,
        vocabulary: &Vocabulary,
        options: &Options,
        demand: &DemandOptions,
    ) -> Result<(Self, Vec<Diagnostic>), Error> {
        let (source, tokens, given) = (text.clone(), vocabulary.clone(), options.clone());
        Self::on_demand_by(text, vocabulary, options, demand, move || compile(&source, &tokens, &given))
    }

    /// The same, where `compile` compiles the artifact or finds it, in a store, say. It gives the artifact of [`compile`](crate::compile()) for
    /// the same source, vocabulary and options.
    ///
    /// # Errors
    /// As [`on_demand`](Self::on_demand).
    pub fn on_demand_by(
        text: &Text,
        vocabulary: &Vocabulary,
        options: &Options,
        demand: &DemandOptions,
        compile: impl Fn() -> Result<Artifact, Error> + Send + Sync + 'static,
    ) -> Result<(Self, Vec<Diagnostic>), Error> {
        let parsed = parse_for(text, vocabulary, options)?;
        let (name, warnings) = (parsed.text.name.clone(), parsed.warnings.clone());
        let limits = options.limits.over(text.default_limits());
        let limits = Limits { bytes: limits.bytes.min(demand.most_bytes), ..limits };
        let masks = Expansion::new(Inputs { parsed, vocabulary: vocabulary.clone() }, options, limits)?;
        let artifact = Artifact::new(&name, parser_tables(&masks.parser_tables(), vocabulary.tokens()));
        let made = Arc::new(Demand { masks, compile: Box::new(compile), completed: OnceLock::new() });
        if demand.completes {
            background::complete(&made);
        }
        Ok((Self::of_demand(artifact, made)?, warnings))
    }
}
