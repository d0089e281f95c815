//! Schemas embedded in Lark grammars.

use super::*;
use gcc_grammar_ir::{Pattern, Terminal};
use gcc_grammar_json_schema as json_schema;
use gcc_grammar_regular::{Dfa, Regex};

fn schema(text: &str) -> Grammar {
    json_schema::compile(text, &json_schema::Options::default()).expect("a valid schema").grammar
}

fn host(places: usize) -> Grammar {
    let text = format!("start: {}\nplace: \"x\"\n%ignore \" \"\n", "place ".repeat(places));
    crate::lark::parse(&text).expect("valid").grammar
}

fn dfa(terminal: &Terminal) -> &Dfa {
    match &terminal.pattern {
        Pattern::Regex(Regex::Automaton(dfa)) => dfa,
        other => panic!("{other:?}"),
    }
}

#[test]
fn terminals_of_different_parts_become_disjoint() {
    let host = host(1);
    let own = host.terminals.len();
    let place = NonterminalId(1);
    let texts = [
        r#"{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}"#,
        r#"{"type": "object", "additionalProperties": {"enum": ["a", "b", 1]}}"#,
        r#"{"type": "string"}"#,
    ];
    let parts: Vec<Grammar> = texts.map(schema).to_vec();
    let embedded = parts.iter().map(|grammar| Part { place, grammar: grammar.clone() }).collect();
    let limits = RegularLimits::default();
    let combined = embed(host, embedded, &limits).expect("small");
    let pieces = &combined.terminals[own..];
    for (index, piece) in pieces.iter().enumerate() {
        assert!(
            pieces[..index].iter().all(|other| !dfa(other).intersects(dfa(piece), &limits).expect("small")),
            "{}",
            piece.name
        );
    }
    for terminal in parts.iter().flat_map(|part| &part.terminals) {
        let Pattern::Regex(regex) = &terminal.pattern else { continue };
        let whole = regex.to_dfa(&limits).expect("small");
        let inside = pieces.iter().filter(|piece| dfa(piece).is_subset(&whole, &limits).expect("small"));
        let union =
            inside.fold(Dfa::never(), |union, piece| union.union(dfa(piece), &limits).expect("small"));
        assert_eq!(union, whole, "{}", terminal.name);
    }
    assert_eq!(gcc_grammar_ir::check::check(&combined, |_| None).0, []);
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
