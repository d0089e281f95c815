//! Compiles toy grammars to artifacts.
//!
//! The Parser DWA is made from examples: for every head that can arise within a number of tokens, its stack,
//! read top first, becomes a path of a tree, with the tokens that the plain interpreter allows at its end.
//! Tokens that all paths below a node allow are given out there, so that reading may stop early, and several
//! masks are united.

use std::collections::{BTreeMap, BTreeSet};

use gcc_grammar_artifact::grammar::{DISTANCE, NONE, gaps};
use gcc_grammar_artifact::{GrammarTables, GrammarView};

use super::naive::{Head, Naive, State};
use super::{Toy, fingerprints, lexer, lr};

/// A compiled toy grammar, whose masks are right for texts of up to `depth` tokens.
pub(crate) struct Compiled {
    pub(crate) tables: GrammarTables,
    pub(crate) depth: usize,
}

impl Compiled {
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.tables.write(fingerprints(), b"metadata".to_vec())
    }
}

pub(crate) fn compile(toy: &Toy, max_states: usize) -> Compiled {
    let mut tables = automata(toy);
    let mut tree = DwaBuilder::new(&mut tables);
    tree.emit(&[]);
    let bytes = tables.write(fingerprints(), Vec::new());
    let naive = Naive { grammar: GrammarView::open(&bytes).expect("valid"), tokens: &toy.vocabulary };
    let (heads, depth) = explore(&naive, max_states);
    let single =
        |head: &Head, at_start| State { heads: BTreeSet::from([head.clone()]), at_start, terminated: false };
    let examples: Vec<_> =
        heads.iter().map(|(head, at_start)| (head.clone(), naive.mask(&single(head, *at_start)))).collect();
    DwaBuilder::new(&mut tables).emit(&examples);
    Compiled { tables, depth }
}

/// Explores all texts token by token until there are `max_states` states. Returns the heads, and the length
/// of the texts that were explored completely.
fn explore(naive: &Naive<'_>, max_states: usize) -> (BTreeSet<(Head, bool)>, usize) {
    let mut seen = BTreeSet::from([naive.initial()]);
    let mut level: Vec<State> = seen.iter().cloned().collect();
    let mut depth = 0;
    while !level.is_empty() && seen.len() < max_states {
        let width = naive.grammar.meta().mask_width;
        let next = level.iter().flat_map(|state| (0..width).filter_map(|token| naive.commit(state, token)));
        let next: BTreeSet<State> = next.filter(|state| !seen.contains(state)).collect();
        seen.extend(next.iter().cloned());
        level = next.into_iter().collect();
        depth += 1;
    }
    let heads = seen.iter().filter(|state| !state.terminated);
    (heads.flat_map(|state| state.heads.iter().map(|head| (head.clone(), state.at_start))).collect(), depth)
}

fn csr<T>(rows: impl IntoIterator<Item = Vec<T>>) -> (Vec<u32>, Vec<T>) {
    let mut offsets = vec![0];
    let mut columns = Vec::new();
    for row in rows {
        columns.extend(row);
        offsets.push(columns.len() as u32);
    }
    (offsets, columns)
}

