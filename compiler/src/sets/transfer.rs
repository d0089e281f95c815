//! Moves sets from one interner to another, which may live in another thread.

use super::chunk::{Bits, ChunkId};
use super::interner::{ChunkList, Sets};
use crate::ids::SetId;
use gcc_grammar_limits::OverBudget;

/// The sets of another interner, and the ids that they got in this one.
#[derive(Debug)]
pub(crate) struct Foreign {
    chunks: Vec<Bits>,
    sets: Vec<ChunkList>,
    adopted_chunks: Vec<Option<ChunkId>>,
    adopted: Vec<Option<SetId>>,
}

impl Sets {
    /// Gives the sets up to another interner.
    pub(crate) fn into_foreign(self) -> Foreign {
        let Self { chunks, sets, .. } = self;
        Foreign { adopted_chunks: vec![None; chunks.len()], adopted: vec![None; sets.len()], chunks, sets }
    }

    /// The id in this interner of a set of `from`, from which no other interner may adopt.
    pub(crate) fn adopt(&mut self, from: &mut Foreign, set: SetId) -> Result<SetId, OverBudget> {
        if let Some(known) = from.adopted[set.index()] {
            return Ok(known);
        }
        let there = &from.sets[set.index()];
        self.budget.charge_work(there.len() as u64)?;
        let mut chunks = Vec::with_capacity(there.len());
        for &(at, chunk) in there {
            let here = match from.adopted_chunks[chunk.index()] {
                Some(known) => known,
                None => self.chunk(from.chunks[chunk.index()])?,
            };
            from.adopted_chunks[chunk.index()] = Some(here);
            chunks.push((at, here));
        }
        let new = self.set(chunks)?;
        from.adopted[set.index()] = Some(new);
        Ok(new)
    }
}
