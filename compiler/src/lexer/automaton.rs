//! Explores the states of the lexer: runs under any split, (run, inhibitor) under longest match.
//!
//! Inhibitors. Let a lexeme end in a state with run R and inhibitor I, both of which could have gone on. From then on the text
//! is wrong as soon as one of them accepts, so both together are the *tail* of the next lexeme's start: one run, since
//! nothing but acceptance matters. Reading a symbol steps the tail like any run; if it accepts, the state is dead, and
//! what is left of it is the inhibitor of the state reached. Tails with the same successors are one [`EndClass`].

use super::context::Contexts;
use super::runs::{RunId, Runs};
use super::{IGNORED, Lexer, Rows};
use crate::csr::Csr;
use crate::ids::{ContextId, EndClass, LexState, SymbolClass};
use crate::limits::{Budget, OverBudget, Resource};
use crate::lr::{Action, LrTables};
use gcc_grammar_ir::{Discipline, Grammar, TerminalId};
use rustc_hash::FxHashMap;

/// What identifies a state.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    /// Nothing read yet in this context, after a lexeme that ended with this class.
    Start(ContextId, EndClass),
    /// A run under way and its inhibitor.
    Run(RunId, RunId),
}

/// What a tail does on each class that it does not ignore: accept (`None`) or go on as a run.
type Tail = Vec<(SymbolClass, Option<RunId>)>;

struct Explorer<'a, 'r> {
    runs: &'r mut Runs<'a>,
    discipline: Discipline,
    budget: &'r Budget,
    starts: Vec<RunId>,
    keys: Vec<Key>,
    ids: FxHashMap<Key, LexState>,
    tails: Vec<Tail>,
    tail_ids: FxHashMap<Tail, EndClass>,
    /// (end class, context) -> start state.
    restarts: FxHashMap<(EndClass, ContextId), LexState>,
}

/// A state with everything but the pending sets.
struct Row {
    successors: Vec<(SymbolClass, LexState)>,
    accepts: Vec<TerminalId>,
    end_class: EndClass,
}

/// Explores all states reachable from the start of the text.
pub(super) fn explore(
    grammar: &Grammar,
    tables: &LrTables,
    contexts: &Contexts,
    runs: &mut Runs<'_>,
    budget: &Budget,
) -> Result<Lexer, OverBudget> {
    let after = contexts_after(tables, contexts);
    let every: Vec<ContextId> = (0..contexts.terminals.len()).map(ContextId::new).collect();
    let starts = contexts.terminals.iter().map(|t| runs.start(t)).collect::<Result<_, _>>()?;
    let mut explorer = Explorer {
        runs,
        discipline: grammar.discipline,
        budget,
        starts,
        keys: vec![Key::Run(RunId(0), RunId(0))],
        ids: FxHashMap::from_iter([(Key::Run(RunId(0), RunId(0)), LexState(0))]),
        tails: Vec::new(),
        tail_ids: FxHashMap::default(),
        restarts: FxHashMap::default(),
    };
    let none = explorer.tail(RunId(0))?;
    explorer.restart(none, contexts.of_state[0])?;
    let mut rows = vec![Row { successors: Vec::new(), accepts: Vec::new(), end_class: none }];
    while rows.len() < explorer.keys.len() {
        let row = explorer.expand(explorer.keys[rows.len()])?;
        for &t in &row.accepts {
            let contexts = if t == IGNORED { &every } else { &after[t.index()] };
            for &context in contexts {
                explorer.restart(row.end_class, context)?;
            }
        }
        rows.push(row);
    }
    let under_way: Vec<Vec<TerminalId>> = match grammar.discipline {
        Discipline::AnySplit => explorer.keys.iter().map(|&key| explorer.under_way(key)).collect(),
        Discipline::LongestMatch => completable(&rows, budget)?,
    };
    assemble(&explorer, rows, &under_way, every.len())
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
    fn state(&mut self, key: Key) -> Result<LexState, OverBudget> {
        // Without inhibitors a start is its run, so equal contexts share it with each other and with runs under way.
        let key = match key {
            Key::Start(context, end) if self.tails[end.index()].is_empty() => {
                Key::Run(self.starts[context.index()], RunId(0))
            }
            other => other,
        };
        if let Some(&id) = self.ids.get(&key) {
            return Ok(id);
        }
        let id = LexState::new(self.keys.len());
        self.budget.check(Resource::LexerStates, self.keys.len() + 1, self.budget.limits().lexer_states)?;
        self.budget.charge_bytes(64)?;
        self.keys.push(key);
        self.ids.insert(key, id);
        Ok(id)
    }

    fn restart(&mut self, end: EndClass, context: ContextId) -> Result<(), OverBudget> {
        if !self.restarts.contains_key(&(end, context)) {
            let state = self.state(Key::Start(context, end))?;
            self.restarts.insert((end, context), state);
        }
        Ok(())
    }

    /// The class of a tail.
    fn tail(&mut self, run: RunId) -> Result<EndClass, OverBudget> {
        let successors = self.runs.successors(run)?;
        let tail: Tail =
            successors.into_iter().map(|(c, to)| (c, (!self.runs.accepts(to)).then_some(to))).collect();
        if let Some(&id) = self.tail_ids.get(&tail) {
            return Ok(id);
        }
        self.budget.charge_bytes(tail.len() as u64 * 16 + 64)?;
        let id = EndClass::new(self.tails.len());
        self.tails.push(tail.clone());
        self.tail_ids.insert(tail, id);
        Ok(id)
    }

    fn expand(&mut self, key: Key) -> Result<Row, OverBudget> {
        let (run, inhibitor) = match key {
            Key::Start(context, end) => {
                let tail = self.tails[end.index()].clone();
                return self.row(self.starts[context.index()], &tail, RunId(0));
            }
            Key::Run(run, inhibitor) => (run, inhibitor),
        };
        let tail = match inhibitor {
            RunId(0) => Vec::new(),
            _ => {
                let class = self.tail(inhibitor)?;
                self.tails[class.index()].clone()
            }
        };
        self.row(run, &tail, inhibitor)
    }

    /// The state with this run whose inhibitor's successors are `tail`.
    fn row(&mut self, run: RunId, tail: &Tail, inhibitor: RunId) -> Result<Row, OverBudget> {
        let mut successors = Vec::new();
        let steps = self.runs.successors(run)?;
        self.budget.charge_bytes(steps.len() as u64 * 8)?;
        for (class, to) in steps {
            let inhibited = match tail.binary_search_by_key(&class, |&(c, _)| c) {
                Ok(i) => tail[i].1,
                Err(_) => Some(RunId(0)),
            };
            if let Some(inhibitor) = inhibited {
                successors.push((class, self.state(Key::Run(to, inhibitor))?));
            }
        }
        let accepts = match self.discipline {
            Discipline::AnySplit => self.runs.accepting(run),
            Discipline::LongestMatch => {
                self.runs.winner(run).map(|t| self.runs.or_ignored(t)).into_iter().collect()
            }
        };
        let end_class = if accepts.is_empty() || self.discipline == Discipline::AnySplit {
            EndClass(0)
        } else {
            let both = [self.runs.pairs(run), self.runs.pairs(inhibitor)].concat();
            let both = both.into_iter().filter(|&pair| self.runs.can_go_on(pair)).collect();
            let both = self.runs.intern(both)?;
            self.tail(both)?
        };
        Ok(Row { successors, accepts, end_class })
    }

    fn under_way(&self, key: Key) -> Vec<TerminalId> {
        match key {
            Key::Run(run, _) => self.runs.under_way(run),
            Key::Start(context, _) => self.runs.under_way(self.starts[context.index()]),
        }
    }
}

