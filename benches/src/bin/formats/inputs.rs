//! The inputs, with texts to accept and to reject, and the goals for their cost.

use gcc_grammar::Source;
use gcc_grammar_benches::Result;
use std::path::Path;
use std::time::Duration;
use std::{fs, io};

const DATE_TIME: &str = r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)";
const IP_ADDRESS: &str = r"((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)";
const CHARACTER: &str = r#"{"type": "object", "properties": {
    "name": {"type": "string", "maxLength": 10}, "age": {"type": "integer"}, "armor": {"enum": ["leather", "chainmail", "plate"]},
    "weapon": {"enum": ["sword", "axe", "mace", "spear", "bow", "crossbow"]}, "strength": {"type": "integer"}},
    "required": ["name", "age", "armor", "weapon", "strength"], "additionalProperties": false}"#;

/// The Lark grammars of the folder, with the goal for compiling each in milliseconds.
const GRAMMARS: [(&str, Option<u64>); 4] =
    [("json_ws", Some(20)), ("sql", Some(600)), ("ambig", None), ("c89", Some(3_000))];

/// The text for `json_ws` if the folder has none.
const JSON: &str = r#"{"name": "Ada", "tags": [1, 2.5e3, null, true], "nested": {"text": "one \"two\""}}"#;

/// A grammar with texts and goals.
pub(crate) struct Input {
    pub(crate) name: &'static str,
    pub(crate) source: Source,
    pub(crate) accept: Vec<String>,
    pub(crate) reject: Vec<String>,
    pub(crate) goals: Goals,
}

/// The times that should not be exceeded.
pub(crate) struct Goals {
    pub(crate) compile: Option<Duration>,
    pub(crate) mask_p50: Duration,
    pub(crate) mask_p99: Option<Duration>,
}

/// The examples of Koo, Liu and He: Automata-based constraints for language model decoding, 2024, appendix C.4.
pub(crate) fn koo() -> Vec<Input> {
    let input = |name, source, accept: &str, reject: &str| Input {
        name,
        source,
        accept: vec![accept.to_owned()],
        reject: vec![reject.to_owned()],
        goals: Goals {
            compile: Some(Duration::from_millis(5)),
            mask_p50: Duration::from_nanos(300),
            mask_p99: None,
        },
    };
    let choices = Source::choices(["Yes", "No", "Perhaps"]);
    let (date_time, month_13) = ("2024-07-11T09:05:59.25+02:00", "2024-13-11T09:05:59Z");
    let quotation = r#""It was a bright cold day in April, and the clocks were striking \"thirteen\".""#;
    let character =
        r#"{"name": "Aldo", "age": 41, "armor": "chainmail", "weapon": "crossbow", "strength": 17}"#;
    let long_name = character.replace("Aldo", "Aldo of the Hill");
    vec![
        input("multiple choice", choices, "Perhaps", "Maybe"),
        input("ISO date and time", Source::regex(DATE_TIME), date_time, month_13),
        input("IP address", Source::regex(IP_ADDRESS), "192.168.250.7", "192.168.256.7"),
        input("quoted text", Source::regex("(?P<QUOTED_TEXT>)"), quotation, r#""It was" a"#),
        input("JSON object", Source::json_schema(CHARACTER), character, &long_name),
    ]
}

/// The Lark grammars in a folder, with the texts in `NAME.ok.txt` and `NAME.bad.txt`.
pub(crate) fn grammars(folder: &Path) -> Result<Vec<Input>> {
    let texts = |name: String| -> io::Result<Vec<String>> {
        let path = folder.join(name);
        if path.exists() { fs::read_to_string(path).map(|text| vec![text]) } else { Ok(Vec::new()) }
    };
    let input = |(name, compile): (&'static str, Option<u64>)| {
        let mut accept = texts(format!("{name}.ok.txt"))?;
        if name == "json_ws" && accept.is_empty() {
            accept.push(JSON.to_owned());
        }
        Ok(Input {
            name,
            source: Source::file(&folder.join(name).with_extension("lark"), None)?,
            accept,
            reject: texts(format!("{name}.bad.txt"))?,
            goals: Goals {
                compile: compile.map(Duration::from_millis),
                mask_p50: Duration::from_micros(1),
                mask_p99: Some(Duration::from_micros(5)),
            },
        })
    };
    GRAMMARS.into_iter().map(input).collect()
}
