//! From the graph to a grammar.
//!
//! A grammar for JSON text can be laid out so that nothing ever forks: every terminal ends with a byte that no other
//! terminal of its context could go on with, or is ended by the punctuation that must follow (numbers). White space is
//! part of the punctuation around it, so it is never ambiguous where it belongs: `{ws`, `,ws`, `ws}`, and a key takes its colon along (large
//! objects read keys in parts, see [`keys`]). The empty object
//! is a terminal of its own, `{ws}`. Arrays and objects are right parts given as automata: a state before a key, one before a value,
//! one after it.

mod keys;
mod layout;
mod long;
mod terminals;

use super::algebra::automata::{Automaton, Keys};
use super::graph::{Content, Graph, Vertex};
use super::languages::{LanguageId, Languages};
use super::options::Options;
use super::schema::{KeyId, Schemas, consts};
use gcc_grammar_ir::{Body, ContextRules, Discipline, Expr, Grammar, NonterminalId, Rule, Symbol, SymbolDfa};
use keys::KeyTree;
use layout::{Layout, Place};
use long::LongTexts;
use rustc_hash::FxHashMap;
pub(super) use terminals::NoTerminal;
use terminals::{Result, Terminals};

/// The grammar of the values of the root.
pub(super) fn emit(
    graph: &Graph,
    schemas: &Schemas,
    languages: &mut Languages,
    options: &Options,
) -> Result<Grammar> {
    let emitter = Emitter {
        graph,
        schemas,
        terminals: Terminals::new(languages, options),
        rules: Vec::new(),
        arrays: FxHashMap::default(),
        objects: FxHashMap::default(),
        long_texts: LongTexts::default(),
        key_languages: FxHashMap::default(),
        open: Vec::new(),
    };
    emitter.run()
}

/// Objects with fewer keys read them as a whole, and those where keys lead on in fewer ways.
const LEAST_FOR_TREE: usize = 64;

/// Objects with fewer keys read them in parts only if that halves the terminals.
const LEAST_WITHOUT_SHARING: usize = 256;

/// Values a key may have, each with the state it leads to.
type Values = Vec<(Vertex, u32)>;

struct Emitter<'a> {
    graph: &'a Graph,
    schemas: &'a Schemas,
    terminals: Terminals<'a>,
    rules: Vec<Rule>,
    arrays: FxHashMap<Vertex, NonterminalId>,
    objects: FxHashMap<Vertex, NonterminalId>,
    long_texts: LongTexts,
    /// Every state before a key asks for the languages of the same keys.
    key_languages: FxHashMap<Box<[Keys]>, LanguageId>,
    /// Rules whose bodies are still to be made.
    open: Vec<(NonterminalId, Vertex, Composite)>,
}

#[derive(Clone, Copy)]
enum Composite {
    Array,
    Object,
}

