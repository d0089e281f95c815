//! Keys that leave a tree of keys: what is read instead of the parts that a node has.
//!
//! At a node with the parts `me` and `ture` (of `name` and `nature`), another key either goes on with a character that no
//! part has at this place, or it ends within a part. The first is *leaving*: all of `x`, `mx`, `mex`, `tx` and so on, up
//! to the character that differs; any characters may follow. The second is *ending*: nothing, `m`, `t` and so on, with
//! the quote. After the whole of `me`, which ends a key, any character leaves. No text is a beginning of another one nor of
//! a part, so the parser never forks.

use crate::languages::Languages;
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{Dfa, Regex};

/// The texts of the parts of a node, sorted, and whether each ends a key. No two have the same first character.
pub(super) type Parts<'a> = [(&'a str, bool)];

/// A place within the parts and within a character. `char` is the state of the automaton of one character.
#[derive(Clone, PartialEq, Eq, Hash)]
enum KeyPlace {
    /// The parts `low..high` begin with the bytes read, which are `length` in number.
    Within { low: usize, high: usize, length: usize, char: u32 },
    /// In a character that no part has here.
    Outside { char: u32 },
    /// After a character that no part has here.
    Left,
}

/// The texts up to the first character with which they leave the parts.
pub(super) fn leaving(parts: &Parts<'_>, languages: &Languages) -> Result<Dfa, OverBudget> {
    explore(parts, languages, |place| *place == KeyPlace::Left)
}

/// The texts that end within a part.
pub(super) fn ending(parts: &Parts<'_>, languages: &Languages) -> Result<Dfa, OverBudget> {
    explore(parts, languages, |place| match *place {
        KeyPlace::Within { low, high, length, char: 0 } => {
            parts[low..high].iter().all(|&(text, whole)| !(whole && text.len() == length))
        }
        _ => false,
    })
}

fn explore(
    parts: &Parts<'_>,
    languages: &Languages,
    accepts: impl Fn(&KeyPlace) -> bool,
) -> Result<Dfa, OverBudget> {
    let any_char = Regex::any_char().to_dfa(languages.limits())?;
    let start = KeyPlace::Within { low: 0, high: parts.len(), length: 0, char: 0 };
    Dfa::explore(start, languages.limits(), |place| (accepts(place), edges(place, parts, &any_char)))
}

fn edges(place: &KeyPlace, parts: &Parts<'_>, any_char: &Dfa) -> Vec<(u8, u8, KeyPlace)> {
    let char = match *place {
        KeyPlace::Left => return Vec::new(),
        KeyPlace::Within { char, .. } | KeyPlace::Outside { char } => char,
    };
    let mut edges: Vec<(u8, u8, KeyPlace)> = Vec::new();
    for (least, greatest, char) in any_char.edges(char) {
        for byte in least..=greatest {
            let target = match *place {
                KeyPlace::Within { low, high, length, .. } => {
                    next(parts, (low, high, length), byte, char, any_char)
                }
                _ => Some(outside(char, any_char)),
            };
            let Some(target) = target else { continue };
            match edges.last_mut() {
                Some((_, last, known)) if *known == target && *last + 1 == byte => *last = byte,
                _ => edges.push((byte, byte, target)),
            }
        }
    }
    edges
}

/// The place after a byte that leads to the state `char`; `None` if it completes a part that does not end the key.
fn next(
    parts: &Parts<'_>,
    (low, high, length): (usize, usize, usize),
    byte: u8,
    char: u32,
    any_char: &Dfa,
) -> Option<KeyPlace> {
    let at = |&(text, _): &(&str, bool)| text.as_bytes().get(length).copied();
    let from = low + parts[low..high].partition_point(|part| at(part) < Some(byte));
    let to = low + parts[low..high].partition_point(|part| at(part) <= Some(byte));
    if from == to {
        return Some(outside(char, any_char));
    }
    let is_complete = any_char.is_accepting(char);
    let length = length + 1;
    if is_complete && parts[from..to].iter().any(|&(text, whole)| !whole && text.len() == length) {
        return None;
    }
    Some(KeyPlace::Within { low: from, high: to, length, char: if is_complete { 0 } else { char } })
}

fn outside(char: u32, any_char: &Dfa) -> KeyPlace {
    if any_char.is_accepting(char) { KeyPlace::Left } else { KeyPlace::Outside { char } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcc_grammar_regular::RegularLimits;

    #[test]
    fn texts_leave_the_parts_or_end_within_them_or_complete_one() {
        let parts = [("", true), ("aé", true), ("é", false), ("è", true), ("日本", false)];
        let mut parts = parts.to_vec();
        parts.sort_unstable();
        let languages = Languages::new(RegularLimits::default(), crate::options::Counting::Off);
        let (leaving, ending) = (leaving(&parts, &languages).unwrap(), ending(&parts, &languages).unwrap());
        for text in ["x", "ax", "aéx", "aèx", "è!", "日x", "日日", "ê", "!", "\u{1F600}", "a\u{1F600}"]
        {
            let cut = text.char_indices().map(|(at, c)| &text[..at + c.len_utf8()]);
            assert_eq!(cut.filter(|text| leaving.accepts(text.as_bytes())).count(), 1, "{text}");
        }
        for text in ["a", "日"] {
            assert!(ending.accepts(text.as_bytes()) && !leaving.accepts(text.as_bytes()), "{text}");
        }
        for text in ["", "aé", "é", "è", "日本", "日本x", "éx"] {
            assert!(!ending.accepts(text.as_bytes()) && !leaving.accepts(text.as_bytes()), "{text}");
        }
    }
}
