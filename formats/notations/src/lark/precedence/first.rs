//! First sets: the terminals that an expression can begin with.
//!
//! The set of a rule is computed when it is first needed, and then kept.

use gcc_grammar_ir::check::nullable;
use gcc_grammar_ir::{Body, Expr, NonterminalId, Rule, Symbol, TerminalId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The first sets of rules.
pub(super) struct First<'r> {
    rules: &'r [Rule],
    /// Per rule, whether it derives the empty text.
    nullable: Vec<bool>,
    known: FxHashMap<NonterminalId, Rc<BTreeSet<TerminalId>>>,
    visits: usize,
}

impl<'r> First<'r> {
    pub(super) fn new(rules: &'r [Rule]) -> Self {
        Self { rules, nullable: nullable(rules), known: FxHashMap::default(), visits: 0 }
    }

    /// The number of rules that were visited since the last call.
    pub(super) fn visits(&mut self) -> usize {
        std::mem::take(&mut self.visits)
    }

    /// The terminals that a sequence can begin with.
    pub(super) fn of(&mut self, sequence: &[Expr]) -> BTreeSet<TerminalId> {
        let (mut terminals, mut nonterminals) = Default::default();
        self.begin_all(sequence, &mut terminals, &mut nonterminals);
        for nonterminal in nonterminals {
            terminals.extend(self.rule(nonterminal).iter());
        }
        terminals
    }

    fn rule(&mut self, nonterminal: NonterminalId) -> Rc<BTreeSet<TerminalId>> {
        if let Some(known) = self.known.get(&nonterminal) {
            return Rc::clone(known);
        }
        let mut terminals = BTreeSet::new();
        let mut met = BTreeSet::from([nonterminal]);
        let mut open = vec![nonterminal];
        while let Some(nonterminal) = open.pop() {
            let Body::Expr(body) = &self.rules[nonterminal.index()].body else { continue };
            self.visits += 1;
            let mut next = BTreeSet::new();
            self.begin(body, &mut terminals, &mut next);
            open.extend(next.into_iter().filter(|&next| met.insert(next)));
        }
        let terminals = Rc::new(terminals);
        self.known.insert(nonterminal, Rc::clone(&terminals));
        terminals
    }

    /// Adds the symbols that an expression can begin with, and returns whether the expression derives the empty text.
    fn begin(
        &self,
        expr: &Expr,
        terminals: &mut BTreeSet<TerminalId>,
        nonterminals: &mut BTreeSet<NonterminalId>,
    ) -> bool {
        match expr {
            Expr::Symbol(Symbol::Terminal(terminal)) => {
                terminals.insert(*terminal);
                false
            }
            Expr::Symbol(Symbol::Nonterminal(nonterminal)) => {
                nonterminals.insert(*nonterminal);
                self.nullable[nonterminal.index()]
            }
            Expr::Sequence(parts) => self.begin_all(parts, terminals, nonterminals),
            Expr::Choice(parts) => {
                let vanishing = parts.iter().filter(|part| self.begin(part, terminals, nonterminals));
                vanishing.count() > 0
            }
            Expr::Repeat { max: Some(0), .. } => true,
            Expr::Repeat { inner, min, .. } => self.begin(inner, terminals, nonterminals) || *min == 0,
        }
    }

    fn begin_all(
        &self,
        sequence: &[Expr],
        terminals: &mut BTreeSet<TerminalId>,
        nonterminals: &mut BTreeSet<NonterminalId>,
    ) -> bool {
        sequence.iter().all(|part| self.begin(part, terminals, nonterminals))
    }
}
