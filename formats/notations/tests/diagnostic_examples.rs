//! Runs the example of every diagnostic code through its front end, and expects a diagnostic with exactly that code.

use gcc_grammar_ir::diagnostic::Example;
use gcc_grammar_ir::{Code, Diagnostic, Parsed, SpecialNames};
use gcc_grammar_json_schema as json_schema;
use gcc_grammar_notations::{
    GrammarOptions, abnf, antlr, bnf, choices, lark, regex, structural_tag, tree_sitter, w3c,
};
use gcc_grammar_regular::{PatternFlags, RegularLimits};

/// Codes without an example: they need a very large input, several files, or a program that makes a grammar.
const WITHOUT_EXAMPLE: &[Code] = &[
    Code::IgnoredLeftOut,
    Code::Interrupted,
    Code::Nesting,
    Code::Runtime,
    Code::TooDeep,
    Code::TooManyImports,
    Code::UncertifiedLiveness,
    Code::UndefinedSymbol,
    Code::VocabularyTooLarge,
    Code::VocabularyUnsupported,
    Code::WrongArtifact,
    Code::WrongMask,
];

/// Codes whose examples the front ends accept: only the compiler gives these diagnostics, some of them with a vocabulary.
const GIVEN_BY_COMPILER: &[Code] = &[
    Code::ContestedText,
    Code::EmptyLanguage,
    Code::GrowingHeads,
    Code::ManyHeads,
    Code::ShadowedFollower,
    Code::ShadowedTerminal,
    Code::UnknownToken,
];

/// Codes whose examples are command lines: only the command line, the runtime or a vocabulary gives them.
const GIVEN_BY_COMMANDS: &[Code] = &[
    Code::BadFamily,
    Code::BadTools,
    Code::BoundedBudgets,
    Code::DamagedArtifact,
    Code::Io,
    Code::LongToken,
    Code::Narrowed,
    Code::NotAnArtifact,
    Code::NotUtf8,
    Code::OrdinaryToken,
    Code::OtherFormat,
    Code::OtherVocabulary,
    Code::OverBudget,
    Code::RefusedText,
    Code::RefusedToken,
    Code::Unfinished,
    Code::Unspellable,
    Code::Usage,
    Code::Vocabulary,
    Code::VocabularyInconsistent,
    Code::VocabularyIo,
    Code::VocabularyMalformed,
    Code::VocabularyNotFound,
    Code::VocabularyUnknownFormat,
    Code::VocabularyUnusableName,
];

/// The codes of all errors or warnings about an input; `None` if the input is for the command line.
fn codes(example: Example) -> Option<Vec<Code>> {
    let text = example.text;
    let warnings = |parsed: Parsed| parsed.warnings;
    let parsed = match example.notation {
        "lark" => lark::parse(text).map(|parsed| parsed.warnings),
        "gbnf" => bnf::parse(text, bnf::Dialect::Gbnf, &Default::default()).map(warnings),
        "ebnf" => bnf::parse(text, bnf::Dialect::XGrammar, &Default::default()).map(warnings),
        "w3c" => w3c::parse(text, &GrammarOptions::default()).map(warnings),
        "abnf" => abnf::parse(text, &GrammarOptions::default()).map(warnings),
        "antlr" => {
            antlr::parse(text, &antlr::NoFiles, &GrammarOptions::default()).map(|parsed| parsed.warnings)
        }
        "tree-sitter" => tree_sitter::parse(text, &GrammarOptions::default()).map(|parsed| parsed.warnings),
        "regex" => regex::parse(text, PatternFlags::default(), &RegularLimits::default()).map(warnings),
        "choices" => {
            choices::of_lines(text, &SpecialNames::default(), &gcc_grammar_limits::Budget::default())
                .map(warnings)
        }
        "structural-tag" => {
            structural_tag::parse(text, &structural_tag::Options::default()).map(|parsed| parsed.warnings)
        }
        "json-schema" => return Some(schema_codes(text)),
        _ => return None,
    };
    Some(all_codes(parsed))
}

fn schema_codes(text: &str) -> Vec<Code> {
    all_codes(json_schema::compile(text, &json_schema::Options::default()).map(|compiled| compiled.warnings))
}

fn all_codes(result: Result<Vec<Diagnostic>, Vec<Diagnostic>>) -> Vec<Code> {
    result.unwrap_or_else(|errors| errors).into_iter().map(|diagnostic| diagnostic.code).collect()
}

#[test]
fn examples_give_the_diagnostics_they_are_for() {
    let mut wrong = Vec::new();
    for &code in Code::ALL {
        let Some(example) = code.explanation().example else { continue };
        let Some(codes) = codes(example) else { continue };
        let right = match GIVEN_BY_COMPILER.contains(&code) {
            true => codes.is_empty(),
            false => !codes.is_empty() && codes.iter().all(|found| *found == code),
        };
        if !right {
            wrong.push(format!("{code}: {codes:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn codes_that_are_not_tested_here_are_listed() {
    let (mut without, mut commands) = (Vec::new(), Vec::new());
    for &code in Code::ALL {
        match code.explanation().example {
            None => without.push(code),
            Some(example) if example.notation == "sh" => commands.push(code),
            Some(_) => {}
        }
    }
    assert_eq!(without, WITHOUT_EXAMPLE);
    assert_eq!(commands, GIVEN_BY_COMMANDS);
}
