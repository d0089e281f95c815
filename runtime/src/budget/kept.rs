//! What tokens cost that lie within the lexeme: the lexer alone says in which state they end.
//!
//! Near the end of a budget, thousands of tokens may go on with a string. They end in few lexer states, and the cost of a
//! head that only goes on with its lexeme depends on that state alone. So these costs are remembered while a mask is made.

use gcc_grammar_artifact::ids::{LexState, TokenId};

use super::NEVER;
use crate::error::Error;
use crate::matcher::Matcher;
use crate::scratch::Head;

/// The number of costs that are remembered.
const SLOTS: usize = 64;

/// Costs of heads that went on with their lexeme, by the number of the head and the lexer state.
pub(super) struct Kept {
    slots: [(usize, LexState, u32); SLOTS],
}

impl Kept {
    pub(super) const fn new() -> Self {
        Self { slots: [(0, LexState::DEAD, NEVER); SLOTS] }
    }
}

/// What is known of the cost after a token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    /// The least cost of the heads that go on with their lexeme: the cost, or more than it.
    pub(super) cost: u32,
    /// Whether there are no other heads.
    pub(super) is_exact: bool,
}

impl Matcher<'_, '_> {
    /// The cost after a token as far as the lexer knows.
    pub(super) fn kept_cost(&mut self, kept: &mut Kept, token: TokenId) -> Result<Bound, Error> {
        let (engine, grammar) = (self.engine(), self.grammar());
        let mut bound = Bound { cost: NEVER, is_exact: grammar.special_symbol(token).is_none() };
        let Some(bytes) = engine.tokens.bytes(token).filter(|bytes| bound.is_exact && !bytes.is_empty())
        else {
            return Ok(Bound { is_exact: false, ..bound });
        };
        let heads = self.scratch.newest();
        for index in 0..heads.count {
            let mut lex = self.scratch.head(heads, index).lex;
            for &byte in bytes {
                bound.is_exact &= grammar.accepts(lex).len() == 0;
                lex = grammar.next(lex, grammar.byte_symbol(byte));
                if lex == LexState::DEAD {
                    break;
                }
            }
            if lex != LexState::DEAD {
                bound.cost = bound.cost.min(self.cost_of_kept(kept, index, lex)?);
            }
        }
        Ok(bound)
    }

    /// The cost of a head in another state of its lexeme.
    fn cost_of_kept(&mut self, kept: &mut Kept, index: usize, lex: LexState) -> Result<u32, Error> {
        let slot = &mut kept.slots[(lex.index() + index) % SLOTS];
        if (slot.0, slot.1) == (index, lex) {
            return Ok(slot.2);
        }
        let completion = self.completion()?;
        let cost = self.attempt_and_undo(|matcher| {
            let heads = matcher.scratch.newest();
            let head = Head { lex, ..matcher.scratch.head(heads, index) };
            matcher.scratch.cost_of_head(matcher.grammar(), completion, head)
        })?;
        *slot = (index, lex, cost);
        Ok(cost)
    }
}
