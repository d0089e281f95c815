//! The items of a list in order, so that those that begin with a text are found without a look at the others.
//!
//! The numbers of the items of one list, the longest one, lie in the last of the caller's words, first the *texts*, by their bytes, then the *values*,
//! arrays and objects that are not empty, by their tags: by length, if they have [signatures](super::Signature), and otherwise by their texts without white space
//! outside of strings. This repeats what the cells say, and may be
//! dropped at any time. It follows the memory of the newest entry: items are added as masks ask for them, and taken out
//! again as entries are rolled back.
//! Other lists are looked through item by item.

use core::cmp::Ordering;
use core::ops::{Range, RangeInclusive};

use super::items::Memory;
use super::regions::{CELL, Scratch};
use super::set::Bytes;
use super::signature::Signature;
use super::stack::{ITEM, Node};
use super::text::{self, Place, Reading, Span};
use crate::error::Error;

/// A list of which so many items are new is sorted as a whole.
const MANY: usize = 32;

/// Items in order: a part of the table, or one item.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sorted {
    start: usize,
    pub(crate) count: usize,
    only: Memory,
}

impl Sorted {
    /// One item.
    pub(crate) const fn one(item: Node) -> Self {
        Self { start: 0, count: 1, only: Some(item) }
    }

    const fn part(self, part: Range<usize>) -> Self {
        Self { start: self.start + part.start, count: part.end - part.start, ..self }
    }
}

/// The order of items.
struct Order<'w> {
    cells: &'w [u32],
    text: &'w [u32],
}

impl Order<'_> {
    fn span(&self, item: u32) -> Span {
        let address = Node(item).word();
        Span { start: self.cells[address], end: self.cells[address + CELL - 1] }
    }

    fn is_value(&self, span: Span) -> bool {
        text::is_value(self.text, span)
    }

    fn compare(&self, a: u32, b: u32) -> Ordering {
        let tag = |item| self.cells[Node(item).word() + 2];
        let (one, other) = (self.span(a), self.span(b));
        match (self.is_value(one), self.is_value(other)) {
            (false, false) => text::bytes(self.text, one).cmp(text::bytes(self.text, other)),
            (true, true) if tag(a) == ITEM && tag(b) == ITEM => {
                text::significant(self.text, one).cmp(text::significant(self.text, other))
            }
            (true, true) => (tag(a), a).cmp(&(tag(b), b)),
            (is_value, _) if is_value => Ordering::Greater,
            _ => Ordering::Less,
        }
    }
}

