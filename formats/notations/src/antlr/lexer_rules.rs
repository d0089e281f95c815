//! Tokens: their definitions as terminals.

use super::ast::{Alternative, Element, ElementKind, Rule, unsupported};
use super::reach::{MOST_NAMES, Rules};
use super::text::{range_in_any_case, range_in_class};
pub(super) use crate::lark::ast::sequence;
use crate::lark::ast::{self as lark, Node, NodeKind};
use gcc_grammar_ir::Diagnostic;
use gcc_grammar_limits::Budget;
use std::ops::Range;

/// Estimated work to look up what a name stands for.
const WORK_PER_NAME: u64 = 20;

/// Whether an alternative is nothing but the end of the text, which is no token.
pub(super) fn is_end(alternative: &Alternative) -> bool {
    alternative.only().is_some_and(Element::is_end)
}

/// Makes definitions of tokens.
pub(super) struct Tokens<'g> {
    pub(super) rules: &'g Rules<'g>,
    pub(super) budget: &'g Budget,
}

impl Tokens<'_> {
    /// Alternatives of a token or fragment.
    pub(super) fn body(&self, alternatives: &[Alternative]) -> Result<Vec<lark::Alternative>, Diagnostic> {
        let some = alternatives.iter().filter(|alternative| !is_end(alternative));
        let body = some.map(|alternative| match alternative.only() {
            Some(Element { kind: ElementKind::Group(inner), span }) => {
                let kind = NodeKind::Group(self.body(inner)?);
                Ok(sequence(vec![Node { kind, span: span.clone() }]))
            }
            _ => self.alternative(alternative),
        });
        body.collect()
    }

    /// The body of a token that does not use itself: its texts, but those that begin with certain tokens.
    pub(super) fn body_of(&self, rule: &Rule) -> Result<Vec<lark::Alternative>, Diagnostic> {
        let body = self.body(&plain(rule))?;
        if rule.begins_with_none_of.is_empty() {
            return Ok(body);
        }
        let span = &rule.name.span;
        let node = |kind| Node { kind, span: span.clone() };
        let names = rule.begins_with_none_of.iter().map(|own| sequence(vec![name(own, span.clone())]));
        let behind = vec![node(NodeKind::Group(names.collect())), node(pattern("[\\s\\S]*".to_owned()))];
        let not = node(NodeKind::Not(Box::new(node(NodeKind::Group(vec![sequence(behind)])))));
        let own = node(NodeKind::Group(body));
        Ok(vec![lark::Alternative { conjuncts: vec![vec![own], vec![not]], ..sequence(Vec::new()) }])
    }

    fn alternative(&self, alternative: &Alternative) -> Result<lark::Alternative, Diagnostic> {
        let elements = &alternative.elements[..];
        if let [before @ .., all, end] = elements
            && let Some(end) = self.end_or_rest(all, end)?
        {
            let before = before.iter().map(|element| self.node(element));
            return Ok(sequence(before.chain([Ok(end)]).collect::<Result<_, _>>()?));
        }
        let nodes = elements.iter().map(|element| self.node(element));
        Ok(sequence(nodes.collect::<Result<_, _>>()?))
    }

    /// What `.*? (X | EOF)` at the end of a token matches: all up to the first `X`, or to the end of the text. These are the texts in which no `X` ends
    /// before their end: as long as it has not come, the longest match goes on.
    fn end_or_rest(&self, all: &Element, end: &Element) -> Result<Option<Node>, Diagnostic> {
        let ElementKind::Repeat { inner, min: 0, max: None, lazy: true } = &all.kind else { return Ok(None) };
        let ElementKind::Group(ends) = &end.kind else { return Ok(None) };
        let ends_text: Vec<_> = ends.iter().filter(|one| !is_end(one)).collect();
        let is_any = matches!(self.rules.resolved(inner).kind, ElementKind::Any);
        if !is_any || ends_text.len() == ends.len() || ends_text.is_empty() {
            return Ok(None);
        }
        let span = end.span.clone();
        let node = |kind| Node { kind, span: span.clone() };
        let ends = ends_text.into_iter().map(|one| self.alternative(one)).collect::<Result<_, _>>()?;
        let (any, some) = (pattern("[\\s\\S]*".to_owned()), pattern("[\\s\\S]+".to_owned()));
        let ended = sequence(vec![node(any), node(NodeKind::Group(ends)), node(some)]);
        Ok(Some(node(NodeKind::Not(Box::new(node(NodeKind::Group(vec![ended])))))))
    }

    fn node(&self, element: &Element) -> Result<Node, Diagnostic> {
        let span = element.span.clone();
        let kind = match &element.kind {
            ElementKind::Name(name) if name == "EOF" => pattern("(?![\\s\\S])".to_owned()),
            ElementKind::Name(name) => NodeKind::Name(name.clone()),
            ElementKind::Text { text, ignore_case } => literal(text, *ignore_case),
            ElementKind::Set(class) => self.class(class, false),
            ElementKind::Any => pattern("[\\s\\S]".to_owned()),
            ElementKind::Not(elements) => {
                let class: Result<String, Diagnostic> =
                    elements.iter().map(|one| self.in_class(one, 0)).collect();
                self.class(&class?, true)
            }
            ElementKind::Group(alternatives) => {
                let inner = alternatives.iter().map(|one| self.alternative(one));
                NodeKind::Group(inner.collect::<Result<_, _>>()?)
            }
            ElementKind::Repeat { inner, min, max, lazy } => {
                let inner = Box::new(self.node(inner)?);
                let repeated = NodeKind::Repeat { inner, min: i64::from(*min), max: max.map(i64::from) };
                match lazy {
                    true => NodeKind::Lazy(Box::new(Node { kind: repeated, span: span.clone() })),
                    false => repeated,
                }
            }
        };
        Ok(Node { kind, span })
    }

    fn class(&self, class: &str, negated: bool) -> NodeKind {
        if class.is_empty() {
            // Nothing but surrogates was named.
            return if negated { pattern("[\\s\\S]".to_owned()) } else { NodeKind::Group(Vec::new()) };
        }
        let sign = if negated { "^" } else { "" };
        pattern(format!("[{sign}{class}]"))
    }

    /// The characters of an element that stands for one of them.
    pub(super) fn in_class(&self, element: &Element, depth: usize) -> Result<String, Diagnostic> {
        let refused = || {
            let help = "write single characters or sets behind `~`";
            unsupported("`~` before something that is no single character is", element.span.clone(), help)
        };
        self.budget.charge_work(WORK_PER_NAME)?;
        match &self.rules.resolved(element).kind {
            ElementKind::Text { text, ignore_case } => {
                let mut chars = text.chars();
                match (chars.next(), chars.next()) {
                    (Some(c), None) if *ignore_case => Ok(range_in_any_case(u32::from(c), u32::from(c))),
                    (Some(c), None) => Ok(range_in_class(u32::from(c), u32::from(c))),
                    _ => Err(refused()),
                }
            }
            ElementKind::Set(class) => Ok(class.clone()),
            ElementKind::Name(name) if depth < MOST_NAMES => {
                let rule = self.rules.get(name).ok_or_else(refused)?;
                self.class_of(&rule.alternatives, depth, refused)
            }
            ElementKind::Group(alternatives) if depth < MOST_NAMES => {
                self.class_of(alternatives, depth, refused)
            }
            _ => Err(refused()),
        }
    }

    /// The characters of alternatives that stand for one each.
    fn class_of(
        &self,
        alternatives: &[Alternative],
        depth: usize,
        refused: impl Fn() -> Diagnostic,
    ) -> Result<String, Diagnostic> {
        let only = |one: &Alternative| self.in_class(one.only().ok_or_else(&refused)?, depth + 1);
        alternatives.iter().map(only).collect()
    }
}

