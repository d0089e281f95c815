//! Sessions and matchers as a program embeds them: owned, shared by threads, growing, saved and restored.

use gcc_grammar::{
    Artifact, Code, Error, ErrorKind, MatchError, Matcher, Options, Session, Source, TokenBudgets,
    Vocabulary, check, compile, explain, generate, parse, trace,
};
use std::path::PathBuf;
use std::thread;

/// A vocabulary of all bytes and some longer tokens; 300 ends the output.
fn vocabulary() -> Vocabulary {
    let bytes = (0..=u8::MAX).map(|byte| (u32::from(byte), vec![byte]));
    let longer = (256..).zip(["[[", "]]", "\"a\"", ", "]).map(|(id, text)| (id, text.as_bytes().to_vec()));
    let tokens = bytes.chain(longer).collect();
    let tokens = gcc_grammar_vocabulary::Vocabulary::from_tokens(tokens, Vec::new(), vec![300], 320);
    let file = tokens.expect("the tokens are distinct").to_artifact();
    Vocabulary::from_artifact("toy", &file, PathBuf::from("toy.gcv")).expect("a vocabulary")
}

fn session(source: &Source) -> Session {
    let vocabulary = vocabulary();
    let artifact = compile(source, &vocabulary, &Options::default()).expect("the source compiles");
    Session::new(artifact, &vocabulary).expect("the artifact is for this vocabulary")
}

fn nested() -> Session {
    session(&Source::lark("start: \"[\" start \"]\" | \"x\""))
}

fn mask(matcher: &mut Matcher) -> Vec<u32> {
    let mut row = vec![0; matcher.session().row_words()];
    matcher.fill_mask(&mut row).expect("the row is long enough");
    row
}

#[test]
fn sessions_are_shared_and_matchers_move_between_threads() {
    fn assert_all<T: Send + Sync + 'static>() {}
    fn assert_send<T: Send + 'static>() {}
    assert_all::<Session>();
    assert_all::<Vocabulary>();
    assert_all::<Error>();
    assert_send::<Matcher>();

    let session = nested();
    let texts = (0..4).map(|thread| {
        let mut matcher = session.matcher().expect("enough scratch");
        thread::spawn(move || {
            for _ in 0..=thread {
                matcher.commit(u32::from(b'[')).expect("brackets nest");
            }
            matcher.commit(u32::from(b'x')).expect("the innermost text");
            let close = vec![u32::from(b']'); 10];
            matcher.validate(&close).expect("enough scratch")
        })
    });
    let threads: Vec<_> = texts.collect();
    let closed: Vec<usize> = threads.into_iter().map(|thread| thread.join().expect("no panic")).collect();
    assert_eq!(closed, [1, 2, 3, 4]);
}

#[test]
fn scratch_grows_on_demand() {
    const DEPTH: usize = 200_000;
    let session = nested();
    let mut matcher = session.matcher().expect("enough scratch");
    for _ in 0..DEPTH / 2 {
        matcher.commit(256).expect("scratch grows");
    }
    matcher.commit(u32::from(b'x')).expect("the innermost text");
    assert!(!matcher.is_accepting().expect("enough scratch"));
    for _ in 0..DEPTH / 2 {
        matcher.commit(257).expect("every bracket is closed");
    }
    assert!(matcher.is_accepting().expect("enough scratch"));
    assert_eq!(matcher.commit(257), Err(MatchError::Refused));
    matcher.rollback(1).expect("the last commit can be taken back");
    assert!(matcher.allows(257).expect("enough scratch"));
}

#[test]
fn forks_are_independent_and_saved_matchers_continue() {
    let session = nested();
    let mut matcher = session.matcher().expect("enough scratch");
    matcher.commit(256).expect("two brackets");
    let mut fork = matcher.fork().expect("as much scratch");
    fork.commit(u32::from(b'x')).expect("the innermost text");
    assert_eq!((matcher.committed(), fork.committed()), (1, 2));

    let saved = fork.save();
    let mut restored = session.restore(&saved).expect("saved by the same artifact");
    assert_eq!(mask(&mut restored), mask(&mut fork));
    restored.rollback(1).expect("the history is restored, too");
    assert_eq!(mask(&mut restored), mask(&mut matcher));

    let other = session_of_choices();
    assert_eq!(other.restore(&saved).map(|_| ()), Err(MatchError::OtherArtifact));
    let damaged: Vec<u8> = saved.iter().map(|byte| byte ^ 1).collect();
    assert_eq!(session.restore(&damaged).map(|_| ()), Err(MatchError::NotASavedMatcher));
}

