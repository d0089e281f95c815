//! The automaton in two parts, built at the same time.
//!
//! A part is built for some of the lexer states, with its own memo tables and sets; minimization then merges what is alike in
//! both. Whether there are two parts depends on the grammar alone, never on the machine, so the result does not either: where no
//! thread can be had, they are built one after the other.

use super::Sources;
use super::compose::Composer;
use super::determinize::{Dwa, Transition, determinize};
use super::origins::Origins;
use crate::ids::{DwaState, LexState};
use crate::limits::{Apart, Budget, OverBudget};
use crate::sets::{Foreign, Sets};
use crate::terminal::TerminalDwa;
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
    pub(super) dwa: Dwa,
    pub(super) terminal_size: (usize, usize),
}

/// A part that was built apart.
struct Other {
    raw: Raw,
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
    if sources.lexer.states() * sources.tables.states() < sources.two_parts_from {
        return build_part(sources, origins, Part { modulus: 1, remainder: 0 }, sets, budget);
    }
    let apart = budget.apart();
    let one = Part { modulus: 2, remainder: 1 };
    let (first, second) = thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(STACK_BYTES);
        let thread = builder.spawn_scoped(scope, move || build_other(sources, origins, one, apart));
        let first = build_part(sources, origins, Part { remainder: 0, ..one }, sets, budget);
        let second = match thread {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => build_other(sources, origins, one, apart),
        };
        (first, second)
    });
    let (mut first, second) = (first?, second?);
    budget.rejoin(second.rest);
    append(&mut first, second, sets)?;
    Ok(first)
}

fn build_part(
    sources: Sources<'_>,
    origins: &Origins,
    part: Part,
    sets: &mut Sets,
    budget: &Budget,
) -> Result<Raw, OverBudget> {
    let Sources { lexer, tokens, walks, .. } = sources;
    let terminal = TerminalDwa::new(lexer, tokens, walks, budget);
    let mut composer = Composer::new(sources, terminal, sets, budget.clone());
    let dwa = determinize(&mut composer, lexer, origins, part, budget)?;
    Ok(Raw { dwa, terminal_size: composer.terminal.size() })
}

fn build_other(
    sources: Sources<'_>,
    origins: &Origins,
    part: Part,
    apart: Apart,
) -> Result<Other, OverBudget> {
    let budget = apart.budget();
    let mut sets = Sets::new(budget.stage("sets"));
    let raw = build_part(sources, origins, part, &mut sets, &budget)?;
    Ok(Other { raw, sets: sets.into_foreign(), rest: apart.rest(&budget) })
}

/// Adds the states of the other part, with its sets under their ids here. The final state is the same.
fn append(raw: &mut Raw, other: Other, sets: &mut Sets) -> Result<(), OverBudget> {
    let shift = raw.dwa.states() as u32 - 1;
    let here = |state: DwaState| if state == DwaState(0) { state } else { DwaState(state.0 + shift) };
    let Other { raw: other, sets: mut foreign, .. } = other;
    let mut map = |Transition { output, target }: Transition| -> Result<Transition, OverBudget> {
        Ok(Transition { output: sets.adopt(&mut foreign, output)?, target: here(target) })
    };
    let Dwa { default, exceptions, start } = other.dwa;
    for (default, row) in default.into_iter().zip(exceptions).skip(1) {
        raw.dwa.default.push(default.map(&mut map).transpose()?);
        let row = row.into_iter().map(|(symbol, transition)| Ok((symbol, map(transition)?)));
        raw.dwa.exceptions.push(row.collect::<Result<_, OverBudget>>()?);
    }
    for (own, start) in raw.dwa.start.iter_mut().zip(start) {
        if start != DwaState(0) {
            *own = here(start);
        }
    }
    let (nodes, arcs) = other.terminal_size;
    raw.terminal_size.0 += nodes;
    raw.terminal_size.1 += arcs;
    Ok(())
}
