//! Walks of the vocabulary that are kept beyond a compilation.
//!
//! In: the walks of a compilation under any split. Out: their results in a later compilation for the same vocabulary,
//! wherever the same language is read.
//!
//! Under any split, a walk depends on where it begins in the trie, on the language of the state in which it begins, and on
//! the bytes that can start a lexeme, and on nothing else of the grammar. So these three are the key of its result: all
//! lexemes are those of [`ANY`] terminal, and the result is a set of tokens and a set of trie nodes. How the result was
//! found makes no difference. Special tokens are no part of it: the walks of states that read some are not kept.
//!
//! The sets of a compilation are made in the interners that have the kept sets, so kept walks need no translation.
//! Numbers of sets depend on what was interned before, so no result may depend on their order.

use super::languages::{ANY, LanguageKey};
use super::precomputed::{Precomputed, to_precomputed};
use super::starts::{StartKey, has_precomputed_walks};
use super::tokens::Tokens;
use super::walk::{Entries, Groups, GroupsOfPatterns, Summary, WalkSets, Walker};
use super::walk_key::{Begin, LanguageId};
use crate::ids::{EndClass, LexState, SetId, SymbolClass};
use crate::lexer::{Lexer, PendingId};
use crate::sets::Sets;
use gcc_grammar_limits::{Budget, OverBudget};
use gcc_grammar_regular::ByteSet;
use gcc_grammar_vocabulary::walks::PrecomputedWalk;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// The pending set of all states of the automaton of languages that are not dead.
const PENDING: PendingId = PendingId(1);

/// Estimated bytes of a walk, and of a language.
const WALK_BYTES: u64 = 64;
const LANGUAGE_BYTES: u64 = 160;

/// The result of a walk.
#[derive(Clone, Copy)]
struct Walk {
    tokens: Option<SetId>,
    nodes: Option<SetId>,
    /// The last compilation that used it.
    used: u32,
}

/// How often walks were found among the kept walks.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Reuse {
    /// Walks that were found.
    pub found: u64,
    /// Walks that were made and are kept from now on.
    pub made: u64,
}

/// The walks that are kept, and their sets of trie nodes.
pub(crate) struct KeptWalks {
    pub(super) positions: Sets,
    pub(super) walks: Walks,
}

/// The walks that are kept, and tables that all compilations for a vocabulary can share.
#[derive(Default)]
pub(super) struct Walks {
    pub(super) groups: Groups,
    pub(super) entries: Entries,
    /// Per set of nodes: all tokens below it.
    pub(super) below: FxHashMap<SetId, SetId>,
    languages: FxHashMap<(StartKey, LanguageKey), LanguageId>,
    /// Per language: its key, and the bytes that can start a lexeme.
    keys: Vec<(StartKey, LanguageKey)>,
    known: Precomputed,
    walks: FxHashMap<(Begin, LanguageId), Walk>,
    /// Per state of the walked automaton, once it is asked for: its language, if its walks are kept.
    of_state: Vec<Option<Option<LanguageId>>>,
    /// The number of this compilation.
    now: u32,
    reuse: Reuse,
}

/// What is remembered by the states of a walked automaton, and means nothing with another one.
#[derive(Default)]
pub(super) struct OfStates {
    /// Per state, once it is asked for: its language, if its walks are kept.
    languages: Vec<Option<Option<LanguageId>>>,
    groups: GroupsOfPatterns,
}

impl OfStates {
    /// Nothing is remembered.
    pub(super) fn new(walked: &Lexer) -> Self {
        Self { languages: vec![None; walked.states()], groups: GroupsOfPatterns::default() }
    }
}

impl Walks {
    /// Begins a compilation in which these bytes can start a lexeme.
    pub(super) fn begin(&mut self, tokens: &Tokens, starts: &ByteSet) {
        self.now += 1;
        self.reuse = Reuse::default();
        self.known.begin(tokens, starts);
        self.of_state = Vec::new();
        self.groups.known = GroupsOfPatterns::default();
    }

    /// Goes on with another walked automaton.
    pub(super) fn swap(&mut self, of_states: &mut OfStates) {
        std::mem::swap(&mut self.of_state, &mut of_states.languages);
        std::mem::swap(&mut self.groups.known, &mut of_states.groups);
    }

    /// The number of a language.
    fn language(&mut self, key: (StartKey, LanguageKey)) -> LanguageId {
        *self.languages.entry(key).or_insert_with(|| {
            self.keys.push(key);
            LanguageId::new(self.keys.len() - 1)
        })
    }

    fn key(&mut self, walker: &Walker<'_>, begin: Begin, state: LexState) -> Option<(Begin, LanguageId)> {
        let language = match *self.of_state.get(state.index())? {
            Some(known) => known,
            None => {
                let language = language_of(walker, state).map(|key| self.language(key));
                self.of_state[state.index()] = Some(language);
                language
            }
        };
        Some((begin, language?))
    }

