//! Tests of `mask`, `replay`, `generate` and `bench`.

use crate::support::Folder;
use serde::de::IgnoredAny;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

fn compiled(input: &str) -> Folder {
    let folder = Folder::new();
    folder.compile(input, "a.gcg");
    folder
}

/// The ids in a JSON list of ranges.
fn ids(ranges: &Value) -> Vec<u64> {
    let bound = |range: &Value, end: &str| range[end].as_u64().expect("a number");
    ranges
        .as_array()
        .expect("ranges")
        .iter()
        .flat_map(|range| bound(range, "first")..=bound(range, "last"))
        .collect()
}

#[test]
fn masks_name_the_tokens_that_may_come() {
    let folder = compiled("sums.lark");
    let mask = folder.succeed(&["mask", "a.gcg", "--vocab", "tiny", "--text", "(1", "--json"]).json();
    let allowed = ids(&mask["ranges"]);
    let expected: Vec<u64> = "0123456789 )+"
        .bytes()
        .map(u64::from)
        .chain([258, 259, 261, 263])
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .collect();
    // 260 is "+(", 258 and 259 are numbers, 261 is ")+", 263 is " + ".
    let mut with_open = expected.clone();
    with_open.push(260);
    with_open.sort_unstable();
    assert_eq!(allowed, with_open, "{mask}");
    assert_eq!(
        (mask["count"].as_u64(), mask["complete"].as_bool()),
        (Some(allowed.len() as u64), Some(false))
    );
    let text = folder.succeed(&["mask", "a.gcg", "--vocab", "tiny", "--text", "(1"]).text();
    assert!(text.contains("tokens allowed; the text is not complete"), "{text}");
}

#[test]
fn bitmasks_are_rows_of_little_endian_words() {
    let folder = compiled("sums.lark");
    let mask = folder
        .succeed(&["mask", "a.gcg", "--vocab", "tiny", "--text", "1", "--json", "--bitmask", "row"])
        .json();
    let row = folder.read("row");
    // 256 bytes, 11 longer tokens, 1 end token, 8 of padding: 276 bits in 9 words.
    assert_eq!(row.len(), 36);
    let set: Vec<u64> =
        (0..row.len() as u64 * 8).filter(|&bit| row[bit as usize / 8] >> (bit % 8) & 1 == 1).collect();
    assert_eq!(set, ids(&mask["ranges"]));
    assert!(set.contains(&267), "the text may end, so the end token is allowed");
}

#[test]
fn the_mask_names_the_bytes_that_must_come_next() {
    let folder = Folder::new();
    folder.write("word.lark", "start: \"begin\" (\"ing\" | \"and\") \"end\"\n");
    folder.compile("word.lark", "a.gcg");
    let certain = |text: &str| {
        folder.succeed(&["mask", "a.gcg", "--vocab", "tiny", "--text", text, "--json"]).json()["forced"]
            .clone()
    };
    assert_eq!([certain("b"), certain("begini"), certain("beginingend")], ["egin", "ngend", ""]);
}

#[test]
fn a_refused_prefix_is_named() {
    let folder = compiled("sums.lark");
    let ran = folder.run(&["mask", "a.gcg", "--vocab", "tiny", "--text", "1+*"]);
    assert_eq!(ran.exit, 1);
    assert!(ran.stderr.contains("at byte 2") && ran.stderr.contains("possible there"), "{}", ran.stderr);
    let ran = folder.run(&["mask", "a.gcg", "--vocab", "tiny", "--tokens", "49,43,42"]);
    assert!(ran.exit == 1 && ran.stderr.contains("number 3 of 3"), "{}", ran.stderr);
}

#[test]
fn replay_accepts_texts_of_the_language() {
    let folder = compiled("sums.lark");
    folder.write("sum.txt", "12 + (3+4)");
    let ran = folder.succeed(&["replay", "a.gcg", "--vocab", "tiny", "--text-file", "sum.txt"]);
    assert!(ran.text().starts_with("accepted: ") && ran.text().contains("p99.9"), "{}", ran.text());
    let json =
        folder.succeed(&["replay", "a.gcg", "--vocab", "tiny", "--tokens", "49,43,258,267", "--json"]).json();
    assert_eq!((json["accepted"].as_bool(), json["text"].as_str()), (Some(true), Some("1+12")));
}

