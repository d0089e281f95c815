//! From the stages' own structures to the tables of the artifact.

use crate::automata::Automata;
use crate::ids::SetId;
use crate::lr::Action;
use crate::masks::MaskStore;
use crate::parser::Dwa;
use gcc_grammar_artifact::grammar::{GrammarTables, NONE, gaps};
use gcc_grammar_vocabulary::Vocabulary;
use rustc_hash::FxHashMap;

/// All stages.
pub(crate) struct Stages<'a> {
    pub(crate) vocabulary: &'a Vocabulary,
    pub(crate) automata: &'a Automata<'a>,
    pub(crate) dwa: &'a Dwa,
    /// The mask number of every set that a transition puts out.
    pub(crate) mask_of: &'a FxHashMap<SetId, u32>,
    pub(crate) masks: MaskStore,
}

/// Lays everything out as the artifact has it.
pub(crate) fn emit(stages: Stages<'_>) -> GrammarTables {
    let mut tables = GrammarTables {
        mask_width: stages.vocabulary.width(),
        max_token_bytes: stages.vocabulary.max_token_len() as u32,
        class_count: stages.automata.symbols.classes as u32,
        end_symbol: stages.automata.symbols.end_class.0,
        context_count: stages.automata.lexer.contexts as u32,
        terminal_count: stages.automata.lr.terminals as u32,
        end_terminal: stages.automata.lr.end.0,
        nonterminal_count: stages.automata.lr.nonterminals as u32,
        ..GrammarTables::default()
    };
    lexer(&stages, &mut tables);
    parser(&stages, &mut tables);
    dwa(&stages, &mut tables);
    masks(stages.masks, &mut tables);
    tables
}

fn lexer(stages: &Stages<'_>, tables: &mut GrammarTables) {
    let (symbols, lexer) = (&stages.automata.symbols, &stages.automata.lexer);
    tables.byte_class = symbols.byte_class.iter().map(|&c| u32::from(c)).collect();
    tables.special_tokens = symbols.special_class.iter().map(|&(token, _)| token).collect();
    tables.special_classes = symbols.special_class.iter().map(|&(_, class)| class.0).collect();
    tables.lexer_pattern = lexer.rows.patterns().iter().map(|p| p.0).collect();
    tables.pattern_slots = lexer.rows.slots().to_vec();
    tables.pattern_targets = lexer.rows.sizes().to_vec();
    tables.target_offsets = lexer.rows.all_targets().offsets().to_vec();
    tables.lexer_targets = lexer.rows.all_targets().items().iter().map(|s| s.0).collect();
    tables.accept_offsets = lexer.accepts.offsets().to_vec();
    tables.accept_terminals = lexer.accepts.items().iter().map(|t| t.0).collect();
    tables.end_class = lexer.end_class.iter().map(|e| e.0).collect();
    tables.restart = lexer.restarts.iter().map(|s| s.0).collect();
    tables.pending_set = lexer.pending.iter().map(|p| p.0).collect();
    tables.pending_offsets = lexer.pending_sets.offsets().to_vec();
    tables.pending_terminals = lexer.pending_sets.items().iter().map(|t| t.0).collect();
    tables.dwa_init = stages.dwa.start.iter().map(|s| s.0).collect();
}

fn parser(stages: &Stages<'_>, tables: &mut GrammarTables) {
    let lr = &stages.automata.lr;
    tables.lr_context = stages.automata.contexts.of_state.iter().map(|c| c.0).collect();
    tables.action_offsets = lr.actions.offsets().to_vec();
    tables.action_terminals = lr.actions.items().iter().map(|(t, _)| t.0).collect();
    tables.action_codes = lr
        .actions
        .items()
        .iter()
        .map(|&(_, action)| match action {
            Action::Shift(state) => state.0 << 1,
            Action::Reduce(production) => production.0 << 1 | 1,
        })
        .collect();
    tables.production_lhs = lr.productions.iter().map(|(lhs, _)| lhs.0).collect();
    tables.production_length = lr.productions.iter().map(|&(_, length)| length).collect();
    tables.goto_offsets = lr.gotos.offsets().to_vec();
    tables.goto_nonterminals = lr.gotos.items().iter().map(|(n, _)| n.0).collect();
    tables.goto_targets = lr.gotos.items().iter().map(|(_, s)| s.0).collect();
}

fn dwa(stages: &Stages<'_>, tables: &mut GrammarTables) {
    let dwa = stages.dwa;
    let mask = |set| stages.mask_of[&set];
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

fn masks(store: MaskStore, tables: &mut GrammarTables) {
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
