//! Index newtypes: one per kind of thing that is numbered, so that they cannot be mixed up.

/// Declares index newtypes over `u32` with the conversions used everywhere. They are public, unless the list begins with
/// another visibility, as in `vis pub(crate),`.
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
            /// The id of the `index`-th thing of its kind. Panics above `u32::MAX`: limits are checked long before.
            #[must_use]
            $vis fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("more than 2^32 ids"))
            }

            /// The position in the vector that holds things of this kind.
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
