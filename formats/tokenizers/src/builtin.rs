//! The vocabularies that are built into the crate, so that they need no file and no network.
//!
//! The crate `gcc-grammar-ranks` holds the bytes of their text tokens (ranks). This module adds the special tokens, end
//! tokens and pre-tokenizer patterns of the models' own configurations, and returns [`Contents`]. A test compares the ranks
//! with the published ones by their canonical hash. The file NOTICE has the licences of the data.

use crate::contents::Contents;
use gcc_grammar_ranks::Ranks;
use gcc_grammar_vocabulary::{SpecialToken, Vocabulary, canonical_hash};
use std::fmt::Write;

const LLAMA3_PATTERN: &str = concat!(
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}",
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
);
const QWEN_PATTERN: &str = concat!(
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}",
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
);
const O200K_PATTERN: &str = concat!(
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
);

/// A built-in vocabulary.
#[derive(Debug)]
pub struct Builtin {
    /// The name.
    pub name: &'static str,
    /// Other names of the same vocabulary.
    pub aliases: &'static [&'static str],
    /// The models that use it, and the licence of the data.
    pub about: &'static str,
    /// The bytes of the ranks.
    bytes: Ranks,
    /// The number of ranks; their ids are 0 to `ranks - 1`.
    pub(crate) ranks: u32,
    /// The canonical hash of the ranks in hexadecimal.
    hash: &'static str,
    /// That of all text tokens, if some have no rank.
    text_hash: Option<&'static str>,
    /// The pre-tokenizer pattern, which cuts text into pieces before merging.
    pub(crate) pattern: &'static str,
    /// Text tokens without a rank: those that the model's own tokenizer adds and does not mark as special.
    added: &'static [(u32, &'static str)],
    /// The special tokens.
    specials: fn() -> Vec<SpecialToken>,
    /// The end tokens.
    end_tokens: &'static [u32],
}

/// All built-in vocabularies.
pub const BUILTINS: [Builtin; 6] = [
    Builtin {
        name: "llama3",
        aliases: &["llama3.1", "llama3.2", "llama3.3"],
        about: "Meta Llama 3, 3.1, 3.2, 3.3; Llama 3 Community License",
        bytes: Ranks::Llama3,
        ranks: 128_000,
        hash: "a0353bd671a1cf77b3ada7f3ec0f4b776eab285567f32db10965b0b73f41f21d",
        text_hash: None,
        pattern: LLAMA3_PATTERN,
        added: &[],
        specials: llama3_specials,
        end_tokens: &[128_001, 128_008, 128_009],
    },
    Builtin {
        name: "qwen2.5",
        aliases: &["qwen2_5"],
        about: "Alibaba Qwen 2.5; Apache-2.0",
        bytes: Ranks::Qwen2,
        ranks: 151_643,
        hash: "2fcefb56f07ebf27d6d4d89db448b4750abc6ef4ef9b236789f2cda8b4e65a30",
        text_hash: Some("3f070db919e33a9fe19809db0270bbec1b109538705131d07f781ff32f1547aa"),
        pattern: QWEN_PATTERN,
        added: QWEN_ADDED,
        specials: qwen_specials,
        end_tokens: &[151_643, 151_645],
    },
    Builtin {
        name: "qwen3",
        aliases: &[],
        about: "Alibaba Qwen 3; Apache-2.0",
        bytes: Ranks::Qwen2,
        ranks: 151_643,
        hash: "2fcefb56f07ebf27d6d4d89db448b4750abc6ef4ef9b236789f2cda8b4e65a30",
        text_hash: Some("0cb1695e2505b062f6ec1ef80ac3e7f1723b90ee5ad0c17544e68d0b1d62a4b5"),
        pattern: QWEN_PATTERN,
        added: QWEN3_ADDED,
        specials: qwen_specials,
        end_tokens: &[151_643, 151_645],
    },
    Builtin {
        name: "o200k",
        aliases: &["gpt-oss", "o200k_harmony"],
        about: "OpenAI gpt-oss, with the harmony special tokens; MIT",
        bytes: Ranks::O200k,
        ranks: 199_998,
        hash: "bb5386e3399c28cc69b4bee4fa8bce4bfcabfd77b77eedfa5e0dec6a16f8568a",
        text_hash: None,
        pattern: O200K_PATTERN,
        added: &[],
        specials: harmony_specials,
        end_tokens: &[199_999, 200_002, 200_012],
    },
    Builtin {
        name: "o200k_base",
        aliases: &["gpt-4o"],
        about: "OpenAI GPT-4o; MIT",
        bytes: Ranks::O200k,
        ranks: 199_998,
        hash: "bb5386e3399c28cc69b4bee4fa8bce4bfcabfd77b77eedfa5e0dec6a16f8568a",
        text_hash: None,
        pattern: O200K_PATTERN,
        added: &[],
        specials: o200k_specials,
        end_tokens: &[199_999],
    },
    Builtin {
        name: "cl100k",
        aliases: &["cl100k_base"],
        about: "OpenAI GPT-4; MIT",
        bytes: Ranks::Cl100k,
        ranks: 100_256,
        hash: "3494aad2103f500f737237788f1e4c5237da95faba58dec1c2327e5b20024443",
        text_hash: None,
        pattern: LLAMA3_PATTERN,
        added: &[],
        specials: cl100k_specials,
        end_tokens: &[100_257],
    },
];

