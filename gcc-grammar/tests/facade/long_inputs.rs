//! Long and wide inputs of every notation, by the number of their parts: for the tests of depth, and for the count of what readers do with them
//! (`benches/src/bin/readers.rs`).

use gcc_grammar::{Notation, Options};

pub(crate) fn repeated(n: usize, separator: &str, piece: &str) -> String {
    vec![piece; n].join(separator)
}

/// The pieces for all numbers below `n`.
pub(crate) fn each(n: usize, separator: &str, piece: impl Fn(usize) -> String) -> String {
    (0..n).map(piece).collect::<Vec<_>>().join(separator)
}

pub(crate) fn tag(format: &str) -> String {
    format!(r#"{{"type":"structural_tag","format":{format}}}"#)
}

pub(crate) fn tree_sitter(rule: &str) -> String {
    format!(r#"{{"name":"t","rules":{{"start":{rule}}}}}"#)
}

pub(crate) fn tool(parameter: &str) -> String {
    format!(
        r#"[{{"type":"function","function":{{"name":"f","parameters":{{"type":"object","properties":{{"a":{parameter}}}}}}}}}]"#
    )
}

/// Many parts in a row, and many alternatives.
pub(crate) fn wide(n: usize) -> Vec<(Notation, String)> {
    use Notation::*;
    let quoted = |i: usize| format!("\"y{i}\"");
    let single = |i: usize| format!("'y{i}'");
    let text = |i: usize| format!(r#"{{"type":"const_string","value":"y{i}"}}"#);
    let member = |i: usize| format!(r#"{{"type":"STRING","value":"y{i}"}}"#);
    vec![
        (Gbnf, format!("root ::= {}\n", repeated(n, " ", "\"y\""))),
        (Gbnf, format!("root ::= {}\n", each(n, " | ", quoted))),
        (Ebnf, format!("root ::= {}\n", repeated(n, "\n  ", "\"y\""))),
        (Ebnf, format!("root ::= {}\n", each(n, " | ", quoted))),
        (W3c, format!("root ::= {}\n", repeated(n, " ", "'y'"))),
        (W3c, format!("root ::= {}\n", each(n, " | ", single))),
        (W3c, format!("root ::= [a-z]+{}\n", each(n, "", |i| format!(" - 'b{i}'")))),
        (Abnf, format!("root = {}\r\n", repeated(n, "\n  ", "\"y\""))),
        (Abnf, format!("root = {}\r\n", each(n, " / ", quoted))),
        (
            Abnf,
            format!("root = {}\r\n", each(n, " / ", |i| format!("a{i}")))
                + &each(n, "", |i| format!("a{i} = \"{i}\"\r\n")),
        ),
        (Lark, format!("start: {}\n", repeated(n / 10, " ", "\"y\""))),
        (Lark, format!("start: A\nA: {}\n", each(n, " | ", quoted))),
        (Antlr, format!("grammar T;\ns : {} ;\n", repeated(n / 10, " ", "'y'"))),
        (Antlr, format!("grammar T;\ns : {} ;\n", each(n / 10, " | ", single))),
        (Antlr, format!("grammar T;\ns : A0+ ;\n{}", each(n / 10, "", |i| format!("A{i} : 'k{i}' ;\n")))),
        (TreeSitter, tree_sitter(&format!(r#"{{"type":"SEQ","members":[{}]}}"#, each(n / 10, ",", member)))),
        (
            TreeSitter,
            tree_sitter(&format!(r#"{{"type":"CHOICE","members":[{}]}}"#, each(n / 10, ",", member))),
        ),
        (Regex, repeated(n, "", "[ab]")),
        (Regex, each(n, "|", |i| format!("y{i}[ab]"))),
        (Choices, each(n, "\n", |i| format!("y{i}"))),
        (StructuralTag, tag(&format!(r#"{{"type":"sequence","elements":[{}]}}"#, each(n, ",", text)))),
        (StructuralTag, tag(&format!(r#"{{"type":"or","elements":[{}]}}"#, each(n, ",", text)))),
        (JsonSchema, format!(r#"{{"enum":[{}]}}"#, each(n, ",", quoted))),
        (
            JsonSchema,
            format!(
                r#"{{"type":"array","prefixItems":[{}]}}"#,
                repeated(n / 10, ",", r#"{"type":"integer"}"#)
            ),
        ),
        (Tools, tool(&format!(r#"{{"enum":[{}]}}"#, each(n, ",", quoted)))),
    ]
}

pub(crate) fn options(notation: Notation) -> Options {
    let mut options = Options::default();
    options.tools.model = (notation == Notation::Tools).then(|| "hermes".to_owned());
    options
}
