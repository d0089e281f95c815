//! Strings whose characters are counted: every mask against a definition of its own, and against the grammar in which all bounds are spelled out.

use gcc_grammar::generate::RandomNumbers;
use gcc_grammar::{
    DemandOptions, Matcher, Options, Packing, Session, Source, Vocabulary, compile, compile_parsed, parse,
};

/// Bytes, parts of characters and escapes, and tokens that enter or leave strings.
fn vocabulary() -> Vocabulary {
    let words = [
        "ab",
        "abc",
        "abcdefgh",
        "é",
        "éa",
        "日本",
        "日本語",
        "😀",
        "😀a",
        "\\n",
        "\\\\",
        "\\\"",
        "\\u",
        "\\u00",
        "\\u00e9",
        "u00",
        "e9",
        "9a",
        "\\ud83d",
        "\\ud83d\\ude00",
        "d83d",
        "83d",
        "3d",
        "\\ude00",
        "ude00",
        "de0",
        "00a",
        "n\"",
        "\"a",
        "a\"",
        "\"\"",
        "\",",
        "\",\"",
        "\"]",
        "\"}",
        "[\"",
        "[\"a",
        "{\"",
        "\"a\":",
        "\": \"",
        "\":\"ab",
        "\",\"abc",
        "aaaaaaaaaaaaaaaa",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "\"aaaaaaaaaaaa",
        "\\t\\t",
        "t\\t",
        "\\\"a",
    ];
    let parts: [&[u8]; 6] = [b"\xc3", b"\xa9a", b"\x97\xa5", b"\xf0\x9f", b"\x98\x80b", b"a\xe6\x97"];
    let bytes = (0..=u8::MAX).map(|byte| vec![byte]);
    let words = words.map(|word| word.as_bytes().to_vec());
    Vocabulary::from_tokens("words", bytes.chain(words).chain(parts.map(<[u8]>::to_vec)))
        .expect("a vocabulary")
}

fn session(schema: &str, vocabulary: &Vocabulary) -> Session {
    let artifact = compile(&Source::json_schema(schema), vocabulary, &Options::default()).expect("a schema");
    Session::new(artifact, vocabulary).expect("its own")
}

/// The same schema, compiled without a counter.
fn spelled_out(schema: &str, vocabulary: &Vocabulary) -> Session {
    let (source, options) = (Source::json_schema(schema), Options::default());
    let parsed = parse(&source, &options).expect("a schema");
    let made = compile_parsed(&parsed, vocabulary, &options, Packing::Referenced, &mut ()).expect("small");
    Session::new(made.artifact, vocabulary).expect("its own")
}

fn counters(session: &Session) -> usize {
    session.engine().grammar().counters().list().len()
}

fn mask(matcher: &mut Matcher) -> Vec<u32> {
    let mut row = vec![7; matcher.session().row_words()];
    matcher.fill_mask(&mut row).expect("a mask");
    row
}

fn tokens(row: &[u32]) -> Vec<u32> {
    (0..row.len() as u32 * 32).filter(|token| row[*token as usize / 32] >> (token % 32) & 1 == 1).collect()
}

/// Whether some continuation of a text is a JSON string of `min` to `max` characters, by the definition: RFC 8259, with surrogates in pairs only.
fn begins_string(text: &[u8], min: usize, max: usize) -> bool {
    let Some((b'"', rest)) = text.split_first() else { return text.is_empty() };
    // One of these ends any beginning of a character.
    let ends: [&[u8]; 21] = [
        b"",
        b"\x80",
        b"\xa0",
        b"\x90",
        b"\x80\x80",
        b"\xa0\x80",
        b"\x90\x80",
        b"\x80\x80\x80",
        b"\x90\x80\x80",
        b"n",
        b"0",
        b"00",
        b"000",
        b"0000",
        b"800",
        b"7ff",
        b"0\\udc00",
        b"00\\udc00",
        b"\\udc00",
        b"udc00",
        b"dc00",
    ];
    let more: [&[u8]; 4] = [b"c00", b"00\\udc00", b"800\\udc00", b"d800\\udc00"];
    ends.iter().chain(&more).any(|end| {
        let whole = [b"\"", rest, end].concat();
        let closed = if rest.ends_with(b"\"") && !escaped(rest) {
            text.to_vec()
        } else {
            [whole.as_slice(), b"\""].concat()
        };
        let Ok(value) = serde_json::from_slice::<String>(&closed) else { return false };
        let length = value.chars().count();
        // A string that is not over may still become longer.
        length <= max && (closed.len() > text.len() || length >= min)
    })
}

