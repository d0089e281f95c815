//! From definitions to the rules and terminals of a [`Grammar`].
//!
//! Only what can be reached from the start rule is made. A template becomes one rule for each list of arguments it is used
//! with; arguments are symbols, anything larger gets a rule of its own first.

use super::Options;
use super::ast::{Alternative, Node, NodeKind};
use super::contexts::{Directives, overlaps};
use super::layout::{Brackets, Layout, Made, Place, is_indented};
use super::lexemes::{Built, Key, Lexemes};
use super::precedence::{self, Written};
use super::program::{Defined, DefinitionId, ModuleId, Program};
use super::terminals::{Terminals, bound, ignored_references, references};
use super::token::Span;
use crate::embed::{Part, embed};
use gcc_grammar_ir::check::nullable;
use gcc_grammar_ir::{
    Body, Code, Diagnostic, Discipline, Expr, Grammar, Location, NonterminalId, Rule, Symbol, TerminalId,
};
use gcc_grammar_json_schema as json_schema;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};

/// How many rules templates may make.
const MAX_INSTANCES: usize = 20_000;

/// The grammar and what is needed to talk about it.
pub(super) struct Lowered {
    pub(super) grammar: Grammar,
    pub(super) warnings: Vec<Diagnostic>,
    locations: Vec<Location>,
    /// How rules of the deepest level of indentation are named.
    deepest: Option<String>,
    /// Rules whose alternatives became those of others.
    inlined: Vec<String>,
}

impl Lowered {
    /// Is this about what became of rules here, not about what was written? At the deepest level of indentation rules may derive nothing,
    /// and rules that became a part of others may be used nowhere.
    pub(super) fn is_of_lowering(&self, warning: &Diagnostic) -> bool {
        match warning.code {
            Code::UnproductiveRule => {
                self.deepest.as_ref().is_some_and(|suffix| warning.message.contains(&format!("{suffix}`")))
            }
            Code::UnreachableRule => {
                self.inlined.iter().any(|name| warning.message.contains(&format!("`{name}`")))
            }
            _ => false,
        }
    }

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
    let layout = Layout::new(program, terminals).map_err(|error| vec![error])?;
    let json = options.json.cloned().unwrap_or_default();
    let mut lowering = Lowering::new(program, terminals, layout.as_ref(), json);
    let whole = match &layout {
        _ if program.definitions[start.index()].is_terminal() => {
            lowering.start_from_terminal(start);
            None
        }
        Some(layout) if layout.newline.is_some() && layout.lays_out(start) => Some(lowering.text(start)),
        _ => {
            lowering.instance(start, Vec::new(), Place::default());
            None
        }
    };
    lowering.run().map_err(|error| vec![error])?;
    if let Some(whole) = whole {
        lowering.blank_lines(whole);
    }
    let ignored = (0..program.ignored.len()).map(|index| lowering.lexemes.ignored(index)).collect();
    lowering.finish(ignored, options)
}

fn find_start(program: &Program, name: &str) -> Result<DefinitionId, Diagnostic> {
    let help = "add it, or name another start rule";
    let Some(id) = program.find(ModuleId(0), name) else {
        return Err(
            Diagnostic::error(Code::NoStart, format!("there is no rule `{name}` to start from")).help(help)
        );
    };
    let defined = &program.definitions[id.index()];
    if defined.name.is_terminal() || !defined.parameters.is_empty() {
        let message = format!("`{name}` is no rule without parameters, so it cannot be the start");
        return Err(program.error(Code::NoStart, &message, defined.module, &defined.name.span).help(help));
    }
    Ok(id)
}

