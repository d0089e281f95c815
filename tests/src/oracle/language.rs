//! Regular languages, which are stepped by derivatives.
//!
//! The derivative of a language `L` by a unit `u` is the set of the rests of texts after `u`: `{ w : u·w ∈ L }`.
//! Brzozowski (Derivatives of regular expressions, 1964) computes it on the expression itself, with intersection and
//! complement as easy as union, and shows that finitely many derivatives exist up to associativity,
//! commutativity and idempotence of union; the constructors here normalize that far and no further.
//!
//! Assertions (`^`, `\b`, …) look at the bytes on both sides, so derivatives are taken with the previous byte known.
//! A *frame* is the text that assertions look at; its node remembers the byte read last.

use super::unit::Unit;
use super::utf8;
use gcc_grammar_ir::index_newtype;
use gcc_grammar_ir::special::{self, MARK};
use gcc_grammar_regular::{ByteSet, Dfa, Look, Regex};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The token that stands where the limit on the tokens of a lexeme ends it though its text would have to go on. No vocabulary has it.
pub const LIMIT: u32 = u32::MAX;

index_newtype! {
    /// An expression in [`Languages`]; equal expressions have equal ids.
    Language;
}

/// An expression. Children are ids, so equality is shallow.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Node {
    Empty,
    Bytes(ByteSet),
    /// Any one special token of these inclusive id ranges.
    Tokens(Vec<(u32, u32)>),
    Concat(Language, Language),
    /// Sorted, without duplicates; without parts it is the empty language.
    Union(Vec<Language>),
    /// Sorted, without duplicates; without parts it is all byte strings.
    Intersect(Vec<Language>),
    /// The byte strings that are not in it.
    Complement(Language),
    Repeat(Language, u32, Option<u32>),
    Automaton(usize, u32),
    /// The empty string where it holds; only inside a frame.
    Look(Look),
    /// The rest of a text that assertions look at, and the byte before it.
    Frame(Language, Option<u8>),
}

/// All expressions in use, hash-consed, with their derivatives so far.
#[derive(Debug)]
pub struct Languages {
    nodes: Vec<Node>,
    /// Per node: the empty string is in it, wherever it stands.
    nullable: Vec<bool>,
    ids: FxHashMap<Node, Language>,
    /// Per node: it has assertions that look at the text around it.
    looks: Vec<bool>,
    /// Known derivatives, by expression, byte before it (if the expression looks at it), and unit.
    steps: FxHashMap<(Language, Option<u8>, Unit), Language>,
    inhabited: FxHashMap<Language, bool>,
    /// Each with whether it has marks.
    automata: Vec<(Arc<Dfa>, bool)>,
    /// Class of each byte: bytes of one class occur in the same leaves, so all derivatives by them are equal.
    byte_classes: [u32; 256],
    /// Whether marks in literals and automata are tokens.
    marks: bool,
    /// Sorted ends of the token ranges in use: ids between two neighbours occur in the same leaves.
    token_bounds: Vec<u32>,
}

impl Default for Languages {
    fn default() -> Self {
        Self::new()
    }
}

