//! What one token does, from every place in which it may start or be.
//!
//! In: the lexer and the [automaton of the tokens](TokenDag). Out: [`Spans`]. A lexeme may end *between* two tokens or
//! *within* a token, which then continues with the next lexeme. So a *raw end* of a lexeme is an end class and a node of
//! the automaton of the tokens. A [`Row`] says for a lexer state and a node what the token can do until it ends: which
//! lexemes end within it, and how, and in which lexer states it ends within a lexeme.
//!
//! Nothing is left out here: all tokens are followed from all lexer states.

use super::lexemes::{RawEnd, end_without_token};
use super::token_dag::{DagNode, TokenDag};
use super::tokens::Tokens;
use crate::ids::{ContextId, EndClass, LexState};
use crate::lexer::Lexer;
use gcc_grammar_ir::{TerminalId, index_newtype};
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a place takes in a walk, in bytes.
const PLACE_BYTES: u64 = 32;

index_newtype! { vis pub(super),
    /// A row; the row of a lexer state between two tokens has its number.
    SpanId;
}

/// The lexemes that are read from one place until the token ends.
#[derive(Default, PartialEq, Eq, Hash)]
pub(super) struct Row {
    /// The lexemes that end before the token does, or, between two tokens, before a token begins.
    pub(super) now: Vec<(TerminalId, RawEnd)>,
    /// Where the token may end within a lexeme: the rows of these lexer states.
    pub(super) steps: Vec<SpanId>,
}

/// The rows of all places that a text can lead to.
pub(super) struct Spans {
    pub(super) rows: Vec<Row>,
    contexts: usize,
    /// Row-major `[raw end][context]`: where the next lexeme is read; `None` if no lexeme can follow.
    starts: Vec<Option<SpanId>>,
}

impl Spans {
    pub(super) fn new(lexer: &Lexer, tokens: &Tokens<'_>, budget: &Budget) -> Result<Self, OverBudget> {
        let dag = TokenDag::new(tokens, budget)?;
        let mut builder = Builder {
            lexer,
            tokens,
            ends: (0..lexer.restarts.len() / lexer.contexts.max(1))
                .map(|class| (EndClass::new(class), dag.root()))
                .collect(),
            dag,
            end_ids: FxHashMap::default(),
            rows: Vec::new(),
            within: FxHashMap::default(),
            met: FxHashSet::default(),
        };
        builder.between_tokens(budget)?;
        let starts = builder.starts(budget)?;
        Ok(Self { rows: builder.rows, contexts: lexer.contexts, starts })
    }

    /// The number of raw ends. The first ones are the end classes, between two tokens.
    pub(super) fn raw_ends(&self) -> usize {
        self.starts.len() / self.contexts.max(1)
    }

    /// Per context: where the lexeme behind a raw end is read.
    pub(super) fn starts(&self, end: usize) -> &[Option<SpanId>] {
        &self.starts[end * self.contexts..][..self.contexts]
    }
}

struct Builder<'a> {
    lexer: &'a Lexer,
    tokens: &'a Tokens<'a>,
    dag: TokenDag,
    /// The raw ends.
    ends: Vec<(EndClass, DagNode)>,
    /// The raw ends within tokens.
    end_ids: FxHashMap<(EndClass, DagNode), RawEnd>,
    rows: Vec<Row>,
    /// The rows of places within tokens.
    within: FxHashMap<(LexState, DagNode), SpanId>,
    /// The places that the walk under way has met.
    met: FxHashSet<(LexState, DagNode)>,
}

