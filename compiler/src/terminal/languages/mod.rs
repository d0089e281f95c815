//! The languages with which terminals can continue: one automaton for all terminals, in which no two states have the
//! same language.
//!
//! The automata of terminals overlap: every key ends like every other key, every string of a schema continues like
//! the next one. A state of a terminal's automaton stands for a language, the rests of its lexemes. States with
//! the same language are one state here, whatever their terminals are.
//!
//! In: the automata of the terminals, which are minimal. Out: a [`Lexer`] with a single terminal, and per state of
//! an automaton the state of its language. States are interned from the last symbol to the first: a state is
//! described by whether it accepts, and by the languages that its symbols lead to. On a cycle it is described by
//! all states of the cycle, in the order of a breadth-first search; if there are too many, by the order in which
//! its own automaton has them, and then only equal automata share them.

mod interner;
mod keys;

pub(super) use self::interner::ANY;
pub(super) use self::keys::LanguageKey;

use self::interner::{Interner, renumbered};
use self::keys::{KEY_BYTES, Keys};
use crate::ids::LexState;
use crate::lexer::{Lexer, Symbols};
use gcc_grammar_limits::{Budget, OverBudget};

/// The automaton of all languages.
pub(super) struct Languages {
    /// Per terminal: the language of each state of its automaton.
    pub(super) of: Vec<Vec<LexState>>,
    pub(super) automaton: Lexer,
    /// If they are wanted.
    keys: Option<Keys>,
}

impl Languages {
    /// The languages of the terminals that are `used`, with keys if they are `wanted`.
    pub(super) fn new(
        symbols: &Symbols,
        used: &[bool],
        wanted: bool,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        let mut interner = Interner::new(symbols.classes, budget)?;
        let mut of = Vec::with_capacity(used.len());
        for (automaton, &used) in symbols.terminals.iter().zip(used) {
            of.push(if used { interner.add(automaton, budget)? } else { Vec::new() });
        }
        let states = interner.accepting.len();
        budget.charge_bytes((states * symbols.classes * 4) as u64)?;
        if wanted {
            let targets: usize = interner.targets.iter().map(|targets| targets.len()).sum();
            budget.charge_bytes((states * KEY_BYTES + targets * size_of::<usize>()) as u64)?;
        }
        for language in of.iter_mut().flatten() {
            *language = renumbered(states, *language);
        }
        let keys = wanted.then(|| Keys::new(&mut interner, symbols));
        Ok(Self { of, automaton: interner.into_automaton(), keys })
    }

    /// The key of the language of a state of the automaton, if keys are wanted.
    pub(super) fn key(&self, state: LexState) -> Option<LanguageKey> {
        Some(self.keys.as_ref()?.of(&self.automaton, state))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminals::SpecialTokens;
    use gcc_grammar_ir::TerminalId;
    use gcc_grammar_regular::{Dfa, PatternFlags, Regex, RegularLimits};

    fn dfa(pattern: &str) -> Dfa {
        Regex::parse(pattern, PatternFlags::default()).unwrap().to_dfa(&RegularLimits::default()).unwrap()
    }

    /// The texts of up to eight letters that a state accepts.
    fn texts(
        next: &dyn Fn(u32, u8) -> Option<u32>,
        accepts: &dyn Fn(u32) -> bool,
        from: u32,
    ) -> Vec<Vec<u8>> {
        let mut found = Vec::new();
        let mut open = vec![(from, Vec::new())];
        while let Some((state, text)) = open.pop() {
            if accepts(state) {
                found.push(text.clone());
            }
            if text.len() == 8 {
                continue;
            }
            for letter in *b"abcd" {
                open.extend(next(state, letter).map(|to| (to, [&text[..], &[letter]].concat())));
            }
        }
        found.sort();
        found
    }

    #[test]
    fn each_language_is_one_state() {
        let patterns =
            ["(ab|c)*d", "b(ab|c)*d", "a{2,5}", "a{1,4}", "d?ba{0,3}", "(a(b(c|d)*a)*b)*c", "d(b(c|d)*a)*bc"];
        let dfas: Vec<Option<Dfa>> = patterns.iter().map(|pattern| Some(dfa(pattern))).collect();
        let end = TerminalId::new(dfas.len());
        let special = SpecialTokens { terminals: vec![(end, vec![0])], ..SpecialTokens::default() };
        let budget = Budget::unlimited("test");
        let symbols = Symbols::new(&dfas, &special, end, &budget).unwrap();
        let languages = Languages::new(&symbols, &vec![true; dfas.len() + 1], false, &budget).unwrap();
        let automaton = &languages.automaton;
        let next = |state: u32, letter: u8| {
            let to = automaton.next(LexState(state), symbols.class_of(letter));
            (to != LexState::DEAD).then_some(to.0)
        };
        let accepts = |state: u32| !automaton.accepts(LexState(state)).is_empty();
        let mut states = 0;
        let mut distinct = std::collections::BTreeMap::new();
        for (dfa, of) in dfas.iter().flatten().zip(&languages.of) {
            for (state, language) in (0..).zip(of) {
                let own =
                    texts(&|state, letter| dfa.next(state, letter), &|state| dfa.is_accepting(state), state);
                assert_eq!(texts(&next, &accepts, language.0), own);
                assert_eq!(*distinct.entry(own).or_insert(*language), *language);
                states += 1;
            }
        }
        assert!(distinct.len() + 10 < states, "{} of {states}", distinct.len());
    }

    /// The keys of the languages with which these patterns continue, per state of each automaton.
    fn keys(patterns: &[&str]) -> Vec<Vec<LanguageKey>> {
        let dfas: Vec<Option<Dfa>> = patterns.iter().map(|pattern| Some(dfa(pattern))).collect();
        let budget = Budget::unlimited("test");
        let end = TerminalId::new(dfas.len());
        let special = SpecialTokens { terminals: vec![(end, vec![0])], ..SpecialTokens::default() };
        let symbols = Symbols::new(&dfas, &special, end, &budget).unwrap();
        let languages = Languages::new(&symbols, &vec![true; dfas.len() + 1], true, &budget).unwrap();
        let of = languages.of[..dfas.len()].iter();
        of.map(|states| states.iter().map(|&state| languages.key(state).unwrap()).collect()).collect()
    }

    #[test]
    fn keys_do_not_depend_on_other_terminals() {
        let patterns =
            ["(ab|c)*d", "a{2,70}", "(a(b(c|d)*a)*b)*c", "\"[^\"]*\"", "((a{2}){40}b)*c", "(a|b)+"];
        // Other terminals that split classes of bytes, share rests, and are interned before.
        let before = ["[^\"x]*\"", "x(ab|c)*d", "[a-m]{3}[0-9]+", "b(a|b)*", "(a|b|é)*[ab]d"];
        let alone: Vec<Vec<LanguageKey>> =
            patterns.iter().map(|pattern| keys(&[pattern]).remove(0)).collect();
        let all = keys(&[&before[..], &patterns[..]].concat());
        assert_eq!(all[before.len()..], alone);
        // The automata are minimal, so the states of one have different languages.
        for keys in &alone {
            let distinct: std::collections::BTreeSet<&LanguageKey> = keys.iter().collect();
            assert_eq!(distinct.len(), keys.len());
        }
    }
}
