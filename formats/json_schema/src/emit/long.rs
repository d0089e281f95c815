//! Rules for long strings of bounded length, which are read in blocks.
//!
//! An automaton that counts to 65,535 has a million states once every spelling of every character is in it.
//! So long strings are rules over pieces: a string of at most 130 characters is a quote and a short rest, or
//! a quote, a block of 64 characters and a short rest, or a quote, two blocks and the rest. Pieces are
//! terminals that all long strings of a schema share. The rules count blocks, which is deterministic because
//! the blocks have a fixed length.
//!
//! Blocks are counted in groups: after each group comes either another whole group, or a few blocks and the
//! rest. Both begin with the same rules `R1: block`, `R2: R1 block`, …, so the parser never forks, and it has
//! one state for each group and one for each block of a group, not one for each block of the string.

use super::emitter::Emitter;
use super::terminals::{EmitError, Result};
use crate::languages::{Lengths, MAX_LENGTH};
use gcc_grammar_ir::{Body, Expr, NonterminalId, Symbol, SymbolDfa, SymbolDfaState, TerminalId};

/// The number of characters in a block.
const BLOCK: u32 = 64;
/// The maximum number of blocks of a string.
const MAX_BLOCKS: u32 = MAX_LENGTH / BLOCK;
/// The number of blocks in a group (second), by the largest number of blocks of the string (first). Few blocks are in no group: then one state of
/// the parser says how many are left, and a mask is read off one cell.
const GROUPS: [(u32, u32); 3] = [(128, 256), (4096, 64), (MAX_BLOCKS, 128)];

/// States of the right part.
const START: u32 = 0;
const END: u32 = 1;

impl Emitter<'_> {
    /// The rule for texts of these lengths.
    pub(super) fn long_text(&mut self, lengths: Lengths) -> Result<NonterminalId> {
        if let Some(&known) = self.long_texts.by_lengths.get(&lengths) {
            return Ok(known);
        }
        let rule = self.add_rule(format!("string{}", self.long_texts.by_lengths.len() + 1));
        self.rules[rule.index()].body = Body::Automaton(self.long_automaton(lengths)?);
        self.long_texts.by_lengths.insert(lengths, rule);
        Ok(rule)
    }

    /// The right part of texts of these lengths.
    fn long_automaton(&mut self, lengths: Lengths) -> Result<SymbolDfa> {
        let mut states =
            vec![SymbolDfaState::default(), SymbolDfaState { accepting: true, transitions: Vec::new() }];
        let group = GROUPS.iter().find(|&&(most, _)| lengths.max.is_none_or(|max| max / BLOCK <= most));
        let group = group.map_or(1, |&(_, group)| group);
        let quote = Symbol::Terminal(self.terminals.punctuation("\""));
        states[START as usize].transitions.push((quote, END + 1));
        states.push(SymbolDfaState::default());
        let (mut state, mut blocks) = (END + 1, 0);
        loop {
            let read = blocks * BLOCK;
            let rest = Lengths {
                min: lengths.min.saturating_sub(read),
                max: lengths.max.map(|max| max.saturating_sub(read)),
            };
            let whole_group = rest.min == 0 && rest.max.is_some_and(|max| max >= group * BLOCK);
            let (end, more) = if whole_group {
                (Some(self.tail(group)?), Some((self.blocks(group)?, group)))
            } else {
                let block = |terminal| (Symbol::Terminal(terminal), 1);
                let (end, more) = self.pieces(rest)?;
                (end.map(Symbol::Terminal), more.map(block))
            };
            let next = states.len() as u32;
            let transitions = &mut states[state as usize].transitions;
            transitions.extend(end.map(|symbol| (symbol, END)));
            transitions.extend(more.map(|(symbol, _)| (symbol, next)));
            transitions.sort_unstable();
            let Some((_, read)) = more else { return Ok(SymbolDfa { states }) };
            states.push(SymbolDfaState::default());
            (state, blocks) = (next, blocks + read);
            if blocks > MAX_BLOCKS {
                return Err(EmitError::TooLong(MAX_LENGTH));
            }
        }
    }

    /// The pieces that may come next: the last piece, and a block if more may follow.
    fn pieces(&mut self, rest: Lengths) -> Result<(Option<TerminalId>, Option<TerminalId>)> {
        let unbounded = rest.max.is_none() && rest.min < BLOCK;
        let goes_on = !unbounded && rest.max.is_none_or(|max| max >= BLOCK);
        let mut end = None;
        if rest.min < BLOCK {
            let most = rest.max.map_or(BLOCK - 1, |max| max.min(BLOCK - 1));
            let lengths = Lengths { min: rest.min, max: (!unbounded).then_some(most) };
            end = Some(self.terminals.piece(lengths, true)?);
        }
        let more = if goes_on { Some(self.block()?) } else { None };
        Ok((end, more))
    }

    /// The terminal of a block.
    pub(super) fn block(&mut self) -> Result<TerminalId> {
        self.terminals.piece(Lengths { min: BLOCK, max: Some(BLOCK) }, false)
    }

    /// The rule for exactly `count` blocks.
    fn blocks(&mut self, count: u32) -> Result<Symbol> {
        let block = Expr::Symbol(Symbol::Terminal(self.block()?));
        while self.long_texts.blocks.len() < count as usize {
            let rule = self.add_rule(format!("blocks{}", self.long_texts.blocks.len() + 1));
            let before = self.long_texts.blocks.last().map(|&less| Expr::Symbol(Symbol::Nonterminal(less)));
            let body = Expr::Sequence(before.into_iter().chain([block.clone()]).collect());
            self.rules[rule.index()].body = Body::Expr(body);
            self.long_texts.blocks.push(rule);
        }
        Ok(Symbol::Nonterminal(self.long_texts.blocks[count as usize - 1]))
    }

    /// The rule for fewer than `group` blocks and the rest.
    fn tail(&mut self, group: u32) -> Result<Symbol> {
        if let Some(&known) = self.long_texts.tails.get(&group) {
            return Ok(Symbol::Nonterminal(known));
        }
        self.blocks(group)?;
        let rest = self.terminals.piece(Lengths { min: 0, max: Some(BLOCK - 1) }, true)?;
        let rest = Expr::Symbol(Symbol::Terminal(rest));
        let some = self.long_texts.blocks[..group as usize - 1].iter();
        let some =
            some.map(|&rule| Expr::Sequence(vec![Expr::Symbol(Symbol::Nonterminal(rule)), rest.clone()]));
        let body = Expr::Choice([rest.clone()].into_iter().chain(some).collect());
        let rule = self.add_rule(format!("blocks-below-{group}"));
        self.rules[rule.index()].body = Body::Expr(body);
        self.long_texts.tails.insert(group, rule);
        Ok(Symbol::Nonterminal(rule))
    }
}
