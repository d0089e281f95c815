//! Validation of the tables of a grammar, in two steps.
//!
//! [`outline`] is checked whenever a file is opened, in time in the number of tables. Afterwards the lengths of the
//! tables fit together. A number that is not the length of a table, but by which programs allocate or count, is at
//! most the length of a table, or a constant of this crate: a short file cannot claim much memory or time.
//!
//! [`contents`] takes time in the size of the file. Afterwards every number that is used as an index is in range of
//! the table that it indexes, every CSR table is well formed, and rows that are searched are sorted. Accessors of
//! `GrammarView` do not need this to be safe; what they return has a meaning only then. Validation does not prove
//! that the masks are exact, which is the compiler's responsibility.

use super::counts::Counts;
use super::masks::{Delta, MAX_FLIPS};
use super::meta::{DISTANCE, EXACT_AGE, GrammarMeta, LIMITS, META, NONE, SHARED_BASES};
use super::tables::Tables;
use crate::bases::MAX_BASES;
use crate::container::{Header, MAX_SCRATCH, REFERS_TO_BASES};
use crate::error::ArtifactError;
use crate::vocabulary::{MAX_TOKEN_BYTES, MAX_WIDTH};
use crate::wire::U32;

/// A grammar may have this many nonterminals, also if its productions and LR states are fewer: equal ones were made one, and the
/// nonterminals kept their numbers.
const MAX_NONTERMINALS: usize = 1 << 20;

pub(super) type Checked = Result<(), ArtifactError>;

/// Checks the numbers of a grammar, and the lengths of its tables.
pub(crate) fn outline(header: &Header, meta: &GrammarMeta, counts: &Counts, tables: &Tables<'_>) -> Checked {
    numbers(header, meta, counts)?;
    first_entries(counts, tables)?;
    lengths(meta, counts, tables)
}

/// Checks all entries of the tables of a grammar, whose outline was checked.
pub(crate) fn contents(
    meta: &GrammarMeta,
    counts: &Counts,
    tables: &Tables<'_>,
    shared: &[[U32; 3]],
) -> Checked {
    symbols(meta, tables)?;
    lexer(meta, counts, tables)?;
    terminals(meta, counts, tables)?;
    actions(meta, counts, tables)?;
    gotos(meta, counts, tables)?;
    dwa(counts, tables)?;
    shared_bases(meta, tables, shared)?;
    masks(meta, counts, tables)
}

/// Checks the numbers that are not the length of a table. `class_count` and `context_count` need no bound here: a
/// file with lexer states has a row of `pattern_slots` and one of `restart`, and these are compared with them.
fn numbers(header: &Header, meta: &GrammarMeta, counts: &Counts) -> Checked {
    let bad = |problem| Err(ArtifactError::MalformedTable { table: META.name, index: 0, problem });
    if meta.mask_width > MAX_WIDTH {
        return bad("`mask_width` is more than a vocabulary may have");
    }
    if meta.max_token_bytes > MAX_TOKEN_BYTES {
        return bad("`max_token_bytes` is more than a token may have");
    }
    if meta.end_terminal >= meta.terminal_count {
        return bad("`end_terminal` is no terminal");
    }
    if meta.end_symbol >= meta.class_count && meta.end_symbol != NONE {
        return bad("`end_symbol` is no symbol class");
    }
    let parts = counts.productions.saturating_add(counts.lr_states);
    if meta.nonterminal_count as usize > parts.max(MAX_NONTERMINALS) {
        return bad("`nonterminal_count` is more than a grammar may have");
    }
    if header.scratch_minimum > header.scratch_recommended || header.scratch_recommended > MAX_SCRATCH {
        return bad("the scratch that the header recommends is out of bounds");
    }
    if meta.shared_bases > MAX_BASES {
        return bad("`shared_bases` is more than a vocabulary may have");
    }
    if (meta.shared_bases > 0) != (header.required_features & REFERS_TO_BASES != 0) {
        return bad("`shared_bases` contradicts the features of the header");
    }
    if meta.max_delta as usize > MAX_FLIPS {
        return bad("`max_delta` is more than a mask may have");
    }
    Ok(())
}

/// Checks that there are the states and the mask that have the number 0.
fn first_entries(counts: &Counts, tables: &Tables<'_>) -> Checked {
    if counts.lexer_states == 0 {
        return tables.lexer_kind.bad(0, "the dead state is missing");
    }
    if counts.lr_states == 0 {
        return tables.lr_context.bad(0, "the initial state is missing");
    }
    if counts.dwa_states == 0 {
        return tables.dwa_default_target.bad(0, "the state STOP is missing");
    }
    if counts.masks == 0 {
        return tables.mask_base.bad(0, "mask 0 is missing");
    }
    Ok(())
}

