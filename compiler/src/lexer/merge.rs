//! Merges lexical contexts that do not conflict.
//!
//! In: the distinct contexts. Out: fewer contexts that are supersets of them. Used under longest match only,
//! where a programming language would otherwise get a complete lexer per context.
//!
//! Two contexts are merged if no terminal of one conflicts with a terminal of the other, so that the merged
//! context splits every text as the separate contexts do (tree-sitter's token conflict map). Terminals that
//! the parser refuses in a state are still refused there. A terminal that the parser would take but that is
//! withheld from a context is never added to it.

use super::context::{Contexts, Withheld};
use super::subsets::{SubsetId, Subsets};
use crate::ids::ContextId;
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::OverBudget;
use rustc_hash::FxHashSet;

/// Most subsets that are explored to find conflicts. If there are more, contexts are not merged.
const MAX_SUBSETS: usize = 20_000;

/// Merges contexts that do not conflict, greedily, the largest first.
pub(super) fn merge(
    contexts: &mut Contexts,
    withheld: &Withheld,
    subsets: &mut Subsets<'_>,
) -> Result<(), OverBudget> {
    if contexts.terminals.len() <= 1 {
        return Ok(());
    }
    let Some(conflicts) = conflict_map(contexts, subsets)? else { return Ok(()) };
    let words = subsets.terminal_count().div_ceil(64);
    subsets.budget.charge_bytes((contexts.terminals.len() * words * 16) as u64)?;
    let mut order: Vec<usize> = (0..contexts.terminals.len()).collect();
    order.sort_by_key(|&c| (std::cmp::Reverse(contexts.terminals[c].len()), c));
    let mut merged: Vec<Merged> = Vec::new();
    let mut new_id = vec![ContextId(0); order.len()];
    for c in order {
        let compared: usize = merged.iter().map(|merged| merged.members.len() + 1).sum();
        subsets.budget.charge_work(((compared + contexts.terminals[c].len()) * words) as u64 / 4 + 1)?;
        let mut member = Member::new(&contexts.terminals[c], &conflicts, words);
        // Contexts of terminals that do not compete stay as they are.
        if contexts.terminals[c].iter().any(|&t| !subsets.competes(t)) {
            member.threats.fill(u64::MAX);
        }
        withheld[c].iter().for_each(|t| set_bit(&mut member.threats, *t));
        let found = merged.iter().position(|m| m.admits(&member));
        let id = found.unwrap_or_else(|| {
            merged.push(Merged { all: vec![0; words], members: Vec::new() });
            merged.len() - 1
        });
        merged[id].all.iter_mut().zip(&member.set).for_each(|(a, b)| *a |= b);
        merged[id].members.push(member);
        new_id[c] = ContextId::new(id);
    }
    contexts.terminals = merged.iter().map(|m| bits(&m.all).map(TerminalId::new).collect()).collect();
    contexts.of_state.iter_mut().for_each(|c| *c = new_id[c.index()]);
    Ok(())
}

/// A context as a bit set, and its threats: the terminals that conflict with a terminal of the context or are
/// withheld from it.
struct Member {
    set: Vec<u64>,
    threats: Vec<u64>,
}

impl Member {
    fn new(terminals: &[TerminalId], conflicts: &[Vec<u64>], words: usize) -> Self {
        let mut out = Self { set: vec![0; words], threats: vec![0; words] };
        for t in terminals {
            set_bit(&mut out.set, *t);
            out.threats.iter_mut().zip(&conflicts[t.index()]).for_each(|(a, b)| *a |= b);
        }
        out
    }

    /// Whether the context splits every text as before if it also has the terminals of `all`.
    fn is_unaffected_by(&self, all: impl Iterator<Item = u64>) -> bool {
        all.zip(&self.set).zip(&self.threats).all(|((all, own), bad)| all & !own & bad == 0)
    }
}

/// Contexts that are merged, and the union of their terminals.
struct Merged {
    all: Vec<u64>,
    members: Vec<Member>,
}

impl Merged {
    /// Whether no context is affected if `new` joins.
    fn admits(&self, new: &Member) -> bool {
        let union = || self.all.iter().zip(&new.set).map(|(a, b)| a | b);
        new.is_unaffected_by(union()) && self.members.iter().all(|m| m.is_unaffected_by(union()))
    }
}

/// Per terminal T: the set of terminals that conflict with T, because they match a text of T and win the tie,
/// may match a longer text, or are lazy and match a beginning of a text of T. `None` if the automaton of all terminals together is too large.
fn conflict_map(contexts: &Contexts, subsets: &mut Subsets<'_>) -> Result<Option<Vec<Vec<u64>>>, OverBudget> {
    let words = subsets.terminal_count().div_ceil(64);
    subsets.budget.charge_bytes((subsets.terminal_count() * (words * 8 + 24)) as u64)?;
    let mut out = vec![vec![0u64; words]; subsets.terminal_count()];
    let mut all: Vec<TerminalId> = contexts.terminals.iter().flatten().copied().collect();
    all.sort_unstable();
    all.dedup();
    let start = subsets.start(&all)?;
    let mut seen: FxHashSet<SubsetId> = FxHashSet::from_iter([start]);
    let mut open = vec![start];
    while let Some(subset) = open.pop() {
        if seen.len() > MAX_SUBSETS {
            return Ok(None);
        }
        let accepting = subsets.accepting_by_precedence(subset);
        subsets.budget.charge_work((accepting.len() * words / 4 + subsets.pairs(subset).len()) as u64)?;
        // The terminals that match a longer text, or win the tie; the second set without the terminals that share ties.
        let mut stronger = vec![0; words];
        let longer = subsets.pairs(subset).iter().filter(|&&pair| subsets.can_continue(pair));
        longer.for_each(|pair| set_bit(&mut stronger, pair.0));
        let mut stronger_alone = stronger.clone();
        for t in accepting {
            let shares = subsets.shares_ties(t);
            let stronger_than_t = if shares { &stronger_alone } else { &stronger };
            out[t.index()].iter_mut().zip(stronger_than_t).for_each(|(row, stronger)| *row |= stronger);
            set_bit(&mut stronger, t);
            if !shares {
                set_bit(&mut stronger_alone, t);
            }
        }
        let lazy: Vec<TerminalId> = subsets.lazy_ends(subset);
        for index in 0..if lazy.is_empty() { 0 } else { subsets.pairs(subset).len() } {
            let (other, _) = subsets.pairs(subset)[index];
            lazy.iter().filter(|&&t| t != other).for_each(|&t| set_bit(&mut out[other.index()], t));
        }
        for (_, next) in subsets.all_successors(subset)? {
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    Ok(Some(out))
}

fn set_bit(words: &mut [u64], t: TerminalId) {
    words[t.index() / 64] |= 1 << (t.index() % 64);
}

fn bits(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    (0..words.len() * 64).filter(|&b| words[b / 64] >> (b % 64) & 1 == 1)
}
