//! Right parts with their maximal regular parts as terminals.

use super::{Builder, Languages};
use gcc_grammar_ir::{
    Body, ContextRules, Expr, Grammar, NonterminalId, Pattern, Rule, Symbol, SymbolDfa, Terminal, TerminalId,
};
use gcc_grammar_regular::{Dfa, Regex};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Names of terminals that are made of others are cut off after so many characters.
const MAX_NAME: usize = 60;

/// A right part in which what is regular is known.
enum Term {
    Regular { regex: Regex, name: String, parts: Vec<Term>, kind: Kind },
    Symbol(Symbol),
    Sequence(Vec<Term>),
    Choice(Vec<Term>),
    Repeat { inner: Box<Term>, min: u32, max: Option<u32> },
}

/// What a regular term is made of.
#[derive(Clone, Copy)]
enum Kind {
    /// One symbol of the old grammar.
    Whole(Symbol),
    Sequence,
    Choice,
    Repeat(u32, Option<u32>),
}

/// The grammar on its way from old to new.
pub(super) struct Terms<'g> {
    old: &'g Grammar,
    languages: &'g Languages,
    builder: &'g Builder,
    terminals: Vec<Terminal>,
    by_language: FxHashMap<Arc<Dfa>, TerminalId>,
    /// Terminals that are no text, and the special ones, by old number.
    kept: FxHashMap<TerminalId, TerminalId>,
    rules: Vec<Rule>,
    numbers: FxHashMap<NonterminalId, NonterminalId>,
    pending: Vec<NonterminalId>,
}

impl<'g> Terms<'g> {
    pub(super) fn new(old: &'g Grammar, languages: &'g Languages, builder: &'g Builder) -> Self {
        let (terminals, by_language, kept, rules, numbers, pending) = Default::default();
        Self { old, languages, builder, terminals, by_language, kept, rules, numbers, pending }
    }

    /// The new grammar; `places` get their new numbers.
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

    /// The new number of a rule, which is written later.
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
        let Some(dfa) = self.languages.of(symbol) else { return Term::Symbol(symbol) };
        let name = match symbol {
            Symbol::Terminal(id) => &self.old.terminals[id.index()].name,
            Symbol::Nonterminal(id) => &self.old.rules[id.index()].name,
        };
        let (regex, kind) = (Regex::Automaton(Arc::clone(dfa)), Kind::Whole(symbol));
        Term::Regular { regex, name: name.clone(), parts: Vec::new(), kind }
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

    /// The expression, its regular parts as terminals. What is too large for one terminal falls apart again.
    fn expr(&mut self, term: Term) -> Expr {
        match term {
            Term::Symbol(Symbol::Terminal(old)) => Expr::Symbol(Symbol::Terminal(self.kept(old))),
            Term::Symbol(Symbol::Nonterminal(old)) => Expr::Symbol(Symbol::Nonterminal(self.rule(old))),
            Term::Sequence(parts) => Expr::Sequence(parts.into_iter().map(|part| self.expr(part)).collect()),
            Term::Choice(parts) => Expr::Choice(parts.into_iter().map(|part| self.expr(part)).collect()),
            Term::Repeat { inner, min, max } => Expr::Repeat { inner: Box::new(self.expr(*inner)), min, max },
            Term::Regular { regex, name, parts, kind } => {
                let dfa = self.builder.dfa(&regex);
                match dfa.and_then(|dfa| self.language(dfa, &name)) {
                    Some(expr) => expr,
                    None => self.fall_apart(parts, kind),
                }
            }
        }
    }

    fn fall_apart(&mut self, parts: Vec<Term>, kind: Kind) -> Expr {
        let mut parts: Vec<Expr> = parts.into_iter().map(|part| self.expr(part)).collect();
        match kind {
            Kind::Sequence => Expr::Sequence(parts),
            Kind::Choice => Expr::Choice(parts),
            Kind::Repeat(min, max) => Expr::Repeat { inner: Box::new(parts.remove(0)), min, max },
            Kind::Whole(Symbol::Terminal(old)) => Expr::Symbol(Symbol::Terminal(self.kept(old))),
            Kind::Whole(Symbol::Nonterminal(old)) => Expr::Symbol(Symbol::Nonterminal(self.rule(old))),
        }
    }

