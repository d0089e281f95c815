//! Batches that fill a store, and the commands that read it: what is reported, and what is left by processes that are killed or race.

use crate::support::{Folder, Ran};
use gcc_grammar::artifact::GrammarView;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;

const BATCH: [&str; 6] = ["batch", "list.jsonl", "--vocab", "tiny", "--store", "store"];

/// The lines of a report, by id.
fn report(ran: &Ran) -> BTreeMap<String, Value> {
    let lines = ran.text();
    let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON"));
    lines
        .map(|line| (line["id"].as_str().map_or_else(|| line["id"].to_string(), str::to_owned), line))
        .collect()
}

fn statuses(ran: &Ran) -> BTreeMap<String, String> {
    let status = |line: Value| line["status"].as_str().expect("a status").to_owned();
    report(ran).into_iter().map(|(id, line)| (id, status(line))).collect()
}

/// The files of a store by their path in it, without locks.
fn files(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name().is_some_and(|name| name != ".lock") {
                found.insert(
                    path.strip_prefix(root).expect("inside").to_owned(),
                    fs::read(&path).expect("a file"),
                );
            }
        }
    }
    found
}

/// A list of schemas that differ.
fn many(count: usize) -> String {
    let line = |number: usize| {
        let name = format!("p{number}");
        let schema = json!({"type": "object", "properties": {name: {"type": "integer"}}});
        json!({"id": format!("{number:04}"), "schema": schema}).to_string() + "\n"
    };
    (0..count).map(line).collect()
}

#[test]
fn items_are_compiled_once_and_reported() {
    let folder = Folder::new();
    let list = [
        json!({"id": "schema", "schema": {"type": "integer"}}),
        json!({"id": "same", "schema": "{\"type\":\"integer\"}"}),
        json!({"id": "compact", "schema": {"type": "integer"}, "options": {"whitespace": "compact"}}),
        json!({"id": "grammar", "grammar": "root ::= \"a\"", "format": "gbnf"}),
        json!({"path": "sums.lark"}),
        json!({"id": "refused", "schema": {"type": "intger"}}),
        json!({"id": "bounded", "path": "point.json", "options": {"limits": {"work": 10}}}),
        json!({"id": "missing", "path": "missing.json"}),
    ];
    let lines: String = list.iter().map(|item| format!("{item}\n")).collect();
    folder.write("list.jsonl", lines + "{\n");
    let first = folder.run(&BATCH);
    assert_eq!(first.exit, 1);
    assert!(first.stderr.contains("compiled, "), "{}", first.stderr);
    let mut expected = BTreeMap::from(
        [
            ("compact", "compiled"),
            ("grammar", "compiled"),
            ("5", "compiled"),
            ("refused", "refused"),
            ("bounded", "over-budget"),
            ("missing", "failed"),
            ("9", "refused"),
        ]
        .map(|(id, status)| (id.to_owned(), status.to_owned())),
    );
    let mut found = statuses(&first);
    let twins = ["schema", "same"].map(|id| found.remove(id).expect("reported"));
    assert!(twins.contains(&"compiled".to_owned()) && twins.contains(&"present".to_owned()), "{twins:?}");
    assert_eq!(found, expected);
    let pointer = &report(&first)["refused"]["diagnostics"][0];
    assert!(pointer.to_string().contains("intger"), "{pointer}");
    // Again: what was compiled is there.
    let again = folder.run(&BATCH);
    expected
        .values_mut()
        .filter(|status| *status == "compiled")
        .for_each(|status| *status = "present".to_owned());
    expected.extend(["schema", "same"].map(|id| (id.to_owned(), "present".to_owned())));
    assert_eq!((again.exit, statuses(&again)), (1, expected));
    assert_eq!(files(&folder.path("store")).len(), 4);
    // The file has the place and the content that other commands give it.
    let key = folder.succeed(&["key", "sums.lark", "--vocab", "tiny"]).text().trim().to_owned();
    assert_eq!(report(&first)["5"]["key"], json!(key));
    folder.compile("sums.lark", "sums.gcg");
    let stored = files(&folder.path("store"));
    let (path, bytes) =
        stored.iter().find(|(path, _)| path.ends_with(format!("{key}.gcg"))).expect("the file");
    let parts: Vec<String> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    assert_eq!((parts.len(), &*parts[0], parts[1].len(), &*parts[2]), (4, "v1", 64, &key[..2]));
    assert_eq!(*bytes, folder.read("sums.gcg"));
    let url = format!("file://{}", folder.path("store").display());
    let masks = [["mask", &key, "--store", &url], ["mask", "sums.gcg", "--text", ""]];
    let [by_key, by_file] =
        masks.map(|line| folder.succeed(&[&line[..], &["--vocab", "tiny"]].concat()).text());
    assert_eq!(by_key, by_file);
}

