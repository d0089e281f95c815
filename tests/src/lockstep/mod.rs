//! Matchers whose masks are made on demand in lockstep with matchers of the artifact: every answer is the same.
//!
//! In: a seed, which gives a source, a vocabulary and a random sequence of operations. Out: a [`Tally`] of what was compared. The artifact comes behind the
//! session at a random time, so that some matchers begin before it and others after it; all of them, of both sources, update one row in turn.
//!
//! | file | job |
//! |---|---|
//! | `pair` | what walks together |
//! | `inputs` | random schemas and grammars with vocabularies |
//! | `answers` | the questions that are put to a pair of matchers |
//! | `walk` | the operations between them |

mod answers;
mod inputs;
mod pair;
mod walk;

use gcc_grammar_random::Random;
use inputs::Input;
use pair::Sessions;
pub use pair::Tally;
use std::thread;
use walk::Walkers;

/// Operations per walk.
const STEPS: usize = 40;

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
