//! Limits on free text in front: after so many tokens, masks have only the tokens of what it ends with.

use gcc_grammar::draft::Tree;
use gcc_grammar::generate::RandomNumbers;
use gcc_grammar::vocabulary::SpecialToken;
use gcc_grammar::{
    MatchError, Matcher, MatcherOptions, Options, Session, Source, StartAfter, Vocabulary, compile, row,
};

const MARKER: &[u8] = b"</think>";
const END: u32 = 262;
/// What comes next behind each beginning of the marker: the rest of it in the fewest tokens.
const NEXT: [&str; 8] = ["</", "/", "think", "h", "i", "n", "k>", ">"];

/// All bytes, parts of the marker, and tokens that go on behind it.
fn thinking() -> Vocabulary {
    let bytes = (0..=255_u8).map(|byte| vec![byte]);
    let parts = ["</", "think", ">1", "k>", "</t", "</think>2"].map(|part| part.as_bytes().to_vec());
    Vocabulary::from_tokens("thinking", bytes.chain(parts)).expect("a vocabulary")
}

fn session(vocabulary: &Vocabulary) -> Session {
    let artifact = compile(&Source::regex("1[0-9]|2"), vocabulary, &Options::default()).expect("compiled");
    Session::new(artifact, vocabulary).expect("the artifact is for this vocabulary")
}

fn options(after: StartAfter, most: u64) -> MatcherOptions {
    MatcherOptions { start_after: Some(after), max_free_tokens: Some(most), ..MatcherOptions::default() }
}

fn text(marker: &str) -> StartAfter {
    StartAfter::Text(marker.to_owned())
}

fn thinker(most: u64) -> Matcher {
    session(&thinking()).matcher_with(&options(text("</think>"), most)).expect("the options fit")
}

fn mask(matcher: &mut Matcher) -> Vec<u32> {
    let mut row = vec![0; matcher.session().row_words()];
    matcher.fill_mask(&mut row).expect("the row is long enough");
    row::tokens(&row).collect()
}

/// The tokens that may come next, by looking at the whole text so far.
fn expected(vocabulary: &Vocabulary, so_far: &[u32], most: u64) -> Vec<u32> {
    let before = vocabulary.text_of(so_far);
    let behind = |text: &[u8]| {
        let at = text.windows(MARKER.len()).position(|window| window == MARKER)?;
        Some(text[at + MARKER.len()..].to_vec())
    };
    if behind(&before).is_none() && so_far.len() as u64 >= most {
        let written = (0..MARKER.len()).rev().find(|&length| before.ends_with(&MARKER[..length]));
        let next = vocabulary.tokens().find(NEXT[written.expect("the empty text")].as_bytes());
        return next.into_iter().collect();
    }
    let is_begun = |rest: Vec<u8>| match rest[..] {
        [] | [b'1' | b'2'] => true,
        [b'1', digit] => digit.is_ascii_digit(),
        _ => false,
    };
    let may_come = |&token: &u32| match behind(&before) {
        Some(rest) if token == END => rest == b"2" || rest.len() == 2,
        _ => behind(&[before.clone(), vocabulary.text_of(&[token])].concat()).is_none_or(is_begun),
    };
    (0..=END).filter(may_come).collect()
}

/// Random outputs, in which the parts of the marker are frequent: every mask is the expected one, and every way to come to a state or back to
/// it gives its mask.
#[test]
fn masks_of_limited_free_text_are_exact() {
    let vocabulary = thinking();
    let mut random = RandomNumbers(3);
    let (mut forced, mut completed) = (0, 0);
    for most in [0, 1, 2, 3, 7].repeat(30) {
        let (mut matcher, mut tokens, mut states) = (thinker(most), Vec::new(), Vec::new());
        loop {
            let now = mask(&mut matcher);
            assert_eq!(now, expected(&vocabulary, &tokens, most), "{most} {tokens:?}");
            assert_eq!(now, mask(&mut matcher.session().restore(&matcher.clone().save()).expect("saved")));
            assert_eq!(matcher.count_allowed().expect("scratch") as usize, now.len());
            let others = [u32::from(b'x'), u32::from(b'<'), END - 2, END];
            for token in others {
                assert_eq!(matcher.validate(&[token]), Ok(usize::from(now.contains(&token))));
                assert_eq!(matcher.clone().commit(token).is_ok(), now.contains(&token));
            }
            forced += usize::from(matcher.is_free() && now.len() == 1);
            states.push((now.clone(), matcher.save()));
            let frequent: Vec<u32> =
                now.iter().copied().filter(|&token| token > 255 && token != END).collect();
            let among = if frequent.is_empty() || random.below(3) == 0 { &now } else { &frequent };
            let token = among[random.below(among.len())];
            if token == END {
                completed += usize::from(!matcher.is_free());
                break;
            }
            matcher.commit(token).expect("an allowed token");
            tokens.push(token);
        }
        for (back, (row, saved)) in (1..).zip(states.iter().rev().skip(1)) {
            let mut fork = matcher.fork().expect("enough scratch");
            fork.rollback(back).expect("within reach");
            assert_eq!((&mask(&mut fork), &fork.save()), (row, saved));
        }
        matcher.reset();
        assert_eq!(mask(&mut matcher), states[0].0);
    }
    assert!(forced > 200 && completed > 50, "{forced} masks were forced, {completed} outputs were completed");
}

