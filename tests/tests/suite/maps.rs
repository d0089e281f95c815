//! The first page of each crate is its map: it names every module of the crate.

use gcc_grammar_tests::files::repository;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn first_pages_name_every_module() {
    let mut missing = Vec::new();
    for page in first_pages(&repository()) {
        let text = fs::read_to_string(&page).expect("a source file");
        missing.extend(unnamed(&text).into_iter().map(|module| (page.clone(), module.to_owned())));
    }
    assert!(missing.is_empty(), "modules that the first page of their crate does not name: {missing:#?}");
}

#[test]
fn modules_that_are_not_named_are_found() {
    let text = "//! | [`one`] | `three_four`, not two |\n\npub mod one;\nmod two;\npub(crate) mod three;\n#[cfg(test)]\nmod tests;\n";
    assert_eq!(unnamed(text), ["two", "three"]);
}

/// The files `src/lib.rs` of all packages of the workspace.
fn first_pages(root: &Path) -> Vec<PathBuf> {
    let manifest = fs::read_to_string(root.join("Cargo.toml")).expect("the manifest of the workspace");
    let members =
        manifest.split_once("members = [").and_then(|(_, rest)| rest.split_once(']')).expect("members").0;
    let folders = members.split('"').skip(1).step_by(2).map(|member| root.join(member).join("src/lib.rs"));
    folders.filter(|page| page.exists()).collect()
}

/// The modules of a file that its page does not name. Tests are none.
fn unnamed(text: &str) -> Vec<&str> {
    let page: Vec<&str> = text.lines().filter(|line| line.starts_with("//!")).collect();
    let page = page.join("\n");
    let code = page.split('`').skip(1).step_by(2);
    let words: BTreeSet<&str> =
        code.flat_map(|code| code.split(|c: char| !c.is_alphanumeric() && c != '_')).collect();
    let mut is_test = false;
    let mut modules = Vec::new();
    for line in text.lines() {
        let was_test = std::mem::replace(&mut is_test, line.starts_with("#[cfg(test)]"));
        let Some(name) = line.strip_suffix(';').and_then(|line| line.rsplit_once("mod ")) else { continue };
        if !was_test && matches!(name.0, "" | "pub " | "pub(crate) ") && !words.contains(name.1) {
            modules.push(name.1);
        }
    }
    modules
}