/// Whether the last byte of a text within a string is escaped.
fn escaped(text: &[u8]) -> bool {
    text[..text.len() - 1].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}

#[test]
fn masks_of_counted_strings_are_those_of_the_definition() {
    let vocabulary = vocabulary();
    let mut random = RandomNumbers(1);
    for (min, max) in [(0, 40), (0, 57), (3, 41), (36, 40), (0, 4), (1, 7), (2, 12), (0, 17)] {
        let schema = format!(r#"{{"type":"string","minLength":{min},"maxLength":{max}}}"#);
        let session = session(&schema, &vocabulary);
        assert_eq!(counters(&session), 1, "{schema}");
        for _ in 0..30 {
            let mut matcher = session.matcher().expect("room");
            let mut text: Vec<u8> = Vec::new();
            while text.len() < 400 {
                let allowed = tokens(&mask(&mut matcher));
                for token in 0..vocabulary.tokens().width() {
                    let Some(bytes) = vocabulary.tokens().bytes(token) else { continue };
                    let next = [text.as_slice(), bytes].concat();
                    let is_right = begins_string(&next, min, max);
                    assert_eq!(
                        allowed.contains(&token),
                        is_right,
                        "{schema}: {:?}",
                        String::from_utf8_lossy(&next)
                    );
                }
                let Some(token) = allowed.get(random.below(allowed.len().max(1))).copied() else { break };
                matcher.commit(token).expect("allowed");
                match vocabulary.tokens().bytes(token) {
                    Some(bytes) => text.extend(bytes),
                    None => break,
                }
            }
        }
    }
}

const SCHEMAS: [&str; 28] = [
    r#"{"type":"array","items":{"type":"string","maxLength":40}}"#,
    r#"{"type":"object","properties":{"a":{"type":"string","maxLength":45},"b":{"type":["string","null"],"minLength":1,"maxLength":60}},"additionalProperties":false}"#,
    r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string","maxLength":41}}}"#,
    r#"{"type":"object","additionalProperties":{"type":"string","maxLength":300}}"#,
    r#"{"type":"array","prefixItems":[{"type":"string","maxLength":40},{"type":"string","maxLength":41}],"items":{"type":"string","minLength":2,"maxLength":50}}"#,
    r#"{"anyOf":[{"type":"string","maxLength":40},{"type":"array","items":{"type":"string","maxLength":44}}]}"#,
    r##"{"$ref":"#/$defs/tree","$defs":{"tree":{"type":"object","properties":{"a":{"type":"string","maxLength":42},"b":{"$ref":"#/$defs/tree"}},"additionalProperties":false}}}"##,
    r#"{"type":"string","pattern":"^[ab日é]+$","maxLength":40}"#,
    r#"{"anyOf":[{"type":"string","pattern":"^a","maxLength":40},{"enum":["b","日本",1]}]}"#,
    r#"{"type":"array","items":{"type":"string","anyOf":[{"minLength":3,"maxLength":50},{"maxLength":0}]}}"#,
    r#"{"type":"string","anyOf":[{"pattern":"^[ab]*$","maxLength":45},{"pattern":"é$","maxLength":45}]}"#,
    r#"{"type":"array","items":{"oneOf":[{"type":"string","maxLength":40},{"enum":["ab",7]}]}}"#,
    r#"{"type":"string","maxLength":60,"minLength":1,"not":{"pattern":"ab"}}"#,
    r#"{"type":"array","items":{"type":"string","pattern":"^(ab|é)*c$","maxLength":60}}"#,
    r#"{"type":"string","pattern":"^(\\S+\\s+){0,9}\\S+$","minLength":3,"maxLength":70}"#,
    r#"{"type":"array","items":{"type":"string","format":"uri","maxLength":80}}"#,
    r#"{"type":"object","properties":{"a":{"type":"string","format":"email","maxLength":64},"b":{"type":"string","maxLength":40}},"additionalProperties":false}"#,
    r#"{"type":"string","pattern":"^[^a]{2}(aé?b)*$","minLength":5,"maxLength":55}"#,
    r#"{"type":"object","properties":{"a":{"enum":["ab","abc"]},"b":{"type":"string","maxLength":40}},"required":["b"]}"#,
    r#"{"type":"array","items":{"type":"string","maxLength":5}}"#,
    r#"{"type":"object","additionalProperties":{"type":"string","minLength":1,"maxLength":11}}"#,
    r#"{"type":"array","items":{"type":"string","pattern":"^a[ab]{1,20}b?$|^$","maxLength":19}}"#,
    r#"{"type":"array","items":{"type":"string","pattern":"^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$"}}"#,
    r#"{"type":"string","pattern":"^(\\S.*\\S){2}$","maxLength":9}"#,
    // After `%` and after `\u00`, two hexadecimal digits follow.
    r#"{"type":"array","items":{"type":"string","pattern":"^(%[0-9A-Fa-f]{2}|[aé日])*$","maxLength":20}}"#,
    r#"{"type":"array","items":{"type":"string","format":"iri","maxLength":20}}"#,
    r#"{"type":"string","format":"uri-template","minLength":2,"maxLength":30}"#,
    r#"{"type":"array","items":{"type":"string","pattern":"^([a-c]|-[a-c]|é-a){1,9}(\\.[a-c]+)*$","maxLength":25}}"#,
];

/// Commits random tokens to both, with rollbacks, copies and saves between, and compares all that they answer.
fn compare(counted: &Session, plain: &Session, seed: u64, steps: usize, name: &str) {
    let mut random = RandomNumbers(seed);
    let (mut a, mut b) = (counted.matcher().expect("room"), plain.matcher().expect("room"));
    for _ in 0..steps {
        let row = mask(&mut a);
        let allowed = tokens(&row);
        assert_eq!(allowed, tokens(&mask(&mut b)), "{name} {seed}");
        assert_eq!(a.count_allowed().expect("a mask") as usize, allowed.len(), "{name} {seed}");
        assert_eq!(a.forced(8).expect("room"), b.forced(8).expect("room"), "{name} {seed}");
        let any = random.below(counted.vocabulary().tokens().width() as usize) as u32;
        assert_eq!(a.allows(any).expect("a mask"), allowed.contains(&any), "{name} {seed}: {any}");
        if allowed.is_empty() {
            break;
        }
        // Text rather than the end of it.
        let texts: Vec<u32> = allowed
            .iter()
            .copied()
            .filter(|token| {
                counted.vocabulary().tokens().bytes(*token).is_some_and(|bytes| !bytes.contains(&b'"'))
            })
            .collect();
        let from = if texts.is_empty() || random.below(8) == 0 { &allowed } else { &texts };
        let token = from[random.below(from.len())];
        a.commit(token).expect("allowed");
        b.commit(token).expect("allowed");
        match random.below(12) {
            0 => {
                a.rollback(1).expect("one");
                b.rollback(1).expect("one");
            }
            1 => a = a.fork().expect("room"),
            2 => a = counted.restore(&a.save()).expect("saved"),
            _ => {}
        }
    }
}

#[test]
fn counted_strings_are_those_whose_bounds_are_spelled_out() {
    let vocabulary = vocabulary();
    for schema in SCHEMAS {
        let (counted, plain) = (session(schema, &vocabulary), spelled_out(schema, &vocabulary));
        assert!(counters(&counted) > 0 && counters(&plain) == 0, "{schema}");
        for seed in 0..30 {
            compare(&counted, &plain, seed, 120, schema);
        }
    }
}

#[test]
fn masks_on_demand_count_characters_too() {
    let vocabulary = vocabulary();
    let alone = DemandOptions { most_bytes: 64 << 20, completes: false };
    for schema in SCHEMAS {
        let source = Source::json_schema(schema);
        let (demand, _) =
            Session::on_demand(&source, &vocabulary, &Options::default(), &alone).expect("a schema");
        assert!(counters(&demand) > 0, "{schema}");
        // States are made as they are read: these have the first number that no other state can have.
        let [first, ..] = demand.engine().grammar().counters().list()[0];
        assert_eq!(first.get(), 1 << 28, "{schema}");
        let plain = spelled_out(schema, &vocabulary);
        (0..8).for_each(|seed| compare(&demand, &plain, seed, 100, schema));
    }
}

/// Where another terminal begins with a quote, too, and where the strings are all short, bounds are spelled out.
#[test]
fn what_cannot_be_counted_is_spelled_out() {
    let vocabulary = vocabulary();
    for schema in [
        r#"{"anyOf":[{"type":"object","properties":{"a":{"type":"string","maxLength":40}},"required":["a"],"additionalProperties":false},
            {"type":"object","properties":{"a":{"type":"string","maxLength":300},"b":{"type":"null"}},"required":["a","b"],"additionalProperties":false}]}"#,
        r#"{"type":"array","items":{"type":"string","maxLength":3}}"#,
        r#"{"type":"string","pattern":"^(ab)*$","maxLength":40}"#,
    ] {
        let (first, plain) = (session(schema, &vocabulary), spelled_out(schema, &vocabulary));
        (0..10).for_each(|seed| compare(&first, &plain, seed, 100, schema));
    }
}

