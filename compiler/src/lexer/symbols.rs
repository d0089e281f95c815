//! Makes the input alphabet of the lexer: classes of bytes, then classes of special tokens.
//!
//! In: the automata of the terminals over bytes, and the special tokens that the grammar uses. Out:
//! [`Symbols`], with every terminal as an automaton over symbol classes.
//!
//! A token that is matched by id is a symbol beyond the bytes: a special token, or an ordinary one that is then read either as this symbol or as
//! its bytes. A terminal of tokens is an automaton with one transition per class of tokens, and the end of text is the terminal of the end
//! tokens. No later stage needs a special case for them.
//!
//! A limit on the tokens of a lexeme is a symbol, too, which no token has: the runtime reads it where the lexeme has that number of tokens.
//! Where a lexeme of a terminal with this limit, or a smaller one, may end, or has the mark of a limit, the symbol ends it; everywhere else it
//! changes nothing.

use super::automaton::TerminalAutomaton;
use super::followed::{Alphabet, FollowedTerminal};
use super::history::History;
use crate::csr::Csr;
use crate::ids::SymbolClass;
use crate::terminals::SpecialTokens;
use crate::terminals::marks::Unmarked;
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::{Budget, OverBudget};
use gcc_grammar_regular::Dfa;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Estimated bytes of a transition while a terminal's table grows.
const BYTES_PER_TRANSITION: u64 = 12;

/// A limit on the tokens of lexemes.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// The terminal.
    pub terminal: TerminalId,
    /// The most tokens that begin in a lexeme.
    pub most: u32,
    /// The symbol that is read where this number of tokens has begun. Equal limits have equal symbols.
    pub symbol: SymbolClass,
    /// Whether the limit ends lexemes that do not match, as in front of a suffix.
    pub closes: bool,
}

/// The alphabet, and every terminal as an automaton over it.
#[derive(Debug)]
pub struct Symbols {
    /// The class of each byte.
    pub byte_class: [u16; 256],
    /// Number of classes of bytes, which come first.
    pub byte_classes: usize,
    /// Number of all classes.
    pub classes: usize,
    /// The class of every token that the grammar matches by id, sorted by token id. An end token that a literal contains comes twice: first
    /// with the class of the end of text.
    pub special_class: Vec<(u32, SymbolClass)>,
    /// The class that only the end of text matches, the class of all end tokens that the grammar does not
    /// name.
    pub end_class: SymbolClass,
    /// The terminals with a limit on the tokens of a lexeme.
    pub limits: Vec<Limit>,
    /// Per terminal, END included. A terminal that matches no text has a single state.
    pub terminals: Vec<TerminalAutomaton>,
    /// The terminals with texts that match only where certain texts follow.
    pub followed: Vec<FollowedTerminal>,
    /// What must come before terminals.
    pub(super) history: History,
}

