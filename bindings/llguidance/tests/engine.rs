//! The sample engine, with gcc-grammar in the place of llguidance: its masks are those that the definition says.
//!
//! The definition: a token is allowed exactly if the output with it is the beginning of a text of the language, and an end token exactly if
//! the output is such a text. The languages here are finite and listed by hand. Where only one token of the tokenizer can follow, as in
//! llguidance, only that token is allowed. `test_engine.sh` runs the same engine with llguidance itself.

// The engine names its crate llguidance.
extern crate gcc_grammar_llguidance as llguidance;

#[path = "../engine/src/engine.rs"]
mod engine;

use engine::{Constraint, Engine, Model};
use gcc_grammar_llguidance::api::{GrammarWithLexer, StopReason, TopLevelGrammar};
use gcc_grammar_llguidance::toktrie::{ApproximateTokEnv, InferenceCapabilities, TokEnv, TokTrie, TokenId};
use gcc_grammar_llguidance::{Constraint as Appending, Matcher, ParserFactory, StopController};
use gcc_grammar_random::Random;
use std::sync::Arc;

/// The same tokens, without saying how texts are cut: no token is certain.
fn free_tokens() -> TokEnv {
    Arc::new(ApproximateTokEnv::new(Model::tokens().tok_trie().clone()))
}

/// Constraints with all the texts of their languages.
fn finite() -> Vec<(Constraint, Vec<String>)> {
    let schema = r#"{"type":"object","x-guidance":{"whitespace_flexible":false},"properties":{"unit":{"enum":["celsius","kelvin"]},"zone":{"enum":[null,true]}},"required":["unit"],"additionalProperties":false}"#;
    let texts = ["celsius", "kelvin"].map(|unit| {
        ["", ",\"zone\":null", ",\"zone\":true"].map(|rest| format!("{{\"unit\":\"{unit}\"{rest}}}"))
    });
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    vec![
        (Constraint::Regex("ab(c|cab)?|abcd|null12"), owned(&["ab", "abc", "abcab", "abcd", "null12"])),
        (Constraint::Regex("a/b|a\\/c"), owned(&["a/b", "a/c"])),
        (
            Constraint::Lark("start: \"true\" tail?\ntail: /345|12/ | \"ab\"\n"),
            owned(&["true", "true345", "true12", "trueab"]),
        ),
        (Constraint::JsonSchema(schema), texts.concat()),
    ]
}

#[test]
fn masks_are_those_of_the_definition() {
    for tokens in [free_tokens(), Model::tokens()] {
        let engine = Engine::new(&tokens).expect("an engine");
        for ((constraint, texts), seed) in finite().into_iter().zip(0..) {
            for seed in 10 * seed..10 * seed + 10 {
                let mut random = Random::new(seed);
                let mut matcher = engine.matcher(&constraint).expect("a matcher");
                let look = |output: &[TokenId], allowed: &[bool]| {
                    check(&tokens, &texts, output, allowed);
                    Ok(())
                };
                let output = engine.run(&mut matcher, &mut || random.draw(), 99, look).expect("an output");
                let text = tokens.tok_trie().decode_str(&output);
                assert!(texts.contains(&text), "{constraint:?}: {text:?}");
                assert!(matcher.is_stopped() && matcher.stop_reason().is_ok());
            }
        }
    }
}

/// Compares a mask with the definition.
fn check(tokens: &TokEnv, texts: &[String], output: &[TokenId], allowed: &[bool]) {
    let trie = tokens.tok_trie();
    let output = trie.decode_str(output);
    let may_come = |token: TokenId| {
        if token == trie.eos_token() {
            return texts.contains(&output);
        }
        let next = [output.as_bytes(), trie.token(token)].concat();
        texts.iter().any(|text| text.as_bytes().starts_with(&next))
    };
    let exact: Vec<TokenId> = (0..trie.vocab_size() as TokenId).filter(|&token| may_come(token)).collect();
    let mask: Vec<TokenId> = (0..).zip(allowed).filter(|(_, is)| **is).map(|(token, _)| token).collect();
    if mask != exact {
        // The token that the tokenizer cuts from the text that all continuations share.
        let rests: Vec<&[u8]> =
            texts.iter().filter_map(|text| text.as_bytes().strip_prefix(output.as_bytes())).collect();
        let shared = rests
            .iter()
            .copied()
            .reduce(|one, other| &one[..one.iter().zip(other).take_while(|(a, b)| a == b).count()]);
        let forced = trie.greedy_tokenize(shared.expect("a text goes on"));
        assert!(
            tokens.tokenize_is_canonical() && !texts.contains(&output),
            "{output:?}: {mask:?}, not {exact:?}"
        );
        assert_eq!(mask, forced[..1], "{output:?}");
    }
}

