//! Reads damaged files of every format. The result is a vocabulary or an error with advice, and never a panic.

use gcc_grammar_tokenizers::{Format, Tokenizer, TokenizerOptions};
use gcc_grammar_vocabulary::{Vocabulary, VocabularyError};

const HUGGING_FACE: &str = r#"{"version": "1.0", "added_tokens": [{"id": 5, "content": "<|im_end|>", FLAGS "special": true},
    {"id": 6, "content": "<t>", FLAGS "special": false}, {"id": 7, "content": "  ", FLAGS "special": false}],
    "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}]},
    "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
        {"type": "Split", "pattern": {"Regex": "\\p{L}+|\\s+(?!\\S)"}, "behavior": "Isolated", "invert": false},
        {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": false}]},
    "post_processor": null, "decoder": {"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true},
    "model": {"type": "BPE", "dropout": null, "unk_token": null, "fuse_unk": false, "byte_fallback": false,
        "vocab": {"a": 0, "b": 1, "\u0120": 2, "ab": 3, "\u0120ab": 4}, "merges": [["a", "b"], ["\u0120", "ab"]]}}"#;

const UNIGRAM: &str = r#"{"version": "1.0", "added_tokens": [{"id": 0, "content": "<unk>", FLAGS "special": true}],
    "normalizer": {"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"}, "pre_tokenizer": null,
    "decoder": {"type": "Sequence", "decoders": [{"type": "Replace", "pattern": {"String": "\u2581"}, "content": " "},
        {"type": "ByteFallback"}, {"type": "Fuse"}]},
    "model": {"type": "Unigram", "unk_id": 0, "byte_fallback": true,
        "vocab": [["<unk>", 0.0], ["<0x61>", -1.0], ["\u2581a", -2.5], ["b", -3.0]]}}"#;

const TEKKEN: &str = r#"{"config": {"pattern": "\\p{L}+|\\s+", "default_vocab_size": 6, "default_num_special_tokens": 3},
    "vocab": [{"rank": 0, "token_bytes": "YQ==", "token_str": "a"}, {"rank": 1, "token_bytes": "Yg=="},
        {"rank": 2, "token_bytes": "YWI="}], "special_tokens": [{"rank": 2, "token_str": "</s>", "is_control": true}]}"#;

const TIKTOKEN: &str = "YQ== 0\nYg== 1\nIA== 2\nYWI= 3\n";

/// A BPE model with a normal piece, a user-defined piece, a byte piece, an unknown token and an end token.
fn sentencepiece() -> Vec<u8> {
    let piece = |text: &str, kind: u8| {
        let mut message = vec![0x0a, text.len() as u8];
        message.extend(text.as_bytes());
        message.extend([0x15, 0, 0, 0x80, 0xbf, 0x18, kind]);
        [vec![0x0a, message.len() as u8], message].concat()
    };
    let mut model: Vec<u8> = [("<unk>", 2), ("</s>", 3), ("<0x61>", 6), ("\u{2581}a", 1), ("b", 4)]
        .iter()
        .flat_map(|&(t, k)| piece(t, k))
        .collect();
    model.extend([0x12, 2, 0x18, 2, 0x1a, 2, 0x18, 1]);
    model
}

const FLAGS: &str = r#""single_word": false, "lstrip": false, "rstrip": false, "normalized": false,"#;

fn files() -> [(Format, Vec<u8>); 5] {
    [
        (Format::HuggingFace, HUGGING_FACE.replace("FLAGS", FLAGS).into()),
        (Format::HuggingFace, UNIGRAM.replace("FLAGS", FLAGS).into()),
        (Format::Tekken, TEKKEN.into()),
        (Format::Tiktoken, TIKTOKEN.into()),
        (Format::SentencePiece, sentencepiece()),
    ]
}

fn vocabulary(data: &[u8]) -> Result<(Format, Vocabulary), VocabularyError> {
    let format = Format::detect(data)?;
    Ok((format, format.read(data)?.into_vocabulary()?))
}

/// Reads a file and, if it is valid, tokenizes some texts.
fn exercise(data: &[u8]) {
    let (format, vocabulary) = match vocabulary(data) {
        Ok(read) => read,
        Err(error) => {
            assert!(error.help.is_some_and(|help| !help.is_empty()), "{}", error.message);
            return;
        }
    };
    for options in [false, true].map(|flag| TokenizerOptions { special_names: flag, prompt: flag }) {
        if let Ok(tokenizer) = Tokenizer::read(format, data, &vocabulary, options) {
            for text in ["", "ab ab", "aab  <t>b", "\u{e9}<|im_end|></s>"] {
                let _ = tokenizer.tokenize(text.as_bytes());
            }
        }
    }
}

