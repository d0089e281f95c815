//! The rules of a parser over the tokens of a lexer with modes, as the analysis of the modes reads them.
//!
//! Input: the rules that the start rule reaches, and the tokens of the lexer. Output: symbols with their bodies. Beside the rules there are three symbols:
//! `MORE` is the beginning of a token of several parts, `HIDDEN` what the parser does not see although it changes the modes, and `TEXT` a whole text.

use super::ast::{Alternative, Element, ElementKind, Rule};
use super::modes::{Modes, Seen};
use super::reach::Rules;
use super::start::END;
use crate::scanner::error;
use gcc_grammar_ir::{Code, Diagnostic};
use gcc_grammar_limits::Budget;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Estimated bytes of a part.
const BYTES_PER_PART: u64 = 100;

/// A part of a body.
#[derive(Debug)]
pub(super) enum Part {
    Symbol(usize),
    /// A token of the lexer.
    Token(usize),
    /// The end of the text.
    End,
    Sequence(Vec<Part>),
    Choice(Vec<Part>),
    Repeat {
        inner: Box<Part>,
        /// Whether it may be left out, and whether it may come more than once.
        optional: bool,
        many: bool,
    },
}

/// A rule, or one of the symbols beside the rules.
pub(super) struct Symbol {
    pub(super) name: String,
    pub(super) file: usize,
    pub(super) span: Range<usize>,
    pub(super) body: Part,
    /// Whether it is a token with what the parser does not see around it.
    pub(super) is_token: bool,
}

/// The symbol of whole texts.
pub(super) const TEXT: usize = 0;
/// The symbol of beginnings of tokens.
pub(super) const MORE: usize = 1;
/// The symbol of what the parser does not see.
pub(super) const HIDDEN: usize = 2;

/// Makes the symbols.
pub(super) struct Builder<'b, 'g> {
    rules: &'b Rules<'g>,
    modes: &'b Modes<'g>,
    budget: &'b Budget,
    /// By text, the names of the tokens that are defined as nothing else.
    by_text: FxHashMap<&'g str, Vec<&'g str>>,
    /// By name as the parser knows it, the tokens.
    by_name: FxHashMap<&'g str, Vec<usize>>,
    numbers: FxHashMap<&'g str, usize>,
    /// By names, the symbols of tokens.
    tokens: FxHashMap<Vec<&'g str>, usize>,
    open: Vec<&'g Rule>,
    has_more: bool,
    has_hidden: bool,
    symbols: Vec<Symbol>,
}

/// The symbols of the rules that a start rule reaches.
pub(super) fn symbols<'g>(
    start: &'g Rule,
    rules: &Rules<'g>,
    modes: &Modes<'g>,
    budget: &Budget,
) -> Result<Vec<Symbol>, (usize, Diagnostic)> {
    let mut by_name: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    let mut by_text: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
    for (number, one) in modes.rules.iter().enumerate() {
        if let Seen::As(name) = one.seen {
            by_name.entry(name).or_default().push(number);
        }
        if let Some(text) = one.rule.alias() {
            by_text.entry(text).or_default().push(&one.rule.name.text);
        }
    }
    let has_more = modes.rules.iter().any(|one| one.seen == Seen::Begins);
    let has_hidden = modes.rules.iter().any(|one| one.seen == Seen::Hidden && !one.is_ignored);
    let (numbers, tokens, open, symbols) = Default::default();
    let mut builder = Builder {
        rules,
        modes,
        budget,
        by_text,
        by_name,
        numbers,
        tokens,
        open,
        has_more,
        has_hidden,
        symbols,
    };
    builder.beside(start);
    builder.reach(start);
    while let Some(rule) = builder.open.pop() {
        let file = builder.rules.file(&rule.name.text).unwrap_or(0);
        let body = builder.alternatives(&rule.alternatives).map_err(|problem| (file, problem))?;
        let number = builder.numbers[rule.name.text.as_str()];
        let Symbol { file: of, body: empty, .. } = &mut builder.symbols[number];
        (*of, *empty) = (file, body);
    }
    Ok(builder.symbols)
}