/// A pattern of Python.
pub(super) fn pattern(pattern: String) -> NodeKind {
    NodeKind::Pattern { pattern, flags: String::new() }
}

/// A text, in any case if that does not matter. Cases are those of single characters, as in Java.
pub(super) fn literal(text: &str, ignore_case: bool) -> NodeKind {
    let has_cases = |c: char| !c.to_lowercase().eq([c]) || !c.to_uppercase().eq([c]);
    if !ignore_case || !text.chars().any(has_cases) {
        return NodeKind::Text { text: text.to_owned(), ignore_case: false };
    }
    pattern(text.chars().map(|c| format!("[{}]", range_in_any_case(u32::from(c), u32::from(c)))).collect())
}

/// The name of a terminal or rule as a node.
pub(super) fn name(text: &str, span: Range<usize>) -> Node {
    Node { kind: NodeKind::Name(text.to_owned()), span }
}

/// The alternatives of a token, without itself if it needs it only to repeat something.
pub(super) fn plain(rule: &Rule) -> Vec<Alternative> {
    let mut alternatives = repetition(rule).map_or_else(|| rule.alternatives.clone(), |one| vec![one]);
    let mut open: Vec<&mut Element> = alternatives.iter_mut().flat_map(|one| &mut one.elements).collect();
    while let Some(element) = open.pop() {
        match &mut element.kind {
            ElementKind::Repeat { inner, min: 0, max: None, lazy: false } if has_any(inner) => {
                inner.kind = ElementKind::Any;
            }
            ElementKind::Repeat { inner, .. } => open.push(inner),
            ElementKind::Group(alternatives) => {
                open.extend(alternatives.iter_mut().flat_map(|one| &mut one.elements));
            }
            _ => {}
        }
    }
    alternatives
}

