//! ECMA-262 regular expressions to languages of texts.
//!
//! The syntax is that of ECMA-262 section 22.2.1 with the leniencies of annex B (`{`, `]` and `}` may stand for
//! themselves), `\p{…}` and `\u{…}`. Patterns search: the language of `p` is all texts in which `p` matches
//! somewhere. Assertions `^ $ \b \B` are left to the automata construction. Lookaround is not a regular operator,
//! but it is closed under what the automata can do where the rest of the text is known: with everything that follows
//! up to the end of the text as `rest`, `(?=x)rest` is the intersection of `x.*` and `rest`, and `(?!x)` that with
//! the complement; `(?<=x)` and `(?<!x)` are the mirror image. A short repetition is written out. In a longer one the rest is
//! not known, so lookaround there is refused, but for `((?!x).)*$` and the like, which is a condition on all suffixes;
//! as are back references, which are not regular at all.

use gcc_grammar_regular::Regex;
use gcc_grammar_regular::{CharSet, Look, PatternFlags};

/// Groups may nest this deep.
const MAX_DEPTH: usize = 100;

/// Repetitions with lookaround inside are written out up to this often.
const MAX_WRITTEN_OUT: u32 = 8;
/// How deep and how large a pattern may become when what comes after lookaround is written into it.
const MAX_LEVELS: usize = 300;
const MAX_PARTS: usize = 10_000;

/// What is wrong with a pattern.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PatternError {
    /// In characters from the start of the pattern.
    pub(super) position: usize,
    pub(super) message: &'static str,
    /// It is a correct pattern, but beyond automata.
    pub(super) unsupported: bool,
}

/// The texts in which the pattern matches somewhere.
pub(super) fn language(pattern: &str) -> Result<Regex, PatternError> {
    let mut parser = Parser { text: pattern.chars().collect(), position: 0, depth: 0 };
    let node = parser.disjunction()?;
    if parser.position < parser.text.len() {
        return Err(parser.error("there is no group that this parenthesis closes"));
    }
    search(&node)
}

/// The texts that a pattern without lookaround and anchors matches as a whole.
pub(super) fn exactly(pattern: &str) -> Result<Regex, PatternError> {
    let mut parser = Parser { text: pattern.chars().collect(), position: 0, depth: 0 };
    plain(&parser.disjunction()?)
}

/// A pattern read.
enum Node {
    Empty,
    Chars(CharSet),
    Look(Look),
    Around { behind: bool, negative: bool, inner: Box<Node>, position: usize },
    Concat(Vec<Node>),
    Alternatives(Vec<Node>),
    Repeat { inner: Box<Node>, min: u32, max: Option<u32> },
}

fn anything() -> Regex {
    Regex::any_char().star()
}

fn search(node: &Node) -> Result<Regex, PatternError> {
    match first_lookaround(node) {
        None => plain(node).map(Regex::anywhere),
        Some(position) => match node {
            Node::Alternatives(nodes) => {
                nodes.iter().map(search).collect::<Result<Vec<_>, _>>().map(Regex::union)
            }
            Node::Concat(nodes) => sequence(nodes),
            Node::Around { .. } | Node::Repeat { .. } => sequence(std::slice::from_ref(node)),
            _ => Err(unsupported(position)),
        },
    }
}

/// A sequence with lookaround in it: what was read before a lookbehind is a language of its own, and so is what
/// comes after a lookahead.
fn sequence(nodes: &[Node]) -> Result<Regex, PatternError> {
    let last_behind = nodes.iter().rposition(|node| matches!(node, Node::Around { behind: true, .. }));
    let Some(place) = last_behind else {
        return Ok(Regex::concat([anything(), followed(nodes, anything())?]));
    };
    let Node::Around { negative, inner, position, .. } = &nodes[place] else { return Ok(Regex::never()) };
    if first_lookaround(inner).is_some() || looks(&nodes[place + 1..], |look| look != Look::End) {
        return Err(unsupported(*position));
    }
    let head = match nodes[..place].iter().find_map(first_lookaround) {
        None => Regex::concat([anything(), plain_all(&nodes[..place])?]),
        Some(position) => return Err(unsupported(position)),
    };
    let behind = Regex::concat([anything(), plain(inner)?]);
    let behind = if *negative { Regex::Complement(Box::new(behind)) } else { behind };
    Ok(Regex::concat([Regex::Intersect(vec![head, behind]), followed(&nodes[place + 1..], anything())?]))
}

