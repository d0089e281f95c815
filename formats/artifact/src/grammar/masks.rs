//! Masks as the store holds them: a base bitmap, and tokens to flip, page by page.

use super::PAGE_TOKENS;
use crate::ids::TokenId;
use crate::wire::{U16, U32};

/// Words of a page's bitmap.
const PAGE_WORDS: usize = PAGE_TOKENS / 32;

/// A mask: `base` with the tokens in both `deltas` flipped; one that is in both is flipped twice.
#[derive(Clone, Copy, Debug)]
pub struct MaskParts<'a> {
    /// A bitmap of [`row_words`](super::Counts::row_words) words; `None` stands for all zero.
    pub base: Option<&'a [U32]>,
    /// The leader's and its own.
    pub deltas: [Delta<'a>; 2],
}

/// Tokens to flip.
#[derive(Clone, Copy, Debug)]
pub struct Delta<'a> {
    /// Where the tokens of each page start in `flips`, and where those of the last one end.
    pub(super) offsets: &'a [U32],
    /// The tokens of all deltas.
    pub(super) flips: &'a [U16],
}

/// What a mask has on one page of 65,536 tokens, which are counted from the first of the page.
#[derive(Clone, Copy, Debug)]
pub struct MaskPage<'a> {
    /// The words of the bitmap; `None` stands for all zero.
    pub base: Option<&'a [U32]>,
    /// The tokens of both deltas, strictly ascending.
    pub deltas: [&'a [U16]; 2],
}

impl<'a> MaskParts<'a> {
    /// The pages, from the first to the last.
    #[inline]
    pub fn pages(self) -> impl ExactSizeIterator<Item = MaskPage<'a>> {
        (0..self.deltas[0].pages()).map(move |page| self.page(page))
    }

    /// One of the pages.
    #[must_use]
    #[inline]
    pub fn page(&self, page: usize) -> MaskPage<'a> {
        let words = |base: &'a [U32]| {
            let rest = &base[page * PAGE_WORDS..];
            &rest[..rest.len().min(PAGE_WORDS)]
        };
        MaskPage { base: self.base.map(words), deltas: self.deltas.map(|delta| delta.page(page)) }
    }

    /// Whether the mask allows a token.
    #[must_use]
    pub fn contains(&self, token: TokenId) -> bool {
        let page = token.index() / PAGE_TOKENS;
        page < self.deltas[0].pages() && self.page(page).contains(token.0 as u16)
    }
}

impl MaskPage<'_> {
    /// Whether the mask allows a token of this page.
    #[must_use]
    pub fn contains(&self, token: u16) -> bool {
        let word = self.base.and_then(|base| base.get(usize::from(token) / 32)).map_or(0, |word| word.get());
        let is_in = |delta: &[U16]| delta.binary_search_by_key(&token, |flip| flip.get()).is_ok();
        let [leader, own] = self.deltas.map(is_in);
        (word >> (token % 32) & 1 == 1) ^ leader ^ own
    }
}

impl<'a> Delta<'a> {
    /// How many tokens there are.
    #[must_use]
    pub fn len(&self) -> usize {
        let offset = |offset: Option<&U32>| offset.map_or(0, |offset| offset.get() as usize);
        offset(self.offsets.last()) - offset(self.offsets.first())
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    const fn pages(&self) -> usize {
        self.offsets.len() - 1
    }

    #[inline]
    fn page(&self, page: usize) -> &'a [U16] {
        &self.flips[self.offsets[page].get() as usize..self.offsets[page + 1].get() as usize]
    }
}

/// Tokens that are in one of two deltas, strictly ascending.
#[derive(Clone, Debug)]
pub struct Flips<'a> {
    deltas: [Delta<'a>; 2],
    /// The next page.
    page: usize,
    /// What is left of the page before it.
    left: [&'a [U16]; 2],
}

impl<'a> Flips<'a> {
    pub(super) const fn new(deltas: [Delta<'a>; 2]) -> Self {
        Self { deltas, page: 0, left: [&[]; 2] }
    }

    /// The next one of the page.
    #[inline]
    fn next_of_page(&mut self) -> Option<u16> {
        loop {
            let [leader, own] = &mut self.left;
            let (from, other) = match (leader.first(), own.first()) {
                (Some(a), Some(b)) if b.get() < a.get() => (own, None),
                (Some(a), Some(b)) if a.get() == b.get() => (leader, Some(own)),
                (Some(_), _) => (leader, None),
                (None, _) => (own, None),
            };
            let (flip, rest) = from.split_first()?;
            *from = rest;
            match other {
                Some(other) => *other = &other[1..],
                None => return Some(flip.get()),
            }
        }
    }
}

impl Iterator for Flips<'_> {
    type Item = TokenId;

    #[inline]
    fn next(&mut self) -> Option<TokenId> {
        loop {
            if let Some(flip) = self.next_of_page() {
                return Some(TokenId(((self.page - 1) * PAGE_TOKENS) as u32 + u32::from(flip)));
            }
            if self.page == self.deltas[0].pages() {
                return None;
            }
            self.left = self.deltas.map(|delta| delta.page(self.page));
            self.page += 1;
        }
    }
}
