//! Tests of `store`.

use crate::support::Folder;
use std::fs;
use std::path::PathBuf;

/// A folder with a store of two artifacts, of which the second was made later; and their keys.
fn stored() -> (Folder, [String; 2]) {
    let folder = Folder::new();
    let keys = ["sums.lark", "point.json"].map(|input| {
        folder.succeed(&["compile", input, "--vocab", "tiny", "--store", "store", "-q"]);
        folder.succeed(&["key", input, "--vocab", "tiny"]).text().trim().to_owned()
    });
    (folder, keys)
}

fn file_of(folder: &Folder, key: &str) -> PathBuf {
    let vocabulary =
        fs::read_dir(folder.path("store/v1")).expect("a store").flatten().next().expect("a folder");
    vocabulary.path().join(&key[..2]).join(format!("{key}.gcg"))
}

#[test]
fn artifacts_are_listed_and_verified() {
    let (folder, keys) = stored();
    let list = folder.succeed(&["store", "list", "store", "--json"]).json();
    let listed: Vec<&str> =
        list["artifacts"].as_array().expect("a list").iter().filter_map(|one| one["key"].as_str()).collect();
    let mut expected: Vec<&str> = keys.iter().map(String::as_str).collect();
    expected.sort_unstable();
    assert_eq!(listed, expected);
    assert_eq!(folder.succeed(&["store", "verify", "store"]).text(), "2 artifacts are intact, 0 are not\n");
    let file = file_of(&folder, &keys[0]);
    let mut bytes = fs::read(&file).expect("an artifact");
    let last = bytes.len() - 100;
    bytes[last] ^= 1;
    fs::write(&file, bytes).expect("it is damaged");
    let ran = folder.run(&["store", "verify", "store"]);
    assert!(
        ran.exit == 1 && ran.text().contains(&keys[0]) && ran.text().contains("1 artifacts are intact"),
        "{}",
        ran.text()
    );
}

#[test]
fn artifacts_are_removed_by_key_and_by_age() {
    let (folder, keys) = stored();
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(1000);
    let first = fs::File::options().append(true).open(file_of(&folder, &keys[0])).expect("an artifact");
    first.set_modified(old).expect("it is older");
    let bytes = fs::metadata(file_of(&folder, &keys[1])).expect("an artifact").len();
    let pruned =
        folder.succeed(&["store", "prune", "store", "--most-bytes", &bytes.to_string(), "--json"]).json();
    assert_eq!(pruned["removed"].as_array().map(Vec::len), Some(1));
    assert!(!file_of(&folder, &keys[0]).exists() && file_of(&folder, &keys[1]).exists());
    let ran = folder.run(&["store", "remove", "store", &keys[0]]);
    assert!(ran.exit != 0 && ran.stderr.contains("no artifact"), "{}", ran.stderr);
    folder.succeed(&["store", "remove", "store", &keys[1]]);
    assert!(!file_of(&folder, &keys[1]).exists());
    assert!(folder.succeed(&["store", "list", "store"]).text().starts_with("0 artifacts"));
}

/// A link in a store leads to no file outside of it that could be removed.
#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let (folder, keys) = stored();
    let outside = folder.path("outside.gcg");
    let file = file_of(&folder, &keys[0]);
    fs::rename(&file, &outside).expect("it is moved");
    std::os::unix::fs::symlink(&outside, &file).expect("a link");
    assert_ne!(folder.run(&["store", "remove", "store", &keys[0]]).exit, 0);
    folder.succeed(&["store", "prune", "store", "--most-bytes", "0"]);
    assert!(outside.exists());
}

/// The first digits name a key as long as only one key begins with them.
#[test]
fn keys_may_be_shortened() {
    let (folder, keys) = stored();
    let refused = |key: &str| folder.run(&["store", "remove", "store", key]).stderr;
    assert!(refused(&keys[0][..5]).contains("this is no key"));
    assert!(refused("0000000").contains("no key of the store begins with 0000000"));
    folder.succeed(&["pack", &keys[0][..6], "--store", "store", "--vocab", "tiny", "-o", "one.gcp"]);
    folder.succeed(&["store", "remove", "store", &keys[0][..9]]);
    let list = folder.succeed(&["store", "list", "store"]).text();
    assert!(list.contains(&keys[1]) && !list.contains(&keys[0]) && list.contains("\"properties\""), "{list}");
}
