//! What tokens cost that lie within the lexeme: the lexer alone says in which state they end.
//!
//! Near the end of a budget, 100,000 tokens may continue a string. They pass and end in few lexer states, and the cost of a
//! head that only continues its lexeme depends on that state alone. So the steps between the first [`PLACES`] states that
//! are met, and the costs in them, are remembered while a mask is made.

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::ids::{LexState, TokenId};

use super::lexeme::{Continuation, may_end_before, stray};
use super::runs::Runs;
use super::search::Bounded;
use super::state::NEVER;
use crate::characters::Groups;
use crate::error::Error;
use crate::matcher::Matcher;
use crate::scratch::Head;

/// The number of places whose steps are remembered.
const PLACES: usize = 24;
/// The number of costs that are remembered in places without steps.
const SLOTS: usize = 64;

/// The step of a byte is not known yet.
const UNKNOWN: u8 = 0x7f;
/// No lexeme has this byte here.
const DEAD: u8 = 0x7e;
/// The byte leads to a place whose steps are not remembered.
const BEYOND: u8 = 0x7d;
/// The bit of a step before which the lexeme may end.
const MAY_END: u8 = 0x80;

/// Steps and costs of heads that continue their lexeme.
pub(super) struct StepMemo<'a> {
    /// `None` for a few tokens, for which it takes longer to clear the tables than to read the lexer.
    steps: Option<Steps>,
    /// Costs of places without remembered steps.
    slots: [(Continuation, u32); SLOTS],
    pub(super) runs: Runs<'a>,
    /// The greatest cost after the tokens that were asked for, or more.
    pub(super) costliest: u32,
    /// Whether the cost after a token does not follow from the state of the lexer: some lexeme may become an item that is there already.
    pub(super) reads_texts: bool,
    /// What the search may still do.
    pub(super) search: Bounded,
}

impl<'a> StepMemo<'a> {
    pub(super) const fn new(runs: Runs<'a>, search: Bounded) -> Self {
        Self { steps: Some(Steps::NONE), runs, ..Self::for_few(search) }
    }

    /// The same for a few tokens.
    pub(super) const fn for_few(search: Bounded) -> Self {
        Self {
            steps: None,
            slots: [(Continuation::NONE, NEVER); SLOTS],
            runs: Runs::NONE,
            costliest: 0,
            reads_texts: false,
            search,
        }
    }
}

/// Steps of bytes between places.
struct Steps {
    /// The places whose steps are remembered.
    places: [Continuation; PLACES],
    count: usize,
    /// Per place and byte: the number of the next place, or one of [`UNKNOWN`], [`DEAD`] and [`BEYOND`]; and [`MAY_END`].
    next: [[u8; 256]; PLACES],
    /// Per place: its cost, once it was asked for.
    costs: [Option<u32>; PLACES],
    /// Per place: the characters that lead back to it, once they were asked for.
    loops: [Option<Groups>; PLACES],
}

impl Steps {
    const NONE: Self = Self {
        places: [Continuation::NONE; PLACES],
        count: 0,
        next: [[UNKNOWN; 256]; PLACES],
        costs: [None; PLACES],
        loops: [None; PLACES],
    };

    /// The number of a place; `None` if there are more than are remembered.
    fn number(&mut self, place: Continuation) -> Option<usize> {
        if let Some(number) = self.places[..self.count].iter().position(|known| *known == place) {
            return Some(number);
        }
        let number = self.count;
        *self.places.get_mut(number)? = place;
        self.count += 1;
        Some(number)
    }

    /// Whether all these characters lead from a place back to it.
    #[inline]
    fn stays(&mut self, grammar: &GrammarView<'_>, at: usize, groups: Option<Groups>) -> bool {
        let lex = self.places[at].lex;
        let loops = self.loops[at].get_or_insert_with(|| Groups::ALL.without(stray(grammar, lex, lex)));
        groups.is_some_and(|groups| groups.are_among(*loops))
    }

    /// The step of a byte from a place: the number of the next place, [`DEAD`] or [`BEYOND`]; and [`MAY_END`].
    #[inline]
    fn step(&mut self, grammar: &GrammarView<'_>, at: usize, byte: u8) -> u8 {
        match self.next[at][usize::from(byte)] {
            UNKNOWN => self.first_step(grammar, at, byte),
            known => known,
        }
    }

