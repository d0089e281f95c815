//! The tokens that contain a byte.

use crate::follows::Follows;
use std::sync::OnceLock;

/// Per byte: the text tokens that contain it, ascending; made when they are first asked for.
pub(crate) type Containing = Follows<Lists>;

/// The lists.
#[derive(Clone)]
pub(crate) struct Lists(Box<[OnceLock<Box<[u32]>>]>);

impl Default for Lists {
    fn default() -> Self {
        Self((0..=u8::MAX).map(|_| OnceLock::new()).collect())
    }
}

impl Containing {
    /// The list of a byte among these tokens.
    pub(crate) fn get_or_make<'a>(&self, byte: u8, tokens: impl Iterator<Item = (u32, &'a [u8])>) -> &[u32] {
        self.0.0[usize::from(byte)].get_or_init(|| {
            let with_byte = tokens.filter(|(_, bytes)| bytes.contains(&byte));
            with_byte.map(|(token, _)| token).collect()
        })
    }
}
