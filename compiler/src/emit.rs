//! Lays the results of all stages out as the tables of the artifact.
//!
//! In: the automata, as [`Prepared`], and the [`Masks`]. Out: [`GrammarTables`], which write themselves as sections of a file. Nothing
//! is computed here: states, terminals and masks keep their numbers. `FORMAT.md` of the crate
//! `gcc-grammar-artifact` describes every section; each function names the sections that it fills.

use crate::automata::Decoding;
use crate::csr::Csr;
use crate::ids::SetId;
use crate::lexer::{Contexts, Kinds, Lexer, Symbols};
use crate::lr::{Action, LrTables};
use crate::masks::MaskStore;
use crate::parser::Dwa;
use crate::prepared::Prepared;
use gcc_grammar_artifact::grammar::{Cut, GrammarTables, NONE, gaps};
use gcc_grammar_vocabulary::Vocabulary;
use rustc_hash::FxHashMap;

/// The results of the last stages.
pub(crate) struct Masks<'a> {
    pub(crate) dwa: &'a Dwa,
    /// The mask number of every set that a transition puts out.
    pub(crate) mask_of: &'a FxHashMap<SetId, u32>,
    pub(crate) store: MaskStore,
}

/// Makes the tables of the artifact, with this lexer. The counts belong to the section `meta`.
pub(crate) fn emit(prepared: &Prepared, lexer: &Lexer, masks: Masks<'_>) -> GrammarTables {
    let Prepared { automata, vocabulary, limits, .. } = prepared;
    let (symbols, Decoding { lr, contexts, .. }) = (&automata.symbols, automata.decoding());
    let mut tables = GrammarTables {
        mask_width: vocabulary.width(),
        max_token_bytes: vocabulary.max_token_len() as u32,
        class_count: symbols.classes as u32,
        end_symbol: symbols.end_class.0,
        context_count: lexer.contexts as u32,
        terminal_count: lr.terminals as u32,
        end_terminal: lr.end.0,
        nonterminal_count: lr.nonterminals as u32,
        ordinary_by_id: symbols.special_class.iter().any(|&(token, _)| vocabulary.bytes(token).is_some()),
        limits: limits.clone(),
        distinct: prepared.distinct.clone(),
        same: prepared.same.clone(),
        ..GrammarTables::default()
    };
    emit_symbols(symbols, &mut tables);
    emit_lexer(lexer, &mut tables);
    emit_parser(lr, contexts, &mut tables);
    emit_dwa(masks.dwa, masks.mask_of, &mut tables);
    let mut store = masks.store;
    if prepared.has_counters() {
        store.refer_to(Cut::PLANES);
    }
    emit_masks(store, vocabulary, &mut tables);
    emit_counters(lexer, vocabulary, &mut tables);
    tables
}

/// The sections `byte_class`, `special_tokens` and `special_classes`.
fn emit_symbols(symbols: &Symbols, tables: &mut GrammarTables) {
    tables.byte_class = symbols.byte_class.iter().map(|&c| u32::from(c)).collect();
    tables.special_tokens = symbols.special_class.iter().map(|&(token, _)| token).collect();
    tables.special_classes = symbols.special_class.iter().map(|&(_, class)| class.0).collect();
}

/// The sections of the lexer automaton, from `lexer_pattern` to `pending_terminals`, and the kinds of its states.
fn emit_lexer(lexer: &Lexer, tables: &mut GrammarTables) {
    let kinds = Kinds::new(lexer);
    let of_kinds = |of: &dyn Fn(usize) -> u32| kinds.first.iter().map(|state| of(state.index())).collect();
    tables.lexer_pattern = of_kinds(&|state| lexer.rows.patterns()[state].0);
    tables.pattern_slots = lexer.rows.slots().to_vec();
    tables.pattern_targets = lexer.rows.sizes().to_vec();
    tables.target_offsets = kinds.targets.offsets().to_vec();
    tables.lexer_targets = kinds.targets.items().to_vec();
    let accepts: Csr<u32> =
        kinds.first.iter().map(|&state| lexer.accepts(state).iter().map(|terminal| terminal.0)).collect();
    tables.accept_offsets = accepts.offsets().to_vec();
    tables.accept_terminals = accepts.items().to_vec();
    tables.end_class = of_kinds(&|state| lexer.end_class[state].0);
    tables.restart = lexer.restarts.iter().map(|s| s.0).collect();
    tables.pending_set = of_kinds(&|state| lexer.pending[state].0);
    tables.pending_offsets = lexer.pending_sets.offsets().to_vec();
    tables.pending_terminals = lexer.pending_sets.items().iter().map(|t| t.0).collect();
    (tables.lexer_kind, tables.kind_reach, tables.kind_back) = (kinds.of_state, kinds.reach, kinds.back);
}

