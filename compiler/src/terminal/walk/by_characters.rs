//! Sets of tokens by their number of characters.
//!
//! In: ranges of tokens. Out: per number of characters, the tokens that have at most this number. Most walks of counted
//! strings concern the same tokens, those of counted characters alone, and each count takes those of some lengths.

use crate::ids::SetId;
use crate::sets::{ChangingSet, Range, Sets};
use gcc_grammar_limits::OverBudget;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Per number of characters: the tokens of some ranges that have at most this number.
pub(super) type UpTo = Arc<[SetId]>;

/// All sets so far.
#[derive(Default)]
pub(in crate::terminal) struct ByCharacters {
    known: FxHashMap<Box<[Range]>, UpTo>,
    bytes: u64,
}

impl ByCharacters {
    /// Estimated bytes.
    pub(in crate::terminal) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The sets for the tokens of these ranges. `characters` has the number of characters of each token.
    pub(super) fn up_to(
        &mut self,
        sets: &mut Sets,
        characters: &[u32],
        ranges: &[Range],
    ) -> Result<UpTo, OverBudget> {
        if let Some(known) = self.known.get(ranges) {
            return Ok(known.clone());
        }
        let mut by_number: Vec<Vec<u32>> = Vec::new();
        for token in ranges.iter().flat_map(|range| range.0..range.1) {
            let number = characters[token as usize] as usize;
            if by_number.len() <= number {
                by_number.resize(number + 1, Vec::new());
            }
            by_number[number].push(token);
        }
        let mut set = ChangingSet::default();
        let up_to = by_number.iter().map(|tokens| {
            tokens.iter().for_each(|&token| set.insert((token, token + 1)));
            set.intern(sets)
        });
        let up_to: UpTo = up_to.collect::<Result<_, _>>()?;
        self.bytes += (ranges.len() * 8 + up_to.len() * 4 + 64) as u64;
        self.known.insert(ranges.into(), up_to.clone());
        Ok(up_to)
    }
}

/// The tokens with more than `more_than` and at most `at_most` characters, among the tokens of `up_to`.
pub(super) fn between(
    sets: &mut Sets,
    up_to: &[SetId],
    more_than: Option<i32>,
    at_most: i32,
) -> Result<SetId, OverBudget> {
    let at = |number: i32| match usize::try_from(number) {
        Ok(number) => up_to.get(number).or(up_to.last()).copied().unwrap_or(Sets::EMPTY),
        Err(_) => Sets::EMPTY,
    };
    let less = more_than.map_or(Sets::EMPTY, at);
    sets.difference(at(at_most), less)
}