/// A string that cannot be counted does not hinder another one with the same bound.
#[test]
fn bounds_are_spelled_out_string_by_string() {
    let vocabulary = vocabulary();
    let schema = r#"{"type":"object","properties":{"c":{"type":"string","pattern":"^[a-c]+$","maxLength":300},
        "x":{"anyOf":[{"type":"object","properties":{"a":{"type":"string","maxLength":40}},"required":["a"],"additionalProperties":false},
            {"type":"object","properties":{"a":{"type":"string","maxLength":300},"b":{"type":"null"}},"required":["a","b"],"additionalProperties":false}]}},
        "additionalProperties":false}"#;
    let (counted, plain) = (session(schema, &vocabulary), spelled_out(schema, &vocabulary));
    assert_eq!((counters(&counted), counters(&plain)), (1, 0));
    (0..20).for_each(|seed| compare(&counted, &plain, seed, 100, schema));
}

/// A state with more characters left than any token has, where one leads to a state that needs more than these.
#[test]
fn many_characters_may_be_needed() {
    let vocabulary = vocabulary();
    let schema = r#"{"type":"string","pattern":"^(a{0,10}(-[a-z]{255})?|b[a-z]*)$","maxLength":265}"#;
    let (counted, plain) = (session(schema, &vocabulary), spelled_out(schema, &vocabulary));
    let (mut a, mut b) = (counted.matcher().expect("room"), plain.matcher().expect("room"));
    for byte in *b"\"aaaaaaaaaa" {
        assert_eq!(tokens(&mask(&mut a)), tokens(&mask(&mut b)));
        a.commit(u32::from(byte)).expect("allowed");
        b.commit(u32::from(byte)).expect("allowed");
    }
    assert!(!tokens(&mask(&mut b)).contains(&u32::from(b'-')));
    assert_eq!(tokens(&mask(&mut a)), tokens(&mask(&mut b)));
}

