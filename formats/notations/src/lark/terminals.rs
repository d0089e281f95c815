//! What terminals match: text by a regular expression, or special tokens by id.
//!
//! Terminals may use terminals, but not themselves: they are built in an order in which what is used comes first,
//! and what is used is copied in.

use super::ast::{Alternative, Name, Node, NodeKind};
use super::attributes::Shortest;
use super::layout::indented_terminals;
use super::program::{Clause, Defined, DefinitionId, ModuleId, Program};
use super::token::Span;
use super::{python_regex, structured};
use gcc_grammar_ir::{Code, Diagnostic, Location, TokenSelector};
use gcc_grammar_regular::{CharSet, Dfa, PatternFlags, Regex, RegularLimits, TooLarge};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// How many parts the expression of one terminal may have when everything it uses is copied in.
const MAX_PARTS: usize = 200_000;
/// How deep that expression may nest.
const MAX_DEPTH: usize = 400;

/// What a terminal matches.
#[derive(Clone)]
pub(super) enum Matter {
    Text(Regex),
    Tokens(Vec<TokenSelector>),
}

/// What all terminals match that the given file defines or needs.
pub(super) struct Terminals {
    built: Vec<Option<Matter>>,
    limits: RegularLimits,
    /// The name of the indentation.
    indent: Option<DefinitionId>,
    /// Per definition: it is a terminal that uses the indentation, so what it matches depends on the level.
    indented: Vec<bool>,
    /// The first terminal that is nothing but this string.
    texts: FxHashMap<(String, bool), DefinitionId>,
    /// The first terminal that is nothing but this pattern with these flags.
    patterns: FxHashMap<(String, String), DefinitionId>,
}

impl Terminals {
    /// Builds the terminals that can be reached from the definitions of the given file. Names must have been checked.
    pub(super) fn build(program: &Program, limits: &RegularLimits) -> Result<Self, Vec<Diagnostic>> {
        let own = (0..program.definitions.len()).map(DefinitionId::new);
        let mut roots: Vec<_> =
            own.filter(|&id| program.definitions[id.index()].module.index() == 0).collect();
        roots.extend(ignored_references(program));
        let (order, cycles) = users_last(program, roots);
        if !cycles.is_empty() {
            return Err(cycles.into_iter().map(|id| recursive(program, id)).collect());
        }
        let (texts, patterns) = Default::default();
        let built = vec![None; program.definitions.len()];
        let layout = program.layout.as_ref();
        let indent = layout.and_then(|layout| program.find(layout.module, &layout.indent.text));
        let indented = indented_terminals(program);
        let mut terminals = Self { built, limits: *limits, indent, indented, texts, patterns };
        let mut errors = Vec::new();
        for id in order {
            let defined = &program.definitions[id.index()];
            if !defined.is_terminal() || defined.declared_only || terminals.indented[id.index()] {
                continue;
            }
            match terminals.definition(program, defined, None) {
                Ok(matter) => terminals.built[id.index()] = Some(matter),
                Err(error) => errors.push(error),
            }
        }
        terminals.index_literals(program);
        if errors.is_empty() { Ok(terminals) } else { Err(errors) }
    }

    fn index_literals(&mut self, program: &Program) {
        for (index, defined) in program.definitions.iter().enumerate() {
            let id = DefinitionId::new(index);
            match sole_node(&defined.clauses).map(|node| &node.kind) {
                _ if !defined.is_terminal() || defined.shortest.is_some() || self.built[index].is_none() => {}
                Some(NodeKind::Text { text, ignore_case }) => {
                    self.texts.entry((text.clone(), *ignore_case)).or_insert(id);
                }
                Some(NodeKind::Pattern { pattern, flags }) => {
                    self.patterns.entry((pattern.clone(), flags.clone())).or_insert(id);
                }
                _ => {}
            }
        }
    }

    /// What a terminal matches; none if it is only declared.
    pub(super) fn get(&self, id: DefinitionId) -> Option<&Matter> {
        self.built[id.index()].as_ref()
    }

    /// The terminal that is defined as this one node.
    pub(super) fn defined_as(&self, node: &NodeKind) -> Option<DefinitionId> {
        match node {
            NodeKind::Text { text, ignore_case } => self.texts.get(&(text.clone(), *ignore_case)).copied(),
            NodeKind::Pattern { pattern, flags } => {
                self.patterns.get(&(pattern.clone(), flags.clone())).copied()
            }
            _ => None,
        }
    }

