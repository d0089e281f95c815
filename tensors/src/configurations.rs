//! Configurations of the runtime, and their transitions on symbol classes.
//!
//! A configuration is a set of heads: a lexer state and a parser stack each. It is what the runtime's matcher holds after a text, but
//! every stack is a head by itself, and equal stacks are one number ([`Gss`](gcc_grammar_compiler::lr::Gss)). So equal configurations
//! have equal numbers. The steps are those of the runtime (`step.rs` there): lexemes end lazily, and heads that are not viable are
//! dropped. A head that is not viable has no viable continuation, so it makes no difference that the runtime drops them once per
//! token, and here after every symbol.

use gcc_grammar::parser_tables::{ArtifactTables, terminal_id};
use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::ids::{LexState, LrState, SymbolClass, Terminal};
use gcc_grammar_compiler::lr::{Run, StackId};
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The number of a configuration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Configuration(pub(crate) u32);

impl Configuration {
    /// The configuration without heads.
    pub(crate) const DEAD: Self = Self(0);
    /// Stands for a transition that was not computed yet.
    const UNKNOWN: Self = Self(u32::MAX);

    fn index(self) -> usize {
        self.0 as usize
    }
}

type Head = (LexState, StackId);

/// All configurations met so far.
pub(crate) struct Configurations<'g> {
    grammar: GrammarView<'g>,
    budget: Budget,
    run: Run<ArtifactTables<'g>>,
    max_depth: u32,
    /// By stack: its nesting depth.
    depths: Vec<u32>,
    heads: Vec<Rc<[Head]>>,
    numbers: FxHashMap<Rc<[Head]>, Configuration>,
    /// By configuration and symbol class: the next configuration.
    next: Vec<Configuration>,
    /// By configuration: whether heads were dropped on some transition because they were nested too deeply.
    is_cut: Vec<bool>,
    shifts: FxHashMap<(StackId, Terminal), Rc<[StackId]>>,
}

impl<'g> Configurations<'g> {
    /// The configurations whose stacks have at most this nesting depth.
    pub(crate) fn new(grammar: GrammarView<'g>, max_depth: u32, budget: &Budget) -> Result<Self, OverBudget> {
        let mut all = Self {
            grammar,
            budget: budget.clone(),
            run: Run::new(ArtifactTables(grammar)),
            max_depth,
            depths: Vec::new(),
            heads: Vec::new(),
            numbers: FxHashMap::default(),
            next: Vec::new(),
            is_cut: Vec::new(),
            shifts: FxHashMap::default(),
        };
        all.number(Vec::new())?;
        Ok(all)
    }

    /// The configuration at the beginning of an output.
    pub(crate) fn start(&mut self) -> Result<Configuration, OverBudget> {
        let stack = self.run.stacks.bottom(LrState::INITIAL);
        self.number(vec![(self.grammar.initial_lex_state(), stack)])
    }

    /// Whether continuations of the configuration were dropped because they are nested too deeply.
    pub(crate) fn is_cut(&self, configuration: Configuration) -> bool {
        self.is_cut[configuration.index()]
    }

    /// The configuration after a symbol.
    pub(crate) fn step(
        &mut self,
        from: Configuration,
        class: SymbolClass,
    ) -> Result<Configuration, OverBudget> {
        let place = from.index() * self.grammar.meta().class_count as usize + class.index();
        let known = self.next[place];
        if known != Configuration::UNKNOWN {
            return Ok(known);
        }
        let next = self.heads_after(from, class)?;
        let next = self.number(next)?;
        self.next[place] = next;
        Ok(next)
    }

