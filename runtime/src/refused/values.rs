//! Masks in items of several lexemes: the tokens after which such an item would be one that was there before, or could only become one.
//!
//! Such a token goes along an earlier item of the same list that begins with what is written, white space outside of strings aside, or along one of a list around it. So the
//! trie of the vocabulary is walked along these items. A token that comes to the end of one is wrong; the others are tried, unless they end within a scalar of which
//! there are plenty.

use gcc_grammar_artifact::TokenTrie;
use gcc_grammar_artifact::trie::TrieNode;

use crate::error::Error;
use crate::matcher::Matcher;
use crate::memory::values::{Beginning, Likeness};
use crate::refused::trial::Trial;
use crate::refused::walk::MOST_BYTES;
use crate::scratch::{Alike, Bytes, ENDLESS, Head, Place, Sorted, Span};

/// The closing brackets, as symbols 64 to 127.
const CLOSING: u64 = 1 << (b'}' - 64) | 1 << (b']' - 64);

/// Of more items that a token may end, those are not looked at that have another signature.
const MANY: usize = 64;

/// What is written of an item and the bytes of a token, beside an earlier item.
enum Beside<S> {
    /// It goes on differently.
    Unlike,
    /// It is the item.
    Equal,
    /// It is a beginning of the item.
    Begins(S),
    /// It is white space, which makes no difference.
    Same,
}

/// Where an item is walked along.
#[derive(Clone, Copy)]
struct Along<'t> {
    trie: TokenTrie<'t>,
    /// The node up to which the item has not begun, or is as written.
    from: TrieNode,
    /// Whether there is no other head.
    is_only: bool,
    /// Whether a token can only be wrong if it ends the item.
    is_endless: bool,
}

