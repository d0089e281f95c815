//! Reads Hugging Face `tokenizer.json` files with a BPE or Unigram model.
//!
//! The tokens of the model and the added tokens become [`Contents`]. The decoder of the file determines the bytes of a
//! token; see [`spelling`]. Merges are not read here, because the bytes of tokens do not depend on them; the `tokenizer`
//! module reads them when it has to cut text.

mod spelling;

use self::spelling::Spelling;
use super::json;
use crate::contents::{Contents, ends_outputs};
use gcc_grammar_vocabulary::SpecialToken;
use gcc_grammar_vocabulary::limits;
use gcc_grammar_vocabulary::{ErrorKind, Place, VocabularyError};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
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

/// A token that the tokenizer cuts out of the text before it applies the model.
#[derive(Deserialize)]
struct AddedToken {
    id: u32,
    content: String,
    #[serde(default)]
    special: bool,
}

#[derive(Deserialize)]
struct Model {
    /// The type of the model. Old files, which are BPE, do not give it.
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

/// The text and id of the model's tokens in the order of the file: `{"text": id}` for BPE, `[["text", score]]` for
/// Unigram, where the position is the id. At most one token more than the limit is kept.
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
            if tokens.len() <= limits::TOKENS {
                tokens.push(entry);
            }
        }
        let mut texts = FxHashSet::default();
        match tokens.iter().find(|(text, _)| !texts.insert(text)) {
            Some((text, _)) => Err(A::Error::custom(format_args!("the token {text:?} occurs twice"))),
            None => Ok(Tokens(tokens)),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Tokens, A::Error> {
        let mut tokens = Vec::new();
        while let Some((text, _score)) = list.next_element::<(String, f64)>()? {
            if tokens.len() <= limits::TOKENS {
                tokens.push((text, tokens.len() as u32));
            }
        }
        Ok(Tokens(tokens))
    }
}

/// Reads the tokens of the model and the added tokens.
pub(super) fn read(data: &[u8]) -> Result<Contents, VocabularyError> {
    let file: File = json::parse(data)?;
    check_model(&file.model)?;
    let spelling = Spelling::from_decoder(&file.decoder, &file.pre_tokenizer, file.model.byte_fallback)?;
    let unknown = unknown_token(&file.model);
    let mut roles = Roles { model: by_id(file.model.vocab.0)?, ..Roles::default() };
    if let Some((id, text)) = unknown.and_then(|id| roles.model.remove_entry(&id)) {
        roles.specials.insert(id, text);
    }
    file.added_tokens.into_iter().for_each(|token| roles.add(token));
    Ok(roles.into_contents(&spelling))
}

/// The tokens by role and id. No id has two roles.
#[derive(Default)]
struct Roles {
    /// Text tokens of the model, as the file spells them.
    model: FxHashMap<u32, String>,
    /// Text tokens that are not in the model.
    added: FxHashMap<u32, String>,
    specials: FxHashMap<u32, String>,
    /// The added tokens that are text, whether they are in the model or not.
    listed: Vec<u32>,
}

impl Roles {
    /// Adds an added token, whose role [`Contents`] defines. It replaces a token of the model that has the same id.
    fn add(&mut self, token: AddedToken) {
        let in_model = self.model.get(&token.id) == Some(&token.content);
        if token.special || (!in_model && ends_outputs(&token.content)) {
            self.model.remove(&token.id);
            self.added.remove(&token.id);
            self.specials.insert(token.id, token.content);
        } else if !self.specials.contains_key(&token.id) {
            self.listed.push(token.id);
            if !in_model {
                self.model.remove(&token.id);
                self.added.insert(token.id, token.content);
            }
        }
    }

    fn into_contents(self, spelling: &Spelling) -> Contents {
        let model = self.model.into_iter().map(|(id, text)| (id, spelling.bytes(&text)));
        let added = self.added.into_iter().map(|(id, text)| (id, spelling.added(&text)));
        let specials = self.specials.into_iter().map(|(id, text)| SpecialToken { id, text });
        let mut contents = Contents {
            tokens: model.chain(added).collect(),
            specials: specials.collect(),
            added: self.listed,
            ..Contents::default()
        };
        contents.tokens.sort_unstable();
        contents.specials.sort_unstable();
        contents.add_end_tokens_by_name();
        contents
    }
}

/// Checks that the model has a supported type, and that the bytes of its tokens do not depend on their neighbours.
fn check_model(model: &Model) -> Result<(), VocabularyError> {
    if model.vocab.0.len() > limits::TOKENS {
        let message = format!("the model has more than the limit of {} tokens", limits::TOKENS);
        return Err(VocabularyError::too_large(message).at(Place::Pointer("/model/vocab".to_owned())));
    }
    let unsupported = |message: String, pointer: &str| {
        Err(VocabularyError::new(ErrorKind::Unsupported, message)
            .at(Place::Pointer(pointer.to_owned()))
            .help("use a tokenizer with a BPE or Unigram model that keeps white space"))
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
                format!("the model marks tokens with {affix:?}, so their bytes depend on their neighbours"),
                pointer,
            );
        }
    }
    Ok(())
}

/// The id of the unknown token.
fn unknown_token(model: &Model) -> Option<u32> {
    let Some(named) = &model.unk_token else { return model.unk_id };
    model.vocab.0.iter().find(|(text, _)| text == named).map(|&(_, id)| id)
}

fn by_id(tokens: Vec<(String, u32)>) -> Result<FxHashMap<u32, String>, VocabularyError> {
    let mut by_id = FxHashMap::default();
    by_id.reserve(tokens.len());
    for (text, id) in tokens {
        if let Some(other) = by_id.insert(id, text) {
            let message = format!("token id {id} occurs twice, once for {other:?}");
            return Err(VocabularyError::malformed(message).at(Place::Pointer("/model/vocab".to_owned())));
        }
    }
    Ok(by_id)
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
    fn byte_level_tokens_are_translated_by_the_table() {
        let model =
            r#"{"type": "BPE", "vocab": {"\u0120a": 0, "\u00e9": 1, "\u0100": 2, "\u0143": 3, "\u4e2d": 4}}"#;
        let contents = file(BYTE_LEVEL, model, "").unwrap();
        expect(&contents, &[(0, " a"), (1, r"\xe9"), (2, r"\x00"), (3, r"\xad"), (4, r"\xe4\xb8\xad")]);
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
    fn added_tokens_are_text_or_special() {
        let model = r#"{"vocab": {"\u0120a": 0, "<b>": 1, "<c>": 2}}"#;
        let added = r#"{"id": 1, "content": "<b>"}, {"id": 2, "content": "<c>", "special": true},
            {"id": 3, "content": "<tool_call>", "special": false}, {"id": 4, "content": "\u00e9  ", "special": false},
            {"id": 5, "content": "<|im_end|>", "special": true}"#;
        let contents = file(BYTE_LEVEL, model, added).unwrap();
        expect(&contents, &[(0, " a"), (1, "<b>"), (3, "<tool_call>"), (4, r"\xc3\xa9  ")]);
        assert_eq!(contents.specials.iter().map(|special| special.id).collect::<Vec<_>>(), [2, 5]);
        assert_eq!(contents.added, [1, 3, 4]);
        assert_eq!(contents.end_tokens, [5]);
    }

    #[test]
    fn unsupported_features_are_refused_with_their_place() {
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