/// The nodes and then `rest`, which reaches to the end of the text. Written from the last node to the first, so only nesting
/// recurses, which the parser bounds.
fn followed(nodes: &[Node], rest: Regex) -> Result<Regex, PatternError> {
    let is_rest_free = is_anything(&rest);
    let (mut tail, mut end) = (rest, nodes.len());
    while let Some(place) = nodes[..end].iter().rposition(|node| first_lookaround(node).is_some()) {
        let after = &nodes[place + 1..];
        tail = Regex::concat([plain_all(&nodes[place + 1..end])?, tail]);
        let copies = match &nodes[place] {
            Node::Alternatives(alternatives) => alternatives.len(),
            _ => 1,
        };
        if !tail.is_within(MAX_LEVELS, MAX_PARTS / copies) {
            let message = "with its lookaround written out the pattern is too large";
            let position = first_lookaround(&nodes[place]).unwrap_or(0);
            return Err(PatternError { position, message, unsupported: true });
        }
        tail = guarded(&nodes[place], after, tail, is_rest_free)?;
        end = place;
    }
    Ok(Regex::concat([plain_all(&nodes[..end])?, tail]))
}

/// A node with lookaround in it, and then `rest`, which begins with the nodes in `after`. If the rest is free, it ends with
/// anything.
fn guarded(node: &Node, after: &[Node], rest: Regex, is_rest_free: bool) -> Result<Regex, PatternError> {
    Ok(match node {
        Node::Around { behind: false, negative, inner, position } => {
            // Inside an intersection, `^` and `\b` would look at its edge instead of the text before it.
            if looks(after, |look| look != Look::End)
                || looks(std::slice::from_ref(inner), |look| look != Look::End)
            {
                return Err(unsupported(*position));
            }
            let ahead = followed(std::slice::from_ref(inner), anything())?;
            let ahead = if *negative { Regex::Complement(Box::new(ahead)) } else { ahead };
            Regex::Intersect(vec![rest, ahead])
        }
        Node::Concat(inner) => followed(inner, rest)?,
        Node::Alternatives(alternatives) => {
            let each = alternatives.iter().map(|node| followed(std::slice::from_ref(node), rest.clone()));
            Regex::union(each.collect::<Result<Vec<_>, _>>()?)
        }
        Node::Repeat { inner, min, max: Some(max) } if *max <= MAX_WRITTEN_OUT => {
            repeated(inner, *min, *max, &rest)?
        }
        // The end of the text is all that may follow.
        Node::Repeat { inner, min, max: None }
            if is_rest_free && matches!(after, [Node::Look(Look::End)]) =>
        {
            guarded_to_the_end(inner, *min)?
        }
        node => return Err(unsupported(first_lookaround(node).unwrap_or(0))),
    })
}

/// The node `min` to `max` times, and then `rest`.
fn repeated(node: &Node, min: u32, max: u32, rest: &Regex) -> Result<Regex, PatternError> {
    let mut tail = rest.clone();
    for count in (0..max).rev() {
        let once_more = followed(std::slice::from_ref(node), tail)?;
        tail = if count < min { once_more } else { Regex::union([rest.clone(), once_more]) };
    }
    Ok(tail)
}

fn is_anything(regex: &Regex) -> bool {
    match regex {
        Regex::Repeat { inner, min: 0, max: None } => {
            matches!(&**inner, Regex::Chars(set) if *set == CharSet::all())
        }
        _ => false,
    }
}

