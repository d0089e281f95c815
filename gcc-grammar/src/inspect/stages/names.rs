//! Names of terminals, bytes and tokens, as the tables show them.

use crate::text::quote;
use gcc_grammar_compiler::Automata;
use gcc_grammar_compiler::ids::SymbolClass;
use gcc_grammar_compiler::lexer::IGNORED;
use gcc_grammar_compiler::lr::Action;
use gcc_grammar_compiler::terminal::TokenIds;
use gcc_grammar_ir::{NonterminalId, Symbol, TerminalId};
use gcc_grammar_vocabulary::Vocabulary;

/// A class with more ranges of bytes is shown as the other bytes.
const MAX_RANGES: usize = 4;

/// The automata and the vocabulary, with names for their parts.
pub(super) struct Names<'a> {
    pub(super) automata: &'a Automata,
    pub(super) vocabulary: &'a Vocabulary,
    /// The ids of the tokens by rank: text tokens in byte order, then the special tokens that the grammar
    /// uses.
    pub(super) tokens: TokenIds<'a>,
}

impl<'a> Names<'a> {
    pub(super) fn new(automata: &'a Automata, vocabulary: &'a Vocabulary) -> Self {
        let tokens = TokenIds::new(vocabulary, &automata.symbols);
        Self { automata, vocabulary, tokens }
    }

    /// The name of a terminal.
    pub(super) fn terminal(&self, terminal: TerminalId) -> String {
        match terminal {
            IGNORED => "(ignored)".to_owned(),
            terminal if terminal == self.automata.cfg.end => "END".to_owned(),
            terminal => self.automata.terminal_name(terminal).to_owned(),
        }
    }

    /// The names of terminals.
    pub(super) fn terminals(&self, terminals: &[TerminalId]) -> Vec<String> {
        terminals.iter().map(|&terminal| self.terminal(terminal)).collect()
    }

    /// The name of a nonterminal of the LR tables.
    pub(super) fn lr_nonterminal(&self, nonterminal: NonterminalId) -> &'a str {
        self.nonterminal(self.automata.nonterminal_origin(nonterminal))
    }

    /// The name of a nonterminal of the productions.
    pub(super) fn nonterminal(&self, nonterminal: NonterminalId) -> &'a str {
        self.automata.symbol_name(Symbol::Nonterminal(nonterminal))
    }

    /// An action of the LR automaton. A reduction names its left-hand side and the length of its right-hand
    /// side.
    pub(super) fn action(&self, action: Action) -> String {
        match action {
            Action::Shift(state) => format!("shift s{}", state.0),
            Action::Reduce(production) => {
                let (lhs, length) = self.automata.decoding().lr.productions[production.index()];
                format!("reduce {}/{length}", self.lr_nonterminal(lhs))
            }
        }
    }

    /// The bytes of a symbol class, or its special tokens.
    pub(super) fn class(&self, class: SymbolClass) -> String {
        let symbols = &self.automata.symbols;
        if class.index() >= symbols.byte_classes {
            let tokens = symbols.special_class.iter().filter(|&&(_, own)| own == class);
            return tokens.map(|&(token, _)| self.token(token)).collect::<Vec<_>>().join(" ");
        }
        let members: Vec<u8> = (0..=u8::MAX).filter(|&byte| symbols.class_of(byte) == class).collect();
        let ranges: Vec<&[u8]> = members.chunk_by(|&a, &b| a.checked_add(1) == Some(b)).collect();
        if ranges.len() > MAX_RANGES {
            return "other bytes".to_owned();
        }
        ranges.into_iter().map(range).collect::<Vec<_>>().join(" ")
    }

    /// A token by id: its bytes in quotes, or its name.
    pub(super) fn token(&self, token: u32) -> String {
        match (self.vocabulary.special_text(token), self.vocabulary.bytes(token)) {
            (Some(name), _) => name.to_owned(),
            (None, Some(bytes)) => quote(bytes),
            (None, None) => format!("<{token}>"),
        }
    }

    /// The tokens of these ranks.
    pub(super) fn tokens(&self, ranks: impl Iterator<Item = u32>) -> Vec<String> {
        ranks.map(|rank| self.token(self.tokens.of(rank))).collect()
    }
}

/// A range of bytes: its first and its last one.
pub(super) fn range(bytes: &[u8]) -> String {
    match bytes {
        [first, .., last] => format!("{}..{}", quote(&[*first]), quote(&[*last])),
        _ => quote(bytes),
    }
}
