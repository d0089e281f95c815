//! Reads real tokenizer files, and compares token bytes with published hashes and token ids with those of the reference
//! tokenizers.

use gcc_grammar_tokenizers::{Builtin, Format, Source, Tokenizer, TokenizerOptions};
use gcc_grammar_vocabulary::Vocabulary;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The folder of real vocabularies beside the repository.
fn data() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/vocab");
    assert!(folder.is_dir(), "this test needs the shared folder {}", folder.display());
    folder
}

fn hex(bytes: [u8; 32]) -> String {
    bytes.iter().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").unwrap();
        hex
    })
}

#[derive(Deserialize)]
struct Canonical {
    n: usize,
    min: u32,
    max: u32,
    bytes: usize,
    maxlen: usize,
    single: usize,
    dups: usize,
    nonutf8: usize,
    canon: String,
}

fn canonical(data: &Path) -> BTreeMap<String, Canonical> {
    serde_json::from_slice(&std::fs::read(data.join("canonical.json")).unwrap()).unwrap()
}

/// Checks a vocabulary whose text tokens are the expected ones and then `added` ones, which the published hashes leave out.
fn check(vocabulary: &Vocabulary, expected: &Canonical, added: usize, what: &str) {
    let all = vocabulary.text_tokens().count();
    let ranked: Vec<(u32, Vec<u8>)> =
        vocabulary.text_tokens().take(all - added).map(|(id, bytes)| (id, bytes.to_vec())).collect();
    let vocabulary = &Vocabulary::from_tokens(ranked, Vec::new(), Vec::new(), vocabulary.width()).unwrap();
    let tokens: Vec<(u32, &[u8])> = vocabulary.text_tokens().collect();
    let order = vocabulary.order();
    let repeated =
        order.windows(2).filter(|pair| vocabulary.bytes(pair[0]) == vocabulary.bytes(pair[1])).count();
    assert_eq!(tokens.len(), expected.n, "{what}: number of text tokens");
    assert_eq!((tokens[0].0, tokens[tokens.len() - 1].0), (expected.min, expected.max), "{what}: ids");
    assert_eq!(tokens.iter().map(|(_, bytes)| bytes.len()).sum::<usize>(), expected.bytes, "{what}: bytes");
    assert_eq!(vocabulary.max_token_len(), expected.maxlen, "{what}: longest token");
    let singles = (0..=255u8).filter(|&byte| vocabulary.find(&[byte]).is_some()).count();
    assert_eq!(singles, expected.single, "{what}: single bytes");
    assert_eq!(repeated, expected.dups, "{what}: repeated byte strings");
    let invalid = tokens.iter().filter(|(_, bytes)| std::str::from_utf8(bytes).is_err()).count();
    assert_eq!(invalid, expected.nonutf8, "{what}: not UTF-8 on their own");
    assert_eq!(hex(vocabulary.canonical_hash()), expected.canon, "{what}: canonical hash");
}

