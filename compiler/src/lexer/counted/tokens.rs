//! The tokens of a counting state that do not take what the vocabulary says: they lead to states that need further characters, or do not lead to such a state where most tokens do.
//!
//! What a token *takes* in a state are the characters that begin in it, and the characters that the state after it needs. The section `counter_tokens` of an artifact
//! has its lists.

use super::needs::{Counts, Needs};
use super::reader::{Reader, Token};
use super::state::CountedState;
use gcc_grammar_artifact::bases::{MANY, MOST_CHARACTERS, TokenCharacters};
use gcc_grammar_artifact::ids::TokenId;
use gcc_grammar_artifact::json_string::{Place, characters};
use gcc_grammar_artifact::wire::U32;
use gcc_grammar_limits::{Budget, OverBudget};
use std::cmp::Reverse;

/// The most near tokens of a state: each costs a step of a mask.
pub(super) const MAX_NEAR: usize = 1 << 13;

/// The most that a state, one among these, needs.
pub(super) fn most_needed(states: &[Option<CountedState>]) -> u32 {
    states.iter().flatten().map(|state| u32::from(state.needed)).max().unwrap_or(0)
}

/// Per state of the automaton: its list, or empty if the vocabulary is right, as it is for all but `before_needs`. `None` if the lists are too long.
pub(super) fn lists(
    reader: &Reader<'_>,
    before_needs: &[u32],
    budget: &Budget,
) -> Result<Option<Vec<Vec<u32>>>, OverBudget> {
    let mut lists = vec![Vec::new(); reader.states.len()];
    if before_needs.is_empty() {
        return Ok(Some(lists));
    }
    let (most, mut needs) = (most_needed(reader.states), Needs::new(reader, budget)?);
    for &state in before_needs {
        let Some(CountedState { left, .. }) = reader.states[state as usize] else { continue };
        let Some(list) = of_state(&mut needs, state, left, most, budget)? else { return Ok(None) };
        budget.charge_bytes(list.len() as u64 * 4)?;
        lists[state as usize] = list;
    }
    Ok(Some(lists))
}

/// The list of a state from which a string may come to one that needs further characters, where at least `left` characters may begin. `most` are the most that any state needs.
/// `None` if it is too long.
pub(super) fn of_state(
    needs: &mut Needs<'_, '_>,
    state: u32,
    left: u32,
    most: u32,
    budget: &Budget,
) -> Result<Option<Vec<u32>>, OverBudget> {
    let reader = needs.reader;
    let Some(CountedState { place, .. }) = reader.states[state as usize] else { return Ok(None) };
    // No token takes more.
    if left >= MOST_CHARACTERS + most {
        return Ok(Some(Vec::new()));
    }
    // Elsewhere the planes are never asked.
    let is_near = left < MANY + most;
    let (default, tokens) = if !is_near {
        (most, reader.long(state, place, budget)?)
    } else if place.shift() == 0 {
        needs.exceptions(state)?
    } else {
        let tokens = reader.tokens(state, place, budget)?;
        (Counts::of(tokens.iter().map(|token| token.needed)).most_frequent(), tokens)
    };
    Ok(list(&tokens, default))
}

/// A list of the section. Of `tokens`, those that need `default` characters are left out. `None` if it is too long.
fn list(tokens: &[Token], default: u32) -> Option<Vec<u32>> {
    let end = MANY + default;
    let entry = |token: &Token| TokenCharacters { token: TokenId(token.token), characters: token.taken };
    let of = |tokens: Vec<TokenCharacters>| tokens.into_iter().map(TokenCharacters::entry).collect();
    if tokens.iter().any(|token| token.taken > MOST_CHARACTERS) {
        return None;
    }
    let mut far: Vec<TokenCharacters> = tokens.iter().filter(|token| token.taken > end).map(entry).collect();
    far.sort_unstable_by_key(|far| (Reverse(far.characters), far.token));
    let is_other = |token: &&Token| (token.planned + default).min(end) != token.taken.min(end);
    let mut near: Vec<TokenCharacters> = tokens.iter().filter(is_other).map(entry).collect();
    near.sort_unstable_by_key(|near| near.token);
    let fits = far.len().max(near.len()) <= MAX_NEAR;
    fits.then(|| [vec![default, far.len() as u32, near.len() as u32], of(far), of(near)].concat())
}

