//! What the crate offers, as a list that a change of the interface has to change. `GCC_GRAMMAR_UPDATE_DOCS=1` writes it anew.

use std::fs;
use std::path::{Path, PathBuf};

/// The files of a folder with Rust code, by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false if path.extension().is_some_and(|extension| extension == "rs") => found.push(path),
            false => {}
        }
    }
    found.sort_unstable();
    found
}

/// The public items, fields, methods and variants that a file declares, each on a line, without bodies.
fn declared(code: &str) -> Vec<String> {
    let code = code.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
    let (mut found, mut is_enum) = (Vec::new(), false);
    let mut lines = code.lines();
    while let Some(line) = lines.next() {
        is_enum &= line != "}";
        let is_variant =
            is_enum && line.strip_prefix("    ").is_some_and(|rest| rest.starts_with(char::is_uppercase));
        if !is_variant && !line.trim_start().starts_with("pub ") {
            continue;
        }
        let mut item = line.trim().to_owned();
        while !is_variant && !is_whole(&item) {
            let Some(line) = lines.next() else { break };
            item = item + " " + line.trim();
        }
        is_enum |= item.starts_with("pub enum ");
        found.push(item.trim_end_matches([' ', '{', ';', ',']).to_owned());
    }
    found
}

/// Whether a declaration is complete but for its body.
fn is_whole(item: &str) -> bool {
    let has_body = item.ends_with('{') && !item.starts_with("pub use ");
    has_body || item.ends_with([';', '}']) || item.ends_with(',') && opened(item) == 0
}

/// The brackets that are opened and not closed.
fn opened(item: &str) -> usize {
    let count = |brackets: &[char]| item.matches(brackets).count();
    count(&['(', '[', '{']).saturating_sub(count(&[')', ']', '}']))
}

#[test]
fn the_public_interface_is_listed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut list = String::new();
    for file in files(&root.join("src")) {
        let items = declared(&fs::read_to_string(&file).expect("a file"));
        if !items.is_empty() {
            let name = file.strip_prefix(root.join("src")).expect("below").display().to_string();
            list += &format!("{name}\n");
            items.into_iter().for_each(|item| list += &format!("    {item}\n"));
        }
    }
    let path = root.join("tests/facade/public_api.txt");
    if std::env::var_os("GCC_GRAMMAR_UPDATE_DOCS").is_some() {
        fs::write(&path, &list).expect("the list is written");
    }
    let known = fs::read_to_string(&path).expect("the list");
    let changed = known.lines().zip(list.lines()).find(|(known, now)| known != now);
    assert!(
        known == list,
        "the public interface has changed, first {changed:?}: if that is meant, write the list anew with GCC_GRAMMAR_UPDATE_DOCS=1, and say it in CHANGELOG.md"
    );
}

/// A caller needs one type of errors: the `?` of a function that returns it takes all others, and keeps the cause.
#[test]
fn every_error_becomes_the_one_of_the_library() {
    use gcc_grammar::artifact::ExpandError;
    use gcc_grammar::draft::TreeError;
    use gcc_grammar::metadata::MetadataError;
    use gcc_grammar::{Error, MatchError};

    let errors: [(Error, &str); 4] = [
        (MatchError::Refused.into(), "runtime: "),
        (ExpandError::Damaged.into(), "artifact: damaged"),
        (TreeError::Lengths.into(), "tree: the tree does not have"),
        (MetadataError::Malformed.into(), "metadata: the metadata is malformed"),
    ];
    for (error, text) in errors {
        assert!(error.to_string().starts_with(text), "{error}");
        assert!(std::error::Error::source(&error).is_some(), "{error}");
    }
}

#[test]
fn declarations_are_read_as_they_are_written() {
    let code = "pub struct A {\n    pub a: u8,\n    b: u8,\n}\npub(crate) fn c() {}\n    pub fn d(\n        &self,\n        e: [u8; 2],\n    ) -> u8 {\n        1\n    }\npub use f::{\n    G,\n    H,\n};\npub enum E {\n    F,\n}\n\n#[cfg(test)]\nmod tests {\n    pub fn i() {}\n}\n";
    assert_eq!(
        declared(code),
        [
            "pub struct A",
            "pub a: u8",
            "pub fn d( &self, e: [u8; 2], ) -> u8",
            "pub use f::{ G, H, }",
            "pub enum E",
            "F"
        ]
    );
}