    /// The result of a walk from a state, if it is kept or comes with the vocabulary.
    pub(super) fn find(
        &mut self,
        walker: &Walker<'_>,
        begin: Begin,
        state: LexState,
        sets: &mut WalkSets<'_>,
    ) -> Result<Option<Summary>, OverBudget> {
        let Some(key) = self.key(walker, begin, state) else { return Ok(None) };
        let walk = match self.walks.entry(key) {
            Entry::Occupied(walk) => walk.into_mut(),
            Entry::Vacant(place) => {
                let language = (key.1, &self.keys[key.1.index()]);
                match self.known.find(walker, (begin, state), language, sets)? {
                    Some((tokens, nodes)) => place.insert(Walk { tokens, nodes, used: self.now }),
                    None => return Ok(None),
                }
            }
        };
        walk.used = self.now;
        self.reuse.found += 1;
        Ok(Some(Summary {
            ends: walk.tokens.map(|set| (PENDING, set)).into_iter().collect(),
            cuts: walk.nodes.map(|set| ((ANY, EndClass(0)), set)).into_iter().collect(),
        }))
    }

    /// Keeps the result of a walk from a state.
    pub(super) fn keep(&mut self, walker: &Walker<'_>, begin: Begin, state: LexState, summary: &Summary) {
        let Some(key) = self.key(walker, begin, state) else { return };
        debug_assert!(summary.ends.len() < 2 && summary.cuts.len() < 2, "there is one terminal");
        let tokens = summary.ends.first().map(|&(_, set)| set);
        let nodes = summary.cuts.first().map(|&(_, set)| set);
        self.reuse.made += 1;
        self.walks.insert(key, Walk { tokens, nodes, used: self.now });
    }

    fn bytes(&self) -> u64 {
        self.groups.bytes()
            + self.entries.bytes()
            + self.walks.len() as u64 * WALK_BYTES
            + self.languages.len() as u64 * LANGUAGE_BYTES
            + self.below.len() as u64 * 16
            + self.known.bytes()
    }
}

/// The language of a state, if its walks are kept.
fn language_of(walker: &Walker<'_>, state: LexState) -> Option<(StartKey, LanguageKey)> {
    let Walker { lexer: walked, tokens, tables, .. } = walker;
    let class = |i| SymbolClass::new(tokens.byte_classes + i);
    let reads_special = (0..tokens.special.len()).any(|i| walked.next(state, class(i)) != LexState::DEAD);
    let key = if reads_special { None } else { tables.parts.key(state) }?;
    let starts = tables.may_start.first().copied().unwrap_or_default();
    Some((tables.followers.key(state.index(), starts), key))
}

impl KeptWalks {
    /// The walks that a vocabulary can have with it. `tokens` has the sets of tokens.
    pub(crate) fn known(&self, tokens: &Sets) -> Vec<PrecomputedWalk> {
        let Self { positions, walks } = self;
        let known = walks.walks.iter().filter_map(|(&(begin, language), walk)| {
            let key = &walks.keys[language.index()];
            let found = (walk.tokens, walk.nodes);
            has_precomputed_walks(&key.0)
                .then(|| to_precomputed(begin, key, found, tokens, positions))
                .flatten()
        });
        known.collect()
    }

    /// No walks.
    pub(crate) fn new(budget: Budget) -> Self {
        Self { positions: Sets::new(budget), walks: Walks::default() }
    }

    /// How often walks were found and made in the last compilation.
    pub(crate) fn reuse(&self) -> Reuse {
        self.walks.reuse
    }

    /// Estimated bytes of all tables.
    pub(crate) fn bytes(&self) -> u64 {
        self.positions.bytes() + self.walks.bytes()
    }

    /// Keeps the walks that were used last, as far as they and their sets take up to `limit` bytes, and forgets the
    /// others. Returns the sets of tokens of the walks that are kept. `tokens` has the sets of tokens so far.
    ///
    /// Walks from groups are forgotten: they are parts of other walks.
    ///
    /// # Errors
    /// Never: the budget is unlimited.
    pub(crate) fn shrink(&mut self, tokens: Sets, limit: u64) -> Result<Sets, OverBudget> {
        let unlimited = Budget::unlimited("session");
        let Self { positions: old_positions, walks: old } =
            std::mem::replace(self, Self::new(unlimited.clone()));
        let Self { positions, walks } = self;
        (walks.now, walks.reuse) = (old.now, old.reuse);
        let mut all: Vec<((Begin, LanguageId), Walk)> = old.walks.into_iter().collect();
        all.retain(|((begin, _), _)| !matches!(begin, Begin::Group(_)));
        all.sort_unstable_by_key(|&((begin, language), walk)| {
            let place = match begin {
                Begin::At(set) => (0, set.0),
                Begin::Below(node) => (1, node),
                Begin::Group(group) => (2, group.0),
            };
            (std::cmp::Reverse(walk.used), language, place)
        });
        let (mut old_positions, mut old_tokens) = (old_positions.into_foreign(), tokens.into_foreign());
        let mut tokens = Sets::new(unlimited);
        for ((begin, language), walk) in all {
            if positions.bytes() + walks.bytes() + tokens.bytes() > limit {
                break;
            }
            let language = walks.language(old.keys[language.index()]);
            let mut node_set = |set| positions.adopt(&mut old_positions, set);
            let begin = match begin {
                Begin::At(set) => Begin::At(node_set(set)?),
                other => other,
            };
            let nodes = walk.nodes.map(&mut node_set).transpose()?;
            let token_set = walk.tokens.map(|set| tokens.adopt(&mut old_tokens, set)).transpose()?;
            walks.walks.insert((begin, language), Walk { tokens: token_set, nodes, ..walk });
        }
        Ok(tokens)
    }
}