#[test]
fn each_vocabulary_has_its_artifacts() {
    let folder = Folder::new();
    crate::support::write_model(&folder.path("model"), 7);
    folder.write("list.jsonl", many(3));
    let line = [
        "batch",
        "list.jsonl",
        "--store",
        "store",
        "--vocab-dir",
        "kept",
        "--vocab",
        "tiny",
        "--vocab",
        "model",
    ];
    let ran = folder.run(&line);
    assert_eq!(ran.exit, 0, "{}", ran.stderr);
    let text = ran.text();
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    let mut found: Vec<[&str; 3]> = lines
        .iter()
        .map(|line| ["id", "vocabulary", "status"].map(|name| line[name].as_str().expect(name)))
        .collect();
    found.sort_unstable();
    let expected =
        ["0000", "0001", "0002"].map(|id| ["model", "tiny"].map(|vocabulary| [id, vocabulary, "compiled"]));
    assert_eq!(found, expected.concat());
    let folders: std::collections::BTreeSet<PathBuf> =
        files(&folder.path("store")).into_keys().map(|path| path.iter().take(2).collect()).collect();
    assert_eq!(folders.len(), 2);
    let ran = folder.run(&[&line[..], &["--vocab-size", "300"]].concat());
    assert!(ran.exit == 2 && ran.stderr.contains("properties of one vocabulary"), "{}", ran.stderr);
}

/// An item that takes too long does not stop the others.
#[test]
fn items_are_given_up_when_their_time_is_up() {
    let folder = Folder::new();
    let slow = json!({"id": "slow", "grammar": "[ab]*a[ab]{14}", "format": "regex"});
    folder.write("list.jsonl", format!("{slow}\n{}", many(2)));
    let ran = folder.run(&[&BATCH[..], &["--limit-time", "0.02"]].concat());
    let lines = report(&ran);
    assert_eq!((ran.exit, &lines["slow"]["status"]), (1, &json!("over-budget")));
    assert!(lines["slow"]["diagnostics"].to_string().contains("the time is up"), "{}", lines["slow"]);
    for (time, message) in [("0", "greater than 0"), ("-1", "greater than 0"), ("x", "greater than 0")] {
        let ran = folder.run(&[&BATCH[..], &[&format!("--limit-time={time}")]].concat());
        assert!(ran.exit == 2 && ran.stderr.contains(message), "{}", ran.stderr);
    }
}

