//! The keys of large objects, which are read in parts along a radix tree.
//!
//! After each of `n` optional members any later key may come. If a key is one terminal, each member has a
//! lexical context with all keys after it: the same beginnings over and over, and n²/2 parser actions. So
//! large objects read keys along a radix tree of all their keys, one edge at a time:
//!
//! ```text
//! "name" "nature" "size"      root ─ "na ─▶ · ─ me":    ─▶
//!                                           · ─ ture":  ─▶
//!                             root ─ "size": ─▶
//! ```
//!
//! Edges are terminals, and equal edges share a terminal. Two edges of a node differ in their first character
//! (or one of them ends the key), so the parser never forks. A state of the right part is a node with the set
//! of keys below it that may still come. These sets differ only for the members of one subtree, so there are
//! about n log n states.
//!
//! Where other keys may come, too, each node has two more edges, for keys that [leave the tree](super::other_keys) there.
//!
//! The parser has more to do for each key, so this is not worth while for a hundred keys that share little.

use super::layout::Layout;
use super::terminals::{Result, Terminals};
use crate::schema::KeyId;
use gcc_grammar_ir::{Symbol, TerminalId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A node, after its children and before its parent.
struct RadixNode {
    parent: u32,
    children: Vec<u32>,
    /// The part that the edge from the parent reads; `None` for the root.
    part: Option<Part>,
    edge: Option<TerminalId>,
    /// What other keys read here.
    others: Option<OtherKeys>,
}

/// The terminals with which keys leave the tree at a node.
#[derive(Clone, Copy)]
struct OtherKeys {
    /// Up to the first character that differs.
    leaving: TerminalId,
    /// To the end of the key, with quote and colon.
    ending: TerminalId,
}

/// The states after the terminals of [`OtherKeys`].
#[derive(Clone, Copy, PartialEq, Eq)]
struct OtherPlaces {
    /// Before the rest of the key.
    rest: u32,
    /// Before the value.
    value: u32,
}

/// A part of a key.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    text: String,
    /// With the quote before it.
    open: bool,
    /// With the quote and colon after it.
    close: bool,
}

/// A radix tree of keys, with the place of each node in one state of an object.
pub(super) struct KeyTree {
    nodes: Vec<RadixNode>,
    leaves: FxHashMap<KeyId, u32>,
    /// For each node: its state in the right part, if a key below it may come.
    places: Vec<Option<u32>>,
    /// The leaves that have states, with these states.
    placed: FxHashMap<u32, u32>,
    /// The nodes whose children have changed their states.
    stale: BTreeSet<u32>,
    /// Where other keys lead, if they may come.
    others: Option<OtherPlaces>,
    /// The terminal of the rest of other keys.
    rest: Option<TerminalId>,
}

/// A node under construction: how many bytes of `key` lead to it, and whether that is all of it.
struct Open {
    key: usize,
    bytes: usize,
    whole: bool,
    children: Vec<u32>,
}

impl KeyTree {
    /// The tree of these keys, none twice. Its edges have no terminals yet.
    pub(super) fn new(mut keys: Vec<(KeyId, &str)>) -> Self {
        keys.sort_unstable_by_key(|&(_, text)| text);
        let mut tree = Self {
            nodes: Vec::new(),
            leaves: FxHashMap::default(),
            places: Vec::new(),
            placed: FxHashMap::default(),
            stale: BTreeSet::new(),
            others: None,
            rest: None,
        };
        let mut path = vec![Open { key: 0, bytes: 0, whole: false, children: Vec::new() }];
        for (key, &(id, text)) in keys.iter().enumerate() {
            let shared = if key == 0 { 0 } else { shared_bytes(keys[key - 1].1, text) };
            tree.close(&mut path, shared, &keys);
            path.push(Open { key, bytes: text.len(), whole: true, children: Vec::new() });
            tree.leaves.insert(id, 0);
        }
        tree.close(&mut path, 0, &keys);
        let root = path.pop().map_or_else(Vec::new, |root| root.children);
        tree.node(root, None);
        tree.places = vec![None; tree.nodes.len()];
        tree
    }

    /// The number of different edges, each of which is a terminal.
    pub(super) fn parts(&self) -> usize {
        let mut parts: Vec<&Part> = self.nodes.iter().filter_map(|node| node.part.as_ref()).collect();
        parts.sort_unstable();
        parts.dedup();
        parts.len()
    }

    /// Makes the terminals of the edges.
    pub(super) fn add_terminals(&mut self, terminals: &mut Terminals<'_>) -> Result<()> {
        for node in &mut self.nodes {
            if let Some(Part { text, open, close }) = &node.part {
                node.edge = Some(terminals.key_part(text, *open, *close)?);
            }
        }
        Ok(())
    }

