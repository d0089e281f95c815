//! The emitter: the rules for values of each node, which are made when the first rule refers to them.

use super::layout::Layout;
use super::narrow::NarrowNodes;
use super::terminals::{Result, Terminals};
use crate::automaton::{Keys, Run};
use crate::content::{Place, Vertex};
use crate::graph::Graph;
use crate::languages::{LanguageId, Languages, Lengths};
use crate::schema::{SchemaId, Schemas, consts};
use crate::style::{Kind, Style};
use gcc_grammar_ir::{
    Body, ContextRules, Diagnostic, Discipline, Expr, Grammar, ListRole, Location, NonterminalId, Rule,
    Symbol, SymbolDfa, TerminalId,
};
use gcc_grammar_limits::Budget;
use rustc_hash::FxHashMap;

/// The state of an emission: the terminals and rules made so far.
pub(super) struct Emitter<'a> {
    pub(super) graph: &'a Graph,
    pub(super) schemas: &'a Schemas,
    /// Where the schemas stand.
    pointers: &'a FxHashMap<SchemaId, String>,
    pub(super) budget: &'a Budget,
    pub(super) terminals: Terminals<'a>,
    pub(super) rules: Vec<Rule>,
    composites: FxHashMap<(Composite, Vertex), NonterminalId>,
    pub(super) long_texts: LongTexts,
    /// The rules for runs of items.
    pub(super) runs: FxHashMap<(Run, Vertex), NonterminalId>,
    /// The language of each set of keys: many states need the same ones.
    pub(super) key_languages: FxHashMap<Box<[Keys]>, LanguageId>,
    /// The nodes with spellings that are left out.
    narrow: NarrowNodes,
    /// Where the arrays or objects stand that are being emitted.
    pub(super) place: Place,
    /// Whether they are items that never run out of values.
    pub(super) is_endless: bool,
    /// Whether they are objects whose keys are remembered as names.
    pub(super) has_names: bool,
    /// The beginnings and ends of tags, by what they name and what stands behind that.
    pub(super) known_tags: FxHashMap<(String, Vec<String>), (TerminalId, String)>,
    /// The node whose strings could not be emitted.
    failed: Option<Vertex>,
    /// The rules whose bodies are not made yet.
    open: Vec<(NonterminalId, Vertex, Composite)>,
}

/// The rules that long strings share.
#[derive(Default)]
pub(super) struct LongTexts {
    pub(super) by_lengths: FxHashMap<Lengths, NonterminalId>,
    /// Exactly 1, 2, … blocks.
    pub(super) blocks: Vec<NonterminalId>,
    /// Fewer than a number of blocks and the rest, by this number.
    pub(super) tails: FxHashMap<u32, NonterminalId>,
}

/// The kinds of rules for values with parts.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Composite {
    Array,
    Object,
    /// The items of an array as tags.
    Items,
    /// The members of an object as tags.
    Members,
    /// The members of an object as arguments of a call.
    Arguments,
}

impl Composite {
    const fn name(self) -> &'static str {
        match self {
            Self::Array => "array",
            Self::Object => "object",
            Self::Items => "items",
            Self::Members => "members",
            Self::Arguments => "arguments",
        }
    }
}

impl<'a> Emitter<'a> {
    /// An emitter that has emitted nothing yet.
    pub(super) fn new(
        graph: &'a Graph,
        (schemas, pointers): (&'a Schemas, &'a FxHashMap<SchemaId, String>),
        terminals: Terminals<'a>,
        budget: &'a Budget,
    ) -> Self {
        Self {
            graph,
            schemas,
            pointers,
            budget,
            terminals,
            rules: Vec::new(),
            composites: FxHashMap::default(),
            long_texts: LongTexts::default(),
            runs: FxHashMap::default(),
            key_languages: FxHashMap::default(),
            narrow: NarrowNodes::default(),
            place: Place::Elsewhere,
            is_endless: false,
            has_names: false,
            known_tags: FxHashMap::default(),
            failed: None,
            open: Vec::new(),
        }
    }

    /// Emits the grammar, and finds the nodes with spellings that are left out.
    pub(super) fn run(
        mut self,
    ) -> std::result::Result<(Grammar, NarrowNodes), (Diagnostic, Option<SchemaId>)> {
        let mut vertex = Graph::ROOT;
        match self.emit_all(&mut vertex) {
            Ok(start) => {
                let grammar = Grammar {
                    terminals: self.terminals.finish(),
                    rules: self.rules,
                    start,
                    ignored: Vec::new(),
                    discipline: Discipline::AnySplit,
                    contexts: ContextRules::default(),
                };
                Ok((grammar, self.narrow))
            }
            Err(error) => {
                let vertex = self.failed.unwrap_or(vertex);
                Err((error.diagnostic(), self.graph.content(vertex).schema()))
            }
        }
    }