#[test]
fn compile_takes_from_the_store_and_puts_there() {
    let folder = Folder::new();
    let line = ["compile", "point.json", "--vocab", "tiny", "--store", "store"];
    let first = folder.succeed(&line).text();
    assert!(first.starts_with("store/v1/") && first.contains("compiled for"), "{first}");
    let again = folder.succeed(&[&line[..], &["-o", "point.gcg"]].concat()).text();
    assert!(again.starts_with("point.gcg") && again.ends_with("was in the store\n"), "{again}");
    let stored = files(&folder.path("store"));
    assert_eq!(stored.into_values().collect::<Vec<_>>(), [folder.read("point.gcg")]);
    assert_eq!(folder.succeed(&[&line[..], &["--json"]].concat()).json()["status"], "present");
    let wrong = folder.run(&["mask", &"0".repeat(64), "--vocab", "tiny", "--store", "store"]);
    assert!(wrong.exit == 2 && wrong.stderr.contains("has no artifact with the key"), "{}", wrong.stderr);
    let wrong = folder.run(&["mask", "point.gcg", "--vocab", "tiny", "--store", "store"]);
    assert!(wrong.exit == 2 && wrong.stderr.contains("this is no key"), "{}", wrong.stderr);
    let wrong = folder.run(&["mask", "point.gcg", "--vocab", "tiny", "--store", "ftp://host/x"]);
    assert!(wrong.exit == 2 && wrong.stderr.contains("no store of this kind"), "{}", wrong.stderr);
}

#[test]
fn parts_of_a_batch_make_the_whole() {
    let folder = Folder::new();
    folder.write("list.jsonl", many(40));
    let mut ids = Vec::new();
    for shard in ["0/3", "1/3", "2/3"] {
        let part = folder.succeed(&[&BATCH[..], &["--shard", shard]].concat());
        let found = statuses(&part);
        assert!(found.values().all(|status| status == "compiled") && found.len() > 3, "{found:?}");
        ids.extend(found.into_keys());
    }
    ids.sort_unstable();
    assert_eq!(ids, (0..40).map(|number| format!("{number:04}")).collect::<Vec<_>>());
    assert_eq!(folder.run(&[&BATCH[..], &["--shard", "3/3"]].concat()).exit, 2);
}

/// Every flipped bit is found: the reader is told, and the next batch replaces the file and says so.
#[test]
fn damaged_files_are_refused_and_replaced() {
    let folder = Folder::new();
    folder.write("list.jsonl", many(1));
    let key = report(&folder.succeed(&BATCH))["0000"]["key"].as_str().expect("a key").to_owned();
    let (path, bytes) = files(&folder.path("store")).pop_first().expect("a file");
    let (path, mask) =
        (folder.path("store").join(path), ["mask", &*key, "--vocab", "tiny", "--store", "store"]);
    let flipped = |at: usize| {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        bytes
    };
    let other = folder.succeed(&["compile", "sums.lark", "--vocab", "tiny", "--store", "other"]);
    assert!(other.text().contains("compiled"));
    let other = files(&folder.path("other")).pop_first().expect("a file").1;
    let view = GrammarView::open(&bytes).expect("intact");
    let sections: Vec<usize> = view
        .container()
        .entries()
        .filter(|entry| entry.length > 0)
        .map(|entry| entry.offset as usize)
        .collect();
    let damages = [vec![], bytes[..bytes.len() / 2].to_vec(), b"nonsense".to_vec(), flipped(20), other];
    for damaged in damages.into_iter().chain(sections.into_iter().map(flipped)) {
        fs::write(&path, damaged).expect("written");
        let refused = folder.run(&mask);
        assert!(refused.exit == 1 || refused.exit == 4, "{}: {}", refused.exit, refused.text());
        let line = report(&folder.succeed(&BATCH)).remove("0000").expect("reported");
        assert_eq!(line["status"], "compiled");
        assert!(line["diagnostics"].to_string().contains("was replaced"), "{line}");
        assert_eq!(fs::read(&path).expect("there"), bytes);
        folder.succeed(&mask);
    }
}

