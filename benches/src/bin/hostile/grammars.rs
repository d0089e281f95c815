//! Grammars that were made to take long.

use super::Case;

pub(crate) const CASES: &[Case] = &[];
