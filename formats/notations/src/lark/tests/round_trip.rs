//! Random grammars, printed in the notation of Lark and read back.

use crate::lark::parse;
use gcc_grammar_ir::{
    Body, ContextRules, Discipline, Expr, Grammar, NonterminalId, Pattern, Rule, Symbol, Terminal, TerminalId,
};
use gcc_grammar_random::Random;
use gcc_grammar_regular::Regex;

const RULES: usize = 4;
const TERMINALS: usize = 3;

/// A random expression in the form that the front end builds: no list has one element, except as the operand of a repetition.
fn expression(random: &mut Random, depth: usize) -> Expr {
    let parts = |random: &mut Random| {
        let count = [0, 2, 2, 3][random.below(4)];
        (0..count).map(|_| expression(random, depth - 1)).collect()
    };
    match random.below(if depth == 0 { 2 } else { 5 }) {
        0 => Expr::Symbol(Symbol::Terminal(TerminalId::new(random.below(TERMINALS)))),
        1 => Expr::Symbol(Symbol::Nonterminal(NonterminalId::new(random.below(RULES)))),
        2 => Expr::Sequence(parts(random)),
        3 => match parts(random) {
            none if none.is_empty() => Expr::Sequence(none),
            some => Expr::Choice(some),
        },
        _ => {
            let min = random.below(4) as u32;
            let max = [None, Some(min), Some(min + 1), Some(1.max(min))][random.below(4)];
            Expr::Repeat { inner: Box::new(expression(random, depth - 1)), min, max }
        }
    }
}

fn grammar(random: &mut Random) -> Grammar {
    let mut bodies: Vec<Expr> = (0..RULES).map(|_| expression(random, 3)).collect();
    // Every rule and terminal is used, in the order of the numbers that reading gives them.
    let all = (0..RULES).map(|id| Symbol::Nonterminal(NonterminalId::new(id)));
    let all = all.chain((0..TERMINALS).map(|id| Symbol::Terminal(TerminalId::new(id))));
    bodies[0] = Expr::Choice(vec![Expr::Sequence(all.map(Expr::Symbol).collect()), bodies[0].clone()]);
    let name = |id: usize| if id == 0 { "start".to_string() } else { format!("rule_{id}") };
    let rule = |(id, body)| Rule { name: name(id), body: Body::Expr(body), location: None };
    let terminal = |id: usize| Terminal {
        name: format!("T{id}"),
        pattern: Pattern::Regex(Regex::literal(&"x".repeat(id + 1))),
        priority: 0,
        literal: true,
    };
    Grammar {
        terminals: (0..TERMINALS).map(terminal).collect(),
        rules: bodies.into_iter().enumerate().map(rule).collect(),
        start: NonterminalId(0),
        ignored: Vec::new(),
        discipline: Discipline::LongestMatch,
        contexts: ContextRules::default(),
    }
}

/// The lines of the debug view that describe rules.
fn rules(grammar: &Grammar) -> Vec<String> {
    grammar.to_string().lines().skip(2).take(grammar.rules.len()).map(str::to_string).collect()
}

#[test]
fn rules_are_read_back_as_they_were_written() {
    let mut read_back = 0;
    for seed in 0..2000 {
        let grammar = grammar(&mut Random::new(seed));
        let mut text = rules(&grammar).join("\n");
        (0..TERMINALS).for_each(|id| text.push_str(&format!("\nT{id}: \"{}\"", "x".repeat(id + 1))));
        match parse(&text) {
            Ok(parsed) => {
                let bodies = |grammar: &Grammar| {
                    grammar.rules.iter().map(|rule| format!("{:?}", rule.body)).collect::<Vec<_>>()
                };
                assert_eq!(bodies(&parsed.grammar), bodies(&grammar), "seed {seed}:\n{text}");
                read_back += 1;
            }
            Err(errors) => {
                let about_language = |code| code == "no-text";
                assert!(
                    errors.iter().all(|error| about_language(error.code.as_str())),
                    "seed {seed}: {errors:?}\n{text}"
                );
            }
        }
    }
    assert!(read_back > 100, "only {read_back} grammars were fine");
}
