//! The family of a model, recognized by the marks that its chat template writes around calls.
//!
//! Input is the text of a template, or a JSON document with one: `tokenizer_config.json` and `chat_template.json` of transformers; of `tekken.json`
//! of Mistral AI the version of the tokenizer counts. All marks are looked for. A template with the marks of two families, or of
//! none, is refused with what was found: templates are programs, and this is no interpreter.

use super::builtin;
use super::family::Family;
use super::models::GIVEN;
use gcc_grammar_ir::{Code, Diagnostic};
use serde::Deserialize;

/// The longest template, and the longest document with one, in bytes.
const LONGEST_TEMPLATE: usize = 1 << 20;
const LONGEST_DOCUMENT: usize = 64 << 20;

/// The marks of a way to write calls.
struct Marks {
    /// The family, or the form of calls that no built-in family writes.
    writes: Result<&'static str, &'static str>,
    /// Texts that the template has.
    all: &'static [&'static str],
    /// Texts that it does not have: with them it writes something else.
    none: &'static [&'static str],
}

const fn family(name: &'static str, all: &'static [&'static str], none: &'static [&'static str]) -> Marks {
    Marks { writes: Ok(name), all, none }
}

const fn other(writes: &'static str, all: &'static [&'static str]) -> Marks {
    Marks { writes: Err(writes), all, none: &[] }
}

/// The mark with which IBM's templates begin a turn, and LG's.
const IBM: &str = "<|start_of_role|>";
const LG: &str = "[|assistant|]";

/// The order is that of messages.
const MARKS: &[Marks] = &[
    family(
        "hermes",
        &["<tool_call>", "name", "arguments"],
        &["<function=", "<arg_key>", "<tool_call>[", IBM, LG, "]<]minimax[>[", "<seed:tool_call>"],
    ),
    family("exaone", &["<tool_call>", "arguments", LG], &["<function=", "<arg_key>"]),
    family("granite", &["<tool_call>", IBM], &[]),
    family("granite", &["<|tool_call|>", IBM], &["<tool_call>"]),
    family("qwen3-coder", &["<function=", "<parameter="], &["<seed:tool_call>", "<tool_calls>"]),
    family("glm4.5", &["<arg_key>", "<arg_value>"], &["<tool_sep>", "<iquest_tool_call>", "<tool_calls>"]),
    family("iquest-q1", &["<iquest_tool_call>", "<arg_key>"], &[]),
    family("k2-horizon", &["<ifm|tool_call>"], &[]),
    family(
        "llama3.1",
        &["{\"name\": ", "\"parameters\": ", "<|start_header_id|>"],
        &["<tool_call>", "<TOOLCALL>", "[func_name1("],
    ),
    family("llama3.1", &["{\"name\": ", "\"parameters\": ", "<|header_start|>"], &["[func_name1("]),
    family("llama4-pythonic", &["[func_name1("], &["<start_of_turn>", "<function_calls>"]),
    family("gemma3", &["[func_name1(", "<start_of_turn>"], &[]),
    family("gemma3", &["tool_code", "<start_of_turn>"], &["[func_name1(", "<start_function_call>"]),
    family("functiongemma", &["<start_function_call>"], &[]),
    family("gemma4", &["<|tool_call>call:"], &[]),
    family("mistral-v11", &["[TOOL_CALLS]", "[ARGS]"], &[]),
    family("mistral", &["[TOOL_CALLS]"], &["[ARGS]"]),
    family("deepseek-r1", &["<｜tool▁call▁begin｜>", "```json"], &[]),
    family("deepseek-v3.1", &["<｜tool▁call▁begin｜>"], &["```json"]),
    family("deepseek-v3.2", &["DSML", "function_calls>"], &[]),
    family("deepseek-v4", &["DSML", "tool_calls>"], &["function_calls>"]),
    family("deepseek-v4.1", &["DSML", " calls>"], &["function_calls>", "tool_calls>"]),
    family("kimi-k2", &["<|tool_calls_section_begin|>"], &[]),
    family("kimi-k3", &["<|open|>", "<|close|>", "<|sep|>"], &[]),
    family("minimax-m2", &["<minimax:tool_call>"], &["]<]minimax[>["]),
    family("minimax-m3", &["]<]minimax[>["], &[]),
    family("harmony", &["<|channel|>", "<|message|>", "to=functions."], &[]),
    family("cohere", &["<|START_ACTION|>"], &[]),
    family("cohere", &["<cofl:tool_call"], &["<|START_ACTION|>"]),
    family("phi4", &["functools["], &["<|tool|>"]),
    family("phi4", &["<|tool|>", "<|/tool|>"], &[]),
    family("lfm2", &["<|tool_call_start|>"], &[]),
    family("seed-oss", &["<seed:tool_call>"], &[]),
    family("step3", &["<steptml:invoke"], &[]),
    family("longcat", &["<longcat_tool_call>"], &[]),
    family("internlm", &["<|action_start|>", "<|plugin|>"], &[]),
    family("apertus", &["<|tools_prefix|>"], &[]),
    family("olmo3", &["<function_calls>"], &["DSML"]),
    family("nemotron", &["<TOOLCALL>"], &[]),
    family("gigachat3", &["<|function_call|>"], &["GCML"]),
    family("gigachat3", &["function call<|role_sep|>"], &["<|function_call|>", "GCML"]),
    family("gigachat3.5", &["GCML", "tool_calls>"], &["DSML"]),
    family("granite-20b", &["<function_call>"], &[]),
    family("solar-open2", &["<|tool_call:start|>"], &[]),
    family("dots", &["<dots_function_call>"], &[]),
    family("plamo3", &["<|plamo:begin_tool_requests:plamo|>"], &[]),
    family("hunyuan-v3", &["<tool_calls>", "<tool_sep>"], &[]),
    family("hunyuan-v4", &["<tool_calls>", "<arg_key>"], &["<tool_sep>"]),
    family("minicpm5", &["<function name=", "<param name="], &[]),
    family("solar-open", &["<|tool_calls|>", "<|tool_call:begin|>"], &[]),
    // These marks do not tell which: it is asked for.
    family("jamba", &["<tool_calls>"], &["<tool_sep>", "<arg_key>", "DSML", "GCML"]),
    family("hunyuan-a13b", &["<tool_calls>"], &["<tool_sep>", "<arg_key>", "DSML", "GCML"]),
    family("minimax-m1", &["<tool_calls>"], &["<tool_sep>", "<arg_key>", "DSML", "GCML"]),
    other("<toolcall> … </toolcall>", &["<toolcall>"]),
    other("<tool_call>[…]</tool_call>", &["<tool_call>["]),
    other("Action: ```json", &["Action: ```json"]),
    other("Action: ```json", &["Action:\\n```json"]),
];

/// The members of the documents of transformers and of Mistral AI that tell the family.
#[derive(Deserialize)]
struct Document {
    chat_template: Option<Templates>,
    config: Option<Tekken>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Templates {
    One(String),
    Named(Vec<Named>),
}

#[derive(Deserialize)]
struct Named {
    name: String,
    template: String,
}

#[derive(Deserialize)]
struct Tekken {
    version: Option<String>,
}

/// Whether a text is a chat template.
pub(super) fn is_template(text: &str) -> bool {
    ["{%", "{{"].iter().any(|begin| text.contains(begin))
        && serde_json::from_str::<serde::de::IgnoredAny>(text).is_err()
}

/// The family that a document with a chat template names; none if it has no template.
///
/// # Errors
/// The document is too long or no JSON object, or its template does not tell the family.
pub(super) fn of_document(text: &str) -> Result<Option<&'static Family>, Diagnostic> {
    limited(text, LONGEST_DOCUMENT)?;
    let document: Document = serde_json::from_str(text)
        .map_err(|error| refused(format!("this is no document with a chat template: {error}")))?;
    if let Some(version) = document.config.and_then(|config| config.version) {
        return of_tekken(&version).map(Some);
    }
    let template = match document.chat_template {
        None => return Ok(None),
        Some(Templates::One(template)) => template,
        Some(Templates::Named(named)) => {
            let of = |wanted: &str| named.iter().find(|template| template.name == wanted);
            let chosen = of("tool_use").or_else(|| of("default"));
            let names = || named.iter().map(|template| template.name.as_str()).collect::<Vec<_>>().join(", ");
            let none =
                || refused(format!("none of the chat templates ({}) is named tool_use or default", names()));
            chosen.ok_or_else(none)?.template.clone()
        }
    };
    of_template(&template).map(Some)
}

/// The family of a version of Mistral AI's tokenizers.
fn of_tekken(version: &str) -> Result<&'static Family, Diagnostic> {
    let number = version.strip_prefix('v').unwrap_or(version);
    let number = number
        .split(|character: char| !character.is_ascii_digit())
        .next()
        .and_then(|number| number.parse().ok());
    let name = match number {
        Some(3..=10u32) => "mistral",
        Some(11..) => "mistral-v11",
        _ => {
            return Err(refused(format!(
                "models with the tokenizer {version:?} of Mistral AI write no calls"
            )));
        }
    };
    builtin::named(name).ok_or_else(|| refused(format!("there is no family {name}")))
}

/// The family whose marks a chat template has.
///
/// # Errors
/// The template is too long, or has the marks of no family, or of several.
pub(super) fn of_template(text: &str) -> Result<&'static Family, Diagnostic> {
    limited(text, LONGEST_TEMPLATE)?;
    let text = without_comments(text);
    let has = |mark: &&str| text.contains(*mark);
    let found = MARKS.iter().filter(|marks| marks.all.iter().all(&has) && !marks.none.iter().any(&has));
    let mut found: Vec<&Marks> = found.collect();
    found.dedup_by_key(|marks| marks.writes);
    match found.as_slice() {
        [Marks { writes: Ok(name), .. }] => {
            builtin::named(name).ok_or_else(|| refused(format!("there is no family {name}")))
        }
        [Marks { writes: Err(writes), .. }] => {
            Err(refused(format!("this chat template writes {writes}, which is no built-in family")))
        }
        [] => Err(refused(
            "this chat template has the marks of no family: it writes no calls, or calls of another form",
        )),
        several => {
            let found = several.iter().map(|marks| {
                format!("{} ({})", marks.writes.unwrap_or_else(|writes| writes), marks.all.join(" "))
            });
            Err(refused(format!(
                "this chat template has the marks of {}",
                found.collect::<Vec<_>>().join(" and of ")
            )))
        }
    }
}

/// The template without its comments, which nothing writes.
fn without_comments(text: &str) -> String {
    let mut parts = text.split("{#");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |kept, part| kept + part.split_once("#}").map_or("", |(_, rest)| rest))
}

fn limited(text: &str, most: usize) -> Result<(), Diagnostic> {
    if text.len() <= most {
        return Ok(());
    }
    Err(refused(format!("{} bytes are more than the {most} that a chat template may have", text.len())))
}

pub(super) fn refused(message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::Usage, message).help(format!(
        "name the family that the model writes: {}; or describe it as a JSON object. A model is {GIVEN}, or a name",
        builtin::some_names()
    ))
}

#[cfg(test)]
mod tests;