impl Emitter<'_> {
    fn run(mut self) -> Result<Grammar> {
        let start = self.add_rule("value".to_owned());
        let symbols = self.symbols(Vertex(0))?;
        let value = Expr::Choice(symbols.into_iter().map(Expr::Symbol).collect());
        self.rules[start.index()].body = Body::Expr(match self.outer_space() {
            Some(space) => Expr::Sequence(vec![space.clone(), value, space]),
            None => value,
        });
        while let Some((rule, vertex, composite)) = self.open.pop() {
            let graph = self.graph;
            let content = &graph.contents[vertex.0 as usize];
            let body = match composite {
                Composite::Array => self.array(content)?,
                Composite::Object => self.object(content)?,
            };
            self.rules[rule.index()].body = Body::Automaton(body);
        }
        Ok(Grammar {
            terminals: self.terminals.finish(),
            rules: self.rules,
            start,
            ignored: Vec::new(),
            discipline: Discipline::AnySplit,
            contexts: ContextRules::default(),
        })
    }

    /// White space before and after the whole text, if that is allowed.
    fn outer_space(&mut self) -> Option<Expr> {
        let terminal = self.terminals.outer_space()?;
        Some(Expr::Repeat { inner: Box::new(Expr::Symbol(Symbol::Terminal(terminal))), min: 0, max: Some(1) })
    }

    fn add_rule(&mut self, name: String) -> NonterminalId {
        let id = NonterminalId::new(self.rules.len());
        self.rules.push(Rule { name, body: Body::Expr(Expr::Choice(Vec::new())), location: None });
        id
    }

    /// What a value of a node may be.
    fn symbols(&mut self, vertex: Vertex) -> Result<Vec<Symbol>> {
        let graph = self.graph;
        let content = &graph.contents[vertex.0 as usize];
        let mut symbols = Vec::new();
        for set in [consts::NULL, content.consts & (consts::TRUE | consts::FALSE)] {
            if content.consts & set != 0 {
                symbols.push(Symbol::Terminal(self.terminals.consts(content.consts & set)));
            }
        }
        if content.numbers != Languages::NOTHING {
            symbols.push(Symbol::Terminal(self.terminals.number(content.numbers)?));
        }
        if content.strings != Languages::NOTHING {
            symbols.push(self.text(content.strings)?);
        }
        if content.array.is_some() {
            symbols.push(Symbol::Nonterminal(self.composite(vertex, Composite::Array)));
        }
        if content.object.is_some() {
            symbols.push(Symbol::Nonterminal(self.composite(vertex, Composite::Object)));
        }
        Ok(symbols)
    }

    fn composite(&mut self, vertex: Vertex, composite: Composite) -> NonterminalId {
        let known = match composite {
            Composite::Array => &self.arrays,
            Composite::Object => &self.objects,
        };
        if let Some(&known) = known.get(&vertex) {
            return known;
        }
        let (name, number) = match composite {
            Composite::Array => ("array", self.arrays.len()),
            Composite::Object => ("object", self.objects.len()),
        };
        let rule = self.add_rule(format!("{name}{}", number + 1));
        match composite {
            Composite::Array => self.arrays.insert(vertex, rule),
            Composite::Object => self.objects.insert(vertex, rule),
        };
        self.open.push((rule, vertex, composite));
        rule
    }

    fn array(&mut self, content: &Content) -> Result<SymbolDfa> {
        let Some(automaton) = &content.array else { return Ok(SymbolDfa::default()) };
        let mut layout = Layout::default();
        let (start, end) = (layout.state(Place::Start), layout.state(Place::End));
        layout.accept(end);
        self.open_and_close(&mut layout, start, automaton, "[ws", "[ws]");
        for (index, state) in automaton.states.iter().enumerate() {
            let index = index as u32;
            if !state.transitions.is_empty() {
                let before = layout.state(Place::Before(index));
                for &(_, value, target) in &state.transitions {
                    let after = layout.state(Place::After(target));
                    self.value(&mut layout, before, value, after)?;
                }
            }
            self.after_element(&mut layout, index, state.accepting, !state.transitions.is_empty(), "ws]");
        }
        Ok(layout.finish())
    }

    fn object(&mut self, content: &Content) -> Result<SymbolDfa> {
        let Some(automaton) = &content.object else { return Ok(SymbolDfa::default()) };
        let mut layout = Layout::default();
        let (start, end) = (layout.state(Place::Start), layout.state(Place::End));
        layout.accept(end);
        self.open_and_close(&mut layout, start, automaton, "{ws", "{ws}");
        let mut tree = self.key_tree(automaton)?;
        for (index, state) in automaton.states.iter().enumerate() {
            let index = index as u32;
            if !state.transitions.is_empty() {
                let before = layout.state(Place::Before(index));
                match &mut tree {
                    Some(tree) => {
                        let keys = self.keys_one_by_one(&mut layout, &state.transitions)?;
                        tree.lay_out(&mut layout, before, &keys);
                    }
                    None => {
                        for (keys, values) in self.keys_by_values(&state.transitions)? {
                            let key = self.terminals.key(keys)?;
                            let place = self.values(&mut layout, values)?;
                            layout.arc(before, Symbol::Terminal(key), place);
                        }
                    }
                }
            }
            self.after_element(&mut layout, index, state.accepting, !state.transitions.is_empty(), "ws}");
        }
        Ok(layout.finish())
    }

    /// The start: an opening bracket, or the empty array or object.
    fn open_and_close<L>(
        &mut self,
        layout: &mut Layout,
        start: u32,
        automaton: &Automaton<L, Vertex>,
        open: &'static str,
        empty: &'static str,
    ) {
        let first = &automaton.states[0];
        if first.accepting {
            let symbol = Symbol::Terminal(self.terminals.punctuation(empty));
            let end = layout.state(Place::End);
            layout.arc(start, symbol, end);
        }
        if !first.transitions.is_empty() {
            let symbol = Symbol::Terminal(self.terminals.punctuation(open));
            let before = layout.state(Place::Before(0));
            layout.arc(start, symbol, before);
        }
    }

    /// After an item or member: a comma and another one, or the closing bracket.
    fn after_element(
        &mut self,
        layout: &mut Layout,
        index: u32,
        accepting: bool,
        goes_on: bool,
        close: &'static str,
    ) {
        let Some(after) = layout.existing(Place::After(index)) else { return };
        if goes_on {
            let symbol = Symbol::Terminal(self.terminals.punctuation(",ws"));
            let before = layout.state(Place::Before(index));
            layout.arc(after, symbol, before);
        }
        if accepting {
            let symbol = Symbol::Terminal(self.terminals.punctuation(close));
            let end = layout.state(Place::End);
            layout.arc(after, symbol, end);
        }
    }

    fn value(&mut self, layout: &mut Layout, from: u32, value: Vertex, to: u32) -> Result<()> {
        for symbol in self.symbols(value)? {
            if layout.leads_elsewhere(from, symbol, to) {
                // Overlapping approximations: an alias keeps the automaton deterministic.
                let alias = self.add_rule(format!("alias{}", self.rules.len()));
                self.rules[alias.index()].body = Body::Expr(Expr::Symbol(symbol));
                layout.arc(from, Symbol::Nonterminal(alias), to);
            } else {
                layout.arc(from, symbol, to);
            }
        }
        Ok(())
    }

    /// The keys of an object as a tree, if there are many and all are named.
    fn key_tree(&mut self, automaton: &Automaton<Keys, Vertex>) -> Result<Option<KeyTree>> {
        let transitions = || automaton.states.iter().flat_map(|state| &state.transitions);
        let named = transitions().map(|(keys, ..)| match keys {
            Keys::One(key) => Some(*key),
            Keys::Of(_) => None,
        });
        let Some(mut named) = named.collect::<Option<Vec<_>>>() else { return Ok(None) };
        named.sort_unstable();
        named.dedup();
        let mut ways: Vec<(Vertex, u32)> = transitions().map(|&(_, value, to)| (value, to)).collect();
        ways.sort_unstable();
        ways.dedup();
        if named.len().min(ways.len()) < LEAST_FOR_TREE {
            return Ok(None);
        }
        let schemas = self.schemas;
        let keys = named.into_iter().map(|key| (key, schemas.key(key))).collect();
        let mut tree = KeyTree::new(keys);
        if ways.len() < LEAST_WITHOUT_SHARING && tree.parts() * 2 > ways.len() {
            return Ok(None);
        }
        tree.add_terminals(&mut self.terminals)?;
        Ok(Some(tree))
    }

    /// Keys, each with the place before its values.
    fn keys_one_by_one(
        &mut self,
        layout: &mut Layout,
        transitions: &[(Keys, Vertex, u32)],
    ) -> Result<Vec<(KeyId, u32)>> {
        let mut out = Vec::new();
        for of_key in transitions.chunk_by(|a, b| a.0 == b.0) {
            if let Keys::One(key) = of_key[0].0 {
                let mut values: Values = of_key.iter().map(|&(_, value, target)| (value, target)).collect();
                values.sort_unstable();
                out.push((key, self.values(layout, values)?));
            }
        }
        Ok(out)
    }

    /// The state before these values.
    fn values(&mut self, layout: &mut Layout, values: Values) -> Result<u32> {
        let (place, is_new) = layout.values(values.clone());
        if is_new {
            for (value, target) in values {
                let after = layout.state(Place::After(target));
                self.value(layout, place, value, after)?;
            }
        }
        Ok(place)
    }

    /// Keys that lead to the same values are read as one.
    fn keys_by_values(&mut self, transitions: &[(Keys, Vertex, u32)]) -> Result<Vec<(LanguageId, Values)>> {
        let mut by_key: Vec<(Keys, Values)> = Vec::new();
        for &(keys, value, target) in transitions {
            match by_key.last_mut() {
                Some((last, values)) if *last == keys => values.push((value, target)),
                _ => by_key.push((keys, vec![(value, target)])),
            }
        }
        let mut by_values: Vec<(Vec<Keys>, Values)> = Vec::new();
        let mut place: FxHashMap<Values, usize> = FxHashMap::default();
        for (keys, mut values) in by_key {
            values.sort_unstable();
            let index = *place.entry(values.clone()).or_insert_with(|| {
                by_values.push((Vec::new(), values));
                by_values.len() - 1
            });
            by_values[index].0.push(keys);
        }
        by_values.into_iter().map(|(keys, values)| Ok((self.language_of(&keys)?, values))).collect()
    }

    fn language_of(&mut self, keys: &[Keys]) -> Result<LanguageId> {
        if let Some(&known) = self.key_languages.get(keys) {
            return Ok(known);
        }
        let named = keys.iter().filter_map(|keys| match keys {
            Keys::One(key) => Some(self.schemas.key(*key)),
            Keys::Of(_) => None,
        });
        let mut language = self.terminals.languages.of_texts(named)?;
        for keys in keys {
            if let Keys::Of(other) = keys {
                language = self.terminals.languages.union(language, *other)?;
            }
        }
        self.key_languages.insert(keys.into(), language);
        Ok(language)
    }

    fn text(&mut self, language: LanguageId) -> Result<Symbol> {
        let Some(lengths) = self.terminals.languages.as_lengths(language) else {
            return Ok(Symbol::Terminal(self.terminals.text(language)?));
        };
        Ok(Symbol::Nonterminal(self.long_text(lengths)?))
    }
}