/// Where many tokens have more characters behind a quote than a string may have, the bound is spelled out.
#[test]
fn few_tokens_may_begin_too_much() {
    let many = (0..65).map(|number| format!("\"aaaa{number}").into_bytes());
    let bytes = (0..=u8::MAX).map(|byte| vec![byte]);
    let vocabulary = Vocabulary::from_tokens("many", bytes.chain(many)).expect("a vocabulary");
    for (most, is_counted) in [(4, false), (5, true)] {
        let schema = format!(r#"{{"type":"array","items":{{"type":"string","maxLength":{most}}}}}"#);
        let (first, plain) = (session(&schema, &vocabulary), spelled_out(&schema, &vocabulary));
        assert_eq!(counters(&first) > 0, is_counted, "{schema}");
        (0..20).for_each(|seed| compare(&first, &plain, seed, 100, &schema));
    }
}

/// Whether these tokens can spell the rest of an escape depends on how many characters are left: found by random samples.
#[test]
fn strings_that_tokens_may_not_spell_are_spelled_out() {
    let tokens = ["\\", "b09", "\"", "u", "é"].map(|token| token.as_bytes().to_vec());
    let vocabulary = Vocabulary::from_tokens("units", tokens).expect("a vocabulary");
    let schema = r#"{"type":"string","maxLength":32}"#;
    let (first, plain) = (session(schema, &vocabulary), spelled_out(schema, &vocabulary));
    assert_eq!(counters(&first), 0);
    (0..20).for_each(|seed| compare(&first, &plain, seed, 100, schema));
}

/// A mask within a budget has tokens only after which the text can be completed within it, and never none.
#[test]
fn budgets_are_kept_whatever_the_number_of_characters() {
    let vocabulary = vocabulary();
    for schema in SCHEMAS {
        let session = session(schema, &vocabulary);
        for seed in 0..10 {
            let mut random = RandomNumbers(seed);
            let mut matcher = session.matcher().expect("room");
            let least = matcher.min_remaining().expect("budgets").expect("known");
            matcher.set_budget(Some(least + 20)).expect("enough");
            for step in 0..=least + 20 {
                let allowed = tokens(&mask(&mut matcher));
                assert!(!allowed.is_empty(), "{schema} {seed} {step}");
                assert!(matcher.min_remaining().expect("budgets").is_some(), "{schema} {seed} {step}");
                matcher.commit(allowed[random.below(allowed.len())]).expect("allowed");
                if matcher.is_terminated() {
                    break;
                }
                assert!(step < least + 20, "{schema} {seed}: the budget is over");
            }
        }
    }
}

/// A bound beyond what is counted refuses longer texts (the narrowing `length`); up to there, masks are those without a bound.
#[test]
fn a_bound_that_is_too_large_ends_where_counting_does() {
    let vocabulary = vocabulary();
    let words = |session: &Session, text: &str| {
        let mut matcher = session.matcher().expect("memory");
        matcher.commit_bytes(text.as_bytes()).expect("a text of the grammar");
        tokens(&mask(&mut matcher))
    };
    let long = session(r#"{"type":"string","maxLength":2147483647}"#, &vocabulary);
    let free = session(r#"{"type":"string"}"#, &vocabulary);
    let text = |length: usize| format!("\"{}", "a".repeat(length));
    assert_eq!(words(&long, &text(1_000)), words(&free, &text(1_000)));
    assert_eq!(words(&long, &text(1_279_000)), words(&free, &text(1_000)));
    let counted = session(r#"{"type":"string","maxLength":1280000}"#, &vocabulary);
    for length in [1_279_990, 1_279_999, 1_280_000] {
        assert_eq!(words(&long, &text(length)), words(&counted, &text(length)), "{length}");
    }
    assert_ne!(words(&long, &text(1_280_000)), words(&free, &text(1_280_000)));
}

/// Two bounds that stand apart are one, and what a bound that is too large leaves open is in no alternative.
#[test]
fn bounds_of_several_schemas_are_combined() {
    let vocabulary = vocabulary();
    let reads = |schema: &str, text: &str| {
        let session = session(schema, &vocabulary);
        let mut matcher = session.matcher().expect("memory");
        matcher.commit_bytes(text.as_bytes()).is_ok() && matcher.is_accepting().expect("no limit")
    };
    let apart = r#"{"type":"string","allOf":[{"minLength":2},{"maxLength":100000}]}"#;
    assert!(reads(apart, r#""aa""#) && !reads(apart, r#""a""#));
    assert!(reads(apart, &format!("\"{}\"", "a".repeat(100_000))));
    assert!(!reads(apart, &format!("\"{}\"", "a".repeat(100_001))));
    let items = r#"{"type":"array","prefixItems":[{"items":{"type":"null"},"maxItems":2147483647}]}"#;
    assert!(reads(items, "[[null,null]]") && !reads(items, "[[null,1]]"));
    let one = r#"{"oneOf":[{"type":"string","maxLength":3000000000},{"enum":["a",1]}]}"#;
    assert!(reads(one, r#""b""#) && reads(one, "1") && !reads(one, r#""a""#));
}