impl Builtin {
    /// The built-in vocabulary with this name or alias.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        BUILTINS.iter().find(|builtin| builtin.name == name || builtin.aliases.contains(&name))
    }

    /// The built-in vocabulary with this name or alias, in upper or lower case.
    #[must_use]
    pub fn find_in_any_case(name: &str) -> Option<&'static Self> {
        Self::find(&name.to_ascii_lowercase())
    }

    /// The built-in vocabulary that the name of a model, such as `meta-llama/Llama-3.1-8B`, seems to mean: without regard to case and
    /// punctuation, the last part of the name begins with a name of it.
    pub(crate) fn of_model(model: &str) -> Option<&'static Self> {
        let plain = |text: &str| -> String {
            text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
        };
        let model = plain(model.rsplit('/').next().unwrap_or(model));
        let names = BUILTINS.iter().flat_map(|builtin| {
            [builtin.name]
                .into_iter()
                .chain(builtin.aliases.iter().copied())
                .map(move |name| (plain(name), builtin))
        });
        let begins = names.filter(|(name, _)| model.starts_with(name.as_str()));
        begins.max_by_key(|(name, _)| name.len()).map(|(_, builtin)| builtin)
    }

    /// The first built-in vocabulary whose text tokens, or ranks, have this canonical hash.
    #[must_use]
    pub fn by_tokens(hash: &[u8; 32]) -> Option<&'static Self> {
        let hash = hash.iter().fold(String::new(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        });
        BUILTINS.iter().find(|builtin| builtin.hash == hash || builtin.text_hash == Some(&hash))
    }

    /// The built-in vocabulary whose ranks are the first text tokens of this one. The other text tokens were added.
    pub(crate) fn by_ranks(vocabulary: &Vocabulary) -> Option<&'static Self> {
        let has_ranks = |builtin: &&Self| {
            let ranks = || vocabulary.text_tokens().take_while(|&(id, _)| id < builtin.ranks);
            let is_possible = ranks().last().is_some_and(|(id, _)| id + 1 == builtin.ranks);
            is_possible
                && Self::by_tokens(&canonical_hash(ranks())).is_some_and(|found| found.name == builtin.name)
        };
        BUILTINS.iter().find(has_ranks)
    }

    /// The text tokens, special tokens and end tokens of this vocabulary.
    #[must_use]
    pub fn contents(&self) -> Contents {
        self.complete(self.read_ranks())
    }

    /// The ranks with their bytes.
    fn read_ranks(&self) -> Vec<(u32, Vec<u8>)> {
        (0..).zip(self.bytes.tokens()).collect()
    }

    /// Adds the other tokens to `tokens`, which must be the ranks of this vocabulary.
    pub(crate) fn complete(&self, mut tokens: Vec<(u32, Vec<u8>)>) -> Contents {
        tokens.extend(self.added.iter().map(|&(id, text)| (id, text.as_bytes().to_vec())));
        Contents {
            tokens,
            specials: (self.specials)(),
            end_tokens: self.end_tokens.to_vec(),
            width: 0,
            added: self.added.iter().map(|&(id, _)| id).collect(),
        }
    }
}

/// Special tokens with these ids and names.
fn named(names: &[(u32, &str)]) -> Vec<SpecialToken> {
    names.iter().map(|&(id, text)| SpecialToken { id, text: text.to_owned() }).collect()
}

/// Special tokens with these names and consecutive ids.
fn consecutive(first: u32, names: &[&str]) -> Vec<SpecialToken> {
    (first..).zip(names).map(|(id, &text)| SpecialToken { id, text: text.to_owned() }).collect()
}

/// The special tokens of Llama 3.1 as numbered by `llama-models`; ids without a name are reserved.
fn llama3_specials() -> Vec<SpecialToken> {
    let names = [
        "<|begin_of_text|>",
        "<|end_of_text|>",
        "<|reserved_special_token_0|>",
        "<|reserved_special_token_1|>",
        "<|finetune_right_pad_id|>",
        "<|step_id|>",
        "<|start_header_id|>",
        "<|end_header_id|>",
        "<|eom_id|>",
        "<|eot_id|>",
        "<|python_tag|>",
        "<|image|>",
    ];
    let mut specials = consecutive(128_000, &names);
    let reserved = (128_012..128_256).zip(2..);
    specials
        .extend(reserved.map(|(id, n)| SpecialToken { id, text: format!("<|reserved_special_token_{n}|>") }));
    specials
}

/// The tokens that the tokenizer of Qwen 2.5 adds and does not mark as special.
const QWEN_ADDED: &[(u32, &str)] = QWEN3_ADDED.split_at(8).0;

