//! Rules: alternatives, groups, repetition, templates.

use super::*;

#[test]
fn rules_have_alternatives_groups_and_repetition() {
    let text = r#"
        // a comment
        ?start: a b? (c | "x" a)*      # another
              | [a "y"]  -> alias
              |
        !a: "a"+
        _b.3: b ~ 2 ~
    "#;
    assert!(parse(text).is_err());
    let text = r#"
        // a comment
        ?start: a _b? (c | "x" a)*     # another
              | [a "y"]  -> alias
              |
        !a: "a"+
        _b.3: a ~ 2 \
              a~3..4
        c: "" | "c"
    "#;
    assert_eq!(
        rules(text),
        "start: a _b? (c | \"x\" a)* | (a \"y\")? | ()\n\
         a: \"a\"+\n\
         _b: a~2 a~3..4\n\
         c: () | \"c\"\n"
    );
}

#[test]
fn lines_go_on_inside_of_parentheses_and_before_bars() {
    let text = "start: (\"a\"\n  \"b\" // c\n)\n\n  // note\n  | \"c\" |\n   \"d\"\nother: start\n";
    assert_eq!(rules(text), "start: \"a\" \"b\" | \"c\" | \"d\"\n");
}

#[test]
fn templates_make_a_rule_for_each_list_of_arguments() {
    let text = "start: _list{A, \",\"} _list{(A | B), \";\"} _list{A, \",\"}\n_list{x, sep}: x (sep x)*\nA: \"a\"\nB: \"b\"\n";
    assert_eq!(
        rules(text),
        "start: _list{A, \",\"} _list{(…), \";\"} _list{A, \",\"}\n\
         _list{A, \",\"}: A (\",\" A)*\n\
         (…): A | B\n\
         _list{(…), \";\"}: (…) (\";\" (…))*\n"
    );
    assert_eq!(codes("start: a{\"x\"}\na{x}: a{(x x)} | x\n"), ["too-many-rules"]);
}
