//! The table of the rules of a grammar in the course of lowering.
//!
//! A rule is made when it is first used: its number is handed out at once, and its body is pending. A template has one rule per list of
//! arguments, and a rule that depends on indentation or brackets has one rule per context.

use crate::grammar_builder::choice;
use crate::lark::layout::{Layout, LayoutContext, LayoutTerminal};
use crate::lark::lexemes::Lexemes;
use crate::lark::program::{Defined, DefinitionId, ModuleId, Program};
use crate::lark::token::Span;
use gcc_grammar_ir::check::nullable;
use gcc_grammar_ir::{Body, Expr, NonterminalId, Rule, Symbol, TerminalId};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// A definition with arguments and the context that it is used in.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Instance {
    pub(super) definition: DefinitionId,
    pub(super) arguments: Vec<Symbol>,
    /// The value of the parameter, if the rule has one.
    pub(super) parameter: Option<u64>,
    pub(super) context: LayoutContext,
}

impl Instance {
    /// A definition without arguments.
    pub(super) fn of(definition: DefinitionId, context: LayoutContext) -> Self {
        Self { definition, arguments: Vec::new(), parameter: None, context }
    }
}

/// The rules so far, and the terminals that they use.
pub(super) struct RuleTable<'p> {
    pub(super) program: &'p Program,
    pub(super) layout: Option<&'p Layout>,
    pub(super) lexemes: Lexemes<'p>,
    pub(super) rules: Vec<Rule>,
    instances: FxHashMap<Instance, NonterminalId>,
    /// The rules whose bodies are not built yet.
    pending: VecDeque<(NonterminalId, Instance)>,
    /// For each terminal between brackets, the rule of it and the line break that may follow.
    enclosed: FxHashMap<TerminalId, NonterminalId>,
    /// The rules at the deepest level of indentation.
    pub(super) deepest: Vec<NonterminalId>,
}

impl<'p> RuleTable<'p> {
    pub(super) fn new(program: &'p Program, layout: Option<&'p Layout>, lexemes: Lexemes<'p>) -> Self {
        let (rules, instances, pending, enclosed, deepest) = Default::default();
        Self { program, layout, lexemes, rules, instances, pending, enclosed, deepest }
    }

    /// Adds a rule without a body, which derives nothing until it gets one.
    pub(super) fn new_rule(&mut self, name: String, module: ModuleId, span: &Span) -> NonterminalId {
        let location = Some(self.program.place(module, span).0);
        let nonterminal = NonterminalId::new(self.rules.len());
        self.rules.push(Rule { name, body: Body::Expr(Expr::Choice(Vec::new())), location });
        nonterminal
    }

    pub(super) fn set_body(&mut self, rule: NonterminalId, body: Expr) {
        self.rules[rule.index()].body = Body::Expr(body);
    }

    /// The rule of a definition, or of a template with arguments, in a context.
    pub(super) fn instance(&mut self, mut instance: Instance) -> NonterminalId {
        let id = instance.definition;
        let context = instance.context;
        let context = self.layout.map_or(LayoutContext::default(), |layout| layout.context(id, context));
        instance.context = context;
        if let Some(&known) = self.instances.get(&instance) {
            return known;
        }
        let Defined { name, module, .. } = &self.program.definitions[id.index()];
        let mut display = name.text.clone();
        if !instance.arguments.is_empty() {
            let names: Vec<String> = instance.arguments.iter().map(|&symbol| self.name_of(symbol)).collect();
            display = format!("{display}{{{}}}", names.join(", "));
        }
        if let Some(parameter) = instance.parameter {
            display = format!("{display}::{parameter:#x}");
        }
        display += &Layout::suffix(context);
        let nonterminal = self.new_rule(display, *module, &name.span);
        if self.layout.is_some_and(|layout| layout.is_deepest(context)) {
            self.deepest.push(nonterminal);
        }
        self.instances.insert(instance.clone(), nonterminal);
        self.pending.push_back((nonterminal, instance));
        nonterminal
    }