/// Whether any character is one of the alternatives.
fn has_any(element: &Element) -> bool {
    let ElementKind::Group(alternatives) = &element.kind else { return false };
    alternatives.iter().filter_map(Alternative::only).any(|only| matches!(only.kind, ElementKind::Any))
}

/// A token that uses itself at the ends of its alternatives only, as in `X : A X | B`, as a repetition: `A* B`.
fn repetition(rule: &Rule) -> Option<Alternative> {
    let (mut repeated, mut last) = (Vec::new(), Vec::new());
    for alternative in &rule.alternatives {
        let uses = alternative.elements.iter().map(|element| uses(element, &rule.name.text)).sum::<usize>();
        let (before, is_optional) = match alternative.elements.split_last() {
            Some((Element { kind: ElementKind::Name(name), .. }, before)) if *name == rule.name.text => {
                (before, false)
            }
            Some((
                Element { kind: ElementKind::Repeat { inner, min: 0, max: Some(1), lazy: false }, .. },
                before,
            )) if matches!(&inner.kind, ElementKind::Name(name) if *name == rule.name.text) => (before, true),
            _ if uses > 0 => return None,
            _ => {
                last.push(Alternative { commands: Vec::new(), ..alternative.clone() });
                continue;
            }
        };
        let before = Alternative { elements: before.to_vec(), ..Alternative::default() };
        if uses > 1 || before.elements.is_empty() {
            return None;
        }
        last.extend(is_optional.then(|| before.clone()));
        repeated.push(before);
    }
    let span = rule.name.span.clone();
    let group = |alternatives| Element { kind: ElementKind::Group(alternatives), span: span.clone() };
    if repeated.is_empty() {
        return None;
    }
    let inner = Box::new(group(repeated));
    let repeat =
        Element { kind: ElementKind::Repeat { inner, min: 0, max: None, lazy: false }, span: span.clone() };
    Some(Alternative { elements: vec![repeat, group(last)], ..Alternative::default() })
}

/// How often an element uses a name.
fn uses(element: &Element, name: &str) -> usize {
    let own = matches!(&element.kind, ElementKind::Name(used) if used == name);
    usize::from(own) + element.children().into_iter().map(|child| uses(child, name)).sum::<usize>()
}
