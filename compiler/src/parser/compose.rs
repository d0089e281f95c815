//! Evaluates nodes of the Terminal DWA over known stacks.

use super::Sources;
use super::cells::{After, CellId, Cells};
use super::effect::{Effect, Effects};
use super::outcome::{Item, ItemsId, Outcome, OutcomeId, Outcomes, Reading};
use super::tops::Tops;
use crate::ids::{ArcId, LrState, NodeId, SetId};
use crate::lexer::Contexts;
use crate::limits::{Budget, OverBudget};
use crate::lr::{Action, LrTables};
use crate::sets::Sets;
use crate::terminal::TerminalDwa;
use gcc_grammar_ir::NonterminalId;
use rustc_hash::{FxHashMap, FxHashSet};

/// Composes the Terminal DWA with the LR tables.
pub(super) struct Composer<'a, 's> {
    pub(super) tables: &'a LrTables,
    pub(super) contexts: &'a Contexts,
    decides_early: bool,
    pub(super) terminal: TerminalDwa<'a>,
    pub(super) sets: &'s mut Sets,
    pub(super) outcomes: Outcomes,
    budget: Budget,
    effects: Effects,
    pub(super) cells: Cells,
    /// By node.
    evaluated: Tops<OutcomeId>,
    begun: FxHashMap<(ArcId, CellId), OutcomeId>,
    certain: FxHashMap<(ArcId, NonterminalId), Option<OutcomeId>>,
    /// Calls of [`certain`](Self::certain) under way.
    depth: usize,
    resumed: FxHashMap<(ItemsId, LrState), OutcomeId>,
    discarded: FxHashMap<ItemsId, ItemsId>,
    settled: FxHashMap<(SetId, ItemsId), OutcomeId>,
    /// The known part, top last: one stack that effects change and that is put back afterwards.
    known: Vec<LrState>,
    /// What was popped from it, to be put back.
    popped: Vec<LrState>,
    /// Parts of the outcomes under construction, the innermost last.
    fired: Vec<SetId>,
    items: Vec<Item>,
    /// Lists still to read, and those divided, while a symbol is read.
    open: Vec<ItemsId>,
    seen: FxHashSet<ItemsId>,
}

/// Recursion that [`Composer::certain`] adds.
const MAX_DEPTH: usize = 64;

/// Where the parts of an outcome begin.
#[derive(Clone, Copy)]
struct Mark(usize, usize);

impl<'a, 's> Composer<'a, 's> {
    pub(super) fn new(
        Sources { tables, contexts, lexer, tokens, walks, decides_early, .. }: Sources<'a>,
        sets: &'s mut Sets,
        budget: Budget,
    ) -> Self {
        Self {
            tables,
            contexts,
            decides_early,
            terminal: TerminalDwa::new(lexer, tokens, walks, &budget),
            sets,
            outcomes: Outcomes::new(budget.clone()),
            budget,
            effects: Effects::default(),
            cells: Cells::new(tables),
            evaluated: Tops::default(),
            begun: FxHashMap::default(),
            certain: FxHashMap::default(),
            depth: 0,
            resumed: FxHashMap::default(),
            discarded: FxHashMap::default(),
            settled: FxHashMap::default(),
            known: Vec::new(),
            popped: Vec::new(),
            fired: Vec::new(),
            items: Vec::new(),
            open: Vec::new(),
            seen: FxHashSet::default(),
        }
    }

    /// The outcome of reading the tokens of `node` on the top `state`, of which only its actions are known: it is still to be read.
    pub(super) fn begin_node(&mut self, node: NodeId, state: LrState) -> Result<OutcomeId, OverBudget> {
        let mark = self.mark();
        self.fired.push(self.terminal.node(node).always);
        let mut cells = self.cells.span(state);
        for i in 0..self.terminal.node(node).arcs.len() {
            let arc = self.terminal.node(node).arcs[i];
            if let Some(cell) = self.cells.find(&mut cells, self.terminal.arc(arc).terminal) {
                let outcome = self.begin(arc, cell)?;
                self.add(outcome);
            }
        }
        self.finish(mark)
    }

    /// The outcome after reading the top of the stack, which `begun` has not read yet.
    pub(super) fn read_top(&mut self, begun: OutcomeId, top: LrState) -> Result<OutcomeId, OverBudget> {
        let Outcome { fired, items } = self.outcomes.get(begun);
        if items == ItemsId(0) { Ok(begun) } else { self.read(fired, items, top) }
    }

