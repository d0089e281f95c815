//! The least number of symbols that complete a lexeme to a terminal: breadth-first searches in the lexer, backwards.
//!
//! Input: the lexer tables of an artifact. Output: for every lexer state and each of its pending terminals the least cost, and the least
//! cost of a whole lexeme of each terminal.

use super::{Cost, NEVER};
use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::ids::{LexState, SymbolClass, Terminal};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// The least cost from every lexer state to each of its pending terminals.
pub(super) struct Lexemes {
    /// Where the row of each state begins in `costs`.
    rows: Vec<usize>,
    /// The row of a state: the cost of each of its pending terminals.
    costs: Vec<Cost>,
    /// By terminal: the least cost of a whole lexeme.
    whole: HashMap<Terminal, Cost>,
}

impl Lexemes {
    pub(super) fn new(grammar: &GrammarView<'_>) -> Self {
        let rows: Vec<usize> = states(grammar)
            .scan(0, |end, state| {
                let start = *end;
                *end += grammar.pending(state).len();
                Some(start)
            })
            .collect();
        let len = rows.last().map_or(0, |start| {
            let last = states(grammar).last().map_or(0, |state| grammar.pending(state).len());
            start + last
        });
        let mut lexemes = Self { rows, costs: vec![NEVER; len], whole: HashMap::new() };
        let predecessors = predecessors(grammar);
        for (terminal, ends) in ends(grammar) {
            lexemes.search(grammar, &predecessors, terminal, ends);
        }
        for start in grammar.lexeme_starts() {
            for terminal in grammar.pending(start) {
                let cost = lexemes.rest(grammar, start, terminal);
                let whole = lexemes.whole.entry(terminal).or_insert(NEVER);
                *whole = cost.min(*whole);
            }
        }
        lexemes
    }

    /// What the lexeme in `state` needs to become `terminal`, which is pending there.
    pub(super) fn rest(&self, grammar: &GrammarView<'_>, state: LexState, terminal: Terminal) -> Cost {
        self.cell(grammar, state, terminal).map_or(NEVER, |cell| self.costs[cell])
    }

    /// What the shortest lexeme of `terminal` needs.
    pub(super) fn whole(&self, terminal: Terminal) -> Cost {
        self.whole.get(&terminal).copied().unwrap_or(NEVER)
    }

    fn cell(&self, grammar: &GrammarView<'_>, state: LexState, terminal: Terminal) -> Option<usize> {
        let position = grammar.pending(state).position(|pending| pending == terminal)?;
        Some(self.rows[state.index()] + position)
    }

    /// Fills in the costs of one terminal, from the states where its lexemes end.
    fn search(
        &mut self,
        grammar: &GrammarView<'_>,
        predecessors: &[Vec<LexState>],
        terminal: Terminal,
        ends: Vec<LexState>,
    ) {
        let mut queue: VecDeque<(LexState, Cost)> = ends.into_iter().map(|state| (state, 0)).collect();
        while let Some((state, cost)) = queue.pop_front() {
            let Some(cell) = self.cell(grammar, state, terminal) else { continue };
            if self.costs[cell] == NEVER {
                self.costs[cell] = cost;
                queue.extend(predecessors[state.index()].iter().map(|&before| (before, cost + 1)));
            }
        }
    }
}

fn states(grammar: &GrammarView<'_>) -> impl Iterator<Item = LexState> + use<> {
    (0..grammar.counts().lexer_states as u32).map(LexState)
}

/// The states where lexemes of each terminal end.
fn ends(grammar: &GrammarView<'_>) -> BTreeMap<Terminal, Vec<LexState>> {
    let mut ends: BTreeMap<Terminal, Vec<LexState>> = BTreeMap::new();
    for state in states(grammar) {
        for terminal in grammar.accepts(state) {
            ends.entry(terminal).or_default().push(state);
        }
    }
    ends
}

/// The states that lead to each state, each once.
fn predecessors(grammar: &GrammarView<'_>) -> Vec<Vec<LexState>> {
    let mut predecessors = vec![Vec::new(); grammar.counts().lexer_states];
    for state in states(grammar) {
        for symbol in 0..grammar.meta().class_count {
            let next = grammar.next(state, SymbolClass(symbol));
            let before: &mut Vec<LexState> = &mut predecessors[next.index()];
            if next != LexState::DEAD && before.last() != Some(&state) {
                before.push(state);
            }
        }
    }
    predecessors
}