/// File, name in `canonical.json`, format, ids, special tokens, end tokens.
type Case = (&'static str, &'static str, Format, u32, usize, &'static [u32]);

const FILES: [Case; 10] = [
    ("llama3/tokenizer.json", "llama3", Format::HuggingFace, 128_256, 256, &[128_001, 128_009]),
    ("llama3/tokenizer.model", "llama3", Format::Tiktoken, 128_256, 256, &[128_001, 128_008, 128_009]),
    ("qwen2_5/tokenizer.json", "qwen2_5", Format::HuggingFace, 151_665, 14, &[151_643, 151_645]),
    ("qwen2_5/qwen.tiktoken", "qwen2_5", Format::Tiktoken, 151_665, 14, &[151_643, 151_645]),
    ("gemma3/tokenizer.json.gz", "gemma3", Format::HuggingFace, 262_145, 9, &[1, 106]),
    ("mistral_tekken/tekken_240718.json", "mistral_tekken", Format::Tekken, 131_072, 1000, &[2]),
    ("mistral_v0_1/tokenizer.json", "mistral_v0_1", Format::HuggingFace, 32_000, 3, &[2]),
    ("mistral_v0_1/tokenizer.model", "mistral_v0_1", Format::SentencePiece, 32_000, 3, &[2]),
    ("llama2/tokenizer.model", "llama2", Format::SentencePiece, 32_000, 3, &[2]),
    ("openai/cl100k_base.tiktoken", "cl100k_base", Format::Tiktoken, 100_277, 5, &[100_257]),
];

/// The number of text tokens of Qwen that its tokenizer adds and does not mark as special.
fn added(name: &str) -> usize {
    if name == "qwen2_5" { 8 } else { 0 }
}

#[test]
#[ignore = "needs ../shared: data/vocab"]
fn every_file_matches_the_canonical_hash() {
    let data = data();
    let canonical = canonical(&data);
    for (file, name, format, ids, specials, end_tokens) in FILES {
        let source = Source::open(&data.join(file)).unwrap();
        let vocabulary = source.vocabulary().unwrap();
        check(&vocabulary, &canonical[name], added(name), file);
        assert_eq!(source.format(), format, "{file}");
        assert_eq!((vocabulary.ids(), vocabulary.width()), (ids, ids), "{file}: ids");
        assert_eq!(vocabulary.specials().len(), specials, "{file}: special tokens");
        assert_eq!(vocabulary.end_tokens(), end_tokens, "{file}: end tokens");
    }
}

#[test]
#[ignore = "needs ../shared: data/vocab"]
fn known_rank_files_get_the_special_tokens_of_the_built_in_vocabulary() {
    let data = data();
    for (file, name) in [("openai/o200k_base.tiktoken", "o200k"), ("openai/cl100k_base.tiktoken", "cl100k")] {
        let builtin = Builtin::find(name).unwrap().contents().into_vocabulary().unwrap();
        assert_eq!(Source::open(&data.join(file)).unwrap().vocabulary().unwrap(), builtin);
    }
}

#[test]
#[ignore = "needs ../shared: data/vocab"]
fn model_directories_are_read_with_their_configurations() {
    let data = data();
    let end_tokens = |name: &str| {
        let vocabulary = Source::open(&data.join(name)).unwrap().vocabulary().unwrap();
        vocabulary.end_tokens().to_vec()
    };
    assert_eq!(end_tokens("llama3"), [128_001, 128_009]);
    assert_eq!(end_tokens("qwen2_5"), [151_643, 151_645]);
    assert_eq!(end_tokens("gemma3"), [1, 106]);
    assert_eq!(end_tokens("mistral_v0_1"), [2]);
    assert_eq!(end_tokens("mistral_tekken"), [2]);
    let several = Source::open(&data.join("openai")).unwrap_err();
    assert!(several.message.contains("cl100k_base.tiktoken, o200k_base.tiktoken"), "{several}");
}

#[test]
#[ignore = "needs ../shared: data/vocab"]
fn the_two_files_of_the_synthetic_unigram_vocabulary_agree() {
    let data = data();
    let read =
        |file: &str| Source::open(&data.join("synthetic_unigram").join(file)).unwrap().vocabulary().unwrap();
    let (json, model) = (read("tokenizer.json"), read("tokenizer.model"));
    assert_eq!(json, model);
    assert_eq!((json.ids(), json.text_tokens().count(), json.end_tokens()), (8000, 7997, &[2][..]));
}

#[test]
#[ignore = "needs ../shared: data/vocab"]
fn built_in_vocabularies_match_the_canonical_hash() {
    let data = data();
    let canonical = canonical(&data);
    let names =
        [("llama3", "llama3"), ("qwen2.5", "qwen2_5"), ("o200k", "o200k_base"), ("cl100k", "cl100k_base")];
    for (builtin, name) in names {
        let vocabulary = Builtin::find(builtin).unwrap().contents().into_vocabulary().unwrap();
        check(&vocabulary, &canonical[name], added(name), builtin);
    }
}

#[test]
#[ignore = "needs ../shared: data/vocab"]
fn built_in_special_tokens_are_the_published_ones() {
    #[derive(Deserialize)]
    struct Encoding {
        special: BTreeMap<String, u32>,
        n_vocab: u32,
    }
    let data = data();
    let text = std::fs::read(data.join("openai/special_tokens.json")).unwrap();
    let published: BTreeMap<String, serde_json::Value> = serde_json::from_slice(&text).unwrap();
    for (builtin, name) in
        [("o200k", "o200k_harmony"), ("o200k_base", "o200k_base"), ("cl100k", "cl100k_base")]
    {
        let vocabulary = Builtin::find(builtin).unwrap().contents().into_vocabulary().unwrap();
        let encoding = Encoding::deserialize(&published[name]).unwrap();
        assert_eq!(vocabulary.width(), encoding.n_vocab);
        assert!(encoding.special.iter().all(|(text, &id)| vocabulary.special(text) == Some(id)));
        let ids: std::collections::BTreeSet<u32> = encoding.special.values().copied().collect();
        assert!(vocabulary.specials().iter().all(|special| ids.contains(&special.id)));
    }
    let qwen = Builtin::find("qwen2.5").unwrap().contents().into_vocabulary().unwrap();
    let file = Source::open(&data.join("qwen2_5")).unwrap().vocabulary().unwrap();
    assert_eq!(qwen, file);
}

#[derive(Deserialize)]
struct Goldens {
    texts: Vec<String>,
    ids: BTreeMap<String, Vec<Vec<u32>>>,
}

fn goldens(data: &Path) -> Goldens {
    serde_json::from_slice(&std::fs::read(data.join("goldens.json")).unwrap()).unwrap()
}

fn check_goldens(tokenizer: &Tokenizer, goldens: &Goldens, name: &str) {
    assert_eq!(goldens.ids[name].len(), goldens.texts.len());
    for (text, ids) in goldens.texts.iter().zip(&goldens.ids[name]) {
        let tokens = tokenizer.tokenize(text.as_bytes()).unwrap();
        assert_eq!((&tokens.ids, tokens.exact), (ids, true), "{name}: {text:?}");
    }
}

#[test]
#[ignore = "needs ../shared: data/vocab"]
fn files_tokenize_as_the_reference_tokenizers_do() {
    let data = data();
    let goldens = goldens(&data);
    // The reference ids were made for prompts, with special tokens by name where tokenizer.json has them.
    let prompt = TokenizerOptions { special_names: true, prompt: true };
    let ordinary = TokenizerOptions { special_names: false, prompt: true };
    for (name, file, options) in [
        ("llama3/tokenizer.json", "llama3/tokenizer.json", prompt),
        ("llama3/tokenizer.json", "llama3/tokenizer.model", prompt),
        ("qwen2_5/tokenizer.json", "qwen2_5/tokenizer.json", prompt),
        ("qwen2_5/tokenizer.json", "qwen2_5/qwen.tiktoken", prompt),
        ("gemma3/tokenizer.json", "gemma3/tokenizer.json.gz", prompt),
        ("mistral_v0_1/tokenizer.json", "mistral_v0_1/tokenizer.json", prompt),
        ("mistral_v0_1/tokenizer.json", "mistral_v0_1/tokenizer.model", prompt),
        ("synthetic_unigram/tokenizer.json", "synthetic_unigram/tokenizer.json", prompt),
        ("synthetic_unigram/tokenizer.json", "synthetic_unigram/tokenizer.model", prompt),
        ("openai/cl100k_base", "openai/cl100k_base.tiktoken", ordinary),
        ("openai/o200k_base", "openai/o200k_base.tiktoken", ordinary),
        ("openai/o200k_harmony", "openai/o200k_base.tiktoken", ordinary),
        ("mistral_tekken", "mistral_tekken/tekken_240718.json", ordinary),
        ("llama2/tokenizer.model", "llama2/tokenizer.model", ordinary),
    ] {
        let source = Source::open(&data.join(file)).unwrap();
        let vocabulary = source.vocabulary().unwrap();
        check_goldens(&source.tokenizer(&vocabulary, options).unwrap(), &goldens, name);
    }
}

#[test]
#[ignore = "needs ../shared: data/vocab"]
fn built_in_vocabularies_tokenize_as_the_reference_tokenizers_do() {
    let data = data();
    let goldens = goldens(&data);
    for (name, golden, special_names) in [
        ("llama3", "llama3/tokenizer.json", true),
        ("qwen2.5", "qwen2_5/tokenizer.json", true),
        ("o200k", "openai/o200k_harmony", false),
        ("cl100k", "openai/cl100k_base", false),
    ] {
        let builtin = Builtin::find(name).unwrap();
        let vocabulary = builtin.contents().into_vocabulary().unwrap();
        let options = TokenizerOptions { special_names, prompt: false };
        check_goldens(&Tokenizer::builtin(builtin, &vocabulary, options).unwrap(), &goldens, golden);
    }
}

/// Tokens spell any bytes that a model may emit.
#[test]
#[ignore = "needs ../shared: data/vocab"]
fn tokens_spell_the_text() {
    let data = data();
    let texts: [&[u8]; 8] = [
        b"",
        b" leading",
        b"a\xff\xfe\x80b",
        "e\u{301} \u{2581} \u{fb01} \u{0}\u{7f}\r\n\t".as_bytes(),
        b"<|eot_id|></s><tool_call>[INST]<0x0A>",
        "\u{1f980}\u{200d}\u{6771}\u{4eac}".as_bytes(),
        &[b'a'; 5000],
        &[b' '; 3000],
    ];
    let check = |tokenizer: &Tokenizer, vocabulary: &Vocabulary, what: &str| {
        for text in texts {
            let ids = tokenizer.tokenize(text).unwrap().ids;
            let bytes: Vec<u8> = ids.iter().flat_map(|&id| vocabulary.bytes(id).unwrap()).copied().collect();
            assert_eq!(bytes, text, "{what}");
        }
    };
    let one_of_each_kind = [
        "qwen2_5/tokenizer.json",
        "mistral_v0_1/tokenizer.json",
        "synthetic_unigram/tokenizer.json",
        "synthetic_unigram/tokenizer.model",
        "llama2/tokenizer.model",
        "mistral_tekken/tekken_240718.json",
        "openai/cl100k_base.tiktoken",
    ];
    for file in one_of_each_kind {
        let source = Source::open(&data.join(file)).unwrap();
        let vocabulary = source.vocabulary().unwrap();
        check(&source.tokenizer(&vocabulary, TokenizerOptions::default()).unwrap(), &vocabulary, file);
    }
}

/// The compiled file of a real vocabulary, and the view that the runtime has of it, agree with the tokenizer file.
#[test]
#[ignore = "needs ../shared: data/vocab"]
fn compiled_vocabularies_are_equal() {
    use gcc_grammar_artifact::{VocabularyView, ids::TokenId};
    let data = data();
    for file in ["llama2/tokenizer.model", "openai/o200k_base.tiktoken"] {
        let vocabulary = Source::open(&data.join(file)).unwrap().vocabulary().unwrap();
        let compiled = vocabulary.to_artifact();
        assert!(Vocabulary::from_artifact(&compiled).unwrap() == vocabulary, "{file}");
        let view = VocabularyView::open(&compiled).unwrap();
        assert!((0..vocabulary.width()).all(|id| view.bytes(TokenId(id)) == vocabulary.bytes(id)), "{file}");
    }
}

/// Real source code: the beginnings of the first files of every language.
fn real_text(data: &Path) -> Vec<String> {
    let mut texts = Vec::new();
    let mut files = |folder: &Path| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> =
            entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect();
        paths.sort_unstable();
        for path in paths.iter().take(3) {
            let text = String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
            texts.push(text.chars().take(4000).collect());
        }
    };
    for language in ["c", "go", "java", "javascript", "python", "rust", "sql", "typescript"] {
        files(&data.join("../corpora").join(language).join("dev"));
    }
    assert!(texts.len() > 10, "the corpora are beside the vocabularies");
    texts
}

