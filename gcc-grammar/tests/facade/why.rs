//! Explanations of refused tokens agree with masks, and name what the grammar has at that place.

use gcc_grammar::runtime::Earlier;
use gcc_grammar::{Options, Session, Source, Vocabulary, Why, WhyPlaces, compile, schemas_around};

/// Tokens of which the first are single bytes, in the order of the alphabet, and longer ones after them.
fn vocabulary() -> Vocabulary {
    let bytes = (0..=u8::MAX).map(|byte| vec![byte]);
    let long = ["12", "1+", "+1", "(1", "true", "trix", " 1", "\"x\":"].map(|text| text.as_bytes().to_vec());
    let tokens: Vec<(u32, Vec<u8>)> = (0..).zip(bytes.chain(long)).collect();
    let width = tokens.len() as u32 + 1;
    let tokens = gcc_grammar_vocabulary::Vocabulary::from_tokens(tokens, Vec::new(), vec![width - 1], width);
    Vocabulary::new("letters", tokens.expect("a vocabulary"))
}

fn session(source: &Source) -> Session {
    let vocabulary = vocabulary();
    let artifact = compile(source, &vocabulary, &Options::default()).expect("it compiles");
    Session::new(artifact, &vocabulary).expect("the same vocabulary")
}

fn session_of_sums() -> Session {
    session(&Source::lark(
        "start: sum\nsum: value (\"+\" value)*\nvalue: NUMBER | \"(\" sum \")\"\nNUMBER: /[0-9]+/\n",
    ))
}

fn why(session: &Session, text: &str, token: &str) -> Why {
    let mut matcher = session.matcher().expect("a matcher");
    matcher.commit_bytes(text.as_bytes()).expect("a beginning of a text");
    let tokens = session.vocabulary().tokens();
    let id = (0..tokens.width()).find(|&id| tokens.bytes(id) == Some(token.as_bytes())).expect("a token");
    matcher.why(id).expect("there is room")
}

#[test]
fn a_refused_token_is_explained() {
    let sums = session_of_sums();
    let inside = why(&sums, "(12", "x");
    assert_eq!((inside.is_allowed, inside.possible, inside.may_end), (false, 0, false));
    assert_eq!(
        (&inside.lexeme[..], &inside.expected[..]),
        (&["NUMBER".to_owned()][..], &["\")\"".to_owned(), "\"+\"".to_owned()][..])
    );
    let beginning = why(&sums, "", "+1");
    assert_eq!((&beginning.lexeme[..], beginning.expected.len(), beginning.nearest), (&[][..], 2, None));
    let half = why(&sums, "1", "(1");
    assert!(half.may_end && half.expected == ["\"+\""] && half.possible == 0, "{half:?}");
    let space = why(&sums, "1+", " 1");
    let nearest = space.nearest.and_then(|near| sums.vocabulary().tokens().bytes(near).map(<[u8]>::to_vec));
    assert_eq!(nearest, Some(b"1".to_vec()), "{space:?}");
    assert!(why(&sums, "1+", "12").to_string().ends_with("may come next"));
}

