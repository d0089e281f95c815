//! Deltas: sorted lists of tokens that a mask flips, relative to its base.

/// Most flips of a mask, relative to its base or to the empty bitmap.
pub(crate) const MAX_DELTA: u32 = 768;

/// The size of the symmetric difference of two sorted lists, if it is below `limit`.
pub(super) fn distance(a: &[u32], b: &[u32], limit: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) >= limit {
        return None;
    }
    let count = differing(a, b).take(limit).count();
    (count < limit).then_some(count)
}

/// The symmetric difference of two sorted lists, sorted.
pub(super) fn differing<'l>(mut a: &'l [u32], mut b: &'l [u32]) -> impl Iterator<Item = u32> + 'l {
    std::iter::from_fn(move || {
        while let (Some((x, rest_a)), Some((y, rest_b))) = (a.split_first(), b.split_first()) {
            if x == y {
                (a, b) = (rest_a, rest_b);
                continue;
            }
            return if x < y {
                a = rest_a;
                Some(*x)
            } else {
                b = rest_b;
                Some(*y)
            };
        }
        let left = if a.is_empty() { &mut b } else { &mut a };
        let (first, rest) = left.split_first()?;
        *left = rest;
        Some(*first)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differing_is_the_symmetric_difference() {
        let of = |a: &[u32], b: &[u32]| differing(a, b).collect::<Vec<_>>();
        assert_eq!(of(&[1, 3, 5], &[2, 3, 6, 7]), [1, 2, 5, 6, 7]);
        assert_eq!(of(&[], &[4, 9]), [4, 9]);
        assert_eq!(of(&[4, 9], &[4, 9]), [0; 0]);
        assert_eq!(distance(&[1, 2], &[1, 3], 2), None);
        assert_eq!(distance(&[1, 2], &[1, 3], 3), Some(2));
    }
}
