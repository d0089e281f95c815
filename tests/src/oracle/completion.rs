//! Decides under longest match whether a configuration can be continued to a text of the language.
//!
//! A configuration between lexemes is a stack of LALR states, the inhibitors that are left, and the part of a token that has been read:
//! a lexeme may end inside a token. Reading a lexeme, and the reductions and the shift of its terminal, are rules of a pushdown system,
//! which [`CanReach`] solves. Nothing of the compiler is used, and neither is its notion of what can be spelled.

use super::interner::Interner;
use super::lalr::Tables;
use super::pushdown::{CanReach, Put, Rule};
use super::runs::{Ends, Inhibitors, Lexeme, Run, Runs};
use super::stacks::{Stack, Stacks};
use super::token_texts::{BETWEEN, Place, TokenTexts};
use gcc_grammar_ir::{NonterminalId, TerminalId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most rules of a pushdown system.
const RULES: usize = 3_000_000;
/// The most transitions of its saturated automaton.
const TRANSITIONS: usize = 30_000_000;

/// A control state of the pushdown system.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Control {
    /// Between lexemes: the last lexeme that the parser has read, and the inhibitors.
    Between(Option<TerminalId>, Rest),
    /// The parser reads a terminal, or the end of the text.
    Parse(Option<TerminalId>, Rest),
    /// A reduction has so many more states to pop.
    Pop(Option<TerminalId>, Rest, NonterminalId, usize),
    /// The text is in the language.
    Accepted,
}

/// What decides how the text goes on after a lexeme: the inhibitors, and the place in a token.
type Rest = (Inhibitors, Place);

/// The run that starts with a state on top of the stack, after a lexeme.
pub(super) type Start<'a> = dyn FnMut(&mut Runs, usize, Option<TerminalId>) -> Run + 'a;

/// What lexemes can become, remembered.
#[derive(Debug)]
struct Lexemes {
    tokens: TokenTexts,
    known: FxHashMap<(Lexeme, Place), Ends>,
}

impl Lexemes {
    fn ends(&mut self, runs: &mut Runs, lexeme: Lexeme, place: Place) -> Ends {
        let Self { tokens, known } = self;
        known.entry((lexeme, place)).or_insert_with(|| runs.ends(lexeme, place, tokens)).clone()
    }
}

/// The configurations that can be completed.
#[derive(Debug)]
pub(super) struct Completion {
    lexemes: Lexemes,
    controls: Interner<Control>,
    /// Control states with the states that may be on top of the stack there.
    known: FxHashSet<(usize, usize)>,
    reach: CanReach,
}

impl Completion {
    /// Explores all control states from the start of the text; none if there are too many.
    pub(super) fn new(
        runs: &mut Runs,
        tables: &Tables,
        tokens: TokenTexts,
        start: &mut Start<'_>,
    ) -> Option<Self> {
        let mut builder = Builder {
            lexemes: Lexemes { tokens, known: FxHashMap::default() },
            runs,
            below: tables.states_below(),
            starts: (0..tables.count()).map(|state| tables.starts_lexemes(state)).collect(),
            tables,
            start,
            controls: Interner::default(),
            open: Vec::new(),
            rules: Vec::new(),
        };
        let uninhibited = builder.runs.uninhibited();
        let goal = builder.control(Control::Accepted);
        let first = builder.control(Control::Between(None, (uninhibited, BETWEEN)));
        builder.open.push((first, 0));
        let mut known = FxHashSet::default();
        while let Some((control, top)) = builder.open.pop() {
            if known.insert((control, top)) {
                builder.explore(control, top)?;
            }
            if builder.rules.len() > RULES {
                return None;
            }
        }
        let Builder { lexemes, controls, rules, .. } = builder;
        let reach = CanReach::new(&rules, goal, controls.len(), tables.count(), TRANSITIONS)?;
        Some(Self { lexemes, controls, known, reach })
    }

    /// Whether a configuration between lexemes can be completed.
    pub(super) fn between(
        &mut self,
        stacks: &Stacks,
        stack: Stack,
        last: Option<TerminalId>,
        rest: Rest,
    ) -> bool {
        self.is_live(stacks, stack, Control::Between(last, rest))
    }

