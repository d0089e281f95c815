//! The stages that need no vocabulary: terminals, productions, LR tables, lexer.
//!
//! Every program that wants an intermediate result stops here: `check`, `trace`, the analyses.

use crate::error::CompileError;
use crate::ids::LrState;
use crate::lexer::{self, Contexts, CountedTerminal, Counters, Lexer, Lists, Symbols};
use crate::liveness::{self, Live};
use crate::lr::{self, LrTables};
use crate::normalize::{self, Cfg};
use crate::placeholder::placeholder;
use crate::terminals::{self, Terminals};
use gcc_grammar_ir::{Code, Diagnostic, Grammar, NonterminalId, Pattern, Symbol, TerminalId, check};
use gcc_grammar_limits::{Budget, OverBudget, Resource};
use gcc_grammar_regular::Dfa;
use gcc_grammar_vocabulary::Vocabulary;
use std::sync::Arc;

/// Receives events while a grammar is compiled. Every method has an empty default.
pub trait Observer {
    /// What the compilation spends is charged to this budget, of which some may be spent.
    fn budget(&mut self, _budget: &Budget) {}

    /// A stage begins.
    fn stage(&mut self, _name: &'static str) {}

    /// The stages that need no vocabulary are done.
    fn automata(&mut self, _automata: &Automata) {}
}

/// Ignores all events.
impl Observer for () {}

/// A grammar as the parser and the lexer see it: all stages that need no vocabulary. Clones share them.
#[derive(Clone, Debug)]
pub struct Automata {
    /// The grammar that is compiled.
    pub grammar: Arc<Grammar>,
    /// Stage 1: the automata of the terminals.
    pub terminals: Arc<Terminals>,
    /// Stage 2: the grammar as epsilon-free productions.
    pub cfg: Arc<Cfg>,
    /// Stage 3: the minimized LALR(1) tables of the productions, with all conflicts, as the grammar is written.
    pub lr: Arc<LrTables>,
    /// Stage 4: the alphabet of the lexer, classes of bytes and of special tokens.
    pub symbols: Arc<Symbols>,
    /// Stage 4: the terminals whose characters are counted.
    pub(crate) counted: Vec<CountedTerminal>,
    /// Stage 4: the lexer of all contexts, as the grammar is written. If its states are made on demand ([`Prepared::new`](crate::Prepared::new)), it has only the dead
    /// state.
    pub lexer: Arc<Lexer>,
    /// Stage 4: which lexemes may start in each LR state.
    pub contexts: Arc<Contexts>,
    /// Stage 5: whether these tables lead into dead ends, and tables that do not; see [`decoding`](Self::decoding).
    pub live: Arc<Live>,
    /// Whether the states of the lexer are made on demand.
    pub(crate) makes_states: bool,
    pub(crate) budget: Budget,
}

/// The LR tables and the lexer to decode with.
#[derive(Clone, Copy, Debug)]
pub struct Decoding<'a> {
    /// The LR tables.
    pub lr: &'a LrTables,
    /// The lexer.
    pub lexer: &'a Lexer,
    /// Which lexemes may start in each LR state.
    pub contexts: &'a Contexts,
}

impl Automata {
    /// Builds the stages within a budget, or within limits. The special tokens that the grammar names are looked up in
    /// `vocabulary`. Of its text tokens it matters which bytes they have, and which of them are a single byte.
    ///
    /// # Errors
    /// [`CompileError::Grammar`] if a terminal matches the empty text, a special token is unknown or the language is empty;
    /// [`CompileError::OverBudget`] if a limit is exceeded.
    pub fn new(
        grammar: &Arc<Grammar>,
        vocabulary: &Vocabulary,
        budget: impl Into<Budget>,
        observer: &mut dyn Observer,
    ) -> Result<Self, CompileError> {
        Self::with_lexer(grammar, vocabulary, budget.into(), false, observer)
    }

