//! Finds subtrees of the trie that need no walk, because all their tokens end alike.
//!
//! In the middle of a string nearly every character leads to the same state, or to a next state if the
//! string's length is counted. If all [`symbols`] below a trie node take neutral transitions, then every
//! token below the node ends inside the same lexeme and none can end it. The subtree is one interval of
//! tokens. Beyond ASCII, either all characters of text are neutral ([`Characters`]), or they are walked.
//!
//! In: the lexer and the trie. Out: for every state, the neutral symbols of strings of
//! up to 1, 2, 4, 8, … bytes: a string of neutral symbols alone stays on the default path of the state. The sets of double the length are computed from those of the single length (binary
//! lifting).

use super::characters::{Characters, Rest};
use super::default_transition::DefaultTransitions;
use super::neutral::Neutral;
use super::tokens::Tokens;
use crate::ids::LexState;
use crate::lexer::Lexer;
use gcc_grammar_artifact::trie::SymbolSet;
use gcc_grammar_ir::index_newtype;
use gcc_grammar_limits::{Budget, OverBudget};
use gcc_grammar_regular::ByteSet;
use gcc_grammar_vocabulary::{Phase, symbols};
use rustc_hash::FxHashMap;

index_newtype! { vis pub(super),
    /// An interned set of symbols.
    SymbolsId;
}

/// The level for strings of up to `length` bytes: its logarithm to the base 2, rounded up.
fn level_of(length: usize) -> usize {
    length.next_power_of_two().trailing_zeros() as usize
}

/// The neutral symbols of every state.
pub(super) struct UniformSubtrees {
    levels: usize,
    /// Row-major `[state][level]`: the neutral symbols in strings of up to 2^level bytes.
    neutral: Vec<SymbolsId>,
    /// Per height (255: any): its level.
    level_of_height: [u8; 256],
    sets: Vec<ByteSet>,
}

impl UniformSubtrees {
    /// Computes the neutral symbols for strings as long as the tokens.
    pub(super) fn new(
        lexer: &Lexer,
        neutral: &Neutral<'_>,
        tokens: &Tokens,
        characters: &Characters,
        defaults: &DefaultTransitions<'_>,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        let states = lexer.states();
        let levels = level_of(tokens.longest) + 1;
        budget.charge_bytes((states * levels * 4) as u64)?;
        let uniform = Self {
            levels,
            neutral: vec![SymbolsId(0); states * levels],
            level_of_height: std::array::from_fn(|height| match height {
                255 => levels - 1,
                _ => level_of(height).min(levels - 1),
            } as u8),
            sets: Vec::new(),
        };
        let mut lifting = Lifting {
            uniform,
            ids: FxHashMap::default(),
            next: Vec::with_capacity(states),
            inside: Vec::new(),
        };
        for state in (0..states).map(LexState::new) {
            let default = defaults.find(state, |to| neutral.is(state, to));
            let bytes = match default {
                Some(to) => {
                    let bytes = defaults.bytes_to(state, |other| other == to);
                    bytes & symbols::TEXT & !neutral.begin(state)
                }
                None => ByteSet::default(),
            };
            lifting.begin(state, default.unwrap_or(LexState::DEAD), bytes, characters);
        }
        let uniform = lifting.finish();
        budget.charge_bytes(uniform.sets.len() as u64 * 64)?;
        Ok(uniform)
    }

    /// Whether all strings of up to `height` (255: any number) bytes end alike from `state`, if they are made
    /// of the [`symbols`] in the set `below`.
    #[inline]
    pub(super) fn is_uniform(&self, state: LexState, height: u8, below: &SymbolSet) -> bool {
        let level = usize::from(self.level_of_height[usize::from(height)]);
        let neutral = &self.sets[self.neutral[state.index() * self.levels + level].index()];
        ByteSet(*below).is_subset(neutral)
    }

    /// Makes no subtree uniform any more.
    pub(super) fn forget(&mut self) {
        self.sets.fill(ByteSet::default());
    }
}

/// Computes neutral symbols, level by level.
struct Lifting {
    uniform: UniformSubtrees,
    ids: FxHashMap<ByteSet, SymbolsId>,
    /// Per state: the state that 2^level neutral symbols lead to.
    next: Vec<LexState>,
    /// The states inside a character, and their transition on the rest of the character.
    inside: Vec<(LexState, Rest)>,
}

impl Lifting {
    /// Sets level 0 of a state, the next state in order. `bytes` are the bytes of text that lead to `next` by
    /// neutral transitions.
    fn begin(&mut self, state: LexState, next: LexState, mut bytes: ByteSet, characters: &Characters) {
        if (bytes & symbols::ASCII).is_empty()
            && let Some(rest) = characters.rest(state)
        {
            self.inside.push((state, rest));
        } else {
            bytes.insert(symbols::BETWEEN);
            if characters.after(state) == Some(next) {
                bytes.insert(symbols::of_phase(Phase::BETWEEN));
            }
        }
        self.set(state, 0, bytes);
        self.next.push(next);
    }

    /// Computes the other levels. A string of double the length is neutral if its first half is neutral, and
    /// its second half is neutral from where the first half leads.
    fn finish(mut self) -> UniformSubtrees {
        let levels = self.uniform.levels;
        for level in 0..levels {
            if level > 0 {
                for state in 0..self.next.len() {
                    let to = self.next[state].index();
                    let near = self.uniform.neutral[state * levels + level - 1];
                    let further = self.uniform.neutral[to * levels + level - 1];
                    self.uniform.neutral[state * levels + level] = self.common(near, further);
                }
                self.next = self.next.iter().map(|&middle| self.next[middle.index()]).collect();
            }
            for i in 0..self.inside.len() {
                let (state, rest) = self.inside[i];
                let neutral = self.inside_character(rest, level);
                self.set(state, level, neutral);
            }
        }
        self.uniform
    }

    /// The neutral symbols from inside a character: the rest of it, and the neutral symbols of the state that
    /// the rest leads to.
    fn inside_character(&self, rest: Rest, level: usize) -> ByteSet {
        let UniformSubtrees { levels, neutral, sets, .. } = &self.uniform;
        let further = sets[neutral[rest.to.index() * levels + level].index()];
        if further.contains(symbols::of_phase(Phase::BETWEEN)) {
            return further & symbols::ASCII | rest.symbols[0];
        }
        rest.symbols.get(1 << level).copied().unwrap_or_default()
    }

    fn set(&mut self, state: LexState, level: usize, symbols: ByteSet) {
        let id = self.intern(symbols);
        self.uniform.neutral[state.index() * self.uniform.levels + level] = id;
    }

    fn intern(&mut self, symbols: ByteSet) -> SymbolsId {
        *self.ids.entry(symbols).or_insert_with(|| {
            self.uniform.sets.push(symbols);
            SymbolsId::new(self.uniform.sets.len() - 1)
        })
    }

    /// The symbols in both sets.
    fn common(&mut self, a: SymbolsId, b: SymbolsId) -> SymbolsId {
        if a == b {
            return a;
        }
        let [a, b] = [a, b].map(|set| self.uniform.sets[set.index()]);
        self.intern(a & b)
    }
}
