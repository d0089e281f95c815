//! Terminals whose assertions look at what follows them, compared with the definition: the lexemes of a text are found one after the other.

use crate::notations::{bytes, verdicts};
use gcc_grammar_notations::lark;
use gcc_grammar_regular::{Ending, PatternFlags, Regex, RegularLimits};
use gcc_grammar_tests::compare::{Built, Subject};
use gcc_grammar_tests::generate::Random;
use gcc_grammar_tests::subject::Way;

/// What terminals match.
const BODIES: [&str; 12] =
    ["a", "b", "-", "a+", "[ab]+", "ab?", "a|ab|abb", "a*b", "[a-]+", "ab-", "(?:a(?!b)|b)+", "a.*?b"];
/// What they assert about what follows.
const ENDS: [&str; 12] =
    ["", "", "", "(?!a)", "(?!b)", "(?=b)", "(?!ab)", r"\b", "(?![ab])", r"(?=-|\z)", "(?!.*-)", "(?=.*b)"];

/// A terminal: its priority, and its pattern.
type Terminal = (i32, String);

/// A grammar of any number of these terminals, of which the earlier wins a tie.
fn grammar_text(terminals: &[Terminal]) -> String {
    let names: Vec<String> = (0..terminals.len()).map(|index| format!("T{index}")).collect();
    let definition =
        |(name, (priority, pattern)): (&String, &Terminal)| format!("{name}.{priority}: /{pattern}/\n");
    let definitions: String = names.iter().zip(terminals).map(definition).collect();
    format!("start: ({})*\n{definitions}", names.join(" | ")).replace(r"\z", r"\Z")
}

/// What a terminal matches, by what follows.
fn endings((_, pattern): &Terminal) -> Vec<Ending> {
    let flags = PatternFlags { look_around: true, ..PatternFlags::default() };
    let regex = Regex::parse(&format!("(?:{pattern})"), flags).expect(pattern);
    regex.endings(60, &RegularLimits::default()).expect("small").expect("few")
}

/// Whether a text is a sequence of lexemes, each the longest that matches where it begins, and of those the one that wins the tie.
fn is_sequence(terminals: &[Terminal], endings: &[Vec<Ending>], text: &[u8]) -> bool {
    let mut at = 0;
    while at < text.len() {
        let ends = (0..terminals.len()).filter_map(|terminal| {
            let matches = |end: &usize| {
                let (lexeme, after) = (&text[at..*end], &text[*end..]);
                endings[terminal].iter().any(|e| e.texts.accepts(lexeme) && e.after.accepts(after))
            };
            (at + 1..=text.len()).rev().find(matches)
        });
        let Some(end) = ends.max() else { return false };
        at = end;
    }
    true
}

/// All texts of up to `length` of these letters.
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

#[test]
fn lexemes_end_where_the_right_text_follows() {
    let texts = texts("ab-", 5);
    let (mut compiled, mut contested) = (0, 0);
    for seed in 0..if cfg!(debug_assertions) { 150 } else { 400 } {
        let mut random = Random::new(seed);
        let terminals: Vec<Terminal> = (0..1 + random.below(3))
            .map(|_| {
                let (body, end) = (BODIES[random.below(BODIES.len())], ENDS[random.below(ENDS.len())]);
                (random.below(2) as i32, format!("(?:{body}){end}"))
            })
            .collect();
        let text = grammar_text(&terminals);
        let grammar = lark::parse(&text).unwrap_or_else(|errors| panic!("{text}{errors:?}")).grammar;
        let endings: Vec<_> = terminals.iter().map(endings).collect();
        let mut judge = |Built { engine, .. }: Built<'_>| {
            for chosen in &texts {
                engine.reset();
                let taken = chosen.bytes().all(|byte| engine.commit(u32::from(byte)).expect("room"));
                let accepted = taken && engine.is_accepting().expect("room");
                let expected = is_sequence(&terminals, &endings, chosen.as_bytes());
                assert_eq!(accepted, expected, "seed {seed}: {chosen:?}\n{text}");
            }
            compiled += 1;
        };
        if let Err(refusal) = Way::Rows.build(&grammar, &bytes(), &mut judge) {
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
