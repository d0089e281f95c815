//! From a language of texts to the language of their JSON spellings.
//!
//! A language of texts is an automaton over UTF-8. In a JSON string every code point has several spellings: itself
//! unless it is a control character, `"` or `\`; a short escape such as `\n` for some; `\uXXXX` in either case of
//! the digits, in two halves above U+FFFF. The spellings of different code points are disjoint and none is a
//! prefix of another, so spelling a deterministic automaton gives a deterministic automaton: the raw bytes keep the
//! transitions they have, and each state gets an escape state from which a trie of hexadecimal digits leads to
//! where the code point leads. Everything that is about characters (lengths, patterns, equality of keys) is
//! settled before, on texts.

use super::options::Strings;
use gcc_grammar_regular::Dfa;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

/// Letters of the short escapes and what they stand for.
const SHORT: [(u8, u8); 8] =
    [(b'"', b'"'), (b'\\', b'\\'), (b'/', b'/'), (b'b', 8), (b'f', 12), (b'n', 10), (b'r', 13), (b't', 9)];

/// What stands around the text.
#[derive(Clone, Copy)]
pub(super) struct Frame<'a> {
    /// An opening quote.
    pub(super) open: bool,
    /// A closing quote and what follows it; `None` if the string goes on.
    pub(super) close: Option<&'a Dfa>,
}

/// The texts of a language in their frame. `None` if it needs more than `max_states`.
pub(super) fn spell(texts: &Dfa, frame: Frame<'_>, strings: Strings, max_states: usize) -> Option<Dfa> {
    let mut speller = Speller {
        texts,
        close: frame.close,
        strings,
        fans: FxHashMap::default(),
        digits: Vec::new(),
        known: FxHashMap::default(),
    };
    let start = if frame.open { State::Open } else { State::Text(0) };
    Dfa::explore(start, max_states, |state| speller.step(state))
}

/// The spellings of all texts, per [`Strings`].
static ALL: [OnceLock<Arc<Dfa>>; 2] = [OnceLock::new(), OnceLock::new()];

/// All JSON strings. `texts` are all texts.
pub(super) fn all(texts: &Dfa, strings: Strings) -> Arc<Dfa> {
    let automaton = ALL[strings as usize].get_or_init(|| {
        let frame = Frame { open: true, close: Some(&Dfa::empty_string()) };
        Arc::new(spell(texts, frame, strings, usize::MAX).expect("there is no limit"))
    });
    automaton.clone()
}

/// Where the spelling automaton is.
#[derive(Clone, PartialEq, Eq, Hash)]
enum State {
    /// Before the opening quote.
    Open,
    /// In this state of the text automaton, perhaps inside a code point.
    Text(u32),
    /// After a backslash.
    Escape(u32),
    /// Before some hexadecimal digits: index into `Speller::digits`.
    Digits(u32),
    /// After the first half of a surrogate pair, with this for the second one.
    Low(u32),
    /// After the backslash of the second half.
    LowEscape(u32),
    /// After the closing quote, in this state of the tail.
    Tail(u32),
}

/// Where code points `low..=high` lead.
type Range = (u32, u32, Goal);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Goal {
    /// The code point is complete.
    Text(u32),
    /// The second half follows: index into `Speller::digits`.
    Low(u32),
}

/// `left` hexadecimal digits whose value decides by `ranges`.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Digits {
    left: u32,
    ranges: Vec<Range>,
}

/// Ranges of values and where they lead.
type Fan = Rc<[(u32, u32, u32)]>;

struct Speller<'a> {
    texts: &'a Dfa,
    close: Option<&'a Dfa>,
    strings: Strings,
    /// Per state and number of continuation bytes: where their value leads.
    fans: FxHashMap<(u32, u32), Fan>,
    digits: Vec<Digits>,
    known: FxHashMap<Digits, u32>,
}

