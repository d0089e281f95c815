//! Properties of characters and their other cases, by Unicode 17.
//!
//! The general parser of regular expressions has the tables of Unicode 16. `unicode.txt` lists what Unicode 17 changes in properties that
//! ECMA-262 knows; `tests/unicode.mjs` writes it.

use gcc_grammar_regular::{CharSet, PatternFlags, Regex};

/// A line for each property that is changed: its kind, its names, and the ranges that are added and removed. The lines `fold` have a
/// character in upper and in lower case.
const CHANGES: &str = include_str!("unicode.txt");

/// The characters with a property, such as `Letter`, `gc=L` or `Script=Greek`. `None` if there is no such property.
pub(super) fn property(text: &str) -> Option<CharSet> {
    if !text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '=')) {
        return None;
    }
    let known = older(text).or_else(|| is_surrogate(text).then(CharSet::default));
    match changes(text) {
        Some((added, removed)) => Some(known.unwrap_or_default().difference(&removed).union(&added)),
        None => known,
    }
}

/// Whether the name alone is that of a script, which ECMA-262 writes as `Script=Greek`.
pub(super) fn is_script(name: &str) -> bool {
    !name.contains('=')
        && property(&format!("sc={name}")).is_some()
        && property(&format!("gc={name}")).is_none()
}

/// The set with the other cases of its characters.
pub(super) fn in_any_case(set: &CharSet) -> CharSet {
    let set = set.in_any_case();
    let pairs = CHANGES.lines().filter_map(|line| line.strip_prefix("fold\t")).filter_map(|pair| {
        let (upper, lower) = pair.split_once('\t')?;
        Some([code_point(upper), code_point(lower)])
    });
    let pairs = pairs.filter(|pair| pair.iter().any(|&one| set.contains(one)));
    set.union(&CharSet::new(pairs.flatten().map(|one| (one, one))))
}

/// The characters with a property in Unicode 16.
fn older(text: &str) -> Option<CharSet> {
    match Regex::parse(&format!(r"\p{{{text}}}"), PatternFlags::default()).ok()? {
        Regex::Chars(set) => Some(set),
        // A class of one character is a literal.
        Regex::Literal(bytes) => {
            Some(CharSet::new(str::from_utf8(&bytes).ok()?.chars().map(|c| (c as u32, c as u32))))
        }
        _ => None,
    }
}

/// What is added to a property, and removed from it.
fn changes(text: &str) -> Option<(CharSet, CharSet)> {
    let (kind, name) = text.split_once('=').unwrap_or(("", text));
    let kinds: &[&str] = match &*plain(kind) {
        "" => &["gc", "is", "sc"],
        "gc" | "generalcategory" => &["gc"],
        "sc" | "script" => &["sc"],
        "scx" | "scriptextensions" => &["scx"],
        _ => return None,
    };
    let name = plain(name);
    CHANGES.lines().find_map(|line| {
        let mut columns = line.split('\t');
        let (kind, names) = (columns.next()?, columns.next()?);
        let is_it = kinds.contains(&kind) && names.split(',').any(|other| plain(other) == name);
        is_it.then(|| (ranges(columns.next()), ranges(columns.next())))
    })
}

/// Whether the property is that of surrogates, which stand for no character.
fn is_surrogate(text: &str) -> bool {
    let name = text.strip_prefix("gc=").or(text.strip_prefix("General_Category=")).unwrap_or(text);
    matches!(name, "Cs" | "Surrogate")
}

/// A name as the general parser compares it.
fn plain(name: &str) -> String {
    name.replace('_', "").to_ascii_lowercase()
}

fn ranges(column: Option<&str>) -> CharSet {
    CharSet::new(column.unwrap_or_default().split_whitespace().map(|range| {
        let (low, high) = range.split_once('-').unwrap_or((range, range));
        (code_point(low), code_point(high))
    }))
}

fn code_point(digits: &str) -> u32 {
    u32::from_str_radix(digits, 16).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A property, the number of its characters, and a hash of its ranges, as Node has them.
    const PROPERTIES: &str = include_str!("unicode_properties.txt");

    #[test]
    fn properties_are_those_of_node() {
        let mut wrong = Vec::new();
        for line in PROPERTIES.lines() {
            let [name, count, hash] = line.split('\t').collect::<Vec<_>>().try_into().expect("three columns");
            let Some(set) = property(name) else {
                wrong.push(name);
                continue;
            };
            let bounds = set.0.iter().flat_map(|&(low, high)| [low, high]);
            let found = bounds.fold(0x811c_9dc5_u32, |hash, bound| (hash ^ bound).wrapping_mul(16_777_619));
            if (set.len().to_string(), format!("{found:x}")) != (count.to_owned(), hash.to_owned()) {
                wrong.push(name);
            }
        }
        assert_eq!(wrong, [""; 0]);
        assert!(PROPERTIES.lines().count() > 400);
    }

    #[test]
    fn other_names_are_none() {
        for name in ["", "=", "gc=", "Greekish", "gc!=Lu", "^Lu", "gc:Lu", "sc=Lu", "gc=Greek", "é"] {
            assert_eq!(property(name), None, "{name}");
        }
        assert_eq!(property("sc=Sidt"), property("Script=Sidetic"));
        assert_eq!(property("Cs"), Some(CharSet::default()));
    }

    #[test]
    fn characters_of_unicode_17_have_cases() {
        let both = in_any_case(&CharSet::single('\u{16ea0}'));
        assert_eq!(both.0, [(0x16ea0, 0x16ea0), (0x16ebb, 0x16ebb)]);
        assert_eq!(in_any_case(&CharSet::single('\u{a7d5}')).0, [(0xa7d4, 0xa7d5)]);
        assert_eq!(in_any_case(&CharSet::single('a')).0, [(0x41, 0x41), (0x61, 0x61)]);
    }
}
