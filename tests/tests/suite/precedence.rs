//! `%left`, `%right`, `%nonassoc` and `%prec` of Lark grammars mean the same as in yacc. yacc builds the tables of the rules as they
//! are written, and removes an action wherever a terminal could be shifted or a production reduced.

use gcc_grammar_ir::{Grammar, NonterminalId, Symbol, TerminalId};
use gcc_grammar_notations::lark;
use gcc_grammar_tests::generate::Random;
use gcc_grammar_tests::oracle::lalr::Tables;
use gcc_grammar_tests::oracle::{Cfg, Stack, Stacks};
use gcc_grammar_tests::{Token, Vocabulary};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Terminals are single letters; `E` is the rule.
const OPERAND: char = 'E';
const ASSOCIATIVITIES: [&str; 3] = ["left", "right", "nonassoc"];

/// Operators of one level, and which of [`ASSOCIATIVITIES`] they have.
type Level = (usize, BTreeSet<char>);

struct Operators {
    alternatives: Vec<String>,
    /// Per alternative, `%prec`.
    explicit: Vec<Option<char>>,
    levels: Vec<Level>,
}

impl Operators {
    fn random(random: &mut Random) -> Self {
        let forms = [
            "EaE", "EbE", "EcE", "aE", "bE", "pE", "Ed", "Eh", "EqErE", "EaErE", "EqE", "iE", "iEeE", "pEs",
            "EhEs",
        ];
        let mut alternatives = vec!["n".to_owned()];
        for _ in 0..random.between(1, 6) {
            let form = (*random.pick(&forms)).to_owned();
            if !alternatives.contains(&form) {
                alternatives.push(form);
            }
        }
        let mut levels: Vec<Level> = (0..random.between(1, 4))
            .map(|_| (random.below(ASSOCIATIVITIES.len()), BTreeSet::new()))
            .collect();
        for terminal in "abcdehinpqrs".chars() {
            if random.chance(75) {
                let level = random.below(levels.len());
                levels[level].1.insert(terminal);
            }
        }
        levels.retain(|(_, terminals)| !terminals.is_empty());
        let declared: Vec<char> =
            levels.iter().flat_map(|(_, terminals)| terminals.iter().copied()).collect();
        let explicit = alternatives
            .iter()
            .map(|_| (!declared.is_empty() && random.chance(25)).then(|| *random.pick(&declared)))
            .collect();
        Self { alternatives, explicit, levels }
    }

    /// The grammar as a user would write it.
    fn lark(&self) -> String {
        let mut text = "start: operation\n".to_owned();
        for (index, (alternative, explicit)) in self.alternatives.iter().zip(&self.explicit).enumerate() {
            text += if index == 0 { "operation:" } else { "\n    |" };
            for symbol in alternative.chars() {
                match symbol {
                    OPERAND => text += " operation",
                    terminal => write!(text, " \"{terminal}\"").expect("to a string"),
                }
            }
            if let Some(terminal) = explicit {
                write!(text, " %prec \"{terminal}\"").expect("to a string");
            }
        }
        text += "\n";
        for (associativity, terminals) in &self.levels {
            write!(text, "%{}", ASSOCIATIVITIES[*associativity]).expect("to a string");
            terminals.iter().for_each(|terminal| write!(text, " \"{terminal}\"").expect("to a string"));
            text += "\n";
        }
        text
    }

    /// Which level a terminal has, and its associativity.
    fn level(&self, terminal: char) -> Option<(usize, usize)> {
        let found = self.levels.iter().enumerate().find(|(_, (_, terminals))| terminals.contains(&terminal));
        found.map(|(rank, (associativity, _))| (rank, *associativity))
    }

    /// Whether the reduction stays, and whether the shift does.
    fn keep(&self, production: usize, terminal: char) -> (bool, bool) {
        let last = self.alternatives[production].chars().rev().find(|&symbol| symbol != OPERAND);
        let own = self.explicit[production].or(last).and_then(|terminal| self.level(terminal));
        let Some((own, next)) = own.zip(self.level(terminal)) else { return (true, true) };
        match (own.0.cmp(&next.0), ASSOCIATIVITIES[own.1]) {
            (Ordering::Greater, _) | (Ordering::Equal, "left") => (true, false),
            (Ordering::Less, _) | (Ordering::Equal, "right") => (false, true),
            _ => (false, false),
        }
    }

