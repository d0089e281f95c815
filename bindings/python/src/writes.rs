//! Which call wrote a row last, so that what a matcher remembers of a row holds only as long as no other call has written it.
//!
//! Every call of this package that writes a mask notes it here before, whichever matcher or bound row it belongs to. Rows with different addresses may
//! share a place: then one is written as a whole that need not be.

use gcc_grammar::{MatchError, Matcher, RowMemory};
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of places.
const PLACES: usize = 1024;
/// The bits of a mixed address that are not the number of a place.
const SHIFT: u32 = u64::BITS - PLACES.ilog2();

/// Per place: the number of the last write.
static LAST: [AtomicU64; PLACES] = [const { AtomicU64::new(0) }; PLACES];
/// The number of writes.
static WRITES: AtomicU64 = AtomicU64::new(0);

fn last(address: usize) -> &'static AtomicU64 {
    let mixed = (address as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    &LAST[(mixed >> SHIFT) as usize]
}

/// Notes that the row at an address is written now, and returns the number of the write.
pub(crate) fn note(address: usize) -> u64 {
    let number = 1 + WRITES.fetch_add(1, Ordering::Relaxed);
    last(address).store(number, Ordering::Relaxed);
    number
}

/// What a row holds since a write.
#[derive(Default)]
pub(crate) struct Held {
    memory: RowMemory,
    write: u64,
}

impl Held {
    /// Writes the mask into the row at an address, as a whole if another call has written it meanwhile.
    pub(crate) fn update(
        &mut self,
        matcher: &mut Matcher,
        address: usize,
        row: &mut [u32],
    ) -> Result<(), MatchError> {
        if last(address).load(Ordering::Relaxed) != self.write {
            self.memory = RowMemory::default();
        }
        self.write = note(address);
        matcher.update_mask(row, &mut self.memory)
    }
}
