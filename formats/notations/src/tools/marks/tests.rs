use super::*;

/// What the template of a family writes, without what is around it.
const TEMPLATES: &[(&str, &str)] = &[
    (
        "hermes",
        r#"{{- '<tool_call>\n{"name": "' + call.name + '", "arguments": ' }}{{ call.arguments | tojson }}{{ '}\n</tool_call>' }}"#,
    ),
    (
        "exaone",
        r#"{{ '[|assistant|]' }}{{ '<tool_call>{"name": "' ~ name ~ '", "arguments": ' ~ arguments ~ '}</tool_call>' }}"#,
    ),
    ("granite", r#"{{ '<|start_of_role|>assistant<|end_of_role|><|tool_call|>' }}{{ calls | tojson }}"#),
    (
        "granite",
        r#"{{ '<|start_of_role|>assistant<|end_of_role|>' }}{{ '<tool_call>\n{"name": "' + name + '", "arguments": ' }}"#,
    ),
    (
        "qwen3-coder",
        r"{{ '<tool_call>\n<function=' + name + '>\n' }}{{ '<parameter=' + key + '>\n' }}{{ tool_call.arguments }}",
    ),
    (
        "glm4.5",
        r"{{ '<tool_call>' + name }}<arg_key>{{ k }}</arg_key><arg_value>{{ tc.arguments }}</arg_value></tool_call>",
    ),
    (
        "llama3.1",
        r#"{{ '<|start_header_id|>assistant' }}{{ '{"name": "' + name + '", ' }}{{ '"parameters": ' }}"#,
    ),
    (
        "llama3.1",
        r#"{{ '<|header_start|>assistant' }}{{ '{"name": "' + name + '", ' }}{{ '"parameters": ' }}"#,
    ),
    (
        "llama4-pythonic",
        r"{{ '<|header_start|>' }}{{ 'Answer as [func_name1(params_name1=params_value1), func_name2(params)]' }}",
    ),
    (
        "gemma3",
        r"{{ '<start_of_turn>model' }}{{ 'Answer as [func_name1(params_name1=params_value1), func_name2(params)]' }}",
    ),
    ("functiongemma", r"{{ '<start_function_call>call:' + name + '{' }}"),
    ("gemma4", r"{{- '<|tool_call>call:' + name + '{' -}}"),
    ("mistral", r#"{{- "[TOOL_CALLS] [" }}{{ call.function | tojson }}"#),
    ("mistral-v11", r#"{{- "[TOOL_CALLS]" + name + "[ARGS]" + arguments }}"#),
    (
        "deepseek-r1",
        r"{{ '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>' + type + '<｜tool▁sep｜>' + name + '\n```json\n' }}",
    ),
    (
        "deepseek-v3.1",
        r"{{ '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>' + name + '<｜tool▁sep｜>' + arguments }}",
    ),
    (
        "deepseek-v3.2",
        r#"{% set dsml = "｜DSML｜" %}<{{ dsml }}function_calls><{{ dsml }}invoke name="{{ name }}">"#,
    ),
    (
        "deepseek-v4",
        r#"{% set dsml = "｜DSML｜" %}<{{ dsml }}tool_calls><{{ dsml }}invoke name="{{ name }}">"#,
    ),
    (
        "deepseek-v4.1",
        r#"{% set dsml = "｜DSML｜" %}<{{ dsml }} calls><{{ dsml }} invoke name="{{ name }}">"#,
    ),
    (
        "kimi-k2",
        r"<|tool_calls_section_begin|><|tool_call_begin|>{{ id }}<|tool_call_argument_begin|>{{ arguments }}",
    ),
    ("minimax-m2", r#"{%- set begin = '<minimax:tool_call>' -%}{{ '<invoke name="' + name + '">' }}"#),
    (
        "minimax-m3",
        r#"{%- set ns = ']<]minimax[>[' -%}{{ ns + '<tool_call>' }}{{ '<invoke name="' + name + '">' }}{{ arguments }}"#,
    ),
    (
        "harmony",
        r#"{{- "<|start|>assistant to=functions." + name + "<|channel|>commentary json<|message|>" }}"#,
    ),
    (
        "cohere",
        r#"<|START_ACTION|>[{"tool_call_id": "{{ id }}", "tool_name": "{{ name }}", "parameters": {}}]<|END_ACTION|>"#,
    ),
    ("phi4", r"{{ '<|system|>' + content + '<|tool|>' + tools + '<|/tool|>' }}"),
    ("kimi-k3", r#"{{ '<|open|>call tool="' + name + '"<|sep|>' }}{{ '<|close|>call<|sep|>' }}"#),
    ("lfm2", r"{{ '<|tool_call_start|>[' + calls + ']<|tool_call_end|>' }}"),
    ("seed-oss", r"{{ '<seed:tool_call>\n<function=' + name + '>\n' }}{{ '<parameter=' + key + '>' }}"),
    ("step3", r#"{{ '<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="' + name + '">' }}"#),
    ("longcat", r#"{{ '<longcat_tool_call>\n{"name": "' + name + '", "arguments": ' + arguments }}"#),
    ("internlm", r"{{ '<|action_start|><|plugin|>\n' + call + '<|action_end|>' }}"),
    ("apertus", r"{{ '<|tools_prefix|>[' + calls + ']<|tools_suffix|>' }}"),
    ("olmo3", r"{{ '<function_calls>' + calls + '</function_calls>' }}"),
    ("nemotron", r"{{ '<|start_header_id|>assistant' }}{{ '<TOOLCALL>[' + calls + ']</TOOLCALL>' }}"),
    ("gigachat3", r"{{ '<|function_call|>' + call }}"),
    ("gigachat3", r"{{ 'function call<|role_sep|>\n' + call }}"),
    (
        "gigachat3.5",
        r#"{% set gcml = "｜GCML｜" %}<{{ gcml }}tool_calls><{{ gcml }}invoke name="{{ name }}">"#,
    ),
    ("granite-20b", r"{{ '<function_call> ' + call }}"),
    ("solar-open2", r"{{ '<|tool_call:start|>' + name + '\n' }}"),
    (
        "iquest-q1",
        r"{{ '<iquest_tool_call>' + name }}<arg_key>{{ k }}</arg_key><arg_value>{{ v }}</arg_value>",
    ),
    ("k2-horizon", r"{{ '<ifm|tool_calls>\n<ifm|tool_call>' + name }}<ifm|arg_key>{{ k }}</ifm|arg_key>"),
    ("dots", r#"{{ '<dots_function_call>\n<invoke name="' + name + '">' }}"#),
    ("plamo3", r"{{ '<|plamo:begin_tool_requests:plamo|>' }}"),
    (
        "hunyuan-v4",
        r"{{ '<tool_calls><tool_call>' + name + '<arg_key>' + k + '</arg_key><arg_value>' + arguments }}",
    ),
    ("nemotron-mini", r#"{{ '<toolcall> {"name": ' + name }}"#),
    ("inkling", r"{{ '<|message_model|>' + name + '<|content_invoke_tool_json|>' + arguments }}"),
    ("muse", r#"{{ '<atem:function_calls>\n<atem:invoke name="' + name + '">' }}"#),
    (
        "beam",
        r#"{{ ' to=' + name + '<|channel|>analysis <|constrain|>xml<|message|><rfl:parameter name="' }}"#,
    ),
    ("minicpm5", r#"{{ '<function name="' + name + '">' }}{{ '<param name="' + k + '">' + arguments }}"#),
    ("solar-open", r"{{ '<|tool_calls|>' }}{{ '<|tool_call:begin|>' + id + '<|tool_call:name|>' + name }}"),
    (
        "hunyuan-v3",
        r"{{ '<tool_calls>\n<tool_call>' + name + '<tool_sep>\n<arg_key>' + k + '</arg_key>\n<arg_value>' + arguments }}",
    ),
];

/// Families whose templates have no marks of their own.
const WITHOUT_MARKS: [&str; 7] =
    ["mimo", "spark25", "xlam", "jamba", "hunyuan-a13b", "minimax-m1", "lfm2-json"];

#[test]
fn every_family_is_recognized() {
    for (family, template) in TEMPLATES {
        for text in [
            (*template).to_owned(),
            format!("{{# <toolcall> [TOOL_CALLS] #}}{template}"),
            document(template),
            named(template),
        ] {
            let found =
                super::super::recognize::of(&text).unwrap_or_else(|error| panic!("{family}: {error:?}"));
            assert_eq!(found.name, *family, "{text}");
        }
    }
    let is_known =
        |name: &str| TEMPLATES.iter().any(|(known, _)| *known == name) || WITHOUT_MARKS.contains(&name);
    let missing = builtin::families().iter().find(|family| !is_known(&family.name));
    assert!(missing.is_none(), "{missing:?}");
}

/// A `tokenizer_config.json`.
fn document(template: &str) -> String {
    serde_json::json!({"added_tokens_decoder": {"0": {"content": "<s>"}}, "chat_template": template, "model_max_length": 1e30}).to_string()
}

/// One with several templates, of which one is for tools.
fn named(template: &str) -> String {
    serde_json::json!({"chat_template": [{"name": "default", "template": "{{ content }}"}, {"name": "tool_use", "template": template}]})
        .to_string()
}

fn said(text: &str) -> String {
    let error = super::super::recognize::of(text).expect_err(text);
    assert!(error.help.is_some_and(|help| help.contains("hermes, qwen3-coder")), "{text}");
    error.message
}

#[test]
fn what_is_found_is_said() {
    let hermes = TEMPLATES[0].1;
    for (text, message) in [
        (
            "{{ bos_token }}{% for message in messages %}{{ message.content }}{% endfor %}".to_owned(),
            "marks of no family",
        ),
        (
            format!("{hermes}{{{{ '<|tool_calls_section_begin|>' }}}}"),
            "marks of hermes (<tool_call> name arguments) and of kimi-k2",
        ),
        ("{{ '<tool_call>[' }}".to_owned(), "writes <tool_call>[…]</tool_call>, which is no built-in family"),
        (
            "{{ '<tool_calls>' }}".to_owned(),
            "marks of jamba (<tool_calls>) and of hunyuan-a13b (<tool_calls>) and of minimax-m1",
        ),
        (document("{{ content }}"), "marks of no family"),
        (
            r#"{"chat_template": [{"name": "rag", "template": "{{ x }}"}]}"#.to_owned(),
            "none of the chat templates (rag)",
        ),
        (r#"{"chat_template": {"rag": "{{ x }}"}}"#.to_owned(), "none of the chat templates (rag)"),
        (r#"{"chat_template": 3}"#.to_owned(), "no document with a chat template"),
        (r#"{"default_vocab_size": 1, "config": {"version": "v1"}}"#.to_owned(), "write no calls"),
        (format!("{{{{ {} }}}}", "x".repeat(LONGEST_TEMPLATE)), "are more than"),
    ] {
        let error = said(&text);
        assert!(error.contains(message), "{error}");
    }
}

/// What is known of a model decides where its template has the marks of several families, or its family has none.
#[test]
fn names_and_templates_decide_together() {
    let of = |text: &str, name: &str| super::super::family_of_template(text, Some(name));
    let found = |text: &str, name: &str| of(text, name).expect(name).expect("a template").name.as_str();
    let calls = "{{ '<tool_calls>' }}";
    assert_eq!(found(calls, "Hunyuan-A13B-Instruct"), "hunyuan-a13b");
    assert_eq!(found(calls, "AI21-Jamba-Mini-1.7"), "jamba");
    assert_eq!(found(&document(calls), "MiniMax-M1-80k"), "minimax-m1");
    assert_eq!(found("{{ message.content }}", "xLAM-2-32b-fc-r"), "xlam");
    assert_eq!(found(r#"{"chat_template": {"default": "{{ '<TOOLCALL>' }}"}}"#, "x"), "nemotron");
    for (text, name) in [(calls, "Qwen3-8B"), (calls, "mine"), ("{{ message.content }}", "Qwen3-8B")] {
        assert!(of(text, name).is_err(), "{name}");
    }
}

#[test]
fn versions_of_mistrals_tokenizers() {
    for (version, family) in [
        ("v3", "mistral"),
        ("v7", "mistral"),
        ("v7m1", "mistral"),
        ("v11", "mistral-v11"),
        ("v13", "mistral-v11"),
        ("v15", "mistral-v11"),
    ] {
        let text =
            format!(r#"{{"config": {{"version": "{version}", "default_vocab_size": 131072}}, "vocab": []}}"#);
        assert_eq!(super::super::recognize::of(&text).expect(version).name, family, "{version}");
    }
}

/// Texts that nobody writes.
#[test]
fn hostile_texts() {
    for text in [
        "{#".repeat(10_000),
        "{{".repeat(10_000),
        "{%#}{#".repeat(10_000),
        "[".repeat(100_000),
        format!("{}{{{{", "{\"chat_template\":".repeat(1000)),
    ] {
        assert!(super::super::recognize::of(&text).is_err());
    }
    let nested = format!(r#"{{"chat_template": {}1{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    assert!(super::super::recognize::of(&nested).is_err());
}