    /// Makes the terminals with which keys leave the tree.
    pub(super) fn add_other_terminals(&mut self, terminals: &mut Terminals<'_>) -> Result<()> {
        self.rest = Some(terminals.rest_of_key()?);
        let root = self.nodes.len() - 1;
        for node in 0..self.nodes.len() {
            let children = self.nodes[node].children.iter();
            let parts = children.filter_map(|&child| self.nodes[child as usize].part.as_ref());
            let mut parts: Vec<_> = parts.map(|part| (&*part.text, part.close)).collect();
            if parts.is_empty() && node != root {
                continue;
            }
            parts.sort_unstable();
            let (leaving, ending) = terminals.other_keys(&parts, node == root)?;
            self.nodes[node].others = Some(OtherKeys { leaving, ending });
        }
        Ok(())
    }

    /// Sets the state before the values of other keys, if they may come.
    pub(super) fn set_others(&mut self, layout: &mut Layout, value: Option<u32>) {
        let others = value.zip(self.rest).map(|(value, rest)| {
            let rest = layout.inside(vec![(Symbol::Terminal(rest), value)]);
            OtherPlaces { rest, value }
        });
        if std::mem::replace(&mut self.others, others) != others {
            let inner = self.nodes.iter().enumerate().filter(|(_, node)| node.others.is_some());
            self.stale.extend(inner.map(|(index, _)| index as u32));
        }
    }

    /// Closes the nodes on the path that are deeper than `shared` bytes. The last node that stays open is
    /// that deep.
    fn close(&mut self, path: &mut Vec<Open>, shared: usize, keys: &[(KeyId, &str)]) {
        while let Some(last) = path.pop_if(|last| last.whole || last.bytes > shared) {
            let above = path.last().map_or(0, |above| above.bytes);
            if above < shared {
                path.push(Open { key: last.key, bytes: shared, whole: false, children: Vec::new() });
            }
            let from = above.max(shared);
            let text = keys[last.key].1[from..last.bytes].to_owned();
            let node = self.node(last.children, Some(Part { text, open: from == 0, close: last.whole }));
            if last.whole {
                self.leaves.insert(keys[last.key].0, node);
            }
            path.last_mut().expect("the root is never closed").children.push(node);
        }
    }

    /// Adds a node.
    fn node(&mut self, children: Vec<u32>, part: Option<Part>) -> u32 {
        let node = self.nodes.len() as u32;
        children.iter().for_each(|&child| self.nodes[child as usize].parent = node);
        self.nodes.push(RadixNode { parent: node, children, part, edge: None, others: None });
        node
    }

    /// Takes keys out of those that may come.
    pub(super) fn remove(&mut self, keys: impl Iterator<Item = KeyId>) {
        for key in keys {
            let leaf = self.leaves[&key];
            self.placed.remove(&leaf);
            self.put(leaf, None);
        }
    }

    /// Lets these keys come and no others, each with its state.
    pub(super) fn replace(&mut self, keys: &[(KeyId, u32)]) {
        let placed: FxHashMap<u32, u32> =
            keys.iter().map(|&(key, place)| (self.leaves[&key], place)).collect();
        let before_that = std::mem::take(&mut self.placed);
        for &leaf in before_that.keys().chain(placed.keys()) {
            self.put(leaf, placed.get(&leaf).copied());
        }
        self.placed = placed;
    }

    /// Adds the reading of one of the keys that may come, from the state `before` to the state of the key.
    pub(super) fn lay_out(&mut self, layout: &mut Layout, before: u32) {
        let root = self.nodes.len() - 1;
        // Children come before their parents.
        while let Some(node) = self.stale.pop_first() {
            if node as usize != root {
                let arcs = self.arcs(node as usize);
                let place = if arcs.is_empty() { None } else { Some(layout.inside(arcs)) };
                self.put(node, place);
            }
        }
        self.arcs(root).into_iter().for_each(|(symbol, to)| layout.arc(before, symbol, to));
    }

    /// Sets the state of a node.
    fn put(&mut self, node: u32, place: Option<u32>) {
        if std::mem::replace(&mut self.places[node as usize], place) != place {
            self.stale.insert(self.nodes[node as usize].parent);
        }
    }

    /// The transitions from a node to its children.
    fn arcs(&self, node: usize) -> Vec<(Symbol, u32)> {
        let arc = |&child: &u32| {
            let edge = self.nodes[child as usize].edge?;
            self.places[child as usize].map(|place| (Symbol::Terminal(edge), place))
        };
        let mut arcs: Vec<_> = self.nodes[node].children.iter().filter_map(arc).collect();
        if let (Some(OtherKeys { leaving, ending }), Some(places)) = (self.nodes[node].others, self.others) {
            arcs.push((Symbol::Terminal(leaving), places.rest));
            arcs.push((Symbol::Terminal(ending), places.value));
        }
        arcs
    }
}

/// The length in bytes of the longest common prefix, in whole characters.
fn shared_bytes(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum()
}
