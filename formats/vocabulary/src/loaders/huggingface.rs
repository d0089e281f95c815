//! Hugging Face `tokenizer.json`: BPE (byte-level or SentencePiece-like) and Unigram.
//!
//! The bytes of a token are what the file's *decoder* makes of its text, so the decoder decides the [`Spelling`]:
//!
//! - **byte-level**: each character of the token is one byte, through GPT-2's table of printable stand-ins.
//! - **pieces**: the token is its own text, with a few characters replaced (U+2581 by a space), except that `<0x0A>`
//!   is one byte if the decoder falls back to bytes.
//!
//! Only the lists of tokens are read here, not the merges: cutting text is another matter, see `tokenizer`.

use super::{Contents, MAX_TOKENS, fallback_byte, is_tag, json, malformed, too_large};
use crate::{ErrorKind, Place, SpecialToken, VocabularyError};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::fmt;

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    added_tokens: Vec<AddedToken>,
    #[serde(default)]
    pre_tokenizer: Value,
    #[serde(default)]
    decoder: Value,
    model: Model,
}

/// A token that is cut out of text before the model sees it.
#[derive(Deserialize)]
struct AddedToken {
    id: u32,
    content: String,
    #[serde(default)]
    special: bool,
}

#[derive(Deserialize)]
struct Model {
    /// Absent in old files, which are BPE.
    #[serde(default, rename = "type")]
    kind: Option<String>,
    vocab: Tokens,
    #[serde(default)]
    unk_token: Option<String>,
    #[serde(default)]
    unk_id: Option<u32>,
    #[serde(default)]
    byte_fallback: bool,
    #[serde(default)]
    continuing_subword_prefix: Option<String>,
    #[serde(default)]
    end_of_word_suffix: Option<String>,
}

/// The model's tokens in the order of the file: `{"text": id}` (BPE) or `[["text", score]]` (Unigram; ids by position).
/// Of a list that is too long, one token more than the limit is kept.
struct Tokens(Vec<(String, u32)>);

impl<'de> Deserialize<'de> for Tokens {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TokensVisitor)
    }
}

struct TokensVisitor;

impl<'de> Visitor<'de> for TokensVisitor {
    type Value = Tokens;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object from tokens to ids or a list of tokens with scores")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tokens, A::Error> {
        let mut tokens = Vec::new();
        while let Some(entry) = map.next_entry()? {
            if tokens.len() <= MAX_TOKENS {
                tokens.push(entry);
            }
        }
        Ok(Tokens(tokens))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Tokens, A::Error> {
        let mut tokens = Vec::new();
        while let Some((text, _score)) = list.next_element::<(String, f64)>()? {
            if tokens.len() <= MAX_TOKENS {
                tokens.push((text, tokens.len() as u32));
            }
        }
        Ok(Tokens(tokens))
    }
}

/// Reads the model's tokens and the added ones.
pub(super) fn read(data: &[u8]) -> Result<Contents, VocabularyError> {
    let file: File = json::parse(data)?;
    check_model(&file.model)?;
    let spelling = Spelling::of(&file.decoder, &file.pre_tokenizer, file.model.byte_fallback)?;
    let unknown = unknown_token(&file.model);
    let mut sorted = Sorted { model: by_id(file.model.vocab.0)?, ..Sorted::default() };
    if let Some((id, text)) = unknown.and_then(|id| sorted.model.remove_entry(&id)) {
        sorted.specials.insert(id, text);
    }
    file.added_tokens.into_iter().for_each(|token| sorted.add(token));
    Ok(sorted.spell(&spelling))
}

/// Every id in one of three groups.
#[derive(Default)]
struct Sorted {
    model: FxHashMap<u32, String>,
    added: FxHashMap<u32, String>,
    specials: FxHashMap<u32, String>,
}

impl Sorted {
    /// Sorts in an added token, see [`Contents`]. It takes the place of a model token of the same id.
    fn add(&mut self, token: AddedToken) {
        let in_model = self.model.get(&token.id) == Some(&token.content);
        if token.special || (!in_model && is_tag(&token.content)) {
            self.model.remove(&token.id);
            self.added.remove(&token.id);
            self.specials.insert(token.id, token.content);
        } else if !in_model && !self.specials.contains_key(&token.id) {
            self.model.remove(&token.id);
            self.added.insert(token.id, token.content);
        }
    }

