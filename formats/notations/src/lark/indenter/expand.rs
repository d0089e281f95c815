//! Makes the rules for each column and mode.

use super::flow::{Flow, Mode, Modes, ends_of_block};
use super::items::{Item, Roles, items};
use super::lines::{Lines, Numbered};
use crate::grammar_builder::{choice, nonterminal, repeat, sequence};
use gcc_grammar_ir::{
    Body, ContextRules, Diagnostic, Expr, Grammar, NonterminalId, Rule, Symbol, Terminal, TerminalId,
};
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// The most parts with other bounds than `?`, `*` and `+` around line breaks.
const MOST_COPIES: u32 = 200;
/// Estimated bytes and work of an expression.
const BYTES_PER_PART: u64 = 64;
const WORK_PER_PART: u64 = 20;

/// What a new rule is made for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    /// A rule between brackets.
    Enclosed(NonterminalId),
    /// A rule at a column, from a mode to a mode. Rules in which no line break is read have column 0.
    At(NonterminalId, Way),
    /// A block whose lines have this column.
    Block(usize, usize, Mode),
}

/// A column, and the modes before and behind.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Way {
    column: usize,
    from: Mode,
    to: Mode,
}

/// The bounds of a repetition.
type Times = (u32, Option<u32>);

/// The grammar over line breaks of columns.
pub(super) fn expand(
    grammar: Grammar,
    roles: &Roles,
    lines: Lines,
    budget: &Budget,
) -> Result<Grammar, Diagnostic> {
    let bodies = items(&grammar.rules, roles)?;
    budget.charge_work(WORK_PER_PART * bodies.len() as u64)?;
    let flow = Flow::new(&bodies);
    let columns = lines.count();
    let (terminals, moved, lines) = renumber(&grammar.terminals, roles, lines);
    let (rules, known, pending, blocks, stars) = Default::default();
    let mut expander = Expander {
        old: &grammar.rules,
        bodies: &bodies,
        flow,
        lines,
        columns,
        moved: &moved,
        budget,
        rules,
        known,
        pending,
        blocks,
        stars,
    };
    expander.breaks();
    let start = expander.text(grammar.start)?;
    expander.run()?;
    let all = expander.lines.all.clone();
    let rules = expander.rules;
    let contexts = contexts(grammar.contexts, &moved, &all);
    let ignored = grammar.ignored.iter().flat_map(|id| &moved[id.index()]).copied().collect();
    Ok(Grammar { terminals, rules, start, ignored, contexts, ..grammar })
}

/// The terminals without those of the indenter and with the line breaks, and the new numbers of each.
fn renumber(
    old: &[Terminal],
    roles: &Roles,
    lines: Lines,
) -> (Vec<Terminal>, Vec<Vec<TerminalId>>, Numbered) {
    let (mut terminals, mut moved) = (Vec::new(), Vec::new());
    let (mut lines, mut numbered) = (Some(lines), Numbered { columns: Vec::new(), all: Vec::new() });
    for (index, terminal) in old.iter().enumerate() {
        let id = TerminalId::new(index);
        if Some(id) == roles.newline {
            if let Some(lines) = lines.take() {
                numbered = lines.terminals(terminal, &mut terminals);
            }
            moved.push(numbered.all.clone());
        } else if [roles.indent, roles.dedent, roles.end].contains(&Some(id)) {
            moved.push(Vec::new());
        } else {
            moved.push(vec![TerminalId::new(terminals.len())]);
            terminals.push(terminal.clone());
        }
    }
    (terminals, moved, numbered)
}

/// The contexts with the new numbers. As in Lark, line breaks are recognized in every context.
fn contexts(old: ContextRules, moved: &[Vec<TerminalId>], lines: &[TerminalId]) -> ContextRules {
    let mut contexts = old.replaced(moved);
    contexts.everywhere.extend(lines);
    contexts.everywhere.sort_unstable();
    contexts.everywhere.dedup();
    contexts
}

struct Expander<'e> {
    old: &'e [Rule],
    bodies: &'e [Item],
    flow: Flow,
    lines: Numbered,
    columns: usize,
    moved: &'e [Vec<TerminalId>],
    budget: &'e Budget,
    rules: Vec<Rule>,
    known: FxHashMap<Key, NonterminalId>,
    pending: VecDeque<(NonterminalId, Key)>,
    /// The contents of blocks, by their numbers.
    blocks: FxHashMap<usize, &'e [Item]>,
    /// The repetitions that have rules, by their addresses, columns and modes.
    stars: FxHashMap<(*const Item, usize, Mode), Star>,
}

/// The rule for line breaks between brackets.
const BREAKS: NonterminalId = NonterminalId(0);

/// The modes behind any number of an item, and what leads to each.
type Star = Vec<(Mode, Expr)>;

