//! Requests of services, choices of tools, and what a model is: what the outputs are in the end.

use gcc_grammar::tools::Chosen;
use gcc_grammar::{
    Options, Packing, Session, Source, Strict, ToolOptions, Vocabulary, artifact_key, compile,
    family_of_model, read_families,
};
use std::fs;

fn bytes() -> Vocabulary {
    let tokens = (0..=u8::MAX).map(|byte| (u32::from(byte), vec![byte])).collect();
    Vocabulary::from_parts("bytes", tokens, Vec::new(), vec![256], 257).expect("a vocabulary")
}

fn options(model: &str, choice: &str) -> Options {
    let Chosen { choice, parallel } = choice.parse().unwrap_or_else(|error| panic!("{choice}: {error}"));
    let tools = ToolOptions {
        model: Some(model.to_owned()),
        choice,
        parallel: parallel.unwrap_or(true),
        ..ToolOptions::default()
    };
    Options { tools, ..Options::default() }
}

fn accepts(tools: &str, options: &Options, texts: &[&str]) -> Vec<bool> {
    let vocabulary = bytes();
    let artifact =
        compile(&Source::tools(tools), &vocabulary, options).unwrap_or_else(|error| panic!("{error}"));
    let session = Session::new(artifact, &vocabulary).expect("a session");
    let accepted = |text: &&str| {
        let mut matcher = session.matcher().expect("a matcher");
        matcher.commit_bytes(text.as_bytes()).is_ok() && matcher.is_accepting().expect("enough scratch")
    };
    texts.iter().map(accepted).collect()
}

const TOOLS: &str = r#"[{"name": "find_book", "parameters": {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}}, {"name": "list_shelves"}]"#;

