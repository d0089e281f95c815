//! Special tokens that literals name.
//!
//! Where a literal contains the text of a special token, the token may come in place of these characters. So a literal is a regular language
//! over bytes and tokens. In a regular expression, a token is a *mark*: the byte 0xFF, which no UTF-8 text has, and four more bytes for its
//! id. So whatever combines regular languages combines those with tokens, too, and text that nothing but characters makes up has no marks.
//! The compiler reads marks in [`Pattern::Marked`](crate::Pattern::Marked) only.
//!
//! Where a text matches only if certain texts follow, there is a mark of what these are ([`followed()`]).
//! Within [`Pattern::Limited`](crate::Pattern::Limited) there is one more mark, of no token: where it stands, the limit ends the lexeme.
//!
//! Input: the names of the special tokens of a vocabulary. Output: the expressions of literals.

use crate::words;
use gcc_grammar_limits::Budget;
use gcc_grammar_regular::{Dfa, Regex};
use std::ops::Range;
use std::sync::Arc;

/// The byte that begins a mark.
pub const MARK: u8 = 0xFF;
/// The bytes behind it, of which each has six bits of the id.
const MARK_DIGITS: u32 = 4;
/// The bits of a byte of the id, which are those of a byte within a character.
const DIGIT: u8 = 0x80;

/// The mark of a token.
#[must_use]
pub fn mark(token: u32) -> Vec<u8> {
    let digits = (0..MARK_DIGITS).rev().map(|place| DIGIT | (token >> (6 * place)) as u8 & 0x3F);
    std::iter::once(MARK).chain(digits).collect()
}

/// The mark of the place at which the limit on the tokens of a lexeme ends it, though its text would have to continue.
pub const LIMIT: [u8; 2] = [MARK, 0xC0];

/// Whether the limit ends a lexeme in this state though it does not accept.
#[must_use]
pub fn is_limit_at(dfa: &Dfa, state: u32) -> bool {
    LIMIT.iter().try_fold(state, |state, &byte| dfa.next(state, byte)).is_some()
}

/// The most numbers of marks for what must follow.
pub const MOST_FOLLOWED: usize = 62;
/// The second byte of the first mark for what must follow.
const FOLLOWED: u8 = 0xC1;

/// The mark of the place at which a text matches only if certain texts follow, those with this number in [`Followed`](crate::Followed).
#[must_use]
pub fn followed(number: usize) -> [u8; 2] {
    debug_assert!(number < MOST_FOLLOWED, "there are so many marks");
    [MARK, FOLLOWED + number as u8]
}

/// The number of what must follow a text that ends in this state.
#[must_use]
pub fn followed_at(dfa: &Dfa, state: u32) -> Option<usize> {
    let mark = dfa.next(state, MARK)?;
    (0..MOST_FOLLOWED).find(|&number| dfa.next(mark, followed(number)[1]).is_some())
}

/// Whether an expression has marks.
#[must_use]
pub fn has_marks(regex: &Regex) -> bool {
    let mut open = vec![regex];
    while let Some(regex) = open.pop() {
        match regex {
            Regex::Literal(bytes) if bytes.contains(&MARK) => return true,
            Regex::Automaton(dfa) if dfa_has_marks(dfa) => return true,
            _ => open.extend(regex.children()),
        }
    }
    false
}

/// Whether a text of an expression may have the byte that begins marks. Such an expression cannot be combined with marks. The answer may be
/// true for an expression without such a text.
#[must_use]
pub fn may_match_mark(regex: &Regex) -> bool {
    match regex {
        Regex::Chars(_) | Regex::Look(_) | Regex::Around(_) => false,
        Regex::Bytes(bytes) => bytes.contains(MARK),
        Regex::Literal(bytes) => bytes.contains(&MARK),
        Regex::Concat(parts) | Regex::Union(parts) => parts.iter().any(may_match_mark),
        Regex::Intersect(parts) => parts.iter().all(may_match_mark),
        Regex::Repeat { inner, .. } | Regex::Lazy(inner) => may_match_mark(inner),
        Regex::Complement(_) => true,
        Regex::Automaton(dfa) => dfa_has_marks(dfa),
    }
}

fn dfa_has_marks(dfa: &Dfa) -> bool {
    (0..dfa.state_count() as u32).any(|state| dfa.next(state, MARK).is_some())
}

