//! From certain facts to the facts that are told.

use super::certain::{Begun, Certain};
use super::facts::Ended;
use super::productions::Productions;
use crate::inspect::events::Happened;
use gcc_grammar_ir::NonterminalId;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Something to tell of a rule whose text is in a range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Change {
    pub(super) happened: Happened,
    pub(super) nonterminal: NonterminalId,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// How many rules were told to have begun at each place, and not to have ended.
pub(super) type Pending = BTreeMap<Begun, usize>;

/// What is told of what is certain: each rule begins once before it ends. `pending` is as it was before, and becomes what it is afterwards.
pub(super) fn changes(
    Certain { ended, open, begun, .. }: &Certain,
    pending: &mut Pending,
    productions: &Productions<'_>,
) -> Vec<Change> {
    let named = open.iter().filter(|place| productions.name(place.nonterminal).is_some());
    // Of the rules that begin at the same place, one is open at most.
    let mut rules: BTreeMap<Begun, Vec<usize>> = BTreeMap::new();
    for place in named {
        rules.insert((place.nonterminal, place.start), vec![usize::MAX]);
    }
    for &Ended { nonterminal, start, end } in ended {
        rules.entry((nonterminal, start)).or_default().push(end);
    }
    for &rule in begun {
        rules.entry(rule).or_insert_with(|| vec![usize::MAX]);
    }
    let mut changes = Vec::new();
    for ((nonterminal, start), ends) in rules {
        let known = pending.entry((nonterminal, start)).or_default();
        let new = ends.iter().skip(*known);
        changes.extend(new.map(|&end| Change { happened: Happened::Began, nonterminal, start, end }));
        let begun = (*known).max(ends.len());
        *known = begun - ends.iter().filter(|&&end| end != usize::MAX).count();
    }
    pending.retain(|_, count| *count > 0);
    changes.extend(ended.iter().map(|&Ended { nonterminal, start, end }| Change {
        happened: Happened::Ended,
        nonterminal,
        start,
        end,
    }));
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
