//! Where the lexeme under way may have begun, and which LR states may be on top of the stack then.
//!
//! After a terminal, the next lexeme starts in a lexer state that depends on how the last one ended and on the context of the LR state
//! that the terminal was shifted to. So a lexer state is met with those LR states only that share a start with it: what comes
//! after `with` on the way to `with time zone` is met with the LR states after `with`.
//!
//! A token ends in a lexer state that some symbol leads to. A state in which lexemes only begin is passed within tokens and never
//! stands between two; but for the text's first one, no masks are needed for it.

use crate::csr::Csr;
use crate::ids::{EndClass, LexState, LrState};
use crate::lexer::{Contexts, IGNORED, Lexer};
use crate::limits::{Budget, OverBudget};
use crate::lr::{Entry, LrTables};
use gcc_grammar_ir::TerminalId;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};

/// The starts that lead to each lexer state, and those that each LR state is met with.
pub(super) struct Origins {
    /// 64-bit words of a set of starts.
    words: usize,
    /// Per lexer state, as bit sets.
    starts_of: Vec<u64>,
    /// Per LR state: the starts of the lexemes that follow, of ignored ones too. None if it is only left again by a reduction.
    starts_after: Csr<u32>,
    /// Per lexer state: whether a symbol leads to it.
    entered: Vec<bool>,
}

impl Origins {
    pub(super) fn new(
        lexer: &Lexer,
        tables: &LrTables,
        contexts: &Contexts,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        let starts = Starts::new(lexer);
        let words = starts.states.len().div_ceil(64);
        budget.charge_bytes((lexer.states() * words * 8) as u64)?;
        let mut origins = Self {
            words,
            starts_of: vec![0; lexer.states() * words],
            starts_after: Csr::default(),
            entered: vec![false; lexer.states()],
        };
        origins.spread(lexer, &starts, budget)?;
        let ends = Ends::new(lexer, tables.terminals, &origins);
        for (state, entry) in tables.entries().into_iter().enumerate() {
            let first = match entry {
                Entry::Start => vec![EndClass(0)],
                Entry::Shift(terminals) => ends.of(&terminals),
                Entry::Goto(_) => Vec::new(),
            };
            let context = contexts.of(LrState::new(state));
            let found = ends.starts(&first, |end| starts.number(lexer.restart(end, context)));
            budget.charge_work((found.len() * (ends.ignored.len() + 1)) as u64)?;
            budget.charge_bytes(found.len() as u64 * 4 + 4)?;
            origins.starts_after.push(found);
        }
        Ok(origins)
    }

    /// Hands every start on to all states that it leads to.
    fn spread(&mut self, lexer: &Lexer, starts: &Starts, budget: &Budget) -> Result<(), OverBudget> {
        let mut is_open = vec![false; lexer.states()];
        let mut open = VecDeque::new();
        for (number, &start) in starts.states.iter().enumerate() {
            self.starts_of[start.index() * self.words + number / 64] |= 1 << (number % 64);
            is_open[start.index()] = true;
            open.push_back(start);
        }
        while let Some(from) = open.pop_front() {
            is_open[from.index()] = false;
            budget.charge_work(1)?;
            for &to in lexer.rows.targets(from) {
                self.entered[to.index()] = true;
                if self.pass(from, to) && !is_open[to.index()] {
                    is_open[to.index()] = true;
                    open.push_back(to);
                }
            }
        }
        Ok(())
    }

    /// Adds the starts of one state to those of another; says whether there were new ones.
    fn pass(&mut self, from: LexState, to: LexState) -> bool {
        let mut changed = false;
        for word in 0..self.words {
            let bits = self.starts_of[from.index() * self.words + word];
            let own = &mut self.starts_of[to.index() * self.words + word];
            changed |= bits & !*own != 0;
            *own |= bits;
        }
        changed
    }

    /// Whether a token can end in this state.
    pub(super) fn is_entered(&self, state: LexState) -> bool {
        self.entered[state.index()]
    }

