//! One terminal on one stack: GLR reductions and shift.
//!
//! Reductions are those of generalized LR parsing over a graph-structured stack (Tomita 1985; Nozohoor-Farshi 1991 for
//! the repetition until nothing is new). Since no production is empty, a node that is made by a reduction has only
//! parents that were there before the terminal; so every *cell* that a reduction makes is itself one item of work:
//! "reduce with what begins with this parent". The worklist is the range of new cells, and needs no memory.

use core::ops::Range;

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::grammar::Action;
use gcc_grammar_artifact::ids::{LrState, Nonterminal, Terminal};

use crate::error::Error;
use crate::scratch::{Node, Scratch};

/// What a terminal does where there is never more than one action and one parent.
enum Simulated {
    /// There is no action.
    Refused,
    /// Shifts to `target`, on top of the node that was given, or of a state pushed by reductions.
    Shifted { reduced: Option<Pushed>, target: LrState },
    /// There is a choice.
    Ambiguous,
}

/// A state that a reduction pushes on a node, before a cell is made for it.
#[derive(Clone, Copy)]
struct Pushed {
    state: LrState,
    on: Node,
}

impl Scratch<'_> {
    /// Gives the terminal to the stack: all reductions, then the shifts. The result are the [tops](Self::top_at) in a
    /// range of cells; where there is none, no cell was made.
    pub(crate) fn shift(
        &mut self,
        grammar: &GrammarView<'_>,
        node: Node,
        terminal: Terminal,
    ) -> Result<Range<u32>, Error> {
        match self.simulate(grammar, node, terminal) {
            Simulated::Refused => Ok(self.cells()..self.cells()),
            Simulated::Shifted { reduced, target } => {
                let below = match reduced {
                    Some(pushed) => self.push_cell(pushed.state, Some(pushed.on), None)?,
                    None => node,
                };
                let top = self.push_cell(target, Some(below), None)?;
                Ok(top.0..self.cells())
            }
            Simulated::Ambiguous => self.shift_all(grammar, node, terminal),
        }
    }

    /// Whether the stack takes the terminal.
    pub(crate) fn can_shift(
        &mut self,
        grammar: &GrammarView<'_>,
        node: Node,
        terminal: Terminal,
    ) -> Result<bool, Error> {
        match self.simulate(grammar, node, terminal) {
            Simulated::Refused => Ok(false),
            Simulated::Shifted { .. } => Ok(true),
            Simulated::Ambiguous => {
                let before = self.cells();
                let tops = self.shift_all(grammar, node, terminal);
                self.truncate_cells(before);
                tops.map(|tops| !tops.is_empty())
            }
        }
    }

    /// The node that begins at cell `cell`, if no later cell of the range continues its list.
    pub(crate) fn top_at(&self, range: &Range<u32>, cell: u32) -> Option<Node> {
        let continued = (cell + 1..range.end).any(|later| self.rest(Node(later)) == Some(Node(cell)));
        (!continued).then_some(Node(cell))
    }

    /// Follows the only action and the only parent as long as there is only one.
    fn simulate(&self, grammar: &GrammarView<'_>, node: Node, terminal: Terminal) -> Simulated {
        let mut reduced: Option<Pushed> = None;
        // Reductions of length 1 in a row. More of them than there are states go round in a circle.
        let mut units = 0;
        loop {
            let state = reduced.map_or_else(|| self.lr(node), |pushed| pushed.state);
            let production = match *grammar.actions(state, terminal) {
                [] => return Simulated::Refused,
                [code] => match Action::decode(code) {
                    Action::Shift(target) => return Simulated::Shifted { reduced, target },
                    Action::Reduce(production) => production,
                },
                _ => return Simulated::Ambiguous,
            };
            let (nonterminal, length) = grammar.production(production);
            let (from, levels) = reduced.map_or((node, length), |pushed| (pushed.on, length - 1));
            units = if levels == 0 { units + 1 } else { 0 };
            if units > grammar.counts().lr_states {
                return Simulated::Refused;
            }
            let (on, left) = self.descend(from, levels);
            if left > 0 {
                return if self.rest(on).is_some() { Simulated::Ambiguous } else { Simulated::Refused };
            }
            let Some(state) = grammar.goto(self.lr(on), nonterminal) else { return Simulated::Refused };
            reduced = Some(Pushed { state, on });
        }
    }

    /// Goes down as long as there is exactly one parent: where that ends, and how many levels are left.
    fn descend(&self, from: Node, levels: u32) -> (Node, u32) {
        let (mut node, mut left) = (from, levels);
        while left > 0 && self.rest(node).is_none() {
            let Some(parent) = self.parent(node) else { break };
            node = parent;
            left -= 1;
        }
        (node, left)
    }

    fn shift_all(
        &mut self,
        grammar: &GrammarView<'_>,
        node: Node,
        terminal: Terminal,
    ) -> Result<Range<u32>, Error> {
        let reduced = self.reduce_all(grammar, node, terminal)?;
        let start = self.cells();
        self.shift_one(grammar, node, terminal, start)?;
        for cell in reduced.clone() {
            if let Some(top) = self.top_at(&reduced, cell) {
                self.shift_one(grammar, top, terminal, start)?;
            }
        }
        if self.cells() == start {
            self.truncate_cells(reduced.start);
        }
        Ok(self.cells().min(start)..self.cells())
    }

    fn shift_one(
        &mut self,
        grammar: &GrammarView<'_>,
        node: Node,
        terminal: Terminal,
        start: u32,
    ) -> Result<(), Error> {
        for &code in grammar.actions(self.lr(node), terminal) {
            if let Action::Shift(target) = Action::decode(code) {
                self.add_parent(start, target, node)?;
            }
        }
        Ok(())
    }

    /// All nodes that reductions on the terminal lead to: the tops of the cells that were made.
    fn reduce_all(
        &mut self,
        grammar: &GrammarView<'_>,
        node: Node,
        terminal: Terminal,
    ) -> Result<Range<u32>, Error> {
        let start = self.cells();
        let mut cell = Some(node);
        while let Some(current) = cell {
            self.reduce_cell(grammar, current, terminal, start)?;
            cell = self.rest(current);
        }
        let mut cursor = start;
        while cursor < self.cells() {
            self.reduce_cell(grammar, Node(cursor), terminal, start)?;
            cursor += 1;
        }
        Ok(start..self.cells())
    }

    /// All reductions that begin with this cell's state and parent.
    fn reduce_cell(
        &mut self,
        grammar: &GrammarView<'_>,
        cell: Node,
        terminal: Terminal,
        start: u32,
    ) -> Result<(), Error> {
        let Some(parent) = self.parent(cell) else { return Ok(()) };
        for &code in grammar.actions(self.lr(cell), terminal) {
            if let Action::Reduce(production) = Action::decode(code) {
                let (nonterminal, length) = grammar.production(production);
                self.reduce(grammar, parent, length - 1, nonterminal, start)?;
            }
        }
        Ok(())
    }

    /// Pushes the goto on every node that lies `levels` below `from`.
    fn reduce(
        &mut self,
        grammar: &GrammarView<'_>,
        from: Node,
        levels: u32,
        nonterminal: Nonterminal,
        start: u32,
    ) -> Result<(), Error> {
        let end = self.bottom();
        self.push_ancestors(from, levels)?;
        for address in self.bottom()..end {
            let on = Node(self.word(address));
            if let Some(state) = grammar.goto(self.lr(on), nonterminal) {
                self.add_parent(start, state, on)?;
            }
        }
        self.drop_to(end);
        Ok(())
    }

    /// Pushes the distinct nodes that lie exactly `levels` below `from` on the temporaries.
    fn push_ancestors(&mut self, from: Node, levels: u32) -> Result<(), Error> {
        let end = self.bottom();
        let (node, left) = self.descend(from, levels);
        self.push(node.0)?;
        for _ in 0..left {
            if self.bottom() == end {
                break;
            }
            self.push_parents(self.bottom()..end)?;
        }
        Ok(())
    }

    /// Replaces a list of nodes at the bottom of the temporaries by the list of their distinct parents.
    fn push_parents(&mut self, nodes: Range<usize>) -> Result<(), Error> {
        self.new_marks();
        for address in nodes.clone() {
            let mut cell = Some(Node(self.word(address)));
            while let Some(current) = cell {
                if let Some(parent) = self.parent(current)
                    && self.mark_once(parent)
                {
                    self.push(parent.0)?;
                }
                cell = self.rest(current);
            }
        }
        self.slide(nodes.start - self.bottom(), nodes.end);
        Ok(())
    }

    /// Adds a parent to the node with this LR state among the cells from `start` on, making it where there is none.
    fn add_parent(&mut self, start: u32, state: LrState, parent: Node) -> Result<(), Error> {
        let node = (start..self.cells()).rev().map(Node).find(|&node| self.lr(node) == state);
        if node.is_some_and(|node| self.has_parent(node, Some(parent))) {
            return Ok(());
        }
        self.push_cell(state, Some(parent), node).map(|_| ())
    }
}
