//! The operations of a walk: each is done to both matchers of a pair.

use super::answers::{filled, pick};
use super::pair::{Pair, Sessions, Tally};
use gcc_grammar::draft::Tree;
use gcc_grammar::{MatchError, RowMemory};
use gcc_grammar_random::Random;

/// Pairs that are kept at once.
const PAIRS: usize = 4;
/// The most nodes of a draft tree.
const NODES: usize = 7;

/// Pairs of matchers of the same sessions, and the row that all of them update in turn.
pub(super) struct Walkers<'s> {
    seed: u64,
    sessions: &'s Sessions,
    random: Random,
    pairs: Vec<Pair>,
    row: Vec<u32>,
    memory: RowMemory,
    tally: Tally,
}

impl<'s> Walkers<'s> {
    pub(super) fn new(seed: u64, sessions: &'s Sessions, random: Random) -> Self {
        Self {
            seed,
            sessions,
            random,
            pairs: vec![sessions.begin()],
            row: vec![0; sessions.whole.row_words()],
            memory: RowMemory::default(),
            tally: Tally::default(),
        }
    }

    /// A number below `bound`.
    pub(super) fn draw(&mut self, bound: usize) -> usize {
        self.random.below(bound)
    }

    pub(super) fn tally(&self) -> Tally {
        self.tally
    }

    /// Takes one of the pairs, compares all answers, and goes on with it.
    pub(super) fn step(&mut self) {
        let number = self.random.below(self.pairs.len());
        let mut pair = self.pairs.swap_remove(number);
        let at = format!("seed {}, {} commits", self.seed, pair.whole.committed());
        let mask = pair.ask(&at, (&mut self.row, &mut self.memory), &mut self.random);
        let is_late = pair.lazy.session().is_on_demand() && pair.lazy.session().completed().is_some();
        self.tally.masks += 1;
        self.tally.within_budgets += u64::from(pair.whole.remaining().is_some());
        self.tally.after_the_artifact += u64::from(is_late);
        match self.random.below(20) {
            0 => self.save_and_restore(&mut pair, &at),
            1 => self.fork(&pair),
            2 => self.roll_back(&mut pair, &at),
            3 => self.verify_draft(&mut pair, &mask, &at),
            4 => self.jump_forward(&mut pair, &at),
            5 => self.set_budget(&mut pair, &at),
            6 => self.begin_anew(&mut pair),
            _ => self.commit(&mut pair, &mask, &at),
        }
        self.pairs.push(pair);
    }

    /// Commits a token of the mask, or any.
    fn commit(&mut self, pair: &mut Pair, mask: &[u32], at: &str) {
        let some = if self.random.chance(93) { pick(mask, &mut self.random) } else { None };
        let token = some.unwrap_or_else(|| self.random.below(32 * mask.len()) as u32);
        let both = [&mut pair.whole, &mut pair.lazy];
        if some.is_none() {
            let counts = both.map(|matcher| matcher.validate(&[token, token]));
            assert_eq!(counts[0], counts[1], "{at}: validate {token}");
        }
        let done = [&mut pair.whole, &mut pair.lazy].map(|matcher| matcher.commit(token));
        assert_eq!(done[0], done[1], "{at}: commit {token}");
        // Readings of an ambiguous text may be too many.
        let is_too_much = matches!(done[0], Err(MatchError::TooMuchWork { .. }));
        assert!(some.is_none() || done[0].is_ok() || is_too_much, "{at}: {token} is in the mask");
        if is_too_much || mask.iter().all(|word| *word == 0) {
            self.begin_anew(pair);
        }
    }

    /// Saved states are the same bytes, and go on in sessions of each kind.
    fn save_and_restore(&mut self, pair: &mut Pair, at: &str) {
        let saved = pair.lazy.save();
        assert_eq!(saved, pair.whole.save(), "{at}: saved");
        let Sessions { whole, lazy, other } = self.sessions;
        for session in [whole, lazy, other] {
            let restored = session.restore(&saved).expect("the same parser");
            assert_eq!(restored.committed(), pair.whole.committed(), "{at}");
            if self.random.chance(50) {
                pair.lazy = restored;
            }
            self.tally.restored += 1;
        }
    }