    /// Emits all rules, and returns the start rule. `current` is the node whose values are being emitted.
    fn emit_all(&mut self, current: &mut Vertex) -> Result<NonterminalId> {
        let start = self.add_rule("value".to_owned());
        let symbols = match &self.terminals.options.style {
            Style::Json if !self.terminals.options.only_objects => self.symbols(Graph::ROOT)?,
            Style::Json | Style::Marked(_) => {
                vec![Symbol::Nonterminal(self.composite(Graph::ROOT, Composite::Object))]
            }
            Style::Python => vec![Symbol::Nonterminal(self.composite(Graph::ROOT, Composite::Arguments))],
            Style::Tags(_) => vec![Symbol::Nonterminal(self.composite(Graph::ROOT, Composite::Members))],
        };
        let value = Expr::Choice(symbols.into_iter().map(Expr::Symbol).collect());
        self.rules[start.index()].body = Body::Expr(match self.outer_space() {
            Some(space) => Expr::Sequence(vec![space.clone(), value, space]),
            None => value,
        });
        while let Some((rule, vertex, composite)) = self.open.pop() {
            *current = vertex;
            let bodies = self.bodies(vertex, composite)?;
            if bodies.iter().any(|body| self.has_narrow_key(body)) {
                self.narrow.keys.insert(vertex);
            }
            if self.leaves_keys(vertex, composite)? {
                self.narrow.left_out.insert(vertex);
            }
            self.set_bodies(rule, bodies);
        }
        Ok(start)
    }

    /// The right parts of the values of a node: one for each automaton.
    fn bodies(&mut self, vertex: Vertex, composite: Composite) -> Result<Vec<SymbolDfa>> {
        let graph = self.graph;
        let content = graph.content(vertex);
        self.place = content.place;
        let is_object = composite == Composite::Object;
        self.is_endless = if is_object { content.endless.objects } else { content.endless.arrays };
        self.has_names = is_object && content.has_names();
        match composite {
            Composite::Array => content.array.iter().map(|array| self.array(array)).collect(),
            Composite::Items => content.array.iter().map(|array| self.items(array)).collect(),
            Composite::Object => {
                content.objects.iter().map(|object| self.object(object, content.record.as_ref())).collect()
            }
            Composite::Members => content.objects.iter().map(|object| self.members(object)).collect(),
            Composite::Arguments => content.objects.iter().map(|object| self.arguments(object)).collect(),
        }
    }

    /// Gives a rule its right part. If there are several, each becomes a rule of its own: these begin with the same terminal, so the parser
    /// forks there, and reads each alternative with the terminals of that alternative.
    fn set_bodies(&mut self, rule: NonterminalId, mut bodies: Vec<SymbolDfa>) {
        if bodies.len() < 2 {
            let body = bodies.pop().unwrap_or_default();
            self.rules[rule.index()].body = Body::Automaton(body);
            return;
        }
        let Rule { name, location, .. } = self.rules[rule.index()].clone();
        let mut alternatives = Vec::with_capacity(bodies.len());
        for (number, body) in (1..).zip(bodies) {
            let alternative = self.add_rule(format!("{name}_{number}"));
            self.rules[alternative.index()].location = location.clone();
            self.rules[alternative.index()].body = Body::Automaton(body);
            alternatives.push(Expr::Symbol(Symbol::Nonterminal(alternative)));
        }
        self.rules[rule.index()].body = Body::Expr(Expr::Choice(alternatives));
    }

    /// The white space before and after the whole text, if it is allowed.
    fn outer_space(&mut self) -> Option<Expr> {
        let terminal = self.terminals.outer_space()?;
        Some(Expr::Repeat { inner: Box::new(Expr::Symbol(Symbol::Terminal(terminal))), min: 0, max: Some(1) })
    }

    /// A new rule whose body is not made yet.
    pub(super) fn add_rule(&mut self, name: String) -> NonterminalId {
        let id = NonterminalId::new(self.rules.len());
        self.rules.push(Rule { name, body: Body::Expr(Expr::Choice(Vec::new())), location: None });
        id
    }

    /// The alternatives for a value of a node.
    pub(super) fn symbols(&mut self, vertex: Vertex) -> Result<Vec<Symbol>> {
        self.symbols_but_arrays(vertex, false)
    }

