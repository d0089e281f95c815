//! From definitions to the rules and terminals of a [`Grammar`].
//!
//! Only what can be reached from the start rule is made. A template becomes one rule for each list of arguments it is used
//! with; arguments are symbols, anything larger gets a rule of its own first.

use super::Options;
use super::ast::{Alternative, Name, Node, NodeKind};
use super::program::{Clause, Defined, DefinitionId, ModuleId, Program};
use super::terminals::{Matter, Terminals, bound, ignored_references, leaf, references, sole_node};
use super::token::Span;
use crate::{
    Body, Diagnostic, Discipline, Expr, Grammar, Location, NonterminalId, Pattern, Regex, Rule, Symbol,
    Terminal, TerminalId, TokenSelector,
};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::Arc;

/// How many rules templates may make.
const MAX_INSTANCES: usize = 20_000;

/// Checks, for all definitions, that names exist and are used as what they are. After it, lowering finds every name.
pub(super) fn check_names(program: &Program) -> Result<(), Vec<Diagnostic>> {
    let mut checker = NameChecker { program, errors: Vec::new(), in_terminal: false, parameters: &[] };
    for defined in &program.definitions {
        checker.in_terminal = defined.name.is_terminal();
        checker.parameters = &defined.parameters;
        checker.head(defined);
        checker.clauses(&defined.clauses);
    }
    (checker.in_terminal, checker.parameters) = (true, &[]);
    program.ignored.iter().for_each(|ignored| checker.clauses(&ignored.clauses));
    if checker.errors.is_empty() { Ok(()) } else { Err(checker.errors) }
}

struct NameChecker<'p> {
    program: &'p Program,
    errors: Vec<Diagnostic>,
    in_terminal: bool,
    parameters: &'p [Name],
}

impl<'p> NameChecker<'p> {
    fn error(&mut self, code: &'static str, message: &str, module: ModuleId, span: &Span, help: &str) {
        let error = self.program.error(code, message, module, span);
        self.errors.push(if help.is_empty() { error } else { error.help(help) });
    }

    fn head(&mut self, defined: &'p Defined) {
        let Defined { name, module, parameters, priority, .. } = defined;
        if name.is_terminal() && !parameters.is_empty() {
            let help = "write the template as a rule, with a lower-case name";
            self.error("terminal-template", "a terminal cannot have parameters", *module, &name.span, help);
        }
        if priority.is_some_and(|priority| i32::try_from(priority).is_err()) {
            self.error(
                "bad-number",
                "this priority is out of range",
                *module,
                &name.span,
                "use a 32-bit integer",
            );
        }
    }

    fn clauses(&mut self, clauses: &'p [Clause]) {
        clauses.iter().for_each(|clause| self.alternative(&clause.alternative, clause.module));
    }

    fn alternative(&mut self, alternative: &'p Alternative, module: ModuleId) {
        if let (true, Some(node)) = (
            alternative.conjuncts.len() > 1 && !self.in_terminal,
            alternative.conjuncts.iter().flatten().next(),
        ) {
            self.only_in_terminals("`&`", module, &node.span);
        }
        alternative.conjuncts.iter().flatten().for_each(|node| self.node(node, module));
    }

    fn only_in_terminals(&mut self, what: &str, module: ModuleId, span: &Span) {
        let message = format!("{what} works on regular expressions, so only in terminals");
        self.error(
            "only-in-terminals",
            &message,
            module,
            span,
            "define a terminal, with an upper-case name, and use that",
        );
    }

    fn node(&mut self, node: &'p Node, module: ModuleId) {
        let span = &node.span;
        match &node.kind {
            NodeKind::Name(name) => self.name(name, None, module, span),
            NodeKind::Template { name, arguments } => {
                self.name(name, Some(arguments.len()), module, span);
                arguments.iter().for_each(|argument| self.node(argument, module));
            }
            NodeKind::Range(low, high) => self.range(low, high, module, span),
            NodeKind::Group(alternatives) => {
                alternatives.iter().for_each(|inner| self.alternative(inner, module))
            }
            NodeKind::Repeat { inner, min, max } => {
                self.bounds(*min, *max, module, span);
                self.node(inner, module);
            }
            NodeKind::Not(inner) => {
                if !self.in_terminal {
                    self.only_in_terminals("`~`", module, span);
                }
                self.node(inner, module);
            }
            NodeKind::Text { .. } | NodeKind::Pattern { .. } | NodeKind::Special(_) => {}
        }
    }

