//! Explores the states of the lexer: subsets under any split, (subset, longest-match constraint) under
//! longest match. Where terminals of an embedded language compete in a grammar under any split, the longest match decides as long as
//! one of them is possible.
//!
//! In: the subset construction over all terminals, and the contexts. Out: every state that is reachable from
//! the start of the text, with its transitions, and the states in which lexemes start.
//!
//! Let a lexeme end in a state with subset S and constraint C, either of which could have been continued.
//! From then on the text is wrong as soon as S or C accepts, so their union is the constraint on the next
//! lexeme: only acceptance matters. Reading a symbol takes a step in the constraint, too. If the constraint
//! accepts, the state is dead; else the remaining constraint becomes part of the state that is reached.
//! Constraints with the same transitions are one [`EndClass`], if the text that was read is the same for the [`History`].

use super::behind::Behind;
use super::context::Contexts;
use super::history::History;
use super::subsets::{Pair, SubsetId, Subsets};
use super::tables::{IGNORED, Member};
use crate::csr::Csr;
use crate::ids::{ContextId, EndClass, LexState, SymbolClass};
use crate::lr::{Action, LrTables};
use gcc_grammar_ir::{Grammar, TerminalId};
use gcc_grammar_limits::{Budget, OverBudget, Resource};
use rustc_hash::{FxHashMap, FxHashSet};

/// The identity of a lexer state.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    /// Start of a lexeme in this context, under the constraint of this class.
    Start(ContextId, EndClass),
    /// Within a lexeme: its subset, the longest-match constraint, and the state of the [`History`].
    Within(SubsetId, SubsetId, u32),
}

impl Key {
    const DEAD: Self = Self::Within(SubsetId::EMPTY, SubsetId::EMPTY, 0);
}

/// Estimated bytes of a state: its key, in a list and a hash table, and its row.
const BYTES_PER_STATE: u64 = 144;

/// The transitions of a longest-match constraint: per class on which it does not vanish, `None` if it
/// accepts, else the constraint that is left. The symbols of limits are not among them.
type Constraint = Vec<(SymbolClass, Option<SubsetId>)>;

/// All that matters of the text before a lexeme: the longest-match constraint, and the state of the [`History`].
type Before = (Constraint, u32);

/// Explores lexer states, and numbers them in the order of discovery.
struct Explorer<'a, 'r> {
    subsets: &'r mut Subsets<'a>,
    /// Whether no terminal competes for the longest match.
    is_any_split: bool,
    budget: &'r Budget,
    contexts: &'r Contexts,
    history: &'r History,
    behind: Behind,
    /// Per context and state of the history: the subset at the start of a lexeme.
    starts: FxHashMap<(ContextId, u32), SubsetId>,
    keys: Vec<Key>,
    ids: FxHashMap<Key, LexState>,
    /// Per end class.
    before: Vec<Before>,
    end_classes: FxHashMap<Before, EndClass>,
    /// (end class, context) -> start state.
    restarts: FxHashMap<(EndClass, ContextId), LexState>,
    /// Two terminals that match the same text, where what follows it decides which of them it is.
    contested: Option<(TerminalId, TerminalId)>,
    /// Per end class that was asked for: whether some text may follow.
    possible: FxHashMap<EndClass, bool>,
}

/// A state, without its pending terminals.
pub(super) struct Row {
    pub(super) successors: Vec<(SymbolClass, LexState)>,
    pub(super) accepts: Vec<TerminalId>,
    pub(super) end_class: EndClass,
}

/// The rows of many states.
#[derive(Default)]
pub(super) struct States {
    pub(super) successors: Csr<(SymbolClass, LexState)>,
    pub(super) accepts: Csr<TerminalId>,
    pub(super) end_class: Vec<EndClass>,
}

impl States {
    pub(super) fn len(&self) -> usize {
        self.end_class.len()
    }

    pub(super) fn push(&mut self, row: Row) {
        self.successors.push(row.successors);
        self.accepts.push(row.accepts);
        self.end_class.push(row.end_class);
    }
}