impl Builder<'_> {
    /// Makes the rows of all lexer states between two tokens.
    fn between_tokens(&mut self, budget: &Budget) -> Result<(), OverBudget> {
        self.rows.push(Row::default());
        for state in (1..self.lexer.states()).map(LexState::new) {
            let mut row = self.walk((state, self.dag.root()), budget)?;
            row.now.extend(self.lexer.endings(state).map(|(terminal, end)| (terminal, RawEnd(end.0))));
            if !self.tokens.has_end() {
                let ended = end_without_token(self.lexer, self.tokens, state);
                row.now.extend(ended.map(|(terminal, end)| (terminal, RawEnd(end.0))));
            }
            let special = self.tokens.special.iter().map(|&class| self.lexer.next(state, class));
            row.steps.extend(special.filter(|&to| to != LexState::DEAD).map(|to| SpanId(to.0)));
            self.push(row, budget)?;
        }
        Ok(())
    }

    /// Finds where the lexemes behind all raw ends are read; rows of places within tokens lead to further raw ends.
    fn starts(&mut self, budget: &Budget) -> Result<Vec<Option<SpanId>>, OverBudget> {
        let mut starts = Vec::new();
        let mut index = 0;
        while let Some(&(end, node)) = self.ends.get(index) {
            for context in (0..self.lexer.contexts).map(ContextId::new) {
                let state = self.lexer.restart(end, context);
                let start = match state {
                    LexState::DEAD => None,
                    _ if node == self.dag.root() => Some(SpanId(state.0)),
                    _ => Some(self.within((state, node), budget)?),
                };
                starts.push(start);
            }
            budget.charge_work(self.lexer.contexts as u64)?;
            budget.charge_bytes(8 * self.lexer.contexts as u64)?;
            index += 1;
        }
        Ok(starts)
    }

    /// The row of a place within a token.
    fn within(&mut self, place: (LexState, DagNode), budget: &Budget) -> Result<SpanId, OverBudget> {
        if let Some(&known) = self.within.get(&place) {
            return Ok(known);
        }
        let row = self.walk(place, budget)?;
        let id = self.push(row, budget)?;
        self.within.insert(place, id);
        Ok(id)
    }

    fn push(&mut self, mut row: Row, budget: &Budget) -> Result<SpanId, OverBudget> {
        row.now.sort_unstable();
        row.now.dedup();
        row.steps.sort_unstable();
        row.steps.dedup();
        budget.charge_bytes((row.now.len() * 8 + row.steps.len() * 4) as u64 + 48)?;
        let id = SpanId::new(self.rows.len());
        self.rows.push(row);
        Ok(id)
    }

    /// Follows all tokens from a place within a lexeme, until they or the lexeme end.
    fn walk(&mut self, place: (LexState, DagNode), budget: &Budget) -> Result<Row, OverBudget> {
        let mut row = Row::default();
        self.met.clear();
        let mut reached = vec![place];
        let mut at = 0;
        while let Some(&(state, node)) = reached.get(at) {
            at += 1;
            budget.charge_work(self.dag.edges(node).len() as u64 + 1)?;
            let known = reached.len();
            for &(class, next) in self.dag.edges(node) {
                let to = self.lexer.next(state, class);
                if to != LexState::DEAD && self.met.insert((to, next)) {
                    reached.push((to, next));
                }
            }
            budget.charge_bytes(PLACE_BYTES * (reached.len() - known) as u64)?;
        }
        budget.release_bytes(PLACE_BYTES * (reached.len() - 1) as u64);
        for &(state, node) in &reached[1..] {
            if self.dag.is_end(node) {
                row.steps.push(SpanId(state.0));
            }
            if !self.dag.edges(node).is_empty() && !self.lexer.accepts(state).is_empty() {
                let end = self.raw_end(self.lexer.end_class[state.index()], node);
                row.now.extend(self.lexer.accepts(state).iter().map(|&terminal| (terminal, end)));
            }
        }
        Ok(row)
    }

    /// The raw end within a token.
    fn raw_end(&mut self, end: EndClass, node: DagNode) -> RawEnd {
        let fresh = RawEnd::new(self.ends.len());
        let id = *self.end_ids.entry((end, node)).or_insert(fresh);
        if id == fresh {
            self.ends.push((end, node));
        }
        id
    }
}
