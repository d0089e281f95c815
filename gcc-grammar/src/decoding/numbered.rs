//! Masks by number: what travels to an accelerator that keeps the base bitmaps of artifacts.
//!
//! In: matchers, one for each row of a batch, and the slots of the accelerator that hold the bases of their
//! artifacts. Out: one array of words, of which only the beginning has to be copied:
//!
//! ```text
//! words  0        8        16            8 n
//!        | row 0  | row 1  | ... row n-1 | pool: flips of row 0, flips of row 1, ... | not used
//!
//! row    | kind | begin | count | slot 0 | slot 1 | slot 2 | slot 3 | 0 |
//! ```
//! | kind | the mask of the row |
//! |---|---|
//! | 0 to 4 | the union of the bases in the first `kind` slots; the tokens `pool[begin..begin + count]`, strictly ascending, are flipped |
//! | [`WHOLE`] | `pool[begin..begin + count]`, as [`Matcher::fill_mask`] writes it |
//! | [`FREE`] | every token is allowed: there is no matcher, or its output has ended |
//!
//! A row travels whole if its artifact has no slots, or if its flips would take more than [`MAX_FLIPS`]
//! words or more words than the row itself. So the words of [`staging_words`] are always enough.

use crate::decoding::matcher::Matcher;
use crate::sessions::session::Session;
use gcc_grammar_runtime::{BaseId, Error, MAX_BASES};
use std::collections::HashMap;

/// Words per row before the pool.
pub const HEADER_WORDS: usize = 8;
/// The kind of a row that is a bitmap.
pub const WHOLE: u32 = u32::MAX - 1;
/// The kind of a row that allows every token.
pub const FREE: u32 = u32::MAX;
/// The largest number of flips of a row. The compiler makes masks with up to 768.
pub const MAX_FLIPS: usize = 1024;

const _: () = assert!(3 + MAX_BASES <= HEADER_WORDS);

/// The words that are enough for any masks of this many rows.
#[must_use]
pub const fn staging_words(rows: usize, row_words: usize) -> usize {
    rows.saturating_mul(HEADER_WORDS.saturating_add(row_words))
}

/// The base bitmaps of an artifact, for an accelerator.
impl Session {
    /// The number of base bitmaps.
    #[must_use]
    pub fn base_count(&self) -> usize {
        self.engine().grammar().counts().bases
    }

    /// Writes the base bitmaps, one after the other, each of [`row_words`](Self::row_words) words.
    ///
    /// # Errors
    /// [`Error::RowTooShort`] if they do not fit.
    pub fn copy_bases(&self, words: &mut [u32]) -> Result<(), Error> {
        let needed = self.base_count() * self.row_words();
        if words.len() < needed {
            return Err(Error::RowTooShort { needed });
        }
        let grammar = self.engine().grammar();
        let bases = (0..self.base_count()).flat_map(|base| grammar.base(BaseId(base as u32)));
        words.iter_mut().zip(bases).for_each(|(word, base)| *word = base.get());
        Ok(())
    }
}

/// The slots in which an accelerator holds the bases of artifacts.
#[derive(Default, Debug)]
pub struct BaseSlots {
    /// By the identity of the session, which stays in use as long as it is here.
    sessions: HashMap<usize, (Session, Vec<u32>)>,
}

impl BaseSlots {
    /// Notes the slot of each base of an artifact. Returns whether there is one for each.
    pub fn insert(&mut self, session: &Session, slots: Vec<u32>) -> bool {
        let complete = slots.len() == session.base_count();
        if complete {
            self.sessions.insert(session.identity(), (session.clone(), slots));
        }
        complete
    }

    /// Forgets the slots of an artifact.
    pub fn remove(&mut self, session: &Session) {
        self.sessions.remove(&session.identity());
    }

    fn of(&self, session: &Session) -> Option<&[u32]> {
        self.sessions.get(&session.identity()).map(|(_, slots)| slots.as_slice())
    }
}

/// The array of words that travels, while it is written. Its rows are free until they are written.
#[derive(Debug)]
pub struct Staging<'a> {
    headers: &'a mut [u32],
    pool: &'a mut [u32],
    row_words: usize,
    /// The words of the pool that are in use.
    used: usize,
}

impl<'a> Staging<'a> {
    /// Begins a batch of rows, which are all free.
    ///
    /// # Errors
    /// [`Error::RowTooShort`] if there are fewer words than [`staging_words`].
    pub fn new(words: &'a mut [u32], rows: usize, row_words: usize) -> Result<Self, Error> {
        let needed = staging_words(rows, row_words);
        if words.len() < needed {
            return Err(Error::RowTooShort { needed });
        }
        let (headers, pool) = words.split_at_mut(rows * HEADER_WORDS);
        headers.fill(0);
        headers.iter_mut().step_by(HEADER_WORDS).for_each(|kind| *kind = FREE);
        Ok(Self { headers, pool, row_words, used: 0 })
    }

    /// Writes the mask of a matcher as the next row that was not written.
    ///
    /// # Errors
    /// [`Error::RowTooShort`] if the mask is wider than the rows; [`Error::ScratchFull`] at the limit of the
    /// scratch.
    ///
    /// # Panics
    /// There is no such row.
    pub fn write(&mut self, row: usize, matcher: &mut Matcher, slots: &BaseSlots) -> Result<(), Error> {
        let needed = matcher.session().row_words();
        if needed > self.row_words {
            return Err(Error::RowTooShort { needed });
        }
        let header = &mut self.headers[row * HEADER_WORDS..][..HEADER_WORDS];
        if matcher.is_terminated() {
            return Ok(());
        }
        let free = &mut self.pool[self.used..];
        let (kind, count) = match by_number(header, free, self.row_words, matcher, slots)? {
            Some(numbers) => numbers,
            None => {
                matcher.fill_mask(&mut free[..self.row_words])?;
                (WHOLE, self.row_words)
            }
        };
        header[..3].copy_from_slice(&[kind, self.used as u32, count as u32]);
        self.used += count;
        Ok(())
    }

    /// The words that have to travel.
    #[must_use]
    pub const fn used(&self) -> usize {
        self.headers.len() + self.used
    }
}

/// Writes a mask as slots and flips, and returns its kind and the number of flips; `None` if it has to travel
/// whole.
fn by_number(
    header: &mut [u32],
    pool: &mut [u32],
    row_words: usize,
    matcher: &mut Matcher,
    slots: &BaseSlots,
) -> Result<Option<(u32, usize)>, Error> {
    let Some(slots) = slots.of(matcher.session()) else { return Ok(None) };
    let Some(mask) = matcher.mask_by_number(&mut pool[..row_words.min(MAX_FLIPS)])? else { return Ok(None) };
    let bases = mask.bases();
    let kind = bases.len() as u32;
    header[3..].iter_mut().zip(bases).for_each(|(slot, base)| *slot = slots[base.index()]);
    Ok(Some((kind, mask.flip_count())))
}
