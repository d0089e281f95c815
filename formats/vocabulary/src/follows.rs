//! [`Follows`]: a part of a vocabulary that follows from its tokens. It may be there or not, so it makes no difference to `==`.

use std::fmt;

/// What follows from the rest of a vocabulary. All values are equal for `==`.
#[derive(Clone, Default)]
pub(crate) struct Follows<T>(pub(crate) T);

impl<T> PartialEq for Follows<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Eq for Follows<T> {}

impl<T> fmt::Debug for Follows<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Follows").finish_non_exhaustive()
    }
}
