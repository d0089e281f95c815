//! The parser of ECMA-262 regular expressions: from the text of a pattern to the expression of what it matches.
//!
//! The syntax is that of ECMA-262, section 22.2.1, with the leniencies of annex B (`{`, `]` and `}` may stand
//! for themselves), `\p{…}` and `\u{…}`, and modifiers such as `(?i:…)`. Character classes and escapes are read in `classes`, what only
//! other dialects have in `dialects`.

use super::error::PatternError;
use super::groups::{Captured, Groups};
use super::modifiers::Modifiers;
use gcc_grammar_regular::{CharSet, Regex};

/// What may follow `(?`.
const GROUPS: &str = "only (?:…), (?<name>…), (?=…), (?!…), (?<=…), (?<!…) and modifiers such as (?i:…) may start with a question mark";

/// Groups may nest this deep.
const MAX_DEPTH: usize = 100;

/// The first bracket behind a place that closes no class, if there is one.
pub(super) struct SingleBracket {
    pub(super) from: usize,
    pub(super) at: Option<usize>,
}

/// The reader of a pattern.
pub(super) struct Parser {
    pub(super) text: Vec<char>,
    pub(super) position: usize,
    depth: usize,
    pub(super) modifiers: Modifiers,
    /// What was read that ECMA-262 does not have, each once.
    pub(super) foreign: Vec<&'static str>,
    pub(super) single_bracket: Option<SingleBracket>,
    pub(super) groups: Groups,
}

impl Parser {
    /// Parses a whole pattern. Also returns what it has that ECMA-262 does not have.
    pub(super) fn parse(pattern: &str) -> Result<(Regex, Vec<&'static str>), PatternError> {
        let (position, depth, modifiers, foreign, single_bracket, groups) = Default::default();
        let text = pattern.chars().collect();
        let mut parser = Self { text, position, depth, modifiers, foreign, single_bracket, groups };
        let node = parser.disjunction()?;
        if parser.position < parser.text.len() {
            return Err(parser.error("there is no group that this parenthesis closes"));
        }
        Ok((node, parser.foreign))
    }

