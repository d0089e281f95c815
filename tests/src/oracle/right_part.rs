//! Right-hand sides as they are written: the positions of each are found by partial derivatives.
//!
//! A position of an expression is the rest that is still to be derived (Antimirov, Partial derivatives of regular expressions,
//! 1996); a position of an automaton is one of its states. Positions that cannot be completed are trimmed, so
//! that whatever reaches a position is a viable prefix.

use gcc_grammar_ir::{Body, Expr, Grammar, NonterminalId, Symbol, SymbolDfa, index_newtype};
use rustc_hash::FxHashMap;

index_newtype! {
    /// A position in [`RightParts`].
    PositionId;
}

/// A place in a rule's right part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    /// The rule's nonterminal.
    pub owner: NonterminalId,
    /// The right part may end here.
    pub accepting: bool,
    /// What may come next, and where it leads.
    pub steps: Vec<(Symbol, PositionId)>,
}

/// All right parts of a grammar.
#[derive(Clone, Debug)]
pub struct RightParts {
    /// By id.
    pub positions: Vec<Position>,
    /// Per nonterminal, where its right part starts.
    pub starts: Vec<PositionId>,
}

impl RightParts {
    /// The right parts of `grammar` without anything unproductive; `inhabited` tells the terminals that match
    /// some text.
    #[must_use]
    pub fn new(grammar: &Grammar, inhabited: &[bool]) -> Self {
        let mut parts = Self { positions: Vec::new(), starts: Vec::new() };
        for (index, rule) in grammar.rules.iter().enumerate() {
            let owner = NonterminalId::new(index);
            parts.starts.push(PositionId::new(parts.positions.len()));
            match &rule.body {
                Body::Expr(expr) => parts.add_expression(owner, expr),
                Body::Automaton(automaton) => parts.add_automaton(owner, automaton),
            }
        }
        parts.trim(inhabited);
        parts
    }

    /// The position by id.
    #[must_use]
    pub fn position(&self, id: PositionId) -> &Position {
        &self.positions[id.index()]
    }

    /// Whether the nonterminal derives anything.
    #[must_use]
    pub fn is_productive(&self, nonterminal: NonterminalId) -> bool {
        let start = self.position(self.starts[nonterminal.index()]);
        start.accepting || !start.steps.is_empty()
    }

    /// Per nonterminal: whether it derives the empty sequence.
    #[must_use]
    pub fn nullable(&self) -> Vec<bool> {
        let mut accepting: Vec<bool> = self.positions.iter().map(|position| position.accepting).collect();
        self.close(&mut accepting, |accepting, symbol| match symbol {
            Symbol::Terminal(_) => false,
            Symbol::Nonterminal(nonterminal) => accepting[self.starts[nonterminal.index()].index()],
        });
        self.starts.iter().map(|start| accepting[start.index()]).collect()
    }

    /// Adds to `good` every position with a step over a `passable` symbol to a good position, until nothing changes.
    fn close(&self, good: &mut [bool], passable: impl Fn(&[bool], Symbol) -> bool) {
        let mut changed = true;
        while changed {
            changed = false;
            for (index, position) in self.positions.iter().enumerate() {
                let leads_on =
                    |&(symbol, target): &(Symbol, PositionId)| good[target.index()] && passable(good, symbol);
                if !good[index] && position.steps.iter().any(leads_on) {
                    good[index] = true;
                    changed = true;
                }
            }
        }
    }

    fn add_automaton(&mut self, owner: NonterminalId, automaton: &SymbolDfa) {
        let first = self.positions.len();
        if automaton.states.is_empty() {
            self.positions.push(Position { owner, accepting: false, steps: Vec::new() });
        }
        for state in &automaton.states {
            let step = |&(symbol, target): &(Symbol, u32)| (symbol, PositionId::new(first + target as usize));
            let steps = state.transitions.iter().map(step).collect();
            self.positions.push(Position { owner, accepting: state.accepting, steps });
        }
    }

    fn add_expression(&mut self, owner: NonterminalId, expr: &Expr) {
        let first = self.positions.len();
        let mut found = vec![vec![expr.clone()]];
        let mut ids = FxHashMap::from_iter([(found[0].clone(), 0)]);
        let mut next = 0;
        while next < found.len() {
            let (accepting, continuations) = linear_form(&found[next].clone());
            let mut steps = Vec::new();
            for (symbol, rest) in continuations {
                let id = *ids.entry(rest.clone()).or_insert_with(|| {
                    found.push(rest);
                    found.len() - 1
                });
                let step = (symbol, PositionId::new(first + id));
                if !steps.contains(&step) {
                    steps.push(step);
                }
            }
            self.positions.push(Position { owner, accepting, steps });
            next += 1;
        }
    }

    /// Removes steps over unproductive symbols and into positions that cannot be completed.
    fn trim(&mut self, inhabited: &[bool]) {
        let mut live: Vec<bool> = self.positions.iter().map(|position| position.accepting).collect();
        let starts = self.starts.clone();
        let productive = |live: &[bool], symbol: Symbol| match symbol {
            Symbol::Terminal(terminal) => inhabited[terminal.index()],
            Symbol::Nonterminal(nonterminal) => live[starts[nonterminal.index()].index()],
        };
        self.close(&mut live, productive);
        for position in &mut self.positions {
            position.steps.retain(|&(symbol, target)| productive(&live, symbol) && live[target.index()]);
        }
    }
}

/// The rest of a right-hand side: these expressions in order.
type Residual = Vec<Expr>;

/// Whether the residual matches the empty sequence, and its symbol-residual pairs.
fn linear_form(residual: &[Expr]) -> (bool, Vec<(Symbol, Residual)>) {
    let mut steps = Vec::new();
    for (index, expr) in residual.iter().enumerate() {
        first_steps(expr, &residual[index + 1..], &mut steps);
        if !matches_empty(expr) {
            return (false, steps);
        }
    }
    (true, steps)
}

/// The steps that begin inside `expr` when `tail` follows it.
fn first_steps(expr: &Expr, tail: &[Expr], steps: &mut Vec<(Symbol, Residual)>) {
    match expr {
        Expr::Symbol(symbol) => steps.push((*symbol, tail.to_vec())),
        Expr::Choice(parts) => parts.iter().for_each(|part| first_steps(part, tail, steps)),
        Expr::Sequence(parts) => {
            for (index, part) in parts.iter().enumerate() {
                first_steps(part, &[&parts[index + 1..], tail].concat(), steps);
                if !matches_empty(part) {
                    break;
                }
            }
        }
        Expr::Repeat { max: Some(0), .. } => {}
        Expr::Repeat { min, max: Some(max), .. } if min > max => {}
        Expr::Repeat { inner, min, max } => {
            let rest = Expr::Repeat {
                inner: inner.clone(),
                min: min.saturating_sub(1),
                max: max.map(|max| max - 1),
            };
            first_steps(inner, &[&[rest], tail].concat(), steps);
        }
    }
}

/// Whether the expression matches the empty sequence of symbols.
fn matches_empty(expr: &Expr) -> bool {
    match expr {
        Expr::Symbol(_) => false,
        Expr::Sequence(parts) => parts.iter().all(matches_empty),
        Expr::Choice(parts) => parts.iter().any(matches_empty),
        Expr::Repeat { min, max: Some(max), .. } if min > max => false,
        Expr::Repeat { inner, min, .. } => *min == 0 || matches_empty(inner),
    }
}