/// Checks that every table has as many entries as there are things that it describes.
fn lengths(meta: &GrammarMeta, counts: &Counts, tables: &Tables<'_>) -> Checked {
    let rows = |count: usize| count.checked_add(1);
    tables.byte_class.check_len(Some(256))?;
    tables.special_classes.check_len(Some(tables.special_tokens.len()))?;
    tables.lexer_pattern.check_len(Some(counts.kinds))?;
    tables.kind_reach.check_len(Some(counts.kinds))?;
    tables.kind_back.check_len(Some(counts.kinds))?;
    tables.pattern_slots.check_len(counts.patterns.checked_mul(meta.class_count as usize))?;
    tables.target_offsets.check_len(rows(counts.kinds))?;
    tables.accept_offsets.check_len(rows(counts.kinds))?;
    tables.restart.check_len(counts.end_classes.checked_mul(meta.context_count as usize))?;
    tables.pending_set.check_len(Some(counts.kinds))?;
    tables.pending_offsets.check_len(rows(counts.pending_sets))?;
    tables.dwa_init.check_len(Some(counts.lexer_states))?;
    tables.action_offsets.check_len(rows(counts.lr_states))?;
    tables.action_codes.check_len(Some(tables.action_terminals.len()))?;
    tables.production_length.check_len(Some(counts.productions))?;
    tables.goto_offsets.check_len(rows(counts.lr_states))?;
    tables.goto_targets.check_len(Some(tables.goto_nonterminals.len()))?;
    tables.dwa_default_output.check_len(Some(counts.dwa_states))?;
    tables.dwa_offsets.check_len(rows(counts.dwa_states))?;
    tables.dwa_outputs.check_len(Some(counts.dwa_edges))?;
    tables.dwa_shape.check_len(Some(counts.dwa_states))?;
    tables.shape_offsets.check_len(rows(counts.shapes))?;
    tables.mask_leader.check_len(Some(counts.masks))?;
    tables.mask_offsets.check_len(rows(counts.masks))?;
    let own = counts.bases.saturating_sub(counts.shared_bases);
    tables.base_words.check_len(own.checked_mul(counts.row_words))
}

fn symbols(meta: &GrammarMeta, tables: &Tables<'_>) -> Checked {
    let classes = meta.class_count as usize;
    tables.byte_class.check_below(classes.min(256))?;
    tables.special_tokens.check_below(meta.mask_width as usize)?;
    tables.special_tokens.check_pairs(
        0..tables.special_tokens.len(),
        |a, b| a <= b,
        "the tokens do not ascend",
    )?;
    tables.special_classes.check_below(classes)
}

/// Checks the limits on the tokens of lexemes.
pub(super) fn limits(meta: &GrammarMeta, limits: &[[U32; 3]]) -> Checked {
    let bad = |index, problem| Err(ArtifactError::MalformedTable { table: LIMITS.name, index, problem });
    let mut least = 0;
    for (index, [terminal, most, symbol]) in limits.iter().map(|limit| limit.map(U32::get)).enumerate() {
        if terminal < least || terminal >= meta.terminal_count {
            return bad(3 * index, "it is no terminal, or the terminals do not ascend");
        }
        if most & !EXACT_AGE == 0 {
            return bad(3 * index + 1, "a lexeme has a token");
        }
        if symbol >= meta.class_count {
            return bad(3 * index + 2, "it is no symbol class");
        }
        least = terminal + 1;
    }
    Ok(())
}

fn lexer(meta: &GrammarMeta, counts: &Counts, tables: &Tables<'_>) -> Checked {
    transitions(meta, counts, tables)?;
    tables.end_class.check_below(counts.end_classes)?;
    tables.restart.check_below(counts.lexer_states)?;
    tables.dwa_init.check_below(counts.dwa_states)
}

