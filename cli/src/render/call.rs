//! An example of a call, as the models of a family write it.
//!
//! It is the shortest text of the grammar for a tool with constants as arguments, with the spaces of JSON printers where there may be some.

use crate::failure::Failure;
use gcc_grammar::tools::{Choice, Family};
use gcc_grammar::{Options, Session, Source, ToolOptions, Vocabulary, compile};

/// A tool whose arguments have one value.
const TOOL: &str = r#"[{"name": "get_weather", "parameters": {"type": "object", "additionalProperties": false,
    "properties": {"city": {"const": "Oslo"}, "days": {"const": 3}}, "required": ["city", "days"]}}]"#;

/// The example.
pub(crate) fn example(family: &Family) -> Result<String, Failure> {
    let bytes = Vocabulary::from_tokens("bytes", (0..=u8::MAX).map(|byte| [byte]))?;
    let model = Some(family.as_written().description());
    let tools = ToolOptions { model, choice: Choice::Required, parallel: false, ..ToolOptions::default() };
    let options = Options { tools, ..Options::default() };
    let session = Session::new(compile(&Source::tools(TOOL), &bytes, &options)?, &bytes)?;
    let mut matcher = session.matcher()?;
    let mut text = Vec::new();
    let mut rest = matcher.shortest_completion()?.unwrap_or_default().into_iter();
    while let Some(byte) = rest.next().and_then(|token| u8::try_from(token).ok()) {
        let is_behind = text.ends_with(b"\":") || text.ends_with(b",");
        if is_behind && byte != b' ' && matcher.commit(b' '.into()).is_ok() {
            text.push(b' ');
            rest = matcher.shortest_completion()?.unwrap_or_default().into_iter();
            continue;
        }
        matcher.commit(byte.into())?;
        text.push(byte);
    }
    Ok(String::from_utf8_lossy(&text).into_owned())
}
