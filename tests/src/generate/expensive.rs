//! Generates schemas, grammars and patterns of shapes that are expensive in some stage: counts beside patterns, choices of objects with
//! required names, repetitions in repetitions, many excluded texts, many keywords.

use gcc_grammar::Notation;
use gcc_grammar_random::Random;
use std::collections::BTreeSet;

/// An input of a shape that is expensive in some stage.
#[must_use]
pub fn expensive(random: &mut Random) -> (Notation, String) {
    match random.below(8) {
        0 | 1 => (Notation::Regex, pattern(random, 3)),
        2..=4 => (Notation::JsonSchema, schema(random, 3)),
        5 => (Notation::StructuralTag, tag(random)),
        6 => (Notation::Gbnf, repetitions(random)),
        _ => (Notation::Lark, keywords(random)),
    }
}

/// A count, mostly small.
fn count(random: &mut Random) -> usize {
    let most = *random.pick(&[3, 12, 60, 300, 2000]);
    random.between(1, most)
}

/// Letters from so few that words have much in common.
fn word(random: &mut Random, shortest: usize, longest: usize) -> String {
    let length = random.between(shortest, longest);
    (0..length).map(|_| *random.pick(&['a', 'b', 'c'])).collect()
}

fn pattern(random: &mut Random, depth: usize) -> String {
    let count = count(random);
    if depth == 0 {
        return match random.below(5) {
            0 => ".".to_owned(),
            1 => "[0-9]".to_owned(),
            2 => "[^a]".to_owned(),
            3 => "\\w".to_owned(),
            _ => word(random, 1, 4),
        };
    }
    let [a, b] = [pattern(random, depth - 1), pattern(random, depth - 1)];
    match random.below(7) {
        0 => format!("(?:{a}){{0,{count}}}{b}"),
        1 => format!("(?:{a}){{{}}}", count.min(24)),
        2 => format!("(?:{a})*{b}"),
        3 => format!(".*(?:{a})(?:{b}){{{}}}", count.min(16)),
        4 => format!("(?:{a}|{b})"),
        5 => format!("(?:{a})?{b}"),
        _ => format!("{a}{b}"),
    }
}

fn schema(random: &mut Random, depth: usize) -> String {
    let count = count(random);
    let escaped = |pattern: String| pattern.replace('\\', "\\\\");
    if depth == 0 {
        let pattern = escaped(pattern(random, 2));
        return match random.below(6) {
            0 => format!(r#"{{"type":"string","maxLength":{count}}}"#),
            1 => format!(r#"{{"type":"string","pattern":"^{pattern}$"}}"#),
            2 => format!(r#"{{"type":"string","pattern":"{pattern}","maxLength":{count}}}"#),
            3 => format!(r#"{{"type":"integer","minimum":{count},"multipleOf":{}}}"#, count % 97 + 1),
            4 => format!(r#"{{"enum":["{}","{}",{count}]}}"#, word(random, 1, 9), word(random, 1, 3)),
            _ => r#"{"type":"string","format":"date-time"}"#.to_owned(),
        };
    }
    let [a, b] = [schema(random, depth - 1), schema(random, depth - 1)];
    match random.below(8) {
        0 => format!(r#"{{"anyOf":[{a},{b}]}}"#),
        1 => format!(r#"{{"oneOf":[{a},{b}]}}"#),
        2 => format!(r#"{{"allOf":[{a},{{"not":{b}}}]}}"#),
        3 => format!(r#"{{"type":"array","items":{a},"maxItems":{count}}}"#),
        4 => format!(r#"{{"type":"array","items":{a},"contains":{b},"minContains":{}}}"#, count.min(9)),
        5 => {
            let key = escaped(pattern(random, 1));
            format!(r#"{{"type":"object","properties":{{"a":{a}}},"patternProperties":{{"{key}":{b}}}}}"#)
        }
        _ => {
            let keys: Vec<String> = (0..count.min(12)).map(|_| word(random, 1, 3)).collect();
            let declared: Vec<String> = keys.iter().map(|key| format!(r#""{key}x":{a}"#)).collect();
            let mut required: Vec<String> = keys.iter().map(|key| format!(r#""{key}x""#)).collect();
            required.sort();
            required.dedup();
            let declared: BTreeSet<String> = declared.into_iter().collect();
            let declared: Vec<String> = declared.into_iter().collect();
            format!(
                r#"{{"type":"object","properties":{{{},"z":{b}}},"required":[{}]}}"#,
                declared.join(","),
                required.join(",")
            )
        }
    }
}

fn tag(random: &mut Random) -> String {
    let excludes: Vec<String> =
        (0..count(random).min(400)).map(|_| format!("\"{}\"", word(random, 1, 300))).collect();
    format!(
        r#"{{"type":"structural_tag","format":{{"type":"any_text","excludes":[{}]}}}}"#,
        excludes.join(",")
    )
}

fn repetitions(random: &mut Random) -> String {
    let [first, second, third] = [count(random), count(random), count(random)];
    format!(
        "root ::= (x{{0,{first}}} y?){{0,{second}}} z{{{}}}\nx ::= \"a\" | \"(\" root \")\"\ny ::= \"a\" | \"aa\"\nz ::= [a-c]{{1,{}}}\n",
        third.min(30),
        first.min(40)
    )
}

fn keywords(random: &mut Random) -> String {
    let rules: Vec<String> = (0..count(random))
        .map(|rule| {
            let words: Vec<String> =
                (0..random.between(1, 4)).map(|_| format!("\"{}{rule}\"", word(random, 0, 8))).collect();
            format!("r{rule}: {} NAME? r{}?\n", words.join(" "), random.below(rule + 1))
        })
        .collect();
    let all: Vec<String> = (0..rules.len()).map(|rule| format!("r{rule}")).collect();
    format!(
        "start: ({})*\n{}NAME: /[a-z_][a-z0-9_]*/\nCOMMENT: /#[^\\n]*/\n%ignore /[ \\n]+/\n%ignore COMMENT\n",
        all.join(" | "),
        rules.concat()
    )
}
