//! Reads Mistral `tekken.json` files: ranks as in tiktoken, the pre-tokenizer pattern, and special tokens.
//!
//! The special tokens take the lowest ids, so the id of a text token is its rank plus their number:
//!
//! ```text
//! id    0 … s-1            s … default_vocab_size - 1          s = default_num_special_tokens
//!       special tokens     ranks 0 … default_vocab_size - s - 1
//! ```
//!
//! The file holds more ranks than the model uses; the others are dropped. Files before version 7 have no list of special
//! tokens: their names are those of mistral-common, and `<SPECIAL_n>` for ids that have no name there.
//!
//! Each special token has the member `is_control`, which is not read: mistral-common encodes no text to any id below *s* and leaves all of them out of
//! decoded text, whatever the member says.

use super::json;
use crate::contents::Contents;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gcc_grammar_vocabulary::SpecialToken;
use gcc_grammar_vocabulary::limits;
use gcc_grammar_vocabulary::{Place, VocabularyError};
use serde::Deserialize;

/// Names of the special tokens 0 to 19 of files without a list of special tokens.
const EARLY_NAMES: [&str; 20] = [
    "<unk>",
    "<s>",
    "</s>",
    "[INST]",
    "[/INST]",
    "[AVAILABLE_TOOLS]",
    "[/AVAILABLE_TOOLS]",
    "[TOOL_RESULTS]",
    "[/TOOL_RESULTS]",
    "[TOOL_CALLS]",
    "[IMG]",
    "<pad>",
    "[IMG_BREAK]",
    "[IMG_END]",
    "[PREFIX]",
    "[MIDDLE]",
    "[SUFFIX]",
    "[SYSTEM_PROMPT]",
    "[/SYSTEM_PROMPT]",
    "[TOOL_CONTENT]",
];

/// Limit of the number of special tokens. They need not be listed, so a small file could claim any number of them.
const MAX_SPECIAL_TOKENS: u32 = 1 << 16;

#[derive(Deserialize)]
struct File {
    config: Config,
    vocab: Vec<Ranked>,
    #[serde(default)]
    special_tokens: Option<Vec<Named>>,
}

#[derive(Deserialize)]
struct Config {
    default_vocab_size: u32,
    default_num_special_tokens: u32,
}

#[derive(Deserialize)]
struct Ranked {
    rank: u32,
    token_bytes: String,
}

#[derive(Deserialize)]
struct Named {
    rank: u32,
    token_str: String,
}

/// Reads the ranks that the model uses, and the special tokens.
pub(super) fn read(data: &[u8]) -> Result<Contents, VocabularyError> {
    let file: File = json::parse(data)?;
    let used = used_ranks(&file.config)?;
    let shift = file.config.default_num_special_tokens;
    let tokens = ranks(&file.vocab, used)?.into_iter().map(|(rank, bytes)| (rank + shift, bytes)).collect();
    let specials = specials(file.special_tokens, shift)?;
    let mut contents =
        Contents { tokens, specials, width: file.config.default_vocab_size, ..Contents::default() };
    contents.add_end_tokens_by_name();
    Ok(contents)
}

/// The pre-tokenizer pattern: the regular expression that cuts text into pieces before merging.
#[cfg(feature = "texts")]
pub(crate) fn pattern(data: &[u8]) -> Result<String, VocabularyError> {
    #[derive(Deserialize)]
    struct OnlyConfig {
        config: Pattern,
    }
    #[derive(Deserialize)]
    struct Pattern {
        pattern: String,
    }
    Ok(json::parse::<OnlyConfig>(data)?.config.pattern)
}

/// The number of ranks that the model uses.
fn used_ranks(config: &Config) -> Result<u32, VocabularyError> {
    let at = |error: VocabularyError, pointer: &str| Err(error.at(Place::Pointer(pointer.to_owned())));
    let Config { default_vocab_size: all, default_num_special_tokens: special } = *config;
    let too_many = |count: u32, tokens: &str, limit: usize| {
        VocabularyError::too_large(format!("the file declares {count} {tokens}; the limit is {limit}"))
    };
    if all as usize > limits::TOKENS {
        return at(too_many(all, "tokens", limits::TOKENS), "/config/default_vocab_size");
    }
    if special > MAX_SPECIAL_TOKENS {
        let error = too_many(special, "special tokens", MAX_SPECIAL_TOKENS as usize);
        return at(error, "/config/default_num_special_tokens");
    }
    let more_special = || VocabularyError::malformed("the file declares more special tokens than tokens");
    match all.checked_sub(special) {
        Some(used) => Ok(used),
        None => at(more_special(), "/config/default_num_special_tokens"),
    }
}

