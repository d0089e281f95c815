//! Finds lexer states that a short string cannot distinguish.
//!
//! In: the lexer, and the length of the longest token. Out: [`KEquivalence`], for every state its class under
//! k-equivalence for k = 1, 2, 3, … 32, 48, 64, 96, … up to the longest token.
//!
//! Two states are k-equivalent if reading at most k symbols gives the same from both: lexemes that may end,
//! pending terminals, end classes. Terminals are compared by their positions among the pending terminals at
//! the start of the reading, so that the result of one state is the result of the other up to a
//! [renaming](super::renaming).
//!
//! A subtree of the trie that is `k` high cannot distinguish k-equivalent states: they share its walk.
//! Therefore `maxLength: 10000` costs no more walks than tokens are long, and strings of a hundred properties
//! with different lengths cost no more than one string.
//!
//! This is Moore's partition refinement, stopped early; a long counting chain costs a handful of states per
//! round ([`Partition`]).

mod signature;
#[cfg(test)]
mod tests;

use super::renaming::{MAX_RENAMED, positions};
use crate::csr::Csr;
use crate::ids::LexState;
use crate::lexer::Lexer;
use crate::partition::{Partition, number};
use gcc_grammar_ir::index_newtype;
use gcc_grammar_limits::{Budget, OverBudget};
use signature::Signatures;

index_newtype! { vis pub(super),
    /// A class of k-equivalent lexer states, for a certain k.
    ClassId;
}

/// The partitions of the lexer states for increasing k.
pub(super) struct KEquivalence {
    /// Per partition: the class of each state. Partitions are sorted by k. There is at least one; for a
    /// larger k the last one holds.
    classes: Vec<Vec<ClassId>>,
    /// Per height (255: that or more): the index of its partition.
    of_height: Vec<u8>,
}

impl KEquivalence {
    /// Partitions for strings of up to `longest` symbols.
    pub(super) fn new(
        lexer: &Lexer,
        longest: usize,
        renaming: bool,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        let most_renamed = if renaming { MAX_RENAMED } else { 0 };
        let mut partition = initial(lexer, most_renamed);
        let mut signatures = Signatures::new(lexer, most_renamed);
        let mut classes = Vec::new();
        let mut of_height = vec![0];
        let mut rounds = 0;
        // A height is at most 255. For longer tokens the partition is refined until it is stable.
        let longest = if longest < 255 { longest } else { usize::MAX };
        while classes.is_empty() || (partition.dirty() > 0 && rounds < longest) {
            let until = if classes.len() < 37 { length(classes.len()) } else { usize::MAX };
            while rounds < until && partition.dirty() > 0 {
                budget.charge_work((partition.dirty() * lexer.classes / 8) as u64 + 1)?;
                partition.round(|state, class_of, signature| {
                    signatures.append(LexState(state), class_of, signature);
                });
                rounds += 1;
            }
            budget.charge_bytes(lexer.states() as u64 * 4)?;
            of_height.resize(until.min(255) + 1, classes.len() as u8);
            classes.push(partition.class_of().iter().map(|&class| ClassId(class)).collect());
            rounds = rounds.max(until);
        }
        of_height.resize(256, classes.len() as u8 - 1);
        Ok(Self { classes, of_height })
    }

    /// Every state in a class of its own.
    pub(super) fn none(lexer: &Lexer) -> Self {
        Self { classes: vec![(0..lexer.states()).map(ClassId::new).collect()], of_height: vec![0; 256] }
    }

    /// Per state: its class among the states that no token distinguishes.
    pub(super) fn token_classes(&self) -> &[ClassId] {
        &self.classes[usize::from(self.of_height[usize::from(u8::MAX)])]
    }

    /// The last state of each of the [`token_classes`](Self::token_classes).
    pub(super) fn representatives(&self) -> Vec<LexState> {
        let class_of = self.token_classes();
        let classes = class_of.iter().max().map_or(0, |&last| last.index() + 1);
        let mut representatives = vec![LexState::DEAD; classes];
        for (state, &class) in class_of.iter().enumerate() {
            representatives[class.index()] = LexState::new(state);
        }
        representatives
    }

    /// The class of `state` among the states that strings of up to `height` symbols do not distinguish; 255
    /// stands for any number.
    pub(super) fn class(&self, height: u8, state: LexState) -> ClassId {
        self.classes[usize::from(self.of_height[usize::from(height)])][state.index()]
    }
}

/// The k of a partition: 1, 2, 3, … 32, since most tokens are no longer; then 48, 64, 96, …
fn length(index: usize) -> usize {
    match index {
        0..32 => index + 1,
        _ if index.is_multiple_of(2) => 48 << ((index - 32) / 2),
        _ => 64 << ((index - 33) / 2),
    }
}

/// The partition for k = 0. The first round will look at every state.
fn initial(lexer: &Lexer, most_renamed: usize) -> Partition {
    let key = |s: usize| {
        let (pending, accepts) = (lexer.pending(LexState::new(s)), lexer.accepts.row(s));
        let end = if accepts.is_empty() { None } else { Some(lexer.end_class[s]) };
        let exact = (pending.len() > most_renamed).then_some((lexer.pending[s], accepts));
        let positions = if exact.is_some() { 0 } else { positions(pending, accepts) };
        (pending.len(), exact, positions, end)
    };
    let class_of = number((0..lexer.states()).map(key));
    let edges = (0..lexer.states() as u32).flat_map(|from| {
        let targets = lexer.rows.targets(LexState(from)).iter();
        targets.map(move |to| (from, to.index()))
    });
    Partition::new(class_of, Csr::inverse(lexer.states(), edges))
}
