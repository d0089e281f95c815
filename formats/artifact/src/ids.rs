//! Index newtypes: one per kind of thing that is numbered in a compiled grammar.

macro_rules! ids {
    ($($(#[doc = $doc:literal])+ $name:ident;)+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in tables that have one entry per thing of this kind.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    )+};
}

ids! {
    /// A token of the vocabulary, by the number the model uses.
    TokenId;
    /// A class of input symbols (bytes or special tokens) that no lexer state tells apart.
    SymbolClass;
    /// A state of the lexer automaton. State 0 is dead.
    LexState;
    /// How the end of one lexeme restricts the next one.
    EndClass;
    /// A terminal: what the lexer gives to the parser.
    Terminal;
    /// A nonterminal: what a production reduces to.
    Nonterminal;
    /// A state of the LR automaton. State 0 is the initial one.
    LrState;
    /// A production of the grammar.
    Production;
    /// A state of the Parser DWA. State 0 is STOP: everything is decided.
    DwaState;
    /// A mask of the mask store. Mask 0 is empty.
    MaskId;
    /// A base bitmap of the mask store: from 0 to [`Counts::bases`](crate::grammar::Counts::bases).
    BaseId;
}

impl LexState {
    /// The state from which nothing can follow.
    pub const DEAD: Self = Self(0);
}

impl Terminal {
    /// Stands for all ignored terminals: a lexeme without a parser step.
    pub const IGNORE: Self = Self(u32::MAX);
}

impl LrState {
    /// The state at the bottom of every stack.
    pub const INITIAL: Self = Self(0);
}

impl DwaState {
    /// Nothing deeper on the stack can change the mask.
    pub const STOP: Self = Self(0);
}

impl MaskId {
    /// The mask that allows nothing.
    pub const EMPTY: Self = Self(0);
}
