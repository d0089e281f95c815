//! Canonical masks, and free text before the constrained part.

use gcc_grammar::batch::{Job, Pool};
use gcc_grammar::generate::{Generator, RandomNumbers};
use gcc_grammar::numbered::{BaseSlots, HEADER_WORDS, Staging, staging_words};
use gcc_grammar::vocabulary::{Overrides, registry};
use gcc_grammar::{
    MatchError, Matcher, MatcherOptions, Options, RowMemory, SchemaOptions, Session, Source, StartAfter,
    Vocabulary, compile, row,
};
use std::path::Path;

const SCHEMA: &str = r#"{"type": "object", "properties": {
    "description of the goods": {"type": "string"}, "quantity": {"type": "integer"},
    "kind": {"enum": ["internal", "international", "it's", "  spaced\n\n"]},
    "tags": {"type": "array", "items": {"type": "string"}}}, "required": ["description of the goods", "kind"]}"#;

/// Grammars with certain text in front of every class of characters.
fn sources() -> Vec<Source> {
    let regex = |pattern: &str| Source::regex(pattern);
    vec![
        Source::json_schema(SCHEMA),
        regex(r"The answer is [0-9]+, isn't it\? ([a-z]+ ){0,3}\."),
        regex(r"(   |\n\n   )x=12[0-9]* don('t|e)( \n)*"),
        regex(r"word   (q|z|9|\.)w"),
        regex(r"<a>([a-z ]{0,9}|  )</a>\r\n(international|internal) caf(é|e)s?"),
    ]
}

fn session(source: &Source, vocabulary: &Vocabulary) -> Session {
    let schema = SchemaOptions {
        whitespace: "compact".parse().expect("an option"),
        strings: "canonical".parse().expect("an option"),
        ..SchemaOptions::default()
    };
    let artifact = compile(source, vocabulary, &Options { schema, ..Options::default() }).expect("compiled");
    Session::new(artifact, vocabulary).expect("the artifact is for this vocabulary")
}

fn with(session: &Session, canonical: bool, start_after: Option<StartAfter>) -> Matcher {
    let options = MatcherOptions { canonical, start_after, ..MatcherOptions::default() };
    session.matcher_with(&options).expect("the options fit the vocabulary")
}

fn mask(matcher: &mut Matcher) -> Vec<u32> {
    let mut row = vec![0; matcher.session().row_words()];
    matcher.fill_mask(&mut row).expect("the row is long enough");
    row
}

/// Words of a row beyond the mask become 0, by every way to write one.
fn assert_padding_is_zero(matcher: &mut Matcher) {
    let expected = mask(matcher);
    let words = expected.len();
    for update in [false, true] {
        let mut row = vec![u32::MAX; words + 3];
        let written = if update {
            matcher.update_mask(&mut row, &mut RowMemory::default())
        } else {
            matcher.fill_mask(&mut row)
        };
        written.expect("the row is long enough");
        assert_eq!(row, [expected.as_slice(), &[0; 3]].concat(), "updated: {update}");
        let mut jobs = [Job { matcher, row: &mut row }];
        jobs[0].row.fill(u32::MAX);
        assert_eq!(Pool::new(1).expect("no threads").fill_masks(&mut jobs), [Ok(())]);
        assert_eq!(row[words..], [0; 3]);
    }
    // A row that travels to an accelerator is whole without slots.
    let mut staged = vec![u32::MAX; staging_words(1, words + 3)];
    let mut staging = Staging::new(&mut staged, 1, words + 3).expect("enough words");
    staging.write(0, matcher, &BaseSlots::default()).expect("the row is long enough");
    if !matcher.is_terminated() {
        assert_eq!(staged[HEADER_WORDS..], [expected.as_slice(), &[0; 3]].concat());
    }
}

