//! A grammar and a vocabulary, up to where the vocabulary is walked.

use crate::automata::{Automata, Decoding, Observer};
use crate::completion::Shortfall;
use crate::error::CompileError;
use crate::lexer::{Limit, check_uncounted};
use crate::liveness::Liveness;
use crate::options::{Options, TokenBudgets};
use crate::parser::Sources;
use crate::terminal::{BatchSource, Keys, Reached, Shortcuts, Tokens, WalkSource, WalkTables};
use crate::{distinct, same};
use gcc_grammar_artifact::grammar::{DistinctTables, EXACT_AGE, SameTables};
use gcc_grammar_ir::{Code, Diagnostic, Grammar, TerminalId};
use gcc_grammar_limits::Budget;
use gcc_grammar_vocabulary::Vocabulary;
use std::sync::Arc;

/// The longest token that the compiler supports, in bytes: the composition recurses once per lexeme of a token.
const MAX_TOKEN_BYTES: usize = 1024;

/// The automata of a grammar, and the tables to walk a vocabulary with: what the Parser DWA is made of, state by state by
/// [`OnDemand`](crate::OnDemand) or as a whole by [`compile`](crate::compile).
pub struct Prepared {
    pub(crate) automata: Automata,
    pub(crate) vocabulary: Vocabulary,
    pub(crate) tokens: Tokens,
    walks: Walks,
    /// The terminals with a limit on the tokens of a lexeme, ascending: the limit, and its symbol.
    pub(crate) limits: Vec<[u32; 3]>,
    /// The lists whose items differ, and the objects whose keys are remembered.
    pub(crate) distinct: Option<DistinctTables>,
    /// The section on texts that are repeated, if there are any.
    pub(crate) same: Option<SameTables>,
    pub(crate) options: Options,
    /// What was left when the automata were made.
    left: Budget,
}

/// The tables for walks.
enum Walks {
    Made(Arc<WalkTables>),
    /// What they are made of, batch by batch, and whether languages have keys.
    InBatches(Reached<'static>, bool),
}

impl Prepared {
    /// Builds the automata and the tables. Where the states of the lexer are subsets and nothing else, they are made
    /// [on demand](crate::OnDemand).
    ///
    /// # Errors
    /// As [`compile`](crate::compile).
    pub fn new(
        grammar: &Arc<Grammar>,
        vocabulary: &Vocabulary,
        options: &Options,
        observer: &mut dyn Observer,
    ) -> Result<Self, CompileError> {
        Self::with_keys(grammar, vocabulary, false, options.shortcuts.parts, options, observer)
    }

    /// The same. Walks can be kept for later compilations if this one `keeps` them. Lexer states may be made `on_demand`.
    pub(crate) fn with_keys(
        grammar: &Arc<Grammar>,
        vocabulary: &Vocabulary,
        keeps: bool,
        on_demand: bool,
        options: &Options,
        observer: &mut dyn Observer,
    ) -> Result<Self, CompileError> {
        check_vocabulary(vocabulary)?;
        if !options.refers {
            check_uncounted(grammar)?;
        }
        let automata = Automata::with_lexer(grammar, vocabulary, options.budget.fork(), on_demand, observer)?;
        Self::of_automata(automata, vocabulary, keeps, options, observer)
    }

    /// The same automata with all states of the lexer, within what was left when the others were made.
    pub(crate) fn whole(&self, keeps: bool, observer: &mut dyn Observer) -> Result<Self, CompileError> {
        observer.stage("lexer");
        let automata = self.automata.whole(&self.vocabulary, self.left.fork())?;
        Self::of_automata(automata, &self.vocabulary, keeps, &self.options, observer)
    }

    fn of_automata(
        automata: Automata,
        vocabulary: &Vocabulary,
        keeps: bool,
        options: &Options,
        observer: &mut dyn Observer,
    ) -> Result<Self, CompileError> {
        let (grammar, left) = (Arc::clone(&automata.grammar), automata.budget.fork());
        observer.automata(&automata);
        observer.stage("parser");
        let tokens = Tokens::new(vocabulary, &automata.symbols);
        let any_split = grammar.is_any_split();
        let keys = match any_split {
            true if keeps => Keys::All,
            true if options.shortcuts.precomputed && vocabulary.walks().is_some() => Keys::Precomputed,
            _ => Keys::None,
        };
        let (Decoding { lr, lexer, contexts }, symbols) = (automata.decoding(), &automata.symbols);
        let (parser, budget) = (any_split.then_some(lr), &automata.budget);
        let walks = if automata.makes_states {
            let reached = Reached::of_contexts(&grammar, contexts, symbols);
            let keyed = keys.are_made(&reached, parser, symbols);
            Walks::InBatches(reached, keyed)
        } else {
            let reached = Reached::of_lexer(lexer, symbols, any_split);
            let (keyed, shortcuts) = (keys.are_made(&reached, parser, symbols), options.shortcuts);
            let tables = WalkTables::of(
                lexer, reached, parser, symbols, &tokens, any_split, keyed, shortcuts, budget,
            )?;
            Walks::Made(Arc::new(tables))
        };
        let limits = limits(&grammar, &automata);
        let distinct = distinct::tables(&automata, vocabulary)?;
        let same = same::tables(&automata, vocabulary)?;
        let vocabulary = vocabulary.clone();
        Ok(Self {
            automata,
            vocabulary,
            tokens,
            walks,
            limits,
            distinct,
            same,
            options: options.clone(),
            left,
        })
    }

