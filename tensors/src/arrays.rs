//! The arrays of a tensor file, whatever its format: names, shapes, elements, and a description as JSON.

use crate::tensors::Tensors;
use gcc_grammar::Session;
use serde_json::{Value, json};

/// The version of the layout. A change of names or meanings raises it.
const VERSION: u32 = 1;

/// The elements of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Elements {
    /// Truth values, a byte each.
    Bool(Vec<bool>),
    /// 32-bit numbers.
    I32(Vec<i32>),
}

impl Elements {
    /// The number of elements.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "nobody asks")]
    pub fn len(&self) -> usize {
        match self {
            Self::Bool(values) => values.len(),
            Self::I32(values) => values.len(),
        }
    }

    /// The elements as bytes, little-endian.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Bool(values) => values.iter().map(|&value| u8::from(value)).collect(),
            Self::I32(values) => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
        }
    }
}

/// An array with its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Array {
    /// The name.
    pub name: &'static str,
    /// The lengths of its dimensions.
    pub shape: Vec<usize>,
    /// The elements, the last dimension first.
    pub elements: Elements,
}

impl Tensors {
    /// The arrays of a file.
    ///
    /// | name | shape | meaning |
    /// |---|---|---|
    /// | `start` | 1 | the start state |
    /// | `accept` | S | whether a state accepts |
    /// | `T_out` | E | by edge: its source, where column e of the incidence matrix (S × E) has its one |
    /// | `T_in` | E | by edge: its target, where row e of the incidence matrix (E × S) has its one |
    /// | `edge_label` | E | by edge: the row of `B_f` below |
    /// | `B_f.indptr` | L + 1 | the distinct rows of `B_f` as CSR: where each row begins |
    /// | `B_f.indices` | | their tokens |
    /// | `B_f.bits` | L × ceil(V / 32) | the same as bits: token t is bit t % 32 of word t / 32 |
    #[must_use]
    pub fn arrays(&self) -> Vec<Array> {
        let flat = |name, values: &[u32]| Array {
            name,
            shape: vec![values.len()],
            elements: Elements::I32(values.iter().map(|&value| value as i32).collect()),
        };
        let words = self.width.div_ceil(32) as usize;
        vec![
            flat("start", &[0]),
            Array {
                name: "accept",
                shape: vec![self.states()],
                elements: Elements::Bool(self.accept.clone()),
            },
            flat("T_out", &self.source),
            flat("T_in", &self.target),
            flat("edge_label", &self.label),
            flat("B_f.indptr", &self.label_offsets),
            flat("B_f.indices", &self.label_tokens),
            Array {
                name: "B_f.bits",
                shape: vec![self.labels(), words],
                elements: Elements::I32(self.bits(words)),
            },
        ]
    }

    fn bits(&self, words: usize) -> Vec<i32> {
        let mut bits = vec![0u32; self.labels() * words];
        for (label, row) in (0..).zip(bits.chunks_exact_mut(words)) {
            self.tokens(label).iter().for_each(|&token| row[token as usize / 32] |= 1 << (token % 32));
        }
        bits.into_iter().map(|word| word as i32).collect()
    }

    /// What a file says about itself.
    #[must_use]
    pub fn description(&self, session: &Session, depth: Option<u32>, tokens: Option<u32>) -> Value {
        let header = session.engine().grammar().container().header();
        let hex = |digest: &[u8]| digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        json!({
            "format": "gcc-grammar tensors",
            "version": VERSION,
            "width": self.width,
            "states": self.states(),
            "edges": self.edges(),
            "labels": self.labels(),
            "nonzeros": self.nonzeros(),
            "depth": depth,
            "tokens": tokens,
            "cut_deeper": self.cut.deeper,
            "cut_longer": self.cut.longer,
            "vocabulary": hex(&header.vocabulary),
            "artifact": hex(&header.key),
        })
    }
}
