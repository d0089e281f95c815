//! The places between two lexemes, and what may come next there.
//!
//! In: the ends of lexemes, the lexer and its contexts. Out: [`Boundaries`]. A *boundary* is what decides how the next
//! lexeme is read: an end class, and the context of the LR state that the last lexeme was shifted to. Its *outcomes* are
//! the lexemes that may follow, each with the boundary behind it and the fewest tokens to it.
//!
//! Ignored text and the lexeme behind it may be in one token, such as ` x`. Without such tokens, nearly every lexeme of a
//! program would seem to cost a token more. So an outcome may begin with one byte of ignored text.
//!
//! Ends with the same outcomes in all contexts cost the same. They are merged by partition refinement; in most
//! grammars a handful of [`End`]s remains.

use super::lexemes::{Ending, Lexemes, RawEnd};
use super::token_steps::{Distance, FAR, TokenSteps};
use super::tokens::{Cost, Tokens};
use crate::automata::Decoding;
use crate::ids::{ContextId, EndClass, LexState, LrState};
use crate::lexer::IGNORED;
use crate::partition::number;
use gcc_grammar_ir::{TerminalId, index_newtype};
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;

index_newtype! {
    /// A class of raw ends with equal costs.
    End;
}

index_newtype! { vis pub(super),
    /// A list of outcomes.
    RowId;
}

/// What comes next at a boundary.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Outcome {
    /// The terminal of the lexeme; [`IGNORED`] for the ignored ones.
    pub(super) terminal: TerminalId,
    /// How the lexeme ends.
    pub(super) end: End,
    /// The fewest tokens to this end.
    pub(super) tokens: Cost,
}

/// A place between two lexemes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Boundary {
    /// How the last lexeme ended.
    pub(super) end: End,
    /// The context in which the next lexeme is read.
    pub(super) context: ContextId,
}

/// The boundaries of a grammar.
pub(super) struct Boundaries<'a> {
    decoding: Decoding<'a>,
    /// Per raw end.
    end_of: Vec<End>,
    first: RawEnd,
    /// The number of ends.
    ends: usize,
    /// Row-major `[end][context]`.
    rows: Vec<RowId>,
    outcomes: Vec<Vec<Outcome>>,
}

impl<'a> Boundaries<'a> {
    pub(super) fn new(decoding: &Decoding<'a>, raw: &RawRows, budget: &Budget) -> Result<Self, OverBudget> {
        let end_of = raw.merge(budget)?;
        let contexts = decoding.lexer.contexts;
        let ends = end_of.iter().max().map_or(0, |last| last.index() + 1);
        let mut rows = vec![RowId(0); ends * contexts];
        let mut outcomes = Vec::new();
        let mut ids: FxHashMap<RowId, RowId> = FxHashMap::default();
        for class in 0..end_of.len() {
            for context in 0..contexts {
                let raw_row = raw.of[class * contexts + context];
                let row = *ids.entry(raw_row).or_insert_with(|| {
                    outcomes.push(raw.merged(raw_row, &end_of));
                    RowId::new(outcomes.len() - 1)
                });
                rows[end_of[class].index() * contexts + context] = row;
            }
        }
        Ok(Self { decoding: *decoding, end_of, first: raw.first, ends, rows, outcomes })
    }

    /// The boundary at the beginning of the text.
    pub(super) fn first(&self) -> Boundary {
        self.after(self.end(self.first), LrState(0))
    }

    /// The class of a raw end.
    pub(super) fn end(&self, end: RawEnd) -> End {
        self.end_of[end.index()]
    }

    /// The number of ends.
    pub(super) fn ends(&self) -> usize {
        self.ends
    }

    /// All ends.
    pub(super) fn all_ends(&self) -> impl Iterator<Item = End> + use<> {
        (0..self.ends).map(End::new)
    }

    /// The lexer state at the beginning of the text.
    pub(super) fn first_state(&self) -> LexState {
        self.decoding.lexer.restart(EndClass(0), self.decoding.contexts.of(LrState(0)))
    }

