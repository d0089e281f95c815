//! From definitions to the rules and terminals of a [`Grammar`].
//!
//! Only what can be reached from the start rule is made. A template becomes one rule for each list of arguments it is used
//! with; arguments are symbols, anything larger gets a rule of its own first.

use super::Options;
use super::ast::{Alternative, Node, NodeKind};
use super::contexts::{Directives, overlaps};
use super::lexemes::{Built, Lexemes};
use super::program::{Defined, DefinitionId, ModuleId, Program};
use super::terminals::{Terminals, bound, ignored_references, references};
use super::token::Span;
use crate::embed::{Part, embed};
use crate::json_schema;
use crate::{Body, Diagnostic, Discipline, Expr, Grammar, Location, NonterminalId, Rule, Symbol, TerminalId};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// How many rules templates may make.
const MAX_INSTANCES: usize = 20_000;

/// The grammar and what is needed to talk about it.
pub(super) struct Lowered {
    pub(super) grammar: Grammar,
    pub(super) warnings: Vec<Diagnostic>,
    locations: Vec<Location>,
}

impl Lowered {
    /// Where a terminal is defined, or first used if it has no name.
    pub(super) fn terminal_location(&self, terminal: TerminalId) -> Option<Location> {
        self.locations.get(terminal.index()).cloned()
    }
}

/// Makes the grammar. Names must have been checked.
pub(super) fn lower(
    program: &Program,
    terminals: &Terminals,
    options: &Options<'_>,
) -> Result<Lowered, Vec<Diagnostic>> {
    let start = find_start(program, options.start).map_err(|error| vec![error])?;
    let mut lowering = Lowering::new(program, terminals, options.json.cloned().unwrap_or_default());
    if program.definitions[start.index()].is_terminal() {
        lowering.start_from_terminal(start);
    } else {
        lowering.instance(start, Vec::new());
    }
    lowering.run().map_err(|error| vec![error])?;
    let ignored = (0..program.ignored.len()).map(|index| lowering.lexemes.ignored(index)).collect();
    lowering.finish(ignored, options)
}

fn find_start(program: &Program, name: &str) -> Result<DefinitionId, Diagnostic> {
    let help = "add it, or name another start rule";
    let Some(id) = program.find(ModuleId(0), name) else {
        return Err(
            Diagnostic::error("no-start", format!("there is no rule `{name}` to start from")).help(help)
        );
    };
    let defined = &program.definitions[id.index()];
    if defined.name.is_terminal() || !defined.parameters.is_empty() {
        let message = format!("`{name}` is no rule without parameters, so it cannot be the start");
        return Err(program.error("no-start", &message, defined.module, &defined.name.span).help(help));
    }
    Ok(id)
}

struct Lowering<'p> {
    program: &'p Program,
    rules: Vec<Rule>,
    instances: FxHashMap<(DefinitionId, Vec<Symbol>), NonterminalId>,
    pending: VecDeque<(NonterminalId, DefinitionId, Vec<Symbol>)>,
    lexemes: Lexemes<'p>,
    /// What `%json` means, and the rule for each schema.
    json: json_schema::Options,
    schemas: FxHashMap<&'p str, NonterminalId>,
    parts: Vec<Part>,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

