//! Gives the lexemes of a lexer new terminals, and takes ends of lexemes away.
//!
//! In: a [`Lexer`], new terminals by the old terminal and the end class, and new contexts. A new context is an old one
//! with a *filter*: the end classes with which an ignored lexeme of the context must not end. Out: the [`Lexer`] with
//! the new terminals and contexts; it divides a text into lexemes as before. A state of it is a state of the old one
//! with the filter of the context in which the lexeme started; where the filter makes no difference, minimization
//! merges them again.

use super::assemble::assemble;
use super::explore::{Explored, Row, States};
use super::minimize::minimize;
use super::tables::{IGNORED, Lexer};
use crate::ids::{ContextId, EndClass, LexState, SymbolClass};
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::{Budget, OverBudget, Resource};
use rustc_hash::FxHashMap;

/// The number of a filter.
pub(crate) type FilterId = usize;

/// What changes.
pub(crate) struct Relabeling<'a, T> {
    /// The new terminal of a lexeme; `None` if the lexeme must not end so.
    pub(crate) terminal: T,
    /// Per new context: the old one, and the filter.
    pub(crate) contexts: &'a [(ContextId, FilterId)],
    /// The end classes with which an ignored lexeme must not end, sorted.
    pub(crate) filters: &'a [Vec<EndClass>],
    /// Per new terminal: the new contexts that it may lead to.
    pub(crate) after: &'a [Vec<ContextId>],
    /// The new context at the start of the text.
    pub(crate) start: ContextId,
    /// Number of classes of bytes and tokens.
    pub(crate) read_classes: usize,
}

/// Estimated bytes of a state.
const BYTES_PER_STATE: u64 = 96;

/// Relabels a lexer.
pub(crate) fn relabel<T: Fn(TerminalId, EndClass) -> Option<TerminalId>>(
    lexer: &Lexer,
    relabeling: &Relabeling<'_, T>,
    budget: &Budget,
) -> Result<Lexer, OverBudget> {
    let dead = (LexState::DEAD, 0);
    let ids = FxHashMap::from_iter([(dead, LexState::DEAD)]);
    let mut product =
        Product { lexer, relabeling, keys: vec![dead], ids, restarts: FxHashMap::default(), budget };
    product.restart(EndClass(0), relabeling.start)?;
    let mut states = States::default();
    states.push(Row { successors: Vec::new(), accepts: Vec::new(), end_class: EndClass(0) });
    while let Some(&key) = product.keys.get(states.len()) {
        states.push(product.expand(key)?);
    }
    let explored = Explored {
        classes: lexer.classes,
        read_classes: relabeling.read_classes,
        contexts: relabeling.contexts.len(),
        end_classes: lexer.restarts.len() / lexer.contexts,
        states,
        members: None,
        contested: None,
        restarts: product.restarts,
    };
    minimize(&assemble(explored, budget)?, budget)
}

/// The states so far: states of the old lexer with filters.
struct Product<'a, T> {
    lexer: &'a Lexer,
    relabeling: &'a Relabeling<'a, T>,
    keys: Vec<(LexState, FilterId)>,
    ids: FxHashMap<(LexState, FilterId), LexState>,
    restarts: FxHashMap<(EndClass, ContextId), LexState>,
    budget: &'a Budget,
}

impl<T: Fn(TerminalId, EndClass) -> Option<TerminalId>> Product<'_, T> {
    fn state(&mut self, state: LexState, filter: FilterId) -> Result<LexState, OverBudget> {
        if state == LexState::DEAD {
            return Ok(LexState::DEAD);
        }
        if let Some(&known) = self.ids.get(&(state, filter)) {
            return Ok(known);
        }
        let id = LexState::new(self.keys.len());
        self.budget.check(Resource::LexerStates, self.keys.len() + 1, self.budget.limits().lexer_states)?;
        self.budget.charge_bytes(BYTES_PER_STATE)?;
        self.keys.push((state, filter));
        self.ids.insert((state, filter), id);
        Ok(id)
    }

    /// Makes sure that the start of a lexeme in `context` after `end` has a state.
    fn restart(&mut self, end: EndClass, context: ContextId) -> Result<(), OverBudget> {
        if !self.restarts.contains_key(&(end, context)) {
            let (old, filter) = self.relabeling.contexts[context.index()];
            let state = self.state(self.lexer.restart(end, old), filter)?;
            self.restarts.insert((end, context), state);
        }
        Ok(())
    }

    fn expand(&mut self, (old, filter): (LexState, FilterId)) -> Result<Row, OverBudget> {
        let end_class = self.lexer.end_class[old.index()];
        let is_left_out = self.relabeling.filters[filter].binary_search(&end_class).is_ok();
        let new = |&terminal: &TerminalId| match terminal {
            IGNORED => (!is_left_out).then_some(IGNORED),
            terminal => (self.relabeling.terminal)(terminal, end_class),
        };
        let mut accepts: Vec<TerminalId> = self.lexer.accepts(old).iter().filter_map(new).collect();
        accepts.sort_unstable();
        let relabeling = self.relabeling;
        for &terminal in &accepts {
            match terminal {
                IGNORED => {
                    let same = |context: &usize| relabeling.contexts[*context].1 == filter;
                    for context in (0..relabeling.contexts.len()).filter(same) {
                        self.restart(end_class, ContextId::new(context))?;
                    }
                }
                terminal => {
                    for &context in &relabeling.after[terminal.index()] {
                        self.restart(end_class, context)?;
                    }
                }
            }
        }
        let lexer = self.lexer;
        self.budget.charge_work(lexer.classes as u64)?;
        let mut successors = Vec::new();
        for (class, &to) in lexer.row(old).iter().enumerate() {
            if to != LexState::DEAD {
                successors.push((SymbolClass::new(class), self.state(to, filter)?));
            }
        }
        self.budget.charge_bytes(successors.len() as u64 * 8)?;
        Ok(Row { successors, accepts, end_class })
    }
}
