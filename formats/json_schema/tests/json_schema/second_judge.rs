//! The second judge of the random campaign, `second_judge.mjs`, on two fixed verdicts. `npm` fetches Ajv.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// The first verdict is Ajv's own, the second is not.
const LINES: &str = r#"running 1 test
WRONG {"seed": 1, "valid": false, "instance": 1, "schema": {"type": "string"}}
WRONG {"seed": 2, "valid": true, "instance": 1, "schema": {"type": "string"}}
"#;

#[test]
#[ignore = "needs npm"]
fn the_second_judge_says_where_both_judges_agree() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("second_judge");
    std::fs::create_dir_all(&folder).expect("a folder");
    let npm = ["install", "--silent", "--no-audit", "--no-fund", "ajv@8"];
    assert!(Command::new("npm").args(npm).current_dir(&folder).status().expect("npm").success());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/json_schema/second_judge.mjs");
    let mut node = Command::new("node");
    node.arg(script).current_dir(&folder).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut judge = node.spawn().expect("node");
    judge.stdin.take().expect("a pipe").write_all(LINES.as_bytes()).expect("the judge reads");
    let output = judge.wait_with_output().expect("the judge ends");
    let said = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(said.contains("seed 1: both judges say valid=false"), "{said}");
    assert!(said.contains("seed 2: the judges differ; jsonschema says valid=true"), "{said}");
    assert!(said.ends_with("1 verdicts on which both judges disagree with the grammar\n"), "{said}");
    assert_eq!(output.status.code(), Some(1), "{said}");
}
