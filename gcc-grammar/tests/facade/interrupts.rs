//! An interrupt ends a compilation at once, wherever it is, and never leaves half a result.

use gcc_grammar::{
    CompileSession, DemandOptions, Error, ErrorKind, Interrupt, Notation, Observer, Options, Packing,
    Session, Source, Vocabulary, compile, compile_parsed, difference::difference, parse, parse_for,
};
use std::fmt::Write;
use std::thread;
use std::time::{Duration, Instant};

const LARK: &str =
    "start: (pair \",\")* pair\npair: NAME \":\" value\nvalue: NAME | \"[\" value* \"]\"\nNAME: /[a-z]{1,9}/";

fn vocabulary() -> Vocabulary {
    Vocabulary::from_tokens("bytes", (0..=255_u8).map(|byte| [byte])).expect("a vocabulary")
}

/// Sets an interrupt when a stage begins, by its number.
struct At {
    stage: usize,
    seen: usize,
    interrupt: Interrupt,
}

impl Observer for At {
    fn stage(&mut self, _: &'static str) {
        if self.seen == self.stage {
            self.interrupt.set();
        }
        self.seen += 1;
    }
}

fn is_interrupted<T>(made: Result<T, Error>) -> bool {
    made.err().is_some_and(|error| error.kind() == ErrorKind::Interrupted)
}

#[test]
fn whatever_stage_is_interrupted_there_is_no_artifact() {
    let (source, vocabulary) = (Source::new(Notation::Lark, LARK), vocabulary());
    let (mut stages, mut compiled) = (0, false);
    while !compiled {
        let mut at = At { stage: stages, seen: 0, interrupt: Interrupt::default() };
        let options = Options { interrupt: at.interrupt.clone(), ..Options::default() };
        let parsed = parse_for(&source, &vocabulary, &options).expect("not set yet");
        let made = compile_parsed(&parsed, &vocabulary, &options, Packing::Referenced, &mut at);
        compiled = made.is_ok();
        // After the last stage that computes, the artifact is written.
        assert!(compiled && stages + 1 >= at.seen || is_interrupted(made), "stage {stages}");
        stages += 1;
    }
    assert!(stages > 8);
}

#[test]
fn what_is_interrupted_before_it_begins_is_not_begun() {
    let vocabulary = vocabulary();
    let options = Options::default();
    options.interrupt.set();
    let session = CompileSession::new(&vocabulary);
    let texts = [
        (Notation::Lark, LARK),
        (Notation::JsonSchema, "{}"),
        (Notation::Regex, "a"),
        (Notation::Choices, "a"),
    ];
    for (notation, text) in texts {
        let source = Source::new(notation, text);
        assert!(is_interrupted(parse(&source, &options)));
        assert!(is_interrupted(compile(&source, &vocabulary, &options)));
        assert!(is_interrupted(session.compile(&source, &options)));
        assert!(is_interrupted(Session::on_demand(
            &source,
            &vocabulary,
            &options,
            &DemandOptions::default()
        )));
        let parsed = parse(&source, &Options::default()).expect("a grammar");
        assert!(is_interrupted(difference(&parsed, &parsed, &options)));
        // Nothing of it is kept.
        assert!(session.compile(&source, &Options::default()).is_ok());
    }
}

/// Inputs that take seconds, each in another stage.
fn slow() -> Vec<(&'static str, Source)> {
    let json = |text: String| Source::new(Notation::JsonSchema, text);
    let list =
        |count: usize, part: &dyn Fn(usize) -> String| (0..count).map(part).collect::<Vec<_>>().join(",");
    let chain = (0..60_000).fold(String::from("root ::= r0\n"), |mut text, rule| {
        let _ = writeln!(text, "r{rule} ::= \"a\" r{} | \"b{rule}\"", rule + 1);
        text
    }) + "r60000 ::= \"c\"\n";
    let words: String =
        (0..150_000_u64).map(|word| format!("{:x}\n", word.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect();
    vec![
        (
            "properties",
            json(format!("{{\"properties\":{{{}}}}}", list(4_000, &|key| format!("\"k{key}\":{{}}")))),
        ),
        ("contains", json("{\"minContains\":8000,\"contains\":{\"type\":\"integer\"}}".into())),
        (
            "tuple",
            json(format!(
                "{{\"prefixItems\":[{}]}}",
                list(1_500, &|key| format!("{{\"properties\":{{\"k{key}\":{{}}}}}}"))
            )),
        ),
        (
            "pattern",
            json(
                r#"{"type":"string","pattern":"^(?=.*[a-z]{3})(?=.*[0-9]{3})(?=.*[\\p{Lu}]{3}).{20,400}$"}"#
                    .into(),
            ),
        ),
        ("rules", Source::new(Notation::Gbnf, chain)),
        ("choices", Source::new(Notation::Choices, words)),
    ]
}

#[test]
fn a_compilation_ends_soon_after_its_interrupt() {
    let vocabulary = vocabulary();
    for (name, source) in slow() {
        for wait in [10, 100] {
            let options = Options::default();
            let interrupt = options.interrupt.clone();
            let set = thread::spawn(move || {
                thread::sleep(Duration::from_millis(wait));
                interrupt.set();
                Instant::now()
            });
            let made = compile(&source, &vocabulary, &options);
            let (end, set) = (Instant::now(), set.join().expect("set"));
            assert!(is_interrupted(made), "{name} takes longer than {wait} ms");
            // It is some 0.1 s where nothing else runs.
            assert!(end.saturating_duration_since(set) < Duration::from_secs(2), "{name}, {wait} ms");
        }
    }
}
