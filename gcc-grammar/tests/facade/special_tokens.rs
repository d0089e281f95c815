//! Special tokens in the literals of grammars, in every notation.

use gcc_grammar::generate::{Generator, RandomNumbers};
use gcc_grammar::vocabulary::SpecialToken;
use gcc_grammar::{
    Certainty, MatchError, MatcherOptions, Options, Session, Source, SpecialTokens, Vocabulary, compile,
};

/// The special tokens of the small vocabulary. The first two end the text.
const SPECIALS: [&str; 7] = ["<end>", "<call>", "<a>", "<tool>", "</tool>", "<tool_call>", "<a><b>"];

/// A token for each byte, and the special tokens.
fn vocabulary() -> Vocabulary {
    let tokens = (0..=255u8).map(|byte| (u32::from(byte), vec![byte])).collect();
    let specials = (256..).zip(SPECIALS).map(|(id, name)| SpecialToken { id, text: name.to_owned() });
    Vocabulary::from_parts("small", tokens, specials.collect(), vec![256, 257], 300).expect("consistent")
}

/// The tokens of a text in which special tokens stand in guillemets.
fn tokens(text: &str) -> Vec<u32> {
    let mut parts = text.split(['«', '»']);
    let mut tokens = Vec::new();
    while let Some(plain) = parts.next() {
        tokens.extend(plain.bytes().map(u32::from));
        let special = parts.next().map(|name| SPECIALS.iter().position(|known| *known == name).expect(name));
        tokens.extend(special.map(|index| 256 + index as u32));
    }
    tokens
}

fn session(source: &Source, special_tokens: SpecialTokens) -> Session {
    let options = Options { special_tokens, ..Options::default() };
    let artifact = compile(source, &vocabulary(), &options).unwrap_or_else(|error| panic!("{error}"));
    Session::new(artifact, &vocabulary()).expect("the artifact is for this vocabulary")
}

/// How many of the tokens are allowed one after the other, each by the mask and by the commit, and whether the text may end there.
fn reads(session: &Session, tokens: &[u32]) -> (usize, bool) {
    let mut matcher = session.matcher().expect("a matcher");
    let mut row = vec![0; session.row_words()];
    for (index, &token) in tokens.iter().enumerate() {
        matcher.fill_mask(&mut row).expect("a mask");
        let allowed = row[token as usize / 32] >> (token % 32) & 1 == 1;
        match matcher.commit(token) {
            Ok(()) => assert!(allowed, "{tokens:?} at {index}"),
            Err(MatchError::Refused) => {
                assert!(!allowed, "{tokens:?} at {index}");
                return (index, false);
            }
            Err(error) => panic!("{error:?}"),
        }
    }
    (tokens.len(), matcher.is_accepting().expect("an answer"))
}

/// Checks that the first texts are complete, and that the others are no texts.
fn check(session: &Session, right: &[&str], wrong: &[&str]) {
    for text in right {
        assert_eq!(reads(session, &tokens(text)), (tokens(text).len(), true), "{text}");
    }
    for text in wrong {
        assert!(!reads(session, &tokens(text)).1, "{text}");
    }
}

fn check_source(source: &Source, right: &[&str], wrong: &[&str]) {
    check(&session(source, SpecialTokens::Literals), right, wrong);
}

#[test]
fn strings_of_gbnf_and_ebnf_name_tokens() {
    let right = ["x<a>y1", "x«<a>»y1", "x<a>y12"];
    let wrong = ["x«<tool>»y1", "«<a>»", "x<«<a>»y1", "x«<a>»<a>y1", "x«<a>»y«<a>»", "x<a>y"];
    check_source(&Source::gbnf("root ::= \"x<a>y\" [0-9]+"), &right, &wrong);
    check_source(&Source::ebnf("root ::= \"x<a>y\" [0-9]+"), &right, &wrong);
    // Classes, and strings that meet only where they are put together, name none.
    check_source(
        &Source::gbnf("root ::= [<] \"a>\" | \"<\" \"a>\" \"1\""),
        &["<a>", "<a>1"],
        &["«<a>»", "«<a>»1"],
    );
    // Of several names the first, and of several at a place the longest one counts.
    check_source(&Source::gbnf("root ::= \"<a><b>\""), &["<a><b>", "«<a><b>»"], &["«<a>»<b>"]);
    check_source(
        &Source::gbnf("root ::= \"<a><a><b>\""),
        &["«<a>»«<a><b>»", "<a>«<a><b>»"],
        &["«<a>»«<a>»<b>"],
    );
    // Tokens in a rule that nests.
    let nested = Source::gbnf("root ::= \"<tool>\" (root | [a-z]*) \"</tool>\"");
    check_source(
        &nested,
        &["«<tool>»<tool>ab«</tool>»</tool>", "<tool></tool>"],
        &["«<tool>»«</tool>»«</tool>»"],
    );
}