/// The sections `counters`, `counter_places`, `counter_needed` and `counter_tokens`.
fn emit_counters(lexer: &Lexer, vocabulary: &Vocabulary, tables: &mut GrammarTables) {
    if lexer.counters.is_empty() {
        return;
    }
    let checksum = vocabulary.bases().view().long_tokens().checksum();
    let entries = lexer.counters.entries.iter().map(|entry| entry.map(|word| word.get()));
    let entered = lexer.counters.entered;
    tables.counters =
        [[entered, checksum as u32, (checksum >> 32) as u32]].into_iter().chain(entries).collect();
    tables.counter_places.clone_from(&lexer.counters.places);
    if lexer.counters.needed.iter().any(|&needed| needed > 0) {
        tables.counter_needed.clone_from(&lexer.counters.needed);
        tables.counter_tokens = counted_tokens(&lexer.counters.tokens);
    }
}

/// The section `counter_tokens`. Equal lists are written once.
fn counted_tokens(of_states: &[Vec<u32>]) -> Vec<u32> {
    let mut section = vec![0; of_states.len()];
    let mut written: FxHashMap<&[u32], u32> = FxHashMap::default();
    for (state, list) in of_states.iter().enumerate().filter(|(_, list)| !list.is_empty()) {
        section[state] = *written.entry(list).or_insert_with(|| {
            let start = section.len() as u32;
            section.extend(list);
            start
        });
    }
    section
}

/// The sections of the LR tables: `lr_context`, the actions, the productions and the gotos.
fn emit_parser(lr: &LrTables, contexts: &Contexts, tables: &mut GrammarTables) {
    tables.lr_context = contexts.of_state.iter().map(|c| c.0).collect();
    tables.action_offsets = lr.actions.offsets().to_vec();
    tables.action_terminals = lr.actions.items().iter().map(|(t, _)| t.0).collect();
    let code = |&(_, action): &_| match action {
        Action::Shift(state) => state.0 << 1,
        Action::Reduce(production) => production.0 << 1 | 1,
    };
    tables.action_codes = lr.actions.items().iter().map(code).collect();
    tables.production_lhs = lr.productions.iter().map(|(lhs, _)| lhs.0).collect();
    tables.production_length = lr.productions.iter().map(|&(_, length)| length).collect();
    tables.goto_offsets = lr.gotos.offsets().to_vec();
    tables.goto_nonterminals = lr.gotos.items().iter().map(|(n, _)| n.0).collect();
    tables.goto_targets = lr.gotos.items().iter().map(|(_, s)| s.0).collect();
}

/// The sections of the Parser DWA: `dwa_init`, the default transitions, the exceptions, and the shapes. States
/// whose exceptions have the same symbols share a shape.
fn emit_dwa(dwa: &Dwa, mask_of: &FxHashMap<SetId, u32>, tables: &mut GrammarTables) {
    let mask = |set| mask_of[&set];
    tables.dwa_init = dwa.start.iter().map(|s| s.0).collect();
    tables.dwa_default_target = dwa.default.iter().map(|t| t.map_or(NONE, |t| t.target.0)).collect();
    tables.dwa_default_output = dwa.default.iter().map(|t| t.map_or(0, |t| mask(t.output))).collect();
    tables.dwa_offsets.push(0);
    let mut shapes: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
    tables.shape_offsets.push(0);
    for row in &dwa.exceptions {
        for &(_, transition) in row {
            tables.dwa_targets.push(transition.target.0);
            tables.dwa_outputs.push(mask(transition.output));
        }
        tables.dwa_offsets.push(tables.dwa_targets.len() as u32);
        let fresh = shapes.len() as u32;
        let symbols = row.iter().map(|(symbol, _)| symbol.0).collect();
        let shape = *shapes.entry(symbols).or_insert_with_key(|symbols| {
            tables.dwa_symbols.extend(symbols);
            tables.shape_offsets.push(tables.dwa_symbols.len() as u32);
            fresh
        });
        tables.dwa_shape.push(shape);
    }
}

/// The sections of the masks: `mask_base`, `mask_leader`, the deltas, and the base bitmaps.
fn emit_masks(store: MaskStore, vocabulary: &Vocabulary, tables: &mut GrammarTables) {
    let referred = store.shared.iter();
    let checksum = |&number| Some((number, vocabulary.bases().view().checksum(number)?));
    tables.shared_bases = referred.filter_map(checksum).collect();
    tables.mask_base = store.base.iter().map(|b| b.unwrap_or(NONE)).collect();
    tables.mask_leader = store.leader;
    let deltas = &store.deltas;
    tables.mask_offsets.push(0);
    for mask in 0..deltas.rows() {
        tables.mask_delta.extend(gaps(deltas.row(mask).iter().copied()));
        tables.mask_offsets.push(tables.mask_delta.len() as u32);
    }
    tables.base_words = store.bases;
}