/// The table of the longest list.
impl Scratch<'_> {
    /// The items of a list, given its last one, if they are in the table.
    pub(crate) fn sorted(&mut self, last: Node) -> Result<Option<Sorted>, Error> {
        Ok(self.has_table_of(last)?.then(|| self.table()))
    }

    /// Whether the table has the items of a list, after they have been added. It stays with a list around this one that is not shorter.
    fn has_table_of(&mut self, last: Node) -> Result<bool, Error> {
        let known = self.table_of();
        let (mut count, mut next, mut first) = (0_usize, Some(last), last);
        while let Some(item) = next.filter(|&item| Some(item) != known) {
            self.charge(1)?;
            (count, first) = (count + 1, item);
            next = self.listed_before(item);
        }
        if count == 0 {
            return Ok(true);
        }
        if last.0 >= self.entry_cells(self.history()) {
            return Ok(false);
        }
        if next.is_none() {
            if count <= self.text.table().len() && self.is_around(known, first)? {
                return Ok(false);
            }
            self.text.drop_table();
            let around = self.item_before(first);
            self.text.set_around_table(around.map(|item| item.0));
        }
        self.charge_sort(count)?;
        let is_added = if count >= MANY { self.add_all(last, count) } else { self.add_each(last, count) };
        if is_added {
            self.text.set_table_of(last.0)
        } else {
            self.text.drop_table()
        }
        Ok(is_added)
    }

    /// Whether an item belongs to a list around that of another item, which is its first one.
    fn is_around(&mut self, item: Memory, first: Node) -> Result<bool, Error> {
        let Some(item) = item else { return Ok(false) };
        let mut next = self.item_before(first);
        while let Some(cell) = next.filter(|&cell| cell > item) {
            self.charge(1)?;
            next = self.item_before(cell);
        }
        Ok(next == Some(item))
    }

    fn charge_sort(&mut self, count: usize) -> Result<(), Error> {
        self.charge(count * (usize::BITS - count.leading_zeros()) as usize)
    }

    fn order(&self) -> Order<'_> {
        Order { cells: self.words, text: self.text.words() }
    }

    /// Where an item is in the table, or would be.
    fn place_in_table(&self, item: u32) -> usize {
        let order = self.order();
        self.text.table().partition_point(|&other| order.compare(other, item) == Ordering::Less)
    }

    /// Adds the last items of a list one by one. Whether there is room.
    fn add_each(&mut self, last: Node, count: usize) -> bool {
        self.each_of_last(last, count, |scratch, item| {
            let place = scratch.place_in_table(item);
            scratch.text.insert_in_table(place, item)
        })
    }

    /// Adds the last items of a list, and sorts them all. Whether there is room.
    fn add_all(&mut self, last: Node, count: usize) -> bool {
        let is_added = self.each_of_last(last, count, |scratch, item| {
            let end = scratch.text.table().len();
            scratch.text.insert_in_table(end, item)
        });
        let (text, table) = self.text.with_table();
        let order = Order { cells: self.words, text };
        table.sort_unstable_by(|&a, &b| order.compare(a, b));
        is_added
    }

    fn each_of_last(
        &mut self,
        last: Node,
        count: usize,
        mut add: impl FnMut(&mut Self, u32) -> bool,
    ) -> bool {
        let mut next = Some(last);
        for _ in 0..count {
            let Some(item) = next else { break };
            if !add(self, item.0) {
                return false;
            }
            next = self.listed_before(item);
        }
        true
    }

    /// Takes the cells from number `cells` on out of the table. They must still be there.
    pub(super) fn shorten_table(&mut self, cells: u32) {
        while let Some(last) = self.table_of().filter(|last| last.0 >= cells) {
            let place = self.place_in_table(last.0);
            match self.listed_before(last) {
                Some(before) if self.text.table().get(place) == Some(&last.0) => {
                    self.text.remove_from_table(place);
                    self.text.set_table_of(before.0);
                }
                _ => self.text.drop_table(),
            }
        }
    }

    /// The item whose list is in the table, up to this item.
    pub(crate) fn is_table_of(&self, item: Node) -> bool {
        self.table_of() == Some(item)
    }

    /// The memory around the list in the table.
    pub(super) fn around_table(&self) -> Memory {
        self.text.around_table().map(Node)
    }

    /// The last item of the list in the table.
    pub(super) fn table_of(&self) -> Memory {
        self.text.table_of().map(Node)
    }

    /// The whole table.
    pub(crate) fn table(&self) -> Sorted {
        Sorted { start: 0, count: self.text.table().len(), only: None }
    }
}

