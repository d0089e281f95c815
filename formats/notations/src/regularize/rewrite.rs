//! Writes a grammar anew with its regular parts as terminals.
//!
//! Input: the old grammar and the automata of its regular symbols. Output: a grammar of the rules that the start rule and the given places
//! still need, numbered in the order of first use. Equal languages are one terminal.

use super::allowance::Allowance;
use super::languages::Languages;
use super::terms::{Kind, Term, choice, repeat, sequence};
use gcc_grammar_ir::{
    Body, ContextRules, Expr, Grammar, NonterminalId, Pattern, Rule, Symbol, SymbolDfa, Terminal, TerminalId,
};
use gcc_grammar_regular::{Dfa, Regex};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The old grammar, and the new one as far as it is written.
pub(super) struct Rewriter<'g> {
    old: &'g Grammar,
    languages: &'g Languages,
    allowance: &'g Allowance,
    terminals: Vec<Terminal>,
    by_language: FxHashMap<Arc<Dfa>, TerminalId>,
    /// The new numbers of the terminals that are kept as they were: special tokens and parts of terms that are too large.
    kept: FxHashMap<TerminalId, TerminalId>,
    rules: Vec<Rule>,
    /// The new numbers of rules, by old number.
    numbers: FxHashMap<NonterminalId, NonterminalId>,
    /// The rules, by old number, whose bodies are not written yet.
    pending: Vec<NonterminalId>,
}

impl<'g> Rewriter<'g> {
    pub(super) fn new(old: &'g Grammar, languages: &'g Languages, allowance: &'g Allowance) -> Self {
        let (terminals, by_language, kept, rules, numbers, pending) = Default::default();
        Self { old, languages, allowance, terminals, by_language, kept, rules, numbers, pending }
    }

    /// The new grammar. `places` gets the new numbers of its rules.
    pub(super) fn rewrite(mut self, places: &mut [NonterminalId]) -> Grammar {
        let start = self.rule(self.old.start);
        for place in places.iter_mut() {
            *place = self.rule(*place);
        }
        while let Some(old) = self.pending.pop() {
            let body = self.body(old);
            let new = self.numbers[&old];
            self.rules[new.index()].body = body;
        }
        let Grammar { discipline, .. } = *self.old;
        Grammar {
            terminals: self.terminals,
            rules: self.rules,
            start,
            ignored: Vec::new(),
            discipline,
            contexts: ContextRules::default(),
        }
    }

    fn body(&mut self, old: NonterminalId) -> Body {
        let Rule { name, body, .. } = &self.old.rules[old.index()];
        let whole = self.languages.rules[old.index()].as_ref();
        if let Some(expr) = whole.and_then(|dfa| self.language(Arc::clone(dfa), name)) {
            return Body::Expr(expr);
        }
        match body {
            Body::Expr(expr) => {
                let term = self.term(expr);
                Body::Expr(self.expr(term))
            }
            Body::Automaton(automaton) => Body::Automaton(self.automaton(automaton)),
        }
    }

    /// The new number of a rule. Its body is written later.
    fn rule(&mut self, old: NonterminalId) -> NonterminalId {
        let next = NonterminalId::new(self.rules.len());
        let new = *self.numbers.entry(old).or_insert(next);
        if new == next {
            let Rule { name, location, .. } = &self.old.rules[old.index()];
            let body = Body::Expr(Expr::Choice(Vec::new()));
            self.rules.push(Rule { name: name.clone(), body, location: location.clone() });
            self.pending.push(old);
        }
        new
    }

    fn symbol(&self, symbol: Symbol) -> Term {
        let Some(regex) = self.languages.regex(self.old, symbol) else { return Term::Symbol(symbol) };
        let name = match symbol {
            Symbol::Terminal(id) => &self.old.terminals[id.index()].name,
            Symbol::Nonterminal(id) => &self.old.rules[id.index()].name,
        };
        Term::Regular { regex, name: name.clone(), parts: Vec::new(), kind: Kind::Whole(symbol) }
    }

    fn term(&self, expr: &Expr) -> Term {
        match expr {
            Expr::Symbol(symbol) => self.symbol(*symbol),
            Expr::Sequence(parts) => {
                let mut flat = Vec::with_capacity(parts.len());
                for part in parts {
                    match self.term(part) {
                        Term::Sequence(inner) => flat.extend(inner),
                        other => flat.push(other),
                    }
                }
                sequence(flat)
            }
            Expr::Choice(parts) => {
                let mut flat = Vec::with_capacity(parts.len());
                for part in parts {
                    match self.term(part) {
                        Term::Choice(inner) => flat.extend(inner),
                        other => flat.push(other),
                    }
                }
                choice(flat)
            }
            Expr::Repeat { inner, min, max } => repeat(self.term(inner), *min, *max),
        }
    }