#[test]
fn replay_names_the_first_refused_token() {
    let folder = compiled("sums.lark");
    folder.write("sum.txt", "1 +\n2");
    let ran = folder.run(&["replay", "a.gcg", "--vocab", "tiny", "--text-file", "sum.txt"]);
    assert_eq!(ran.exit, 1);
    assert!(ran.text().contains("10 \"\\n\", at byte 3 (line 1, column 4)"), "{}", ran.text());
    let json = folder.run(&["replay", "a.gcg", "--vocab", "tiny", "--tokens", "49,43,43", "--json"]).json();
    assert_eq!((json["refused"]["index"].as_u64(), json["refused"]["offset"].as_u64()), (Some(2), Some(2)));
    assert_eq!(json["refused"]["bytes"], "+");
    assert!(ids(&json["possible"]["ranges"]).contains(&u64::from(b'(')));
}

#[test]
fn replay_names_the_place_in_the_schema() {
    let folder = Folder::new();
    folder.write("list.json", r#"{"properties": {"a": {"type": "array", "items": {"const": 1}}}, "type": "object", "additionalProperties": false}"#);
    folder.succeed(&["compile", "list.json", "--vocab", "tiny", "-o", "list.gcg"]);
    let replay = ["replay", "list.gcg", "--vocab", "tiny", "--why", "--text", r#"{"a":[2"#];
    let text = folder.run(&replay).text();
    assert!(text.contains("why       the place is the JSON value at \"/a/0\"\n"), "{text}");
    assert!(text.contains("why       the schema describes it at \"/properties/a/items\"\n"), "{text}");
    let json = folder.run(&[&replay[..], &["--json"]].concat()).json();
    assert_eq!(json["refused"]["why"]["schema"], serde_json::json!(["/properties/a/items"]));
}

#[test]
fn replay_tells_what_happens_with_each_token() {
    let folder = Folder::new();
    folder.write("list.json", r#"{"type": "array", "items": {"type": "integer"}}"#);
    folder.write("pair.lark", "start: word \"=\" word\nword: LETTER+\n%import common.LETTER\n");
    for (input, text, told) in [
        (
            "list.json",
            "[7]",
            "event     1 began array \"\"\nevent     2 began number \"/0\"\nevent     2 grew number \"/0\" \"7\"\nevent     3 ended number \"/0\" \"7\"\nevent     3 ended array \"\" \"[7]\"\n",
        ),
        (
            "pair.lark",
            "a=b",
            "event     1 began start\nevent     1 began word\nevent     1 grew word \"a\"\nevent     2 ended word \"a\"\nevent     2 grew start \"a=\"\nevent     3 began word\nevent     3 grew word \"b\"\nevent     end ended word \"b\"\nevent     end ended start \"a=b\"\n",
        ),
    ] {
        folder.succeed(&["compile", input, "--vocab", "tiny", "-o", "e.gcg"]);
        let replay = ["replay", "e.gcg", "--vocab", "tiny", "--events", "--text", text];
        let text = folder.succeed(&replay).text();
        assert!(text.contains(told), "{text}");
        let json = folder.succeed(&[&replay[..], &["--json"]].concat()).json();
        assert_eq!(json["events"].as_array().map(Vec::len), Some(told.lines().count()));
    }
}

#[test]
fn the_line_break_at_the_end_of_a_file_counts_unless_it_is_dropped() {
    let folder = compiled("sums.lark");
    let replay = ["replay", "a.gcg", "--vocab", "tiny", "--text-file", "-"];
    let chomp = [&replay[..], &["--chomp"]].concat();
    for text in ["(1+2)\n", "(1+2)\r\n"] {
        let kept = folder.run_with(&replay, text.as_bytes());
        assert!(kept.exit == 1 && kept.text().contains("--chomp drops it"), "{}", kept.text());
        let json = folder.run_with(&[&chomp[..], &["--json"]].concat(), text.as_bytes()).json();
        assert_eq!([&json["accepted"], &json["without_final_line_break"]], [true, true], "{text:?}");
    }
    assert_eq!(folder.run_with(&chomp, b"1\n\n").exit, 1, "only one");
    assert_eq!(folder.run_with(&chomp, b"1").exit, 0, "there may be none");
    let text = ["replay", "a.gcg", "--vocab", "tiny", "--text", "1", "--chomp"];
    assert_eq!(folder.run(&text).exit, 2, "only of files");
    folder.write("lines.lark", "start: (\"1\" \"\\n\")+\n");
    folder.compile("lines.lark", "a.gcg");
    assert_eq!(folder.run_with(&replay, b"1\n1\n").exit, 0);
    assert_eq!(folder.run_with(&chomp, b"1\n1\n").exit, 1);
}

#[test]
fn replay_goes_as_deep_as_the_text() {
    let folder = compiled("sums.lark");
    folder.write("deep.txt", format!("{}1{}", "(".repeat(50_000), ")".repeat(50_000)));
    folder.succeed(&["replay", "a.gcg", "--vocab", "tiny", "--text-file", "deep.txt"]);
}

#[test]
fn replay_tells_when_the_text_ends_too_early() {
    let folder = compiled("sums.lark");
    let ran = folder.run(&["replay", "a.gcg", "--vocab", "tiny", "--text", "(1+2"]);
    assert!(ran.exit == 1 && ran.text().contains("ends too early"), "{}", ran.text());
    folder.succeed(&["replay", "a.gcg", "--vocab", "tiny", "--text", "(1+2", "--prefix"]);
}

#[test]
fn generated_outputs_are_valid_and_repeatable() {
    let folder = compiled("point.json");
    let generate = |seed: &str| {
        let arguments = [
            "generate",
            "a.gcg",
            "--vocab",
            "tiny",
            "-n",
            "20",
            "--seed",
            seed,
            "--max-tokens",
            "8",
            "--json",
        ];
        folder.succeed(&arguments).json_lines()
    };
    let outputs = generate("1");
    assert_eq!(outputs, generate("1"));
    assert_ne!(outputs, generate("2"));
    for output in outputs {
        let text = output["text"].as_str().unwrap();
        // Some of the numbers are too large for any type that holds numbers.
        let value: Result<IgnoredAny, _> = serde_json::from_str(text);
        assert!(value.is_ok(), "{text}");
        folder.succeed(&["replay", "a.gcg", "--vocab", "tiny", "--text", text]);
        let tokens: Vec<String> = output["tokens"].as_array().unwrap().iter().map(Value::to_string).collect();
        folder.succeed(&["replay", "a.gcg", "--vocab", "tiny", "--tokens", &tokens.join(",")]);
    }
}

#[test]
fn generation_ends_however_deep_it_is() {
    let folder = compiled("sums.lark");
    // Random tokens close few of the open parentheses. The budget has to close the others.
    let outputs = folder.succeed(&["generate", "a.gcg", "--vocab", "tiny", "-n", "10", "--max-tokens", "60"]);
    for line in outputs.text().lines() {
        let count = |c: char| line.chars().filter(|&d| d == c).count();
        assert_eq!(count('('), count(')'), "{line}");
    }
}

#[test]
fn generation_ends_however_much_is_required() {
    let folder = Folder::new();
    let keys: Vec<String> = (0..40).map(|index| format!("required-member-{index}")).collect();
    let integer = serde_json::json!({"type": "integer"});
    let properties: serde_json::Map<String, Value> =
        keys.iter().map(|key| (key.clone(), integer.clone())).collect();
    let schema = serde_json::json!({"type": "object", "properties": properties, "required": keys});
    folder.write("many.json", schema.to_string());
    folder.compile("many.json", "a.gcg");
    let generate =
        |most: &str| folder.run(&["generate", "a.gcg", "--vocab", "tiny", "-n", "5", "--max-tokens", most]);
    let refused = generate("20");
    assert_eq!(refused.exit, 1);
    let least =
        refused.stderr.split(' ').filter_map(|word| word.parse::<u32>().ok()).max().expect(&refused.stderr);
    assert!(least > 40 && generate(&(least - 1).to_string()).exit == 1, "{}", refused.stderr);
    let arguments =
        ["generate", "a.gcg", "--vocab", "tiny", "-n", "5", "--max-tokens", &least.to_string(), "--json"];
    for output in folder.succeed(&arguments).json_lines() {
        let text = output["text"].as_str().unwrap();
        let members: BTreeMap<String, IgnoredAny> = serde_json::from_str(text).expect(text);
        assert!(keys.iter().all(|key| members.contains_key(key)), "{text}");
        assert_eq!(output["tokens"].as_array().unwrap().len(), least as usize);
    }
}

/// Where keys and items are remembered, budgets lead to the end: each output is valid, and as short as was asked for.
#[test]
fn outputs_with_remembered_keys_and_items_end_within_the_budget() {
    let keys: Vec<String> = (0..16).map(|number| format!("\"k{number}\":{{\"type\":\"integer\"}}")).collect();
    let set = |items: &str, min: u32| {
        format!(r#"{{"type":"array","items":{items},"uniqueItems":true,"minItems":{min}}}"#)
    };
    let object = |conditions: &str| {
        let tags = set(r#"{"type":"string"}"#, 2);
        format!(r#"{{"type":"object","properties":{{{},"tags":{tags}}},{conditions}}}"#, keys.join(","))
    };
    let colours: Vec<String> = (0..14).map(|number| format!("\"colour {number}\"")).collect();
    let schemas = [
        set(r#"{"type":"integer","minimum":0}"#, 2),
        set(r#"{"type":["string","null"]}"#, 3),
        set(r#"{"type":"string","maxLength":40}"#, 1),
        set(&format!("{{\"enum\":[{}]}}", colours.join(",")), 2),
        object(r#""required":["k3","tags"]"#),
        object(r#""required":["k15","k2"],"additionalProperties":false"#),
        object(r#""additionalProperties":false,"anyOf":[{"required":["k1","k2"]},{"required":["tags"]}]"#),
        object(r#""dependentRequired":{"k1":["k2"],"k2":["tags"]},"required":["k1"]"#),
        object(r#""if":{"properties":{"k1":{"const":7}}},"then":{"required":["k4"]},"required":["k1"]"#),
        format!(r#"{{"type":"array","items":{},"minItems":2}}"#, object(r#""required":["k0"]"#)),
    ];
    let folder = Folder::new();
    for (number, schema) in (1..).zip(&schemas) {
        folder.write("s.json", schema);
        let arguments = ["--vocab", "tiny", "--property-order", "any", "--whitespace", "compact"];
        folder.succeed(&[&["compile", "s.json", "-o", "s.gcg"][..], &arguments].concat());
        let generate = |most: u32, count: &str| {
            let most = most.to_string();
            folder.run(&[
                "generate",
                "s.gcg",
                "--vocab",
                "tiny",
                "-n",
                count,
                "--seed",
                "5",
                "--max-tokens",
                &most,
                "--json",
            ])
        };
        let refused = folder.run(&["generate", "s.gcg", "--vocab", "tiny", "--max-tokens", "1"]).stderr;
        let least = refused.split(' ').filter_map(|word| word.parse::<u32>().ok()).max().expect(&refused);
        let validator =
            jsonschema::draft202012::new(&serde_json::from_str(schema).expect("JSON")).expect("a schema");
        for most in [least, least + 3, least + 20] {
            let outputs = generate(most, "10");
            assert_eq!(outputs.exit, 0, "{number}: {}", outputs.stderr);
            for output in outputs.json_lines() {
                match serde_json::from_str(output["text"].as_str().unwrap()) {
                    Ok(value) => assert!(validator.is_valid(&value), "{number}: {value}"),
                    // Keys that no schema declares may have numbers that no double has.
                    Err(error) => {
                        assert!(error.to_string().starts_with("number out of range"), "{number}: {error}");
                    }
                }
                assert!(output["tokens"].as_array().unwrap().len() as u32 <= most, "{number}: {output}");
            }
        }
    }
}

/// Items that are arrays have no budgets: chance leads to the end. The compilation says so.
#[test]
fn outputs_of_artifacts_without_budgets_are_found_by_chance() {
    let folder = Folder::new();
    folder.write(
        "set.json",
        r#"{"type":"array","items":{"type":"array","items":{"type":"integer"}},"uniqueItems":true,"minItems":2}"#,
    );
    let compiled = folder.succeed(&["compile", "set.json", "--vocab", "tiny", "-o", "set.gcg"]);
    assert!(compiled.stderr.contains("has no token budgets"), "{}", compiled.stderr);
    let arguments = ["generate", "set.gcg", "--vocab", "tiny", "-n", "20", "--max-tokens", "30", "--json"];
    for output in folder.succeed(&arguments).json_lines() {
        let items: Vec<Value> = serde_json::from_str(output["text"].as_str().unwrap()).expect("an array");
        let texts: BTreeSet<String> = items.iter().map(Value::to_string).collect();
        assert!(items.len() > 1 && texts.len() == items.len(), "{output}");
        assert!(output["tokens"].as_array().unwrap().len() <= 30, "{output}");
    }
    let refused = folder.run(&["generate", "set.gcg", "--vocab", "tiny", "--max-tokens", "3"]);
    assert!(refused.exit == 1 && refused.stderr.contains("raise --max-tokens"), "{}", refused.stderr);
    let ran =
        folder.succeed(&["bench", "set.json", "--vocab", "tiny", "--runs", "1", "--replays", "1", "--json"]);
    assert!(ran.json()["tokens"].as_u64().unwrap() > 100);
}

#[test]
fn bench_measures_and_checks() {
    let folder = Folder::new();
    let ran = folder
        .succeed(&["bench", "sums.lark", "--vocab", "tiny", "--runs", "2", "--replays", "1", "--json"])
        .json();
    assert!(ran["tokens"].as_u64().unwrap() > 0 && ran["artifact_bytes"].as_u64().unwrap() > 0, "{ran}");
    assert!(ran["first_mask"]["p50_ns"].as_u64().unwrap() > 0, "{ran}");
    folder.write("bad.txt", "1+*");
    let bad = ["bench", "sums.lark", "--vocab", "tiny", "--runs", "1", "--text-file", "bad.txt"];
    assert_eq!(folder.run(&bad).exit, 1);
}

/// Other engines are asked by an interpreter, for which a script stands here.
#[cfg(unix)]
#[test]
fn bench_measures_peers_and_plots() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let answers = concat!(
        r#"{"engine":"fast 1","first_mask_ns":[9],"mask_ns":[3000,1000],"commit_ns":[5,7],"refused":2}"#,
        "\n",
        r#"{"engine":"absent","error":"not installed"}"#
    );
    folder.write("interpreter", format!("#!/bin/sh\ncat > job.json\necho '{answers}'\n"));
    let interpreter = folder.path("interpreter");
    std::fs::set_permissions(&interpreter, std::fs::Permissions::from_mode(0o755)).expect("permissions");
    let peers = format!("--peers={}", interpreter.display());
    let bench = ["bench", "sums.lark", "--vocab", "tiny", "--runs", "1", "--replays", "1"];
    let ran = folder.succeed(&[&bench[..], &[&peers, "--plot", "times.svg", "--json"]].concat()).json();
    assert_eq!(ran["peers"][0]["mask"]["max_ns"], 3000, "{ran}");
    assert_eq!(
        (&ran["peers"][0]["refused_outputs"], &ran["peers"][1]["error"]),
        (&2.into(), &"not installed".into())
    );
    let plot = std::fs::read_to_string(folder.path("times.svg")).expect("a plot");
    assert!(plot.contains("gcc-grammar from") && plot.contains("fast 1 from (1, 1) to (3, 0.5)"), "{plot}");
    let job: Value = serde_json::from_str(&std::fs::read_to_string(folder.path("job.json")).expect("a job"))
        .expect("JSON");
    assert_eq!((&job["notation"], job["outputs"].as_array().map(Vec::len)), (&"lark".into(), Some(50)));
    let refused = folder.run(&[&bench[..], &["--peers=no-such-program"]].concat());
    assert!(refused.exit == 2 && refused.stderr.contains("--peers"), "{}", refused.stderr);
}

/// After `a` a comment may begin, and only a line break ends it. But a line break after `a` ends the sentence too early.
#[test]
fn a_comment_that_nothing_can_follow_is_not_offered() {
    let folder = Folder::new();
    let grammar =
        "start: \"a\" \"c\" NL\nNL: /\\n/\nCOMMENT: /#[^\\n]*/\n%ignore COMMENT\n%after \"a\" \"c\" : NL\n";
    folder.write("trap.lark", grammar);
    folder.succeed(&["compile", "trap.lark", "--vocab", "tiny", "-o", "a.gcg"]);
    // The line break after the comment may only come behind the `c`.
    assert_eq!(folder.run(&["mask", "a.gcg", "--vocab", "tiny", "--text", "a#"]).exit, 1);
    folder.succeed(&["mask", "a.gcg", "--vocab", "tiny", "--text", "ac#"]);
    let arguments = ["generate", "a.gcg", "--vocab", "tiny", "-n", "20", "--max-tokens", "9", "--json"];
    let outputs = folder.succeed(&arguments).json_lines();
    let texts: Vec<&str> = outputs.iter().filter_map(|output| output["text"].as_str()).collect();
    assert!(!texts.is_empty() && texts.iter().all(|text| text.starts_with("ac")), "{texts:?}");
}
