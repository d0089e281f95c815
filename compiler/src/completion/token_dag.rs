//! The vocabulary over symbol classes: a minimal acyclic automaton.
//!
//! In: the tokens and the symbol classes of the lexer. Out: [`TokenDag`], whose paths from the root are the tokens, each
//! byte as its class. Bytes of the same class lead to the same lexer states, so tokens with the same classes are one path.
//! The automaton is minimal: two nodes with the same paths are one node.

use super::tokens::Tokens;
use crate::csr::Csr;
use crate::ids::SymbolClass;
use gcc_grammar_ir::index_newtype;
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;

index_newtype! { vis pub(super),
    /// A place within a token, by what the rest of the token may be.
    DagNode;
}

/// Whether a token ends at a node, and the edges to the nodes behind it.
type Shape = (bool, Vec<(SymbolClass, DagNode)>);

/// The automaton.
pub(super) struct TokenDag {
    ends: Vec<bool>,
    edges: Csr<(SymbolClass, DagNode)>,
    root: DagNode,
}

impl TokenDag {
    pub(super) fn new(tokens: &Tokens<'_>, budget: &Budget) -> Result<Self, OverBudget> {
        let mut words = class_words(tokens, budget)?;
        words.sort_unstable();
        words.dedup();
        let mut builder = Builder { ids: FxHashMap::default(), ends: Vec::new(), edges: Csr::default() };
        let root = builder.node(&words, 0);
        budget.charge_work(builder.edges.items().len() as u64)?;
        budget.charge_bytes(builder.edges.items().len() as u64 * 24)?;
        Ok(Self { ends: builder.ends, edges: builder.edges, root })
    }

    /// The place between two tokens.
    pub(super) fn root(&self) -> DagNode {
        self.root
    }

    /// Whether a token ends here.
    pub(super) fn is_end(&self, node: DagNode) -> bool {
        self.ends[node.index()]
    }

    /// The symbols with which a token may continue, each with the node behind it.
    pub(super) fn edges(&self, node: DagNode) -> &[(SymbolClass, DagNode)] {
        self.edges.row(node.index())
    }
}

/// The tokens as sequences of classes, in the order of the trie.
fn class_words(tokens: &Tokens<'_>, budget: &Budget) -> Result<Vec<Box<[u16]>>, OverBudget> {
    let nodes = tokens.trie.nodes();
    let mut path: Vec<u16> = Vec::new();
    let mut words = Vec::new();
    let mut bytes = 0;
    for (index, node) in (0..).zip(nodes).skip(1).take(tokens.trie.len() as usize - 1) {
        path.truncate(usize::from(node.depth) - 1);
        path.push(tokens.symbols.byte_class[usize::from(node.byte)]);
        if !tokens.trie.tokens_at(index).is_empty() {
            bytes += 16 + 2 * path.len() as u64;
            words.push(path.clone().into());
        }
    }
    budget.charge_work(nodes.len() as u64)?;
    budget.charge_bytes(bytes)?;
    Ok(words)
}

struct Builder {
    ids: FxHashMap<Shape, DagNode>,
    ends: Vec<bool>,
    edges: Csr<(SymbolClass, DagNode)>,
}

impl Builder {
    /// The node of sorted words that agree in their first `depth` classes. It recurses once per byte of a token.
    fn node(&mut self, words: &[Box<[u16]>], depth: usize) -> DagNode {
        let ends = words.first().is_some_and(|word| word.len() == depth);
        let longer = &words[usize::from(ends)..];
        let groups = longer.chunk_by(|a, b| a[depth] == b[depth]);
        let edges: Vec<_> = groups
            .map(|group| (SymbolClass(u32::from(group[0][depth])), self.node(group, depth + 1)))
            .collect();
        let fresh = DagNode::new(self.ends.len());
        let shape = (ends, edges);
        if let Some(&known) = self.ids.get(&shape) {
            return known;
        }
        self.ends.push(ends);
        self.edges.push(shape.1.iter().copied());
        self.ids.insert(shape, fresh);
        fresh
    }
}
