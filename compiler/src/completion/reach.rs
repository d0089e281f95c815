//! Which parts of a grammar only long texts have.
//!
//! In: the automata of a grammar, and a vocabulary. Out: [`Reach`]: the fewest tokens of a text, and each [`FarPart`],
//! symbols of a rule that no text of fewer tokens than some number has at this place.
//!
//! The costs to pop cells ([`Summaries`]) are those of derivations: a cost follows from that of a caller and that of a way,
//! their sum being its own at least. What a text costs apart from one of these facts is the *outside* cost of the fact; it is
//! found backwards from the end of the text, cheapest first. The sum of both is the least cost of a text with this fact.
//! Every reduction and every shift is such a fact. The tables are those before minimization, which would merge productions
//! that continue alike.

use super::boundaries::Boundaries;
use super::classes::NEVER;
use super::summaries::{Exit, Place, PlaceId, Summaries, Way};
use super::{Cost, Tokens, lexeme_ends};
use crate::automata::{Automata, Decoding};
use crate::ids::{LrState, ProductionId};
use crate::lr::{self, Action};
use crate::normalize::{Cfg, Origin, Production};
use crate::{TokenBudgets, lexer};
use gcc_grammar_ir::{NonterminalId, Symbol};
use gcc_grammar_limits::{Budget, OverBudget};
use gcc_grammar_vocabulary::Vocabulary;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The work that exact costs may take, about half a second; else they are bounded.
const EXACT_WORK: u64 = 50_000_000;

/// How far the texts of a grammar are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reach {
    /// Whether these are the fewest tokens. If not, tokens that span lexemes may save some.
    pub is_exact: bool,
    /// The fewest tokens of a text, the end token included; `None` if no text is known.
    pub shortest: Option<u32>,
    /// The outermost parts that only longer texts than asked for have, rule by rule.
    pub far: Vec<FarPart>,
}

/// Symbols of a rule that only long texts have at this place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FarPart {
    /// The rule.
    pub rule: NonterminalId,
    /// The symbols, which stand in one production, in their order.
    pub symbols: Vec<Symbol>,
    /// The fewest tokens of a text that has one of them, the end token included.
    pub tokens: u32,
}

/// Finds the parts that no text of fewer than `limit` tokens has. `None` if that takes more work or bytes than are left; it
/// leaves the compilation as much as before.
///
/// What lies within a terminal is not told apart, and neither is what follows a part that is far.
#[must_use]
pub fn reach(automata: &Automata, vocabulary: &Vocabulary, limit: u32) -> Option<Reach> {
    let find = |budgets: TokenBudgets, budget: Budget| {
        find(automata, vocabulary, budgets, limit, &budget.stage("reach")).ok()
    };
    find(TokenBudgets::Exact, automata.budget.fork_within(EXACT_WORK))
        .or_else(|| find(TokenBudgets::Bounded, automata.budget.fork()))
}

fn find(
    automata: &Automata,
    vocabulary: &Vocabulary,
    budgets: TokenBudgets,
    limit: Cost,
    budget: &Budget,
) -> Result<Reach, OverBudget> {
    let lr = lr::build(&automata.cfg, budget)?;
    let (lexer, contexts) = lexer::build(&automata.grammar, &lr, &automata.symbols, budget)?;
    let decoding = Decoding { lr: &lr, lexer: &lexer, contexts: &contexts };
    let tokens = Tokens::new(vocabulary, &automata.symbols);
    let (_, rows) = lexeme_ends(&decoding, &tokens, budgets, budget)?;
    let boundaries = Boundaries::new(&decoding, &rows, budget)?;
    let summaries = Summaries::new(&decoding, &boundaries, budget)?;
    let facts = Facts::new(&summaries);
    let outside = facts.outside(&decoding, budget)?;
    let costs = SymbolCosts::new(&automata.cfg, &decoding, &boundaries, &facts, &outside);
    Ok(Reach {
        is_exact: budgets == TokenBudgets::Exact,
        shortest: facts.accepted().map(|(_, cost)| cost),
        far: costs.far(&automata.cfg, limit),
    })
}

/// The facts of the summaries, numbered: the ways of all places, then the callers of all places.
struct Facts<'a> {
    summaries: &'a Summaries<'a>,
    cost: Vec<Cost>,
    ways: FxHashMap<(PlaceId, Way), usize>,
    /// By the place of the caller, the place that it reaches, and whether that is above.
    callers: FxHashMap<(PlaceId, PlaceId, bool), usize>,
}