/// The sequence of the parts, without empty ones.
fn joined(parts: impl IntoIterator<Item = Expr>) -> Expr {
    let mut all = Vec::new();
    for part in parts {
        match part {
            Expr::Sequence(inner) => all.extend(inner),
            other => all.push(other),
        }
    }
    sequence(all)
}

fn empty() -> Expr {
    Expr::Sequence(Vec::new())
}

impl<'e> Expander<'e> {
    fn new_rule(&mut self, name: String, of: Option<NonterminalId>) -> NonterminalId {
        let location = of.and_then(|of| self.old[of.index()].location.clone());
        let id = NonterminalId::new(self.rules.len());
        self.rules.push(Rule { name, body: Body::Expr(Expr::Choice(Vec::new())), location });
        id
    }

    fn set_body(&mut self, rule: NonterminalId, body: Expr) {
        self.rules[rule.index()].body = Body::Expr(body);
    }

    /// Adds the rule for any number of line breaks.
    fn breaks(&mut self) {
        let breaks = self.new_rule("line breaks".to_owned(), None);
        let all = self.lines.all.iter().map(|&id| Expr::Symbol(Symbol::Terminal(id))).collect();
        self.set_body(breaks, repeat(choice(all), 0, None));
    }

    /// Adds the rule for whole texts. The line break at their end may be due.
    fn text(&mut self, start: NonterminalId) -> Result<NonterminalId, OverBudget> {
        let text = self.new_rule("text".to_owned(), Some(start));
        let mut choices = Vec::new();
        for mode in self.flow.rule(start).from_text.iter() {
            let body = nonterminal(self.key(Key::At(start, Way { column: 0, from: Mode::Text, to: mode })));
            choices.push(if mode.is_own() { sequence(vec![body, self.line(0)]) } else { body });
        }
        self.set_body(text, choice(choices));
        Ok(text)
    }

    fn key(&mut self, key: Key) -> NonterminalId {
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let (name, of) = match key {
            Key::Enclosed(rule) => (format!("{}(…)", self.old[rule.index()].name), Some(rule)),
            Key::At(rule, Way { column, to, .. }) => {
                let column = if column > 0 { format!("@{column}") } else { String::new() };
                (format!("{}{column}{}", self.old[rule.index()].name, to.mark()), Some(rule))
            }
            Key::Block(_, column, to) => (format!("block@{column}{}", to.mark()), None),
        };
        let id = self.new_rule(name, of);
        self.known.insert(key, id);
        self.pending.push_back((id, key));
        id
    }

    /// Makes the bodies of rules until none is left.
    fn run(&mut self) -> Result<(), OverBudget> {
        while let Some((id, key)) = self.pending.pop_front() {
            let bodies = self.bodies;
            let body = match key {
                Key::Enclosed(rule) => self.enclosed(&bodies[rule.index()])?,
                Key::At(rule, way) => self.item(&bodies[rule.index()], way)?,
                Key::Block(block, column, to) => self.block(self.blocks[&block], column, to)?,
            };
            self.set_body(id, body);
        }
        Ok(())
    }

    fn charge(&self) -> Result<(), OverBudget> {
        self.budget.charge_work(WORK_PER_PART)?;
        self.budget.charge_bytes(BYTES_PER_PART)
    }

    /// The line break before a line of this column.
    fn line(&self, column: usize) -> Expr {
        match self.lines.columns.get(column) {
            Some(&Some(id)) => Expr::Symbol(Symbol::Terminal(id)),
            _ => Expr::Choice(Vec::new()),
        }
    }

    fn terminal(&self, id: TerminalId) -> Expr {
        choice(self.moved[id.index()].iter().map(|&id| Expr::Symbol(Symbol::Terminal(id))).collect())
    }

    /// An item between brackets, where line breaks may stand behind every lexeme.
    fn enclosed(&mut self, item: &Item) -> Result<Expr, OverBudget> {
        self.charge()?;
        Ok(match item {
            Item::Terminal(id) => sequence(vec![self.terminal(*id), nonterminal(BREAKS)]),
            Item::Rule(rule) => nonterminal(self.key(Key::Enclosed(*rule))),
            Item::Newline | Item::End | Item::Block(..) => Expr::Choice(Vec::new()),
            Item::Sequence(items) => {
                sequence(items.iter().map(|item| self.enclosed(item)).collect::<Result<_, _>>()?)
            }
            Item::Choice(items) => {
                choice(items.iter().map(|item| self.enclosed(item)).collect::<Result<_, _>>()?)
            }
            Item::Repeat { inner, min, max } => repeat(self.enclosed(inner)?, *min, *max),
            Item::Enclosed(open, items, close) => {
                sequence(vec![self.brackets(*open, items, *close)?, nonterminal(BREAKS)])
            }
        })
    }