#[test]
fn words_beyond_the_mask_allow_nothing() {
    let vocabulary = Vocabulary::load("llama3").expect("built in");
    let session = session(&Source::json_schema(SCHEMA), &vocabulary);
    let marker = || Some(StartAfter::Text("<x>".into()));
    for (canonical, start_after) in [(false, None), (true, None), (false, marker()), (true, marker())] {
        let is_free = start_after.is_some();
        let mut matcher = with(&session, canonical, start_after);
        assert_padding_is_zero(&mut matcher);
        if is_free {
            let mut ended = matcher.clone();
            ended.commit(vocabulary.tokens().end_tokens()[0]).expect("free text may end");
            assert!(ended.is_terminated());
            assert_padding_is_zero(&mut ended);
            matcher.commit_bytes(b"think <x>").expect("free text");
            assert!(!matcher.is_free());
            assert_padding_is_zero(&mut matcher);
        }
        matcher.set_budget(Some(40)).expect("enough tokens");
        assert_padding_is_zero(&mut matcher);
        let least = matcher.min_remaining().expect("budgets").expect("a completion");
        matcher.set_budget(Some(least)).expect("enough tokens");
        assert_padding_is_zero(&mut matcher);
        for token in matcher.shortest_completion().expect("budgets").expect("a completion") {
            if matcher.commit(token).is_err() {
                break; // canonical masks may refuse it
            }
            assert_padding_is_zero(&mut matcher);
        }
    }
}

fn cut(vocabulary: &Vocabulary, text: &[u8]) -> Vec<u32> {
    vocabulary.tokenizer().expect("a tokenizer").tokenize(text).expect("every byte is a token").ids
}

/// Tokens of random texts of the language, as the model's own tokenizer cuts them, are all allowed by the masks. Returns the numbers of tokens and of masks that canonical masks narrow.
fn canonical_texts_are_allowed(session: &Session, count: u64) -> (usize, usize) {
    let mut generator = Generator::new(session).expect("enough scratch");
    let (mut random, mut all, mut narrowed) = (RandomNumbers(7), 0, 0);
    for _ in 0..count {
        let drawn = generator.generate(&mut random, 60).expect("an output");
        let text = session.vocabulary().text_of(&drawn);
        let (mut matcher, mut free) = (with(session, true, None), session.matcher().expect("scratch"));
        for token in cut(session.vocabulary(), &text) {
            let (canonical, full) = (mask(&mut matcher), mask(&mut free));
            assert!(row::has(&canonical, token), "{:?}: {token} is refused", String::from_utf8_lossy(&text));
            assert!(canonical.iter().zip(&full).all(|(some, all)| some & !all == 0));
            if canonical != full {
                narrowed += 1;
                let other =
                    row::tokens(&full).find(|other| !row::has(&canonical, *other)).expect("another one");
                let before = matcher.save();
                assert_eq!(matcher.commit(other), Err(MatchError::Refused));
                assert!(!matcher.allows(other).expect("scratch") && matcher.allows(token).expect("scratch"));
                assert_eq!(matcher.save(), before);
            }
            matcher.commit(token).expect("an allowed token");
            free.commit(token).expect("an allowed token");
            all += 1;
        }
        assert!(matcher.is_accepting().expect("enough scratch"));
    }
    (all, narrowed)
}

/// Random outputs, drawn from the masks, are what the tokenizer cuts from their texts, unless the grammar left it no token. Returns the numbers of outputs, and of those that are
/// canonical.
fn drawn_outputs_are_canonical(session: &Session, count: u64) -> (usize, usize) {
    let (mut all, mut canonical) = (0, 0);
    for seed in 0..count {
        let (mut matcher, mut ids, mut random) = (with(session, true, None), Vec::new(), RandomNumbers(seed));
        while ids.len() < 40 && !matcher.is_terminated() {
            let allowed: Vec<u32> = row::tokens(&mask(&mut matcher)).collect();
            let token = allowed[random.below(allowed.len())];
            matcher.commit(token).expect("an allowed token");
            ids.push(token);
        }
        if !matcher.is_terminated() {
            continue;
        }
        ids.pop();
        all += 1;
        let text = session.vocabulary().text_of(&ids);
        let is_cut_so = cut(session.vocabulary(), &text) == ids;
        assert_eq!(matcher.is_canonical(), is_cut_so, "{ids:?} {:?}", String::from_utf8_lossy(&text));
        canonical += usize::from(is_cut_so);
    }
    (all, canonical)
}