impl Speller<'_> {
    fn step(&mut self, state: &State) -> (bool, Vec<(u8, u8, State)>) {
        match *state {
            State::Open => (false, vec![(b'"', b'"', State::Text(0))]),
            State::Text(at) => (self.close.is_none() && self.texts.is_accepting(at), self.text_edges(at)),
            State::Escape(at) => (false, self.escape_edges(at)),
            State::Digits(node) => (false, self.digit_edges(node)),
            State::Low(node) => (false, vec![(b'\\', b'\\', State::LowEscape(node))]),
            State::LowEscape(node) => (false, vec![(b'u', b'u', State::Digits(node))]),
            State::Tail(at) => self.close.map_or_else(Default::default, |tail| {
                let edges = tail.edges(at).map(|(low, high, to)| (low, high, State::Tail(to)));
                (tail.is_accepting(at), edges.collect())
            }),
        }
    }

    fn text_edges(&mut self, at: u32) -> Vec<(u8, u8, State)> {
        let mut edges = Vec::new();
        // An automaton inside a code point has continuation bytes only.
        let mut between = self.texts.is_accepting(at);
        for (low, high, to) in self.texts.edges(at) {
            between |= !(0x80..0xC0).contains(&low);
            for (low, high) in [(low, high.min(b'!')), (low.max(b'#'), high.min(b'[')), (low.max(b']'), high)]
            {
                let low = low.max(0x20);
                if low <= high {
                    edges.push((low, high, State::Text(to)));
                }
            }
        }
        if between {
            edges.push((b'\\', b'\\', State::Escape(at)));
        }
        if self.close.is_some() && self.texts.is_accepting(at) {
            edges.push((b'"', b'"', State::Tail(0)));
        }
        edges
    }

    fn escape_edges(&mut self, at: u32) -> Vec<(u8, u8, State)> {
        let mut edges = Vec::new();
        for (letter, code) in SHORT {
            if self.strings == Strings::Canonical && code == b'/' {
                continue;
            }
            if let Some(to) = self.texts.next(at, code) {
                edges.push((letter, letter, State::Text(to)));
            }
        }
        let ranges = self.escapes(at);
        if !ranges.is_empty() {
            let node = self.digits_node(Digits { left: 4, ranges });
            edges.push((b'u', b'u', State::Digits(node)));
        }
        edges
    }

    /// What `\u` and four digits may stand for.
    fn escapes(&mut self, at: u32) -> Vec<Range> {
        let points = self.code_points(at);
        let mut ranges = Vec::new();
        if self.strings == Strings::Canonical {
            let bare = (0..0x20u8).filter(|code| SHORT.iter().all(|(_, short)| short != code));
            let texts = self.texts;
            ranges.extend(bare.filter_map(|code| {
                Some((u32::from(code), u32::from(code), Goal::Text(texts.next(at, code)?)))
            }));
            return ranges;
        }
        let mut astral = Vec::new();
        for (low, high, to) in points {
            if low < 0x1_0000 {
                push(&mut ranges, (low, high.min(0xFFFF), Goal::Text(to)));
            }
            if high >= 0x1_0000 {
                astral.push((low.max(0x1_0000) - 0x1_0000, high - 0x1_0000, to));
            }
        }
        let halves = self.surrogates(&astral);
        let place = ranges.partition_point(|range| range.0 < 0xD800);
        ranges.splice(place..place, halves);
        ranges
    }

    /// The first halves of the pairs that spell the given code points (counted from U+10000).
    fn surrogates(&mut self, astral: &[(u32, u32, u32)]) -> Vec<Range> {
        let mut halves = Vec::new();
        // The second halves collected for one first half.
        let mut open: Option<(u32, Vec<Range>)> = None;
        for &(low, high, to) in astral {
            let mut low = low;
            while low <= high {
                let first = low >> 10;
                let full_until = if low & 0x3FF == 0 { (high + 1) >> 10 } else { 0 };
                if full_until > first {
                    self.close_half(open.take(), &mut halves);
                    let node =
                        self.digits_node(Digits { left: 4, ranges: vec![(0xDC00, 0xDFFF, Goal::Text(to))] });
                    push(&mut halves, (0xD800 + first, 0xD7FF + full_until, Goal::Low(node)));
                    low = full_until << 10;
                    continue;
                }
                let end = high.min(low | 0x3FF);
                if open.as_ref().is_some_and(|(half, _)| *half != first) {
                    self.close_half(open.take(), &mut halves);
                }
                let (_, seconds) = open.get_or_insert_with(|| (first, Vec::new()));
                push(seconds, (0xDC00 + (low & 0x3FF), 0xDC00 + (end & 0x3FF), Goal::Text(to)));
                low = end + 1;
            }
        }
        self.close_half(open, &mut halves);
        halves
    }

    fn close_half(&mut self, open: Option<(u32, Vec<Range>)>, halves: &mut Vec<Range>) {
        if let Some((first, ranges)) = open {
            let node = self.digits_node(Digits { left: 4, ranges });
            push(halves, (0xD800 + first, 0xD800 + first, Goal::Low(node)));
        }
    }

    fn digits_node(&mut self, digits: Digits) -> u32 {
        if let Some(&node) = self.known.get(&digits) {
            return node;
        }
        let node = self.digits.len() as u32;
        self.digits.push(digits.clone());
        self.known.insert(digits, node);
        node
    }

    fn digit_edges(&mut self, node: u32) -> Vec<(u8, u8, State)> {
        let Digits { left, ranges } = self.digits[node as usize].clone();
        let block = 1 << (4 * (left - 1));
        let mut edges = Vec::new();
        for digit in 0..16u32 {
            let (from, to) = (digit * block, digit * block + block - 1);
            let start = ranges.partition_point(|range| range.1 < from);
            let inside = ranges[start..].iter().take_while(|range| range.0 <= to);
            let clipped: Vec<Range> =
                inside.map(|&(low, high, goal)| (low.max(from) - from, high.min(to) - from, goal)).collect();
            let Some(&(_, _, goal)) = clipped.first() else { continue };
            let state = match (left, goal) {
                (1, Goal::Text(at)) => State::Text(at),
                (1, Goal::Low(node)) => State::Low(node),
                _ => State::Digits(self.digits_node(Digits { left: left - 1, ranges: clipped })),
            };
            self.push_digit(&mut edges, digit as u8, state);
        }
        edges
    }

    fn push_digit(&self, edges: &mut Vec<(u8, u8, State)>, digit: u8, state: State) {
        if digit < 10 {
            edges.push((b'0' + digit, b'0' + digit, state));
            return;
        }
        if self.strings == Strings::All {
            edges.push((b'A' + digit - 10, b'A' + digit - 10, state.clone()));
        }
        edges.push((b'a' + digit - 10, b'a' + digit - 10, state));
    }

    /// Where every code point leads from a state between code points: sorted, disjoint.
    fn code_points(&mut self, at: u32) -> Vec<(u32, u32, u32)> {
        let texts = self.texts;
        let mut points = Vec::new();
        for (low, high, to) in texts.edges(at) {
            if low < 0x80 {
                push(&mut points, (u32::from(low), u32::from(high.min(0x7F)), to));
            }
            for (first, last, mask, left) in
                [(0xC2, 0xDF, 0x1F, 1), (0xE0, 0xEF, 0x0F, 2), (0xF0, 0xF4, 0x07, 3)]
            {
                let leads = low.max(first)..=high.min(last);
                self.spread(&mut points, leads, mask, left, to);
            }
        }
        points
    }

    /// Adds what follows a run of bytes that all lead to `to`, before `left` more continuation bytes.
    fn spread(
        &mut self,
        points: &mut Vec<(u32, u32, u32)>,
        bytes: std::ops::RangeInclusive<u8>,
        mask: u8,
        left: u32,
        to: u32,
    ) {
        if bytes.is_empty() {
            return;
        }
        let fan = self.fan(to, left);
        let size = 1 << (6 * left);
        for byte in bytes {
            let base = u32::from(byte & mask) * size;
            for &(low, high, goal) in fan.iter() {
                push(points, (base + low, base + high, goal));
            }
        }
    }

    /// Where the value of `left` continuation bytes leads from `at`.
    fn fan(&mut self, at: u32, left: u32) -> Rc<[(u32, u32, u32)]> {
        if left == 0 {
            return Rc::new([(0, 0, at)]);
        }
        if let Some(fan) = self.fans.get(&(at, left)) {
            return fan.clone();
        }
        let mut points = Vec::new();
        let texts = self.texts;
        for (low, high, to) in texts.edges(at) {
            self.spread(&mut points, low.max(0x80)..=high.min(0xBF), 0x3F, left - 1, to);
        }
        let fan: Rc<[_]> = points.into();
        self.fans.insert((at, left), fan.clone());
        fan
    }
}