#[test]
fn an_option_chooses_tokens_or_characters() {
    let source = Source::gbnf("root ::= \"x<a>y\"");
    check(&session(&source, SpecialTokens::Only), &["x«<a>»y"], &["x<a>y"]);
    check(&session(&source, SpecialTokens::Never), &["x<a>y"], &["x«<a>»y"]);
    let text = r#"{"type": "structural_tag", "format": {"type": "triggered_tags", "triggers": ["<tool>"], "tags":
        [{"begin": "<tool>", "content": {"type": "regex", "pattern": "[0-9]"}, "end": "</tool>"}]}}"#;
    let only = session(&Source::structural_tag(text), SpecialTokens::Only);
    check(&only, &["", "a<", "a«<tool>»1«</tool>»b"], &["a<tool>", "a<tool>1", "«<tool>»1</tool>"]);
}

#[test]
fn choices_and_lark_name_tokens() {
    check_source(&Source::choices(["<a>", "<a>b", "c"]), &["<a>", "«<a>»", "«<a>»b", "c"], &["«<a>»c", "<a"]);
    let lark = "start: \"<tool>\" WORD END\nWORD: /[a-z<>]+/\nEND: \"-</tool>\"\n%ignore \" \"\n";
    let right = ["«<tool>»ab-«</tool>»", "<tool> ab -</tool>", " «<tool>» <a> -«</tool>» "];
    let wrong = ["«<tool>»«<a>»-</tool>", "«<tool>»ab- «</tool>»", "«<tool>»ab«</tool>»"];
    check_source(&Source::lark(lark), &right, &wrong);
    // A token is read as a part of the longest lexeme.
    let longest = "start: (A | B | /[<>a-z]+/)+\nA: \"x\"\nB: \"x<a>y\"\n";
    check_source(&Source::lark(longest), &["x«<a>»y", "x<a>z"], &["x«<a>»", "x«<a>»z"]);
    let until = "start: text \"!\"\ntext[suffix=\"</tool>\"]: /(.|\\n)*/\n";
    check_source(
        &Source::lark(until),
        &["ab«</tool>»!", "ab</tool>!", "«</tool>»!"],
        &["ab</tool>«</tool>»!", "a!"],
    );
}

const TAGS: &str = r#"{"type": "structural_tag", "format": {"type": "sequence", "elements": [
    {"type": "triggered_tags", "triggers": ["<tool", "x<a>"], "tags": [
        {"begin": "<tool>", "content": {"type": "regex", "pattern": "[0-9]"}, "end": "</tool>"},
        {"begin": "<tool_call>\n", "content": {"type": "any_text", "excludes": ["q"]}, "end": "\n</tool>"},
        {"begin": "x<a>", "content": {"type": "const_string", "value": "<a>"}, "end": ["", "<call>"]}]},
    {"type": "const_string", "value": "!"}]}}"#;

#[test]
fn triggers_and_ends_are_found_both_ways() {
    let right = [
        "!",
        "a<b!",
        "<tool>1</tool>!",
        "ab«<tool>»1«</tool>»c«<tool>»2</tool>!",
        "«<tool_call>»\nab\n«</tool>»!",
        "<tool_call>\n<a>\n</tool>!",
        "«<tool_call>»\n\n«</tool>»!",
        "x«<a>»«<a>»!",
        "xx<a>«<a>»«<call>»!",
        "<«<tool>»1</tool>!",
    ];
    let wrong = [
        "a",
        "<tool!",
        "«<tool>»!",
        "<«<a>»!",
        "«<a>»!",
        "a«<tool_call>»ab\n«</tool>»!",
        "«<tool_call>»\nab«</tool>»!",
        "«<tool_call>»\naq\n«</tool>»!",
        "«<tool_call>»\na«<a>»\n«</tool>»!",
        "x«<a>»«<a>»«<end>»!",
    ];
    check_source(&Source::structural_tag(TAGS), &right, &wrong);
    let dispatch = "root ::= TagDispatch((\"<tool>\", one), (\"y<a>\", two))\none ::= \"1\"\ntwo ::= \"<a>\"";
    let right = ["ab«<tool>»1c<tool>1", "y«<a>»«<a>»", "yy<a><a>yy«<a>»<a>", "y"];
    check_source(&Source::ebnf(dispatch), &right, &["«<tool>»", "«<a>»", "y«<a>»", "<tool>"]);
}

