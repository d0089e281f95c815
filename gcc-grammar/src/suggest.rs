//! What a path is that is given where something else is expected, and what was meant by a name that does not exist. For messages only: whatever cannot be
//! found out is left out.

use gcc_grammar_artifact::container::MAGIC;
use gcc_grammar_artifact::pack::PACK_MAGIC;
use gcc_grammar_ir::spelling::edit_distance;
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
    let wanted = path.file_name()?.to_str().filter(|name| name.len() <= LONGEST_NAME)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let most = (wanted.len() / 3).min(3);
    let names = fs::read_dir(folder).ok()?.take(MOST_NAMES).flatten();
    let names = names.filter_map(|entry| entry.file_name().into_string().ok());
    let near = names.filter_map(|name| {
        let distance = if name.len() > LONGEST_NAME { usize::MAX } else { edit_distance(wanted, &name) };
        // A link that leads to no file has the name itself.
        (1..=most).contains(&distance).then_some((distance, name))
    });
    Some(path.with_file_name(near.min()?.1).display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(near("sums.lark"), None);
    }
}
