//! The languages of the oracle, which are stepped by Brzozowski derivatives, on expressions with known matches.

use gcc_grammar_regular::{ByteSet, CharSet, Look, Regex};
use gcc_grammar_tests::oracle::{Language, Languages, Unit};

fn matches(languages: &mut Languages, language: Language, text: &[u8]) -> bool {
    let last = text.iter().fold(language, |rest, &byte| languages.step(rest, Unit::Byte(byte)));
    languages.is_nullable(last)
}

#[test]
fn code_point_ranges_match_exactly_their_encodings() {
    let ranges = [
        (0x41, 0x43),
        (0x7E, 0x81),
        (0x7FE, 0x802),
        (0xD7FE, 0xD7FF),
        (0xE000, 0xE001),
        (0xFFFE, 0x10001),
        (0x3F, 0x10_FFFF - 1),
    ];
    for (low, high) in ranges {
        let mut languages = Languages::new();
        let cut = high > 0xDFFF && low < 0xD800;
        let set = if cut { vec![(low, 0xD7FF), (0xE000, high)] } else { vec![(low, high)] };
        let language = languages.regex(&Regex::Chars(CharSet(set)));
        let near = |edge: u32| edge.saturating_sub(3)..=edge.saturating_add(3);
        let edges = [low, high, 0x7F, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF];
        for c in edges.into_iter().flat_map(near).filter_map(char::from_u32) {
            let expected = low <= u32::from(c) && u32::from(c) <= high;
            assert_eq!(
                matches(&mut languages, language, c.to_string().as_bytes()),
                expected,
                "{c:?} in {low:x}..{high:x}"
            );
        }
        assert!(!matches(&mut languages, language, &[0xED, 0xA0, 0x80]), "a surrogate");
        assert!(!matches(&mut languages, language, &[0xC0, 0x80]), "overlong");
    }
}

#[test]
fn intersection_complement_and_counting() {
    let mut languages = Languages::new();
    let any = || Regex::Repeat { inner: Box::new(Regex::Bytes(ByteSet::ALL)), min: 0, max: None };
    let has_ab = Regex::Concat(vec![any(), Regex::Literal(b"ab".to_vec()), any()]);
    let short = Regex::Repeat { inner: Box::new(Regex::Bytes(ByteSet::ALL)), min: 2, max: Some(3) };
    let both = Regex::Intersect(vec![Regex::Complement(Box::new(has_ab.clone())), short.clone()]);
    let language = languages.regex(&both);
    for (text, expected) in
        [("a", false), ("ba", true), ("ab", false), ("aab", false), ("bba", true), ("bbaa", false)]
    {
        assert_eq!(matches(&mut languages, language, text.as_bytes()), expected, "{text}");
    }
    let never = languages.regex(&Regex::Intersect(vec![has_ab.clone(), Regex::Complement(Box::new(has_ab))]));
    assert!(!languages.is_inhabited(never));
    assert!(languages.is_inhabited(language));
}

#[test]
fn assertions_look_at_both_sides() {
    let word = || Regex::Look(Look::WordBoundary);
    let any = || Regex::any_char().star();
    let literal = Regex::literal;
    let cases: Vec<(Regex, &[&str], &[&str])> = vec![
        (
            Regex::concat([any(), word(), literal("ab"), word(), any()]),
            &["ab", "-ab-", "x ab"],
            &["xab", "abx", "-ab_"],
        ),
        (Regex::concat([any(), Regex::Look(Look::LineStart), literal("a")]), &["a", "b\na"], &["ba", "b\n"]),
        (Regex::concat([literal("a"), Regex::Look(Look::End), any()]), &["a"], &["ab"]),
        (
            Regex::union([word(), literal("-")]).repeat(2, Some(2)).then(literal("x")),
            &["-x", "--x", "x"],
            &["---x"],
        ),
        (
            literal("a").then(Regex::Intersect(vec![Regex::Look(Look::Start).then(any())])),
            &["a", "ab"],
            &["b"],
        ),
    ];
    for (regex, accepted, refused) in cases {
        let mut languages = Languages::new();
        let language = languages.regex(&regex);
        for text in accepted {
            assert!(matches(&mut languages, language, text.as_bytes()), "{regex:?} on {text:?}");
        }
        for text in refused {
            assert!(!matches(&mut languages, language, text.as_bytes()), "{regex:?} on {text:?}");
        }
    }
}
