//! Errors and warnings, and texts that are not grammars.

use super::*;

/// Texts, and the code of one of their errors.
const ILL_FORMED: &[(&str, &str)] = &[
    ("", "no-start"),
    ("START: \"x\"\n", "no-start"),
    ("start{x}: x\n", "no-start"),
    ("start: x\n", "undefined-name"),
    ("start: \"x\nother: start\n", "unterminated-string"),
    ("start: /x\nother: start\n", "unterminated-pattern"),
    ("start: /x\n/ \"a\"\n", "unterminated-pattern"),
    ("start: 'x'\n", "unexpected-character"),
    ("start: \"x\";\n", "unexpected-character"),
    ("start = \"x\"\n", "syntax"),
    ("start: (\"x\"\n", "unclosed-parenthesis"),
    ("start: [\"x\"\nb: \"y\"\n", "unclosed-parenthesis"),
    ("start: \"x\")\n", "syntax"),
    ("start: \"x\"\n  \"y\"\n", "syntax"),
    ("start: \"x\" ->\n", "syntax"),
    ("%import common.\n", "syntax"),
    ("%frobnicate x\n", "unknown-directive"),
    ("start: \"\\xZZ\"\n", "bad-escape"),
    ("start: _\n", "bad-name"),
    ("start: \"a\"~99999999999999999999\n", "bad-number"),
    ("start: \"a\"~5000000000\n", "bad-number"),
    ("start: \"a\"~3..2\n", "bad-repetition"),
    ("start: \"ab\"..\"c\"\n", "bad-range"),
    ("start: \"z\"..\"a\"\n", "bad-range"),
    ("start: \"a\"\nstart: \"b\"\n", "duplicate-definition"),
    ("start: A\nA: \"b\"\n%import common.INT -> A\n", "duplicate-definition"),
    ("start: A\nA: start\n", "rule-in-terminal"),
    ("start: A\nA: B\nB: \"b\" A\n", "recursive-terminal"),
    ("start: A\nA: A \"b\"\n", "recursive-terminal"),
    ("start: \"a\" NL\nNL: /\\n*/\n%layout NL INDENT: \"  \"~2\n", "empty-terminal"),
    ("start: /(?=x)y/\n", "no-text"),
    ("start: A\nA: /(?<!x)y?/\n", "unsupported-assertion"),
    (
        "start: A _NL _INDENT A _DEDENT\nA: /^y/\n_NL: /\\n */\n%declare _INDENT _DEDENT\n",
        "unsupported-assertion",
    ),
    ("start: A\nA: /y(?!x)/ & /y/\n", "unsupported-assertion"),
    ("start: A\nA: ~/y$/\n", "unsupported-assertion"),
    ("start: a\na[lazy]: /y\\b/ \"x\"\n", "unsupported-assertion"),
    ("start: /x{3,2}/\n", "bad-pattern"),
    ("start: a{\"x\"}\na: \"y\"\n", "bad-template"),
    ("start: a\na{x}: x\n", "bad-template"),
    ("start: a{\"y\"}\na{x}: x{\"z\"}\n", "bad-template"),
    ("start: A\nA{x}: \"y\"\n", "terminal-template"),
    ("start: \"a\" & \"b\"\n", "only-in-terminals"),
    ("start: ~\"b\"\n", "only-in-terminals"),
    ("start: A\n%declare A\n", "declared-only"),
    ("start: A\nA: \"x\" <tok>\n", "not-text"),
    ("start: <tok\n", "bad-special-token"),
    ("start: <[5-2]>\n", "bad-special-token"),
    ("%override start: \"x\"\n", "undefined-name"),
    ("start: start \"x\"\n", "no-text"),
    ("start: start\n", "no-text"),
    ("start: A\nA: %regex {\"x\": 1}\n", "bad-regex-object"),
    ("start: %regex [1]\n", "bad-json"),
    ("start: %regex {\n", "bad-json"),
    ("%llguidance {x}\nstart: \"a\"\n", "bad-json"),
    ("start: a\na[frob]: /y/\n", "unsupported-attribute"),
    ("start: a\na[lazy=3]: /y/\n", "unsupported-attribute"),
    ("start: a\na[stop]: /y/\n", "unsupported-attribute"),
    ("start: a\na[max_chars=\"3\"]: /y/\n", "unsupported-attribute"),
    ("start: a\na[max_chars=2.5]: /y/\n", "unsupported-attribute"),
    ("start: a\na[suffix=\"x\", stop=\"y\"]: /y/\n", "unsupported-attribute"),
    ("start: a\na[max_chars=3, max_chars=4]: /y/\n", "unsupported-attribute"),
    ("start: a\na[suffix=\"\"]: /y/\n", "unsupported-attribute"),
    ("start: a\na[suffix=b]: /y/\nb: \"x\"\n", "rule-in-terminal"),
    ("start: a\na[lazy]: b\nb: a\n", "rule-in-terminal"),
    ("start: a\na[lazy]: \"b\" a\n", "recursive-terminal"),
    ("start: A\nA: \"a\" <[*]>\n", "not-text"),
    ("start: A\nA: <[*]>*\n", "not-text"),
    ("start: <[^]>*\n", "bad-special-token"),
    ("start: <[5,*]>*\n", "bad-special-token"),
    ("start: @other\n", "unexpected-character"),
    ("start: \"x\"{3,2}\n", "bad-repetition"),
    ("start: a::3\na: \"x\"\n", "bad-parameter"),
    ("start: a::set_bit(0)\na::_: \"x\"\n", "bad-parameter"),
    ("start: a::0\na::_: \"x\" a::twice(_)\n", "bad-parameter"),
    ("start: a::0\na::_: \"x\" %if odd(_)\n", "bad-parameter"),
    ("start: a\na::_: \"x\"\n", "bad-parameter"),
    ("start: \"x\" %if bit_set(0)\n", "bad-parameter"),
    ("start: a::0\n", "undefined-name"),
    ("start::_: \"x\"\n", "no-start"),
    ("start: A::0\nA::_: \"x\"\n", "terminal-template"),
    ("start: a::0\na::_: \"x\" a::incr(_)\n", "too-many-rules"),
    ("start: %lark \"x\"\n", "syntax"),
    ("start: %lark { start: \"x\"\n", "syntax"),
    ("start: \"x\" %lark { start: a }\n", "undefined-name"),
    ("start: A\nA: \"x\" %lark { start: \"a\" }\n", "not-text"),
    ("start: %language no_such\n", "bad-import"),
    ("start: %lark { start: \"a\" }\n%basic\n", "directive-beside-json"),
    ("%grammar_options {\"no_forcing\": true}\nstart: \"x\"\n", "bad-option"),
    ("start: A\nA: /(a{1000}){1000}b/\n", "terminal-too-large"),
];