#[test]
fn choices_of_services() {
    let find = "<tool_call>\n{\"name\": \"find_book\", \"arguments\": {\"title\": \"x\"}}\n</tool_call>";
    let list = "<tool_call>\n{\"name\": \"list_shelves\", \"arguments\": {}}\n</tool_call>";
    let twice = format!("{list}\n{list}");
    for (choice, expected) in [
        (r#"{"type": "function", "function": {"name": "find_book"}}"#, [false, true, false, false]),
        (
            r#"{"type": "allowed_tools", "mode": "required", "tools": [{"type": "function", "name": "list_shelves"}]}"#,
            [false, false, true, true],
        ),
        (r#"{"mode": "VALIDATED", "allowedFunctionNames": ["list_shelves"]}"#, [true, false, true, true]),
        ("any", [false, true, true, true]),
        ("find_book,list_shelves", [false, true, true, true]),
        (r#"{"type": "any", "disable_parallel_tool_use": true}"#, [false, true, true, false]),
        (r#"{"type": "none"}"#, [true, false, false, false]),
    ] {
        let accepted = accepts(TOOLS, &options("hermes", choice), &["Well.", find, list, &twice]);
        assert_eq!(accepted, expected, "{choice}");
    }
}

/// What the grammar of a custom tool imports is a part of what the artifact is made from, and so of its key.
#[test]
fn keys_of_tools_are_those_of_their_artifacts() {
    let custom = |definition: &str| {
        format!(
            r#"[{{"type": "custom", "name": "f", "format": {{"type": "grammar", "syntax": "lark", "definition": {definition}}}}}]"#
        )
    };
    let (vocabulary, options) = (bytes(), options("hermes", "auto"));
    for definition in [
        r#""start: value\n%import json.value\n""#,
        r#""start: value\n\u0025import json.value\n""#,
        r#""start: \"a\"\n""#,
    ] {
        let source = Source::tools(custom(definition));
        let key = artifact_key(&source, &vocabulary, &options, Packing::Referenced).expect("a grammar");
        let session = Session::new(compile(&source, &vocabulary, &options).expect("small"), &vocabulary);
        let header = session.expect("its own").engine().grammar().container().header().key;
        assert_eq!(key.0, header, "{definition}");
    }
}

/// The input of a custom tool is the text of its grammar: in a message the text itself, else a string of JSON.
#[test]
fn inputs_with_a_grammar() {
    let custom = |format: &str| format!(r#"[{{"type": "custom", "name": "sql", "format": {format}}}]"#);
    let lark = custom(
        r#"{"type": "grammar", "syntax": "lark", "definition": "start: \"SELECT \" /[a-z]+/ (\"\\n\" list)?\nlist: \"[\" list* \"]\" | \"\\\"\" /é+/ \"\\\"\""}"#,
    );
    let call = |input: &str| {
        format!("<tool_call>\n{{\"name\": \"sql\", \"arguments\": {{\"input\": \"{input}\"}}}}\n</tool_call>")
    };
    let texts = [
        call("SELECT abc"),
        call(r"SELECT abc\n[[][]]"),
        call(r#"SELECT abc\n\"éé\""#),
        call(r#"SELECT abc\n\"\u00e9\""#),
        call("SELECT "),
        call("SELECT abc\n[]"),
        call(r"SELECT abc\n[[]"),
        call("DELETE abc"),
    ];
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    for model in ["hermes", "llama3.1", "mistral", "deepseek-v3.1"] {
        // Only hermes writes these texts, but the grammar of the others is made, too.
        let accepted = accepts(&lark, &options(model, "required"), &texts);
        assert_eq!(
            accepted,
            [true, true, true, true, false, false, false, false].map(|is| is && model == "hermes"),
            "{model}"
        );
    }
    let message = |input: &str| format!("<|channel|>commentary to=functions.sql<|message|>{input}<|call|>");
    let texts = [
        message("SELECT abc"),
        message("SELECT abc\n[[][]]"),
        message("SELECT "),
        message("{\"input\": \"SELECT abc\"}"),
    ];
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    assert_eq!(accepts(&lark, &options("harmony", "required"), &texts), [true, true, false, false]);
    let regex = custom(r#"{"type": "grammar", "syntax": "regex", "definition": "[0-9]+|none"}"#);
    let texts = [message("12"), message("none"), message("x")];
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    assert_eq!(accepts(&regex, &options("harmony", "required"), &texts), [true, true, false]);
    let text = custom(r#"{"type": "text"}"#);
    let texts = [message("any {text}\n"), message("<|call|>")];
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    assert_eq!(accepts(&text, &options("harmony", "required"), &texts), [true, false]);
    let call = [call("12"), call("none"), call("x")];
    let texts: Vec<&str> = call.iter().map(String::as_str).collect();
    assert_eq!(accepts(&regex, &options("hermes", "required"), &texts), [true, true, false]);
    let refused = compile(&Source::tools(&*lark), &bytes(), &options("qwen3-coder", "auto"))
        .expect_err("no JSON")
        .to_string();
    assert!(refused.contains("qwen3-coder does not write the input of \"sql\""), "{refused}");
    let wrong = custom(r#"{"type": "grammar", "syntax": "lark", "definition": "start: WRD"}"#);
    for model in ["hermes", "harmony"] {
        let error = compile(&Source::tools(&*wrong), &bytes(), &options(model, "auto")).expect_err(model);
        let place = error.diagnostics()[0].location.clone();
        assert_eq!(
            place,
            Some(gcc_grammar::Location::Pointer("/0/format/definition".to_owned())),
            "{model}: {error}"
        );
    }
}

/// A vocabulary without the special tokens of a family is that of other models.
#[test]
fn vocabularies_of_other_models() {
    let llama = Vocabulary::load("llama3").expect("built in");
    let warned = |model: &str, vocabulary: &Vocabulary| {
        let parsed =
            gcc_grammar::parse_for(&Source::tools(TOOLS), vocabulary, &options(model, "auto")).expect(model);
        parsed.warnings.first().map(|warning| warning.message.clone())
    };
    for model in ["openai/gpt-oss-20b", "moonshotai/Kimi-K2-Instruct", "mistral-v11", "deepseek-r1"] {
        let warning = warned(model, &llama).unwrap_or_else(|| panic!("{model}"));
        assert!(warning.contains("has no token"), "{warning}");
        let strict = Options { strict: Strict::On, ..options(model, "auto") };
        let refused = compile(&Source::tools(TOOLS), &llama, &strict).expect_err(model).to_string();
        assert!(refused.contains("has no token"), "{refused}");
    }
    assert!(warned("harmony", &llama).is_some_and(|warning| warning.contains("<|channel|>")));
    for (model, vocabulary) in
        [("llama3.1", "llama3"), ("harmony", "gpt-oss"), ("hermes", "qwen2.5"), ("qwen3-coder", "qwen2.5")]
    {
        assert_eq!(warned(model, &Vocabulary::load(vocabulary).expect(vocabulary)), None, "{model}");
    }
}

/// A file with a family is the model, or gives names to models; its description is one, however it is written.
#[test]
fn families_by_their_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("written");
        path
    };
    let mine = r#"{"name": "mine", "forms": [{"trigger": "CALL ", "calls": ["CALL $name $arguments"]}]}"#;
    let other = mine.replace("mine", "other").replace("CALL", "DO");
    let one = write("one.json", &format!("\u{feff}\n{mine}"));
    let two = write("two.json", &format!("[{mine}, {other}]"));
    let described = family_of_model(&one).expect("a family");
    let texts = ["CALL list_shelves {}", "DO list_shelves {}"];
    assert_eq!(accepts(TOOLS, &options(&described, "any"), &texts), [true, false]);
    let families = read_families(&two).expect("families");
    for (model, expected) in [("mine", [true, false]), ("other", [false, true])] {
        let mut options = options(model, "any");
        options.tools.families = families.clone();
        assert_eq!(accepts(TOOLS, &options, &texts), expected, "{model}");
    }
    assert_eq!(families.named("mine").expect("the family").description(), described);
    let said = |error: gcc_grammar::Error| error.to_string();
    assert!(said(family_of_model(&two).expect_err("two")).contains("2 families here"));
    let wrong = write("wrong.json", "{\n\"name\": 3, \"forms\": [{}]}");
    let wrong = read_families(&wrong).expect_err("a number");
    let place = gcc_grammar::Location::Pointer("/name".to_owned());
    assert_eq!(wrong.diagnostics()[0].location, Some(place), "{wrong}");
    assert!(said(read_families(&write("cut.json", "[{")).expect_err("cut")).contains("not valid JSON"));
    assert!(said(read_families(&folder.path().join("none")).expect_err("none")).contains("none"));
}

#[test]
fn models_by_their_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = folder.path().join("Qwen3-8B");
    fs::create_dir(&model).expect("a folder");
    let said = |path: &std::path::Path| family_of_model(path).expect_err("no family").to_string();
    assert!(said(&model).contains("the folder has none of"), "{}", said(&model));
    fs::write(model.join("tokenizer_config.json"), r#"{"chat_template": null, "tokenizer_class": "X"}"#)
        .expect("written");
    assert!(said(&model).contains("there is no chat template"), "{}", said(&model));
    let hermes = "{{ '<tool_call>{\"name\": ' }}{{ name }}{{ ', \"arguments\": ' }}";
    let config = serde_json::json!({"chat_template": hermes}).to_string();
    fs::write(model.join("tokenizer_config.json"), &config).expect("written");
    assert_eq!(family_of_model(&model).expect("a template"), "hermes");
    assert_eq!(family_of_model(&model.join("tokenizer_config.json")).expect("a template"), "hermes");
    fs::write(model.join("chat_template.jinja"), "{{ '[TOOL_CALLS]' + name + '[ARGS]' }}").expect("written");
    assert!(said(&model).contains("marks of mistral-v11, but models with the name"), "{}", said(&model));
    let tekken = folder.path().join("tekken.json");
    fs::write(&tekken, r#"{"config": {"version": "v13"}, "vocab": []}"#).expect("written");
    assert_eq!(family_of_model(folder.path()).expect("a tokenizer"), "mistral-v11");
    fs::write(&tekken, [0xFF]).expect("written");
    assert!(said(&tekken).contains("UTF-8"));
    assert!(said(&folder.path().join("none")).contains("none"));
    // A template is no JSON, however it begins.
    let glm = folder.path().join("glm.jinja");
    fs::write(&glm, "[gMASK]<sop>{{ '<arg_key>' + k + '</arg_key><arg_value>' + v }}").expect("written");
    assert_eq!(family_of_model(&glm).expect("a template"), "glm4.5");
    // The cache of a hub has the name in a folder above.
    let cached = folder.path().join("models--meta-llama--Llama-3.1-8B-Instruct/snapshots/0f1e");
    fs::create_dir_all(&cached).expect("a folder");
    fs::write(cached.join("tokenizer_config.json"), &config).expect("written");
    assert!(
        said(&cached).contains("models with the name \"meta-llama/Llama-3.1-8B-Instruct\" write llama3.1"),
        "{}",
        said(&cached)
    );
}

/// A request says which model it is for, and what is asked of it; the artifact stores that.
#[test]
fn artifacts_store_what_was_asked() {
    let request = format!(
        r#"{{"model": "Qwen/Qwen3-8B", "messages": [], "tools": {TOOLS}, "tool_choice": "required", "parallel_tool_calls": false}}"#
    );
    let vocabulary = bytes();
    let stored = |options: &Options| {
        let options = gcc_grammar::parse(&Source::tools(&*request), options).expect("a request").options;
        let of = |name: &str| {
            options.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone()).unwrap_or_default()
        };
        (of("model"), of("tool-choice"), of("parallel"))
    };
    let texts = |model: &str, choice: &str, parallel: &str| {
        (model.to_owned(), choice.to_owned(), parallel.to_owned())
    };
    assert_eq!(stored(&Options::default()), texts("hermes", "required", "false"));
    assert_eq!(stored(&options("qwen3-coder", "none")), texts("qwen3-coder", "none", "false"));
    let session = Session::new(
        compile(&Source::tools(&*request), &vocabulary, &Options::default()).expect("a request"),
        &vocabulary,
    );
    assert!(session.expect("a session").matcher().expect("a matcher").commit_bytes(b"Text").is_err());
    let nobody =
        compile(&Source::tools(TOOLS), &vocabulary, &Options::default()).expect_err("no model").to_string();
    assert!(nobody.contains("tools need the model that calls them"), "{nobody}");
}
