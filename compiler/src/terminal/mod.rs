//! The Terminal DWA: what a token does to the lexer, as sequences of terminals weighted by sets of tokens.
//!
//! A [`Node`] answers, for a lexer state and a context: which tokens end inside a lexeme that may still become terminal T (the
//! *weight* of arc T), and after which prefixes of tokens a lexeme T may have ended (the *cut* of arc T). A cut is a set of trie
//! positions; the rest of those tokens is read by the next lexeme, in the context the parser is in after T. That
//! context is known only to the composition, so a cut is expanded to a node once per context, when first asked for.
//!
//! Ignored terminals need no parser step: where one ends, the same walk goes on in the same context.
//!
//! Nodes, arcs and cuts are interned, so the automaton is acyclic (every arc eats at least one symbol of a token),
//! deterministic and shared bottom-up.

mod by_count;
mod characters;
mod counted;
mod exchange;
mod lengths;
mod levels;
mod majority;
mod settled;
#[cfg(test)]
mod tests;
mod walk;

pub use walk::WalkTables;

use crate::ids::{ArcId, ContextId, CutId, EndClass, LexState, NodeId, SetId};
use crate::lexer::{IGNORED, Lexer, Symbols};
use crate::limits::{Budget, OverBudget};
use crate::sets::{Foreign, Range, Sets};
use gcc_grammar_ir::TerminalId;
use gcc_grammar_vocabulary::{Trie, Vocabulary};
use rustc_hash::FxHashMap;

/// Positions in the trie at which a lexeme ended, by how they restrict the next one.
type Cut = Box<[(EndClass, SetId)]>;

/// An arc: terminal T.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Arc {
    /// The terminal.
    pub terminal: TerminalId,
    /// Tokens that end inside a lexeme which may still become T.
    pub weight: SetId,
    /// Where T may have ended inside a token.
    pub cut: CutId,
    /// A superset of all tokens that this arc can still let through: the weight, and all tokens below the cut.
    pub tokens: SetId,
}

/// A node: the arcs of one lexer state (or cut) in one context.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    /// Tokens that need nothing of the parser: they end inside an ignored lexeme.
    pub always: SetId,
    /// Sorted by terminal, one per terminal.
    pub arcs: Vec<ArcId>,
}

/// The vocabulary as the compiler sees it: the trie over text tokens, and the special tokens the grammar uses. Ranks number the
/// text tokens in byte order, then the special tokens by id.
pub struct Tokens<'a> {
    trie: &'a Trie,
    /// Number of text tokens.
    text: u32,
    /// Ranks by class of special token, from the first class after the bytes.
    special: Vec<Vec<Range>>,
    byte_classes: usize,
    /// Bytes of the longest text token.
    longest: usize,
    /// Characters of each text token, by rank.
    characters: &'a [u32],
}

impl<'a> Tokens<'a> {
    /// Ranks the tokens of `vocabulary` that `symbols` can tell apart.
    #[must_use]
    pub fn new(vocabulary: &'a Vocabulary, symbols: &Symbols) -> Self {
        let text = vocabulary.order().len() as u32;
        let mut special = vec![Vec::new(); symbols.classes - symbols.byte_classes];
        for (rank, &(_, class)) in (text..).zip(&symbols.special_class) {
            special[class.index() - symbols.byte_classes].push((rank, rank + 1));
        }
        let longest = vocabulary.max_token_len();
        Self {
            trie: vocabulary.trie(),
            text,
            special,
            byte_classes: symbols.byte_classes,
            longest,
            characters: vocabulary.characters(),
        }
    }

    /// Number of ranks.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.text + self.special.iter().map(|s| s.len() as u32).sum::<u32>()
    }

    /// Tokens that lie strictly below a trie node; the special ones lie below the root.
    fn below(&self, node: u32) -> Range {
        let tokens = self.trie.tokens_below(node);
        (tokens.start, if node == 0 { self.count() } else { tokens.end })
    }
}

/// Arcs of another automaton for the same lexer and tokens, which may come from another thread, and what they became here.
pub(crate) struct ForeignArcs {
    arcs: Vec<Arc>,
    cuts: Vec<Cut>,
    positions: Foreign,
    adopted: Vec<Option<ArcId>>,
}

/// The automaton, built lazily.
pub struct TerminalDwa<'a> {
    lexer: &'a Lexer,
    tokens: &'a Tokens<'a>,
    tables: &'a WalkTables<'a>,
    budget: Budget,
    /// Sets of positions in the trie.
    positions: Sets,
    cuts: Vec<Cut>,
    cut_ids: FxHashMap<Cut, CutId>,
    cut_tokens: Vec<SetId>,
    arcs: Vec<Arc>,
    arc_ids: FxHashMap<Arc, ArcId>,
    nodes: Vec<Node>,
    node_ids: FxHashMap<Node, NodeId>,
    roots: FxHashMap<(LexState, ContextId), NodeId>,
    expanded: FxHashMap<(CutId, ContextId), NodeId>,
    subtrees: walk::Subtrees,
}

