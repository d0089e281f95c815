//! The index newtypes of the compiler.
//!
//! The ids of terminals and nonterminals belong to the grammar ([`gcc_grammar_ir::ids`]). After normalization,
//! the end of text is the terminal after the last terminal of the grammar.

use gcc_grammar_ir::index_newtype;

index_newtype! {
    /// A production of the normalized grammar.
    ProductionId;
    /// A state of the LR automaton; a symbol of the parser stack.
    LrState;
    /// A lexical context: a set of terminals that may start a lexeme.
    ContextId;
    /// A state of the shared lexer automaton; 0 is the dead state.
    LexState;
    /// The longest-match constraint that a lexeme puts on the next lexeme; 0 if there is none.
    EndClass;
    /// A column of the lexer table: a class of bytes or of special tokens.
    SymbolClass;
    /// An interned set of token ranks; 0 is the empty set.
    SetId;
    /// A node of the Terminal DWA.
    NodeId;
    /// An arc of the Terminal DWA: a terminal, a weight and a cut.
    ArcId;
    /// A cut of the Terminal DWA: the positions in the trie at which a lexeme ended, where an arc leads.
    CutId;
    /// A state of the Parser DWA; in state 0 everything is decided, and reading stops.
    DwaState;
}