#[test]
fn a_cache_serves_what_the_store_has_lost() {
    let folder = Folder::new();
    folder.write("list.jsonl", many(3));
    let key = report(&folder.succeed(&BATCH))["0001"]["key"].as_str().expect("a key").to_owned();
    let line = ["mask", &*key, "--vocab", "tiny", "--store", "store"];
    let cached = [&line[..], &["--cache", "cache"]].concat();
    let masks = [folder.succeed(&line).text(), folder.succeed(&cached).text()];
    assert_eq!(masks[0], masks[1]);
    let kept = files(&folder.path("cache"));
    assert!(kept.len() == 1 && kept.keys().all(|path| path.ends_with(format!("{key}.gcg"))), "{kept:?}");
    for path in files(&folder.path("store")).into_keys() {
        fs::remove_file(folder.path("store").join(path)).expect("removed");
    }
    assert_eq!(folder.succeed(&cached).text(), masks[0]);
    // What only the cache has is put into the store again; what neither has is compiled.
    let batch = folder.succeed(&[&BATCH[..], &["--cache", "cache"]].concat());
    assert_eq!(statuses(&batch).into_values().collect::<Vec<_>>(), ["compiled", "present", "compiled"]);
    assert_eq!(files(&folder.path("store")).len(), 3);
    // A cache that is too small for anything keeps nothing, and all the same the artifact is found.
    let tiny = [&line[..], &["--cache", "tiny-cache", "--cache-bytes", "100"]].concat();
    assert_eq!(folder.succeed(&tiny).text(), masks[0]);
    assert!(files(&folder.path("tiny-cache")).is_empty());
}

