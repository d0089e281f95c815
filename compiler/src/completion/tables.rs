//! Lays the costs out as the tables of the artifact.

use super::boundaries::Boundaries;
use super::classes::{ClassId, Classes, NEVER};
use super::lexemes::{Ending, Lexemes};
use super::summaries::Summaries;
use crate::automata::Decoding;
use crate::ids::{LexState, LrState};
use gcc_grammar_artifact::grammar::CompletionTables;
use rustc_hash::FxHashMap;

/// The tables.
pub(super) fn tables(
    decoding: &Decoding<'_>,
    lexemes: &Lexemes,
    boundaries: &Boundaries<'_>,
    summaries: &Summaries<'_>,
    classes: &Classes<'_>,
) -> CompletionTables {
    let mut tables =
        CompletionTables { ends: boundaries.ends() as u32, max_loss: NEVER, ..CompletionTables::default() };
    add_lexemes(decoding, lexemes, boundaries, &mut tables);
    add_classes(decoding, boundaries, summaries, classes, &mut tables);
    tables
}

/// The rows of lexer states; states with equal costs share a row. A state in which lexemes only start is passed within
/// tokens, unless it is the start of the text.
fn add_lexemes(
    decoding: &Decoding<'_>,
    lexemes: &Lexemes,
    boundaries: &Boundaries<'_>,
    tables: &mut CompletionTables,
) {
    let lexer = decoding.lexer;
    let mut is_entered = vec![false; lexer.states()];
    lexer.rows.all_targets().items().iter().for_each(|to| is_entered[to.index()] = true);
    is_entered[boundaries.first_state().index()] = true;
    // Characters begin there all the same: completions only do not rely on it.
    is_entered[lexer.first_counting().index()..].fill(true);
    let mut ids: FxHashMap<Vec<[u32; 3]>, u32> = FxHashMap::default();
    tables.lexeme_cost_offsets.push(0);
    for state in (0..lexer.states()).map(LexState::new) {
        let cost = |ending: &Ending| [ending.terminal.0, boundaries.end(ending.end).0, ending.tokens];
        let mut row: Vec<[u32; 3]> = match is_entered[state.index()] {
            true => lexemes.of(state).iter().map(cost).collect(),
            false => Vec::new(),
        };
        row.sort_unstable();
        row.dedup_by_key(|[terminal, end, _]| (*terminal, *end));
        let fresh = ids.len() as u32;
        let id = *ids.entry(row).or_insert_with_key(|row| {
            tables.lexeme_costs.extend(row.as_flattened());
            tables.lexeme_cost_offsets.push((tables.lexeme_costs.len() / 3) as u32);
            fresh
        });
        tables.lexeme_cost_row.push(id);
    }
}

/// The classes, numbered by LR state.
fn add_classes(
    decoding: &Decoding<'_>,
    boundaries: &Boundaries<'_>,
    summaries: &Summaries<'_>,
    classes: &Classes<'_>,
    tables: &mut CompletionTables,
) {
    let mut of_state: Vec<Vec<ClassId>> = vec![Vec::new(); decoding.lr.states()];
    let mut number = Vec::new();
    for (index, class) in classes.all.iter().enumerate() {
        number.push(of_state[class.state.index()].len() as u32);
        of_state[class.state.index()].push(ClassId::new(index));
    }
    tables.cell_classes.push(0);
    tables.cell_above_offsets.push(0);
    tables.cell_end_offsets.push(0);
    let mut count = 0;
    for (state, members) in of_state.iter().enumerate() {
        for &class in members {
            for &(above, id, more) in &classes.all[class.index()].above {
                tables.cells_above.extend([above.0, number[id.index()], more]);
            }
            for end in boundaries.all_ends() {
                let place = summaries.find(LrState::new(state), boundaries.after(end, LrState::new(state)));
                let cost = place.map_or(NEVER, |place| classes.cost(class, place));
                if cost != NEVER {
                    tables.cell_ends.extend([end.0, cost]);
                }
            }
            tables.cell_above_offsets.push((tables.cells_above.len() / 3) as u32);
            tables.cell_end_offsets.push((tables.cell_ends.len() / 2) as u32);
        }
        count += members.len() as u32;
        tables.cell_classes.push(count);
    }
}