impl Languages {
    /// No languages yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            nodes: Vec::new(),
            nullable: Vec::new(),
            looks: Vec::new(),
            ids: FxHashMap::default(),
            steps: FxHashMap::default(),
            inhabited: FxHashMap::default(),
            automata: Vec::new(),
            byte_classes: [0; 256],
            marks: false,
            token_bounds: Vec::new(),
        }
    }

    /// The language of a regular expression.
    pub fn regex(&mut self, regex: &Regex) -> Language {
        let inner = self.expression(regex);
        self.frame(inner, None)
    }

    /// The same, where marks in literals and automata stand for special tokens: the byte 0xFF, and the id in the six low bits of four more bytes. The
    /// mark of the limit on tokens, 0xFF and 0xC0, is [`LIMIT`].
    pub fn marked(&mut self, regex: &Regex) -> Language {
        self.marks = true;
        let language = self.regex(regex);
        self.marks = false;
        language
    }

    /// The strings with a byte of each range.
    fn byte_ranges(&mut self, ranges: &[(u8, u8)]) -> Language {
        let end = self.empty();
        ranges.iter().rev().fold(end, |rest, &(low, high)| {
            let byte = self.bytes(low, high);
            self.concat(byte, rest)
        })
    }

    /// The expression, whose assertions may look outside it.
    fn expression(&mut self, regex: &Regex) -> Language {
        match regex {
            Regex::Chars(set) => {
                let sequences = set.0.iter().flat_map(|&(low, high)| utf8::encodings(low, high));
                let parts = sequences.map(|sequence| self.byte_ranges(&sequence)).collect();
                self.union(parts)
            }
            Regex::Bytes(set) => self.byte_set(*set),
            Regex::Literal(bytes) => self.literal(bytes),
            Regex::Concat(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.expression(part)).collect();
                self.sequence(&parts)
            }
            Regex::Union(parts) => {
                let parts = parts.iter().map(|part| self.expression(part)).collect();
                self.union(parts)
            }
            Regex::Repeat { inner, min, max } => {
                let inner = self.expression(inner);
                self.repeat(inner, *min, *max)
            }
            Regex::Intersect(parts) => {
                let parts = parts.iter().map(|part| self.regex(part)).collect();
                self.intersect(parts)
            }
            Regex::Complement(inner) => {
                let inner = self.regex(inner);
                self.intern(Node::Complement(inner))
            }
            Regex::Lazy(inner) => self.expression(inner),
            Regex::Look(look) => {
                self.refine_classes(|byte| u32::from(byte == b'\n') + 2 * u32::from(is_word(Some(byte))));
                self.intern(Node::Look(*look))
            }
            Regex::Around(_) => unreachable!("front ends make automata of expressions with look-around"),
            Regex::Automaton(automaton) => self.automaton(automaton),
        }
    }

    /// Any one special token with an id in one of the inclusive ranges.
    pub fn tokens(&mut self, ranges: Vec<(u32, u32)>) -> Language {
        if ranges.is_empty() {
            return self.nothing();
        }
        self.token_bounds.extend(ranges.iter().flat_map(|&(low, high)| [low, high.saturating_add(1)]));
        self.token_bounds.sort_unstable();
        self.token_bounds.dedup();
        self.intern(Node::Tokens(ranges))
    }

    /// Just the empty string.
    pub fn empty(&mut self) -> Language {
        self.intern(Node::Empty)
    }

    /// No string at all.
    pub fn nothing(&mut self) -> Language {
        self.intern(Node::Union(Vec::new()))
    }

    /// One byte between `low` and `high`.
    pub fn bytes(&mut self, low: u8, high: u8) -> Language {
        self.byte_set((low..=high).collect())
    }

    /// A member of the first, then a member of the second.
    pub fn concat(&mut self, first: Language, second: Language) -> Language {
        match (self.node(first), self.node(second)) {
            (Node::Union(parts), _) | (_, Node::Union(parts)) if parts.is_empty() => self.nothing(),
            (Node::Empty, _) => second,
            (_, Node::Empty) => first,
            // To the right, so that equal concatenations are equal nodes.
            (&Node::Concat(head, tail), _) => {
                let rest = self.concat(tail, second);
                self.concat(head, rest)
            }
            _ => self.intern(Node::Concat(first, second)),
        }
    }

    /// A member of any one.
    pub fn union(&mut self, parts: Vec<Language>) -> Language {
        let mut flat = Vec::new();
        for part in parts {
            match self.node(part) {
                Node::Union(inner) => flat.extend_from_slice(inner),
                _ => flat.push(part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        if flat.len() == 1 { flat[0] } else { self.intern(Node::Union(flat)) }
    }

    /// The intersection.
    #[must_use]
    pub fn intersect(&mut self, parts: Vec<Language>) -> Language {
        let nothing = self.nothing();
        let mut flat = Vec::new();
        for part in parts {
            match self.node(part) {
                Node::Intersect(inner) => flat.extend_from_slice(inner),
                _ => flat.push(part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        match flat[..] {
            [only] => only,
            _ if flat.contains(&nothing) => nothing,
            _ => self.intern(Node::Intersect(flat)),
        }
    }

    /// Members one after another, `min` to `max` of them (`None`: no bound).
    pub fn repeat(&mut self, inner: Language, min: u32, max: Option<u32>) -> Language {
        match max {
            Some(max) if max < min => self.nothing(),
            Some(0) => self.empty(),
            Some(1) if min == 1 => inner,
            _ => self.intern(Node::Repeat(inner, min, max)),
        }
    }

    /// Whether the empty string is a member.
    #[must_use]
    pub fn is_nullable(&self, language: Language) -> bool {
        self.nullable[language.index()]
    }

    /// The derivative by `unit`.
    pub fn step(&mut self, language: Language, unit: Unit) -> Language {
        self.step_after(language, None, unit)
    }

    /// The derivative by `unit`, which comes after the byte `before`.
    fn step_after(&mut self, language: Language, before: Option<u8>, unit: Unit) -> Language {
        let key = (language, before.filter(|_| self.looks[language.index()]), unit);
        if let Some(&known) = self.steps.get(&key) {
            return known;
        }
        let node = self.node(language).clone();
        let derivative = self.derive(&node, before, unit);
        self.steps.insert(key, derivative);
        derivative
    }

    /// Whether the empty string is a member between the bytes `before` and `after`.
    fn is_nullable_between(&self, language: Language, before: Option<u8>, after: Option<u8>) -> bool {
        if !self.looks[language.index()] {
            return self.is_nullable(language);
        }
        let nullable = |part: Language| self.is_nullable_between(part, before, after);
        match self.node(language) {
            Node::Look(look) => holds(*look, before, after),
            Node::Concat(first, second) => nullable(*first) && nullable(*second),
            Node::Union(parts) => parts.iter().any(|&part| nullable(part)),
            Node::Repeat(inner, min, _) => *min == 0 || nullable(*inner),
            _ => unreachable!("nothing else looks outside itself"),
        }
    }

    /// The derivative after Brzozowski, theorem 3.1.
    fn derive(&mut self, node: &Node, before: Option<u8>, unit: Unit) -> Language {
        let after = match unit {
            Unit::Byte(byte) => Some(byte),
            Unit::Token(_) | Unit::TokenEnd => None,
        };
        match (node, unit) {
            (Node::Empty | Node::Look(_), _) => self.nothing(),
            (&Node::Frame(inner, before), _) => {
                let step = self.step_after(inner, before, unit);
                self.frame(step, after)
            }
            (Node::Bytes(set), Unit::Byte(byte)) if set.contains(byte) => self.empty(),
            (Node::Tokens(ranges), Unit::Token(id))
                if ranges.iter().any(|&(low, high)| low <= id && id <= high) =>
            {
                self.empty()
            }
            (Node::Bytes(_) | Node::Tokens(_), _) => self.nothing(),
            (&Node::Concat(first, second), _) => {
                let step = self.step_after(first, before, unit);
                let mut parts = vec![self.concat(step, second)];
                if self.is_nullable_between(first, before, after) {
                    parts.push(self.step_after(second, before, unit));
                }
                self.union(parts)
            }
            (Node::Union(parts), _) => {
                let parts = parts.iter().map(|&part| self.step_after(part, before, unit)).collect();
                self.union(parts)
            }
            // Complement speaks of byte strings.
            (Node::Complement(_), Unit::Token(_) | Unit::TokenEnd) => self.nothing(),
            (Node::Intersect(parts), _) => {
                let parts = parts.iter().map(|&part| self.step(part, unit)).collect();
                self.intersect(parts)
            }
            (&Node::Complement(inner), Unit::Byte(_)) => {
                let step = self.step(inner, unit);
                self.intern(Node::Complement(step))
            }
            // Pieces before the first that is not empty count, too, if the inner one is nullable here.
            (&Node::Repeat(inner, min, max), _) => {
                let step = self.step_after(inner, before, unit);
                let empty = self.is_nullable_between(inner, before, after);
                let min = if empty { 0 } else { min.saturating_sub(1) };
                let rest = self.repeat(inner, min, max.map(|max| max - 1));
                self.concat(step, rest)
            }
            (&Node::Automaton(automaton, state), _) => match self.after_unit(automaton, state, unit) {
                Some(next) => self.intern(Node::Automaton(automaton, next)),
                None => self.nothing(),
            },
        }
    }

    /// The state of an automaton after a unit. With marks, tokens are read as these.
    fn after_unit(&self, automaton: usize, state: u32, unit: Unit) -> Option<u32> {
        let (dfa, has_marks) = &self.automata[automaton];
        let read = |bytes: &[u8]| bytes.iter().try_fold(state, |state, &byte| dfa.next(state, byte));
        match unit {
            Unit::Byte(MARK) if *has_marks => None,
            Unit::Byte(byte) => dfa.next(state, byte),
            Unit::Token(LIMIT) if *has_marks => read(&special::LIMIT),
            Unit::Token(token) if *has_marks => read(&special::mark(token)),
            Unit::Token(_) | Unit::TokenEnd => None,
        }
    }

    /// Whether there is any member.
    pub fn is_inhabited(&mut self, language: Language) -> bool {
        if let Some(&known) = self.inhabited.get(&language) {
            return known;
        }
        let letters = self.letters();
        let mut seen = FxHashSet::from_iter([language]);
        let mut pending = vec![language];
        while let Some(current) = pending.pop() {
            if self.is_nullable(current) || self.inhabited.get(&current) == Some(&true) {
                self.inhabited.insert(language, true);
                return true;
            }
            for &unit in &letters {
                let next = self.step(current, unit);
                if self.inhabited.get(&next) != Some(&false) && seen.insert(next) {
                    pending.push(next);
                }
            }
        }
        self.inhabited.extend(seen.into_iter().map(|dead| (dead, false)));
        false
    }

    /// Representatives of all units: every unit has the same derivatives as one of these, or only empty derivatives.
    #[must_use]
    pub fn letters(&self) -> Vec<Unit> {
        let bytes: BTreeMap<u32, u8> =
            (0..=255).rev().map(|byte| (self.byte_classes[usize::from(byte)], byte)).collect();
        let bytes = bytes.into_values().map(Unit::Byte);
        bytes.chain(self.token_bounds.iter().copied().map(Unit::Token)).collect()
    }

    /// The expression as a text of its own, after the byte `before`.
    fn frame(&mut self, inner: Language, before: Option<u8>) -> Language {
        if self.looks[inner.index()] { self.intern(Node::Frame(inner, before)) } else { inner }
    }

    fn literal(&mut self, bytes: &[u8]) -> Language {
        if self.marks
            && let Some((before, id, behind)) = first_mark(bytes)
        {
            let parts = [self.literal(before), self.tokens(vec![(id, id)]), self.literal(behind)];
            return self.sequence(&parts);
        }
        let letters: Vec<_> = bytes.iter().map(|&byte| self.bytes(byte, byte)).collect();
        self.sequence(&letters)
    }

    fn sequence(&mut self, parts: &[Language]) -> Language {
        let empty = self.empty();
        parts.iter().rev().fold(empty, |rest, &part| self.concat(part, rest))
    }

    fn byte_set(&mut self, set: ByteSet) -> Language {
        if set.is_empty() {
            return self.nothing();
        }
        self.refine_classes(|byte| u32::from(set.contains(byte)));
        self.intern(Node::Bytes(set))
    }

    fn automaton(&mut self, automaton: &Arc<Dfa>) -> Language {
        for state in 0..u32::try_from(automaton.state_count()).expect("a small automaton") {
            self.refine_classes(|byte| automaton.next(state, byte).map_or(0, |next| next + 1));
        }
        if self.marks {
            let states = 0..u32::try_from(automaton.state_count()).expect("a small automaton");
            let limit = |state| special::is_limit_at(automaton, state).then_some((LIMIT, state));
            let marks =
                states.flat_map(|state| special::marks_at(automaton, state).into_iter().chain(limit(state)));
            let tokens: Vec<(u32, u32)> = marks.map(|(token, _)| (token, token)).collect();
            self.tokens(tokens);
        }
        self.automata.push((Arc::clone(automaton), self.marks));
        self.intern(Node::Automaton(self.automata.len() - 1, 0))
    }

    /// Splits the byte classes so that `key` is the same within each.
    fn refine_classes(&mut self, key: impl Fn(u8) -> u32) {
        let mut ids = BTreeMap::new();
        for byte in 0..=255 {
            let class = &mut self.byte_classes[usize::from(byte)];
            let fresh = u32::try_from(ids.len()).expect("at most 256 classes");
            *class = *ids.entry((*class, key(byte))).or_insert(fresh);
        }
    }

    fn node(&self, language: Language) -> &Node {
        &self.nodes[language.index()]
    }

    fn intern(&mut self, node: Node) -> Language {
        if let Some(&known) = self.ids.get(&node) {
            return known;
        }
        let id = Language::new(self.nodes.len());
        self.nullable.push(self.contains_empty(&node));
        self.looks.push(self.looks_outside(&node));
        self.ids.insert(node.clone(), id);
        self.nodes.push(node);
        id
    }

    fn contains_empty(&self, node: &Node) -> bool {
        match node {
            Node::Empty => true,
            Node::Bytes(_) | Node::Tokens(_) => false,
            Node::Concat(first, second) => self.is_nullable(*first) && self.is_nullable(*second),
            Node::Union(parts) => parts.iter().any(|&part| self.is_nullable(part)),
            Node::Intersect(parts) => parts.iter().all(|&part| self.is_nullable(part)),
            Node::Complement(inner) => !self.is_nullable(*inner),
            Node::Repeat(inner, min, _) => *min == 0 || self.is_nullable(*inner),
            Node::Automaton(automaton, state) => self.automata[*automaton].0.is_accepting(*state),
            Node::Look(_) => false,
            Node::Frame(inner, before) => self.is_nullable_between(*inner, *before, None),
        }
    }

    fn looks_outside(&self, node: &Node) -> bool {
        let looks = |part: &Language| self.looks[part.index()];
        match node {
            Node::Look(_) => true,
            Node::Concat(first, second) => looks(first) || looks(second),
            Node::Union(parts) => parts.iter().any(looks),
            Node::Repeat(inner, _, _) => looks(inner),
            _ => false,
        }
    }
}

/// The bytes before the first mark of a literal, its token, and the bytes behind it.
fn first_mark(bytes: &[u8]) -> Option<(&[u8], u32, &[u8])> {
    let (before, rest) = bytes.split_at(bytes.iter().position(|&byte| byte == 0xFF)?);
    if let Some(behind) = rest.strip_prefix(&[0xFF, 0xC0]) {
        return Some((before, LIMIT, behind));
    }
    let (mark, behind) = rest.split_at_checked(5)?;
    let id = mark[1..].iter().fold(0, |id, &digit| id << 6 | u32::from(digit) & 0x3F);
    Some((before, id, behind))
}

fn is_word(byte: Option<u8>) -> bool {
    byte.is_some_and(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}

fn holds(look: Look, before: Option<u8>, after: Option<u8>) -> bool {
    match look {
        Look::Start => before.is_none(),
        Look::End => after.is_none(),
        Look::LineStart => before.is_none_or(|byte| byte == b'\n'),
        Look::LineEnd => after.is_none_or(|byte| byte == b'\n'),
        Look::WordBoundary => is_word(before) != is_word(after),
        Look::NotWordBoundary => is_word(before) == is_word(after),
        // A line ends after "\r\n", "\n" and "\r", and not within "\r\n".
        Look::LineStartCrlf => match before {
            Some(b'\r') => after != Some(b'\n'),
            before => before.is_none_or(|byte| byte == b'\n'),
        },
        Look::LineEndCrlf => match after {
            Some(b'\n') => before != Some(b'\r'),
            after => after.is_none_or(|byte| byte == b'\r'),
        },
        Look::WordStart => is_word(after) && !is_word(before),
        Look::WordEnd => is_word(before) && !is_word(after),
        Look::WordStartHalf => !is_word(before),
        Look::WordEndHalf => !is_word(after),
    }
}
