//! Grammars within grammars, and rules with a parameter.

use super::imports::read_files;
use super::*;

#[test]
fn a_grammar_can_be_inside() {
    let text = "start: \"<\" inner \">\" inner\n\
                inner: %lark {\n  start: A+ # }\n  A: /[a-z}]/\n  %ignore \"}\"\n}\n\
                A: \"x\"\n\
                %ignore \" \"\n";
    let parsed = read(text);
    let shown = parsed.grammar.to_string();
    let own = "start: (\"<\" %ignore) inner (\">\" %ignore) inner\ninner: %lark#1 %ignore\n%lark#1: start\n";
    assert!(shown.contains(own), "{shown}");
    assert!(shown.contains("%language A \"}\"\n"), "{shown}");
    assert_eq!(codes(text), ["unused-definition"]);
}

#[test]
fn errors_in_a_grammar_inside_point_to_it() {
    let text = "start: inner\ninner: %lark {\n  start: a\n}\n";
    let errors = parse(text).expect_err("undefined");
    assert!(rendered(&errors, text).contains("--> g.lark:3:10\n"), "{}", rendered(&errors, text));
    let text = "start: \"é\" %lark { start: \"a\" b }\n";
    assert!(rendered(&parse(text).expect_err("undefined"), text).contains("--> g.lark:1:31\n"));
    let deep = format!("start: {}\"a\"{}\n", "%lark { start: ".repeat(20), "}".repeat(20));
    assert_eq!(codes(&deep), ["too-deep"]);
}

#[test]
fn a_language_has_its_own_ignored_text() {
    let files: &[(&str, &str)] = &[
        ("list", "start: WORD (\",\" WORD)*\nWORD: /[a-z]+/\n%ignore \" \"\n%basic\n"),
        ("selfish", "start: \"a\" %language .selfish\n"),
        ("broken", "start: \"a\"\nother: }\n"),
    ];
    let text = "start: \"[\" %language .list \"]\"\n";
    let parsed = read_files(text, files).unwrap_or_else(|errors| panic!("{}", rendered(&errors, text)));
    let shown = parsed.grammar.to_string();
    assert!(shown.contains("start: \"[\" %language list \"]\"\n%language list: start\n"), "{shown}");
    assert!(shown.contains("%language \",\" WORD \" \"\n"), "{shown}");
    let language = &parsed.grammar.contexts.languages[0];
    assert_eq!((language.everywhere.len(), language.ignored.len()), (3, 1), "%basic is its own");
    assert!(parsed.grammar.contexts.everywhere.is_empty());
    let errors = read_files("start: %language .selfish\n", files).expect_err("endless");
    assert_eq!(errors[0].code.as_str(), "too-deep");
    let errors = read_files("start: %language .broken\n", files).expect_err("broken");
    assert!(errors[0].message.starts_with("broken:2:8: "), "{errors:?}");
}

#[test]
fn an_import_from_a_file_that_ignores_something_warns() {
    let files: &[(&str, &str)] = &[("list", "start: WORD+\nWORD: /[a-z]+/\n%ignore \" \"\n")];
    let warnings = |text: &str| read_files(text, files).expect(text).warnings;
    let found = warnings("start: list\n%import .list.start -> list\n");
    assert_eq!((found.len(), found[0].code.as_str()), (1, "ignored-left-out"), "{found:?}");
    assert!(found[0].help.as_ref().is_some_and(|help| help.contains("%language .list")), "{found:?}");
    assert_eq!(warnings("start: WORD\n%import .list.WORD\n"), [], "terminals ignore nothing");
}

#[test]
fn a_rule_is_made_for_each_value_of_its_parameter() {
    let text = "start: perm::0x0\n\
                perm::_: \"\" %if is_ones([0:2])\n\
                | \"a\" perm::set_bit(0) %if bit_clear(0)\n\
                | \"b\" perm::set_bit(1) %if bit_clear(1)\n";
    let expected = "start: perm::0x0\n\
                    perm::0x0: \"a\" perm::0x1 | \"b\" perm::0x2\n\
                    perm::0x1: \"b\" perm::0x3\n\
                    perm::0x2: \"a\" perm::0x3\n\
                    perm::0x3: ()\n";
    assert_eq!(rules(text), expected);
}
