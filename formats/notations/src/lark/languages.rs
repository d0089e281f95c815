//! The languages of terminals: the text that matches a regular expression, or special tokens.
//!
//! Input: the clauses of a terminal, and the languages of the terminals that it uses, which were built before. Output: its language, as one
//! regular expression into which the expressions of the used terminals are copied. The expression has a bounded size and depth.

use super::ast::{Alternative, Name, Node, NodeKind, bound};
use super::program::{Clause, Defined, DefinitionId, Ignored, ModuleId, Program, sole_node};
use super::token::Span;
use super::{python_regex, structured};
use crate::bounds::Bounds;
use gcc_grammar_ir::{Code, Diagnostic, Location, SpecialNames, TokenSelector, special, try_fold};
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{CharSet, PatternFlags, Regex, RegularLimits};
use std::sync::Arc;

/// The largest number of parts of the expression of a terminal, after copying the expressions that it uses.
const MAX_PARTS: usize = 200_000;
/// Estimated bytes of a part.
const BYTES_PER_PART: u64 = 72;
/// The deepest allowed nesting of that expression.
const MAX_DEPTH: usize = 400;

/// The language of a terminal.
#[derive(Clone)]
pub(super) enum Language {
    /// Text.
    Text(Regex),
    /// One special token.
    Tokens(Vec<TokenSelector>),
}

/// The languages of the terminals that were built so far.
pub(super) struct Languages {
    /// Per definition; none if it is not a terminal, is only declared, or depends on the level of indentation.
    built: Vec<Option<Language>>,
    /// The limits on the automaton of each terminal.
    pub(super) limits: RegularLimits,
    /// The special tokens that strings in terminals may name.
    names: SpecialNames,
    /// The definition of the indentation.
    indent: Option<DefinitionId>,
    /// Per definition, whether it is a terminal that uses the indentation, so that its language depends on the level.
    indented: Vec<bool>,
}

impl Languages {
    /// No languages yet. `indented` says which definitions are terminals that use the indentation.
    pub(super) fn new(
        program: &Program,
        limits: RegularLimits,
        names: SpecialNames,
        indented: Vec<bool>,
    ) -> Self {
        let layout = program.layout.as_ref();
        let indent = layout.and_then(|layout| program.find(layout.module, &layout.indent.text));
        Self { built: vec![None; program.definitions.len()], limits, names, indent, indented }
    }

    /// The language of a terminal, if it was built.
    pub(super) fn get(&self, id: DefinitionId) -> Option<&Language> {
        self.built[id.index()].as_ref()
    }

    /// Whether a text of some terminal, or of what is ignored, may have the byte that begins [marks](gcc_grammar_ir::special) of special tokens.
    pub(super) fn may_match_mark(&self, program: &Program) -> bool {
        let may =
            |language: &Language| matches!(language, Language::Text(regex) if special::may_match_mark(regex));
        let indented = (0..self.indented.len()).map(DefinitionId::new).filter(|&id| self.is_indented(id));
        let at_level = |id| self.at_level(program, id, &Regex::empty()).ok();
        let ignored = |ignored: &Ignored| {
            let name = Name { text: "%ignore".to_owned(), span: ignored.span.clone() };
            self.language(program, &ignored.clauses, &name).ok()
        };
        self.built.iter().flatten().any(may)
            || indented.filter_map(at_level).any(|language| may(&language))
            || program.ignored.iter().filter_map(ignored).any(|language| may(&language))
    }

    /// Whether the language of a terminal depends on the level of indentation.
    pub(super) fn is_indented(&self, id: DefinitionId) -> bool {
        self.indented[id.index()]
    }

    /// Builds the language of a terminal. The terminals that it uses must have been built.
    pub(super) fn build(&mut self, program: &Program, id: DefinitionId) -> Result<(), Diagnostic> {
        let language = self.definition(program, &program.definitions[id.index()], None)?;
        self.built[id.index()] = Some(language);
        Ok(())
    }

    /// The language of a terminal that uses the indentation, with this indentation.
    pub(super) fn at_level(
        &self,
        program: &Program,
        id: DefinitionId,
        indentation: &Regex,
    ) -> Result<Language, Diagnostic> {
        self.definition(program, &program.definitions[id.index()], Some(indentation))
    }

