//! Tensors beside the runtime: the same tokens at every state that outputs lead to, and the same ends.

use gcc_grammar::tensors::{TensorOptions, Tensors, npz, safetensors, tensors};
use gcc_grammar::{Matcher, Options, SchemaOptions, Session, Source, Vocabulary, compile};
use std::collections::{BTreeSet, HashMap};

fn bytes() -> Vocabulary {
    let longer = ["ab", "aab", "\":", "\"}", "{\"", "true", "12", "null", "],", "[["]
        .map(|text| text.as_bytes().to_vec());
    Vocabulary::from_tokens("bytes", (0..=u8::MAX).map(|byte| vec![byte]).chain(longer)).expect("valid")
}

fn session(source: &Source, vocabulary: &Vocabulary) -> Session {
    let schema =
        SchemaOptions { whitespace: "compact".parse().expect("an option"), ..SchemaOptions::default() };
    let options = Options { schema, ..Options::default() };
    let artifact = compile(source, vocabulary, &options).expect("it compiles");
    Session::new(artifact, vocabulary).expect("the same vocabulary")
}

fn whole(session: &Session) -> Tensors {
    tensors(session, &TensorOptions::default()).expect("a regular language")
}

/// By token: the target of its edge from a state.
fn targets(tensors: &Tensors, state: u32) -> HashMap<u32, u32> {
    let edges = (0..tensors.edges()).filter(|&edge| tensors.source[edge] == state);
    let mut targets = HashMap::new();
    for edge in edges {
        for &token in tensors.tokens(tensors.label[edge]) {
            assert_eq!(targets.insert(token, tensors.target[edge]), None, "the automaton is deterministic");
        }
    }
    targets
}

/// Reads every state along some shortest output, and compares its tokens with the mask of the runtime. `is_subset` is true if the tensors
/// have a part of the language only.
fn compare(session: &Session, tensors: &Tensors, is_subset: bool) -> usize {
    let mut open: Vec<(u32, Matcher)> = vec![(0, session.matcher().expect("enough scratch"))];
    let mut seen = BTreeSet::from([0]);
    while let Some((state, mut matcher)) = open.pop() {
        let targets = targets(tensors, state);
        let allowed: Vec<u32> =
            matcher.allowed_ranges().expect("enough scratch").into_iter().flatten().collect();
        let mut labelled: Vec<u32> = targets.keys().copied().collect();
        labelled.sort_unstable();
        if is_subset {
            assert!(labelled.iter().all(|token| allowed.binary_search(token).is_ok()));
        } else {
            assert_eq!(labelled, allowed, "state {state}");
        }
        let is_end = matcher.is_terminated();
        assert_eq!(tensors.accept[state as usize], is_end);
        for (token, target) in targets {
            if seen.insert(target) {
                let mut next = matcher.fork().expect("enough scratch");
                next.commit(token).expect("allowed");
                open.push((target, next));
            }
        }
    }
    assert_eq!(seen.len(), tensors.states(), "every state is reached");
    seen.len()
}

#[test]
fn regular_languages_are_exact() {
    let vocabulary = bytes();
    let sources = [
        Source::regex("a*b|[ab]{3,5}c"),
        Source::json_schema(
            r#"{"type": "object", "additionalProperties": false, "properties": {"a": {"type": "boolean"}, "b": {"enum": [1, 12, null]}}, "required": ["a"]}"#,
        ),
        Source::json_schema(
            r#"{"type": "array", "items": {"type": "integer", "minimum": 3, "maximum": 120}, "maxItems": 3}"#,
        ),
        Source::json_schema(r#"{"type": "array", "items": {"type": "string", "maxLength": 6}}"#),
        Source::lark("start: (\"a\" | \"aa\" | \"aab\")* \"b\"\n%ignore \" \"\n"),
    ];
    for source in sources {
        let session = session(&source, &vocabulary);
        let tensors = whole(&session);
        assert!(tensors.cut.is_none());
        assert!(compare(&session, &tensors, false) > 2);
    }
}

#[test]
fn a_large_vocabulary_is_walked_by_classes() {
    let vocabulary = Vocabulary::load("llama3").expect("built in");
    let schema = r#"{"type": "object", "additionalProperties": false, "properties": {"name": {"type": "string", "maxLength": 20}, "age": {"type": "integer"}},
        "required": ["name", "age"]}"#;
    let session = session(&Source::json_schema(schema), &vocabulary);
    let tensors = whole(&session);
    assert!(compare(&session, &tensors, false) > 20);
    assert!(tensors.nonzeros() > 100_000);
}