    /// Whether every token that a mask allows can be continued to a text of the language.
    #[must_use]
    pub fn liveness(&self) -> Liveness {
        self.automata.live.liveness.clone()
    }

    /// Estimated bytes of the automata and tables.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.automata.budget.spent().1
    }

    /// What the Parser DWA is built from.
    pub(crate) fn sources(&self) -> Sources<'_> {
        let Decoding { lr, lexer, contexts } = self.automata.decoding();
        let any_split = self.automata.grammar.is_any_split();
        Sources {
            tables: lr,
            contexts,
            lexer,
            tokens: &self.tokens,
            walks: match &self.walks {
                Walks::Made(tables) => WalkSource::Made(tables),
                &Walks::InBatches(ref reached, keyed) => {
                    // One state at a time is walked: its other counts are not.
                    let shortcuts = Shortcuts { counting: false, ..self.options.shortcuts };
                    let symbols = &self.automata.symbols;
                    WalkSource::InBatches(BatchSource { reached, parser: lr, symbols, keyed, shortcuts })
                }
            },
            decides_early: any_split,
            two_parts_from: if any_split { usize::MAX } else { self.options.two_parts_from },
        }
    }

    /// Why the artifact says less about budgets than was asked for, if that is known by now.
    pub(crate) fn shortfall(&self) -> Option<Shortfall> {
        let reason = if let Some(distinct) = &self.distinct {
            if distinct.has_items() { Shortfall::DifferentItems } else { Shortfall::RememberedKeys }
        } else if self.same.is_some() {
            Shortfall::RepeatedTexts
        } else if self.limits.is_empty() {
            Shortfall::Counters
        } else {
            Shortfall::TokenLimits
        };
        (self.budgets() != self.options.budgets).then_some(reason)
    }

    /// Whether the lexer counts characters.
    pub(crate) fn has_counters(&self) -> bool {
        !self.automata.decoding().lexer.counters.is_empty()
    }

    /// The kind of budgets that the artifact can have. What completes a list whose items differ, or an object whose keys are remembered, depends on the items or keys so
    /// far. A token that spans lexemes may be out of reach where a limit has ended the first
    /// one; bounds count no such tokens. And what completes a string whose characters are counted must do so for all numbers of them.
    pub(crate) fn budgets(&self) -> TokenBudgets {
        match self.options.budgets {
            _ if self.same.is_some() || self.distinct.as_ref().is_some_and(DistinctTables::is_nested) => {
                TokenBudgets::Off
            }
            TokenBudgets::Exact
                if self.distinct.is_some() || !self.limits.is_empty() || self.has_counters() =>
            {
                TokenBudgets::Bounded
            }
            budgets => budgets,
        }
    }
}

/// The terminals of the tables to decode with that have a limit on the tokens of a lexeme: the limit, and its symbol. Under longest match, and in
/// front of a suffix, nothing but the limit may end a lexeme, so ages are exact.
fn limits(grammar: &Grammar, automata: &Automata) -> Vec<[u32; 3]> {
    let competing = grammar.competing();
    let of = |terminal: u32| {
        let origin = automata.origin(TerminalId(terminal));
        let &Limit { most, symbol, closes, .. } =
            automata.symbols.limits.iter().find(|limit| limit.terminal == origin)?;
        let exact = if closes || competing[origin.index()] { EXACT_AGE } else { 0 };
        Some([terminal, most.min(EXACT_AGE - 1) | exact, symbol.0])
    };
    match automata.symbols.limits.is_empty() {
        true => Vec::new(),
        false => (0..automata.decoding().lr.terminals as u32).filter_map(of).collect(),
    }
}

fn check_vocabulary(vocabulary: &Vocabulary) -> Result<(), CompileError> {
    let longest = vocabulary.max_token_len();
    if longest <= MAX_TOKEN_BYTES {
        return Ok(());
    }
    let message =
        format!("the vocabulary has a token of {longest} bytes; at most {MAX_TOKEN_BYTES} are supported");
    Err(CompileError::Grammar(vec![
        Diagnostic::error(Code::LongToken, message).help("check that the tokenizer file is not damaged"),
    ]))
}
