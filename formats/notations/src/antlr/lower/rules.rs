//! The definitions of rules of the parser, where the lexer has one mode.

use super::Lowering;
use crate::antlr::Loaded;
use crate::antlr::ast::{Alternative, Element, ElementKind, with_inner};
use crate::antlr::lexer_rules::{literal, name, sequence};
use crate::antlr::start::END;
use crate::lark::ast::{self as lark, Item, Node, NodeKind};
use crate::scanner::error;
use gcc_grammar_ir::{Code, Diagnostic};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// Estimated bytes of a token among all tokens.
const BYTES_PER_TOKEN: u64 = 330;

impl Lowering<'_> {
    /// Finds the strings in rules of the parser that no token is defined as. Those that the start rule does not reach are recognized, too.
    pub(super) fn texts(&mut self) {
        for token in self.known.tokens.iter().rev() {
            self.known.by_text.extend(self.text_of(token).map(|text| (text, *token)));
        }
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        let rules =
            self.loaded.iter().flat_map(|file| &file.grammar.rules).filter(|rule| !rule.name.is_token());
        let elements = rules.flat_map(|rule| &rule.alternatives).flat_map(|one| &one.elements);
        for element in with_inner(elements) {
            let ElementKind::Text { text, .. } = &element.kind else { continue };
            if text.is_empty() || self.known.by_text.contains_key(text.as_str()) || !seen.insert(text) {
                continue;
            }
            self.known.texts.push(text);
            let is_used =
                self.reached.texts.contains(text.as_str()) || self.reached.has_other(None, Some(text));
            if !is_used {
                let span = self.start.name.span.clone();
                let hidden = format!("T__{}", self.known.texts.len());
                let node = Node { kind: literal(text, self.ignores_case()), span: span.clone() };
                self.define(0, &hidden, span.clone(), None, vec![sequence(vec![node])]);
                self.out.items[0].push(Item::Never(lark::Name { text: hidden, span }));
            }
        }
    }

    /// Declares the end of the text as a terminal, if rules use it elsewhere than at the end.
    pub(super) fn declare_end(&mut self) {
        self.out.has_end = self.has_inner_end();
        if self.out.has_end {
            let span = self.start.name.span.clone();
            self.out.items[0].push(Item::Declare(vec![lark::Name { text: END.to_owned(), span }]));
        }
    }

    pub(super) fn parser_rules(&mut self) -> Result<(), Diagnostic> {
        self.declare_end();
        for (file, Loaded { grammar, .. }) in self.loaded.iter().enumerate() {
            for rule in grammar.rules.iter().filter(|rule| !rule.name.is_token()) {
                // Rules that the start rule does not reach are often those of other entry points.
                if self.rules.counts(file, rule) && self.reached.names.contains(rule.name.text.as_str()) {
                    let body = rule.alternatives.iter().map(|one| self.alternative(one));
                    let body =
                        body.collect::<Result<_, _>>().map_err(|problem| self.in_file(file, problem))?;
                    self.define(file, &rule.name.text, rule.name.span.clone(), None, body);
                }
            }
        }
        Ok(())
    }

    /// Whether `EOF` stands elsewhere than at the end of the alternatives of the start rule, or the start rule is used.
    fn has_inner_end(&self) -> bool {
        let mut count = 0;
        let mut uses_start = false;
        let reached = self.reached.names.iter().filter_map(|name| self.rules.get(name));
        for rule in reached.filter(|rule| !rule.name.is_token()) {
            for element in with_inner(rule.alternatives.iter().flat_map(|one| &one.elements)) {
                if let ElementKind::Name(name) = &element.kind {
                    count += usize::from(name == END);
                    uses_start |= *name == self.start.name.text;
                }
            }
        }
        let is_end = |one: &&Alternative| matches!(one.elements.last(), Some(Element { kind: ElementKind::Name(name), .. }) if name == END);
        let at_end = self.start.alternatives.iter().filter(is_end).count();
        count > at_end || uses_start && count > 0
    }

    fn alternative(&self, alternative: &Alternative) -> Result<lark::Alternative, Diagnostic> {
        let nodes = alternative.elements.iter().map(|element| self.node(element));
        Ok(sequence(nodes.collect::<Result<_, _>>()?))
    }

    fn node(&self, element: &Element) -> Result<Node, Diagnostic> {
        let span = element.span.clone();
        let kind = match &element.kind {
            ElementKind::Name(text) if text == END && !self.out.has_end => {
                NodeKind::Group(vec![sequence(Vec::new())])
            }
            ElementKind::Name(text) => return Ok(self.named(text, span)),
            ElementKind::Text { text, .. } => self.text(text, span.clone()),
            ElementKind::Any => self.all_tokens(&[], &span)?,
            ElementKind::Not(left_out) => self.all_tokens(left_out, &span)?,
            ElementKind::Group(alternatives) => {
                let inner = alternatives.iter().map(|one| self.alternative(one));
                NodeKind::Group(inner.collect::<Result<_, _>>()?)
            }
            // Which repetitions are tried first decides between readings, and not what is read.
            ElementKind::Repeat { inner, min, max, .. } => {
                let inner = Box::new(self.node(inner)?);
                NodeKind::Repeat { inner, min: i64::from(*min), max: max.map(i64::from) }
            }
            ElementKind::Set(_) => {
                let message = "sets of characters stand in tokens only";
                return Err(
                    error(Code::Syntax, message, span).help("define a token, with an upper-case name")
                );
            }
        };
        Ok(Node { kind, span })
    }

    /// A text in a rule of the parser: the token that is defined as this text, or a token of its own.
    fn text(&self, text: &str, span: Range<usize>) -> NodeKind {
        match self.known.by_text.get(text) {
            Some(token) => self.named(token, span).kind,
            None => literal(text, self.ignores_case()),
        }
    }

    /// Whether texts in rules of the parser match in either case. Those of merged grammars have the options of the given one.
    pub(super) fn ignores_case(&self) -> bool {
        self.loaded[0].grammar.case_insensitive
    }

    /// A rule or token, with the tokens that are turned into it.
    fn named(&self, text: &str, span: Range<usize>) -> Node {
        let is_hidden = self.known.hidden.contains(text) || self.known.declared.contains(text);
        if is_hidden && !self.known.also.contains_key(text) {
            // What is hidden never reaches the parser, and what is only declared is made by code of the author.
            return Node { kind: NodeKind::Group(Vec::new()), span };
        }
        let Some(also) = self.known.also.get(text) else { return name(text, span) };
        let own = self.rules.get(text).filter(|_| !is_hidden).map(|_| text);
        let all = own.into_iter().chain(also.iter().copied());
        let all = all.map(|one| sequence(vec![name(one, span.clone())]));
        Node { kind: NodeKind::Group(all.collect()), span }
    }

    /// Any token but these.
    fn all_tokens(&self, left_out: &[Element], span: &Range<usize>) -> Result<NodeKind, Diagnostic> {
        let bytes = (self.known.tokens.len() + self.known.texts.len()) as u64 * BYTES_PER_TOKEN;
        self.budget.charge_bytes(bytes)?;
        let (mut names, mut left_out_texts) = (FxHashSet::default(), FxHashSet::default());
        for element in left_out {
            match &element.kind {
                ElementKind::Name(name) => _ = names.insert(name.as_str()),
                ElementKind::Text { text, .. } => _ = left_out_texts.insert(text.as_str()),
                _ => {}
            }
        }
        let is_named = |token: &str| {
            let text = if left_out_texts.is_empty() { None } else { self.text_of(token) };
            !names.contains(token) && !text.is_some_and(|text| left_out_texts.contains(text))
        };
        let tokens = self.known.tokens.iter().filter(|token| is_named(token));
        let tokens = tokens.map(|token| self.named(token, span.clone()));
        let texts = self.known.texts.iter().filter(|text| !left_out_texts.contains(*text));
        let ignore_case = self.ignores_case();
        let texts = texts.map(|text| Node { kind: literal(text, ignore_case), span: span.clone() });
        Ok(NodeKind::Group(tokens.chain(texts).map(|node| sequence(vec![node])).collect()))
    }
}