fn session_of_choices() -> Session {
    session(&Source::choices(["\"a\"", "[["]))
}

#[test]
fn end_tokens_terminate_and_explanations_name_the_refused_token() {
    let session = session_of_choices();
    let mut matcher = session.matcher().expect("enough scratch");
    let explanation = explain(&mut matcher, &[258, 300]).expect("enough scratch");
    assert_eq!((explanation.accepted, explanation.refused), (2, None));
    assert!(matcher.is_terminated());
    assert_eq!(matcher.commit(300), Err(MatchError::Refused));

    matcher.reset();
    let explanation = explain(&mut matcher, &[u32::from(b'['), u32::from(b'x')]).expect("enough scratch");
    assert_eq!((explanation.accepted, explanation.refused), (1, Some(u32::from(b'x'))));
    assert_eq!(explanation.allowed.forced, b"[");
    assert_eq!(explanation.text, b"[");
}

#[test]
fn errors_have_a_kind_diagnostics_and_a_source() {
    let vocabulary = vocabulary();
    let refused = compile(&Source::lark("start: missing"), &vocabulary, &Options::default());
    let refused = refused.expect_err("a rule is missing");
    assert_eq!(refused.kind(), ErrorKind::Refused);
    assert_eq!(refused.diagnostics()[0].code, Code::UndefinedName);
    assert!(refused.render().contains("missing"), "{}", refused.render());

    let artifact = compile(&Source::regex("[0-9]+"), &vocabulary, &Options::default()).expect("compiles");
    let mut bytes = artifact.bytes().to_vec();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    let damaged = Session::from_bytes("damaged", bytes, &vocabulary).expect_err("a bit is flipped");
    assert_eq!(damaged.diagnostics()[0].code, Code::DamagedArtifact);
    assert!(std::error::Error::source(&damaged).is_some());

    let other = gcc_grammar_vocabulary::Vocabulary::from_tokens(vec![(0, b"0".to_vec())], vec![], vec![], 1);
    let other = other.expect("one token").to_artifact();
    let other = Vocabulary::from_artifact("other", &other, PathBuf::new()).expect("a vocabulary");
    let wrong = Session::new(artifact, &other).expect_err("compiled for another vocabulary");
    assert_eq!(wrong.kind(), ErrorKind::OtherVocabulary);

    let missing = Artifact::open(&PathBuf::from("/no/such/artifact.gcg")).expect_err("there is no such file");
    assert_eq!(missing.kind(), ErrorKind::NotFound);
}

#[cfg(unix)]
#[test]
fn links_that_lead_to_no_file_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let link = folder.path().join("link.gcg");
    std::os::unix::fs::symlink("none", &link).expect("a link");
    let message = Artifact::open(&link).expect_err("no file").render();
    assert!(message.contains("the symbolic link leads to no file") && !message.contains("help"), "{message}");
    let message = Artifact::open(&PathBuf::from("/dev/null")).expect_err("a device").render();
    assert!(
        message.contains("help: give a regular file; commands read the standard input as `-`\n"),
        "{message}"
    );
}

#[test]
fn artifacts_are_saved_and_opened() {
    let vocabulary = vocabulary();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("digits.gcg");
    let artifact = compile(&Source::regex("[0-9]{3}"), &vocabulary, &Options::default()).expect("compiles");
    artifact.save(&path).expect("the folder can be written");
    let opened = Artifact::open(&path).expect("the file is there");
    assert_eq!(opened.bytes(), artifact.bytes());
    let session = Session::new(opened, &vocabulary).expect("the same vocabulary");
    let mut matcher = session.matcher().expect("enough scratch");
    assert_eq!(matcher.count_allowed(), Ok(10));
    let ranges = matcher.allowed_ranges().expect("enough scratch");
    assert_eq!(ranges.first(), Some(&(u32::from(b'0')..u32::from(b'9') + 1)));
}

