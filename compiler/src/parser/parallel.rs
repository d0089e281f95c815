//! Builds the automaton, in two parts at the same time if it is large.
//!
//! In: the [`Sources`]. Out: the automaton before minimization. A part is built for a [`Share`] of the lexer
//! states, with memo tables and sets of its own; then the parts are merged, state by state. Whether there are
//! two parts depends on the grammar alone and never on the machine, so the result does not depend on the
//! machine either. If no thread can be started, the parts are built one after the other.

use super::composer::Composer;
use super::determinize::{Determinized, determinize};
use super::dwa::{FullDwa, Row, Transition};
use super::item_set::Item;
use super::lexeme_starts::LexemeStarts;
use super::share::Share;
use super::sources::Sources;
use crate::join::join;
use crate::sets::{Foreign, Sets};
use crate::terminal::{ForeignArcs, KeptWalks, Lexemes, Paths};
use gcc_grammar_limits::{Budget, OverBudget};

/// The automaton before minimization.
pub(super) struct Raw {
    pub(super) dwa: FullDwa,
    /// Number of nodes and of arcs of the Terminal DWA, over all parts.
    pub(super) terminal_size: (usize, usize),
    /// Number of distinct sets of tokens on its arcs, over all parts.
    pub(super) token_sets: usize,
    /// The sequences of terminals of tokens, per part.
    pub(super) paths: Vec<Paths>,
    pub(super) walks: KeptWalks,
}

/// A part that was built with sets and arcs of its own.
struct Other {
    /// Per state: its items and its transitions.
    states: Vec<(Box<[Item]>, Row)>,
    rows: Vec<Row>,
    starts: Vec<Option<usize>>,
    terminal_size: (usize, usize),
    token_sets: usize,
    paths: Paths,
    arcs: ForeignArcs,
    sets: Foreign,
}

/// Builds the automaton for all lexer states.
///
/// # Errors
/// The budget is spent.
pub(super) fn build(
    sources: Sources<'_>,
    starts: &LexemeStarts,
    sets: &mut Sets,
    walks: KeptWalks,
    budget: &Budget,
) -> Result<Raw, OverBudget> {
    let own_sets = std::mem::replace(sets, Sets::new(budget.clone()));
    let mut composer = Composer::new(sources, Lexemes::Whole(sources.lexer), own_sets, walks, budget.clone());
    if sources.lexer.states() * sources.tables.states() < sources.two_parts_from {
        let dwa = determinize(&mut composer, sources.lexer, starts, Share::WHOLE, budget)?.into_dwa();
        let paths = vec![composer.terminal.paths()?];
        let terminal = composer.terminal;
        *sets = composer.sets;
        let (terminal_size, token_sets) = (terminal.size(), terminal.token_sets());
        return Ok(Raw { dwa, terminal_size, token_sets, paths, walks: terminal.into_walks() });
    }
    let half = &budget.split();
    let [own, others] = Share::HALVES;
    let build_half = || build_other(sources, starts, others, half);
    let (first, second) = join(|| determinize(&mut composer, sources.lexer, starts, own, budget), build_half);
    let second = second.unwrap_or_else(build_half);
    let (mut first, mut second) = (first?, second?);
    budget.rejoin(half);
    let [one, two] = [composer.terminal.size(), second.terminal_size];
    let token_sets = composer.terminal.token_sets() + second.token_sets;
    let paths = vec![composer.terminal.paths()?, std::mem::take(&mut second.paths)];
    append(&mut first, second, &mut composer, budget)?;
    let walks = composer.terminal.into_walks();
    *sets = composer.sets;
    let terminal_size = (one.0 + two.0, one.1 + two.1);
    Ok(Raw { dwa: first.into_dwa(), terminal_size, token_sets, paths, walks })
}

/// Builds the part for `share` with its own budget.
fn build_other(
    sources: Sources<'_>,
    starts: &LexemeStarts,
    share: Share,
    budget: &Budget,
) -> Result<Other, OverBudget> {
    let sets = Sets::new(budget.stage("sets"));
    let mut composer = Composer::new(
        sources,
        Lexemes::Whole(sources.lexer),
        sets,
        KeptWalks::new(budget.clone()),
        budget.clone(),
    );
    let Determinized { states, rows, starts } =
        determinize(&mut composer, sources.lexer, starts, share, budget)?;
    let Composer { outcomes, terminal, sets, .. } = composer;
    let items = |set| outcomes.items(set).as_ref().into();
    Ok(Other {
        states: states.all.into_iter().map(|(set, row)| (items(set), row)).collect(),
        rows,
        starts,
        terminal_size: terminal.size(),
        token_sets: terminal.token_sets(),
        paths: terminal.paths()?,
        arcs: terminal.into_foreign(),
        sets: sets.into_foreign(),
    })
}

/// Adds the other part to the part that `composer` built. States with the same items become a single state
/// with the transitions of both, because a transition depends on the items and the symbol alone.
fn append(
    own: &mut Determinized,
    other: Other,
    composer: &mut Composer<'_>,
    budget: &Budget,
) -> Result<(), OverBudget> {
    let Other { states, rows, starts, mut arcs, mut sets, .. } = other;
    let mut here = Vec::with_capacity(states.len());
    for (items, _) in &states {
        let adopt = |item: &Item| {
            let arc = composer.terminal.adopt(&mut composer.sets, &mut arcs, &mut sets, item.arc)?;
            Ok(Item { arc, ..*item })
        };
        let mut items: Vec<Item> = items.iter().map(adopt).collect::<Result<_, OverBudget>>()?;
        items.sort_unstable();
        here.push(own.states.with(composer.outcomes.set(&items)?, budget)?);
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