#[test]
fn undamaged_files_are_read() {
    for (format, data) in files() {
        let (found, vocabulary) = vocabulary(&data).unwrap();
        assert_eq!(found, format);
        let tokenizer = Tokenizer::read(format, &data, &vocabulary, TokenizerOptions::default()).unwrap();
        let text = if vocabulary.find(b"ab").is_some() { "abab" } else { "ab a" };
        let ids = tokenizer.tokenize(text.as_bytes()).unwrap().ids;
        let bytes: Vec<u8> = ids.iter().flat_map(|&id| vocabulary.bytes(id).unwrap()).copied().collect();
        assert_eq!(bytes, text.as_bytes(), "{format:?}");
    }
}

#[test]
fn truncated_files_never_panic() {
    for (_, data) in files() {
        (0..data.len()).for_each(|length| exercise(&data[..length]));
    }
}

#[test]
fn changed_bytes_never_panic() {
    for (_, data) in files() {
        for index in 0..data.len() {
            for change in [0x01, 0x10, 0x80, data[index]] {
                let mut changed = data.clone();
                changed[index] ^= change;
                exercise(&changed);
            }
        }
    }
}

#[test]
fn numbers_out_of_range_never_panic() {
    for number in ["-1", "4294967295", "4294967296", "16777216", "1e9", "1.5", "99999999999999999999999"] {
        exercise(
            HUGGING_FACE
                .replace("FLAGS", FLAGS)
                .replace("\"id\": 5", &format!("\"id\": {number}"))
                .as_bytes(),
        );
        exercise(
            HUGGING_FACE
                .replace("FLAGS", FLAGS)
                .replace("\"ab\": 3", &format!("\"ab\": {number}"))
                .as_bytes(),
        );
        exercise(
            UNIGRAM
                .replace("FLAGS", FLAGS)
                .replace("\"unk_id\": 0", &format!("\"unk_id\": {number}"))
                .as_bytes(),
        );
        for field in
            ["\"default_vocab_size\": 6", "\"default_num_special_tokens\": 3", "\"rank\": 2", "\"rank\": 0"]
        {
            let (name, _) = field.split_once(' ').unwrap();
            exercise(TEKKEN.replace(field, &format!("{name} {number}")).as_bytes());
        }
        exercise(TIKTOKEN.replace(" 3", &format!(" {number}")).as_bytes());
    }
}

#[test]
fn deep_nesting_is_an_error() {
    let deep = "[".repeat(100_000);
    exercise(format!("{{\"normalizer\": {deep}").as_bytes());
    exercise(format!("{{\"model\": {{\"type\": \"BPE\", \"vocab\": {{}}}}, \"decoder\": {deep}").as_bytes());
    exercise(format!("{{\"x\": {deep}").as_bytes());
    exercise(deep.as_bytes());
}

#[test]
fn slow_and_invalid_patterns_never_panic() {
    for pattern in ["(a*)*\\\\1b", "(?=(a+))a*b\\\\1", "(", "a{99999}{99999}"] {
        let data = TEKKEN.replace("\\\\p{L}+|\\\\s+", pattern);
        let (format, vocabulary) = vocabulary(data.as_bytes()).unwrap();
        if let Ok(tokenizer) =
            Tokenizer::read(format, data.as_bytes(), &vocabulary, TokenizerOptions::default())
        {
            let tokens = tokenizer.tokenize(&[b'a'; 200]).unwrap();
            assert_eq!(tokens.ids.len(), 200);
        }
    }
}

#[test]
fn errors_name_the_place() {
    let error =
        vocabulary(HUGGING_FACE.replace("FLAGS", FLAGS).replace("\"ab\": 3", "\"ab\": \"x\"").as_bytes())
            .unwrap_err();
    assert!(error.to_string().starts_with("line 9, column "), "{error}");
    let error = vocabulary(TIKTOKEN.replace("IA== 2", "IA==").as_bytes()).unwrap_err();
    assert!(error.to_string().starts_with("line 3, column 1: "), "{error}");
}