#[test]
fn outputs_are_generated_and_completed() {
    let session = session(&Source::json_schema(
        r#"{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}"#,
    ));
    let mut generator = generate::Generator::new(&session).expect("enough scratch");
    for seed in 0..20 {
        let tokens = generator.generate(&mut generate::RandomNumbers(seed), 10).expect("an output");
        let mut matcher = session.matcher().expect("enough scratch");
        let explanation = explain(&mut matcher, &tokens);
        assert!(explanation.expect("enough scratch").is_complete(), "seed {seed}");
    }
    let mut matcher = session.matcher().expect("enough scratch");
    matcher.commit_bytes(b"{\"a\":").expect("a prefix");
    let rest = matcher.shortest_completion().expect("budgets").expect("there is a way to the end");
    rest.iter().for_each(|&token| matcher.commit(token).expect("a token of a completion"));
    assert!(rest.len() > 1 && matcher.is_terminated());
}

#[test]
fn without_budgets_chance_leads_to_outputs_and_there_are_no_completions() {
    let vocabulary = vocabulary();
    let options = Options { budgets: TokenBudgets::Off, ..Options::default() };
    let artifact = compile(&Source::lark("start: \"a\" \"b\""), &vocabulary, &options).expect("small");
    let session = Session::new(artifact, &vocabulary).expect("the same vocabulary");
    let mut generator = generate::Generator::new(&session).expect("enough scratch");
    let random = &mut generate::RandomNumbers(0);
    assert_eq!(generator.generate(random, 3), Ok(vec![0x61, 0x62, 300]));
    assert_eq!(generator.generate(random, 2), Err(MatchError::NoBudgets));
    assert_eq!(generator.beginning(random, 1), Ok(vec![0x61]));
    let mut matcher = session.matcher().expect("enough scratch");
    assert_eq!(matcher.shortest_completion(), Err(MatchError::NoBudgets));
}

#[test]
fn texts_are_traced_and_grammars_checked() {
    let (source, options) =
        (Source::lark("start: NUMBER (\"+\" NUMBER)*\nNUMBER: /[0-9]+/"), Options::default());
    let parsed = parse(&source, &options).expect("a grammar");
    let accepted = trace(&parsed, b"12+3", &options).expect("within the limits");
    let terminals: Vec<_> = accepted.lexemes.iter().map(|lexeme| lexeme.terminal.as_deref()).collect();
    assert!(accepted.is_accepted);
    assert_eq!(terminals, [Some("NUMBER"), Some("\"+\""), Some("NUMBER")]);
    let refused = trace(&parsed, b"12+x", &options).expect("within the limits");
    assert_eq!((refused.is_accepted, refused.read), (false, 3));
    let stuck = &refused.stuck[0];
    assert_eq!((&stuck.stack[..], stuck.depth, &stuck.reading[..]), (&["NUMBER".into()][..], 1, &b"+"[..]));
    assert_eq!(refused.stuck[0].expected, ["\"+\"", "the end"]);

    let check = check(&parsed, &options, 10).expect("within the limits");
    assert_eq!((check.terminals, check.conflict_count), (2, 0));
}

#[test]
fn a_damaged_section_is_named() {
    let vocabulary = Vocabulary::from_tokens("bytes", (0..=255_u8).map(|byte| [byte])).expect("a vocabulary");
    let source = Source::regex("[a-z]+");
    let artifact = compile(&source, &vocabulary, &Options::default()).expect("an artifact");
    let whole = artifact.bytes();
    let message = |at: usize| {
        let mut bytes = whole.to_vec();
        bytes[at] ^= 1;
        Session::from_bytes("damaged", bytes, &vocabulary).err().map(|error| error.to_string())
    };
    let messages: Vec<String> = (0..whole.len()).step_by(97).filter_map(message).collect();
    assert!(messages.iter().any(|message| message.contains("the section `") && message.contains("checksum")));
}