    fn brackets(&mut self, open: TerminalId, items: &[Item], close: TerminalId) -> Result<Expr, OverBudget> {
        let mut parts = vec![self.terminal(open), nonterminal(BREAKS)];
        for item in items {
            parts.push(self.enclosed(item)?);
        }
        parts.push(self.terminal(close));
        Ok(sequence(parts))
    }

    /// What an item derives from a mode to a mode, at a column.
    fn item(&mut self, item: &'e Item, way: Way) -> Result<Expr, OverBudget> {
        let Way { column, from, to } = way;
        self.charge()?;
        let never = Expr::Choice(Vec::new());
        if !self.flow.modes(item, from).contains(to) {
            return Ok(never);
        }
        Ok(match item {
            Item::Terminal(id) => self.behind_line(self.terminal(*id), column, from),
            Item::Enclosed(open, items, close) => {
                let brackets = self.brackets(*open, items, *close)?;
                self.behind_line(brackets, column, from)
            }
            Item::Newline | Item::End => self.behind_line(empty(), column, from),
            Item::Rule(rule) => self.rule(*rule, way),
            Item::Sequence(items) => self.sequence(items, way)?,
            Item::Choice(items) => {
                let possible =
                    items.iter().filter(|item| self.flow.modes(item, from).contains(to)).collect::<Vec<_>>();
                let parts = possible.into_iter().map(|item| self.item(item, way));
                choice(parts.collect::<Result<_, _>>()?)
            }
            Item::Repeat { inner, min, max } if self.flow.is_plain(inner) => {
                self.plain_repeat(inner, (*min, *max), way)?
            }
            Item::Repeat { inner, min, max } => self.repeated(inner, (*min, *max), way)?,
            Item::Block(block, items) => {
                self.blocks.insert(*block, items);
                let deeper = column + 1..self.columns;
                choice(deeper.map(|column| nonterminal(self.key(Key::Block(*block, column, to)))).collect())
            }
        })
    }

    /// A lexeme, or nothing, behind the line break that is due.
    fn behind_line(&self, inner: Expr, column: usize, from: Mode) -> Expr {
        if from.is_own() { joined([self.line(column), inner]) } else { inner }
    }

    fn rule(&mut self, rule: NonterminalId, way: Way) -> Expr {
        let Way { column, from, to } = way;
        let summary = self.flow.rule(rule);
        let at = |from| Key::At(rule, Way { column: if summary.by_column { column } else { 0 }, from, to });
        let mut choices = Vec::new();
        if (from == Mode::Text || from.is_own()) && summary.from_text.contains(to) {
            let text = nonterminal(self.key(at(Mode::Text)));
            choices.push(self.behind_line(text, column, from));
        }
        if from.begins_block() && summary.from_block.contains(to) {
            choices.push(nonterminal(self.key(at(Mode::Pending))));
        }
        if summary.nullable && from == to && from != Mode::Text {
            choices.push(empty());
        }
        choice(choices)
    }

    /// What a sequence derives: from the left to the right, what leads to each mode from which its end can be reached.
    fn sequence(&mut self, items: &'e [Item], way: Way) -> Result<Expr, OverBudget> {
        let Way { column, from, to } = way;
        let mut useful = vec![Modes::of([to])];
        for item in items.iter().rev() {
            let next = useful[useful.len() - 1];
            let leads_on = |mode: &Mode| self.flow.modes(item, *mode).iter().any(|mode| next.contains(mode));
            useful.push(Modes::of(Mode::ALL.into_iter().filter(leads_on)));
        }
        let mut front: Vec<(Mode, Vec<Expr>)> = vec![(from, Vec::new())];
        for (item, useful) in items.iter().zip(useful.iter().rev().skip(1)) {
            let mut next: Vec<(Mode, Vec<Expr>)> = Vec::new();
            for (mode, before) in front {
                let targets = self.flow.modes(item, mode).iter().filter(|&target| useful.contains(target));
                let targets: Vec<Mode> = targets.collect();
                let before = if targets.len() > 1 { self.shared(before) } else { before };
                for target in targets {
                    let mut parts = before.clone();
                    parts.push(self.item(item, Way { column, from: mode, to: target })?);
                    match next.iter_mut().find(|(known, _)| *known == target) {
                        Some((_, known)) => {
                            let known_parts = std::mem::take(known);
                            *known = vec![choice(vec![joined(known_parts), joined(parts)])];
                        }
                        None => next.push((target, parts)),
                    }
                }
            }
            front = next;
        }
        let end = front.into_iter().find(|(mode, _)| *mode == to);
        Ok(end.map_or(Expr::Choice(Vec::new()), |(_, parts)| joined(parts)))
    }

    /// The parts as one symbol, since they are written several times.
    fn shared(&mut self, parts: Vec<Expr>) -> Vec<Expr> {
        if parts.len() < 2 {
            return parts;
        }
        let rule = self.new_rule("(…)".to_owned(), None);
        self.set_body(rule, sequence(parts));
        vec![nonterminal(rule)]
    }