fn start(folder: &Folder, arguments: &[&str]) -> Child {
    let mut command = folder.command(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
}

/// Of several processes that want the same artifacts, one compiles each.
#[test]
fn racing_processes_compile_once() {
    let folder = Folder::new();
    folder.write("list.jsonl", many(30));
    for cache in [&[][..], &["--cache", "cache"]] {
        let _ = fs::remove_dir_all(folder.path("store"));
        let line = [&BATCH[..], &["--jobs", "2"], cache].concat();
        let children: Vec<Child> = (0..4).map(|_| start(&folder, &line)).collect();
        let mut compiled: BTreeMap<String, usize> = BTreeMap::new();
        for child in children {
            let ran = Ran::of(&child.wait_with_output().expect("it ends"));
            assert_eq!(ran.exit, 0, "{}", ran.stderr);
            for (id, status) in statuses(&ran) {
                *compiled.entry(id).or_default() += usize::from(status == "compiled");
            }
        }
        assert!(compiled.len() == 30 && compiled.values().all(|&count| count == 1), "{compiled:?}");
    }
}

/// A batch is killed at 50 points, and started again each time. After each kill, the files that are there are whole; the last run completes.
#[cfg(unix)]
#[test]
fn killed_batches_leave_whole_files_and_go_on() {
    let folder = Folder::new();
    folder.write("list.jsonl", many(400));
    let whole = ["batch", "list.jsonl", "--vocab", "tiny", "--store", "whole"];
    folder.succeed(&whole);
    let (whole, store) = (files(&folder.path("whole")), folder.path("store"));
    let cached = ["--cache", "cache", "--jobs", "2"];
    let line = [&BATCH[..], &cached].concat();
    let (mut grown, mut killed, mut slower) = (0, 0, 1);
    for round in 0..50_u64 {
        let mut child = start(&folder, &line);
        // Steps that have nothing to do with the steps of the program: 10 to 60 ms, or more on a machine that does nothing in that time.
        sleep(Duration::from_micros((10_000 + round * 7_919 % 50_000) * slower));
        child.kill().expect("killed");
        killed += usize::from(child.wait().expect("ended").code().is_none());
        let before = grown;
        grown = assert_whole(&store, &whole);
        assert!(grown >= before, "files were lost");
        if grown == 0 && slower < 64 {
            slower *= 2;
        }
        assert_whole(&folder.path("cache"), &whole);
    }
    let last = folder.succeed(&line);
    let found = statuses(&last);
    assert_eq!(found.len(), 400);
    // The others had done all items before they were killed.
    assert!(killed > 0, "no process was killed");
    assert!(grown > 0 && found.values().filter(|status| *status == "present").count() >= grown);
    assert_eq!(assert_whole(&store, &whole), 400);
}

/// The number of artifacts in a store, each of which has the bytes that it should have.
fn assert_whole(store: &Path, whole: &BTreeMap<PathBuf, Vec<u8>>) -> usize {
    let found = files(store);
    let artifacts =
        found.iter().filter(|(path, _)| path.extension().is_some_and(|extension| extension == "gcg"));
    artifacts.map(|(path, bytes)| assert!(whole[path] == *bytes, "{}", path.display())).count()
}

/// Artifacts depend on nothing but their items: 500 schemas are compiled twice, with other numbers of threads, in other folders, under other
/// names, in another order, in other locales and time zones. Keys and bytes are equal.
#[test]
#[ignore = "needs ../shared: the cases of MaskBench"]
fn equal_keys_mean_equal_bytes() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/maskbench/dev");
    let entries = fs::read_dir(&data).unwrap_or_else(|error| panic!("{}: {error}", data.display()));
    let mut cases: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    cases.sort_unstable();
    let step = (cases.len() / 500).max(1);
    let cases: Vec<Value> = cases.iter().step_by(step).take(500).map(|path| read_schema(path)).collect();
    assert_eq!(cases.len(), 500);
    let folders = [Folder::new(), Folder::new()];
    let lines = |name: &str| {
        cases
            .iter()
            .enumerate()
            .map(|(number, schema)| {
                json!({"id": format!("{name}{number}"), "schema": schema}).to_string() + "\n"
            })
            .collect::<Vec<_>>()
    };
    folders[0].write("list.jsonl", lines("a").concat());
    fs::create_dir_all(folders[1].path("other/place")).expect("a folder");
    folders[1].write("other/place/é.jsonl", lines("another name ").into_iter().rev().collect::<String>());
    let run = |folder: &Folder, list: &str, jobs: &str, locale: &str, zone: &str| {
        let mut command =
            folder.command(&["batch", list, "--vocab", "llama3", "--store", "store", "--jobs", jobs]);
        command.envs([("LC_ALL", locale), ("LANG", locale), ("TZ", zone)]).stdin(Stdio::null());
        Ran::of(&command.output().expect("it runs"))
    };
    let reports = [
        run(&folders[0], "list.jsonl", "1", "C", "UTC"),
        run(&folders[1], "other/place/é.jsonl", "3", "tr_TR.UTF-8", "Asia/Kathmandu"),
    ];
    let keys = reports.each_ref().map(|ran| {
        let number = |id: &str| id.trim_start_matches("another name ").trim_start_matches('a').to_owned();
        report(ran)
            .into_iter()
            .map(|(id, line)| (number(&id), line["key"].clone()))
            .collect::<BTreeMap<_, _>>()
    });
    assert!(keys[0].len() == 500 && keys[0] == keys[1], "the keys differ");
    let [one, other] = folders.each_ref().map(|folder| files(&folder.path("store")));
    assert!(one.len() > 400, "{} artifacts", one.len());
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    let different: Vec<&PathBuf> =
        one.iter().filter(|(path, bytes)| other[*path] != **bytes).map(|(path, _)| path).collect();
    assert!(different.is_empty(), "{different:?}");
}

fn read_schema(path: &Path) -> Value {
    let case: Value = serde_json::from_slice(&fs::read(path).expect("a case")).expect("JSON");
    case["schema"].clone()
}

/// A wrong folder is no success, and files with other extensions are counted.
#[test]
fn folders_without_inputs_are_refused() {
    let folder = Folder::new();
    fs::create_dir_all(folder.path("inputs")).expect("made");
    folder.write("inputs/notes.txt", "nothing");
    let batch = ["batch", "inputs", "--vocab", "tiny", "--store", "store"];
    let refused = folder.run(&batch);
    assert!(
        refused.exit == 2 && refused.stderr.contains("no schemas and grammars, and 1 other file"),
        "{}",
        refused.stderr
    );
    folder.write("inputs/one.json", "{\"type\": \"null\"}");
    let ran = folder.succeed(&batch);
    assert!(ran.stderr.contains("left out, with other extensions: 1"), "{}", ran.stderr);
}
