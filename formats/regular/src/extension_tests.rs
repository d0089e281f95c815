//! Tests every extension of the pattern syntax against its definition.

use crate::{Dfa, PatternFlags, Regex, RegularLimits};

fn read(pattern: &str) -> Result<Dfa, String> {
    let flags = PatternFlags { extensions: true, ..PatternFlags::default() };
    let regex =
        Regex::parse(pattern, flags).map_err(|error| format!("{}: {:?}", error.message, error.span))?;
    Ok(regex.to_dfa(&RegularLimits::default()).expect("small"))
}

/// The language of a pattern with extensions.
fn dfa(pattern: &str) -> Dfa {
    read(pattern).unwrap_or_else(|message| panic!("{pattern}: {message}"))
}

fn check(pattern: &str, accepted: &[&str], refused: &[&str]) {
    let dfa = dfa(pattern);
    for text in accepted {
        assert!(dfa.accepts(text.as_bytes()), "{pattern} and {text:?}");
    }
    for text in refused {
        assert!(!dfa.accepts(text.as_bytes()), "{pattern} and {text:?}");
    }
}

#[test]
fn quoted_and_unquoted_text() {
    check("(?P<QUOTED_TEXT>)", &[r#""""#, r#""a \" \\ \n é""#], &["", "\"", r#""a"b""#, r#""\""#, "\"\n\""]);
    check(
        "x: (?P<UNQUOTED_TEXT>)",
        &["x: a", "x: two words", "x: a:b#c é", "x: 1.5", "x: a::b"],
        &[
            "x: ", "x: a ", "x:  a", "x: a: b", "x: a #b", "x: - a", "x: \"a\"", "x: a,b", "x: a\nb",
            "x: a:", "x: #a",
        ],
    );
}

#[test]
fn tokens_any_number_of_times_are_text() {
    assert_eq!(dfa("(?P<TEXT_TOKEN>)*"), dfa("(?s:.)*"));
    assert_eq!(dfa("a(?P<TEXT_TOKEN>)+"), dfa("a(?s:.)+"));
    assert_eq!(dfa("(?P<PARAGRAPH_TOKEN>){1,}\n"), dfa(r"[^\n\r]+\n"));
    for pattern in
        ["(?P<TEXT_TOKEN>)", "(?P<PARAGRAPH_TOKEN>)?", "(?P<TEXT_TOKEN>){2,}", "(?P<TEXT_TOKEN>){1,3}"]
    {
        assert!(
            read(pattern).expect_err(pattern).starts_with("this extension must be repeated"),
            "{pattern}"
        );
    }
}

#[test]
fn text_until_a_stop_is_linear() {
    check(
        "(?P<TEXT_UNTIL>aab)!",
        &["aab!", "aaab!", "xaaaab!", "é aab!"],
        &["aa!", "aabaab!", "aab", "aabx!"],
    );
    let stop = "ab".repeat(2_000);
    assert_eq!(dfa(&format!("(?P<TEXT_UNTIL>{stop})")).state_count(), 4_000 + 1 + 7);
    assert!(read("(?P<TEXT_UNTIL>a?)").expect_err("empty").starts_with("the stop phrase must not be empty"));
}

#[test]
fn substrings_are_pieces() {
    check("(?P<SUBSTRING_OF>a\\.bé)", &["a", "a.", ".bé", "é", "a.bé"], &["", "ab", "x", "a.béa"]);
    assert!(
        read("(?P<SUBSTRING_OF>a+)").expect_err("a pattern").starts_with("SUBSTRING_OF needs a plain text")
    );
}

#[test]
fn lists_and_subsequences_have_delimiters() {
    assert_eq!(dfa("(?P<DELIMITED_LIST>([a-z]+)(, ))"), dfa("[a-z]+(, [a-z]+)*"));
    assert_eq!(dfa("(?P<DELIMITED_SUBSEQUENCE_OF>(a|b|c)(,))"), dfa("a(,b)?(,c)?|b(,c)?|c"));
    assert_eq!(dfa("(?P<DELIMITED_SUBSEQUENCE_OF>((?:b|a))( and ))"), dfa("b( and a)?|a"));
    assert_eq!(dfa("(?P<DELIMITED_SUBSEQUENCE_OF>(a)(,))"), dfa("a"));
}

#[test]
fn subsequences_keep_the_order_as_written() {
    // All ways to leave some of the elements out, which share beginnings and are not sorted.
    let elements = ["red", "re", "blue", "redder", "é"];
    let dfa = dfa("(?P<DELIMITED_SUBSEQUENCE_OF>(red|re|blue|redder|é)( & ))");
    for chosen in 1..1u32 << elements.len() {
        let some = (0..elements.len()).filter(|index| chosen >> index & 1 == 1).map(|index| elements[index]);
        assert!(dfa.accepts(some.collect::<Vec<_>>().join(" & ").as_bytes()), "{chosen:b}");
    }
    for text in ["", "re & red", "red & red", "blue & re", "red &", "redre", "é & é"] {
        assert!(!dfa.accepts(text.as_bytes()), "{text}");
    }
    let many: Vec<String> = (0..1_000).map(|n| format!("element{n}")).collect();
    let large =
        read(&format!("(?P<DELIMITED_SUBSEQUENCE_OF>({})(,))", many.join("|"))).expect("not too large");
    assert!(large.accepts(many.join(",").as_bytes()));
}

#[test]
fn what_is_written_wrong_is_refused_with_its_place() {
    let cases = [
        ("a(?P<QUOTED_TEXT>x)", "QUOTED_TEXT takes no argument: Some(1..19)"),
        ("a(?P<TEXT_UNTIL>)", "TEXT_UNTIL needs an argument: Some(1..17)"),
        ("(?P<QUOTD_TEXT>)", "there is no extension QUOTD_TEXT: Some(0..16)"),
        ("(?P<DELIMITED_LIST>a,)", "this extension needs two groups"),
        ("(?P<DELIMITED_SUBSEQUENCE_OF>(a|b)(,+))", "the delimiter must be a plain text"),
        ("(?P<SPECIAL_TOKEN>x)", "a special token is not text"),
    ];
    for (pattern, message) in cases {
        let found = read(pattern).expect_err(pattern);
        assert!(found.starts_with(message), "{pattern}: {found}");
    }
    // Other groups with names are groups.
    assert_eq!(dfa("(?P<year>a)(?<NAME>b)"), dfa("ab"));
}