    fn spell(self, spelling: &Spelling) -> Contents {
        let model = self.model.into_iter().map(|(id, text)| (id, spelling.bytes(&text)));
        let added = self.added.into_iter().map(|(id, text)| (id, spelling.added(&text)));
        let specials = self.specials.into_iter().map(|(id, text)| SpecialToken { id, text });
        let mut contents = Contents {
            tokens: model.chain(added).collect(),
            specials: specials.collect(),
            ..Contents::default()
        };
        contents.tokens.sort_unstable();
        contents.specials.sort_unstable();
        contents.end_tokens_by_name();
        contents
    }
}

fn check_model(model: &Model) -> Result<(), VocabularyError> {
    if model.vocab.0.len() > MAX_TOKENS {
        let error = too_large(format!("the model has more than {MAX_TOKENS} tokens"));
        return Err(error.at(Place::Pointer("/model/vocab".to_owned())));
    }
    let unsupported = |message: String, pointer: &str| {
        Err(VocabularyError::new(ErrorKind::Unsupported, message)
            .at(Place::Pointer(pointer.to_owned()))
            .help("supported are BPE and Unigram models that keep white space"))
    };
    if let Some(kind) = model.kind.as_deref().filter(|kind| !["BPE", "Unigram"].contains(kind)) {
        return unsupported(
            format!("a tokenizer of type {kind} does not reproduce text byte for byte"),
            "/model/type",
        );
    }
    let affixes = [
        (&model.continuing_subword_prefix, "/model/continuing_subword_prefix"),
        (&model.end_of_word_suffix, "/model/end_of_word_suffix"),
    ];
    for (affix, pointer) in affixes {
        if let Some(affix) = affix.as_deref().filter(|affix| !affix.is_empty()) {
            return unsupported(
                format!("tokens are marked with {affix:?}, so their bytes depend on neighbours"),
                pointer,
            );
        }
    }
    Ok(())
}

fn unknown_token(model: &Model) -> Option<u32> {
    let Some(named) = &model.unk_token else { return model.unk_id };
    model.vocab.0.iter().find(|(text, _)| text == named).map(|&(_, id)| id)
}

fn by_id(tokens: Vec<(String, u32)>) -> Result<FxHashMap<u32, String>, VocabularyError> {
    let mut by_id = FxHashMap::default();
    by_id.reserve(tokens.len());
    for (text, id) in tokens {
        if let Some(other) = by_id.insert(id, text) {
            let message = format!("token id {id} is given twice, once for {other:?}");
            return Err(malformed(message).at(Place::Pointer("/model/vocab".to_owned())));
        }
    }
    Ok(by_id)
}

/// How the text of a token gives its bytes.
enum Spelling {
    ByteLevel(FxHashMap<char, u8>),
    Pieces { replacements: Vec<(String, String)>, fallback: bool },
}

impl Spelling {
    fn of(decoder: &Value, pre_tokenizer: &Value, model_fallback: bool) -> Result<Self, VocabularyError> {
        let steps = steps(decoder, "decoders");
        if steps.is_empty() {
            let byte_level =
                self::steps(pre_tokenizer, "pretokenizers").iter().any(|step| kind(step) == "ByteLevel");
            return Ok(if byte_level {
                Self::byte_level()
            } else {
                Self::pieces(vec![space("\u{2581}")], model_fallback)
            });
        }
        if steps.iter().all(|step| kind(step) == "ByteLevel") {
            return Ok(Self::byte_level());
        }
        let mut replacements = Vec::new();
        let mut fallback = false;
        for (index, step) in steps.iter().enumerate() {
            match kind(step) {
                "ByteFallback" => fallback = true,
                "Replace" => {
                    replacements.push(replacement(step).ok_or_else(|| unsupported_step(decoder, index))?)
                }
                "Metaspace" => replacements.push(space(step["replacement"].as_str().unwrap_or("\u{2581}"))),
                // These work on the joined text: they take off the space that encoding put in front.
                "Fuse" | "Strip" => {}
                _ => return Err(unsupported_step(decoder, index)),
            }
        }
        Ok(Self::pieces(replacements, fallback))
    }