impl<'a> TerminalDwa<'a> {
    /// Nothing built yet.
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
            cut_ids: FxHashMap::from_iter([(empty, CutId(0))]),
            cut_tokens: vec![Sets::EMPTY],
            arcs: Vec::new(),
            arc_ids: FxHashMap::default(),
            nodes: Vec::new(),
            node_ids: FxHashMap::default(),
            roots: FxHashMap::default(),
            expanded: FxHashMap::default(),
            subtrees: walk::Subtrees::default(),
        }
    }

    /// The node for whole tokens read from `state` in `context`.
    pub fn root(
        &mut self,
        sets: &mut Sets,
        state: LexState,
        context: ContextId,
    ) -> Result<NodeId, OverBudget> {
        // The context says where a lexeme starts after an ignored one, and nothing else.
        let context = if self.lexer.pending(state).last() == Some(&IGNORED) { context } else { ContextId(0) };
        if let Some(&node) = self.roots.get(&(state, context)) {
            return Ok(node);
        }
        let node = self.walk(sets, vec![(0, state)], context)?;
        self.roots.insert((state, context), node);
        Ok(node)
    }

    /// The node for the rests of tokens after `cut`, read in `context`. `None` for the empty cut.
    pub fn after(
        &mut self,
        sets: &mut Sets,
        cut: CutId,
        context: ContextId,
    ) -> Result<Option<NodeId>, OverBudget> {
        if cut == CutId(0) {
            return Ok(None);
        }
        if let Some(&node) = self.expanded.get(&(cut, context)) {
            return Ok(Some(node));
        }
        let mut seeds = Vec::new();
        for &(end, positions) in &self.cuts[cut.index()] {
            let state = self.lexer.restart(end, context);
            if state != LexState(0) {
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

    /// Nodes and arcs made so far.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        (self.nodes.len(), self.arcs.len())
    }

    /// The arcs as they are, for another automaton to adopt.
    pub(crate) fn into_foreign(self) -> ForeignArcs {
        let Self { arcs, cuts, positions, .. } = self;
        ForeignArcs { adopted: vec![None; arcs.len()], arcs, cuts, positions: positions.into_foreign() }
    }

    /// The id here of an arc there, whose sets of tokens are among `tokens`. One automaton only may adopt from `from`.
    pub(crate) fn adopt(
        &mut self,
        sets: &mut Sets,
        from: &mut ForeignArcs,
        tokens: &mut Foreign,
        arc: ArcId,
    ) -> Result<ArcId, OverBudget> {
        if let Some(known) = from.adopted[arc.index()] {
            return Ok(known);
        }
        let there = from.arcs[arc.index()];
        let cut = from.cuts[there.cut.index()].iter();
        let cut = cut.map(|&(end, set)| Ok((end, self.positions.adopt(&mut from.positions, set)?)));
        let cut = cut.collect::<Result<_, OverBudget>>()?;
        let here = Arc {
            terminal: there.terminal,
            weight: sets.adopt(tokens, there.weight)?,
            cut: self.intern_cut(sets, cut)?,
            tokens: sets.adopt(tokens, there.tokens)?,
        };
        let here = self.intern_arc(here)?;
        from.adopted[arc.index()] = Some(here);
        Ok(here)
    }

    fn walk(
        &mut self,
        sets: &mut Sets,
        seeds: Vec<(u32, LexState)>,
        context: ContextId,
    ) -> Result<NodeId, OverBudget> {
        let walked = walk::walk(
            &walk::Setting { lexer: self.lexer, tokens: self.tokens, tables: self.tables },
            &mut self.subtrees,
            &mut walk::WalkSets { tokens: sets, positions: &mut self.positions },
            seeds,
            context,
            &self.budget,
        )?;
        self.intern_node(sets, walked)
    }

    /// Turns what a walk collected into weights and cuts per terminal.
    fn intern_node(&mut self, sets: &mut Sets, walked: walk::Walked) -> Result<NodeId, OverBudget> {
        let mut weights: Vec<(TerminalId, SetId)> = Vec::new();
        let mut parts: Vec<SetId> = Vec::new();
        for &(pending, set) in &walked.ends {
            let pending = self.lexer.pending_sets.row(pending as usize);
            weights.extend(pending.iter().map(|&terminal| (terminal, set)));
        }
        let mut cuts: Vec<(TerminalId, CutId)> = Vec::new();
        for group in walked.cuts.chunk_by(|a, b| a.0.0 == b.0.0) {
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
            let cut = at.map_or(CutId(0), |at| cuts[at].1);
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

    fn intern_arc(&mut self, arc: Arc) -> Result<ArcId, OverBudget> {
        if let Some(&id) = self.arc_ids.get(&arc) {
            return Ok(id);
        }
        self.budget.charge_bytes(48)?;
        let id = ArcId::new(self.arcs.len());
        self.arcs.push(arc);
        self.arc_ids.insert(arc, id);
        Ok(id)
    }

    fn intern_cut(&mut self, sets: &mut Sets, cut: Cut) -> Result<CutId, OverBudget> {
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