    fn bounds(&mut self, min: i64, max: Option<i64>, module: ModuleId, span: &Span) {
        if max.is_some_and(|max| max < min) {
            let help = "write the smaller number first";
            self.error("bad-repetition", "the second bound is less than the first", module, span, help);
        }
        if u32::try_from(min).is_err() || max.is_some_and(|max| u32::try_from(max).is_err()) {
            self.error("bad-number", "this bound is out of range", module, span, "");
        }
    }

    fn range(&mut self, low: &str, high: &str, module: ModuleId, span: &Span) {
        let single = low.chars().count() == 1 && high.chars().count() == 1;
        if !single || low.chars().next() > high.chars().next() {
            let help = "write it as in \"a\"..\"z\"";
            self.error("bad-range", "a range goes from one character to a later one", module, span, help);
        }
    }

    fn name(&mut self, name: &str, arguments: Option<usize>, module: ModuleId, span: &Span) {
        if self.parameters.iter().any(|parameter| parameter.text == name) {
            if arguments.is_some() {
                self.error("bad-template", "a parameter cannot have arguments", module, span, "");
            }
            return;
        }
        let Some(id) = self.program.find(module, name) else { return self.undefined(name, module, span) };
        let defined = &self.program.definitions[id.index()];
        let wanted = defined.parameters.len();
        if self.in_terminal && !defined.name.is_terminal() {
            let message = format!("a terminal cannot use the rule `{name}`");
            self.error("rule-in-terminal", &message, module, span, "make this a rule, or that a terminal");
        } else if arguments.unwrap_or(0) != wanted {
            let message =
                format!("`{name}` takes {wanted} arguments and is given {}", arguments.unwrap_or(0));
            self.error("bad-template", &message, module, span, "");
        }
    }

    fn undefined(&mut self, name: &str, module: ModuleId, span: &Span) {
        let help = match self.program.similar(module, name) {
            Some(similar) => format!("did you mean `{similar}`?"),
            None if name.bytes().all(|byte| !byte.is_ascii_lowercase()) => {
                format!("define it, or import it as in `%import common.{name}`")
            }
            None => "define it".to_string(),
        };
        self.error("undefined-name", &format!("`{name}` is not defined"), module, span, &help);
    }
}

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
    let mut lowering = Lowering::new(program, terminals);
    lowering.instance(start, Vec::new());
    lowering.run().map_err(|error| vec![error])?;
    let ignored: Vec<TerminalId> = (0..program.ignored.len()).map(|index| lowering.ignored(index)).collect();
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

/// What identifies a terminal: its name, or how it is written.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    Named(DefinitionId),
    Text(String, bool),
    Pattern(String, String),
    Range(String, String),
    Special(Vec<TokenSelector>),
    Ignored(usize),
}

/// A terminal in the order of first use.
struct Used<'p> {
    key: Key,
    module: ModuleId,
    /// The definition, or the first use.
    span: Span,
    /// For a terminal without a name, how it is written.
    node: Option<&'p Node>,
}

struct Lowering<'p> {
    program: &'p Program,
    terminals: &'p Terminals,
    rules: Vec<Rule>,
    instances: FxHashMap<(DefinitionId, Vec<Symbol>), NonterminalId>,
    pending: VecDeque<(NonterminalId, DefinitionId, Vec<Symbol>)>,
    used: Vec<Used<'p>>,
    numbers: FxHashMap<Key, TerminalId>,
}

