//! Which token may follow another one within a piece: pairs that byte-pair merging leaves apart.
//!
//! In: the tokens with their ranks, which are their ids. Merging joins the two neighbours whose concatenation has the lowest rank, the leftmost of equal ones, until
//! no concatenation is a token. So each token has a tree of merges: its two parts, and theirs.
//!
//! Two tokens u and v stay apart if and only if no merge crosses their border. The parts of u that end at the border are its right spine r₀ = u, r₁, …, each the
//! right part of the one before; those of v that begin there are its left spine l₀ = v, l₁, …. The part rᵢ is there until it is merged into rᵢ₋₁, and lⱼ until it is
//! merged into lⱼ₋₁. So rᵢ and lⱼ are merged to a token w if and only if that happens before: with m the greatest of the ranks of rᵢ, lⱼ and w, if m < rank(rᵢ₋₁), and
//! m ≤ rank(lⱼ₋₁), since of equal ranks the left one is first. Where all neighbours of a sequence stay apart, nothing is merged but within the tokens, so merging gives just this sequence.
//!
//! All tokens with l on their left spine are a subtree of the *forest*, in which the parent of a token is its left part. Children with higher ranks are first. So the tokens v
//! that a merge of rᵢ and l joins with u are an interval in the preorder of the forest: l, and its children whose rank is m at least, with what is below them.
//!
//! The proof takes each token to have a higher rank than its parts. Vocabularies have some tokens that do not (107 of Llama 3): pairs with such *irregular* tokens are merged
//! to see what comes out.

use crate::tokenizer::merge_bytes;
use gcc_grammar_vocabulary::Vocabulary;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

const NONE: u32 = u32::MAX;

/// The merges of a vocabulary.
#[derive(Debug)]
pub(super) struct Pairs {
    /// The left and the right part of each token; of tokens that are not merged none.
    parts: Vec<[u32; 2]>,
    /// For each token, where its part of `behind` begins; and the end of the last.
    first: Vec<u32>,
    /// The tokens that a token makes with another one behind it, each with that one, by rank.
    behind: Vec<[u32; 2]>,
    /// The same by the other token: for each token and another one behind it, what they make.
    joined: Vec<[u32; 2]>,
    /// The preorder of the forest, and the place of each token in it.
    order: Vec<u32>,
    place: Vec<u32>,
    /// For each place, the place behind the subtree.
    end: Vec<u32>,
    /// Tokens that merging does not make of their bytes, ascending.
    unmade: Vec<u32>,
    /// Tokens that merging makes of parts with higher ranks, or of other irregular ones; ascending.
    irregular: Vec<u32>,
}

impl Pairs {
    /// The pairs of the tokens that have a rank.
    pub(super) fn new(vocabulary: &Vocabulary, is_ranked: impl Fn(u32) -> bool) -> Self {
        let ranked = vocabulary.text_tokens().filter(|&(id, bytes)| is_ranked(id) && !bytes.is_empty());
        let ids: FxHashMap<&[u8], u32> = ranked.map(|(id, bytes)| (bytes, id)).collect();
        let ranks = ids.values().max().map_or(0, |last| last + 1);
        let mut splits: Vec<[u32; 3]> = Vec::new();
        for (bytes, &whole) in &ids {
            for at in 1..bytes.len() {
                if let (Some(&left), Some(&right)) = (ids.get(&bytes[..at]), ids.get(&bytes[at..])) {
                    splits.push([left, whole, right]);
                }
            }
        }
        splits.sort_unstable();
        let mut first = vec![0; ranks as usize + 1];
        splits.iter().for_each(|[left, ..]| first[*left as usize + 1] += 1);
        (1..first.len()).for_each(|at| first[at] += first[at - 1]);
        let behind = splits.iter().map(|&[_, whole, right]| [whole, right]).collect();
        let mut by_right = splits.clone();
        by_right.sort_unstable_by_key(|&[left, _, right]| (left, right));
        let joined = by_right.iter().map(|&[_, whole, right]| [right, whole]).collect();
        let mut pairs = Self {
            parts: vec![[NONE; 2]; ranks as usize],
            first,
            behind,
            joined,
            order: Vec::new(),
            place: vec![NONE; ranks as usize],
            end: Vec::new(),
            unmade: Vec::new(),
            irregular: Vec::new(),
        };
        pairs.find_parts(splits, vocabulary);
        let (irregular, unmade) = pairs.without_parts(&ids, vocabulary);
        (pairs.irregular, pairs.unmade) = (irregular, unmade);
        pairs.plant();
        pairs
    }