impl Symbols {
    /// The alphabet for these terminals: `dfas[t]` is the language of terminal `t`, or `None` if it is made
    /// of tokens; `end` is the end of text.
    ///
    /// # Errors
    /// The budget is spent.
    pub fn new(
        dfas: &[Option<Dfa>],
        special: &SpecialTokens,
        end: TerminalId,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        let budget = budget.stage("lexer");
        budget.charge_work(dfas.len() as u64 * 64)?;
        let marked = |(t, dfa)| Option::as_ref(dfa).filter(|_| special.is_marked(TerminalId::new(t)));
        let unmarked: Vec<Option<Unmarked<'_>>> =
            dfas.iter().enumerate().map(marked).map(|dfa| dfa.map(Unmarked::new)).collect();
        let around = special.around().map(|dfa| &**dfa);
        let (byte_class, byte_classes) = byte_classes(dfas, &unmarked, around);
        let TokenClasses { special_class, by_terminal, within, end_class, classes: before_limits } =
            token_classes(special, &unmarked, end, byte_classes);
        let closes = |terminal: TerminalId, state| {
            unmarked[terminal.index()].as_ref().is_some_and(|unmarked| unmarked.is_limit_at(state))
        };
        let closes_somewhere = |terminal: TerminalId| {
            let states = unmarked[terminal.index()].as_ref().map_or(0, Unmarked::state_count);
            (0..states).any(|state| closes(terminal, state))
        };
        let limits = limits(special, before_limits, closes_somewhere);
        let classes = limits.iter().map(|limit| limit.symbol.index() + 1).fold(before_limits, usize::max);
        let of_limits: Vec<SymbolClass> = (before_limits..classes).map(SymbolClass::new).collect();
        let members = members(&byte_class, byte_classes);
        let mut common = Vec::with_capacity(dfas.len());
        for dfa in dfas {
            let Some(dfa) = dfa else {
                common.push((Csr::default(), 0));
                continue;
            };
            let classes = common_classes(dfa, &members);
            let transitions = transition_count(dfa, &classes);
            budget.charge_work(dfa.cells() as u64 / 4 + 1)?;
            budget.charge_bytes(transitions * BYTES_PER_TRANSITION)?;
            common.push((classes, transitions));
        }
        let mut terminals: Vec<TerminalAutomaton> = dfas
            .iter()
            .enumerate()
            .map(|(t, dfa)| {
                let tokens = by_terminal.get(&TerminalId::new(t)).map_or(&[][..], Vec::as_slice);
                let automaton = match (dfa, &unmarked[t]) {
                    (None, _) => over_tokens(tokens),
                    (Some(_), Some(unmarked)) => {
                        let within = within.get(&TerminalId::new(t)).map_or(&[][..], Vec::as_slice);
                        with_tokens(unmarked, &members, within)
                    }
                    (Some(dfa), None) => over_both(dfa, &members, std::mem::take(&mut common[t]), tokens),
                };
                let own = limits.iter().find(|limit| limit.terminal == TerminalId::new(t));
                let closes = |state| closes(TerminalId::new(t), state);
                automaton.with_limits(&of_limits, own.map(|limit| limit.symbol), closes)
            })
            .collect();
        terminals.push(over_tokens(&by_terminal[&end]));
        let alphabet =
            Alphabet { members: &members, bytes: byte_classes, tokens: before_limits, all: classes };
        let mut followed = Vec::with_capacity(special.followed.len());
        for rule in &special.followed {
            let Some(unmarked) = &unmarked[rule.terminal.index()] else { continue };
            let automaton = &terminals[rule.terminal.index()];
            let number =
                |state| if automaton.is_accepting(state) { unmarked.followed_at(state) } else { None };
            let numbers = (0..unmarked.state_count()).map(number).collect();
            followed.push(FollowedTerminal::new(rule, automaton, numbers, &alphabet, &budget)?);
        }
        let history = History::new(&special.preceded, &alphabet, &budget)?;
        Ok(Self {
            byte_class,
            byte_classes,
            classes,
            special_class,
            end_class,
            limits,
            terminals,
            followed,
            history,
        })
    }

    /// The number of classes of bytes and tokens. The symbols of limits come behind them.
    #[must_use]
    pub fn read_classes(&self) -> usize {
        self.limits.iter().map(|limit| limit.symbol.index()).min().unwrap_or(self.classes)
    }

    /// The least byte of every class of bytes.
    pub(super) fn members(&self) -> Vec<u8> {
        members(&self.byte_class, self.byte_classes)
    }

    /// The class of a byte.
    #[must_use]
    pub fn class_of(&self, byte: u8) -> SymbolClass {
        SymbolClass(u32::from(self.byte_class[usize::from(byte)]))
    }
}

/// The coarsest partition of the bytes whose classes no automaton distinguishes, numbered by their least
/// byte; and its size.
fn byte_classes<'d>(
    dfas: &[Option<Dfa>],
    unmarked: &[Option<Unmarked<'_>>],
    around: impl Iterator<Item = &'d Dfa>,
) -> ([u16; 256], usize) {
    let mut class = [0u16; 256];
    let mut count = 1;
    let mut least = members(&class, count);
    // Per class so far and class of the automaton, the common class.
    let mut common = Vec::new();
    let of_terminals = dfas.iter().zip(unmarked).filter_map(|(dfa, unmarked)| {
        let dfa = dfa.as_ref()?;
        Some(unmarked.as_ref().map_or_else(|| *dfa.byte_classes(), Unmarked::byte_classes))
    });
    for other in of_terminals.chain(around.map(|dfa| *dfa.byte_classes())) {
        let is_divided = |(own, &slot): (&u8, &u16)| *own != other[usize::from(least[usize::from(slot)])];
        // Mostly, the letters of a key are those of other keys.
        if !other.iter().zip(&class).any(is_divided) {
            continue;
        }
        let width = usize::from(other.iter().copied().fold(0, u8::max)) + 1;
        common.clear();
        common.resize(count * width, None);
        count = 0;
        for (slot, other) in class.iter_mut().zip(other) {
            *slot = *common[usize::from(*slot) * width + usize::from(other)].get_or_insert_with(|| {
                count += 1;
                count as u16 - 1
            });
        }
        least = members(&class, count);
    }
    (class, count)
}

