//! Finds the fewest tokens that end a lexeme, from every lexer state.
//!
//! In: the lexer and the steps of tokens in it. Out: [`Lexemes`]: per lexer state, for every terminal that the lexeme can
//! become and every end class with which it can end, the fewest tokens to that end, the last of which ends with the
//! lexeme. No token is needed where the lexeme may end at once.
//!
//! A breadth-first search per kind of end, backwards from the states that accept. Steps from narrow states are known; a
//! wide state is searched for a token that leads to a state found already, until there is one.

use super::token_steps::{Distance, FAR, TokenSteps};
use super::tokens::{Cost, Tokens};
use crate::csr::Csr;
use crate::ids::{EndClass, LexState};
use crate::lexer::{Lexer, PatternId};
use gcc_grammar_ir::{TerminalId, index_newtype};
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

index_newtype! { vis pub(super),
    /// How a lexeme can end: an end class, or, if completions are [exact](super::exact), a class of end classes and places
    /// in the token.
    RawEnd;
}

/// An end of a lexeme.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Ending {
    /// The terminal of the lexeme; [`IGNORED`](crate::lexer::IGNORED) for the ignored ones.
    pub(super) terminal: TerminalId,
    /// What the lexeme leaves to the next one.
    pub(super) end: RawEnd,
    /// The fewest tokens to this end.
    pub(super) tokens: Cost,
}

impl Ending {
    /// Adds what its terminal costs besides.
    pub(super) fn raise(&mut self, raises: &[Cost]) {
        // Ignored text has no number in the list.
        let more = raises.get(self.terminal.index()).copied().unwrap_or(0);
        self.tokens = self.tokens.saturating_add(more);
    }
}

/// The ends of the lexeme in every lexer state.
pub(super) struct Lexemes {
    rows: Csr<Ending>,
}

impl Lexemes {
    pub(super) fn new(
        lexer: &Lexer,
        tokens: &Tokens<'_>,
        steps: &TokenSteps,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        let mut search = Search::new(lexer, tokens, steps);
        let mut found: Vec<(LexState, Ending)> = Vec::new();
        for ((terminal, end), accepting) in ends(lexer) {
            search.run(terminal, &accepting, budget)?;
            budget.charge_bytes(search.found.len() as u64 * 16)?;
            let states = search.found.iter();
            found.extend(
                states.map(|&s| (s, Ending { terminal, end: RawEnd(end.0), tokens: search.level(s) })),
            );
        }
        if !tokens.has_end() {
            found.extend(ends_without_token(lexer, tokens));
        }
        found.sort_unstable();
        let mut rows = Csr::default();
        let mut found = found.into_iter().peekable();
        for state in (0..lexer.states()).map(LexState::new) {
            let row = std::iter::from_fn(|| found.next_if(|(s, _)| *s == state));
            rows.push(row.map(|(_, ending)| ending));
        }
        Ok(Self { rows })
    }

    /// Rows, by lexer state.
    pub(super) fn from_rows<'a>(rows: impl Iterator<Item = &'a Vec<Ending>>) -> Self {
        Self { rows: rows.map(|row| row.iter().copied()).collect() }
    }

    /// Adds to the costs of terminals.
    pub(super) fn raise(&mut self, raises: &[Cost]) {
        for ending in self.rows.items_mut() {
            ending.raise(raises);
        }
    }

    /// The ends of the lexeme in a state, sorted by terminal.
    pub(super) fn of(&self, state: LexState) -> &[Ending] {
        self.rows.row(state.index())
    }
}

/// The states in which lexemes end, by terminal and end class.
fn ends(lexer: &Lexer) -> BTreeMap<(TerminalId, EndClass), Vec<LexState>> {
    let mut ends: BTreeMap<_, Vec<LexState>> = BTreeMap::new();
    for state in (1..lexer.states()).map(LexState::new) {
        lexer.endings(state).for_each(|ending| ends.entry(ending).or_default().push(state));
    }
    ends
}