/// Makes all tables except those of the Parser DWA and the masks.
fn automata(toy: &Toy) -> GrammarTables {
    let lr = lr::build(toy);
    let starts =
        |actions: &BTreeSet<(u32, u32)>| actions.iter().map(|a| a.0).filter(|&t| t != toy.end()).collect();
    let contexts: BTreeSet<BTreeSet<u32>> = lr.actions.iter().map(starts).collect();
    let contexts: Vec<_> = contexts.into_iter().collect();
    let context = |actions| contexts.binary_search(&starts(actions)).expect("a context") as u32;
    let lexer = lexer::build(toy, &contexts);
    let (accept_offsets, accept_terminals) = csr(lexer.accepts);
    // Each state has a pattern of its own, and a target for each symbol with a transition.
    let rows = lexer.transitions.chunks(lexer.class_count as usize);
    let targets: Vec<Vec<u32>> =
        rows.clone().map(|row| row.iter().copied().filter(|&target| target != 0).collect()).collect();
    let slots = rows.flat_map(|row| {
        let mut last = 0;
        row.iter().map(move |&target| {
            last += u32::from(target != 0);
            if target == 0 { 0 } else { last }
        })
    });
    let pattern_slots = slots.collect();
    let states = lexer.end_class.len();
    // Even numbers of states are stored as distances, odd ones as they are.
    let code = |state: u32, target: u32| match target % 2 {
        0 => (target + DISTANCE - state) << 1 | 1,
        _ => target << 1,
    };
    let codes = (0..)
        .zip(&targets)
        .map(|(state, row)| row.iter().map(|&target| code(state, target)).collect::<Vec<u32>>());
    let (target_offsets, codes) = csr(codes);
    let farthest = |distance: &dyn Fn(u32, u32) -> u32| {
        let even = |(state, row): (u32, &Vec<u32>)| {
            row.iter().filter(|&target| target % 2 == 0).map(|&target| distance(state, target)).max()
        };
        (0..).zip(&targets).map(|row| even(row).unwrap_or(0)).collect()
    };
    let sets: BTreeSet<Vec<u32>> = lexer.pending.iter().cloned().collect();
    let pending_set =
        lexer.pending.iter().map(|set| sets.iter().position(|s| s == set).expect("a set") as u32);
    let pending_set = pending_set.collect();
    let (pending_offsets, pending_terminals) = csr(sets);
    let (action_offsets, actions) = csr(lr.actions.iter().map(|row| row.iter().copied().collect()));
    let (goto_offsets, gotos) = csr(lr.gotos.iter().map(|row| row.iter().map(|(&k, &v)| (k, v)).collect()));
    GrammarTables {
        mask_width: toy.vocabulary.texts.len() as u32,
        max_token_bytes: toy.vocabulary.texts.iter().flatten().map(Vec::len).max().unwrap_or(0) as u32,
        class_count: lexer.class_count,
        end_symbol: lexer.end_symbol,
        context_count: contexts.len() as u32,
        terminal_count: toy.end() + 1,
        end_terminal: toy.end(),
        nonterminal_count: toy.nonterminals() + 1,
        byte_class: lexer.byte_class,
        special_tokens: lexer.special.iter().map(|s| s.0).collect(),
        special_classes: lexer.special.iter().map(|s| s.1).collect(),
        lexer_pattern: (0..lexer.end_class.len() as u32).collect(),
        pattern_slots,
        pattern_targets: targets.iter().map(|row| row.len() as u32).collect(),
        target_offsets,
        lexer_targets: codes,
        // Each state has a kind of its own.
        lexer_kind: (0..states as u32).collect(),
        kind_reach: farthest(&|state, target| target.saturating_sub(state)),
        kind_back: farthest(&|state, target| state.saturating_sub(target)),
        accept_offsets,
        accept_terminals,
        dwa_init: vec![0; lexer.end_class.len()],
        end_class: lexer.end_class,
        restart: lexer.restart,
        pending_set,
        pending_offsets,
        pending_terminals,
        lr_context: lr.actions.iter().map(context).collect(),
        action_offsets,
        action_terminals: actions.iter().map(|a| a.0).collect(),
        action_codes: actions.iter().map(|a| a.1).collect(),
        production_lhs: lr.rules.iter().map(|rule| rule.0).collect(),
        production_length: lr.rules.iter().map(|rule| rule.1.len() as u32).collect(),
        goto_offsets,
        goto_nonterminals: gotos.iter().map(|g| g.0).collect(),
        goto_targets: gotos.iter().map(|g| g.1).collect(),
        ..GrammarTables::default()
    }
}

type Tokens = BTreeSet<u32>;
/// The unread part of a stack, top last, with the tokens that the stack allows.
type Example<'e> = (&'e [u32], Tokens);

struct DwaBuilder<'t> {
    tables: &'t mut GrammarTables,
    rows: Vec<Vec<(u32, u32, u32)>>,
    masks: BTreeMap<Tokens, u32>,
}

impl<'t> DwaBuilder<'t> {
    fn new(tables: &'t mut GrammarTables) -> Self {
        Self { tables, rows: vec![Vec::new()], masks: BTreeMap::from([(Tokens::new(), 0)]) }
    }

    fn emit(&mut self, examples: &[(Head, Tokens)]) {
        for lex in 0..self.tables.dwa_init.len() {
            let of_state = examples.iter().filter(|((l, _), _)| *l as usize == lex);
            let of_state = of_state.map(|((_, stack), tokens)| (stack.as_slice(), tokens.clone())).collect();
            self.tables.dwa_init[lex] = self.state(of_state);
        }
        self.emit_dwa();
        self.emit_masks();
    }