#[test]
fn drafts_cross_the_limit() {
    let mut matcher = thinker(1);
    let letters = ["a", "</", "b", "think", ">", "1"];
    let tokens = letters.map(|piece| thinking().tokens().find(piece.as_bytes()).expect("a token"));
    let parents = [None, Some(0), Some(0), Some(1), Some(3), Some(4)];
    let mut rows = vec![0; 6 * matcher.session().row_words()];
    let nodes = matcher.verify_tree(Tree { parents: &parents, tokens: &tokens }, &mut rows).expect("a tree");
    assert_eq!(nodes, [true, true, false, true, true, true]);
    let first: Vec<u32> = row::tokens(&rows[..matcher.session().row_words()]).collect();
    assert_eq!((first, matcher.committed()), (vec![tokens[1]], 0));
}

#[test]
fn what_is_forced_is_said() {
    let mut matcher = thinker(2);
    assert!(matcher.forced(9).expect("scratch").is_empty());
    matcher.commit_bytes(b"a").expect("free text");
    matcher.commit_bytes(b"x</t").expect("free text counts as one token");
    assert_eq!(matcher.forced(99).expect("scratch"), b"hink>");
    assert_eq!(matcher.forced(3).expect("scratch"), b"hin");
    let tokens = matcher.forced_tokens(&[]).expect("a tokenizer");
    assert_eq!(matcher.session().vocabulary().text_of(&tokens), b"hink>");
    for (bytes, valid) in [(&b"hin"[..], 3), (b"hink>1", 6), (b"hink>x", 5), (b"x", 0), (b"hix", 2)] {
        assert_eq!(matcher.validate_bytes(bytes), Ok(valid), "{bytes:?}");
        let committed = matcher.clone().commit_bytes(bytes);
        assert_eq!(committed.is_ok(), valid == bytes.len(), "{bytes:?}");
    }
    for token in tokens {
        assert_eq!(mask(&mut matcher), [token]);
        matcher.commit(token).expect("an allowed token");
    }
    assert!(!matcher.is_free());
}

#[test]
fn a_special_token_of_the_name_is_forced() {
    let special = |id, text: &str| SpecialToken { id, text: text.to_owned() };
    let tokens = ["2", "<", "/", "t", "h"].map(|text| text.as_bytes().to_vec());
    let specials = vec![special(5, "</think>"), special(6, "<end>")];
    let vocabulary = Vocabulary::from_parts("special", (0..).zip(tokens).collect(), specials, vec![6], 7);
    let session = session(&vocabulary.expect("made"));
    for after in [text("</think>"), StartAfter::Token(5)] {
        let mut matcher = session.matcher_with(&options(after, 2)).expect("the options fit");
        for token in [1, 2] {
            assert_eq!(mask(&mut matcher), [0, 1, 2, 3, 4, 5, 6]);
            matcher.commit(token).expect("an allowed token");
        }
        assert_eq!(
            (mask(&mut matcher), matcher.forced_tokens(&[]).expect("a tokenizer")),
            (vec![5], vec![5])
        );
        assert!(matcher.forced(9).expect("scratch").is_empty());
        assert_eq!(matcher.commit(6), Err(MatchError::Refused));
        matcher.commit(5).expect("an allowed token");
        assert_eq!(mask(&mut matcher), [0]);
    }
}

#[test]
fn the_models_own_tokens_are_forced() {
    let vocabulary = Vocabulary::load("llama3").expect("built in");
    let mut matcher =
        session(&vocabulary).matcher_with(&options(text("</think>"), 0)).expect("the options fit");
    let tokens = vocabulary.tokenize(MARKER, false).expect("every byte is a token").ids;
    for &token in &tokens {
        assert_eq!(mask(&mut matcher), [token]);
        matcher.commit(token).expect("an allowed token");
    }
    assert!(!matcher.is_free());
}

#[test]
fn limits_that_cannot_be_kept_are_refused() {
    let session = session(&Vocabulary::from_tokens("few", ["1", "2", "0", "a"]).expect("made"));
    let refused = |options: &MatcherOptions| {
        session.matcher_with(options).map(|_| ()).expect_err("refused").to_string()
    };
    assert!(refused(&options(text("ab"), 3)).contains("must spell"));
    assert!(refused(&options(text(&"a".repeat(1025)), 3)).contains("1024 bytes"));
    let alone = MatcherOptions { max_free_tokens: Some(3), ..MatcherOptions::default() };
    assert!(refused(&alone).contains("start_after"));
    session.matcher_with(&options(text(&"a".repeat(1024)), 3)).expect("every rest can be spelled");
}