/// Checks that every slot of a pattern is a target of every state that has the pattern, and that every target is a state.
fn transitions(meta: &GrammarMeta, counts: &Counts, tables: &Tables<'_>) -> Checked {
    let classes = meta.class_count as usize;
    tables.lexer_pattern.check_below(counts.patterns)?;
    for pattern in 0..counts.patterns {
        let slots = pattern * classes..(pattern + 1) * classes;
        let targets = tables.pattern_targets.get(pattern);
        tables.pattern_slots.check_range(
            slots,
            |slot| slot <= targets,
            "the slot is greater than the number of targets",
        )?;
    }
    tables.target_offsets.check_offsets(tables.lexer_targets.len())?;
    if !tables.target_offsets.range(tables.lexer_kind.get(0) as usize).is_empty() {
        return tables.lexer_kind.bad(0, "the dead state has a transition");
    }
    let fits = |&kind: &usize| {
        let targets = tables.pattern_targets.get(tables.lexer_pattern.get(kind) as usize);
        tables.target_offsets.range(kind).len() == targets as usize
    };
    if let Some(kind) = (0..counts.kinds).find(|kind| !fits(kind)) {
        return tables.lexer_pattern.bad(kind, "the pattern and the kind have different numbers of targets");
    }
    targets(counts, tables)
}

/// Checks that every target is a state.
fn targets(counts: &Counts, tables: &Tables<'_>) -> Checked {
    for kind in 0..counts.kinds {
        let (reach, back) = (tables.kind_reach.get(kind), tables.kind_back.get(kind));
        tables.lexer_targets.check_range(
            tables.target_offsets.range(kind),
            |target| match target & 1 {
                0 => ((target >> 1) as usize) < counts.lexer_states,
                _ => match (target >> 1).checked_sub(DISTANCE) {
                    Some(distance) => distance <= reach,
                    None => DISTANCE - (target >> 1) <= back,
                },
            },
            "there is no such state, or it is further away than the reach of the kind",
        )?;
    }
    tables.lexer_kind.check_below(counts.kinds)?;
    let is_within = |&state: &usize| {
        let kind = tables.lexer_kind.get(state) as usize;
        let (reach, back) = (tables.kind_reach.get(kind) as usize, tables.kind_back.get(kind) as usize);
        back <= state && state.checked_add(reach).is_some_and(|last| last < counts.lexer_states)
    };
    match (0..counts.lexer_states).find(|state| !is_within(state)) {
        Some(state) => tables.lexer_kind.bad(state, "there is no state as far away as the kind reaches"),
        None => Ok(()),
    }
}

fn terminals(meta: &GrammarMeta, counts: &Counts, tables: &Tables<'_>) -> Checked {
    let terminals = meta.terminal_count as usize;
    tables.accept_offsets.check_offsets(tables.accept_terminals.len())?;
    if !tables.accept_offsets.range(tables.lexer_kind.get(0) as usize).is_empty() {
        return tables.lexer_kind.bad(0, "the dead state accepts");
    }
    tables.accept_terminals.check_below_or_max(terminals)?;
    tables.accept_terminals.check_rows(&tables.accept_offsets, |a, b| a < b)?;
    tables.pending_set.check_below(counts.pending_sets)?;
    tables.pending_offsets.check_offsets(tables.pending_terminals.len())?;
    tables.pending_terminals.check_below_or_max(terminals)?;
    tables.pending_terminals.check_rows(&tables.pending_offsets, |a, b| a < b)
}

fn actions(meta: &GrammarMeta, counts: &Counts, tables: &Tables<'_>) -> Checked {
    tables.lr_context.check_below(meta.context_count as usize)?;
    tables.action_offsets.check_offsets(tables.action_terminals.len())?;
    tables.action_terminals.check_below(meta.terminal_count as usize)?;
    tables.action_terminals.check_rows(&tables.action_offsets, |a, b| a <= b)?;
    let in_range = |code: u32| {
        let limit = if code & 1 == 0 { counts.lr_states } else { counts.productions };
        ((code >> 1) as usize) < limit
    };
    tables.action_codes.check_all(in_range, "the state or production does not exist")
}

fn gotos(meta: &GrammarMeta, counts: &Counts, tables: &Tables<'_>) -> Checked {
    let nonterminals = meta.nonterminal_count as usize;
    tables.production_lhs.check_below(nonterminals)?;
    tables.production_length.check_all(|length| length > 0, "the production is empty")?;
    tables.goto_offsets.check_offsets(tables.goto_nonterminals.len())?;
    tables.goto_nonterminals.check_below(nonterminals)?;
    tables.goto_nonterminals.check_rows(&tables.goto_offsets, |a, b| a < b)?;
    tables.goto_targets.check_below(counts.lr_states)
}

fn dwa(counts: &Counts, tables: &Tables<'_>) -> Checked {
    let (states, masks) = (counts.dwa_states, counts.masks);
    tables.dwa_default_target.check_below_or_max(states)?;
    tables.dwa_default_output.check_below(masks)?;
    tables.dwa_offsets.check_offsets(counts.dwa_edges)?;
    if !tables.dwa_offsets.range(0).is_empty() || tables.dwa_default_target.get(0) != NONE {
        return tables.dwa_offsets.bad(0, "the state STOP has a transition");
    }
    tables.dwa_targets.check_below(states)?;
    tables.dwa_outputs.check_below(masks)?;
    shapes(counts, tables)
}