    /// The same. The states of the lexer are made `on_demand`, if they are subsets and nothing else.
    pub(crate) fn with_lexer(
        grammar: &Arc<Grammar>,
        vocabulary: &Vocabulary,
        budget: Budget,
        on_demand: bool,
        observer: &mut dyn Observer,
    ) -> Result<Self, CompileError> {
        check_terminals(grammar, &budget)?;
        observer.stage("terminals");
        let terminals = terminals::build(grammar, vocabulary, &budget)?;
        observer.stage("normalize");
        let cfg = normalize::normalize(grammar, &terminals.usable, &budget)
            .map_err(|error| terminals.explain(error.into()))?;
        observer.stage("lr");
        let lr = lr::without_units(lr::build(&cfg, &budget)?, &budget)?;
        let lr = lr::minimize(&lr, &lexer::kinds(grammar, lr.terminals), &budget)?;
        observer.stage("lexer");
        let distinct = lexer::distinct(grammar, &lr, &budget)?;
        let mut symbols = Symbols::new(&terminals.dfas, &terminals.special, cfg.end, &budget)?;
        let makes_states = on_demand && lexer::are_subsets(grammar, &symbols);
        let lists = if makes_states { Lists::WhenAsked } else { Lists::Now };
        let mut counted =
            counted_terminals((grammar, &terminals), &distinct.0, vocabulary, &mut symbols, lists, &budget)?;
        let counters = makes_states.then(|| Counters::of_terminals(&counted)).flatten();
        let makes_states = counters.is_some();
        let (lexer, contexts) = match counters {
            Some(counters) => {
                (Lexer::unmade(symbols.classes, distinct.0.terminals.len(), counters), distinct.0)
            }
            None => {
                make_lists(&mut counted, &terminals, vocabulary, &budget)?;
                let (lexer, contexts) = lexer::build_in(distinct, grammar, &lr, &symbols, &budget)?;
                (lexer::with_counters(lexer, &counted).ok_or_else(|| not_counted(&terminals))?, contexts)
            }
        };
        if let Some(pair) = lexer.contested {
            return Err(contested(grammar, pair));
        }
        observer.stage("liveness");
        let stages = liveness::Stages {
            grammar,
            cfg: &cfg,
            lr: &lr,
            symbols: &symbols,
            lexer: &lexer,
            contexts: &contexts,
            dfas: &terminals.dfas,
            incompleteness: terminals.incompleteness.clone(),
        };
        let live = liveness::build(&stages, &budget)?;
        if live.pruned.is_some() && !counted.is_empty() {
            return Err(not_counted(&terminals));
        }
        Ok(Self {
            grammar: Arc::clone(grammar),
            terminals: Arc::new(terminals),
            cfg: Arc::new(cfg),
            lr: Arc::new(lr),
            symbols: Arc::new(symbols),
            counted,
            lexer: Arc::new(lexer),
            contexts: Arc::new(contexts),
            live: Arc::new(live),
            makes_states,
            budget,
        })
    }

    /// The same with all states of the lexer, within a budget.
    pub(crate) fn whole(&self, vocabulary: &Vocabulary, budget: Budget) -> Result<Self, CompileError> {
        let mut whole = Self { budget, ..self.clone() };
        if whole.makes_states {
            make_lists(&mut whole.counted, &whole.terminals, vocabulary, &whole.budget)?;
            whole.lexer = Arc::new(whole.whole_lexer(&whole.budget)?);
            whole.makes_states = false;
        }
        Ok(whole)
    }

    /// The tables to decode with: those of stages 3 and 4, or those without dead ends that stage 5 has made of them.
    #[must_use]
    pub fn decoding(&self) -> Decoding<'_> {
        match &self.live.pruned {
            Some(pruned) => Decoding { lr: &pruned.lr, lexer: &pruned.lexer, contexts: &pruned.contexts },
            None => Decoding { lr: &self.lr, lexer: &self.lexer, contexts: &self.contexts },
        }
    }

    /// The lexer as a whole, where its states are made on demand.
    pub(crate) fn whole_lexer(&self, budget: &Budget) -> Result<Lexer, OverBudget> {
        let distinct = lexer::distinct(&self.grammar, &self.lr, budget)?;
        let lexer = lexer::build_in(distinct, &self.grammar, &self.lr, &self.symbols, budget)?.0;
        let over = || budget.stage("lexer").over(Resource::LexerStates, u64::from(u32::MAX));
        lexer::with_counters(lexer, &self.counted).ok_or_else(over)
    }

    /// Whether the empty text is in the language.
    #[must_use]
    pub fn has_empty_text(&self) -> bool {
        let lr = self.decoding().lr;
        lr.actions_on(LrState(0), lr.end).iter().any(|(_, action)| action.shift().is_some())
    }

    /// The terminal of the grammar, or END, that a terminal of the tables to decode with stands for.
    #[must_use]
    pub fn origin(&self, terminal: TerminalId) -> TerminalId {
        let copy = terminal.index().checked_sub(self.lr.terminals);
        copy.and_then(|copy| Some(self.live.pruned.as_ref()?.origin[copy])).unwrap_or(terminal)
    }

    /// The pattern of a terminal of the tables to decode with, if it is one of the grammar.
    pub(crate) fn pattern(&self, terminal: TerminalId) -> Option<&Pattern> {
        self.grammar.terminals.get(self.origin(terminal).index()).map(|terminal| &terminal.pattern)
    }

    /// The terminals of the tables to decode with whose patterns have a property, ascending.
    pub(crate) fn terminals_with(&self, has: impl Fn(&Pattern) -> bool) -> Vec<TerminalId> {
        let terminals = (0..self.decoding().lr.terminals).map(TerminalId::new);
        terminals.filter(|&terminal| self.pattern(terminal).is_some_and(&has)).collect()
    }

    /// The automata of terminals of the tables to decode with, each once.
    pub(crate) fn dfas(&self, terminals: &[TerminalId]) -> Vec<&Dfa> {
        let mut origins: Vec<usize> =
            terminals.iter().map(|&terminal| self.origin(terminal).index()).collect();
        origins.sort_unstable();
        origins.dedup();
        origins.into_iter().filter_map(|origin| self.terminals.dfas.get(origin)?.as_ref()).collect()
    }

    /// The nonterminal of the productions that a nonterminal of the tables to decode with stands for.
    #[must_use]
    pub fn nonterminal_origin(&self, nonterminal: NonterminalId) -> NonterminalId {
        self.live.pruned.as_ref().map_or(nonterminal, |pruned| pruned.nonterminals[nonterminal.index()])
    }

    /// Builds the stages without a vocabulary: every special token that the grammar names is taken to exist.
    ///
    /// # Errors
    /// As [`new`](Self::new), but for unknown special tokens; and the grammar counts characters, which is a matter of the vocabulary.
    pub fn without_vocabulary(
        grammar: &Arc<Grammar>,
        budget: impl Into<Budget>,
    ) -> Result<Self, CompileError> {
        lexer::check_uncounted(grammar)?;
        Self::new(grammar, &placeholder(grammar), budget, &mut ())
    }
}

