//! How many characters the tokens of a state need behind them, counted once for all states that tokens cannot tell apart.
//!
//! Where a word may have 63 letters, each letter leads to a state of its own; but the few nodes of the trie below a node see no difference between most of them.
//! States are divided into *kinds* by what they read within some bytes. The counts for a node and a kind of its height are made once.
//! Tokens that need what most tokens need are not visited again.

use super::reader::{Reader, Token};
use crate::partition::number;
use gcc_grammar_artifact::bases::MANY;
use gcc_grammar_artifact::json_string::Place;
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// Below a node of greater height each state is of its own kind.
const MAX_HEIGHT: usize = 24;

/// Estimated bytes of a state while kinds are refined, besides its row: its entry in a hash table.
const BYTES_PER_STATE: u64 = 48;
/// Estimated bytes of the counts of a node and a kind.
const BYTES_PER_COUNTS: u64 = 64;

/// Numbers of tokens by the characters that they need.
#[derive(Clone, Default)]
pub(super) struct Counts(Vec<(u32, u32)>);

impl Counts {
    /// Of tokens that need these numbers of characters.
    pub(super) fn of(needed: impl Iterator<Item = u32>) -> Self {
        let mut counts = Self::default();
        needed.for_each(|needed| counts.add(needed, 1));
        counts
    }

    fn add(&mut self, needed: u32, tokens: u32) {
        match self.0.iter_mut().find(|(other, _)| *other == needed) {
            _ if tokens == 0 => {}
            Some((_, count)) => *count += tokens,
            None => self.0.push((needed, tokens)),
        }
    }

    fn add_all(&mut self, other: &Self) {
        other.0.iter().for_each(|&(needed, tokens)| self.add(needed, tokens));
    }

    fn are_all(&self, needed: u32) -> bool {
        self.0.iter().all(|&(other, _)| other == needed)
    }

    /// What most tokens need; the least of those.
    pub(super) fn most_frequent(&self) -> u32 {
        let most = self.0.iter().max_by_key(|&&(needed, count)| (count, Reverse(needed)));
        most.map_or(0, |&(needed, _)| needed)
    }
}

/// A node of the trie whose descendants are counted.
struct Open {
    key: (u32, u32),
    state: u32,
    subtree_end: u32,
    counts: Counts,
}

/// The counts of a terminal.
pub(super) struct Needs<'s, 'a> {
    pub(super) reader: &'s Reader<'a>,
    /// By height: the kind of each state.
    kinds: Vec<Vec<u32>>,
    known: FxHashMap<(u32, u32), Counts>,
    budget: &'s Budget,
    /// The bytes that are given back in the end.
    bytes: u64,
}

impl<'s, 'a> Needs<'s, 'a> {
    /// For a state or two: each is of its own kind.
    pub(super) fn of_few(reader: &'s Reader<'a>, budget: &'s Budget) -> Self {
        Self { reader, kinds: Vec::new(), known: FxHashMap::default(), budget, bytes: 0 }
    }

    /// For all states.
    pub(super) fn new(reader: &'s Reader<'a>, budget: &'s Budget) -> Result<Self, OverBudget> {
        let mut needs = Self::of_few(reader, budget);
        let (states, cells) = (reader.states.len() as u64, reader.strings.cells() as u64);
        let of_a_level = states * BYTES_PER_STATE + cells * 4;
        needs.charge_bytes(of_a_level)?;
        needs.kinds.push(labels(reader));
        while needs.kinds.len() <= MAX_HEIGHT {
            budget.charge_work(cells)?;
            needs.charge_bytes(states * 4)?;
            let refined = refined(reader, &needs.kinds[0], &needs.kinds[needs.kinds.len() - 1]);
            needs.kinds.push(refined);
        }
        Ok(needs)
    }

    fn charge_bytes(&mut self, bytes: u64) -> Result<(), OverBudget> {
        self.budget.charge_bytes(bytes)?;
        self.bytes += bytes;
        Ok(())
    }

