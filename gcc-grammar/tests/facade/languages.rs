//! Whole languages inside other text: bundled languages in fences, and grammars within grammars.

use gcc_grammar::vocabulary::SpecialToken;
use gcc_grammar::{Options, Session, Source, Vocabulary, compile};
use gcc_grammar_bundled::find;
use std::fs;
use std::path::PathBuf;

/// A vocabulary of all bytes; 256 ends the output.
fn vocabulary() -> Vocabulary {
    let tokens = (0..=u8::MAX).map(|byte| (u32::from(byte), vec![byte])).collect();
    let special = SpecialToken { id: 256, text: "<end>".to_owned() };
    Vocabulary::from_parts("bytes", tokens, vec![special], vec![256], 257).expect("a vocabulary")
}

fn open(source: Source) -> Session {
    let vocabulary = vocabulary();
    let artifact =
        compile(&source, &vocabulary, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    Session::new(artifact, &vocabulary).expect("the same vocabulary")
}

fn lark(text: &str) -> Session {
    open(Source::lark(text))
}

fn accepts(session: &Session, text: &str) -> bool {
    let mut matcher = session.matcher().expect("a matcher");
    matcher.commit_bytes(text.as_bytes()).is_ok() && matcher.is_accepting().expect("enough scratch")
}

#[track_caller]
fn check(session: &Session, good: &[&str], bad: &[&str]) {
    good.iter().for_each(|text| assert!(accepts(session, text), "{text:?} should be accepted"));
    bad.iter().for_each(|text| assert!(!accepts(session, text), "{text:?} should be refused"));
}

/// The texts of a bundled language that its grammar must accept or reject.
fn cases(language: &str, kind: &str) -> Vec<String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../grammars").join(language).join(kind);
    let files = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable").path());
    files.filter_map(|file| fs::read_to_string(file).ok()).collect()
}

/// Free text with any number of fenced blocks of three languages.
fn fences() -> Session {
    let tag = |language: &str| {
        format!(
            r#"{{"begin": "```{language}\n", "content": {{"type": "grammar", "language": "{language}"}}, "end": "```"}}"#
        )
    };
    let tags = ["sql", "python", "json"].map(tag).join(", ");
    open(Source::structural_tag(format!(
        r#"{{"type": "structural_tag", "format": {{"type": "triggered_tags", "triggers": ["```"], "tags": [{tags}]}}}}"#
    )))
}

#[test]
fn fenced_blocks_hold_whole_languages() {
    let session = fences();
    let fenced = |language: &str, text: &str| format!("See:\n```{language}\n{text}\n```\nand so on.");
    for language in ["sql", "python", "json"] {
        assert!(find(language).is_some());
        for text in cases(language, "accept") {
            assert!(accepts(&session, &fenced(language, &text)), "{language}: {text}");
        }
        for text in cases(language, "reject") {
            assert!(!accepts(&session, &fenced(language, &text)), "{language}: {text}");
        }
    }
    check(
        &session,
        &[
            "no block",
            "```sql\nselect a , b\n  from t -- all\n```",
            "```python\ndef f(x):\n    return x\n```\n```json\n[1, {}]\n```",
        ],
        &[
            "```sql\nselect from from\n```",
            "```python\ndef f(x):\nreturn x\n```",
            "```sql\n[1]\n```",
            "```c\n",
        ],
    );
}

#[test]
fn a_language_is_one_line_of_a_lark_grammar() {
    let session = lark("start: \"```sql\\n\" %language sql \"```\"\n");
    check(
        &session,
        &["```sql\nSELECT  a FROM t\n  WHERE a = 'x' -- why\n;\n```", "```sql\n```"],
        &["```sql\nSELECT  a FROM FROM\n```", " ```sql\n```"],
    );
    // Between the words of the host nothing is ignored, between those of the language its white space is.
    let session = lark("start: \"a\" \"b\" %language json \"c\"\n");
    check(&session, &["ab [1 , 2] c", "ab[1,2]c"], &["a b[1]c", "ab[1]c "]);
}

