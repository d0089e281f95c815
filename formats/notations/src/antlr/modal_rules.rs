//! Writes the rules of a grammar with lexer modes: once per stack of modes with which a rule begins and ends.
//!
//! Input: the stacks of modes where each symbol begins and ends. Output: definitions over the tokens of the lexer, and the start rule. A rule becomes several
//! ones if it begins or ends with different stacks, so that the stack at a place of the parser is that of the lexer.

use super::lexer_rules::{name, sequence};
use super::modal::{HIDDEN, MORE, Part, TEXT};
use super::positions::{Positions, Visit};
use super::stack::Stack;
use super::start::END;
use crate::lark::ast::{self as lark, Node, NodeKind};
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::ops::Range;

/// Estimated bytes of a node, and work to write a part.
const BYTES_PER_NODE: u64 = 200;
const WORK_PER_PART: u64 = 20;

/// A rule that is written.
pub(super) struct Written {
    pub(super) file: usize,
    pub(super) name: String,
    pub(super) span: Range<usize>,
    pub(super) body: Vec<lark::Alternative>,
}

/// What leads to each stack.
type Ways = BTreeMap<Stack, Vec<lark::Alternative>>;

/// A symbol between two stacks.
type Variant = (Visit, Stack);

struct Writer<'w, 'p> {
    positions: &'w Positions<'p>,
    modes: &'w [&'p str],
    has_end: bool,
    budget: &'w Budget,
    names: FxHashMap<Variant, String>,
    taken: FxHashSet<String>,
    open: Vec<(Variant, String)>,
    written: Vec<Written>,
    /// The number of rules for parts.
    helpers: usize,
    /// The place of the rule at hand.
    file: usize,
    span: Range<usize>,
    own: String,
}

/// Writes the rules: the name of the start rule, and all of them.
pub(super) fn write(
    positions: &Positions<'_>,
    modes: &[&str],
    has_end: bool,
    budget: &Budget,
) -> Result<(String, Vec<Written>), OverBudget> {
    let (names, taken, open, written, helpers) = Default::default();
    let text = &positions.symbols[TEXT];
    let (file, span, own) = (text.file, text.span.clone(), text.name.clone());
    let mut writer =
        Writer { positions, modes, has_end, budget, names, taken, open, written, helpers, file, span, own };
    let ways = writer.part(&text.body, &Stack::first())?;
    let body: Vec<lark::Alternative> = ways.into_values().flatten().collect();
    let start = match only_name(&body) {
        Some(name) => name.to_owned(),
        None => {
            writer.define(text.name.clone(), body);
            text.name.clone()
        }
    };
    while let Some(((visit, left), name)) = writer.open.pop() {
        let symbol = &positions.symbols[visit.0];
        (writer.file, writer.span, writer.own) = (symbol.file, symbol.span.clone(), name.clone());
        let body = writer.part(&symbol.body, &visit.1)?.remove(&left).unwrap_or_default();
        writer.define(name, body);
    }
    Ok((start, writer.written))
}

impl Writer<'_, '_> {
    fn define(&mut self, name: String, body: Vec<lark::Alternative>) {
        self.written.push(Written { file: self.file, name, span: self.span.clone(), body });
    }

    fn node(&self, kind: NodeKind) -> Result<Node, OverBudget> {
        self.budget.charge_bytes(BYTES_PER_NODE)?;
        Ok(Node { kind, span: self.span.clone() })
    }

    /// What leads from a stack through a part to each stack behind it.
    fn part(&mut self, part: &Part, stack: &Stack) -> Result<Ways, OverBudget> {
        self.budget.charge_work(WORK_PER_PART)?;
        let single = |stack: Stack, nodes| Ways::from([(stack, vec![sequence(nodes)])]);
        Ok(match part {
            Part::End if self.has_end => single(stack.clone(), vec![name(END, self.span.clone())]),
            Part::End => single(stack.clone(), Vec::new()),
            Part::Token(token) => match self.positions.token(*token, stack) {
                Some(behind) => {
                    let own = &self.positions.tokens[*token].rule.name.text;
                    single(behind, vec![self.node(NodeKind::Name(own.clone()))?])
                }
                None => Ways::new(),
            },
            Part::Symbol(symbol) => self.symbol(*symbol, stack)?,
            Part::Sequence(parts) => self.sequence(parts, stack)?,
            Part::Choice(parts) => {
                let mut ways = Ways::new();
                for part in parts {
                    for (behind, more) in self.part(part, stack)? {
                        ways.entry(behind).or_default().extend(more);
                    }
                }
                ways
            }
            Part::Repeat { inner, optional, many } => self.repeat(inner, (*optional, *many), stack)?,
        })
    }

    fn symbol(&mut self, symbol: usize, stack: &Stack) -> Result<Ways, OverBudget> {
        let positions = self.positions;
        let Some((visit, ends)) = positions.symbol(symbol, stack) else { return Ok(Ways::new()) };
        if positions.symbols[symbol].is_token && self.is_plain(stack, &ends) {
            return self.part(&positions.symbols[symbol].body, stack);
        }
        let mut ways = Ways::new();
        for (left, behind) in ends {
            let name = self.variant((visit.clone(), left));
            ways.entry(behind).or_default().push(sequence(vec![self.node(NodeKind::Name(name))?]));
        }
        Ok(ways)
    }

    /// Whether nothing that the parser does not see is around a token.
    fn is_plain(&self, stack: &Stack, ends: &[(Stack, Stack)]) -> bool {
        let has = |symbol, stack: &Stack| {
            self.positions.symbol(symbol, stack).is_some_and(|(_, ends)| !ends.is_empty())
        };
        !has(MORE, stack) && !ends.iter().any(|(_, behind)| has(HIDDEN, behind))
    }