impl Matcher<'_, '_> {
    /// The tokens of a head along the items before those that are open.
    pub(crate) fn refuse_like_open(
        &mut self,
        row: &mut [u32],
        from: (TokenTrie<'_>, TrieNode),
        head: Head,
        is_only: bool,
    ) -> Result<(), Error> {
        let end = self.scratch.text.len();
        let mut next = self.scratch.innermost_item(head.memory)?;
        while let Some(open) = next {
            let Span { start, end: kind } = self.scratch.item(open);
            let list = self.scratch.item_before(open);
            let beginning = Beginning::of(&self.scratch.text, Span { start, end }, kind == ENDLESS);
            if let Some(last) = self.scratch.items_of(list) {
                self.each_part(last, |matcher, items| {
                    matcher.refuse_along_values(row, from, beginning, items, is_only)
                })?;
            }
            next = self.scratch.innermost_item(list)?;
        }
        Ok(())
    }

    /// The tokens behind a node of the trie along those items that are arrays and objects.
    pub(crate) fn refuse_along_values(
        &mut self,
        row: &mut [u32],
        (trie, from): (TokenTrie<'_>, TrieNode),
        beginning: Beginning,
        items: Sorted,
        is_only: bool,
    ) -> Result<(), Error> {
        let walk = Along { trie, from, is_only, is_endless: beginning.is_endless };
        let distinct = self.grammar().distinct();
        if !distinct.has_names() {
            let alike = self.scratch.alike(items, beginning.written)?;
            return alike.map_or(Ok(()), |alike| self.refuse_along_alike(row, walk, alike));
        }
        let values = self.scratch.values_between(items, beginning.lengths(distinct.longest_end()));
        if walk.is_endless && values.count > MANY {
            return self.refuse_ends(row, walk, beginning.written, values);
        }
        let mut trial = self.trial(trie, from);
        for place in 0..values.count {
            self.scratch.charge(1)?;
            let item = self.scratch.item(self.scratch.sorted_at(values, place));
            if let Likeness::Begins(next) = self.scratch.likeness(beginning.written, item)? {
                self.refuse_as_value(row, walk, &mut trial, beginning, (item, next))?;
            }
        }
        Ok(())
    }

    /// The tokens that end an item as one of many. They are told by its signature, so no earlier item is looked at that has another one.
    fn refuse_ends(
        &mut self,
        row: &mut [u32],
        walk: Along<'_>,
        written: Span,
        values: Sorted,
    ) -> Result<(), Error> {
        let Along { trie, from, is_only, .. } = walk;
        self.scratch.charge(written.len() as usize)?;
        let start = if written.len() == 0 { self.scratch.text.len() } else { written.start };
        // The signature by the depth of nodes.
        let mut path = [self.scratch.text.signing(written); MOST_BYTES + 1];
        let mut bytes = [0; MOST_BYTES];
        let mut number = from.number + 1;
        while number < from.end
            && let Some(node) = trie.node(number)
        {
            self.scratch.charge(1)?;
            let depth = node.depth - from.depth;
            number = node.end;
            if depth > MOST_BYTES {
                self.refuse_tokens(row, trie, node, false)?;
                continue;
            }
            if !trie.has_below(node, CLOSING) {
                continue;
            }
            bytes[depth - 1] = node.byte;
            path[depth] = path[depth - 1];
            if !path[depth].read(node.byte) {
                number = node.number + 1;
                continue;
            }
            let alike = self.scratch.values_with(values, path[depth].signature().tag());
            for place in 0..alike.count {
                let item = self.scratch.item(self.scratch.sorted_at(alike, place));
                if self.likeness_behind(start, &bytes[..depth], item)? == Likeness::Equal {
                    self.refuse_tokens(row, trie, node, is_only)?;
                    break;
                }
            }
        }
        Ok(())
    }

    /// The tokens that go along a text of an item, whose members come in any order.
    fn refuse_as_value(
        &mut self,
        row: &mut [u32],
        walk: Along<'_>,
        trial: &mut Trial<'_>,
        Beginning { written, place, .. }: Beginning,
        (item, first): (Span, Bytes),
    ) -> Result<(), Error> {
        // An item that has not begun begins behind the node.
        let behind = self.scratch.text.len() + walk.from.depth as u32;
        let start = if written.len() == 0 { behind } else { written.start };
        // What may come next, and where.
        let next_of = |_: &Self, (next, _)| next;
        let may_go_on =
            |(next, place): &(Bytes, Place), byte: u8| next.contains(byte.into()) || place.skips(byte);
        self.refuse_along_item(
            row,
            walk,
            trial,
            ((first, place), next_of, may_go_on),
            |matcher, &mut (_, place), node| {
                if walk.is_endless && !walk.trie.has_below(node, CLOSING) {
                    return Ok(Beside::Unlike);
                }
                if place.skips(node.byte) {
                    return Ok(Beside::Same);
                }
                let behind = place.after(node.byte);
                let written = Span { start, end: matcher.scratch.text.len() };
                Ok(match matcher.scratch.likeness(written, item)? {
                    Likeness::Unlike => Beside::Unlike,
                    Likeness::Equal => Beside::Equal,
                    Likeness::Begins(next) => Beside::Begins((next, behind)),
                })
            },
        )
    }

    /// The tokens that go along values, whose texts have one order of members. Each node of the trie is visited once.
    fn refuse_along_alike(&mut self, row: &mut [u32], walk: Along<'_>, alike: Alike) -> Result<(), Error> {
        let next = |matcher: &Self, alike| matcher.scratch.bytes_of_alike(alike);
        let may_go_on = |alike: &Alike, byte: u8| alike.may_go_on(byte) || alike.place().skips(byte);
        let mut trial = self.trial(walk.trie, walk.from);
        self.refuse_along_item(row, walk, &mut trial, (alike, next, may_go_on), |matcher, alike, node| {
            if alike.place().skips(node.byte) {
                return Ok(Beside::Same);
            }
            Ok(match matcher.scratch.alike_with(alike, node.byte)? {
                None => Beside::Unlike,
                Some(alike) if alike.is_whole() => Beside::Equal,
                Some(alike) => Beside::Begins(alike),
            })
        })
    }

    /// The tokens behind a node of the trie that go along an item, given with which bytes, whether with one, and how it goes on behind each node, up to which the text goes then.
    fn refuse_along_item<S: Copy>(
        &mut self,
        row: &mut [u32],
        walk: Along<'_>,
        trial: &mut Trial<'_>,
        (start, next, may_go_on): (S, impl Fn(&Self, S) -> Bytes, impl Fn(&S, u8) -> bool),
        along: impl Fn(&mut Self, &mut S, TrieNode) -> Result<Beside<S>, Error>,
    ) -> Result<(), Error> {
        let Along { trie, from, is_only, is_endless } = walk;
        // What is left of the item by the depth of nodes.
        let mut path = [start; MOST_BYTES + 1];
        let mut number = from.number + 1;
        while number < from.end
            && let Some(node) = trie.node(number)
        {
            self.scratch.charge(1)?;
            let depth = node.depth - from.depth;
            number = node.end;
            if node.depth > MOST_BYTES {
                self.end_trial(trial);
                self.refuse_tokens(row, trie, node, false)?;
                continue;
            }
            let left = &mut path[depth - 1];
            if !may_go_on(left, node.byte) {
                continue;
            }
            self.go_to(row, trial, node)?;
            let (left, is_space) = match along(self, left, node)? {
                Beside::Unlike => continue,
                Beside::Equal => {
                    if !is_only {
                        self.end_trial(trial);
                    }
                    self.refuse_tokens(row, trie, node, is_only)?;
                    continue;
                }
                Beside::Same => (*left, true),
                Beside::Begins(left) => (left, false),
            };
            trial.set_space(node, is_space);
            path[depth] = left;
            if is_endless || !self.is_decided(row, trial, node, |matcher| next(matcher, left))? {
                number = node.number + 1;
            }
        }
        self.try_behind(row, trial, 0)?;
        self.end_trial(trial);
        Ok(())
    }

    /// The likeness of what is written and these bytes to an item.
    fn likeness_behind(&mut self, start: u32, bytes: &[u8], item: Span) -> Result<Likeness, Error> {
        let base = self.scratch.text.len();
        let pushed = bytes.iter().try_for_each(|&byte| self.scratch.text.push(byte));
        let written = Span { start, end: self.scratch.text.len() };
        let found = pushed.and_then(|()| self.scratch.likeness(written, item));
        self.scratch.shorten_text(base);
        found
    }
}