#[test]
fn an_end_token_in_a_literal_ends_the_text_where_that_may_end() {
    let source = Source::gbnf("root ::= \"a\" | \"a\" \"b<call>\" \"c\"");
    let session = session(&source, SpecialTokens::Literals);
    check(
        &session,
        &["a", "a«<end>»", "a«<call>»", "ab«<call>»c", "ab«<call>»c«<call>»", "ab<call>c«<end>»"],
        &[],
    );
    check(&session, &[], &["«<call>»", "ab«<call>»", "ab«<end>»c", "ab«<call>»«<call>»", "a«<call>»«<end>»"]);
    let mut matcher = session.matcher().expect("a matcher");
    for (token, ended) in tokens("ab«<call>»c«<call>»").into_iter().zip([false, false, false, false, true])
    {
        matcher.commit(token).expect("allowed");
        assert_eq!(matcher.is_terminated(), ended);
    }
    // Where both are possible, the text ends.
    let both = Source::gbnf("root ::= \"a\" (\"<call>\" \"b\")?");
    check_source(&both, &["a«<call>»", "a<call>b"], &["a«<call>»b"]);
    let html = "start: \"<s>\" /[a-z]+/ \"<call>\" | \"\"";
    check_source(
        &Source::lark(html),
        &["«<call>»", "<s>ab«<call>»", "<s>ab«<call>»«<end>»"],
        &["<s>ab«<end>»"],
    );
}

/// The inputs that showed that models could not write their own tags.
#[test]
fn models_write_their_own_tags() {
    let harmony = r#"{"type": "structural_tag", "format": {"type": "sequence", "elements": [
        {"type": "const_string", "value": "<|channel|>commentary to=functions.f <|constrain|>json<|message|>"},
        {"type": "json_schema", "json_schema": {"type": "object"}}, {"type": "const_string", "value": "<|call|>"}]}}"#;
    let qwen = r#"{"type": "structural_tag", "format": {"type": "triggered_tags", "triggers": ["<tool_call>"], "tags": [
        {"begin": "<tool_call>\n{\"arguments\": ", "content": {"type": "json_schema", "json_schema": {"type": "object"}},
        "end": "}\n</tool_call>"}]}}"#;
    let llama = "root ::= \"<|python_tag|>\" [a-z]+";
    let cases = [
        (
            "gpt-oss",
            Source::structural_tag(harmony),
            "<|channel|>commentary to=functions.f <|constrain|>json<|message|>{}<|call|>",
        ),
        ("qwen2.5", Source::structural_tag(qwen), "ab<tool_call>\n{\"arguments\": {}}\n</tool_call>"),
        ("llama3", Source::gbnf(llama), "<|python_tag|>abc"),
    ];
    for (name, source, text) in cases {
        let vocabulary = Vocabulary::load(name).expect("built in");
        let artifact = compile(&source, &vocabulary, &Options::default()).expect(name);
        let session = Session::new(artifact, &vocabulary).expect(name);
        for special_names in [false, true] {
            let tokens = vocabulary.tokenize(text.as_bytes(), special_names).expect("bytes").ids;
            assert_eq!(reads(&session, &tokens), (tokens.len(), true), "{name}");
        }
    }
}

/// The tokens that are certain to come behind a text.
fn forced(session: &Session, text: &str) -> (Vec<u32>, Vec<u8>) {
    let mut matcher = session.matcher().expect("a matcher");
    tokens(text).into_iter().for_each(|token| matcher.commit(token).expect(text));
    let cut = |text: &[u8]| text.iter().copied().map(u32::from).collect();
    let found = matcher.certain_tokens(&tokens(text), &cut, Certainty::Canonical).expect(text);
    (found, matcher.forced(1000).expect(text))
}

#[test]
fn special_tokens_are_certain_where_their_texts_are() {
    let both =
        session(&Source::gbnf("root ::= \"ab<a>c<tool></tool>\" [0-9] \"<a>\""), SpecialTokens::Literals);
    assert_eq!(forced(&both, ""), (tokens("ab«<a>»c«<tool>»«</tool>»"), b"ab<a>c<tool></tool>".to_vec()));
    assert_eq!(forced(&both, "ab<a>c").0, tokens("«<tool>»«</tool>»"));
    assert_eq!(forced(&both, "ab<a").0, tokens(">c«<tool>»«</tool>»"));
    assert_eq!(forced(&both, "ab<a>c«<tool>»«</tool>»1").0, tokens("«<a>»"));
    let only = session(&Source::gbnf("root ::= \"ab<a>c\" [0-9]"), SpecialTokens::Only);
    assert_eq!(forced(&only, ""), (tokens("ab«<a>»c"), b"ab".to_vec()));
    // Several tokens, other texts, and the end are no certain tokens.
    let several = session(
        &Source::gbnf("root ::= \"<a>\" | \"<tool>\" | \"x<a>\" | \"x<a\" [0-9]"),
        SpecialTokens::Literals,
    );
    assert!(forced(&several, "").0.is_empty());
    assert!(forced(&several, "x").0.is_empty());
    let may_end = session(&Source::gbnf("root ::= \"x\" \"<a>\"?"), SpecialTokens::Literals);
    assert_eq!(forced(&may_end, ""), (tokens("x"), b"x".to_vec()));
}

