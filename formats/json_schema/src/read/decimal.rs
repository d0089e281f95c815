//! Exact decimal numbers of any length, read from the notation of JSON.
//!
//! Numbers are normalized, so equal numbers are equal values: `1`, `1.0` and `10e-1` are the same
//! [`Decimal`].

use std::cmp::Ordering;

/// `±digits × 10^exponent`, normalized: no leading or trailing zero digit; zero has no digits, no sign,
/// exponent 0.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Decimal {
    pub(crate) negative: bool,
    /// Most significant first, each `0..=9`.
    pub(crate) digits: Vec<u8>,
    pub(crate) exponent: i64,
}

impl Decimal {
    /// Reads a number that follows the grammar of JSON. `None` if its exponent is 2^40 or more.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
            None => (rest, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = whole.bytes().chain(fraction.bytes()).map(|b| b - b'0').collect();
        let exponent = exponent.checked_sub(fraction.len() as i64)?;
        (exponent.unsigned_abs() < 1 << 40).then(|| Self { negative, digits, exponent }.normalized())
    }

    fn normalized(mut self) -> Self {
        let leading = self.digits.iter().take_while(|&&d| d == 0).count();
        self.digits.drain(..leading);
        while self.digits.last() == Some(&0) {
            self.digits.pop();
            self.exponent += 1;
        }
        if self.digits.is_empty() {
            return Self { negative: false, digits: Vec::new(), exponent: 0 };
        }
        self
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    pub(crate) fn is_integer(&self) -> bool {
        self.exponent >= 0
    }

    /// An upper bound on the number of digits in plain notation, without exponent.
    pub(crate) fn plain_length(&self) -> u64 {
        let zeros = self.exponent.unsigned_abs();
        self.digits.len() as u64 + zeros + 1
    }

    /// The digits before and after the point in plain notation. The first list is never empty, the second has
    /// no trailing zero. Callers check [`Self::plain_length`] first, since the lists may be very long.
    pub(crate) fn plain(&self) -> (Vec<u8>, Vec<u8>) {
        if self.is_zero() {
            return (vec![0], Vec::new());
        }
        let point = self.digits.len() as i64 + self.exponent;
        if point <= 0 {
            let mut fraction = vec![0; point.unsigned_abs() as usize];
            fraction.extend(&self.digits);
            return (vec![0], fraction);
        }
        let mut whole = self.digits.clone();
        let fraction =
            if (point as usize) < whole.len() { whole.split_off(point as usize) } else { Vec::new() };
        whole.resize(point as usize, 0);
        (whole, fraction)
    }

    /// The value as an unsigned integer, if it is one and fits.
    pub(crate) fn to_u64(&self) -> Option<u64> {
        if self.negative || !self.is_integer() || self.exponent > 20 {
            return None;
        }
        let digits = self.digits.iter().copied().chain(std::iter::repeat_n(0, self.exponent as usize));
        digits.into_iter().try_fold(0u64, |value, digit| value.checked_mul(10)?.checked_add(u64::from(digit)))
    }

    fn compare_magnitude(&self, other: &Self) -> Ordering {
        let point = |d: &Self| d.digits.len() as i64 + d.exponent;
        match (self.is_zero(), other.is_zero()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => point(self).cmp(&point(other)).then_with(|| self.digits.cmp(&other.digits)),
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.compare_magnitude(other),
            (true, true) => other.compare_magnitude(self),
        }
    }
}