/// If the vocabulary has no end token, the end of the text takes none.
fn ends_without_token(lexer: &Lexer, tokens: &Tokens<'_>) -> Vec<(LexState, Ending)> {
    let end_of = |state: LexState| {
        let (terminal, end) = end_without_token(lexer, tokens, state)?;
        Some((state, Ending { terminal, end: RawEnd(end.0), tokens: 0 }))
    };
    (1..lexer.states()).map(LexState::new).filter_map(end_of).collect()
}

/// The end of the text behind a lexer state, which takes no token.
pub(super) fn end_without_token(
    lexer: &Lexer,
    tokens: &Tokens<'_>,
    state: LexState,
) -> Option<(TerminalId, EndClass)> {
    lexer.endings(lexer.next(state, tokens.symbols.end_class)).next()
}

/// The search for one kind of end, and its buffers.
struct Search<'a> {
    lexer: &'a Lexer,
    tokens: &'a Tokens<'a>,
    steps: &'a TokenSteps,
    /// Per terminal: the wide states in which it is pending, ascending.
    wide: FxHashMap<TerminalId, Vec<LexState>>,
    /// Per state: the states that a symbol leads from to it.
    symbols_before: Csr<u32>,
    /// Per state: its number of tokens if it was found, else [`FAR`].
    levels: Vec<Cost>,
    /// The states that were found, by level.
    found: Vec<LexState>,
    bytes: Bytes,
}

/// The least number of bytes to a state that was found.
struct Bytes {
    least: Vec<u32>,
    /// The states with a number.
    known: Vec<LexState>,
    /// How many of the states that were found have been measured.
    measured: usize,
    /// The states from which the search continues, in ascending order of their numbers; a buffer.
    open: Vec<LexState>,
}

impl Distance for Bytes {
    fn bytes(&self, state: LexState) -> u32 {
        self.least[state.index()]
    }
}

impl<'a> Search<'a> {
    fn new(lexer: &'a Lexer, tokens: &'a Tokens<'a>, steps: &'a TokenSteps) -> Self {
        let targets = |from: u32| lexer.rows.targets(LexState(from)).iter().map(move |to| (from, to.index()));
        let edges = (1..lexer.states() as u32).flat_map(targets);
        let states = lexer.states();
        let mut wide: FxHashMap<TerminalId, Vec<LexState>> = FxHashMap::default();
        for &state in &steps.wide {
            lexer.pending(state).iter().for_each(|&terminal| wide.entry(terminal).or_default().push(state));
        }
        Self {
            lexer,
            tokens,
            steps,
            wide,
            symbols_before: Csr::inverse(states, edges),
            levels: vec![FAR; states],
            found: Vec::new(),
            bytes: Bytes { least: vec![FAR; states], known: Vec::new(), measured: 0, open: Vec::new() },
        }
    }

    fn level(&self, state: LexState) -> Cost {
        self.levels[state.index()]
    }

    /// Finds the states from which tokens lead to one of `accepting`.
    fn run(
        &mut self,
        terminal: TerminalId,
        accepting: &[LexState],
        budget: &Budget,
    ) -> Result<(), OverBudget> {
        self.found.drain(..).for_each(|state| self.levels[state.index()] = FAR);
        self.bytes.clear();
        accepting.iter().for_each(|&state| self.find(state, 0));
        let mut wide = self.wide.get(&terminal).cloned().unwrap_or_default();
        let mut level = 0..self.found.len();
        while !level.is_empty() {
            let tokens = self.level(self.found[level.start]) + 1;
            let approaching = self.approaching(&mut wide, budget)?;
            for index in level.clone() {
                let state = self.found[index];
                for &before in self.steps.before.row(state.index()) {
                    self.find(LexState(before), tokens);
                }
            }
            approaching.into_iter().for_each(|state| self.find(state, tokens));
            if self.found.len() == level.end {
                self.stepping(&wide, budget)?.into_iter().for_each(|state| self.find(state, tokens));
            }
            budget.charge_work(level.len() as u64 + 1)?;
            level = level.end..self.found.len();
        }
        Ok(())
    }

    fn find(&mut self, state: LexState, tokens: Cost) {
        if self.levels[state.index()] == FAR {
            self.levels[state.index()] = tokens;
            self.found.push(state);
        }
    }