    /// The tables of yacc.
    fn yacc(&self, terminals: &BTreeMap<char, TerminalId>) -> Tables {
        let rule = NonterminalId::new(0);
        let symbol = |symbol: char| match symbol {
            OPERAND => Symbol::Nonterminal(rule),
            terminal => Symbol::Terminal(terminals[&terminal]),
        };
        let productions = self.alternatives.iter().map(|right| (rule, right.chars().map(symbol).collect()));
        let mut tables =
            Tables::new(&Cfg { productions: productions.collect(), start: rule, accepts_empty: false });
        let letter = |id| *terminals.iter().find(|(_, other)| **other == id).expect("one of them").0;
        tables.decide(|production, terminal| self.keep(production, letter(terminal)));
        tables
    }
}

fn bytes() -> Vocabulary {
    Vocabulary {
        tokens: (0..=255).map(|byte| Token::Text(vec![byte])).collect(),
        end: Vec::new(),
        padding: 0,
    }
}

/// The terminals of a grammar whose names are quoted letters.
fn terminals(grammar: &Grammar) -> BTreeMap<char, TerminalId> {
    let letter = |name: &str| name.chars().nth(1).expect("a quoted letter");
    grammar
        .terminals
        .iter()
        .zip(0..)
        .map(|(terminal, id)| (letter(&terminal.name), TerminalId::new(id)))
        .collect()
}

/// A table, and the stacks that a text has led to.
struct Reading<'t> {
    tables: &'t Tables,
    stacks: Stacks,
}

impl Reading<'_> {
    fn step(&mut self, from: &[Stack], terminal: TerminalId) -> Vec<Stack> {
        let next = from.iter().flat_map(|&stack| self.tables.shift(&mut self.stacks, stack, terminal));
        next.collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn accepts(&mut self, stacks: &[Stack]) -> bool {
        stacks.iter().any(|&stack| self.tables.accepts(&mut self.stacks, stack))
    }
}

/// Compares two tables on all viable texts up to a length. Returns the number of texts that both accept, and the texts that only
/// one accepts.
fn compare(
    one: &Tables,
    other: &Tables,
    terminals: &BTreeMap<char, TerminalId>,
    length: usize,
) -> (usize, Vec<String>) {
    let [mut one, mut other] = [one, other].map(|tables| Reading { tables, stacks: Stacks::default() });
    let mut open = vec![(String::new(), vec![one.stacks.bottom(0)], vec![other.stacks.bottom(0)])];
    let (mut accepted, mut different) = (0, Vec::new());
    while let Some((text, ours, theirs)) = open.pop() {
        let verdicts = (one.accepts(&ours), other.accepts(&theirs));
        accepted += usize::from(verdicts == (true, true));
        if verdicts.0 != verdicts.1 {
            different.push(text.clone());
        }
        for (&letter, &terminal) in terminals.iter().filter(|_| text.len() < length) {
            let next = (one.step(&ours, terminal), other.step(&theirs, terminal));
            if !next.0.is_empty() || !next.1.is_empty() {
                open.push((format!("{text}{letter}"), next.0, next.1));
            }
        }
    }
    different.sort_by_key(|text| text.len());
    (accepted, different)
}

#[test]
fn random_operators_are_read_as_yacc_reads_them() {
    let (mut accepted, mut grammars) = (0, 0);
    for seed in 0..2_000 {
        let operators = Operators::random(&mut Random::new(seed));
        let text = operators.lark();
        let Ok(parsed) = lark::parse(&text) else { continue };
        let terminals = terminals(&parsed.grammar);
        let ours = Tables::new(&Cfg::new(&parsed.grammar, &bytes()));
        let (both, different) = compare(&ours, &operators.yacc(&terminals), &terminals, 6);
        let warnings: Vec<_> = parsed.warnings.iter().map(|warning| warning.code.as_str()).collect();
        if warnings.contains(&"mixed-precedence") {
            continue;
        }
        assert!(different.is_empty(), "seed {seed}: {different:?}\n{text}\n{}\n{warnings:?}", parsed.grammar);
        (accepted, grammars) = (accepted + both, grammars + 1);
    }
    assert!(grammars > 1_500 && accepted > 20_000, "{accepted} texts of {grammars} grammars");
}
