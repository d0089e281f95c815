//! Right parts of arrays, and the brackets and commas that arrays and objects have in common.

use super::emitter::{Composite, Emitter};
use super::layout::{Layout, LayoutPlace};
use super::terminals::Result;
use crate::automaton::{Automaton, Run};
use crate::content::{Place, Vertex};
use crate::languages::Languages;
use crate::schema::consts;
use gcc_grammar_ir::{Body, Expr, ListRole, NonterminalId, Role, Symbol, SymbolDfa, TerminalId};

/// The comma before a further item or member.
#[derive(Clone, Copy)]
pub(super) enum Comma {
    Plain,
    /// Between items that differ.
    BetweenItems,
    /// Before a further name.
    BetweenNames,
}

impl Emitter<'_> {
    /// The right part of the arrays of a node.
    pub(super) fn array(&mut self, automaton: &Automaton<Run, Vertex>) -> Result<SymbolDfa> {
        let mut layout = Layout::new(self.budget);
        let (start, end) = (layout.state(LayoutPlace::Start), layout.state(LayoutPlace::End));
        layout.accept(end);
        self.open_and_close(&mut layout, start, automaton, "[ws", "[ws]");
        for (index, state) in automaton.states.iter().enumerate() {
            layout.check()?;
            let index = index as u32;
            if state.goes_on() {
                let before = layout.state(LayoutPlace::Before(index));
                for &(run, value, target) in &state.transitions {
                    let after = layout.state(LayoutPlace::After(target));
                    if run.is_one() && run.distinct {
                        for symbol in self.item_symbols(value)? {
                            self.arc(&mut layout, before, symbol, after);
                        }
                    } else if run.is_one() {
                        self.value(&mut layout, before, value, after)?;
                    } else {
                        layout.arc(before, Symbol::Nonterminal(self.items_in_a_row(run, value)?), after);
                    }
                }
            }
            let more = match state.transitions.iter().any(|(run, ..)| run.distinct) {
                true => Comma::BetweenItems,
                false => Comma::Plain,
            };
            let more = state.goes_on().then_some(more);
            self.after_element(&mut layout, index, state.accepting, more, "ws]");
        }
        layout.check()?;
        Ok(layout.finish())
    }

    /// The alternatives for an item of an array whose items differ, scalars in one notation.
    fn item_symbols(&mut self, vertex: Vertex) -> Result<Vec<Symbol>> {
        let content = self.graph.content(vertex);
        let mut terminals = Vec::new();
        for set in [consts::NULL, content.consts & (consts::TRUE | consts::FALSE)] {
            if content.consts & set != 0 {
                terminals.push(self.terminals.item_consts(content.consts & set));
            }
        }
        if content.numbers != Languages::NOTHING {
            terminals.push(self.terminals.item_number(content.numbers, ListRole::Item)?);
        }
        if content.strings != Languages::NOTHING {
            terminals.push(self.terminals.item_text(content.strings, ListRole::Item)?);
        }
        let mut symbols: Vec<_> = terminals.into_iter().map(Symbol::Terminal).collect();
        if content.array.is_some() {
            symbols.push(Symbol::Nonterminal(self.composite(vertex, Composite::Array)));
        }
        if !content.objects.is_empty() {
            symbols.push(Symbol::Nonterminal(self.composite(vertex, Composite::Object)));
        }
        Ok(symbols)
    }

    /// A bracket, which has a role if it is that of an item that is compared with others, or of an object with names. An empty item has one notation.
    fn bracket(&mut self, form: &'static str, role: ListRole) -> TerminalId {
        match (self.place, form, role) {
            (Place::Item, "[ws]", _) => self.terminals.punctuation_with_role("[]", Role::List(role)),
            (Place::Item, "{ws}", _) => self.terminals.punctuation_with_role("{}", Role::List(role)),
            (Place::Item, _, ListRole::Begins) if self.is_endless => {
                self.terminals.punctuation_with_role(form, Role::List(ListRole::BeginsEndless))
            }
            (Place::Item, ..) => self.terminals.punctuation_with_role(form, Role::List(role)),
            (_, _, ListRole::Begins) if self.has_names => {
                self.terminals.punctuation_with_role(form, Role::List(ListRole::Opens))
            }
            (_, _, ListRole::Ends) if self.has_names => {
                self.terminals.punctuation_with_role(form, Role::List(ListRole::Closes))
            }
            _ => self.terminals.punctuation(form),
        }
    }

    /// The rule for a run of values of a node, with commas between them.
    fn items_in_a_row(&mut self, run: Run, value: Vertex) -> Result<NonterminalId> {
        if let Some(&known) = self.runs.get(&(run, value)) {
            return Ok(known);
        }
        let rule = self.add_rule(format!("items{}", self.runs.len() + 1));
        self.runs.insert((run, value), rule);
        let (symbols, comma) = if run.distinct {
            (
                self.item_symbols(value)?,
                self.terminals.punctuation_with_role(",ws", Role::List(ListRole::Between)),
            )
        } else {
            (self.symbols(value)?, self.terminals.punctuation(",ws"))
        };
        let item = Expr::Choice(symbols.into_iter().map(Expr::Symbol).collect());
        let comma = Expr::Symbol(Symbol::Terminal(comma));
        let further = Expr::Repeat {
            inner: Box::new(Expr::Sequence(vec![comma, item.clone()])),
            min: run.least - 1,
            max: run.most.map(|most| most - 1),
        };
        self.rules[rule.index()].body = Body::Expr(Expr::Sequence(vec![item, further]));
        Ok(rule)
    }

    /// Adds the start: an opening bracket, or the empty array or object.
    pub(super) fn open_and_close<L>(
        &mut self,
        layout: &mut Layout,
        start: u32,
        automaton: &Automaton<L, Vertex>,
        open: &'static str,
        empty: &'static str,
    ) {
        let first = &automaton.states[0];
        if first.accepting {
            let symbol = Symbol::Terminal(self.bracket(empty, ListRole::Item));
            let end = layout.state(LayoutPlace::End);
            layout.arc(start, symbol, end);
        }
        if first.goes_on() {
            let symbol = Symbol::Terminal(self.bracket(open, ListRole::Begins));
            let before = layout.state(LayoutPlace::Before(0));
            layout.arc(start, symbol, before);
        }
    }

    /// Adds what follows an item or member: a comma before the next one, if there may be one, or the closing bracket.
    pub(super) fn after_element(
        &mut self,
        layout: &mut Layout,
        index: u32,
        accepting: bool,
        comma: Option<Comma>,
        close: &'static str,
    ) {
        let Some(after) = layout.existing(LayoutPlace::After(index)) else { return };
        if let Some(comma) = comma {
            let symbol = Symbol::Terminal(match comma {
                Comma::Plain => self.terminals.punctuation(",ws"),
                Comma::BetweenItems | Comma::BetweenNames => {
                    self.terminals.punctuation_with_role(",ws", Role::List(ListRole::Between))
                }
            });
            let before = layout.state(LayoutPlace::Before(index));
            layout.arc(after, symbol, before);
        }
        if accepting {
            let symbol = Symbol::Terminal(self.bracket(close, ListRole::Ends));
            let end = layout.state(LayoutPlace::End);
            layout.arc(after, symbol, end);
        }
    }
}
