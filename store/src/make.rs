//! Makes the artifact of one item, unless the store has it: what batches and the service have in common.

use crate::items::{Defaults, Entry, Item};
use crate::{Origin, Place, Store, Stored};
use gcc_grammar::{
    CompileSession, Error, ErrorKind, Key, LimitOptions, Options, Packing, Reuse, SourceText, artifact_key,
    parse_for,
};
use gcc_grammar_ir::{Code, Diagnostic, words};
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How items are made.
#[derive(Debug)]
pub struct Maker {
    /// Where the artifacts go.
    pub store: Arc<Store>,
    /// Compiles the items for their vocabulary, and keeps what they have in common.
    pub session: CompileSession,
    /// Whether artifacts carry the tokens.
    pub packing: Packing,
    /// The options of all items.
    pub defaults: Defaults,
    /// The time after which an item is given up. Unlike the limits on work, it refuses different items on different machines.
    pub time: Option<Duration>,
}

/// An item whose key is known.
#[derive(Clone, Debug)]
pub struct Prepared {
    id: Value,
    item: Item,
    key: Key,
}

impl Prepared {
    /// The id of the item.
    #[must_use]
    pub fn id(&self) -> &Value {
        &self.id
    }

    /// What decides about the outcome: the key, and the bounds on making it.
    #[must_use]
    pub fn identity(&self) -> (Key, LimitOptions) {
        (self.key, self.item.options.limits)
    }
}

impl Maker {
    /// Reads an item. If that cannot be done, the error is its outcome.
    ///
    /// # Errors
    /// The item is refused, or a file cannot be read.
    pub fn prepare(&self, entry: &Entry) -> Result<Prepared, Box<Outcome>> {
        let (id, item) = entry.read(&self.defaults);
        let key = item.and_then(|item| {
            let options = self.timed(&item.options);
            let key = artifact_key(&item.source, self.session.vocabulary(), &options, self.packing)?;
            Ok((item, key))
        });
        match key {
            Ok((item, key)) => Ok(Prepared { id, item, key }),
            Err(error) => Err(Box::new(self.named(Outcome::refused(id, None, &error)))),
        }
    }

    /// Makes the artifact of an item, unless the store has it. There is an outcome also if the compiler has a fault and panics.
    #[must_use]
    pub fn make(&self, prepared: &Prepared) -> Outcome {
        let start = Instant::now();
        let made = guarded(&prepared.id, || self.made(prepared));
        Outcome { time: start.elapsed(), ..self.named(made) }
    }

    /// Reads an item, and makes its artifact, unless the store has it.
    #[must_use]
    pub fn outcome(&self, entry: &Entry) -> Outcome {
        let start = Instant::now();
        let prepared = catch_unwind(AssertUnwindSafe(|| self.prepare(entry)));
        let outcome = match prepared {
            Ok(Ok(prepared)) => self.make(&prepared),
            Ok(Err(refused)) => *refused,
            Err(_) => self.named(Outcome::fault(entry.read(&self.defaults).0)),
        };
        Outcome { time: start.elapsed(), end: entry.end, ..outcome }
    }

    fn named(&self, outcome: Outcome) -> Outcome {
        Outcome { vocabulary: self.session.vocabulary().name().to_owned(), ..outcome }
    }

    fn made(&self, prepared: &Prepared) -> Outcome {
        let Prepared { id, item, key } = prepared;
        let (mut warnings, mut reuse) = (Vec::new(), Reuse::default());
        let place = Place::new(*key, self.session.vocabulary());
        match self.store.get_or_make(&place, || self.compile(item, &mut warnings, &mut reuse)) {
            Ok(stored) => {
                Outcome { reuse, ..Outcome::stored(id.clone(), *key, &stored, warnings, item.source.text()) }
            }
            Err(error) => Outcome::refused(id.clone(), Some(*key), &error),
        }
    }

