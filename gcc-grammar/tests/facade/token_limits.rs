//! Limits on the tokens of text within a grammar (`max_tokens`).

use gcc_grammar::draft::Tree;
use gcc_grammar::vocabulary::SpecialToken;
use gcc_grammar::{MatchError, Matcher, Notation, Options, Session, Source, Vocabulary, compile, row};
use gcc_grammar_artifact::container::{Container, ContainerWriter, FileKind, TOKEN_LIMITS};
use gcc_grammar_artifact::grammar::LIMITS;
use gcc_grammar_artifact::{ArtifactError, GrammarView};
use std::collections::{BTreeSet, HashMap};

fn compiled(notation: &str, text: &str, tokens: &[&str]) -> Session {
    let vocabulary = Vocabulary::from_tokens("tiny", tokens.iter().copied()).expect("a vocabulary");
    let source = Source::new(notation.parse::<Notation>().expect("a notation"), text);
    let artifact = compile(&source, &vocabulary, &Options::default()).expect("compiled");
    Session::new(artifact, &vocabulary).expect("the artifact is for this vocabulary")
}

/// The tokens of the mask, by their texts.
fn allowed(matcher: &mut Matcher) -> Vec<String> {
    let mut row = vec![0; matcher.session().row_words()];
    matcher.fill_mask(&mut row).expect("the row is long enough");
    let vocabulary = matcher.session().vocabulary().clone();
    let text = |token| match vocabulary.tokens().special_text(token) {
        Some(name) => name.to_owned(),
        None => String::from_utf8_lossy(&vocabulary.text_of(&[token])).into_owned(),
    };
    row::tokens(&row).map(text).collect()
}

fn commit(matcher: &mut Matcher, pieces: &[&str]) {
    for piece in pieces {
        let vocabulary = matcher.session().vocabulary().clone();
        let token = vocabulary.tokens().find(piece.as_bytes()).expect("a token");
        assert_eq!(matcher.commit(token), Ok(()), "{piece} of {pieces:?}");
    }
}

const THINKING: [&str; 9] = ["<think>", "a", "b", "c", "de", "中", "a</", "</", "think>"];

fn thinking(content: &str) -> Session {
    let tag = format!(
        r#"{{"type": "structural_tag", "format": {{"type": "tag", "begin": "<think>", "content": {content}, "end": "</think>"}}}}"#
    );
    compiled("structural-tag", &tag, &THINKING)
}

