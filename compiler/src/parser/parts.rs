//! The automaton in two parts, built at the same time.
//!
//! A part is built for some of the lexer states, with its own memo tables and sets. Then they are put together, state by state. Whether
//! there are two parts depends on the grammar alone, never on the machine, so the result does not either: where no thread can be
//! had, they are built one after the other.

use super::Sources;
use super::compose::Composer;
use super::determinize::{Determinized, FullDwa, Row, Transition, determinize};
use super::origins::Origins;
use super::outcome::Item;
use crate::ids::LexState;
use crate::limits::{Apart, Budget, OverBudget};
use crate::sets::{Foreign, Sets};
use crate::terminal::ForeignArcs;
use std::thread;

/// Stack of the second thread: a token has at most 1,024 lexemes, and each is a level of recursion.
const STACK_BYTES: usize = 16 << 20;

/// Which lexer states are meant: those whose number leaves this remainder.
#[derive(Clone, Copy)]
pub(super) struct Part {
    modulus: u32,
    remainder: u32,
}

impl Part {
    pub(super) fn has(self, state: LexState) -> bool {
        state.0 % self.modulus == self.remainder
    }
}

/// The automaton before minimization.
pub(super) struct Raw {
    pub(super) dwa: FullDwa,
    /// Nodes and arcs of the Terminal DWA; of all parts together.
    pub(super) terminal_size: (usize, usize),
}

/// A part that was built apart. Its ids mean nothing elsewhere.
struct Other {
    /// Per state: its items, and its transitions.
    states: Vec<(Box<[Item]>, Row)>,
    rows: Vec<Row>,
    starts: Vec<Option<usize>>,
    terminal_size: (usize, usize),
    arcs: ForeignArcs,
    sets: Foreign,
    /// What it did not spend.
    rest: Apart,
}

/// Builds all parts and puts them together.
pub(super) fn build(
    sources: Sources<'_>,
    origins: &Origins,
    sets: &mut Sets,
    budget: &Budget,
) -> Result<Raw, OverBudget> {
    let mut composer = Composer::new(sources, sets, budget.clone());
    if sources.lexer.states() * sources.tables.states() < sources.two_parts_from {
        let whole = Part { modulus: 1, remainder: 0 };
        let dwa = determinize(&mut composer, sources.lexer, origins, whole, budget)?.into_dwa();
        return Ok(Raw { dwa, terminal_size: composer.terminal.size() });
    }
    let apart = budget.apart();
    let one = Part { modulus: 2, remainder: 1 };
    let (first, second) = thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(STACK_BYTES);
        let thread = builder.spawn_scoped(scope, move || build_other(sources, origins, one, apart));
        let zero = Part { remainder: 0, ..one };
        let first = determinize(&mut composer, sources.lexer, origins, zero, budget);
        let second = match thread {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => build_other(sources, origins, one, apart),
        };
        (first, second)
    });
    let (mut first, second) = (first?, second?);
    budget.rejoin(second.rest);
    let [one, two] = [composer.terminal.size(), second.terminal_size];
    append(&mut first, second, &mut composer, budget)?;
    Ok(Raw { dwa: first.into_dwa(), terminal_size: (one.0 + two.0, one.1 + two.1) })
}

fn build_other(
    sources: Sources<'_>,
    origins: &Origins,
    part: Part,
    apart: Apart,
) -> Result<Other, OverBudget> {
    let budget = apart.budget();
    let mut sets = Sets::new(budget.stage("sets"));
    let mut composer = Composer::new(sources, &mut sets, budget.clone());
    let Determinized { states, rows, starts } =
        determinize(&mut composer, sources.lexer, origins, part, &budget)?;
    let Composer { outcomes, terminal, .. } = composer;
    let items = |list| outcomes.items(list).as_ref().into();
    Ok(Other {
        states: states.all.into_iter().map(|(list, row)| (items(list), row)).collect(),
        rows,
        starts,
        terminal_size: terminal.size(),
        arcs: terminal.into_foreign(),
        sets: sets.into_foreign(),
        rest: apart.rest(&budget),
    })
}

/// Adds the other part to what `composer` has built. States with the same items are one, which has the transitions of both: what a symbol
/// does to items depends on nothing else.
fn append(
    own: &mut Determinized,
    other: Other,
    composer: &mut Composer<'_, '_>,
    budget: &Budget,
) -> Result<(), OverBudget> {
    let Other { states, rows, starts, mut arcs, mut sets, .. } = other;
    let mut here = Vec::with_capacity(states.len());
    for (items, _) in &states {
        let adopt = |item: &Item| {
            let arc = composer.terminal.adopt(composer.sets, &mut arcs, &mut sets, item.arc)?;
            Ok(Item { arc, ..*item })
        };
        let mut items: Vec<Item> = items.iter().map(adopt).collect::<Result<_, OverBudget>>()?;
        items.sort_unstable();
        here.push(own.states.of(composer.outcomes.list(&items)?, budget)?);
    }
    let mut adopt = |row: Row| -> Result<Row, OverBudget> {
        let adopt = |(symbol, Transition { output, target })| {
            let output = composer.sets.adopt(&mut sets, output)?;
            Ok((symbol, Transition { output, target: here[target.index()] }))
        };
        row.into_iter().map(adopt).collect()
    };
    for (&state, (_, row)) in here.iter().zip(states) {
        let all = &mut own.states.all[state.index()].1;
        all.append(&mut adopt(row)?);
        all.sort_by_key(|&(symbol, _)| symbol);
        all.dedup_by_key(|&mut (symbol, _)| symbol);
    }
    let first = own.rows.len();
    own.rows.extend(rows.into_iter().map(adopt).collect::<Result<Vec<_>, _>>()?);
    for (own, start) in own.starts.iter_mut().zip(starts) {
        *own = own.or(start.map(|row| first + row));
    }
    Ok(())
}