    /// Makes the state that distinguishes these examples.
    fn state(&mut self, examples: Vec<Example<'_>>) -> u32 {
        if examples.iter().all(|(_, tokens)| tokens.is_empty()) {
            return 0;
        }
        let mut groups: BTreeMap<u32, Vec<Example<'_>>> = BTreeMap::new();
        for (stack, tokens) in examples {
            let (top, rest) = stack.split_last().expect("a stack ends when it is decided");
            groups.entry(*top).or_default().push((rest, tokens));
        }
        let row = groups.into_iter().map(|(symbol, group)| self.edge(symbol, group)).collect();
        self.rows.push(row);
        self.rows.len() as u32 - 1
    }

    fn edge(&mut self, symbol: u32, mut group: Vec<Example<'_>>) -> (u32, u32, u32) {
        let common =
            group.iter().map(|(_, tokens)| tokens.clone()).reduce(|a, b| &a & &b).unwrap_or_default();
        group.iter_mut().for_each(|(_, tokens)| tokens.retain(|token| !common.contains(token)));
        let next = self.masks.len() as u32;
        let output = *self.masks.entry(common).or_insert(next);
        let ended: Tokens =
            group.iter().filter(|(rest, _)| rest.is_empty()).flat_map(|(_, t)| t.clone()).collect();
        assert!(ended.is_empty(), "the bottom is below one stack only");
        group.retain(|(rest, _)| !rest.is_empty());
        (symbol, self.state(group), output)
    }

    /// Writes the states. A state whose edges are all equal gets one default transition instead.
    fn emit_dwa(&mut self) {
        let is_uniform = |row: &[(u32, u32, u32)]| {
            row.len() > 1 && row.iter().all(|edge| (edge.1, edge.2) == (row[0].1, row[0].2))
        };
        let default =
            |row: &[(u32, u32, u32)]| if is_uniform(row) { (row[0].1, row[0].2) } else { (NONE, 0) };
        let tables = &mut *self.tables;
        tables.dwa_default_target = self.rows.iter().map(|row| default(row).0).collect();
        tables.dwa_default_output = self.rows.iter().map(|row| default(row).1).collect();
        let rows = self.rows.iter().map(|row| if is_uniform(row) { Vec::new() } else { row.clone() });
        let (offsets, edges) = csr(rows);
        let symbols: Vec<Vec<u32>> = offsets
            .windows(2)
            .map(|row| edges[row[0] as usize..row[1] as usize].iter().map(|edge| edge.0).collect())
            .collect();
        let shapes: BTreeSet<Vec<u32>> = symbols.iter().cloned().collect();
        let shape = |row| shapes.iter().position(|shape| shape == row).expect("a shape") as u32;
        tables.dwa_shape = symbols.iter().map(shape).collect();
        (tables.shape_offsets, tables.dwa_symbols) = csr(shapes);
        tables.dwa_offsets = offsets;
        tables.dwa_targets = edges.iter().map(|edge| edge.1).collect();
        tables.dwa_outputs = edges.iter().map(|edge| edge.2).collect();
    }

    /// Writes the masks. Every third is a base; the others are flips of some base, or of none. Every fifth
    /// has the mask before it as its leader.
    fn emit_masks(&mut self) {
        let by_number: BTreeMap<u32, Tokens> =
            self.masks.iter().map(|(tokens, &id)| (id, tokens.clone())).collect();
        let masks: Vec<Tokens> = by_number.into_values().collect();
        let bases: Vec<&Tokens> = masks.iter().skip(1).step_by(3).collect();
        let mut deltas: Vec<Tokens> = Vec::new();
        let tables = &mut *self.tables;
        tables.mask_base.clear();
        tables.mask_leader.clear();
        for (number, mask) in masks.iter().enumerate() {
            let base = (number > 0 && number % 3 != 0).then(|| number / 3 % bases.len());
            tables.mask_base.push(base.map_or(NONE, |base| base as u32));
            let empty = Tokens::new();
            let mut flipped = mask ^ base.map_or(&empty, |base| bases[base]);
            let leader = if number % 5 == 4 { number - 1 } else { 0 };
            if leader > 0 {
                flipped = &flipped ^ &deltas[leader];
            }
            tables.mask_leader.push(leader as u32);
            deltas.push(flipped);
        }
        let width = tables.mask_width;
        (tables.mask_offsets, tables.mask_delta) = csr(deltas.into_iter().map(|delta| gaps(delta).collect()));
        tables.base_words = bases.iter().flat_map(|base| bitmap(base, width)).collect();
    }
}

pub(crate) fn bitmap(tokens: &Tokens, width: u32) -> Vec<u32> {
    let mut words = vec![0; width.div_ceil(32) as usize];
    tokens.iter().for_each(|&token| words[token as usize / 32] |= 1 << (token % 32));
    words
}