    fn disjunction(&mut self) -> Result<Regex, PatternError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(PatternError::unsupported(self.position, "groups are nested too deep"));
        }
        let mut alternatives = vec![self.alternative()?];
        while self.eat('|') {
            alternatives.push(self.alternative()?);
        }
        self.depth -= 1;
        Ok(match alternatives.len() {
            1 => alternatives.remove(0),
            _ => Regex::Union(alternatives),
        })
    }

    pub(super) fn alternative(&mut self) -> Result<Regex, PatternError> {
        let mut nodes = Vec::new();
        loop {
            self.skip_space();
            match self.peek() {
                None | Some('|' | ')') => break,
                Some('(') if self.directive()? => {}
                Some('\\') if self.eat_all("\\Q") => {
                    let mut quoted = self.quoted();
                    let last = quoted.pop();
                    nodes.extend(quoted);
                    nodes.extend(last.map(|last| self.repeated(last)).transpose()?);
                }
                Some(_) => {
                    let start = self.position;
                    let term = self.term()?;
                    let with_rest = self.bound(start, &term)?;
                    nodes.push(with_rest.unwrap_or(term));
                }
            }
        }
        Ok(match nodes.len() {
            0 => Regex::empty(),
            1 => nodes.remove(0),
            _ => Regex::Concat(nodes),
        })
    }

    fn term(&mut self) -> Result<Regex, PatternError> {
        let start = self.position;
        let is_group = self.peek() == Some('(') && self.around().is_none();
        let node = self.atom()?;
        let is_assertion = !is_group && matches!(node, Regex::Look(_) | Regex::Around(_));
        let term = self.repeated(node)?;
        if is_assertion && matches!(term, Regex::Repeat { .. }) {
            return Err(PatternError::syntax(start, "an assertion cannot be repeated"));
        }
        Ok(term)
    }

    /// Reads the quantifier of a node, if one comes next.
    fn repeated(&mut self, node: Regex) -> Result<Regex, PatternError> {
        let Some((min, max)) = self.quantifier()? else { return Ok(node) };
        Ok(node.repeat(min, max))
    }

    fn quantifier(&mut self) -> Result<Option<(u32, Option<u32>)>, PatternError> {
        self.skip_space();
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
        // A lazy quantifier has the same language as a greedy one.
        self.eat('?');
        if matches!(self.peek(), Some('*' | '+' | '?')) {
            return Err(self.error("dialects do not agree on a second quantifier, which may be possessive"));
        }
        Ok(Some(bounds))
    }

    /// Reads the bounds of `{2,5}`, up to its closing brace. If the brace stands for itself, reads nothing
    /// and returns `None`.
    fn braces(&mut self) -> Result<Option<(u32, Option<u32>)>, PatternError> {
        let start = self.position;
        self.position += 1;
        let min = self.count();
        let max = if self.eat(',') { self.count() } else { min };
        let open_end = self.text[self.position - 1] == ',';
        if min.is_none() && max.is_some() && !open_end && self.peek() == Some('}') {
            self.position = start;
            return Err(self.error("dialects do not agree on {,3}: write {0,3}"));
        }
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

    /// Reads a decimal number. Numbers beyond u32 become its maximum, which is as good as unlimited.
    pub(super) fn count(&mut self) -> Option<u32> {
        let start = self.position;
        let mut count = 0u32;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            count = count.saturating_mul(10).saturating_add(digit);
            self.position += 1;
        }
        (self.position > start).then_some(count)
    }

    fn atom(&mut self) -> Result<Regex, PatternError> {
        let start = self.position;
        let Some(next) = self.peek() else { return Ok(Regex::empty()) };
        match next {
            '*' | '+' | '?' => return Err(self.error("there is nothing to repeat")),
            '{' if self.braces()?.is_some() => {
                self.position = start;
                return Err(self.error("there is nothing to repeat"));
            }
            '(' => return self.group(start),
            _ => self.position += 1,
        }
        Ok(match next {
            '^' => self.modifiers.start(),
            '$' => self.modifiers.end(),
            '.' => Regex::Chars(self.modifiers.dot()),
            '[' => Regex::Chars(self.class(start)?),
            '\\' => self.escape(start)?,
            other => Regex::Chars(self.modifiers.fold(CharSet::single(other))),
        })
    }

    fn group(&mut self, start: usize) -> Result<Regex, PatternError> {
        let around = self.around();
        self.position += 1 + around.map_or(0, |(length, ..)| length);
        let is_plain = around.is_some() || self.eat_all("?:");
        let outside = self.modifiers;
        let mut captures = !is_plain;
        let (named, from) = (!is_plain && self.eat('?'), self.position);
        if named && !self.group_name() && !self.foreign_name(start)? {
            self.modifiers = self.modified().ok_or(PatternError::syntax(start, GROUPS))?;
            captures = false;
        }
        let name = (named && captures).then(|| self.name_since(from));
        self.groups.count += usize::from(captures);
        let number = self.groups.count;
        let is_behind = matches!(around, Some((_, true, _)));
        self.groups.behind += usize::from(is_behind);
        let inner = self.disjunction()?;
        self.groups.behind -= usize::from(is_behind);
        self.modifiers = outside;
        if !self.eat(')') {
            return Err(PatternError::syntax(start, "this group is not closed"));
        }
        self.groups.last = captures.then_some(Captured { start, end: self.position, number, name });
        Ok(match around {
            Some((_, true, negative)) => inner.behind(negative),
            Some((_, false, negative)) => inner.ahead(negative),
            None => inner,
        })
    }

    /// Whether the parenthesis that comes next begins lookaround: the length of what follows it, whether it looks behind, and whether it is negative.
    fn around(&self) -> Option<(usize, bool, bool)> {
        let prefixes = [("?=", false, false), ("?!", false, true), ("?<=", true, false), ("?<!", true, true)];
        let rest = self.text.get(self.position + 1..)?;
        let begins = |prefix: &str| rest.iter().copied().take(prefix.len()).eq(prefix.chars());
        let (prefix, behind, negative) = prefixes.into_iter().find(|(prefix, ..)| begins(prefix))?;
        Some((prefix.len(), behind, negative))
    }

    /// Reads `<name>`. False if something else comes next.
    pub(super) fn group_name(&mut self) -> bool {
        self.eat('<') && {
            let start = self.position;
            while self.peek().is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '$') {
                self.position += 1;
            }
            self.position > start && self.eat('>')
        }
    }

    /// Reads modifiers such as `i-s:`. None if they are malformed.
    fn modified(&mut self) -> Option<Modifiers> {
        let end = self.text[self.position..].iter().position(|&c| c == ':')?;
        let letters: String = self.text[self.position..self.position + end].iter().collect();
        self.position += end + 1;
        let is_foreign = letters.contains('x');
        let modifiers = self.modifiers.changed(&letters)?;
        if is_foreign {
            self.note("(?x:…)");
        }
        Some(modifiers)
    }

    fn escape(&mut self, start: usize) -> Result<Regex, PatternError> {
        match self.peek() {
            Some('b') => {
                self.position += 1;
                Ok(self.modifiers.word_boundary(false))
            }
            Some('B') => {
                self.position += 1;
                Ok(self.modifiers.word_boundary(true))
            }
            Some('1'..='9' | 'k') => self.reference(start),
            _ => match self.foreign_escape() {
                Some(tree) => Ok(tree),
                None => self.class_escape(start).map(|atom| Regex::Chars(self.modifiers.fold(atom.set()))),
            },
        }
    }

    /// The next character.
    pub(super) fn peek(&self) -> Option<char> {
        self.text.get(self.position).copied()
    }

    /// Reads the character if it comes next.
    pub(super) fn eat(&mut self, expected: char) -> bool {
        let found = self.peek() == Some(expected);
        self.position += usize::from(found);
        found
    }

    /// Reads the text if it comes next.
    pub(super) fn eat_all(&mut self, expected: &str) -> bool {
        let found = self.text[self.position..].iter().copied().take(expected.len()).eq(expected.chars());
        self.position += if found { expected.len() } else { 0 };
        found
    }

    /// A syntax error at the next character.
    pub(super) fn error(&self, message: &'static str) -> PatternError {
        PatternError::syntax(self.position, message)
    }
}
