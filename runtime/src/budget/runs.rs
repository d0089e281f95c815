//! The costs of tokens whose characters all continue the lexeme alike.
//!
//! Inside a string, nearly all of the 100,000 tokens that may come are whole characters for which the lexer makes no difference: each leads
//! to the next of a sequence of states, which is the same state again unless the string counts its characters. So the state after such a
//! token, and with it the cost, follows from the number of its characters, and its bytes need not be read. The first character may make a
//! difference, as at the beginning of a key that may be a declared one: there is a sequence for each state that it leads to.

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::ids::{LexState, TokenId};

use super::lexeme::{Continuation, may_end_before, stray, wide_lead_to};
use super::search::Bounded;
use super::state::NEVER;
use crate::characters::{Characters, FIRST_WIDE, Groups};
use crate::error::Error;
use crate::matcher::Matcher;

/// The length of a sequence. Longer tokens are read byte by byte.
const MOST: usize = 32;
/// The number of sequences. Tokens whose first characters lead to further states are read byte by byte.
const SEQUENCES: usize = 8;
/// Characters of which the first that continues the lexeme decides where the others have to lead.
const LEADERS: [u8; 6] = *b"e0 !-E";

/// The most groups of characters that do not continue a lexeme that is text: in strings the quotation mark, the backslash and control
/// characters.
const FEW_STRAY: u32 = 8;

/// It is not known where a first character leads.
const UNKNOWN: u8 = 0xff;
/// A first character leads to no sequence.
const NONE: u8 = 0xfe;

/// The sequences of states that a lexeme passes with each character, for the only head.
pub(super) struct Runs<'a> {
    /// What each token is made of.
    characters: &'a [Characters],
    /// The lexer state of the head.
    start: LexState,
    /// Per first character: the number of its sequence, [`UNKNOWN`] or [`NONE`].
    firsts: [u8; FIRST_WIDE as usize + 1],
    sequences: [Sequence; SEQUENCES],
    count: usize,
}

/// The states after a first character and after each further one.
#[derive(Clone, Copy)]
struct Sequence {
    /// The state after the first character.
    start: LexState,
    /// Per number of characters, less one: the groups all of whose characters led along the sequence so far, and the cost behind it.
    steps: [(Groups, u32); MOST],
    known: usize,
    /// The state behind the known steps.
    last: LexState,
    /// Whether it is the state for all further characters, too.
    is_fixed: bool,
}

impl Sequence {
    const NONE: Self = Self {
        start: LexState::DEAD,
        steps: [(Groups::NONE, NEVER); MOST],
        known: 0,
        last: LexState::DEAD,
        is_fixed: false,
    };

    fn add(&mut self, groups: Groups, cost: u32, to: LexState) {
        self.is_fixed = self.known > 0 && to == self.last;
        self.steps[self.known] = (groups, cost);
        self.known += 1;
        self.last = to;
    }

    /// The groups that can still continue.
    fn groups(&self) -> Groups {
        self.steps[self.known - 1].0
    }

    /// Whether a further step may say the cost after a token.
    fn lacks_step_for(&self, token: Characters) -> bool {
        self.known < token.count().min(MOST) && !self.is_fixed && self.groups() != Groups::NONE
    }
}

impl<'a> Runs<'a> {
    /// No token is described.
    pub(super) const NONE: Self = Self::from(LexState::DEAD, &[]);

    const fn from(start: LexState, characters: &'a [Characters]) -> Self {
        let firsts = [UNKNOWN; FIRST_WIDE as usize + 1];
        Self { characters, start, firsts, sequences: [Sequence::NONE; SEQUENCES], count: 0 }
    }

    /// The cost after a token; none if the steps that are known do not say it.
    #[inline]
    pub(super) fn cost(&self, token: TokenId) -> Option<u32> {
        let token = self.characters.get(token.0 as usize)?;
        let sequence = self.sequences.get(usize::from(*self.firsts.get(usize::from(token.first()))?))?;
        let count = if sequence.is_fixed { token.count().min(sequence.known) } else { token.count() };
        let (groups, cost) = sequence.steps[..sequence.known].get(count.checked_sub(1)?)?;
        token.groups().are_among(*groups).then_some(*cost)
    }

    /// The groups of the characters of a token; none if its bytes must be read.
    #[inline]
    pub(super) fn groups_of(&self, token: TokenId) -> Option<Groups> {
        self.described(token).map(Characters::groups)
    }