#[test]
fn canonical_masks_have_the_special_token_alone() {
    let vocabulary = Vocabulary::load("llama3").expect("built in");
    let source = Source::gbnf("root ::= \"call <|python_tag|>now\" [0-9]");
    let artifact = compile(&source, &vocabulary, &Options::default()).expect("compiled");
    let session = Session::new(artifact, &vocabulary).expect("for llama3");
    let options = MatcherOptions { canonical: true, ..MatcherOptions::default() };
    let mut matcher = session.matcher_with(&options).expect("llama3 has a tokenizer");
    let expected = vocabulary.tokenize(b"call <|python_tag|>now", true).expect("bytes").ids;
    assert!(expected.contains(&128_010));
    for token in expected {
        let allowed: Vec<u32> = matcher.allowed_ranges().expect("a mask").into_iter().flatten().collect();
        assert_eq!(allowed, [token]);
        matcher.commit(token).expect("allowed");
    }
    assert!(matcher.count_allowed().expect("a mask") >= 10);
}

#[test]
fn outputs_are_generated_with_special_tokens() {
    let source = Source::gbnf("root ::= \"ab<call>c<a>\" (\"<tool>\" [0-9])*");
    let session = session(&source, SpecialTokens::Literals);
    let mut generator = Generator::new(&session).expect("a generator");
    let (mut random, mut specials) = (RandomNumbers(3), 0);
    for _ in 0..20 {
        let tokens = generator.generate(&mut random, 40).expect("an output");
        specials += tokens.iter().filter(|&&token| token > 257).count();
        assert!(tokens.last().is_some_and(|&token| token == 256 || token == 257), "{tokens:?}");
        assert_eq!(reads(&session, &tokens), (tokens.len(), true));
    }
    assert!(specials > 10, "{specials}");
    let shortest =
        session.matcher().expect("a matcher").shortest_completion().expect("small").expect("known");
    assert_eq!(shortest, tokens("ab«<call>»c«<a>»«<end>»"));
}

/// Within automata a special token stands as a sequence of bytes that no text has. Patterns of bytes that have it are about these bytes.
#[test]
fn patterns_of_bytes_are_no_special_tokens() {
    // The bytes that stand for the token <a>.
    const FORGED: [u32; 5] = [0xFF, 0x80, 0x80, 0x84, 0x82];
    let forged = r"(?-u:\xFF\x80\x80\x84\x82)";
    let quoted = forged.replace('\\', r"\\");
    let any = "(?s-u:.)";
    let tag = |pattern: &str| {
        Source::structural_tag(format!(
            r#"{{"type": "structural_tag", "format": {{"type": "regex", "pattern": "{pattern}"}}}}"#
        ))
    };
    let a = 256 + 2;
    for source in [
        Source::regex(forged),
        tag(&quoted),
        Source::ebnf(format!("root ::= Regex(\"{quoted}\")")),
        Source::lark(format!("start: A\nA: /{forged}/\n")),
        Source::lark(format!("start: /{forged}/\n")),
        Source::lark(format!("start: A\nA: B\nB: /{forged}/\n")),
    ] {
        let session = session(&source, SpecialTokens::Literals);
        assert_eq!(reads(&session, &FORGED), (5, true), "{source:?}");
        assert_eq!(reads(&session, &[a]), (0, false), "{source:?}");
    }
    for source in [
        Source::regex(format!("{any}{{1,9}}")),
        Source::lark(format!("start: A\nA: /{any}/+\n")),
        Source::lark(format!("start: \"<a>\" A\nA: /{any}/+\n")),
        Source::lark(format!("start: A \"<a>\"\nA: \"<tool>\" /{any}/\n")),
    ] {
        let session = session(&source, SpecialTokens::Literals);
        let text = source.text().text.clone();
        if text.contains("A \"<a>\"") {
            let with = [&tokens("<tool>")[..], &[0xFF], &[a]].concat();
            assert_eq!(reads(&session, &with), (8, true), "strings in rules name tokens: {text}");
        } else if text.contains("<a>") {
            assert_eq!(reads(&session, &[a, 0xFF, 0x80]), (3, true), "strings in rules name tokens: {text}");
            assert_eq!(reads(&session, &[a, a]), (1, false), "{text}");
        } else {
            assert_eq!(reads(&session, &FORGED), (5, true), "{text}");
            assert_eq!(reads(&session, &[a]), (0, false), "{text}");
        }
    }
}
