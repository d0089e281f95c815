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

/// The number of bytes to insert, delete, replace or exchange with the next one to make `a` from `b` (Damerau, "A technique for computer detection
/// and correction of spelling errors", 1964; restricted: no byte is changed twice). The work is the product of the lengths.
pub fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut rows = [vec![0; b.len() + 1], (0..=b.len()).collect(), vec![0; b.len() + 1]];
    for i in 0..a.len() {
        rows[2][0] = i + 1;
        for j in 0..b.len() {
            let replaced = rows[1][j] + usize::from(a[i] != b[j]);
            let mut least = replaced.min(rows[1][j + 1] + 1).min(rows[2][j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                least = least.min(rows[0][j - 1] + 1);
            }
            rows[2][j + 1] = least;
        }
        rows.rotate_left(1);
    }
    rows[1][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_letters() {
        assert_eq!([edit_distance("", ""), edit_distance("ab", "ab"), edit_distance("", "ab")], [0, 0, 2]);
        assert_eq!([edit_distance("p.josn", "p.json"), edit_distance("abc", "axc")], [1, 1]);
        assert_eq!(edit_distance("kitten", "sitting"), 3);
    }

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
