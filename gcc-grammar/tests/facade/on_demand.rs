//! Masks that are made on demand are those of the artifact, which new matchers read once it is there.

use gcc_grammar::generate::RandomNumbers;
use gcc_grammar::{
    CompileSession, DemandOptions, MatchError, Matcher, Notation, Options, RowMemory, Session, Source,
    Uncompiled, Vocabulary, Why, compile,
};
use gcc_grammar_artifact::{Fingerprints, GrammarView};
use gcc_grammar_compiler::{Limits, OnDemand, Prepared};
use gcc_grammar_runtime::Engine;
use std::sync::Arc;
use std::thread;

const SCHEMAS: [&str; 6] = [
    r#"{"type":"object","properties":{"name":{"type":"string","maxLength":30},"age":{"type":"integer","minimum":3,"maximum":120}},"required":["name"]}"#,
    r#"{"type":"array","items":{"enum":["red","green","blue",1,2.5,null]},"maxItems":5}"#,
    r##"{"$ref":"#/$defs/tree","$defs":{"tree":{"type":"object","properties":{"left":{"$ref":"#/$defs/tree"},"right":{"$ref":"#/$defs/tree"},"at":{"type":"string","format":"date-time"}},"additionalProperties":false}}}"##,
    r#"{"type":"string","pattern":"^[a-z]{2,5}(-[A-Z0-9]+)*$"}"#,
    r#"{"anyOf":[{"type":"object","properties":{"a":{"const":"x"},"b":{"type":"number"}},"required":["a"]},{"type":"object","properties":{"a":{"const":"y"},"c":{"type":"boolean"}}}]}"#,
    "true",
];

const GRAMMARS: [(Notation, &str); 4] = [
    (
        Notation::Lark,
        "start: e\ne: e \"+\" e | \"-\" e | \"(\" e \")\" | /[a-z_]\\w*/ | /\\d+/\n%ignore /[ \\n]+/\n",
    ),
    (Notation::Gbnf, "root ::= s\ns ::= \"a\" s \"b\" | \"a\" s | \"c\"\n"),
    (Notation::Gbnf, "root ::= (x{0,8} y?){0,8}\nx ::= \"a\" | \"(\" root \")\"\ny ::= \"a\" | \"aa\"\n"),
    (Notation::Regex, "(a|b)*a(a|b){5}|[^ab]+"),
];

fn sources() -> Vec<Source> {
    let schemas = SCHEMAS.map(|schema| Source::new(Notation::JsonSchema, schema));
    schemas.into_iter().chain(GRAMMARS.map(|(notation, text)| Source::new(notation, text))).collect()
}

/// Bytes, and pairs and words that span lexemes.
fn vocabulary() -> Vocabulary {
    let bytes = (0..=u8::MAX).map(|byte| vec![byte]);
    let words = [
        "\"name", "\":", "\": \"", "\",\"", "}}", "\"}", "true", "null", "1.", "20", "ab", "aab", "((", "))",
        "a+", "-(", " \"", "é", "red\",", "-A",
    ];
    Vocabulary::from_tokens("words", bytes.chain(words.map(|word| word.as_bytes().to_vec())))
        .expect("a vocabulary")
}

fn on_demand(source: &Source, vocabulary: &Vocabulary, demand: &DemandOptions) -> Session {
    Session::on_demand(source, vocabulary, &Options::default(), demand).expect("a grammar").0
}

fn artifact(source: &Source, vocabulary: &Vocabulary) -> Session {
    Session::new(compile(source, vocabulary, &Options::default()).expect("a grammar"), vocabulary)
        .expect("its own")
}

const ALONE: DemandOptions = DemandOptions { most_bytes: 64 << 20, completes: false };

fn mask(matcher: &mut Matcher) -> Vec<u32> {
    let mut row = vec![0; matcher.session().row_words()];
    matcher.fill_mask(&mut row).expect("a mask");
    row
}

/// A token of the mask.
fn pick(mask: &[u32], random: &mut RandomNumbers) -> Option<u32> {
    let allowed: Vec<u32> = (0..mask.len() as u32 * 32)
        .filter(|&token| mask[token as usize / 32] >> (token % 32) & 1 == 1)
        .collect();
    allowed.get(random.below(allowed.len().max(1))).copied()
}