/// All states of the lexer that are reachable.
pub(super) struct Explored {
    pub(super) classes: usize,
    /// Number of classes of bytes and tokens. The symbols of limits come behind them.
    pub(super) read_classes: usize,
    pub(super) contexts: usize,
    pub(super) end_classes: usize,
    pub(super) states: States,
    /// Per state: the terminals of its subset, sorted, ignored terminals last. Only where each of them continues by
    /// itself, and so can be completed.
    pub(super) members: Option<Csr<Member>>,
    /// (end class, context) -> start state.
    pub(super) restarts: FxHashMap<(EndClass, ContextId), LexState>,
    pub(super) contested: Option<(TerminalId, TerminalId)>,
}

/// Explores all states that are reachable from the start of the text.
pub(super) fn explore(
    grammar: &Grammar,
    tables: &LrTables,
    contexts: &Contexts,
    subsets: &mut Subsets<'_>,
    history: &History,
    budget: &Budget,
) -> Result<Explored, OverBudget> {
    let after = contexts_after(tables, contexts);
    let every: Vec<ContextId> = (0..contexts.terminals.len()).map(ContextId::new).collect();
    let behind = Behind::new(grammar, tables, subsets, budget)?;
    let mut explorer = Explorer {
        subsets,
        is_any_split: grammar.is_any_split(),
        budget,
        contexts,
        history,
        behind,
        starts: FxHashMap::default(),
        keys: vec![Key::DEAD],
        ids: FxHashMap::from_iter([(Key::DEAD, LexState(0))]),
        before: Vec::new(),
        end_classes: FxHashMap::default(),
        restarts: FxHashMap::default(),
        contested: None,
        possible: FxHashMap::default(),
    };
    let none = explorer.end_class(SubsetId::EMPTY, 0, &[IGNORED])?;
    explorer.restart(none, contexts.of_state[0])?;
    let mut states = States::default();
    states.push(Row { successors: Vec::new(), accepts: Vec::new(), end_class: none });
    while states.len() < explorer.keys.len() {
        let row = explorer.expand(explorer.keys[states.len()])?;
        for &t in &row.accepts {
            let contexts = if t == IGNORED { &every } else { &after[t.index()] };
            for &context in contexts {
                explorer.restart(row.end_class, context)?;
            }
        }
        states.push(row);
    }
    let members =
        grammar.is_any_split().then(|| explorer.keys.iter().map(|&key| explorer.members_of(key)).collect());
    Ok(Explored {
        classes: explorer.subsets.class_count(),
        read_classes: explorer.subsets.read_classes(),
        contexts: every.len(),
        end_classes: explorer.before.len(),
        states,
        members,
        restarts: explorer.restarts,
        contested: explorer.contested,
    })
}

/// Per terminal: the contexts of the LR states that shifting it can lead to.
fn contexts_after(tables: &LrTables, contexts: &Contexts) -> Vec<Vec<ContextId>> {
    let mut after = vec![Vec::new(); tables.terminals];
    for &(t, action) in tables.actions.items() {
        if let Action::Shift(state) = action {
            after[t.index()].push(contexts.of(state));
        }
    }
    for list in &mut after {
        list.sort_unstable();
        list.dedup();
    }
    after
}

impl Explorer<'_, '_> {
    /// The state with this key.
    fn state(&mut self, key: Key) -> Result<LexState, OverBudget> {
        // Without a constraint the start is the subset alone, so that states are shared between contexts.
        let key = match key {
            Key::Start(context, end) if self.before[end.index()].0.is_empty() => {
                let history = self.before[end.index()].1;
                Key::Within(self.start(context, history)?, SubsetId::EMPTY, history)
            }
            other => other,
        };
        if let Some(&id) = self.ids.get(&key) {
            return Ok(id);
        }
        let id = LexState::new(self.keys.len());
        self.budget.check(Resource::LexerStates, self.keys.len() + 1, self.budget.limits().lexer_states)?;
        self.budget.charge_bytes(BYTES_PER_STATE)?;
        self.keys.push(key);
        self.ids.insert(key, id);
        Ok(id)
    }

    /// The subset at the start of a lexeme.
    fn start(&mut self, context: ContextId, history: u32) -> Result<SubsetId, OverBudget> {
        if let Some(&known) = self.starts.get(&(context, history)) {
            return Ok(known);
        }
        let allowed = self.history.allowed(history, &self.contexts.terminals[context.index()]);
        let start = self.subsets.start(&allowed)?;
        self.starts.insert((context, history), start);
        Ok(start)
    }

