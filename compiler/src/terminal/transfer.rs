//! Moves arcs from one Terminal DWA to another, which may live in another thread.

use super::dwa::{Arc, Cut, TerminalDwa};
use crate::ids::ArcId;
use crate::sets::{Foreign, Sets};
use gcc_grammar_limits::OverBudget;

/// The arcs of another automaton for the same lexer and tokens, and the ids that they got in this one.
pub(crate) struct ForeignArcs {
    arcs: Vec<Arc>,
    cuts: Vec<Cut>,
    positions: Foreign,
    adopted: Vec<Option<ArcId>>,
}

impl TerminalDwa<'_> {
    /// Gives the arcs up to another automaton.
    pub(crate) fn into_foreign(self) -> ForeignArcs {
        let Self { arcs, cuts, positions, .. } = self;
        ForeignArcs { adopted: vec![None; arcs.len()], arcs, cuts, positions: positions.into_foreign() }
    }

    /// The id in this automaton of an arc of `from`, from which no other automaton may adopt. The arc's sets
    /// of tokens are in `tokens`.
    pub(crate) fn adopt(
        &mut self,
        sets: &mut Sets,
        from: &mut ForeignArcs,
        tokens: &mut Foreign,
        arc: ArcId,
    ) -> Result<ArcId, OverBudget> {
        if let Some(known) = from.adopted[arc.index()] {
            return Ok(known);
        }
        let there = from.arcs[arc.index()];
        let cut = from.cuts[there.cut.index()].iter();
        let cut = cut.map(|&(end, set)| Ok((end, self.positions.adopt(&mut from.positions, set)?)));
        let cut = cut.collect::<Result<_, OverBudget>>()?;
        let here = Arc {
            terminal: there.terminal,
            weight: sets.adopt(tokens, there.weight)?,
            cut: self.intern_cut(sets, cut)?,
            tokens: sets.adopt(tokens, there.tokens)?,
        };
        let here = self.intern_arc(here)?;
        from.adopted[arc.index()] = Some(here);
        Ok(here)
    }
}
