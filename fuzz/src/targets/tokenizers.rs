//! Tokenizer files: a file is read, or refused with a place; what is read is consistent and cuts text into the tokens of the text.

use crate::mutate::protobuf::{field, varint};
use crate::mutate::{Mutate, json, protobuf, text};
use crate::target::{Target, no_seeds};
use gcc_grammar::Error;
use gcc_grammar_tokenizers::{Format, Tokenizer, TokenizerOptions};
use gcc_grammar_vocabulary::{Place, Vocabulary, VocabularyError};

const fn target(
    name: &'static str,
    seeds: fn() -> Vec<Vec<u8>>,
    mutate: Mutate,
    check: fn(&[u8]),
    executions: u64,
) -> Target {
    let about = "a tokenizer file is refused with a place, or gives a vocabulary that is written and read again and spells texts";
    Target { name, about, seeds, mutate, check, executions }
}

pub(super) const HUGGINGFACE: Target =
    target("tokenizer-huggingface", no_seeds, json::mutate, |input| check(Format::HuggingFace, input), 800);
pub(super) const TEKKEN: Target =
    target("tokenizer-tekken", no_seeds, json::mutate, |input| check(Format::Tekken, input), 800);
pub(super) const SENTENCEPIECE: Target = target(
    "tokenizer-sentencepiece",
    models,
    protobuf::mutate,
    |input| check(Format::SentencePiece, input),
    3_000,
);
pub(super) const TIKTOKEN: Target =
    target("tokenizer-tiktoken", no_seeds, text::mutate, |input| check(Format::Tiktoken, input), 800);

/// SentencePiece models: BPE with byte fallback, and Unigram.
fn models() -> Vec<Vec<u8>> {
    let piece = |text: &str, score: f32, kind: u64| {
        let fields = [
            field(1, text.as_bytes()),
            vec![2 << 3 | 5],
            score.to_le_bytes().to_vec(),
            vec![3 << 3],
            varint(kind),
        ];
        field(1, &fields.concat())
    };
    let model = |algorithm: u64| {
        let trainer = [vec![3 << 3], varint(algorithm), [varint(42 << 3), varint(2)].concat()].concat();
        let normalizer = [field(1, b"identity"), vec![3 << 3, 1]].concat();
        let pieces = [
            piece("<unk>", 0.0, 2),
            piece("<s>", 0.0, 3),
            piece("</s>", 0.0, 3),
            piece("<0x0A>", 0.0, 6),
            piece("<0xC3>", 0.0, 6),
            piece("\u{2581}", -1.0, 1),
            piece("a", -2.0, 1),
            piece("b", -3.0, 1),
            piece("ab", -4.0, 1),
            piece("\u{2581}ab", -5.0, 1),
            piece("é", -6.0, 1),
            piece("<tool>", 0.0, 4),
            piece("x", 0.0, 5),
        ];
        [pieces.concat(), field(2, &trainer), field(3, &normalizer)].concat()
    };
    vec![model(1), model(2)]
}

const TEXTS: [&[u8]; 7] =
    [b"", b"ab ab", b" a", "aé\n".as_bytes(), b"\xff", b"<s>ab</s>", b"ababab<tool>x 12"];

fn check(format: Format, input: &[u8]) {
    if let Err(error) = Format::detect(input) {
        check_error(error, input);
    }
    let read = format.read(input);
    assert_eq!(read, format.read(input), "two results for one file");
    let contents = match read {
        Ok(contents) => contents,
        Err(error) => return check_error(error, input),
    };
    let ids = contents.ids();
    let vocabulary = match contents.into_vocabulary() {
        Ok(vocabulary) => vocabulary,
        Err(error) => return check_error(error, input),
    };
    assert!(
        vocabulary.width() >= ids && vocabulary.ids() <= vocabulary.width(),
        "all tokens are in the mask"
    );
    check_vocabulary(&vocabulary);
    let options = TokenizerOptions { special_names: true, ..TokenizerOptions::default() };
    match Tokenizer::read(format, input, &vocabulary, options) {
        Ok(tokenizer) => check_tokenizer(&tokenizer, &vocabulary),
        Err(error) => check_error(error, input),
    }
}

/// An error has a message without line breaks, and a place in the file if it has one.
fn check_error(error: VocabularyError, input: &[u8]) {
    assert!(!error.message.is_empty(), "an error without a message");
    match &error.place {
        Some(Place::Line(line, column)) => {
            let lines = input.split(|byte| *byte == b'\n').count();
            assert!(
                (1..=lines + 1).contains(line) && *column <= input.len() + 1,
                "a place outside the file: {error:?}"
            );
        }
        Some(Place::Offset(offset)) => assert!(*offset <= input.len(), "a place outside the file: {error:?}"),
        _ => {}
    }
    assert!(!Error::from(error.in_file("file")).render().is_empty());
}

fn check_vocabulary(vocabulary: &Vocabulary) {
    for (id, bytes) in vocabulary.text_tokens() {
        let found =
            (!bytes.is_empty()).then(|| vocabulary.find(bytes).expect("a token is found by its bytes"));
        assert!(found.is_none_or(|found| found <= id), "of equal tokens the first is found");
    }
    let written = if vocabulary.ids().is_multiple_of(2) {
        vocabulary.to_artifact()
    } else {
        vocabulary.to_small_artifact()
    };
    assert_eq!(Vocabulary::from_artifact(&written).as_ref(), Ok(vocabulary), "written and read again");
}

/// The tokens of a text have the bytes of the text.
fn check_tokenizer(tokenizer: &Tokenizer, vocabulary: &Vocabulary) {
    for text in TEXTS {
        match tokenizer.tokenize(text) {
            Ok(tokens) => {
                let spell = |&id: &u32| match (vocabulary.bytes(id), vocabulary.special_text(id)) {
                    (Some(bytes), _) => bytes.to_vec(),
                    (None, name) => name.unwrap_or_default().as_bytes().to_vec(),
                };
                let spelled: Vec<u8> = tokens.ids.iter().flat_map(spell).collect();
                assert_eq!(spelled, text, "tokens {:?}", tokens.ids);
            }
            Err(error) => assert!(error.offset <= text.len(), "a place outside the text"),
        }
    }
}