/// What the parameters of a template stand for.
type Environment<'e> = &'e [(&'e str, Symbol)];

impl<'p> Lowering<'p> {
    fn new(program: &'p Program, terminals: &'p Terminals, json: json_schema::Options) -> Self {
        let (rules, instances, pending, schemas, parts, errors, warnings) = Default::default();
        let lexemes = Lexemes::new(program, terminals);
        Self { program, rules, instances, pending, lexemes, json, schemas, parts, errors, warnings }
    }

    /// The nonterminal of a rule, or of a template with arguments.
    fn instance(&mut self, id: DefinitionId, arguments: Vec<Symbol>) -> NonterminalId {
        if let Some(&known) = self.instances.get(&(id, arguments.clone())) {
            return known;
        }
        let Defined { name, module, .. } = &self.program.definitions[id.index()];
        let mut display = name.text.clone();
        if !arguments.is_empty() {
            let names: Vec<String> = arguments.iter().map(|&symbol| self.name_of(symbol)).collect();
            display = format!("{display}{{{}}}", names.join(", "));
        }
        let nonterminal = self.new_rule(display, *module, &name.span);
        self.instances.insert((id, arguments.clone()), nonterminal);
        self.pending.push_back((nonterminal, id, arguments));
        nonterminal
    }

    /// The start is one lexeme: a rule around it.
    fn start_from_terminal(&mut self, id: DefinitionId) {
        let Defined { name, module, .. } = &self.program.definitions[id.index()];
        let start = self.new_rule(name.text.clone(), *module, &name.span);
        let terminal = self.lexemes.definition(id);
        self.rules[start.index()].body = Body::Expr(Expr::Symbol(Symbol::Terminal(terminal)));
    }

    fn new_rule(&mut self, name: String, module: ModuleId, span: &Span) -> NonterminalId {
        let location = Some(self.program.place(module, span).0);
        let nonterminal = NonterminalId::new(self.rules.len());
        self.rules.push(Rule { name, body: Body::Expr(Expr::Choice(Vec::new())), location });
        nonterminal
    }

    /// A short name for messages: templates within templates are cut off.
    fn name_of(&self, symbol: Symbol) -> String {
        match symbol {
            Symbol::Terminal(id) => self.lexemes.name(id),
            Symbol::Nonterminal(id) => {
                let name = &self.rules[id.index()].name;
                name.split_once('{').map_or(name.clone(), |(template, _)| format!("{template}{{…}}"))
            }
        }
    }

    /// Fills in the rules that are pending until none is left.
    fn run(&mut self) -> Result<(), Diagnostic> {
        while let Some((nonterminal, id, arguments)) = self.pending.pop_front() {
            let Defined { name, module, parameters, clauses, .. } = &self.program.definitions[id.index()];
            if self.rules.len() > self.program.definitions.len() + MAX_INSTANCES {
                let message = format!("templates make more than {MAX_INSTANCES} rules");
                let error = self.program.error("too-many-rules", &message, *module, &name.span);
                return Err(error.help("a template that uses itself with ever larger arguments never ends"));
            }
            let environment: Vec<(&str, Symbol)> =
                parameters.iter().map(|parameter| parameter.text.as_str()).zip(arguments).collect();
            let choices = clauses
                .iter()
                .map(|clause| self.alternative(&clause.alternative, clause.module, &environment));
            let choices = choices.collect();
            self.rules[nonterminal.index()].body = Body::Expr(one_or(choices, Expr::Choice));
        }
        Ok(())
    }

    fn alternatives(
        &mut self,
        alternatives: &'p [Alternative],
        module: ModuleId,
        environment: Environment<'_>,
    ) -> Expr {
        let choices =
            alternatives.iter().map(|alternative| self.alternative(alternative, module, environment));
        one_or(choices.collect(), Expr::Choice)
    }

    fn alternative(
        &mut self,
        alternative: &'p Alternative,
        module: ModuleId,
        environment: Environment<'_>,
    ) -> Expr {
        let parts = alternative.conjuncts.iter().flatten().map(|node| self.node(node, module, environment));
        one_or(parts.collect(), Expr::Sequence)
    }

    fn node(&mut self, node: &'p Node, module: ModuleId, environment: Environment<'_>) -> Expr {
        match &node.kind {
            NodeKind::Name(name) => {
                let bound = environment.iter().find(|(parameter, _)| parameter == name);
                match bound {
                    Some(&(_, symbol)) => Expr::Symbol(symbol),
                    None => self.named(name, Vec::new(), module),
                }
            }
            NodeKind::Template { name, arguments } => {
                let arguments = arguments.iter().map(|argument| self.argument(argument, module, environment));
                let arguments = arguments.collect();
                self.named(name, arguments, module)
            }
            NodeKind::Group(alternatives) => self.alternatives(alternatives, module, environment),
            NodeKind::Repeat { inner, min, max } => {
                let inner = Box::new(self.node(inner, module, environment));
                Expr::Repeat { inner, min: bound(*min), max: max.map(bound) }
            }
            NodeKind::Text { text, .. } if text.is_empty() => Expr::Sequence(Vec::new()),
            NodeKind::Json { text, start } => {
                Expr::Symbol(Symbol::Nonterminal(self.schema(text, *start, module)))
            }
            _ => Expr::Symbol(Symbol::Terminal(self.lexemes.written(node, module))),
        }
    }

    fn named(&mut self, name: &str, arguments: Vec<Symbol>, module: ModuleId) -> Expr {
        match self.program.find(module, name) {
            Some(id) if self.program.definitions[id.index()].is_terminal() => {
                Expr::Symbol(Symbol::Terminal(self.lexemes.definition(id)))
            }
            Some(id) => Expr::Symbol(Symbol::Nonterminal(self.instance(id, arguments))),
            None => Expr::Choice(Vec::new()),
        }
    }

    /// An argument as a symbol.
    fn argument(&mut self, node: &'p Node, module: ModuleId, environment: Environment<'_>) -> Symbol {
        match self.node(node, module, environment) {
            Expr::Symbol(symbol) => symbol,
            larger => {
                let nonterminal = self.new_rule("(…)".to_string(), module, &node.span);
                self.rules[nonterminal.index()].body = Body::Expr(larger);
                Symbol::Nonterminal(nonterminal)
            }
        }
    }

    /// The rule of a JSON Schema that begins at `start`. Its body comes last, when the terminals have their numbers.
    fn schema(&mut self, text: &'p str, start: usize, module: ModuleId) -> NonterminalId {
        if let Some(&known) = self.schemas.get(text) {
            return known;
        }
        let place =
            self.new_rule(format!("%json#{}", self.schemas.len() + 1), module, &(start..start + text.len()));
        self.schemas.insert(text, place);
        let relocate = |diagnostic| in_schema(self.program, diagnostic, text, start, module);
        match json_schema::compile(text, &self.json) {
            Ok(compiled) => {
                self.warnings.extend(compiled.warnings.into_iter().map(relocate));
                self.parts.push(Part { place, grammar: compiled.grammar });
            }
            Err(errors) => self.errors.extend(errors.into_iter().map(relocate)),
        }
        place
    }

    /// Puts rules and terminals together.
    fn finish(mut self, ignored: Vec<TerminalId>, options: &Options<'_>) -> Result<Lowered, Vec<Diagnostic>> {
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        let mut directives = Directives::new(self.program, &mut self.lexemes);
        let used = self.lexemes.named().chain(self.instances.keys().map(|&(id, _)| id)).collect();
        let mut warnings = self.program.warnings.clone();
        warnings.append(&mut self.warnings);
        warnings.extend(unused(self.program, used));
        warnings.append(&mut directives.warnings);
        if !self.parts.is_empty() && !directives.is_empty() {
            return Err(vec![beside_schemas(self.program)]);
        }
        let mut built = self.lexemes.build()?;
        warnings.extend(built.overrun());
        let mut ignored: Vec<TerminalId> =
            ignored.into_iter().map(|terminal| built.numbers[terminal.index()]).collect();
        ignored.sort_unstable();
        ignored.dedup();
        let contexts = directives.apply(&mut built, &ignored);
        warnings.extend(overlaps(&built, &contexts.everywhere));
        let Built { terminals, numbers, optional, locations, .. } = built;
        for rule in &mut self.rules {
            if let Body::Expr(expr) = &mut rule.body {
                renumber(expr, &numbers, &optional);
            }
        }
        let discipline = Discipline::LongestMatch;
        let mut grammar =
            Grammar { terminals, rules: self.rules, start: NonterminalId(0), ignored, discipline, contexts };
        if !self.parts.is_empty() {
            grammar = embed(grammar, self.parts, &options.limits).map_err(|error| {
                let message = format!("the JSON Schemas cannot be told apart within the limits: {error}");
                vec![
                    Diagnostic::error("terminal-too-large", message)
                        .help("join the schemas into one with anyOf"),
                ]
            })?;
        }
        Ok(Lowered { grammar, warnings, locations })
    }
}

/// What the grammar ignores becomes part of its rules when schemas are embedded, and a word would be taken out of their texts.
fn beside_schemas(program: &Program) -> Diagnostic {
    let after = program.after.first().map(|after| (after.module, &after.terminal.span));
    let names = program.words.iter().chain(&program.never).map(|name| &name.span);
    let place = program.basic.iter().chain(names).next().map(|span| (ModuleId(0), span)).or(after);
    let message = "%basic, %word, %never and %after cannot be used together with %json";
    let error = match place {
        Some((module, span)) => program.error("directive-beside-json", message, module, span),
        None => Diagnostic::error("directive-beside-json", message),
    };
    error.help("leave the directive out, or write the schema as rules")
}

/// Moves a diagnostic about a schema to the grammar around it.
fn in_schema(
    program: &Program,
    mut diagnostic: Diagnostic,
    text: &str,
    start: usize,
    module: ModuleId,
) -> Diagnostic {
    let (span, pointer) = match diagnostic.location.take() {
        Some(Location::Span(span)) => (start + span.start..start + span.end, String::new()),
        Some(Location::Pointer(pointer)) => {
            (start..start + text.len(), format!("in the schema at #{pointer}: "))
        }
        Some(Location::Offset(_)) | None => (start..start + text.len(), String::new()),
    };
    let (location, prefix) = program.place(module, &span);
    diagnostic.message = format!("{prefix}{pointer}{}", diagnostic.message);
    diagnostic.at(location)
}

/// Puts in the final numbers of the terminals, and makes those optional that may be empty.
fn renumber(expr: &mut Expr, numbers: &[TerminalId], optional: &[bool]) {
    match expr {
        Expr::Symbol(Symbol::Terminal(id)) => {
            *id = numbers[id.index()];
            if optional[id.index()] {
                let inner = Box::new(std::mem::replace(expr, Expr::Sequence(Vec::new())));
                *expr = Expr::Repeat { inner, min: 0, max: Some(1) };
            }
        }
        Expr::Symbol(Symbol::Nonterminal(_)) => {}
        Expr::Sequence(parts) | Expr::Choice(parts) => {
            parts.iter_mut().for_each(|part| renumber(part, numbers, optional));
        }
        Expr::Repeat { inner, .. } => renumber(inner, numbers, optional),
    }
}

/// Warnings for what the given file defines or imports and nothing uses; `open` is what rules and `%ignore` use.
fn unused(program: &Program, mut open: Vec<DefinitionId>) -> Vec<Diagnostic> {
    let mut used = vec![false; program.definitions.len()];
    open.extend(ignored_references(program));
    while let Some(id) = open.pop() {
        if !std::mem::replace(&mut used[id.index()], true) {
            open.extend(references(program, id));
        }
    }
    let own = program.definitions.iter().filter(|defined| defined.module.index() == 0);
    let own =
        own.filter(|defined| !defined.declared_only).map(|defined| ("unused-definition", &defined.name));
    let imported = program.imported.iter().map(|name| ("unused-import", name));
    own.chain(imported)
        .filter(|(_, name)| program.find(ModuleId(0), &name.text).is_some_and(|id| !used[id.index()]))
        .map(|(code, name)| {
            let kind = if name.is_terminal() { "terminal" } else { "rule" };
            Diagnostic::warning(code, format!("the {kind} `{}` is never used", name.text))
                .at(Location::Span(name.span.clone()))
                .help("remove it, or use it in a rule that the start rule reaches")
        })
        .collect()
}

fn one_or(mut parts: Vec<Expr>, many: impl FnOnce(Vec<Expr>) -> Expr) -> Expr {
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        Some(last) => {
            parts.push(last);
            many(parts)
        }
        None => many(parts),
    }
}
