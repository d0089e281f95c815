//! The public error types: traits, codes and sources.

use gcc_grammar_artifact::ArtifactError;
use gcc_grammar_tokenizers::{Format, Overrides, Registry, Source, TokenizerOptions, Unspellable};
use gcc_grammar_vocabulary::{ErrorKind, Vocabulary, VocabularyError};
use std::collections::BTreeSet;
use std::error::Error;
use std::io;
use std::path::Path;

/// Does not compile unless both error types can be boxed, sent between threads and kept.
const _: () = {
    const fn is_an_error<E: Error + Send + Sync + 'static>() {}
    is_an_error::<VocabularyError>();
    is_an_error::<Unspellable>();
};

#[test]
fn every_kind_has_a_code_of_its_own() {
    let codes: BTreeSet<&str> = ErrorKind::ALL.iter().map(|kind| kind.code()).collect();
    assert_eq!(codes.len(), ErrorKind::ALL.len());
    for code in codes {
        let name = code.strip_prefix("vocabulary-").unwrap();
        assert!(name.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{code}");
    }
}

/// The underlying error, which must be of this type.
fn source<E: Error + 'static>(error: &VocabularyError) -> &E {
    error.source().and_then(<dyn Error>::downcast_ref).expect("an underlying error of this type")
}

#[test]
fn underlying_errors_are_kept() {
    let missing = Source::open(Path::new("/no/such/file")).unwrap_err();
    assert_eq!(missing.kind, ErrorKind::Io);
    assert_eq!(source::<io::Error>(&missing).kind(), io::ErrorKind::NotFound);

    let json = Format::HuggingFace.read(b"{\n 3").unwrap_err();
    assert_eq!(source::<serde_json::Error>(&json).line(), 2);

    let artifact = Vocabulary::from_artifact(b"no artifact").unwrap_err();
    assert!(artifact.message.contains(&source::<ArtifactError>(&artifact).to_string()));

    let tekken = br#"{"config": {"pattern": "(", "default_vocab_size": 1, "default_num_special_tokens": 0},
        "vocab": [{"rank": 0, "token_bytes": "YQ=="}]}"#;
    let vocabulary = Format::Tekken.read(tekken).unwrap().into_vocabulary().unwrap();
    let options = TokenizerOptions::default();
    let pattern = gcc_grammar_tokenizers::Tokenizer::read(Format::Tekken, tekken, &vocabulary, options);
    assert!(pattern.err().unwrap().source().is_some());
}

#[test]
fn errors_without_an_underlying_error_have_no_source() {
    let unknown = Registry::new("/no/such/folder").resolve("lama3", &Overrides::default()).unwrap_err();
    assert_eq!(unknown.kind, ErrorKind::NotFound);
    assert!(unknown.source().is_none());
}