/// A model that makes canonical tokens where it may choose: what it makes along with the certain tokens is what its tokenizer cuts from the
/// whole text. Returns the number of masks with one token.
fn outputs_are_canonical(session: &Session, seed: u64) -> usize {
    let (mut matcher, mut ids, mut random) = (with(session, true, None), Vec::new(), RandomNumbers(seed));
    let vocabulary = session.vocabulary();
    // Whether the tokens are the first ones of their text and of what is certain to follow it.
    let is_canonical = |ids: &[u32], matcher: &mut Matcher| {
        let forced = matcher.forced(256).expect("enough scratch");
        cut(vocabulary, &[vocabulary.text_of(ids), forced].concat()).starts_with(ids)
    };
    let mut certain = 0;
    for _ in 0..60 {
        let allowed: Vec<u32> = row::tokens(&mask(&mut matcher)).collect();
        let fits = |token: &u32| {
            let mut after = matcher.clone();
            after.commit(*token).expect("an allowed token");
            is_canonical(&[&ids[..], &[*token]].concat(), &mut after)
        };
        let token = match allowed[..] {
            [token] => {
                certain += 1;
                Some(token)
            }
            _ => (0..40).map(|_| allowed[random.below(allowed.len())]).find(fits),
        };
        let Some(token) = token.filter(|token| vocabulary.tokens().bytes(*token).is_some()) else { break };
        matcher.commit(token).expect("an allowed token");
        ids.push(token);
    }
    let text = String::from_utf8_lossy(&vocabulary.text_of(&ids)).into_owned();
    assert!(is_canonical(&ids, &mut matcher), "{text:?}: {ids:?}");
    certain
}

fn all_properties(vocabulary: &Vocabulary, texts: u64) {
    let (mut all, mut narrowed, mut certain) = (0, 0, 0);
    for source in sources() {
        let session = session(&source, vocabulary);
        let counts = canonical_texts_are_allowed(&session, texts);
        (all, narrowed) = (all + counts.0, narrowed + counts.1);
        certain += (0..texts).map(|seed| outputs_are_canonical(&session, seed)).sum::<usize>();
    }
    assert!(10 * narrowed > all && certain > 0, "only {narrowed} of {all} masks are narrower");
}

#[test]
fn outputs_of_canonical_masks_are_what_the_tokenizer_writes() {
    let colors = r#"{"enum": ["red", "reddish", "green", "greenish blue", "black and white"]}"#;
    let words =
        r#"{"type": "array", "items": {"enum": ["international", "internal", "inter", 12345, 123, null]}}"#;
    let text = r#"{"type": "object", "properties": {"note": {"type": "string", "maxLength": 12}, "count": {"type": "integer", "minimum": 0}}, "required": ["note", "count"]}"#;
    let (mut all, mut canonical) = (0, 0);
    for name in ["llama3", "qwen2.5", "o200k"] {
        let vocabulary = Vocabulary::load(name).expect("built in");
        for schema in [colors, words, text] {
            let session = session(&Source::json_schema(schema), &vocabulary);
            let counts = drawn_outputs_are_canonical(&session, 80);
            (all, canonical) = (all + counts.0, canonical + counts.1);
        }
    }
    assert!(all > 300 && 50 * (all - canonical) < all, "{canonical} of {all}");
}

#[test]
fn masks_of_built_in_vocabularies_are_canonical() {
    for name in ["llama3", "o200k"] {
        let Ok(vocabulary) = Vocabulary::load(name) else { continue };
        all_properties(&vocabulary, 8);
    }
    assert!(Vocabulary::load("llama3").is_ok());
}

