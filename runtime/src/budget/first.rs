//! A token that keeps the budget where the bounded search has found none.
//!
//! Bounds of costs are those of completions in which each token lies within one lexeme, or in a byte of ignored text and the lexeme behind it. So
//! such a token is looked for first: the parser takes the first byte, or the first two, and the lexer alone reads the rest. That takes a walk
//! over parts of the trie at most. Where costs are exact, the token may span lexemes; the walk without a bound finds it.

use core::ops::{Range, RangeInclusive};

use gcc_grammar_artifact::TokenTrie;
use gcc_grammar_artifact::grammar::LexemeCost;
use gcc_grammar_artifact::ids::{LexState, Terminal, TokenId};
use gcc_grammar_artifact::trie::TrieNode;

use super::state::NEVER;
use super::walk::Place;
use crate::error::Error;
use crate::matcher::Matcher;
use crate::scratch::Head;

/// The length of tokens that are looked for.
const LONGEST: usize = 64;
/// The number of lexer states whose costs are remembered.
const SLOTS: usize = 64;
/// The nodes of the trie that are looked at for one unit of work.
const NODES_PER_UNIT: usize = 16;

impl Matcher<'_, '_> {
    /// A token within one lexeme, or in a byte of ignored text and the lexeme behind it, after which the text can be completed within `remaining`
    /// tokens, this one included.
    pub(super) fn first_in_lexeme(
        &mut self,
        trie: TokenTrie<'_>,
        remaining: u32,
    ) -> Result<Option<TokenId>, Error> {
        self.attempt_and_undo(|matcher| {
            let Some(start) = Place::of(&matcher.scratch, matcher.scratch.newest()) else { return Ok(None) };
            let root = trie.node(0).map_or(0..0, |root| 1..root.end);
            // Mostly the rest of the token is a token, too.
            let rounds = [0..=remaining, remaining.saturating_add(1)..=NEVER - 1];
            for costs in rounds {
                for first in children(trie, root.clone()) {
                    let place = matcher.place_after(&start, first)?;
                    let mut found = matcher.first_in_place(trie, first, &place, &costs, remaining)?;
                    if found.is_none() && matcher.is_ignored(&place)? {
                        for second in children(trie, first.number + 1..first.end) {
                            let place = matcher.place_after(&place, second)?;
                            let behind = matcher.first_in_place(trie, second, &place, &costs, remaining)?;
                            found = found.or(behind);
                        }
                    }
                    if found.is_some() {
                        return Ok(found);
                    }
                }
            }
            Ok(None)
        })
    }

    /// The heads after the byte of a node; none if they are too many.
    fn place_after(&mut self, place: &Place, node: TrieNode) -> Result<Place, Error> {
        let grammar = self.grammar();
        let heads = self.scratch.push_place(place)?;
        let after = self.scratch.step(grammar, heads, grammar.byte_symbol(node.byte))?;
        let after = Place::of(&self.scratch, after).unwrap_or(Place::NONE);
        self.scratch.drop_temporaries();
        Ok(after)
    }

    /// Whether what was read may be ignored text as a whole.
    fn is_ignored(&self, place: &Place) -> Result<bool, Error> {
        let (grammar, completion) = (self.grammar(), self.completion()?);
        let ends = |cost: LexemeCost| cost.terminal == Terminal::IGNORE && cost.tokens == 0;
        for head in place.heads() {
            let state = grammar.number(grammar.uncounted(head.lex)).ok_or(Error::MaskOverLimit)?;
            if completion.lexeme_costs(state).any(ends) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Such a token that begins with the string of a node, which leads to this place, where one of these costs is known.
    fn first_in_place(
        &mut self,
        trie: TokenTrie<'_>,
        node: TrieNode,
        place: &Place,
        costs: &RangeInclusive<u32>,
        remaining: u32,
    ) -> Result<Option<TokenId>, Error> {
        for &head in place.heads() {
            if costs.contains(&self.cost_of_one(head)?)
                && let Some(token) = self.first_below(trie, node, head, remaining)?
            {
                return Ok(Some(token));
            }
        }
        Ok(None)
    }

    /// Such a token that extends the string of a node, which leads to this head, within its lexeme.
    fn first_below(
        &mut self,
        trie: TokenTrie<'_>,
        from: TrieNode,
        head: Head,
        remaining: u32,
    ) -> Result<Option<TokenId>, Error> {
        let grammar = self.grammar();
        let mut path = [LexState::DEAD; LONGEST];
        let mut known = [(LexState::DEAD, NEVER); SLOTS];
        let mut number = from.number;
        while let Some(node) = trie.node(number).filter(|node| node.number < from.end) {
            if number.is_multiple_of(NODES_PER_UNIT) {
                self.scratch.charge(1)?;
            }
            let lex = match node.number == from.number {
                true => head.lex,
                false => grammar.next(path[node.depth - 1], grammar.byte_symbol(node.byte)),
            };
            number = node.end;
            if lex == LexState::DEAD {
                continue;
            }
            if let Some(&token) = trie.tokens_at(node).first() {
                let slot = &mut known[lex.index() % SLOTS];
                if slot.0 != lex {
                    *slot = (lex, self.cost_of_one(Head { lex, ..head })?);
                }
                if slot.1 < remaining {
                    return Ok(Some(TokenId(token)));
                }
            }
            if let Some(place) = path.get_mut(node.depth).filter(|_| node.depth + 1 < LONGEST) {
                *place = lex;
                number = node.number + 1;
            }
        }
        Ok(None)
    }

    fn cost_of_one(&mut self, head: Head) -> Result<u32, Error> {
        let completion = self.completion()?;
        self.scratch.cost_of_head(self.grammar(), completion, head)
    }
}

/// The nodes among these that follow one another.
fn children(trie: TokenTrie<'_>, nodes: Range<usize>) -> impl Iterator<Item = TrieNode> {
    let node = move |number: usize| trie.node(number).filter(|node| node.number < nodes.end);
    let first = node(nodes.start);
    core::iter::successors(first, move |before| node(before.end))
}