/// Walks through both sessions and compares all masks. Returns how many.
fn compare(one: &mut Matcher, two: &mut Matcher, seed: u64, most: usize) -> usize {
    let mut random = RandomNumbers(seed);
    for step in 0..most {
        let expected = mask(one);
        assert_eq!(mask(two), expected, "seed {seed}, step {step}");
        let Some(token) = pick(&expected, &mut random) else { return step + 1 };
        one.commit(token).expect("allowed");
        two.commit(token).expect("allowed");
    }
    most
}

#[test]
fn masks_are_those_of_the_artifact() {
    let vocabulary = vocabulary();
    let mut compared = 0;
    for source in sources() {
        let (whole, lazy) = (artifact(&source, &vocabulary), on_demand(&source, &vocabulary, &ALONE));
        for seed in 0..8 {
            compared += compare(&mut whole.matcher().unwrap(), &mut lazy.matcher().unwrap(), seed, 60);
        }
        assert!(lazy.completed().is_none());
    }
    assert!(compared > 2_000, "{compared} masks");
}

/// Where processors are scarce, masks go first.
#[cfg(target_os = "linux")]
#[test]
fn the_artifact_is_compiled_with_a_low_priority() {
    let (vocabulary, (send, receive)) = (vocabulary(), std::sync::mpsc::channel());
    let niceness = || {
        let stat = std::fs::read_to_string("/proc/thread-self/stat").expect("the state of this thread");
        let behind_the_name = stat.rsplit_once(')').expect("its name").1;
        behind_the_name.split_whitespace().nth(16).expect("its niceness").parse::<i32>().expect("a number")
    };
    let compile = move |uncompiled: &Uncompiled<'_>| {
        send.send(niceness()).expect("somebody listens");
        uncompiled.compile()
    };
    let source = Source::new(Notation::JsonSchema, SCHEMAS[0]);
    let options = (&Options::default(), &DemandOptions::default());
    let session =
        Session::on_demand_by(&source, &vocabulary, options.0, options.1, compile).expect("a grammar");
    assert_eq!(receive.recv(), Ok((niceness() + 10).min(19)));
    drop(session);
}

