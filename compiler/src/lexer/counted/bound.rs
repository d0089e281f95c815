//! Whether the lists of a terminal are short, in one walk of the trie for all states at once: a bound, so that lists can be made when they are asked for.
//!
//! States are grouped by their place within a character, and by what most bytes behind them *usually* need. In a group, a token is in some list only if
//! some state needs something else after it, or if it is long. Tokens are read by sets of states, of which there are few: most bytes lead all states to the same ones.
//! Where nothing below a node can change what is needed, as in the middle of a word, nothing is read.

use super::reader::Reader;
use super::tokens::{MAX_NEAR, most_needed};
use gcc_grammar_artifact::bases::{MANY, MOST_CHARACTERS};
use gcc_grammar_artifact::json_string::Place;
use gcc_grammar_limits::{Budget, OverBudget};
use gcc_grammar_regular::ByteSet;
use gcc_grammar_vocabulary::symbols::ASCII;
use rustc_hash::FxHashMap;

/// The states that are read together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Group {
    place: u32,
    usual: u32,
}

/// A set of states after the same bytes.
struct States {
    states: Box<[u32]>,
    /// `None` if the string is over.
    place: Option<Place>,
    /// The fewest and the most characters that one of them needs.
    needed: (u32, u32),
}

/// The sets of states that were read.
struct Sets<'s, 'a> {
    reader: &'s Reader<'a>,
    budget: &'s Budget,
    sets: Vec<States>,
    known: FxHashMap<Box<[u32]>, u32>,
    /// Row-major `[set][class]`: the set after a byte of the class, plus two; 1 if there is none, 0 if it is not known.
    next: Vec<u32>,
}

/// Estimated bytes of a set, besides its states and its row.
const BYTES_PER_SET: u64 = 96;