#[test]
#[ignore = "needs ../shared: data/vocab"]
fn masks_of_tokenizer_files_are_canonical() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/vocab");
    for name in ["llama3/tokenizer.json", "qwen2_5/tokenizer.json", "mistral_tekken/tekken_240718.json"] {
        let vocabulary = Vocabulary::load(&folder.join(name).to_string_lossy()).expect("a tokenizer");
        all_properties(&vocabulary, 8);
    }
}

/// A byte-level tokenizer of byte pairs, with the merges that are most frequent in some texts.
fn small_tokenizer(folder: &Path) -> Vocabulary {
    let printable = |byte: u8| matches!(byte, 33..=126 | 161..=172 | 174..=255);
    let mut others = 256..;
    let letters: Vec<String> = (0..=255_u8)
        .map(|byte| if printable(byte) { u32::from(byte) } else { others.next().expect("endless") })
        .map(|code| char::from_u32(code).expect("a character").to_string())
        .collect();
    let text = format!("{SCHEMA} the international answer isn't internal it's   don't done \n\n 12 123");
    let words = text.split_inclusive(' ');
    let spell =
        |word: &str| -> Vec<String> { word.bytes().map(|byte| letters[usize::from(byte)].clone()).collect() };
    let mut words: Vec<Vec<String>> = words.map(spell).collect();
    // Runs of spaces are tokens, too. In front of a word, the last space belongs to the word.
    words.extend([spell("   "), spell("   "), spell("   "), spell("   ")]);
    let mut vocabulary = letters.clone();
    let mut merges = Vec::new();
    for _ in 0..120 {
        let mut counts = std::collections::BTreeMap::new();
        for pair in words.iter().flat_map(|word| word.windows(2)) {
            *counts.entry((pair[0].clone(), pair[1].clone())).or_insert(0) += 1;
        }
        let Some(((left, right), _)) = counts.into_iter().max_by_key(|(_, count)| *count) else { break };
        let merged = format!("{left}{right}");
        for word in &mut words {
            while let Some(at) = word.windows(2).position(|pair| pair[0] == left && pair[1] == right) {
                word.splice(at..at + 2, [merged.clone()]);
            }
        }
        if !vocabulary.contains(&merged) {
            vocabulary.push(merged);
            merges.push(format!("{left} {right}"));
        }
    }
    let ids: serde_json::Map<_, _> =
        vocabulary.iter().zip(0..).map(|(v, id)| (v.clone(), id.into())).collect();
    let end = serde_json::json!({"id": vocabulary.len(), "content": "<end>", "special": true,
        "normalized": false, "lstrip": false, "rstrip": false, "single_word": false});
    let level = serde_json::json!({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true});
    let json = serde_json::json!({"version": "1.0", "added_tokens": [end], "pre_tokenizer": level,
        "decoder": level, "model": {"type": "BPE", "vocab": ids, "merges": merges}});
    let path = folder.join("tokenizer.json");
    std::fs::write(&path, json.to_string()).expect("the file can be written");
    let overrides = Overrides { width: None, end_tokens: vec!["<end>".to_owned()] };
    Vocabulary::load_from(&registry(None), &path.to_string_lossy(), &overrides).expect("a tokenizer")
}

#[test]
fn masks_of_a_small_tokenizer_are_canonical() {
    let folder = tempfile::tempdir().expect("a folder");
    all_properties(&small_tokenizer(folder.path()), 30);
}