    /// Finds the parts of all tokens, those of lower ranks first. The parts of a token are the two that stay apart until their own merge.
    fn find_parts(&mut self, mut splits: Vec<[u32; 3]>, vocabulary: &Vocabulary) {
        let is_byte = |token: u32| vocabulary.bytes(token).is_some_and(|bytes| bytes.len() == 1);
        splits.sort_unstable_by_key(|&[_, whole, _]| whole);
        for splits in splits.chunk_by(|one, other| one[1] == other[1]) {
            let whole = splits[0][1];
            let has_parts =
                |part: u32| part < whole && (self.parts[part as usize][0] != NONE || is_byte(part));
            let found = splits.iter().find(|&&[left, _, right]| {
                has_parts(left) && has_parts(right) && self.first_merge(left, right) == Some(whole)
            });
            if let Some(&[left, _, right]) = found {
                self.parts[whole as usize] = [left, right];
            }
        }
    }

    /// The tokens of several bytes that have no parts: those that merging makes all the same, and those that it does not.
    fn without_parts(&self, ids: &FxHashMap<&[u8], u32>, vocabulary: &Vocabulary) -> (Vec<u32>, Vec<u32>) {
        let several = ids.iter().filter(|(bytes, _)| bytes.len() > 1).map(|(_, &token)| token);
        let mut found: Vec<u32> = several.filter(|&token| self.parts[token as usize][0] == NONE).collect();
        found.sort_unstable();
        found.into_iter().partition(|&token| {
            merge_bytes(vocabulary.bytes(token).unwrap_or_default(), vocabulary).len() == 1
        })
    }

    /// Lays the forest out.
    fn plant(&mut self) {
        let mut children: Vec<Vec<u32>> = vec![Vec::new(); self.parts.len()];
        let mut open: Vec<u32> = Vec::new();
        for (id, &[left, _]) in (0..).zip(&self.parts) {
            match left {
                NONE => open.push(id),
                left => children[left as usize].push(id),
            }
        }
        // Parts have lower ranks, and children were found by rank: the last one of the list is taken first.
        while let Some(id) = open.pop() {
            self.place[id as usize] = self.order.len() as u32;
            self.order.push(id);
            open.append(&mut children[id as usize]);
        }
        self.end = (1..=self.order.len() as u32).collect();
        for at in (0..self.order.len()).rev() {
            let [left, _] = self.parts[self.order[at] as usize];
            if left != NONE {
                let parent = self.place[left as usize] as usize;
                self.end[parent] = self.end[parent].max(self.end[at]);
            }
        }
    }

    /// The tokens that merging does not make of their bytes.
    pub(super) fn unmade(&self) -> &[u32] {
        &self.unmade
    }

    /// Where the lists have what a token makes with others.
    fn with(&self, left: u32) -> Range<usize> {
        self.first[left as usize] as usize..self.first[left as usize + 1] as usize
    }

    /// The irregular tokens.
    #[cfg(test)]
    pub(super) fn irregular(&self) -> &[u32] {
        &self.irregular
    }

    /// The token that two tokens make.
    fn joined(&self, left: u32, right: u32) -> Option<u32> {
        let joined = &self.joined[self.with(left)];
        let found = joined.binary_search_by_key(&right, |&[other, _]| other).ok()?;
        Some(joined[found][1])
    }

    /// The right spine of a token: its parts at its end, each with the rank at which it is merged.
    fn right_spine(&self, token: u32) -> impl Iterator<Item = (u32, u32)> {
        std::iter::successors(Some((token, NONE)), |&(part, _)| {
            let [_, right] = self.parts[part as usize];
            (right != NONE).then_some((right, part))
        })
    }

