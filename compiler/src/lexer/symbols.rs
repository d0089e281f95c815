//! Makes the input alphabet of the lexer: classes of bytes, then classes of special tokens.
//!
//! In: the automata of the terminals over bytes, and the special tokens that the grammar uses. Out:
//! [`Symbols`], with every terminal as an automaton over symbol classes.
//!
//! A token that is matched by id is a symbol beyond the bytes: a special token, or an ordinary one that is then read either as this symbol or as
//! its bytes. A terminal of tokens is an automaton with one transition per class of tokens, and the end of text is the terminal of the end
//! tokens. No later stage needs a special case for them.
//!
//! A limit on the tokens of a lexeme is a symbol, too, which no token has: the runtime reads it where so many tokens of the lexeme have come.
//! Where a lexeme of a terminal with this limit may end, the symbol ends it; everywhere else it changes nothing.

use crate::csr::Csr;
use crate::ids::SymbolClass;
use crate::terminals::SpecialTokens;
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::{Budget, OverBudget};
use gcc_grammar_regular::Dfa;
use rustc_hash::FxHashMap;

/// Estimated bytes of a transition while a terminal's table grows.
const BYTES_PER_TRANSITION: u64 = 12;

/// The automaton of a terminal over symbol classes. State 0 is the start.
#[derive(Clone, Debug)]
pub struct TerminalAutomaton {
    /// Per state: whether a lexeme may end there.
    accepting: Vec<bool>,
    /// Per state: its transitions, sorted by class.
    transitions: Csr<(SymbolClass, u32)>,
}

impl TerminalAutomaton {
    /// Whether a lexeme may end in `state`.
    #[must_use]
    pub fn is_accepting(&self, state: u32) -> bool {
        self.accepting[state as usize]
    }

    /// The transitions of `state`.
    #[must_use]
    pub fn transitions(&self, state: u32) -> &[(SymbolClass, u32)] {
        self.transitions.row(state as usize)
    }

    /// Number of states.
    #[must_use]
    pub fn states(&self) -> usize {
        self.accepting.len()
    }

    /// The automaton that also reads the symbols of `limits`, which come after all others. They lead back to where they are read; in an accepting
    /// state, that of the `own` limit leads to a state in which the lexeme is over. A lexeme does not begin with one.
    fn with_limits(self, limits: &[SymbolClass], own: Option<SymbolClass>) -> Self {
        if limits.is_empty() {
            return self;
        }
        let over = self.states() as u32;
        let is_entered = self.transitions.items().iter().any(|&(_, to)| to == 0);
        let row = |state: u32| {
            let ends = |limit| self.is_accepting(state) && own == Some(limit);
            let limits = if state > 0 || is_entered { limits } else { &[] };
            let limits = limits.iter().map(|&limit| (limit, if ends(limit) { over } else { state }));
            self.transitions(state).iter().copied().chain(limits).collect::<Vec<_>>()
        };
        let last = own.map(|_| limits.iter().map(|&limit| (limit, over)).collect());
        let transitions = (0..over).map(row).chain(last).collect();
        let accepting = self.accepting.iter().copied().chain(own.map(|_| true)).collect();
        Self { accepting, transitions }
    }

    /// Number of transitions.
    pub(crate) fn transition_count(&self) -> usize {
        self.transitions.items().len()
    }
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
    /// The class of every token that the grammar matches by id, sorted by token id.
    pub special_class: Vec<(u32, SymbolClass)>,
    /// The class that only the end of text matches, the class of all end tokens that the grammar does not
    /// name.
    pub end_class: SymbolClass,
    /// The terminals with a limit on the tokens of a lexeme: the limit, and the class of its symbol.
    pub limits: Vec<(TerminalId, u32, SymbolClass)>,
    /// Per terminal, END included. A terminal that matches no text has a single state.
    pub terminals: Vec<TerminalAutomaton>,
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
        let (byte_class, byte_classes) = byte_classes(dfas);
        let (special_class, by_terminal, end_class, before_limits) =
            token_classes(special, end, byte_classes);
        let limits = limits(special, before_limits);
        let classes = limits.iter().map(|(_, _, class)| class.index() + 1).fold(before_limits, usize::max);
        let of_limits: Vec<SymbolClass> = (before_limits..classes).map(SymbolClass::new).collect();
        let members = members(&byte_class, byte_classes);
        for dfa in dfas.iter().flatten() {
            budget.charge_work(dfa.cells() as u64 / 4 + 1)?;
            budget.charge_bytes(transition_count(dfa, &members) * BYTES_PER_TRANSITION)?;
        }
        let mut terminals: Vec<TerminalAutomaton> = dfas
            .iter()
            .enumerate()
            .map(|(t, dfa)| {
                let tokens = by_terminal.get(&TerminalId::new(t)).map_or(&[][..], Vec::as_slice);
                let Some(dfa) = dfa else { return over_tokens(tokens) };
                let automaton = over_both(dfa, &members, tokens);
                let own = limits.iter().find(|(limited, ..)| *limited == TerminalId::new(t));
                automaton.with_limits(&of_limits, own.map(|&(_, _, class)| class))
            })
            .collect();
        terminals.push(over_tokens(&by_terminal[&end]));
        Ok(Self { byte_class, byte_classes, classes, special_class, end_class, limits, terminals })
    }

    /// The class of a byte.
    #[must_use]
    pub fn class_of(&self, byte: u8) -> SymbolClass {
        SymbolClass(u32::from(self.byte_class[usize::from(byte)]))
    }
}

