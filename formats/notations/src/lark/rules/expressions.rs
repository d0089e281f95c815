//! Builds the bodies of rules: the syntax trees of alternatives become expressions over terminals and nonterminals.
//!
//! Input: a table with pending rules. After [`Expressions::run`], every rule that the start rule needs has its body. Names must have been
//! checked. Arguments of templates are symbols; a larger argument gets a rule of its own first.

use super::embedded::{Embedded, Text};
use super::table::{Instance, RuleTable};
use crate::grammar_builder::{choice, sequence};
use crate::lark::ast::{Alternative, Node, NodeKind, bound};
use crate::lark::key::Key;
use crate::lark::layout::{Indented, LayoutContext, LayoutTerminal};
use crate::lark::lexemes::Lexemes;
use crate::lark::options::Options;
use crate::lark::parameters::{Condition, Value};
use crate::lark::precedence::Written;
use crate::lark::program::{Defined, Enclose, ModuleId, Program};
use crate::lark::token::Span;
use gcc_grammar_ir::{Code, Diagnostic, Expr, NonterminalId, Symbol, TerminalId, TokenSelector};
use std::collections::BTreeMap;

/// The largest number of rules that templates may make.
const MAX_INSTANCES: usize = 20_000;

/// Where a node stands.
#[derive(Clone, Copy)]
struct Scope<'e> {
    /// The module in which names are looked up.
    module: ModuleId,
    /// The parameters of the template, with their arguments.
    parameters: &'e [(&'e str, Symbol)],
    /// The value of the parameter of the rule, if it has one.
    parameter: Option<u64>,
    /// The level of indentation, and whether line breaks are ignored.
    context: LayoutContext,
}

/// The rules in the course of lowering.
pub(super) struct Expressions<'p> {
    pub(super) table: RuleTable<'p>,
    pub(super) embedded: Embedded<'p>,
    /// The definition of each rule that was written by the author.
    pub(super) written: BTreeMap<NonterminalId, Written<'p>>,
    brackets: Brackets,
    pub(super) errors: Vec<Diagnostic>,
}

impl<'p> Expressions<'p> {
    pub(super) fn new(table: RuleTable<'p>, options: &'p Options<'p>) -> Self {
        let brackets = Brackets::new(table.program, &table.lexemes);
        let (written, errors) = Default::default();
        Self { table, embedded: Embedded::new(options), written, brackets, errors }
    }

    /// Builds the bodies of pending rules until none is left.
    pub(super) fn run(&mut self) -> Result<(), Diagnostic> {
        let program = self.table.program;
        while let Some((nonterminal, instance)) = self.table.next_pending() {
            let Instance { definition, arguments, parameter, context } = instance;
            let Defined { name, module, parameters, clauses, .. } = &program.definitions[definition.index()];
            if self.table.rules.len() > program.definitions.len() + MAX_INSTANCES {
                let message = format!("templates and parameters make more than {MAX_INSTANCES} rules");
                let error = program.error(Code::TooManyRules, &message, *module, &name.span);
                let help = "a template that uses itself with ever larger arguments never ends, and a rule is made for each value of its \
                    parameter; use fewer values";
                return Err(error.help(help));
            }
            let parameters: Vec<(&str, Symbol)> =
                parameters.iter().map(|parameter| parameter.text.as_str()).zip(arguments).collect();
            let clauses = || clauses.iter().filter(|clause| holds(&clause.alternative, parameter));
            let choices = clauses().map(|clause| {
                let scope = Scope { module: clause.module, parameters: &parameters, parameter, context };
                self.alternative(&clause.alternative, scope)
            });
            let choices = choices.collect();
            let precedences = clauses().map(|clause| clause.alternative.precedence.as_ref()).collect();
            self.written.insert(nonterminal, Written { module: *module, precedences });
            self.table.set_body(nonterminal, choice(choices));
        }
        Ok(())
    }

    fn alternatives(&mut self, alternatives: &'p [Alternative], scope: Scope<'_>) -> Expr {
        let alternatives = alternatives.iter().filter(|alternative| holds(alternative, scope.parameter));
        choice(alternatives.map(|alternative| self.alternative(alternative, scope)).collect())
    }