#[test]
fn what_came_before_is_named_by_its_number() {
    let lists = |items: &str| {
        session(&Source::json_schema(format!(
            r#"{{"type": "array", "uniqueItems": true, "items": {items}}}"#
        )))
    };
    let strings = lists(r#"{"type": "string"}"#);
    let again = why(&strings, r#"["a", "b", "a"#, "\"");
    assert_eq!((again.is_excluded, again.repeated), (true, Some(Earlier::Item(1))), "{again:?}");
    assert!(again.to_string().contains("it would be equal to item 1 of its list"), "{again}");
    let other = why(&strings, r#"["a", "b", "c"#, "\n");
    assert_eq!((other.is_excluded, other.repeated), (false, None), "{other:?}");
    // A number is equal once something else comes.
    let numbers = lists(r#"{"type": "integer"}"#);
    let comma = why(&numbers, "[7, 12, 12", ",");
    assert_eq!(comma.repeated, Some(Earlier::Item(2)), "{comma:?}");
    assert_eq!(why(&numbers, "[7, 12, 12", "x").repeated, None);
    // All words that begin so came before.
    let words = lists(r#"{"type": "string", "pattern": "^(a[bc]|b[0-9]{4})$"}"#);
    assert_eq!(why(&words, r#"["ac", "ab", ""#, "a").repeated, Some(Earlier::Item(2)));
    // Items of several lexemes, and names within them.
    let pairs = lists(r#"{"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 2}"#);
    assert_eq!(why(&pairs, "[[1], [1, 2], [1", "]").repeated, Some(Earlier::Item(1)));
    let objects = lists(r#"{"type": "object"}"#);
    assert_eq!(why(&objects, r#"[{"k": 1, "x": 2, "x"#, "\"").repeated, Some(Earlier::Name(2)));
}

#[test]
fn keys_that_came_before_exclude_others() {
    let keys: Vec<String> = (0..14).map(|key| format!(r#""k{key:x}": {{"type": "integer"}}"#)).collect();
    let schema = format!(
        r#"{{"type": "object", "properties": {{{}}}, "additionalProperties": false}}"#,
        keys.join(",")
    );
    let options = Options::from_json(r#"{"property_order": "any"}"#).expect("options");
    let vocabulary = vocabulary();
    let artifact = compile(&Source::json_schema(schema), &vocabulary, &options);
    let session = Session::new(artifact.expect("it compiles"), &vocabulary).expect("the same vocabulary");
    let again = why(&session, r#"{"k1": 1, "k"#, "1");
    assert!(again.is_excluded && again.repeated.is_none(), "{again:?}");
    assert!(!why(&session, r#"{"k1": 1, "k"#, "x").is_excluded);
}

#[test]
fn what_is_possible_of_a_token_is_told() {
    let words = session(&Source::lark("start: \"true\" | \"trap\"\n"));
    let why = why(&words, "", "trix");
    assert_eq!((why.possible, why.may_end), (2, false));
    assert_eq!(why.lexeme, ["\"trap\"", "\"true\""]);
    let words = why.to_string();
    assert!(words.contains("only its beginning \"tr\" may") && words.contains("can become"), "{words}");
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// The places of what would have to come in place of the last byte of a text.
fn places(session: &Session, text: &str) -> WhyPlaces {
    let (before, last) = text.split_at(text.len() - 1);
    session.places_of(&why(session, before, last), Some(before.as_bytes()))
}

#[test]
fn places_in_the_schema_are_named() {
    let schema = Source::json_schema(
        r##"{"type": "object", "properties": {
            "list": {"$ref": "#/$defs/list"},
            "c": {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"], "additionalProperties": false},
            "d": {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"], "additionalProperties": false},
            "u": {"anyOf": [
                {"type": "object", "properties": {"kind": {"const": "p"}, "v": {"type": "integer"}}, "required": ["kind", "v"], "additionalProperties": false},
                {"type": "object", "properties": {"kind": {"const": "q"}, "v": {"type": "boolean"}}, "required": ["kind", "v"], "additionalProperties": false}
            ]}
        }, "additionalProperties": false, "$defs": {"list": {"type": "array", "items": {"type": "string"}}}}"##,
    );
    let session = session(&schema);
    for (text, pointer, expected) in [
        ("5", None, &[""][..]),
        (r#"{"list":5"#, Some("/list"), &["/$defs/list"]),
        (r#"{"list":["a",5"#, Some("/list/1"), &["/$defs/list/items"]),
        (r#"{"lisx"#, Some(""), &["/$defs/list"]),
        // Equal schemas share a rule of the grammar, but not their places.
        (r#"{"c":{"x":1},"d":{"x":""#, Some("/d/x"), &["/properties/d/properties/x"]),
        (r#"{"c":{"x":1},"d":{"y"#, Some("/d"), &["/properties/d/properties/x"]),
        (r#"{"u":{"kind":"q","v":1"#, Some("/u/v"), &["/properties/u/anyOf/1/properties/v"]),
        (
            r#"{"u":{"kind":"r"#,
            Some("/u/kind"),
            &["/properties/u/anyOf/0/properties/kind", "/properties/u/anyOf/1/properties/kind"],
        ),
    ] {
        let places = places(&session, text);
        assert_eq!(
            (places.pointer.as_deref(), &places.schema[..]),
            (pointer, &strings(expected)[..]),
            "{text}"
        );
        assert!(places.rules.is_empty());
        assert!(
            places.to_string().contains(&format!("the schema describes it at {:?}", expected[0])),
            "{places}"
        );
    }
    let without_text = session.places_of(&why(&session, r#"{"list":"#, "5"), None);
    assert_eq!(without_text, WhyPlaces::default());
    let grammar = session_of_sums();
    let places = places(&grammar, "(x");
    assert_eq!((places.rules[0].name.as_str(), places.pointer, places.schema.len()), ("value", None, 0));
}

/// At each byte of outputs of schemas, some subschema of the value is told, which stands in the schema.
#[test]
fn each_place_of_an_output_is_described() {
    for (schema, output) in [
        (r#"{"type": "array", "items": {"type": ["integer", "null"]}}"#, "[1, null, 2]"),
        (
            r##"{"$ref": "#/$defs/t", "$defs": {"t": {"type": "object", "additionalProperties": {"$ref": "#/$defs/t"}}}}"##,
            r#"{"a": {"b": {}}, "c": {}}"#,
        ),
        (
            r#"{"anyOf": [{"type": "string"}, {"type": "object", "patternProperties": {"^.$": {"enum": [1, [2]]}}}]}"#,
            r#"{"a": 1, "b": [2]}"#,
        ),
    ] {
        let source = Source::json_schema(schema);
        let value: serde_json::Value = serde_json::from_str(schema).expect("JSON");
        for end in 0..output.len() {
            let around = schemas_around(&source, &Options::default(), &output.as_bytes()[..end]);
            assert!(!around.is_empty());
            let last = around.last().expect("the value itself");
            assert!(!last.is_empty(), "{schema} {}", &output[..end]);
            for pointer in around.iter().flatten() {
                assert!(value.pointer(pointer).is_some_and(|schema| schema.is_object()), "{pointer}");
            }
        }
    }
}

/// At each place of random outputs and for each token, the explanation says what the mask says.
#[test]
fn explanations_agree_with_masks() {
    let schema = Source::json_schema(
        r#"{"type": "object", "properties": {"x": {"type": "integer"}, "y": {"enum": [true, null, "12"]}}, "required": ["x"]}"#,
    );
    let session = session(&schema);
    let mut generator = gcc_grammar::generate::Generator::new(&session).expect("budgets");
    for seed in 0..3 {
        let mut random = gcc_grammar::generate::RandomNumbers(seed);
        let tokens = generator.generate(&mut random, 60).expect("an output");
        let mut matcher = session.matcher().expect("a matcher");
        for token in tokens {
            for other in (0..session.vocabulary().tokens().width()).step_by(7) {
                let why = matcher.why(other).expect("there is room");
                assert_eq!(why.is_allowed, matcher.allows(other).expect("there is room"));
                let is_whole = why.bytes.as_ref().is_some_and(|bytes| bytes.len() == why.possible);
                assert!(why.is_allowed == is_whole || why.bytes.is_none(), "{why:?}");
                if let Some(near) = why.nearest {
                    assert!(matcher.allows(near).expect("there is room"));
                }
                let names_something = !why.lexeme.is_empty() || !why.expected.is_empty() || why.may_end;
                assert!(names_something, "{why:?}");
            }
            matcher.commit(token).expect("a token of an output");
        }
    }
}
