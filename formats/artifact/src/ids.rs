//! Index newtypes: one per kind of thing that is numbered in a compiled grammar.
//!
//! They keep a state of the lexer from being used as a state of the parser. Converting an id to a table index
//! is [`index`](TokenId::index). The compiler makes ids of indices; the runtime makes them of numbers that were read
//! from validated tables.

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
            #[inline]
            $vis fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("more than 2^32 ids"))
            }

            /// The index in tables that have one entry per id of this kind.
            #[must_use]
            #[inline]
            $vis const fn index(self) -> usize {
                self.0 as usize
            }
        }
    )+};
}

index_newtype! {
    /// A token of the vocabulary, in the numbering of the model.
    TokenId;
    /// A class of input symbols (bytes or special tokens) that no lexer state distinguishes.
    SymbolClass;
    /// A state of the lexer automaton. State 0 is dead.
    LexState;
    /// A restriction on the next lexeme, imposed by where the last one ended (a longest-match constraint).
    EndClass;
    /// A terminal of the grammar: the lexer finds terminals, the parser reads them.
    Terminal;
    /// A nonterminal of the grammar.
    Nonterminal;
    /// A state of the LR automaton. State 0 is the initial one.
    LrState;
    /// A production of the grammar.
    ProductionId;
    /// A state of the Parser DWA. State 0 is STOP: the mask is decided.
    DwaState;
    /// A mask of the mask store. Mask 0 is empty.
    MaskId;
    /// A base bitmap of the mask store, less than [`Counts::bases`](crate::grammar::Counts::bases).
    BaseId;
}

impl LexState {
    /// The state from which no terminal can be completed.
    pub const DEAD: Self = Self(0);
    /// Stands for a state that cannot be made ([`LexerSource`](crate::grammar::LexerSource)).
    pub const UNKNOWN: Self = Self(u32::MAX);
}

impl Terminal {
    /// Stands for all ignored terminals: the parser takes no step for their lexemes.
    pub const IGNORE: Self = Self(u32::MAX);
}

impl LrState {
    /// The state at the bottom of every stack.
    pub const INITIAL: Self = Self(0);
}

impl DwaState {
    /// The final state: no state deeper on the stack can change the mask.
    pub const STOP: Self = Self(0);
}

impl MaskId {
    /// The mask without any token.
    pub const EMPTY: Self = Self(0);
    /// Stands for a mask that cannot be made ([`MaskSource`](crate::grammar::MaskSource)).
    pub const UNKNOWN: Self = Self(u32::MAX);
}