    fn compile(
        &self,
        item: &Item,
        warnings: &mut Vec<Diagnostic>,
        reuse: &mut Reuse,
    ) -> Result<gcc_grammar::Artifact, Error> {
        let options = self.timed(&item.options);
        let parsed = parse_for(&item.source, self.session.vocabulary(), &options)?;
        let made = self.session.compile_parsed(&parsed, &options, self.packing, &mut ())?;
        (*warnings, *reuse) = (made.warnings, made.reuse);
        Ok(made.artifact)
    }
}

impl Maker {
    /// The options of an item that is given up after the time from now.
    fn timed(&self, options: &Options) -> Options {
        let deadline = self.time.and_then(|time| Instant::now().checked_add(time));
        Options { limits: LimitOptions { deadline, ..options.limits }, ..options.clone() }
    }
}

fn guarded(id: &Value, make: impl FnOnce() -> Outcome) -> Outcome {
    catch_unwind(AssertUnwindSafe(make)).unwrap_or_else(|_| Outcome::fault(id.clone()))
}

/// What became of an item.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// It was compiled, and is in the store now.
    Compiled,
    /// It was in the store before.
    Present,
    /// It is refused.
    Refused,
    /// Compiling it exceeds a limit.
    OverBudget,
    /// A file could not be read, or the store not written.
    Failed,
}

words!(Status is "the status" {
    Compiled = "compiled",
    Present = "present",
    Refused = "refused",
    OverBudget = "over-budget",
    Failed = "failed",
});

impl Status {
    /// Whether the artifact is in the store.
    #[must_use]
    pub const fn is_done(self) -> bool {
        matches!(self, Self::Compiled | Self::Present)
    }
}

/// The outcome of an item.
#[derive(Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// The id of the item, or the number of its line, or the path of its file.
    pub id: Value,
    /// The name of the vocabulary.
    pub vocabulary: String,
    /// What became of it.
    pub status: Status,
    /// The key, if it could be computed.
    pub key: Option<Key>,
    /// The bytes of the artifact.
    pub size: Option<usize>,
    /// The time that the item took.
    pub time: Duration,
    /// The walks of the vocabulary that earlier items had left, and the walks that this item has left.
    pub reuse: Reuse,
    /// Warnings and errors.
    pub diagnostics: Vec<Diagnostic>,
    /// The input that the diagnostics are about.
    pub input: SourceText,
    /// The bytes of the list up to this item; 0 in a folder.
    pub end: u64,
}

impl Outcome {
    fn stored(id: Value, key: Key, stored: &Stored, warnings: Vec<Diagnostic>, text: &SourceText) -> Self {
        let replaced = stored.damage.as_ref().map(|damage| {
            let message = format!("what was in the store is of no use, and was replaced: {damage}");
            Diagnostic::warning(Code::DamagedArtifact, message)
        });
        let diagnostics: Vec<Diagnostic> = replaced.into_iter().chain(warnings).collect();
        Self {
            id,
            vocabulary: String::new(),
            status: if stored.origin == Origin::Made { Status::Compiled } else { Status::Present },
            key: Some(key),
            size: Some(stored.artifact.bytes().len()),
            time: Duration::ZERO,
            reuse: Reuse::default(),
            input: if diagnostics.is_empty() { SourceText::default() } else { text.clone() },
            diagnostics,
            end: 0,
        }
    }

    /// The outcome of an item on which the compiler panicked.
    fn fault(id: Value) -> Self {
        let fault = Diagnostic::error(Code::Runtime, "the compiler has a fault: it panicked on this item");
        let error = Error::new(ErrorKind::Refused, id.to_string(), fault);
        Self { status: Status::Failed, ..Self::refused(id, None, &error) }
    }

    fn refused(id: Value, key: Option<Key>, error: &Error) -> Self {
        let status = match error.kind() {
            ErrorKind::Refused => Status::Refused,
            ErrorKind::OverBudget => Status::OverBudget,
            _ => Status::Failed,
        };
        Self {
            id,
            vocabulary: String::new(),
            status,
            key,
            size: None,
            time: Duration::ZERO,
            reuse: Reuse::default(),
            diagnostics: error.diagnostics().to_vec(),
            input: error.input().clone(),
            end: 0,
        }
    }
}
