//! Compiles the items of a list into a store, with several threads. What is in the store already is not compiled, so a batch that was
//! ended in whatever way goes on where it was when it is started again.
//!
//! An item that is refused does not stop the others. In memory are as many items as there are threads, and their outcomes.

use super::items::{Defaults, Entry, Item, Items};
use super::{Origin, Place, Store, Stored};
use crate::compile::{Packing, compile_parsed};
use crate::error::{Error, ErrorKind, SourceText};
use crate::key::{Key, artifact_key};
use crate::parse::parse;
use crate::vocabulary::Vocabulary;
use gcc_grammar_ir::{Code, Diagnostic};
use serde_json::Value;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The stack of a thread that compiles, in bytes: that of the main thread on most systems.
const STACK_BYTES: usize = 8 << 20;

/// What a batch does with its items.
#[derive(Debug)]
pub struct Batch<'a> {
    /// Where the artifacts go.
    pub store: &'a Store,
    /// The vocabulary of all items.
    pub vocabulary: &'a Vocabulary,
    /// Whether artifacts carry the tokens.
    pub packing: Packing,
    /// The options of all items.
    pub defaults: Defaults,
    /// The number of threads.
    pub jobs: NonZeroUsize,
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

impl Status {
    /// All values.
    pub const ALL: [Self; 5] = [Self::Compiled, Self::Present, Self::Refused, Self::OverBudget, Self::Failed];

    /// The name, in lower case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Compiled => "compiled",
            Self::Present => "present",
            Self::Refused => "refused",
            Self::OverBudget => "over-budget",
            Self::Failed => "failed",
        }
    }

    /// Whether the artifact is in the store.
    #[must_use]
    pub const fn is_done(self) -> bool {
        matches!(self, Self::Compiled | Self::Present)
    }
}

/// The outcome of an item.
#[derive(Debug)]
pub struct Outcome {
    /// The id of the item, or the number of its line, or the path of its file.
    pub id: Value,
    /// What became of it.
    pub status: Status,
    /// The key, if it could be computed.
    pub key: Option<Key>,
    /// The bytes of the artifact.
    pub size: Option<usize>,
    /// The time that the item took.
    pub time: Duration,
    /// Warnings and errors.
    pub diagnostics: Vec<Diagnostic>,
    /// The input that the diagnostics are about.
    pub input: SourceText,
    /// The bytes of the list up to this item; 0 in a folder.
    pub end: u64,
}

type Sent = Result<Outcome, Error>;

impl Batch<'_> {
    /// Compiles the items. `report` is called for each, in the order in which they are done.
    ///
    /// # Errors
    /// The items cannot be read any further, or `report` fails; no further items are begun then.
    pub fn run<E: From<Error>>(
        &self,
        items: Items,
        mut report: impl FnMut(Outcome) -> Result<(), E>,
    ) -> Result<(), E> {
        let items = Mutex::new(items);
        thread::scope(|scope| {
            // If this closure ends early, the receiver is dropped, and the threads end with the next outcome that they send.
            let (send, receive) = sync_channel(self.jobs.get());
            for _ in 0..self.jobs.get() {
                let (send, items) = (send.clone(), &items);
                let thread = thread::Builder::new().stack_size(STACK_BYTES);
                let started = thread.spawn_scoped(scope, move || self.work(items, &send));
                started.map_err(|error| Error::io(Path::new("batch"), "no thread can be started", error))?;
            }
            drop(send);
            receive.into_iter().try_for_each(|sent: Sent| report(sent?))
        })
    }

    fn work(&self, items: &Mutex<Items>, send: &SyncSender<Sent>) {
        loop {
            let next = items.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(entry) = next else { return };
            if send.send(entry.map(|entry| self.outcome(&entry))).is_err() {
                return;
            }
        }
    }

    /// The outcome of an item, also if the compiler has a fault and panics.
    fn outcome(&self, entry: &Entry) -> Outcome {
        let start = Instant::now();
        let mut outcome = catch_unwind(AssertUnwindSafe(|| self.made(entry))).unwrap_or_else(|_| {
            let (id, _) = entry.read(&self.defaults);
            let fault =
                Diagnostic::error(Code::Runtime, "the compiler has a fault: it panicked on this item");
            let error = Error::new(ErrorKind::Refused, id.to_string(), fault);
            Outcome { status: Status::Failed, ..Outcome::refused(id, None, &error) }
        });
        outcome.time = start.elapsed();
        outcome.end = entry.end;
        outcome
    }

    fn made(&self, entry: &Entry) -> Outcome {
        let (id, item) = entry.read(&self.defaults);
        let item = match item {
            Ok(item) => item,
            Err(error) => return Outcome::refused(id, None, &error),
        };
        let key = match artifact_key(&item.source, self.vocabulary, &item.options, self.packing) {
            Ok(key) => key,
            Err(error) => return Outcome::refused(id, None, &error),
        };
        let mut warnings = Vec::new();
        let place = Place::new(key, self.vocabulary);
        match self.store.get_or_make(&place, || self.compile(&item, &mut warnings)) {
            Ok(stored) => Outcome::stored(id, key, &stored, warnings, &item.source.text),
            Err(error) => Outcome::refused(id, Some(key), &error),
        }
    }

    fn compile(&self, item: &Item, warnings: &mut Vec<Diagnostic>) -> Result<crate::Artifact, Error> {
        let parsed = parse(&item.source, &item.options)?;
        let made = compile_parsed(&parsed, self.vocabulary, &item.options, self.packing, &mut ())?;
        *warnings = made.warnings;
        Ok(made.artifact)
    }
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
            status: if stored.origin == Origin::Made { Status::Compiled } else { Status::Present },
            key: Some(key),
            size: Some(stored.artifact.bytes().len()),
            time: Duration::ZERO,
            input: if diagnostics.is_empty() { SourceText::default() } else { text.clone() },
            diagnostics,
            end: 0,
        }
    }

    fn refused(id: Value, key: Option<Key>, error: &Error) -> Self {
        let status = match error.kind() {
            ErrorKind::Refused => Status::Refused,
            ErrorKind::OverBudget => Status::OverBudget,
            _ => Status::Failed,
        };
        Self {
            id,
            status,
            key,
            size: None,
            time: Duration::ZERO,
            diagnostics: error.diagnostics().to_vec(),
            input: error.input().clone(),
            end: 0,
        }
    }
}
