//! What a lexer can be in, as the tables for walks need it: without its states, so that these can be made on demand.
//!
//! In: the lexer, or the contexts from which its states are made. Out: [`Reached`].

use super::starts::STARTS;
use crate::ids::{LexState, SymbolClass};
use crate::lexer::{Contexts, IGNORED, Lexer, Member, Symbols, TerminalAutomaton};
use gcc_grammar_ir::{Grammar, TerminalId};
use gcc_grammar_regular::ByteSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;

/// What a lexer can be in.
pub(crate) struct Reached<'l> {
    /// Per end class: the bytes that can start a lexeme after it, in some context.
    pub(super) may_start: Vec<ByteSet>,
    /// The terminals of all states, each with the states of its automaton in which a lexeme can be. `None` under longest match, and if states are made on demand.
    pub(super) members: Option<Cow<'l, [Member]>>,
    /// Those of the states in which lexemes start.
    pub(super) starts: Vec<Member>,
    /// Whether the lexer is there, and no two of its states have a language in common.
    pub(super) is_one_automaton: bool,
}

impl<'l> Reached<'l> {
    /// What all states say.
    pub(crate) fn of_lexer(lexer: &'l Lexer, symbols: &Symbols, any_split: bool) -> Self {
        let starts: FxHashSet<LexState> = lexer.restarts.iter().copied().collect();
        let may_start = may_start(lexer, symbols);
        let of = |state: LexState| lexer.members.iter().flat_map(move |members| members.row(state.index()));
        Self {
            may_start: if any_split { widened(may_start) } else { may_start },
            members: lexer.members.as_ref().map(|members| members.items().into()),
            starts: starts.into_iter().flat_map(of).copied().collect(),
            is_one_automaton: is_one_automaton(lexer, symbols),
        }
    }

    /// Whether lexemes start like those of other grammars, so that there may be walks of theirs.
    pub(super) fn starts_like_others(&self) -> bool {
        self.may_start.first().is_some_and(|starts| STARTS.contains(starts))
    }

    /// Whether a lexeme can be an ignored one, under any split.
    pub(super) fn has_ignored(&self) -> bool {
        let members = self.members.iter().flat_map(|members| members.iter()).chain(&self.starts);
        members.into_iter().any(|member| member.terminal == IGNORED)
    }
}

impl Reached<'static> {
    /// What follows from the terminals that start lexemes, where a state is a subset. Of the states of their automata, [batches](super::batches) have those of theirs.
    pub(crate) fn of_contexts(grammar: &Grammar, contexts: &Contexts, symbols: &Symbols) -> Self {
        let mut terminals: Vec<TerminalId> = contexts.terminals.iter().flatten().copied().collect();
        terminals.sort_unstable();
        terminals.dedup();
        let member = |&automaton: &TerminalId, state| {
            let terminal = if grammar.ignored.contains(&automaton) { IGNORED } else { automaton };
            Member { terminal, automaton, state }
        };
        let starts: Vec<Member> = terminals.iter().map(|t| member(t, 0)).collect();
        Self {
            may_start: widened(vec![first_bytes(starts.iter(), symbols)]),
            members: None,
            starts,
            is_one_automaton: false,
        }
    }
}

/// Where more lexemes seem to start, more is walked and nothing more is found; but the walks are those of other grammars.
fn widened(mut may_start: Vec<ByteSet>) -> Vec<ByteSet> {
    for starts in &mut may_start {
        let whole = STARTS.iter().find(|whole| starts.is_subset(whole));
        *starts = whole.copied().unwrap_or(*starts);
    }
    may_start
}

/// Whether the lexer is the automaton of a single terminal, but for the end of text and a state for each context.
fn is_one_automaton(lexer: &Lexer, symbols: &Symbols) -> bool {
    let largest = symbols.terminals.iter().map(TerminalAutomaton::states).max().unwrap_or_default();
    symbols.terminals.len() == 2 && lexer.states() <= largest + lexer.contexts + 1
}

/// Per end class: the bytes that can start a lexeme after it, in some context.
fn may_start(lexer: &Lexer, symbols: &Symbols) -> Vec<ByteSet> {
    let mut first = FxHashMap::default();
    let mut first_of = |state: LexState| -> ByteSet {
        *first.entry(state).or_insert_with(|| {
            let is_first = |&byte: &u8| lexer.next(state, symbols.class_of(byte)) != LexState::DEAD;
            (0..=u8::MAX).filter(is_first).collect()
        })
    };
    let starts_of = |row: &[LexState]| {
        let mut starts = ByteSet::default();
        for &state in row.iter().filter(|&&state| state != LexState::DEAD) {
            starts |= first_of(state);
        }
        starts
    };
    lexer.restarts.chunks(lexer.contexts).map(starts_of).collect()
}

/// The bytes that some of these members reads.
pub(super) fn first_bytes<'m>(members: impl Iterator<Item = &'m Member>, symbols: &Symbols) -> ByteSet {
    let mut classes: FxHashSet<SymbolClass> = FxHashSet::default();
    for member in members {
        let automaton = &symbols.terminals[member.automaton.index()];
        classes.extend(automaton.transitions(member.state).iter().map(|&(class, _)| class));
    }
    (0..=u8::MAX).filter(|&byte| classes.contains(&symbols.class_of(byte))).collect()
}
