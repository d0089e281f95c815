//! Runs the Parser DWA over the graph-structured stack: the masks whose union is the next mask.
//!
//! For each head, the DWA starts in the state that belongs to the lexer state, and reads the parser stack top
//! first. Every transition outputs a mask. Reading ends at STOP, without a transition, or below the bottom of
//! the stack.
//!
//! While there is one parent below each node, this is a loop without memory, or with what was remembered of
//! earlier readings ([`deep`](crate::deep)). Where stacks were merged, it is a search through *configurations*, pairs of a DWA state and a
//! GSS node, and each is visited once. The mark of a node leads to its latest configuration, from where the
//! earlier ones of the same node are linked, so a configuration is looked up among the few of its node.

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::ids::{DwaState, MaskId};

use crate::bitmap::bit;
use crate::deep::{Cursor, Step};
use crate::error::Error;
use crate::scratch::{Head, Heads, Node, Scratch};

/// Cells that are read before skips are used.
const PLAIN: usize = 32;
/// Words per configuration.
const SIZE: usize = 5;

/// Stored where there is no earlier configuration of the same node.
const NONE: u32 = u32::MAX;

/// A list of configurations in the temporaries. Each takes five words: the output of its transition, the DWA
/// state, the node, the index of the previous configuration of the same node, and one that only
/// [`union_word`](Scratch::union_word) uses.
#[derive(Clone, Copy)]
pub(crate) struct Configurations {
    /// The address at which the list ends; it grows downwards from there.
    end: usize,
    pub(crate) count: usize,
    /// A node with mark `first_mark + index` has `index` as its latest configuration. Lower marks are from
    /// earlier searches.
    first_mark: u32,
}

impl Configurations {
    const fn address(self, index: usize) -> usize {
        self.end - SIZE * (index + 1)
    }
}

