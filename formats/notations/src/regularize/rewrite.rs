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

/// A term whose parts are being turned into expressions.
struct Open {
    kind: Kind,
    rest: std::vec::IntoIter<Term>,
    done: Vec<Expr>,
}

/// The expression of these parts; without a kind, that of the only part.
fn joined(kind: Option<Kind>, mut parts: Vec<Expr>) -> Expr {
    match kind {
        Some(Kind::Sequence) => Expr::Sequence(parts),
        Some(Kind::Choice) => Expr::Choice(parts),
        Some(Kind::Repeat(min, max)) if parts.len() == 1 => {
            Expr::Repeat { inner: Box::new(parts.remove(0)), min, max }
        }
        _ if parts.len() == 1 => parts.remove(0),
        _ => Expr::Sequence(parts),
    }
}

/// The parts, in which those that are again of the same kind stand for their own parts.
fn flat(parts: Vec<Term>, inner: impl Fn(Term) -> Result<Vec<Term>, Term>) -> Vec<Term> {
    let mut all = Vec::with_capacity(parts.len());
    for part in parts {
        match inner(part) {
            Ok(parts) => all.extend(parts),
            Err(part) => all.push(part),
        }
    }
    all
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
        expr.fold(|expr, parts| match expr {
            Expr::Symbol(symbol) => self.symbol(*symbol),
            Expr::Sequence(_) => sequence(flat(parts, |part| match part {
                Term::Sequence(inner) => Ok(inner),
                other => Err(other),
            })),
            Expr::Choice(_) => choice(flat(parts, |part| match part {
                Term::Choice(inner) => Ok(inner),
                other => Err(other),
            })),
            Expr::Repeat { min, max, .. } => parts
                .into_iter()
                .next()
                .map_or_else(|| sequence(Vec::new()), |inner| repeat(inner, *min, *max)),
        })
    }

    /// The expression of a term, with its regular parts as terminals. A regular part that is too large is taken apart. The terms around the one at hand
    /// lie on a stack.
    fn expr(&mut self, term: Term) -> Expr {
        let mut open: Vec<Open> = Vec::new();
        let mut next = term;
        loop {
            let (kind, parts) = match self.parts(next) {
                Ok(expr) => (None, vec![expr]),
                Err((kind, parts)) => {
                    let mut rest = parts.into_iter();
                    if let Some(first) = rest.next() {
                        open.push(Open { kind, rest, done: Vec::new() });
                        next = first;
                        continue;
                    }
                    (Some(kind), Vec::new())
                }
            };
            let mut expr = joined(kind, parts);
            next = loop {
                let Some(mut around) = open.pop() else { return expr };
                around.done.push(expr);
                if let Some(part) = around.rest.next() {
                    open.push(around);
                    break part;
                }
                expr = joined(Some(around.kind), around.done);
            };
        }
    }

    /// The expression of a term, or the terms that it is made of.
    fn parts(&mut self, term: Term) -> Result<Expr, (Kind, Vec<Term>)> {
        match term {
            Term::Symbol(symbol) => Ok(Expr::Symbol(self.new_symbol(symbol))),
            Term::Sequence(parts) => Err((Kind::Sequence, parts)),
            Term::Choice(parts) => Err((Kind::Choice, parts)),
            Term::Repeat { inner, min, max } => Err((Kind::Repeat(min, max), vec![*inner])),
            Term::Regular { regex, name, parts, kind } => {
                let dfa = self.allowance.dfa(&regex);
                match (dfa.and_then(|dfa| self.language(dfa, &name)), kind) {
                    (Some(expr), _) => Ok(expr),
                    (None, Kind::Whole(symbol)) => Ok(Expr::Symbol(self.new_symbol(symbol))),
                    (None, kind) => Err((kind, parts)),
                }
            }
        }
    }

    /// The new number of a symbol that stays as it was.
    fn new_symbol(&mut self, old: Symbol) -> Symbol {
        match old {
            Symbol::Terminal(old) => Symbol::Terminal(self.kept(old)),
            Symbol::Nonterminal(old) => Symbol::Nonterminal(self.rule(old)),
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
                *symbol = self.new_symbol(*symbol);
            }
            state.transitions.sort_unstable();
        }
        new
    }
}
