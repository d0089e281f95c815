//! Takes texts that no sequence of tokens spells out of the terminals.
//!
//! In: the automata of the terminals, and the vocabulary. Out: automata such that what can be completed by bytes can be
//! completed by tokens, or the reason why this is not known.
//!
//! The bytes of a class are interchangeable for the grammar: whatever can be completed can be completed with any of
//! them. So nothing has to be done if every class that a terminal uses has a byte that is a token by itself: the
//! vocabulary is *complete* for the grammar.
//!
//! Else texts of tokens are texts of the [`units`] of the vocabulary, which have to be a prefix code. A terminal and the
//! code are read side by side: their *places* are pairs of states. Where a lexeme begins between two units, all its
//! ends have to lie between two units, too. Then every lexeme of a text of tokens is a text of units, and the terminal
//! may be intersected with these. Under any split this is left out if every place between two units leads to an end:
//! then whatever token comes, the lexeme can be completed by tokens. Under longest match what comes next depends on
//! which texts a lexeme has, so it is always done.

use super::marks::{byte_classes, used_bytes};
use super::special::SpecialTokens;
use super::units::{Ambiguous, units};
use crate::partition::number;
use gcc_grammar_ir::{Discipline, Grammar, TerminalId, special};
use gcc_grammar_limits::{Budget, OverBudget};
use gcc_grammar_regular::{ByteSet, Dfa, Regex, RegularLimits};
use gcc_grammar_vocabulary::Vocabulary;
use rustc_hash::FxHashMap;
use std::ops::BitOr;
use std::sync::Arc;

/// The most places of a terminal.
const MAX_PLACES: usize = 100_000;

/// The names of the terminals that lost texts, or why tokens may not spell every text.
type Spelled = Result<Vec<String>, String>;

/// Charges what an automaton takes.
pub(super) fn charge(dfa: &Dfa, budget: &Budget) -> Result<(), OverBudget> {
    budget.charge_work(dfa.cells() as u64)?;
    budget.charge_bytes(dfa.cells() as u64 * 5)
}

/// Takes texts that no sequence of tokens spells out of the terminals; `byte` is the [`lonely_byte`]. If the reason is returned,
/// nothing is changed.
pub(super) fn spell(
    grammar: &Grammar,
    vocabulary: &Vocabulary,
    byte: u8,
    dfas: &mut [Option<Dfa>],
    named: &SpecialTokens,
    limits: &RegularLimits,
) -> Result<Spelled, OverBudget> {
    let budget = &limits.budget;
    let ends_by_limit = |dfa: &Option<Dfa>| {
        dfa.as_ref()
            .is_some_and(|dfa| (0..dfa.state_count() as u32).any(|state| special::is_limit_at(dfa, state)))
    };
    let mut limited = named.limits.iter().map(|(terminal, _)| terminal.index());
    if let Some(index) = limited.find(|&index| ends_by_limit(&dfas[index])) {
        let name = &grammar.terminals[index].name;
        return Ok(Err(reason(
            byte,
            &format!("its limit may end terminal {name} where its suffix cannot be written"),
        )));
    }
    let units = match units(vocabulary, budget)? {
        Ok(units) => units,
        Err(Ambiguous(unit, longer)) => {
            let [unit, longer] = [unit, longer].map(|token| token.escape_ascii());
            return Ok(Err(reason(byte, &format!("its tokens \"{unit}\" and \"{longer}\" begin alike"))));
        }
    };
    let is_token = single_bytes(vocabulary);
    let literals = units.into_iter().map(|unit| Regex::Literal(unit.to_vec())).collect();
    let units = Regex::Automaton(Arc::new(Regex::Union(literals).to_dfa(limits)?));
    let code = units.clone().star().to_dfa(limits)?;
    let code_with_marks = Regex::union([units, special::any_mark()]).star().to_dfa(limits)?;
    let code = |index| if named.is_marked(TerminalId::new(index)) { &code_with_marks } else { &code };
    let mut changed = Vec::new();
    for (index, dfa) in dfas.iter().enumerate() {
        let is_marked = named.is_marked(TerminalId::new(index));
        let has_lonely = |dfa: &&Dfa| !used_bytes(dfa, is_marked).is_subset(&is_token);
        let Some(dfa) = dfa.as_ref().filter(has_lonely) else { continue };
        let name = &grammar.terminals[index].name;
        match Places::new(dfa, code(index), budget)? {
            None => {
                return Ok(Err(reason(
                    byte,
                    &format!("terminal {name} is too large to compare with its tokens"),
                )));
            }
            Some(places) if places.ends_inside => {
                return Ok(Err(reason(byte, &format!("terminal {name} may end inside a longer one"))));
            }
            Some(places) => {
                let is_safe = grammar.discipline == Discipline::AnySplit && !places.is_dead_between;
                if places.loses && !is_safe {
                    changed.push(index);
                }
            }
        }
    }
    let mut names = Vec::new();
    for index in changed {
        if let Some(dfa) = &mut dfas[index] {
            *dfa = dfa.intersect(code(index), limits)?;
            charge(dfa, budget)?;
            names.push(grammar.terminals[index].name.clone());
        }
    }
    Ok(Ok(names))
}

