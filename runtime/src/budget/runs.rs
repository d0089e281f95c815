//! What tokens cost whose characters all go on alike with the lexeme.
//!
//! Inside a string, nearly all of the 100,000 tokens that may come are whole characters for which the lexer makes no difference: each leads
//! to the next of a sequence of states, which is the same state again unless the string counts its characters. So the state after such a
//! token, and with it the cost, follows from the number of its characters, and its bytes need not be read.

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::ids::{LexState, TokenId};

use super::kept::{Kept, Place, may_end_before};
use crate::characters::{Characters, Groups};
use crate::error::Error;
use crate::matcher::Matcher;

/// The length of the sequence. Longer tokens are read byte by byte.
const MOST: usize = 48;
/// Characters of which the first that goes on with the lexeme decides where the others have to lead.
const LEADERS: [u8; 6] = *b"e0 !-E";

/// The states that a lexeme passes with each character, for the only head.
pub(super) struct Runs<'a> {
    /// What each token is made of.
    characters: &'a [Characters],
    /// Per number of characters, less one: the groups all of whose characters led along the sequence so far, and the cost behind it.
    steps: [(Groups, u32); MOST],
    known: usize,
    /// The state behind the known steps.
    last: LexState,
    /// Whether it is the state for all further characters, too.
    is_fixed: bool,
}

impl<'a> Runs<'a> {
    /// No token is described.
    pub(super) const NONE: Self = Self::from(LexState::DEAD, &[]);

    const fn from(start: LexState, characters: &'a [Characters]) -> Self {
        let steps = [(Groups::NONE, super::NEVER); MOST];
        Self { characters, steps, known: 0, last: start, is_fixed: false }
    }

    /// The groups that can still go on.
    fn groups(&self) -> Groups {
        match self.known {
            0 if self.last == LexState::DEAD => Groups::NONE,
            0 => Groups::ALL,
            known => self.steps[known - 1].0,
        }
    }

    /// The cost after a token; none if the steps that are known do not say it.
    #[inline]
    pub(super) fn cost(&self, token: TokenId) -> Option<u32> {
        let characters = self.characters.get(token.0 as usize)?;
        let count = if self.is_fixed { characters.count().min(self.known) } else { characters.count() };
        let (groups, cost) = self.steps[..self.known].get(count.checked_sub(1)?)?;
        characters.groups().are_among(*groups).then_some(*cost)
    }

    /// The groups of the characters of a token; none if its bytes must be read.
    #[inline]
    pub(super) fn groups_of(&self, token: TokenId) -> Option<Groups> {
        self.characters.get(token.0 as usize).filter(|token| token.count() > 0).map(|token| token.groups())
    }

    /// Whether a further step may say the cost after a token.
    fn lacks_step_for(&self, token: TokenId) -> bool {
        let count = self.characters.get(token.0 as usize).map_or(0, |token| token.count());
        self.known < count.min(MOST) && !self.is_fixed && self.groups() != Groups::NONE
    }
}

impl<'a> Matcher<'a, '_> {
    /// The sequence of the only head, without steps; none of several heads, or where a token that has characters is also matched by its id.
    pub(super) fn runs(&self) -> Runs<'a> {
        let characters = self.engine().tokens.characters();
        let is_text = |TokenId(id)| characters.get(id as usize).is_some_and(|token| token.count() > 0);
        match self.only_head() {
            Some(head) if !self.grammar().special_tokens().any(is_text) => Runs::from(head.lex, characters),
            _ => Runs::NONE,
        }
    }

    /// The cost after a token that only goes on with the lexeme, if its number of characters says it.
    pub(super) fn run_cost(&mut self, kept: &mut Kept<'_>, token: TokenId) -> Result<Option<u32>, Error> {
        while kept.runs.lacks_step_for(token) {
            self.extend(kept)?;
        }
        Ok(kept.runs.cost(token))
    }

    /// Adds a step to the sequence.
    #[cold]
    fn extend(&mut self, kept: &mut Kept<'_>) -> Result<(), Error> {
        let (grammar, from) = (self.grammar(), kept.runs.last);
        let mut nexts = LEADERS.iter().map(|&byte| grammar.next(from, grammar.byte_symbol(byte)));
        let to = nexts.find(|&state| state != LexState::DEAD).unwrap_or(LexState::DEAD);
        let groups = kept.runs.groups().without(stray(grammar, from, to));
        let cost = match groups == Groups::NONE {
            true => super::NEVER,
            false => self.cost_at(&mut kept.search, Place { head: 0, lex: to })?,
        };
        let runs = &mut kept.runs;
        runs.steps[runs.known] = (groups, cost);
        runs.known += 1;
        runs.is_fixed = to == from;
        runs.last = to;
        Ok(())
    }
}

/// The groups with a character that does not lead from one state to the other, or before which the lexeme may end.
pub(super) fn stray(grammar: &GrammarView<'_>, from: LexState, to: LexState) -> Groups {
    if to == LexState::DEAD {
        return Groups::ALL;
    }
    let mut stray = if wide_lead_to(grammar, from, to) { Groups::NONE } else { Groups::WIDE };
    let mut last = None;
    for byte in 0..0x80 {
        let symbol = grammar.byte_symbol(byte);
        let leads = match last {
            Some((known, leads)) if known == symbol => leads,
            _ => grammar.next(from, symbol) == to && !may_end_before(grammar, from, symbol),
        };
        if !leads {
            stray = stray.with(Groups::of(byte));
        }
        last = Some((symbol, leads));
    }
    stray
}

/// Whether every character that is not ASCII leads from one state to the other, and the lexeme cannot end before it or within it.
fn wide_lead_to(grammar: &GrammarView<'_>, from: LexState, to: LexState) -> bool {
    let mut last = None;
    (0xc2..=0xf4).all(|lead: u8| {
        let symbol = grammar.byte_symbol(lead);
        let (second, rest) = continuations(lead);
        let known = (symbol, second, rest);
        if last == Some(known) {
            return true;
        }
        last = Some(known);
        let mut at =
            if may_end_before(grammar, from, symbol) { None } else { Some(grammar.next(from, symbol)) };
        for (low, high) in core::iter::once(second).chain((0..rest).map(|_| (0x80, 0xbf))) {
            at = at
                .filter(|&state| grammar.accepts(state).len() == 0)
                .and_then(|at| common(grammar, at, low, high));
        }
        at == Some(to)
    })
}

/// The least and the greatest second byte of a character in UTF-8, and the number of bytes after it (RFC 3629, section 4).
const fn continuations(lead: u8) -> ((u8, u8), usize) {
    match lead {
        0xe0 => ((0xa0, 0xbf), 1),
        0xed => ((0x80, 0x9f), 1),
        0xe1..=0xef => ((0x80, 0xbf), 1),
        0xf0 => ((0x90, 0xbf), 2),
        0xf4 => ((0x80, 0x8f), 2),
        0xf1..=0xf3 => ((0x80, 0xbf), 2),
        _ => ((0x80, 0xbf), 0),
    }
}

/// The state to which all these bytes lead.
fn common(grammar: &GrammarView<'_>, from: LexState, low: u8, high: u8) -> Option<LexState> {
    let symbol = grammar.byte_symbol(low);
    let to = grammar.next(from, symbol);
    let leads = |byte| {
        let other = grammar.byte_symbol(byte);
        other == symbol || grammar.next(from, other) == to
    };
    (low..=high).all(leads).then_some(to)
}
