//! Splits the bytes along the edges of a set of states.
//!
//! Comes in: overlapping byte ranges with targets. Goes out: disjoint ranges, each with the targets of all edges that
//! cover it. The buffers are reused for every set.

use crate::nfa::Edge;
use crate::range_starts::RangeStarts;

/// Disjoint byte ranges in ascending order, each with its targets.
#[derive(Default)]
pub(super) struct Segments {
    bounds: Vec<(u8, u8)>,
    targets: Vec<Vec<u32>>,
}

impl Segments {
    /// The number of ranges.
    pub(super) fn len(&self) -> usize {
        self.bounds.len()
    }

    /// A range `(low, high)` and the targets of the edges that cover it.
    pub(super) fn get(&self, index: usize) -> ((u8, u8), &[u32]) {
        (self.bounds[index], &self.targets[index])
    }

    /// Splits along `edges`. Returns the number of (range, target) pairs. Some ranges may have no targets.
    pub(super) fn fill<'e>(&mut self, edges: impl Iterator<Item = &'e Edge> + Clone) -> usize {
        self.cut(&RangeStarts::of(edges.clone().map(|edge| (edge.low, edge.high))));
        let mut pushed = 0;
        for edge in edges {
            let first = self.bounds.partition_point(|piece| piece.0 < edge.low);
            for (piece, targets) in self.bounds.iter().zip(&mut self.targets).skip(first) {
                if piece.0 > edge.high {
                    break;
                }
                targets.push(edge.to);
                pushed += 1;
            }
        }
        pushed
    }

    /// Sets `bounds` to the ranges that begin at these places, and clears their targets.
    fn cut(&mut self, starts: &RangeStarts) {
        self.bounds.clear();
        for place in starts.iter() {
            if let Some(last) = self.bounds.last_mut() {
                last.1 = (place - 1) as u8;
            }
            if let Ok(low) = u8::try_from(place) {
                self.bounds.push((low, 255));
            }
        }
        while self.targets.len() < self.bounds.len() {
            self.targets.push(Vec::new());
        }
        self.targets.iter_mut().for_each(Vec::clear);
    }
}