impl<'a> Facts<'a> {
    fn new(summaries: &'a Summaries<'a>) -> Self {
        let mut facts =
            Self { summaries, cost: Vec::new(), ways: FxHashMap::default(), callers: FxHashMap::default() };
        for place in facts.places() {
            for &(way, cost) in summaries.ways(place) {
                facts.ways.insert((place, way), facts.cost.len());
                facts.cost.push(cost);
            }
            for caller in summaries.callers(place) {
                facts.callers.insert((caller.place, place, caller.is_above), facts.cost.len());
                facts.cost.push(caller.cost);
            }
        }
        facts
    }

    fn places(&self) -> impl Iterator<Item = PlaceId> + use<> {
        (0..self.summaries.places().len()).map(PlaceId::new)
    }

    /// The fact that a text ends, and what the shortest text costs.
    fn accepted(&self) -> Option<(usize, Cost)> {
        let start = PlaceId(0);
        let fact = *self.ways.get(&(start, Way::Accepted))?;
        Some((fact, self.cost[fact]))
    }

    /// Per fact: the least cost of a text with this fact, without the cost of the fact itself.
    fn outside(&self, decoding: &Decoding<'_>, budget: &Budget) -> Result<Vec<Cost>, OverBudget> {
        let derivations = self.derivations(decoding, budget)?;
        let mut outside = vec![NEVER; self.cost.len()];
        let mut open = BinaryHeap::new();
        open.extend(self.accepted().map(|(fact, _)| Reverse((0, fact))));
        while let Some(Reverse((cost, fact))) = open.pop() {
            if outside[fact] != NEVER {
                continue;
            }
            outside[fact] = cost;
            budget.charge_work(derivations[fact].len() as u64 + 1)?;
            for &(caller, way) in &derivations[fact] {
                for (of, other) in [(caller, way), (way, caller)] {
                    if outside[of] == NEVER {
                        open.push(Reverse((cost.saturating_add(self.cost[other]), of)));
                    }
                }
            }
        }
        Ok(outside)
    }

    /// Per fact: the callers and ways from which it follows.
    fn derivations(
        &self,
        decoding: &Decoding<'_>,
        budget: &Budget,
    ) -> Result<Vec<Vec<(usize, usize)>>, OverBudget> {
        let mut derivations = vec![Vec::new(); self.cost.len()];
        for place in self.places() {
            let ways = self.summaries.ways(place);
            for caller in self.summaries.callers(place) {
                budget.charge_work(ways.len() as u64 + 1)?;
                budget.charge_bytes(size_of::<(usize, usize)>() as u64 * ways.len() as u64)?;
                let of_caller = self.callers[&(caller.place, place, caller.is_above)];
                for &(way, _) in ways {
                    if let Some(fact) = self.after(decoding, caller.place, caller.is_above, way) {
                        derivations[fact].push((of_caller, self.ways[&(place, way)]));
                    }
                }
            }
        }
        Ok(derivations)
    }

    /// What follows for a place from a way of the place that it reaches.
    fn after(&self, decoding: &Decoding<'_>, place: PlaceId, is_above: bool, way: Way) -> Option<usize> {
        let summaries = self.summaries;
        let exit = match way {
            Way::Exit(exit) if is_above => summaries.exit(exit),
            _ => return self.ways.get(&(place, way)).copied(),
        };
        if let Some(left) = exit.left.checked_sub(1) {
            return self.exit(place, Exit { left, ..exit });
        }
        let to = decoding.lr.goto(summaries.places()[place.index()].state, exit.nonterminal)?;
        self.callers.get(&(place, summaries.find(to, exit.boundary)?, true)).copied()
    }

    fn exit(&self, place: PlaceId, exit: Exit) -> Option<usize> {
        self.ways.get(&(place, Way::Exit(self.summaries.exit_id(exit)?))).copied()
    }
}

/// The least costs of texts with a production, a terminal, a nonterminal.
struct SymbolCosts {
    productions: Vec<Cost>,
    terminals: Vec<Cost>,
    nonterminals: Vec<Cost>,
}