    /// A sequence. Line breaks are ignored between brackets.
    fn alternative(&mut self, alternative: &'p Alternative, mut scope: Scope<'_>) -> Expr {
        let mut parts = Vec::new();
        let mut open: Vec<(Key, &Node, LayoutContext)> = Vec::new();
        for node in alternative.conjuncts.iter().flatten() {
            if let Some(terminal) = self.bracket(node, scope.module) {
                if self.brackets.closes(&terminal) {
                    match open.pop() {
                        Some((bracket, _, outside)) if self.brackets.matches(&bracket, &terminal) => {
                            scope.context = outside;
                        }
                        _ => self.unbalanced(node, scope.module),
                    }
                }
                if self.brackets.opens(&terminal) {
                    open.push((terminal, node, scope.context));
                    scope.context = LayoutContext::ENCLOSED;
                }
            }
            parts.push(self.node(node, scope));
        }
        if let Some((_, bracket, _)) = open.pop() {
            self.unbalanced(bracket, scope.module);
        }
        sequence(parts)
    }

    /// The terminal that a node is, if there are brackets.
    fn bracket(&self, node: &Node, module: ModuleId) -> Option<Key> {
        let terminal =
            matches!(node.kind, NodeKind::Name(_) | NodeKind::Text { .. } | NodeKind::Pattern { .. });
        (terminal && self.table.layout.is_some()).then(|| self.table.lexemes.identity(node, module)).flatten()
    }

    fn unbalanced(&mut self, bracket: &Node, module: ModuleId) {
        let message = "a terminal of %enclose is without its other half";
        let error = self.table.program.error(Code::Unbalanced, message, module, &bracket.span);
        self.errors.push(error.help("write both in the same sequence, not one of them in parentheses"));
    }

    fn node(&mut self, node: &'p Node, scope: Scope<'_>) -> Expr {
        match &node.kind {
            NodeKind::Name(name) => match scope.parameters.iter().find(|(parameter, _)| parameter == name) {
                Some(&(_, symbol)) => Expr::Symbol(symbol),
                None => self.named(name, Vec::new(), None, scope, &node.span),
            },
            NodeKind::Parametric { name, value } => {
                let value = Value::parse(&value.text).unwrap_or(Value::Same);
                let parameter = value.of(scope.parameter.unwrap_or_default());
                self.named(name, Vec::new(), Some(parameter), scope, &node.span)
            }
            NodeKind::Template { name, arguments } => {
                if let Some(template) = Indented::named(name)
                    && self.table.program.find(scope.module, name).is_none()
                {
                    return self.indented(template, &arguments[0], scope);
                }
                let arguments = arguments.iter().map(|argument| self.argument(argument, scope)).collect();
                self.named(name, arguments, None, scope, &node.span)
            }
            NodeKind::Group(alternatives) => self.alternatives(alternatives, scope),
            NodeKind::Repeat { inner, min, max } => {
                let (min, max) = (bound(*min), max.map(bound));
                if let (Some(except), None) = (inner.kind.any_token_but(), max) {
                    return self.any_tokens(except, inner, min, scope);
                }
                Expr::Repeat { inner: Box::new(self.node(inner, scope)), min, max }
            }
            NodeKind::Text { text, .. } if text.is_empty() => Expr::Sequence(Vec::new()),
            NodeKind::Json { text, start } => self.embedded(Text::Json(text), *start, node, scope),
            NodeKind::Lark { text, start } => self.embedded(Text::Lark(text), *start, node, scope),
            NodeKind::Language { relative, path } => {
                self.embedded(Text::Language(*relative, path), node.span.start, node, scope)
            }
            _ => {
                let terminal = self.table.lexemes.written(node, scope.module);
                self.table.terminal(terminal, scope.context)
            }
        }
    }

    /// The rule of a schema or grammar that is written at this place.
    fn embedded(&mut self, text: Text<'p>, start: usize, node: &'p Node, scope: Scope<'_>) -> Expr {
        let rule = self.embedded.rule(&mut self.table, text, start, (scope.module, &node.span));
        self.errors.append(&mut self.embedded.errors);
        Expr::Symbol(Symbol::Nonterminal(rule))
    }

    /// `min` tokens or more: text with special tokens in it, except these. What is counted are whole tokens.
    fn any_tokens(
        &mut self,
        except: &'p [TokenSelector],
        node: &'p Node,
        min: u32,
        scope: Scope<'_>,
    ) -> Expr {
        let lexemes = &mut self.table.lexemes;
        let parts = lexemes.parts_of_tokens(except, node, scope.module);
        let parts = Expr::Choice(parts.map(|terminal| self.table.terminal(terminal, scope.context)).into());
        let several = |min| Expr::Repeat { inner: Box::new(parts.clone()), min, max: None };
        if min <= 1 {
            return several(min);
        }
        let one = Box::new(self.node(node, scope));
        sequence(vec![Expr::Repeat { inner: one, min, max: Some(min) }, several(0)])
    }