    fn left_spine(&self, token: u32) -> impl Iterator<Item = (u32, u32)> {
        std::iter::successors(Some((token, NONE)), |&(part, _)| {
            let [left, _] = self.parts[part as usize];
            (left != NONE).then_some((left, part))
        })
    }

    /// The first merge that crosses the border of two regular tokens.
    fn first_merge(&self, u: u32, v: u32) -> Option<u32> {
        let crossing = self.right_spine(u).flat_map(|(right, until)| {
            self.left_spine(v).filter_map(move |(left, until_too)| {
                let whole = self.joined(right, left)?;
                let time = whole.max(right).max(left);
                (time < until && time <= until_too).then_some((time, whole))
            })
        });
        crossing.min().map(|(_, whole)| whole)
    }

    fn is_irregular(&self, token: u32) -> bool {
        self.irregular.binary_search(&token).is_ok()
    }

    /// Whether merging leaves two tokens apart.
    pub(super) fn stay_apart(&self, u: u32, v: u32, vocabulary: &Vocabulary) -> bool {
        match self.is_irregular(u) || self.is_irregular(v) {
            true => are_left_apart(u, v, vocabulary),
            false => self.first_merge(u, v).is_none(),
        }
    }

    /// Calls `add` with the tokens that do not stay apart from `u` in front of them; with some of them more than once.
    pub(super) fn merged_behind(&self, u: u32, vocabulary: &Vocabulary, mut add: impl FnMut(u32)) {
        if self.is_irregular(u) {
            return self
                .beginning_behind(u, vocabulary)
                .filter(|&v| !are_left_apart(u, v, vocabulary))
                .for_each(add);
        }
        for (right, until) in self.right_spine(u) {
            let behind = self.behind[self.with(right)].iter().take_while(|[whole, _]| *whole < until);
            for &[whole, left] in behind.filter(|[_, left]| *left < until) {
                let places = self.beginning_with(left, whole.max(right).max(left));
                self.order[places].iter().filter(|&&v| !self.is_irregular(v)).for_each(|&v| add(v));
            }
        }
        let irregular = self.irregular.iter().copied();
        irregular.filter(|&v| !are_left_apart(u, v, vocabulary)).for_each(add);
    }

    /// The tokens that begin with something that makes a token with an end of `u`: all others stay apart from it.
    fn beginning_behind(&self, u: u32, vocabulary: &Vocabulary) -> impl Iterator<Item = u32> {
        let bytes = vocabulary.bytes(u).unwrap_or_default();
        let ends = (0..bytes.len()).filter_map(|start| vocabulary.find(&bytes[start..]));
        let ends = ends.filter(|&end| (end as usize) < self.parts.len());
        let begins: FxHashSet<u32> =
            ends.flat_map(|end| self.behind[self.with(end)].iter().map(|&[_, left]| left)).collect();
        let beginning = move |token: &u32| {
            let bytes = vocabulary.bytes(*token).unwrap_or_default();
            let begins_so =
                |end: usize| vocabulary.find(&bytes[..end]).is_some_and(|begin| begins.contains(&begin));
            (1..=bytes.len()).any(begins_so)
        };
        (0..self.parts.len() as u32).filter(beginning)
    }

    /// The places of the tokens that have `left` on their left spine when merges have come to a rank.
    fn beginning_with(&self, left: u32, rank: u32) -> Range<usize> {
        let start = self.place[left as usize];
        let mut end = start + 1;
        while end < self.end[start as usize] && self.order[end as usize] >= rank {
            end = self.end[end as usize];
        }
        start as usize..end as usize
    }
}

pub(super) fn are_left_apart(u: u32, v: u32, vocabulary: &Vocabulary) -> bool {
    let [u, v] = [u, v].map(|token| vocabulary.bytes(token).unwrap_or_default());
    merge_bytes(&[u, v].concat(), vocabulary) == [0..u.len(), u.len()..u.len() + v.len()]
}