    /// The expression of a term, with its regular parts as terminals. A regular part that is too large is taken apart.
    fn expr(&mut self, term: Term) -> Expr {
        match term {
            Term::Symbol(Symbol::Terminal(old)) => Expr::Symbol(Symbol::Terminal(self.kept(old))),
            Term::Symbol(Symbol::Nonterminal(old)) => Expr::Symbol(Symbol::Nonterminal(self.rule(old))),
            Term::Sequence(parts) => Expr::Sequence(parts.into_iter().map(|part| self.expr(part)).collect()),
            Term::Choice(parts) => Expr::Choice(parts.into_iter().map(|part| self.expr(part)).collect()),
            Term::Repeat { inner, min, max } => Expr::Repeat { inner: Box::new(self.expr(*inner)), min, max },
            Term::Regular { regex, name, parts, kind } => {
                let dfa = self.allowance.dfa(&regex);
                match dfa.and_then(|dfa| self.language(dfa, &name)) {
                    Some(expr) => expr,
                    None => self.take_apart(parts, kind),
                }
            }
        }
    }

    fn take_apart(&mut self, parts: Vec<Term>, kind: Kind) -> Expr {
        let mut parts: Vec<Expr> = parts.into_iter().map(|part| self.expr(part)).collect();
        match kind {
            Kind::Sequence => Expr::Sequence(parts),
            Kind::Choice => Expr::Choice(parts),
            Kind::Repeat(min, max) => Expr::Repeat { inner: Box::new(parts.remove(0)), min, max },
            Kind::Whole(Symbol::Terminal(old)) => Expr::Symbol(Symbol::Terminal(self.kept(old))),
            Kind::Whole(Symbol::Nonterminal(old)) => Expr::Symbol(Symbol::Nonterminal(self.rule(old))),
        }
    }

    /// The terminal of a language, which is optional if the language has the empty string; none if that is too large.
    fn language(&mut self, dfa: Arc<Dfa>, name: &str) -> Option<Expr> {
        if dfa.is_empty() {
            return Some(Expr::Choice(Vec::new()));
        }
        if !dfa.matches_empty() {
            return Some(Expr::Symbol(Symbol::Terminal(self.terminal(dfa, name))));
        }
        if *dfa == Dfa::empty_string() {
            return Some(Expr::Sequence(Vec::new()));
        }
        let rest = self.allowance.without_empty(&dfa)?;
        let name = name.strip_suffix('?').unwrap_or(name);
        let one = Expr::Symbol(Symbol::Terminal(self.terminal(rest, name)));
        Some(Expr::Repeat { inner: Box::new(one), min: 0, max: Some(1) })
    }

    fn terminal(&mut self, dfa: Arc<Dfa>, name: &str) -> TerminalId {
        let next = TerminalId::new(self.terminals.len());
        let id = *self.by_language.entry(Arc::clone(&dfa)).or_insert(next);
        if id == next {
            let pattern = Pattern::of(Regex::Automaton(dfa));
            self.terminals.push(Terminal { name: name.to_owned(), pattern, priority: 0, literal: false });
        }
        id
    }

    /// The new number of a terminal that stays as it was.
    fn kept(&mut self, old: TerminalId) -> TerminalId {
        let next = TerminalId::new(self.terminals.len());
        let new = *self.kept.entry(old).or_insert(next);
        if new == next {
            self.terminals.push(self.old.terminals[old.index()].clone());
        }
        new
    }

    /// The same automaton over the new symbols. Its letters are not joined, so a regular rule among them stays a rule.
    fn automaton(&mut self, old: &SymbolDfa) -> SymbolDfa {
        let mut new = old.clone();
        for state in &mut new.states {
            for (symbol, _) in &mut state.transitions {
                *symbol = match *symbol {
                    Symbol::Terminal(id) => Symbol::Terminal(self.kept(id)),
                    Symbol::Nonterminal(id) => Symbol::Nonterminal(self.rule(id)),
                };
            }
            state.transitions.sort_unstable();
        }
        new
    }
}
