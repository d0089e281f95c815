//! The examples of the documentation end, with outputs of their languages.

#[path = "../../../examples/embed.rs"]
#[expect(unreachable_pub, reason = "it is a program of its own")]
mod embed;
#[path = "../../../runtime/examples/generate.rs"]
#[expect(unreachable_pub, reason = "it is a program of its own")]
mod generate;

use gcc_grammar::{Options, Packing, Source, Vocabulary, compile_parsed, parse};
use std::fs;
use std::path::Path;

/// The code of the example is that of the README, which is compiled with the runtime.
#[test]
fn the_readme_of_the_runtime_has_its_example() {
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime");
    let read = |file: &str| fs::read_to_string(runtime.join(file)).expect("a file of the repository");
    let (readme, example) = (read("README.md"), read("examples/generate.rs"));
    let code = readme.split("```rust\n").nth(1).and_then(|rest| rest.split("```\n").next());
    assert!(example.contains(code.expect("a block of code")));
}

/// Inside of a string, the first allowed token never ends it: the budget does.
#[test]
fn the_example_of_the_runtime_ends() {
    let vocabulary = Vocabulary::from_tokens("bytes", (0..=255_u8).map(|byte| [byte])).expect("tokens");
    let file = vocabulary.tokens().to_artifact();
    for schema in [
        r#"{"type": "object"}"#,
        r#"{"type": "string"}"#,
        r#"{"type": "array", "items": {"type": "integer"}}"#,
    ] {
        let (source, options) = (Source::json_schema(schema), Options::default());
        let parsed = parse(&source, &options).expect("a schema");
        let made = compile_parsed(&parsed, &vocabulary, &options, Packing::Referenced, &mut ())
            .expect("it compiles");
        let output = generate::generate(made.artifact.bytes(), &file).expect("an output");
        assert!(output.len() <= 100);
        let tokens: Vec<u32> = output.iter().map(|token| token.0).collect();
        let text = String::from_utf8(vocabulary.text_of(&tokens)).expect("JSON is UTF-8");
        let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(schema).expect("JSON")["type"],
            kind(&value),
            "{text}"
        );
    }
}

fn kind(value: &serde_json::Value) -> &'static str {
    match value {
        serde_json::Value::Object(_) => "object",
        serde_json::Value::Array(_) => "array",
        serde_json::Value::String(_) => "string",
        _ => "another",
    }
}

#[test]
fn the_example_of_the_facade_ends() {
    embed::main().expect("an output");
}
