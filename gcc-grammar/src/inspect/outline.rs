//! What an artifact and its source say about themselves as JSON, for the page of `gcc-grammar explore`.

use crate::error::Error;
use crate::sessions::session::Session;
use crate::sources::parse::{Parsed, parse};
use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::grammar::Action;
use gcc_grammar_artifact::ids::{LrState, Nonterminal, Terminal};
use gcc_grammar_ir::Location;
use gcc_grammar_ir::diagnostic::line_and_column;
use serde_json::{Value, json};

impl Session {
    /// Names of the terminals, the rules and the symbols that lead to each LR state; the source, its format and its options as [`Options::from_json`](crate::Options::from_json) reads them; sizes.
    ///
    /// # Errors
    /// The metadata of the artifact cannot be read, or is of another version.
    pub fn outline(&self) -> Result<Value, Error> {
        let metadata = self.metadata()?;
        Ok(json!({
            "terminals": metadata.terminals,
            "rules": metadata.rules,
            "symbols": symbols(self.engine().grammar()),
            "format": metadata.source.format,
            "source": metadata.source.text,
            "options": metadata.options_json(),
            "liveness": metadata.liveness,
            "stats": metadata.stats,
        }))
    }

    /// Where the rules and terminals of the source stand; null if the source cannot be read as it was.
    #[must_use]
    pub fn outline_of_source(&self) -> Value {
        let parsed = self.source().and_then(|(source, options)| parse(&source, &options));
        parsed.map_or(Value::Null, |parsed| parsed.outline())
    }
}

impl Parsed {
    /// The names of the rules with the places where they are written, and of the terminals with the places of the rules in which each stands.
    #[must_use]
    pub fn outline(&self) -> Value {
        let grammar = &self.grammar;
        let of_rules: Vec<Value> =
            grammar.rules.iter().map(|rule| self.place(rule.location.as_ref())).collect();
        let of_terminals = self.rules_of_terminals().into_iter().map(|rules| -> Vec<&Value> {
            let mut places: Vec<&Value> = Vec::new();
            for place in rules.into_iter().filter_map(|rule| of_rules.get(rule)) {
                if !place.is_null() && !places.contains(&place) {
                    places.push(place);
                }
            }
            places
        });
        let terminals = grammar.terminals.iter().map(|terminal| &terminal.name).zip(of_terminals);
        let terminals: Vec<_> = terminals.collect();
        let rules: Vec<_> = grammar.rules.iter().map(|rule| &rule.name).zip(&of_rules).collect();
        json!({ "rules": rules, "terminals": terminals })
    }

    fn place(&self, location: Option<&Location>) -> Value {
        match location {
            Some(Location::Pointer(pointer)) => json!({ "pointer": pointer }),
            Some(Location::Span(span)) => {
                let (line, column) = line_and_column(&self.text.text, span.start);
                json!({ "line": line, "column": column })
            }
            _ => Value::Null,
        }
    }
}

/// The symbol that leads to each LR state: a terminal (0) or a nonterminal (1) with its number; none for the first state.
fn symbols(view: &GrammarView<'_>) -> Vec<Option<(u8, u32)>> {
    let counts = view.counts();
    let mut symbols = vec![None; counts.lr_states];
    for state in (0..counts.lr_states as u32).map(LrState) {
        for terminal in view.action_terminals(state).iter().map(|terminal| terminal.get()) {
            for &code in view.actions(state, Terminal(terminal)) {
                if let Action::Shift(LrState(target)) = Action::decode(code) {
                    symbols[target as usize] = Some((0, terminal));
                }
            }
        }
        for (Nonterminal(symbol), LrState(target)) in view.gotos(state) {
            symbols[target as usize] = Some((1, symbol));
        }
    }
    symbols
}