impl Reader<'_> {
    /// The states from which a string may come to one that needs further characters, ascending.
    pub(super) fn before_needs(&self, budget: &Budget) -> Result<Vec<u32>, OverBudget> {
        let needs = |state: &u32| self.states[*state as usize].is_some_and(|state| state.needed > 0);
        let mut found: Vec<bool> = (0..self.states.len() as u32).map(|state| needs(&state)).collect();
        let mut has_changed = found.contains(&true);
        while has_changed {
            budget.charge_work(found.len() as u64)?;
            has_changed = false;
            for state in (0..found.len()).rev().filter(|&state| self.states[state].is_some()) {
                if !found[state] && self.strings.after(state as u32).any(|to| found[to as usize]) {
                    found[state] = true;
                    has_changed = true;
                }
            }
        }
        Ok((0..).zip(found).filter(|(_, is_found)| *is_found).map(|(state, _)| state).collect())
    }

    /// All tokens that are read in a state within an escape: there, the planes count the digits, too.
    fn tokens(&self, state: u32, place: Place, budget: &Budget) -> Result<Vec<Token>, OverBudget> {
        let (trie, order) = (self.vocabulary.trie(), self.vocabulary.order());
        // The states after the strings of the nodes from the root to the last one, and the characters that began; in a state outside no more begin.
        let mut path = vec![(state, 0)];
        let (mut found, mut text) = (Vec::new(), Vec::new());
        let (mut node, mut visited) = (1, 0_u64);
        while node < trie.len() {
            visited += 1;
            let entry = &trie.nodes()[node as usize];
            path.truncate(usize::from(entry.depth));
            text.truncate(usize::from(entry.depth) - 1);
            let Some((next, begun)) = path.last().and_then(|&before| self.after(before, entry.byte)) else {
                node = entry.subtree_end;
                continue;
            };
            path.push((next, begun));
            text.push(entry.byte);
            let is_over = self.states[next as usize].is_none();
            let ranks = if is_over { trie.tokens_in_subtree(node) } else { trie.tokens_at(node) };
            for rank in ranks {
                let token = order[rank as usize];
                found.push(self.token(token, &text, place, (next, begun)));
            }
            node = if is_over { entry.subtree_end } else { node + 1 };
        }
        budget.charge_work(visited + found.len() as u64)?;
        Ok(found)
    }

    /// The long tokens that are read in a state.
    fn long(&self, state: u32, place: Place, budget: &Budget) -> Result<Vec<Token>, OverBudget> {
        let list = self.vocabulary.bases().view().long_tokens().list(place == Place::Escape);
        budget.charge_work(list.len() as u64)?;
        let read = |entry: &U32| {
            let token = TokenCharacters::of(entry).token.0;
            let text = self.vocabulary.bytes(token)?;
            let (mut at, mut read) = ((state, 0), 0);
            while self.states[at.0 as usize].is_some() && read < text.len() {
                at = self.after(at, text[read])?;
                read += 1;
            }
            Some(self.token(token, &text[..read], place, at))
        };
        Ok(list.iter().filter_map(read).collect())
    }

    /// A token whose text until the string is over leads to this state.
    fn token(&self, token: u32, text: &[u8], place: Place, (end, begun): (u32, u32)) -> Token {
        let needed = self.needed(end);
        let shift = place.shift();
        let planned = if shift == 0 { begun } else { characters(text) };
        Token { token, planned, taken: begun + needed + shift, needed }
    }
}