    /// The alternatives for a value of a node, perhaps without the arrays.
    fn symbols_but_arrays(&mut self, vertex: Vertex, has_arrays: bool) -> Result<Vec<Symbol>> {
        let graph = self.graph;
        let content = graph.content(vertex);
        let mut symbols = Vec::new();
        for set in [consts::NULL, content.consts & (consts::TRUE | consts::FALSE)] {
            if content.consts & set != 0 {
                symbols.push(Symbol::Terminal(self.terminals.consts(content.consts & set)));
            }
        }
        let is_compared = content.place != Place::Elsewhere;
        if content.numbers != Languages::NOTHING {
            let number = match is_compared {
                true => self.terminals.item_number(content.numbers, ListRole::Part)?,
                false => self.terminals.number(content.numbers)?,
            };
            symbols.push(Symbol::Terminal(number));
        }
        if content.strings != Languages::NOTHING && is_compared {
            let text = self.terminals.item_text(content.strings, ListRole::Part);
            self.failed = text.is_err().then_some(vertex);
            symbols.push(Symbol::Terminal(text?));
        } else if content.strings != Languages::NOTHING {
            let symbol = self.text(content.strings);
            self.failed = symbol.is_err().then_some(vertex);
            let symbol = symbol?;
            if self.is_narrow_text(symbol)? {
                self.narrow.strings.insert(vertex);
            }
            symbols.push(symbol);
        }
        if content.array.is_some() && !has_arrays {
            symbols.push(Symbol::Nonterminal(self.composite(vertex, Composite::Array)));
        }
        if !content.objects.is_empty() {
            symbols.push(Symbol::Nonterminal(self.composite(vertex, Composite::Object)));
        }
        Ok(symbols)
    }

    /// The numbers or constants of a node.
    pub(super) fn scalar(&mut self, vertex: Vertex, kind: Kind) -> Result<Symbol> {
        let content = self.graph.content(vertex);
        Ok(Symbol::Terminal(match kind {
            Kind::Number => self.terminals.number(content.numbers)?,
            Kind::Null => self.terminals.consts(consts::NULL),
            _ => self.terminals.consts(content.consts & (consts::TRUE | consts::FALSE)),
        }))
    }

    /// Whether a symbol of strings leaves out some spelling. All pieces of long strings are alike in this.
    fn is_narrow_text(&mut self, symbol: Symbol) -> Result<bool> {
        let terminal = match symbol {
            Symbol::Terminal(terminal) => terminal,
            Symbol::Nonterminal(_) => self.block()?,
        };
        Ok(self.terminals.narrow_texts.contains(&terminal))
    }

    /// Whether a right part reads a key of which some spelling is left out.
    fn has_narrow_key(&self, body: &SymbolDfa) -> bool {
        let is_narrow = |symbol: Symbol| match symbol {
            Symbol::Terminal(terminal) => self.terminals.narrow_keys.contains(&terminal),
            Symbol::Nonterminal(_) => false,
        };
        body.states.iter().any(|state| state.transitions.iter().any(|&(symbol, _)| is_narrow(symbol)))
    }

    /// The rule for the arrays or objects of a node, which is made if it is new.
    pub(super) fn composite(&mut self, vertex: Vertex, composite: Composite) -> NonterminalId {
        if let Some(&known) = self.composites.get(&(composite, vertex)) {
            return known;
        }
        let number = self.composites.keys().filter(|(kind, _)| *kind == composite).count();
        let rule = self.add_rule(format!("{}{}", composite.name(), number + 1));
        let schema = self.graph.content(vertex).schema();
        let pointer = schema.and_then(|schema| self.pointers.get(&schema));
        self.rules[rule.index()].location = pointer.cloned().map(Location::Pointer);
        self.composites.insert((composite, vertex), rule);
        self.open.push((rule, vertex, composite));
        rule
    }

    /// Adds transitions over a value.
    pub(super) fn value(&mut self, layout: &mut Layout, from: u32, value: Vertex, to: u32) -> Result<()> {
        self.value_but_arrays(layout, (from, to), value, false)
    }

    /// Adds transitions over a value. If the arrays have theirs already, over all other values.
    pub(super) fn value_but_arrays(
        &mut self,
        layout: &mut Layout,
        (from, to): (u32, u32),
        value: Vertex,
        has_arrays: bool,
    ) -> Result<()> {
        for symbol in self.symbols_but_arrays(value, has_arrays)? {
            self.arc(layout, from, symbol, to);
        }
        Ok(())
    }

    /// Adds a transition. Upper bounds of unknown conditions may overlap; an alias keeps the automaton deterministic.
    pub(super) fn arc(&mut self, layout: &mut Layout, from: u32, symbol: Symbol, to: u32) {
        if !layout.leads_elsewhere(from, symbol, to) {
            return layout.arc(from, symbol, to);
        }
        let alias = self.add_rule(format!("alias{}", self.rules.len()));
        self.rules[alias.index()].body = Body::Expr(Expr::Symbol(symbol));
        layout.arc(from, Symbol::Nonterminal(alias), to);
    }

    /// The symbol of a language of strings.
    fn text(&mut self, language: LanguageId) -> Result<Symbol> {
        if let Some(counted) = self.terminals.counted_text(language)? {
            return Ok(Symbol::Terminal(counted));
        }
        let lengths = self.terminals.languages.as_lengths(language);
        let is_json = self.terminals.options.style.is_json();
        let Some(lengths) = lengths.filter(|_| is_json) else {
            return Ok(Symbol::Terminal(self.terminals.text(language)?));
        };
        Ok(Symbol::Nonterminal(self.long_text(lengths)?))
    }
}
