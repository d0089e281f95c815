//! Generates schemas, grammars and texts of any size.

use gcc_grammar::Source;
use gcc_grammar_benches::keyword_rules;

/// A schema or grammar with a text of its language.
pub(crate) struct Input {
    /// The size that is varied.
    pub(crate) size: usize,
    pub(crate) source: Source,
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

/// The types that properties have in turn, with a value of each.
const TYPES: [(&str, &str); 4] = [
    (r#"{"type": "string"}"#, r#""some text""#),
    (r#"{"type": "integer"}"#, "-42"),
    (r#"{"type": "boolean"}"#, "true"),
    (r#"{"type": "array", "items": {"type": "number"}}"#, "[1, 2.5]"),
];

/// An object with `size` properties. All of them are required, or none.
pub(crate) fn properties(size: usize, required: bool) -> Input {
    let name = |index: usize| format!("\"property{index}\"");
    let list = |item: &dyn Fn(usize) -> String| (0..size).map(item).collect::<Vec<_>>().join(", ");
    let declared = list(&|index| format!("{}: {}", name(index), TYPES[index % TYPES.len()].0));
    let needed = if required { list(&name) } else { String::new() };
    let members = list(&|index| format!("{}: {}", name(index), TYPES[index % TYPES.len()].1));
    let grammar = format!(
        r#"{{"type": "object", "properties": {{{declared}}}, "required": [{needed}], "additionalProperties": false}}"#
    );
    Input { size, source: Source::json_schema(grammar), text: format!("{{{members}}}") }
}

/// An array of strings from an enumeration of `size` values.
pub(crate) fn enumeration(size: usize) -> Input {
    // The odd factor spreads the values, so that their digits are not in order.
    let value = |index: usize| format!("\"item-{:05x}\"", index * 40_503 % (1 << 20));
    let values: Vec<String> = (0..size).map(value).collect();
    let grammar = format!(r#"{{"type": "array", "items": {{"enum": [{}]}}}}"#, values.join(", "));
    let chosen: Vec<String> = (0..100).map(|index| value(index * 7919 % size)).collect();
    Input { size, source: Source::json_schema(grammar), text: format!("[{}]", chosen.join(", ")) }
}

/// An array of strings of at most `size` characters.
pub(crate) fn bound(size: usize) -> Input {
    let grammar = format!(r#"{{"type": "array", "items": {{"type": "string", "maxLength": {size}}}}}"#);
    let longest: String = "A quick brown fox. ".chars().cycle().take(size).collect();
    let text = format!(r#"["{longest}", "", "{longest}"]"#);
    Input { size, source: Source::json_schema(grammar), text }
}

/// A language of `size` kinds of statements, each with a keyword and a rule of its own.
pub(crate) fn rules(size: usize) -> Input {
    Input { size, source: Source::lark(keyword_rules::grammar(size)), text: keyword_rules::text(size) }
}

/// JSON, and a text of `size` nested arrays.
pub(crate) fn depth(size: usize) -> Input {
    // The spaces keep tokens from spanning many brackets.
    let text = format!("{}1{}", "[ ".repeat(size), " ]".repeat(size));
    Input { size, source: Source::lark(JSON), text }
}

/// JSON, and a text of an array of `size` objects.
pub(crate) fn length(size: usize) -> Input {
    let object =
        |index: usize| format!(r#"{{"name": "number {index}", "list": [{index}, 2.5e3], "ok": true}}"#);
    let objects: Vec<String> = (0..size).map(object).collect();
    let text = format!("[{}]", objects.join(", "));
    Input { size, source: Source::lark(JSON), text }
}

/// A right-recursive list, which may end after every item: reading on needs what lies below all items.
const RIGHT: &str = r#"
start: "x" start | "x"
%ignore " "
"#;

/// Expressions with prefix operators, as right-recursive as in the grammars of programming languages.
const UNARY: &str = r#"
start: start "+" unary | unary
unary: "-" unary | "!" unary | postfix
postfix: NAME | postfix "." NAME | "(" start ")"
NAME: /[a-z]+/
%ignore " "
"#;

/// Statements in which an `else` belongs to the nearest `if`.
const STATEMENTS: &str = r#"
start: statement+
statement: matched | unmatched
matched: "if" "(" NAME ")" matched "else" matched | NAME ";"
unmatched: "if" "(" NAME ")" statement | "if" "(" NAME ")" matched "else" unmatched
NAME: /[a-z]+/
%ignore " "
"#;

/// The same statements, where an `else` may belong to any `if`.
const AMBIGUOUS: &str = r#"
start: statement+
statement: "if" "(" NAME ")" statement | "if" "(" NAME ")" statement "else" statement | NAME ";"
NAME: /[a-z]+/
%ignore " "
"#;

/// Steps at the end of a text, on top of everything before them.
const ON_TOP: usize = 100;

/// A right-recursive list of `size` items.
pub(crate) fn right_recursion(size: usize) -> Input {
    Input { size, source: Source::lark(RIGHT), text: "x ".repeat(size) }
}

/// `size` prefix operators before a chain of members.
pub(crate) fn unary(size: usize) -> Input {
    let text = format!("{}a{}", "- ! ".repeat(size / 2), ". b ".repeat(ON_TOP));
    Input { size, source: Source::lark(UNARY), text }
}

/// `size` nested statements without braces, some of which go on with an `else`.
pub(crate) fn statements(size: usize) -> Input {
    Input { size, source: Source::lark(STATEMENTS), text: ifs(size) }
}

/// The same text with an ambiguous grammar.
pub(crate) fn ambiguous(size: usize) -> Input {
    Input { size, source: Source::lark(AMBIGUOUS), text: ifs(size) }
}

fn ifs(size: usize) -> String {
    format!("{}b;{}", "if (a) ".repeat(size), " else c;".repeat(ON_TOP.min(size)))
}