/// The least byte of every class.
fn members(byte_class: &[u16; 256], count: usize) -> Vec<u8> {
    let mut members = vec![0; count];
    for byte in (0..=255u8).rev() {
        members[usize::from(byte_class[usize::from(byte)])] = byte;
    }
    members
}

/// The common classes within each class of an automaton, ascending. `members` has a byte of each.
fn common_classes(dfa: &Dfa, members: &[u8]) -> Csr<u32> {
    let own = |&byte: &u8| usize::from(dfa.byte_classes()[usize::from(byte)]);
    Csr::inverse(dfa.class_count(), (0..).zip(members.iter().map(own)))
}

/// The number of transitions of an automaton over the common classes.
fn transition_count(dfa: &Dfa, common: &Csr<u32>) -> u64 {
    let sizes: Vec<u64> = (0..common.rows()).map(|class| common.row(class).len() as u64).collect();
    let transitions = |state: u32| {
        let live = dfa.targets(state).zip(&sizes).filter(|(target, _)| target.is_some());
        live.map(|(_, size)| size).sum::<u64>()
    };
    (0..dfa.state_count() as u32).map(transitions).sum()
}

/// The automaton of a regular expression, and of tokens. `members` has a byte of each common class; `common` are these within each class of the expression,
/// and there are so many transitions over them.
fn over_both(
    dfa: &Dfa,
    members: &[u8],
    (common, transitions): (Csr<u32>, u64),
    tokens: &[SymbolClass],
) -> TerminalAutomaton {
    let own: Vec<u8> = members.iter().map(|&byte| dfa.byte_classes()[usize::from(byte)]).collect();
    let states = dfa.state_count() as u32;
    // Behind a token there is a state of its own. Classes of tokens come after those of bytes.
    let behind_token = (!tokens.is_empty()).then_some(true);
    let accepting = (0..states).map(|state| dfa.is_accepting(state)).chain(behind_token).collect();
    let next = |(class, &own): (usize, &u8)| Some((SymbolClass::new(class), dfa.next_by_class(0, own)?));
    let to_tokens = tokens.iter().map(|&class| (class, states));
    let start: Box<[_]> = own.iter().enumerate().filter_map(next).chain(to_tokens).collect();
    let (first, transitions, dfa) = (start.clone(), transitions as usize + tokens.len(), dfa.clone());
    let rows = move || {
        let mut rows = Csr::with_capacity(states as usize + 1, transitions);
        rows.push(first.iter().copied());
        let mut targets: Vec<Option<u32>> = Vec::with_capacity(common.rows());
        for state in 1..states {
            targets.clear();
            targets.extend(dfa.targets(state));
            let mut live = targets.iter().enumerate().filter_map(|(own, to)| Some((own, (*to)?)));
            match (live.next(), live.next()) {
                (Some((own, to)), None) => {
                    rows.push(common.row(own).iter().map(|&class| (SymbolClass(class), to)))
                }
                (None, _) => rows.push([]),
                _ => {
                    let next = |(class, &own): (usize, &u8)| {
                        Some((SymbolClass::new(class), targets[usize::from(own)]?))
                    };
                    rows.push(own.iter().enumerate().filter_map(next));
                }
            }
        }
        behind_token.iter().for_each(|_| rows.push([]));
        rows
    };
    TerminalAutomaton::of_rows(accepting, start, transitions, rows)
}

/// The automaton of a terminal in which tokens stand among bytes: `within` has them by their states, sorted.
fn with_tokens(
    unmarked: &Unmarked<'_>,
    members: &[u8],
    within: &[(u32, SymbolClass, u32)],
) -> TerminalAutomaton {
    let row = |state: u32| -> Vec<(SymbolClass, u32)> {
        let targets = unmarked.targets(state);
        let next =
            |(class, &byte): (usize, &u8)| Some((SymbolClass::new(class), targets[usize::from(byte)]?));
        let start = within.partition_point(|&(from, _, _)| from < state);
        let tokens = within[start..].iter().take_while(|&&(from, _, _)| from == state);
        members.iter().enumerate().filter_map(next).chain(tokens.map(|&(_, class, to)| (class, to))).collect()
    };
    let accepting = (0..unmarked.state_count()).map(|state| unmarked.is_accepting(state)).collect();
    TerminalAutomaton::new(accepting, (0..unmarked.state_count()).map(row).collect())
}