    /// The text in front of the suffix of a lexeme. `indentation` is given if it uses the indentation.
    pub(super) fn body(
        &self,
        program: &Program,
        id: DefinitionId,
        indentation: Option<&Regex>,
    ) -> Result<Regex, Diagnostic> {
        let Defined { clauses, name, .. } = &program.definitions[id.index()];
        match self.language_with(program, clauses, name, indentation)? {
            Language::Text(body) => Ok(body),
            Language::Tokens(_) => Ok(Regex::never()),
        }
    }

    /// The language of a definition; `indentation` is given if it uses the indentation.
    fn definition(
        &self,
        program: &Program,
        defined: &Defined,
        indentation: Option<&Regex>,
    ) -> Result<Language, Diagnostic> {
        let language = self.language_with(program, &defined.clauses, &defined.name, indentation)?;
        let (Some(lexeme), Language::Text(body)) = (&defined.lexeme, &language) else {
            return Ok(language);
        };
        let Defined { name, module, .. } = defined;
        if body.has_look() {
            return Err(assertion_in_a_part(program, *module, &name.span));
        }
        let mut builder = Builder { languages: self, program, name, indentation, parts: 0 };
        let suffix = lexeme.suffix.as_ref().map(|suffix| builder.node(suffix, *module)).transpose()?;
        let bounds = Bounds { lazy: lexeme.lazy, max_chars: lexeme.max_chars, max_tokens: lexeme.max_tokens };
        let dfa = bounds.apply(body, suffix, &self.limits);
        let dfa = dfa.map_err(|error| too_costly(program, &name.text, error, *module, &name.span))?;
        Ok(Language::Text(Regex::Automaton(Arc::new(dfa))))
    }

    /// The expression of a string, pattern, range or `%regex`.
    pub(super) fn leaf(&self, program: &Program, node: &Node, module: ModuleId) -> Result<Regex, Diagnostic> {
        match &node.kind {
            NodeKind::Text { text, ignore_case: false } => Ok(self.names.literal(text, &self.limits.budget)),
            NodeKind::Text { text, ignore_case: true } => {
                python_regex::parse(&regex_syntax::escape(text), "i", &self.limits)
            }
            NodeKind::Pattern { pattern, flags } => read_pattern(program, pattern, flags, &self.limits)
                .map_err(|mut error| {
                    if let Some(Location::Span(span)) = &error.location {
                        let start = node.span.start + 1;
                        let (location, prefix) =
                            program.place(module, &(start + span.start..start + span.end));
                        error.message = format!("{prefix}{}", error.message);
                        error.location = Some(location);
                    }
                    error
                }),
            NodeKind::Range(low, high) => Ok(Regex::chars(match (low.chars().next(), high.chars().next()) {
                (Some(low), Some(high)) => CharSet::range(low, high),
                _ => CharSet::default(),
            })),
            NodeKind::Structured(object) => match structured::automaton(object, &self.limits) {
                Ok(dfa) => Ok(Regex::Automaton(Arc::new(dfa))),
                Err(message) => Err(program.error(Code::BadRegexObject, &message, module, &node.span)),
            },
            _ => Ok(Regex::never()),
        }
    }

    /// The language of the alternatives of a terminal. `name` is for messages.
    pub(super) fn language(
        &self,
        program: &Program,
        clauses: &[Clause],
        name: &Name,
    ) -> Result<Language, Diagnostic> {
        self.language_with(program, clauses, name, None)
    }

    fn language_with(
        &self,
        program: &Program,
        clauses: &[Clause],
        name: &Name,
        indentation: Option<&Regex>,
    ) -> Result<Language, Diagnostic> {
        if let Some(tokens) = self.tokens(program, clauses) {
            return Ok(Language::Tokens(tokens));
        }
        let mut builder = Builder { languages: self, program, name, indentation, parts: 0 };
        let mut alternatives = Vec::with_capacity(clauses.len());
        for clause in clauses {
            alternatives.push(builder.alternative(&clause.alternative, clause.module)?);
        }
        let regex = one_or(alternatives, Regex::Union);
        let module = clauses.first().map_or(ModuleId(0), |clause| clause.module);
        if !regex.is_within(MAX_DEPTH - 1, usize::MAX) {
            return Err(builder.too_large(module, &name.span));
        }
        Ok(Language::Text(regex))
    }

