//! Guesses which known name a misspelt name stands for, for the advice "did you mean …?".

/// The length in bytes above which names are not compared: misspellings of such names are rare, and comparing them is slow.
const LONGEST: usize = 256;

/// The most errors about undefined names of one input for which a known name is looked for: with each, all known names are compared.
pub const MOST_GUESSES: usize = 20;

/// The first of the `known` names that differs from `name` only by case, or by at most one letter plus one for every five
/// letters of `name`.
pub fn similar<'k>(name: &str, mut known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    let most = 1 + name.len() / 5;
    let close = |known: &str| {
        known.eq_ignore_ascii_case(name)
            || name.len().max(known.len()) <= LONGEST
                && name.len().abs_diff(known.len()) <= most
                && edit_distance(known, name) <= most
    };
    known.find(|known| close(known))
}

/// The names that are most like `name`, the most similar first, at most `count`.
pub fn nearest<'k>(name: &str, known: impl Iterator<Item = &'k str>, count: usize) -> Vec<&'k str> {
    let short = known.filter(|known| name.len().max(known.len()) <= LONGEST);
    let mut names: Vec<(usize, &str)> = short.map(|known| (edit_distance(known, name), known)).collect();
    names.sort_unstable();
    names.truncate(count);
    names.into_iter().map(|(_, known)| known).collect()
}

/// The number of bytes to insert, delete or replace to make `a` from `b` (Wagner, Fischer, "The string-to-string
/// correction problem", 1974).
fn edit_distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.bytes().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_come_first() {
        let names = ["<|user|>", "<|system|>", "<|end|>", "<s>"];
        assert_eq!(nearest("<|users|>", names.into_iter(), 2), ["<|user|>", "<|end|>"]);
    }

    #[test]
    fn one_letter_and_more_in_longer_names() {
        let similar = |name| similar(name, ["type", "minimum", "additionalProperties"].into_iter());
        assert_eq!(similar("typ"), Some("type"));
        assert_eq!(similar("TYPE"), Some("type"));
        assert_eq!(similar("tips"), None);
        assert_eq!(similar("minimun"), Some("minimum"));
        assert_eq!(similar("additional_propertys"), Some("additionalProperties"));
    }
}
