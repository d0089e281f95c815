//! Collects the productions of a grammar that is being normalized.
//!
//! A [`Builder`] starts with the rules of the grammar as nonterminals, hands out helper nonterminals for the
//! rule at hand, and takes productions. [`finish`](Builder::finish) returns them as a [`Cfg`] that is not yet
//! trimmed.

use super::cfg::{Cfg, Helper, Origin, Production};
use gcc_grammar_ir::{Grammar, NonterminalId, Symbol, TerminalId};
use gcc_grammar_limits::{Budget, OverBudget};

/// An estimate of the bytes that a nonterminal takes in all tables of this stage and the next.
const BYTES_PER_NONTERMINAL: u64 = 240;
/// The same for a production, without its right-hand side, which is copied twice.
const BYTES_PER_PRODUCTION: u64 = 120;

/// Productions under construction.
pub(super) struct Builder<'a> {
    /// Per rule: whether it derives the empty string.
    pub(super) nullable: &'a [bool],
    pub(super) budget: &'a Budget,
    names: Vec<String>,
    origins: Vec<Origin>,
    /// See [`Cfg::unions`].
    unions: Vec<u32>,
    productions: Vec<Production>,
    /// The rule at hand. Helpers are named after it.
    rule: NonterminalId,
}

impl<'a> Builder<'a> {
    /// The rules of `grammar` as nonterminals, without productions.
    pub(super) fn new(grammar: &Grammar, nullable: &'a [bool], budget: &'a Budget) -> Self {
        let rules = 0..grammar.rules.len();
        Self {
            nullable,
            budget,
            names: grammar.rules.iter().map(|rule| rule.name.clone()).collect(),
            origins: rules.clone().map(|rule| Origin::Rule(NonterminalId::new(rule))).collect(),
            unions: vec![0; rules.len()],
            productions: Vec::new(),
            rule: NonterminalId(0),
        }
    }

    /// Makes `rule` the rule at hand.
    pub(super) fn begin(&mut self, rule: NonterminalId) {
        self.rule = rule;
    }

    /// Number of nonterminals so far. It makes the names of helpers unique.
    pub(super) fn nonterminals(&self) -> usize {
        self.names.len()
    }

    /// A new helper for the rule at hand. Its name is that of the rule, a dot, and `suffix`.
    pub(super) fn helper(&mut self, helper: Helper, suffix: &str) -> Result<NonterminalId, OverBudget> {
        self.fresh(Origin::Helper(helper, self.rule), suffix)
    }

    /// A new union of words of `length` symbols.
    pub(super) fn union(&mut self, length: usize) -> Result<NonterminalId, OverBudget> {
        let id = self.helper(Helper::Union, &format!("union{}", self.names.len()))?;
        self.unions[id.index()] = length as u32;
        Ok(id)
    }

    fn fresh(&mut self, origin: Origin, suffix: &str) -> Result<NonterminalId, OverBudget> {
        let id = NonterminalId::new(self.names.len());
        let rule = &self.names[self.rule.index()];
        self.budget.charge_bytes(rule.len() as u64 * 2 + BYTES_PER_NONTERMINAL)?;
        self.names.push(format!("{rule}.{suffix}"));
        self.origins.push(origin);
        self.unions.push(0);
        Ok(id)
    }

    /// Adds a production.
    pub(super) fn produce(&mut self, lhs: NonterminalId, rhs: Vec<Symbol>) -> Result<(), OverBudget> {
        debug_assert!(!rhs.is_empty());
        self.budget.charge_work(1)?;
        self.budget.charge_bytes(rhs.len() as u64 * 24 + BYTES_PER_PRODUCTION)?;
        self.productions.push(Production { lhs, rhs });
        Ok(())
    }

    /// Adds the start production, and returns the grammar.
    pub(super) fn finish(mut self, grammar: &Grammar) -> Result<Cfg, OverBudget> {
        let end = TerminalId::new(grammar.terminals.len());
        let start = self.fresh(Origin::Start, "start")?;
        let whole = Symbol::Nonterminal(grammar.start);
        self.produce(start, vec![whole, Symbol::Terminal(end)])?;
        if self.nullable[grammar.start.index()] {
            self.produce(start, vec![Symbol::Terminal(end)])?;
        }
        Ok(Cfg {
            terminal_count: end.index() + 1,
            names: self.names,
            origins: self.origins,
            unions: self.unions,
            productions: self.productions,
            start,
            end,
        })
    }
}