    /// Makes sure that the start of a lexeme in `context` after `end` has a state.
    fn restart(&mut self, end: EndClass, context: ContextId) -> Result<(), OverBudget> {
        if !self.restarts.contains_key(&(end, context)) {
            let state = self.state(Key::Start(context, end))?;
            self.restarts.insert((end, context), state);
        }
        Ok(())
    }

    /// The class of a lexeme of one of these terminals that ended with a text of this `history` and could have become `subset` had it continued.
    fn end_class(
        &mut self,
        subset: SubsetId,
        history: u32,
        accepts: &[TerminalId],
    ) -> Result<EndClass, OverBudget> {
        let successors = self.subsets.successors(subset)?;
        let read = successors.into_iter().filter(|&(class, _)| !self.subsets.is_limit(class));
        let goes_on = |c, to| !self.subsets.accepts(to) && self.behind.goes_on(accepts, c);
        let constraint: Constraint = read.map(|(c, to)| (c, goes_on(c, to).then_some(to))).collect();
        let before = (constraint, history);
        if let Some(&id) = self.end_classes.get(&before) {
            return Ok(id);
        }
        self.budget.charge_bytes(before.0.len() as u64 * 16 + 64)?;
        let id = EndClass::new(self.before.len());
        self.before.push(before.clone());
        self.end_classes.insert(before, id);
        Ok(id)
    }

    /// The row of the state with this key.
    fn expand(&mut self, key: Key) -> Result<Row, OverBudget> {
        let (subset, constraint, history) = match key {
            Key::Start(context, end) => {
                let (constraint, history) = self.before[end.index()].clone();
                let start = self.start(context, history)?;
                return self.row(start, &constraint, None, history);
            }
            Key::Within(subset, constraint, history) => (subset, constraint, history),
        };
        let transitions = match constraint {
            SubsetId::EMPTY => Vec::new(),
            _ => {
                let class = self.end_class(constraint, 0, &[IGNORED])?;
                self.before[class.index()].0.clone()
            }
        };
        self.row(subset, &transitions, Some(constraint), history)
    }

    /// The row of the state with this subset and `constraint`, whose transitions are `transitions`. Without one, a lexeme starts here, so that no
    /// limit can end it.
    fn row(
        &mut self,
        subset: SubsetId,
        transitions: &Constraint,
        constraint: Option<SubsetId>,
        history: u32,
    ) -> Result<Row, OverBudget> {
        let steps = self.subsets.successors(subset)?;
        self.budget.charge_bytes(steps.len() as u64 * 8)?;
        let mut successors: Vec<(SymbolClass, LexState)> = Vec::with_capacity(steps.len());
        let mut last = (Key::DEAD, LexState::DEAD);
        for (class, to) in steps {
            let constrained = match transitions.binary_search_by_key(&class, |&(c, _)| c) {
                _ if self.subsets.is_limit(class) => constraint,
                Ok(i) => transitions[i].1,
                Err(_) => Some(SubsetId::EMPTY),
            };
            if let Some(constraint) = constrained {
                let key = Key::Within(to, constraint, self.history.next(history, class));
                // Neighbouring classes often have the same successor.
                if key != last.0 {
                    last = (key, self.state(key)?);
                }
                successors.push((class, last.1));
            }
        }
        let constraint = constraint.unwrap_or(SubsetId::EMPTY);
        if self.subsets.depends_on_what_follows(subset) {
            let (accepts, end_class) = self.ends_by_what_follows(subset, constraint, history)?;
            return Ok(Row { successors, accepts, end_class });
        }
        let accepts = match self.subsets.has_competition(subset) {
            false => {
                self.budget.charge_bytes(self.subsets.pairs(subset).len() as u64 * 4 + 24)?;
                self.subsets.accepting(subset)
            }
            true => self.subsets.winners(subset),
        };
        let end_class = if accepts.is_empty() || self.is_any_split {
            EndClass(0)
        } else {
            let both = self.could_become(subset, constraint);
            let both = self.subsets.intern(both)?;
            self.end_class(both, history, &accepts)?
        };
        Ok(Row { successors, accepts, end_class })
    }

