//! Alternatives of objects that are kept apart have the masks that follow from each of them alone.
//!
//! A text is one of the union if and only if it is one of some alternative, so a token is allowed if and only if some alternative allows it.
//! Each alternative is compiled and read by the oracle alone.

use crate::embedding::{Part, follow, vocabulary};
use gcc_grammar_json_schema::{Options, compile};
use gcc_grammar_tests::generate::Random;

/// An open object whose keys are among a few that other alternatives have, too.
fn alternative(random: &mut Random, kind: Option<usize>) -> String {
    let values = [
        r#"{"type": "integer"}"#,
        r#"{"enum": ["a", "ab"]}"#,
        r#"{"type": "boolean"}"#,
        r#"{"enum": ["a", 1, {"a": 1}]}"#,
    ];
    let mut properties = Vec::new();
    let mut required = Vec::new();
    for key in ["a", "ab", "b", "c", "d", "e"] {
        if random.chance(55) {
            properties.push(format!(r#""{key}": {}"#, random.pick(&values)));
            if random.chance(25) {
                required.push(format!("{key:?}"));
            }
        }
    }
    if let Some(kind) = kind {
        properties.push(format!(r#""f": {{"const": {kind}}}"#));
        required.push(r#""f""#.to_owned());
    }
    let closed = if random.chance(20) { r#", "additionalProperties": false"# } else { "" };
    format!(
        r#"{{"type": "object", "properties": {{{}}}, "required": [{}]{closed}}}"#,
        properties.join(", "),
        required.join(", ")
    )
}

fn text(random: &mut Random) -> Vec<u8> {
    let values = ["1", "\"a\"", "\"ab\"", "true", "12", "{\"a\": 1}", "\"\"", "2"];
    let mut members = Vec::new();
    for key in ["a", "ab", "b", "c", "d", "e", "f", "\\u00e9", "a", "b"] {
        if random.chance(45) {
            members.push(format!("\"{key}\": {}", random.pick(&values)));
        }
    }
    format!("{{{}}}", members.join(", ")).into_bytes()
}

#[test]
fn masks_of_a_union_follow_from_each_alternative_alone() {
    let vocabulary = vocabulary();
    let (mut masks, mut apart) = (0, 0);
    for seed in 0..30 {
        let random = &mut Random::new(seed);
        let has_kind = random.chance(50);
        let alternatives: Vec<String> =
            (0..random.between(9, 12)).map(|kind| alternative(random, has_kind.then_some(kind))).collect();
        let keyword = if has_kind { "oneOf" } else { "anyOf" };
        let schema = format!(r#"{{"{keyword}": [{}]}}"#, alternatives.join(", "));
        let grammar =
            compile(&schema, &Options::default()).unwrap_or_else(|e| panic!("{schema}: {e:?}")).grammar;
        if grammar.rules.iter().all(|rule| rule.name != "object1_2") {
            continue;
        }
        apart += 1;
        let mut parts: Vec<Part> = alternatives.iter().map(|text| Part::schema(text, &vocabulary)).collect();
        let texts: Vec<Vec<u8>> = (0..5).map(|_| text(random)).collect();
        masks += follow(&grammar, &vocabulary, &texts, &mut |text| {
            let verdicts = parts.iter_mut().map(|part| part.verdict(text));
            verdicts.fold((false, false), |a, b| (a.0 || b.0, a.1 || b.1))
        });
    }
    assert!(apart > 5 && masks > 500, "{apart} unions, {masks} masks");
}