#[test]
fn ill_formed_grammars_are_refused() {
    for &(text, code) in ILL_FORMED {
        let errors = parse(text).expect_err(text);
        assert!(
            errors.iter().any(|error| error.code == code),
            "{text}: expected {code}\n{}",
            rendered(&errors, text)
        );
        for error in &errors {
            assert!(error.location.is_some() || code == "no-start", "{error:?}");
            assert!(!render_text(error, "g", text, true).is_empty());
        }
    }
}

#[test]
fn doubtful_grammars_are_warned_about() {
    assert_eq!(codes("start: A\nA: \"a\" B\nB: \"b\"\n"), [""; 0]);
    assert_eq!(codes("start: \"a\"\nb: c\nc: \"c\"\n"), ["unused-definition", "unused-definition"]);
    assert_eq!(codes("start: \"a\"\nB: \"b\"\n"), ["unused-definition"]);
    assert_eq!(codes("start: \"a\"\n%import common.WS\n"), ["unused-import"]);
    assert_eq!(codes("start: \"a\" | b\nb: \"b\" b\n"), ["unproductive-rule"]);
    assert_eq!(codes("start: \"a\" | B\nB: \"b\" & \"c\"\n"), ["unmatchable-terminal"]);
    assert_eq!(codes("start: \"a\"\n%declare B\n"), [""; 0]);
    assert_eq!(codes("start: start | \"x\"\n"), ["cyclic-rule"]);
    assert_eq!(codes("start: a? b a? | \"x\"\na: \"y\"?\nb: a start a\n"), ["cyclic-rule"]);
}

