//! Writes the common beginning of many productions once, as a *union*.
//!
//! In an object of `n` optional members every earlier member may precede a key: `N_j -> N_i value_i ","
//! key_j` for all `i < j`, a production for each of n²/2 pairs. But the words before `key_1`, `key_2`, … are
//! prefixes of one list, so
//!
//! ```text
//! N_j -> U_j key_j        U_j -> U_(j-1)        U_j -> N_(j-1) value_(j-1) ","
//! ```
//!
//! derive the same with three productions for each `j`. The lists are kept as a trie: lists with a common
//! prefix share its unions.
//!
//! The parser has no reduction to a union: after a word of a union it continues behind the union at once, in
//! all productions that begin with the union ([`lr`](crate::lr)). This is correct because all these
//! productions are predicted together: a word of a union begins with a helper `N_i` of the automaton, and
//! wherever `N_i` may begin, all productions of the rule may. The words of a union have the same length, so
//! that a reduction knows how many states to pop.

use super::builder::Builder;
use super::nullable::symbol_is_nullable;
use gcc_grammar_ir::{NonterminalId, Symbol, SymbolDfa, TerminalId};
use gcc_grammar_limits::OverBudget;
use rustc_hash::FxHashMap;

/// Fewer words than this are written out.
const MIN_WORDS: usize = 4;

/// The common part of several productions `target -> word terminal` whose words have the same length.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct CommonSuffix {
    pub(super) target: NonterminalId,
    pub(super) terminal: TerminalId,
    pub(super) length: usize,
}

/// The productions of an automaton that may share a union, in groups that could share it, in the order of
/// discovery.
#[derive(Default)]
pub(super) struct Unions {
    indices: FxHashMap<CommonSuffix, usize>,
    /// Per group: the states whose words its productions begin with, ascending.
    groups: Vec<(CommonSuffix, Vec<u32>)>,
}

impl Unions {
    /// Adds the production that begins with the word of `state`. States come in ascending order.
    pub(super) fn add(&mut self, suffix: CommonSuffix, state: usize) {
        let index = *self.indices.entry(suffix).or_insert(self.groups.len());
        if index == self.groups.len() {
            self.groups.push((suffix, Vec::new()));
        }
        self.groups[index].1.push(state as u32);
    }

    /// Adds all productions to `builder`; `word` gives the word of a state.
    pub(super) fn produce<'w>(
        self,
        builder: &mut Builder<'_>,
        word: impl Fn(u32) -> &'w [Symbol],
    ) -> Result<(), OverBudget> {
        let mut known = FxHashMap::default();
        for (CommonSuffix { target, terminal, length }, states) in self.groups {
            builder.budget.charge_work(states.len() as u64)?;
            if states.len() < MIN_WORDS {
                for &state in &states {
                    builder.produce(target, [word(state), &[Symbol::Terminal(terminal)]].concat())?;
                }
                continue;
            }
            let mut union = None;
            for &state in &states {
                let longer = match known.get(&(union, state)) {
                    Some(&longer) => longer,
                    None => {
                        let longer = builder.union(length)?;
                        builder.produce(longer, word(state).to_vec())?;
                        if let Some(union) = union {
                            builder.produce(longer, vec![Symbol::Nonterminal(union)])?;
                        }
                        known.insert((union, state), longer);
                        longer
                    }
                };
                union = Some(longer);
            }
            let union = union.map(Symbol::Nonterminal);
            builder.produce(target, union.into_iter().chain([Symbol::Terminal(terminal)]).collect())?;
        }
        Ok(())
    }
}

/// Whether an automaton may have unions. If none of its symbols derives the empty string and it begins with
/// terminals, then its helpers are predicted together, and none is on a cycle of unit productions.
pub(super) fn may_unite(dfa: &SymbolDfa, nullable: &[bool]) -> bool {
    let is_full = |symbol: Symbol| !symbol_is_nullable(symbol, nullable);
    dfa.states.iter().flat_map(|state| &state.transitions).all(|&(symbol, _)| is_full(symbol))
        && dfa.states[0].transitions.iter().all(|(symbol, _)| matches!(symbol, Symbol::Terminal(_)))
}

#[cfg(test)]
mod tests {
    use crate::lr;
    use crate::normalize::{interpret, normalize};
    use crate::random::Random;
    use gcc_grammar_ir::{
        Body, ContextRules, Discipline, Grammar, NonterminalId, Pattern, Rule, Symbol, SymbolDfa,
        SymbolDfaState, Terminal, TerminalId,
    };
    use gcc_grammar_limits::Budget;
    use gcc_grammar_regular::Regex;

    const TERMINALS: usize = 5;

    /// A random automaton whose start is never entered again; each terminal leads to a state of its own from
    /// many others.
    fn automaton(random: &mut Random, states: usize) -> SymbolDfa {
        let state = |accepting: bool, random: &mut Random| SymbolDfaState {
            accepting,
            transitions: (0..TERMINALS as u32)
                .filter_map(|t| {
                    let to = match random.below(4) {
                        0 | 1 => t + 1,
                        2 => random.below(states) as u32,
                        _ => 0,
                    };
                    (to > 0).then_some((Symbol::Terminal(TerminalId(t)), to))
                })
                .collect(),
        };
        SymbolDfa { states: (0..states).map(|q| state(q > 0 && random.below(3) == 0, random)).collect() }
    }

    fn grammar(dfa: SymbolDfa) -> Grammar {
        let terminal = |i: usize| Terminal {
            name: i.to_string(),
            pattern: Pattern::Regex(Regex::literal(&i.to_string())),
            priority: 0,
            literal: true,
        };
        Grammar {
            terminals: (0..TERMINALS).map(terminal).collect(),
            rules: vec![Rule { name: "all".to_owned(), body: Body::Automaton(dfa), location: None }],
            start: NonterminalId(0),
            ignored: Vec::new(),
            contexts: ContextRules::default(),
            discipline: Discipline::AnySplit,
        }
    }

    fn automaton_accepts(dfa: &SymbolDfa, text: &[TerminalId]) -> bool {
        let mut state = 0;
        for &terminal in text {
            let row = &dfa.states[state].transitions;
            match row.iter().find(|&&(symbol, _)| symbol == Symbol::Terminal(terminal)) {
                Some(&(_, to)) => state = to as usize,
                None => return false,
            }
        }
        dfa.states[state].accepting
    }

    #[test]
    fn productions_and_parser_accept_what_the_automaton_accepts() {
        let budget = Budget::unlimited("test");
        let (mut random, mut united, mut accepted) = (Random(7), 0, 0);
        for _ in 0..200 {
            let dfa = automaton(&mut random, 9);
            let usable = [true; TERMINALS];
            let Ok(cfg) = normalize(&grammar(dfa.clone()), &usable, &budget) else { continue };
            united += usize::from(cfg.unions.iter().any(|&length| length > 0));
            let tables = lr::build(&cfg, &budget).expect("unlimited");
            let tables = lr::minimize(&tables, &[0; TERMINALS + 1], &budget).expect("unlimited");
            for _ in 0..200 {
                let length = random.below(9);
                let mut terminal = || TerminalId::new(random.below(TERMINALS));
                let text: Vec<TerminalId> = (0..length).map(|_| terminal()).collect();
                let expected = automaton_accepts(&dfa, &text);
                assert_eq!(tables.accepts(&text), expected, "{text:?} {dfa:?}");
                assert_eq!(interpret(&cfg, &text), expected, "{text:?} {dfa:?}");
                accepted += usize::from(expected);
            }
        }
        assert!(united > 50 && accepted > 1000, "{united} {accepted}");
    }
}
