//! The words of a model's name.

use serde::Deserialize;
use std::sync::LazyLock;

/// Words around names.
#[derive(Deserialize)]
struct Words {
    /// Makers and services that stand before the name of a model.
    owners: Vec<String>,
    /// Words that say nothing about the chat template.
    words: Vec<String>,
}

static KNOWN: LazyLock<Words> =
    LazyLock::new(|| serde_json::from_str(include_str!("../words.json")).expect("a test reads the table"));

/// Characters between the words of a name.
const SEPARATORS: [char; 9] = ['-', '_', ' ', ':', '@', '+', '(', ')', ','];

/// The letters of the kinds of quantization behind a word such as `q4`.
const KINDS: [&str; 9] = ["k", "m", "s", "l", "xs", "xxs", "xl", "nl", "p"];

/// A place in a name at which the name of a model may begin.
#[derive(Clone, Copy)]
pub(super) struct Position<'n>(&'n str);

/// The beginning of a name, and the places behind its owners.
pub(super) fn positions(name: &str) -> Vec<Position<'_>> {
    let mut all = vec![Position(name)];
    let mut rest = name;
    while let Some((word, after)) = rest.split_once([SEPARATORS[0], SEPARATORS[1], '.']) {
        if !KNOWN.owners.iter().any(|owner| owner == word) || all.len() > 3 {
            break;
        }
        all.push(Position(after));
        rest = after;
    }
    all
}

impl<'n> Position<'n> {
    /// What follows a beginning, which has no separators; none if the name does not begin so, or goes on with the same word.
    pub(super) fn after(self, beginning: &str) -> Option<&'n str> {
        let mut rest = self.0;
        let (mut last, mut is_dashed) = (' ', false);
        let mut wanted = beginning.chars().peekable();
        while let Some(character) = wanted.next() {
            let is_point =
                character == '.' && last.is_ascii_digit() && wanted.peek().is_some_and(char::is_ascii_digit);
            rest = match is_point {
                true => {
                    is_dashed = rest.starts_with('-');
                    rest.strip_prefix(['.', '_', '-', 'p'])?
                }
                false => rest
                    .trim_start_matches(|next| {
                        SEPARATORS.contains(&next) || next == '.' && character != '.' && last.is_alphabetic()
                    })
                    .strip_prefix(character)?,
            };
            last = character;
        }
        let mut following = rest.chars();
        let is_number = |next: Option<char>| next.is_some_and(|next| next.is_ascii_digit());
        let goes_on = match following.next() {
            // `3-8b` is a version and a size, not the version 3.8.
            Some(next) if is_dashed && next.is_alphabetic() => true,
            Some('.') => last.is_ascii_digit() && is_number(following.next()),
            Some(next) if last.is_ascii_digit() => next.is_ascii_digit(),
            Some(next) => next.is_alphabetic(),
            None => false,
        };
        (!goes_on).then_some(rest)
    }
}

/// The words of a text. Points within numbers are parts of words, and so are the underscores that stand for them.
pub(super) fn split(text: &str) -> Vec<String> {
    let (mut words, mut word) = (Vec::new(), String::new());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let is_before_digit = characters.peek().is_some_and(char::is_ascii_digit);
        let one_digit = word.ends_with(|last: char| last.is_ascii_digit())
            && !word
                .strip_suffix(|_: char| true)
                .is_some_and(|rest| rest.ends_with(|last: char| last.is_ascii_digit()));
        let is_point = is_before_digit
            && match character {
                '.' => word.ends_with(|last: char| last.is_ascii_digit()),
                '_' => one_digit,
                _ => false,
            };
        match character {
            _ if is_point => word.push('.'),
            '.' => words.push(std::mem::take(&mut word)),
            _ if SEPARATORS.contains(&character) => words.push(std::mem::take(&mut word)),
            _ => word.push(character),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

/// Whether a word says nothing about the chat template: a size, a date, a quantization, or a [word](Words) of any model.
pub(super) fn says_nothing(word: &str, all: &[String]) -> bool {
    let is_year = |word: &String| word.len() == 4 && word.starts_with("20") && is_number(word);
    let is_month = word.len() == 2 && is_number(word) && all.iter().any(is_year);
    let is_kind = KINDS.contains(&word) && all.iter().any(|word| is_quantization(word));
    let is_known = KNOWN.words.iter().any(|known| known == word);
    is_known || is_size(word) || is_date(word) || is_month || is_quantization(word) || is_kind
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A number with a point or without.
fn is_decimal(text: &str) -> bool {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    is_number(whole) && is_number(part)
}

fn is_date(word: &str) -> bool {
    matches!(word.len(), 4 | 6 | 8) && is_number(word)
}

/// Parameters in all, such as `8b` or `8x7b`, active ones such as `a3b`, effective ones such as `e2b`, and experts such as `16e`.
fn is_size(word: &str) -> bool {
    let word = word.strip_prefix(['a', 'e']).unwrap_or(word);
    let Some(number) = word.strip_suffix(['b', 'm', 't', 'e']) else { return false };
    number.split('x').all(is_decimal)
}

/// Such as `q4`, `iq2`, `4bit`, `4.5bpw`, `w4a16`, `g128`, `h8`.
fn is_quantization(word: &str) -> bool {
    let suffixed = ["bit", "bpw", "bits"].iter().any(|unit| word.strip_suffix(unit).is_some_and(is_decimal));
    let prefixed =
        ["q", "iq", "g", "h", "tq", "gs"].iter().any(|kind| word.strip_prefix(kind).is_some_and(is_decimal));
    let weights = word.strip_prefix('w').and_then(|rest| rest.split_once('a'));
    let weights = weights.is_some_and(|(weights, rest)| {
        is_number(weights) && is_number(rest.strip_suffix("kv8").or(rest.strip_suffix("fp8")).unwrap_or(rest))
    });
    suffixed || prefixed || weights
}
