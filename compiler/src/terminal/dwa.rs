//! The Terminal DWA, an acyclic deterministic weighted automaton over terminals.
//!
//! In: walks of the vocabulary. Out: a [`Node`] for each (lexer state, context) and each (cut, context),
//! built on first use. Nodes, arcs and cuts are interned, so the automaton is shared bottom-up.

use super::batches::{Batches, WalkSource};
use super::kept::{KeptWalks, Walks};
use super::lexemes::Lexemes;
use super::parts::Part;
use super::tables::WalkTables;
use super::tokens::Tokens;
use super::walk::WalkSets;
use crate::ids::{ArcId, ContextId, CutId, EndClass, LexState, NodeId, SetId};
use crate::lexer::{IGNORED, Lexer};
use crate::sets::{Range, Sets};
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::{FxHashMap, FxHashSet};

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

/// What was found for a node, in no order.
#[derive(Default)]
struct Found {
    /// Terminals, with tokens that end inside a lexeme that may become them.
    weights: Vec<(TerminalId, SetId)>,
    /// Terminals, with how and at which trie nodes their lexemes may end.
    cuts: Vec<(TerminalId, EndClass, SetId)>,
}

/// The automaton. Its nodes are built on first use.
pub struct TerminalDwa<'a> {
    lexer: Lexemes<'a>,
    tokens: &'a Tokens,
    batches: Batches<'a>,
    pub(super) budget: Budget,
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
}

impl<'a> TerminalDwa<'a> {
    /// The automaton without nodes.
    #[must_use]
    pub fn new(
        lexer: &'a Lexer,
        tokens: &'a Tokens,
        tables: &'a std::sync::Arc<WalkTables>,
        budget: &Budget,
    ) -> Self {
        let walks = KeptWalks::new(budget.clone());
        Self::with_walks(Lexemes::Whole(lexer), lexer, tokens, WalkSource::Made(tables), walks, budget)
    }

    /// The automaton without nodes, which starts with the walks that are kept. Sets of tokens must be made in the interner
    /// that has theirs. `whole` has only the dead state if states are made on demand.
    pub(crate) fn with_walks(
        lexer: Lexemes<'a>,
        whole: &'a Lexer,
        tokens: &'a Tokens,
        tables: WalkSource<'a>,
        KeptWalks { mut positions, walks }: KeptWalks,
        budget: &Budget,
    ) -> Self {
        let empty = Cut::default();
        let budget = budget.stage("terminal");
        positions.charge_to(budget.clone());
        Self {
            batches: Batches::new(tables, whole, tokens, walks),
            lexer,
            tokens,
            positions,
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
        }
    }

