//! Literals that contain the texts of special tokens, beside the definition by sequences of tokens.
//!
//! The definition: a literal is cut at the names that it contains, from left to right and the longest first, and each name may be its token or
//! its characters. The texts of a grammar without repetitions are finitely many sequences of characters and tokens, so a mask allows what
//! comes next in one of them.

use gcc_grammar::vocabulary::SpecialToken;
use gcc_grammar::{Options, Session, Source, SpecialTokens, Vocabulary, compile};
use gcc_grammar_tests::generate::Random;
use std::collections::BTreeSet;

/// The tokens: a byte each, then the special ones, of which the last ends the text.
const BYTES: &[u8] = b"ab<>";
const NAMES: [&str; 6] = ["<a>", "<a><", "b", "a>b", "<b>", "<a><"];
const END: u32 = 9;

fn vocabulary() -> Vocabulary {
    let tokens = (0..).zip(BYTES.iter().map(|&byte| vec![byte])).collect();
    let specials = (4..).zip(NAMES).map(|(id, name)| SpecialToken { id, text: name.to_owned() });
    Vocabulary::from_parts("names", tokens, specials.collect(), vec![END], 12).expect("consistent")
}

/// The sequences of tokens that a literal stands for.
fn of_literal(text: &str, option: SpecialTokens) -> BTreeSet<Vec<u32>> {
    let Some(first) = text.bytes().next() else { return BTreeSet::from([Vec::new()]) };
    let named = NAMES.iter().filter(|name| text.starts_with(**name) && option != SpecialTokens::Never);
    let Some(name) = named.max_by_key(|name| name.len()) else {
        let byte = BYTES.iter().position(|&byte| byte == first).expect("a letter") as u32;
        return joined(&BTreeSet::from([vec![byte]]), &of_literal(&text[1..], option));
    };
    let mut here: BTreeSet<Vec<u32>> =
        (4..).zip(NAMES).filter(|(_, other)| other == name).map(|(id, _)| vec![id]).collect();
    if option == SpecialTokens::Literals {
        here.extend(of_literal(name, SpecialTokens::Never));
    }
    joined(&here, &of_literal(&text[name.len()..], option))
}

fn joined(first: &BTreeSet<Vec<u32>>, second: &BTreeSet<Vec<u32>>) -> BTreeSet<Vec<u32>> {
    first.iter().flat_map(|a| second.iter().map(move |b| [a.as_slice(), b].concat())).collect()
}

/// A random expression in the notation of llama.cpp, and its sequences.
fn expression(random: &mut Random, option: SpecialTokens, depth: usize) -> (String, BTreeSet<Vec<u32>>) {
    if depth == 0 || random.chance(40) {
        let text: String =
            (0..random.between(1, 5)).map(|_| *random.pick(&["a", "b", "<", ">", "<a>"])).collect();
        return (format!("{text:?}"), of_literal(&text, option));
    }
    let (a, b) = (expression(random, option, depth - 1), expression(random, option, depth - 1));
    match random.below(3) {
        0 => (format!("({} | {})", a.0, b.0), a.1.union(&b.1).cloned().collect()),
        1 => (format!("({})?", a.0), a.1.into_iter().chain([Vec::new()]).collect()),
        _ => (format!("{} {}", a.0, b.0), joined(&a.1, &b.1)),
    }
}

/// Compares all masks and commits on the way to all sequences; an end token ends a text wherever that may end.
fn check(session: &Session, sequences: &BTreeSet<Vec<u32>>, what: &str) {
    let mut begun = BTreeSet::from([&[][..]]);
    // Behind a text that ended with an end token, nothing follows.
    let ends = |text: &[u32]| sequences.contains(text);
    for sequence in sequences {
        let ended = (0..sequence.len()).find(|&at| sequence[at] == END && ends(&sequence[..at]));
        begun.extend((0..=ended.unwrap_or(sequence.len())).map(|length| &sequence[..length]));
    }
    for text in begun {
        let follows = sequences.iter().filter(|sequence| sequence.starts_with(text));
        let mut expected: BTreeSet<u32> =
            follows.filter_map(|sequence| sequence.get(text.len()).copied()).collect();
        expected.extend(ends(text).then_some(END));
        let mut matcher = session.matcher().expect("a matcher");
        text.iter().for_each(|&token| {
            matcher.commit(token).unwrap_or_else(|error| panic!("{what} {text:?}: {error}"))
        });
        let found: BTreeSet<u32> = matcher.allowed_ranges().expect("a mask").into_iter().flatten().collect();
        assert_eq!(found, expected, "{what} after {text:?}");
        assert_eq!(matcher.is_accepting(), Ok(ends(text)), "{what} after {text:?}");
        for token in 0..12 {
            assert_eq!(
                matcher.fork().expect("memory").commit(token).is_ok(),
                expected.contains(&token),
                "{what} {text:?}"
            );
        }
    }
}

fn session(source: &Source, vocabulary: &Vocabulary, special_tokens: SpecialTokens) -> Session {
    let options = Options { special_tokens, ..Options::default() };
    let artifact = compile(source, vocabulary, &options).unwrap_or_else(|error| panic!("{error}"));
    Session::new(artifact, vocabulary).expect("for this vocabulary")
}

/// Lists of texts, single lexemes of Lark, and texts of tags.
#[test]
fn lists_lexemes_and_tags_have_the_masks_of_the_definition() {
    let vocabulary = vocabulary();
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let option = *random.pick(SpecialTokens::ALL);
        let text = |random: &mut Random| -> String {
            (0..random.between(1, 5)).map(|_| *random.pick(&["a", "b", "<", ">", "<a>"])).collect()
        };
        let texts: Vec<String> = (0..random.between(1, 4)).map(|_| text(&mut random)).collect();
        let sequences = texts.iter().flat_map(|text| of_literal(text, option)).collect();
        let what = format!("{option} {texts:?}");
        check(&session(&Source::choices(texts.clone()), &vocabulary, option), &sequences, &what);
        let tags = texts.iter().map(|text| format!(r#"{{"type": "const_string", "value": {text:?}}}"#));
        let elements = tags.collect::<Vec<_>>().join(", ");
        let tags =
            format!(r#"{{"type": "structural_tag", "format": {{"type": "or", "elements": [{elements}]}}}}"#);
        check(&session(&Source::structural_tag(tags), &vocabulary, option), &sequences, &what);
        let lark = Source::lark(format!("start: {:?}", texts[0]));
        check(&session(&lark, &vocabulary, option), &of_literal(&texts[0], option), &what);
    }
}

#[test]
fn masks_are_those_of_the_definition() {
    let vocabulary = vocabulary();
    let mut sequences_with_names = 0;
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let special_tokens = *random.pick(SpecialTokens::ALL);
        let (written, sequences) = expression(&mut random, special_tokens, 3);
        if sequences.len() > 3000 || sequences == BTreeSet::from([Vec::new()]) {
            continue;
        }
        for source in
            [Source::gbnf(format!("root ::= {written}")), Source::ebnf(format!("root ::= {written}"))]
        {
            check(
                &session(&source, &vocabulary, special_tokens),
                &sequences,
                &format!("{special_tokens} {written}"),
            );
        }
        sequences_with_names += sequences.iter().filter(|text| text.iter().any(|&token| token >= 4)).count();
    }
    assert!(sequences_with_names > 1000, "{sequences_with_names}");
}
