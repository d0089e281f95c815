//! From schemas and grammars to artifacts.

use crate::exchange::{Object, run};
use crate::exports;
use crate::failure::Failure;
use gcc_grammar::{
    DemandOptions, Diagnostic, Notation, Options, Packing, Session, Source, Vocabulary, compile_parsed,
    parse_for,
};
use serde::Deserialize;
use serde_json::value::RawValue;

/// A source with its options.
#[derive(Deserialize)]
pub(crate) struct Given {
    /// The name of the notation, or `bundled`.
    notation: String,
    /// The text, the name of a bundled grammar, or nothing for choices.
    #[serde(default)]
    source: String,
    /// The alternatives.
    #[serde(default)]
    choices: Vec<String>,
    /// The name of the source in diagnostics.
    name: Option<String>,
    /// The options of the library.
    options: Option<Box<RawValue>>,
    /// Whether the artifact has the tokens inside.
    #[serde(default)]
    self_contained: bool,
    /// Whether masks are made when they are asked for, and the artifact only where it is needed.
    #[serde(default)]
    on_demand: bool,
}

impl Given {
    pub(crate) fn source(&self) -> Result<Source, Failure> {
        let Self { notation, source, choices, name, .. } = self;
        let source = match notation.as_str() {
            "bundled" => Source::bundled(source)
                .ok_or_else(|| Failure::usage(format!("there is no bundled grammar `{source}`")))?,
            "choices" if source.is_empty() => Source::choices(choices.iter().map(String::as_str)),
            _ => {
                let unknown = |_| Failure::usage(format!("there is no notation `{notation}`"));
                let notation: Notation = notation.parse().map_err(unknown)?;
                match name {
                    Some(name) => Source::named(notation, name, source.as_str()),
                    None => Source::new(notation, source.as_str()),
                }
            }
        };
        Ok(source.without_files())
    }

    pub(crate) fn options(&self) -> Result<Options, Failure> {
        Ok(Options::from_json(self.options.as_ref().map_or("{}", |options| options.get()))?)
    }

    /// The grammar, with warnings.
    fn compile(&self, vocabulary: &Vocabulary) -> Result<(Session, Vec<Diagnostic>), Failure> {
        let (source, options) = (self.source()?, self.options()?);
        if self.on_demand {
            let demand = DemandOptions { completes: false, ..DemandOptions::default() };
            return Ok(Session::on_demand(&source, vocabulary, &options, &demand)?);
        }
        let parsed = parse_for(&source, vocabulary, &options)?;
        let packing = Packing::of(self.self_contained);
        let compiled = compile_parsed(&parsed, vocabulary, &options, packing, &mut ())?;
        Ok((Session::new(compiled.artifact, vocabulary)?, compiled.warnings))
    }
}

exports! {
    /// Compiles a source for a vocabulary, and writes the warnings as JSON. Input: the source and its options as JSON.
    fn compile(vocabulary: u32) -> f64 {
        run(|exchange| {
            let vocabulary = exchange.vocabulary(vocabulary)?.clone();
            let given: Given = serde_json::from_slice(&exchange.input).map_err(Failure::usage)?;
            let (session, warnings) = given.compile(&vocabulary)?;
            let warnings = given.source()?.text().diagnostics_json(&warnings);
            exchange.output = warnings.to_string().into_bytes();
            Ok(exchange.keep(Object::Grammar(session)))
        })
    }
}
