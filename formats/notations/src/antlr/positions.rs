//! Which stacks of modes a lexer can have where a symbol of the grammar begins and ends.
//!
//! Input: symbols over tokens, each of which is of one mode and changes the stack. Output: the *visits*: pairs of a symbol and a stack where it begins, each
//! with the stacks where it may end. A symbol is told as many modes of the stack as it needs, one at least; a stack may forget what lies below a number of
//! modes, as long as nothing comes back to it. This is the least solution, so every stack of it is left by some tokens. The modes follow from the tokens that
//! were read, so at a place of the parser, all that may come next is of one mode.

use super::modal::{Part, Symbol, TEXT};
use super::modes::{LexerRule, Mode};
use super::stack::{Below, Stack, Unknown};
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The most modes of a stack that are remembered.
const MOST_MODES: usize = 8;
/// The most stacks where a symbol may end.
const MOST_ENDS: usize = 64;
/// Estimated work to follow a part, and bytes of a visit.
const WORK_PER_PART: u64 = 20;
const BYTES_PER_VISIT: u64 = 300;

pub(super) type Ends = BTreeSet<Stack>;

/// A symbol where the lexer has a stack.
pub(super) type Visit = (usize, Stack);

/// Why the modes are not known.
#[derive(Debug)]
pub(super) enum Problem {
    /// The symbol leaves too many stacks behind, or modes that were forgotten come back.
    Unbounded(usize),
    Budget(OverBudget),
}

impl From<OverBudget> for Problem {
    fn from(over: OverBudget) -> Self {
        Self::Budget(over)
    }
}

/// A step that cannot be made.
pub(super) enum Stop {
    Unknown(Unknown),
    Problem(Problem),
}

impl From<OverBudget> for Stop {
    fn from(over: OverBudget) -> Self {
        Self::Problem(Problem::Budget(over))
    }
}

/// The solution.
pub(super) struct Positions<'p> {
    pub(super) symbols: &'p [Symbol],
    pub(super) tokens: &'p [LexerRule<'p>],
    pub(super) budget: &'p Budget,
    /// The most modes of a stack that are remembered.
    most: usize,
    /// Per visit, the stacks where the symbol may end.
    ends: FxHashMap<Visit, Ends>,
    /// The visits in the order in which they were found.
    order: Vec<Visit>,
    /// Symbols that must be told more modes than these.
    told_too_few: FxHashSet<(usize, Vec<Mode>)>,
}

impl<'p> Positions<'p> {
    /// Finds the stacks. The fewest modes are remembered that suffice.
    pub(super) fn find(
        symbols: &'p [Symbol],
        tokens: &'p [LexerRule<'p>],
        budget: &'p Budget,
    ) -> Result<Self, Problem> {
        let mut problem = None;
        for most in 1..=MOST_MODES {
            let mut found = Self {
                symbols,
                tokens,
                budget,
                most,
                ends: FxHashMap::default(),
                order: Vec::new(),
                told_too_few: FxHashSet::default(),
            };
            match found.solve() {
                Ok(()) => return Ok(found),
                Err(Problem::Unbounded(symbol)) => problem = Some(Problem::Unbounded(symbol)),
                Err(over) => return Err(over),
            }
        }
        Err(problem.unwrap_or(Problem::Unbounded(TEXT)))
    }

    fn solve(&mut self) -> Result<(), Problem> {
        self.visit((TEXT, Stack::first()))?;
        loop {
            let mut is_done = true;
            let mut next = 0;
            while next < self.order.len() {
                is_done &= !self.improve(next)?;
                next += 1;
            }
            if is_done {
                return Ok(());
            }
        }
    }

    /// Follows a visit again. Returns whether there is something new.
    fn improve(&mut self, number: usize) -> Result<bool, Problem> {
        let (symbol, stack) = self.order[number].clone();
        let key = (symbol, stack.modes.clone());
        if stack.below == Below::Caller && self.told_too_few.contains(&key) {
            return Ok(false);
        }
        let (visits, symbols) = (self.order.len(), self.symbols);
        let starts = BTreeSet::from([stack.clone()]);
        match behind(self, &symbols[symbol].body, &starts) {
            Ok(ends) => {
                let known = self.ends.entry((symbol, stack)).or_default();
                let before = known.len();
                known.extend(ends);
                if known.len() > MOST_ENDS {
                    return Err(Problem::Unbounded(symbol));
                }
                Ok(known.len() > before || self.order.len() > visits)
            }
            Err(Stop::Unknown(Unknown::Caller)) => {
                self.told_too_few.insert(key);
                Ok(true)
            }
            Err(Stop::Unknown(Unknown::Forgotten)) => Err(Problem::Unbounded(symbol)),
            Err(Stop::Problem(problem)) => Err(problem),
        }
    }

    fn visit(&mut self, visit: Visit) -> Result<&Ends, OverBudget> {
        if !self.ends.contains_key(&visit) {
            self.budget.charge_bytes(BYTES_PER_VISIT)?;
            self.order.push(visit.clone());
        }
        Ok(self.ends.entry(visit).or_default())
    }

    /// The stack behind a token; none if the lexer does not have it with this one.
    fn after_token(&self, token: usize, stack: &Stack) -> Result<Option<Stack>, Unknown> {
        let LexerRule { mode, moves, .. } = &self.tokens[token];
        if *mode != stack.top() {
            return Ok(None);
        }
        stack.after(moves, self.most)
    }

    /// What a symbol is told that begins with a stack.
    fn told(&self, symbol: usize, stack: &Stack) -> Result<Stack, Unknown> {
        let mut modes = 1;
        while stack
            .modes
            .len()
            .checked_sub(modes)
            .is_some_and(|rest| self.told_too_few.contains(&(symbol, stack.modes[rest..].to_vec())))
        {
            modes += 1;
        }
        stack.told(modes)
    }

    /// The stack behind a token of the solution.
    pub(super) fn token(&self, token: usize, stack: &Stack) -> Option<Stack> {
        self.after_token(token, stack).ok().flatten()
    }

    /// The visit of a symbol that begins with a stack of the solution, with the stacks behind it: where the symbol ends, and the whole.
    pub(super) fn symbol(&self, symbol: usize, stack: &Stack) -> Option<(Visit, Vec<(Stack, Stack)>)> {
        let told = self.told(symbol, stack).ok()?;
        let visit = (symbol, told);
        let ends = self.ends.get(&visit)?.iter();
        let ends = ends.map(|left| (left.clone(), stack.behind(&visit.1, left, self.most))).collect();
        Some((visit, ends))
    }

    /// The stacks behind whole texts.
    pub(super) fn ends(&self) -> impl Iterator<Item = &Stack> {
        self.ends.get(&(TEXT, Stack::first())).into_iter().flatten()
    }
}