    /// The rule or terminal of this name.
    fn named(
        &mut self,
        name: &str,
        arguments: Vec<Symbol>,
        parameter: Option<u64>,
        scope: Scope<'_>,
        span: &Span,
    ) -> Expr {
        let Scope { module, context, .. } = scope;
        let program = self.table.program;
        let Some(id) = program.find(module, name) else { return Expr::Choice(Vec::new()) };
        let is_terminal = program.definitions[id.index()].is_terminal();
        let terminal = |id: TerminalId| Expr::Symbol(Symbol::Terminal(id));
        match self.table.layout {
            Some(layout) if context.enclosed && layout.lays_out(id) => {
                let message = format!("{name} is used between brackets, where line breaks are ignored");
                let error = program.error(Code::EnclosedLayout, &message, module, span);
                self.errors.push(error.help("use another rule there"));
                Expr::Choice(Vec::new())
            }
            Some(layout) if Some(id) == layout.newline => {
                self.table.optional(layout, LayoutTerminal::Newline)
            }
            Some(layout) if id == layout.indent && layout.newline.is_none() => {
                let message = format!("{name} is used in a rule, but %layout names no line break");
                let error = program.error(Code::BadLayout, &message, module, span);
                self.errors.push(error.help("use it in terminals, or name the line break in %layout"));
                Expr::Choice(Vec::new())
            }
            Some(layout) if id == layout.indent => {
                let indent = LayoutTerminal::Indent(context.level);
                terminal(self.table.lexemes.layout_terminal(layout, indent))
            }
            Some(layout) if is_terminal && layout.indents(id) => {
                terminal(self.table.lexemes.at_level(id, context.level))
            }
            _ if is_terminal => {
                let terminal = self.table.lexemes.definition(id);
                self.table.terminal(terminal, context)
            }
            _ => {
                let instance = Instance { arguments, parameter, ..Instance::of(id, context) };
                Expr::Symbol(Symbol::Nonterminal(self.table.instance(instance)))
            }
        }
    }

    /// A choice between the argument of the template at all levels that the template stands for.
    fn indented(&mut self, template: Indented, argument: &'p Node, scope: Scope<'_>) -> Expr {
        let Some(layout) = self.table.layout else { return Expr::Choice(Vec::new()) };
        let choices = layout.deeper(template, scope.context.level).map(|level| {
            let context = LayoutContext { level, ..scope.context };
            self.node(argument, Scope { context, ..scope })
        });
        choice(choices.collect())
    }

    /// An argument of a template as a symbol.
    fn argument(&mut self, node: &'p Node, scope: Scope<'_>) -> Symbol {
        match self.node(node, scope) {
            Expr::Symbol(symbol) => symbol,
            larger => {
                let nonterminal = self.table.new_rule("(…)".to_string(), scope.module, &node.span);
                self.table.set_body(nonterminal, larger);
                Symbol::Nonterminal(nonterminal)
            }
        }
    }
}

/// Whether an alternative counts for a value of the parameter of its rule.
fn holds(alternative: &Alternative, parameter: Option<u64>) -> bool {
    let condition =
        alternative.condition.as_ref().and_then(|condition| Condition::parse(&condition.text).ok());
    condition.is_none_or(|condition| condition.holds(parameter.unwrap_or_default()))
}

/// The pairs of terminals of all `%enclose` directives.
pub(super) struct Brackets {
    pairs: Vec<(Key, Key)>,
}

impl Brackets {
    /// Looks up the terminals. Names must have been checked.
    pub(super) fn new(program: &Program, lexemes: &Lexemes<'_>) -> Self {
        let pair = |enclose: &Enclose| {
            let Enclose { module, open, close } = enclose;
            Some((lexemes.identity(open, *module)?, lexemes.identity(close, *module)?))
        };
        Self { pairs: program.enclose.iter().filter_map(pair).collect() }
    }

    /// Whether this terminal opens brackets.
    pub(super) fn opens(&self, terminal: &Key) -> bool {
        self.pairs.iter().any(|(open, _)| open == terminal)
    }

    /// Whether this terminal closes brackets.
    pub(super) fn closes(&self, terminal: &Key) -> bool {
        self.pairs.iter().any(|(_, close)| close == terminal)
    }

    /// Whether the two terminals are a pair.
    pub(super) fn matches(&self, open: &Key, close: &Key) -> bool {
        self.pairs.iter().any(|pair| (&pair.0, &pair.1) == (open, close))
    }
}