/// Two implementations of the same tokenizer give the same tokens on real text. Unigram models are left out, because
/// sequences of equal score are common, and the implementations add scores with different precision.
#[test]
#[ignore = "needs ../shared: data/vocab, data/corpora"]
fn engines_agree_on_real_text() {
    let data = data();
    let texts = real_text(&data);
    let pairs = [
        ("llama3/tokenizer.json", "llama3/tokenizer.model"),
        ("qwen2_5/tokenizer.json", "qwen2_5/qwen.tiktoken"),
        ("mistral_v0_1/tokenizer.json", "mistral_v0_1/tokenizer.model"),
    ];
    for (one, other) in pairs {
        let tokens = |file: &str| {
            let source = Source::open(&data.join(file)).unwrap();
            let vocabulary = source.vocabulary().unwrap();
            let tokenizer = source.tokenizer(&vocabulary, TokenizerOptions::default()).unwrap();
            texts.iter().map(|text| tokenizer.tokenize(text.as_bytes()).unwrap()).collect::<Vec<_>>()
        };
        let (one_tokens, other_tokens) = (tokens(one), tokens(other));
        for ((text, a), b) in texts.iter().zip(&one_tokens).zip(&other_tokens) {
            assert!(a.exact && b.exact, "{one}, {other}: {text}");
            assert_eq!(a.ids, b.ids, "{one}, {other}: {text}");
        }
    }
}
