//! The pipeline as code: the stages in order, each made of the ones before it.
//!
//! [`Automata`] holds the stages that need no vocabulary; [`compile`] goes on from there to the tables of the artifact.

use crate::at_once::at_once;
use crate::automata::{Automata, Decoding, Observer};
use crate::completion::{self, Shortfall};
use crate::costs;
use crate::emit::{self, Results};
use crate::error::CompileError;
use crate::ids::{LexState, SetId};
use crate::lexer::Limit;
use crate::liveness::Liveness;
use crate::masks;
use crate::options::{Budgets, Options};
use crate::parser::{self, Dwa, ParserDwa, Sources};
use crate::sets::Sets;
use crate::stats::Stats;
use crate::terminal::{KeptWalks, Tokens, WalkTables, token_of_rank};
use gcc_grammar_artifact::Fingerprints;
use gcc_grammar_artifact::grammar::{EXACT_AGE, GrammarTables};
use gcc_grammar_ir::{Code, Diagnostic, Grammar, TerminalId};
use gcc_grammar_limits::Budget;
use gcc_grammar_vocabulary::Vocabulary;
use rustc_hash::FxHashMap;

/// The longest token that the compiler supports, in bytes: the composition recurses once per lexeme of a token.
const MAX_TOKEN_BYTES: usize = 1024;

/// With fewer lexer states, completions take less time than to start a thread.
const MIN_LEXER_STATES: usize = 256;

/// A compiled grammar.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The tables of the artifact.
    pub tables: GrammarTables,
    /// The sizes of all stages.
    pub stats: Stats,
    /// Whether every token that a mask allows can be continued to a text of the language.
    pub liveness: Liveness,
    /// Why the tables say less about budgets than was asked for, if they do.
    pub shortfall: Option<Shortfall>,
}

impl Compiled {
    /// The bytes of an artifact without metadata, for the vocabulary that the grammar was compiled for.
    #[must_use]
    pub fn to_artifact(&self, vocabulary: &Vocabulary) -> Vec<u8> {
        let fingerprints = Fingerprints { vocabulary: vocabulary.fingerprint(), ..Fingerprints::default() };
        self.tables.write(fingerprints, Vec::new())
    }
}

