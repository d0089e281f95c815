//! The stages that need no vocabulary: what a grammar looks like to the parser, and what its symbols are called.

use gcc_grammar_compiler::lexer::{self, Contexts, Lexer, Symbols};
use gcc_grammar_compiler::limits::{Budget, Limits};
use gcc_grammar_compiler::lr::{self, Conflict};
use gcc_grammar_compiler::normalize::{self, Cfg};
use gcc_grammar_compiler::terminals::{self, Terminals};
use gcc_grammar_compiler::{CompileError, Front};
use gcc_grammar_ir::{Grammar, Pattern, Symbol, TokenSelector};
use gcc_grammar_vocabulary::{SpecialToken, Vocabulary};
use std::collections::BTreeSet;

/// No vocabulary has as many tokens.
const HIGHEST_ID: u32 = 1 << 22;

/// What is known about a grammar before there is a vocabulary.
pub(crate) struct FirstStages {
    terminals: Terminals,
    /// What is left for the lexer.
    budget: Budget,
    pub(crate) cfg: Cfg,
    pub(crate) tables: lr::LrTables,
}

impl FirstStages {
    /// Of a grammar.
    pub(crate) fn of(grammar: &Grammar, limits: Limits) -> Result<Self, CompileError> {
        let budget = Budget::new(limits);
        let terminals = terminals::build(grammar, &stand_in(grammar), &budget)?;
        let cfg = normalize::normalize(grammar, &terminals.usable, &budget)?;
        let tables = lr::build(&cfg, &Budget::new(limits))?;
        Ok(Self { terminals, budget, cfg, tables })
    }

    /// The lexer of the grammar for this parser.
    pub(crate) fn lexed(&self, grammar: &Grammar) -> Result<Lexed, CompileError> {
        let symbols = Symbols::new(&self.terminals.dfas, &self.terminals.special, self.cfg.end);
        let (lexer, contexts) = lexer::build(grammar, &self.tables, &symbols, &self.budget)?;
        Ok(Lexed { symbols, lexer, contexts })
    }

    /// All together.
    pub(crate) fn front<'a>(&'a self, grammar: &'a Grammar, lexed: &'a Lexed) -> Front<'a> {
        let Lexed { symbols, lexer, contexts } = lexed;
        Front { grammar, cfg: &self.cfg, lr: &self.tables, symbols, lexer, contexts }
    }

    /// The conflicts, explained.
    pub(crate) fn conflicts(&self) -> impl Iterator<Item = Conflict> {
        lr::conflicts(&self.cfg, &self.tables)
    }
}

/// A lexer.
pub(crate) struct Lexed {
    symbols: Symbols,
    lexer: Lexer,
    contexts: Contexts,
}

/// A vocabulary that has all special tokens of the grammar: which ids they have does not matter to the parser.
fn stand_in(grammar: &Grammar) -> Vocabulary {
    let selectors = grammar.terminals.iter().filter_map(|terminal| match &terminal.pattern {
        Pattern::Token(selectors) => Some(selectors),
        Pattern::Regex(_) => None,
    });
    // One that no grammar names stands for all others.
    let mut specials = vec!["<other>".to_owned()];
    let (mut highest, mut numbered) = (0, BTreeSet::new());
    let mut open: Vec<&TokenSelector> = selectors.flatten().collect();
    while let Some(selector) = open.pop() {
        match selector {
            TokenSelector::Name(name) => specials.push(name.clone()),
            &TokenSelector::Ids(low, high) => {
                highest = highest.max(high.min(HIGHEST_ID));
                numbered.insert(low.min(HIGHEST_ID));
            }
            TokenSelector::AllBut(except) => open.extend(except),
            TokenSelector::Matching(names) => {
                specials.extend(names.shortest().and_then(|name| String::from_utf8(name).ok()));
            }
        }
    }
    specials.sort_unstable();
    specials.dedup();
    let numbered = numbered.into_iter().map(|id| (id, format!("<{id}>")));
    let specials = numbered.chain((highest + 1..).zip(specials));
    let specials: Vec<SpecialToken> = specials.map(|(id, text)| SpecialToken { id, text }).collect();
    let end = specials.last().map_or(highest, |special| special.id) + 1;
    let made = Vocabulary::from_tokens(Vec::new(), specials, vec![end], end + 1);
    made.unwrap_or_else(|_| Vocabulary::from_tokens(Vec::new(), Vec::new(), Vec::new(), 0).expect("empty"))
}

/// Symbols and productions by name.
pub(crate) struct Names<'a> {
    pub(crate) cfg: &'a Cfg,
    pub(crate) grammar: &'a Grammar,
}

impl Names<'_> {
    /// The name of a symbol.
    pub(crate) fn symbol(&self, symbol: Symbol) -> &str {
        match symbol {
            Symbol::Terminal(id) if id == self.cfg.end => "the end",
            Symbol::Terminal(id) => {
                self.grammar.terminals.get(id.index()).map_or("?", |terminal| &terminal.name)
            }
            Symbol::Nonterminal(id) => self.cfg.names.get(id.index()).map_or("?", |name| name),
        }
    }

    /// Symbols in a row.
    pub(crate) fn list(&self, symbols: &[Symbol]) -> String {
        if symbols.is_empty() {
            return "the beginning".to_owned();
        }
        symbols.iter().map(|&symbol| self.symbol(symbol)).collect::<Vec<_>>().join(" ")
    }
}
