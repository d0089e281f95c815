//! Grammars and texts of any size.

/// A grammar with a text of its language.
pub(crate) struct Input {
    /// The size that is varied.
    pub(crate) size: usize,
    /// A JSON Schema, or Lark.
    pub(crate) is_schema: bool,
    pub(crate) grammar: String,
    pub(crate) text: String,
}

/// JSON with white space (RFC 8259), in Lark.
const JSON: &str = r#"
start: value
value: object | array | STRING | NUMBER | "true" | "false" | "null"
object: "{" (pair ("," pair)*)? "}"
pair: STRING ":" value
array: "[" (value ("," value)*)? "]"
STRING: /"([^"\\\x00-\x1f]|\\(["\\\/bfnrt]|u[0-9a-fA-F]{4}))*"/
NUMBER: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/
%ignore /[ \t\r\n]+/
"#;

/// Types of properties in turn, with a value of each.
const TYPES: [(&str, &str); 4] = [
    (r#"{"type": "string"}"#, r#""some text""#),
    (r#"{"type": "integer"}"#, "-42"),
    (r#"{"type": "boolean"}"#, "true"),
    (r#"{"type": "array", "items": {"type": "number"}}"#, "[1, 2.5]"),
];

/// An object with so many properties, all of them required or none.
pub(crate) fn properties(size: usize, required: bool) -> Input {
    let name = |index: usize| format!("\"property{index}\"");
    let list = |of: &dyn Fn(usize) -> String| (0..size).map(of).collect::<Vec<_>>().join(", ");
    let declared = list(&|index| format!("{}: {}", name(index), TYPES[index % TYPES.len()].0));
    let needed = if required { list(&name) } else { String::new() };
    let members = list(&|index| format!("{}: {}", name(index), TYPES[index % TYPES.len()].1));
    let grammar = format!(
        r#"{{"type": "object", "properties": {{{declared}}}, "required": [{needed}], "additionalProperties": false}}"#
    );
    Input { size, is_schema: true, grammar, text: format!("{{{members}}}") }
}

/// An array of strings out of so many.
pub(crate) fn enumeration(size: usize) -> Input {
    // Multiplying by an odd number spreads the values, so that they are no long runs of digits in order.
    let value = |index: usize| format!("\"item-{:05x}\"", index * 40_503 % (1 << 20));
    let values: Vec<String> = (0..size).map(value).collect();
    let grammar = format!(r#"{{"type": "array", "items": {{"enum": [{}]}}}}"#, values.join(", "));
    let chosen: Vec<String> = (0..100).map(|index| value(index * 7919 % size)).collect();
    Input { size, is_schema: true, grammar, text: format!("[{}]", chosen.join(", ")) }
}

/// An array of strings of at most so many characters.
pub(crate) fn bound(size: usize) -> Input {
    let grammar = format!(r#"{{"type": "array", "items": {{"type": "string", "maxLength": {size}}}}}"#);
    let longest: String = "A quick brown fox. ".chars().cycle().take(size).collect();
    Input { size, is_schema: true, grammar, text: format!(r#"["{longest}", "", "{longest}"]"#) }
}

/// A language of so many kinds of statements, each with a keyword and a rule of its own.
pub(crate) fn rules(size: usize) -> Input {
    let kinds: Vec<String> = (0..size).map(|index| format!("kind{index}")).collect();
    let mut grammar = format!("start: statement*\nstatement: {}\n", kinds.join(" | "));
    for (index, kind) in kinds.iter().enumerate() {
        let body = match index % 3 {
            0 => "NAME (\",\" NAME)*",
            1 => "\"(\" (NAME | NUMBER)* \")\"",
            _ => "NAME \"{\" statement* \"}\"",
        };
        grammar += &format!("{kind}: \"verb{index}\" {body} \";\"\n");
    }
    grammar += "NAME: /[a-z]+/\nNUMBER: /[0-9]+/\n%ignore /[ \\n]+/\n";
    let statement = |index: usize| match index % 3 {
        0 => format!("verb{index} some, names, here;\n"),
        1 => format!("verb{index} (name 12 other 345);\n"),
        _ => format!("verb{index} block {{ verb0 inside; }};\n"),
    };
    let text = (0..100).map(|step| statement(step * 7919 % size)).collect();
    Input { size, is_schema: false, grammar, text }
}

/// JSON, and arrays nested so deep.
pub(crate) fn depth(size: usize) -> Input {
    // A space after each bracket, lest a token take dozens at once.
    let text = format!("{}1{}", "[ ".repeat(size), " ]".repeat(size));
    Input { size, is_schema: false, grammar: JSON.to_owned(), text }
}

/// JSON, and an array of so many objects.
pub(crate) fn length(size: usize) -> Input {
    let object =
        |index: usize| format!(r#"{{"name": "number {index}", "list": [{index}, 2.5e3], "ok": true}}"#);
    let objects: Vec<String> = (0..size).map(object).collect();
    let text = format!("[{}]", objects.join(", "));
    Input { size, is_schema: false, grammar: JSON.to_owned(), text }
}