#[test]
fn canonical_masks_are_a_function_of_the_tokens() {
    let session = session(&Source::json_schema(SCHEMA), &Vocabulary::load("llama3").expect("built in"));
    let text = br#"{"description of the goods":"a b","kind":"international"}"#;
    let (mut matcher, mut masks) = (with(&session, true, None), Vec::new());
    let ids = cut(session.vocabulary(), text);
    for (count, &token) in ids.iter().enumerate() {
        let now = mask(&mut matcher);
        let mut restored = session.restore(&matcher.save()).expect("saved");
        assert_eq!(mask(&mut restored), now);
        let mut fresh = with(&session, true, None);
        ids[..count].iter().for_each(|&token| fresh.commit(token).expect("an allowed token"));
        assert_eq!(mask(&mut fresh), now, "without asking for masks on the way");
        masks.push(now);
        matcher.commit(token).expect("an allowed token");
    }
    for expected in masks.iter().rev() {
        matcher.rollback(1).expect("within reach");
        assert_eq!(&mask(&mut matcher), expected);
    }
    assert_eq!(matcher.validate(&ids).expect("enough scratch"), ids.len());
    assert_eq!(matcher.committed(), 0);
}

#[test]
fn canonical_masks_need_the_tokenizer() {
    let vocabulary = Vocabulary::from_tokens("letters", ["a", "b"]).expect("a vocabulary");
    let session = session(&Source::regex("a"), &vocabulary);
    let options = MatcherOptions { canonical: true, ..MatcherOptions::default() };
    let error = session.matcher_with(&options).map(|_| ()).expect_err("no tokenizer");
    assert!(error.to_string().contains("the model's own tokenizer"), "{error}");
}

/// Bytes, pieces of the marker, and tokens that go on behind it.
fn thinking() -> Vocabulary {
    let mut tokens: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
    tokens.extend(
        ["</", "think", ">\n", ">1", ">12", "</think>", "</think>2", "k>x"].map(|token| token.into()),
    );
    Vocabulary::from_tokens("thinking", tokens).expect("a vocabulary")
}

const END: u32 = 264;

fn thinker() -> Matcher {
    let session = session(&Source::regex("1[0-9]|2"), &thinking());
    with(&session, false, Some(StartAfter::Text("</think>".to_owned())))
}

fn commit_all(matcher: &mut Matcher, pieces: &[&str]) {
    let vocabulary = matcher.session().vocabulary().clone();
    for piece in pieces {
        let token = vocabulary.tokens().find(piece.as_bytes()).expect("a token");
        matcher.commit(token).expect("an allowed token");
    }
}

#[test]
fn the_marker_is_found_however_it_is_cut() {
    let letters = ["<", "/", "t", "h", "i", "n", "k", ">"];
    let cuts: [&[&str]; 7] = [
        &["a", "</think>", "1"],
        &["</", "think", ">", "1"],
        &["</", "think", ">1"],
        &letters,
        &["<", "</", "think", "think", "</", "think", ">"],
        &["</", "</think>"],
        &["</", "</", "think", ">12"],
    ];
    for pieces in cuts {
        let (mut matcher, last) = (thinker(), pieces.len() - 1);
        for (place, piece) in pieces.iter().enumerate() {
            let is_number = matches!(*piece, "1" if place == last);
            assert!(matcher.is_free() != is_number, "{pieces:?}");
            assert!(!matcher.is_accepting().expect("enough scratch"));
            commit_all(&mut matcher, &[piece]);
        }
        assert!(!matcher.is_free() && matcher.committed() == pieces.len() as u64, "{pieces:?}");
        let text = pieces.concat();
        let digits = text.rsplit('>').next().expect("a part").len();
        assert_eq!(matcher.is_accepting().expect("enough scratch"), digits == 2, "{pieces:?}");
        let behind: &[u8] = match digits {
            0 => b"12",
            1 => b"0123456789",
            _ => b"",
        };
        let expected = (0..END).filter(|&token| {
            let vocabulary = matcher.session().vocabulary();
            vocabulary
                .tokens()
                .bytes(token)
                .is_some_and(|bytes| bytes.len() == 1 && behind.contains(&bytes[0]))
        });
        let expected: Vec<u32> = expected.chain((digits == 2).then_some(END)).collect();
        assert_eq!(row::tokens(&mask(&mut matcher)).collect::<Vec<_>>(), expected, "{pieces:?}");
    }
}

