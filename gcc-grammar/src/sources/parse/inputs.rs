//! What a grammar is made from, as artifacts store it and as their keys cover it.

use crate::metadata::{self, Import};
use crate::sources::options::{Indenter, Lexer, Options, SchemaOptions, ToolOptions};
use crate::sources::source::Source;
use gcc_grammar_ir::SpecialTokens;
use gcc_grammar_json_schema::{self as json_schema, RepeatedKeys};
use gcc_grammar_notations::notation::Notation;
use gcc_grammar_notations::tools;
use std::borrow::Cow;

/// A source with all that it imports, and the options that change the language, by name.
pub(crate) struct Inputs {
    pub(crate) source: metadata::Source,
    pub(crate) options: Vec<(String, String)>,
}

impl Inputs {
    /// Those of a source. Which files it imports, and whether a Lark grammar has schemas, is known only when it has been read.
    pub(super) fn of(source: &Source, options: &Options) -> Self {
        let given = Given { source, options };
        let mut inputs = given.inputs();
        inputs.options.push(("budgets".to_owned(), options.budgets.to_string()));
        inputs.options.extend(given.special_tokens());
        inputs
    }

    /// Adds the options of schemas, and the documents that their references may lead to.
    pub(super) fn add_schemas(&mut self, options: &SchemaOptions) {
        self.options.extend(named(options));
        self.source.imports.extend(resources(options));
    }
}

/// The rule that derives whole texts.
pub(super) fn start<'a>(source: &Source, options: &'a Options) -> &'a str {
    options.start.as_deref().unwrap_or(source.notation.default_start().unwrap_or("start"))
}

/// The documents that references of schemas may lead to.
fn resources(options: &SchemaOptions) -> impl Iterator<Item = Import> {
    options.resources.iter().map(|(name, text)| Import { name: name.clone(), text: text.clone() })
}

/// A source with its options.
struct Given<'a> {
    source: &'a Source,
    options: &'a Options,
}

impl Given<'_> {
    /// The option for special tokens, if it is not the default and the notation has literals.
    fn special_tokens(&self) -> Option<(String, String)> {
        let option = self.options.special_tokens;
        (self.source.has_literals() && option != SpecialTokens::default())
            .then(|| ("special-tokens".to_owned(), option.to_string()))
    }

    fn inputs(&self) -> Inputs {
        match self.source.notation {
            Notation::Gbnf | Notation::Ebnf => self.with_start(),
            Notation::W3c | Notation::Abnf | Notation::Antlr | Notation::TreeSitter => {
                let start = self.options.start.iter().map(|start| ("start".to_owned(), start.clone()));
                Inputs { options: start.collect(), ..self.without_options() }
            }
            Notation::Lark => {
                let inputs = self.with_start();
                Inputs { options: inputs.options.into_iter().chain(self.lexing()).collect(), ..inputs }
            }
            Notation::Regex => self.without_options(),
            Notation::Choices => Inputs { options: self.choice_lengths(), ..self.without_options() },
            Notation::Tools => {
                let inputs = self.with_schemas();
                Inputs { options: inputs.options.into_iter().chain(self.calls()).collect(), ..inputs }
            }
            _ => self.with_schemas(),
        }
    }

    /// The options for the lexemes of Lark that are not the default.
    fn lexing(&self) -> Vec<(String, String)> {
        let Options { lexer, indenter, .. } = self.options;
        let lexer = (*lexer != Lexer::default()).then(|| ("lexer".to_owned(), lexer.to_string()));
        let indenter =
            (*indenter != Indenter::default()).then(|| ("indenter".to_owned(), indenter.to_string()));
        lexer.into_iter().chain(indenter).collect()
    }

    /// The lengths of the choices in bytes, if the lines of the text are not the choices.
    fn choice_lengths(&self) -> Vec<(String, String)> {
        let text = &self.source.text.text;
        match &self.source.choices {
            Some(choices) if text.starts_with('\u{FEFF}') || !text.lines().eq(choices) => {
                let lengths: Vec<String> = choices.iter().map(|choice| choice.len().to_string()).collect();
                vec![("choice-lengths".to_owned(), lengths.join(" "))]
            }
            _ => Vec::new(),
        }
    }

    fn without_options(&self) -> Inputs {
        let (format, text) = (self.source.notation.as_str().to_owned(), self.source.text.text.clone());
        Inputs { source: metadata::Source { format, text, imports: Vec::new() }, options: Vec::new() }
    }

    fn with_schemas(&self) -> Inputs {
        Inputs {
            source: metadata::Source {
                imports: resources(&self.options.schema).collect(),
                ..self.without_options().source
            },
            options: named(&self.options.schema),
        }
    }

    /// Which calls of tools there may be. A family has one name here, whatever the model is called.
    fn calls(&self) -> Vec<(String, String)> {
        let asked = tools::asked(&self.source.text.text, &self.options.tools);
        // A family that the caller describes is its description.
        let model = match asked.family() {
            Ok(Cow::Borrowed(family)) => family.name.clone(),
            _ => asked.model.clone().unwrap_or_default(),
        };
        let ToolOptions { choice, parallel, thinking, thinking_tokens, .. } = asked;
        let named = [
            ("model", model),
            ("tool-choice", choice.to_string()),
            ("parallel", parallel.to_string()),
            ("thinking", thinking.to_string()),
        ];
        let limit = thinking_tokens.map(|most| ("thinking-tokens", most.to_string()));
        named.into_iter().chain(limit).map(|(name, value)| (name.to_owned(), value)).collect()
    }

    fn with_start(&self) -> Inputs {
        let start = ("start".to_owned(), start(self.source, self.options).to_owned());
        Inputs { options: vec![start], ..self.without_options() }
    }
}

/// The options of schemas by name, as they are given on the command line.
fn named(options: &SchemaOptions) -> Vec<(String, String)> {
    let named = [
        ("whitespace", Some(options.whitespace.to_string())),
        ("strings", Some(options.strings.to_string())),
        ("integer-spelling", Some(options.integer_spelling.to_string())),
        ("number-digits", options.number_digits.map(|digits| digits.to_string())),
        ("property-order", Some(options.property_order.to_string())),
        (
            "repeated-keys",
            (options.repeated_keys != RepeatedKeys::Accept).then(|| options.repeated_keys.to_string()),
        ),
        ("profile", options.profile.map(|profile| profile.to_string())),
        ("formats", Some(options.formats.to_string())),
        ("unenforced", Some(options.unenforced.to_string())),
        ("draft", options.draft.map(|draft| draft.to_string())),
        ("integer-with-point", options.integer_with_point.map(|value| value.to_string())),
    ];
    let given = named.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    let resources = options.resources.iter().map(|(uri, _)| ("resource".to_owned(), uri.clone()));
    // Where keywords that are too large may be left out, the bounds of one automaton change the language.
    let json_schema::Limits { max_depth, max_automaton_states, max_automaton_steps, max_key_transitions } =
        options.limits;
    let keys = max_key_transitions.map(|most| format!(" {most}")).unwrap_or_default();
    let bounds = format!("{max_depth} {max_automaton_states} {max_automaton_steps}{keys}");
    let is_default = options.limits == json_schema::Limits::default();
    let bounds = (!is_default).then(|| ("bounds".to_owned(), bounds));
    given.chain(resources).chain(bounds).collect()
}
