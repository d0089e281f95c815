//! The places at which ranges of bytes begin or have ended.
//!
//! In: ranges. Out: the runs of bytes that none of the ranges divides, as pieces or as byte classes.

/// Where ranges of bytes begin: place `b` is before byte `b`, place 256 behind the last byte.
#[derive(Default)]
pub(crate) struct RangeStarts([u64; 5]);

impl RangeStarts {
    /// The places before and behind all these ranges.
    pub(crate) fn of(ranges: impl IntoIterator<Item = (u8, u8)>) -> Self {
        let mut starts = Self::default();
        for (low, high) in ranges {
            starts.add(usize::from(low));
            starts.add(usize::from(high) + 1);
        }
        starts
    }

    /// Adds a place.
    pub(crate) fn add(&mut self, place: usize) {
        self.0[place >> 6] |= 1 << (place & 63);
    }

    /// The places, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(index, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let place = index * 64 + rest.trailing_zeros() as usize;
                let is_there = rest != 0;
                rest &= rest.wrapping_sub(1);
                is_there.then_some(place)
            })
        })
    }

    /// Byte classes made of the runs of bytes between the places: the class of each byte, and their number.
    pub(crate) fn classes(&self) -> (Box<[u8; 256]>, usize) {
        let mut classes = Box::new([0u8; 256]);
        let mut count = 1;
        for place in self.iter().filter(|place| (1..256).contains(place)) {
            classes[place..].fill(count as u8);
            count += 1;
        }
        (classes, count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_range_crosses_a_place() {
        let starts = RangeStarts::of([(0, 9), (5, 63), (64, 64), (200, 255)]);
        assert_eq!(starts.iter().collect::<Vec<_>>(), [0, 5, 10, 64, 65, 200, 256]);
        let (classes, count) = starts.classes();
        assert_eq!(
            [0, 4, 5, 9, 10, 63, 64, 65, 199, 200, 255].map(|byte| classes[byte]),
            [0, 0, 1, 1, 2, 2, 3, 4, 4, 5, 5]
        );
        assert_eq!(count, 6);
        assert_eq!(RangeStarts::default().classes().1, 1, "all bytes are one class");
    }
}