/// Appends a range, joined to the last one where possible.
fn push<G: PartialEq>(ranges: &mut Vec<(u32, u32, G)>, range: (u32, u32, G)) {
    match ranges.last_mut() {
        Some(last) if last.1 + 1 == range.0 && last.2 == range.2 => last.1 = range.1,
        _ => ranges.push(range),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcc_grammar_regular::Regex;
    use gcc_grammar_regular::RegularLimits;

    fn spelled(regex: &Regex, strings: Strings) -> Dfa {
        let texts = regex.to_dfa(&RegularLimits::default()).unwrap();
        let frame = Frame { open: true, close: Some(&Dfa::empty_string()) };
        spell(&texts, frame, strings, 100_000).unwrap()
    }

    #[test]
    fn every_spelling_of_a_letter() {
        let dfa = spelled(&Regex::literal("aé𝄞/\n"), Strings::All);
        for text in
            [r#""aé𝄞/\n""#, r#""\u0061\u00e9\ud834\udd1e\/\u000a""#, r#""a\u00E9\uD834\uDD1E\u002f\u000A""#]
        {
            assert!(dfa.accepts(text.as_bytes()), "{text}");
        }
        for text in ["\"aé𝄞/\n\"", r#""aé\ud834/\n""#, r#""aé𝄞/n""#, r#"aé𝄞/\n"#, r#""aé𝄞/\n"x"#]
        {
            assert!(!dfa.accepts(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn canonical_spelling_is_one() {
        let dfa = spelled(&Regex::literal("a/\n\u{1f}"), Strings::Canonical);
        assert!(dfa.accepts(br#""a/\n\u001f""#));
        for text in [r#""a\/\n\u001f""#, r#""a/\u000a\u001f""#, r#""a/\n\u001F""#, r#""\u0061/\n\u001f""#] {
            assert!(!dfa.accepts(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn ranges_across_the_surrogates() {
        let set = gcc_grammar_regular::CharSet::new([(0xD7F0, 0x1_0FFF), (0x2_0001, 0x2_0801)]);
        let dfa = spelled(&Regex::Chars(set.clone()), Strings::All);
        let probes = [
            0xD7EF, 0xD7F0, 0xE000, 0xFFFF, 0x1_0000, 0x1_0FFF, 0x1_1000, 0x2_0000, 0x2_0001, 0x2_0801,
            0x2_0802,
        ];
        for code in probes {
            let mut units = [0; 2];
            let escaped: String = char::from_u32(code)
                .unwrap()
                .encode_utf16(&mut units)
                .iter()
                .map(|unit| format!("\\u{unit:04x}"))
                .collect();
            assert_eq!(dfa.accepts(format!("\"{escaped}\"").as_bytes()), set.contains(code), "{escaped}");
        }
        assert!(!dfa.accepts(br#""\ud800""#));
    }
}