/// A matcher of a pattern without forced tokens.
fn matcher(pattern: &'static str) -> Matcher {
    Engine::new(&free_tokens())
        .and_then(|engine| engine.matcher(&Constraint::Regex(pattern)))
        .expect("a matcher")
}

#[test]
fn tokens_can_be_tried_and_taken_back() {
    let (mut matcher, tokens) = (matcher("abc[0-9]{2}"), free_tokens());
    let cut = |text: &str| tokens.tok_trie().greedy_tokenize(text.as_bytes());
    assert_eq!(matcher.validate_tokens(&cut("abc1x")).expect("valid"), 2);
    assert_eq!(matcher.try_consume_tokens(&cut("abc1x")).expect("consumed"), 2);
    assert_eq!(matcher.stop_reason(), StopReason::NotStopped);
    matcher.consume_tokens(&cut("7")).expect("a digit");
    assert_eq!(
        (matcher.stop_reason(), matcher.is_accepting().expect("no error")),
        (StopReason::NoExtension, true)
    );
    // Behind the end nothing is valid, and only the end token is in the mask.
    assert_eq!(matcher.validate_tokens(&cut("7")).expect("valid"), 0);
    assert_eq!(matcher.compute_mask_or_eos().expect("a mask").to_list(), [tokens.eos_token()]);
    matcher.rollback(2).expect("taken back");
    assert_eq!(matcher.compute_mask().expect("a mask").num_set(), 11, "ten digits and `12`");
    assert_eq!(matcher.deep_clone().compute_ff_bytes(), b"");
    matcher.reset().expect("the beginning");
    assert_eq!(matcher.compute_ff_bytes(), b"abc");
}

#[test]
fn an_error_stays() {
    let mut failed = matcher("abc");
    failed.consume_token(0).expect_err("a byte that cannot come");
    assert!(failed.is_error() && failed.is_stopped());
    assert_eq!(failed.stop_reason(), StopReason::InternalError);
    let message = failed.get_error().expect("a message");
    assert!(message.contains("cannot come next"), "{message}");
    assert_eq!(failed.compute_mask_or_eos().expect_err("an error").to_string(), message);
    assert_eq!((failed.compute_ff_tokens(), failed.consume_ff_tokens()), (vec![], vec![]));
    let mut stopped = matcher("a");
    stopped.consume_token(u32::from(b'a')).expect("the text");
    stopped.compute_mask().expect_err("the output has stopped");
    matcher("a").validate_tokens(&[99_999]).expect_err("no such token");
    assert!(Matcher::new(Err(anyhow::anyhow!("none"))).is_error());
}

#[test]
fn grammars_that_cannot_be_followed_are_refused() {
    let factory = ParserFactory::new_simple(&free_tokens()).expect("a factory");
    let one = GrammarWithLexer::from_regex("a");
    let several = TopLevelGrammar { grammars: vec![one.clone(), one.clone()], max_tokens: None };
    let limited = TopLevelGrammar { max_tokens: Some(5), ..TopLevelGrammar::from_grammar(one) };
    let none = TopLevelGrammar::from_grammar(GrammarWithLexer::default());
    let invalid = TopLevelGrammar::from_lark("start: \"a".into());
    for grammar in [several, limited, none, invalid] {
        assert!(factory.create_parser(grammar.clone()).is_err(), "{grammar:?}");
    }
    for (kind, text) in [("prose", ""), ("json", "{"), ("guidance", " "), ("guidance", "{}")] {
        assert!(TopLevelGrammar::from_tagged_str(kind, text).is_err(), "{kind}");
    }
    let list = r#"{"grammars":[{"lark_grammar":"start: \"a\""}]}"#;
    for (kind, text) in
        [("json_object", ""), ("guidance", list), ("guidance", "start: \"a\""), ("regex", "a/")]
    {
        let grammar = TopLevelGrammar::from_tagged_str(kind, text).expect("a grammar");
        assert!(factory.create_parser(grammar).is_ok(), "{kind}");
    }
}

