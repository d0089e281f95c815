//! What completing the text costs from the cells of a stack.
//!
//! The cost of a cell follows from the cost of the cell below ([`CompletionView::above`]). It is computed once per cell
//! and remembered in it, so that a query costs O(1) amortized over the pushes of cells. Where stacks were merged, a cell
//! has the costs of all stacks below it: for each class the least potential. That is usually a single one; if not, it is
//! computed again each time, for all cells between the top and the ones below that have a single one. Costs are *mixed* if
//! not all stacks below have them.

use gcc_grammar_artifact::grammar::{CellCost, CompletionView};
use gcc_grammar_artifact::ids::LrState;

use crate::error::Error;
use crate::scratch::{Node, Scratch};

/// The most classes that a cell can have; of more, those with the least potentials are kept.
const CLASSES: usize = 16;

/// Bits of the potential in the word of a cell.
const POTENTIAL_BITS: u32 = 23;
/// The bit of the word of a cell for mixed costs; the class is above it.
const MIXED: u32 = 1 << POTENTIAL_BITS;
/// The first bit of the class.
const CLASS_SHIFT: u32 = POTENTIAL_BITS + 1;
/// The potential of what cannot be completed; greater ones are stored as this.
const MAX_POTENTIAL: u32 = (1 << POTENTIAL_BITS) - 1;

/// The last class of an LR state.
const MAX_CLASS: u32 = 253;

/// The costs of a node: for each class the least potential.
#[derive(Clone, Copy, Debug)]
pub(super) struct Costs {
    list: [CellCost; CLASSES],
    count: usize,
    /// Whether some stack below has another cost, or none.
    is_mixed: bool,
}

impl Costs {
    const NONE: Self =
        Self { list: [CellCost { potential: 0, class: 0 }; CLASSES], count: 0, is_mixed: false };

    pub(super) fn iter(&self) -> impl Iterator<Item = CellCost> {
        self.list[..self.count].iter().copied()
    }

    /// Whether all stacks have this cost.
    pub(super) const fn are_single(&self) -> bool {
        self.count == 1 && !self.is_mixed
    }

    fn add(&mut self, cost: CellCost) {
        // Only a damaged file has classes with greater numbers.
        if cost.potential >= MAX_POTENTIAL || cost.class > MAX_CLASS {
            self.is_mixed = true;
            return;
        }
        if let Some(known) = self.list[..self.count].iter_mut().find(|known| known.class == cost.class) {
            self.is_mixed |= known.potential != cost.potential;
            known.potential = known.potential.min(cost.potential);
        } else if self.count < CLASSES {
            self.list[self.count] = cost;
            self.count += 1;
        } else {
            self.is_mixed = true;
            let most = self.list.iter_mut().max_by_key(|known| known.potential);
            most.into_iter().filter(|most| cost < **most).for_each(|most| *most = cost);
        }
    }

    fn add_all(&mut self, other: &Self) {
        other.iter().for_each(|cost| self.add(cost));
        self.is_mixed |= other.is_mixed || other.count == 0;
    }

    /// The word of a cell with these costs; `None` if there are several.
    fn to_word(self) -> Option<u32> {
        let mixed = if self.is_mixed { MIXED } else { 0 };
        match self.list[..self.count] {
            [] => Some(1 << CLASS_SHIFT | MAX_POTENTIAL),
            [CellCost { potential, class }] => Some((class + 1) << CLASS_SHIFT | mixed | potential),
            _ => None,
        }
    }

    /// The costs that a word stands for; `None` if they are unknown.
    fn from_word(word: u32) -> Option<Self> {
        let class = (word >> CLASS_SHIFT).checked_sub(1)?;
        let mut costs = Self::NONE;
        costs.add(CellCost { potential: word & MAX_POTENTIAL, class });
        costs.is_mixed |= word & MIXED != 0;
        Some(costs)
    }
}