    fn described(&self, token: TokenId) -> Option<Characters> {
        self.characters.get(token.0 as usize).copied().filter(|token| token.count() > 0)
    }
}

impl<'a> Matcher<'a, '_> {
    /// The sequences of the only head, without steps; none of several heads, or where a token that has characters is also matched by its id.
    pub(super) fn runs(&self) -> Runs<'a> {
        let characters = self.engine().tokens.characters();
        let is_text = |TokenId(id)| characters.get(id as usize).is_some_and(|token| token.count() > 0);
        match self.only_head() {
            Some(head) if !self.grammar().special_tokens().any(is_text) => Runs::from(head.lex, characters),
            _ => Runs::NONE,
        }
    }

    /// Whether nearly all characters continue the lexeme of the only head alike, once the first one was read: most tokens need not be read then.
    pub(super) fn is_in_text(&self) -> bool {
        let grammar = self.grammar();
        let Some(head) = self.only_head() else { return false };
        LEADERS.iter().any(|&first| {
            let from = grammar.next(head.lex, grammar.byte_symbol(first));
            from != LexState::DEAD && stray(grammar, from, after_leader(grammar, from)).count() <= FEW_STRAY
        })
    }

    /// The cost after a token that only continues the lexeme, if its first character and the number of the others say it.
    pub(super) fn run_cost(
        &mut self,
        runs: &mut Runs<'_>,
        search: &mut Bounded,
        token: TokenId,
    ) -> Result<Option<u32>, Error> {
        let Some(described) = runs.described(token) else { return Ok(None) };
        let first = usize::from(described.first());
        if runs.firsts[first] == UNKNOWN {
            runs.firsts[first] = self.begin_run(runs, search, described.first())?;
        }
        let number = usize::from(runs.firsts[first]);
        while runs.sequences.get(number).is_some_and(|sequence| sequence.lacks_step_for(described)) {
            self.extend(runs, search, number)?;
        }
        Ok(runs.cost(token))
    }

    /// The number of the sequence to which a first character leads, or [`NONE`].
    #[cold]
    fn begin_run(&mut self, runs: &mut Runs<'_>, search: &mut Bounded, first: u8) -> Result<u8, Error> {
        let Some(start) = after_first(self.grammar(), runs.start, first) else { return Ok(NONE) };
        let known = runs.sequences[..runs.count].iter().position(|sequence| sequence.start == start);
        let number = known.unwrap_or(runs.count);
        if number == SEQUENCES {
            return Ok(NONE);
        }
        if known.is_none() {
            let cost = self.cost_at(search, Continuation { head: 0, lex: start })?;
            let sequence = &mut runs.sequences[number];
            sequence.start = start;
            sequence.add(Groups::ALL, cost, start);
            runs.count += 1;
        }
        Ok(number as u8)
    }

    /// Adds a step to a sequence.
    #[cold]
    fn extend(&mut self, runs: &mut Runs<'_>, search: &mut Bounded, number: usize) -> Result<(), Error> {
        let (grammar, sequence) = (self.grammar(), &runs.sequences[number]);
        let from = sequence.last;
        let to = after_leader(grammar, from);
        let groups = sequence.groups().without(stray(grammar, from, to));
        let cost = match groups == Groups::NONE {
            true => NEVER,
            false => self.cost_at(search, Continuation { head: 0, lex: to })?,
        };
        runs.sequences[number].add(groups, cost, to);
        Ok(())
    }
}

/// The state after the first of the [`LEADERS`] that continues the lexeme.
fn after_leader(grammar: &GrammarView<'_>, from: LexState) -> LexState {
    let mut nexts = LEADERS.iter().map(|&byte| grammar.next(from, grammar.byte_symbol(byte)));
    nexts.find(|&state| state != LexState::DEAD).unwrap_or(LexState::DEAD)
}

/// The state after a first character; none if the lexeme may end before it, cannot continue with it, or if characters that are not ASCII lead to
/// several states.
fn after_first(grammar: &GrammarView<'_>, from: LexState, first: u8) -> Option<LexState> {
    if first < FIRST_WIDE {
        let symbol = grammar.byte_symbol(first);
        let to = grammar.next(from, symbol);
        return (to != LexState::DEAD && !may_end_before(grammar, from, symbol)).then_some(to);
    }
    let some = "é".bytes().fold(from, |state, byte| grammar.next(state, grammar.byte_symbol(byte)));
    (some != LexState::DEAD && wide_lead_to(grammar, from, some)).then_some(some)
}