    /// The starts that lead to a lexer state, as a bit set.
    pub(super) fn of(&self, state: LexState) -> &[u64] {
        &self.starts_of[state.index() * self.words..][..self.words]
    }

    /// Whether a lexeme that starts after `lr` can be in `state`.
    pub(super) fn can_meet(&self, state: LexState, lr: LrState) -> bool {
        self.starts_after.row(lr.index()).iter().any(|&start| has(self.of(state), start))
    }
}

/// Whether a start is in a bit set.
fn has(starts: &[u64], start: u32) -> bool {
    starts[start as usize / 64] >> (start % 64) & 1 == 1
}

/// The lexer states in which lexemes start.
struct Starts {
    states: Vec<LexState>,
    numbers: FxHashMap<LexState, u32>,
}

impl Starts {
    fn new(lexer: &Lexer) -> Self {
        let mut starts = Self { states: Vec::new(), numbers: FxHashMap::default() };
        for &start in lexer.restarts.iter().filter(|&&start| start != LexState(0)) {
            starts.numbers.entry(start).or_insert_with(|| {
                starts.states.push(start);
                starts.states.len() as u32 - 1
            });
        }
        starts
    }

    /// `None` for the dead state.
    fn number(&self, start: LexState) -> Option<u32> {
        self.numbers.get(&start).copied()
    }
}

/// How lexemes end.
struct Ends {
    /// Without duplicates.
    of_terminal: Vec<Vec<EndClass>>,
    /// End classes of ignored lexemes, each once, and the starts of those that end so, as bit sets.
    ignored: Vec<(EndClass, Vec<u64>)>,
}

impl Ends {
    fn new(lexer: &Lexer, terminals: usize, origins: &Origins) -> Self {
        let mut of_terminal = vec![Vec::new(); terminals];
        let mut ignored: BTreeMap<EndClass, Vec<u64>> = BTreeMap::new();
        for state in (1..lexer.states()).map(LexState::new) {
            let end = lexer.end_class[state.index()];
            for &terminal in lexer.accepts(state) {
                if terminal == IGNORED {
                    let starts = ignored.entry(end).or_insert_with(|| vec![0; origins.words]);
                    starts.iter_mut().zip(origins.of(state)).for_each(|(all, own)| *all |= own);
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

    /// How lexemes of these terminals end, without duplicates.
    fn of(&self, terminals: &[TerminalId]) -> Vec<EndClass> {
        let mut ends: Vec<EndClass> =
            terminals.iter().flat_map(|t| self.of_terminal[t.index()].iter().copied()).collect();
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    /// Where lexemes start after one that ended in one of these ways, and after the ignored ones that follow.
    fn starts(&self, ends: &[EndClass], restart: impl Fn(EndClass) -> Option<u32>) -> Vec<u32> {
        let mut found: Vec<u32> = ends.iter().filter_map(|&end| restart(end)).collect();
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
    fn lexer_states_are_met_where_their_lexemes_start() {
        let (lexer, tables) = (lexer(), tables());
        let contexts =
            Contexts { of_state: vec![crate::ids::ContextId(0); tables.states()], terminals: vec![vec![]] };
        let origins = Origins::new(&lexer, &tables, &contexts, &Budget::unlimited("test")).expect("small");
        let entered = (0..7).map(|state| origins.is_entered(LexState(state)));
        assert!(entered.eq([false, false, true, true, false, true, true]));
        let after = |terminal: u32| {
            let by = Entry::Shift(vec![TerminalId(terminal)]);
            LrState::new(tables.entries().iter().position(|entry| *entry == by).expect("a state"))
        };
        let met = |lr| (0..7).filter(|&state| origins.can_meet(LexState(state), lr)).collect::<Vec<_>>();
        assert_eq!(met(LrState(0)), [1, 2, 3]);
        assert_eq!(met(after(0)), [4, 5, 6]);
        assert_eq!(met(after(1)), [1, 2, 3]);
    }
}
