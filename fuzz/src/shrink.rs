//! Makes a failing input small: pieces are removed as long as the input still fails.

/// The smallest failing input that was found; `fails` holds for `input`. Each round removes pieces of half the length of the round before,
/// as delta debugging does (Zeller and Hildebrandt 2002).
pub fn shrink(input: &[u8], mut fails: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut smallest = input.to_vec();
    let mut piece = smallest.len().div_ceil(2);
    while piece > 0 {
        let mut at = 0;
        let before = smallest.len();
        while at < smallest.len() {
            let end = (at + piece).min(smallest.len());
            let candidate = [&smallest[..at], &smallest[end..]].concat();
            if fails(&candidate) {
                smallest = candidate;
            } else {
                at += piece;
            }
        }
        // A round of single bytes is repeated until nothing can be removed.
        if piece > 1 || smallest.len() == before {
            piece /= 2;
        }
    }
    smallest
}