impl SymbolCosts {
    fn new(
        cfg: &Cfg,
        decoding: &Decoding<'_>,
        boundaries: &Boundaries<'_>,
        facts: &Facts<'_>,
        outside: &[Cost],
    ) -> Self {
        let lr = decoding.lr;
        let mut costs = Self {
            productions: vec![NEVER; cfg.productions.len()],
            terminals: vec![NEVER; lr.terminals],
            nonterminals: vec![NEVER; cfg.names.len()],
        };
        for place in facts.places() {
            let Place { state, boundary } = facts.summaries.places()[place.index()];
            for &(_, action) in lr.actions.row(state.index()) {
                let Action::Reduce(ProductionId(production)) = action else { continue };
                let (nonterminal, length) = lr.productions[production as usize];
                let exit = Exit { nonterminal, left: length - 1, boundary };
                let cost = facts.exit(place, exit).map_or(NEVER, |fact| outside[fact]);
                lower(&mut costs.productions[production as usize], cost);
            }
            for outcome in boundaries.outcomes(boundary) {
                let shifted = lr.actions_on(state, outcome.terminal).iter();
                for to in shifted.filter_map(|(_, action)| action.shift()) {
                    let above = |to: LrState| {
                        let reached = facts.summaries.find(to, boundaries.after(outcome.end, to))?;
                        facts.callers.get(&(place, reached, true))
                    };
                    let cost = above(to).map_or(NEVER, |&fact| outside[fact]);
                    lower(
                        &mut costs.terminals[outcome.terminal.index()],
                        cost.saturating_add(outcome.tokens),
                    );
                }
            }
        }
        for (production, &cost) in cfg.productions.iter().zip(&costs.productions) {
            lower(&mut costs.nonterminals[production.lhs.index()], cost);
        }
        // The parser does not reduce to unions, so it is not known what their words cost.
        for (cost, &length) in costs.nonterminals.iter_mut().zip(&cfg.unions) {
            *cost = if length > 0 { 0 } else { *cost };
        }
        for (cost, production) in costs.productions.iter_mut().zip(&cfg.productions) {
            *cost = if cfg.unions[production.lhs.index()] > 0 { 0 } else { *cost };
        }
        costs
    }

    fn of_symbol(&self, symbol: Symbol) -> Cost {
        match symbol {
            Symbol::Terminal(terminal) => self.terminals.get(terminal.index()).copied().unwrap_or(0),
            Symbol::Nonterminal(nonterminal) => self.nonterminals[nonterminal.index()],
        }
    }

    /// The outermost parts that no text of fewer tokens has.
    fn far(&self, cfg: &Cfg, limit: Cost) -> Vec<FarPart> {
        let mut rules: FxHashMap<NonterminalId, Cost> = FxHashMap::default();
        for (origin, &cost) in cfg.origins.iter().zip(&self.nonterminals) {
            if let Origin::Rule(rule) = *origin {
                rules.insert(rule, cost);
            }
        }
        // Per symbol of a rule: the least cost of a text that has it there.
        let mut symbols: FxHashMap<(NonterminalId, Symbol), Cost> = FxHashMap::default();
        for (rule, production, cost) in self.of_rules(cfg) {
            for &symbol in production.rhs.iter().filter(|symbol| !is_helper(cfg, **symbol)) {
                lower(symbols.entry((rule, symbol)).or_insert(NEVER), self.of_symbol(symbol).max(cost));
            }
        }
        let mut parts = Vec::new();
        for (rule, production, _) in self.of_rules(cfg) {
            let is_outermost = rules.get(&rule).is_none_or(|&cost| cost < limit);
            if !is_outermost || self.is_behind(cfg, production, limit) {
                continue;
            }
            let mut part = FarPart { rule, symbols: Vec::new(), tokens: NEVER };
            for &symbol in &production.rhs {
                // Each symbol of a rule is named once.
                let tokens = symbols.get(&(rule, symbol)).copied().unwrap_or(0);
                if tokens >= limit && tokens != NEVER {
                    symbols.insert((rule, symbol), 0);
                    part.symbols.push(symbol);
                    lower(&mut part.tokens, tokens);
                }
            }
            parts.extend((!part.symbols.is_empty()).then_some(part));
        }
        parts.sort_by_key(|part| part.rule);
        parts
    }

    /// The productions with the rules that they were made for, and what they cost.
    fn of_rules<'c>(
        &'c self,
        cfg: &'c Cfg,
    ) -> impl Iterator<Item = (NonterminalId, &'c Production, Cost)> + use<'c> {
        let costs = cfg.productions.iter().zip(&self.productions);
        costs.filter_map(|(production, &cost)| {
            Some((cfg.origins[production.lhs.index()].rule()?, production, cost))
        })
    }

    /// Whether another part of the same rule that is far comes before the last symbol of a production.
    fn is_behind(&self, cfg: &Cfg, production: &Production, limit: Cost) -> bool {
        let mut helpers = production.rhs.iter().filter(|symbol| is_helper(cfg, **symbol));
        helpers.any(|&symbol| self.of_symbol(symbol) >= limit)
    }
}

fn lower(known: &mut Cost, cost: Cost) {
    *known = cost.min(*known);
}

fn is_helper(cfg: &Cfg, symbol: Symbol) -> bool {
    matches!(symbol, Symbol::Nonterminal(id) if matches!(cfg.origins[id.index()], Origin::Helper(..)))
}
