//! Index newtypes of the compiler. Terminals and nonterminals are numbered by the front end, see
//! [`gcc_grammar_ir::ids`]; after normalization the end-of-text terminal follows the last of them.

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
    /// How the lexeme that just ended restricts the next one (longest match); 0: not at all.
    EndClass;
    /// A column of the lexer table: a class of bytes, or of special tokens.
    SymbolClass;
    /// An interned set of token ranks; 0 is the empty set.
    SetId;
    /// A node of the Terminal DWA.
    NodeId;
    /// An arc of the Terminal DWA: terminal, weight and where its child restarts.
    ArcId;
    /// Where a Terminal DWA arc leads: positions in the trie at which a lexeme ended.
    CutId;
    /// A state of the Parser DWA; 0 means "everything is decided, stop reading".
    DwaState;
}