/// One character after lookaheads, at least `min` times up to the end of the text: every suffix of the text has to meet what
/// the lookaheads say.
fn guarded_to_the_end(node: &Node, min: u32) -> Result<Regex, PatternError> {
    let refused = || unsupported(first_lookaround(node).unwrap_or(0));
    let Node::Concat(nodes) = node else { return Err(refused()) };
    let Some((Node::Chars(set), guards)) = nodes.split_last() else { return Err(refused()) };
    let mut bad = Vec::new();
    for guard in guards {
        let Node::Around { behind: false, negative, inner, .. } = guard else { return Err(refused()) };
        if looks(std::slice::from_ref(inner), |look| look != Look::End) {
            return Err(refused());
        }
        let ahead = followed(std::slice::from_ref(inner), anything())?;
        bad.push(if *negative { ahead } else { Regex::Complement(Box::new(ahead)) });
    }
    let some = Regex::any_char().repeat(1, None);
    let bad = Regex::concat([anything(), Regex::Intersect(vec![Regex::union(bad), some])]);
    let all = Regex::Chars(set.clone()).repeat(min, None);
    Ok(Regex::Intersect(vec![all, Regex::Complement(Box::new(bad))]))
}

fn plain_all(nodes: &[Node]) -> Result<Regex, PatternError> {
    nodes.iter().map(plain).collect::<Result<Vec<_>, _>>().map(Regex::concat)
}

/// A node without lookaround.
fn plain(node: &Node) -> Result<Regex, PatternError> {
    Ok(match node {
        Node::Empty => Regex::empty(),
        Node::Chars(set) => Regex::Chars(set.clone()),
        Node::Look(look) => Regex::Look(*look),
        Node::Around { position, .. } => return Err(unsupported(*position)),
        Node::Concat(nodes) => plain_all(nodes)?,
        Node::Alternatives(nodes) => Regex::union(nodes.iter().map(plain).collect::<Result<Vec<_>, _>>()?),
        Node::Repeat { inner, min, max } => plain(inner)?.repeat(*min, *max),
    })
}

/// Depth is bounded by the parser.
fn first_lookaround(node: &Node) -> Option<usize> {
    match node {
        Node::Empty | Node::Chars(_) | Node::Look(_) => None,
        Node::Around { position, .. } => Some(*position),
        Node::Concat(nodes) | Node::Alternatives(nodes) => nodes.iter().find_map(first_lookaround),
        Node::Repeat { inner, .. } => first_lookaround(inner),
    }
}

fn looks(nodes: &[Node], wanted: impl Fn(Look) -> bool + Copy) -> bool {
    nodes.iter().any(|node| match node {
        Node::Empty | Node::Chars(_) => false,
        Node::Look(look) => wanted(*look),
        Node::Around { inner, .. } | Node::Repeat { inner, .. } => looks(std::slice::from_ref(inner), wanted),
        Node::Concat(nodes) | Node::Alternatives(nodes) => looks(nodes, wanted),
    })
}

fn unsupported(position: usize) -> PatternError {
    PatternError {
        position,
        message: "lookaround is supported only where the rest of the text is known",
        unsupported: true,
    }
}

struct Parser {
    text: Vec<char>,
    position: usize,
    depth: usize,
}

