//! Grammars in which some terminals cannot stand next to each other.

use super::Liveness;
use crate::ids::{EndClass, LexState, LrState};
use crate::lexer::IGNORED;
use crate::lr::{Run, StackId};
use crate::{Automata, CompileError};
use gcc_grammar_limits::Limits;
use gcc_grammar_notations::lark;

/// Whether the text is viable in the tables to decode with.
fn is_viable(automata: &Automata, text: &str) -> bool {
    let tables = automata.decoding();
    let mut run = Run::new(tables.lr);
    let start = LrState(0);
    let mut heads: Vec<(LexState, StackId)> =
        vec![(tables.lexer.restart(EndClass(0), tables.contexts.of(start)), run.stacks.bottom(start))];
    for byte in text.bytes() {
        let class = automata.symbols.class_of(byte);
        let mut next = Vec::new();
        for (state, stack) in heads {
            next.push((tables.lexer.next(state, class), stack));
            for &terminal in tables.lexer.accepts(state) {
                let stacks = if terminal == IGNORED {
                    vec![stack]
                } else {
                    run.shift_unmerged(stack, terminal).stacks
                };
                for stack in stacks {
                    let context = tables.contexts.of(run.stacks.top(stack));
                    let restart = tables.lexer.restart(tables.lexer.end_class[state.index()], context);
                    next.push((tables.lexer.next(restart, class), stack));
                }
            }
        }
        next.retain(|&(state, _)| state != LexState::DEAD);
        heads = next;
    }
    heads.into_iter().any(|(state, stack)| {
        let mut pending = tables.lexer.pending(state).iter();
        pending.any(|&t| t == IGNORED || !run.shift_unmerged(stack, t).stacks.is_empty())
    })
}

/// The texts of the letters up to a length, after which something is possible.
fn viable(grammar: &str, texts: &[&str]) -> Vec<String> {
    let grammar = lark::parse(grammar).expect("valid").grammar;
    let automata = Automata::without_vocabulary(&grammar.into(), Limits::default()).expect("has texts");
    assert_eq!(automata.live.liveness, Liveness::Certified);
    texts.iter().filter(|text| is_viable(&automata, text)).map(|&text| text.to_owned()).collect()
}

fn refused(grammar: &str) -> String {
    let grammar = lark::parse(grammar).expect("valid").grammar;
    match Automata::without_vocabulary(&grammar.into(), Limits::default()) {
        Err(CompileError::Grammar(diagnostics)) => diagnostics[0].message.clone(),
        other => panic!("compiled: {:?}", other.map(|automata| automata.live.liveness.clone())),
    }
}

#[test]
fn a_grammar_whose_terminals_cannot_be_joined_has_no_text() {
    let message = refused("start: A B\nA: /a+/\nB: /a/\n");
    assert_eq!(
        message,
        "no text at all matches this grammar: after A there is never B, because the longest match of another terminal takes its text"
    );
}

#[test]
fn a_choice_that_cannot_be_completed_is_not_offered() {
    // After `aa` an `a` cannot come, but a `c` can.
    let grammar = "start: A B | A C | \"x\" A B\nA: /a+/\nB: /a/\nC: /c/\n";
    assert_eq!(viable(grammar, &["a", "aa", "ac", "x", "xa"]), ["a", "aa", "ac"]);
}

#[test]
fn what_an_ignored_lexeme_leaves_counts() {
    // A comment goes on to the end of the line, and a line break is a terminal that may only come at the end.
    let grammar = "start: \"a\" \"b\" NL\nNL: /\\n/\nCOMMENT: /#[^\\n]*/\n%ignore COMMENT\n%ignore / /\n";
    assert_eq!(
        viable(grammar, &["a", "a ", "a #", "ab", "ab #", "ab # x", "ab#\n"]),
        ["a", "a ", "ab", "ab #", "ab # x", "ab#\n"]
    );
}

#[test]
fn what_must_follow_decides_long_before() {
    // Where `)` and `)!` may both come, the longest match decides.
    let grammar = "start: open x close END\nopen: L open | L\nclose: R close | R\nx: \"x\"\nL: \"(\"\nR: \")\"\nEND: /\\)+!/ | \"?\"\n";
    assert_eq!(
        viable(grammar, &["(", "((x", "(x)", "(x)?", "(x)!", "((x))!"]),
        ["(", "((x", "(x)", "(x)?", "((x))!"]
    );
}

#[test]
fn a_certified_grammar_keeps_its_tables() {
    let grammar =
        lark::parse("start: (A | B)+\nA: /[a-z]+/\nB: /[0-9]+/\n%ignore / +/\n").expect("valid").grammar;
    let automata = Automata::without_vocabulary(&grammar.into(), Limits::default()).expect("has texts");
    assert!(automata.live.pruned.is_none() && automata.live.liveness == Liveness::Certified);
}

/// Lexemes in a row: where nothing can fail, and where a comment before the last one would be a dead end.
#[test]
fn long_sequences_take_work_in_proportion() {
    let comments = "NL\nNL: /\\n/\nCOMMENT: /#[^\\n]*/\n%ignore COMMENT\n%ignore / /\n";
    for rest in ["", comments] {
        let work = |count: usize| {
            let grammar = format!("start: {}{rest}\n", "\"y\" ".repeat(count));
            let grammar = lark::parse(&grammar).expect("valid").grammar;
            let automata =
                Automata::without_vocabulary(&grammar.into(), Limits::default()).expect("has texts");
            assert_eq!(automata.live.liveness, Liveness::Certified);
            assert_eq!(automata.live.pruned.is_some(), !rest.is_empty());
            automata.budget.spent().0
        };
        let (once, four_times) = (work(500), work(2000));
        assert!(four_times < once * 6, "{rest}: {once}, then {four_times}");
    }
}
