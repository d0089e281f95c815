//! The masks of a grammar, made while they are read, for any number of threads.
//!
//! A transition that was made before is found in a table, which is divided so that threads seldom meet; a mask lies where it stays. One
//! thread at a time makes missing transitions and masks. Beyond the limits, everything is forgotten but the masks, and the call fails; the next one
//! begins anew. Numbers of states are never used twice, so that no state is taken for another one.

use super::composition::Composition;
use super::lexer::LexerOnDemand;
use super::masks::{Added, Masks};
use crate::ids::{DwaState, LexState, LrState, SetId};
use crate::masks::LazyMask;
use crate::parser::Transition;
use crate::prepared::Prepared;
use crate::terminal::Lexemes;
use gcc_grammar_artifact::grammar::{CompletionView, Delta, DwaEdge, LexerSource, MaskSource};
use gcc_grammar_artifact::ids::{BaseId, MaskId};
use gcc_grammar_artifact::wire::U32;
use gcc_grammar_limits::{Budget, Limits, OverBudget};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

/// Marks the states in which reading starts. The other bits are a lexer state.
const START: u32 = 1 << 31;
/// Parts of the table of transitions.
const PARTS: usize = 16;

/// How many sources this process has made.
static MADE: AtomicU64 = AtomicU64::new(0);

type Transitions = FxHashMap<(DwaState, LrState), DwaEdge>;

/// The Parser DWA and the masks of a grammar, made while they are read.
pub struct OnDemand<'p> {
    identity: u64,
    prepared: &'p Prepared,
    /// The number of bases of the vocabulary, which come first.
    shared: u32,
    row_words: usize,
    transitions: [RwLock<Transitions>; PARTS],
    masks: Masks,
    /// None if the lexer is in the tables.
    lexer: Option<Arc<LexerOnDemand<'p>>>,
    maker: Mutex<Maker<'p>>,
    limits: Limits,
}

/// What makes transitions and masks.
struct Maker<'p> {
    /// None after an error, until it is needed again.
    composition: Option<Composition<'p>>,
    added: Added,
    mask_of: FxHashMap<SetId, MaskId>,
    /// The numbers of the bases that the composition has made.
    bases: Vec<BaseId>,
    /// Numbers of states are greater than those of the composition by this.
    offset: u32,
    /// The greatest number of a state so far.
    last: u32,
}

impl<'p> OnDemand<'p> {
    /// Nothing is made yet. `limits` bound the bytes of the memory, and the work until it is cleared.
    #[must_use]
    pub fn new(prepared: &'p Prepared, limits: Limits) -> Self {
        let maker = Maker {
            composition: None,
            added: Added::default(),
            mask_of: FxHashMap::default(),
            bases: Vec::new(),
            offset: 0,
            last: 0,
        };
        Self {
            // Sources that are not on demand have the number 0.
            identity: 1 + MADE.fetch_add(1, Ordering::Relaxed),
            prepared,
            // Without references, the first base is one that is made here.
            shared: if prepared.options.refers { prepared.vocabulary.bases().count() as u32 } else { 0 },
            row_words: prepared.vocabulary.width().div_ceil(32) as usize,
            transitions: [const { RwLock::new(Transitions::with_hasher(FxBuildHasher)) }; PARTS],
            masks: Masks::default(),
            lexer: prepared.automata.makes_states.then(|| Arc::new(LexerOnDemand::new(prepared))),
            maker: Mutex::new(maker),
            limits,
        }
    }

    /// Estimated bytes of all that was made so far.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let maker = self.maker();
        let transitions = self.transitions.iter().map(|part| part.read().map_or(0, |part| part.capacity()));
        let transitions = transitions.sum::<usize>() * size_of::<((DwaState, LrState), DwaEdge)>();
        let whole = self.lexer.as_ref().map_or(0, |lexer| lexer.whole_bytes());
        maker.composition.as_ref().map_or(0, Composition::bytes)
            + maker.added.bytes()
            + transitions as u64
            + whole
    }

    /// The lexer, for the composition.
    fn lexemes(&self) -> Lexemes<'p> {
        match &self.lexer {
            Some(lexer) => Lexemes::OnDemand(lexer.clone()),
            None => Lexemes::Whole(self.prepared.automata.decoding().lexer),
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

    fn maker(&self) -> MutexGuard<'_, Maker<'p>> {
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

impl<'p> Maker<'p> {
    /// The transition; none for a state that was forgotten.
    fn step(
        &mut self,
        source: &OnDemand<'p>,
        state: DwaState,
        read: LrState,
    ) -> Result<Option<DwaEdge>, OverBudget> {
        let mut composition = match self.composition.take() {
            Some(composition) => composition,
            None => Composition::new(source.prepared, source.lexemes(), &Budget::new(source.limits))?,
        };
        let found = match (state.0 & START, state.0.checked_sub(self.offset)) {
            (0, Some(number @ 1..)) => Some(composition.next(DwaState(number), read)?),
            (0, _) => None,
            _ => Some(composition.start(LexState(state.0 & !START), read)?),
        };
        let edge = found.map(|found| self.edge(source, &mut composition, found)).transpose()?;
        self.composition = Some(composition);
        Ok(edge)
    }

    fn edge(
        &mut self,
        source: &OnDemand<'p>,
        composition: &mut Composition<'p>,
        Transition { output, target }: Transition,
    ) -> Result<DwaEdge, OverBudget> {
        let output = match self.mask_of.get(&output) {
            Some(&mask) => mask,
            None => {
                let mask = self.add(source, composition.mask(output)?);
                self.mask_of.insert(output, mask);
                mask
            }
        };
        let target = if target == DwaState::STOP { target } else { DwaState(target.0 + self.offset) };
        self.last = self.last.max(target.0);
        Ok(DwaEdge { target, output })
    }

    fn add(&mut self, source: &OnDemand<'p>, LazyMask { base, flips, bitmap }: LazyMask) -> MaskId {
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
        self.composition = None;
        self.mask_of = FxHashMap::default();
        self.bases = Vec::new();
        self.offset = self.last;
    }
}

impl MaskSource for OnDemand<'_> {
    fn identity(&self) -> u64 {
        self.identity
    }

    fn lexer(&self) -> Option<&dyn LexerSource> {
        Some(&**self.lexer.as_ref()?)
    }

    /// The composition makes masks only.
    fn completion(&self) -> Option<&CompletionView<'_>> {
        None
    }

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
                let words = self.prepared.vocabulary.bases().view().words();
                let start = base.0 as usize * self.row_words;
                words.get(start..start + self.row_words).unwrap_or_default()
            }
        }
    }
}

impl fmt::Debug for OnDemand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OnDemand").field("limits", &self.limits).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Threads share transitions and masks.
    #[test]
    fn it_can_be_shared_by_threads() {
        const fn is_shared<T: Send + Sync>() {}
        is_shared::<OnDemand<'static>>();
    }
}
