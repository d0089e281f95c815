//! The Terminal DWA, an acyclic deterministic weighted automaton over terminals.
//!
//! In: walks of the vocabulary. Out: a [`Node`] for each (lexer state, context) and each (cut, context),
//! built on first use. Nodes, arcs and cuts are interned, so the automaton is shared bottom-up.

use super::paths::Paths;
use super::tables::WalkTables;
use super::tokens::Tokens;
use super::walk::{SubtreeMemo, Summary, WalkSets, Walker, walk};
use crate::ids::{ArcId, ContextId, CutId, EndClass, LexState, NodeId, SetId};
use crate::lexer::{IGNORED, Lexer};
use crate::sets::Sets;
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;

/// A cut: the trie nodes at which a lexeme may have ended, by the constraint on the next lexeme.
pub(super) type Cut = Box<[(EndClass, SetId)]>;

/// An arc of the automaton.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Arc {
    /// The terminal T of the arc.
    pub terminal: TerminalId,
    /// The tokens that end inside a lexeme that may still become T.
    pub weight: SetId,
    /// The trie nodes at which T may have ended, for tokens that continue after T.
    pub cut: CutId,
    /// A superset of the tokens that the arc can allow: the weight, and all tokens below the cut.
    pub tokens: SetId,
}

/// A node of the automaton: the arcs of a lexer state, or of the rests of tokens after a cut, in a context.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    /// The tokens that need no step of the parser: they end inside an ignored lexeme.
    pub always: SetId,
    /// Sorted by terminal, at most one arc per terminal.
    pub arcs: Vec<ArcId>,
}

impl CutId {
    /// The empty cut.
    pub(super) const EMPTY: Self = Self(0);
}

/// The automaton. Its nodes are built on first use.
pub struct TerminalDwa<'a> {
    lexer: &'a Lexer,
    tokens: &'a Tokens<'a>,
    tables: &'a WalkTables<'a>,
    budget: Budget,
    /// Sets of trie nodes.
    pub(super) positions: Sets,
    pub(super) cuts: Vec<Cut>,
    cut_ids: FxHashMap<Cut, CutId>,
    /// Per cut: all tokens below it.
    cut_tokens: Vec<SetId>,
    pub(super) arcs: Vec<Arc>,
    arc_ids: FxHashMap<Arc, ArcId>,
    nodes: Vec<Node>,
    node_ids: FxHashMap<Node, NodeId>,
    roots: FxHashMap<(LexState, ContextId), NodeId>,
    expanded: FxHashMap<(CutId, ContextId), NodeId>,
    subtrees: SubtreeMemo,
}

impl<'a> TerminalDwa<'a> {
    /// The automaton without nodes.
    #[must_use]
    pub fn new(
        lexer: &'a Lexer,
        tokens: &'a Tokens<'a>,
        tables: &'a WalkTables<'a>,
        budget: &Budget,
    ) -> Self {
        let empty = Cut::default();
        let budget = budget.stage("terminal");
        Self {
            tables,
            lexer,
            tokens,
            positions: Sets::new(budget.clone()),
            budget,
            cuts: vec![empty.clone()],
            cut_ids: FxHashMap::from_iter([(empty, CutId::EMPTY)]),
            cut_tokens: vec![Sets::EMPTY],
            arcs: Vec::new(),
            arc_ids: FxHashMap::default(),
            nodes: Vec::new(),
            node_ids: FxHashMap::default(),
            roots: FxHashMap::default(),
            expanded: FxHashMap::default(),
            subtrees: SubtreeMemo::default(),
        }
    }

    /// The node for whole tokens that are read from `state` in `context`.
    ///
    /// # Errors
    /// The budget is spent.
    pub fn root(
        &mut self,
        sets: &mut Sets,
        state: LexState,
        context: ContextId,
    ) -> Result<NodeId, OverBudget> {
        // The context only matters for the start of a lexeme after an ignored lexeme.
        let context = if self.lexer.pending(state).last() == Some(&IGNORED) { context } else { ContextId(0) };
        if let Some(&node) = self.roots.get(&(state, context)) {
            return Ok(node);
        }
        let node = self.walk(sets, vec![(0, state)], context)?;
        self.roots.insert((state, context), node);
        Ok(node)
    }

    /// The node for the rests of tokens after `cut` that are read in `context`; `None` for the empty cut.
    ///
    /// # Errors
    /// The budget is spent.
    pub fn after(
        &mut self,
        sets: &mut Sets,
        cut: CutId,
        context: ContextId,
    ) -> Result<Option<NodeId>, OverBudget> {
        if cut == CutId::EMPTY {
            return Ok(None);
        }
        if let Some(&node) = self.expanded.get(&(cut, context)) {
            return Ok(Some(node));
        }
        let mut seeds = Vec::new();
        for &(end, positions) in &self.cuts[cut.index()] {
            let state = self.lexer.restart(end, context);
            if state != LexState::DEAD {
                self.positions.ranks(positions).for_each(|position| seeds.push((position, state)));
            }
        }
        let node = self.walk(sets, seeds, context)?;
        self.expanded.insert((cut, context), node);
        Ok(Some(node))
    }