fn shapes(counts: &Counts, tables: &Tables<'_>) -> Checked {
    tables.shape_offsets.check_offsets(tables.dwa_symbols.len())?;
    tables.dwa_symbols.check_below(counts.lr_states)?;
    tables.dwa_symbols.check_rows(&tables.shape_offsets, |a, b| a < b)?;
    tables.dwa_shape.check_below(counts.shapes)?;
    let fits = |&state: &usize| {
        let shape = tables.dwa_shape.get(state) as usize;
        tables.shape_offsets.range(shape).len() == tables.dwa_offsets.range(state).len()
    };
    match (0..counts.dwa_states).find(|state| !fits(state)) {
        Some(state) => {
            tables.dwa_shape.bad(state, "the shape and the state have different numbers of transitions")
        }
        None => Ok(()),
    }
}

fn masks(meta: &GrammarMeta, counts: &Counts, tables: &Tables<'_>) -> Checked {
    if tables.mask_base.get(0) != NONE {
        return tables.mask_base.bad(0, "mask 0 is not empty");
    }
    tables.mask_base.check_below_or_max(counts.bases)?;
    deltas(meta, counts, tables)?;
    tables.mask_leader.check_below(counts.masks)?;
    let leader = |mask: usize| tables.mask_leader.get(mask) as usize;
    let flips = |mask: usize| tables.mask_offsets.range(mask).len();
    if flips(0) > 0 {
        return tables.mask_offsets.bad(1, "mask 0 is not empty");
    }
    for mask in 0..counts.masks {
        if leader(leader(mask)) != 0 {
            return tables.mask_leader.bad(mask, "the leader has a leader");
        }
        if flips(mask) + flips(leader(mask)) > meta.max_delta as usize {
            return tables.mask_offsets.bad(mask, "the mask has more flips than `max_delta` says");
        }
    }
    bases(meta, counts, tables)
}

/// Checks that the base bitmaps of the vocabulary ascend and are below `shared_bases`, and that every mask that refers to one names one of
/// these.
fn shared_bases(meta: &GrammarMeta, tables: &Tables<'_>, shared: &[[U32; 3]]) -> Checked {
    let bad =
        |index, problem| Err(ArtifactError::MalformedTable { table: SHARED_BASES.name, index, problem });
    let number = |entry: &[U32; 3]| entry[0].get();
    if let Some(index) = shared.windows(2).position(|pair| number(&pair[0]) >= number(&pair[1])) {
        return bad(index + 1, "the numbers do not ascend");
    }
    if shared.last().map_or(0, |last| number(last).saturating_add(1)) != meta.shared_bases {
        return bad(shared.len(), "the last number is not the one before `shared_bases`");
    }
    let is_there =
        |base: u32| base >= meta.shared_bases || shared.binary_search_by_key(&base, number).is_ok();
    tables.mask_base.check_all(is_there, "the base bitmap of the vocabulary has no checksum")
}

/// Checks that no delta has a token beyond the last one.
fn deltas(meta: &GrammarMeta, counts: &Counts, tables: &Tables<'_>) -> Checked {
    tables.mask_offsets.check_offsets(tables.mask_delta.len())?;
    for mask in 0..counts.masks {
        let range = tables.mask_offsets.range(mask);
        let delta = Delta { gaps: tables.mask_delta.slice(range.clone()) };
        if delta.last().is_some_and(|last| last >= u64::from(meta.mask_width)) {
            return tables.mask_delta.bad(range.end - 1, "there is a token beyond the width of the mask");
        }
    }
    Ok(())
}

/// Checks that the bitmaps have whole rows, without bits beyond the last token.
fn bases(meta: &GrammarMeta, counts: &Counts, tables: &Tables<'_>) -> Checked {
    let last_bits = meta.mask_width % 32;
    let beyond = if last_bits == 0 { 0 } else { u32::MAX << last_bits };
    let last_word = |base: usize| (base + 1) * counts.row_words - 1;
    match (0..counts.bases - counts.shared_bases)
        .map(last_word)
        .find(|&word| tables.base_words.get(word) & beyond != 0)
    {
        Some(word) => tables.base_words.bad(word, "there is a token beyond the width of the mask"),
        None => Ok(()),
    }
}
