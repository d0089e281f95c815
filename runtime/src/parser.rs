//! The LR parser: gives one terminal to one stack of the graph-structured stack.
//!
//! In go a node and a terminal; out come the nodes after all reductions and the shift, or none if the stack
//! does not take the terminal. As long as there is one action and one parent, no cell is made before the
//! outcome is known ([`simulate`](crate::simulate)).
//!
//! Where there is a choice, reductions are those of generalized LR parsing over a graph-structured stack
//! (Tomita 1985; Nozohoor-Farshi 1991 for the repetition until nothing is new). No production is empty, so a
//! node that is made by a reduction has only parents that were there before the terminal. Hence every *cell*
//! that a reduction makes is a work item by itself, "reduce along the stacks that begin with this parent",
//! and the worklist is the range of new cells, which needs no memory. It is processed in rounds, the cells of
//! one state together: where stacks multiply, their parents have the same ancestors, which are then looked up
//! once.

use core::ops::Range;

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::grammar::Action;
use gcc_grammar_artifact::ids::{LrState, Nonterminal, Terminal};

use crate::error::Error;
use crate::scratch::{Node, Scratch};
use crate::simulate::Outcome;

impl Scratch<'_> {
    /// Gives the terminal to the stack: all reductions, then the shifts. The resulting nodes are the
    /// [tops](Self::top_at) in the returned range of cells. If the range is empty, no cell was made.
    pub(crate) fn shift(
        &mut self,
        grammar: &GrammarView<'_>,
        node: Node,
        terminal: Terminal,
    ) -> Result<Range<u32>, Error> {
        let outcome = self.simulate(grammar, node, terminal);
        self.shift_after(grammar, node, terminal, outcome)
    }

    /// The same, if the outcome as far as it is deterministic is known.
    pub(crate) fn shift_after(
        &mut self,
        grammar: &GrammarView<'_>,
        node: Node,
        terminal: Terminal,
        outcome: Outcome,
    ) -> Result<Range<u32>, Error> {
        match outcome {
            Outcome::Refused => Ok(self.cells()..self.cells()),
            Outcome::Shifted { reduced, target } => {
                let below = match reduced {
                    Some(pushed) => self.push_cell(pushed.state, Some(pushed.on), None)?,
                    None => node,
                };
                let top = self.push_cell(target, Some(below), None)?;
                Ok(top.0..self.cells())
            }
            Outcome::Ambiguous | Outcome::Long(_) => self.shift_all(grammar, node, terminal),
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
            Outcome::Refused => Ok(false),
            Outcome::Shifted { .. } => Ok(true),
            Outcome::Ambiguous | Outcome::Long(_) => {
                let before = self.cells();
                let tops = self.shift_all(grammar, node, terminal);
                self.truncate_cells(before);
                tops.map(|tops| !tops.is_empty())
            }
        }
    }

    /// The node whose list begins with `cell`, unless a later cell of the range has `cell` in its list.
    pub(crate) fn top_at(&mut self, range: &Range<u32>, cell: u32) -> Result<Option<Node>, Error> {
        let mut later = cell + 1..range.end;
        self.charge(later.len())?;
        let continued = later.any(|later| self.rest(Node(later)) == Some(Node(cell)));
        Ok((!continued).then_some(Node(cell)))
    }

    /// Gives the terminal to the stack where there is a choice.
    fn shift_all(
        &mut self,
        grammar: &GrammarView<'_>,
        node: Node,
        terminal: Terminal,
    ) -> Result<Range<u32>, Error> {
        let reduced = self.reduce_all(grammar, node, terminal)?;
        let start = self.cells();
        self.shift_one(grammar, node, terminal, start)?;
        self.charge(reduced.len())?;
        self.mark_continued(&reduced);
        for cell in reduced.clone().map(Node) {
            if !self.is_marked(cell) {
                self.shift_one(grammar, cell, terminal, start)?;
            }
        }
        if self.cells() == start {
            self.truncate_cells(reduced.start);
        }
        Ok(self.cells().min(start)..self.cells())
    }

    /// Marks the cells of a range that are in the list of a later one. The others are tops.
    fn mark_continued(&mut self, range: &Range<u32>) {
        self.new_marks();
        for cell in range.clone().map(Node) {
            if let Some(continued) = self.rest(cell) {
                self.mark_once(continued);
            }
        }
    }

    /// Pushes the states that the terminal is shifted to on a node. Cells from `start` on are results.
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

    /// Makes the nodes that any number of reductions on the terminal lead to: the tops of the returned range.
    fn reduce_all(
        &mut self,
        grammar: &GrammarView<'_>,
        node: Node,
        terminal: Terminal,
    ) -> Result<Range<u32>, Error> {
        let start = self.cells();
        let end = self.bottom();
        let mut cell = Some(node);
        while let Some(current) = cell {
            self.charge(1)?;
            if let Some(parent) = self.parent(current) {
                self.push(parent.0)?;
            }
            cell = self.rest(current);
        }
        self.reduce_list(grammar, self.lr(node), end, terminal, start)?;
        let mut round = start..self.cells();
        while !round.is_empty() {
            self.reduce_round(grammar, round.clone(), terminal, start)?;
            round = round.end..self.cells();
        }
        Ok(start..self.cells())
    }

    /// Performs all reductions along stacks that begin with one of these cells, for all cells of one state
    /// together.
    fn reduce_round(
        &mut self,
        grammar: &GrammarView<'_>,
        round: Range<u32>,
        terminal: Terminal,
        start: u32,
    ) -> Result<(), Error> {
        for first in round.clone() {
            let state = self.lr(Node(first));
            self.charge(round.len())?;
            if (round.start..first).any(|earlier| self.lr(Node(earlier)) == state) {
                continue;
            }
            let end = self.bottom();
            for cell in (first..round.end).map(Node) {
                if self.lr(cell) == state
                    && let Some(parent) = self.parent(cell)
                {
                    self.push(parent.0)?;
                }
            }
            self.reduce_list(grammar, state, end, terminal, start)?;
        }
        Ok(())
    }

    /// Performs all reductions of a state on its parents, the temporaries up to `end`, which are dropped.
    fn reduce_list(
        &mut self,
        grammar: &GrammarView<'_>,
        state: LrState,
        end: usize,
        terminal: Terminal,
        start: u32,
    ) -> Result<(), Error> {
        let parents = self.bottom()..end;
        for &code in grammar.actions(state, terminal) {
            if let Action::Reduce(production) = Action::decode(code) {
                let (nonterminal, length) = grammar.production(production);
                self.charge(parents.len())?;
                for address in parents.clone().rev() {
                    self.push(self.word(address))?;
                }
                self.reduce(grammar, parents.start, length - 1, nonterminal, start)?;
            }
        }
        self.drop_to(end);
        Ok(())
    }

    /// Pushes the goto state on every node that lies `levels` below one of the temporaries up to `end`, which
    /// are dropped.
    fn reduce(
        &mut self,
        grammar: &GrammarView<'_>,
        end: usize,
        levels: u32,
        nonterminal: Nonterminal,
        start: u32,
    ) -> Result<(), Error> {
        let mut left = levels;
        if end - self.bottom() == 1 {
            let (node, further) = self.descend(Node(self.word(end - 1)), levels);
            self.set_word(end - 1, node.0);
            left = further;
        }
        for _ in 0..left {
            if self.bottom() == end {
                break;
            }
            self.push_parents(self.bottom()..end)?;
        }
        self.charge(end - self.bottom())?;
        for address in self.bottom()..end {
            let on = Node(self.word(address));
            if let Some(state) = grammar.goto(self.lr(on), nonterminal) {
                self.add_parent(start, state, on)?;
            }
        }
        self.drop_to(end);
        Ok(())
    }

    /// Replaces a list of nodes at the bottom of the temporaries by the list of their distinct parents.
    fn push_parents(&mut self, nodes: Range<usize>) -> Result<(), Error> {
        self.new_marks();
        for address in nodes.clone() {
            let mut cell = Some(Node(self.word(address)));
            while let Some(current) = cell {
                self.charge(1)?;
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

    /// Adds a parent to the node with this LR state among the cells from `start` on; makes the node if there
    /// is none.
    fn add_parent(&mut self, start: u32, state: LrState, parent: Node) -> Result<(), Error> {
        let made = start..self.cells();
        self.charge(made.len())?;
        let node = made.rev().map(Node).find(|&node| self.lr(node) == state);
        if let Some(node) = node
            && self.has_parent(node, Some(parent))?
        {
            return Ok(());
        }
        self.push_cell(state, Some(parent), node).map(|_| ())
    }
}