    /// The boundary behind a lexeme that was shifted to `state`.
    pub(super) fn after(&self, end: End, state: LrState) -> Boundary {
        Boundary { end, context: self.decoding.contexts.of(state) }
    }

    /// What may come next at a boundary.
    pub(super) fn outcomes(&self, boundary: Boundary) -> &[Outcome] {
        let row = self.rows[boundary.end.index() * self.decoding.lexer.contexts + boundary.context.index()];
        &self.outcomes[row.index()]
    }
}

/// The outcomes before raw ends are merged.
pub(super) struct RawRows {
    pub(super) contexts: usize,
    /// Row-major `[raw end][context]`.
    pub(super) of: Vec<RowId>,
    pub(super) all: Vec<Vec<Ending>>,
    /// The end of nothing, before the text.
    pub(super) first: RawEnd,
}

/// The state in which the next lexeme starts, and, per first byte of ignored text, its trie node and the state in which
/// the lexeme behind it starts.
type Start = (LexState, Vec<(u32, LexState)>);

impl RawRows {
    /// The outcomes of tokens that lie within one lexeme, or in ignored text and the lexeme behind it.
    pub(super) fn new(
        decoding: &Decoding<'_>,
        tokens: &Tokens<'_>,
        lexemes: &Lexemes,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        let lexer = decoding.lexer;
        let mut ids: FxHashMap<Start, RowId> = FxHashMap::default();
        let mut joined = Joined { decoding, tokens, lexemes, known: FxHashMap::default() };
        let mut rows =
            Self { contexts: lexer.contexts, of: Vec::new(), all: vec![Vec::new()], first: RawEnd(0) };
        for cell in 0..lexer.restarts.len() {
            let start = lexer.restarts[cell];
            if start == LexState::DEAD {
                rows.of.push(RowId(0));
                continue;
            }
            let context = ContextId::new(cell % lexer.contexts);
            let ignored = joined.after_ignored_bytes(start, context);
            let key = (start, ignored);
            if let Some(&row) = ids.get(&key) {
                rows.of.push(row);
                continue;
            }
            let mut outcomes = lexemes.of(start).to_vec();
            for &(node, start) in &key.1 {
                joined.add(node, start, &mut outcomes, budget)?;
            }
            outcomes.sort_unstable();
            outcomes.dedup_by_key(|ending| (ending.terminal, ending.end));
            budget.charge_bytes(outcomes.len() as u64 * 12 + 64)?;
            let row = RowId::new(rows.all.len());
            rows.all.push(outcomes);
            ids.insert(key, row);
            rows.of.push(row);
        }
        Ok(rows)
    }

    /// Adds to the costs of terminals.
    pub(super) fn raise(&mut self, raises: &[Cost]) {
        self.all.iter_mut().flatten().for_each(|ending| ending.raise(raises));
    }

    /// Per terminal: what a lexeme of it costs, wherever it may come; 0 if it comes nowhere.
    pub(super) fn terminal_costs(&self, terminals: usize) -> Vec<Cost> {
        let mut costs = vec![0; terminals];
        for row in &self.all {
            for same in row.chunk_by(|a, b| a.terminal == b.terminal) {
                if let Some(cost) = costs.get_mut(same[0].terminal.index()) {
                    *cost = same.iter().map(|ending| ending.tokens).min().unwrap_or(0).max(*cost);
                }
            }
        }
        costs
    }