    fn pieces(replacements: Vec<(String, String)>, fallback: bool) -> Self {
        Self::Pieces { replacements, fallback }
    }

    fn byte_level() -> Self {
        Self::ByteLevel(stand_ins().map(|(byte, stand_in)| (stand_in, byte)).collect())
    }

    /// The bytes of a token of the model.
    fn bytes(&self, text: &str) -> Vec<u8> {
        match self {
            // A token with characters outside of the table is its own text, as the reference decoder has it.
            Self::ByteLevel(bytes) => text
                .chars()
                .map(|c| bytes.get(&c).copied())
                .collect::<Option<_>>()
                .unwrap_or_else(|| text.into()),
            Self::Pieces { replacements, fallback } => match fallback_byte(text).filter(|_| *fallback) {
                Some(byte) => vec![byte],
                None => replacements
                    .iter()
                    .fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
                    .into(),
            },
        }
    }

    /// The bytes of a token that is not in the model: it is written as it is, without stand-ins.
    fn added(&self, text: &str) -> Vec<u8> {
        match self {
            Self::ByteLevel(_) => text.into(),
            Self::Pieces { .. } => self.bytes(text),
        }
    }
}

/// GPT-2's table: printable Latin-1 characters stand for themselves, the other 68 bytes for U+0100 and on.
fn stand_ins() -> impl Iterator<Item = (u8, char)> {
    let mut next = 0x100u32;
    (0..=255u8).map(move |byte| match byte {
        b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff => (byte, char::from(byte)),
        _ => {
            next += 1;
            (byte, char::from_u32(next - 1).unwrap_or_default())
        }
    })
}

/// The steps of a decoder or pre-tokenizer: itself, or the members of a sequence.
fn steps<'a>(value: &'a Value, members: &str) -> Vec<&'a Value> {
    match value {
        Value::Null => vec![],
        _ if kind(value) == "Sequence" => {
            value[members].as_array().map(|list| list.iter().collect()).unwrap_or_default()
        }
        _ => vec![value],
    }
}

fn kind(step: &Value) -> &str {
    step["type"].as_str().unwrap_or_default()
}

fn replacement(step: &Value) -> Option<(String, String)> {
    let from = step["pattern"]["String"].as_str().filter(|from| !from.is_empty())?;
    Some((from.to_owned(), step["content"].as_str()?.to_owned()))
}

fn space(stand_in: &str) -> (String, String) {
    (stand_in.to_owned(), " ".to_owned())
}

