//! Tests of the front end of Lark: texts and the grammars or diagnostics that they give.

mod contexts;
mod embedded;
mod imports;
mod layout;
mod llguidance;
mod refused;
mod round_trip;
mod rules;
mod same;
mod terminals;

use super::{Options, Parsed, Source, Sources, parse, parse_with};
use gcc_grammar_ir::diagnostic::render_text;
use gcc_grammar_ir::{Diagnostic, Grammar, Pattern};
use gcc_grammar_regular::{Dfa, Regex};
use std::path::Path;

fn read(text: &str) -> Parsed {
    parse(text).unwrap_or_else(|errors| panic!("{}", rendered(&errors, text)))
}

fn rendered(diagnostics: &[Diagnostic], text: &str) -> String {
    diagnostics.iter().map(|diagnostic| render_text(diagnostic, "g.lark", text, false)).collect()
}

/// The rules as text, without the first lines and without the terminals.
fn rules(text: &str) -> String {
    let grammar = read(text).grammar;
    grammar
        .to_string()
        .lines()
        .skip(2)
        .take(grammar.rules.len())
        .fold(String::new(), |all, line| all + line + "\n")
}

fn automaton<'g>(grammar: &'g Grammar, name: &str) -> &'g Dfa {
    let terminal = grammar.terminals.iter().find(|terminal| terminal.name == name);
    match terminal.map(|terminal| &terminal.pattern) {
        Some(Pattern::Regex(Regex::Automaton(dfa)) | Pattern::Marked(Regex::Automaton(dfa))) => dfa,
        other => panic!("{name} is {other:?} in\n{grammar}"),
    }
}

/// What terminal `A` of a grammar that needs only `A` matches.
fn terminal(definitions: &str) -> Dfa {
    automaton(&read(&format!("start: A\n{definitions}")).grammar, "A").clone()
}

#[track_caller]
fn accepts(dfa: &Dfa, yes: &[&str], no: &[&str]) {
    yes.iter().for_each(|text| assert!(dfa.accepts(text.as_bytes()), "should match {text:?}"));
    no.iter().for_each(|text| assert!(!dfa.accepts(text.as_bytes()), "should not match {text:?}"));
}

fn codes(text: &str) -> Vec<&'static str> {
    match parse(text) {
        Ok(parsed) => parsed.warnings.iter().map(|warning| warning.code.as_str()).collect(),
        Err(errors) => errors.iter().map(|error| error.code.as_str()).collect(),
    }
}
