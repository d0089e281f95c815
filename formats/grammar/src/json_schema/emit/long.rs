//! Long strings of bounded length, in blocks.
//!
//! An automaton that counts to 65,535 has a million states once every spelling of every character is in it. So
//! long strings are rules over pieces: a string of at most 130 characters is either a short one, or an opening
//! block of 64 characters and then a short rest, or a block, a middle block and the rest. Pieces are terminals that
//! all long strings of a schema share; the rule counts blocks, deterministically: the blocks have a fixed length.

use super::super::languages::Lengths;
use super::terminals::{NoTerminal, Result, Terminals};
use crate::{Symbol, SymbolDfa, SymbolDfaState};

/// Characters in a block.
const BLOCK: u32 = 64;
/// Strings may have so many blocks.
const MAX_BLOCKS: u32 = 20_000;

const START: u32 = 0;
const END: u32 = 1;

/// The right part for texts of these lengths.
pub(super) fn right_part(lengths: Lengths, terminals: &mut Terminals) -> Result<SymbolDfa> {
    let mut states =
        vec![SymbolDfaState::default(), SymbolDfaState { accepting: true, transitions: Vec::new() }];
    let mut blocks = 0;
    loop {
        let state = if blocks == 0 { START } else { END + blocks };
        let read = blocks * BLOCK;
        let rest = Lengths {
            min: lengths.min.saturating_sub(read),
            max: lengths.max.map(|max| max.saturating_sub(read)),
        };
        let unbounded = rest.max.is_none() && rest.min < BLOCK;
        let goes_on = !unbounded && rest.max.is_none_or(|max| max >= BLOCK);
        let mut transitions = Vec::new();
        if rest.min < BLOCK {
            let max =
                if unbounded { None } else { Some(rest.max.map_or(BLOCK - 1, |max| max.min(BLOCK - 1))) };
            let last = terminals.piece(Lengths { min: rest.min, max }, blocks == 0, true)?;
            transitions.push((Symbol::Terminal(last), END));
        }
        if goes_on {
            let block = terminals.piece(Lengths { min: BLOCK, max: Some(BLOCK) }, blocks == 0, false)?;
            transitions.push((Symbol::Terminal(block), END + blocks + 1));
            states.push(SymbolDfaState::default());
        }
        transitions.sort_unstable();
        states[state as usize].transitions = transitions;
        if !goes_on {
            return Ok(SymbolDfa { states });
        }
        blocks += 1;
        if blocks > MAX_BLOCKS {
            return Err(NoTerminal::TooManyStates);
        }
    }
}
