//! The sequences of terminals of a Terminal DWA, without the tokens.
//!
//! In: a [`TerminalDwa`] whose nodes were built. Out: [`Paths`], from which the heaviest sequence is read, for weights of
//! terminals that are not known yet when the automaton is built.

use super::dwa::TerminalDwa;
use crate::ids::{CutId, NodeId};
use crate::lexer::IGNORED;
use crate::sets::Sets;
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::OverBudget;

/// The nodes and cuts of an automaton.
#[derive(Debug, Default)]
pub(crate) struct Paths {
    nodes: Vec<PathNode>,
    /// Per cut: the nodes that read the rests of tokens.
    behind: Vec<Vec<NodeId>>,
}

#[derive(Debug)]
struct PathNode {
    /// What the lexeme may become in which a token ends.
    last: Vec<TerminalId>,
    /// What the lexeme is that ends within a token, and the cut behind it.
    within: Vec<(TerminalId, CutId)>,
}

/// What a terminal weighs.
pub(crate) struct Weights {
    /// Per terminal: where a lexeme of it ends within a token.
    pub(crate) within: Vec<u32>,
    /// Per terminal: where a token ends within a lexeme that becomes it.
    pub(crate) last: Vec<u32>,
    /// Where a token ends within an ignored lexeme.
    pub(crate) ignored: u32,
}

/// The weights that are known, per node and behind each cut.
struct Known {
    nodes: Vec<Option<u32>>,
    rests: Vec<Option<u32>>,
}

impl Weights {
    fn last(&self, terminal: TerminalId) -> u32 {
        if terminal == IGNORED { self.ignored } else { self.last[terminal.index()] }
    }
}

impl TerminalDwa<'_> {
    /// The sequences of terminals of the nodes so far.
    ///
    /// # Errors
    /// The budget is spent.
    pub(crate) fn paths(&self) -> Result<Paths, OverBudget> {
        Paths::new(self)
    }
}

impl Paths {
    fn new(dwa: &TerminalDwa<'_>) -> Result<Self, OverBudget> {
        let mut behind = vec![Vec::new(); dwa.cuts.len()];
        for (cut, node) in dwa.expansions() {
            behind[cut.index()].push(node);
        }
        for nodes in &mut behind {
            nodes.sort_unstable();
            nodes.dedup();
        }
        let nodes: Vec<PathNode> =
            (0..dwa.size().0).map(|node| PathNode::new(dwa, NodeId::new(node))).collect();
        let arcs: usize = nodes.iter().map(|node| node.last.len() + node.within.len()).sum();
        dwa.budget.charge_bytes(8 * (arcs + behind.len() + nodes.len()) as u64)?;
        Ok(Self { nodes, behind })
    }

    /// The weight of the heaviest sequence of terminals of a token.
    pub(crate) fn heaviest(&self, weights: &Weights) -> u32 {
        let mut known = Known { nodes: vec![None; self.nodes.len()], rests: vec![None; self.behind.len()] };
        (0..self.nodes.len()).map(|node| self.weight(node, weights, &mut known)).max().unwrap_or(0)
    }

    /// The weight of the heaviest sequence from a node. This recurses once per lexeme of a token: the automaton is acyclic.
    fn weight(&self, node: usize, weights: &Weights, known: &mut Known) -> u32 {
        if let Some(weight) = known.nodes[node] {
            return weight;
        }
        let PathNode { last, within } = &self.nodes[node];
        let mut heaviest = last.iter().map(|&terminal| weights.last(terminal)).max().unwrap_or(0);
        for &(terminal, cut) in within {
            let rest = self.rest(cut, weights, known);
            heaviest = heaviest.max(weights.within[terminal.index()].saturating_add(rest));
        }
        known.nodes[node] = Some(heaviest);
        heaviest
    }

    /// The weight of the heaviest sequence behind a cut, which many lexemes have in common.
    fn rest(&self, cut: CutId, weights: &Weights, known: &mut Known) -> u32 {
        if let Some(weight) = known.rests[cut.index()] {
            return weight;
        }
        let nodes = self.behind[cut.index()].iter();
        let heaviest = nodes.map(|node| self.weight(node.index(), weights, known)).max().unwrap_or(0);
        known.rests[cut.index()] = Some(heaviest);
        heaviest
    }
}

impl PathNode {
    fn new(dwa: &TerminalDwa<'_>, node: NodeId) -> Self {
        let node = dwa.node(node);
        let ignored = (node.always != Sets::EMPTY).then_some(IGNORED);
        let arcs = || node.arcs.iter().map(|&arc| dwa.arc(arc));
        let last = arcs().filter(|arc| arc.weight != Sets::EMPTY).map(|arc| arc.terminal);
        let within = arcs().filter(|arc| arc.cut != CutId::EMPTY).map(|arc| (arc.terminal, arc.cut));
        Self { last: last.chain(ignored).collect(), within: within.collect() }
    }
}