    /// What most tokens need in a state, and the tokens that need something else or begin [`MANY`] characters.
    pub(super) fn exceptions(&mut self, state: u32) -> Result<(u32, Vec<Token>), OverBudget> {
        let default = self.count(state)?.most_frequent();
        let vocabulary = self.reader.vocabulary;
        let (trie, order) = (vocabulary.trie(), vocabulary.order());
        let mut path = vec![(state, 0)];
        let mut found = Vec::new();
        let (mut node, mut visited) = (1, 0_u64);
        while node < trie.len() {
            visited += 1;
            let entry = &trie.nodes()[node as usize];
            path.truncate(usize::from(entry.depth));
            let Some((next, begun)) = path.last().and_then(|&before| self.reader.after(before, entry.byte))
            else {
                node = entry.subtree_end;
                continue;
            };
            let needed = self.reader.needed(next);
            let is_over = self.reader.states[next as usize].is_none();
            let ranks = match () {
                () if needed == default && begun <= MANY => 0..0,
                () if is_over => trie.tokens_in_subtree(node),
                () => trie.tokens_at(node),
            };
            found.extend(ranks.map(|rank| Token::planned(order[rank as usize], begun, needed)));
            let is_plain = || {
                begun + u32::from(entry.height) <= MANY
                    && self.known.get(&self.key(node, next)).is_none_or(|counts| counts.are_all(default))
            };
            node = if is_over || is_plain() { entry.subtree_end } else { node + 1 };
            path.push((next, begun));
        }
        self.budget.charge_work(visited + found.len() as u64)?;
        Ok((default, found))
    }

    /// The counts of all tokens that are read in a state.
    fn count(&mut self, state: u32) -> Result<Counts, OverBudget> {
        let trie = self.reader.vocabulary.trie();
        let counts = Counts::default();
        let mut open = vec![Open { key: (0, state), state, subtree_end: trie.len(), counts }];
        let (mut node, mut visited) = (1, 0_u64);
        loop {
            while let Some(done) = open.pop_if(|last| node >= last.subtree_end) {
                let Some(above) = open.last_mut() else {
                    self.budget.charge_work(visited)?;
                    return Ok(done.counts);
                };
                above.counts.add_all(&done.counts);
                self.charge_bytes(BYTES_PER_COUNTS)?;
                self.known.insert(done.key, done.counts);
            }
            let Some(last) = open.last_mut() else { return Ok(Counts::default()) };
            visited += 1;
            let entry = &trie.nodes()[node as usize];
            let Some(next) = self.reader.strings.next(last.state, entry.byte) else {
                node = entry.subtree_end;
                continue;
            };
            if self.reader.states[next as usize].is_none() {
                last.counts.add(0, trie.tokens_in_subtree(node).len() as u32);
                node = entry.subtree_end;
                continue;
            }
            last.counts.add(self.reader.needed(next), trie.tokens_at(node).len() as u32);
            if entry.height == 0 {
                node += 1;
                continue;
            }
            let key = key(&self.kinds, entry.height, node, next);
            if let Some(known) = self.known.get(&key) {
                last.counts.add_all(known);
                node = entry.subtree_end;
                continue;
            }
            let counts = Counts::default();
            open.push(Open { key, state: next, subtree_end: entry.subtree_end, counts });
            node += 1;
        }
    }

    fn key(&self, node: u32, state: u32) -> (u32, u32) {
        key(&self.kinds, self.reader.vocabulary.trie().height(node), node, state)
    }
}

impl Drop for Needs<'_, '_> {
    fn drop(&mut self) {
        self.budget.release_bytes(self.bytes);
    }
}

/// The key of the counts below a node of this height.
fn key(kinds: &[Vec<u32>], height: u8, node: u32, state: u32) -> (u32, u32) {
    (node, kinds.get(usize::from(height)).map_or(state, |kinds| kinds[state as usize]))
}

/// States by what is seen without a byte more.
fn labels(reader: &Reader<'_>) -> Vec<u32> {
    number(reader.states.iter().map(|state| state.map(|state| (state.needed, state.place == Place::Between))))
}

/// States by what is seen with a byte more. Outside of the string nothing is read.
fn refined(reader: &Reader<'_>, labels: &[u32], kinds: &[u32]) -> Vec<u32> {
    let mut known: FxHashMap<Box<[u32]>, u32> = FxHashMap::default();
    let mut row = Vec::new();
    let mut kind = |state: usize| {
        row.clear();
        row.push(labels[state]);
        if reader.states[state].is_some() {
            let targets = reader.strings.targets(state as u32).iter();
            row.extend(targets.map(|to| to.map_or(u32::MAX, |to| kinds[to as usize])));
        }
        let next = known.len() as u32;
        match known.get(row.as_slice()) {
            Some(&known) => known,
            None => *known.entry(row.as_slice().into()).or_insert(next),
        }
    };
    (0..labels.len()).map(&mut kind).collect()
}