    /// The name of the rule for a symbol between two stacks: that of the symbol, for the first ones.
    fn variant(&mut self, variant: Variant) -> String {
        if let Some(known) = self.names.get(&variant) {
            return known.clone();
        }
        let plain = &self.positions.symbols[variant.0.0].name;
        let of_mode = || format!("{plain}@{}", self.modes[usize::from(variant.0.1.top())]);
        let numbered = (2_u32..).map(|number| format!("{}.{number}", of_mode()));
        let names = [plain.clone(), of_mode()].into_iter().chain(numbered);
        let name = names.into_iter().find(|name| !self.taken.contains(name)).unwrap_or_default();
        self.taken.insert(name.clone());
        self.names.insert(variant.clone(), name.clone());
        self.open.push((variant, name.clone()));
        name
    }

    fn sequence(&mut self, parts: &[Part], stack: &Stack) -> Result<Ways, OverBudget> {
        let mut ways = Ways::from([(stack.clone(), vec![sequence(Vec::new())])]);
        for part in parts {
            let mut next = Ways::new();
            for (stack, before) in ways {
                for (behind, after) in self.part(part, &stack)? {
                    let nodes = [self.nodes(before.clone())?, self.nodes(after)?].concat();
                    next.entry(behind).or_default().push(sequence(nodes));
                }
            }
            // What comes before several ways is written once.
            if next.len() > 1 {
                for alternatives in next.values_mut() {
                    self.share(alternatives)?;
                }
            }
            ways = next;
        }
        Ok(ways)
    }

    /// Makes alternatives a rule of their own, unless they are a name.
    fn share(&mut self, alternatives: &mut Vec<lark::Alternative>) -> Result<(), OverBudget> {
        if let [lark::Alternative { conjuncts, .. }] = &alternatives[..]
            && conjuncts.iter().map(Vec::len).sum::<usize>() <= 1
        {
            return Ok(());
        }
        let name = self.helper("part");
        let node = self.node(NodeKind::Name(name.clone()))?;
        let body = std::mem::replace(alternatives, vec![sequence(vec![node])]);
        self.define(name, body);
        Ok(())
    }

    /// Alternatives as the nodes of one.
    fn nodes(&self, mut alternatives: Vec<lark::Alternative>) -> Result<Vec<Node>, OverBudget> {
        if alternatives.len() != 1 {
            return Ok(vec![self.node(NodeKind::Group(alternatives))?]);
        }
        let nodes = alternatives.remove(0).conjuncts.into_iter().flatten().collect::<Vec<_>>();
        self.budget.charge_bytes(BYTES_PER_NODE * nodes.len() as u64)?;
        Ok(nodes)
    }

    fn repeat(
        &mut self,
        inner: &Part,
        (optional, many): (bool, bool),
        stack: &Stack,
    ) -> Result<Ways, OverBudget> {
        let mut once = self.part(inner, stack)?;
        let stays = once.keys().all(|behind| behind == stack);
        if stays && let Some(alternatives) = once.remove(stack) {
            let (inner, max) =
                (Box::new(self.node(NodeKind::Group(alternatives))?), if many { None } else { Some(1) });
            let repeat = self.node(NodeKind::Repeat { inner, min: i64::from(!optional), max })?;
            return Ok(Ways::from([(stack.clone(), vec![sequence(vec![repeat])])]));
        }
        let mut ways = if many { self.repeated(inner, once)? } else { once };
        if optional {
            ways.entry(stack.clone()).or_default().push(sequence(Vec::new()));
        }
        Ok(ways)
    }

    /// Several times the same with other stacks: a rule per stack, each of which begins with one of them.
    fn repeated(&mut self, inner: &Part, once: Ways) -> Result<Ways, OverBudget> {
        let mut names: BTreeMap<Stack, String> = BTreeMap::new();
        let mut bodies: BTreeMap<Stack, Vec<lark::Alternative>> = once;
        let mut open: Vec<Stack> = bodies.keys().cloned().collect();
        while let Some(stack) = open.pop() {
            let own = names.entry(stack.clone()).or_insert_with(|| self.helper("repeated")).clone();
            for (behind, after) in self.part(inner, &stack)? {
                if !bodies.contains_key(&behind) {
                    open.push(behind.clone());
                }
                let before = vec![self.node(NodeKind::Name(own.clone()))?];
                let nodes = [before, self.nodes(after)?].concat();
                bodies.entry(behind).or_default().push(sequence(nodes));
            }
        }
        let mut ways = Ways::new();
        for (stack, body) in bodies {
            let own = names.entry(stack.clone()).or_insert_with(|| self.helper("repeated")).clone();
            self.define(own.clone(), body);
            ways.insert(stack, vec![sequence(vec![self.node(NodeKind::Name(own))?])]);
        }
        Ok(ways)
    }

    /// The name of a rule for a part of the rule at hand.
    fn helper(&mut self, kind: &str) -> String {
        self.helpers += 1;
        format!("{}@{kind}.{}", self.own, self.helpers)
    }
}

/// The name that alternatives are.
fn only_name(body: &[lark::Alternative]) -> Option<&str> {
    let [lark::Alternative { conjuncts, .. }] = body else { return None };
    match &conjuncts[..] {
        [nodes] => match &nodes[..] {
            [Node { kind: NodeKind::Name(name), .. }] if !name.starts_with(char::is_uppercase) => Some(name),
            _ => None,
        },
        _ => None,
    }
}