/// Whether no list is too long, for sure. Otherwise one may be.
pub(super) fn are_short(
    reader: &Reader<'_>,
    before_needs: &[u32],
    budget: &Budget,
) -> Result<bool, OverBudget> {
    let most = most_needed(reader.states);
    let mut groups: FxHashMap<Group, Vec<u32>> = FxHashMap::default();
    for &state in before_needs {
        let Some(counted) = reader.states[state as usize] else { continue };
        if counted.left < MOST_CHARACTERS + most {
            let group = Group { place: counted.place as u32, usual: usual(reader, state) };
            groups.entry(group).or_default().push(state);
        }
    }
    let mut groups: Vec<(Group, Vec<u32>)> = groups.into_iter().collect();
    groups.sort_unstable_by_key(|&(group, _)| group);
    let mut sets = Sets::new(reader, budget);
    let mut plain: FxHashMap<u32, Vec<bool>> = FxHashMap::default();
    for (Group { usual, .. }, states) in groups {
        let set = sets.intern(&states)?;
        let plain = plain.entry(usual).or_insert_with(|| plain_symbols(reader, usual));
        if !sets.has_few(set, usual, plain)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Per set of symbols below a node: whether these always lead from states between escapes that need `usual` to such states, or to none.
fn plain_symbols(reader: &Reader<'_>, usual: u32) -> Vec<bool> {
    let is_plain = |state: u32| {
        reader.states[state as usize].map_or(usual == 0, |state| {
            u32::from(state.needed) == usual && is_between_escapes(state.place)
        })
    };
    let changes = |state: u32, byte: u8| reader.strings.next(state, byte).is_some_and(|to| !is_plain(to));
    let is_within = |&state: &u32| reader.states[state as usize].is_some() && is_plain(state);
    let mut changing = ByteSet::default();
    for state in (0..reader.states.len() as u32).filter(is_within) {
        (0..=u8::MAX).filter(|&byte| changes(state, byte)).for_each(|byte| changing.insert(byte));
    }
    if !changing.is_subset(&ASCII) {
        changing |= !ASCII;
    }
    let sets = reader.vocabulary.trie().symbol_sets().iter();
    sets.map(|&set| !ByteSet(set).intersects(&changing)).collect()
}

const fn is_between_escapes(place: Place) -> bool {
    matches!(place, Place::Between | Place::Bytes1 | Place::Bytes2 | Place::Bytes3)
}

/// What most bytes of the alphabet need that can be read in a state.
fn usual(reader: &Reader<'_>, state: u32) -> u32 {
    let mut counts: Vec<(u32, u32)> = Vec::new();
    for needed in
        (b' '..=b'~').filter_map(|byte| Some(reader.needed(reader.strings.next(state, byte)?)))
    {
        match counts.iter_mut().find(|(other, _)| *other == needed) {
            Some((_, count)) => *count += 1,
            None => counts.push((needed, 1)),
        }
    }
    counts.into_iter().max_by_key(|&(_, count)| count).map_or(0, |(needed, _)| needed)
}

impl<'s, 'a> Sets<'s, 'a> {
    fn new(reader: &'s Reader<'a>, budget: &'s Budget) -> Self {
        Self { reader, budget, sets: Vec::new(), known: FxHashMap::default(), next: Vec::new() }
    }

    /// The number of a set of states, which are ascending.
    fn intern(&mut self, states: &[u32]) -> Result<u32, OverBudget> {
        if let Some(&known) = self.known.get(states) {
            return Ok(known);
        }
        let classes = self.reader.strings.class_count();
        self.budget.charge_bytes(BYTES_PER_SET + states.len() as u64 * 8 + classes as u64 * 4)?;
        let needed = || states.iter().map(|&state| self.reader.needed(state));
        let needed = (needed().min().unwrap_or(0), needed().max().unwrap_or(0));
        let place = states.first().and_then(|&first| self.reader.states[first as usize]);
        let set = self.sets.len() as u32;
        self.sets.push(States { states: states.into(), place: place.map(|state| state.place), needed });
        self.known.insert(states.into(), set);
        self.next.resize(self.next.len() + classes, 0);
        Ok(set)
    }

    /// The set after a byte; `None` if no state reads it.
    fn after(&mut self, set: u32, byte: u8) -> Result<Option<u32>, OverBudget> {
        let strings = self.reader.strings;
        let entry = set as usize * strings.class_count() + usize::from(strings.class(byte));
        if let Some(known) = self.next[entry].checked_sub(1) {
            return Ok(known.checked_sub(1));
        }
        let from = &self.sets[set as usize].states;
        self.budget.charge_work(from.len() as u64)?;
        let mut after: Vec<u32> = from.iter().filter_map(|&state| strings.next(state, byte)).collect();
        after.sort_unstable();
        after.dedup();
        let after = if after.is_empty() { None } else { Some(self.intern(&after)?) };
        self.next[entry] = after.map_or(1, |after| after + 2);
        Ok(after)
    }

    /// Whether few tokens that are read from one of these states are in its list.
    fn has_few(&mut self, start: u32, usual: u32, plain: &[bool]) -> Result<bool, OverBudget> {
        let trie = self.reader.vocabulary.trie();
        let Some(place) = self.sets[start as usize].place else { return Ok(true) };
        let shift = place.shift();
        // The sets after the strings of the nodes from the root to the last one, and the characters that began.
        let mut path = vec![(start, 0)];
        let (mut near, mut far) = (0, 0);
        let (mut node, mut visited) = (1, 0_u64);
        while node < trie.len() && near.max(far) <= MAX_NEAR {
            visited += 1;
            let entry = &trie.nodes()[node as usize];
            path.truncate(usize::from(entry.depth));
            let (before, begun) = path[path.len() - 1];
            let Some(next) = self.after(before, entry.byte)? else {
                node = entry.subtree_end;
                continue;
            };
            let States { place, needed: (least, most), .. } = self.sets[next as usize];
            let begins = place.is_some() && self.sets[before as usize].place == Some(Place::Between);
            let begun: u32 = begun + u32::from(begins);
            let tokens = if place.is_some() { trie.tokens_at(node) } else { trie.tokens_in_subtree(node) };
            let taken = begun + most + shift;
            if taken > MOST_CHARACTERS && !tokens.is_empty() {
                return Ok(false);
            }
            let is_near = (least, most) != (usual, usual) || shift > 0 && begun == 0;
            near += if is_near { tokens.len() } else { 0 };
            far += if taken > MANY { tokens.len() } else { 0 };
            path.push((next, begun));
            let is_over = match place {
                Some(place) => {
                    let is_usual = (least, most) == (usual, usual) && is_between_escapes(place);
                    is_usual && plain[entry.below as usize] && taken + u32::from(entry.height) <= MANY
                }
                None => true,
            };
            node = if is_over { entry.subtree_end } else { node + 1 };
        }
        self.budget.charge_work(visited)?;
        Ok(near.max(far) <= MAX_NEAR)
    }
}