    /// Whether a configuration within a lexeme can be completed; none if the search gave up.
    pub(super) fn within(
        &mut self,
        runs: &mut Runs,
        stacks: &Stacks,
        stack: Stack,
        last: Option<TerminalId>,
        lexeme: Lexeme,
        place: Place,
    ) -> Option<bool> {
        let mut ends = self.lexemes.ends(runs, lexeme, place)?;
        for limited in runs.limited(lexeme) {
            ends.extend(runs.ends_here(limited, place));
            ends.extend(self.lexemes.ends(runs, limited, place)?);
        }
        Some(ends.iter().any(|&(terminal, rest)| {
            let control = after_lexeme(runs, last, terminal, rest);
            self.is_live(stacks, stack, control)
        }))
    }

    fn is_live(&mut self, stacks: &Stacks, stack: Stack, control: Control) -> bool {
        let control = self.controls.number(control);
        let top = stacks.top(stack);
        assert!(self.known.contains(&(control, top)), "the exploration meets all configurations");
        self.reach.accepts(control, stacks.states(stack))
    }
}

/// The control state after a lexeme.
fn after_lexeme(runs: &Runs, last: Option<TerminalId>, terminal: TerminalId, rest: Rest) -> Control {
    if runs.is_ignored(terminal) {
        Control::Between(last, rest)
    } else {
        Control::Parse(Some(terminal), rest)
    }
}

struct Builder<'a, 's> {
    lexemes: Lexemes,
    runs: &'a mut Runs,
    tables: &'a Tables,
    /// Per state: the states that may lie directly below it.
    below: Vec<Vec<usize>>,
    /// Per state: whether a lexeme may start with it on top.
    starts: Vec<bool>,
    start: &'a mut Start<'s>,
    controls: Interner<Control>,
    open: Vec<(usize, usize)>,
    rules: Vec<Rule>,
}

impl Builder<'_, '_> {
    fn control(&mut self, control: Control) -> usize {
        self.controls.number(control)
    }

    fn rule(&mut self, from: usize, top: usize, to: Control, put: Put) {
        let to = self.control(to);
        match put {
            Put::Nothing => self.open.extend(self.below[top].iter().map(|&below| (to, below))),
            Put::One(next) | Put::Two(next, _) => self.open.push((to, next)),
        }
        self.rules.push(((from, top), (to, put)));
    }

    /// Adds the rules of a control state with a state on top; none if a search gave up.
    fn explore(&mut self, from: usize, top: usize) -> Option<()> {
        let control = (*self.controls.value(from)).clone();
        match control {
            Control::Between(last, rest) if self.starts[top] => {
                if rest.1 == BETWEEN {
                    self.rule(from, top, Control::Parse(None, rest), Put::One(top));
                }
                let run = (self.start)(self.runs, top, last);
                for (terminal, rest) in self.lexemes.ends(self.runs, (run, rest.0), rest.1)? {
                    let to = after_lexeme(self.runs, last, terminal, rest);
                    self.rule(from, top, to, Put::One(top));
                }
            }
            Control::Parse(lookahead, rest) => {
                let reductions: Vec<_> = self.tables.reductions(top, lookahead).collect();
                for (left, length) in reductions {
                    self.rule(from, top, Control::Pop(lookahead, rest, left, length - 1), Put::Nothing);
                }
                if lookahead.is_none() && self.tables.is_final(top) {
                    self.rule(from, top, Control::Accepted, Put::One(top));
                }
                if let Some(next) = lookahead.and_then(|terminal| self.tables.shift_from(top, terminal)) {
                    self.rule(from, top, Control::Between(lookahead, rest), Put::Two(next, top));
                }
            }
            Control::Pop(lookahead, rest, left, 0) => {
                if let Some(next) = self.tables.goto(top, left) {
                    self.rule(from, top, Control::Parse(lookahead, rest), Put::Two(next, top));
                }
            }
            Control::Pop(lookahead, rest, left, more) => {
                self.rule(from, top, Control::Pop(lookahead, rest, left, more - 1), Put::Nothing);
            }
            Control::Between(..) | Control::Accepted => {}
        }
        Some(())
    }
}
