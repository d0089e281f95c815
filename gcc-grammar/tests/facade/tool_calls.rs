//! The calls of tests/tools: real syntax of every family of models, and texts that are wrong in one place.

use gcc_grammar::tools::{Thinking, families};
use gcc_grammar::vocabulary::SpecialToken;
use gcc_grammar::{Options, SchemaOptions, Session, Source, ToolOptions, Vocabulary, compile};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::path::Path;

/// A file of tests/tools; its README says what the fields mean.
#[derive(Deserialize)]
struct File {
    family: String,
    /// As it is written: the order of the members is that of the arguments.
    tools: Box<RawValue>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    text: String,
    accepted: bool,
    /// Sources disagree about this form: nothing is expected.
    #[serde(default)]
    optional: bool,
    #[serde(default)]
    options: Asked,
}

#[derive(Deserialize, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[serde(default, deny_unknown_fields)]
struct Asked {
    tool_choice: String,
    parallel: bool,
    #[serde(deserialize_with = "is_not_false")]
    thinking: bool,
    whitespace: String,
}

impl Default for Asked {
    fn default() -> Self {
        Self {
            tool_choice: "auto".to_owned(),
            parallel: true,
            thinking: false,
            whitespace: "flexible".to_owned(),
        }
    }
}

/// Thinking that the prompt has begun is thinking, too.
fn is_not_false<'de, D: serde::Deserializer<'de>>(input: D) -> Result<bool, D::Error> {
    Ok(serde_json::Value::deserialize(input)? != serde_json::Value::Bool(false))
}

fn files() -> Vec<File> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/tools");
    let paths = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let texts = paths.filter(|path| path.extension().is_some_and(|extension| extension == "json"));
    let read = |path: std::path::PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a text");
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    texts.map(read).collect()
}

/// A vocabulary of all bytes; 256 ends the output.
fn bytes() -> Vocabulary {
    let tokens = (0..=u8::MAX).map(|byte| (u32::from(byte), vec![byte])).collect();
    let special = SpecialToken { id: 256, text: "<end>".to_owned() };
    Vocabulary::from_parts("bytes", tokens, vec![special], vec![256], 257).expect("a vocabulary")
}

fn open(file: &File, asked: &Asked, vocabulary: &Vocabulary) -> Session {
    let Ok(choice) = asked.tool_choice.parse();
    let thinking = if asked.thinking { Thinking::On } else { Thinking::Off };
    let tools = ToolOptions {
        model: Some(file.family.clone()),
        choice,
        parallel: asked.parallel,
        thinking,
        ..ToolOptions::default()
    };
    let schema = SchemaOptions {
        whitespace: asked.whitespace.parse().expect("white space"),
        ..SchemaOptions::default()
    };
    let options = Options { tools, schema, ..Options::default() };
    let artifact = compile(&Source::tools(file.tools.get()), vocabulary, &options)
        .unwrap_or_else(|error| panic!("{}: {error}", file.family));
    Session::new(artifact, vocabulary).expect("a session")
}

/// The texts of a file whose verdict is not the one that the file says.
fn wrong(file: &File, vocabulary: &Vocabulary, accepts: impl Fn(&Session, &str) -> bool) -> Vec<String> {
    let mut by_options: BTreeMap<&Asked, Vec<&Case>> = BTreeMap::new();
    for case in file.cases.iter().filter(|case| !case.optional) {
        by_options.entry(&case.options).or_default().push(case);
    }
    let mut wrong = Vec::new();
    for (asked, cases) in by_options {
        let session = open(file, asked, vocabulary);
        let differ = cases.into_iter().filter(|case| accepts(&session, &case.text) != case.accepted);
        wrong.extend(differ.map(|case| {
            let expected = if case.accepted { "is refused" } else { "is accepted" };
            format!("{} {expected}: {}: {:?}", file.family, case.name, case.text)
        }));
    }
    wrong
}

