//! Deterministic automata over bytes.

/// A minimal, trimmed deterministic automaton over bytes: every state is reachable and can reach acceptance.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Dfa {
    /// Class of each byte, `0..classes`.
    classes: Vec<u8>,
    /// Row-major `[state][class]`: target + 1, or 0 for none.
    table: Vec<u32>,
    /// Per state.
    accepting: Vec<bool>,
}