    /// The next rule whose body is to be built.
    pub(super) fn next_pending(&mut self) -> Option<(NonterminalId, Instance)> {
        self.pending.pop_front()
    }

    /// The definitions that have rules or terminals.
    pub(super) fn used_definitions(&self) -> Vec<DefinitionId> {
        let newline = self.layout.and_then(|layout| layout.newline);
        self.lexemes
            .named()
            .chain(self.instances.keys().map(|instance| instance.definition))
            .chain(newline)
            .collect()
    }

    /// The name of a symbol as an argument of a template. Arguments of templates within it are cut off.
    fn name_of(&self, symbol: Symbol) -> String {
        match symbol {
            Symbol::Terminal(id) => self.lexemes.name(id),
            Symbol::Nonterminal(id) => {
                let name = &self.rules[id.index()].name;
                name.split_once('{').map_or(name.clone(), |(template, _)| format!("{template}{{…}}"))
            }
        }
    }

    /// The expression of a terminal; between brackets, followed by the line break that may follow it there.
    pub(super) fn terminal(&mut self, terminal: TerminalId, context: LayoutContext) -> Expr {
        let (Some(layout), true) = (self.layout, context.enclosed) else {
            return Expr::Symbol(Symbol::Terminal(terminal));
        };
        if let Some(&known) = self.enclosed.get(&terminal) {
            return Expr::Symbol(Symbol::Nonterminal(known));
        }
        let name = format!("{}{}", self.lexemes.name(terminal), Layout::suffix(context));
        let nonterminal = self.new_rule(name, layout.module, &layout.span);
        let newline = self.optional(layout, LayoutTerminal::Enclosed);
        self.set_body(nonterminal, Expr::Sequence(vec![Expr::Symbol(Symbol::Terminal(terminal)), newline]));
        self.enclosed.insert(terminal, nonterminal);
        Expr::Symbol(Symbol::Nonterminal(nonterminal))
    }

    /// A terminal of `%layout` that may be missing.
    pub(super) fn optional(&mut self, layout: &Layout, terminal: LayoutTerminal) -> Expr {
        let terminal = self.lexemes.layout_terminal(layout, terminal);
        Expr::Repeat { inner: Box::new(Expr::Symbol(Symbol::Terminal(terminal))), min: 0, max: Some(1) }
    }

    /// Adds a rule around the start, which is one lexeme.
    pub(super) fn start_from_terminal(&mut self, id: DefinitionId) {
        let Defined { name, module, .. } = &self.program.definitions[id.index()];
        let start = self.new_rule(name.text.clone(), *module, &name.span);
        let terminal = self.lexemes.definition(id);
        self.set_body(start, Expr::Symbol(Symbol::Terminal(terminal)));
    }

    /// Adds a rule for whole texts around the start rule. [`Self::blank_lines`] completes it.
    pub(super) fn text(&mut self, start: DefinitionId) -> NonterminalId {
        let Defined { name, module, .. } = &self.program.definitions[start.index()];
        let text = self.new_rule("text".to_string(), *module, &name.span);
        let start = self.instance(Instance::of(start, LayoutContext::default()));
        self.set_body(text, Expr::Symbol(Symbol::Nonterminal(start)));
        text
    }

    /// Lets a text begin with blank lines and end with a comment, and be blank if the start rule derives the empty text.
    pub(super) fn blank_lines(&mut self, text: NonterminalId) {
        let (Some(layout), Body::Expr(start)) = (self.layout, self.rules[text.index()].body.clone()) else {
            return;
        };
        let blank = self.optional(layout, LayoutTerminal::Blank);
        let end = self.optional(layout, LayoutTerminal::Other);
        let mut choices = vec![Expr::Sequence(vec![blank, start, end])];
        if nullable(&self.rules)[text.index()] {
            let blank = self.lexemes.layout_terminal(layout, LayoutTerminal::BlankText);
            choices.push(Expr::Symbol(Symbol::Terminal(blank)));
        }
        self.set_body(text, choice(choices));
    }
}
