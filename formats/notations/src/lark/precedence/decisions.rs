//! Decisions between reducing by a complete alternative and shifting a terminal, by their levels of precedence.
//!
//! As in yacc: the tighter level wins, and between equal levels the associativity decides (Aho, Johnson, Ullman, "Deterministic parsing of
//! ambiguous grammars", CACM 1975). Where no level is declared, both possibilities stay.

use super::levels::{Level, TerminalLevels};
use crate::lark::ast::Associativity;
use gcc_grammar_ir::TerminalId;
use rustc_hash::FxHashSet;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// What the parser does when an alternative is complete and a terminal follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Decision {
    Reduce,
    Shift,
    /// Neither, since the operators are not associative.
    Refuse,
    /// Either, since nothing is declared.
    Explore,
}

impl Decision {
    pub(super) const fn reduces(self) -> bool {
        matches!(self, Self::Reduce | Self::Explore)
    }

    pub(super) const fn shifts(self) -> bool {
        matches!(self, Self::Shift | Self::Explore)
    }
}

/// The decisions about one rule.
pub(super) struct Decisions<'l> {
    /// The levels of terminals in this rule.
    pub(super) levels: &'l TerminalLevels,
    /// The ranks of the levels that were compared.
    pub(super) compared: FxHashSet<u32>,
    /// Whether a following position has terminals of different decisions, so that the ambiguity stays.
    pub(super) mixed: bool,
}

impl<'l> Decisions<'l> {
    pub(super) fn new(levels: &'l TerminalLevels) -> Self {
        Self { levels, compared: FxHashSet::default(), mixed: false }
    }

    /// The decision after an alternative of this level when one of these terminals follows.
    pub(super) fn decide(&mut self, level: Option<Level>, terminals: &BTreeSet<TerminalId>) -> Decision {
        let mut decisions = terminals.iter().map(|terminal| match (level, self.levels.get(terminal)) {
            (Some(left), Some(right)) => {
                self.compared.extend([left.rank, right.rank]);
                left.against(*right)
            }
            _ => Decision::Explore,
        });
        let Some(decision) = decisions.next() else { return Decision::Explore };
        if decisions.all(|other| other == decision) {
            return decision;
        }
        self.mixed = true;
        Decision::Explore
    }
}

impl Level {
    /// The decision after an alternative of this level when a terminal of another level follows.
    fn against(self, terminal: Self) -> Decision {
        match (self.rank.cmp(&terminal.rank), self.associativity) {
            (Ordering::Greater, _) | (Ordering::Equal, Associativity::Left) => Decision::Reduce,
            (Ordering::Less, _) | (Ordering::Equal, Associativity::Right) => Decision::Shift,
            (Ordering::Equal, Associativity::Neither) => Decision::Refuse,
        }
    }
}