/// The reason why the vocabulary may not spell every text.
fn reason(byte: u8, because: &str) -> String {
    format!(
        "the vocabulary has no token for byte 0x{byte:02X} alone, and {because}, so that a text of the grammar may not be a sequence of tokens"
    )
}

/// A byte of a class that terminals use, of which no byte is a token by itself. None if the vocabulary is complete for
/// the terminals, or has no text tokens at all, as in a stand-in for a vocabulary.
pub(super) fn lonely_byte(
    vocabulary: &Vocabulary,
    dfas: &[Option<Dfa>],
    named: &SpecialTokens,
) -> Option<u8> {
    let is_token = single_bytes(vocabulary);
    if vocabulary.order().is_empty() || is_token == ByteSet::ALL {
        return None;
    }
    let dfas = || {
        dfas.iter()
            .enumerate()
            .filter_map(|(index, dfa)| Some((dfa.as_ref()?, named.is_marked(TerminalId::new(index)))))
    };
    let classes = dfas().map(|(dfa, is_marked)| byte_classes(dfa, is_marked));
    let classes: Vec<[u8; 256]> = classes.chain(named.around().map(|dfa| *dfa.byte_classes())).collect();
    let row = |byte: u8| classes.iter().map(|classes| classes[usize::from(byte)]).collect::<Vec<_>>();
    let class_of = number((0..=u8::MAX).map(row));
    let mut has_token = vec![false; 256];
    is_token.iter().for_each(|byte| has_token[class_of[usize::from(byte)] as usize] = true);
    let used = dfas().map(|(dfa, is_marked)| used_bytes(dfa, is_marked));
    let used = used.fold(ByteSet::default(), BitOr::bitor);
    used.iter().find(|&byte| !has_token[class_of[usize::from(byte)] as usize])
}

/// The bytes that are tokens by themselves.
fn single_bytes(vocabulary: &Vocabulary) -> ByteSet {
    let trie = vocabulary.trie();
    trie.children(0)
        .filter(|&child| !trie.tokens_at(child).is_empty())
        .map(|child| trie.byte(child))
        .collect()
}

/// The places of a terminal, from the beginning of a lexeme between two units on.
struct Places {
    /// A lexeme may end inside a unit.
    ends_inside: bool,
    /// There is a place between two units from which no end is reached.
    is_dead_between: bool,
    /// Some text of the terminal is no text of units.
    loses: bool,
}

impl Places {
    /// Explores the places; `None` if there are too many.
    fn new(dfa: &Dfa, code: &Dfa, budget: &Budget) -> Result<Option<Self>, OverBudget> {
        let mut found = Self { ends_inside: false, is_dead_between: false, loses: false };
        let mut places = vec![(0, 0)];
        let mut numbers: FxHashMap<(u32, u32), usize> = FxHashMap::from_iter([((0, 0), 0)]);
        let mut before: Vec<Vec<usize>> = vec![Vec::new()];
        let mut next = 0;
        while let Some(&(state, unit)) = places.get(next) {
            found.ends_inside |= dfa.is_accepting(state) && !code.is_accepting(unit);
            for (low, high, to) in dfa.edges(state) {
                budget.charge_work(u64::from(high - low) + 1)?;
                for byte in low..=high {
                    let Some(unit) = code.next(unit, byte) else {
                        found.loses = true;
                        continue;
                    };
                    let place = *numbers.entry((to, unit)).or_insert_with(|| {
                        places.push((to, unit));
                        before.push(Vec::new());
                        places.len() - 1
                    });
                    if before[place].last() != Some(&next) {
                        before[place].push(next);
                    }
                }
            }
            if places.len() > MAX_PLACES {
                return Ok(None);
            }
            next += 1;
        }
        let ends = |&(state, unit): &(u32, u32)| dfa.is_accepting(state) && code.is_accepting(unit);
        let is_live = leading_to(places.iter().map(ends).collect(), &before);
        let is_dead = |(&(_, unit), is_live): (&(u32, u32), &bool)| !is_live && code.is_accepting(unit);
        found.is_dead_between = places.iter().zip(&is_live).any(is_dead);
        Ok(Some(found))
    }
}

/// The places that lead to one of the given ones.
fn leading_to(mut places: Vec<bool>, before: &[Vec<usize>]) -> Vec<bool> {
    let mut open: Vec<usize> = (0..places.len()).filter(|&place| places[place]).collect();
    while let Some(place) = open.pop() {
        for &earlier in &before[place] {
            if !std::mem::replace(&mut places[earlier], true) {
                open.push(earlier);
            }
        }
    }
    places
}
