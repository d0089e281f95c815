//! Texts that are repeated.

use super::*;

const NAMES: &str = "A: /[a-z]+/\nB: /[a-z]+/\nC: \";\"\n";

fn refusal(rules: &str) -> String {
    let errors = parse(&format!("{rules}\n{NAMES}")).expect_err(rules);
    format!("{}: {}", errors[0].code.as_str(), errors[0].message)
}

#[test]
fn terminals_have_roles() {
    let text = format!("start: \"<\" A (start* \">\" B | C)\n{NAMES}%same A B C\n");
    let shown = read(&text).grammar.to_string();
    for (terminal, role) in
        [("A", "remembered"), ("B", "the last remembered text"), ("C", "forgets the last remembered text")]
    {
        let is_there =
            |line: &str| line.contains(&format!("{terminal} ")) && line.contains(&format!(", {role}"));
        assert!(shown.lines().any(is_there), "{terminal}: {shown}");
    }
}

/// A rule may leave what another one takes, whichever is written first, if all that it derives leaves the same.
#[test]
fn rules_balance_what_is_remembered() {
    for rules in [
        "start: open start? close\nopen: \"(\" A\nclose: \")\" B\n%same A B",
        "start: open (start | \".\")* (close | C)\nopen: \"(\" A | \"[\" A\nclose: \")\" B\n%same A B C",
        "start: list\nlist: A \"(\" list B | \"x\" list | \"y\"\n%same A B",
        "start: (A \"-\" B)*\n%same A B",
        // What is never derived does not count.
        "start: A \"-\" B | endless\nendless: A endless\n%same A B",
    ] {
        assert!(parse(&format!("{rules}\n{NAMES}")).is_ok(), "{rules}");
    }
    for (rules, rule) in [
        ("start: A \"-\" B B\n%same A B", "start"),
        ("start: A \"-\" | \"x\" B\n%same A B", "start"),
        ("start: A? \"-\" B\n%same A B", "start"),
        ("start: A \"-\" x\nx: B | \"y\"\n%same A B", "x"),
        ("start: x \"-\" y\nx: A | A x\ny: B | y B\n%same A B", "x"),
        ("start: A+ \"-\" B+\n%same A B", "start"),
        ("start: \"-\" B A\n%same A B", "start"),
    ] {
        let message =
            format!("unbalanced: the rule `{rule}` does not balance what is remembered and what is repeated");
        assert_eq!(refusal(rules), message, "{rules}");
    }
    let crossed = "start: A X B Y\nX: \"0\"\nY: \"0\"\n%same A B\n%same X Y";
    assert!(refusal(crossed).starts_with("unbalanced"));
    assert!(parse(&format!("start: A X Y B\nX: \"0\"\nY: \"0\"\n{NAMES}%same A B\n%same X Y")).is_ok());
}

#[test]
fn terminals_are_those_of_rules_and_have_one_role() {
    assert_eq!(refusal("start: A \"-\" B\n%same A C"), "unused-lexeme: no rule uses this terminal");
    let twice = "start: A \"-\" B C\n%same A B\n%same A C";
    assert_eq!(refusal(twice), "unbalanced: this terminal is in a %same already, or has special tokens");
    assert!(refusal("start: A B\n%same A").starts_with("syntax"));
    assert!(refusal("start: A B\n%same A D").starts_with("undefined"));
}

/// Lists whose items differ have a memory of their own.
#[test]
fn no_text_is_repeated_beside_different_items() {
    let text = "start: A %json {\"type\": \"array\", \"items\": {\"type\": \"string\"}, \"uniqueItems\": true} B\n%same A B";
    assert!(refusal(text).starts_with("unenforceable"), "{}", refusal(text));
}

/// The time is linear, and no stack is needed.
#[test]
fn long_rules_are_balanced() {
    let depth = 20_000;
    let mut text = format!("start: A r0 B\n{NAMES}%same A B\n");
    for number in 0..depth {
        text += &format!("r{number}: A r{} B | C\n", number + 1);
    }
    text += &format!("r{depth}: C\n");
    assert!(parse(&text).is_ok());
    let wide = "A B ".repeat(depth);
    assert!(parse(&format!("start: {wide}\n{NAMES}%same A B\n")).is_ok());
}