    /// The outcome of these actions on an arc's terminal, for all states that have them. The state is still to be read: a reduction
    /// pops it, or what is pushed on it is reduced later and its goto decides.
    fn begin(&mut self, arc: ArcId, cell: CellId) -> Result<OutcomeId, OverBudget> {
        if let Some(&outcome) = self.begun.get(&(arc, cell)) {
            return Ok(outcome);
        }
        let mark = self.mark();
        let data = self.terminal.arc(arc);
        for i in 0..self.cells.actions(cell).len() {
            match self.cells.actions(cell)[i] {
                Action::Reduce(production) => {
                    let (nonterminal, discard) = self.tables.productions[production.index()];
                    self.suspend(Item { discard, nonterminal, arc })?;
                }
                Action::Shift(to) => {
                    self.fired.push(data.weight);
                    let context = self.contexts.of(to);
                    if let Some(rest) = self.terminal.after(self.sets, data.cut, context)? {
                        self.known.clear();
                        self.known.push(to);
                        let (outcome, _) = self.evaluate(rest)?;
                        self.add(outcome);
                    }
                }
            }
        }
        let outcome = self.finish(mark)?;
        self.budget.charge_bytes(32)?;
        self.begun.insert((arc, cell), outcome);
        Ok(outcome)
    }

    /// Adds an item to the outcome under construction; or what it comes to, if that is certain already.
    fn suspend(&mut self, item: Item) -> Result<(), OverBudget> {
        let Some(outcome) = self.certain(item.arc, item.nonterminal)? else {
            self.items.push(item);
            return Ok(());
        };
        let Outcome { fired, items } = self.outcomes.get(outcome);
        self.fired.push(fired);
        let items = self.outcomes.items(items).iter();
        self.items.extend(items.map(|later| Item { discard: item.discard + later.discard, ..*later }));
        Ok(())
    }

    /// The outcome of going on with the terminal of `arc` where a goto on `nonterminal` led, whatever state that is on whatever state below;
    /// `None` if that depends on them. The state below is still to be read.
    ///
    /// After most nonterminals, most terminals either lead to the same reduction in all states or are shifted to the same state. So items whose
    /// nonterminals differ become the same, and tokens are allowed before more of the stack is read.
    fn certain(&mut self, arc: ArcId, nonterminal: NonterminalId) -> Result<Option<OutcomeId>, OverBudget> {
        let cell = match self.cells.after(nonterminal, self.terminal.arc(arc).terminal) {
            After::Nothing => return Ok(Some(OutcomeId(0))),
            After::Cell(cell) => cell,
            After::Depends => return Ok(None),
        };
        if let Some(&known) = self.certain.get(&(arc, nonterminal)) {
            return Ok(known);
        }
        if self.depth == MAX_DEPTH {
            return Ok(None);
        }
        self.depth += 1;
        self.budget.charge_bytes(32)?;
        // Until it is known, so that this ends.
        self.certain.insert((arc, nonterminal), None);
        let known = std::mem::take(&mut self.known);
        let begun = self.begin(arc, cell)?;
        self.known = known;
        let outcome = self.below(begun)?;
        self.certain.insert((arc, nonterminal), outcome);
        self.depth -= 1;
        Ok(outcome)
    }

    /// The outcome after reading a top that all items of `begun` discard, if they do, and if what it lets through may be let through
    /// already.
    fn below(&mut self, begun: OutcomeId) -> Result<Option<OutcomeId>, OverBudget> {
        let Outcome { fired, items } = self.outcomes.get(begun);
        if fired != Sets::EMPTY && !self.decides_early {
            return Ok(None);
        }
        match self.outcomes.reading(items) {
            Reading::Nothing => Ok(Some(begun)),
            Reading::Discards => {
                let items = self.discarded(items)?;
                self.outcomes.intern(Outcome { fired, items }).map(Some)
            }
            Reading::Decides(_) | Reading::Divides => Ok(None),
        }
    }

