//! Divides lexer states into parts that are walked one by one.
//!
//! Under any split each terminal that a lexeme may be goes on by itself, whatever the others do. So the walk of a
//! lexer state is made of the walks of its *parts*, a terminal and a state of its automaton each. A terminal that
//! is expected in fifty contexts is walked once, and isomorphic automata of terminals share their walks. Under
//! longest match a lexer state is a single part.
//!
//! In: the lexer, and the automata of the terminals. Out: the automaton that is walked, the disjoint union of these
//! automata, and the parts of each lexer state, which are states of it.

use crate::csr::Csr;
use crate::ids::{EndClass, LexState};
use crate::lexer::{Lexer, Member, PendingId, Rows, Symbols};
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::{Budget, OverBudget};

/// The parts of lexer states.
pub(super) struct Parts {
    /// The automaton that is walked; `None` if it is the lexer itself.
    automaton: Option<Lexer>,
    of_state: Csr<LexState>,
}

impl Parts {
    pub(super) fn new(lexer: &Lexer, symbols: &Symbols, budget: &Budget) -> Result<Self, OverBudget> {
        let Some(members) = &lexer.members else {
            let of_state = (0..lexer.states()).map(|state| [LexState::new(state)]).collect();
            return Ok(Self { automaton: None, of_state });
        };
        let mut union = Union::new(symbols, members);
        budget.charge_bytes((union.states * (lexer.classes * 4 + 32) + members.items().len() * 4) as u64)?;
        let part = |member: &Member| union.part(member.automaton, member.state);
        let of_state = (0..members.rows()).map(|state| members.row(state).iter().map(part)).collect();
        Ok(Self { of_state, automaton: Some(union.automaton(lexer.classes)) })
    }

    /// The automaton that is walked.
    pub(super) fn walked<'l>(&'l self, lexer: &'l Lexer) -> &'l Lexer {
        self.automaton.as_ref().unwrap_or(lexer)
    }

    /// The parts of a state of the lexer; none of the dead state.
    pub(super) fn of(&self, state: LexState) -> &[LexState] {
        if state == LexState::DEAD { &[] } else { self.of_state.row(state.index()) }
    }
}

/// The disjoint union of the automata of terminals.
struct Union<'s> {
    symbols: &'s Symbols,
    /// Per terminal: the number of its first state, and the terminal that its lexemes are; `None` if it does not
    /// occur.
    terminals: Vec<Option<(usize, TerminalId)>>,
    states: usize,
}

impl<'s> Union<'s> {
    /// The union of the automata that occur. State 0 is dead.
    fn new(symbols: &'s Symbols, members: &Csr<Member>) -> Self {
        let mut terminals = vec![None; symbols.terminals.len()];
        for member in members.items() {
            terminals[member.automaton.index()] = Some((0, member.terminal));
        }
        let mut states = 1;
        for (automaton, terminal) in symbols.terminals.iter().zip(&mut terminals) {
            if let Some((first, _)) = terminal {
                *first = states;
                states += automaton.states();
            }
        }
        Self { symbols, terminals, states }
    }

    /// The state of the union for a state of a terminal's automaton.
    fn part(&self, automaton: TerminalId, state: u32) -> LexState {
        self.terminals[automaton.index()]
            .map_or(LexState::DEAD, |(first, _)| LexState::new(first + state as usize))
    }

    fn automaton(&mut self, classes: usize) -> Lexer {
        let mut transitions = vec![LexState::DEAD; self.states * classes];
        let (mut accepts, mut pending_sets) = (Csr::default(), Csr::default());
        accepts.push([]);
        pending_sets.push([]);
        let mut pending = vec![PendingId(0)];
        for (automaton, occurring) in self.symbols.terminals.iter().zip(&self.terminals) {
            let &Some((first, terminal)) = occurring else { continue };
            let set = PendingId::new(pending_sets.rows());
            pending_sets.push([terminal]);
            for state in 0..automaton.states() {
                let row = &mut transitions[(first + state) * classes..][..classes];
                for &(class, to) in automaton.transitions(state as u32) {
                    row[class.index()] = LexState::new(first + to as usize);
                }
                accepts.push(automaton.is_accepting(state as u32).then_some(terminal));
                pending.push(set);
            }
        }
        Lexer {
            classes,
            contexts: 0,
            rows: Rows::new(&transitions, classes),
            transitions,
            accepts,
            end_class: vec![EndClass(0); self.states],
            restarts: Vec::new(),
            pending,
            pending_sets,
            members: None,
        }
    }
}
