//! The masks of a grammar, made while they are read, for any number of threads.
//!
//! A transition that was made before is found in a table, which is divided so that threads seldom meet; a mask lies where it stays. One
//! thread at a time makes what is missing. Beyond the limits, everything is forgotten but the masks, and the call fails; the next one
//! begins anew. Numbers of states go on from where they were, so that no state is taken for another one.

use super::expansion::{Expansion, OwnedPrepared};
use super::masks::{Added, Masks};
use crate::vocabulary::Vocabulary;
use gcc_grammar_artifact::grammar::{Delta, DwaEdge, MaskSource};
use gcc_grammar_artifact::ids::{BaseId, DwaState, LexState, LrState, MaskId};
use gcc_grammar_artifact::wire::U32;
use gcc_grammar_compiler::Limits;
use gcc_grammar_compiler::ids::SetId;
use gcc_grammar_compiler::masks::LazyMask;
use gcc_grammar_compiler::parser::Transition;
use gcc_grammar_limits::OverBudget;
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

/// Marks the states in which reading starts. The other bits are a lexer state.
const START: u32 = 1 << 31;
/// Parts of the table of transitions.
const PARTS: usize = 16;

type Transitions = FxHashMap<(DwaState, LrState), DwaEdge>;

/// The Parser DWA and the masks of a grammar.
pub(super) struct Source {
    prepared: Arc<OwnedPrepared>,
    vocabulary: Vocabulary,
    /// The number of bases of the vocabulary, which come first.
    shared: u32,
    row_words: usize,
    transitions: [RwLock<Transitions>; PARTS],
    masks: Masks,
    maker: Mutex<Maker>,
    limits: Limits,
}

/// What makes transitions and masks.
struct Maker {
    /// None after an error, until it is needed again.
    expansion: Option<Expansion>,
    added: Added,
    mask_of: FxHashMap<SetId, MaskId>,
    /// The numbers of the bases that the expansion has made.
    bases: Vec<BaseId>,
    /// Numbers of states are greater than those of the expansion by this.
    offset: u32,
    /// The greatest number of a state so far.
    last: u32,
}

impl Source {
    pub(super) fn new(prepared: OwnedPrepared, limits: Limits) -> Self {
        let vocabulary = prepared.borrow_owner().vocabulary.clone();
        let maker = Maker {
            expansion: None,
            added: Added::default(),
            mask_of: FxHashMap::default(),
            bases: Vec::new(),
            offset: 0,
            last: 0,
        };
        Self {
            shared: vocabulary.tokens().bases().count() as u32,
            row_words: vocabulary.tokens().width().div_ceil(32) as usize,
            prepared: Arc::new(prepared),
            vocabulary,
            transitions: [const { RwLock::new(Transitions::with_hasher(rustc_hash::FxBuildHasher)) }; PARTS],
            masks: Masks::default(),
            maker: Mutex::new(maker),
            limits,
        }
    }

    fn part(&self, state: DwaState, read: LrState) -> &RwLock<Transitions> {
        let mixed = (state.0 ^ read.0.rotate_left(16)).wrapping_mul(0x9e37_79b9);
        &self.transitions[mixed as usize >> 28]
    }

    fn known(&self, state: DwaState, read: LrState) -> Option<DwaEdge> {
        let part = self.part(state, read).read().unwrap_or_else(PoisonError::into_inner);
        part.get(&(state, read)).copied()
    }

    fn maker(&self) -> MutexGuard<'_, Maker> {
        self.maker.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a transition. Without a result, what it was made from is forgotten.
    fn make(&self, state: DwaState, read: LrState) -> Option<DwaEdge> {
        let mut maker = self.maker();
        if let Some(edge) = self.known(state, read) {
            return Some(edge);
        }
        match maker.step(self, state, read) {
            Ok(Some(edge)) => {
                let part = self.part(state, read).write();
                part.unwrap_or_else(PoisonError::into_inner).insert((state, read), edge);
                Some(edge)
            }
            Ok(None) => None,
            Err(OverBudget { .. }) => {
                maker.forget();
                for part in &self.transitions {
                    *part.write().unwrap_or_else(PoisonError::into_inner) = Transitions::default();
                }
                None
            }
        }
    }
}

impl Maker {
    /// The transition; none for a state that was forgotten.
    fn step(&mut self, source: &Source, state: DwaState, read: LrState) -> Result<Option<DwaEdge>, OverBudget> {
        let mut expansion = match self.expansion.take() {
            Some(expansion) => expansion,
            None => Expansion::new(&source.prepared, source.limits)?,
        };
        let found = expansion.ask(|on_demand| match state.0 & START {
            0 => match state.0.checked_sub(self.offset) {
                Some(number @ 1..) => on_demand.next(DwaState(number), read).map(Some),
                _ => Ok(None),
            },
            _ => on_demand.start(LexState(state.0 & !START), read).map(Some),
        })?;
        let edge = found.map(|found| self.edge(source, &mut expansion, found)).transpose()?;
        self.expansion = Some(expansion);
        Ok(edge)
    }

    fn edge(
        &mut self,
        source: &Source,
        expansion: &mut Expansion,
        Transition { output, target }: Transition,
    ) -> Result<DwaEdge, OverBudget> {
        let output = match self.mask_of.get(&output) {
            Some(&mask) => mask,
            None => {
                let mask = expansion.ask(|on_demand| on_demand.mask(output))?;
                let mask = self.add(source, mask);
                self.mask_of.insert(output, mask);
                mask
            }
        };
        let target = if target == DwaState::STOP { target } else { DwaState(target.0 + self.offset) };
        self.last = self.last.max(target.0);
        Ok(DwaEdge { target, output })
    }

    fn add(&mut self, source: &Source, LazyMask { base, flips, bitmap }: LazyMask) -> MaskId {
        if let Some(words) = bitmap {
            self.bases.push(BaseId(source.shared + source.masks.add_base(&mut self.added, &words)));
        }
        let base = base.map(|base| match base.checked_sub(source.shared) {
            Some(own) => self.bases[own as usize],
            None => BaseId(base),
        });
        source.masks.add(&mut self.added, base, &flips)
    }

    /// Forgets everything but the masks.
    fn forget(&mut self) {
        self.expansion = None;
        self.mask_of = FxHashMap::default();
        self.bases = Vec::new();
        self.offset = self.last;
    }
}

impl MaskSource for Source {
    fn start(&self, state: LexState) -> DwaState {
        if state == LexState::DEAD { DwaState::STOP } else { DwaState(START | state.0) }
    }

    fn next(&self, state: DwaState, read: LrState) -> Option<DwaEdge> {
        let unknown = DwaEdge { target: DwaState::STOP, output: MaskId::UNKNOWN };
        let made = || self.make(state, read).unwrap_or(unknown);
        Some(self.known(state, read).unwrap_or_else(made))
    }

    fn mask(&self, mask: MaskId) -> (Option<BaseId>, Delta<'_>) {
        self.masks.get(mask)
    }

    fn base(&self, base: BaseId) -> &[U32] {
        match base.0.checked_sub(self.shared) {
            Some(own) => self.masks.base(own as usize),
            None => {
                let words = self.vocabulary.tokens().bases().view().words();
                &words[base.0 as usize * self.row_words..][..self.row_words]
            }
        }
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source").field("limits", &self.limits).finish_non_exhaustive()
    }
}