fn unsupported_step(decoder: &Value, index: usize) -> VocabularyError {
    let (step, pointer) = match decoder["decoders"].get(index) {
        Some(step) => (step, format!("/decoder/decoders/{index}")),
        None => (decoder, "/decoder".to_owned()),
    };
    let message = format!("a decoder with the step {:?} is not supported", kind(step));
    VocabularyError::new(ErrorKind::Unsupported, message).at(Place::Pointer(pointer)).help(
        "supported are ByteLevel alone, and Metaspace, ByteFallback, Fuse, Strip and Replace with a string",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTE_LEVEL: &str = r#"{"type": "ByteLevel"}"#;
    const PIECES: &str = r#"{"type": "Sequence", "decoders": [
        {"type": "Replace", "pattern": {"String": "\u2581"}, "content": " "}, {"type": "ByteFallback"},
        {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}]}"#;

    fn file(decoder: &str, model: &str, added: &str) -> Result<Contents, VocabularyError> {
        let text = format!(r#"{{"added_tokens": [{added}], "decoder": {decoder}, "model": {model}}}"#);
        read(text.as_bytes())
    }

    fn texts(contents: &Contents) -> Vec<(u32, String)> {
        contents.tokens.iter().map(|(id, bytes)| (*id, bytes.escape_ascii().to_string())).collect()
    }

    fn expect(contents: &Contents, expected: &[(u32, &str)]) {
        let expected: Vec<_> = expected.iter().map(|&(id, text)| (id, text.to_owned())).collect();
        assert_eq!(texts(contents), expected);
    }

    #[test]
    fn byte_level_tokens_go_through_the_table() {
        let model =
            r#"{"type": "BPE", "vocab": {"\u0120a": 0, "\u00e9": 1, "\u0100": 2, "\u0143": 3, "\u4e2d": 4}}"#;
        let contents = file(BYTE_LEVEL, model, "").unwrap();
        expect(&contents, &[(0, " a"), (1, r"\xe9"), (2, r"\x00"), (3, r"\xad"), (4, r"\xe4\xb8\xad")]);
    }

    #[test]
    fn the_table_covers_every_byte_once() {
        let table: FxHashMap<char, u8> = stand_ins().map(|(byte, stand_in)| (stand_in, byte)).collect();
        assert_eq!((table.len(), table[&'\u{120}'], table[&'\u{10a}']), (256, b' ', b'\n'));
    }

    #[test]
    fn pieces_have_spaces_and_fallback_bytes() {
        let model = r#"{"type": "BPE", "byte_fallback": true, "unk_token": "<unk>",
            "vocab": {"<unk>": 0, "<0x0A>": 1, "\u2581\u2581a": 2}, "merges": [["a", "b"], "c d"]}"#;
        let contents = file(PIECES, model, "").unwrap();
        expect(&contents, &[(1, r"\n"), (2, "  a")]);
        assert_eq!(contents.specials, [SpecialToken { id: 0, text: "<unk>".into() }]);
        let without = file(&PIECES.replace(r#"{"type": "ByteFallback"},"#, ""), model, "").unwrap();
        expect(&without, &[(1, "<0x0A>"), (2, "  a")]);
    }

    #[test]
    fn unigram_ids_are_positions() {
        let model = r#"{"type": "Unigram", "unk_id": 1, "byte_fallback": true, "vocab": [["\u2581x", -1.5], ["<unk>", 0], ["y", -2]]}"#;
        let contents = file("null", model, "").unwrap();
        expect(&contents, &[(0, " x"), (2, "y")]);
        assert_eq!(contents.specials[0].id, 1);
    }

    #[test]
    fn added_tokens_are_sorted_into_text_and_special() {
        let model = r#"{"vocab": {"\u0120a": 0, "<b>": 1, "<c>": 2}}"#;
        let added = r#"{"id": 1, "content": "<b>"}, {"id": 2, "content": "<c>", "special": true},
            {"id": 3, "content": "<tool_call>", "special": false}, {"id": 4, "content": "\u00e9  ", "special": false},
            {"id": 5, "content": "<|im_end|>", "special": true}"#;
        let contents = file(BYTE_LEVEL, model, added).unwrap();
        expect(&contents, &[(0, " a"), (1, "<b>"), (4, r"\xc3\xa9  ")]);
        assert_eq!(contents.specials.iter().map(|special| special.id).collect::<Vec<_>>(), [2, 3, 5]);
        assert_eq!(contents.end_tokens, [5]);
    }

    #[test]
    fn what_cannot_be_exact_is_refused_with_its_place() {
        let place =
            |decoder: &str, model: &str| file(decoder, model, "").unwrap_err().place.unwrap().to_string();
        assert_eq!(place(BYTE_LEVEL, r#"{"type": "WordPiece", "vocab": {}}"#), "`/model/type`");
        let suffix = r#"{"type": "BPE", "vocab": {}, "end_of_word_suffix": "</w>"}"#;
        assert_eq!(place("null", suffix), "`/model/end_of_word_suffix`");
        let bpe = r#"{"type": "BPE", "vocab": {"a": 0}}"#;
        assert_eq!(place(r#"{"type": "CTC"}"#, bpe), "`/decoder`");
        let sequence = r#"{"type": "Sequence", "decoders": [{"type": "Fuse"}, {"type": "WordPiece"}]}"#;
        assert_eq!(place(sequence, bpe), "`/decoder/decoders/1`");
        let regex = r#"{"type": "Replace", "pattern": {"Regex": " +"}, "content": ""}"#;
        assert_eq!(place(regex, bpe), "`/decoder`");
        assert_eq!(place("null", r#"{"vocab": {"a": 0, "b": 0}}"#), "`/model/vocab`");
        assert!(place("null", r#"{"vocab": {"a": -1}}"#).starts_with("line 1"));
    }
}
