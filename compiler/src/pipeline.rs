//! The pipeline as code: the stages in order, each made of the ones before it.
//!
//! [`Automata`] holds the stages that need no vocabulary; [`compile`] makes the tables of the artifact from them.

use crate::automata::{Automata, Decoding, Observer};
use crate::completion::{self, Shortfall};
use crate::emit::{self, Masks};
use crate::error::CompileError;
use crate::ids::{LexState, SetId};
use crate::join::join;
use crate::liveness::Liveness;
use crate::mask_bounds::mask_bounds;
use crate::masks;
use crate::options::{Options, TokenBudgets};
use crate::parser::{self, Dwa, ParserDwa};
use crate::prepared::Prepared;
use crate::sets::Sets;
use crate::stats::Stats;
use crate::terminal::{KeptWalks, TokenIds};
use gcc_grammar_artifact::Fingerprints;
use gcc_grammar_artifact::grammar::GrammarTables;
use gcc_grammar_ir::Grammar;
use gcc_grammar_limits::{Budget, OverBudget};
use gcc_grammar_vocabulary::Vocabulary;
use rustc_hash::FxHashMap;
use std::sync::Arc;

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
    grammar: &Arc<Grammar>,
    vocabulary: &Vocabulary,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Compiled, CompileError> {
    let prepared = Prepared::with_keys(grammar, vocabulary, false, false, options, observer)?;
    finish(&mut WalkCache::new(), &prepared, observer)
}

/// Compiles a grammar whose automata are there: the same as [`compile`] of their grammar.
///
/// # Errors
/// As [`compile`].
pub fn compile_prepared(prepared: &Prepared, observer: &mut dyn Observer) -> Result<Compiled, CompileError> {
    finish(&mut WalkCache::new(), &prepared.whole(false, observer)?, observer)
}

/// The sets and walks that a compilation begins with, and leaves for the next one.
pub(crate) struct WalkCache {
    pub(crate) tokens: Sets,
    pub(crate) walks: KeptWalks,
}

impl WalkCache {
    /// Nothing yet.
    pub(crate) fn new() -> Self {
        let budget = Budget::unlimited("session");
        Self { tokens: Sets::new(budget.clone()), walks: KeptWalks::new(budget) }
    }
}

/// Makes the tables of automata, with what earlier compilations for the same vocabulary have left, and leaves what it has made. After an error nothing is left.
pub(crate) fn finish(
    cache: &mut WalkCache,
    prepared: &Prepared,
    observer: &mut dyn Observer,
) -> Result<Compiled, CompileError> {
    let Prepared { automata, vocabulary, options, .. } = prepared;
    let budget = &automata.budget;
    let WalkCache { tokens: mut sets, walks } = std::mem::replace(cache, WalkCache::new());
    sets.charge_to(budget.stage("sets"));
    let (built, completion) = parser_and_completion(prepared, &mut sets, walks);
    let (parser, walks) = built?;
    observer.stage("masks");
    let (outputs, mask_of) = outputs(&parser.dwa);
    let tokens = TokenIds::new(vocabulary, &automata.symbols);
    let shared =
        if options.refers { masks::shared_bases(&mut sets, vocabulary.bases())? } else { Vec::new() };
    let masks = masks::build(&sets, &outputs, &shared, &tokens, vocabulary.width(), budget)?;
    observer.stage("emit");
    let bases = masks.bases.len().checked_div(masks.words).unwrap_or(0);
    let mut tables = emit::emit(
        prepared,
        automata.decoding().lexer,
        Masks { dwa: &parser.dwa, mask_of: &mask_of, store: masks },
    );
    let mut shortfall = prepared.shortfall();
    if let Some(built) = completion {
        observer.stage("completion");
        let (costs, missing) = built.charged_to(budget);
        if let (Some(costs), Some(distinct)) = (&costs, &mut tables.distinct) {
            let records = distinct.records.iter_mut().zip(&costs.members);
            records.for_each(|(record, members)| record.costs.clone_from(members));
        }
        tables.completion = costs.map(|costs| costs.finish(&parser.paths));
        shortfall = shortfall.or(missing);
    }
    observer.stage("costs");
    let row_words = vocabulary.width().div_ceil(32);
    (tables.mask_bounds, tables.construct) =
        mask_bounds(automata, &parser.depth, row_words, tables.max_delta())?;
    let stats = Stats {
        masks: outputs.len(),
        bases,
        max_delta: tables.max_delta() as usize,
        ..stats(automata, &parser)
    };
    *cache = WalkCache { tokens: sets, walks };
    Ok(Compiled { tables, stats, liveness: prepared.liveness(), shortfall })
}

/// The Parser DWA, and what completions need unless budgets are off: on a second thread where that pays.
///
/// What completions may spend depends on the budget that is left now, on whatever thread and whenever they are computed.
fn parser_and_completion(
    prepared: &Prepared,
    sets: &mut Sets,
    walks: KeptWalks,
) -> (Result<(ParserDwa, KeptWalks), OverBudget>, Option<completion::Built>) {
    let Prepared { automata, vocabulary, distinct, .. } = prepared;
    let (own, budgets) = (automata.budget.fork(), prepared.budgets());
    let complete = || completion::build(automata, vocabulary, distinct.as_ref(), budgets, &own);
    let build_parser = || parser::build_with(prepared.sources(), sets, walks, &automata.budget);
    if budgets == TokenBudgets::Off {
        return (build_parser(), None);
    }
    let (built, completion) = match automata.decoding().lexer.states() < MIN_LEXER_STATES {
        true => (build_parser(), None),
        false => join(build_parser, complete),
    };
    let completion = built.is_ok().then(|| completion.unwrap_or_else(complete));
    (built, completion)
}

/// The sizes of all stages before the masks, and what has been spent.
fn stats(automata: &Automata, parser: &ParserDwa) -> Stats {
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
