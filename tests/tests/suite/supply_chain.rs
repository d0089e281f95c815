//! What the workspace is made of: the versions of dependencies, their reasons, and unsafe code. `cargo deny` checks licences and advisories,
//! too; these tests need nothing but the repository.

use gcc_grammar_tests::files::{entries, read, repository};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use toml::{Table, Value};

fn table(path: &str) -> Table {
    read(&repository().join(path)).parse().unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The tables of a list; none if there is no list.
fn tables<'t>(table: &'t Table, name: &str) -> Vec<&'t Table> {
    table.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_table).collect()
}

fn text<'t>(table: &'t Table, name: &str) -> &'t str {
    table.get(name).and_then(Value::as_str).unwrap_or_default()
}

#[test]
fn only_listed_crates_have_several_versions() {
    let lock = table("Cargo.lock");
    let mut versions: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for package in tables(&lock, "package") {
        let (name, version) = (text(package, "name"), text(package, "version"));
        versions.entry(name).or_default().insert(format!("{name}@{version}"));
    }
    let deny = table("deny.toml");
    let bans = deny["bans"].as_table().expect("a table");
    let listed: BTreeSet<String> =
        tables(bans, "skip").into_iter().map(|entry| text(entry, "crate").to_owned()).collect();
    let several: BTreeSet<String> =
        versions.into_values().filter(|versions| versions.len() > 1).flatten().collect();
    assert_eq!(listed.difference(&several).collect::<Vec<_>>(), [""; 0], "deny.toml lists what is not there");
    let mut unlisted: Vec<&str> =
        several.difference(&listed).filter_map(|version| version.split('@').next()).collect();
    let all = unlisted.len();
    unlisted.dedup();
    assert_eq!(unlisted.len(), all, "crates with several versions that deny.toml does not list");
}

#[test]
fn all_dependencies_come_from_the_registry() {
    let lock = table("Cargo.lock");
    for package in tables(&lock, "package") {
        let source = text(package, "source");
        let is_own = source.is_empty() && text(package, "name").starts_with("gcc-grammar");
        let is_registered = source == "registry+https://github.com/rust-lang/crates.io-index";
        assert!(is_own || is_registered && !text(package, "checksum").is_empty(), "{package}");
    }
}

#[test]
fn every_direct_dependency_has_a_reason() {
    let reasons = read(&repository().join("docs/dependencies.md"));
    for manifest in files(&repository(), "toml").iter().filter(|path| path.ends_with("Cargo.toml")) {
        let manifest: Table = read(manifest).parse().expect("a manifest");
        for name in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let dependencies = manifest.get(name).and_then(Value::as_table).into_iter().flat_map(Table::iter);
            // A dependency can have another name in the code than the package has.
            let packages = dependencies
                .map(|(name, entry)| entry.get("package").and_then(Value::as_str).unwrap_or(name));
            for dependency in packages.filter(|name| !name.starts_with("gcc-grammar")) {
                let family = if dependency.starts_with("tree-sitter-") { "tree-sitter" } else { dependency };
                assert!(reasons.contains(&format!("`{family}`")), "no reason for {dependency}");
            }
        }
    }
}

/// The list of unsafe code in docs/dependencies.md has every file, with the number of unsafe blocks, functions and implementations in it.
#[test]
fn unsafe_code_is_listed() {
    let root = repository();
    let mut found = BTreeMap::new();
    for path in files(&root, "rs") {
        let count = read(&path).lines().map(unsafe_words).sum::<usize>();
        if count > 0 {
            let name = path.strip_prefix(&root).expect("below the root").to_string_lossy().replace('\\', "/");
            found.insert(name, count);
        }
    }
    let document = read(&root.join("docs/dependencies.md"));
    let (_, section) = document.split_once("## Unsafe code").expect("the section");
    let cells = section.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
    let number = |rest: &str| rest.split(' ').next().and_then(|number| number.parse::<usize>().ok());
    let listed: BTreeMap<String, usize> =
        cells.filter_map(|(name, rest)| Some((name.to_owned(), number(rest)?))).collect();
    assert_eq!(found, listed);
}

/// How often a line of code has the keyword. Comments and names such as `unsafe_code` do not count.
fn unsafe_words(line: &str) -> usize {
    let code = line.split("//").next().unwrap_or_default();
    let words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
    let keyword = ["un", "safe"].concat();
    words.filter(|word| *word == keyword).count()
}

/// The files of the workspace with an extension. Folders of other workspaces and of build outputs are left out.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in entries(folder) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() && !name.starts_with('.') && !is_left_out(&path) {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found
}

fn is_left_out(folder: &Path) -> bool {
    let is_workspace = || read(&folder.join("Cargo.toml")).contains("[workspace]");
    folder.join("CACHEDIR.TAG").exists() || folder.join("Cargo.toml").exists() && is_workspace()
}