impl<'g> Builder<'_, 'g> {
    /// Makes the symbols beside the rules.
    fn beside(&mut self, start: &'g Rule) {
        let all = |is: &dyn Fn(&Seen<'_>, bool) -> bool| {
            let rules = self.modes.rules.iter().enumerate();
            let some = rules.filter(|(_, one)| is(&one.seen, one.is_ignored));
            Part::Choice(some.map(|(number, _)| Part::Token(number)).collect())
        };
        let more = repeated(all(&|seen, _| *seen == Seen::Begins), false, true);
        let hidden = self.begun(all(&|seen, is_ignored| *seen == Seen::Hidden && !is_ignored));
        let mut text = Vec::new();
        if self.has_hidden {
            text.push(repeated(Part::Symbol(HIDDEN), true, true));
        }
        text.push(Part::Symbol(HIDDEN + 1));
        let bodies = [("text", Part::Sequence(text)), ("more", more), ("hidden", hidden)];
        let span = &start.name.span;
        let symbol = |(name, body)| {
            let name = format!("{}@{name}", start.name.text);
            Symbol { name, file: 0, span: span.clone(), body, is_token: false }
        };
        self.symbols.extend(bodies.map(symbol));
    }

    /// The number of a rule.
    fn reach(&mut self, rule: &'g Rule) -> usize {
        if let Some(&known) = self.numbers.get(rule.name.text.as_str()) {
            return known;
        }
        let (name, span) = (rule.name.text.clone(), rule.name.span.clone());
        self.symbols.push(Symbol { name, file: 0, span, body: Part::Choice(Vec::new()), is_token: false });
        self.numbers.insert(&rule.name.text, self.symbols.len() - 1);
        self.open.push(rule);
        self.symbols.len() - 1
    }

    /// A token that may have a beginning of its own.
    fn begun(&self, token: Part) -> Part {
        match self.has_more {
            true => Part::Sequence(vec![repeated(Part::Symbol(MORE), true, false), token]),
            false => token,
        }
    }

    fn alternatives(&mut self, alternatives: &'g [Alternative]) -> Result<Part, Diagnostic> {
        let mut parts = Vec::new();
        for one in alternatives {
            let elements = one.elements.iter().map(|element| self.element(element));
            parts.push(Part::Sequence(elements.collect::<Result<_, _>>()?));
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Part::Choice(parts) })
    }

    fn element(&mut self, element: &'g Element) -> Result<Part, Diagnostic> {
        self.budget.charge_bytes(BYTES_PER_PART)?;
        Ok(match &element.kind {
            ElementKind::Name(name) if name == END => Part::End,
            ElementKind::Name(name) => match self.rules.get(name).filter(|rule| !rule.name.is_token()) {
                Some(rule) => Part::Symbol(self.reach(rule)),
                None => self.token(vec![name], &element.span),
            },
            ElementKind::Text { text, .. } if text.is_empty() => Part::Sequence(Vec::new()),
            ElementKind::Text { text, .. } => {
                let token = self.defined_as(text).ok_or_else(|| {
                    let message = format!("no token is defined as {text:?} alone, or several are");
                    let help = "define one in the lexer, or use its name";
                    error(Code::UndefinedSymbol, message, element.span.clone()).help(help)
                })?;
                self.token(vec![token], &element.span)
            }
            ElementKind::Any => self.all_but(&[], &element.span),
            ElementKind::Not(left_out) => self.all_but(left_out, &element.span),
            ElementKind::Group(alternatives) => self.alternatives(alternatives)?,
            ElementKind::Repeat { inner, min, max, .. } => {
                repeated(self.element(inner)?, *min == 0, *max != Some(1))
            }
            ElementKind::Set(_) => {
                let message = "sets of characters stand in tokens only";
                let error = error(Code::Syntax, message, element.span.clone());
                return Err(error.help("define a token, with an upper-case name"));
            }
        })
    }

    /// The only token that is defined as a text.
    fn defined_as(&self, text: &str) -> Option<&'g str> {
        match self.by_text.get(text).map(|names| &names[..]) {
            Some([only]) => Some(only),
            _ => None,
        }
    }

    /// Any of the tokens with these names, and what the parser does not see behind it.
    fn token(&mut self, names: Vec<&'g str>, span: &Range<usize>) -> Part {
        if let Some(&known) = self.tokens.get(&names) {
            return Part::Symbol(known);
        }
        let numbers = names.iter().filter_map(|name| self.by_name.get(name)).flatten();
        let mut all: Vec<Part> = numbers.map(|&number| Part::Token(number)).collect();
        let token = if all.len() == 1 { all.remove(0) } else { Part::Choice(all) };
        if !self.has_more && !self.has_hidden {
            return token;
        }
        let mut body = vec![self.begun(token)];
        if self.has_hidden {
            body.push(repeated(Part::Symbol(HIDDEN), true, true));
        }
        let name = format!("{}@token", names.first().unwrap_or(&"").to_lowercase());
        self.tokens.insert(names, self.symbols.len());
        let (span, body) = (span.clone(), Part::Sequence(body));
        self.symbols.push(Symbol { name, file: 0, span, body, is_token: true });
        Part::Symbol(self.symbols.len() - 1)
    }

    /// Any token but these.
    fn all_but(&mut self, left_out: &[Element], span: &Range<usize>) -> Part {
        let out = left_out.iter().filter_map(|element| match &element.kind {
            ElementKind::Name(name) => Some(name.as_str()),
            ElementKind::Text { text, .. } => self.defined_as(text),
            _ => None,
        });
        let out: FxHashSet<&str> = out.collect();
        let mut names: Vec<&'g str> =
            self.by_name.keys().copied().filter(|name| !out.contains(name)).collect();
        names.sort_unstable();
        self.token(names, span)
    }
}

fn repeated(inner: Part, optional: bool, many: bool) -> Part {
    Part::Repeat { inner: Box::new(inner), optional, many }
}