/// Parts of items in order.
impl Scratch<'_> {
    /// The item at a place.
    pub(crate) fn sorted_at(&self, items: Sorted, place: usize) -> Node {
        items.only.unwrap_or_else(|| Node(self.text.table()[items.start + place]))
    }

    /// The first place at and behind a place for which something does not hold that holds for the items before only. The place is likely to be near.
    pub(crate) fn first_not(&self, items: Sorted, from: usize, holds: impl Fn(&Self, Node) -> bool) -> usize {
        self.first_place_not(items, from, |scratch, place| holds(scratch, scratch.sorted_at(items, place)))
    }

    /// The same of places.
    fn first_place_not(&self, items: Sorted, from: usize, holds: impl Fn(&Self, usize) -> bool) -> usize {
        let mut step = 1;
        let (mut low, mut high) = (from, from);
        while high < items.count && holds(self, high) {
            low = high + 1;
            high += step;
            step *= 2;
        }
        high = high.min(items.count);
        while low < high {
            let middle = low.midpoint(high);
            if holds(self, middle) { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// The texts that begin with a text.
    pub(crate) fn texts_with(&self, items: Sorted, beginning: Span) -> Sorted {
        let order = self.order();
        let bytes = |span| text::bytes(order.text, span);
        self.part_of(items, beginning, |span| match order.is_value(span) {
            true => Ordering::Greater,
            false => text::compare_beginning(bytes(span), bytes(beginning)),
        })
    }

    /// The values that begin with a text, white space outside of strings aside. They have no signatures.
    pub(crate) fn values_like(&self, items: Sorted, beginning: Span) -> Sorted {
        let words = self.text.words();
        self.part_of(self.values_of(items), beginning, |span| {
            text::compare_beginning(text::significant(words, span), text::significant(words, beginning))
        })
    }

    /// The items for which an order that they ascend in says [equal](Ordering::Equal), as it does of those that begin with a text byte by byte.
    fn part_of(&self, items: Sorted, beginning: Span, order: impl Fn(Span) -> Ordering) -> Sorted {
        let order = |scratch: &Self, item| {
            let span = scratch.item(item);
            let begins = beginning.len() > 0 && scratch.text.begins_with(span, beginning);
            if begins { Ordering::Equal } else { order(span) }
        };
        let start = self.first_not(items, 0, |scratch, item| order(scratch, item).is_lt());
        items.part(start..self.first_not(items, start, |scratch, item| order(scratch, item).is_eq()))
    }

    /// The values.
    pub(crate) fn values_of(&self, items: Sorted) -> Sorted {
        let order = self.order();
        let start = self.first_not(items, 0, |_, item| !order.is_value(order.span(item.0)));
        items.part(start..items.count)
    }

    /// The values whose lengths, as far as they are known, are in a range.
    pub(crate) fn values_between(&self, items: Sorted, lengths: RangeInclusive<u32>) -> Sorted {
        let values = self.values_of(items);
        let tag = |scratch: &Self, item| Signature::of_tag(scratch.tag(item));
        let is_below =
            |scratch: &Self, item| tag(scratch, item).is_some_and(|tag| tag.least_len() < *lengths.start());
        let is_within =
            |scratch: &Self, item| tag(scratch, item).is_some_and(|tag| tag.least_len() <= *lengths.end());
        let is_long = |scratch: &Self, item| tag(scratch, item).is_none_or(|tag| tag.len().is_none());
        let last = values.count.checked_sub(1).map(|place| self.sorted_at(values, place));
        let start = self.first_not(values, 0, is_below);
        let end = match last {
            Some(last) if is_long(self, last) => values.count,
            _ => self.first_not(values, start, is_within),
        };
        values.part(start..end)
    }

    /// The values with a tag.
    pub(crate) fn values_with(&self, items: Sorted, tag: u32) -> Sorted {
        let values = self.values_of(items);
        let start = self.first_not(values, 0, |scratch, item| scratch.tag(item) < tag);
        values.part(start..self.first_not(values, start, |scratch, item| scratch.tag(item) == tag))
    }

    /// The bytes at a place of texts that agree up to it, where they are longer.
    pub(crate) fn bytes_at(&self, texts: Sorted, at: u32) -> Bytes {
        let mut bytes = Bytes::EMPTY;
        let byte = |scratch: &Self, item| {
            let span = scratch.item(item);
            (span.len() > at).then(|| scratch.text.byte(span.start + at))
        };
        let mut place = 0;
        while place < texts.count {
            let first = byte(self, self.sorted_at(texts, place));
            first.into_iter().for_each(|first| bytes.insert(first.into()));
            place = self.first_not(texts, place, |scratch, item| byte(scratch, item) == first);
        }
        bytes
    }
}

/// The values without signatures that begin with a text: a part of those in order, and the rests of the first and of the last one.
#[derive(Clone, Copy)]
pub(crate) struct Alike {
    values: Sorted,
    /// The number of bytes of the beginning that are no white space outside of strings.
    read: u32,
    first: Reading,
    last: Reading,
    /// The bytes with which the first and the last one go on; 0 behind their ends.
    low: u8,
    high: u8,
    /// Where the next value is looked for. The bytes that are asked for ascend.
    next: usize,
}

impl Alike {
    /// What the end of the beginning belongs to.
    #[inline]
    pub(crate) const fn place(&self) -> Place {
        self.first.place
    }

    /// Whether some go on with a byte that is no white space outside of strings, as far as the first and the last one tell.
    #[inline]
    pub(crate) const fn may_go_on(&self, byte: u8) -> bool {
        self.low <= byte && byte <= self.high
    }

    /// Whether it is one of the values.
    #[inline]
    pub(crate) const fn is_whole(&self) -> bool {
        self.first.is_read()
    }
}

impl Scratch<'_> {
    /// The values that begin with a text, as they go on; `None` if there are none.
    pub(crate) fn alike(&mut self, items: Sorted, beginning: Span) -> Result<Option<Alike>, Error> {
        self.charge(1 + beginning.len() as usize)?;
        let values = self.values_like(items, beginning);
        let read = text::significant(self.text.words(), beginning).count() as u32;
        self.alike_in(values, read)
    }

    /// The bytes with which they go on.
    pub(crate) fn bytes_of_alike(&self, Alike { values, read, first, .. }: Alike) -> Bytes {
        let mut bytes = Bytes::EMPTY;
        let byte = |place| self.behind_like(values, place, first, read).next(self.text.words());
        let mut place = 0;
        while place < values.count {
            let first = byte(place);
            first.into_iter().for_each(|first| bytes.insert(first.into()));
            place = self.first_place_not(values, place, |_, place| byte(place) == first);
        }
        bytes
    }

    /// Those of which this many bytes are read, if there are any.
    fn alike_in(&mut self, values: Sorted, read: u32) -> Result<Option<Alike>, Error> {
        let Some(last) = values.count.checked_sub(1) else { return Ok(None) };
        self.charge(2 * read as usize)?;
        let first = self.behind(self.item(self.sorted_at(values, 0)), read);
        let last = self.behind_like(values, last, first, read);
        Ok(Some(self.alike_between(values, read, first, last)))
    }

    /// Those of which the rests of the first and the last one are known.
    fn alike_between(&self, values: Sorted, read: u32, first: Reading, last: Reading) -> Alike {
        let [low, high] = [first, last].map(|mut rest| rest.next(self.text.words()).unwrap_or(0));
        Alike { values, read, first, last, low, high, next: 0 }
    }

    /// The rest of a value of which so many bytes are read.
    fn behind(&self, value: Span, read: u32) -> Reading {
        let mut reading = Reading::of(value);
        (0..read).for_each(|_| _ = reading.next(self.text.words()));
        reading
    }

    /// The same, given that of the first of some values that begin alike. Most have the same white space.
    fn behind_like(&self, values: Sorted, place: usize, first: Reading, read: u32) -> Reading {
        let [like, value] = [0, place].map(|place| self.item(self.sorted_at(values, place)));
        let bytes = first.start() - like.start;
        match bytes < value.len() && text::are_same(self.text.words(), like.start, value.start, bytes) {
            true => first.moved(value, bytes),
            false => self.behind(value, read),
        }
    }

    /// Those that go on with a byte that is no white space outside of strings, if there are any.
    #[inline]
    pub(crate) fn alike_with(&mut self, alike: &mut Alike, byte: u8) -> Result<Option<Alike>, Error> {
        let Alike { values, read, mut first, mut last, low, high, .. } = *alike;
        if !alike.may_go_on(byte) {
            return Ok(None);
        }
        if low < high {
            return self.alike_among(alike, byte);
        }
        for rest in [&mut first, &mut last] {
            rest.next(self.text.words());
        }
        Ok(Some(self.alike_between(values, read + 1, first, last)))
    }

    /// The same where they do not all go on alike.
    fn alike_among(&mut self, alike: &mut Alike, byte: u8) -> Result<Option<Alike>, Error> {
        let Alike { values, read, next, first, .. } = *alike;
        self.charge(read as usize)?;
        let order = |scratch: &Self, place| {
            scratch.behind_like(values, place, first, read).next(scratch.text.words()).cmp(&Some(byte))
        };
        let start = self.first_place_not(values, next, |scratch, place| order(scratch, place).is_lt());
        let end = self.first_place_not(values, start, |scratch, place| order(scratch, place).is_eq());
        alike.next = end;
        self.alike_in(values.part(start..end), read + 1)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use gcc_grammar_artifact::ids::{LexState, LrState};
    use std::vec::Vec;

    use super::super::heads::Head;
    use super::super::stack::ITEM;
    use super::*;

    /// A number below a bound, from the state of a generator.
    fn below(state: &mut u64, bound: u64) -> u64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) % bound
    }

    /// Commits a memory.
    fn commit(scratch: &mut Scratch<'_>, memory: Memory) {
        let mut heads = scratch.empty_heads();
        let head = Head { lex: LexState(1), node: Node(0), age: 0, start: 0, memory };
        scratch.push_head(&mut heads, head).unwrap();
        scratch.push_entry(heads).unwrap();
    }

    /// The memory of the newest entry.
    fn memory(scratch: &Scratch<'_>) -> Memory {
        scratch.head(scratch.newest(), 0).memory
    }

    fn begin<'s>(words: &'s mut [u32]) -> Scratch<'s> {
        let mut scratch = Scratch::with_text(words);
        scratch.push_cell(LrState::INITIAL, None, None).unwrap();
        commit(&mut scratch, None);
        scratch
    }

    /// Commits one more item.
    fn add(scratch: &mut Scratch<'_>, bytes: &[u8]) {
        let start = scratch.text.len();
        bytes.iter().for_each(|&byte| scratch.text.push(byte).unwrap());
        let span = Span { start, end: scratch.text.len() };
        let tag = match bytes[0] {
            b'[' => scratch.text.signature(span).tag(),
            _ => ITEM,
        };
        let item = scratch.push_item(memory(scratch), span, tag).unwrap();
        commit(scratch, Some(item));
    }

    /// A text of a few letters, or an array of them.
    fn random_item(state: &mut u64) -> Vec<u8> {
        let mut bytes: Vec<u8> = (0..=below(state, 4)).map(|_| b'a' + below(state, 3) as u8).collect();
        if below(state, 3) == 0 {
            bytes.insert(0, b'[');
            bytes.push(b']');
        }
        bytes
    }

    /// Compares the table with the items of the list, and its parts with what they are defined to be.
    fn compare(scratch: &mut Scratch<'_>, beginning: Span) {
        let last = memory(scratch).unwrap();
        let mut all: Vec<Node> =
            core::iter::successors(Some(last), |&item| scratch.listed_before(item)).collect();
        let around = scratch.item_before(*all.last().unwrap());
        let items = scratch.sorted(last).unwrap().expect("a table");
        assert!(around.is_some() && scratch.innermost(Some(last)).unwrap() == around);
        let nodes = |scratch: &Scratch<'_>, part: Sorted| -> Vec<Node> {
            (0..part.count).map(|place| scratch.sorted_at(part, place)).collect()
        };
        let mut sorted = nodes(scratch, items);
        let bytes = |item: Node| -> Vec<u8> {
            let Span { start, end } = scratch.item(item);
            (start..end).map(|at| scratch.text.byte(at)).collect()
        };
        let (is_value, wanted) = (|item| bytes(item)[0] == b'[', bytes_of(scratch, beginning));
        let texts: Vec<Node> = sorted.iter().copied().filter(|&item| !is_value(item)).collect();
        assert!(texts.is_sorted_by_key(|&item| bytes(item)));
        let begun: Vec<Node> =
            texts.iter().copied().filter(|&item| bytes(item).starts_with(&wanted)).collect();
        assert_eq!(nodes(scratch, scratch.texts_with(items, beginning)), begun);
        let values: Vec<Node> = sorted.iter().copied().filter(|&item| is_value(item)).collect();
        assert_eq!(nodes(scratch, scratch.values_of(items)), values);
        let some: Vec<Node> =
            values.iter().copied().filter(|&item| (4..=5).contains(&bytes(item).len())).collect();
        assert_eq!(nodes(scratch, scratch.values_between(items, 4..=5)), some);
        let firsts = scratch.bytes_at(scratch.texts_with(items, Span::EMPTY), 0);
        let is_first = |byte: u8| texts.iter().any(|&item| bytes(item)[0] == byte);
        assert!((0..=u8::MAX).all(|byte| firsts.contains(byte.into()) == is_first(byte)));
        sorted.sort_unstable();
        all.sort_unstable();
        assert_eq!(sorted, all);
    }

    fn bytes_of(scratch: &Scratch<'_>, span: Span) -> Vec<u8> {
        (span.start..span.end).map(|at| scratch.text.byte(at)).collect()
    }

    #[test]
    fn the_table_follows_the_list() {
        let (mut words, mut other) = (std::vec![0; 40_000], std::vec![0; 44_000]);
        let mut scratch = begin(&mut words);
        // Other cells lie below, so that the number of the open item changes.
        for _ in 0..9 {
            scratch.push_cell(LrState::INITIAL, None, None).unwrap();
        }
        let open = scratch.remember(None, Span { start: 0, end: super::super::OPEN }).unwrap();
        commit(&mut scratch, Some(open));
        let mut state = 1;
        for round in 0..400 {
            match below(&mut state, 8) {
                0 if round > 20 => (0..below(&mut state, 9)).for_each(|_| scratch.pop_entry()),
                1 => scratch.compact(20),
                _ => {
                    let item = random_item(&mut state);
                    add(&mut scratch, &item);
                }
            }
            if memory(&scratch).is_none_or(|item| scratch.is_open(item)) {
                if memory(&scratch).is_none() {
                    let open = scratch.remember(None, Span { start: 0, end: super::super::OPEN }).unwrap();
                    commit(&mut scratch, Some(open));
                }
                add(&mut scratch, b"b");
            }
            let start = below(&mut state, u64::from(scratch.text.len())) as u32;
            let beginning = Span { start, end: start + below(&mut state, 2) as u32 };
            if below(&mut state, 3) > 0 {
                compare(&mut scratch, beginning);
                let mut copy = Scratch::with_text(&mut other);
                copy.copy_from(&scratch).unwrap();
                compare(&mut copy, beginning);
            }
        }
    }

    /// A list within an item does not take the table of a longer one around it, but a longer list does.
    #[test]
    fn the_longest_list_has_the_table() {
        let mut words = std::vec![0; 4_000];
        let mut scratch = begin(&mut words);
        (b'a'..b'd').for_each(|byte| add(&mut scratch, &[byte]));
        let outer = memory(&scratch).unwrap();
        assert!(scratch.sorted(outer).unwrap().is_some());
        let open = scratch.remember(Some(outer), Span { start: 0, end: super::super::OPEN }).unwrap();
        commit(&mut scratch, Some(open));
        (b'a'..b'd').for_each(|byte| add(&mut scratch, &[byte]));
        let inner = memory(&scratch).unwrap();
        assert!(scratch.sorted(inner).unwrap().is_none() && scratch.is_table_of(outer));
        add(&mut scratch, b"d");
        let inner = memory(&scratch).unwrap();
        assert!(scratch.sorted(inner).unwrap().is_some() && scratch.is_table_of(inner));
        (0..5).for_each(|_| scratch.pop_entry());
        assert!(!scratch.is_table_of(outer));
        assert!(scratch.sorted(outer).unwrap().is_some());
    }
}
