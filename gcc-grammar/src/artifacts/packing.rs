//! [`Packing`]: what an artifact carries of its vocabulary.

/// Whether the artifact carries the tokens of its vocabulary.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Packing {
    /// The artifact names its vocabulary, which is loaded with it.
    #[default]
    Referenced,
    /// The artifact has the tokens inside, so that nothing else is needed to decode with it.
    SelfContained,
}

impl Packing {
    /// What an artifact carries that is self-contained or not.
    #[must_use]
    pub const fn of(self_contained: bool) -> Self {
        if self_contained { Self::SelfContained } else { Self::Referenced }
    }
}