    /// The special tokens of the alternatives, if every alternative is nothing but special tokens.
    fn tokens(&self, program: &Program, clauses: &[Clause]) -> Option<Vec<TokenSelector>> {
        let mut tokens = Vec::new();
        for clause in clauses {
            match &sole_node(std::slice::from_ref(clause))?.kind {
                NodeKind::Special(selectors) => tokens.extend(selectors.iter().cloned()),
                NodeKind::Name(name) => match self.get(program.find(clause.module, name)?)? {
                    Language::Tokens(selectors) => tokens.extend(selectors.iter().cloned()),
                    Language::Text(_) => return None,
                },
                _ => return None,
            }
        }
        (!tokens.is_empty()).then_some(tokens)
    }
}

/// The error that an assertion would look at a part of a terminal.
fn assertion_in_a_part(program: &Program, module: ModuleId, span: &Span) -> Diagnostic {
    let message =
        "look-around, `^`, `$` and `\\b` are not supported within `&`, `~` and rules with attributes";
    let error = program.error(Code::UnsupportedAssertion, message, module, span);
    error.help("leave the assertion out, or write the terminal without these operators and attributes")
}

/// The error that the automaton of a terminal is too large.
pub(super) fn too_costly(
    program: &Program,
    name: &str,
    error: OverBudget,
    module: ModuleId,
    span: &Span,
) -> Diagnostic {
    let message = format!("the terminal {name} is too large: {error}");
    let help = Diagnostic::from(error).help.unwrap_or_default();
    program.error(Code::TerminalTooLarge, &message, module, span).help(help)
}

