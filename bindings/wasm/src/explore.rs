//! What a source says of a text, for people: the page of `gcc-grammar explore` asks where the module has the compiler.

use crate::compile::Given;
use crate::exchange::run;
use crate::exports;
use crate::failure::Failure;
use gcc_grammar::{Asked, Stuck, Trace, TracedLexeme, parse, places_in_schema, schemas_around, trace_with};
use serde::Deserialize;
use serde_json::{Value, json};

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
    fn grammar_outline(grammar: u32) -> f64 {
        run(|exchange| {
            exchange.output = exchange.grammar(grammar)?.outline()?.to_string().into_bytes();
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
    fn source_outline() -> f64 {
        run(|exchange| {
            let given: Given = serde_json::from_slice(&exchange.input).map_err(Failure::usage)?;
            let parsed = parse(&given.source()?, &given.options()?)?;
            exchange.output = parsed.outline().to_string().into_bytes();
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
}
