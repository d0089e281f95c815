//! Each diagnostic code: the example of its explanation, or a command line that gives it, and how the diagnostic looks.

use super::Snapshots;
use super::commands::{json_session, text_session};
use super::inputs::{damaged_folder, too_deep, too_nested};
use super::stable::{json_text, stable_json};
use crate::support::Folder;
use gcc_grammar::diagnostic::{Example, render_text, to_json};
use gcc_grammar::vocabulary::{Overrides, registry};
use gcc_grammar::{
    Code, Diagnostic, Error, Notation, Options, Packing, Source, SourceText, Vocabulary, check,
    compile_parsed, parse,
};

/// Codes that only commands give, each with a command line without the name of the program.
const COMMANDS: &[(Code, &str)] = &[
    (Code::BadFamily, "check --tools point.json --family point.json"),
    (Code::BadTools, "check --tools point.json --model hermes"),
    (Code::DamagedArtifact, "verify truncated.gcg"),
    (Code::IgnoredLeftOut, "check fenced.lark"),
    (Code::Io, "check missing.lark"),
    (Code::LongToken, "compile sums.lark --vocab long.tiktoken --eos 0"),
    (Code::Narrowed, "check point.json --strict --allow-narrowed white-space"),
    (Code::NotAnArtifact, "inspect sums.lark"),
    (Code::NotUtf8, "check latin1.lark"),
    (Code::OrdinaryToken, "export by-id.gcg --tensors automaton.npz --vocab tiny"),
    (Code::OtherFormat, "inspect newer.gcg"),
    (Code::OtherVocabulary, "mask point.gcg --vocab tiny --eos 65 --text '{'"),
    (Code::OverBudget, "compile sums.lark --vocab tiny --limit-dwa-states 3"),
    (Code::RefusedText, "mask point.gcg --vocab tiny --text '{]'"),
    (Code::RefusedToken, "mask point.gcg --vocab tiny --tokens 13"),
    (Code::TooManyImports, "check imports.lark"),
    (Code::UncertifiedLiveness, "compile accents.lark --vocab gapped.tiktoken --eos 0"),
    (Code::Unfinished, "generate gapped-accents.gcg --vocab gapped.tiktoken --eos 0"),
    (Code::Unspellable, "replay ascii-sums.gcg --vocab ascii.tiktoken --eos 0 --text 'é'"),
    (Code::Usage, "compile"),
    (Code::Vocabulary, "check dialect.schema.json --resource https://example.com/dialect=dialect.json"),
    (Code::VocabularyInconsistent, "vocab inspect ascii.tiktoken --eos 1000"),
    (Code::VocabularyIo, "vocab import tiny --name mine --vocab-dir sums.lark"),
    (Code::VocabularyMalformed, "vocab inspect malformed.json"),
    (Code::VocabularyNotFound, "compile sums.lark --vocab lama3"),
    (Code::VocabularyTooLarge, "vocab inspect ascii.tiktoken --eos 0 --vocab-size 4294967295"),
    (Code::VocabularyUnknownFormat, "vocab inspect sums.lark"),
    (Code::VocabularyUnsupported, "vocab inspect unsupported.json"),
    (Code::VocabularyUnusableName, "vocab import tiny --name ../mine"),
];

/// Codes without a snapshot, and why they have none.
const WITHOUT_SNAPSHOT: &[(Code, &str)] = &[
    (Code::Interrupted, "another thread, or the handler of a signal, interrupts a compilation"),
    (Code::BoundedBudgets, "only the costs of large grammars go over a limit that nothing else exceeds"),
    (Code::Runtime, "only an artifact that was made to look intact gives it"),
    (Code::UndefinedSymbol, "only a program that makes a grammar with wrong ids gives it"),
    (Code::WrongArtifact, "only a bug of the compiler gives it"),
    (Code::WrongMask, "only a bug of the compiler gives it"),
];

/// The input that gives a diagnostic with this code, if a text in a notation does.
fn input(code: Code) -> Option<(Notation, String)> {
    match (code, code.explanation().example) {
        (Code::Nesting, _) => Some((Notation::JsonSchema, too_nested())),
        (Code::TooDeep, _) => Some((Notation::Lark, too_deep())),
        (_, Some(Example { notation, text, .. })) => Some((notation.parse().ok()?, text.to_owned())),
        _ => None,
    }
}

/// The diagnostics about an input: of its front end, of the analyses without a vocabulary, and, if neither gives this code, of
/// compiling it.
fn diagnostics(source: &Source, code: Code, vocabulary: &Vocabulary) -> (Vec<Diagnostic>, SourceText) {
    let failed = |error: Error| (error.diagnostics().to_vec(), error.input().clone());
    let options = Options::default();
    let parsed = match parse(source, &options) {
        Ok(parsed) => parsed,
        Err(error) => return failed(error),
    };
    let mut found = parsed.warnings.clone();
    match check(&parsed, &options, 0) {
        Ok(check) => found.extend(check.findings.warnings),
        Err(error) => return failed(error),
    }
    if !found.iter().any(|diagnostic| diagnostic.code == code) {
        let compiled = compile_parsed(&parsed, vocabulary, &options, Packing::Referenced, &mut ());
        return failed(compiled.map(drop).expect_err("compiling gives the diagnostic"));
    }
    (found, parsed.text)
}

/// An input and its diagnostics, as text and as JSON.
fn input_session(notation: Notation, text: &str, code: Code, vocabulary: &Vocabulary) -> String {
    let source = Source::named(notation, "input", text);
    let (found, input) = diagnostics(&source, code, vocabulary);
    assert!(found.iter().any(|diagnostic| diagnostic.code == code), "{code}: {found:?}");
    let mut out = format!("{notation}: {}\n\n", text.trim_end());
    for diagnostic in &found {
        out.push_str(&render_text(diagnostic, &input.name, &input.text, false));
    }
    for diagnostic in &found {
        out.push_str(&format!(
            "\n{}",
            json_text(&stable_json(to_json(diagnostic, &input.name, &input.text)))
        ));
    }
    out
}

/// The small vocabulary of the tests.
fn vocabulary(folder: &Folder) -> Vocabulary {
    let path = folder.path("tiny");
    let name = path.to_str().expect("a path in UTF-8");
    Vocabulary::load_from(&registry(Some(folder.path("data"))), name, &Overrides::default())
        .expect("a vocabulary")
}

#[test]
fn every_code_has_a_snapshot() {
    let folder = damaged_folder();
    let vocabulary = vocabulary(&folder);
    let mut snapshots = Snapshots::new("diagnostics");
    for &code in Code::ALL {
        let command = COMMANDS.iter().find(|&&(other, _)| other == code);
        let reason = WITHOUT_SNAPSHOT.iter().find(|&&(other, _)| other == code);
        let text = match (input(code), command, reason) {
            (Some((notation, text)), None, None) => input_session(notation, &text, code, &vocabulary),
            (None, Some((_, line)), None) => {
                text_session(&folder, line) + "\n" + &json_session(&folder, line)
            }
            (None, None, Some(_)) => continue,
            _ => panic!(
                "{code}: it needs either an example, or a command line, or a reason for having no snapshot"
            ),
        };
        assert!(text.contains(&format!("\"code\": \"{code}\"")), "{code}: {text}");
        snapshots.compare(code.as_str(), &text);
    }
    snapshots.finish();
}
