//! Schemas embedded in Lark grammars.

use super::*;
use gcc_grammar_ir::{Pattern, Terminal};
use gcc_grammar_json_schema as json_schema;
use gcc_grammar_regular::Dfa;
use std::collections::HashSet;

fn schema(text: &str) -> Grammar {
    json_schema::compile(text, &json_schema::Options::default()).expect("a valid schema").grammar
}

fn host(places: usize) -> Grammar {
    let text = format!("start: {}\nplace: \"x\"\n%ignore \" \"\n", "place ".repeat(places));
    crate::lark::parse(&text).expect("valid").grammar
}

fn dfa(terminal: &Terminal) -> Dfa {
    match &terminal.pattern {
        Pattern::Regex(regex) => regex.to_dfa(&RegularLimits::default()).expect("small"),
        tokens => panic!("{tokens:?}"),
    }
}

/// Two schemas that share strings and the objects around them, and one more.
const SCHEMAS: [&str; 3] = [
    r#"{"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}}"#,
    r#"{"type": "array", "items": {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}}}"#,
    r#"{"type": "string", "pattern": "^a*$"}"#,
];

fn embedded(host: Grammar, schemas: &[&str]) -> Grammar {
    let place = NonterminalId(1);
    let parts = schemas.iter().map(|text| Part { place, grammar: schema(text) }).collect();
    let combined = embed(host, parts, &RegularLimits::default()).expect("small");
    assert_eq!(gcc_grammar_ir::check::check(&combined, |_| None).0, []);
    combined
}

#[test]
fn equal_terminals_of_different_parts_are_one() {
    let own = host(1).terminals.len();
    let combined = embedded(host(1), &SCHEMAS);
    let terminals = &combined.terminals[own..];
    let languages: HashSet<Dfa> = terminals.iter().map(dfa).collect();
    assert_eq!(languages.len(), terminals.len());
    let parts = SCHEMAS.map(schema);
    let wanted: HashSet<Dfa> = parts.iter().flat_map(|part| &part.terminals).map(dfa).collect();
    assert_eq!(languages, wanted);
    let together = (own..combined.terminals.len()).map(TerminalId::new).collect::<Vec<_>>();
    assert_eq!(combined.contexts.together, together, "under longest match");
}

#[test]
fn equal_terminals_of_one_part_stay_different() {
    let mut part = schema(SCHEMAS[2]);
    part.terminals.push(part.terminals[0].clone());
    let mut terminals = Vec::new();
    let mut shared = SharedTerminals::default();
    let limits = RegularLimits::default();
    let first = shared.append(&mut terminals, &part.terminals, &limits).expect("small");
    let again = shared.append(&mut terminals, &part.terminals, &limits).expect("small");
    assert_eq!((first.len(), &first), (terminals.len(), &again));
}

#[test]
fn equal_rules_of_different_parts_are_one_under_any_split() {
    let host = |discipline| Grammar { discipline, ..host(1) };
    let rules = |discipline, schemas: &[&str]| embedded(host(discipline), schemas).rules.len();
    let [first, second, _] = SCHEMAS;
    let own = host(Discipline::AnySplit).rules.len() + 2;
    let (a, b) = (schema(first).rules.len(), schema(second).rules.len());
    assert_eq!(rules(Discipline::LongestMatch, &[first, second]), own + a + b);
    let shared = rules(Discipline::AnySplit, &[first, second]);
    assert!(shared < own + a + b, "{shared} of {}", own + a + b);
    assert_eq!(rules(Discipline::AnySplit, &[first, first]), own + a);
}

#[test]
fn ignored_lexemes_stand_between_those_of_the_host_only() {
    let combined = embed(
        host(2),
        vec![Part { place: NonterminalId(1), grammar: schema("true") }],
        &RegularLimits::default(),
    );
    let combined = combined.expect("small");
    assert!(combined.ignored.is_empty());
    let shown = combined.to_string();
    assert!(
        shown.contains(
            "%start %start\nstart: (place %ignore) (place %ignore)\nplace: value\n%ignore: \" \"*\n"
        ),
        "{shown}"
    );
    assert!(shown.contains("%start: %ignore start\n"), "{shown}");
}