    fn fork(&mut self, pair: &Pair) {
        let fork = Pair {
            whole: pair.whole.fork().expect("as much scratch"),
            lazy: pair.lazy.fork().expect("as much scratch"),
        };
        self.tally.forks += 1;
        if self.pairs.len() >= PAIRS {
            self.pairs.remove(0);
        }
        self.pairs.push(fork);
    }

    fn roll_back(&mut self, pair: &mut Pair, at: &str) {
        let count = self.random.below(pair.whole.committed() as usize + 2) as u64;
        let done = [&mut pair.whole, &mut pair.lazy].map(|matcher| matcher.rollback(count));
        assert_eq!(done[0], done[1], "{at}: rollback {count}");
    }

    /// A tree of proposed tokens, most of which the language allows.
    fn verify_draft(&mut self, pair: &mut Pair, mask: &[u32], at: &str) {
        let (mut parents, mut tokens, mut behind) = (Vec::new(), Vec::new(), Vec::new());
        for node in 0..self.random.between(1, NODES) {
            let parent =
                if node > 0 && self.random.chance(80) { Some(self.random.below(node)) } else { None };
            let mut fork = match parent.and_then(|parent: usize| behind.get(parent)) {
                Some(before) => gcc_grammar::Matcher::fork(before).expect("as much scratch"),
                None => pair.whole.fork().expect("as much scratch"),
            };
            let after = if parent.is_some() { filled(&mut fork) } else { mask.to_vec() };
            let some = if self.random.chance(90) { pick(&after, &mut self.random) } else { None };
            let token = some.unwrap_or_else(|| self.random.below(32 * mask.len()) as u32);
            match fork.commit(token) {
                Ok(()) | Err(MatchError::Refused) => {}
                // Readings of an ambiguous text may be too many.
                Err(MatchError::TooMuchWork { .. }) => return,
                Err(error) => panic!("{at}: draft: {error}"),
            }
            parents.push(parent);
            tokens.push(token);
            behind.push(fork);
        }
        let tree = Tree { parents: &parents, tokens: &tokens };
        let verified = [&mut pair.whole, &mut pair.lazy].map(|matcher| {
            let mut rows = vec![0; mask.len() * tokens.len()];
            (matcher.verify_tree(tree, &mut rows), rows)
        });
        assert_eq!(verified[0], verified[1], "{at}: draft tree");
        self.tally.drafts += tokens.len() as u64;
    }

    /// Commits what is certain to come.
    fn jump_forward(&mut self, pair: &mut Pair, at: &str) {
        let bytes = pair.whole.forced(64).expect("certain bytes");
        let done = [&mut pair.whole, &mut pair.lazy].map(|matcher| matcher.commit_bytes(&bytes));
        assert_eq!(done[0], done[1], "{at}: {bytes:?}");
        self.tally.forced += bytes.len() as u64;
    }

    /// Sets a budget near the least, or lifts it.
    fn set_budget(&mut self, pair: &mut Pair, at: &str) {
        let least = pair.ask_for_costs(at).unwrap_or(3);
        let budget = (least + self.random.below(9) as u32).saturating_sub(1);
        let budget = self.random.chance(75).then_some(budget);
        let done = [&mut pair.whole, &mut pair.lazy].map(|matcher| matcher.set_budget(budget));
        assert_eq!(done[0], done[1], "{at}: budget {budget:?}");
    }

    /// A new pair, or the same from its beginning.
    fn begin_anew(&mut self, pair: &mut Pair) {
        if self.random.chance(50) {
            *pair = self.sessions.begin();
        } else {
            pair.whole.reset();
            pair.lazy.reset();
        }
    }
}