    /// What a terminal that uses the indentation matches with this one.
    pub(super) fn at_level(
        &self,
        program: &Program,
        id: DefinitionId,
        indentation: &Regex,
    ) -> Result<Matter, Diagnostic> {
        self.definition(program, &program.definitions[id.index()], Some(indentation))
    }

    fn definition(
        &self,
        program: &Program,
        defined: &Defined,
        indentation: Option<&Regex>,
    ) -> Result<Matter, Diagnostic> {
        let matter = self.matter_with(program, &defined.clauses, &defined.name, indentation)?;
        let (Some(Shortest { suffix, .. }), Matter::Text(body)) = (&defined.shortest, &matter) else {
            return Ok(matter);
        };
        let Defined { name, module, .. } = defined;
        let mut builder = Builder { terminals: self, program, name, indentation, parts: 0 };
        let suffix = suffix.as_ref().map_or(Ok(Regex::empty()), |suffix| builder.node(suffix, *module))?;
        let dfa = body.clone().then(suffix).to_dfa(&self.limits);
        let dfa = dfa.map_err(|error| too_costly(program, &name.text, error, *module, &name.span))?;
        Ok(Matter::Text(Regex::Automaton(Arc::new(dfa.shortest_matches()))))
    }

    /// What a string, pattern, range or `%regex` matches.
    pub(super) fn leaf(&self, program: &Program, node: &Node, module: ModuleId) -> Result<Regex, Diagnostic> {
        match &node.kind {
            NodeKind::Text { text, ignore_case: false } => Ok(Regex::literal(text)),
            NodeKind::Text { text, ignore_case: true } => {
                python_regex::parse(&regex_syntax::escape(text), "i")
            }
            NodeKind::Pattern { pattern, flags } => {
                read_pattern(program, pattern, flags).map_err(|mut error| {
                    if let Some(Location::Span(span)) = &error.location {
                        let start = node.span.start + 1;
                        let (location, prefix) =
                            program.place(module, &(start + span.start..start + span.end));
                        error.message = format!("{prefix}{}", error.message);
                        error.location = Some(location);
                    }
                    error
                })
            }
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

    /// The automaton of a terminal that is not a list of tokens.
    pub(super) fn automaton(&self, regex: &Regex) -> Result<Dfa, TooLarge> {
        if regex.is_lazy() { regex.to_first_match_dfa(&self.limits) } else { regex.to_dfa(&self.limits) }
    }

    /// Without the empty string.
    pub(super) fn without_empty(&self, dfa: &Dfa) -> Result<Dfa, TooLarge> {
        dfa.without_empty(&self.limits)
    }

    /// What several alternatives match; `name` is for messages.
    pub(super) fn matter(
        &self,
        program: &Program,
        clauses: &[Clause],
        name: &Name,
    ) -> Result<Matter, Diagnostic> {
        self.matter_with(program, clauses, name, None)
    }

    fn matter_with(
        &self,
        program: &Program,
        clauses: &[Clause],
        name: &Name,
        indentation: Option<&Regex>,
    ) -> Result<Matter, Diagnostic> {
        if let Some(tokens) = self.tokens(program, clauses) {
            return Ok(Matter::Tokens(tokens));
        }
        let mut builder = Builder { terminals: self, program, name, indentation, parts: 0 };
        let mut alternatives = Vec::with_capacity(clauses.len());
        for clause in clauses {
            alternatives.push(builder.alternative(&clause.alternative, clause.module)?);
        }
        let regex = one_or(alternatives, Regex::Union);
        let module = clauses.first().map_or(ModuleId(0), |clause| clause.module);
        if depth(&regex) > MAX_DEPTH {
            return Err(builder.too_large(module, &name.span));
        }
        Ok(Matter::Text(regex))
    }

    /// The tokens, if every alternative is special tokens and nothing else.
    fn tokens(&self, program: &Program, clauses: &[Clause]) -> Option<Vec<TokenSelector>> {
        let mut tokens = Vec::new();
        for clause in clauses {
            match &sole_node(std::slice::from_ref(clause))?.kind {
                NodeKind::Special(selectors) => tokens.extend(selectors.iter().cloned()),
                NodeKind::Name(name) => match self.get(program.find(clause.module, name)?)? {
                    Matter::Tokens(selectors) => tokens.extend(selectors.iter().cloned()),
                    Matter::Text(_) => return None,
                },
                _ => return None,
            }
        }
        (!tokens.is_empty()).then_some(tokens)
    }
}

/// The node, if there is one alternative and it is one node.
pub(super) fn sole_node(clauses: &[Clause]) -> Option<&Node> {
    match clauses {
        [Clause { alternative: Alternative { conjuncts, .. }, .. }] => match &conjuncts[..] {
            [sequence] if sequence.len() == 1 => sequence.first(),
            _ => None,
        },
        _ => None,
    }
}

/// The error that the automaton of a terminal is too large.
pub(super) fn too_costly(
    program: &Program,
    name: &str,
    error: TooLarge,
    module: ModuleId,
    span: &Span,
) -> Diagnostic {
    let message = format!("the terminal {name} is too large: {error}");
    let error = program.error(Code::TerminalTooLarge, &message, module, span);
    error.help("lower its repetition counts, or raise the limits")
}

fn recursive(program: &Program, id: DefinitionId) -> Diagnostic {
    let Name { text, span } = &program.definitions[id.index()].name;
    let message = format!("the terminal `{text}` uses itself");
    program
        .error(Code::RecursiveTerminal, &message, program.definitions[id.index()].module, span)
        .help("terminals are regular; write what nests as a rule, with a lower-case name")
}

/// The definitions reachable from `roots`, users after what they use, and the terminals that use themselves.
fn users_last(program: &Program, roots: Vec<DefinitionId>) -> (Vec<DefinitionId>, Vec<DefinitionId>) {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; program.definitions.len()];
    let (mut order, mut cycles) = (Vec::new(), Vec::new());
    let mut stack: Vec<(DefinitionId, Vec<DefinitionId>)> = Vec::new();
    for root in roots {
        if marks[root.index()] == Mark::New {
            marks[root.index()] = Mark::Open;
            stack.push((root, references(program, root)));
        }
        while let Some((id, rest)) = stack.last_mut() {
            let Some(next) = rest.pop() else {
                marks[id.index()] = Mark::Done;
                order.push(*id);
                stack.pop();
                continue;
            };
            let terminal = program.definitions[id.index()].is_terminal();
            match marks[next.index()] {
                Mark::New => {
                    marks[next.index()] = Mark::Open;
                    stack.push((next, references(program, next)));
                }
                Mark::Open if terminal => cycles.push(next),
                Mark::Open | Mark::Done => {}
            }
        }
    }
    cycles.sort_unstable();
    cycles.dedup();
    (order, cycles)
}

/// The definitions that a definition names.
pub(super) fn references(program: &Program, id: DefinitionId) -> Vec<DefinitionId> {
    let Defined { clauses, shortest, module, .. } = &program.definitions[id.index()];
    let mut found = references_of(program, clauses);
    if let Some(Shortest { suffix: Some(suffix), .. }) = shortest {
        visit_names(vec![suffix], &mut |name| found.extend(program.find(*module, name)));
    }
    found
}

/// The definitions that `%ignore` names.
pub(super) fn ignored_references(program: &Program) -> Vec<DefinitionId> {
    program.ignored.iter().flat_map(|ignored| references_of(program, &ignored.clauses)).collect()
}

fn references_of(program: &Program, clauses: &[Clause]) -> Vec<DefinitionId> {
    let mut found = Vec::new();
    for Clause { module, alternative } in clauses {
        let nodes = alternative.conjuncts.iter().flatten().collect();
        visit_names(nodes, &mut |name| found.extend(program.find(*module, name)));
    }
    found
}

/// Calls `visit` for every name in the nodes of `open`.
fn visit_names(mut open: Vec<&Node>, visit: &mut impl FnMut(&str)) {
    while let Some(node) = open.pop() {
        match &node.kind {
            NodeKind::Name(name) => visit(name),
            NodeKind::Template { name, arguments } => {
                visit(name);
                open.extend(arguments);
            }
            NodeKind::Group(inner) => {
                open.extend(inner.iter().flat_map(|inner| inner.conjuncts.iter().flatten()))
            }
            NodeKind::Repeat { inner, .. } | NodeKind::Not(inner) => open.push(inner),
            NodeKind::Text { .. }
            | NodeKind::Pattern { .. }
            | NodeKind::Range(..)
            | NodeKind::Special(_)
            | NodeKind::Structured(_)
            | NodeKind::Json { .. } => {}
        }
    }
}

struct Builder<'b> {
    terminals: &'b Terminals,
    program: &'b Program,
    name: &'b Name,
    /// The indentation, in a terminal that uses it.
    indentation: Option<&'b Regex>,
    /// How many parts have been made or copied.
    parts: usize,
}