    /// The outcome of reading the tokens of `node` over the known part, and how many states of it that depends on
    /// (see [`Tops::get`]).
    ///
    /// Recursion is as deep as a token has lexemes, which the length of the longest token bounds.
    fn evaluate(&mut self, node: NodeId) -> Result<(OutcomeId, usize), OverBudget> {
        if let Some(result) = self.evaluated.get(node.0, &self.known) {
            return Ok(result);
        }
        let top = self.known[self.known.len() - 1];
        let mut used = 1;
        let mark = self.mark();
        self.fired.push(self.terminal.node(node).always);
        let mut cells = self.cells.span(top);
        for i in 0..self.terminal.node(node).arcs.len() {
            let arc = self.terminal.node(node).arcs[i];
            if self.cells.find(&mut cells, self.terminal.arc(arc).terminal).is_some() {
                used = used.max(self.arc(arc)?);
            }
        }
        let outcome = self.finish(mark)?;
        self.budget.charge_bytes(32 + used as u64 * 32)?;
        self.evaluated.insert(node.0, &self.known, used, outcome);
        Ok((outcome, used))
    }

    /// Runs the terminal of `arc` over the known part, then the rest of the tokens; says how many states that depends on.
    fn arc(&mut self, arc: ArcId) -> Result<usize, OverBudget> {
        let data = self.terminal.arc(arc);
        let (effects, mut used) = self.effects.of(self.tables, &self.known, data.terminal, &self.budget)?;
        for effect in effects {
            match self.effects.get(effect) {
                &Effect::Suspended(nonterminal, discard) => {
                    self.suspend(Item { discard, nonterminal, arc })?;
                }
                Effect::Shifted(_, pushed) => {
                    self.fired.push(data.weight);
                    let context = self.contexts.of(pushed[pushed.len() - 1]);
                    if let Some(rest) = self.terminal.after(self.sets, data.cut, context)? {
                        used = used.max(self.rest(rest, effect)?);
                    }
                }
            }
        }
        Ok(used)
    }

    /// Evaluates `node` after a shift; says how many states of the known part before it that depends on.
    fn rest(&mut self, node: NodeId, shift: u32) -> Result<usize, OverBudget> {
        let Effect::Shifted(pops, pushed) = self.effects.get(shift) else { return Ok(0) };
        let height = self.known.len();
        let kept = height - *pops as usize;
        let from = self.popped.len();
        self.popped.extend(self.known.drain(kept..));
        self.known.extend_from_slice(pushed);
        let (outcome, used) = self.evaluate(node)?;
        let grown = self.known.len();
        self.known.truncate(kept);
        self.known.extend(self.popped.drain(from..));
        self.add(outcome);
        Ok(match grown.checked_sub(used) {
            None => height + 1,
            Some(lowest) if lowest < kept => height - lowest,
            Some(_) => 0,
        })
    }

    /// Reads `symbol` after the open items of `list`, to the end of what `symbol` decides; `fired` is allowed already.
    ///
    /// Recursion is as deep as a token has lexemes: a list that is resumed has one less ahead.
    pub(super) fn read(
        &mut self,
        fired: SetId,
        list: ItemsId,
        symbol: LrState,
    ) -> Result<OutcomeId, OverBudget> {
        let mark = self.mark();
        self.fired.push(fired);
        let mut open = std::mem::take(&mut self.open);
        let mut seen = std::mem::take(&mut self.seen);
        open.push(list);
        let mut left = ItemsId(0);
        // Each list is resumed once. There are finitely many: what a goto leads to has fewer unit reductions or less of the
        // tokens ahead.
        while let Some(list) = open.pop() {
            match self.outcomes.reading(list) {
                Reading::Nothing => {}
                Reading::Decides(nonterminal) => {
                    let Some(to) = self.tables.goto(symbol, nonterminal) else { continue };
                    let Outcome { fired, items } = self.resume(list, to)?;
                    self.fired.push(fired);
                    open.push(items);
                }
                Reading::Discards => {
                    let list = self.discarded(list)?;
                    let earlier = std::mem::replace(&mut left, list);
                    self.items.extend_from_slice(self.outcomes.items(earlier));
                }
                Reading::Divides if seen.insert(list) => self.divide(list, &mut open)?,
                Reading::Divides => {}
            }
        }
        seen.clear();
        (self.open, self.seen) = (open, seen);
        if self.items.len() > mark.1 {
            self.items.extend_from_slice(self.outcomes.items(left));
            return self.finish(mark);
        }
        let fired = self.sets.union_all(&mut self.fired[mark.0..])?;
        self.fired.truncate(mark.0);
        self.settle(fired, left)
    }

