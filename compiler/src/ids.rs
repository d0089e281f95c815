//! The index newtypes of the compiler.
//!
//! Those of kinds that an artifact has, too, belong to the [artifact](gcc_grammar_artifact::ids), those of terminals and
//! nonterminals to the grammar ([`gcc_grammar_ir::ids`]). After normalization, the end of text is the terminal after the
//! last terminal of the grammar.

pub use gcc_grammar_artifact::ids::{DwaState, EndClass, LexState, LrState, ProductionId, SymbolClass};

use gcc_grammar_ir::index_newtype;

index_newtype! {
    /// A lexical context: a set of terminals that may start a lexeme.
    ContextId;
    /// An interned set of token ranks; 0 is the empty set.
    SetId;
    /// A node of the Terminal DWA.
    NodeId;
    /// An arc of the Terminal DWA: a terminal, a weight and a cut.
    ArcId;
    /// A cut of the Terminal DWA: the positions in the trie at which a lexeme ended, where an arc leads.
    CutId;
}