impl Builder<'_> {
    fn too_large(&self, module: ModuleId, span: &Span) -> Diagnostic {
        let message =
            format!("the terminal `{}` is too large when all that it uses is copied in", self.name.text);
        self.program
            .error(Code::TerminalTooLarge, &message, module, span)
            .help("make it a rule, or nest less")
    }

    fn alternative(&mut self, alternative: &Alternative, module: ModuleId) -> Result<Regex, Diagnostic> {
        let mut conjuncts = Vec::with_capacity(alternative.conjuncts.len());
        for sequence in &alternative.conjuncts {
            let parts: Result<Vec<Regex>, _> = sequence.iter().map(|node| self.node(node, module)).collect();
            conjuncts.push(one_or(parts?, Regex::Concat));
        }
        Ok(one_or(conjuncts, Regex::Intersect))
    }

    fn node(&mut self, node: &Node, module: ModuleId) -> Result<Regex, Diagnostic> {
        self.parts += 1;
        let regex = match &node.kind {
            NodeKind::Name(name) => self.used(name, module, &node.span)?,
            NodeKind::Group(alternatives) => {
                let parts: Result<_, _> =
                    alternatives.iter().map(|inner| self.alternative(inner, module)).collect();
                one_or(parts?, Regex::Union)
            }
            NodeKind::Repeat { inner, min, max } => {
                let inner = self.node(inner, module)?;
                inner.repeat(bound(*min), max.map(bound))
            }
            NodeKind::Not(inner) => {
                let not = Regex::Complement(Box::new(self.node(inner, module)?));
                Regex::Intersect(vec![not, Regex::any_char().star()])
            }
            NodeKind::Text { .. }
            | NodeKind::Pattern { .. }
            | NodeKind::Range(..)
            | NodeKind::Structured(_) => self.terminals.leaf(self.program, node, module)?,
            NodeKind::Special(_) | NodeKind::Template { .. } | NodeKind::Json { .. } => {
                let message = "special tokens, templates and JSON Schemas cannot be part of a terminal";
                let error = self.program.error(Code::NotText, message, module, &node.span);
                return Err(error.help("use a rule instead, or a terminal that is special tokens only"));
            }
        };
        if self.parts > MAX_PARTS { Err(self.too_large(module, &node.span)) } else { Ok(regex) }
    }

    fn matter_of(&self, id: DefinitionId) -> Option<Result<Matter, Diagnostic>> {
        match self.indentation {
            Some(indentation) if self.terminals.indent == Some(id) => {
                Some(Ok(Matter::Text(indentation.clone())))
            }
            Some(indentation) if self.terminals.indented[id.index()] => {
                Some(self.terminals.at_level(self.program, id, indentation))
            }
            _ => self.terminals.get(id).cloned().map(Ok),
        }
    }

    fn used(&mut self, name: &str, module: ModuleId, span: &Span) -> Result<Regex, Diagnostic> {
        match self.program.find(module, name).and_then(|id| self.matter_of(id)).transpose()? {
            Some(Matter::Text(regex)) => {
                self.parts += parts(&regex);
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

/// Reads a pattern in the syntax of the dialect. Errors are located in `pattern`.
fn read_pattern(program: &Program, pattern: &str, flags: &str) -> Result<Regex, Diagnostic> {
    if !program.llguidance {
        return python_regex::parse(pattern, flags);
    }
    Ok(Regex::parse(pattern, PatternFlags::of_terminal(flags))?)
}

/// A bound that `check_names` has accepted.
pub(super) fn bound(number: i64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
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
    1 + regex.children().iter().map(parts).sum::<usize>()
}

fn depth(regex: &Regex) -> usize {
    1 + regex.children().iter().map(depth).max().unwrap_or(0)
}