#[test]
fn the_end_is_forced() {
    let session = thinking(r#"{"type": "any_text", "max_tokens": 2}"#);
    let mut matcher = session.matcher().expect("scratch");
    commit(&mut matcher, &["<think>"]);
    assert_eq!(allowed(&mut matcher), THINKING);
    commit(&mut matcher, &["a", "b"]);
    assert_eq!(allowed(&mut matcher), ["</"]);
    assert_eq!(matcher.commit(1), Err(MatchError::Refused));
    assert_eq!(matcher.forced(99).expect("scratch"), b"</think>");
    matcher.rollback(1).expect("within reach");
    commit(&mut matcher, &["a</"]);
    assert_eq!(allowed(&mut matcher), ["</", "think>"]);
    commit(&mut matcher, &["think>"]);
    assert_eq!(allowed(&mut matcher), ["<end>"]);
}

/// A part of the texts of a grammar: a text, or text of at most so many tokens that a language has.
enum Part {
    Text(&'static str),
    Limited(u32, fn(&[u8]) -> bool),
    /// Text that a language has, or where its limit is reached, text in front of a suffix that another language has.
    Closed(u32, fn(&[u8]) -> bool, fn(&[u8]) -> bool),
}

/// Whether the tokens, given by where each of them begins in the text, are a text of these parts, of which the first begins at `from`. Text of
/// limited tokens never goes on behind the end of a token where it can end and as many of its tokens have come.
fn is_text(parts: &[Part], text: &[u8], begins: &[usize], from: usize) -> bool {
    let Some((part, rest)) = parts.split_first() else { return from == text.len() };
    match part {
        Part::Text(fixed) => {
            text[from..].starts_with(fixed.as_bytes()) && is_text(rest, text, begins, from + fixed.len())
        }
        Part::Limited(most, language) => (from..=text.len()).any(|to| {
            let tokens = |end| begins.iter().filter(|&&begin| from <= begin && begin < end).count();
            let ends = begins.iter().copied().filter(|&end| from < end && end < to);
            let mut is_over = ends.map(|end| tokens(end) >= *most as usize && language(&text[from..end]));
            language(&text[from..to]) && !is_over.any(|is_over| is_over) && is_text(rest, text, begins, to)
        }),
        Part::Closed(most, language, body) => (from..=text.len()).any(|to| {
            let tokens = |end| begins.iter().filter(|&&begin| from <= begin && begin < end).count();
            let closes = |end| tokens(end) >= *most as usize && body(&text[from..end]);
            let ends = begins.iter().copied().filter(|&end| from < end && end < to);
            let ends_a_token = to == text.len() || begins.contains(&to);
            let is_whole = language(&text[from..to]) || ends_a_token && closes(to);
            is_whole && !ends.into_iter().any(closes) && is_text(rest, text, begins, to)
        }),
    }
}

/// Compares the masks behind all sequences of at most `deep` tokens with the sequences of at most `longest` tokens that are texts of one of the
/// alternatives. Every sequence that can be completed has to be completed within these.
fn compare(session: &Session, alternatives: &[Vec<Part>], deep: usize, longest: usize) -> usize {
    let vocabulary = session.vocabulary().clone();
    let texts: Vec<Vec<u8>> =
        (0..vocabulary.tokens().width() - 1).map(|token| vocabulary.text_of(&[token])).collect();
    let mut next: HashMap<Vec<u32>, BTreeSet<u32>> = HashMap::new();
    let mut open = vec![Vec::new()];
    while let Some(tokens) = open.pop() {
        let (mut text, mut begins) = (Vec::new(), Vec::new());
        for &token in &tokens {
            begins.push(text.len());
            text.extend_from_slice(&texts[token as usize]);
        }
        if alternatives.iter().any(|parts| is_text(parts, &text, &begins, 0)) {
            next.entry(tokens.clone()).or_default().insert(texts.len() as u32);
            (0..tokens.len()).for_each(|at| {
                next.entry(tokens[..at].to_vec()).or_default().insert(tokens[at]);
            });
        }
        if tokens.len() < longest {
            open.extend((0..texts.len() as u32).map(|token| [&tokens[..], &[token]].concat()));
        }
    }
    let mut masks = 0;
    let mut open = vec![(Vec::new(), session.matcher().expect("scratch"))];
    while let Some((tokens, mut matcher)) = open.pop() {
        let mut row = vec![0; session.row_words()];
        matcher.fill_mask(&mut row).expect("the row is long enough");
        let now: BTreeSet<u32> = row::tokens(&row).collect();
        assert_eq!(
            Some(&now),
            next.get(&tokens),
            "{:?}",
            String::from_utf8_lossy(&vocabulary.text_of(&tokens))
        );
        masks += 1;
        complete_within_budget(&matcher, &tokens, &next);
        let saved = session.restore(&matcher.save()).map(|mut restored| {
            restored.fill_mask(&mut row).expect("the row is long enough");
            row::tokens(&row).collect::<BTreeSet<u32>>()
        });
        assert_eq!(saved.expect("saved"), now);
        for token in 0..texts.len() as u32 {
            let mut after = matcher.clone();
            assert_eq!(after.commit(token).is_ok(), now.contains(&token));
            assert_eq!(matcher.validate(&[token]), Ok(usize::from(now.contains(&token))));
            if now.contains(&token) && tokens.len() < deep {
                let mut back = after.clone();
                back.rollback(1).expect("within reach");
                assert_eq!(back.save(), matcher.save());
                open.push(([&tokens[..], &[token]].concat(), after));
            }
        }
    }
    masks
}

/// The tokens that complete the text are not more than a matcher says, and at least as many as the fewest there are; whatever the masks within that
/// budget allow, the text is complete in time.
fn complete_within_budget(matcher: &Matcher, tokens: &[u32], next: &HashMap<Vec<u32>, BTreeSet<u32>>) {
    let end = matcher.session().vocabulary().tokens().width() - 1;
    let is_complete = |text: &Vec<u32>| text.starts_with(tokens) && next[text].contains(&end);
    let fewest = next.keys().filter(|text| is_complete(text)).map(|text| text.len() - tokens.len() + 1).min();
    let mut matcher = matcher.clone();
    let least = matcher.min_remaining().expect("budgets").expect("a completion");
    assert!(least as usize >= fewest.expect("a completion"), "{tokens:?}");
    matcher.set_budget(Some(least)).expect("enough tokens");
    let mut open = vec![matcher];
    while let Some(mut matcher) = open.pop() {
        let mut row = vec![0; matcher.session().row_words()];
        matcher.fill_mask(&mut row).expect("the row is long enough");
        assert!(matcher.is_terminated() || row::tokens(&row).next().is_some(), "{tokens:?}");
        for token in row::tokens(&row) {
            let mut after = matcher.clone();
            after.commit(token).expect("an allowed token");
            open.push(after);
        }
    }
}

fn letters(text: &[u8]) -> bool {
    text.iter().all(|byte| b"ab".contains(byte))
}

fn some_letters(text: &[u8]) -> bool {
    !text.is_empty() && letters(text)
}

fn sentences(text: &[u8]) -> bool {
    text.ends_with(b".") && text.iter().all(|byte| b"ab.".contains(byte))
}

/// Text without the end `))`, which a part of `))` may end.
fn free(text: &[u8]) -> bool {
    !text.windows(2).any(|window| window == b"))")
}

#[test]
fn masks_are_those_of_the_definition() {
    use Part::{Limited, Text};
    let tokens = ["(", "a", "b", ")", "a)", "ab", "(a", "."];
    let cases: [(&str, Vec<Vec<Part>>); 8] = [
        (
            "root ::= \"(\" r \")\"\nr[max_tokens=2] ::= [ab]*",
            vec![vec![Text("("), Limited(2, letters), Text(")")]],
        ),
        (
            "root ::= \"(\" r \")\"\nr[max_tokens=1] ::= ([ab]* \".\")+",
            vec![vec![Text("("), Limited(1, sentences), Text(")")]],
        ),
        // Where one begins and the other ends is not certain.
        (
            "root ::= r s \")\"\nr[max_tokens=1] ::= [ab]*\ns[max_tokens=2] ::= [ab]+",
            vec![vec![Limited(1, letters), Limited(2, some_letters), Text(")")]],
        ),
        (
            "root ::= \"a\"{0,2} r \")\"\nr[max_tokens=2] ::= [ab]+",
            vec![
                vec![Limited(2, some_letters), Text(")")],
                vec![Text("a"), Limited(2, some_letters), Text(")")],
                vec![Text("aa"), Limited(2, some_letters), Text(")")],
            ],
        ),
        // Other text goes on where the limited text is over.
        (
            "root ::= (r | \"ababab\") \")\"\nr[max_tokens=2] ::= [ab]+",
            vec![vec![Limited(2, some_letters), Text(")")], vec![Text("ababab)")]],
        ),
        (
            "root ::= \"(\" (r \")\" | \"a\" s \").\")\nr[max_tokens=2] ::= [ab]*\ns[max_tokens=1] ::= [ab]*",
            vec![
                vec![Text("("), Limited(2, letters), Text(")")],
                vec![Text("(a"), Limited(1, letters), Text(").")],
            ],
        ),
        // Each occurrence counts for itself.
        (
            "root ::= (r \")\"){1,2}\nr[max_tokens=1] ::= [ab]+",
            vec![
                vec![Limited(1, some_letters), Text(")")],
                vec![Limited(1, some_letters), Text(")"), Limited(1, some_letters), Text(")")],
            ],
        ),
        (
            "root ::= r\nr[max_tokens=2, max_chars=3] ::= [ab]+",
            vec![vec![Limited(2, |text| some_letters(text) && text.len() <= 3)]],
        ),
    ];
    let mut masks = 0;
    for (grammar, alternatives) in cases {
        masks += compare(&compiled("ebnf", grammar, &tokens), &alternatives, 3, 6);
    }
    assert!(masks > 100, "{masks} masks");
}

#[test]
fn masks_of_free_text_are_those_of_the_definition() {
    use Part::{Limited, Text};
    let tokens = ["(", "a", ")", "))", "a)", ")a"];
    for most in [0, 1, 2] {
        let tag = |content: String| {
            format!(
                r#"{{"type": "structural_tag", "format": {{"type": "tag", "begin": "(", "content": {content}, "end": "))"}}}}"#
            )
        };
        let session = compiled(
            "structural-tag",
            &tag(format!(r#"{{"type": "any_text", "max_tokens": {most}}}"#)),
            &tokens,
        );
        let text = if most == 0 { Text("") } else { Limited(most, free) };
        assert!(compare(&session, &[vec![Text("("), text, Text("))")]], 4, 6) > 2);
    }
}

/// Text up to the first `!!`.
fn up_to_two_marks(text: &[u8]) -> bool {
    text.ends_with(b"!!") && letters(&text[..text.len() - 2])
}

fn letters_and_marks(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(|byte| b"ab!".contains(byte))
}

/// Where the first two marks end that have something in front of them.
fn end_of_two_marks(text: &[u8]) -> Option<usize> {
    (3..=text.len()).find(|&end| text[..end].ends_with(b"!!"))
}

/// The shortest texts of letters and marks, one at least, with two marks behind them.
fn marks_before_two_marks(text: &[u8]) -> bool {
    letters_and_marks(text) && end_of_two_marks(text) == Some(text.len())
}

/// Letters and marks in front of these two.
fn marks_alone(text: &[u8]) -> bool {
    letters_and_marks(text) && end_of_two_marks(text).is_none()
}

#[test]
fn text_with_a_suffix_ends_at_its_limit_without_it() {
    use Part::{Closed, Text};
    let tokens = ["(", "a", "b", ")", "!", "!!", "a!", "b)", "!)"];
    let mut masks = 0;
    for most in [1, 2, 3] {
        for (rule, language, body) in [
            ("suffix=\"!!\"]: /[ab]*/", up_to_two_marks as fn(&[u8]) -> bool, letters as fn(&[u8]) -> bool),
            ("suffix=\"!!\"]: /[ab!]+/", marks_before_two_marks, marks_alone),
            ("lazy]: /[ab]*/ \"!!\"", up_to_two_marks, letters),
        ] {
            let grammar = format!("start: \"(\" r \")\"\nr[max_tokens={most}, {rule}\n");
            let parts = vec![Text("("), Closed(most, language, body), Text(")")];
            masks += compare(&compiled("lark", &grammar, &tokens), &[parts], 3, 6);
        }
        let grammar = format!("start: \"(\" r \"!!\" \")\"\nr[max_tokens={most}, stop=\"!!\"]: /[ab]*/\n");
        let parts = vec![Text("("), Closed(most, up_to_two_marks, letters), Text(")")];
        masks += compare(&compiled("lark", &grammar, &tokens), &[parts], 3, 6);
    }
    assert!(masks > 100, "{masks} masks");
}

#[test]
fn greedy_text_ends_at_its_limit() {
    // Under longest match, `x` is a part of the text wherever it may be.
    let grammar = "start: r \"x\"\nr[max_tokens=2]: /[abx]+/\n";
    let session = compiled("lark", grammar, &["a", "x", "ab", "c"]);
    let mut matcher = session.matcher().expect("scratch");
    commit(&mut matcher, &["x"]);
    assert_eq!(allowed(&mut matcher), ["a", "x", "ab"]);
    commit(&mut matcher, &["ab"]);
    assert_eq!(allowed(&mut matcher), ["x"]);
    commit(&mut matcher, &["x"]);
    assert_eq!(allowed(&mut matcher), ["<end>"]);
    // Text that cannot end goes on until it can.
    let grammar = "start: r \"x\"\nr[max_tokens=1]: /([ab]+ )+/\n";
    let mut matcher = compiled("lark", grammar, &["a", "b", "x", "a ", " "]).matcher().expect("scratch");
    commit(&mut matcher, &["a"]);
    assert_eq!(allowed(&mut matcher), ["a", "b", "a ", " "]);
    commit(&mut matcher, &["b", "a "]);
    assert_eq!(allowed(&mut matcher), ["x"]);
}

#[test]
fn a_special_token_is_forced() {
    let special = |id, text: &str| SpecialToken { id, text: text.to_owned() };
    let tokens = (0..).zip(["<", "a", "b"].map(|text| text.as_bytes().to_vec())).collect();
    let specials = vec![special(3, "</think>"), special(4, "<end>")];
    let vocabulary = Vocabulary::from_parts("special", tokens, specials, vec![4], 5).expect("made");
    for content in ["any_text", "any_tokens"] {
        let tag = format!(
            r#"{{"type": "structural_tag", "format": {{"type": "tag", "begin": "<", "content": {{"type": "{content}", "max_tokens": 2}}, "end": {{"type": "token", "token": "</think>"}}}}}}"#
        );
        let artifact =
            compile(&Source::structural_tag(tag), &vocabulary, &Options::default()).expect("compiled");
        let mut matcher =
            Session::new(artifact, &vocabulary).expect("it is for them").matcher().expect("scratch");
        commit(&mut matcher, &["<", "a"]);
        assert_eq!(allowed(&mut matcher), ["<", "a", "b", "</think>"], "{content}");
        commit(&mut matcher, &["b"]);
        assert_eq!(allowed(&mut matcher), ["</think>"], "{content}");
    }
}

#[test]
fn what_depends_on_the_limit_is_not_forced() {
    for (notation, grammar) in [
        ("lark", "start: r \"xy\"\nr[max_tokens=2]: /x+/\n"),
        ("ebnf", "root ::= r \"xy\"\nr[max_tokens=2] ::= \"x\"+"),
    ] {
        let mut matcher = compiled(notation, grammar, &["x", "y", "xx"]).matcher().expect("scratch");
        for _ in 0..2 {
            assert!(matcher.forced(9).expect("scratch").is_empty(), "{notation}");
            commit(&mut matcher, &["x"]);
        }
        // Under any split the text may also have ended before the last letter.
        let certain = if notation == "lark" { &b"xy"[..] } else { b"" };
        assert_eq!(matcher.forced(9).expect("scratch"), certain, "{notation}");
    }
}

#[test]
fn drafts_and_copies_count() {
    let session = thinking(r#"{"type": "any_text", "max_tokens": 2}"#);
    let mut matcher = session.matcher().expect("scratch");
    let token = |text: &str| session.vocabulary().tokens().find(text.as_bytes()).expect("a token");
    let tokens = ["<think>", "a", "b", "c", "</", "think>"].map(token);
    assert_eq!(matcher.validate(&tokens), Ok(3));
    let parents = [None, Some(0), Some(1), Some(2), Some(2), Some(4)];
    let words = session.row_words();
    let mut rows = vec![0; 6 * words];
    let nodes = matcher.verify_tree(Tree { parents: &parents, tokens: &tokens }, &mut rows).expect("a tree");
    assert_eq!(nodes, [true, true, true, false, true, true]);
    assert_eq!(row::tokens(&rows[2 * words..3 * words]).collect::<Vec<_>>(), [token("</")]);
    assert_eq!(matcher.committed(), 0);
    commit(&mut matcher, &["<think>", "a"]);
    let mut copy = matcher.fork().expect("scratch");
    commit(&mut matcher, &["b"]);
    assert_eq!(allowed(&mut copy), THINKING);
    matcher.reset();
    assert_eq!(allowed(&mut matcher), ["<think>"]);
    // Bytes that are committed together count as one token, and bytes that are only asked about as none.
    matcher.commit_bytes(b"<think>").expect("text");
    matcher.commit_bytes(b"abc").expect("text");
    assert_eq!(matcher.validate_bytes(b"abc</think>"), Ok(11));
    matcher.commit_bytes(b"abc").expect("text");
    assert_eq!((allowed(&mut matcher), matcher.validate_bytes(b"a")), (vec!["</".to_owned()], Ok(0)));
}

#[test]
fn budgets_are_bounds() {
    let session = thinking(r#"{"type": "any_text", "max_tokens": 2}"#);
    let mut matcher = session.matcher().expect("scratch");
    assert_eq!(matcher.min_remaining().expect("budgets"), Some(4), "<think>, </, think>, and the end");
    matcher.set_budget(Some(4)).expect("enough");
    commit(&mut matcher, &["<think>"]);
    assert_eq!(allowed(&mut matcher), ["a</", "</"]);
}

#[test]
fn forged_limits_are_refused() {
    let session = thinking(r#"{"type": "any_text", "max_tokens": 2}"#);
    let bytes = session.artifact().bytes().to_vec();
    let container = Container::open(&bytes, FileKind::Grammar).expect("valid");
    let limits: Vec<u32> = container.words(&LIMITS).expect("there").iter().map(|word| word.get()).collect();
    assert_eq!((limits.len(), limits[1]), (3, 2));
    let forged = |change: &dyn Fn(&mut ContainerWriter)| {
        let mut writer = ContainerWriter::of(&container, FileKind::Grammar);
        change(&mut writer);
        GrammarView::open(&writer.finish()).map(drop)
    };
    let with = |words: &[u32]| forged(&|writer| writer.add_words(&LIMITS, words));
    assert_eq!((with(&limits), with(&[])), (Ok(()), Ok(())));
    let [terminal, most, symbol] = limits[..] else { panic!("three words") };
    for words in [
        &limits[..2],
        &[terminal, 0, symbol],
        &[u32::MAX, most, symbol],
        &[terminal, most, u32::MAX],
        &[terminal, most, symbol, terminal, most, symbol],
    ] {
        assert!(
            matches!(with(words), Err(ArtifactError::MalformedTable { table: "limits", .. })),
            "{words:?}"
        );
    }
    let missing = forged(&|writer| writer.remove(&LIMITS));
    assert_eq!(missing, Err(ArtifactError::MissingSection { section: "limits" }));
    // Readers that do not know limits refuse the file.
    assert_eq!(container.header().required_features & TOKEN_LIMITS, TOKEN_LIMITS);
}

#[test]
fn large_numbers_of_any_tokens_are_counted() {
    for most in [1000, 100_000, 2_147_483_647_u32] {
        let tag = format!(
            r#"{{"type": "structural_tag", "format": {{"type": "any_tokens", "max_tokens": {most}}}}}"#
        );
        let vocabulary = Vocabulary::from_tokens("tiny", ["a", "b"]).expect("a vocabulary");
        let artifact = compile(&Source::structural_tag(tag), &vocabulary, &Options::default());
        assert!(artifact.expect("counted in logarithmic size").bytes().len() < 200_000, "{most}");
    }
}