    /// The walks, to be kept.
    pub(crate) fn into_walks(self) -> KeptWalks {
        KeptWalks { positions: self.positions, walks: self.batches.walks }
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
        let context = if self.lexer.may_be_ignored(state) { context } else { ContextId(0) };
        if let Some(&node) = self.roots.get(&(state, context)) {
            return Ok(node);
        }
        let root = self.positions.intern(&[(0, 1)])?;
        let node = self.expand(sets, &[(root, state)], context)?;
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
        let restart = |&(end, nodes): &(EndClass, SetId)| Ok((nodes, self.lexer.restart(end, context)?));
        let starts: Vec<(SetId, LexState)> =
            self.cuts[cut.index()].iter().map(restart).collect::<Result<_, OverBudget>>()?;
        let node = self.expand(sets, &starts, context)?;
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

    /// Number of distinct sets of tokens on arcs so far.
    pub(crate) fn token_sets(&self) -> usize {
        let sets = self.arcs.iter().flat_map(|arc| [arc.weight, arc.tokens]);
        sets.collect::<FxHashSet<SetId>>().len()
    }

    /// The cuts that were expanded, with the nodes of the rests of tokens, in no order.
    pub(super) fn expansions(&self) -> impl Iterator<Item = (CutId, NodeId)> {
        self.expanded.iter().map(|(&(cut, _), &node)| (cut, node))
    }

    /// The node for the tokens below sets of trie nodes, each with the lexer state in which the rest of its tokens is
    /// read. After an ignored lexeme the walk continues at once, in the same context.
    fn expand(
        &mut self,
        sets: &mut Sets,
        starts: &[(SetId, LexState)],
        context: ContextId,
    ) -> Result<NodeId, OverBudget> {
        let budget = self.budget.clone();
        let mut found = Found::default();
        // Per end class: the trie nodes at which an ignored lexeme has ended.
        let mut ignored: FxHashMap<EndClass, SetId> = FxHashMap::default();
        let mut open = starts.to_vec();
        while let Some((nodes, start)) = open.pop() {
            for (batch, part) in self.batches.parts(start, self.lexer.members(start), &budget)? {
                let Part { terminal: own, state } = part;
                let walk_sets = &mut WalkSets { tokens: sets, positions: &mut self.positions };
                let summary = self.batches.behind(batch, walk_sets, (nodes, state), &budget)?;
                for &(pending, set) in &summary.ends {
                    let terminals = self.batches.pending(batch, pending).iter();
                    found.weights.extend(terminals.map(|&terminal| (own.unwrap_or(terminal), set)));
                }
                for &((terminal, end), nodes) in &summary.cuts {
                    let terminal = own.unwrap_or(terminal);
                    if terminal != IGNORED {
                        found.cuts.push((terminal, end, nodes));
                        continue;
                    }
                    let before = ignored.entry(end).or_insert(Sets::EMPTY);
                    let fresh = self.positions.difference(nodes, *before)?;
                    *before = self.positions.union(*before, nodes)?;
                    let start = self.lexer.restart(end, context)?;
                    if fresh != Sets::EMPTY && start != LexState::DEAD {
                        open.push((fresh, start));
                    }
                }
            }
        }
        self.intern_node(sets, found)
    }

    /// The node with the weights and cuts that were found, per terminal.
    fn intern_node(&mut self, sets: &mut Sets, mut found: Found) -> Result<NodeId, OverBudget> {
        // They are sorted.
        self.budget.charge_work(3 * (found.cuts.len() + found.weights.len()) as u64)?;
        let mut cuts: Vec<(TerminalId, CutId)> = Vec::new();
        found.cuts.sort_unstable();
        for group in found.cuts.chunk_by(|a, b| a.0 == b.0) {
            let terminal = group[0].0;
            let mut cut = Vec::with_capacity(group.len());
            for of_end in group.chunk_by(|a, b| a.1 == b.1) {
                let mut nodes: Vec<SetId> = of_end.iter().map(|&(.., nodes)| nodes).collect();
                cut.push((of_end[0].1, self.positions.union_all(&mut nodes)?));
            }
            found.weights.push((terminal, Sets::EMPTY));
            cuts.push((terminal, self.intern_cut(sets, cut.into())?));
        }
        found.weights.sort_unstable();
        let mut parts: Vec<SetId> = Vec::new();
        let groups = found.weights.chunk_by(|a, b| a.0 == b.0);
        let mut node = Node { always: Sets::EMPTY, arcs: Vec::with_capacity(groups.clone().count()) };
        for group in groups {
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
        self.budget.charge_entry(node.arcs.len() as u64 * 8 + 96)?;
        let id = NodeId::new(self.nodes.len());
        self.nodes.push(node.clone());
        self.node_ids.insert(node, id);
        Ok(id)
    }

    pub(super) fn intern_arc(&mut self, arc: Arc) -> Result<ArcId, OverBudget> {
        if let Some(&id) = self.arc_ids.get(&arc) {
            return Ok(id);
        }
        self.budget.charge_entry(48)?;
        let id = ArcId::new(self.arcs.len());
        self.arcs.push(arc);
        self.arc_ids.insert(arc, id);
        Ok(id)
    }

    /// All tokens below a set of nodes.
    fn below(&mut self, sets: &mut Sets, nodes: SetId) -> Result<SetId, OverBudget> {
        let Walks { below, .. } = &mut self.batches.walks;
        if let Some(&known) = below.get(&nodes) {
            return Ok(known);
        }
        let mut ranges: Vec<Range> = Vec::new();
        self.positions.ranks(nodes).for_each(|node| ranges.push(self.tokens.below(node)));
        let tokens = sets.intern(&ranges)?;
        // Which special tokens are below the root depends on the grammar.
        if self.positions.ranks(nodes).next() != Some(0) {
            below.insert(nodes, tokens);
        }
        Ok(tokens)
    }

    pub(super) fn intern_cut(&mut self, sets: &mut Sets, cut: Cut) -> Result<CutId, OverBudget> {
        if let Some(&id) = self.cut_ids.get(&cut) {
            return Ok(id);
        }
        self.budget.charge_entry(cut.len() as u64 * 24 + 96)?;
        let mut tokens = cut
            .iter()
            .map(|&(_, nodes)| self.below(sets, nodes))
            .collect::<Result<Vec<SetId>, OverBudget>>()?;
        let tokens = sets.union_all(&mut tokens)?;
        let id = CutId::new(self.cuts.len());
        self.cuts.push(cut.clone());
        self.cut_ids.insert(cut, id);
        self.cut_tokens.push(tokens);
        Ok(id)
    }
}
