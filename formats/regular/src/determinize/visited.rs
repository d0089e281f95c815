//! A set of small numbers that can be cleared in constant time.

/// A set of numbers below a bound. A number is a member if its stamp is the current one.
pub(super) struct Visited {
    stamps: Vec<u32>,
    current: u32,
}

impl Visited {
    /// The empty set of numbers below `bound`.
    pub(super) fn new(bound: usize) -> Self {
        Self { stamps: vec![0; bound], current: 0 }
    }

    pub(super) fn clear(&mut self) {
        self.current = self.current.wrapping_add(1);
        if self.current == 0 {
            self.stamps.fill(0);
            self.current = 1;
        }
    }

    /// Adds `number`. Returns whether it was not a member yet.
    pub(super) fn insert(&mut self, number: u32) -> bool {
        std::mem::replace(&mut self.stamps[number as usize], self.current) != self.current
    }
}
