//! What is said about ambiguity: `compile`, `check` and the runtime agree, and where it costs much there is a warning.

use gcc_grammar::lengths::shortest_text;
use gcc_grammar::{
    Code, Diagnostic, Options, Packing, Session, Source, Vocabulary, check, compile_parsed, parse, runtime,
};
use std::path::PathBuf;

/// Statements whose readings part only in dead ends: after `c` there is never `"c"`.
const DEAD_ENDS: &str = r#"start: (stmt ";")*
stmt: x C "!" | y C B "?" | z C B ":"
x: A
y: A
z: A
A: "a"
C: /c+/
B: "c"
"#;

/// Counted repetitions within each other, of which each byte may be part of several.
const COUNTS: &str = "root ::= (x{0,40} y?){0,40}\nx ::= \"a\" | \"(\" root \")\"\ny ::= \"a\" | \"aa\"\n";

const CHOICES: &str = "start: s\ns: s s s | s s | \"a\"\n";

fn vocabulary() -> Vocabulary {
    let tokens = (0..=u8::MAX).map(|byte| (u32::from(byte), vec![byte])).collect();
    let tokens = gcc_grammar_vocabulary::Vocabulary::from_tokens(tokens, Vec::new(), vec![256], 257);
    let file = tokens.expect("the tokens are distinct").to_artifact();
    Vocabulary::from_artifact("bytes", &file, PathBuf::from("bytes.gcv")).expect("a vocabulary")
}

/// The warnings about heads.
fn about_heads(warnings: &[Diagnostic]) -> Vec<&Diagnostic> {
    let is_about = |warning: &&Diagnostic| matches!(warning.code, Code::ManyHeads | Code::GrowingHeads);
    warnings.iter().filter(is_about).collect()
}

#[test]
fn dead_ends_are_no_heads() {
    let (vocabulary, options) = (vocabulary(), Options::default());
    let parsed = parse(&Source::lark(DEAD_ENDS), &options).expect("a grammar");
    let check = check(&parsed, &options, 10).expect("within the limits");
    let compiled =
        compile_parsed(&parsed, &vocabulary, &options, Packing::default(), &mut ()).expect("compiles");
    assert_eq!((check.conflict_count, check.conflicts.len(), compiled.stats.conflicts), (0, 0, 0));
    assert_eq!((check.findings.heads_text(), compiled.findings.heads_text()), (None, None));
    assert!(about_heads(&check.findings.warnings).is_empty() && about_heads(&compiled.warnings).is_empty());
    let session = Session::new(compiled.artifact, &vocabulary).expect("the same vocabulary");
    let engine = session.engine();
    let mut scratch = vec![0; engine.scratch_words()];
    let mut matcher = runtime::Matcher::new(engine, &mut scratch, 0).expect("enough scratch");
    for byte in b"acc!;ac!;" {
        matcher.commit_bytes(&[*byte]).expect("a prefix");
        assert_eq!(matcher.head_views().len(), 1);
    }
}

#[test]
fn compilations_warn_of_the_worst_grammars_with_a_text() {
    let (vocabulary, options) = (vocabulary(), Options::default());
    for (source, text) in [
        (Source::gbnf(COUNTS), "on y y y y y (y)^n, a byte takes 179, 383"),
        (Source::lark(CHOICES), "on \"a\" (\"a\")^n, a byte takes 6, 31"),
    ] {
        let parsed = parse(&source, &options).expect("a grammar");
        let compiled =
            compile_parsed(&parsed, &vocabulary, &options, Packing::default(), &mut ()).expect("compiles");
        let warnings = about_heads(&compiled.warnings);
        let growing = warnings.iter().find(|warning| warning.code == Code::GrowingHeads);
        let message = &growing.expect("a warning").message;
        assert!(message.contains(text), "{message}");
        let check = check(&parsed, &options, 0).expect("within the limits");
        assert!(about_heads(&check.findings.warnings).iter().any(|w| w.code == Code::GrowingHeads));
    }
}

/// A language with the empty text has no shorter one, and others have one.
#[test]
fn the_empty_text_is_the_shortest() {
    let options = Options::default();
    for source in
        [DEAD_ENDS, CHOICES, "start: \"a\"?", "start: A?\nA: /a+/\n%ignore \" \"\n", "start: \"ab\" | \"c\""]
    {
        let parsed = parse(&Source::lark(source), &options).expect("a grammar");
        let check = check(&parsed, &options, 0).expect("within the limits");
        let shortest = shortest_text(&parsed, &options).expect("small");
        assert_eq!(check.has_empty_text, shortest.is_empty(), "{source}");
    }
}
