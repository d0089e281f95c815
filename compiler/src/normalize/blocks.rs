//! Counts long repetitions in blocks whose lengths are powers of two.
//!
//! In: a sequence of symbols, the *unit*, and the least and greatest number of its repetitions. Out: productions
//! whose number grows with the logarithm of the count, where a chain of helpers would have one for each count.
//!
//! ```text
//! B(1) -> unit        B(2k) -> B(k) B(k)                                   exactly so many
//! U(n) -> B(p) | B(p) U(n - p) | U(p - 1)                                  1 to n, for the greatest power p <= n
//! ```
//! A number has one binary representation, so a repetition has one derivation: blocks of decreasing lengths. The
//! parser need not know the first block before it has read it: after a unit, the items of all blocks that begin with
//! it are in one LR state, and two blocks of the same length become the next longer one, as in a binary counter. So
//! there are no conflicts that a chain of helpers does not have.

use super::expression::{HelperKey, Lowering};
use gcc_grammar_ir::{NonterminalId, Symbol};
use gcc_grammar_limits::OverBudget;

impl Lowering<'_, '_> {
    /// `least` to `most` of `unit`, with `1 <= least <= most`.
    pub(super) fn in_blocks(
        &mut self,
        unit: &[Symbol],
        least: u32,
        most: u32,
    ) -> Result<Vec<Vec<Symbol>>, OverBudget> {
        if least == 1 {
            return Ok(vec![vec![self.up_to(unit, most)?]]);
        }
        let exactly = vec![self.exactly(unit, least)?];
        if least == most {
            return Ok(vec![exactly]);
        }
        let more = self.up_to(unit, most - least)?;
        Ok(vec![exactly.clone(), [exactly, vec![more]].concat()])
    }

    /// Exactly `n >= 1` of `unit`: the blocks of the binary representation of `n`, the longest first.
    fn exactly(&mut self, unit: &[Symbol], n: u32) -> Result<Symbol, OverBudget> {
        let id = self.unit_id(unit);
        let helper = self.helper(HelperKey::Count(id, n), |lowering, _| {
            if n.is_power_of_two() {
                return Ok(vec![lowering.halves(unit, n)?]);
            }
            let lengths = (0..u32::BITS).rev().map(|bit| 1 << bit).filter(|length| n & length != 0);
            let blocks: Result<Vec<Symbol>, OverBudget> =
                lengths.map(|length| lowering.exactly(unit, length)).collect();
            Ok(vec![blocks?])
        })?;
        Ok(Symbol::Nonterminal(helper))
    }

    /// The right-hand side of a block.
    fn halves(&mut self, unit: &[Symbol], length: u32) -> Result<Vec<Symbol>, OverBudget> {
        match length {
            1 => Ok(unit.to_vec()),
            _ => {
                let half = self.exactly(unit, length / 2)?;
                Ok(vec![half, half])
            }
        }
    }

    /// At least one and at most `n` of `unit`.
    fn up_to(&mut self, unit: &[Symbol], n: u32) -> Result<Symbol, OverBudget> {
        let id = self.unit_id(unit);
        let helper: NonterminalId = self.helper(HelperKey::UpTo(id, n), |lowering, _| {
            let length = 1 << n.ilog2();
            let block = lowering.exactly(unit, length)?;
            let mut alternatives = vec![vec![block]];
            if n > length {
                alternatives.push(vec![block, lowering.up_to(unit, n - length)?]);
            }
            if length > 1 {
                alternatives.push(vec![lowering.up_to(unit, length - 1)?]);
            }
            Ok(alternatives)
        })?;
        Ok(Symbol::Nonterminal(helper))
    }
}