/// The tokens whose marks begin at a state, and the states behind the marks.
#[must_use]
pub fn marks_at(dfa: &Dfa, state: u32) -> Vec<(u32, u32)> {
    let mut open: Vec<(u32, u32)> = dfa.next(state, MARK).map(|state| (0, state)).into_iter().collect();
    for _ in 0..MARK_DIGITS {
        let longer = open.iter().flat_map(|&(id, state)| {
            let digits = (DIGIT..=DIGIT | 0x3F).filter_map(move |byte| Some((byte, dfa.next(state, byte)?)));
            digits.map(move |(byte, next)| (id << 6 | u32::from(byte & 0x3F), next))
        });
        open = longer.collect();
    }
    open
}

/// The expression of any mark.
#[must_use]
pub fn any_mark() -> Regex {
    let digits = Regex::Bytes((DIGIT..=DIGIT | 0x3F).collect());
    let token = Regex::Literal(vec![MARK]).then(digits.repeat(MARK_DIGITS, Some(MARK_DIGITS)));
    // That of a limit, and those of what must follow.
    let others = (LIMIT[1]..=followed(MOST_FOLLOWED - 1)[1]).collect();
    Regex::union([token, Regex::Literal(vec![MARK]).then(Regex::Bytes(others))])
}

/// Where special tokens are accepted that the grammar does not name by id.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum SpecialTokens {
    /// Where a literal contains the text of one: the token, and its characters.
    #[default]
    Literals,
    /// Where a literal contains the text of one: the token, and not its characters.
    Only,
    /// Nowhere.
    Never,
}

words!(SpecialTokens is "special tokens" { Literals = "literals", Only = "only", Never = "never" });

/// The names of the special tokens that literals may contain; none by default. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct SpecialNames {
    /// In byte order, each with its tokens.
    names: Arc<[(String, Vec<u32>)]>,
    /// Whether the characters of a name are not accepted.
    only: bool,
}

/// A name within a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named<'n> {
    /// Where it is.
    pub span: Range<usize>,
    /// The tokens of this name.
    pub tokens: &'n [u32],
}

impl PartialEq for SpecialNames {
    fn eq(&self, other: &Self) -> bool {
        let are_shared = Arc::ptr_eq(&self.names, &other.names);
        self.only == other.only && (are_shared || self.names == other.names)
    }
}

impl SpecialNames {
    /// The names of these tokens, as far as the option accepts tokens in literals. Several tokens may have the same name.
    pub fn new<'t>(tokens: impl IntoIterator<Item = (u32, &'t str)>, option: SpecialTokens) -> Self {
        if option == SpecialTokens::Never {
            return Self::default();
        }
        let mut pairs: Vec<(&str, u32)> = tokens.into_iter().map(|(id, name)| (name, id)).collect();
        pairs.retain(|(name, _)| !name.is_empty());
        pairs.sort_unstable();
        let names = pairs.chunk_by(|a, b| a.0 == b.0);
        let names = names.map(|same| (same[0].0.to_owned(), same.iter().map(|&(_, id)| id).collect()));
        Self { names: names.collect(), only: option == SpecialTokens::Only }
    }

    /// The same names, as far as the option accepts tokens in literals.
    #[must_use]
    pub fn accepted(&self, option: SpecialTokens) -> Self {
        match option {
            SpecialTokens::Never => Self::default(),
            _ => Self { names: self.names.clone(), only: option == SpecialTokens::Only },
        }
    }

    /// The names in a text, as a tokenizer finds them: from left to right, and of several that begin at the same place the longest. If the
    /// budget is spent, the rest of the text counts as one without names.
    #[must_use]
    pub fn find(&self, text: &str, budget: &Budget) -> Vec<Named<'_>> {
        let (mut found, mut at) = (Vec::new(), 0);
        while at < text.len() && !self.names.is_empty() {
            let (longest, looked_at) = self.longest_at(&text.as_bytes()[at..]);
            if budget.charge_work(looked_at).is_err() {
                break;
            }
            let Some((name, tokens)) = longest else {
                at += 1;
                continue;
            };
            found.push(Named { span: at..at + name.len(), tokens });
            at += name.len();
        }
        found
    }

    /// The longest name that the text begins with, and the number of bytes that were looked at.
    fn longest_at(&self, text: &[u8]) -> (Option<&(String, Vec<u32>)>, u64) {
        let byte = |name: &(String, Vec<u32>), at: usize| name.0.as_bytes()[at];
        let (mut names, mut longest) = (&self.names[..], None);
        for (at, &next) in text.iter().enumerate() {
            let start = names.partition_point(|name| byte(name, at) < next);
            let end = names.partition_point(|name| byte(name, at) <= next);
            names = &names[start..end];
            match names.split_first() {
                None => return (longest, at as u64 + 1),
                Some((first, longer)) if first.0.len() == at + 1 => (longest, names) = (Some(first), longer),
                Some(_) => {}
            }
        }
        (longest, text.len() as u64 + 1)
    }

    /// The expression of a literal.
    #[must_use]
    pub fn literal(&self, text: &str, budget: &Budget) -> Regex {
        let (mut parts, mut at) = (Vec::new(), 0);
        for Named { span, tokens } in self.find(text, budget) {
            parts.extend((at < span.start).then(|| Regex::literal(&text[at..span.start])));
            let characters = (!self.only).then(|| Regex::literal(&text[span.clone()]));
            parts.push(Regex::union(characters.into_iter().chain(tokens.iter().copied().map(marked))));
            at = span.end;
        }
        parts.extend((at < text.len()).then(|| Regex::literal(&text[at..])));
        if parts.len() == 1 { parts.remove(0) } else { Regex::concat(parts) }
    }

    /// The expression of one of the tokens of a name, without its characters.
    #[must_use]
    pub fn tokens(named: &Named<'_>) -> Regex {
        Regex::union(named.tokens.iter().copied().map(marked))
    }
}

