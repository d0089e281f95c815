//! Tests of `test` and `diff`.

use crate::support::{Folder, SUMS};
use std::fs;

/// A folder with the grammar of sums and these texts.
fn tested(accept: &[(&str, &str)], reject: &[(&str, &str)]) -> Folder {
    let folder = Folder::new();
    fs::create_dir(folder.path("sums")).expect("a folder is made");
    folder.write("sums/sums.lark", SUMS);
    for (kind, texts) in [("accept", accept), ("reject", reject)] {
        fs::create_dir(folder.path(&format!("sums/{kind}"))).expect("a folder is made");
        texts.iter().for_each(|(name, text)| folder.write(&format!("sums/{kind}/{name}"), text));
    }
    folder
}

#[test]
fn texts_that_go_as_they_should_pass() {
    let folder = tested(&[("a", "1"), ("b", "(1 + 2)")], &[("a", "1+"), (".hidden", "1")]);
    for vocabulary in [&[][..], &["--vocab", "tiny"]] {
        let ran = folder.succeed(&[&["test", "sums"], vocabulary].concat());
        assert_eq!(ran.text(), "3 texts: 3 passed, 0 failed\n");
    }
}

#[test]
fn texts_that_do_not_are_named() {
    let folder = tested(&[("good", "1"), ("bad", "1 + *")], &[("sum", "1")]);
    for vocabulary in [&[][..], &["--vocab", "tiny"]] {
        let ran = folder.run(&[&["test", "sums", "--json"], vocabulary].concat());
        let report = ran.json();
        assert_eq!((ran.exit, &report["passed"], &report["failed"]), (1, &1.into(), &2.into()));
        let bad = &report["texts"][0];
        assert_eq!((&bad["name"], &bad["offset"], &bad["passed"]), (&"bad".into(), &4.into(), &false.into()));
    }
}

#[test]
fn a_folder_without_texts_or_with_several_grammars_is_refused() {
    let folder = tested(&[], &[]);
    let ran = folder.run(&["test", "sums"]);
    assert!(ran.exit == 2 && ran.stderr.contains("no texts"), "{}", ran.stderr);
    folder.write("sums/other.lark", SUMS);
    let ran = folder.run(&["test", "sums"]);
    assert!(ran.exit == 2 && ran.stderr.contains("several files"), "{}", ran.stderr);
    folder.write("sums/accept/a", "1");
    folder.succeed(&["test", "sums", "sums/other.lark"]);
    let ran = folder.run(&["test", "nowhere"]);
    assert!(ran.exit == 2 && ran.stderr.contains("nowhere"), "{}", ran.stderr);
}

#[test]
fn the_report_of_junit_is_xml() {
    let folder = tested(&[("a<&\"\u{1}>", "("), ("b", "1")], &[]);
    assert_eq!(folder.run(&["test", "sums", "--junit", "report.xml"]).exit, 1);
    let report = String::from_utf8(folder.read("report.xml")).expect("UTF-8");
    assert!(report.contains("tests=\"2\" failures=\"1\" errors=\"0\""), "{report}");
    assert!(report.contains("name=\"a&lt;&amp;&quot;?&gt;\""), "{report}");
    let ran = folder.run(&["test", "sums", "--junit", "-", "--json"]);
    assert!(ran.exit == 2 && ran.text().contains("cannot take both"), "{}", ran.text());
}

#[test]
fn differences_of_grammars_are_exit_codes() {
    let folder = Folder::new();
    folder.write("wide.json", r#"{"type": "object", "properties": {"x": {"type": "integer"}, "y": {}}, "required": ["x"], "additionalProperties": false}"#);
    assert_eq!(folder.run(&["diff", "point.json", "point.json"]).exit, 0);
    let ran = folder.run(&["diff", "point.json", "wide.json", "--json"]);
    let report = ran.json();
    assert_eq!((ran.exit, &report["equal"]), (1, &false.into()));
    assert_eq!(report["only_first"]["exists"], false);
    let text = report["only_second"]["shortest"].as_str().expect("a text");
    // The shortest value that is no integer.
    assert!(text.starts_with(r#"{"x":0,"y":"#) && text.len() == 14, "{text}");
    let ran = folder.run(&["diff", "point.json", "wide.json", "--limit-work", "3000000", "--json"]);
    assert!([1, 3].contains(&ran.exit), "{}", ran.text());
    assert_eq!(folder.run(&["diff", "point.json", "nowhere.json"]).exit, 2);
}