    /// The terminal of a language, optional if it has the empty string.
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
        let rest = Arc::new(dfa.without_empty(&self.builder.limits).ok()?);
        let name = name.strip_suffix('?').unwrap_or(name);
        let one = Expr::Symbol(Symbol::Terminal(self.terminal(rest, name)));
        Some(Expr::Repeat { inner: Box::new(one), min: 0, max: Some(1) })
    }

    fn terminal(&mut self, dfa: Arc<Dfa>, name: &str) -> TerminalId {
        let next = TerminalId::new(self.terminals.len());
        let id = *self.by_language.entry(Arc::clone(&dfa)).or_insert(next);
        if id == next {
            let pattern = Pattern::Regex(Regex::Automaton(dfa));
            self.terminals.push(Terminal { name: name.to_owned(), pattern, priority: 0, literal: false });
        }
        id
    }

    /// A terminal as it was.
    fn kept(&mut self, old: TerminalId) -> TerminalId {
        let next = TerminalId::new(self.terminals.len());
        let new = *self.kept.entry(old).or_insert(next);
        if new == next {
            self.terminals.push(self.old.terminals[old.index()].clone());
        }
        new
    }

    /// The same automaton over the new symbols. Its letters stay one by one, so what a regular rule has become is a rule again.
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

fn is_regular(term: &Term) -> bool {
    matches!(term, Term::Regular { .. })
}

/// Neighbours that are regular become one term.
fn sequence(parts: Vec<Term>) -> Term {
    let mut joined: Vec<Term> = Vec::with_capacity(parts.len());
    let mut run: Vec<Term> = Vec::new();
    for part in parts {
        if is_regular(&part) {
            run.push(part);
        } else {
            joined.extend(join(std::mem::take(&mut run), Kind::Sequence));
            joined.push(part);
        }
    }
    let all = joined.is_empty();
    let rest = join(run, Kind::Sequence);
    match rest {
        Some(rest) if all => rest,
        rest => {
            joined.extend(rest);
            if joined.is_empty() { empty() } else { Term::Sequence(joined) }
        }
    }
}

/// The regular alternatives become one, in the place of the first.
fn choice(parts: Vec<Term>) -> Term {
    let place = parts.iter().position(is_regular);
    let (regular, mut others): (Vec<Term>, Vec<Term>) = parts.into_iter().partition(is_regular);
    match (join(regular, Kind::Choice), place) {
        (Some(regular), _) if others.is_empty() => regular,
        (Some(regular), Some(place)) => {
            others.insert(place, regular);
            Term::Choice(others)
        }
        _ => Term::Choice(others),
    }
}

fn repeat(inner: Term, min: u32, max: Option<u32>) -> Term {
    if max == Some(0) {
        return empty();
    }
    if is_regular(&inner) {
        let kind = Kind::Repeat(min, max);
        return join(vec![inner], kind).unwrap_or_else(empty);
    }
    Term::Repeat { inner: Box::new(inner), min, max }
}

fn empty() -> Term {
    Term::Regular { regex: Regex::empty(), name: String::new(), parts: Vec::new(), kind: Kind::Sequence }
}

/// One regular term made of several.
fn join(mut parts: Vec<Term>, kind: Kind) -> Option<Term> {
    if parts.len() <= 1 && !matches!(kind, Kind::Repeat(..)) {
        return parts.pop();
    }
    let regexes = parts.iter().filter_map(|part| match part {
        Term::Regular { regex, .. } => Some(regex.clone()),
        _ => None,
    });
    let regex = match kind {
        Kind::Choice => Regex::union(regexes),
        Kind::Repeat(min, max) => Regex::concat(regexes).repeat(min, max),
        Kind::Sequence | Kind::Whole(_) => Regex::concat(regexes),
    };
    let name = name(&parts, kind);
    Some(Term::Regular { regex, name, parts, kind })
}

/// What a term is called in messages.
fn name(parts: &[Term], kind: Kind) -> String {
    let mut out = String::new();
    for part in parts {
        let Term::Regular { name, kind: inner, .. } = part else { continue };
        let separator = if matches!(kind, Kind::Choice) { " | " } else { " " };
        let tight = matches!(
            (kind, inner),
            (Kind::Sequence, Kind::Choice) | (Kind::Repeat(..), Kind::Choice | Kind::Sequence)
        );
        if !out.is_empty() && !name.is_empty() {
            out.push_str(separator);
        }
        out.push_str(&if tight { format!("({name})") } else { name.clone() });
        if out.len() > MAX_NAME {
            let end = (0..=MAX_NAME).rev().find(|&end| out.is_char_boundary(end)).unwrap_or(0);
            out.truncate(end);
            out.push('…');
            return out;
        }
    }
    if let Kind::Repeat(min, max) = kind {
        out.push_str(&match (min, max) {
            (0, Some(1)) => "?".to_owned(),
            (0, None) => "*".to_owned(),
            (1, None) => "+".to_owned(),
            (min, None) => format!("{{{min},}}"),
            (min, Some(max)) if min == max => format!("{{{min}}}"),
            (min, Some(max)) => format!("{{{min},{max}}}"),
        });
    }
    out
}