/// Per state, the terminals that win in some state reachable from it: under longest match a terminal under way may have
/// no way left to win. Least fixpoint, backwards.
fn completable(rows: &[Row], budget: &Budget) -> Result<Vec<Vec<TerminalId>>, OverBudget> {
    let mut predecessors = vec![Vec::new(); rows.len()];
    for (from, row) in rows.iter().enumerate() {
        let mut targets: Vec<LexState> = row.successors.iter().map(|&(_, to)| to).collect();
        targets.sort_unstable();
        targets.dedup();
        targets.iter().for_each(|to| predecessors[to.index()].push(from));
    }
    let mut sets: Vec<Vec<TerminalId>> = vec![Vec::new(); rows.len()];
    let mut open: Vec<(usize, TerminalId)> = Vec::new();
    for (state, row) in rows.iter().enumerate() {
        open.extend(row.accepts.iter().map(|&t| (state, t)));
    }
    while let Some((state, t)) = open.pop() {
        budget.charge_work(1)?;
        if let Err(at) = sets[state].binary_search(&t) {
            budget.charge_bytes(4)?;
            sets[state].insert(at, t);
            open.extend(predecessors[state].iter().map(|&p| (p, t)));
        }
    }
    Ok(sets)
}

/// Lays the states out as tables. States in which nothing can be completed any more become the dead state.
fn assemble(
    explorer: &Explorer<'_, '_>,
    rows: Vec<Row>,
    under_way: &[Vec<TerminalId>],
    contexts: usize,
) -> Result<Lexer, OverBudget> {
    let classes = explorer.runs.class_count();
    let live = |s: LexState| if under_way[s.index()].is_empty() { LexState(0) } else { s };
    explorer.budget.charge_bytes((rows.len() * classes * 4) as u64)?;
    let mut transitions = vec![LexState(0); rows.len() * classes];
    for (state, row) in rows.iter().enumerate() {
        for &(class, to) in &row.successors {
            transitions[state * classes + class.index()] = live(to);
        }
    }
    explorer.budget.charge_bytes((explorer.tails.len() * contexts * 4) as u64)?;
    let mut restarts = vec![LexState(0); explorer.tails.len() * contexts];
    for (&(end, context), &state) in &explorer.restarts {
        restarts[end.index() * contexts + context.index()] = live(state);
    }
    let mut pending_ids: FxHashMap<&[TerminalId], u32> = FxHashMap::default();
    let mut pending_sets = Csr::default();
    let pending = under_way
        .iter()
        .map(|set| {
            *pending_ids.entry(set).or_insert_with(|| {
                pending_sets.push(set.iter().copied());
                pending_sets.rows() as u32 - 1
            })
        })
        .collect();
    Ok(Lexer {
        classes,
        contexts,
        rows: Rows::new(&transitions, classes),
        transitions,
        end_class: rows.iter().map(|r| r.end_class).collect(),
        accepts: rows.into_iter().map(|r| r.accepts).collect(),
        restarts,
        pending,
        pending_sets,
    })
}