    /// The wide states from which a token approaches a state found so far. Those found before are taken out of `wide`.
    fn approaching(
        &mut self,
        wide: &mut Vec<LexState>,
        budget: &Budget,
    ) -> Result<Vec<LexState>, OverBudget> {
        wide.retain(|&state| self.levels[state.index()] == FAR);
        if !wide.is_empty() {
            self.measure(budget)?;
        }
        let mut approaching = Vec::new();
        let mut alike = Alike::default();
        // Each byte comes nearer by one.
        for &state in wide.iter().filter(|state| self.bytes.bytes(**state) as usize <= self.tokens.longest) {
            let class = alike.class(self.lexer, &self.bytes, state);
            budget.charge_work(1)?;
            let approaches = match alike.approaches.get(&class) {
                Some(&known) => known,
                None => self.steps.approach(self.lexer, self.tokens, state, &self.bytes, budget)?,
            };
            alike.approaches.insert(class, approaches);
            approaching.extend(approaches.then_some(state));
        }
        Ok(approaching)
    }

    /// The wide states from which any token leads to a state found so far.
    fn stepping(&self, wide: &[LexState], budget: &Budget) -> Result<Vec<LexState>, OverBudget> {
        let mut stepping = Vec::new();
        for &state in wide.iter().filter(|state| self.bytes.bytes(**state) != FAR) {
            if TokenSteps::search(self.lexer, self.tokens, (0, state), &self.bytes, budget)? {
                stepping.push(state);
            }
        }
        Ok(stepping)
    }

    /// Measures how far in bytes the states found so far are. Only numbers that become smaller are looked at again.
    fn measure(&mut self, budget: &Budget) -> Result<(), OverBudget> {
        let fresh = &self.found[self.bytes.measured..];
        self.bytes.measured = self.found.len();
        self.bytes.open.clear();
        fresh.iter().for_each(|&state| self.bytes.lower(state, 0));
        let mut next = 0;
        while let Some(&state) = self.bytes.open.get(next) {
            next += 1;
            let bytes = self.bytes.bytes(state) + 1;
            for &before in self.symbols_before.row(state.index()) {
                self.bytes.lower(LexState(before), bytes);
            }
        }
        budget.charge_work(next as u64)
    }
}

/// Classes of states from which the same bytes come nearer to the states that were found, to states of the same classes.
/// The counts of a string are alike: its end is near, whatever the count.
#[derive(Default)]
struct Alike {
    class_of: FxHashMap<LexState, u32>,
    /// By pattern, and per target: its class if it is nearer, else [`FAR`].
    classes: FxHashMap<(PatternId, Box<[u32]>), u32>,
    /// Per class: whether a token approaches the states that were found.
    approaches: FxHashMap<u32, bool>,
}

impl Alike {
    /// The class of a state; 0 of the states that were found. Recursion is as deep as a token is long.
    fn class(&mut self, lexer: &Lexer, bytes: &Bytes, state: LexState) -> u32 {
        if bytes.bytes(state) == 0 {
            return 0;
        }
        if let Some(&known) = self.class_of.get(&state) {
            return known;
        }
        let is_nearer = |to: LexState| bytes.bytes(to) < bytes.bytes(state);
        let class = |to: &LexState| if is_nearer(*to) { self.class(lexer, bytes, *to) } else { FAR };
        let key = (lexer.rows.pattern(state), lexer.rows.targets(state).iter().map(class).collect());
        let fresh = self.classes.len() as u32 + 1;
        let class = *self.classes.entry(key).or_insert(fresh);
        self.class_of.insert(state, class);
        class
    }
}

impl Bytes {
    fn clear(&mut self) {
        self.known.drain(..).for_each(|state| self.least[state.index()] = FAR);
        self.measured = 0;
    }

    /// Lowers the number of a state, from which the search then continues.
    fn lower(&mut self, state: LexState, bytes: u32) {
        let least = &mut self.least[state.index()];
        if bytes < *least {
            if *least == FAR {
                self.known.push(state);
            }
            *least = bytes;
            self.open.push(state);
        }
    }
}