/// Lists whose items differ, also where an item has several lexemes: the runtime looks ahead with the lexer and the parser, and reads more of their states than
/// the texts do.
#[test]
fn masks_of_lists_whose_items_differ_are_those_of_the_artifact() {
    let vocabulary = vocabulary();
    let items = [
        r#"{"type":"array","items":{"enum":["a","ab","b"]},"maxItems":2}"#,
        r#"{"type":"array","items":{"enum":[1,20]},"maxItems":2,"uniqueItems":true}"#,
        r#"{"type":"object","properties":{"name":{"enum":["a","ab"]},"true":{"type":"boolean"}},"required":["name"],"additionalProperties":false}"#,
        r#"{"anyOf":[{"type":"object","properties":{"a":{"enum":[true,null]}},"additionalProperties":false},{"enum":["red",1]}]}"#,
        r#"{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}"#,
        r#"{"type":"string","pattern":"^[ab]{0,3}$"}"#,
    ];
    let mut compared = 0;
    for items in items {
        let schema = format!(r#"{{"type":"array","items":{items},"uniqueItems":true,"maxItems":4}}"#);
        let source = Source::new(Notation::JsonSchema, schema);
        let (whole, lazy) = (artifact(&source, &vocabulary), on_demand(&source, &vocabulary, &ALONE));
        for seed in 0..24 {
            let (mut one, mut two) = (whole.matcher().unwrap(), lazy.matcher().unwrap());
            compared += compare(&mut one, &mut two, seed, 80);
            assert_eq!(two.save(), one.save());
        }
        assert!(lazy.completed().is_none());
    }
    assert!(compared > 1_000, "{compared} masks");
}

/// A grammar of a single terminal, whose lexemes are free text and follow each other: a token can have several.
#[test]
fn lexemes_of_free_text_follow_each_other() {
    let words = ["ax", "axa", "xx", "axxa", "xab"].map(|word| word.as_bytes().to_vec());
    let vocabulary =
        Vocabulary::from_tokens("free text", (0..=u8::MAX).map(|byte| vec![byte]).chain(words)).unwrap();
    for text in
        ["root ::= t root t | t\nt ::= [^x]+ | \"x\"\n", "root ::= (t root)?\nt ::= [^x]+ \"y\"? | \"x\"\n"]
    {
        let source = Source::new(Notation::Gbnf, text);
        let (whole, lazy) = (artifact(&source, &vocabulary), on_demand(&source, &vocabulary, &ALONE));
        for seed in 0..8 {
            compare(&mut whole.matcher().unwrap(), &mut lazy.matcher().unwrap(), seed, 20);
        }
        let mut matcher = whole.matcher().unwrap();
        for token in 256..261 {
            assert!(mask(&mut matcher)[token / 32] >> (token % 32) & 1 == 1, "{text}: {token}");
        }
    }
}

/// Masks that are far from all bases of the vocabulary become bases themselves, and others are stored relative to them.
#[test]
fn masks_far_from_all_bases_are_those_of_the_artifact() {
    let letters = b'a'..=b'p';
    let words = letters
        .clone()
        .flat_map(|a| letters.clone().flat_map(move |b| (b'a'..=b'p').map(move |c| vec![a, b, c])));
    let vocabulary = Vocabulary::from_tokens("letters", (0..=u8::MAX).map(|byte| vec![byte]).chain(words));
    let vocabulary = vocabulary.expect("a vocabulary");
    let sources = ["[acegikmo]{2}[a-p].*", "([a-h][a-p][acegikmo])*", "([^a-h][a-p]+x|[e-l]{2}[a-p])*"];
    for source in sources.map(|regex| Source::new(Notation::Regex, regex)) {
        let (whole, lazy) = (artifact(&source, &vocabulary), on_demand(&source, &vocabulary, &ALONE));
        for seed in 0..8 {
            compare(&mut whole.matcher().unwrap(), &mut lazy.matcher().unwrap(), seed, 20);
        }
    }
}

/// With little memory everything is forgotten again and again.
#[test]
fn what_is_forgotten_is_made_again() {
    let vocabulary = vocabulary();
    for source in sources() {
        let whole = artifact(&source, &vocabulary);
        let mut most_bytes = 1 << 20;
        // The least memory that some masks fit into.
        while most_bytes > 1_000 {
            let demand = DemandOptions { most_bytes, completes: false };
            let lazy = on_demand(&source, &vocabulary, &demand);
            let mut matcher = lazy.matcher().unwrap();
            let mut row = vec![0; lazy.row_words()];
            if let Err(error) = matcher.fill_mask(&mut row) {
                assert_eq!(error, MatchError::MaskOverLimit);
                matcher.rollback(0).expect("the matcher is as it was");
                break;
            }
            let mut other = whole.matcher().unwrap();
            let mut random = RandomNumbers(1);
            for _ in 0..40 {
                let expected = mask(&mut other);
                match matcher.fill_mask(&mut row) {
                    Ok(()) => assert_eq!(row, expected),
                    Err(error) => assert_eq!(error, MatchError::MaskOverLimit),
                }
                let Some(token) = pick(&expected, &mut random) else { break };
                other.commit(token).expect("allowed");
                matcher.commit(token).expect("commits need no masks");
            }
            most_bytes = most_bytes * 3 / 4;
        }
    }
}

/// A matcher that was on demand stays so; its states are restored wherever the parser is the same, and are the same bytes.
#[test]
fn matchers_stay_on_demand_and_their_states_go_anywhere() {
    let vocabulary = vocabulary();
    for source in sources() {
        let whole = artifact(&source, &vocabulary);
        for steps in [0, 1, 2, 3, 5, 9, 20] {
            let lazy = on_demand(&source, &vocabulary, &ALONE);
            let (mut one, mut two) = (whole.matcher().unwrap(), lazy.matcher().unwrap());
            compare(&mut one, &mut two, 7, steps);
            let complete = lazy.complete().expect("compiled");
            assert_eq!(complete.artifact().bytes(), whole.artifact().bytes());
            compare(&mut one, &mut two, 8, 20);
            assert!(two.session().is_same(&lazy) && two.fork().unwrap().session().is_same(&lazy));
            assert!(lazy.matcher().unwrap().session().is_same(&complete), "a new text");
            let saved = two.save();
            assert_eq!(saved, one.save());
            for session in [&whole, &lazy, &on_demand(&source, &vocabulary, &ALONE)] {
                let mut restored = session.restore(&saved).expect("the same parser");
                assert_eq!(mask(&mut restored), mask(&mut one));
                let back = restored.committed().min(4);
                restored.rollback(back).unwrap();
                let mut before = one.fork().unwrap();
                before.rollback(back).unwrap();
                assert_eq!(mask(&mut restored), mask(&mut before));
            }
        }
    }
}

/// A row that is updated by matchers of several sources in turn holds the mask of the last one.
#[test]
fn what_rows_remember_belongs_to_the_source_of_the_masks() {
    let vocabulary = vocabulary();
    let texts: Vec<Source> = sources();
    let (mut random, mut compared) = (RandomNumbers(5), 0);
    let mut matchers: Vec<Matcher> = Vec::new();
    for source in &texts {
        let lazy = [on_demand(source, &vocabulary, &ALONE), on_demand(source, &vocabulary, &ALONE)];
        matchers.extend(lazy.iter().map(|lazy| lazy.matcher().unwrap()));
        matchers.push(artifact(source, &vocabulary).matcher().unwrap());
    }
    let (mut row, mut memory) = (vec![0; matchers[0].session().row_words()], RowMemory::default());
    for _ in 0..3_000 {
        let number = random.below(matchers.len());
        let matcher = &mut matchers[number];
        matcher.update_mask(&mut row, &mut memory).expect("a mask");
        let expected = mask(matcher);
        assert_eq!(row, expected, "matcher {number}");
        compared += 1;
        match pick(&expected, &mut random) {
            Some(token) => matcher.commit(token).expect("allowed"),
            None => matcher.reset(),
        }
    }
    assert_eq!(compared, 3_000);
}

/// Costs of completions are known by the states of the parser, so they are those of the artifact for a text that began on demand, too.
#[test]
fn budgets_wait_for_the_artifact() {
    let vocabulary = vocabulary();
    for source in sources() {
        let (whole, lazy) = (artifact(&source, &vocabulary), on_demand(&source, &vocabulary, &ALONE));
        let (mut one, mut two) = (whole.matcher().unwrap(), lazy.matcher().unwrap());
        compare(&mut one, &mut two, 3, 4);
        two.set_budget(None).expect("no budget needs no costs");
        assert!(lazy.completed().is_none());
        let needed = two.min_remaining().expect("the artifact has budgets");
        assert!(two.session().is_on_demand() && lazy.completed().is_some());
        assert_eq!(needed, one.min_remaining().unwrap());
        assert_eq!(two.shortest_completion().unwrap(), one.shortest_completion().unwrap());
        for matcher in [&mut one, &mut two] {
            matcher.set_budget(needed.map(|needed| needed + 2)).expect("enough");
        }
        let fresh = on_demand(&source, &vocabulary, &ALONE);
        let mut restored = fresh.restore(&two.save()).expect("it waits for the artifact");
        assert_eq!(restored.remaining(), one.remaining());
        assert_eq!(mask(&mut restored), mask(&mut one));
        compare(&mut one, &mut two, 4, 40);
    }
}

/// A matcher on demand names terminals and rules like one of the artifact.
#[test]
fn refusals_are_explained_alike() {
    let vocabulary = vocabulary();
    for source in sources() {
        let (whole, lazy) = (artifact(&source, &vocabulary), on_demand(&source, &vocabulary, &ALONE));
        let (mut one, mut two) = (whole.matcher().unwrap(), lazy.matcher().unwrap());
        let mut random = RandomNumbers(11);
        for step in 0..12 {
            if step == 6 {
                lazy.complete().expect("compiled");
            }
            for token in [0, 0x7a, 0x22, 260] {
                let (why, other) = (one.why(token).unwrap(), two.why(token).unwrap());
                assert_eq!(why, other);
                let places = (whole.places_of(&why, Some(b"")), lazy.places_of(&why, Some(b"")));
                assert_eq!(places.0, places.1);
            }
            let Why { lexeme, expected, .. } = two.why(0).unwrap();
            assert!(lexeme.iter().chain(&expected).all(|name| !name.starts_with("terminal ")));
            let Some(token) = pick(&mask(&mut one), &mut random) else { break };
            one.commit(token).unwrap();
            two.commit(token).unwrap();
        }
        assert_eq!(whole.source().unwrap().0.text().text, lazy.source().unwrap().0.text().text);
    }
}

/// An artifact that was not compiled from the source of its session is refused: its costs would be those of other states.
#[test]
fn another_artifact_behind_a_session_is_refused() {
    let vocabulary = vocabulary();
    let [first, second, ..] = SCHEMAS.map(|schema| Source::new(Notation::JsonSchema, schema));
    let tokens = vocabulary.clone();
    let other = move |_: &Uncompiled<'_>| compile(&second, &tokens, &Options::default());
    let (lazy, _) =
        Session::on_demand_by(&first, &vocabulary, &Options::default(), &ALONE, other).expect("a grammar");
    assert!(lazy.complete().expect_err("another one").to_string().contains("another source"));
    assert_eq!(lazy.matcher().unwrap().min_remaining(), Err(MatchError::NoBudgets));
}

#[test]
fn tables_without_masks_are_no_artifact() {
    let vocabulary = vocabulary();
    let lazy = on_demand(&sources()[0], &vocabulary, &ALONE);
    let bytes = lazy.artifact().bytes().to_vec();
    assert!(Session::from_bytes("tables", bytes, &vocabulary).is_err());
}

#[test]
fn the_background_compiles_the_artifact() {
    let vocabulary = vocabulary();
    let lazy = on_demand(&sources()[0], &vocabulary, &DemandOptions::default());
    let complete = lazy.complete().expect("compiled");
    assert_eq!(complete.artifact().bytes(), artifact(&sources()[0], &vocabulary).artifact().bytes());
    assert!(lazy.is_on_demand() && !complete.is_on_demand());
    assert!(lazy.completed().expect("done").is_same(&complete));
}

/// The artifact is made from what the masks are made from, and is that of the source alone; also in a session that keeps walks, and when masks were made before.
#[test]
fn the_artifact_behind_is_that_of_its_source() {
    let vocabulary = vocabulary();
    let keeping = Arc::new(CompileSession::new(&vocabulary));
    for source in sources() {
        let expected = compile(&source, &vocabulary, &Options::default()).expect("a grammar");
        let (alone, (kept, _)) = (
            on_demand(&source, &vocabulary, &ALONE),
            keeping.on_demand(&source, &Options::default(), &ALONE).expect("a grammar"),
        );
        compare(&mut alone.matcher().unwrap(), &mut kept.matcher().unwrap(), 1, 20);
        for session in [alone, kept] {
            assert_eq!(session.complete().expect("small").artifact().bytes(), expected.bytes(), "{source:?}");
        }
        assert!(!keeping.on_demand(&source, &Options::default(), &ALONE).expect("kept").0.is_on_demand());
    }
}

#[test]
fn a_limit_of_the_artifact_alone_leaves_masks_on_demand() {
    let vocabulary = vocabulary();
    let source = Source::new(Notation::JsonSchema, SCHEMAS[2]);
    let whole = artifact(&source, &vocabulary);
    let mut options = Options::default();
    options.limits.dwa_states = Some(3);
    let (lazy, _) =
        Session::on_demand(&source, &vocabulary, &options, &ALONE).expect("its automata are small");
    assert!(lazy.complete().is_err() && lazy.completed().is_none());
    compare(&mut whole.matcher().unwrap(), &mut lazy.matcher().unwrap(), 3, 40);
}

/// Lexer states are made as they are read. Where there are too many, a commit says so, and leaves the matcher as it was.
#[test]
fn a_limit_of_lexer_states_is_met_as_they_are_made() {
    let vocabulary = vocabulary();
    let source = Source::new(Notation::Regex, "(a|b)*a(a|b){9}|[^ab]+");
    let whole = artifact(&source, &vocabulary);
    let mut options = Options::default();
    options.limits.lexer_states = Some(20);
    assert!(compile(&source, &vocabulary, &options).is_err(), "the whole lexer has a thousand states");
    let (lazy, _) = Session::on_demand(&source, &vocabulary, &options, &ALONE).expect("no state is made yet");
    let (mut one, mut two) = (lazy.matcher().unwrap(), whole.matcher().unwrap());
    let mut random = RandomNumbers(3);
    let refused = (0..40).find_map(|step| {
        assert_eq!(mask(&mut one), mask(&mut two), "step {step}");
        let token = u32::from(b'a') + random.below(2) as u32;
        let committed = one.commit(token);
        if committed.is_ok() {
            two.commit(token).expect("allowed");
        }
        committed.err()
    });
    assert_eq!(refused, Some(MatchError::MaskOverLimit));
    assert_eq!(mask(&mut one), mask(&mut two));
    assert!(one.committed() > 10);
    one.rollback(1).expect("it is as it was");
    assert!(matches!(lazy.matcher().unwrap().commit(u32::from(b'c')), Err(MatchError::MaskOverLimit)));
    lazy.matcher().unwrap().commit(u32::from(b'a')).expect("a state that is there");
}

#[test]
fn threads_share_what_is_made() {
    let vocabulary = vocabulary();
    for source in sources() {
        let (whole, lazy) =
            (artifact(&source, &vocabulary), on_demand(&source, &vocabulary, &DemandOptions::default()));
        thread::scope(|scope| {
            for seed in 0..6 {
                let (whole, lazy) = (whole.clone(), lazy.clone());
                scope.spawn(move || {
                    for seed in [seed, seed / 2, 99] {
                        compare(&mut whole.matcher().unwrap(), &mut lazy.matcher().unwrap(), seed, 40);
                    }
                });
            }
        });
    }
}

/// Masks that are far from empty need a base bitmap: one of the vocabulary, or, without references to it, one of their own.
#[test]
fn masks_have_bases_of_their_own_without_those_of_the_vocabulary() {
    let words = (0..3_000).map(|number| format!("w{number}").into_bytes());
    let bytes = (0..=u8::MAX).map(|byte| vec![byte]);
    let vocabulary = Vocabulary::from_tokens("many", bytes.chain(words)).expect("a vocabulary");
    let tokens = vocabulary.tokens();
    let source = Source::new(Notation::Regex, "(w[0-9]+)*");
    let parsed = gcc_grammar::parse(&source, &Options::default()).expect("a pattern");
    for refers in [false, true] {
        let options = gcc_grammar_compiler::Options { refers, ..Default::default() };
        let whole = gcc_grammar_compiler::compile(&parsed.grammar, tokens, &options, &mut ()).expect("small");
        let whole = Session::from_bytes("whole", whole.to_artifact(tokens), &vocabulary).expect("its own");
        let prepared = Prepared::new(&parsed.grammar, tokens, &options, &mut ()).expect("small");
        let fingerprints = Fingerprints { vocabulary: tokens.fingerprint(), ..Fingerprints::default() };
        let tables = prepared.parser_tables().write(fingerprints, Vec::new());
        let masks = OnDemand::new(&prepared, Limits::default());
        let grammar = GrammarView::open_on_demand(&tables, &masks).expect("just written");
        let engine = Engine::new(grammar, &vocabulary).expect("its own");
        let mut scratch = vec![0; 1 << 16];
        let mut matcher = gcc_grammar::runtime::Matcher::new(&engine, &mut scratch, 1).expect("room");
        let mut row = vec![0; engine.row_words()];
        let mut other = whole.matcher().unwrap();
        for text in ["", "w", "w1", "w12w"] {
            matcher.reset();
            matcher.commit_bytes(text.as_bytes()).expect("allowed");
            other.reset();
            other.commit_bytes(text.as_bytes()).expect("allowed");
            matcher.fill_mask(&mut row).expect("a mask");
            assert_eq!(row, mask(&mut other), "{text}, refers: {refers}");
        }
        other.reset();
        assert!(other.count_allowed().unwrap() > 2_000, "a mask without a base has few tokens");
    }
}
