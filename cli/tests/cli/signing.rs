//! Stores with signatures: what is signed, and what is refused by who trusts a key.

use crate::support::{Folder, Ran};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// Made by minisign 0.11: `minisign -G -W`.
pub(crate) const SECRET: &str = "untrusted comment: minisign encrypted secret key
RWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA8+OHbW1cxdub+tpM12n4808SLhSRMdJtVE7gW6chp91mBwk48/yHF+sZQL0NnOBR68EELhzmqOMjtJ1OxPtPq2sEfgi/ksBbAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
";
pub(crate) const PUBLIC: &str = "RWTz44dtbVzF2+sZQL0NnOBR68EELhzmqOMjtJ1OxPtPq2sEfgi/ksBb\n";
pub(crate) const OTHER: &str = "untrusted comment: minisign public key B9C8461CB93B58E3
RWTjWDu5HEbIuScl606NRpvwdpAByEr0f2C/Fc473DtCAjalYZhE7xGJ
";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("secret.key", SECRET);
    folder.write("our.pub", PUBLIC);
    folder.write("other.pub", OTHER);
    let items = ["integer", "boolean", "null"].map(|kind| json!({"id": kind, "schema": {"type": kind}}));
    folder.write("list.jsonl", items.map(|item| format!("{item}\n")).concat());
    folder
}

fn batch(folder: &Folder, arguments: &[&str]) -> Ran {
    let line = ["batch", "list.jsonl", "--vocab", "tiny", "--store", "store"];
    folder.run(&[&line[..], arguments].concat())
}

/// The status and the key of each item.
fn report(ran: &Ran) -> BTreeMap<String, (String, String)> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let lines = ran.text();
    let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    lines.map(|line| (text(&line["id"]), (text(&line["status"]), text(&line["key"])))).collect()
}

fn statuses(ran: &Ran) -> Vec<String> {
    report(ran).into_values().map(|(status, _)| status).collect()
}

fn path_in(folder: &Folder, store: &str, key: &str) -> PathBuf {
    let vocabularies = fs::read_dir(folder.path(store).join("v1")).expect("a store");
    let mut folders = vocabularies.map(|entry| entry.expect("an entry").path());
    folders.next().expect("one").join(&key[..2]).join(format!("{key}.gcg"))
}

fn signature_of(path: &std::path::Path) -> PathBuf {
    PathBuf::from(format!("{}.minisig", path.display()))
}

fn mask(folder: &Folder, key: &str, arguments: &[&str]) -> Ran {
    folder.run(&[&["mask", key, "--vocab", "tiny", "--store", "store"], arguments].concat())
}

#[test]
fn who_trusts_a_key_uses_nothing_else() {
    let folder = folder();
    let signed = batch(&folder, &["--sign", "secret.key"]);
    assert_eq!(statuses(&signed), ["compiled"; 3], "{}", signed.stderr);
    assert_eq!(statuses(&batch(&folder, &["--sign", "secret.key"])), ["present"; 3]);
    let keys: Vec<String> = report(&signed).into_values().map(|(_, key)| key).collect();
    let [a, b] = [0, 1].map(|index: usize| path_in(&folder, "store", &keys[index]));
    let (artifact, signature) = (fs::read(&a).expect("there"), fs::read(signature_of(&a)).expect("there"));
    let comment = format!("trusted comment: gcc-grammar {}\n", keys[0]);
    assert!(String::from_utf8_lossy(&signature).contains(&comment));
    for trusting in [&["--trust", "our.pub"][..], &["--trust", "other.pub", "--trust", "our.pub"]] {
        for cache in [&[][..], &["--cache", "cache"]] {
            let ran = mask(&folder, &keys[0], &[trusting, cache].concat());
            assert_eq!(ran.exit, 0, "{}", ran.stderr);
        }
    }
    let other = mask(&folder, &keys[0], &["--trust", "other.pub"]);
    assert!(other.exit == 1 && other.stderr.contains("not one of a trusted key"), "{}", other.stderr);
    assert!(other.stdout.is_empty());
    // Bad signatures: none, that of another artifact, truncated, changed, no base64, another version of the same size.
    let of_other = fs::read(signature_of(&b)).expect("there");
    let changed = |at: usize| {
        let mut changed = signature.clone();
        changed[at] ^= 1;
        changed
    };
    let bad = [
        of_other,
        vec![],
        signature[..signature.len() / 2].to_vec(),
        changed(80),
        changed(signature.len() - 20),
        b"x\n%%%\ntrusted comment: \n%%%\n".to_vec(),
        vec![b'A'; 10_000],
    ];
    for bad in bad.into_iter().map(Some).chain([None]) {
        match &bad {
            Some(bad) => fs::write(signature_of(&a), bad).expect("written"),
            None => fs::remove_file(signature_of(&a)).expect("removed"),
        }
        let _ = fs::remove_dir_all(folder.path("fresh"));
        for arguments in [&["--trust", "our.pub"][..], &["--trust", "our.pub", "--cache", "fresh"]] {
            let refused = mask(&folder, &keys[0], arguments);
            assert!(refused.exit == 1 || refused.exit == 3, "{bad:?}: {} {}", refused.exit, refused.stderr);
            assert!(refused.stdout.is_empty());
        }
        // Who trusts everything uses it.
        assert_eq!(mask(&folder, &keys[0], &[]).exit, 0);
        // Who has the source makes it again, and signs it.
        let again = batch(&folder, &["--sign", "secret.key"]);
        let compiled = report(&again).into_values().filter(|(status, _)| status == "compiled").count();
        assert_eq!((again.exit, compiled), (0, 1), "{}", again.stderr);
        assert_eq!(mask(&folder, &keys[0], &["--trust", "our.pub"]).exit, 0);
        assert_eq!(fs::read(&a).expect("there"), artifact);
    }
    // An artifact that somebody else has put there is not signed by the next batch, but made again.
    fs::write(&a, fs::read(&b).expect("there")).expect("written");
    assert_eq!(batch(&folder, &["--sign", "secret.key"]).exit, 0);
    assert_eq!(fs::read(&a).expect("there"), artifact);
}