/// Every token may come before the marker, but for those that go on behind it with what the grammar refuses: by trying each token.
#[test]
fn masks_before_the_marker_are_free() {
    let paths: [&[&str]; 6] =
        [&[], &["</", "think"], &["</", "think", "x"], &["</", "thin"], &["a"], &["</", "t", "h", "i", "n"]];
    for path in &paths[..] {
        let mut matcher = thinker();
        path.iter()
            .flat_map(|piece| match *piece {
                "thin" => vec!["t", "h", "i", "n"],
                piece => vec![piece],
            })
            .for_each(|piece| commit_all(&mut matcher, &[piece]));
        let now = mask(&mut matcher);
        for token in 0..=END {
            let text = matcher.session().vocabulary().text_of(&[token]);
            let all = [path.concat().as_bytes(), &text].concat();
            let behind = all.windows(8).position(|window| window == b"</think>").map(|at| &all[at + 8..]);
            let fits = behind.is_none_or(|behind| [&b""[..], b"1", b"2", b"10", b"12"].contains(&behind));
            assert_eq!(row::has(&now, token), fits, "{path:?} {token}");
            assert_eq!(matcher.clone().commit(token).is_ok(), fits, "{path:?} {token}");
            assert_eq!(matcher.allows(token), Ok(fits));
            assert_eq!(matcher.validate(&[token]), Ok(usize::from(fits)));
        }
        assert_eq!(matcher.count_allowed().expect("scratch") as usize, row::tokens(&now).count());
        assert!(matcher.forced(9).expect("scratch").is_empty());
        assert!(matcher.mask_by_number(&mut [0; 64]).expect("scratch").is_none(), "it is not the grammar's");
        assert_eq!(matcher.commit(END + 1), Err(MatchError::Refused));
        assert_eq!(matcher.commit(u32::MAX), Err(MatchError::Refused));
    }
}

#[test]
fn rollbacks_cross_the_marker() {
    for pieces in [
        &["a", "</", "think", ">", "1", "2"][..],
        &["a", "</", "think", ">1", "2"],
        &["</think>2"],
        &["x", "</think>", "2"],
    ] {
        let (mut matcher, mut states) = (thinker(), Vec::new());
        for piece in pieces {
            states.push((mask(&mut matcher), matcher.is_free(), matcher.save()));
            commit_all(&mut matcher, &[piece]);
        }
        for back in 1..=pieces.len() {
            let mut fork = matcher.fork().expect("enough scratch");
            fork.rollback(back as u64).expect("within reach");
            let (row, is_free, saved) = &states[pieces.len() - back];
            assert_eq!((&mask(&mut fork), fork.is_free()), (row, *is_free), "{pieces:?} {back}");
            let mut restored = matcher.session().restore(saved).expect("saved");
            assert_eq!((&mask(&mut restored), restored.committed()), (row, (pieces.len() - back) as u64));
            commit_all(&mut fork, &pieces[pieces.len() - back..]);
            assert_eq!(mask(&mut fork), mask(&mut matcher));
        }
        let available = pieces.len() as u64;
        assert_eq!(matcher.rollback(available + 1), Err(MatchError::RollbackTooFar { available }));
        matcher.reset();
        assert!(matcher.is_free() && matcher.committed() == 0);
    }
}

#[test]
fn rollbacks_across_the_marker_have_the_bound_of_the_options() {
    let session = session(&Source::regex("1[0-9]|2"), &thinking());
    let start_after = Some(StartAfter::Token(261));
    let options = MatcherOptions { max_rollback: 2, start_after, ..MatcherOptions::default() };
    let mut matcher = session.matcher_with(&options).expect("the options fit");
    commit_all(&mut matcher, &["a", "b", "c", "</think>", "1"]);
    assert_eq!(matcher.rollback(3), Err(MatchError::RollbackTooFar { available: 2 }));
    matcher.rollback(2).expect("within reach");
    assert!(matcher.is_free());
}

