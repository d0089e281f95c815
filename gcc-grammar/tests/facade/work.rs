//! The work of a call has a bound, in units that do not depend on the clock.

use gcc_grammar::{
    MatchError, Matcher, MatcherOptions, Notation, Options, Session, Source, Vocabulary, compile,
};

fn vocabulary() -> Vocabulary {
    let bytes = (0..=u8::MAX).map(|byte| vec![byte]);
    let letters = (0..26 * 26u16).map(|pair| vec![b'a' + (pair / 26) as u8, b'a' + (pair % 26) as u8]);
    let words = letters.clone().flat_map(|first| {
        ["the", "ing", " a", "\n"].map(|last| [first.as_slice(), last.as_bytes()].concat())
    });
    Vocabulary::from_tokens("words", bytes.chain(letters).chain(words)).expect("a vocabulary")
}

fn session(notation: Notation, text: &str) -> Session {
    let vocabulary = vocabulary();
    let artifact =
        compile(&Source::new(notation, text), &vocabulary, &Options::default()).expect("a grammar");
    Session::new(artifact, &vocabulary).expect("its vocabulary")
}

fn bounded(session: &Session, most: u64) -> Matcher {
    session.matcher_with(&MatcherOptions { max_work: Some(most), ..MatcherOptions::default() }).expect("room")
}

/// Grammars whose commits take more and more work, and a byte that can be committed again and again.
const AMBIGUOUS: [(Notation, &str); 2] = [
    (Notation::Lark, "start: s\ns: s s s | s s | \"a\"\n"),
    (Notation::Gbnf, "root ::= (x{0,40} y?){0,40}\nx ::= \"a\" | \"(\" root \")\"\ny ::= \"a\" | \"aa\"\n"),
];

#[test]
fn a_call_beyond_its_work_leaves_the_matcher_as_it_was() {
    for (notation, text) in AMBIGUOUS {
        let session = session(notation, text);
        let most = 20_000;
        let mut matcher = bounded(&session, most);
        let mut committed = 0;
        let (before, error) = loop {
            let before = matcher.save();
            match matcher.commit_bytes(b"a") {
                Ok(()) => committed += 1,
                Err(error) => break (before, error),
            }
            assert!(committed < 2_000, "{notation:?}: no bound");
        };
        assert_eq!(error, MatchError::TooMuchWork { most }, "{notation:?}");
        assert!(matcher.inspect(|matcher| matcher.work_done()) <= most);
        assert!(error.to_string().contains("raise max_work"), "{error}");
        assert_eq!(matcher.save(), before, "{notation:?}: the state after {committed} bytes");
        assert_eq!(
            matcher.commit(u32::from(b'a')),
            Err(error),
            "{notation:?}: the same call, the same error"
        );
        assert_eq!(matcher.validate_bytes(b"a"), Err(error), "{notation:?}");
        assert_eq!(matcher.forced(4), Err(error), "{notation:?}");
        assert_eq!(matcher.save(), before, "{notation:?}: questions change nothing");
        assert_eq!(matcher.committed(), committed);
        matcher.rollback(1).expect("within the history");
        matcher.commit_bytes(b"a").expect("as before");
        matcher.set_max_work(None);
        matcher.commit_bytes(b"a").expect("without a bound");
    }
}

/// The count does not depend on the size of the scratch, nor on a copy.
#[test]
fn work_is_deterministic() {
    let session = session(Notation::Lark, AMBIGUOUS[0].1);
    let counts = || {
        let mut matcher = session.matcher_with_rollback(3).expect("room");
        let commit = |_| {
            matcher.commit_bytes(b"a").expect("ambiguous");
            matcher.inspect(|matcher| matcher.work_done())
        };
        (0..40).map(commit).collect::<Vec<u64>>()
    };
    assert_eq!(counts(), counts());
    assert!(
        counts().is_sorted_by(|a, b| *a <= b.saturating_mul(2)) && counts()[39] > 1_000,
        "{:?}",
        counts()
    );
}