/// A part of a terminal.
#[derive(Clone, Copy)]
enum Part<'e> {
    Node(&'e Node),
    Alternative(&'e Alternative),
    Sequence(&'e [Node]),
}

impl<'e> Part<'e> {
    /// What it is made of.
    fn parts(self) -> std::vec::IntoIter<Self> {
        let parts: Vec<Self> = match self {
            Self::Sequence(nodes) => nodes.iter().map(Self::Node).collect(),
            Self::Alternative(alternative) => {
                alternative.conjuncts.iter().map(|nodes| Self::Sequence(nodes)).collect()
            }
            Self::Node(node) => match &node.kind {
                NodeKind::Group(alternatives) => alternatives.iter().map(Self::Alternative).collect(),
                NodeKind::Repeat { inner, .. } | NodeKind::Lazy(inner) | NodeKind::Not(inner) => {
                    vec![Self::Node(inner)]
                }
                _ => Vec::new(),
            },
        };
        parts.into_iter()
    }
}

/// Builds the expression of one terminal.
struct Builder<'b> {
    languages: &'b Languages,
    program: &'b Program,
    name: &'b Name,
    /// The indentation, if the terminal uses it.
    indentation: Option<&'b Regex>,
    /// The number of parts that were made or copied.
    parts: usize,
}

impl Builder<'_> {
    fn too_large(&self, module: ModuleId, span: &Span) -> Diagnostic {
        let message = format!(
            "the terminal `{}` is too large once the terminals that it uses are copied into it",
            self.name.text
        );
        self.program
            .error(Code::TerminalTooLarge, &message, module, span)
            .help("make it a rule, or nest less")
    }

    fn alternative(&mut self, alternative: &Alternative, module: ModuleId) -> Result<Regex, Diagnostic> {
        self.part(Part::Alternative(alternative), module)
    }

    fn node(&mut self, node: &Node, module: ModuleId) -> Result<Regex, Diagnostic> {
        self.part(Part::Node(node), module)
    }

    fn part(&mut self, part: Part<'_>, module: ModuleId) -> Result<Regex, Diagnostic> {
        try_fold(part, Part::parts, |part, parts| match part {
            Part::Sequence(_) => Ok(one_or(parts, Regex::Concat)),
            Part::Alternative(_) => {
                if parts.len() > 1 {
                    parts.iter().try_for_each(|one| self.refuse_assertions(one, module, &self.name.span))?;
                }
                Ok(one_or(parts, Regex::Intersect))
            }
            Part::Node(node) => self.made(node, parts, module),
        })
    }

    /// The expression of a node that is made of these parts.
    fn made(&mut self, node: &Node, mut parts: Vec<Regex>, module: ModuleId) -> Result<Regex, Diagnostic> {
        self.parts += 1;
        let regex = match (&node.kind, parts.pop()) {
            (NodeKind::Name(name), _) => self.used(name, module, &node.span)?,
            (NodeKind::Group(_), last) => one_or(parts.into_iter().chain(last).collect(), Regex::Union),
            (NodeKind::Repeat { min, max, .. }, Some(inner)) => inner.repeat(bound(*min), max.map(bound)),
            (NodeKind::Lazy(_), Some(inner)) => Regex::Lazy(Box::new(inner)),
            (NodeKind::Not(_), Some(inner)) => {
                self.refuse_assertions(&inner, module, &node.span)?;
                let not = Regex::Complement(Box::new(inner));
                Regex::Intersect(vec![not, Regex::any_char().star()])
            }
            (
                NodeKind::Special(_)
                | NodeKind::Template { .. }
                | NodeKind::Parametric { .. }
                | NodeKind::Json { .. }
                | NodeKind::Lark { .. }
                | NodeKind::Language { .. },
                _,
            ) => {
                let message = "tokens, templates, rules with a parameter and embedded grammars cannot be part of a terminal";
                let error = self.program.error(Code::NotText, message, module, &node.span);
                return Err(error.help("use a rule instead, or a terminal that is tokens only"));
            }
            _ => self.languages.leaf(self.program, node, module)?,
        };
        if self.parts > MAX_PARTS { Err(self.too_large(module, &node.span)) } else { Ok(regex) }
    }

    /// Refuses an expression whose assertions would look at a part of the terminal instead of the whole.
    fn refuse_assertions(&self, regex: &Regex, module: ModuleId, span: &Span) -> Result<(), Diagnostic> {
        if regex.has_look() { Err(assertion_in_a_part(self.program, module, span)) } else { Ok(()) }
    }

    fn language_of(&self, id: DefinitionId) -> Option<Result<Language, Diagnostic>> {
        match self.indentation {
            Some(indentation) if self.languages.indent == Some(id) => {
                Some(Ok(Language::Text(indentation.clone())))
            }
            Some(indentation) if self.languages.indented[id.index()] => {
                Some(self.languages.at_level(self.program, id, indentation))
            }
            _ => self.languages.get(id).cloned().map(Ok),
        }
    }

    /// The expression of a terminal that this one uses.
    fn used(&mut self, name: &str, module: ModuleId, span: &Span) -> Result<Regex, Diagnostic> {
        match self.program.find(module, name).and_then(|id| self.language_of(id)).transpose()? {
            Some(Language::Text(regex)) => {
                let copied = parts(&regex) as u64;
                let budget = &self.languages.limits.budget;
                budget.charge_work(copied).and_then(|()| budget.charge_bytes(copied * BYTES_PER_PART))?;
                self.parts += copied as usize;
                if self.parts > MAX_PARTS {
                    return Err(self.too_large(module, span));
                }
                Ok(regex)
            }
            _ => {
                let message = format!("`{name}` does not match text, so it cannot be part of a terminal");
                Err(self.program.error(Code::NotText, &message, module, span))
            }
        }
    }
}

/// Reads a pattern in the syntax of Python or, in the dialect of llguidance, of Rust. Errors are located in `pattern`.
fn read_pattern(
    program: &Program,
    pattern: &str,
    flags: &str,
    limits: &RegularLimits,
) -> Result<Regex, Diagnostic> {
    if !program.llguidance {
        return python_regex::parse(pattern, flags, limits);
    }
    Ok(Regex::parse_within(pattern, PatternFlags::of_terminal(flags), limits)?)
}

fn one_or(mut parts: Vec<Regex>, many: impl FnOnce(Vec<Regex>) -> Regex) -> Regex {
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        Some(last) => {
            parts.push(last);
            many(parts)
        }
        None => many(parts),
    }
}

fn parts(regex: &Regex) -> usize {
    let (mut count, mut open) = (0, vec![regex]);
    while let Some(regex) = open.pop() {
        count += 1;
        open.extend(regex.children());
    }
    count
}
