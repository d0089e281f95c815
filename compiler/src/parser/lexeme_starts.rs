//! Finds where the current lexeme may have started, and which LR states may be on top of the stack then.
//!
//! In: the lexer, the LR tables and the contexts. Out: [`LexemeStarts`]. A *start* is a lexer state in which
//! lexemes start. It depends on how the previous lexeme ended and on the context of the LR state that its
//! terminal was shifted to. So a lexer state can only occur together with LR states that are on top of the
//! stack where one of its lexemes starts: `with t`, on the way to `with time zone`, occurs with the LR states
//! after `with`.
//!
//! A token ends in a lexer state that some symbol leads to. A state in which lexemes only start is passed
//! within tokens. It needs no masks, unless it is the start of the text.

use crate::csr::Csr;
use crate::ids::{EndClass, LexState, LrState};
use crate::lexer::{Contexts, IGNORED, Lexer};
use crate::lr::{Entry, LrTables};
use gcc_grammar_ir::{TerminalId, index_newtype};
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};

/// The starts that lead to each lexer state, and the starts that are possible after each LR state.
pub(super) struct LexemeStarts {
    /// Length of a set of starts, in 64-bit words.
    words: usize,
    /// Per lexer state: the starts that lead to it, as a bit set.
    leading_to: Vec<u64>,
    /// Per LR state: the starts of the lexemes that follow, ignored lexemes included. Empty if no lexeme
    /// starts there, because a goto leads to the state.
    after: Csr<StartId>,
    /// Per lexer state: whether a symbol leads to it.
    entered: Vec<bool>,
}

impl LexemeStarts {
    pub(super) fn new(
        lexer: &Lexer,
        tables: &LrTables,
        contexts: &Contexts,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        let starts = Starts::new(lexer);
        let words = starts.states.len().div_ceil(64);
        budget.charge_bytes((lexer.states() * words * 8) as u64)?;
        let mut lexeme_starts = Self {
            words,
            leading_to: vec![0; lexer.states() * words],
            after: Csr::default(),
            entered: vec![false; lexer.states()],
        };
        lexeme_starts.propagate(lexer, &starts, budget)?;
        let ends = Ends::new(lexer, tables.terminals, &lexeme_starts);
        for (state, entry) in tables.entries().into_iter().enumerate() {
            let first = match entry {
                Entry::Start => vec![EndClass(0)],
                Entry::Shift(terminals) => ends.of(&terminals),
                Entry::Goto(_) => Vec::new(),
            };
            let context = contexts.of(LrState::new(state));
            let found = ends.starts(&first, |end| starts.id(lexer.restart(end, context)));
            budget.charge_work((found.len() * (ends.ignored.len() + 1)) as u64)?;
            budget.charge_bytes(found.len() as u64 * 4 + 4)?;
            lexeme_starts.after.push(found);
        }
        Ok(lexeme_starts)
    }

    /// Propagates every start to all states that it leads to.
    fn propagate(&mut self, lexer: &Lexer, starts: &Starts, budget: &Budget) -> Result<(), OverBudget> {
        let mut is_open = vec![false; lexer.states()];
        let mut open = VecDeque::new();
        for (number, &start) in starts.states.iter().enumerate() {
            self.leading_to[start.index() * self.words + number / 64] |= 1 << (number % 64);
            is_open[start.index()] = true;
            open.push_back(start);
        }
        while let Some(from) = open.pop_front() {
            is_open[from.index()] = false;
            budget.charge_work(1)?;
            for &to in lexer.rows.targets(from) {
                self.entered[to.index()] = true;
                if self.add(from, to) && !is_open[to.index()] {
                    is_open[to.index()] = true;
                    open.push_back(to);
                }
            }
        }
        Ok(())
    }

    /// Adds the starts of a state to the starts of another state. Returns whether any of them is new.
    fn add(&mut self, from: LexState, to: LexState) -> bool {
        let mut changed = false;
        for word in 0..self.words {
            let bits = self.leading_to[from.index() * self.words + word];
            let own = &mut self.leading_to[to.index() * self.words + word];
            changed |= bits & !*own != 0;
            *own |= bits;
        }
        changed
    }

    /// Whether a token can end in this state: whether a symbol leads to it.
    pub(super) fn is_entered(&self, state: LexState) -> bool {
        self.entered[state.index()]
    }

    /// The starts that lead to a lexer state, as a bit set.
    pub(super) fn leading_to(&self, state: LexState) -> &[u64] {
        &self.leading_to[state.index() * self.words..][..self.words]
    }

    /// Whether a lexeme that starts after `lr` can be in `state`.
    pub(super) fn can_occur(&self, state: LexState, lr: LrState) -> bool {
        self.after.row(lr.index()).iter().any(|&start| has(self.leading_to(state), start))
    }
}

/// Whether a start is in a bit set.
fn has(starts: &[u64], start: StartId) -> bool {
    starts[start.index() / 64] >> (start.0 % 64) & 1 == 1
}

index_newtype! { vis pub(super),
    /// A lexer state in which lexemes start.
    StartId;
}

/// The lexer states in which lexemes start.
struct Starts {
    states: Vec<LexState>,
    ids: FxHashMap<LexState, StartId>,
}

impl Starts {
    fn new(lexer: &Lexer) -> Self {
        let mut starts = Self { states: Vec::new(), ids: FxHashMap::default() };
        for &start in lexer.restarts.iter().filter(|&&start| start != LexState::DEAD) {
            starts.ids.entry(start).or_insert_with(|| {
                starts.states.push(start);
                StartId::new(starts.states.len() - 1)
            });
        }
        starts
    }

