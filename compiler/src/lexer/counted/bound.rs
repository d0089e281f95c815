//! Whether the lists of a terminal are short, in one walk of the trie for all states at once: a bound, so that lists can be made when they are asked for.
//!
//! For each state, it is known what most bytes behind it *usually* need; if too many tokens are found, states with different numbers are read apart. A token is in some list only if some state needs something else after it, or if it is
//! long. Tokens are read by sets of states, each with what is usual where reading began; of these sets there are few, since most bytes lead all states to the same ones.
//! Where nothing below a node can change what is needed, as in the middle of a word, nothing is read.

use super::reader::Reader;
use super::tokens::most_needed;
use gcc_grammar_artifact::bases::{MANY, MOST_CHARACTERS};
use gcc_grammar_artifact::json_string::Place;
use gcc_grammar_limits::{Budget, OverBudget};
use gcc_grammar_regular::ByteSet;
use gcc_grammar_vocabulary::symbols::ASCII;
use rustc_hash::FxHashMap;

/// A state, and above these bits what is usual where reading began.
const STATE_BITS: u32 = 24;

/// A set of states after the same bytes.
struct States {
    states: Box<[u32]>,
    /// `None` if the string is over.
    place: Option<Place>,
    /// The most characters that one of them needs.
    most_needed: u32,
    /// Whether each needs what is usual.
    are_usual: bool,
    /// What is usual, each once; empty unless they are usual.
    usual: Box<[u32]>,
}

/// The sets of states that were read.
struct Sets<'s, 'a> {
    reader: &'s Reader<'a>,
    longest: usize,
    budget: &'s Budget,
    sets: Vec<States>,
    known: FxHashMap<Box<[u32]>, u32>,
    /// Row-major `[set][class]`: the set after a byte of the class, plus two; 1 if there is none, 0 if it is not known.
    next: Vec<u32>,
    /// By what is needed: per set of symbols below a node, whether these change nothing.
    plain: FxHashMap<u32, Vec<bool>>,
    /// The bytes that are given back in the end.
    bytes: u64,
}

/// Estimated bytes of a set, besides its states and its row.
const BYTES_PER_SET: u64 = 128;

