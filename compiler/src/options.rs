//! What a caller may choose.

use crate::limits::Limits;

/// Options of one compilation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Bounds on work and memory.
    pub limits: Limits,
}