    /// Merges raw ends with the same outcomes in all contexts, up to merged raw ends.
    fn merge(&self, budget: &Budget) -> Result<Vec<End>, OverBudget> {
        let mut class_of = vec![End(0); self.of.len().checked_div(self.contexts).unwrap_or(0)];
        let mut count = 0;
        loop {
            let size: usize = self.all.iter().map(Vec::len).sum();
            budget.charge_work((size + self.of.len()) as u64)?;
            let rows = number((0..self.all.len()).map(|row| self.merged(RowId::new(row), &class_of)));
            let rows_of = |class: usize| {
                let row = &self.of[class * self.contexts..][..self.contexts];
                row.iter().map(|row| rows[row.index()]).collect::<Vec<u32>>()
            };
            class_of = number((0..class_of.len()).map(rows_of)).into_iter().map(End).collect();
            let merged = class_of.iter().max().map_or(0, |last| last.index() + 1);
            if merged == count {
                return Ok(class_of);
            }
            count = merged;
        }
    }

    /// The outcomes of a row, with classes of raw ends; each with its fewest tokens.
    fn merged(&self, row: RowId, end_of: &[End]) -> Vec<Outcome> {
        let outcome = |ending: &Ending| Outcome {
            terminal: ending.terminal,
            end: end_of[ending.end.index()],
            tokens: ending.tokens,
        };
        let mut outcomes: Vec<Outcome> = self.all[row.index()].iter().map(outcome).collect();
        outcomes.sort_unstable();
        outcomes.dedup_by_key(|outcome| (outcome.terminal, outcome.end));
        outcomes
    }
}

/// Lexemes that begin in a token with a byte of ignored text.
struct Joined<'a> {
    decoding: &'a Decoding<'a>,
    tokens: &'a Tokens<'a>,
    lexemes: &'a Lexemes,
    /// By trie node and start: the ends of lexemes whose beginning is in a token with the ignored byte.
    known: FxHashMap<(u32, LexState), Vec<Ending>>,
}

impl Joined<'_> {
    /// Per byte that may be ignored text: its trie node, and the state in which the lexeme behind it starts.
    fn after_ignored_bytes(&self, start: LexState, context: ContextId) -> Vec<(u32, LexState)> {
        let lexer = self.decoding.lexer;
        if lexer.pending(start).last() != Some(&IGNORED) {
            return Vec::new();
        }
        let after = |byte: u8| {
            let ignored = lexer.next(start, self.tokens.symbols.class_of(byte));
            let node = self.tokens.child(0, byte)?;
            let ends = lexer.accepts(ignored).last() == Some(&IGNORED);
            let next = lexer.restart(lexer.end_class[ignored.index()], context);
            (ends && next != LexState::DEAD).then_some((node, next))
        };
        (0..=u8::MAX).filter_map(after).collect()
    }

    /// Adds the outcomes of lexemes that start in `start` behind the ignored text of the trie node.
    fn add(
        &mut self,
        node: u32,
        start: LexState,
        outcomes: &mut Vec<Ending>,
        budget: &Budget,
    ) -> Result<(), OverBudget> {
        if !self.known.contains_key(&(node, start)) {
            let found = self.find(node, start, budget)?;
            self.known.insert((node, start), found);
        }
        outcomes.extend(&self.known[&(node, start)]);
        Ok(())
    }

    fn find(&self, node: u32, start: LexState, budget: &Budget) -> Result<Vec<Ending>, OverBudget> {
        let mut found = Vec::new();
        for ending in self.lexemes.of(start) {
            if ending.terminal == IGNORED || ending.tokens == 0 {
                continue;
            }
            let nearer = Nearer { lexemes: self.lexemes, ending };
            if TokenSteps::search(self.decoding.lexer, self.tokens, (node, start), &nearer, budget)? {
                found.push(*ending);
            }
        }
        Ok(found)
    }
}

/// Looks for the states from which a lexeme ends with fewer tokens than at its start.
struct Nearer<'a> {
    lexemes: &'a Lexemes,
    ending: &'a Ending,
}

impl Distance for Nearer<'_> {
    fn bytes(&self, state: LexState) -> u32 {
        let ending = self.ending;
        let same = |other: &&Ending| (other.terminal, other.end) == (ending.terminal, ending.end);
        match self.lexemes.of(state).iter().find(same) {
            Some(other) if other.tokens < ending.tokens => 0,
            Some(_) => 1,
            None => FAR,
        }
    }
}
