//! Tokens: what becomes of their texts, and their definitions as terminals.

use super::ast::{Alternative, Element, ElementKind, Rule, unsupported};
use super::reach::Rules;
use super::text::{range_in_any_case, range_in_class};
use crate::lark::ast::{self as lark, Node, NodeKind};
use gcc_grammar_ir::Diagnostic;
use std::ops::Range;

/// What becomes of the text of a token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Fate {
    /// It is a token of this name.
    Token,
    /// It is ignored.
    Ignored,
    /// It is a token of another name.
    Other(String),
}

/// Whether an alternative is nothing but the end of the text, which is no token.
fn is_end(alternative: &Alternative) -> bool {
    matches!(&alternative.elements[..], [Element { kind: ElementKind::Name(name), .. }] if name == "EOF")
}

/// What the commands of a token say.
pub(super) fn fate(rule: &Rule) -> Result<Fate, Diagnostic> {
    let mut fate = Fate::Token;
    for command in rule.alternatives.iter().flat_map(|alternative| &alternative.commands) {
        let span = command.name.span.clone();
        match (command.name.text.as_str(), &command.argument) {
            ("skip", _) => fate = Fate::Ignored,
            ("channel", Some(channel)) if channel != "DEFAULT_TOKEN_CHANNEL" && channel != "0" => {
                fate = Fate::Ignored
            }
            ("channel", _) => {}
            ("type", Some(other)) => fate = Fate::Other(other.clone()),
            ("mode" | "pushMode" | "popMode", _) => {
                let help = "write the tokens of the mode as rules of the parser, or as terminals of Lark with %contextual";
                return Err(unsupported("modes of the lexer are", span, help));
            }
            (name, _) => {
                let help = "write the whole text as one token";
                return Err(unsupported(&format!("the command `{name}` of the lexer is"), span, help));
            }
        }
    }
    Ok(fate)
}

/// Makes definitions of tokens.
pub(super) struct Tokens<'g> {
    pub(super) rules: &'g Rules<'g>,
    pub(super) ignore_case: bool,
    /// Whether the text of the token is ignored, or it is a part of others.
    pub(super) is_ignored: bool,
}

impl Tokens<'_> {
    /// The alternatives of a token or fragment.
    pub(super) fn body(&self, rule: &Rule) -> Result<Vec<lark::Alternative>, Diagnostic> {
        match repetition(rule) {
            Some(alternative) => Ok(vec![self.alternative(&alternative)?]),
            None => {
                let some = rule.alternatives.iter().filter(|alternative| !is_end(alternative));
                some.map(|alternative| self.alternative(alternative)).collect()
            }
        }
    }

    fn alternative(&self, alternative: &Alternative) -> Result<lark::Alternative, Diagnostic> {
        let nodes = alternative.elements.iter().map(|element| self.node(element));
        Ok(sequence(nodes.collect::<Result<_, _>>()?))
    }

    fn node(&self, element: &Element) -> Result<Node, Diagnostic> {
        let span = element.span.clone();
        let kind = match &element.kind {
            // What is ignored up to the end of the text goes on as long as it can anyway.
            ElementKind::Name(name) if name == "EOF" && self.is_ignored => {
                NodeKind::Group(vec![sequence(Vec::new())])
            }
            ElementKind::Name(name) if name == "EOF" => pattern("(?![\\s\\S])".to_owned()),
            ElementKind::Name(name) => NodeKind::Name(name.clone()),
            ElementKind::Text(text) => literal(text, self.ignore_case),
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
        match &element.kind {
            ElementKind::Text(text) => {
                let mut chars = text.chars();
                match (chars.next(), chars.next()) {
                    (Some(c), None) if self.ignore_case => Ok(range_in_any_case(u32::from(c), u32::from(c))),
                    (Some(c), None) => Ok(range_in_class(u32::from(c), u32::from(c))),
                    _ => Err(refused()),
                }
            }
            ElementKind::Set(class) => Ok(class.clone()),
            ElementKind::Name(name) if depth < 10 => {
                let rule = self.rules.get(name).ok_or_else(refused)?;
                let only = |one: &Alternative| match &one.elements[..] {
                    [only] => self.in_class(only, depth + 1),
                    _ => Err(refused()),
                };
                rule.alternatives.iter().map(only).collect()
            }
            ElementKind::Group(alternatives) if depth < 10 => {
                let only = |one: &Alternative| match &one.elements[..] {
                    [only] => self.in_class(only, depth + 1),
                    _ => Err(refused()),
                };
                alternatives.iter().map(only).collect()
            }
            _ => Err(refused()),
        }
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

/// An alternative of these nodes.
pub(super) fn sequence(nodes: Vec<Node>) -> lark::Alternative {
    lark::Alternative { conjuncts: vec![nodes], precedence: None, condition: None }
}

/// The name of a terminal or rule as a node.
pub(super) fn name(text: &str, span: Range<usize>) -> Node {
    Node { kind: NodeKind::Name(text.to_owned()), span }
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
        let before = Alternative { elements: before.to_vec(), commands: Vec::new() };
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
    Some(Alternative { elements: vec![repeat, group(last)], commands: Vec::new() })
}

/// How often an element uses a name.
fn uses(element: &Element, name: &str) -> usize {
    let own = matches!(&element.kind, ElementKind::Name(used) if used == name);
    usize::from(own) + element.children().into_iter().map(|child| uses(child, name)).sum::<usize>()
}