fn marked(token: u32) -> Regex {
    Regex::Literal(mark(token))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcc_grammar_regular::RegularLimits;

    const NAMES: [(u32, &str); 6] =
        [(7, "<a>"), (8, "<a><b"), (9, "<b>"), (10, "<a>"), (11, ""), (4_000_000, "é")];

    fn found(text: &str) -> Vec<(Range<usize>, Vec<u32>)> {
        let names = SpecialNames::new(NAMES, SpecialTokens::Literals);
        let found = names.find(text, &Budget::default());
        found.into_iter().map(|named| (named.span, named.tokens.to_vec())).collect()
    }

    #[test]
    fn names_are_found_from_left_to_right_and_the_longest_first() {
        assert_eq!(found("x<a>é<b>"), [(1..4, vec![7, 10]), (4..6, vec![4_000_000]), (6..9, vec![9])]);
        assert_eq!(found("<a><b>"), [(0..5, vec![8])]);
        assert_eq!(found("<a><a><b"), [(0..3, vec![7, 10]), (3..8, vec![8])]);
        assert_eq!(found("<a"), []);
        assert_eq!(found(""), []);
    }

    #[test]
    fn a_token_takes_the_place_of_its_name() {
        let dfa = |option, text| {
            let regex = SpecialNames::new(NAMES, option).literal(text, &Budget::default());
            (has_marks(&regex), regex.to_dfa(&RegularLimits::default()).expect("small"))
        };
        let with = |token: u32| [b"x".to_vec(), mark(token), b"y".to_vec()].concat();
        let (marks, both) = dfa(SpecialTokens::Literals, "x<a>y");
        assert!(marks && both.accepts(b"x<a>y") && both.accepts(&with(7)) && both.accepts(&with(10)));
        assert!(!both.accepts(&with(9)));
        let (_, only) = dfa(SpecialTokens::Only, "x<a>y");
        assert!(!only.accepts(b"x<a>y") && only.accepts(&with(7)));
        let (marks, never) = dfa(SpecialTokens::Never, "x<a>y");
        assert!(!marks && never.accepts(b"x<a>y") && !never.accepts(&with(7)));
        let (marks, plain) = dfa(SpecialTokens::Only, "xy");
        assert!(!marks && plain.accepts(b"xy"));
    }

    #[test]
    fn a_mark_says_which_token_it_is() {
        let tokens = [0, 1, 63, 64, 201_087, (1 << 24) - 1];
        let limits = RegularLimits::default();
        let dfa = Regex::union(tokens.map(marked)).to_dfa(&limits).expect("small");
        let (found, after): (Vec<u32>, Vec<u32>) = marks_at(&dfa, 0).into_iter().unzip();
        assert_eq!(found, tokens);
        assert!(after.iter().all(|&state| dfa.is_accepting(state) && marks_at(&dfa, state).is_empty()));
        assert!(dfa.is_subset(&any_mark().to_dfa(&limits).expect("small"), &limits).expect("small"));
    }
}