/// A grammar of letters: nearly every token spans several lexemes, and `tag` can be split in many ways.
const LETTERS: &str = "start: line (\"\\n\" line)+
line: \"push\" | \"test:\" \"test\" word | \"-\"? tag+
tag: word (\" \" word)+
word: alphanum+
alphanum: \"a\"..\"z\" | \"0\"..\"9\"
";

#[test]
fn masks_near_the_end_of_a_budget_take_bounded_work() {
    let session = session(Notation::Lark, LETTERS);
    let mut matcher = session.matcher().expect("room");
    matcher.set_budget(Some(12)).expect("enough");
    let mut row = vec![0; session.row_words()];
    let mut most = 0;
    for step in 0..12 {
        matcher.fill_mask(&mut row).expect("room");
        most = most.max(matcher.inspect(|matcher| matcher.work_done()));
        let ranges = matcher.allowed_ranges().expect("room");
        let last = ranges.last().expect("a mask within a budget is not empty").end - 1;
        let letter = u32::from(b'a' + step);
        let token = if matcher.allows(letter).expect("room") { letter } else { last };
        matcher.commit(token).expect("in the mask");
        if matcher.is_accepting().expect("room") {
            break;
        }
    }
    assert!(matcher.degraded_masks() > 0, "the search was not bounded");
    assert!(most < 1 << 18, "a mask took {most} units");
}

#[test]
fn a_completion_beyond_its_work_is_an_error() {
    let session = session(Notation::Lark, AMBIGUOUS[0].1);
    let mut matcher = session.matcher().expect("room");
    (0..40).for_each(|_| matcher.commit_bytes(b"a").expect("ambiguous"));
    assert!(matcher.shortest_completion().expect("within the default").is_some());
    matcher.set_max_work(Some(10));
    let before = matcher.save();
    assert_eq!(matcher.shortest_completion(), Err(MatchError::TooMuchWork { most: 10 }));
    assert_eq!(matcher.save(), before);
}

/// The least grammar with this rule for a list of many readings, and the tokens of a small vocabulary.
const READINGS: &str = "root ::= (((\"b\" \"bc\") | x?) ([abd] x+ [b]) ((\"cc\" \"aa\" \"b\") | \"c\"+))\n\
    x ::= (((root root) | x? | [bcd]) \"c\")\n";

/// Budgets promise a completion of at most as many tokens as `min_remaining` says, whatever the search for the cheapest token comes to.
#[test]
fn a_text_with_a_known_cost_has_a_completion() {
    let few = ["cdc", "bab", "ad", "b", "c", "q", "ac", "d", "a"].map(str::as_bytes).to_vec();
    let bytes: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
    let few = few.into_iter().map(<[u8]>::to_vec).collect();
    let cases = [
        (Source::new(Notation::Ebnf, READINGS), few, b"babada".to_vec()),
        (Source::json_schema("{}"), bytes, vec![b'['; 3000]),
    ];
    for (source, tokens, text) in cases {
        let tokens: Vec<Vec<u8>> = tokens;
        let vocabulary = Vocabulary::from_tokens("few", tokens).expect("a vocabulary");
        let options = Options { budgets: "exact".parse().expect("an option"), ..Options::default() };
        let artifact = compile(&source, &vocabulary, &options).expect("a grammar");
        let session = Session::new(artifact, &vocabulary).expect("its vocabulary");
        let mut matcher = session.matcher().expect("room");
        matcher.commit_bytes(&text).expect("a beginning");
        let most = matcher.min_remaining().expect("budgets").expect("a cost");
        let tokens = matcher.shortest_completion().expect("budgets").expect("a completion");
        assert!(tokens.len() <= most as usize);
        tokens.iter().for_each(|&token| matcher.commit(token).expect("allowed"));
        assert!(matcher.is_accepting().expect("room") || matcher.is_terminated());
    }
}