    /// Whether an output may end in the configuration. `at_start` is true before the first token: then it may also end without a lexeme.
    pub(crate) fn accepts(&mut self, at: Configuration, at_start: bool) -> Result<bool, OverBudget> {
        let end = self.grammar.end_terminal();
        for &(lexer, stack) in Rc::clone(&self.heads[at.index()]).iter() {
            let mut complete = if at_start { vec![stack] } else { Vec::new() };
            for terminal in self.grammar.accepts(lexer) {
                let after = self.after_lexeme(stack, terminal)?;
                let may_end =
                    |after: &&_| self.grammar.may_end(lexer, LrState(self.run.stacks.top(**after).0));
                complete.extend(after.iter().filter(may_end));
            }
            for stack in complete {
                if !self.shift(stack, end)?.is_empty() {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn number(&mut self, heads: Vec<Head>) -> Result<Configuration, OverBudget> {
        if let Some(&known) = self.numbers.get(heads.as_slice()) {
            return Ok(known);
        }
        let classes = self.grammar.meta().class_count as usize;
        self.budget.charge_bytes((4 * classes + 16 * heads.len() + 64) as u64)?;
        let (number, heads) = (Configuration(self.heads.len() as u32), Rc::<[Head]>::from(heads));
        self.heads.push(Rc::clone(&heads));
        self.numbers.insert(heads, number);
        self.next.resize(self.next.len() + classes, Configuration::UNKNOWN);
        self.is_cut.push(false);
        Ok(number)
    }

    fn heads_after(&mut self, from: Configuration, class: SymbolClass) -> Result<Vec<Head>, OverBudget> {
        let grammar = self.grammar;
        let mut next = Vec::new();
        for &(lexer, stack) in Rc::clone(&self.heads[from.index()]).iter() {
            next.push((grammar.next(lexer, class), stack));
            if grammar.restarts(lexer).all(|start| grammar.next(start, class) == LexState::DEAD) {
                continue;
            }
            for terminal in grammar.accepts(lexer) {
                for &after in self.after_lexeme(stack, terminal)?.iter() {
                    let start = grammar.restart(lexer, LrState(self.run.stacks.top(after).0));
                    next.push((grammar.next(start, class), after));
                }
            }
        }
        next.retain(|&(lexer, _)| lexer != LexState::DEAD);
        next.sort_unstable();
        next.dedup();
        self.budget.charge_work(10 * (1 + next.len() as u64))?;
        let mut viable = Vec::new();
        for head in next {
            if !self.is_viable(head)? {
                continue;
            }
            match self.depth(head.1)? > self.max_depth {
                true => self.is_cut[from.index()] = true,
                false => viable.push(head),
            }
        }
        Ok(viable)
    }

    /// The stacks after a lexeme of this terminal.
    fn after_lexeme(&mut self, stack: StackId, terminal: Terminal) -> Result<Rc<[StackId]>, OverBudget> {
        if terminal == Terminal::IGNORE { Ok([stack].into()) } else { self.shift(stack, terminal) }
    }

    /// Whether the lexeme can still become a terminal that the parser takes.
    fn is_viable(&mut self, (lexer, stack): Head) -> Result<bool, OverBudget> {
        for terminal in self.grammar.pending(lexer) {
            if terminal == Terminal::IGNORE || !self.shift(stack, terminal)?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn shift(&mut self, stack: StackId, terminal: Terminal) -> Result<Rc<[StackId]>, OverBudget> {
        self.budget.charge_work(4)?;
        if let Some(known) = self.shifts.get(&(stack, terminal)) {
            return Ok(Rc::clone(known));
        }
        let shifted = self.run.shift_unmerged(stack, terminal_id(terminal));
        let stacks: Rc<[StackId]> = shifted.stacks.into();
        self.budget.charge_work(10 + 10 * shifted.steps as u64)?;
        self.budget.charge_bytes(64 + 4 * stacks.len() as u64)?;
        self.shifts.insert((stack, terminal), Rc::clone(&stacks));
        Ok(stacks)
    }

    /// The nesting depth of a stack: the greatest number of times that it has the same LR state.
    fn depth(&mut self, stack: StackId) -> Result<u32, OverBudget> {
        self.depths.resize(self.run.stacks.nodes(), 0);
        if self.depths[stack.index()] == 0 {
            let states = self.run.stacks.states(stack);
            self.budget.charge_work(states.len() as u64)?;
            let mut counts: FxHashMap<_, u32> = FxHashMap::default();
            states.into_iter().for_each(|state| *counts.entry(state).or_default() += 1);
            self.depths[stack.index()] = counts.into_values().max().unwrap_or(0);
        }
        Ok(self.depths[stack.index()])
    }
}