#[test]
fn an_end_before_the_marker_ends_the_output() {
    let mut matcher = thinker();
    commit_all(&mut matcher, &["a"]);
    matcher.commit(END).expect("every token may come");
    assert!(matcher.is_terminated() && !matcher.is_accepting().expect("enough scratch"));
    assert!(mask(&mut matcher).iter().all(|word| *word == 0));
    assert_eq!(matcher.commit(97), Err(MatchError::Refused));
    assert_eq!(matcher.commit_bytes(b"a"), Err(MatchError::Refused));
    let saved = matcher.save();
    let mut restored = matcher.session().restore(&saved).expect("saved");
    assert!(restored.is_terminated());
    restored.rollback(1).expect("within reach");
    assert!(!restored.is_terminated() && restored.is_free());
}

#[test]
fn a_special_token_of_the_name_is_the_marker() {
    let specials = [(2, "</think>"), (3, "<end>")];
    let specials =
        specials.map(|(id, text)| gcc_grammar::vocabulary::SpecialToken { id, text: text.to_owned() });
    let tokens = vec![(0, b"a".to_vec()), (1, b"1".to_vec())];
    let vocabulary = Vocabulary::from_parts("special", tokens, specials.to_vec(), vec![3], 5).expect("made");
    let session = session(&Source::regex("1"), &vocabulary);
    for after in [StartAfter::Text("</think>".to_owned()), StartAfter::Token(2)] {
        let mut matcher = with(&session, false, Some(after));
        assert_eq!(mask(&mut matcher), [0b11111]);
        for token in [0, 3, 4] {
            matcher.clone().commit(token).expect("every token may come");
        }
        matcher.commit(2).expect("the marker");
        assert_eq!(mask(&mut matcher), [0b10]);
    }
    let refused = |after| {
        let options = MatcherOptions { start_after: Some(after), ..MatcherOptions::default() };
        session.matcher_with(&options).map(|_| ()).expect_err("refused").to_string()
    };
    assert!(refused(StartAfter::Token(5)).contains("no token 5"));
    assert!(refused(StartAfter::Text(String::new())).contains("empty"));
}

#[test]
fn damaged_matchers_are_refused() {
    let mut matcher = thinker();
    commit_all(&mut matcher, &["a", "</", "think", ">1"]);
    let (session, saved) = (matcher.session().clone(), matcher.save());
    for length in 0..saved.len() {
        assert!(session.restore(&saved[..length]).is_err());
    }
    for place in 0..saved.len() {
        let mut flipped = saved.clone();
        flipped[place] ^= 1;
        assert!(session.restore(&flipped).is_err(), "byte {place}");
    }
}

#[test]
fn options_are_json() {
    let read = |text: &str| MatcherOptions::from_json(text);
    assert_eq!(read("{}").expect("no options"), MatcherOptions::default());
    let all = read(r#"{"max_rollback": 3, "canonical": true, "start_after": "x", "max_free_tokens": 5}"#)
        .expect("options");
    let start_after = Some(StartAfter::Text("x".to_owned()));
    assert_eq!(
        all,
        MatcherOptions {
            max_rollback: 3,
            canonical: true,
            max_work: None,
            start_after,
            max_free_tokens: Some(5)
        }
    );
    assert_eq!(read(r#"{"start_after": 7}"#).expect("an id").start_after, Some(StartAfter::Token(7)));
    for wrong in [
        "",
        "7",
        "[]",
        " [3, true]",
        r#"{"max_rollback": -1}"#,
        r#"{"start_after": -1}"#,
        r#"{"canonic": true}"#,
        r#"{"max_free_tokens": -1}"#,
    ] {
        read(wrong).expect_err(wrong);
    }
}
