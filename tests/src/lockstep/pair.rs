//! What walks together: the sessions of a source, pairs of their matchers, and the tally.

use super::inputs::Input;
use gcc_grammar::{DemandOptions, Matcher, Options, Session, compile};
use std::ops::AddAssign;

/// The memory of masks on demand: enough for small grammars.
const BYTES: u64 = 64 << 20;
/// How much was compared.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    /// Sources that were compiled.
    pub samples: u64,
    /// Masks, each in all its forms.
    pub masks: u64,
    /// Masks within a budget.
    pub within_budgets: u64,
    /// Masks of matchers on demand after the artifact was there.
    pub after_the_artifact: u64,
    /// Masks of nodes of draft trees.
    pub drafts: u64,
    /// Matchers that were restored, in sessions of each kind.
    pub restored: u64,
    /// Matchers that were forked.
    pub forks: u64,
    /// Bytes that were certain to come and were committed.
    pub forced: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.samples += other.samples;
        self.masks += other.masks;
        self.within_budgets += other.within_budgets;
        self.after_the_artifact += other.after_the_artifact;
        self.drafts += other.drafts;
        self.restored += other.restored;
        self.forks += other.forks;
        self.forced += other.forced;
    }
}

/// The sessions of one source.
#[derive(Clone)]
pub(super) struct Sessions {
    /// That of the artifact, compiled beforehand.
    pub(super) whole: Session,
    /// One on demand, behind which the artifact comes.
    pub(super) lazy: Session,
    /// Another one on demand, whose artifact nobody asks for but budgets.
    pub(super) other: Session,
}

/// A matcher of the artifact, and one that began on demand or behind it.
pub(super) struct Pair {
    pub(super) whole: Matcher,
    pub(super) lazy: Matcher,
}

impl Sessions {
    /// None if the source is refused.
    pub(super) fn open(Input { source, vocabulary }: &Input, completes: bool) -> Option<Self> {
        let options = Options::default();
        let artifact = compile(source, vocabulary, &options).ok()?;
        let demand = |completes| {
            let demand = DemandOptions { most_bytes: BYTES, completes };
            Session::on_demand(source, vocabulary, &options, &demand).expect("it compiles").0
        };
        Some(Self {
            whole: Session::new(artifact, vocabulary).expect("its own"),
            lazy: demand(completes),
            other: demand(false),
        })
    }

    pub(super) fn begin(&self) -> Pair {
        let matcher = |session: &Session| session.matcher().expect("room for the beginning");
        Pair { whole: matcher(&self.whole), lazy: matcher(&self.lazy) }
    }
}