#[test]
fn diagnostics_show_the_place_and_the_remedy() {
    let text = "start: vlaue NUMBER\nvalue: /a(?<!b)/\n";
    assert_eq!(
        rendered(&parse(text).expect_err("undefined"), text),
        "error[undefined-name]: `vlaue` is not defined\n \
         --> g.lark:1:8\n  \
         |\n\
         1 | start: vlaue NUMBER\n  \
         |        ^^^^^\n  \
         = help: did you mean `value`?\n\
         error[undefined-name]: `NUMBER` is not defined\n \
         --> g.lark:1:14\n  \
         |\n\
         1 | start: vlaue NUMBER\n  \
         |              ^^^^^^\n  \
         = help: define it, or import it as in `%import common.NUMBER`\n"
    );
    let text = "start: value\nvalue: /[[]a(?<!b/\n";
    assert!(
        rendered(&parse(text).expect_err("look-behind"), text)
            .contains("2 | value: /[[]a(?<!b/\n  |             ^^^^\n")
    );
}

#[test]
fn hostile_texts_are_survived() {
    let nested = format!("start: {}\"x\"{}\n", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(codes(&nested), ["too-deep"]);
    let mut chain = String::from("start: A0\n");
    (0..20_000).for_each(|index| chain.push_str(&format!("A{index}: A{} \"x\"\n", index + 1)));
    chain.push_str("A20000: \"y\"\n");
    assert!(codes(&chain).contains(&"terminal-too-large"));
    let mut doubling = String::from("start: A0\n");
    (0..60).for_each(|index| doubling.push_str(&format!("A{index}: A{0} A{0}\n", index + 1)));
    doubling.push_str("A60: \"y\"\n");
    assert!(codes(&doubling).contains(&"terminal-too-large"));
    let mut rules = String::from("start: a0\n");
    (0..20_000).for_each(|index| rules.push_str(&format!("a{index}: a{} \"x\"\n", index + 1)));
    rules.push_str("a20000: \"y\"\n");
    assert_eq!(read(&rules).grammar.rules.len(), 20_002);
    assert!(
        parse(&"~".repeat(10_000)).is_err()
            && parse(&format!("start: {}\"x\"\n", "~".repeat(10_000))).is_err()
    );
    for text in [
        "start: \"\\",
        "start: /\\",
        "start: /[/",
        "%",
        "start: \"\u{0}\"",
        "<",
        "start: a{",
        "é: x",
        "start: \"a\"i..\"z\"",
    ] {
        let _ = parse(text);
    }
}

#[test]
fn every_prefix_of_a_grammar_is_survived() {
    let text = include_str!("../common.lark");
    for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
        let _ = parse(&text[..end]);
    }
}

#[test]
#[ignore = "needs ../shared: peers/lark"]
fn grammars_of_peers_load_without_warnings() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/peers/lark");
    for name in ["ambig", "c89", "json_ws", "sql"] {
        let file = folder.join(format!("{name}.lark"));
        let text = std::fs::read_to_string(&file)
            .unwrap_or_else(|error| panic!("this test needs the shared file {}: {error}", file.display()));
        let parsed = read(&text);
        assert_eq!(rendered(&parsed.warnings, &text), "", "{name}");
    }
}

#[test]
fn what_other_notations_write_is_explained() {
    let cases = [
        ("start: /abc/g\n", "the flags there are i, m, s, u and x"),
        ("start: /abc/il\n", "remove it: patterns are those of Unicode"),
        ("%llguidance {}\nstart: /abc/l\n", "remove it: patterns are those of Unicode"),
        ("start: [a-z]+\n", "write `/[a-z]/`"),
        ("start: \"a\" [A-Z]\n", "write `/[A-Z]/`"),
        ("start: { \"a\" }\n", "write `( … )*` for what is repeated"),
    ];
    for (text, help) in cases {
        let errors = parse(text).expect_err("an error");
        assert!(errors[0].help.as_ref().is_some_and(|given| given.contains(help)), "{text}: {errors:?}");
    }
}