impl Scratch<'_> {
    /// Reads the stack of a head, and calls `visit` with the outputs. Returns false if several stacks were
    /// merged below it; then outputs are missing.
    pub(crate) fn classify_single(
        &mut self,
        grammar: &GrammarView<'_>,
        head: Head,
        visit: &mut impl FnMut(MaskId),
    ) -> bool {
        let mut state = grammar.dwa_init(head.lex);
        let mut node = head.node;
        for _ in 0..PLAIN {
            if state == DwaState::STOP {
                return true;
            }
            let Some(edge) = grammar.dwa_next(state, self.lr(node)) else { return true };
            if edge.output != MaskId::EMPTY {
                visit(edge.output);
            }
            state = edge.target;
            if state != DwaState::STOP && self.rest(node).is_some() {
                return false;
            }
            let Some(parent) = self.parent(node) else { return true };
            node = parent;
        }
        state == DwaState::STOP || self.classify_deep(grammar, Cursor { key: state.0, node }, visit)
    }

    /// Reads on from a place far down the stack.
    #[cold]
    #[inline(never)]
    fn classify_deep(
        &mut self,
        grammar: &GrammarView<'_>,
        start: Cursor,
        visit: &mut impl FnMut(MaskId),
    ) -> bool {
        let step = |scratch: &Self, at| scratch.dwa_step(grammar, at);
        self.read_deep(grammar, start, step, visit).is_some()
    }

    fn dwa_step(&self, grammar: &GrammarView<'_>, at: Cursor) -> Step {
        let Some(edge) = grammar.dwa_next(DwaState(at.key), self.lr(at.node)) else {
            return Step::Last(MaskId::EMPTY);
        };
        match self.parent(at.node) {
            _ if edge.target == DwaState::STOP => Step::Last(edge.output),
            _ if self.rest(at.node).is_some() => Step::Several,
            Some(parent) => Step::Next(edge.output, Cursor { key: edge.target.0, node: parent }),
            None => Step::Last(edge.output),
        }
    }

    /// Reads all stacks of all heads. The [outputs](Self::output) are those of the configurations.
    pub(crate) fn classify(
        &mut self,
        grammar: &GrammarView<'_>,
        heads: Heads,
    ) -> Result<Configurations, Error> {
        let mut visited = Configurations { end: self.bottom(), count: 0, first_mark: self.first_free_mark() };
        for index in 0..heads.count {
            let head = self.head(heads, index);
            self.visit(&mut visited, grammar.dwa_init(head.lex), head.node)?;
        }
        let mut cursor = 0;
        while cursor < visited.count {
            self.expand(grammar, &mut visited, cursor)?;
            cursor += 1;
        }
        Ok(visited)
    }

    /// Configurations that have been read, with these outputs.
    pub(crate) fn outputs_only(
        &mut self,
        outputs: impl Iterator<Item = MaskId>,
    ) -> Result<Configurations, Error> {
        let mut visited = Configurations { end: self.bottom(), count: 0, first_mark: 0 };
        for output in outputs {
            for word in [0, NONE, 0, 0, output.0] {
                self.push(word)?;
            }
            visited.count += 1;
        }
        Ok(visited)
    }

    /// Follows the transition of a configuration, and adds the configurations at the node's parents.
    fn expand(
        &mut self,
        grammar: &GrammarView<'_>,
        visited: &mut Configurations,
        index: usize,
    ) -> Result<(), Error> {
        let address = visited.address(index);
        let (state, node) = (DwaState(self.word(address + 1)), Node(self.word(address + 2)));
        let Some(edge) = grammar.dwa_next(state, self.lr(node)) else { return Ok(()) };
        self.set_word(address, edge.output.0);
        let mut cell = Some(node);
        while let Some(current) = cell {
            if let Some(parent) = self.parent(current) {
                self.visit(visited, edge.target, parent)?;
            }
            cell = self.rest(current);
        }
        Ok(())
    }

    /// Adds a configuration, unless it was visited or is at STOP.
    fn visit(&mut self, visited: &mut Configurations, state: DwaState, node: Node) -> Result<(), Error> {
        let latest = self.mark(node).checked_sub(visited.first_mark).unwrap_or(NONE);
        if state == DwaState::STOP || self.is_visited(*visited, latest, state)? {
            return Ok(());
        }
        for word in [0, latest, node.0, state.0, MaskId::EMPTY.0] {
            self.push(word)?;
        }
        self.give_next_mark(node);
        visited.count += 1;
        Ok(())
    }

    /// Whether the configuration `latest`, or one linked from it, has this state.
    fn is_visited(&mut self, visited: Configurations, latest: u32, state: DwaState) -> Result<bool, Error> {
        let mut index = latest;
        self.charge(1)?;
        while index != NONE {
            self.charge(1)?;
            let address = visited.address(index as usize);
            if self.word(address + 1) == state.0 {
                return Ok(true);
            }
            index = self.word(address + 3);
        }
        Ok(false)
    }

    /// The output of a configuration.
    pub(crate) fn output(&self, visited: Configurations, index: usize) -> MaskId {
        MaskId(self.word(visited.address(index)))
    }

    /// Word `index` of the union of the outputs. Must be called with 0, 1, 2, … in order: it overwrites
    /// state, node and link of each configuration with how far both deltas were read, the number of gaps and
    /// the token after them.
    pub(crate) fn union_word(
        &mut self,
        grammar: &GrammarView<'_>,
        visited: Configurations,
        index: u32,
    ) -> u32 {
        let mut union = 0;
        for configuration in 0..visited.count {
            let address = visited.address(configuration);
            let parts = grammar.mask(self.output(visited, configuration));
            let mut word = parts.base.and_then(|base| base.get(index as usize)).map_or(0, |word| word.get());
            for (place, delta) in [address + 1, address + 3].into_iter().zip(parts.deltas) {
                let (mut passed, mut at) =
                    if index == 0 { (0, 0) } else { (self.word(place), self.word(place + 1)) };
                while let Some(gap) = delta.gaps.get(passed as usize) {
                    let token = at + u32::from(gap.get());
                    if token / 32 != index {
                        break;
                    }
                    word ^= bit(token);
                    (passed, at) = (passed + 1, token);
                }
                self.set_word(place, passed);
                self.set_word(place + 1, at);
            }
            union |= word;
        }
        union
    }
}