/// Compiles `grammar` for `vocabulary`.
///
/// # Errors
/// [`CompileError::Grammar`] if the grammar is wrong or does not fit the vocabulary, [`CompileError::OverBudget`] if a limit is exceeded.
pub fn compile(
    grammar: &Grammar,
    vocabulary: &Vocabulary,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Compiled, CompileError> {
    let mut nothing = Kept::new();
    compile_with(&mut nothing, false, grammar, vocabulary, options, observer)
}

/// The sets and walks that a compilation goes on with, and leaves for the next one.
pub(crate) struct Kept {
    pub(crate) tokens: Sets,
    pub(crate) walks: KeptWalks,
}

impl Kept {
    /// Nothing yet.
    pub(crate) fn new() -> Self {
        let budget = Budget::unlimited("session");
        Self { tokens: Sets::new(budget.clone()), walks: KeptWalks::new(budget) }
    }
}

/// Compiles `grammar`, with what earlier compilations for the same vocabulary have left, and leaves what it has made if
/// it `keeps` that. After an error nothing is left.
pub(crate) fn compile_with(
    kept: &mut Kept,
    keeps: bool,
    grammar: &Grammar,
    vocabulary: &Vocabulary,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Compiled, CompileError> {
    check_vocabulary(vocabulary)?;
    let automata = Automata::new(grammar, vocabulary, options.budget.fork(), observer)?;
    observer.automata(&automata);
    let Automata { symbols, budget, .. } = &automata;
    let Decoding { lr, lexer, contexts } = automata.decoding();
    observer.stage("parser");
    let tokens = Tokens::new(vocabulary, symbols);
    let any_split = grammar.is_any_split();
    let keyed = any_split && (keeps || options.shortcuts.known && vocabulary.walks().is_some());
    let tables_of_walks =
        WalkTables::with_keys(lexer, symbols, &tokens, any_split, keyed, options.shortcuts, budget)?;
    let Kept { tokens: mut sets, walks } = std::mem::replace(kept, Kept::new());
    sets.charge_to(budget.stage("sets"));
    let sources = Sources {
        tables: lr,
        contexts,
        lexer,
        tokens: &tokens,
        walks: &tables_of_walks,
        decides_early: any_split,
        two_parts_from: if any_split { usize::MAX } else { options.two_parts_from },
    };
    let limits = limits(grammar, &automata);
    // What completions may spend depends on what is left now, on whatever thread and whenever they are computed.
    let own = budget.fork();
    // A token that spans lexemes may be out of reach where a limit has ended the first one. Bounds count no such tokens.
    let budgets = match options.budgets {
        Budgets::Exact if !limits.is_empty() => Budgets::Bounded,
        budgets => budgets,
    };
    let complete = || completion::build(&automata, vocabulary, budgets, &own);
    let build_parser = || parser::build_with(sources, &mut sets, walks, budget);
    let (built, completion) = match budgets == Budgets::Off || lexer.states() < MIN_LEXER_STATES {
        true => (build_parser(), None),
        false => at_once(build_parser, complete),
    };
    let (parser, walks) = built?;
    observer.stage("masks");
    let (outputs, mask_of) = outputs(&parser.dwa);
    let token_of = token_of_rank(vocabulary, symbols);
    debug_assert_eq!(token_of.len(), tokens.count() as usize);
    let shared =
        if options.refers { masks::shared_bases(&mut sets, vocabulary.bases())? } else { Vec::new() };
    let masks = masks::build(&sets, &outputs, &shared, &token_of, vocabulary.width(), budget)?;
    observer.stage("emit");
    let bases = masks.bases.len().checked_div(masks.words).unwrap_or(0);
    let (dwa, mask_of) = (&parser.dwa, &mask_of);
    let row_words = vocabulary.width().div_ceil(32);
    let mut tables =
        emit::emit(Results { vocabulary, lr, symbols, lexer, contexts, dwa, mask_of, masks, limits });
    let mut shortfall = (budgets != options.budgets).then_some(Shortfall::TokenLimits);
    if budgets != Budgets::Off {
        observer.stage("completion");
        let (costs, missing) = completion.unwrap_or_else(complete).charged_to(budget);
        tables.completion = costs.map(|costs| costs.finish(&parser.paths));
        shortfall = shortfall.or(missing);
    }
    observer.stage("costs");
    (tables.costs, tables.construct) = costs::costs(&automata, &parser.depth, row_words, tables.max_delta())?;
    let stats = Stats {
        masks: outputs.len(),
        bases,
        max_delta: tables.max_delta() as usize,
        ..stats(&automata, &parser)
    };
    *kept = Kept { tokens: sets, walks };
    Ok(Compiled { tables, stats, liveness: automata.live.liveness, shortfall })
}

/// The terminals of the tables to decode with that have a limit on the tokens of a lexeme: the limit, and its symbol. Under longest match, and in
/// front of a suffix, nothing but the limit may end a lexeme, so ages are exact.
fn limits(grammar: &Grammar, automata: &Automata<'_>) -> Vec<[u32; 3]> {
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

/// The sizes of all stages before the masks, and what has been spent.
fn stats(automata: &Automata<'_>, parser: &ParserDwa) -> Stats {
    let Automata { symbols, budget, .. } = automata;
    let Decoding { lr, lexer, contexts } = automata.decoding();
    let (work, bytes) = budget.spent();
    let (terminal_nodes, terminal_arcs) = parser.terminal_size;
    Stats {
        terminals: lr.terminals,
        productions: lr.productions.len(),
        lr_states: lr.states(),
        conflicts: lr.conflicts(),
        contexts: contexts.terminals.len(),
        symbol_classes: symbols.classes,
        lexer_states: lexer.states(),
        terminal_nodes,
        terminal_arcs,
        token_sets: parser.token_sets,
        raw_dwa_states: parser.raw_states,
        dwa_states: parser.dwa.states(),
        dwa_transitions: parser.dwa.transitions(),
        work,
        bytes,
        ..Stats::default()
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

/// The distinct sets that transitions put out, in order of first occurrence, and their mask numbers (the empty set is mask 0).
fn outputs(dwa: &Dwa) -> (Vec<SetId>, FxHashMap<SetId, u32>) {
    let mut order = Vec::new();
    let mut mask_of = FxHashMap::from_iter([(Sets::EMPTY, 0)]);
    for state in 0..dwa.states() {
        let row = dwa.exceptions[state].iter().map(|(_, t)| t);
        for transition in dwa.default[state].iter().chain(row) {
            mask_of.entry(transition.output).or_insert_with(|| {
                order.push(transition.output);
                order.len() as u32
            });
        }
    }
    debug_assert!(dwa.start.first() == Some(&crate::ids::DwaState(0)), "{:?} is dead", LexState(0));
    (order, mask_of)
}