impl Parser {
    fn disjunction(&mut self) -> Result<Node, PatternError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(PatternError { unsupported: true, ..self.error("groups are nested too deep") });
        }
        let mut alternatives = vec![self.alternative()?];
        while self.eat('|') {
            alternatives.push(self.alternative()?);
        }
        self.depth -= 1;
        Ok(match alternatives.pop() {
            Some(only) if alternatives.is_empty() => only,
            last => {
                alternatives.extend(last);
                Node::Alternatives(alternatives)
            }
        })
    }

    fn alternative(&mut self) -> Result<Node, PatternError> {
        let mut nodes = Vec::new();
        while let Some(next) = self.peek() {
            if next == '|' || next == ')' {
                break;
            }
            nodes.push(self.term()?);
        }
        Ok(match nodes.pop() {
            None => Node::Empty,
            Some(only) if nodes.is_empty() => only,
            Some(last) => {
                nodes.push(last);
                Node::Concat(nodes)
            }
        })
    }

    fn term(&mut self) -> Result<Node, PatternError> {
        let start = self.position;
        let node = self.atom()?;
        let Some((min, max)) = self.quantifier()? else { return Ok(node) };
        if matches!(node, Node::Look(_) | Node::Around { .. }) {
            return Err(PatternError {
                position: start,
                message: "an assertion cannot be repeated",
                unsupported: false,
            });
        }
        Ok(Node::Repeat { inner: Box::new(node), min, max })
    }

    fn quantifier(&mut self) -> Result<Option<(u32, Option<u32>)>, PatternError> {
        let bounds = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => match self.braces()? {
                Some(bounds) => bounds,
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        self.position += 1;
        // A lazy quantifier has the same language.
        self.eat('?');
        if matches!(self.peek(), Some('*' | '+' | '?')) {
            return Err(self.error("there is nothing to repeat"));
        }
        Ok(Some(bounds))
    }

    /// The bounds of `{2,5}`, up to its closing brace. `None` and nothing read if the brace stands for itself.
    fn braces(&mut self) -> Result<Option<(u32, Option<u32>)>, PatternError> {
        let start = self.position;
        self.position += 1;
        let min = self.count();
        let max = if self.eat(',') { self.count() } else { min };
        let open_end = self.text[self.position - 1] == ',';
        let (Some(min), Some('}')) = (min, self.peek()) else {
            self.position = start;
            return Ok(None);
        };
        let max = if open_end { None } else { max };
        if max.is_some_and(|max| max < min) {
            self.position = start;
            return Err(self.error("the bounds of this repetition are out of order"));
        }
        Ok(Some((min, max)))
    }

    /// A decimal number; as good as infinite beyond u32.
    fn count(&mut self) -> Option<u32> {
        let start = self.position;
        let mut count = 0u32;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            count = count.saturating_mul(10).saturating_add(digit);
            self.position += 1;
        }
        (self.position > start).then_some(count)
    }

    fn atom(&mut self) -> Result<Node, PatternError> {
        let start = self.position;
        let Some(next) = self.peek() else { return Ok(Node::Empty) };
        match next {
            '*' | '+' | '?' => return Err(self.error("there is nothing to repeat")),
            '{' if self.braces()?.is_some() => {
                self.position = start;
                return Err(self.error("there is nothing to repeat"));
            }
            _ => self.position += 1,
        }
        Ok(match next {
            '^' => Node::Look(Look::Start),
            '$' => Node::Look(Look::End),
            '.' => Node::Chars(line_terminators().negate()),
            '(' => self.group(start)?,
            '[' => Node::Chars(self.class(start)?),
            '\\' => self.escape(start)?,
            other => Node::Chars(CharSet::single(other)),
        })
    }

    fn group(&mut self, start: usize) -> Result<Node, PatternError> {
        let kinds = [
            ("?:", None),
            ("?=", Some((false, false))),
            ("?!", Some((false, true))),
            ("?<=", Some((true, false))),
            ("?<!", Some((true, true))),
        ];
        let kind = kinds.into_iter().find(|(prefix, _)| self.eat_all(prefix));
        if kind.is_none() && self.eat('?') && !self.group_name() {
            let message =
                "only (?:…), (?<name>…), (?=…), (?!…), (?<=…) and (?<!…) may start with a question mark";
            return Err(PatternError { position: start, message, unsupported: false });
        }
        let inner = self.disjunction()?;
        if !self.eat(')') {
            return Err(PatternError {
                position: start,
                message: "this group is not closed",
                unsupported: false,
            });
        }
        Ok(match kind {
            Some((_, Some((behind, negative)))) => {
                Node::Around { behind, negative, inner: Box::new(inner), position: start }
            }
            _ => inner,
        })
    }

    fn group_name(&mut self) -> bool {
        self.eat('<') && {
            let start = self.position;
            while self.peek().is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '$') {
                self.position += 1;
            }
            self.position > start && self.eat('>')
        }
    }

    fn escape(&mut self, start: usize) -> Result<Node, PatternError> {
        match self.peek() {
            Some('b') => {
                self.position += 1;
                Ok(Node::Look(Look::WordBoundary))
            }
            Some('B') => {
                self.position += 1;
                Ok(Node::Look(Look::NotWordBoundary))
            }
            Some('1'..='9' | 'k') => Err(PatternError {
                position: start,
                message: "a back reference is not a regular operation",
                unsupported: true,
            }),
            _ => self.class_escape(start).map(Node::Chars),
        }
    }

    /// After a backslash: one character or a predefined class.
    fn class_escape(&mut self, start: usize) -> Result<CharSet, PatternError> {
        let Some(letter) = self.peek() else { return Err(self.error("the pattern ends in a backslash")) };
        self.position += 1;
        let single = |c: char| Ok(CharSet::single(c));
        match letter {
            'd' => Ok(digits()),
            'D' => Ok(digits().negate()),
            'w' => Ok(word()),
            'W' => Ok(word().negate()),
            's' => Ok(space()),
            'S' => Ok(space().negate()),
            'p' | 'P' => self.property(start),
            'n' => single('\n'),
            'r' => single('\r'),
            't' => single('\t'),
            'v' => single('\u{b}'),
            'f' => single('\u{c}'),
            '0' if !matches!(self.peek(), Some('0'..='9')) => single('\0'),
            'c' => match self.peek() {
                Some(control) if control.is_ascii_alphabetic() => {
                    self.position += 1;
                    single((control as u8 % 32) as char)
                }
                _ => single_at(start, "\\c needs a letter"),
            },
            'x' => match self.hexadecimal(2).and_then(char::from_u32) {
                Some(c) => single(c),
                None => single_at(start, "\\x needs two hexadecimal digits"),
            },
            'u' => match self.unicode() {
                Some(c) => single(c),
                None => single_at(start, "\\u needs four hexadecimal digits of a character"),
            },
            other if other.is_ascii_alphanumeric() => single_at(start, "ECMA-262 has no such escape"),
            other => single(other),
        }
    }

    fn hexadecimal(&mut self, count: usize) -> Option<u32> {
        let digits = self.text.get(self.position..self.position + count)?;
        let value = digits.iter().try_fold(0, |value, c| Some(value * 16 + c.to_digit(16)?))?;
        self.position += count;
        Some(value)
    }

    fn unicode(&mut self) -> Option<char> {
        if self.eat('{') {
            let end = self.text[self.position..].iter().position(|&c| c == '}').filter(|&end| end <= 8)?;
            let code = self.hexadecimal(end)?;
            self.position += 1;
            return char::from_u32(code);
        }
        let code = self.hexadecimal(4)?;
        if (0xD800..0xDC00).contains(&code) && self.eat_all("\\u") {
            let low = self.hexadecimal(4).filter(|low| (0xDC00..0xE000).contains(low))?;
            return char::from_u32(0x1_0000 + ((code - 0xD800) << 10) + (low - 0xDC00));
        }
        char::from_u32(code)
    }

    /// After `\p` or `\P`: the tables come with the general parser of regular expressions.
    fn property(&mut self, start: usize) -> Result<CharSet, PatternError> {
        let rest = &self.text[self.position..];
        let end = if rest.first() == Some(&'{') { rest.iter().position(|&c| c == '}') } else { None };
        let Some(end) = end else { return single_at(start, "a property is written \\p{Name}") };
        let text: String = self.text[start..=self.position + end].iter().collect();
        self.position += end + 1;
        match Regex::parse(&text, PatternFlags::default()) {
            Ok(Regex::Chars(set)) => Ok(set),
            _ => single_at(start, "there is no such Unicode property"),
        }
    }

    fn class(&mut self, start: usize) -> Result<CharSet, PatternError> {
        let negative = self.eat('^');
        let mut set = CharSet::default();
        loop {
            let Some(next) = self.peek() else {
                return Err(PatternError {
                    position: start,
                    message: "this class is not closed",
                    unsupported: false,
                });
            };
            if next == ']' {
                self.position += 1;
                return Ok(if negative { set.negate() } else { set });
            }
            let at = self.position;
            let low = self.class_atom()?;
            let is_range =
                self.peek() == Some('-') && self.text.get(self.position + 1).is_some_and(|&c| c != ']');
            if !is_range {
                set = set.union(&low);
                continue;
            }
            self.position += 1;
            let high = self.class_atom()?;
            set = match (only(&low), only(&high)) {
                (Some(low), Some(high)) if low > high => return single_at(at, "this range is out of order"),
                (Some(low), Some(high)) => set.union(&CharSet::new([(low, high)])),
                // Annex B: a class at the end of a range makes the dash stand for itself.
                _ => set.union(&low).union(&high).union(&CharSet::single('-')),
            };
        }
    }

    fn class_atom(&mut self) -> Result<CharSet, PatternError> {
        let start = self.position;
        let Some(next) = self.peek() else { return Ok(CharSet::default()) };
        self.position += 1;
        if next != '\\' {
            return Ok(CharSet::single(next));
        }
        if self.eat('b') {
            return Ok(CharSet::single('\u{8}'));
        }
        self.class_escape(start)
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.position).copied()
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.position += usize::from(found);
        found
    }

    fn eat_all(&mut self, wanted: &str) -> bool {
        let found = self.text[self.position..].iter().copied().take(wanted.len()).eq(wanted.chars());
        self.position += if found { wanted.len() } else { 0 };
        found
    }

    fn error(&self, message: &'static str) -> PatternError {
        PatternError { position: self.position, message, unsupported: false }
    }
}

