//! Matchers whose masks are made on demand in lockstep with matchers of the artifact: every answer is the same.
//!
//! In: a seed, which gives a source, a vocabulary and a random sequence of operations. Out: a [`Tally`] of what was compared. The artifact comes behind the
//! session at a random time, so that some matchers begin before it and others after it; all of them, of both sources, update one row in turn.
//!
//! | file | job |
//! |---|---|
//! | `inputs` | random schemas and grammars with vocabularies |
//! | `answers` | the questions that are put to a pair of matchers |
//! | `walk` | the operations between them |

mod answers;
mod inputs;
mod walk;

use gcc_grammar::{DemandOptions, Matcher, Options, Session, compile};
use gcc_grammar_random::Random;
use inputs::Input;
use std::ops::AddAssign;
use std::thread;
use walk::Walkers;

/// The memory of masks on demand: enough for small grammars.
const BYTES: u64 = 64 << 20;
/// Operations per walk.
const STEPS: usize = 40;

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
struct Sessions {
    /// That of the artifact, compiled beforehand.
    whole: Session,
    /// One on demand, behind which the artifact comes.
    lazy: Session,
    /// Another one on demand, whose artifact nobody asks for but budgets.
    other: Session,
}

/// A matcher of the artifact, and one that began on demand or behind it.
struct Pair {
    whole: Matcher,
    lazy: Matcher,
}

impl Sessions {
    /// None if the source is refused.
    fn open(Input { source, vocabulary }: &Input, completes: bool) -> Option<Self> {
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

    fn begin(&self) -> Pair {
        let matcher = |session: &Session| session.matcher().expect("room for the beginning");
        Pair { whole: matcher(&self.whole), lazy: matcher(&self.lazy) }
    }
}

/// Walks with the sample of a seed; the artifact is asked for at a random step.
///
/// # Panics
/// An answer differs.
#[must_use]
pub fn try_seed(seed: u64) -> Tally {
    let mut random = Random::new(seed);
    let input = Input::new(&mut random);
    let Some(sessions) = Sessions::open(&input, false) else { return Tally::default() };
    let mut walkers = Walkers::new(seed, &sessions, random);
    let switch = walkers.draw(STEPS + STEPS / 2);
    for step in 0..STEPS {
        if step == switch {
            let complete = sessions.lazy.complete().expect("it compiles");
            assert_eq!(complete.artifact().bytes(), sessions.whole.artifact().bytes(), "seed {seed}");
        }
        walkers.step();
    }
    Tally { samples: 1, ..walkers.tally() }
}

/// The same by several threads that share the sessions, while a thread in the background compiles the artifact.
///
/// # Panics
/// An answer differs.
#[must_use]
pub fn try_threads(seed: u64, threads: u64) -> Tally {
    let input = Input::new(&mut Random::new(seed));
    let Some(sessions) = Sessions::open(&input, true) else { return Tally::default() };
    let walk = |thread: u64| {
        let mut walkers = Walkers::new(seed, &sessions, Random::new(seed ^ (thread + 1) << 40));
        (0..STEPS).for_each(|_| walkers.step());
        walkers.tally()
    };
    let mut tally = Tally { samples: 1, ..Tally::default() };
    thread::scope(|scope| {
        let walks: Vec<_> = (0..threads).map(|thread| scope.spawn(move || walk(thread))).collect();
        walks.into_iter().for_each(|walk| tally += walk.join().expect("the answers are the same"));
    });
    tally
}