impl Scratch<'_> {
    /// The costs of a node.
    pub(super) fn costs(&mut self, completion: &CompletionView<'_>, node: Node) -> Result<Costs, Error> {
        if self.rest(node).is_none()
            && let Some(costs) = Costs::from_word(self.remembered_cost(node))
        {
            return Ok(costs);
        }
        let bottom = self.bottom();
        let costs = match self.single_costs(completion, node)? {
            Some(costs) => costs,
            None => self.merged_costs(completion, node)?,
        };
        self.drop_to(bottom);
        Ok(costs)
    }

    /// The costs of a node if there is a single stack down to a cell whose costs are known.
    fn single_costs(&mut self, completion: &CompletionView<'_>, node: Node) -> Result<Option<Costs>, Error> {
        let end = self.bottom();
        let mut at = node;
        let mut costs = loop {
            if self.rest(at).is_some() {
                return Ok(None);
            }
            if let Some(costs) = Costs::from_word(self.remembered_cost(at)) {
                break costs;
            }
            self.charge(1)?;
            self.push(at.0)?;
            match self.parent(at) {
                Some(parent) => at = parent,
                None => break Costs::NONE,
            }
        };
        let mut below = at;
        for address in self.bottom()..end {
            let cell = Node(self.word(address));
            costs = self.costs_above(completion, (below != cell).then_some(below), &costs, cell);
            if let Some(word) = costs.to_word() {
                self.remember_cost(cell, word);
            }
            below = cell;
        }
        Ok(Some(costs))
    }

    /// The costs of a cell on a cell with known costs, or at the bottom of the stack.
    fn costs_above(
        &self,
        completion: &CompletionView<'_>,
        below: Option<Node>,
        costs: &Costs,
        cell: Node,
    ) -> Costs {
        let mut above = Costs { is_mixed: costs.is_mixed, ..Costs::NONE };
        match below {
            Some(below) => {
                let (state, pushed) = (self.lr(below), self.lr(cell));
                for cost in costs.iter() {
                    match completion.above(state, cost, pushed) {
                        Some(cost) => above.add(cost),
                        None => above.is_mixed = true,
                    }
                }
            }
            None if self.lr(cell) == LrState::INITIAL => {
                completion.bottom().into_iter().for_each(|cost| above.add(cost))
            }
            None => {}
        }
        above
    }

    /// The costs of a node where stacks were merged.
    ///
    /// The cells whose costs are unknown are found from the top down, and their costs computed from the lowest cell up. A
    /// cell refers only to cells with lower numbers, so the order of the numbers is right for both. The costs of a cell
    /// that has several are kept in the temporaries.
    fn merged_costs(&mut self, completion: &CompletionView<'_>, node: Node) -> Result<Costs, Error> {
        self.new_marks();
        let end = self.bottom();
        let mut open = self.mark_unknown(node)?;
        let mut cell = node;
        while open > 0 {
            self.charge(1)?;
            if self.is_marked(cell) {
                open -= 1;
                self.push(cell.0)?;
                if let Some(parent) = self.parent(cell) {
                    open += self.mark_unknown(parent)?;
                }
            }
            cell = Node(cell.0.wrapping_sub(1));
        }
        let unknown = self.bottom()..end;
        let list = self.bottom();
        for address in unknown {
            let cell = Node(self.word(address));
            let costs = match self.parent(cell) {
                Some(parent) => {
                    let below = self.known_costs(parent, list)?;
                    self.costs_above(completion, Some(parent), &below, cell)
                }
                None => self.costs_above(completion, None, &Costs::NONE, cell),
            };
            match costs.to_word() {
                Some(word) => self.remember_cost(cell, word),
                None => self.keep_costs(cell, &costs)?,
            }
        }
        self.known_costs(node, list)
    }

    /// Marks the cells of a node whose costs are unknown; returns how many were not marked yet.
    fn mark_unknown(&mut self, node: Node) -> Result<usize, Error> {
        let mut count = 0;
        let mut cell = Some(node);
        while let Some(current) = cell {
            self.charge(1)?;
            if Costs::from_word(self.remembered_cost(current)).is_none() && self.mark_once(current) {
                count += 1;
            }
            cell = self.rest(current);
        }
        Ok(count)
    }

    /// Pushes the costs of a cell to the temporaries: the cell, the number of costs, whether they are mixed, and the costs.
    fn keep_costs(&mut self, cell: Node, costs: &Costs) -> Result<(), Error> {
        for cost in costs.iter() {
            self.push(cost.class)?;
            self.push(cost.potential)?;
        }
        self.push(u32::from(costs.is_mixed))?;
        self.push(costs.count as u32)?;
        self.push(cell.0)
    }

    /// The costs of a node, all of whose cells have costs that are remembered or lie in the temporaries below `list`.
    fn known_costs(&mut self, node: Node, list: usize) -> Result<Costs, Error> {
        let mut costs = Costs::NONE;
        let mut cell = Some(node);
        while let Some(current) = cell {
            self.charge(1)?;
            match Costs::from_word(self.remembered_cost(current)) {
                Some(own) => costs.add_all(&own),
                None => costs.add_all(&self.kept_costs(current, list)?),
            }
            cell = self.rest(current);
        }
        Ok(costs)
    }

    fn kept_costs(&mut self, cell: Node, list: usize) -> Result<Costs, Error> {
        let mut costs = Costs::NONE;
        let mut at = self.bottom();
        while at < list {
            self.charge(1)?;
            let (owner, count, is_mixed) =
                (self.word(at), self.word(at + 1) as usize, self.word(at + 2) != 0);
            let pairs = (0..count).map(|index| at + 3 + 2 * index);
            if owner == cell.0 {
                pairs.for_each(|pair| {
                    costs.add(CellCost { potential: self.word(pair), class: self.word(pair + 1) })
                });
                costs.is_mixed |= is_mixed;
                break;
            }
            at += 3 + 2 * count;
        }
        Ok(costs)
    }
}