    /// A node by its id.
    #[must_use]
    pub fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.index()]
    }

    /// An arc by its id.
    #[must_use]
    pub fn arc(&self, arc: ArcId) -> Arc {
        self.arcs[arc.index()]
    }

    /// Number of nodes and of arcs so far.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        (self.nodes.len(), self.arcs.len())
    }

    /// The cuts that were expanded, with the nodes of the rests of tokens, in no order.
    pub(super) fn expansions(&self) -> impl Iterator<Item = (CutId, NodeId)> {
        self.expanded.iter().map(|(&(cut, _), &node)| (cut, node))
    }

    /// The sequences of terminals of the nodes so far.
    ///
    /// # Errors
    /// The budget is spent.
    pub(crate) fn paths(&self) -> Result<Paths, OverBudget> {
        Paths::new(self, &self.budget)
    }

    /// The node for the tokens below all seeds.
    fn walk(
        &mut self,
        sets: &mut Sets,
        seeds: Vec<(u32, LexState)>,
        context: ContextId,
    ) -> Result<NodeId, OverBudget> {
        let Self { lexer, tokens, tables, ref budget, .. } = *self;
        let walker = Walker { lexer, tokens, tables, budget };
        let walk_sets = &mut WalkSets { tokens: sets, positions: &mut self.positions };
        let summary = walk(&walker, &mut self.subtrees, walk_sets, seeds, context)?;
        self.intern_node(sets, &summary)
    }

    /// The node with the weights and cuts of a summary, per terminal.
    fn intern_node(&mut self, sets: &mut Sets, summary: &Summary) -> Result<NodeId, OverBudget> {
        let mut weights: Vec<(TerminalId, SetId)> = Vec::new();
        let mut parts: Vec<SetId> = Vec::new();
        for &(pending, set) in &summary.ends {
            let pending = self.lexer.pending_sets.row(pending.index());
            weights.extend(pending.iter().map(|&terminal| (terminal, set)));
        }
        let mut cuts: Vec<(TerminalId, CutId)> = Vec::new();
        for group in summary.cuts.chunk_by(|a, b| a.0.0 == b.0.0) {
            let terminal = group[0].0.0;
            let cut = group.iter().map(|&((_, end), positions)| (end, positions)).collect();
            weights.push((terminal, Sets::EMPTY));
            cuts.push((terminal, self.intern_cut(sets, cut)?));
        }
        weights.sort_unstable();
        let mut node = Node { always: Sets::EMPTY, arcs: Vec::new() };
        for group in weights.chunk_by(|a, b| a.0 == b.0) {
            let terminal = group[0].0;
            parts.clear();
            parts.extend(group.iter().map(|(_, set)| *set));
            let weight = sets.union_all(&mut parts)?;
            if terminal == IGNORED {
                node.always = weight;
                continue;
            }
            let at = cuts.binary_search_by_key(&terminal, |&(t, _)| t);
            let cut = at.map_or(CutId::EMPTY, |at| cuts[at].1);
            let tokens = sets.union(weight, self.cut_tokens[cut.index()])?;
            node.arcs.push(self.intern_arc(Arc { terminal, weight, cut, tokens })?);
        }
        if let Some(&id) = self.node_ids.get(&node) {
            return Ok(id);
        }
        self.budget.charge_bytes(node.arcs.len() as u64 * 8 + 96)?;
        let id = NodeId::new(self.nodes.len());
        self.nodes.push(node.clone());
        self.node_ids.insert(node, id);
        Ok(id)
    }

    pub(super) fn intern_arc(&mut self, arc: Arc) -> Result<ArcId, OverBudget> {
        if let Some(&id) = self.arc_ids.get(&arc) {
            return Ok(id);
        }
        self.budget.charge_bytes(48)?;
        let id = ArcId::new(self.arcs.len());
        self.arcs.push(arc);
        self.arc_ids.insert(arc, id);
        Ok(id)
    }

    pub(super) fn intern_cut(&mut self, sets: &mut Sets, cut: Cut) -> Result<CutId, OverBudget> {
        if let Some(&id) = self.cut_ids.get(&cut) {
            return Ok(id);
        }
        self.budget.charge_bytes(cut.len() as u64 * 24 + 96)?;
        let positions = cut.iter().flat_map(|&(_, positions)| self.positions.ranks(positions));
        let tokens = sets.intern(&positions.map(|node| self.tokens.below(node)).collect::<Vec<_>>())?;
        let id = CutId::new(self.cuts.len());
        self.cuts.push(cut.clone());
        self.cut_ids.insert(cut, id);
        self.cut_tokens.push(tokens);
        Ok(id)
    }
}