/// How tokens and symbols lead from a stack to those behind them.
pub(super) trait Follow {
    type Stop: From<OverBudget>;

    fn budget(&self) -> &Budget;

    /// None if the lexer does not have the token with this stack.
    fn behind_token(&mut self, token: usize, stack: &Stack) -> Result<Option<Stack>, Self::Stop>;

    fn behind_symbol(&mut self, symbol: usize, stack: &Stack) -> Result<Vec<Stack>, Self::Stop>;

    /// Refuses too many stacks behind one part.
    fn check(&self, ends: &Ends) -> Result<(), Self::Stop>;
}

/// The stacks behind a part that begins with one of these.
pub(super) fn behind<F: Follow>(follow: &mut F, part: &Part, starts: &Ends) -> Result<Ends, F::Stop> {
    follow.budget().charge_work(WORK_PER_PART * (1 + starts.len() as u64))?;
    let mut ends = Ends::new();
    match part {
        Part::End => ends.extend(starts.iter().cloned()),
        Part::Token(token) => {
            for stack in starts {
                ends.extend(follow.behind_token(*token, stack)?);
            }
        }
        Part::Symbol(symbol) => {
            for stack in starts {
                ends.extend(follow.behind_symbol(*symbol, stack)?);
            }
        }
        Part::Sequence(parts) => {
            ends = starts.clone();
            for part in parts {
                ends = behind(follow, part, &ends)?;
            }
        }
        Part::Choice(parts) => {
            for part in parts {
                ends.extend(behind(follow, part, starts)?);
            }
        }
        Part::Repeat { inner, optional, many } => {
            ends = behind(follow, inner, starts)?;
            let mut new: Ends = ends.difference(starts).filter(|_| *many).cloned().collect();
            while !new.is_empty() {
                follow.check(&ends)?;
                new = behind(follow, inner, &new)?;
                new.retain(|stack| ends.insert(stack.clone()));
            }
            ends.extend(starts.iter().filter(|_| *optional).cloned());
        }
    }
    Ok(ends)
}

/// While the solution is looked for.
impl Follow for Positions<'_> {
    type Stop = Stop;

    fn budget(&self) -> &Budget {
        self.budget
    }

    fn behind_token(&mut self, token: usize, stack: &Stack) -> Result<Option<Stack>, Stop> {
        self.after_token(token, stack).map_err(Stop::Unknown)
    }

    fn behind_symbol(&mut self, symbol: usize, stack: &Stack) -> Result<Vec<Stack>, Stop> {
        let told = self.told(symbol, stack).map_err(Stop::Unknown)?;
        let most = self.most;
        let own = self.visit((symbol, told.clone()))?;
        Ok(own.iter().map(|left| stack.behind(&told, left, most)).collect())
    }

    fn check(&self, ends: &Ends) -> Result<(), Stop> {
        if ends.len() > MOST_ENDS { Err(Stop::Unknown(Unknown::Forgotten)) } else { Ok(()) }
    }
}

/// In the solution.
impl Follow for &Positions<'_> {
    type Stop = OverBudget;

    fn budget(&self) -> &Budget {
        self.budget
    }

    fn behind_token(&mut self, token: usize, stack: &Stack) -> Result<Option<Stack>, OverBudget> {
        Ok(self.token(token, stack))
    }

    fn behind_symbol(&mut self, symbol: usize, stack: &Stack) -> Result<Vec<Stack>, OverBudget> {
        let ends = self.symbol(symbol, stack).map(|(_, ends)| ends).unwrap_or_default();
        Ok(ends.into_iter().map(|(_, behind)| behind).collect())
    }

    fn check(&self, _: &Ends) -> Result<(), OverBudget> {
        Ok(())
    }
}
