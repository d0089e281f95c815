//! No token leads into a dead end, and the artifact says so.

use gcc_grammar::text::number;
use gcc_grammar_bundled::{ALL, Bundled, WithBundled};
use gcc_grammar_compiler::liveness::Liveness;
use gcc_grammar_compiler::{Automata, CompileError, Limits, Options, compile};
use gcc_grammar_ir::Grammar;
use gcc_grammar_notations::bnf::{self, Dialect};
use gcc_grammar_notations::lark::{self, BuiltIn};
use gcc_grammar_tests::compare::{Subject, compare};
use gcc_grammar_tests::files::repository;
use gcc_grammar_tests::law::Law;
use gcc_grammar_tests::subject::{Way, convert};
use gcc_grammar_tests::{Token, Vocabulary};
use std::fs;

fn bundled(bundled: &Bundled) -> Grammar {
    let sources = WithBundled(BuiltIn);
    let options = lark::Options { sources: &sources, ..lark::Options::default() };
    lark::parse_with(bundled.text, &options).expect("valid").grammar
}

fn grammar(text: &str) -> Grammar {
    lark::parse(text).expect("valid").grammar
}

/// These tokens, and an end token.
fn vocabulary(tokens: &[&str]) -> Vocabulary {
    let mut all: Vec<Token> = tokens.iter().map(|token| Token::Text(token.as_bytes().to_vec())).collect();
    all.push(Token::Special("<end>".to_owned()));
    Vocabulary { tokens: all, end: vec![tokens.len() as u32], padding: 0 }
}

/// Compares the runtime with the oracle along the tokens, and returns the tokens that are allowed at last.
fn allowed_after(grammar: &Grammar, vocabulary: &Vocabulary, tokens: &[u32]) -> Vec<u32> {
    let mut allowed = Vec::new();
    let built = Way::Rows.build(grammar, vocabulary, &mut |built| {
        let mut oracle = built.oracle(grammar, vocabulary);
        let steps = tokens.iter().map(|&token| gcc_grammar_tests::compare::Step::Commit(token));
        let mut guide = steps.collect::<Vec<_>>().into_iter();
        let (_, failure) = compare(&mut oracle, built.engine, &mut guide);
        assert_eq!(failure, None);
        let mask = built.engine.mask().expect("room");
        allowed = (0..).zip(mask).filter(|&(_, is_allowed)| is_allowed).map(|(id, _)| id).collect();
    });
    built.expect("compiles");
    allowed
}

#[test]
fn all_bundled_grammars_are_certified() {
    let mut unchanged = 0;
    let mut grown = Vec::new();
    for source in ALL {
        let grammar = bundled(source);
        let automata = Automata::without_vocabulary(&grammar.into(), Limits::default()).expect("compiles");
        assert_eq!(automata.live.liveness, Liveness::Certified, "{}", source.name);
        match &automata.live.pruned {
            Some(pruned) => grown.push((source.name, automata.lr.states(), pruned.lr.states())),
            None => unchanged += 1,
        }
    }
    let (name, before, after) =
        grown.into_iter().max_by_key(|(_, before, after)| after.abs_diff(*before)).expect("new tables");
    let [before, after] = [before, after].map(|states| number(states as u64));
    let sentence = format!(
        "Of the {} bundled grammars, {unchanged} need no new tables, and of the others `{name}` grows most, from {before} to {after} LR states.",
        ALL.len()
    );
    let theory = fs::read_to_string(repository().join("docs/theory.md")).expect("a page");
    let theory: Vec<&str> = theory.split_whitespace().collect();
    assert!(theory.join(" ").contains(&sentence), "docs/theory.md, section 2.4: {sentence}");
}

/// A line comment goes on to a line break, which is a semicolon behind a name, and `type T;` is no declaration.
#[test]
fn a_line_comment_comes_only_where_a_line_break_may_follow() {
    let go = ALL.iter().find(|source| source.name == "go").expect("bundled");
    let law = Law::new(&bundled(go), &Options::default()).expect("compiles");
    law.judge(|read| {
        let mut taken = |text: &str| read(text.as_bytes()).0 == text.len();
        assert!(taken("package a\ntype T /") && !taken("package a\ntype T //"));
        assert!(taken("package a\ntype T /* hi */ int // hi\n"));
        assert!(!taken("package a\ntype T /* hi\n"));
        assert!(taken("package a\ntype T [ // hi\n"));
        let program = b"package a\ntype T int // hi\nvar x = 1 // hi\nfunc f() { // hi\n return // hi\n}\n";
        assert!(read(program).1);
    });
}

#[test]
fn a_text_that_no_token_can_continue_is_not_begun() {
    let vocabulary = vocabulary(&["a", "b", "c"]);
    let choice = |text: &str| bnf::parse(text, Dialect::Gbnf, &Default::default()).expect("valid").grammar;
    assert_eq!(allowed_after(&choice("root ::= \"ab\" | \"cd\""), &vocabulary, &[]), [0]);
    assert_eq!(allowed_after(&choice("root ::= \"ab\" | \"c\" [a-z]"), &vocabulary, &[2]), [0, 1, 2]);
    let error =
        compile(&choice("root ::= \"cd\"").into(), &convert(&vocabulary), &Options::default(), &mut ());
    let Err(CompileError::Grammar(diagnostics)) = error else { panic!("compiled") };
    assert!(diagnostics[0].message.ends_with("none has a byte 0x64"), "{}", diagnostics[0].message);
}

#[test]
fn a_vocabulary_that_may_not_spell_a_text_gives_no_certificate() {
    let liveness = |tokens: &[&str]| {
        let grammar = grammar("start: \"a\" \"b\"");
        compile(&grammar.into(), &convert(&vocabulary(tokens)), &Options::default(), &mut ())
            .expect("compiles")
            .liveness
    };
    assert_eq!(liveness(&["a", "b"]), Liveness::Certified);
    let Liveness::NotCertified(reason) = liveness(&["a", "bb"]) else { panic!("certified") };
    assert!(reason.contains("0x62"), "{reason}");
}

/// Where a choice cannot be completed, it is not forced; what is forced ends.
#[test]
fn forced_bytes_end() {
    let grammar = grammar("start: \"x\" A B | \"y\" A C\nA: /a{3,}/\nB: /a/\nC: \"c\"\n");
    let vocabulary = vocabulary(&["x", "y", "a", "c"]);
    assert_eq!(allowed_after(&grammar, &vocabulary, &[]), [1]);
    let mut forced = Vec::new();
    let built = Way::Rows.build(&grammar, &vocabulary, &mut |built| {
        forced = built.engine.forced(64).expect("room");
    });
    built.expect("compiles");
    assert_eq!(forced, b"yaaa");
}