/// The coarsest partition of the bytes whose classes no automaton distinguishes, numbered by their least
/// byte; and its size.
fn byte_classes(dfas: &[Option<Dfa>]) -> ([u16; 256], usize) {
    let mut class = [0u16; 256];
    let mut count = 1;
    let mut seen = FxHashMap::default();
    for dfa in dfas.iter().flatten() {
        if count == 256 {
            break;
        }
        seen.clear();
        let other = dfa.byte_classes();
        for (byte, slot) in class.iter_mut().enumerate() {
            let fresh = seen.len() as u16;
            *slot = *seen.entry((*slot, other[byte])).or_insert(fresh);
        }
        count = seen.len();
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

/// The number of transitions of an automaton over the common classes, of which `members` has a byte each.
fn transition_count(dfa: &Dfa, members: &[u8]) -> u64 {
    let mut common = vec![0u64; dfa.class_count()];
    members.iter().for_each(|&byte| common[usize::from(dfa.byte_classes()[usize::from(byte)])] += 1);
    let transitions = |state: u32| {
        let live = (0..).zip(&common).filter(move |&(class, _)| dfa.next_by_class(state, class).is_some());
        live.map(|(_, count)| count).sum::<u64>()
    };
    (0..dfa.state_count() as u32).map(transitions).sum()
}

/// The automaton of a regular expression, and of tokens besides. `members` has a byte of each class of bytes.
fn over_both(dfa: &Dfa, members: &[u8], tokens: &[SymbolClass]) -> TerminalAutomaton {
    let members: Vec<u8> = members.iter().map(|&byte| dfa.byte_classes()[usize::from(byte)]).collect();
    let states = dfa.state_count() as u32;
    let row = |state: u32| {
        let next = move |(class, &own)| Some((SymbolClass::new(class), dfa.next_by_class(state, own)?));
        let tokens = if state == 0 { tokens } else { &[] };
        // Behind a token there is a state of its own. Classes of tokens come after those of bytes.
        members.iter().enumerate().filter_map(next).chain(tokens.iter().map(move |&class| (class, states)))
    };
    let ends = (!tokens.is_empty()).then_some(true);
    TerminalAutomaton {
        accepting: (0..states).map(|state| dfa.is_accepting(state)).chain(ends).collect(),
        transitions: (0..states)
            .map(|state| row(state).collect::<Vec<_>>())
            .chain(ends.map(|_| Vec::new()))
            .collect(),
    }
}

/// The automaton of a terminal of special tokens.
fn over_tokens(classes: &[SymbolClass]) -> TerminalAutomaton {
    let first = classes.iter().map(|&c| (c, 1)).collect();
    TerminalAutomaton { accepting: vec![false, true], transitions: [first, Vec::new()].into_iter().collect() }
}

/// The terminals with a limit, and the symbol of each limit. The classes of these symbols come last.
fn limits(special: &SpecialTokens, classes: usize) -> Vec<(TerminalId, u32, SymbolClass)> {
    let mut all: Vec<u32> = special.limits.iter().map(|&(_, most)| most).collect();
    all.sort_unstable();
    all.dedup();
    let class = |most| SymbolClass::new(classes + all.partition_point(|&other| other < most));
    special.limits.iter().map(|&(terminal, most)| (terminal, most, class(most))).collect()
}

/// Per special token its class, per terminal its classes, the class of END alone, and the number of all
/// classes.
type TokenClasses = (Vec<(u32, SymbolClass)>, FxHashMap<TerminalId, Vec<SymbolClass>>, SymbolClass, usize);

/// Puts tokens that the same terminals match into a class. The class of END alone always exists and comes
/// first.
fn token_classes(special: &SpecialTokens, end: TerminalId, byte_classes: usize) -> TokenClasses {
    let mut by_token: std::collections::BTreeMap<u32, Vec<TerminalId>> = Default::default();
    for (terminal, tokens) in &special.terminals {
        for &token in tokens {
            let terminals = by_token.entry(token).or_default();
            if !terminals.contains(terminal) {
                terminals.push(*terminal);
            }
        }
    }
    let end_class = SymbolClass::new(byte_classes);
    let mut ids = FxHashMap::from_iter([(vec![end], end_class)]);
    let mut by_terminal: FxHashMap<TerminalId, Vec<SymbolClass>> =
        FxHashMap::from_iter([(end, vec![end_class])]);
    let mut special_class = Vec::new();
    for (token, terminals) in by_token {
        let fresh = SymbolClass::new(byte_classes + ids.len());
        let class = *ids.entry(terminals.clone()).or_insert(fresh);
        if class == fresh {
            terminals.into_iter().for_each(|t| by_terminal.entry(t).or_default().push(class));
        }
        special_class.push((token, class));
    }
    (special_class, by_terminal, end_class, byte_classes + ids.len())
}
