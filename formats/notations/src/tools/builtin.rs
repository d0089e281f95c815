//! The families that are built in: the table `families.json`.

use super::description;
use super::family::Family;
use std::sync::LazyLock;

/// All families.
pub fn families() -> &'static [Family] {
    static FAMILIES: LazyLock<Vec<Family>> = LazyLock::new(|| {
        let table = description::table(include_str!("families.json")).expect("a test reads the table");
        table.into_iter().map(|(family, _)| family).collect()
    });
    &FAMILIES
}

/// The names of all families.
pub(super) fn names() -> Vec<&'static str> {
    families().iter().map(|family| family.name.as_str()).collect()
}

/// Some names, for errors, and where all of them are.
pub(super) fn some_names() -> String {
    const SHOWN: usize = 6;
    let names = names();
    let more = names.len().saturating_sub(SHOWN);
    format!(
        "{}, or one of {more} more, which `gcc-grammar tools families` lists",
        names[..SHOWN.min(names.len())].join(", ")
    )
}

/// The family of this name.
pub(super) fn named(name: &str) -> Option<&'static Family> {
    families().iter().find(|family| family.name.eq_ignore_ascii_case(name))
}