    /// Everything that a lexeme that ends here, and the lexemes before it, could still become.
    fn could_become(&self, subset: SubsetId, constraint: SubsetId) -> Vec<Pair> {
        let own = self.subsets.pairs(subset).iter().copied().filter(|&(t, _)| self.subsets.competes(t));
        let own = own.map(|pair| self.subsets.watched(pair));
        let both = own.chain(self.subsets.pairs(constraint).iter().copied());
        both.filter(|&pair| self.subsets.can_continue(pair)).collect()
    }

    /// The terminals that a lexeme may be that ends here, and its class, where it matters what follows.
    fn ends_by_what_follows(
        &mut self,
        subset: SubsetId,
        constraint: SubsetId,
        history: u32,
    ) -> Result<(Vec<TerminalId>, EndClass), OverBudget> {
        let others = self.could_become(subset, constraint);
        let mut ends = self.winners_by_what_follows(subset, others.clone(), history)?;
        if let Some(&(second, _)) = ends.iter().find(|(t, _)| *t != ends[0].0) {
            self.contested.get_or_insert((ends[0].0, second));
        }
        for pair in self.subsets.not_competing(subset) {
            let missing = self.subsets.follows(pair).map(|(missing, _)| missing);
            ends.extend(self.end_of(pair, &others, missing, history)?);
        }
        let Some(&(first, class)) = ends.first() else { return Ok((Vec::new(), EndClass(0))) };
        // A state has one class for all lexemes that end in it.
        if let Some(&(second, _)) = ends.iter().find(|&&(_, other)| other != class) {
            self.contested.get_or_insert((first, second));
        }
        let mut accepts: Vec<TerminalId> = ends.into_iter().map(|(t, _)| t).collect();
        accepts.sort_unstable();
        accepts.dedup();
        Ok((accepts, class))
    }

    /// The terminals that may win here, each with the class of its lexeme. They are tried in the order of precedence: each wins if the right text
    /// follows, and is missing behind those before it.
    fn winners_by_what_follows(
        &mut self,
        subset: SubsetId,
        mut others: Vec<Pair>,
        history: u32,
    ) -> Result<Vec<(TerminalId, EndClass)>, OverBudget> {
        let mut ends = Vec::new();
        for pair in self.subsets.competing_by_precedence(subset) {
            let follows = self.subsets.follows(pair);
            ends.extend(self.end_of(pair, &others, follows.map(|(missing, _)| missing), history)?);
            let Some((_, found)) = follows else { break };
            others.push(found);
        }
        Ok(ends)
    }

    /// The terminal of a pair and the class of its lexeme, which none of `others` and `missing` may be read behind. None if nothing may follow it.
    fn end_of(
        &mut self,
        (t, _): Pair,
        others: &[Pair],
        missing: Option<Pair>,
        history: u32,
    ) -> Result<Option<(TerminalId, EndClass)>, OverBudget> {
        let watched = self.subsets.intern(others.iter().copied().chain(missing).collect())?;
        let class = self.end_class(watched, history, &[self.subsets.or_ignored(t)])?;
        Ok(self.is_possible(class)?.then_some((self.subsets.or_ignored(t), class)))
    }

    /// Whether some text may follow a lexeme of this class: one on which the constraint vanishes.
    fn is_possible(&mut self, class: EndClass) -> Result<bool, OverBudget> {
        if let Some(&known) = self.possible.get(&class) {
            return Ok(known);
        }
        let mut seen = FxHashSet::from_iter([class]);
        let mut open = vec![class];
        let mut is_possible = false;
        while let Some(next) = open.pop() {
            let constraint = self.before[next.index()].0.clone();
            self.budget.charge_work(constraint.len() as u64 + 1)?;
            if constraint.len() < self.subsets.read_classes() {
                is_possible = true;
                break;
            }
            for subset in constraint.into_iter().filter_map(|(_, left)| left) {
                let left = self.end_class(subset, 0, &[IGNORED])?;
                if seen.insert(left) {
                    open.push(left);
                }
            }
        }
        self.possible.insert(class, is_possible);
        Ok(is_possible)
    }

    fn members_of(&self, key: Key) -> Vec<Member> {
        match key {
            Key::Within(subset, ..) => self.subsets.members(subset),
            Key::Start(context, _) => {
                self.starts.get(&(context, 0)).map_or_else(Vec::new, |&start| self.subsets.members(start))
            }
        }
    }
}
