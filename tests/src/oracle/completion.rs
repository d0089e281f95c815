//! Decides under longest match whether a configuration can be continued to a text of the language.
//!
//! A configuration between lexemes is a stack of LALR states and the inhibitors that are left. Reading a lexeme, and the reductions
//! and the shift of its terminal, are rules of a pushdown system, which [`CanReach`] solves. Nothing of the compiler is used, and
//! neither is its notion of what can be spelled.

use super::interner::Interner;
use super::lalr::Tables;
use super::pushdown::{CanReach, Put, Rule};
use super::runs::{Inhibitors, Lexeme, Run, Runs};
use super::stacks::{Stack, Stacks};
use gcc_grammar_ir::{NonterminalId, TerminalId};
use rustc_hash::FxHashSet;

/// The most rules of a pushdown system.
const RULES: usize = 200_000;
/// The most transitions of its saturated automaton.
const TRANSITIONS: usize = 1_000_000;

/// A control state of the pushdown system.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Control {
    /// Between lexemes: the last lexeme that the parser has read, and the inhibitors.
    Between(Option<TerminalId>, Inhibitors),
    /// The parser reads a terminal, or the end of the text. The inhibitors are those after it.
    Parse(Option<TerminalId>, Inhibitors),
    /// A reduction has so many more states to pop.
    Pop(Option<TerminalId>, Inhibitors, NonterminalId, usize),
    /// The text is in the language.
    Accepted,
}

/// The run that starts with a state on top of the stack, after a lexeme.
pub(super) type Start<'a> = dyn FnMut(&mut Runs, usize, Option<TerminalId>) -> Run + 'a;

/// The configurations that can be completed.
#[derive(Debug)]
pub(super) struct Completion {
    controls: Interner<Control>,
    known: FxHashSet<usize>,
    reach: CanReach,
}

impl Completion {
    /// Explores all control states from the start of the text; none if there are too many.
    pub(super) fn new(runs: &mut Runs, tables: &Tables, start: &mut Start<'_>) -> Option<Self> {
        let mut builder = Builder {
            runs,
            tables,
            start,
            controls: Interner::default(),
            open: Vec::new(),
            rules: Vec::new(),
        };
        let uninhibited = builder.runs.uninhibited();
        let goal = builder.control(Control::Accepted);
        builder.control(Control::Between(None, uninhibited));
        let mut known = FxHashSet::default();
        while let Some(control) = builder.open.pop() {
            if known.insert(control) {
                builder.explore(control)?;
            }
            if builder.rules.len() > RULES {
                return None;
            }
        }
        let Builder { controls, rules, .. } = builder;
        let reach = CanReach::new(&rules, goal, known.len(), tables.len(), TRANSITIONS)?;
        Some(Self { controls, known, reach })
    }

    /// Whether a configuration between lexemes can be completed.
    pub(super) fn between(
        &mut self,
        stacks: &Stacks,
        stack: Stack,
        last: Option<TerminalId>,
        inhibitors: Inhibitors,
    ) -> bool {
        self.is_live(stacks, stack, Control::Between(last, inhibitors))
    }

    /// Whether a configuration within a lexeme can be completed; none if the search gave up.
    pub(super) fn within(
        &mut self,
        runs: &mut Runs,
        stacks: &Stacks,
        stack: Stack,
        last: Option<TerminalId>,
        lexeme: Lexeme,
    ) -> Option<bool> {
        let ends = runs.ends(lexeme)?;
        Some(ends.iter().any(|&(terminal, inhibitors)| {
            let control = after_lexeme(runs, last, terminal, inhibitors);
            self.is_live(stacks, stack, control)
        }))
    }

    fn is_live(&mut self, stacks: &Stacks, stack: Stack, control: Control) -> bool {
        let control = self.controls.number(control);
        assert!(self.known.contains(&control), "the exploration meets all configurations");
        self.reach.accepts(control, stacks.states(stack))
    }
}

/// The control state after a lexeme.
fn after_lexeme(
    runs: &Runs,
    last: Option<TerminalId>,
    terminal: TerminalId,
    inhibitors: Inhibitors,
) -> Control {
    if runs.is_ignored(terminal) {
        Control::Between(last, inhibitors)
    } else {
        Control::Parse(Some(terminal), inhibitors)
    }
}

struct Builder<'a, 's> {
    runs: &'a mut Runs,
    tables: &'a Tables,
    start: &'a mut Start<'s>,
    controls: Interner<Control>,
    open: Vec<usize>,
    rules: Vec<Rule>,
}

impl Builder<'_, '_> {
    fn control(&mut self, control: Control) -> usize {
        let number = self.controls.number(control);
        self.open.push(number);
        number
    }

    fn rule(&mut self, from: usize, top: usize, to: Control, put: Put) {
        let to = self.control(to);
        self.rules.push(((from, top), (to, put)));
    }

    /// Adds the rules of a control state; none if a search gave up.
    fn explore(&mut self, from: usize) -> Option<()> {
        let control = (*self.controls.value(from)).clone();
        for top in 0..self.tables.len() {
            match control {
                Control::Between(last, inhibitors) => {
                    if self.tables.starts_lexemes(top) {
                        self.rule(from, top, Control::Parse(None, inhibitors), Put::One(top));
                        let run = (self.start)(self.runs, top, last);
                        for (terminal, inhibitors) in self.runs.ends((run, inhibitors))? {
                            let to = after_lexeme(self.runs, last, terminal, inhibitors);
                            self.rule(from, top, to, Put::One(top));
                        }
                    }
                }
                Control::Parse(lookahead, inhibitors) => {
                    for (left, length) in self.tables.reductions(top, lookahead) {
                        self.rule(
                            from,
                            top,
                            Control::Pop(lookahead, inhibitors, left, length - 1),
                            Put::Nothing,
                        );
                    }
                    match lookahead {
                        None if self.tables.is_final(top) => {
                            self.rule(from, top, Control::Accepted, Put::One(top))
                        }
                        None => {}
                        Some(terminal) => {
                            if let Some(next) = self.tables.shift_from(top, terminal) {
                                let to = Control::Between(lookahead, inhibitors);
                                self.rule(from, top, to, Put::Two(next, top));
                            }
                        }
                    }
                }
                Control::Pop(lookahead, inhibitors, left, 0) => {
                    if let Some(next) = self.tables.goto(top, left) {
                        self.rule(from, top, Control::Parse(lookahead, inhibitors), Put::Two(next, top));
                    }
                }
                Control::Pop(lookahead, inhibitors, left, more) => {
                    self.rule(from, top, Control::Pop(lookahead, inhibitors, left, more - 1), Put::Nothing);
                }
                Control::Accepted => {}
            }
        }
        Some(())
    }
}