/// What the parameters of a template stand for.
type Environment<'e> = &'e [(&'e str, Symbol)];

impl<'p> Lowering<'p> {
    fn new(program: &'p Program, terminals: &'p Terminals) -> Self {
        let (rules, instances, pending, used, numbers) = Default::default();
        Self { program, terminals, rules, instances, pending, used, numbers }
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

    fn new_rule(&mut self, name: String, module: ModuleId, span: &Span) -> NonterminalId {
        let location = Some(self.program.place(module, span).0);
        let nonterminal = NonterminalId::new(self.rules.len());
        self.rules.push(Rule { name, body: Body::Expr(Expr::Choice(Vec::new())), location });
        nonterminal
    }

    /// A short name for messages: templates within templates are cut off.
    fn name_of(&self, symbol: Symbol) -> String {
        match symbol {
            Symbol::Terminal(id) => terminal_name(self.program, &self.used[id.index()].key),
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
            _ => Expr::Symbol(Symbol::Terminal(self.written(node, module))),
        }
    }

    fn named(&mut self, name: &str, arguments: Vec<Symbol>, module: ModuleId) -> Expr {
        match self.program.find(module, name) {
            Some(id) if self.program.definitions[id.index()].name.is_terminal() => {
                Expr::Symbol(Symbol::Terminal(self.terminal(id)))
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

    fn terminal(&mut self, id: DefinitionId) -> TerminalId {
        let Defined { name, module, .. } = &self.program.definitions[id.index()];
        self.number(Used { key: Key::Named(id), module: *module, span: name.span.clone(), node: None })
    }

    /// A terminal written where it is used: the one that is defined just so, if there is one.
    fn written(&mut self, node: &'p Node, module: ModuleId) -> TerminalId {
        if let Some(id) = self.terminals.defined_as(&node.kind) {
            return self.terminal(id);
        }
        let key = match &node.kind {
            NodeKind::Pattern { pattern, flags } => Key::Pattern(pattern.clone(), flags.clone()),
            NodeKind::Range(low, high) => Key::Range(low.clone(), high.clone()),
            NodeKind::Special(selectors) => Key::Special(selectors.clone()),
            NodeKind::Text { text, ignore_case } => Key::Text(text.clone(), *ignore_case),
            // Terminals only; `check_names` has refused it in a rule.
            _ => Key::Special(Vec::new()),
        };
        self.number(Used { key, module, span: node.span.clone(), node: Some(node) })
    }

    fn ignored(&mut self, index: usize) -> TerminalId {
        let ignored = &self.program.ignored[index];
        let sole = sole_node(&ignored.clauses);
        match sole.map(|node| (&node.kind, node)) {
            Some((NodeKind::Name(name), _)) => {
                if let Some(id) = self.program.find(ModuleId(0), name) {
                    return self.terminal(id);
                }
            }
            Some((NodeKind::Text { .. } | NodeKind::Pattern { .. } | NodeKind::Range(..), node)) => {
                return self.written(node, ModuleId(0));
            }
            _ => {}
        }
        self.number(Used {
            key: Key::Ignored(index),
            module: ModuleId(0),
            span: ignored.span.clone(),
            node: None,
        })
    }

    fn number(&mut self, used: Used<'p>) -> TerminalId {
        if let Some(&known) = self.numbers.get(&used.key) {
            return known;
        }
        let number = TerminalId::new(self.used.len());
        self.numbers.insert(used.key.clone(), number);
        self.used.push(used);
        number
    }

    /// Numbers the terminals in the order in which they were written and builds them.
    fn finish(
        mut self,
        mut ignored: Vec<TerminalId>,
        options: &Options<'_>,
    ) -> Result<Lowered, Vec<Diagnostic>> {
        let warnings = self.unused();
        let mut order: Vec<usize> = (0..self.used.len()).collect();
        let written_at = |used: &Used<'_>| {
            let at = self.program.modules[used.module.index()].imported_at.as_ref().unwrap_or(&used.span);
            (at.start, used.module, used.span.start)
        };
        order.sort_by_key(|&index| written_at(&self.used[index]));
        let mut renumbered = vec![TerminalId(0); order.len()];
        order.iter().enumerate().for_each(|(new, &old)| renumbered[old] = TerminalId::new(new));
        ignored.iter_mut().for_each(|terminal| *terminal = renumbered[terminal.index()]);
        ignored.sort_unstable();
        ignored.dedup();
        for rule in &mut self.rules {
            if let Body::Expr(expr) = &mut rule.body {
                renumber(expr, &renumbered);
            }
        }
        let built: Vec<_> = order.iter().map(|&index| self.build(&self.used[index], options)).collect();
        let mut terminals = Vec::with_capacity(built.len());
        let mut errors = Vec::new();
        for terminal in built {
            match terminal {
                Ok(terminal) => terminals.push(terminal),
                Err(error) => errors.push(error),
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let place = |&index: &usize| self.program.place(self.used[index].module, &self.used[index].span).0;
        let locations = order.iter().map(place).collect();
        let discipline = Discipline::LongestMatch;
        let grammar = Grammar { terminals, rules: self.rules, start: NonterminalId(0), ignored, discipline };
        Ok(Lowered { grammar, warnings, locations })
    }

    fn build(&self, used: &Used<'_>, options: &Options<'_>) -> Result<Terminal, Diagnostic> {
        let name = terminal_name(self.program, &used.key);
        let priority = match used.key {
            Key::Named(id) => self.program.definitions[id.index()].priority.unwrap_or(0),
            _ => 0,
        };
        let literal = match used.key {
            Key::Named(id) => {
                let sole = sole_node(&self.program.definitions[id.index()].clauses);
                sole.is_some_and(|node| matches!(node.kind, NodeKind::Text { .. }))
            }
            _ => matches!(used.key, Key::Text(..)),
        };
        let pattern = match self.matter(used, &name)? {
            Matter::Tokens(selectors) => Pattern::Token(selectors),
            Matter::Text(regex) => {
                let dfa = if regex.is_lazy() {
                    regex.to_first_match_dfa(&options.limits)
                } else {
                    regex.to_dfa(&options.limits)
                };
                let dfa = dfa.map_err(|error| {
                    let message = format!("the terminal {name} is too large: {error}");
                    self.program
                        .error("terminal-too-large", &message, used.module, &used.span)
                        .help("lower its repetition counts, or raise the limits")
                })?;
                Pattern::Regex(Regex::Automaton(Arc::new(dfa)))
            }
        };
        let priority = i32::try_from(priority).unwrap_or(0);
        Ok(Terminal { name, pattern, priority, literal })
    }

    fn matter(&self, used: &Used<'_>, name: &str) -> Result<Matter, Diagnostic> {
        match (&used.key, used.node) {
            (Key::Named(id), _) => self.terminals.get(*id).cloned().ok_or_else(|| {
                let message = format!("`{name}` is declared, but nothing says what it matches");
                self.program.error("declared-only", &message, used.module, &used.span).help(
                    "in Lark a program supplies such tokens; define the terminal, or extend it with %extend",
                )
            }),
            (Key::Special(selectors), _) => Ok(Matter::Tokens(selectors.clone())),
            (Key::Ignored(index), _) => {
                let name = Name { text: name.to_string(), span: used.span.clone() };
                self.terminals.matter(self.program, &self.program.ignored[*index].clauses, &name)
            }
            (_, Some(node)) => leaf(self.program, node, used.module).map(Matter::Text),
            (_, None) => Ok(Matter::Text(Regex::never())),
        }
    }

    /// Warnings for what the given file defines or imports and nothing uses.
    fn unused(&self) -> Vec<Diagnostic> {
        let mut used = vec![false; self.program.definitions.len()];
        let named = self.used.iter().filter_map(|used| match used.key {
            Key::Named(id) => Some(id),
            _ => None,
        });
        let mut open: Vec<DefinitionId> = named.chain(self.instances.keys().map(|&(id, _)| id)).collect();
        open.extend(ignored_references(self.program));
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut used[id.index()], true) {
                open.extend(references(self.program, id));
            }
        }
        let own = self.program.definitions.iter().filter(|defined| defined.module.index() == 0);
        let own =
            own.filter(|defined| !defined.declared_only).map(|defined| ("unused-definition", &defined.name));
        let imported = self.program.imported.iter().map(|name| ("unused-import", name));
        own.chain(imported)
            .filter(|(_, name)| {
                self.program.find(ModuleId(0), &name.text).is_some_and(|id| !used[id.index()])
            })
            .map(|(code, name)| {
                let kind = if name.is_terminal() { "terminal" } else { "rule" };
                Diagnostic::warning(code, format!("the {kind} `{}` is never used", name.text))
                    .at(Location::Span(name.span.clone()))
                    .help("remove it, or use it in a rule that the start rule reaches")
            })
            .collect()
    }
}

fn terminal_name(program: &Program, key: &Key) -> String {
    match key {
        Key::Named(id) => program.definitions[id.index()].name.text.clone(),
        Key::Text(text, ignore_case) => format!("{text:?}{}", if *ignore_case { "i" } else { "" }),
        Key::Pattern(pattern, flags) => format!("/{pattern}/{flags}"),
        Key::Range(low, high) => format!("{low:?}..{high:?}"),
        Key::Special(selectors) => selectors.iter().map(selector_name).collect::<Vec<_>>().join(" | "),
        Key::Ignored(index) => format!("%ignore #{}", index + 1),
    }
}

fn selector_name(selector: &TokenSelector) -> String {
    match selector {
        TokenSelector::Name(name) => name.clone(),
        TokenSelector::Ids(low, high) if low == high => format!("<[{low}]>"),
        TokenSelector::Ids(low, high) => format!("<[{low}-{high}]>"),
    }
}

fn renumber(expr: &mut Expr, numbers: &[TerminalId]) {
    match expr {
        Expr::Symbol(Symbol::Terminal(id)) => *id = numbers[id.index()],
        Expr::Symbol(Symbol::Nonterminal(_)) => {}
        Expr::Sequence(parts) | Expr::Choice(parts) => {
            parts.iter_mut().for_each(|part| renumber(part, numbers))
        }
        Expr::Repeat { inner, .. } => renumber(inner, numbers),
    }
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
