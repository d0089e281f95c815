//! What tokens cost that lie within the lexeme: the lexer alone says in which state they end.
//!
//! Near the end of a budget, 100,000 tokens may go on with a string. They pass and end in few lexer states, and the cost of a
//! head that only goes on with its lexeme depends on that state alone. So the steps between the first [`PLACES`] states that
//! are met, and the costs in them, are remembered while a mask is made.

use gcc_grammar_artifact::ids::{LexState, TokenId};

use super::NEVER;
use crate::error::Error;
use crate::matcher::Matcher;
use crate::scratch::Head;

/// The number of places whose steps are remembered.
const PLACES: usize = 24;
/// The number of costs that are remembered in places without steps.
const SLOTS: usize = 64;

/// The step of a byte is not known yet.
const UNKNOWN: u8 = 0xff;
/// No lexeme has this byte here.
const DEAD: u8 = 0xfe;
/// The byte leads to a place whose steps are not remembered.
const BEYOND: u8 = 0xfd;

/// A head that went on with its lexeme: the number of the head and the lexer state.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Place {
    head: usize,
    lex: LexState,
}

impl Place {
    const NONE: Self = Self { head: 0, lex: LexState::DEAD };
}

/// Steps and costs of heads that go on with their lexeme.
pub(super) struct Kept {
    /// The places whose steps are remembered.
    places: [Place; PLACES],
    count: usize,
    /// Per place and byte: the number of the next place, or one of [`UNKNOWN`], [`DEAD`] and [`BEYOND`].
    next: [[u8; 256]; PLACES],
    /// Per place: whether a lexeme may end there.
    ends: [bool; PLACES],
    /// Per place: its cost, once it was asked for.
    costs: [Option<u32>; PLACES],
    /// Costs of other places.
    slots: [(Place, u32); SLOTS],
}

impl Kept {
    pub(super) const fn new() -> Self {
        Self {
            places: [Place::NONE; PLACES],
            count: 0,
            next: [[UNKNOWN; 256]; PLACES],
            ends: [false; PLACES],
            costs: [None; PLACES],
            slots: [(Place::NONE, NEVER); SLOTS],
        }
    }

    /// The number of a place; `None` if there are more than are remembered.
    fn number(&mut self, place: Place, ends: impl FnOnce() -> bool) -> Option<usize> {
        if let Some(number) = self.places[..self.count].iter().position(|known| *known == place) {
            return Some(number);
        }
        let number = self.count;
        *self.places.get_mut(number)? = place;
        self.ends[number] = ends();
        self.count += 1;
        Some(number)
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
        let engine = self.engine();
        let mut bound = Bound { cost: NEVER, is_exact: false };
        let Some(bytes) = engine.tokens.bytes(token).filter(|bytes| !bytes.is_empty()) else {
            return Ok(bound);
        };
        if self.grammar().special_symbol(token).is_some() {
            return Ok(bound);
        }
        bound.is_exact = true;
        let heads = self.scratch.newest();
        for head in 0..heads.count {
            let lex = self.scratch.head(heads, head).lex;
            let cost = self.cost_in_lexeme(kept, Place { head, lex }, bytes, &mut bound.is_exact)?;
            bound.cost = bound.cost.min(cost);
        }
        Ok(bound)
    }

    /// The cost of a head that goes on with its lexeme by these bytes. Where the lexeme may end before the last one, `is_exact`
    /// becomes false.
    fn cost_in_lexeme(
        &mut self,
        kept: &mut Kept,
        from: Place,
        bytes: &[u8],
        is_exact: &mut bool,
    ) -> Result<u32, Error> {
        let grammar = self.grammar();
        let ends = |lex: LexState| grammar.accepts(lex).len() > 0;
        let Some(mut at) = kept.number(from, || ends(from.lex)) else {
            return self.cost_beyond(kept, from, bytes, is_exact);
        };
        for (index, &byte) in bytes.iter().enumerate() {
            *is_exact &= !kept.ends[at];
            let mut next = kept.next[at][usize::from(byte)];
            if next == UNKNOWN {
                let lex = grammar.next(kept.places[at].lex, grammar.byte_symbol(byte));
                next = match lex {
                    LexState::DEAD => DEAD,
                    _ => {
                        kept.number(Place { lex, ..from }, || ends(lex)).map_or(BEYOND, |number| number as u8)
                    }
                };
                kept.next[at][usize::from(byte)] = next;
            }
            match next {
                DEAD => return Ok(NEVER),
                BEYOND => return self.cost_beyond(kept, kept.places[at], &bytes[index..], is_exact),
                _ => at = usize::from(next),
            }
        }
        if let Some(cost) = kept.costs[at] {
            return Ok(cost);
        }
        let cost = self.cost_at(kept.places[at])?;
        kept.costs[at] = Some(cost);
        Ok(cost)
    }

    /// The same without the remembered steps.
    fn cost_beyond(
        &mut self,
        kept: &mut Kept,
        mut at: Place,
        bytes: &[u8],
        is_exact: &mut bool,
    ) -> Result<u32, Error> {
        let grammar = self.grammar();
        for &byte in bytes {
            *is_exact &= grammar.accepts(at.lex).len() == 0;
            at.lex = grammar.next(at.lex, grammar.byte_symbol(byte));
            if at.lex == LexState::DEAD {
                return Ok(NEVER);
            }
        }
        let slot = (at.lex.index() + at.head) % SLOTS;
        if kept.slots[slot].0 != at {
            kept.slots[slot] = (at, self.cost_at(at)?);
        }
        Ok(kept.slots[slot].1)
    }

    /// The cost of a head in another state of its lexeme.
    fn cost_at(&mut self, place: Place) -> Result<u32, Error> {
        let completion = self.completion()?;
        self.attempt_and_undo(|matcher| {
            let heads = matcher.scratch.newest();
            let head = Head { lex: place.lex, ..matcher.scratch.head(heads, place.head) };
            matcher.scratch.cost_of_head(matcher.grammar(), completion, head)
        })
    }
}
