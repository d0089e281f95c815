//! [`Tensors`]: a finite automaton over tokens, as arrays.

/// A deterministic automaton over tokens, trimmed and minimal. States are numbered breadth first, the start is 0.
///
/// # Invariants
/// 1. Edges are sorted by source, then by target, and no two have the same of both.
/// 2. The labels of edges with the same source are disjoint and not empty.
/// 3. Every state is on a path from the start to an accepting state.
/// 4. Distinct labels are numbered in the order of the edges; the tokens of each are ascending.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Tensors {
    /// V: the width of masks.
    pub width: u32,
    /// S: by state, whether an output may end there. If the grammar has end tokens, only the state behind them accepts.
    pub accept: Vec<bool>,
    /// By edge: its source (the columns of `T_out`).
    pub source: Vec<u32>,
    /// By edge: its target (the rows of `T_in`).
    pub target: Vec<u32>,
    /// By edge: the number of its label.
    pub label: Vec<u32>,
    /// By label, and once more: where its tokens begin.
    pub label_offsets: Vec<u32>,
    /// The tokens of all labels.
    pub label_tokens: Vec<u32>,
    /// What was left out.
    pub cut: Cut,
}

/// What was left out of the automaton of a context-free language. If both are 0, the automaton has the whole language.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Cut {
    /// Configurations that have continuations with a greater nesting depth.
    pub deeper: u64,
    /// Configurations that were left out because no output of so few tokens goes through them, or that were not explored.
    pub longer: u64,
}

impl Cut {
    /// Whether nothing was left out.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

impl Tensors {
    /// S: the number of states.
    #[must_use]
    pub fn states(&self) -> usize {
        self.accept.len()
    }

    /// E: the number of edges.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.source.len()
    }

    /// The number of distinct labels.
    #[must_use]
    pub fn labels(&self) -> usize {
        self.label_offsets.len() - 1
    }

    /// The number of ones in `B_f`: tokens on edges.
    #[must_use]
    pub fn nonzeros(&self) -> u64 {
        self.label.iter().map(|&label| self.tokens(label).len() as u64).sum()
    }

    /// The tokens of a label.
    #[must_use]
    pub fn tokens(&self, label: u32) -> &[u32] {
        let at = |index: usize| self.label_offsets[index] as usize;
        &self.label_tokens[at(label as usize)..at(label as usize + 1)]
    }
}