/// Refuses more terminals than there may be LR states, before anything is made of them: each that a rule uses is shifted to a state of its own.
fn check_terminals(grammar: &Grammar, budget: &Budget) -> Result<(), OverBudget> {
    let mut is_used = vec![false; grammar.terminals.len()];
    for rule in &grammar.rules {
        check::for_each_symbol(&rule.body, &mut |symbol| {
            if let Symbol::Terminal(terminal) = symbol {
                is_used[terminal.index()] = true;
            }
        });
    }
    let used = is_used.into_iter().filter(|&is_used| is_used).count();
    budget.stage("lr").check(Resource::LrStates, used, budget.limits().lr_states)
}

/// The terminals whose characters are counted. Their states in `symbols` are told apart by their places.
fn counted_terminals(
    (grammar, terminals): (&Grammar, &Terminals),
    contexts: &Contexts,
    vocabulary: &Vocabulary,
    symbols: &mut Symbols,
    lists: Lists,
    budget: &Budget,
) -> Result<Vec<CountedTerminal>, CompileError> {
    if terminals.counted.is_empty() {
        return Ok(Vec::new());
    }
    let budget = budget.stage("lexer");
    let ambiguous = lexer::ambiguous(contexts, &terminals.dfas, &terminals.counted);
    let are_one_lexeme = grammar.is_any_split() && terminals.special.limits.is_empty();
    let (mut countable, mut missing) = (Vec::new(), Vec::new());
    for &(t, most) in &terminals.counted {
        let dfa = terminals.dfas[t.index()].as_ref().filter(|dfa| !dfa.is_empty());
        let counted = match dfa.filter(|_| are_one_lexeme && !ambiguous.contains(&t)) {
            Some(dfa) => CountedTerminal::new((t, most), dfa, vocabulary, symbols, lists, &budget)?,
            None => None,
        };
        match counted {
            Some(counted) => countable.push(counted),
            None => missing.push(t),
        }
    }
    if missing.is_empty() { Ok(countable) } else { Err(CompileError::NotCounted(missing)) }
}

/// Makes the lists of tokens of all counted terminals.
fn make_lists(
    counted: &mut [CountedTerminal],
    terminals: &Terminals,
    vocabulary: &Vocabulary,
    budget: &Budget,
) -> Result<(), CompileError> {
    for terminal in counted {
        if !terminal.make_lists(vocabulary, &budget.stage("lexer"))? {
            return Err(not_counted(terminals));
        }
    }
    Ok(())
}

/// The error that characters are to be counted which cannot be.
fn not_counted(terminals: &Terminals) -> CompileError {
    CompileError::NotCounted(terminals.counted.iter().map(|&(t, _)| t).collect())
}

/// The error that what follows decides which of two terminals a text is.
fn contested(grammar: &Grammar, (first, second): (TerminalId, TerminalId)) -> CompileError {
    let name = |t: TerminalId| match grammar.terminals.get(t.index()) {
        Some(terminal) => format!("terminal {}", terminal.name),
        None => "an ignored terminal".to_owned(),
    };
    let message = format!(
        "{} and {} match the same text, and what follows it decides which of them it is",
        name(first),
        name(second)
    );
    let help = "let one of them match texts that the other does not, or let the assertions at their ends be the same";
    CompileError::Grammar(vec![Diagnostic::error(Code::ContestedText, message).help(help)])
}