/// The automaton of a terminal of special tokens.
fn over_tokens(classes: &[SymbolClass]) -> TerminalAutomaton {
    let first = classes.iter().map(|&c| (c, 1)).collect();
    TerminalAutomaton::of_states(vec![(false, first), (true, Vec::new())])
}

/// The limits. The classes of their symbols come last.
fn limits(special: &SpecialTokens, classes: usize, closes: impl Fn(TerminalId) -> bool) -> Vec<Limit> {
    let mut all: Vec<u32> = special.limits.iter().map(|&(_, most)| most).collect();
    all.sort_unstable();
    all.dedup();
    let symbol = |most| SymbolClass::new(classes + all.partition_point(|&other| other < most));
    let limit = |&(terminal, most)| Limit { terminal, most, symbol: symbol(most), closes: closes(terminal) };
    special.limits.iter().map(limit).collect()
}

/// The classes of tokens.
struct TokenClasses {
    /// Per token its class, sorted; an end token may have two.
    special_class: Vec<(u32, SymbolClass)>,
    /// Per terminal of tokens, its classes.
    by_terminal: FxHashMap<TerminalId, Vec<SymbolClass>>,
    /// Per terminal with tokens among bytes, the transitions on their classes, sorted.
    within: FxHashMap<TerminalId, Vec<(u32, SymbolClass, u32)>>,
    /// The class of END alone.
    end_class: SymbolClass,
    /// Number of all classes.
    classes: usize,
}

/// Where a token is matched: by terminals of tokens, and on transitions of other terminals.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
struct Uses {
    terminals: Vec<TerminalId>,
    within: Vec<(TerminalId, u32, u32)>,
}

/// Per token, where it is matched. An end token that is matched within literals, too, has two entries.
fn uses(special: &SpecialTokens, unmarked: &[Option<Unmarked<'_>>], end: TerminalId) -> Vec<(u32, Uses)> {
    let mut by_token: BTreeMap<u32, Uses> = BTreeMap::new();
    for (terminal, tokens) in &special.terminals {
        for &token in tokens {
            let Uses { terminals, .. } = by_token.entry(token).or_default();
            if !terminals.contains(terminal) {
                terminals.push(*terminal);
            }
        }
    }
    for (t, unmarked) in unmarked.iter().enumerate() {
        for &(from, token, to) in unmarked.iter().flat_map(|unmarked| &unmarked.tokens) {
            by_token.entry(token).or_default().within.push((TerminalId::new(t), from, to));
        }
    }
    let split = |(token, mut uses): (u32, Uses)| {
        let ends = (uses.terminals == [end] && !uses.within.is_empty())
            .then(|| Uses { terminals: std::mem::take(&mut uses.terminals), within: Vec::new() });
        ends.into_iter().chain([uses]).map(move |uses| (token, uses))
    };
    by_token.into_iter().flat_map(split).collect()
}

/// Puts tokens that are matched at the same places into a class. The class of END alone always exists and comes
/// first.
fn token_classes(
    special: &SpecialTokens,
    unmarked: &[Option<Unmarked<'_>>],
    end: TerminalId,
    byte_classes: usize,
) -> TokenClasses {
    let end_class = SymbolClass::new(byte_classes);
    let mut ids = FxHashMap::from_iter([(Uses { terminals: vec![end], within: Vec::new() }, end_class)]);
    let mut by_terminal: FxHashMap<TerminalId, Vec<SymbolClass>> =
        FxHashMap::from_iter([(end, vec![end_class])]);
    let mut within: FxHashMap<TerminalId, Vec<(u32, SymbolClass, u32)>> = FxHashMap::default();
    let mut special_class = Vec::new();
    for (token, uses) in uses(special, unmarked, end) {
        let fresh = SymbolClass::new(byte_classes + ids.len());
        let class = *ids.entry(uses.clone()).or_insert(fresh);
        if class == fresh {
            uses.terminals.into_iter().for_each(|t| by_terminal.entry(t).or_default().push(class));
            let places = uses.within.into_iter();
            places.for_each(|(t, from, to)| within.entry(t).or_default().push((from, class, to)));
        }
        special_class.push((token, class));
    }
    within.values_mut().for_each(|transitions| transitions.sort_unstable());
    TokenClasses { special_class, by_terminal, within, end_class, classes: byte_classes + ids.len() }
}
