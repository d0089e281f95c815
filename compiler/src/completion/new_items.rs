//! What an item costs that differs from all before it.
//!
//! In: the automaton of an item. Out: [`NewItem`]: per state a number of bytes that suffices to end the item unlike any texts that are remembered, whose
//! number has 30 bits at most.
//!
//! From a state where `k` bytes or more lead to states of the same kind, one of them has at most a `k`-th of the remembered texts behind it. So after
//! as many bytes as the number of texts has digits to the base `k`, none is left. Where there are finitely many texts, the longest one bounds all; of
//! few, it is known how far each is like another one.

use super::tokens::Tokens;
use gcc_grammar_limits::{Budget, OverBudget};
use gcc_grammar_regular::Dfa;

/// The numbers of bytes that are tried, each with the digits of 2^30: a scratch has fewer items.
const BRANCHES: [(usize, u32); 4] = [(64, 5), (8, 10), (4, 15), (2, 30)];
/// The numbers of bytes to the end that are tried.
const ENDS: usize = 8;
/// There is no such number.
const NEVER: u32 = u32::MAX;

/// The most texts that are compared with each other, and the bytes of each.
const FEW: (usize, u32) = (512, 512);

/// Numbers that suffice.
pub(super) struct NewItem {
    /// From the beginning, in tokens.
    pub(super) whole: u32,
    /// From any state, in bytes.
    pub(super) most: u32,
}

/// The numbers; `None` if there are none.
pub(super) fn new_item(
    dfa: &Dfa,
    tokens: &Tokens<'_>,
    budget: &Budget,
) -> Result<Option<NewItem>, OverBudget> {
    let states = dfa.state_count();
    budget.charge_work((dfa.cells() * (2 + BRANCHES.len() * ENDS)) as u64)?;
    let mut before: Vec<Vec<(usize, usize)>> = vec![Vec::new(); states];
    for state in 0..states {
        for (low, high, to) in dfa.edges(state as u32) {
            before[to as usize].push((state, usize::from(high - low) + 1));
        }
    }
    let ends = distances(&before, (0..states).filter(|&state| dfa.is_accepting(state as u32)));
    let mut bounds = longest(dfa, &before);
    let mut levels: Vec<u32> = ends.iter().copied().filter(|&end| end != NEVER).collect();
    levels.sort_unstable();
    levels.dedup();
    for &end in levels.iter().take(ENDS) {
        for (branches, digits) in BRANCHES {
            let set = branching(&ends, &before, end, branches);
            let steps = distances(&before, (0..states).filter(|&state| set[state]));
            for (bound, step) in bounds.iter_mut().zip(steps) {
                *bound = step.saturating_add(digits + end).min(*bound);
            }
        }
    }
    let most = bounds.iter().copied().max().unwrap_or(NEVER);
    let few = if bounds[0] <= FEW.1 { few_texts(dfa) } else { None };
    let whole = match few {
        Some(texts) => bounds[0].min(most_of_few(&texts, tokens, budget)?),
        None => bounds[0],
    };
    Ok((most != NEVER).then_some(NewItem { whole, most }))
}

/// The texts, ascending, if they are few.
fn few_texts(dfa: &Dfa) -> Option<Vec<Vec<u8>>> {
    let mut texts = Vec::new();
    let mut open = vec![(0, Vec::new())];
    while dfa.is_finite()
        && let Some((state, text)) = open.pop()
    {
        if dfa.is_accepting(state) {
            texts.push(text.clone());
        }
        for (low, high, to) in dfa.edges(state) {
            open.extend((low..=high).map(|byte| (to, [&text[..], &[byte]].concat())));
        }
        // Each of them leads to a text.
        if texts.len() + open.len() > FEW.0 {
            return None;
        }
    }
    texts.sort_unstable();
    (!texts.is_empty()).then_some(texts)
}

