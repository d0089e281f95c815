//! Long, wide and deep inputs of every notation end in a grammar or in an error, on a thread with a small stack.
//!
//! A stack overflow ends the whole program, so nothing may recurse in proportion to the input. The sizes are those of the campaign `depth`, which is a
//! release build, and otherwise those of a quick test.

use crate::long_inputs::{each, options, tag, tool, tree_sitter, wide};
use gcc_grammar::lengths::{lengths, shortest_text};
use gcc_grammar::{
    DemandOptions, Notation, Options, Packing, Selection, Session, Source, Vocabulary, check, compile_parsed,
    coverage_of_refused, difference::difference, parse, stages, trace,
};
use std::fmt::Write;

/// The stack of the thread.
const STACK: usize = 256 << 10;
/// The parts in a row, and the alternatives.
const PARTS: usize = if cfg!(debug_assertions) { 3_000 } else { 1_000_000 };
/// The nestings, and the operators in a row.
const DEPTH: usize = if cfg!(debug_assertions) { 20_000 } else { 100_000 };
/// The parts of a text that is read, but not compiled.
const PARTS_READ: usize = if cfg!(debug_assertions) { 100_000 } else { 1_000_000 };
/// The nestings that an input has at most where it is read without a stack of its own; some that all readers allow, and some that schemas allow.
const ALLOWED: [usize; 4] = [12, 30, 60, 100];

fn nested(n: usize, open: &str, inner: &str, close: &str) -> String {
    open.repeat(n) + inner + &close.repeat(n)
}