/// The same of Qwen 3.
const QWEN3_ADDED: &[(u32, &str)] = &[
    (151_657, "<tool_call>"),
    (151_658, "</tool_call>"),
    (151_659, "<|fim_prefix|>"),
    (151_660, "<|fim_middle|>"),
    (151_661, "<|fim_suffix|>"),
    (151_662, "<|fim_pad|>"),
    (151_663, "<|repo_name|>"),
    (151_664, "<|file_sep|>"),
    (151_665, "<tool_response>"),
    (151_666, "</tool_response>"),
    (151_667, "<think>"),
    (151_668, "</think>"),
];

fn qwen_specials() -> Vec<SpecialToken> {
    let names = [
        "<|endoftext|>",
        "<|im_start|>",
        "<|im_end|>",
        "<|object_ref_start|>",
        "<|object_ref_end|>",
        "<|box_start|>",
        "<|box_end|>",
        "<|quad_start|>",
        "<|quad_end|>",
        "<|vision_start|>",
        "<|vision_end|>",
        "<|vision_pad|>",
        "<|image_pad|>",
        "<|video_pad|>",
    ];
    consecutive(151_643, &names)
}

fn harmony_specials() -> Vec<SpecialToken> {
    let mut specials = named(&[
        (199_998, "<|startoftext|>"),
        (199_999, "<|endoftext|>"),
        (200_002, "<|return|>"),
        (200_003, "<|constrain|>"),
        (200_005, "<|channel|>"),
        (200_006, "<|start|>"),
        (200_007, "<|end|>"),
        (200_008, "<|message|>"),
        (200_012, "<|call|>"),
    ]);
    let named: Vec<u32> = specials.iter().map(|special| special.id).collect();
    let reserved = (199_998..201_088).filter(|id| !named.contains(id));
    specials.extend(reserved.map(|id| SpecialToken { id, text: format!("<|reserved_{id}|>") }));
    // The token <|reserved_200018|> has a second name.
    specials.push(SpecialToken { id: 200_018, text: "<|endofprompt|>".to_owned() });
    specials
}

fn o200k_specials() -> Vec<SpecialToken> {
    named(&[(199_999, "<|endoftext|>"), (200_018, "<|endofprompt|>")])
}

fn cl100k_specials() -> Vec<SpecialToken> {
    named(&[
        (100_257, "<|endoftext|>"),
        (100_258, "<|fim_prefix|>"),
        (100_259, "<|fim_middle|>"),
        (100_260, "<|fim_suffix|>"),
        (100_276, "<|endofprompt|>"),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_the_published_ones() {
        for builtin in &BUILTINS {
            let vocabulary = builtin.contents().into_vocabulary().unwrap();
            let found = Builtin::by_tokens(&vocabulary.canonical_hash());
            let expected = (builtin.hash, builtin.text_hash);
            let hash: String = vocabulary.canonical_hash().iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(
                found.map(|found| (found.hash, found.text_hash)),
                Some(expected),
                "{}: {hash}",
                builtin.name
            );
            assert!(builtin.end_tokens.iter().all(|&id| vocabulary.special_text(id).is_some()));
        }
    }

    #[test]
    fn vocabularies_are_found_by_name_and_alias() {
        assert_eq!(Builtin::find("gpt-oss").unwrap().name, "o200k");
        assert_eq!(Builtin::find("llama3").unwrap().name, "llama3");
        assert!(Builtin::find("llama").is_none() && Builtin::find("Llama3").is_none());
        assert_eq!(Builtin::find_in_any_case("Llama3").unwrap().name, "llama3");
    }

    #[test]
    fn special_tokens_are_those_of_the_models() {
        let vocabulary = |name| Builtin::find(name).unwrap().contents().into_vocabulary().unwrap();
        let llama3 = vocabulary("llama3");
        assert_eq!((llama3.width(), llama3.special("<|eot_id|>")), (128_256, Some(128_009)));
        assert_eq!(llama3.special_text(128_255), Some("<|reserved_special_token_245|>"));
        let qwen = vocabulary("qwen2.5");
        assert_eq!((qwen.width(), qwen.find(b"<|file_sep|>")), (151_665, Some(151_664)));
        assert_eq!((qwen.special("<|file_sep|>"), qwen.special_text(151_656)), (None, Some("<|video_pad|>")));
        let qwen3 = vocabulary("qwen3");
        assert_eq!((qwen3.width(), qwen3.find(b"</think>")), (151_669, Some(151_668)));
        let base = vocabulary("o200k_base");
        assert_eq!((base.width(), base.special("<|endofprompt|>")), (200_019, Some(200_018)));
        let o200k = vocabulary("o200k");
        assert_eq!((o200k.width(), o200k.special("<|endofprompt|>")), (201_088, Some(200_018)));
        let cl100k = vocabulary("cl100k");
        assert_eq!((cl100k.width(), cl100k.special_text(100_256)), (100_277, None));
    }
}