    /// A repetition of what has nothing to do with line breaks.
    fn plain_repeat(&mut self, inner: &'e Item, (min, max): Times, way: Way) -> Result<Expr, OverBudget> {
        let Way { column, from, to } = way;
        if to == Mode::Text && max != Some(0) {
            let least = if from == Mode::Text { min } else { min.max(1) };
            let several = repeat(self.item(inner, Way { from: Mode::Text, ..way })?, least, max);
            return Ok(self.behind_line(several, column, from));
        }
        Ok(empty())
    }

    fn repeated(&mut self, inner: &'e Item, (min, max): Times, way: Way) -> Result<Expr, OverBudget> {
        if min == 0 && max.is_none() {
            return self.star(inner, way);
        }
        let copies = max.unwrap_or(min);
        if copies > MOST_COPIES {
            return Err(self.budget.over(gcc_grammar_limits::Resource::Work, u64::from(MOST_COPIES)));
        }
        self.counted(inner, (min, max), way)
    }

    /// A repetition with bounds: one part, and the rest of them.
    fn counted(&mut self, inner: &'e Item, (min, max): Times, way: Way) -> Result<Expr, OverBudget> {
        let Way { from, to, .. } = way;
        match (min, max) {
            (0, None) => return self.star(inner, way),
            (_, Some(0)) => return Ok(if from == to { empty() } else { Expr::Choice(Vec::new()) }),
            _ => {}
        }
        let rest = (min.saturating_sub(1), max.map(|max| max - 1));
        let mut choices = Vec::new();
        if min == 0 && from == to {
            choices.push(empty());
        }
        for between in self.flow.modes(inner, from).iter() {
            let item = self.item(inner, Way { to: between, ..way })?;
            let rest = self.counted(inner, rest, Way { from: between, ..way })?;
            if rest != Expr::Choice(Vec::new()) {
                choices.push(joined([item, rest]));
            }
        }
        Ok(choice(choices))
    }

    /// Any number of an item: one rule for each mode behind some of them.
    fn star(&mut self, inner: &'e Item, way: Way) -> Result<Expr, OverBudget> {
        let Way { column, from, to } = way;
        let key = (std::ptr::from_ref(inner), column, from);
        if !self.stars.contains_key(&key) {
            let star = self.new_star(inner, column, from)?;
            self.stars.insert(key, star);
        }
        let end = self.stars[&key].iter().find(|(mode, _)| *mode == to);
        Ok(end.map_or(Expr::Choice(Vec::new()), |(_, expr)| expr.clone()))
    }

    /// Left-linear rules for any number of an item. Where nothing leads back to the beginning, that is the empty text.
    fn new_star(&mut self, inner: &'e Item, column: usize, from: Mode) -> Result<Star, OverBudget> {
        let mut reached = vec![from];
        let mut returns = false;
        let mut at = 0;
        while at < reached.len() {
            for next in self.flow.modes(inner, reached[at]).iter() {
                returns |= next == from;
                if !reached.contains(&next) {
                    reached.push(next);
                }
            }
            at += 1;
        }
        let rules: Vec<Option<NonterminalId>> = reached
            .iter()
            .map(|&mode| {
                (mode != from || returns).then(|| self.new_rule(format!("(…)*{}", mode.mark()), None))
            })
            .collect();
        let expr = |rule: Option<NonterminalId>| rule.map_or_else(empty, nonterminal);
        for (&mode, &rule) in reached.iter().zip(&rules) {
            let Some(rule) = rule else { continue };
            let mut choices = if mode == from { vec![empty()] } else { Vec::new() };
            for (&before, &prefix) in reached.iter().zip(&rules) {
                if self.flow.modes(inner, before).contains(mode) {
                    let item = self.item(inner, Way { column, from: before, to: mode })?;
                    choices.push(joined([expr(prefix), item]));
                }
            }
            self.set_body(rule, choice(choices));
        }
        Ok(reached.into_iter().zip(rules.into_iter().map(expr)).collect())
    }

    /// A block whose lines have this column, with the line break before it.
    fn block(&mut self, items: &'e [Item], column: usize, to: Mode) -> Result<Expr, OverBudget> {
        let mut choices = Vec::new();
        for inside in self.flow.modes_of_sequence(items, Modes::of([Mode::Text])).iter() {
            if !ends_of_block(inside).contains(&to) {
                continue;
            }
            let mut parts =
                vec![self.line(column), self.sequence(items, Way { column, from: Mode::Text, to: inside })?];
            if inside.is_own() && to == Mode::Ended {
                parts.push(self.line(column));
            }
            choices.push(joined(parts));
        }
        Ok(choice(choices))
    }
}