struct Lowering<'p> {
    program: &'p Program,
    rules: Vec<Rule>,
    instances: FxHashMap<(DefinitionId, Vec<Symbol>, Place), NonterminalId>,
    pending: VecDeque<(NonterminalId, DefinitionId, Vec<Symbol>, Place)>,
    /// What the rules were made from, of those that were written.
    written: BTreeMap<NonterminalId, Written<'p>>,
    lexemes: Lexemes<'p>,
    layout: Option<&'p Layout>,
    brackets: Brackets,
    /// The rule for each terminal and the line break that may follow it in brackets.
    enclosed: FxHashMap<TerminalId, NonterminalId>,
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
    fn new(
        program: &'p Program,
        terminals: &'p Terminals,
        layout: Option<&'p Layout>,
        json: json_schema::Options,
    ) -> Self {
        let (rules, instances, pending, written) = Default::default();
        let (enclosed, schemas, parts, errors, warnings) = Default::default();
        let lexemes = Lexemes::new(program, terminals, layout);
        let brackets = Brackets::new(program, &lexemes);
        Self {
            program,
            rules,
            instances,
            pending,
            written,
            lexemes,
            layout,
            brackets,
            enclosed,
            json,
            schemas,
            parts,
            errors,
            warnings,
        }
    }

    /// The nonterminal of a rule, or of a template with arguments, in a place.
    fn instance(&mut self, id: DefinitionId, arguments: Vec<Symbol>, place: Place) -> NonterminalId {
        let place = self.layout.map_or(Place::default(), |layout| layout.place(id, place));
        if let Some(&known) = self.instances.get(&(id, arguments.clone(), place)) {
            return known;
        }
        let Defined { name, module, .. } = &self.program.definitions[id.index()];
        let mut display = name.text.clone();
        if !arguments.is_empty() {
            let names: Vec<String> = arguments.iter().map(|&symbol| self.name_of(symbol)).collect();
            display = format!("{display}{{{}}}", names.join(", "));
        }
        display += &Layout::suffix(place);
        let nonterminal = self.new_rule(display, *module, &name.span);
        self.instances.insert((id, arguments.clone(), place), nonterminal);
        self.pending.push_back((nonterminal, id, arguments, place));
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
        while let Some((nonterminal, id, arguments, place)) = self.pending.pop_front() {
            let Defined { name, module, parameters, clauses, .. } = &self.program.definitions[id.index()];
            if self.rules.len() > self.program.definitions.len() + MAX_INSTANCES {
                let message = format!("templates make more than {MAX_INSTANCES} rules");
                let error = self.program.error(Code::TooManyRules, &message, *module, &name.span);
                return Err(error.help("a template that uses itself with ever larger arguments never ends"));
            }
            let environment: Vec<(&str, Symbol)> =
                parameters.iter().map(|parameter| parameter.text.as_str()).zip(arguments).collect();
            let choices = clauses
                .iter()
                .map(|clause| self.alternative(&clause.alternative, clause.module, &environment, place));
            let choices = choices.collect();
            let precedences = clauses.iter().map(|clause| clause.alternative.precedence.as_ref()).collect();
            self.written.insert(nonterminal, Written { module: *module, precedences });
            self.rules[nonterminal.index()].body = Body::Expr(one_or(choices, Expr::Choice));
        }
        Ok(())
    }

    fn alternatives(
        &mut self,
        alternatives: &'p [Alternative],
        module: ModuleId,
        environment: Environment<'_>,
        place: Place,
    ) -> Expr {
        let choices =
            alternatives.iter().map(|alternative| self.alternative(alternative, module, environment, place));
        one_or(choices.collect(), Expr::Choice)
    }

    /// A sequence. Between brackets the place is another.
    fn alternative(
        &mut self,
        alternative: &'p Alternative,
        module: ModuleId,
        environment: Environment<'_>,
        place: Place,
    ) -> Expr {
        let mut parts = Vec::new();
        let mut open: Vec<(Key, &Node, Place)> = Vec::new();
        let mut place = place;
        for node in alternative.conjuncts.iter().flatten() {
            if let Some(terminal) = self.bracket(node, module) {
                if self.brackets.closes(&terminal) {
                    match open.pop() {
                        Some((bracket, _, outside)) if self.brackets.matches(&bracket, &terminal) => {
                            place = outside;
                        }
                        _ => self.unbalanced(node, module),
                    }
                }
                if self.brackets.opens(&terminal) {
                    open.push((terminal, node, place));
                    place = Place::ENCLOSED;
                }
            }
            parts.push(self.node(node, module, environment, place));
        }
        if let Some((_, bracket, _)) = open.pop() {
            self.unbalanced(bracket, module);
        }
        one_or(parts, Expr::Sequence)
    }

    /// The terminal that a node is, where brackets matter.
    fn bracket(&self, node: &Node, module: ModuleId) -> Option<Key> {
        let terminal =
            matches!(node.kind, NodeKind::Name(_) | NodeKind::Text { .. } | NodeKind::Pattern { .. });
        (terminal && self.layout.is_some()).then(|| self.lexemes.identity(node, module)).flatten()
    }

    fn unbalanced(&mut self, bracket: &Node, module: ModuleId) {
        let message = "a terminal of %enclose is without its other half";
        let error = self.program.error(Code::Unbalanced, message, module, &bracket.span);
        self.errors.push(error.help("write both in the same sequence, not one of them in parentheses"));
    }

    fn node(&mut self, node: &'p Node, module: ModuleId, environment: Environment<'_>, place: Place) -> Expr {
        match &node.kind {
            NodeKind::Name(name) => {
                let bound = environment.iter().find(|(parameter, _)| parameter == name);
                match bound {
                    Some(&(_, symbol)) => Expr::Symbol(symbol),
                    None => self.named(name, Vec::new(), module, place, &node.span),
                }
            }
            NodeKind::Template { name, arguments } => {
                if is_indented(name) && self.program.find(module, name).is_none() {
                    return self.indented(name, &arguments[0], module, environment, place);
                }
                let arguments =
                    arguments.iter().map(|argument| self.argument(argument, module, environment, place));
                let arguments = arguments.collect();
                self.named(name, arguments, module, place, &node.span)
            }
            NodeKind::Group(alternatives) => self.alternatives(alternatives, module, environment, place),
            NodeKind::Repeat { inner, min, max } => {
                let inner = match inner.kind.is_any_token() {
                    true => self.any_token(inner, module, place),
                    false => self.node(inner, module, environment, place),
                };
                let inner = Box::new(inner);
                Expr::Repeat { inner, min: bound(*min), max: max.map(bound) }
            }
            NodeKind::Text { text, .. } if text.is_empty() => Expr::Sequence(Vec::new()),
            NodeKind::Json { text, start } => {
                Expr::Symbol(Symbol::Nonterminal(self.schema(text, *start, module)))
            }
            _ => {
                let terminal = self.lexemes.written(node, module);
                self.terminal(terminal, place)
            }
        }
    }

    /// Any number of ordinary tokens, which are any bytes, or one special token.
    fn any_token(&mut self, node: &'p Node, module: ModuleId, place: Place) -> Expr {
        let terminals = [self.lexemes.any_bytes(node, module), self.lexemes.written(node, module)];
        Expr::Choice(terminals.map(|terminal| self.terminal(terminal, place)).into())
    }

    fn named(
        &mut self,
        name: &str,
        arguments: Vec<Symbol>,
        module: ModuleId,
        place: Place,
        span: &Span,
    ) -> Expr {
        let Some(id) = self.program.find(module, name) else { return Expr::Choice(Vec::new()) };
        match self.layout {
            Some(layout) if place.enclosed && layout.lays_out(id) => {
                let message = format!("{name} is used between brackets, where line breaks are ignored");
                let error = self.program.error(Code::EnclosedLayout, &message, module, span);
                self.errors.push(error.help("use another rule there"));
                Expr::Choice(Vec::new())
            }
            Some(layout) if Some(id) == layout.newline => self.optional(layout, Made::Newline),
            Some(layout) if id == layout.indent && layout.newline.is_none() => {
                let message = format!("{name} is used in a rule, but %layout names no line break");
                let error = self.program.error(Code::BadLayout, &message, module, span);
                self.errors.push(error.help("use it in terminals, or name the line break in %layout"));
                Expr::Choice(Vec::new())
            }
            Some(layout) if id == layout.indent => {
                Expr::Symbol(Symbol::Terminal(self.lexemes.made(layout, Made::Indent(place.level))))
            }
            Some(layout) if self.program.definitions[id.index()].is_terminal() && layout.indents(id) => {
                Expr::Symbol(Symbol::Terminal(self.lexemes.at_level(id, place.level)))
            }
            _ if self.program.definitions[id.index()].is_terminal() => {
                let terminal = self.lexemes.definition(id);
                self.terminal(terminal, place)
            }
            _ => Expr::Symbol(Symbol::Nonterminal(self.instance(id, arguments, place))),
        }
    }

    /// A terminal; between brackets, with the line break that may follow.
    fn terminal(&mut self, terminal: TerminalId, place: Place) -> Expr {
        let (Some(layout), true) = (self.layout, place.enclosed) else {
            return Expr::Symbol(Symbol::Terminal(terminal));
        };
        if let Some(&known) = self.enclosed.get(&terminal) {
            return Expr::Symbol(Symbol::Nonterminal(known));
        }
        let name = format!("{}{}", self.lexemes.name(terminal), Layout::suffix(place));
        let nonterminal = self.new_rule(name, layout.module, &layout.span);
        let newline = self.optional(layout, Made::Enclosed);
        self.rules[nonterminal.index()].body =
            Body::Expr(Expr::Sequence(vec![Expr::Symbol(Symbol::Terminal(terminal)), newline]));
        self.enclosed.insert(terminal, nonterminal);
        Expr::Symbol(Symbol::Nonterminal(nonterminal))
    }

    fn optional(&mut self, layout: &Layout, made: Made) -> Expr {
        let inner = Box::new(Expr::Symbol(Symbol::Terminal(self.lexemes.made(layout, made))));
        Expr::Repeat { inner, min: 0, max: Some(1) }
    }

    /// `indented{x}`: x at any deeper level. `indented_once{x}`: at the next one.
    fn indented(
        &mut self,
        template: &str,
        node: &'p Node,
        module: ModuleId,
        environment: Environment<'_>,
        place: Place,
    ) -> Expr {
        let Some(layout) = self.layout else { return Expr::Choice(Vec::new()) };
        let levels = layout.deeper(template, place.level);
        let choices = levels.map(|level| self.node(node, module, environment, Place { level, ..place }));
        one_or(choices.collect(), Expr::Choice)
    }

    /// An argument as a symbol.
    fn argument(
        &mut self,
        node: &'p Node,
        module: ModuleId,
        environment: Environment<'_>,
        place: Place,
    ) -> Symbol {
        match self.node(node, module, environment, place) {
            Expr::Symbol(symbol) => symbol,
            larger => {
                let nonterminal = self.new_rule("(…)".to_string(), module, &node.span);
                self.rules[nonterminal.index()].body = Body::Expr(larger);
                Symbol::Nonterminal(nonterminal)
            }
        }
    }

    /// A rule for whole texts around the start rule, to be completed by [`Self::blank_lines`].
    fn text(&mut self, start: DefinitionId) -> NonterminalId {
        let Defined { name, module, .. } = &self.program.definitions[start.index()];
        let text = self.new_rule("text".to_string(), *module, &name.span);
        let start = self.instance(start, Vec::new(), Place::default());
        self.rules[text.index()].body = Body::Expr(Expr::Symbol(Symbol::Nonterminal(start)));
        text
    }

    /// Lets a text begin with blank lines and end with a comment, and be blank if the start rule may be empty.
    fn blank_lines(&mut self, text: NonterminalId) {
        let (Some(layout), Body::Expr(start)) = (self.layout, self.rules[text.index()].body.clone()) else {
            return;
        };
        let (blank, end) = (self.optional(layout, Made::Blank), self.optional(layout, Made::Other));
        let mut choices = vec![Expr::Sequence(vec![blank, start, end])];
        if nullable(&self.rules)[text.index()] {
            choices.push(Expr::Symbol(Symbol::Terminal(self.lexemes.made(layout, Made::BlankText))));
        }
        self.rules[text.index()].body = Body::Expr(one_or(choices, Expr::Choice));
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
        let used = self.lexemes.named().chain(self.instances.keys().map(|&(id, _, _)| id));
        let used = used.chain(self.layout.and_then(|layout| layout.newline)).collect();
        let mut warnings = self.program.warnings.clone();
        warnings.append(&mut self.warnings);
        warnings.extend(unused(self.program, used));
        warnings.append(&mut directives.warnings);
        let resolution = precedence::resolve(self.program, &self.lexemes, &mut self.rules, &self.written)?;
        warnings.extend(resolution.warnings);
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
                    Diagnostic::error(Code::TerminalTooLarge, message)
                        .help("join the schemas into one with anyOf"),
                ]
            })?;
        }
        let deepest = self.layout.map(Layout::deepest);
        Ok(Lowered { grammar, warnings, locations, deepest, inlined: resolution.inlined })
    }
}

/// What the grammar ignores becomes part of its rules when schemas are embedded, and a word would be taken out of their texts.
fn beside_schemas(program: &Program) -> Diagnostic {
    let after = program.after.first().map(|after| (after.module, &after.terminal.span));
    let names = program.words.iter().chain(&program.never).chain(&program.verbatim).map(|name| &name.span);
    let place = program.basic.iter().chain(names).next().map(|span| (ModuleId(0), span)).or(after);
    let message = "%basic, %word, %never, %after and %verbatim cannot be used together with %json";
    let error = match place {
        Some((module, span)) => program.error(Code::DirectiveBesideJson, message, module, span),
        None => Diagnostic::error(Code::DirectiveBesideJson, message),
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
        own.filter(|defined| !defined.declared_only).map(|defined| (Code::UnusedDefinition, &defined.name));
    let imported = program.imported.iter().map(|name| (Code::UnusedImport, name));
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