#[test]
fn the_longest_match_of_a_language_is_its_own() {
    // In the language, `ab` is one word; outside, `a` may be followed by `b`.
    let inner = "%lark { start: WORD+\n WORD: /[a-z]+/\n %ignore \" \" }";
    let session = lark(&format!("start: \"<\" {inner} \">\" \"a\" \"b\"\n"));
    check(&session, &["<ab cd>ab", "< x>ab", "<x >ab"], &["<>ab", "<x> ab", "<x>a b"]);
    let tag = r#"{"type": "structural_tag", "format": {"type": "tag", "begin": "<", "end": ">", "content": {"type": "grammar", "lark": "start: (\"if\" WORD | WORD) \"x\"?\nWORD: /[a-z]+/\n%ignore \" \"\n"}}}"#;
    let session = open(Source::structural_tag(tag));
    check(&session, &["<if x>", "<ifx>", "< y x>"], &["<if>", "<if if if>", "<y y>"]);
}

/// The idiom of llguidance for tool calls: a lazy rule ends at its first match, also where another terminal goes on.
#[test]
fn a_lazy_rule_ends_where_it_first_matches() {
    let session = lark(
        "%llguidance {}\n\
         start: TEXT | head call tail\n\
         head[lazy]: TEXT \"<function\"\n\
         call: \"=\" /[a-z]+/ \">\" %json {\"type\": \"integer\"} \"</function>\"\n\
         tail: TEXT\n\
         TEXT: /(.|\\n)*/\n",
    );
    check(
        &session,
        &["", "hello", "a\n<function=f>12</function> and more <function", "<function=f>0</function>"],
        &["a <function", "a <function=f>x</function>", "a <function and b", "<function=f>12"],
    );
}

#[test]
fn rules_with_a_parameter_count() {
    let session = lark(
        "start: perm::0x0\n\
         perm::_: \"\" %if bit_count_ge(_, 1)\n\
         | \"a\" perm::set_bit(0) %if and(bit_clear(0), bit_count_lt(_, 2))\n\
         | \"b\" perm::set_bit(1) %if and(bit_clear(1), bit_count_lt(_, 2))\n\
         | \"c\" perm::set_bit(2) %if and(bit_clear(2), bit_count_lt(_, 2))\n",
    );
    check(&session, &["a", "ab", "ca", "cb"], &["", "aa", "abc", "aca"]);
    let session = lark(
        "start: aa::0\naa::_: \"b\" aa::incr(_) %if lt(_, 5)\n | bb::_\nbb::_: \"a\" bb::incr(_) %if lt(_, 5)\n | \"\"\n",
    );
    check(&session, &["", "bbbaa", "aaaaa"], &["bbbbbb", "ab", "bbbaaa"]);
}

#[test]
fn a_rule_ends_after_some_characters() {
    let session = lark("start: a \">\"\na[max_chars=2]: TEXT\nTEXT: /(.|\\n)*/\n");
    check(&session, &["xy>", "é\u{4e2d}>"], &["xyz>", "xy"]);
}

#[test]
fn ordinary_tokens_can_be_named_by_id() {
    let session = lark("%llguidance {}\nstart: <[97]> <[98-99]>+ <[^97]> \"x\"\n");
    let complete = |tokens: &[u32]| {
        let mut matcher = session.matcher().expect("a matcher");
        tokens.iter().all(|&token| matcher.commit(token).is_ok()) && matcher.is_accepting().expect("scratch")
    };
    let ids = |text: &str| text.bytes().map(u32::from).collect::<Vec<_>>();
    assert!(complete(&ids("abbzx")) && complete(&ids("acbx")));
    assert!(!complete(&ids("abax")) && !complete(&ids("bbzx")) && !complete(&ids("azx")));
}