/// Whether no list has more than `longest` tokens, for sure. Otherwise one may have.
pub(super) fn are_short(
    reader: &Reader<'_>,
    before_needs: &[u32],
    longest: usize,
    budget: &Budget,
) -> Result<bool, OverBudget> {
    if reader.states.len() >= 1 << STATE_BITS {
        return Ok(false);
    }
    let most = most_needed(reader.states);
    let usual = usual(reader);
    let mut by_place: [Vec<u32>; Place::ALL.len()] = Default::default();
    for &state in before_needs {
        let Some(counted) = reader.states[state as usize] else { continue };
        if counted.left < MOST_CHARACTERS + most {
            by_place[counted.place as usize].push(usual[state as usize] << STATE_BITS | state);
        }
    }
    let mut sets = Sets::new(reader, longest, budget);
    for states in by_place.iter_mut().filter(|states| !states.is_empty()) {
        states.sort_unstable();
        if sets.have_few(states)? {
            continue;
        }
        // Fewer tokens need something else where all states have the same usual number.
        for states in states.chunk_by(|a, b| a >> STATE_BITS == b >> STATE_BITS) {
            if !sets.have_few(states)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Per class of bytes: how many of them are printable characters of ASCII.
fn printable(reader: &Reader<'_>) -> Vec<u32> {
    let mut counts = vec![0; reader.strings.class_count()];
    (b' '..=b'~').for_each(|byte| counts[usize::from(reader.strings.class(byte))] += 1);
    counts
}

/// Per state: what is needed after most texts of two printable characters that can be read there; at most 255. After one, half of the texts may be within an escape.
fn usual(reader: &Reader<'_>) -> Vec<u32> {
    let printable = printable(reader);
    let states = 0..reader.states.len() as u32;
    let needed: Vec<u32> = states.clone().map(|state| reader.needed(state)).collect();
    let after_one: Vec<u32> =
        states.clone().map(|state| most_frequent(reader, &printable, state, &needed)).collect();
    states.map(|state| most_frequent(reader, &printable, state, &after_one)).collect()
}

/// The most frequent of the values of the states that printable characters lead to.
fn most_frequent(reader: &Reader<'_>, printable: &[u32], state: u32, values: &[u32]) -> u32 {
    let mut counts: Vec<(u32, u32)> = Vec::new();
    for (to, characters) in reader.strings.targets(state).iter().zip(printable) {
        let Some(value) = to.map(|to| values[to as usize]) else { continue };
        match counts.iter_mut().find(|(other, _)| *other == value) {
            Some((_, count)) => *count += characters,
            None => counts.push((value, *characters)),
        }
    }
    counts.into_iter().max_by_key(|&(_, count)| count).map_or(0, |(value, _)| value)
}

/// Per set of symbols below a node: whether these always lead from states between escapes that need `usual` to such states, or to none.
fn plain_symbols(reader: &Reader<'_>, usual: u32) -> Vec<bool> {
    let is_plain = |state: u32| {
        reader.states[state as usize]
            .map_or(usual == 0, |state| u32::from(state.needed) == usual && is_between_escapes(state.place))
    };
    let mut changing = vec![false; reader.strings.class_count()];
    let is_within = |&state: &u32| reader.states[state as usize].is_some() && is_plain(state);
    for state in (0..reader.states.len() as u32).filter(is_within) {
        for (changing, to) in changing.iter_mut().zip(reader.strings.targets(state)) {
            *changing |= to.is_some_and(|to| !is_plain(to));
        }
    }
    let is_changing = |&byte: &u8| changing[usize::from(reader.strings.class(byte))];
    let mut changing: ByteSet = (0..=u8::MAX).filter(is_changing).collect();
    if !changing.is_subset(&ASCII) {
        changing |= !ASCII;
    }
    let sets = reader.vocabulary.trie().symbol_sets().iter();
    sets.map(|&set| !ByteSet(set).intersects(&changing)).collect()
}

const fn is_between_escapes(place: Place) -> bool {
    matches!(place, Place::Between | Place::Bytes1 | Place::Bytes2 | Place::Bytes3)
}

impl<'s, 'a> Sets<'s, 'a> {
    fn new(reader: &'s Reader<'a>, longest: usize, budget: &'s Budget) -> Self {
        let (known, plain) = (FxHashMap::default(), FxHashMap::default());
        Self { reader, longest, budget, sets: Vec::new(), known, next: Vec::new(), plain, bytes: 0 }
    }

    /// The number of a set of states, which are ascending.
    fn intern(&mut self, states: &[u32]) -> Result<u32, OverBudget> {
        if let Some(&known) = self.known.get(states) {
            return Ok(known);
        }
        let classes = self.reader.strings.class_count();
        let bytes = BYTES_PER_SET + states.len() as u64 * 12 + classes as u64 * 4;
        self.budget.charge_bytes(bytes)?;
        self.bytes += bytes;
        let parts = || states.iter().map(|&state| (state & ((1 << STATE_BITS) - 1), state >> STATE_BITS));
        let are_usual = parts().all(|(state, usual)| self.reader.needed(state) == usual);
        let mut usual: Vec<u32> = parts().map(|(_, usual)| usual).filter(|_| are_usual).collect();
        usual.dedup();
        for &usual in &usual {
            self.plain.entry(usual).or_insert_with(|| plain_symbols(self.reader, usual));
        }
        let place = parts().next().and_then(|(first, _)| self.reader.states[first as usize]);
        let set = self.sets.len() as u32;
        self.sets.push(States {
            states: states.into(),
            place: place.map(|state| state.place),
            most_needed: parts().map(|(state, _)| self.reader.needed(state)).max().unwrap_or(0),
            are_usual,
            usual: usual.into(),
        });
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
        let next = |&state: &u32| {
            let usual = state >> STATE_BITS << STATE_BITS;
            Some(strings.next(state ^ usual, byte)? | usual)
        };
        let mut after: Vec<u32> = from.iter().filter_map(next).collect();
        after.sort_unstable();
        after.dedup();
        let after = if after.is_empty() { None } else { Some(self.intern(&after)?) };
        self.next[entry] = after.map_or(1, |after| after + 2);
        Ok(after)
    }

    /// Whether nothing below a node with these symbols changes what is needed after a set.
    fn is_plain(&self, set: &States, below: u32) -> bool {
        let is_plain = |usual: &u32| self.plain.get(usual).is_some_and(|plain| plain[below as usize]);
        set.are_usual && set.place.is_some_and(is_between_escapes) && set.usual.iter().all(is_plain)
    }

    /// Whether few tokens that are read from these states, which are ascending, are in a list.
    fn have_few(&mut self, states: &[u32]) -> Result<bool, OverBudget> {
        let start = self.intern(states)?;
        let trie = self.reader.vocabulary.trie();
        let Some(place) = self.sets[start as usize].place else { return Ok(true) };
        let shift = place.shift();
        // The sets after the strings of the nodes from the root to the last one, and the characters that began.
        let mut path = vec![(start, 0)];
        let (mut near, mut far) = (0, 0);
        let (mut node, mut visited) = (1, 0_u64);
        while node < trie.len() && near.max(far) <= self.longest {
            visited += 1;
            let entry = &trie.nodes()[node as usize];
            path.truncate(usize::from(entry.depth));
            let (before, begun) = path[path.len() - 1];
            let Some(next) = self.after(before, entry.byte)? else {
                node = entry.subtree_end;
                continue;
            };
            let set = &self.sets[next as usize];
            let is_within = set.place.is_some();
            let begins = is_within && self.sets[before as usize].place == Some(Place::Between);
            let begun: u32 = begun + u32::from(begins);
            let tokens = if is_within { trie.tokens_at(node) } else { trie.tokens_in_subtree(node) };
            let taken = begun + set.most_needed + shift;
            if taken > MOST_CHARACTERS && !tokens.is_empty() {
                return Ok(false);
            }
            near += if !set.are_usual || shift > 0 && begun == 0 { tokens.len() } else { 0 };
            far += if taken > MANY { tokens.len() } else { 0 };
            let is_short = taken + u32::from(entry.height) <= MANY;
            let is_over = !is_within || is_short && self.is_plain(set, entry.below);
            path.push((next, begun));
            node = if is_over { entry.subtree_end } else { node + 1 };
        }
        self.budget.charge_work(visited)?;
        Ok(near.max(far) <= self.longest)
    }
}

impl Drop for Sets<'_, '_> {
    fn drop(&mut self) {
        self.budget.release_bytes(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::super::string::Strings;
    use super::super::{states, tokens};
    use super::*;
    use gcc_grammar_regular::{PatternFlags, Regex, RegularLimits};
    use gcc_grammar_vocabulary::Vocabulary;

    /// All bytes, and words of letters and marks of up to 30 bytes.
    fn vocabulary() -> Vocabulary {
        let mut words: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
        let parts = ["ab", "-", ".", "@", "\\", "u00", "2d", "\"", "abcdefghij", "é", "-a", "4", "0"];
        for first in parts {
            for second in parts {
                words.push([first, second].concat().into_bytes());
                words.extend(parts.map(|third| [first, second, third].concat().into_bytes()));
            }
        }
        words.sort();
        words.dedup();
        let end = words.len() as u32;
        Vocabulary::from_tokens((0..).zip(words).collect(), Vec::new(), vec![end], end + 1).expect("distinct")
    }

    /// Whatever the greatest length is, the bound says that lists are short only if they are; and it is not far from the longest list.
    #[test]
    fn the_bound_is_above_the_longest_list() {
        let (vocabulary, budget) = (vocabulary(), Budget::unlimited("test"));
        let character = r"(?:[a-j]|\\u00(?:6[1-9a]))";
        let (dash, at) = (r"(?:-|\\u002d)", r"(?:@|\\u0040)");
        let word = format!("{character}+(?:{dash}{character}+)*");
        for (pattern, least) in [
            (format!("\"{word}\""), 10),
            (format!("\"{word}{at}{word}\""), 10),
            (format!("\"(?:{character}|é|{dash}[0-9]{{3}})*\""), 10),
            ("\"[^\"\\\\\\x00-\\x1f]*\"".to_owned(), 0),
        ] {
            let dfa = Regex::parse(&pattern, PatternFlags::default()).expect("a pattern");
            let dfa = dfa.to_dfa(&RegularLimits::default()).expect("small");
            let strings = Strings::new(&dfa).expect("strings");
            let (states, _) = states(&strings, 40).expect("short ones");
            let reader = Reader { strings: &strings, states: &states, vocabulary: &vocabulary };
            let before = reader.before_needs(&budget).expect("no limit");
            let lists = tokens::lists(&reader, &before, &budget).expect("no limit").expect("short lists");
            let size = |list: &Vec<u32>| list.get(1..3).map_or(0, |sizes| sizes[0].max(sizes[1]) as usize);
            let longest = lists.iter().map(size).max().unwrap_or(0);
            assert!(longest >= least, "{pattern}: {longest}");
            let is_short = |most| are_short(&reader, &before, most, &budget).expect("no limit");
            let bound = (0..).find(|&most| is_short(most)).expect("some number");
            assert!((longest..=4 * longest + 100).contains(&bound), "{pattern}: {bound}, {longest}");
        }
    }

    /// Behind `\u200`, most digits lead to white space, and most texts of two characters to a word.
    #[test]
    fn what_is_usual_is_read_behind_escapes() {
        let pattern = r#""(?:(?:[a-j]|\\u200[b-f])+(?: |\\u200[0-9a])+){0,9}(?:[a-j]|\\u200[b-f])+""#;
        let dfa = Regex::parse(pattern, PatternFlags::default()).expect("a pattern");
        let dfa = dfa.to_dfa(&RegularLimits::default()).expect("small");
        let strings = Strings::new(&dfa).expect("strings");
        let (states, _) = states(&strings, 100).expect("short ones");
        let reader = Reader { strings: &strings, states: &states, vocabulary: &vocabulary() };
        let after = |text: &str| dfa.state_after(text.as_bytes()).expect("a beginning");
        assert_eq!(reader.needed(after(r#""a\u2000"#)), 1);
        for text in [r#""a\u200"#, r#""a\u2000"#, r#""a"#] {
            assert_eq!(usual(&reader)[after(text) as usize], 0, "{text}");
        }
    }
}
