//! From what is certain to what is told.

use super::certain::Place;
use super::facts::Ended;
use super::productions::Productions;
use crate::events::Happened;
use gcc_grammar_ir::NonterminalId;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// A rule that has begun at an offset of the text.
pub(super) type Begun = (NonterminalId, usize);

/// Something to tell of a rule whose text is in a range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Change {
    pub(super) happened: Happened,
    pub(super) nonterminal: NonterminalId,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// What is told when these rules have ended and these have begun: each rule begins once before it ends. `begun` are the rules that were told to have begun and
/// not to have ended, before and afterwards.
pub(super) fn changes(
    ended: &BTreeSet<Ended>,
    open: &[Place],
    begun: &mut Vec<Begun>,
    productions: &Productions<'_>,
) -> Vec<Change> {
    let mut changes = Vec::new();
    let open: BTreeSet<Begun> = open
        .iter()
        .filter(|place| productions.name(place.nonterminal).is_some())
        .map(|place| (place.nonterminal, place.start))
        .collect();
    let mut left = begun.clone();
    let mut begin = |rule: Begun, end: usize| match left.iter().position(|&known| known == rule) {
        Some(known) => drop(left.swap_remove(known)),
        None => {
            begun.push(rule);
            changes.push(Change { happened: Happened::Began, nonterminal: rule.0, start: rule.1, end });
        }
    };
    for &rule in &open {
        begin(rule, usize::MAX);
    }
    for &Ended { nonterminal, start, end } in ended {
        begin((nonterminal, start), end);
    }
    for &Ended { nonterminal, start, end } in ended {
        if let Some(known) = begun.iter().position(|&known| known == (nonterminal, start)) {
            begun.swap_remove(known);
        }
        changes.push(Change { happened: Happened::Ended, nonterminal, start, end });
    }
    // In the order of the text; what ends comes before what begins there; outer rules begin first and end last.
    changes.sort_by_key(|change| {
        let rank = productions.rank(change.nonterminal);
        match change.happened {
            Happened::Began => (change.start, true, Reverse(change.end), Reverse(rank)),
            _ => (change.end, false, Reverse(change.start), Reverse(u32::MAX - rank)),
        }
    });
    changes
}
