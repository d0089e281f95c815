//! What a path is that is given where something else is expected, and what was meant by a name that does not exist. For messages only: whatever cannot be
//! found out is left out.

use gcc_grammar_artifact::container::MAGIC;
use gcc_grammar_artifact::pack::PACK_MAGIC;
use gcc_grammar_notations::notation::Notation;
use std::fs;
use std::io::Read;
use std::path::Path;

/// The names of a folder that are compared, at most.
const MOST_NAMES: usize = 10_000;
/// Longer names are not compared.
const LONGEST_NAME: usize = 100;

/// What a path is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Folder,
    /// An artifact or a compiled vocabulary.
    Compiled,
    Pack,
    /// The file of a schema or grammar, by its extension.
    Source,
}

impl Kind {
    /// The kind of the file or folder at a path, if it is one of these.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        if path.is_dir() {
            return Some(Self::Folder);
        }
        let mut start = [0; MAGIC.len()];
        let mut file = gcc_grammar_files::open(path).ok()?.file;
        let read = file.read(&mut start).ok()?;
        match &start[..read] {
            start if start == MAGIC => Some(Self::Compiled),
            start if start.starts_with(&PACK_MAGIC) => Some(Self::Pack),
            _ => Notation::of_path(path).map(|_| Self::Source),
        }
    }
}

/// A name in the same folder that differs in a few letters from that of a path: the nearest, or the first of several.
pub(crate) fn near(path: &Path) -> Option<String> {
    let wanted: Vec<char> = path.file_name()?.to_str()?.chars().collect();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let most = (wanted.len() / 3).min(3);
    let names = fs::read_dir(folder).ok()?.take(MOST_NAMES).flatten();
    let names = names.filter_map(|entry| entry.file_name().into_string().ok());
    let near = names.filter_map(|name| {
        let letters: Vec<char> = name.chars().take(LONGEST_NAME).collect();
        let distance = distance(&wanted, &letters);
        (distance <= most).then_some((distance, name))
    });
    Some(path.with_file_name(near.min()?.1).display().to_string())
}

/// The letters that have to be changed, added, left out or exchanged with their neighbours to make one word of the other.
fn distance(a: &[char], b: &[char]) -> usize {
    if a.len() > LONGEST_NAME {
        return usize::MAX;
    }
    let mut rows = [vec![0; b.len() + 1], (0..=b.len()).collect(), vec![0; b.len() + 1]];
    for i in 0..a.len() {
        rows[2][0] = i + 1;
        for j in 0..b.len() {
            let same = rows[1][j] + usize::from(a[i] != b[j]);
            let mut least = same.min(rows[1][j + 1] + 1).min(rows[2][j] + 1);
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
        let distance =
            |a: &str, b: &str| distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>());
        assert_eq!([distance("", ""), distance("ab", "ab"), distance("", "ab")], [0, 0, 2]);
        assert_eq!([distance("p.josn", "p.json"), distance("abc", "axc"), distance("ab", "abc")], [1, 1, 1]);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn names_nearby_are_found() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["person.json", "sums.lark"] {
            fs::write(folder.path().join(name), "").expect("a file");
        }
        let near = |name: &str| near(&folder.path().join(name));
        let of = |name: &str| Some(folder.path().join(name).display().to_string());
        assert_eq!([near("persn.json"), near("person.josn")], [of("person.json"), of("person.json")]);
        assert_eq!([near("sum.lark"), near("other.gbnf"), near("x")], [of("sums.lark"), None, None]);
    }
}
