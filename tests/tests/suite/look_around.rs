//! Terminals whose assertions look at what follows them, compared with the definition as `tests/look_around.py` computes it with Python's `re`.

use crate::notations::{bytes, verdicts};
use gcc_grammar_notations::lark::{self, Lexer, Options};
use gcc_grammar_tests::compare::{Built, Subject};
use gcc_grammar_tests::subject::Way;

/// All texts of up to `length` of these letters, by their lengths.
fn texts(letters: &str, length: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut longest = all.clone();
    for _ in 0..length {
        longest =
            longest.iter().flat_map(|text| letters.chars().map(move |c| format!("{text}{c}"))).collect();
        all.extend(longest.iter().cloned());
    }
    all
}

/// The bits of a hexadecimal number, `count` of them.
fn bits(number: &str, count: usize) -> Vec<bool> {
    let digits = number.chars().map(|digit| digit.to_digit(16).expect("hexadecimal"));
    let bits: Vec<bool> =
        digits.flat_map(|digit| (0..4).rev().map(move |bit| digit >> bit & 1 == 1)).collect();
    let missing = count.saturating_sub(bits.len());
    let spare = bits.len().saturating_sub(count);
    std::iter::repeat_n(false, missing).chain(bits.into_iter().skip(spare)).collect()
}

#[test]
fn lexemes_end_where_the_right_text_follows() {
    let texts = texts("ab-", 5);
    let (mut compiled, mut contested) = (0, 0);
    for line in include_str!("lexemes.txt").lines().step_by(if cfg!(debug_assertions) { 3 } else { 1 }) {
        let [lexer, grammar, accepted] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let lexer: Lexer = lexer.parse().expect("a lexer");
        let text: String = serde_json::from_str(grammar).expect("a string");
        let options = Options { lexer, ..Options::default() };
        let parsed = lark::parse_with(&text, &options).unwrap_or_else(|errors| panic!("{text}{errors:?}"));
        let mut judge = |Built { engine, .. }: Built<'_>| {
            for (chosen, expected) in texts.iter().zip(bits(accepted, texts.len())) {
                engine.reset();
                let taken = chosen.bytes().all(|byte| engine.commit(u32::from(byte)).expect("room"));
                let found = taken && engine.is_accepting().expect("room");
                assert_eq!(found, expected, "{lexer}: {chosen:?}\n{text}");
            }
            compiled += 1;
        };
        if let Err(refusal) = Way::Rows.build(&parsed.grammar, &bytes(), &mut judge) {
            let message = format!("{refusal:?}");
            assert!(message.contains("contested-text"), "{text}{message}");
            contested += 1;
        }
    }
    assert!(compiled > 2 * contested, "{compiled} compiled, {contested} contested");
}

/// Accepted and refused texts of a Lark grammar.
fn check(text: &str, accepted: &[&str], refused: &[&str]) {
    let grammar = lark::parse(text).unwrap_or_else(|errors| panic!("{text}{errors:?}")).grammar;
    let texts: Vec<String> = accepted.iter().chain(refused).map(|text| (*text).to_owned()).collect();
    for (index, (chosen, verdict)) in texts.iter().zip(verdicts(&grammar, &texts)).enumerate() {
        assert_eq!(verdict, index < accepted.len(), "{chosen:?}\n{text}");
    }
}

#[test]
fn assertions_of_real_grammars() {
    check(
        "start: INT NAME?\nINT: /[0-9]+(?![_a-zA-Z])/\nNAME: /[a-z]+/\n%ignore \" \"\n",
        &["12", "12 ab", "12 "],
        &["12ab", "", "1_"],
    );
    check(
        "start: ASYNC NAME\nASYNC.2: /async\\b/\nNAME: /\\w+/\n%ignore \" \"\n",
        &["async x", "async async"],
        &["asyncx", "asyncé x", "async"],
    );
    check(
        "start: (IF | NAME)+\nIF.2: /if\\b/\nNAME: /\\w+/\n%ignore \" \"\n%basic\n",
        &["if", "iffy if", "ifé"],
        &["", "-"],
    );
    let string = r#"/[ubf]?r?("(?!"").*?(?<!\\)(\\\\)*?"|'(?!'').*?(?<!\\)(\\\\)*?')/i"#;
    check(
        &format!("start: STRING+\nSTRING: {string}\n"),
        &[r#""""#, r#""a\"b""#, r#"r'a\\'"b""#, r#"''"""#],
        &[r#"""""#, r#""a\""#, r#"''''"#, "\"a\nb\""],
    );
    check("start: LINE+\nLINE: /[a-z]+(?=\\n|$)\\n?/\n", &["ab\n", "ab", "a\nb\n"], &["ab-", "\n"]);
}