fn accepts_bytes(session: &Session, text: &str) -> bool {
    let mut matcher = session.matcher().expect("a matcher");
    matcher.commit_bytes(text.as_bytes()).is_ok() && matcher.is_accepting().expect("enough scratch")
}

#[test]
fn every_family_has_calls() {
    let mut names: Vec<String> = files().into_iter().map(|file| file.family).collect();
    let mut families: Vec<String> = families().iter().map(|family| family.name.clone()).collect();
    names.sort();
    families.sort();
    assert_eq!(names, families);
}

#[test]
fn every_call_as_bytes() {
    let vocabulary = bytes();
    let wrong: Vec<String> =
        files().iter().flat_map(|file| wrong(file, &vocabulary, accepts_bytes)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A line of tests/tools/reported/texts.jsonl.
#[derive(Deserialize)]
struct Reported {
    family: String,
    tool_choice: String,
    text: String,
    accepted: bool,
}

/// Texts that were refused, or unconstrained, and their siblings in every family: line breaks behind calls, blank lines between them, members and parameters in
/// another order, text behind calls, marks of calls in other text.
#[test]
fn reported_texts_of_calls() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/tools/reported");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a text");
    let tools: Box<RawValue> = serde_json::from_str(&read("tools.json")).expect("tools");
    let vocabulary = bytes();
    let mut by_options: BTreeMap<(String, String), Vec<Reported>> = BTreeMap::new();
    for line in read("texts.jsonl").lines() {
        let one: Reported = serde_json::from_str(line).expect("a row");
        by_options.entry((one.family.clone(), one.tool_choice.clone())).or_default().push(one);
    }
    let mut wrong = Vec::new();
    for ((family, tool_choice), texts) in by_options {
        let file = File { family, tools: tools.clone(), cases: Vec::new() };
        let session = open(&file, &Asked { tool_choice, ..Asked::default() }, &vocabulary);
        let differ = texts.iter().filter(|one| accepts_bytes(&session, &one.text) != one.accepted);
        wrong.extend(differ.map(|one| format!("{} {}: {:?}", one.family, one.tool_choice, one.text)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// With many tools the name comes first, since otherwise all tools are read at once; and a text that begins with the arguments is no other text.
#[test]
fn with_many_tools_the_name_comes_first() {
    let vocabulary = bytes();
    let accepts = |count: usize, family: &str, text: &str| {
        let tool = |number| format!(r#"{{"name": "f{number}", "parameters": {{"type": "object"}}}}"#);
        let tools = (0..count).map(tool).collect::<Vec<_>>().join(",");
        let tools = RawValue::from_string(format!("[{tools}]")).expect("tools");
        let file = File { family: family.to_owned(), tools, cases: Vec::new() };
        accepts_bytes(&open(&file, &Asked::default(), &vocabulary), text)
    };
    let hermes = r#"<tool_call>{"arguments": {}, "name": "f0"}</tool_call>"#;
    let llama = r#"{"parameters": {}, "name": "f0"}"#;
    for (family, late) in [("hermes", hermes), ("llama3.1", llama)] {
        assert!(accepts(8, family, late) && !accepts(9, family, late), "{family}");
    }
    assert!(accepts(9, "llama3.1", r#"{"type": "function", "name": "f8", "parameters": {}}"#));
    assert!(accepts(9, "llama3.1", r#"So {"a": 1}."#));
}

/// Behind so many tokens of thoughts, the mark at their end follows.
#[test]
fn thoughts_have_at_most_so_many_tokens() {
    let vocabulary = bytes();
    let tools = r#"[{"name": "f", "parameters": {"type": "object"}}]"#;
    let open = |family: &str, thinking: Thinking| {
        let model = Some(family.to_owned());
        let tools_asked = ToolOptions { model, thinking, thinking_tokens: Some(3), ..ToolOptions::default() };
        let options = Options { tools: tools_asked, ..Options::default() };
        let artifact = compile(&Source::tools(tools), &vocabulary, &options)?;
        Session::new(artifact, &vocabulary)
    };
    let harmony = [
        "<|channel|>analysis<|message|>",
        "<|end|><|start|>assistant<|channel|>final<|message|>Hi<|return|>",
    ];
    let muse = [" to=self<|message|>", "<|eom|><|start|>assistant to=user<|message|>Hi<|eot|>"];
    let kimi =
        ["<|open|>think<|sep|>", "<|close|>think<|sep|><|open|>response<|sep|>Hi<|close|>response<|sep|>"];
    for (family, thinking, [begin, rest]) in [
        ("hermes", Thinking::On, ["", "</think>Hi"]),
        ("hermes", Thinking::On, ["<think>", "</think>Hi"]),
        (
            "hermes",
            Thinking::Auto,
            ["<think>", "</think>\n<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>"],
        ),
        ("harmony", Thinking::On, harmony),
        ("muse", Thinking::On, muse),
        ("kimi-k3", Thinking::On, kimi),
    ] {
        let session = open(family, thinking).expect("compiles");
        let mut matcher = session.matcher().expect("a matcher");
        let mut commits = |text: &str| text.bytes().all(|byte| matcher.commit(u32::from(byte)).is_ok());
        assert!(commits(begin) && commits("abc"), "{family} {begin}");
        assert!(!commits("d"), "{family} {begin}");
        assert!(commits(rest), "{family} {begin}");
        assert!(matcher.is_accepting().expect("enough scratch"), "{family} {begin}");
    }
    let error = open("hermes", Thinking::Off).expect_err("no thoughts").render();
    assert!(error.contains("there are no thoughts whose tokens could be limited"), "{error}");
    let error = open("phi4", Thinking::On).expect_err("no thoughts").render();
    assert!(error.contains("do not think"), "{error}");
}

/// A text that begins as an answer does is one: with a format of the answer, there is no other text.
#[test]
fn remarks_that_begin_as_answers_do() {
    let vocabulary = bytes();
    let answer = r#"{"tools": [{"name": "f", "input_schema": {"type": "object"}}], "output_format": {"type": "json_schema", "schema": {"type": "integer"}}}"#;
    for (family, begin, end) in [
        ("solar-open", "<|content|>", "<|end|>"),
        ("inkling", "<|content_text|>", "<|end_message|>"),
        ("beam", "<|channel|>final<|message|>", "<|end|>"),
    ] {
        let tools = RawValue::from_string(answer.to_owned()).expect("a request");
        let file = File { family: family.to_owned(), tools, cases: Vec::new() };
        let session = open(&file, &Asked::default(), &vocabulary);
        assert!(accepts_bytes(&session, &format!("{begin}3{end}")), "{family}");
        assert!(!accepts_bytes(&session, &format!("{begin}three{end}")), "{family}");
    }
}

/// The tokens of the text, special tokens as themselves.
fn accepts_tokens(session: &Session, text: &str) -> bool {
    let cut = session.vocabulary().tokenize(text.as_bytes(), true).expect("the vocabulary spells every text");
    let mut matcher = session.matcher().expect("a matcher");
    cut.ids.iter().all(|&token| matcher.commit(token).is_ok())
        && matcher.is_accepting().expect("enough scratch")
}

/// The built-in vocabulary of the family's models, with the family's marks as special tokens.
#[test]
fn calls_as_tokens_of_the_models() {
    for (family, name) in [("hermes", "qwen2.5"), ("llama3.1", "llama3"), ("harmony", "gpt-oss")] {
        let vocabulary = Vocabulary::load(name).expect("a built-in vocabulary");
        let files = files();
        let file = files.iter().find(|file| file.family == family).expect("a file of the family");
        let wrong = wrong(file, &vocabulary, accepts_tokens);
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

/// What the families write around calls and within their arguments, and tokenizers have as special tokens.
const MARKS: [&str; 77] = [
    "<tool_call>",
    "</tool_call>",
    "<think>",
    "</think>",
    "<|python_tag|>",
    "<|python_start|>",
    "<|python_end|>",
    "[TOOL_CALLS]",
    "[ARGS]",
    "[CALL_ID]",
    "[THINK]",
    "[/THINK]",
    "<｜tool▁calls▁begin｜>",
    "<｜tool▁calls▁end｜>",
    "<｜tool▁call▁begin｜>",
    "<｜tool▁call▁end｜>",
    "<｜tool▁sep｜>",
    "｜DSML｜",
    "<|tool_calls_section_begin|>",
    "<|tool_calls_section_end|>",
    "<|tool_call_begin|>",
    "<|tool_call_end|>",
    "<|tool_call_argument_begin|>",
    "<arg_key>",
    "</arg_key>",
    "<arg_value>",
    "</arg_value>",
    "<minimax:tool_call>",
    "</minimax:tool_call>",
    "]<]minimax[>[",
    "<|channel|>",
    "<|constrain|>",
    "<|message|>",
    "<|call|>",
    "<|start|>",
    "<start_function_call>",
    "<end_function_call>",
    "<escape>",
    "<|tool_call>",
    "<tool_call|>",
    "<|\"|>",
    "<|tool_call|>",
    "<|/tool_call|>",
    "<|START_ACTION|>",
    "<|END_ACTION|>",
    "<|open|>",
    "<|close|>",
    "<|sep|>",
    "<|tool_call_start|>",
    "<seed:tool_call>",
    "</seed:tool_call>",
    "<seed:think>",
    "</seed:think>",
    "<｜tool_calls_begin｜>",
    "<｜tool_call_begin｜>",
    "<｜tool_sep｜>",
    "<｜tool_call_end｜>",
    "<｜tool_calls_end｜>",
    "<longcat_tool_call>",
    "</longcat_tool_call>",
    "<|action_start|>",
    "<|plugin|>",
    "<|action_end|>",
    "<tool_calls>",
    "</tool_calls>",
    "<tool_sep>",
    "<|tools_prefix|>",
    "<|tools_suffix|>",
    "<|inner_prefix|>",
    "<|inner_suffix|>",
    "<|function_call|>",
    "<|role_sep|>",
    "<|tool_call:start|>",
    "<|tool_arg:start|>",
    "<|tool_arg:value|>",
    "<|tool_arg:end|>",
    "<|tool_call:end|>",
];

/// A vocabulary of all bytes and of the marks as special tokens.
fn bytes_and_marks() -> Vocabulary {
    let tokens = (0..=u8::MAX).map(|byte| (u32::from(byte), vec![byte])).collect();
    let names = std::iter::once("<end>").chain(MARKS);
    let specials: Vec<_> =
        (256..).zip(names).map(|(id, name)| SpecialToken { id, text: name.to_owned() }).collect();
    let width = 256 + specials.len() as u32;
    Vocabulary::from_parts("marks", tokens, specials, vec![256], width).expect("a vocabulary")
}

/// The tokens of a text: a mark where one begins, of several the longest, and bytes elsewhere.
fn cut(text: &str) -> Vec<u32> {
    let (mut tokens, mut left) = (Vec::new(), text.as_bytes());
    while let Some(&byte) = left.first() {
        let marks = (257..).zip(MARKS).filter(|(_, mark)| left.starts_with(mark.as_bytes()));
        let (token, length) =
            marks.max_by_key(|(_, mark)| mark.len()).map_or((byte.into(), 1), |(id, mark)| (id, mark.len()));
        tokens.push(token);
        left = &left[length..];
    }
    tokens
}

#[test]
fn every_call_with_its_marks_as_special_tokens() {
    let vocabulary = bytes_and_marks();
    let accepts = |session: &Session, text: &str| {
        let mut matcher = session.matcher().expect("a matcher");
        cut(text).into_iter().all(|token| matcher.commit(token).is_ok())
            && matcher.is_accepting().expect("enough scratch")
    };
    let wrong: Vec<String> = files().iter().flat_map(|file| wrong(file, &vocabulary, accepts)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