    /// The id of a start; `None` for the dead state.
    fn id(&self, start: LexState) -> Option<StartId> {
        self.ids.get(&start).copied()
    }
}

/// The end classes of lexemes.
struct Ends {
    /// Per terminal: its end classes, without duplicates.
    of_terminal: Vec<Vec<EndClass>>,
    /// The end classes of ignored lexemes, and for each of them the starts of the lexemes that end so, as a
    /// bit set.
    ignored: Vec<(EndClass, Vec<u64>)>,
}

impl Ends {
    fn new(lexer: &Lexer, terminals: usize, lexeme_starts: &LexemeStarts) -> Self {
        let mut of_terminal = vec![Vec::new(); terminals];
        let mut ignored: BTreeMap<EndClass, Vec<u64>> = BTreeMap::new();
        for state in (1..lexer.states()).map(LexState::new) {
            for (terminal, end) in lexer.endings(state) {
                if terminal == IGNORED {
                    let starts = ignored.entry(end).or_insert_with(|| vec![0; lexeme_starts.words]);
                    starts.iter_mut().zip(lexeme_starts.leading_to(state)).for_each(|(all, own)| *all |= own);
                } else {
                    of_terminal[terminal.index()].push(end);
                }
            }
        }
        for ends in &mut of_terminal {
            ends.sort_unstable();
            ends.dedup();
        }
        Self { of_terminal, ignored: ignored.into_iter().collect() }
    }

    /// The end classes of these terminals, without duplicates.
    fn of(&self, terminals: &[TerminalId]) -> Vec<EndClass> {
        let mut ends: Vec<EndClass> =
            terminals.iter().flat_map(|t| self.of_terminal[t.index()].iter().copied()).collect();
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    /// The starts after a lexeme with one of these end classes, and after the ignored lexemes that follow it.
    fn starts(&self, ends: &[EndClass], restart: impl Fn(EndClass) -> Option<StartId>) -> Vec<StartId> {
        let mut found: Vec<StartId> = ends.iter().filter_map(|&end| restart(end)).collect();
        let mut next = 0;
        while let Some(&from) = found.get(next) {
            let ends = self.ignored.iter().filter(|(_, starts)| has(starts, from));
            for start in ends.filter_map(|&(end, _)| restart(end)) {
                if !found.contains(&start) {
                    found.push(start);
                }
            }
            next += 1;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::Rows;
    use crate::normalize::{Cfg, Origin, Production};
    use gcc_grammar_ir::{NonterminalId, Symbol};

    /// `start -> x y end`, with spaces anywhere. After x, lexemes start in state 4 and not in state 1.
    fn lexer() -> Lexer {
        let transitions = [[0, 0, 0], [2, 0, 3], [0; 3], [0; 3], [0, 5, 6], [0; 3], [0; 3]];
        let transitions: Vec<_> = transitions.as_flattened().iter().map(|&to| LexState(to)).collect();
        let (x, y) = (TerminalId(0), TerminalId(1));
        let accepts = [None, None, Some(x), Some(IGNORED), None, Some(y), Some(IGNORED)];
        let mut pending_sets = Csr::default();
        pending_sets.push([]);
        Lexer {
            classes: 3,
            contexts: 1,
            rows: Rows::new(&transitions, 3),
            transitions,
            accepts: accepts.into_iter().collect(),
            end_class: [0, 0, 1, 0, 0, 0, 1].map(EndClass).to_vec(),
            restarts: [1, 4].map(LexState).to_vec(),
            pending: vec![Default::default(); 7],
            pending_sets,
            members: None,
            counters: Default::default(),
            contested: None,
        }
    }

    fn tables() -> LrTables {
        let rhs = [0, 1, 2].map(|t| Symbol::Terminal(TerminalId(t))).to_vec();
        let cfg = Cfg {
            terminal_count: 3,
            names: vec!["start".to_owned()],
            origins: vec![Origin::Start],
            unions: vec![0],
            productions: vec![Production { lhs: NonterminalId(0), rhs }],
            start: NonterminalId(0),
            end: TerminalId(2),
        };
        crate::lr::build(&cfg, &Budget::unlimited("test")).expect("small")
    }

    #[test]
    fn lexer_states_occur_where_their_lexemes_start() {
        let (lexer, tables) = (lexer(), tables());
        let contexts =
            Contexts { of_state: vec![crate::ids::ContextId(0); tables.states()], terminals: vec![vec![]] };
        let starts =
            LexemeStarts::new(&lexer, &tables, &contexts, &Budget::unlimited("test")).expect("small");
        let entered = (0..7).map(|state| starts.is_entered(LexState(state)));
        assert!(entered.eq([false, false, true, true, false, true, true]));
        let after = |terminal: u32| {
            let by = Entry::Shift(vec![TerminalId(terminal)]);
            LrState::new(tables.entries().iter().position(|entry| *entry == by).expect("a state"))
        };
        let occurring =
            |lr| (0..7).filter(|&state| starts.can_occur(LexState(state), lr)).collect::<Vec<_>>();
        assert_eq!(occurring(LrState(0)), [1, 2, 3]);
        assert_eq!(occurring(after(0)), [4, 5, 6]);
        assert_eq!(occurring(after(1)), [1, 2, 3]);
    }
}