#[test]
fn a_constraint_appends_what_is_certain() {
    let capabilities = InferenceCapabilities { ff_tokens: true, ..InferenceCapabilities::default() };
    let tokens = Model::tokens();
    let factory = ParserFactory::new(&tokens, capabilities, &[]).expect("a factory");
    let grammar = TopLevelGrammar::from_regex("(x|y)null12(x|y)");
    let mut constraint = Appending::new(factory.create_parser(grammar).expect("a parser"));
    let [x, y] = [b'x', b'y'].map(u32::from);
    let word = |text: &str| tokens.tok_trie().token_id(text.as_bytes()).expect("a token");
    constraint.commit_token(Some(x)).expect_err("there is no mask");
    let mask = constraint.compute_mask().expect("a mask").sample_mask.clone().expect("tokens");
    assert_eq!(mask.to_list(), [x, y]);
    let result = constraint.commit_token(Some(x)).expect("committed");
    assert_eq!(result.ff_tokens, [x, word("null"), word("12")]);
    constraint.compute_mask().expect("a mask");
    assert_eq!(constraint.commit_token(Some(y)).expect("committed").ff_tokens, [y]);
    assert!(constraint.has_pending_stop());
    assert!(constraint.compute_mask().expect("a step").is_stop());
    assert!(constraint.commit_token(None).expect("nothing to do").stop);
}

/// Cuts a text into random tokens of at most three bytes.
fn pieces(random: &mut Random, tokens: &TokTrie, mut text: &[u8]) -> Vec<TokenId> {
    let mut cut = Vec::new();
    while !text.is_empty() {
        let prefixes = tokens.all_prefixes(text);
        let token = prefixes[random.below(prefixes.len())];
        text = &text[tokens.token_len(token)..];
        cut.push(token);
    }
    cut
}

/// What a controller has returned after each token, by the definition: all that no stop can begin in; at a stop, all before it.
fn expected(stops: &[&str], text: &str) -> (String, bool) {
    for end in 1..=text.len() {
        let begins = stops.iter().filter(|stop| text[..end].ends_with(**stop)).map(|stop| end - stop.len());
        if let Some(begin) = begins.min() {
            return (text[..begin].to_owned(), true);
        }
    }
    let may_begin = |at: &usize| stops.iter().any(|stop| stop.starts_with(&text[*at..]));
    (text[..(0..text.len()).find(may_begin).unwrap_or(text.len())].to_owned(), false)
}

#[test]
fn stops_are_those_of_the_definition() {
    let (tokens, mut random) = (free_tokens(), Random::new(5));
    for _ in 0..400 {
        let word = |random: &mut Random, most| -> String {
            (0..=random.below(most)).map(|_| ['a', 'b', 'c'][random.below(3)]).collect()
        };
        let stops = [word(&mut random, 5), word(&mut random, 5)];
        let text = word(&mut random, 30);
        let strings = vec![stops[0].clone()];
        let mut controller = StopController::new(tokens.clone(), vec![], Some(stops[1].clone()), strings)
            .expect("a controller");
        let (mut read, mut returned) = (String::new(), String::new());
        for token in pieces(&mut random, tokens.tok_trie(), text.as_bytes()) {
            read += &tokens.tok_trie().decode_str(&[token]);
            returned += &controller.commit_token(token);
            let stops = [&*stops[0], &*stops[1]];
            assert_eq!(
                (returned.clone(), controller.is_stopped()),
                expected(&stops, &read),
                "{stops:?} {read}"
            );
        }
    }
}

#[test]
fn a_stop_controller_returns_whole_characters() {
    let tokens = free_tokens();
    let bytes = |text: &str| text.bytes().map(u32::from).collect::<Vec<_>>();
    let end = tokens.eos_token();
    let mut controller =
        StopController::new(tokens.clone(), vec![end], None, vec!["é.".into()]).expect("a controller");
    let parts: Vec<String> = bytes("a🫠é!").into_iter().map(|token| controller.commit_token(token)).collect();
    assert_eq!(parts, ["a", "", "", "", "🫠", "", "", "é!"]);
    // A dot in a stop text is a dot; a stop token returns what was held back.
    assert_eq!(controller.commit_token(0xc3), "");
    assert_eq!((controller.commit_token(end), controller.is_stopped()), ("\u{fffd}".to_owned(), true));
    assert_eq!(controller.commit_token(u32::from(b'a')), "");
    for pattern in ["(", "^a", "(?=a)b"] {
        let made = StopController::new(tokens.clone(), vec![], Some(pattern.into()), vec![]);
        assert!(made.is_err(), "{pattern}");
    }
}