fn single_at(position: usize, message: &'static str) -> Result<CharSet, PatternError> {
    Err(PatternError { position, message, unsupported: false })
}

/// The code point, if the set has exactly one.
fn only(set: &CharSet) -> Option<u32> {
    match set.0[..] {
        [(low, high)] if low == high => Some(low),
        _ => None,
    }
}

fn digits() -> CharSet {
    CharSet::range('0', '9')
}

fn word() -> CharSet {
    CharSet::new(
        [('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')].map(|(low, high)| (low as u32, high as u32)),
    )
}

fn line_terminators() -> CharSet {
    CharSet::new([(0xA, 0xA), (0xD, 0xD), (0x2028, 0x2029)])
}

/// `WhiteSpace` and `LineTerminator` of ECMA-262.
fn space() -> CharSet {
    let ranges =
        [(0x9, 0xD), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029)];
    CharSet::new(ranges.into_iter().chain([
        (0x202F, 0x202F),
        (0x205F, 0x205F),
        (0x3000, 0x3000),
        (0xFEFF, 0xFEFF),
    ]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcc_grammar_regular::RegularLimits;

    fn check(pattern: &str, yes: &[&str], no: &[&str]) {
        let dfa = language(pattern).unwrap().to_dfa(&RegularLimits::default()).unwrap();
        for text in yes {
            assert!(dfa.accepts(text.as_bytes()), "{pattern} should match {text:?}");
        }
        for text in no {
            assert!(!dfa.accepts(text.as_bytes()), "{pattern} should not match {text:?}");
        }
    }

    #[test]
    fn searching_and_anchors() {
        check("b+", &["b", "abbc"], &["", "ac"]);
        check("^a|b$", &["ax", "xb", "a"], &["xa", "bx"]);
        check("^$", &[""], &["a"]);
        check("", &["", "x"], &[]);
        check(r"a\b", &["a", "a b"], &["ab"]);
        check("^(a|bc){2,3}$", &["aa", "abc", "bcbcbc"], &["a", "aaaa"]);
    }

    #[test]
    fn classes_are_those_of_ecma() {
        check(r"^\d$", &["0"], &["٣", "a"]);
        check(r"^\w$", &["_", "Z"], &["é", "-"]);
        check(r"^\s$", &["\u{feff}", " "], &["\u{85}"]);
        check("^.$", &["x", "\u{85}"], &["\n", "\u{2028}"]);
        check(r"^[\w-.]$", &["-", ".", "q"], &["+"]);
        check(r"^[^]$", &["\n", "a"], &[""]);
        check(r"[]", &[], &["", "a"]);
        check(r"^[\b\]a-c]$", &["\u{8}", "]", "b"], &["d"]);
        check(r"^\p{Lu}\u{1F600}\uD83D\uDE00\x41\cJ\/$", &["É😀😀A\n/"], &["é😀😀A\n/"]);
        check("^a{,2}]}$", &["a{,2}]}"], &["a]}"]);
    }

    #[test]
    fn lookaround_at_the_ends() {
        check("^(?!foo|bar$)[a-z]+$", &["ba", "barx", "fo"], &["foo", "foox", "bar"]);
        check("^(?=.*\\d)(?=.*[a-z]).{4,}$", &["abc1", "1234x"], &["abcd", "a1"]);
        check("^x(?!.*\\.\\.)[a-z.]*$", &["xa.b"], &["xa..b"]);
        check("^[a-z.]+(?<!\\.)$", &["a.b"], &["a.b."]);
        check("a(?!b)", &["ac", "aba", "a"], &["ab", "b"]);
        check("^(a(?=b)|c).$", &["ab", "cx"], &["ac"]);
        check("^[a-z](?:(?!.*--)[a-z-]*[a-z])?$", &["a", "a-b", "abc"], &["a--b", "a-", "-a"]);
        check("^((?!a)[a-z]{2}){1,2}$", &["ba", "bcde"], &["ab", "bcad", "bca"]);
    }

    #[test]
    fn lookaround_before_every_character() {
        check("^((?!foo).)*$", &["", "fo", "fofo"], &["foo", "xfoo", "a\nb"]);
        check("^x(?:(?!--)(?!__)[a-z_-])+$", &["xa-b", "x_-_"], &["x", "xa--", "xa__b"]);
        check("^(?:(?=[ab]*c$).)*$", &["", "abc"], &["ab", "cc"]);
        check("((?!foo).)*$", &["xfoo", ""], &[]);
    }

    #[test]
    fn much_lookaround_is_refused() {
        for (pattern, times) in [("(?=a)", 100_000), ("(?:(?!b)a){8}", 5000), ("(?:a(?!b)|c(?!d))", 100)] {
            let error = language(&pattern.repeat(times)).unwrap_err();
            assert!(error.unsupported && error.message.contains("too large"), "{pattern}: {}", error.message);
        }
        let nested = (0..20).fold("(?!b)a".to_owned(), |pattern, _| format!("(?:{pattern}){{8}}"));
        assert!(language(&nested).is_err_and(|error| error.unsupported));
    }

    #[test]
    fn errors_have_positions() {
        for (pattern, position, unsupported) in [
            ("a(b", 1, false),
            ("a)", 1, false),
            ("*a", 0, false),
            ("[a", 0, false),
            (r"(a)\1", 3, true),
            ("a{3,2}", 1, false),
            ("(?i)a", 0, false),
            (r"\Z", 0, false),
            ("(a(?!b))*", 2, true),
            ("[z-a]", 1, false),
        ] {
            let error = language(pattern).unwrap_err();
            assert_eq!(
                (error.position, error.unsupported),
                (position, unsupported),
                "{pattern}: {}",
                error.message
            );
        }
    }
}