    #[cold]
    fn first_step(&mut self, grammar: &GrammarView<'_>, at: usize, byte: u8) -> u8 {
        let (from, symbol) = (self.places[at], grammar.byte_symbol(byte));
        let ends = if may_end_before(grammar, from.lex, symbol) { MAY_END } else { 0 };
        let next = match grammar.next(from.lex, symbol) {
            LexState::DEAD => DEAD,
            lex => self.number(Continuation { lex, ..from }).map_or(BEYOND, |number| number as u8),
        };
        self.next[at][usize::from(byte)] = next | ends;
        next | ends
    }
}

/// A bound on the cost after a token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    /// The least cost of the heads that continue their lexeme: the cost, or more than it.
    pub(super) cost: u32,
    /// Whether there are no other heads.
    pub(super) is_exact: bool,
}

impl Matcher<'_, '_> {
    /// The cost after a token as far as the lexer knows.
    pub(super) fn kept_cost(&mut self, kept: &mut StepMemo<'_>, token: TokenId) -> Result<Bound, Error> {
        if kept.reads_texts {
            return Ok(Bound { cost: NEVER, is_exact: false });
        }
        if let Some(cost) = self.run_cost(&mut kept.runs, &mut kept.search, token)? {
            return Ok(Bound { cost, is_exact: true });
        }
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
            let from = Continuation { head, lex };
            let cost = self.cost_in_lexeme(kept, from, (token, bytes), &mut bound.is_exact)?;
            bound.cost = bound.cost.min(cost);
        }
        Ok(bound)
    }

    /// The cost of a head that continues its lexeme by these bytes. Where the lexeme may end before the last one, `is_exact`
    /// becomes false.
    fn cost_in_lexeme(
        &mut self,
        kept: &mut StepMemo<'_>,
        from: Continuation,
        (token, bytes): (TokenId, &[u8]),
        is_exact: &mut bool,
    ) -> Result<u32, Error> {
        let groups = kept.runs.groups_of(token);
        let StepMemo { steps, slots, search, .. } = kept;
        let Some(steps) = steps else {
            return self.cost_beyond((slots, search), from, bytes, is_exact);
        };
        let Some(mut at) = steps.number(from) else {
            return self.cost_beyond((slots, search), from, bytes, is_exact);
        };
        for (index, &byte) in bytes.iter().enumerate() {
            if steps.stays(self.grammar(), at, groups) {
                break;
            }
            let step = steps.step(self.grammar(), at, byte);
            *is_exact &= step & MAY_END == 0;
            match step & !MAY_END {
                DEAD => return Ok(NEVER),
                BEYOND => {
                    return self.cost_beyond((slots, search), steps.places[at], &bytes[index..], is_exact);
                }
                next => at = usize::from(next),
            }
        }
        if let Some(cost) = steps.costs[at] {
            return Ok(cost);
        }
        let cost = self.cost_at(search, steps.places[at])?;
        steps.costs[at] = Some(cost);
        Ok(cost)
    }

    /// The same without the remembered steps.
    fn cost_beyond(
        &mut self,
        (slots, search): (&mut [(Continuation, u32); SLOTS], &mut Bounded),
        mut at: Continuation,
        bytes: &[u8],
        is_exact: &mut bool,
    ) -> Result<u32, Error> {
        let grammar = self.grammar();
        for &byte in bytes {
            let symbol = grammar.byte_symbol(byte);
            *is_exact &= !may_end_before(grammar, at.lex, symbol);
            at.lex = grammar.next(at.lex, symbol);
            if at.lex == LexState::DEAD {
                return Ok(NEVER);
            }
        }
        let slot = (at.lex.index() + at.head) % SLOTS;
        if slots[slot].0 != at {
            slots[slot] = (at, self.cost_at(search, at)?);
        }
        Ok(slots[slot].1)
    }

    /// The cost of a head in another state of its lexeme; [`NEVER`] if the search has no work left for it.
    pub(super) fn cost_at(&mut self, search: &mut Bounded, place: Continuation) -> Result<u32, Error> {
        let completion = self.completion()?;
        search.cost(self, 1, |matcher| {
            matcher.attempt_and_undo(|matcher| {
                let heads = matcher.scratch.newest();
                let head = Head { lex: place.lex, ..matcher.scratch.head(heads, place.head) };
                matcher.scratch.cost_of_head(matcher.grammar(), completion, head)
            })
        })
    }
}
