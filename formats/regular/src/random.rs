//! A generator of pseudorandom numbers for tests (SplitMix64).

/// The state of the generator. Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (2014).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number less than `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }
}
