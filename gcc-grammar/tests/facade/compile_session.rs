//! A session makes the artifacts that compiling alone makes, in every order and with every bound.

use gcc_grammar::vocabulary::{Overrides, Registry};
use gcc_grammar::{CompileSession, Options, Packing, Source, Vocabulary, compile, parse_for};
use std::fs;
use std::path::Path;
use std::thread;

/// Schemas with common lexemes, and sources in other notations between them.
fn sources() -> Vec<Source> {
    let schemas = [
        r#"{"type": "object", "properties": {"id": {"type": "string", "format": "uuid"}, "n": {"type": "integer"}}}"#,
        r#"{"type": "object", "properties": {"id": {"type": "string", "format": "uuid"}}, "additionalProperties": false}"#,
        r#"{"type": "array", "items": {"type": "string", "maxLength": 40}}"#,
        r#"{"type": "array", "items": {"type": "string", "minLength": 3, "maxLength": 60}, "minItems": 2}"#,
        r#"{"type": "object", "properties": {"when": {"type": "string", "format": "date-time"}}, "required": ["when"]}"#,
        r#"{"type": "object", "properties": {"when": {"type": "string", "format": "date"}, "who": {"enum": ["a", "b"]}}}"#,
        r#"{"type": "string", "pattern": "^[A-Z]{3}-\\d{4,8}$"}"#,
        r#"{"anyOf": [{"type": "string", "pattern": "^[A-Z]{3}-\\d{4,8}$"}, {"type": "number", "minimum": 0}]}"#,
        r#"{"type": "object", "patternProperties": {"^x-": {"type": "boolean"}}, "additionalProperties": {"type": "null"}}"#,
        r#"{"type": ["integer", "null"]}"#,
        "{}",
    ];
    let mut sources: Vec<Source> = schemas.into_iter().map(Source::json_schema).collect();
    sources.push(Source::lark("start: \"let \" NAME\nNAME: /[a-z_]+/\n"));
    sources.push(Source::regex("[a-z]{2,7}(-[0-9]{3})?"));
    sources
}

/// The everyday schemas of the measurements.
fn everyday() -> Vec<Source> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../benches/everyday");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    assert!(paths.len() > 3, "{paths:?}");
    paths.iter().map(|path| Source::json_schema(fs::read_to_string(path).unwrap())).collect()
}

/// The artifacts that a session makes of the sources, in this order. None of them is one that it has made before.
fn artifacts(session: &CompileSession, sources: &[Source]) -> Vec<Vec<u8>> {
    let options = Options::default();
    let compile = |source| {
        let parsed = parse_for(source, session.vocabulary(), &options).unwrap();
        let compiled = session.compile_parsed(&parsed, &options, Packing::Referenced, &mut ()).unwrap();
        compiled.artifact.bytes().to_vec()
    };
    sources.iter().map(compile).collect()
}

/// A vocabulary that is made anew, and has no precomputed walks.
fn without_walks() -> Vocabulary {
    Vocabulary::load_from(&Registry::without_folder(), "llama3", &Overrides::default()).unwrap()
}

fn alone(vocabulary: &Vocabulary, sources: &[Source]) -> Vec<Vec<u8>> {
    let options = Options::default();
    let compile = |source| compile(source, vocabulary, &options).unwrap().bytes().to_vec();
    sources.iter().map(compile).collect()
}

#[test]
fn artifacts_are_those_of_compiling_alone_in_every_order() {
    let vocabulary = Vocabulary::load("llama3").unwrap();
    let mut sources = [sources(), everyday()].concat();
    let mut expected = alone(&vocabulary, &sources);
    // Bounds: all is kept, or some, or hardly anything.
    for bound in [CompileSession::DEFAULT_BYTES, 24 << 20, 1 << 20] {
        let session = CompileSession::with_bound(&vocabulary, bound);
        for _ in 0..2 {
            assert!(artifacts(&session, &sources) == expected, "bound {bound}");
            assert!(session.bytes() <= bound, "{} of {bound}", session.bytes());
            sources.reverse();
            expected.reverse();
        }
    }
}

#[test]
fn walks_that_come_with_a_vocabulary_change_no_byte() {
    let with_walks = Vocabulary::load("llama3").unwrap();
    let without = without_walks();
    let known = |vocabulary: &Vocabulary| vocabulary.tokens().walks().map_or(0, |walks| walks.count());
    let counts = [&with_walks, &without].map(known);
    assert!(counts[0] > 1_000 && counts[1] == 0, "{counts:?}");
    let sources = [sources(), everyday()].concat();
    assert!(alone(&with_walks, &sources) == alone(&without, &sources));
}

#[test]
fn the_same_source_is_compiled_once() {
    let vocabulary = Vocabulary::load("llama3").unwrap();
    let session = CompileSession::new(&vocabulary);
    let (source, options) = (Source::json_schema(r#"{"maxLength": 3}"#), Options::default());
    let first = session.compile(&source, &options).unwrap();
    // With this limit it cannot be compiled, but it has been.
    let mut tight = Options::default();
    tight.limits.work = Some(1);
    assert!(session.compile(&source, &tight).unwrap().bytes() == first.bytes());
    let other = Source::json_schema(r#"{"maxLength": 4}"#);
    assert!(session.compile(&other, &tight).is_err());
    assert!(session.compile(&other, &options).unwrap().bytes() != first.bytes());
}

#[test]
fn walks_are_found_again() {
    let vocabulary = without_walks();
    let session = CompileSession::new(&vocabulary);
    let options = Options::default();
    let reuse = |schema: &str| {
        let parsed = parse_for(&Source::json_schema(schema), &vocabulary, &options).unwrap();
        session.compile_parsed(&parsed, &options, Packing::Referenced, &mut ()).unwrap().reuse
    };
    let first = reuse(r#"{"type": "object", "properties": {"day": {"type": "string", "format": "date"}}}"#);
    assert!(first.found == 0 && first.made > 20, "{first:?}");
    // Another key, another constraint beside it: the date and any JSON value are known.
    let second = reuse(
        r#"{"type": "object", "properties": {"date": {"type": "string", "format": "date"}, "n": {"maximum": 3}}}"#,
    );
    assert!(second.found > second.made, "{second:?}");
}

#[test]
fn a_session_goes_on_after_errors() {
    let vocabulary = Vocabulary::load("llama3").unwrap();
    let sources = sources();
    let expected = alone(&vocabulary, &sources);
    let session = CompileSession::new(&vocabulary);
    let mut tight = Options::default();
    let mut refused = 0;
    // Limits at which a compilation ends in each stage.
    for work in (0..24).map(|i| 1 << i) {
        tight.limits.work = Some(work);
        let compile = |source, options: &Options| {
            let parsed = parse_for(source, &vocabulary, options)?;
            session.compile_parsed(&parsed, options, Packing::Referenced, &mut ())
        };
        refused += sources.iter().filter(|source| compile(source, &tight).is_err()).count();
        let at = work.trailing_zeros() as usize % sources.len();
        let compiled = compile(&sources[at], &Options::default()).unwrap();
        assert!(compiled.artifact.bytes() == expected[at], "{work}");
    }
    assert!(refused > 100, "{refused}");
}

#[test]
fn threads_share_a_session() {
    let vocabulary = Vocabulary::load("llama3").unwrap();
    let sources = sources();
    let expected = alone(&vocabulary, &sources);
    let session = CompileSession::new(&vocabulary);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| assert!(artifacts(&session, &sources) == expected));
        }
    });
}