/// Words over `(`, `)` in pairs, up to a depth.
#[test]
fn a_bound_on_depth_cuts_nesting() {
    let vocabulary = Vocabulary::from_tokens("pairs", ["(", ")", "((", "))", "()"]).expect("valid");
    let session = session(&Source::lark("start: pair*\npair: \"(\" pair* \")\"\n"), &vocabulary);
    let endless = tensors(&session, &TensorOptions { max_states: 500, ..TensorOptions::default() });
    assert_eq!(endless.expect_err("unbounded").kind(), gcc_grammar::ErrorKind::OverBudget);
    let mut states = 0;
    for depth in 1..5 {
        let cut = tensors(&session, &TensorOptions { depth: Some(depth), ..TensorOptions::default() });
        let cut = cut.expect("bounded");
        assert!(cut.cut.deeper > 0 && cut.cut.longer == 0);
        compare(&session, &cut, true);
        assert!(cut.states() > states, "a greater depth has more states");
        states = cut.states();
    }
}

/// All outputs of at most so many tokens, and no fewer.
#[test]
fn a_bound_on_tokens_keeps_all_short_outputs() {
    let vocabulary = Vocabulary::from_tokens("pairs", ["(", ")", "((", "))", "()"]).expect("valid");
    let session = session(&Source::lark("start: pair*\npair: \"(\" pair* \")\"\n"), &vocabulary);
    for most in 1..7u32 {
        let options = TensorOptions { tokens: Some(most), ..TensorOptions::default() };
        let bounded = tensors(&session, &options).expect("bounded");
        compare(&session, &bounded, true);
        assert_eq!(outputs(&bounded, most), outputs_of(&session, most), "at most {most} tokens");
    }
    let too_few = TensorOptions { tokens: Some(0), ..TensorOptions::default() };
    assert_eq!(tensors(&session, &too_few).expect_err("no output").kind(), gcc_grammar::ErrorKind::Refused);
}

/// The accepted outputs of at most so many tokens.
fn outputs(tensors: &Tensors, most: u32) -> BTreeSet<Vec<u32>> {
    let mut found = BTreeSet::new();
    let mut level = vec![(0, Vec::new())];
    for _ in 0..=most {
        found.extend(
            level.iter().filter(|(state, _)| tensors.accept[*state as usize]).map(|(_, path)| path.clone()),
        );
        let next = |(state, path): (u32, Vec<u32>)| {
            let longer = |(token, target)| (target, [path.as_slice(), &[token]].concat());
            targets(tensors, state).into_iter().map(longer).collect::<Vec<_>>()
        };
        level = level.into_iter().flat_map(next).collect();
    }
    found
}

fn outputs_of(session: &Session, most: u32) -> BTreeSet<Vec<u32>> {
    let mut found = BTreeSet::new();
    let mut level = vec![(session.matcher().expect("enough scratch"), Vec::new())];
    for _ in 0..=most {
        let mut next = Vec::new();
        for (mut matcher, path) in level {
            if matcher.is_terminated() {
                found.insert(path);
                continue;
            }
            for token in matcher.allowed_ranges().expect("enough scratch").into_iter().flatten() {
                let mut after = matcher.fork().expect("enough scratch");
                after.commit(token).expect("allowed");
                next.push((after, [path.as_slice(), &[token]].concat()));
            }
        }
        level = next;
    }
    found
}

/// `a*` by a left recursion, a right recursion and a star: the minimal automaton is the same.
#[test]
fn equal_languages_have_equal_tensors() {
    let vocabulary = Vocabulary::from_tokens("letters", ["a", "b", "aa", "ab"]).expect("valid");
    let of = |source: &Source| whole(&session(source, &vocabulary));
    let star = of(&Source::regex("a*b"));
    assert_eq!(star, of(&Source::lark("start: list \"b\"\nlist: (list \"a\")?\n")));
    assert_eq!(star, of(&Source::regex("(a|aa|aaa)*b")));
    assert_eq!((star.states(), star.edges()), (3, 3));
}

#[test]
fn files_are_the_same_each_time() {
    let session = session(&Source::regex("a*b"), &bytes());
    let tensors = whole(&session);
    let description = tensors.description(&session, None, None);
    let arrays = tensors.arrays();
    assert_eq!(npz(&arrays, &description), npz(&whole(&session).arrays(), &description));
    let file = safetensors(&arrays, &description);
    let length = u64::from_le_bytes(*file.first_chunk().expect("a length")) as usize;
    let header: serde_json::Value = serde_json::from_slice(&file[8..8 + length]).expect("JSON");
    let last = header["B_f.bits"]["data_offsets"][1].as_u64().expect("a number") as usize;
    assert_eq!(file.len(), 8 + length + last);
    assert_eq!(header["__metadata__"]["states"], tensors.states().to_string());
}
