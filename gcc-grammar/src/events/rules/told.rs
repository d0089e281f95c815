//! From what is certain to what is told.

use super::certain::{Begun, Certain};
use super::facts::Ended;
use super::productions::Productions;
use crate::events::Happened;
use gcc_grammar_ir::NonterminalId;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Something to tell of a rule whose text is in a range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Change {
    pub(super) happened: Happened,
    pub(super) nonterminal: NonterminalId,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// What is told of what is certain: each rule begins once before it ends. `begun` are the rules that were told to have begun and not to have ended, before and
/// afterwards.
pub(super) fn changes(
    Certain { ended, open, begun: certain, .. }: &Certain,
    begun: &mut Vec<Begun>,
    productions: &Productions<'_>,
) -> Vec<Change> {
    let ended_now = ended.iter().map(|ended| ((ended.nonterminal, ended.start), ended.end));
    // Of the rules that begin at the same place, one is open at most.
    let named = open.iter().filter(|place| productions.name(place.nonterminal).is_some());
    let open: BTreeSet<Begun> = named.map(|place| (place.nonterminal, place.start)).collect();
    let mut rules: Vec<(Begun, usize)> =
        open.iter().map(|&rule| (rule, usize::MAX)).chain(ended_now).collect();
    let others: Vec<Begun> =
        certain.iter().copied().filter(|rule| rules.iter().all(|(known, _)| known != rule)).collect();
    rules.extend(others.into_iter().map(|rule| (rule, usize::MAX)));
    let mut changes = Vec::new();
    let mut left = begun.clone();
    for (rule, end) in rules {
        match left.iter().position(|&known| known == rule) {
            Some(known) => drop(left.swap_remove(known)),
            None => {
                begun.push(rule);
                changes.push(Change { happened: Happened::Began, nonterminal: rule.0, start: rule.1, end });
            }
        }
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
