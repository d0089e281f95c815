//! The index newtypes of grammars. [`index_newtype!`](crate::index_newtype) declares more.

use gcc_grammar_artifact::index_newtype;

index_newtype! {
    /// A terminal of a [`Grammar`](crate::Grammar): an index into `Grammar::terminals`.
    TerminalId;
    /// A nonterminal of a [`Grammar`](crate::Grammar): an index into `Grammar::rules`.
    NonterminalId;
}