/// The most tokens to the end of a text: a byte at a time as far as it is like another one, and one byte more.
fn most_of_few(texts: &[Vec<u8>], tokens: &Tokens<'_>, budget: &Budget) -> Result<u32, OverBudget> {
    let alike = |a: &[u8], b: &[u8]| a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let mut most = 0;
    for (place, text) in texts.iter().enumerate() {
        let others = [place.checked_sub(1), Some(place + 1)].into_iter().flatten();
        let others = others.filter_map(|other| texts.get(other));
        let alike = others.map(|other| alike(text, other)).max().unwrap_or(0);
        let rests = fewest(text, tokens, budget)?;
        let costs = (0..=alike).map(|read| match rests.get(read + 1) {
            Some(rest) => rest.saturating_add(read as u32 + 1),
            None => read as u32,
        });
        most = costs.max().unwrap_or(0).max(most);
    }
    Ok(most)
}

/// Per place in a text: the fewest tokens that spell what follows.
fn fewest(text: &[u8], tokens: &Tokens<'_>, budget: &Budget) -> Result<Vec<u32>, OverBudget> {
    let mut fewest = vec![NEVER; text.len() + 1];
    fewest[text.len()] = 0;
    for start in (0..text.len()).rev() {
        let mut node = 0;
        for (end, &byte) in text.iter().enumerate().skip(start) {
            budget.charge_work(1)?;
            let Some(child) = tokens.child(node, byte) else { break };
            node = child;
            if !tokens.trie.tokens_at(node).is_empty() {
                fewest[start] = fewest[end + 1].saturating_add(1).min(fewest[start]);
            }
        }
    }
    Ok(fewest)
}

/// Per state: the fewest bytes to one of some states.
fn distances(before: &[Vec<(usize, usize)>], targets: impl Iterator<Item = usize>) -> Vec<u32> {
    let mut distances = vec![NEVER; before.len()];
    let mut open: Vec<usize> = targets.collect();
    open.iter().for_each(|&state| distances[state] = 0);
    let mut next = 0;
    while let Some(&state) = open.get(next) {
        next += 1;
        for &(from, _) in &before[state] {
            if distances[from] == NEVER {
                distances[from] = distances[state] + 1;
                open.push(from);
            }
        }
    }
    distances
}

/// Per state: the bytes of its longest text, if there is one.
fn longest(dfa: &Dfa, before: &[Vec<(usize, usize)>]) -> Vec<u32> {
    let mut longest = vec![NEVER; before.len()];
    let mut left: Vec<usize> = (0..before.len()).map(|state| dfa.edges(state as u32).count()).collect();
    let mut open: Vec<usize> = (0..before.len()).filter(|&state| left[state] == 0).collect();
    while let Some(state) = open.pop() {
        let behind = dfa.edges(state as u32).map(|(.., to)| longest[to as usize] + 1);
        longest[state] = behind.max().unwrap_or(0);
        for &(from, _) in &before[state] {
            left[from] -= 1;
            if left[from] == 0 {
                open.push(from);
            }
        }
    }
    longest
}

/// The largest set of states with so few bytes to an end, from each of which so many bytes lead to states of the set.
fn branching(ends: &[u32], before: &[Vec<(usize, usize)>], end: u32, branches: usize) -> Vec<bool> {
    let mut set: Vec<bool> = ends.iter().map(|&bytes| bytes <= end).collect();
    let mut counts = vec![0; set.len()];
    for state in (0..set.len()).filter(|&state| set[state]) {
        before[state].iter().for_each(|&(from, bytes)| counts[from] += bytes);
    }
    let mut open: Vec<usize> =
        (0..set.len()).filter(|&state| set[state] && counts[state] < branches).collect();
    open.iter().for_each(|&state| set[state] = false);
    while let Some(state) = open.pop() {
        for &(from, bytes) in &before[state] {
            counts[from] -= bytes;
            if set[from] && counts[from] < branches {
                set[from] = false;
                open.push(from);
            }
        }
    }
    set
}
