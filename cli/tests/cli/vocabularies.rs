//! Tests of `vocab`, and of the README's example with a built-in vocabulary.

use crate::support::{Folder, base64};
use std::path::Path;

#[test]
fn list_import_inspect_remove() {
    let folder = Folder::new();
    let vocab = |arguments: &[&str]| {
        let mut all = vec!["vocab"];
        all.extend(arguments);
        all.extend(["--vocab-dir", "kept"]);
        folder.run(&all)
    };
    assert!(vocab(&["list"]).text().contains("llama3"));
    assert_eq!(vocab(&["import", "tiny", "--name", "mymodel"]).exit, 0);
    assert!(vocab(&["list"]).text().contains("mymodel"));
    assert_eq!(vocab(&["import", "tiny", "--name", "mymodel"]).exit, 1, "the name is in use");
    let json = vocab(&["inspect", "mymodel", "--json"]).json();
    assert_eq!((json["width"].as_u64(), json["end_tokens"][0].as_u64()), (Some(276), Some(267)));

    let kept = ["--vocab-dir", "kept"];
    folder.succeed(&[&["compile", "sums.lark", "--vocab", "mymodel"][..], &kept].concat());
    // The artifact names its vocabulary.
    folder.succeed(&[&["replay", "sums.gcg", "--text", "1+2"][..], &kept].concat());
    assert_eq!(vocab(&["remove", "mymodel"]).exit, 0);
    assert_eq!(vocab(&["inspect", "mymodel"]).exit, 2);
}

#[test]
fn widths_and_end_tokens_can_be_chosen() {
    let folder = Folder::new();
    let chosen = ["--vocab", "tiny", "--vocab-size", "1000", "--eos", "<end>,65"];
    folder.succeed(&[&["compile", "sums.lark"][..], &chosen].concat());
    let json = folder.succeed(&["mask", "sums.gcg", "--vocab", "tiny", "--text", "1", "--json"]).json();
    let ranges = json["ranges"].as_array().expect("ranges");
    let one = |id: u32| serde_json::json!({"first": id, "last": id});
    assert!(ranges.contains(&one(65)) && ranges.contains(&one(267)), "{ranges:?}");
    assert_eq!(folder.succeed(&["inspect", "sums.gcg", "--json"]).json()["mask_width"], 1000);
}

/// The example of the README.
#[test]
fn person_on_llama3() {
    let folder = Folder::new();
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/person.schema.json");
    folder.succeed(&["compile", &schema.to_string_lossy(), "--vocab", "llama3", "-o", "person.gcg"]);
    folder.succeed(&["verify", "person.gcg", "--deep", "--states", "3"]);
    let mask = folder.succeed(&["mask", "person.gcg", "--text", "{\"name\": \"Al", "--json"]).json();
    assert!(mask["count"].as_u64().unwrap() > 100_000, "{}", mask["count"]);
    folder.write("out.json", r#"{"name": "Alice", "age": 31, "tags": ["a\n\u00e9"]}"#);
    folder.succeed(&["replay", "person.gcg", "--text-file", "out.json"]);
    folder.write("old.json", r#"{"name": "Alice", "age": 151}"#);
    let refused = folder.run(&["replay", "person.gcg", "--text-file", "old.json"]);
    assert!(refused.exit == 1 && refused.text().contains("refused: token"), "{}", refused.text());
    let generated =
        folder.succeed(&["generate", "person.gcg", "-n", "5", "--seed", "1", "--json"]).json_lines();
    for output in generated {
        let text = output["text"].as_str().expect("JSON is UTF-8");
        let value: serde_json::Value =
            serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert!(value["age"].as_f64().is_some_and(|age| (0.0..=150.0).contains(&age)), "{text}");
    }
}

/// Most flips of this mask are further apart than two bytes can express.
#[test]
fn tokens_may_lie_far_from_each_other() {
    let folder = Folder::new();
    let near = (0..400).map(|number| (format!("w{number:03}"), number));
    let far = (0..250).map(|number| (format!("x{number:03}"), 1_000 + 66_000 * number));
    let bytes = (0..=u8::MAX).map(|byte| (vec![byte], 400 + u32::from(byte)));
    let words = near.chain(far).map(|(word, id)| (word.into_bytes(), id));
    let mut ranks: Vec<(Vec<u8>, u32)> = words.chain(bytes).collect();
    ranks.sort_by_key(|&(_, id)| id);
    let line = |(word, id): &(Vec<u8>, u32)| format!("{} {id}\n", base64(word));
    folder.write("far.tiktoken", ranks.iter().map(line).collect::<String>());
    folder.write("words.lark", "start: /[wx][0-9]{3}/");
    let vocabulary = ["--vocab", "far.tiktoken", "--eos", "400"];
    folder.succeed(&[&["compile", "words.lark", "-o", "a.gcg"], &vocabulary[..]].concat());
    folder.succeed(&[&["verify", "a.gcg", "--deep", "--states", "2"], &vocabulary[..]].concat());
}

#[test]
fn names_that_are_not_known_have_advice() {
    let folder = Folder::new();
    let advice = |name: &str| folder.run(&["compile", "sums.lark", "--vocab", name]).stderr;
    for (name, meant) in [
        ("lama3", "llama3"),
        ("meta-llama/Llama-3.1-8B-Instruct", "llama3"),
        ("Qwen/Qwen3-0.6B", "qwen3"),
        ("openai/gpt-oss-20b", "o200k"),
        ("cl100", "cl100k"),
    ] {
        let told = advice(name);
        assert!(told.contains(&format!("did you mean {meant}? The known names are ")), "{name}: {told}");
    }
    for name in ["gpt2", "qwen4", "mistral"] {
        assert!(advice(name).contains("help: the known names are "), "{name}: {}", advice(name));
    }
}