#[test]
fn what_has_no_signature_is_made_again_by_who_signs() {
    let folder = folder();
    assert_eq!(statuses(&batch(&folder, &[])), ["compiled"; 3]);
    let trusting = batch(&folder, &["--trust", "our.pub"]);
    assert_eq!(statuses(&trusting), ["compiled"; 3]);
    assert!(trusting.text().contains("was replaced"));
    for (cache, expected) in [("cache", "compiled"), ("cache", "present"), ("other-cache", "present")] {
        let ran = batch(&folder, &["--sign", "secret.key", "--cache", cache]);
        assert_eq!(statuses(&ran), [expected; 3], "{cache}: {}", ran.stderr);
    }
    // What only the cache has is put into the store with its signature.
    fs::remove_dir_all(folder.path("store")).expect("removed");
    assert_eq!(statuses(&batch(&folder, &["--sign", "secret.key", "--cache", "cache"])), ["present"; 3]);
    assert_eq!(statuses(&batch(&folder, &["--trust", "our.pub"])), ["present"; 3]);
}

#[test]
fn files_and_packs_have_their_signatures_beside_them() {
    let folder = folder();
    let line = ["compile", "point.json", "--vocab", "tiny", "--sign", "secret.key"];
    folder.succeed(&[&line[..], &["-o", "plain.gcg"]].concat());
    folder.succeed(&[&line[..], &["-o", "small.gcg", "--compress", "zstd"]].concat());
    folder.succeed(&["compile", "point.json", "--vocab", "tiny", "-o", "unsigned.gcg"]);
    let mask = |file: &str, key: &str| folder.run(&["mask", file, "--vocab", "tiny", "--trust", key]);
    assert_eq!([mask("plain.gcg", "our.pub").exit, mask("small.gcg", "our.pub").exit], [0, 0]);
    for (file, key) in [("plain.gcg", "other.pub"), ("unsigned.gcg", "our.pub"), ("missing.gcg", "our.pub")] {
        let refused = mask(file, key);
        assert!(refused.exit != 0 && refused.stdout.is_empty(), "{file}");
    }
    assert_eq!(batch(&folder, &["--sign", "secret.key"]).exit, 0);
    let pack = ["pack", "--store", "store", "--vocab", "tiny", "--sign", "secret.key", "-o", "all.gcp"];
    folder.succeed(&pack);
    let key = report(&batch(&folder, &[]))["null"].1.clone();
    let packed =
        |trust: &str| folder.run(&["mask", &key, "--vocab", "tiny", "--store", "all.gcp", "--trust", trust]);
    assert_eq!(packed("our.pub").exit, 0);
    assert_eq!(packed("other.pub").exit, 1);
    fs::remove_file(folder.path("all.gcp.minisig")).expect("removed");
    assert_eq!(packed("our.pub").exit, 1);
}

#[test]
fn keys_that_cannot_be_used_are_refused() {
    let folder = folder();
    for (option, file) in [
        ("--sign", "our.pub"),
        ("--sign", "missing"),
        ("--trust", "point.json"),
        ("--trust", "secret.key"),
        ("--trust", "missing"),
    ] {
        let refused = batch(&folder, &[option, file]);
        assert!(refused.exit == 2 && refused.stdout.is_empty(), "{option} {file}: {}", refused.stderr);
    }
    // Nothing was read that could be trusted.
    let refused =
        folder.run(&["compile", "point.json", "--vocab", "tiny", "-o", "x.gcg", "--trust", "our.pub"]);
    assert!(refused.exit == 2 && refused.stderr.contains("no store to read from"), "{}", refused.stderr);
}