    /// The outcome of reading a symbol after the items of `list`, all of which go on by its goto, which is `to`; `None` if the symbol
    /// decides more than that.
    pub(super) fn after_goto(&mut self, list: ItemsId, to: LrState) -> Result<Option<OutcomeId>, OverBudget> {
        let Outcome { fired, items } = self.resume(list, to)?;
        match self.outcomes.reading(items) {
            Reading::Nothing | Reading::Discards => {
                let left = self.discarded(items)?;
                self.settle(fired, left).map(Some)
            }
            Reading::Decides(_) | Reading::Divides => Ok(None),
        }
    }

    /// The outcome of resuming the terminals of all items of `list` when goto led to `state`, which is pushed and read.
    fn resume(&mut self, list: ItemsId, state: LrState) -> Result<Outcome, OverBudget> {
        if let Some(&outcome) = self.resumed.get(&(list, state)) {
            return Ok(self.outcomes.get(outcome));
        }
        let items = self.outcomes.items(list).clone();
        self.budget.charge_work(items.len() as u64)?;
        let mark = self.mark();
        for item in items.iter() {
            let terminal = self.terminal.arc(item.arc).terminal;
            if let Some(cell) = self.cells.find(&mut self.cells.span(state), terminal) {
                let outcome = self.begin(item.arc, cell)?;
                self.add(outcome);
            }
        }
        let begun = self.finish(mark)?;
        let outcome = self.read_top(begun, state)?;
        self.budget.charge_bytes(32)?;
        self.resumed.insert((list, state), outcome);
        Ok(self.outcomes.get(outcome))
    }

    /// The items of `list` after one more symbol is discarded.
    fn discarded(&mut self, list: ItemsId) -> Result<ItemsId, OverBudget> {
        if let Some(&less) = self.discarded.get(&list) {
            return Ok(less);
        }
        let items = self.outcomes.items(list).iter();
        let items: Vec<Item> = items.map(|item| Item { discard: item.discard - 1, ..*item }).collect();
        let less = self.outcomes.list(&items)?;
        self.budget.charge_bytes(24)?;
        self.discarded.insert(list, less);
        Ok(less)
    }

    /// Adds the parts of `list` that the next symbol treats alike.
    fn divide(&mut self, list: ItemsId, parts: &mut Vec<ItemsId>) -> Result<(), OverBudget> {
        let items = self.outcomes.items(list).clone();
        let decided = items.partition_point(|item| item.discard == 0);
        self.budget.charge_work(items.len() as u64)?;
        for group in items[..decided].chunk_by(|a, b| a.nonterminal == b.nonterminal) {
            parts.push(self.outcomes.list(group)?);
        }
        parts.push(self.outcomes.list(&items[decided..])?);
        Ok(())
    }

    /// The outcome with the items of `list` that `fired` leaves open.
    fn settle(&mut self, fired: SetId, list: ItemsId) -> Result<OutcomeId, OverBudget> {
        if let Some(&outcome) = self.settled.get(&(fired, list)) {
            return Ok(outcome);
        }
        let mark = self.mark();
        self.fired.push(fired);
        self.items.extend_from_slice(self.outcomes.items(list));
        let outcome = self.finish(mark)?;
        self.budget.charge_bytes(32)?;
        self.settled.insert((fired, list), outcome);
        Ok(outcome)
    }

    /// Adds the parts of `outcome` to the one under construction.
    fn add(&mut self, outcome: OutcomeId) {
        let Outcome { fired, items } = self.outcomes.get(outcome);
        self.fired.push(fired);
        self.items.extend_from_slice(self.outcomes.items(items));
    }

    /// Begins an outcome.
    fn mark(&self) -> Mark {
        Mark(self.fired.len(), self.items.len())
    }

    /// Unites the parts collected since `mark`; items all of whose tokens are allowed already are dropped.
    fn finish(&mut self, mark: Mark) -> Result<OutcomeId, OverBudget> {
        let fired = self.sets.union_all(&mut self.fired[mark.0..])?;
        self.fired.truncate(mark.0);
        let items = &mut self.items[mark.1..];
        items.sort_unstable();
        let mut count = 0;
        for i in 0..items.len() {
            let item = items[i];
            let again = count > 0 && items[count - 1] == item;
            if !again && !self.sets.is_subset(self.terminal.arc(item.arc).tokens, fired) {
                items[count] = item;
                count += 1;
            }
        }
        let list = self.outcomes.list(&items[..count])?;
        self.items.truncate(mark.1);
        self.outcomes.intern(Outcome { fired, items: list })
    }
}