/// Many nestings, and many operators in a row.
fn deep(n: usize) -> Vec<(Notation, String)> {
    use Notation::*;
    let mut all = vec![
        (Gbnf, format!("root ::= {}\n", nested(n, "(", "\"a\"", ")"))),
        (Ebnf, format!("root ::= {}\n", nested(n, "(", "\"a\"", ")"))),
        (W3c, format!("root ::= {}\n", nested(n, "(", "'a'", ")"))),
        (W3c, format!("root ::= {}\n", nested(n, "('b' - ", "'a'", ")"))),
        (Abnf, format!("root = {}\r\n", nested(n, "(", "\"a\"", ")"))),
        (Abnf, format!("root = {}\r\n", nested(n, "[", "\"a\"", "]"))),
        (Abnf, format!("root = {}\"a\"\r\n", "*".repeat(n))),
        (Lark, format!("start: {}\n", nested(n, "(", "\"a\"", ")"))),
        (Lark, format!("start: A\nA: {}\"a\"\n", "~".repeat(n))),
        (Lark, format!("start: \"a\"{}\n", "*".repeat(n))),
        (Antlr, format!("grammar T;\ns : {} ;\n", nested(n, "(", "'a'", ")"))),
        (Antlr, format!("grammar T;\ns : A ;\nA : {}'a' ;\n", "~".repeat(n))),
        (Antlr, format!("grammar T;\ns : 'a'{} ;\n", "*".repeat(n))),
        (
            TreeSitter,
            tree_sitter(&nested(
                n,
                r#"{"type":"REPEAT","content":"#,
                r#"{"type":"STRING","value":"y"}"#,
                "}",
            )),
        ),
        (Regex, nested(n, "(", "a", ")")),
        (Regex, nested(n, "[", "a", "]")),
        (Regex, "a".to_owned() + &"*".repeat(n)),
        (Choices, nested(n, "(", "a", ")")),
        (
            StructuralTag,
            tag(&nested(
                n,
                r#"{"type":"sequence","elements":["#,
                r#"{"type":"const_string","value":"y"}"#,
                "]}",
            )),
        ),
        (JsonSchema, nested(n, r#"{"type":"array","items":"#, r#"{"type":"integer"}"#, "}")),
        (JsonSchema, nested(n, r#"{"not":"#, r#"{"type":"integer"}"#, "}")),
        (Tools, tool(&nested(n, r#"{"type":"array","items":"#, r#"{"type":"integer"}"#, "}"))),
    ];
    for operators in ["*", "+", "?", "*?+", "{2}", "{2}*", "{2,3}{0,5}", "{1}"] {
        let operators = operators.repeat(n);
        all.push((Gbnf, format!("root ::= \"a\"{operators}\n")));
        all.push((Ebnf, format!("root ::= \"a\"{operators}\n")));
    }
    for operators in ["*", "+", "?", "*?+"] {
        all.push((W3c, format!("root ::= 'a'{}\n", operators.repeat(n))));
    }
    for (open, close) in
        [("(", ")*"), ("(\"x\" | ", "\"b\")?"), ("(\"x\" ", ")*"), ("(\"x\" | ", " root){2,3}")]
    {
        // As deep as parentheses may be nested.
        all.push((Gbnf, format!("root ::= {} | \"b\"\n", nested(100, open, "\"a\"", close))));
        all.push((Abnf, format!("root = {}\r\n", nested(100, "*(\"x\" / ", "\"a\"", ")"))));
    }
    all
}

/// Nestings as deep as the limits of the notations allow, of all that nests: groups, rules, schemas, values, patterns, and references in each other.
fn within_limits(n: usize) -> Vec<(Notation, String)> {
    use Notation::*;
    let string = |text: &str| format!(r#"{{"type":"STRING","value":"{text}"}}"#);
    let seq = |open: &str| {
        nested(n, &format!(r#"{{"type":"{open}","members":[{},"#, string("x")), &string("y"), "]}")
    };
    let integer = r#"{"type":"integer"}"#;
    let mut all = vec![
        (Gbnf, format!("root ::= {}\n", nested(n, "(\"x\" | ", "\"a\"", " \"z\"){2,3}"))),
        (W3c, format!("root ::= {}\n", nested(n, "([a-z]* - ", "'a'", ")"))),
        (Lark, format!("start: {}\n", nested(n, "(\"x\" | ", "\"a\"", " \"y\")*"))),
        (Lark, format!("start: {}\n", nested(n, "(\"x\" | ", "\"a\"", " start)"))),
        (Lark, format!("start: {} \"c\"\n", nested(n, "[\"x\" ", "\"a\"", "]"))),
        (Lark, format!("start: A\nA: {}\n", nested(n, "(\"x\" | ", "\"a\"", " \"y\")*"))),
        (Lark, format!("start: A\nA: /{}/\n", nested(n, "(x|", "a", "y)*"))),
        (Lark, format!("start: {}\nt{{x}}: \"(\" x \")\"\n", nested(n, "t{", "\"a\"", "}"))),
        (Antlr, format!("grammar T;\ns : {} ;\n", nested(n, "('x' | ", "'a'", " 'y')*"))),
        (Antlr, format!("grammar T;\ns : {} | 'b' ;\n", nested(n, "('x' | ", "'a'", " s)"))),
        (Antlr, format!("grammar T;\ns : A ;\nA : {} ;\n", nested(n, "('x' | ", "'a'", " 'y')*"))),
        (TreeSitter, tree_sitter(&seq("SEQ"))),
        (TreeSitter, tree_sitter(&seq("CHOICE"))),
        (TreeSitter, tree_sitter(&format!(r#"{{"type":"TOKEN","content":{}}}"#, seq("CHOICE")))),
        (Regex, nested(n, "(x|", "a", "y)*")),
        (Regex, nested(n, "(?=x|", "a", "y)") + "xa"),
        (
            StructuralTag,
            tag(&nested(n, r#"{"type":"star","content":"#, r#"{"type":"const_string","value":"y"}"#, "}")),
        ),
        (
            StructuralTag,
            tag(&nested(
                n,
                r#"{"type":"tag","begin":"<","content":"#,
                r#"{"type":"const_string","value":"y"}"#,
                r#","end":">"}"#,
            )),
        ),
        (JsonSchema, format!(r#"{{"const":{}}}"#, nested(4 * n, "[", "1", "]"))),
        (JsonSchema, format!(r#"{{"not":{{"const":{}}}}}"#, nested(n, "{\"a\":", "1", "}"))),
        (JsonSchema, format!(r#"{{"enum":[{},[2]]}}"#, nested(4 * n, "[", "1", "]"))),
        (JsonSchema, format!(r#"{{"type":"integer","default":{}}}"#, nested(4 * n, "[", "1", "]"))),
        (JsonSchema, format!(r#"{{"type":"string","pattern":"{}"}}"#, nested(n, "(x|", "a", "y)*"))),
        (JsonSchema, format!(r#"{{"type":"string","pattern":"{}xa"}}"#, nested(n, "(?=x|", "a", "y)"))),
        (Tools, tool(&nested(n, r#"{"anyOf":[{"type":"null"},"#, integer, "]}"))),
    ];
    for [open, close] in [
        [r#"{"type":"array","items":"#, "}"],
        [r#"{"type":"array","prefixItems":["#, "]}"],
        [r#"{"type":"array","contains":"#, "}"],
        [r#"{"properties":{"a":"#, "}}"],
        [r#"{"not":{"properties":{"a":"#, "}}}"],
        [r#"{"type":"object","additionalProperties":"#, "}"],
        [r#"{"type":"object","unevaluatedProperties":"#, "}"],
        [r#"{"type":"object","patternProperties":{"^a":"#, "}}"],
        [r#"{"dependentSchemas":{"a":"#, "}}"],
        [r#"{"propertyNames":"#, "}"],
        [r#"{"not":"#, "}"],
        [r#"{"anyOf":[{"type":"null"},"#, "]}"],
        [r#"{"oneOf":[{"type":"null"},"#, "]}"],
        [r#"{"allOf":[{"minimum":3},"#, "]}"],
        [r#"{"if":{"type":"string"},"then":{"const":"a"},"else":"#, "}"],
        [r#"{"$defs":{"a":"#, "}}"],
    ] {
        all.push((JsonSchema, nested(2 * n, open, integer, close)));
        // The same as a chain of definitions.
        let definition = |i| format!(r##""a{i}":{open}{{"$ref":"#/$defs/a{}"}}{close}"##, i + 1);
        let definitions = each(2 * n, ",", definition);
        all.push((
            JsonSchema,
            format!(r##"{{"$ref":"#/$defs/a0","$defs":{{{definitions},"a{}":{integer}}}}}"##, 2 * n),
        ));
    }
    all
}

fn vocabulary() -> Vocabulary {
    let bytes = (0..=u8::MAX).map(|byte| vec![byte]);
    Vocabulary::from_tokens("bytes", bytes.chain([b"ya".to_vec(), b"aa".to_vec()])).expect("a vocabulary")
}

/// Gives an input to everything that reads inputs or walks grammars. What it answers is no matter here, but that it does.
fn give(notation: Notation, text: &str, vocabulary: &Vocabulary) {
    let options = options(notation);
    let source = Source::new(notation, text);
    let Ok(parsed) = parse(&source, &options) else { return };
    let grammar = parsed.grammar.clone();
    assert_eq!(grammar.rules.len(), parsed.grammar.rules.len());
    let mut shown = grammar.to_string();
    write!(shown, "{grammar:?}").expect("a string");
    for (left, right) in grammar.rules.iter().zip(&parsed.grammar.rules) {
        assert!(left.body == right.body);
    }
    drop(grammar);
    _ = check(&parsed, &options, 5);
    _ = compile_parsed(&parsed, vocabulary, &options, Packing::Referenced, &mut ());
    _ = lengths(&parsed, &options, vocabulary);
    _ = shortest_text(&parsed, &options);
    _ = trace(&parsed, b"yy", &options);
    _ = stages(&parsed, vocabulary, &options, &Selection::default());
    _ = difference(&parsed, &parsed, &options);
    _ = Session::on_demand(&source, vocabulary, &options, &DemandOptions::default());
}

/// Runs on a thread with a small stack. If it overflows, this program ends.
fn with_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

#[test]
fn long_and_wide_inputs_need_no_stack() {
    with_small_stack(|| {
        let vocabulary = vocabulary();
        wide(PARTS).iter().for_each(|(notation, text)| give(*notation, text, &vocabulary));
    });
}

#[test]
fn deep_inputs_need_no_stack() {
    with_small_stack(|| {
        let vocabulary = vocabulary();
        deep(DEPTH).iter().for_each(|(notation, text)| give(*notation, text, &vocabulary));
    });
}

/// Limits refuse what is nested deeper than this; up to there, readers may recurse, on a stack of their own.
#[test]
fn inputs_as_deep_as_the_limits_allow_need_no_stack() {
    with_small_stack(|| {
        for (notation, text) in ALLOWED.iter().flat_map(|&depth| within_limits(depth)) {
            let options = options(notation);
            let source = Source::new(notation, text);
            if let Ok(parsed) = parse(&source, &options) {
                drop(parsed.grammar.clone());
            }
            _ = coverage_of_refused(&source, &options);
        }
    });
}

#[test]
fn what_is_nested_too_deep_is_refused_as_such() {
    let messages = within_limits(2_000).into_iter().filter_map(|(notation, text)| {
        let refused = parse(&Source::new(notation, text), &options(notation)).err()?;
        Some(refused.to_string())
    });
    let messages: Vec<String> = messages.collect();
    assert!(messages.len() > 40, "{}", messages.len());
    let words = ["deep", "nest", "recursion limit", "references in each other"];
    let others: Vec<&String> =
        messages.iter().filter(|message| !words.iter().any(|word| message.contains(word))).collect();
    assert!(others.is_empty(), "{others:#?}");
}

#[test]
fn long_texts_are_read_without_a_stack() {
    with_small_stack(|| {
        for (notation, text) in wide(PARTS_READ) {
            _ = parse(&Source::new(notation, text), &options(notation));
        }
    });
}

/// A repetition of a repetition is one with the same texts, where there is one.
#[test]
fn repetitions_of_repetitions_have_the_right_texts() {
    for (operators, expected) in [
        ("*?", "(\"a\")*"),
        ("?+", "(\"a\")*"),
        ("+?", "(\"a\")*"),
        ("{2}{3}", "\"a\" \"a\" \"a\" \"a\" \"a\" \"a\""),
        ("{2,3}{2}", "\"a\"{4,6}"),
        ("{3}{0,2}", "(\"aaa\" (\"aaa\")?)?"),
        ("{2}*", "(\"aa\")*"),
        ("{3,4}{1,3}", "(\"a\"{3,4} | \"a\"{6,12})"),
        ("{2,3}{1,9}", "\"a\"{2,27}"),
        ("{0}*", "\"\""),
        ("*{0}", "\"\""),
        ("{0,2}{3,}", "\"a\"*"),
        ("{2,}{3,4}", "\"a\"{6,}"),
    ] {
        let [left, right] =
            [format!("root ::= \"a\"{operators} \"b\"\n"), format!("root ::= {expected} \"b\"\n")].map(
                |text| parse(&Source::new(Notation::Gbnf, text), &Options::default()).expect("a grammar"),
            );
        let found = difference(&left, &right, &Options::default()).expect("regular");
        assert_eq!(found.are_equal(), Some(true), "{operators}: {found:?}");
    }
}