/// The ranks that the model uses, with their bytes.
fn ranks(vocab: &[Ranked], used: u32) -> Result<Vec<(u32, Vec<u8>)>, VocabularyError> {
    let in_use = vocab.iter().enumerate().filter(|(_, token)| token.rank < used);
    in_use
        .map(|(index, token)| match STANDARD.decode(&token.token_bytes) {
            Ok(bytes) => Ok((token.rank, bytes)),
            Err(error) => {
                let message = format!("the bytes of a token are not base64: {error}");
                let place = Place::Pointer(format!("/vocab/{index}/token_bytes"));
                Err(VocabularyError::malformed(message).at(place).caused_by(error))
            }
        })
        .collect()
}

/// The special tokens 0 to `count - 1`.
fn specials(listed: Option<Vec<Named>>, count: u32) -> Result<Vec<SpecialToken>, VocabularyError> {
    let mut names: Vec<Option<String>> = vec![None; count as usize];
    match listed {
        None => names.iter_mut().zip(EARLY_NAMES).for_each(|(name, text)| *name = Some(text.to_owned())),
        Some(listed) => {
            for (index, token) in listed.into_iter().enumerate() {
                let name = names.get_mut(token.rank as usize).ok_or_else(|| {
                    VocabularyError::malformed(
                        "the id of a special token is not below default_num_special_tokens",
                    )
                    .at(Place::Pointer(format!("/special_tokens/{index}/rank")))
                })?;
                *name = Some(token.token_str);
            }
        }
    }
    let text = |id: u32, name: Option<String>| name.unwrap_or_else(|| format!("<SPECIAL_{id}>"));
    Ok((0..).zip(names).map(|(id, name)| SpecialToken { id, text: text(id, name) }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"{
        "config": {"pattern": ".+", "default_vocab_size": 24, "default_num_special_tokens": 22},
        "vocab": [{"rank": 0, "token_bytes": "AA==", "token_str": "x"}, {"rank": 1, "token_bytes": "YWI="},
                  {"rank": 2, "token_bytes": "unused"}]SPECIALS}"#;

    fn file(specials: &str) -> Result<Contents, VocabularyError> {
        read(FILE.replace("SPECIALS", specials).as_bytes())
    }

    #[test]
    fn files_without_a_list_have_the_known_special_tokens() {
        let contents = file("").unwrap();
        assert_eq!(contents.tokens, [(22, vec![0]), (23, b"ab".to_vec())]);
        assert_eq!((contents.specials.len(), contents.end_tokens.as_slice()), (22, &[2][..]));
        assert_eq!(contents.specials[19].text, "[TOOL_CONTENT]");
        assert_eq!(contents.specials[21].text, "<SPECIAL_21>");
        assert_eq!(contents.width, 24);
    }

    #[test]
    fn files_with_a_list_have_its_special_tokens() {
        let contents = file(
            r#", "special_tokens": [{"rank": 2, "token_str": "</s>"}, {"rank": 1, "token_str": "<b>"}]"#,
        );
        let texts: Vec<_> =
            contents.unwrap().specials.into_iter().map(|special| special.text).take(3).collect();
        assert_eq!(texts, ["<SPECIAL_0>", "<b>", "</s>"]);
    }

    #[test]
    fn tokens_that_are_no_control_tokens_are_special_too() {
        let listed = r#", "special_tokens": [{"rank": 3, "token_str": "[THINK]", "is_control": false}]"#;
        let contents = file(listed).unwrap();
        assert_eq!((contents.specials[3].id, contents.specials[3].text.as_str()), (3, "[THINK]"));
        assert!(contents.tokens.iter().all(|(id, _)| *id >= 22));
    }

    #[test]
    fn errors_say_where() {
        let place = |error: VocabularyError| error.place.unwrap().to_string();
        let listed = file(r#", "special_tokens": [{"rank": 22, "token_str": "x"}]"#).unwrap_err();
        assert_eq!(place(listed), "`/special_tokens/0/rank`");
        let bytes = read(FILE.replace("SPECIALS", "").replace("YWI=", "*").as_bytes()).unwrap_err();
        assert_eq!(place(bytes), "`/vocab/1/token_bytes`");
        let sizes = read(FILE.replace("SPECIALS", "").replace("\": 24", "\": 21").as_bytes()).unwrap_err();
        assert_eq!(place(sizes), "`/config/default_num_special_tokens`");
        let huge =
            read(FILE.replace("SPECIALS", "").replace("\": 24", "\": 4000000000").as_bytes()).unwrap_err();
        assert_eq!(huge.kind, gcc_grammar_vocabulary::ErrorKind::TooLarge);
        assert_eq!(place(read(b"{\n\"config\": 3}").unwrap_err()), "line 2, column 11");
    }
}
