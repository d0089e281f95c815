//! Rules with precedence as they are read, and declarations that are refused.

use crate::lark::{BuiltIn, Options, Parsed, Source, Sources, parse, parse_with};
use gcc_grammar_ir::Diagnostic;

fn read(text: &str) -> Parsed {
    parse(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

/// The rules but `start`, a line each.
fn rules(parsed: &Parsed) -> String {
    let text = parsed.grammar.to_string();
    let lines = text.lines().skip(3).take(parsed.grammar.rules.len() - 1);
    lines.map(|line| format!("{line}\n")).collect()
}

fn codes(diagnostics: &[Diagnostic]) -> Vec<&'static str> {
    diagnostics.iter().map(|diagnostic| diagnostic.code.as_str()).collect()
}

#[track_caller]
fn assert_refused(text: &str, code: &str) {
    assert_eq!(codes(&parse(text).expect_err("wrong")), [code], "{text}");
}

/// A warning, and rules that stay as they are.
#[track_caller]
fn assert_idle(text: &str, expected: &[&str]) {
    let parsed = read(text);
    assert_eq!(codes(&parsed.warnings), expected, "{text}");
    assert!(!rules(&parsed).contains('#'), "{}", parsed.grammar);
}

#[test]
fn levels_become_the_rules_of_the_textbook() {
    let text = r#"
        start: e
        e: e "+" e | e "-" e | e "*" e | e "^" e | e "<" e | "-" e %prec NEGATION | e "!" | "(" e ")" | "n"
        %nonassoc "<"
        %left "+" "-"
        %left "*"
        %right NEGATION
        %right "^"
        %left "!"
    "#;
    let parsed = read(text);
    assert_eq!(codes(&parsed.warnings), [""; 0]);
    let expected = r#"e: e#2 "<" e#2 | e#2
e#2: e#2 "+" e#3 | e#2 "-" e#3 | e#3
e#3: e#3 "*" e#4 | e#4
e#4: e#5 "^" e#4 | "-" e#4 | e#5
e#5: e#5 "!" | e#6
e#6: "(" e ")" | "n"
"#;
    assert_eq!(rules(&parsed), expected);
}

/// What is negated may be a product, so it is no left operand of one; but `a * -b` is a product, although the product binds tighter.
#[test]
fn what_begins_with_a_loose_operator_is_a_last_operand() {
    let parsed = read("start: e\ne: e \"*\" e | \"-\" e | \"n\"\n%left \"-\"\n%left \"*\"\n");
    let expected = "e: e#2 \"*\" e#3 | e#3\ne#2: e#2 \"*\" e#4 | e#4\ne#3: \"-\" e | e#4\ne#4: \"n\"\n";
    assert_eq!(rules(&parsed), expected);
}

/// An `else` belongs to the nearest `if`, whether the rule that says so is the statement's own or another.
#[test]
fn the_nearest_if_has_the_else() {
    let levels = "%nonassoc IF\n%nonassoc \"else\"\n";
    let body = "\"if\" s %prec IF | \"if\" s \"else\" s";
    let expected =
        "s: \"if\" s | \"if\" s#2 \"else\" s | s#3\ns#2: \"if\" s#2 \"else\" s#2 | s#3\ns#3: \";\"\n";
    let own = read(&format!("start: s\ns: \";\" | {body}\n{levels}"));
    assert_eq!(rules(&own), expected);
    let other = read(&format!("start: s\ns: \";\" | conditional\nconditional: {body}\n{levels}"));
    let without_other: String = rules(&other)
        .lines()
        .filter(|line| !line.starts_with("conditional"))
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(without_other, expected);
    assert_eq!(codes(&other.warnings), [""; 0]);
}

#[test]
fn operators_may_be_choices_optional_or_rules() {
    let levels = "%left \"+\" \"-\"\n%left \"*\" \"/\"\n";
    let text = format!(
        "start: e\ne: e (\"+\" | \"-\") e | e times e | \"n\" [\"?\" \"!\"]\ntimes: \"*\" | \"/\"\n{levels}"
    );
    let parsed = read(&text);
    let expected = "e: e \"+\" e#2 | e \"-\" e#2 | e#2\ntimes: \"*\" | \"/\"\ne#2: e#2 times e#3 | e#3\ne#3: \"n\" | e#4\ne#4: \"n\" \"?\" \"!\"\n";
    assert_eq!(rules(&parsed), expected);
    assert_eq!(codes(&parsed.warnings), [""; 0]);
    let optional = read("start: e\ne: e \"+\" e | \"return\" [e] | \"n\"\n%left \"return\"\n%left \"+\"\n");
    let expected = "e: e#2 \"+\" e#3 | e#3\ne#2: e#2 \"+\" e#4 | e#4\ne#3: \"return\" e | e#4\ne#4: \"return\" | e#5\ne#5: \"n\"\n";
    assert_eq!(rules(&optional), expected);
}

/// A string that a terminal is defined as is that terminal, also for `%prec`.
#[test]
fn operators_may_be_named_or_written() {
    let rule = "start: e\ne: e \"+\" e | \"-\" e %prec \"+\" | \"n\"\n";
    let named = read(&format!("{rule}PLUS: \"+\"\n%left PLUS\n"));
    assert_eq!(rules(&named), rules(&read(&format!("{rule}%left \"+\"\n"))).replace("\"+\"", "PLUS"));
    assert_eq!(codes(&named.warnings), [""; 0]);
}

#[test]
fn templates_are_resolved_for_each_of_their_arguments() {
    let parsed = read("start: sum{\"a\"} sum{\"b\"}\nsum{x}: sum{x} \"+\" sum{x} | x\n%left \"+\"\n");
    let expected = "sum{\"a\"}: sum{\"a\"} \"+\" sum{\"a\"}#2 | sum{\"a\"}#2\nsum{\"b\"}: sum{\"b\"} \"+\" sum{\"b\"}#2 | sum{\"b\"}#2\nsum{\"a\"}#2: \"a\"\nsum{\"b\"}#2: \"b\"\n";
    assert_eq!(rules(&parsed), expected);
}

struct Sums;

impl Sources for Sums {
    fn find(&self, importer: &str, relative: bool, path: &[&str]) -> Result<Source, String> {
        match path {
            ["sums"] => Ok(Source {
                name: "sums.lark".to_owned(),
                text: "sum: sum \"+\" sum | \"n\"\n%left \"+\"\n".to_owned(),
            }),
            _ => BuiltIn.find(importer, relative, path),
        }
    }
}

/// What a file declares is about its rules, wherever they are used, and about no others.
#[test]
fn imported_rules_keep_their_levels() {
    let options = Options { sources: &Sums, ..Options::default() };
    let text = "start: sum | own\n%import sums.sum\nown: own \"+\" own | \"m\"\n";
    let parsed = parse_with(text, &options).expect("right");
    assert_eq!(rules(&parsed), "sum: sum \"+\" sum#2 | sum#2\nown: own \"+\" own | \"m\"\nsum#2: \"n\"\n");
    let extended = format!("{text}%extend sum: \"-\" sum %prec \"-\"\n%left \"-\"\n");
    assert_eq!(
        codes(&parse_with(&extended, &options).expect_err("levels of another file")),
        ["unknown-precedence"]
    );
}

#[test]
fn what_is_declared_without_effect_is_told() {
    assert_idle(
        "start: a\na: b \"+\" b | \"n\"\nb: a \"*\" a | \"m\"\n%left \"+\"\n",
        &["precedence-without-effect"],
    );
    assert_idle("start: e\ne: e \"+\" e | \"n\"\n%left \"*\"\n", &["precedence-without-effect"]);
    let mixed = "start: e\ne: e op e | \"n\"\nop: \"+\" | \"*\"\n%left \"+\"\n%left \"*\"\n";
    assert_idle(mixed, &["precedence-without-effect", "precedence-without-effect"]);
    let one_level = mixed.replace("op e |", "op e %prec \"+\" |");
    assert_eq!(codes(&read(&one_level).warnings), ["mixed-precedence"]);
}

#[test]
fn declarations_are_checked() {
    let rule = "start: e\ne: e \"+\" e | \"n\"\n";
    assert_refused(&format!("{rule}%left \"+\"\n%right \"+\"\n"), "second-precedence");
    assert_refused(&format!("{rule}%left \"+\" PLUS\n"), "undefined-name");
    assert_refused(&format!("{rule}%left e\n"), "rule-as-lexeme");
    assert_refused(&format!("{rule}%left\n"), "syntax");
    assert_refused("start: e\ne: \"-\" e %prec MINUS | \"n\"\n", "unknown-precedence");
    assert_refused("start: \"n\"\nunused: \"-\" %prec MINUS\n", "unknown-precedence");
    assert_refused("start: e\ne: (\"-\" e %prec \"-\" | \"+\" e) | \"n\"\n%left \"-\"\n", "bad-precedence");
    assert_refused("start: E\nE: \"n\" %prec \"n\"\n%left \"n\"\n", "bad-precedence");
}

/// Copies of a rule grow with the square of the levels; what is too much is refused.
#[test]
fn too_many_levels_are_refused() {
    let operators: Vec<String> = (0..400).map(|n| format!("\"o{n}\"")).collect();
    let binary: String = operators.iter().map(|operator| format!(" | e {operator} e")).collect();
    let prefix: String = operators.iter().map(|operator| format!(" | {operator} e")).collect();
    let levels: String = operators.iter().map(|operator| format!("%left {operator}\n")).collect();
    assert_refused(&format!("start: e\ne: \"n\"{binary}{prefix}\n{levels}"), "too-many-rules");
    let choices = "(\"o0\" | \"o1\") ".repeat(30);
    assert_refused(&format!("start: e\ne: \"n\" | e {choices} e\n{levels}"), "too-many-rules");
}

/// Other rules may be as large as they like.
#[test]
fn rules_without_operators_are_not_copied() {
    let words: Vec<String> = (0..3_000).map(|n| format!("\"w{n}\"")).collect();
    let text = format!("start: e\ne: e \"+\" e | word | long\nword: {}\n", words.join(" | "));
    let long: String = (0..3_000).map(|n| format!("r{n}: r{}\n", n + 1)).collect();
    let parsed = read(&format!("{text}long: r0\n{long}r3000: \"long\"\n%left \"+\"\n"));
    assert_eq!(parsed.grammar.rules.len(), 3_001 + 5);
}

/// Units that lead to units are looked into for operands, but not for ever.
#[test]
fn alternatives_in_rules_of_their_own_are_looked_for_within_limits() {
    let mut text = "start: r0\n".to_owned();
    for n in 0..200 {
        let units: Vec<String> = (0..200).filter(|m| *m != n).map(|m| format!("r{m}")).collect();
        text += &format!("r{n}: r{n} \"+\" r{n} | {}\n", units.join(" | "));
    }
    assert_refused(&format!("{text}%left \"+\"\n"), "too-many-rules");
}
