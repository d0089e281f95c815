//! Index newtypes: a type of its own for the ids of every kind of item, so that ids of different kinds cannot be mixed up.

/// Declares index newtypes over `u32`, with conversions from and to `usize`. The types are public, unless the list begins
/// with another visibility, as in `vis pub(crate),`.
#[macro_export]
macro_rules! index_newtype {
    ($($(#[$doc:meta])* $name:ident;)+) => {
        $crate::index_newtype! { vis pub, $($(#[$doc])* $name;)+ }
    };
    (vis $vis:vis, $($(#[$doc:meta])* $name:ident;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        $vis struct $name($vis u32);

        impl $name {
            /// The id of the item at `index`. Panics above `u32::MAX`; limits on sizes are checked long before.
            #[must_use]
            $vis fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("more than 2^32 ids"))
            }

            /// The index in the vector that holds the items of this kind.
            #[must_use]
            $vis const fn index(self) -> usize {
                self.0 as usize
            }
        }
    )+};
}

index_newtype! {
    /// A terminal of a [`Grammar`](crate::Grammar): an index into `Grammar::terminals`.
    TerminalId;
    /// A nonterminal of a [`Grammar`](crate::Grammar): an index into `Grammar::rules`.
    NonterminalId;
}
