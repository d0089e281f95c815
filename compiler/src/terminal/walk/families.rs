//! Families of cuts: the nodes at which a part of a fixed length may have ended, for each count of characters left.
//!
//! A part of a string that has a fixed length ends at other nodes for each count, at tens of thousands of nodes
//! together. What comes behind them is found for all counts in a single walk.

use super::by_characters::ByCharacters;
use super::counted::Restart;
use super::summary::{Summary, WalkSets};
use super::walker::Walker;
use crate::ids::{EndClass, LexState, SetId};
use crate::lexer::{IGNORED, Lexer};
use crate::terminal::counting::{ControlId, ControlState};
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::OverBudget;
use rustc_hash::{FxHashMap, FxHashSet};

/// The default of [`Families::least_nodes`].
const LEAST_NODES: u32 = 64;

/// The nodes at which a lexeme may end, by count.
struct Family {
    control: ControlId,
    lexeme: (TerminalId, EndClass),
    /// The counts that have any, with their nodes.
    nodes: Vec<(usize, SetId)>,
}

/// Whether no lexeme of a terminal that begins in a control state continues where it may end.
fn ends_once(lexer: &Lexer, control: &ControlState, terminal: TerminalId) -> bool {
    let mut open = control.states.to_vec();
    let mut reached: FxHashSet<LexState> = open.iter().copied().collect();
    while let Some(state) = open.pop() {
        let targets = lexer.rows.targets(state);
        if lexer.accepts(state).contains(&terminal) && !targets.is_empty() {
            return false;
        }
        open.extend(targets.iter().filter(|&&to| reached.insert(to)));
    }
    true
}

/// All families so far.
pub(in crate::terminal) struct Families {
    /// Families with fewer nodes in total are not kept.
    pub(in crate::terminal) least_nodes: u32,
    all: Vec<Family>,
    /// By set of nodes: the number of the family.
    of: FxHashMap<SetId, usize>,
}

impl Default for Families {
    fn default() -> Self {
        Self { least_nodes: LEAST_NODES, all: Vec::new(), of: FxHashMap::default() }
    }
}

impl Families {
    /// Adds the family of a control state, if it leads to the end of a lexeme. `summaries` has the findings of each
    /// count.
    pub(super) fn add(
        &mut self,
        walker: &Walker<'_, '_>,
        control: &ControlState,
        summaries: &[Summary],
        sets: &WalkSets<'_>,
    ) {
        let Some(bottom) = walker.tables.counted.bottom(control.id) else { return };
        let end = walker.lexer.end_class[bottom.index()];
        let Some(&terminal) = walker.lexer.accepts(bottom).first() else { return };
        // With several ends, a token could be found twice for a count, and the counts of the two could differ.
        if terminal == IGNORED || !ends_once(walker.lexer, control, terminal) {
            return;
        }
        let lexeme = (terminal, end);
        let of_count = |summary: &Summary| Some(summary.cuts.iter().find(|(key, _)| *key == lexeme)?.1);
        let nodes =
            summaries.iter().enumerate().filter_map(|(count, summary)| Some((count, of_count(summary)?)));
        let nodes: Vec<(usize, SetId)> = nodes.collect();
        let ids: Vec<SetId> = nodes.iter().map(|&(_, set)| set).collect();
        if sets.positions.counts(&ids).iter().sum::<u32>() < self.least_nodes {
            return;
        }
        for set in ids {
            self.of.entry(set).or_insert(self.all.len());
        }
        self.all.push(Family { control: control.id, lexeme, nodes });
    }

    /// What comes behind all sets of nodes in the family of `nodes`, if the next lexeme starts in `start`: each set
    /// with its summary. Nothing if the set is in no family.
    pub(in crate::terminal) fn behind(
        &self,
        walker: &Walker<'_, '_>,
        by_characters: &mut ByCharacters,
        sets: &mut WalkSets<'_>,
        nodes: SetId,
        start: LexState,
    ) -> Result<Vec<(SetId, Summary)>, OverBudget> {
        let Some(family) = self.of.get(&nodes) else { return Ok(Vec::new()) };
        let Family { control, lexeme, nodes } = &self.all[*family];
        let control = &walker.tables.counting.controls()[control.index()];
        let found = walker.scan_counted(control, Some(Restart { lexeme: *lexeme, start }))?;
        let characters = walker.tokens.characters;
        let mut summaries = found.into_summaries(characters, by_characters, sets, walker.budget)?;
        Ok(nodes.iter().map(|&(count, set)| (set, std::mem::take(&mut summaries[count]))).collect())
    }
}
