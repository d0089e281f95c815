//! What a matcher is about to do, for people: the page of `gcc-grammar explore` asks.

use crate::compile::Given;
use crate::exchange::run;
use crate::exports;
use crate::failure::Failure;
use gcc_grammar::diagnostic::line_and_column;
use gcc_grammar::generate::{Drawn, RandomNumbers, draw};
use gcc_grammar::{
    Asked, Location, Parsed, Session, Stuck, Trace, TracedLexeme, parse, places_in_schema, schemas_around,
    trace_with,
};
use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::grammar::Action;
use gcc_grammar_artifact::ids::{DwaState, LexState, LrState, MaskId, Nonterminal, Terminal, TokenId};
use gcc_grammar_vocabulary::fewest_tokens;
use serde::Deserialize;
use serde_json::{Value, json};

/// The heads of a matcher that are shown, at most.
const MOST_HEADS: usize = 8;
/// The states of a stack that are shown, at most.
const MOST_STATES: usize = 48;

/// A text of a source.
#[derive(Deserialize)]
struct Traced {
    given: Given,
    text: String,
}

/// Places in an output of a schema: for each the number of bytes before it, and the name of the terminal that comes there.
#[derive(Deserialize)]
struct Places {
    given: Given,
    text: String,
    asked: Vec<(usize, String)>,
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

/// What an artifact says about itself.
fn about(session: &Session) -> Result<Value, Failure> {
    let view = session.engine().grammar();
    let metadata = session.artifact().metadata(view).map_err(Failure::usage)?;
    Ok(json!({
        "terminals": metadata.terminals,
        "rules": metadata.rules,
        "symbols": symbols(view),
        "format": metadata.source.format,
        "source": metadata.source.text,
        "options": metadata.options,
        "liveness": metadata.liveness,
        "stats": metadata.stats,
    }))
}

/// The cells that the Parser DWA reads of a stack, from its top, with the number of tokens that each adds.
fn cells(session: &Session, lexer: LexState, stack: &[LrState]) -> Vec<Value> {
    let view = session.engine().grammar();
    let mut cells = Vec::new();
    let mut at = view.dwa_init(lexer);
    for &read in stack {
        if at == DwaState(0) {
            break;
        }
        let Some(edge) = view.dwa_next(at, read) else { break };
        cells.push(json!({ "state": read.0, "from": at.0, "to": edge.target.0, "tokens": size(session, edge.output) }));
        at = edge.target;
    }
    cells
}

/// The number of tokens of a mask.
fn size(session: &Session, mask: MaskId) -> usize {
    let parts = session.engine().grammar().mask(mask);
    let width = session.vocabulary().tokens().width();
    (0..width).filter(|&token| parts.contains(TokenId(token))).count()
}

/// The places where rules are written, and the places of the rules in which each terminal stands.
fn places(parsed: &Parsed) -> Value {
    let place = |location: &Location| match location {
        Location::Pointer(pointer) => json!({ "pointer": pointer }),
        Location::Span(span) => {
            let (line, column) = line_and_column(&parsed.text.text, span.start);
            json!({ "line": line, "column": column })
        }
        _ => Value::Null,
    };
    let grammar = &parsed.grammar;
    let of_rules: Vec<Value> =
        grammar.rules.iter().map(|rule| rule.location.as_ref().map_or(Value::Null, place)).collect();
    let of_terminals = parsed.rules_of_terminals().into_iter().map(|rules| -> Vec<Value> {
        let mut places: Vec<Value> = Vec::new();
        for place in rules.into_iter().filter_map(|rule| of_rules.get(rule)) {
            if !place.is_null() && !places.contains(place) {
                places.push(place.clone());
            }
        }
        places
    });
    let of_terminals: Vec<Vec<Value>> = of_terminals.collect();
    let rules: Vec<_> = grammar.rules.iter().map(|rule| &rule.name).zip(of_rules).collect();
    let terminals: Vec<_> =
        grammar.terminals.iter().map(|terminal| &terminal.name).zip(of_terminals).collect();
    json!({ "rules": rules, "terminals": terminals })
}

fn trace_json(trace: &Trace) -> Value {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let lexeme = |lexeme: &TracedLexeme| {
        json!({
            "line": lexeme.line, "column": lexeme.column, "terminal": lexeme.terminal.as_deref(),
            "text": text(&lexeme.text), "bytes": lexeme.text.len(), "stack": strings(&lexeme.stack), "depth": lexeme.depth,
        })
    };
    let stuck = |stuck: &Stuck| {
        json!({
            "stack": strings(&stuck.stack), "depth": stuck.depth, "expected": stuck.expected,
            "reading": text(&stuck.reading),
        })
    };
    json!({
        "lexemes": trace.lexemes.iter().map(lexeme).collect::<Vec<_>>(),
        "stuck": trace.stuck.iter().map(stuck).collect::<Vec<_>>(),
        "is_accepted": trace.is_accepted, "read": trace.read, "readings": trace.readings, "gave_up": trace.gave_up,
    })
}

fn strings(names: &[std::sync::Arc<str>]) -> Vec<&str> {
    names.iter().map(|name| &**name).collect()
}

exports! {
    /// Writes what an artifact says about itself, as JSON.
    fn grammar_about(grammar: u32) -> f64 {
        run(|exchange| {
            exchange.output = about(exchange.grammar(grammar)?)?.to_string().into_bytes();
            Ok(0.0)
        })
    }

    /// Writes the heads of a matcher, with their stacks and the cells that the next mask reads, as JSON.
    fn matcher_look(matcher: u32) -> f64 {
        run(|exchange| {
            let matcher = &exchange.matcher(matcher)?.matcher;
            let view = matcher.session().engine().grammar();
            let heads: Vec<Value> = matcher.inspect(|runtime| {
                let heads = runtime.head_views().take(MOST_HEADS);
                heads
                    .map(|head| {
                        let depth = head.stack.clone().count();
                        let stack: Vec<LrState> = head.stack.take(MOST_STATES).collect();
                        let states: Vec<u32> = stack.iter().map(|state| state.0).collect();
                        let pending: Vec<u32> = view.pending(head.lexer).map(|terminal| terminal.0).collect();
                        json!({
                            "lexer": head.lexer.0, "depth": depth, "stack": states, "pending": pending,
                            "cells": cells(matcher.session(), head.lexer, &stack),
                        })
                    })
                    .collect()
            });
            let all = matcher.inspect(|runtime| runtime.head_views().len());
            exchange.output = json!({ "heads": heads, "all": all }).to_string().into_bytes();
            Ok(0.0)
        })
    }

    /// Writes how a text is read: lexemes, stacks, what is expected behind it, as JSON. Input: the source with its options, and the text, as JSON.
    fn trace() -> f64 {
        run(|exchange| {
            let Traced { given, text } = serde_json::from_slice(&exchange.input).map_err(Failure::usage)?;
            let options = given.options()?;
            let parsed = parse(&given.source()?, &options)?;
            let trace = trace_with(&parsed, text.as_bytes(), &options, true)?;
            exchange.output = trace_json(&trace).to_string().into_bytes();
            Ok(0.0)
        })
    }

    /// Writes where the rules and terminals of a source stand, as JSON. Input: the source with its options as JSON.
    fn places_of() -> f64 {
        run(|exchange| {
            let given: Given = serde_json::from_slice(&exchange.input).map_err(Failure::usage)?;
            let parsed = parse(&given.source()?, &given.options()?)?;
            exchange.output = places(&parsed).to_string().into_bytes();
            Ok(0.0)
        })
    }

    /// Writes the JSON Pointers of the subschemas that describe what comes at places in an output, and of those around its end, as JSON. Input: the schema with its options, the text,
    /// and the places, as JSON.
    fn places_in() -> f64 {
        run(|exchange| {
            let Places { given, text, asked } = serde_json::from_slice(&exchange.input).map_err(Failure::usage)?;
            let (source, options) = (given.source()?, given.options()?);
            let terminals: Vec<[&str; 1]> = asked.iter().map(|(_, terminal)| [terminal.as_str()]).collect();
            let asked: Vec<Asked<'_>> = asked.iter().zip(&terminals).map(|(&(behind, _), terminals)| Asked { behind, terminals }).collect();
            let places = places_in_schema(&source, &options, text.as_bytes(), &asked);
            let around = schemas_around(&source, &options, text.as_bytes());
            exchange.output = json!({ "places": places, "around": around }).to_string().into_bytes();
            Ok(0.0)
        })
    }

    /// Draws a token at random. Returns 0 if none is allowed, 1 if the text ends here, without a token for it, or 2 more than the token.
    fn matcher_draw(matcher: u32, seed: u32) -> f64 {
        run(|exchange| {
            let drawn = draw(&mut exchange.matcher(matcher)?.matcher, &mut RandomNumbers(seed.into()))?;
            Ok(match drawn {
                Drawn::Nothing => 0.0,
                Drawn::End(None) => 1.0,
                Drawn::Token(token) | Drawn::End(Some(token)) => f64::from(token) + 2.0,
            })
        })
    }

    /// The number of bytes that could be committed one after the other. Input: the bytes.
    fn matcher_validate_bytes(matcher: u32) -> f64 {
        run(|exchange| {
            let bytes = std::mem::take(&mut exchange.input);
            Ok(exchange.matcher(matcher)?.matcher.validate_bytes(&bytes)? as f64)
        })
    }

    /// Writes the fewest tokens that spell a text. Input: the text.
    fn vocabulary_spell(vocabulary: u32) -> f64 {
        run(|exchange| {
            let text = std::mem::take(&mut exchange.input);
            let spelled = fewest_tokens(&text, exchange.vocabulary(vocabulary)?.tokens());
            let tokens = spelled
                .map_err(|offset| Failure::usage(format!("no token of the vocabulary spells the text at byte {offset}")))?;
            Ok(exchange.give(tokens))
        })
    }
}
