//! Vocabularies that are made: of tokens, or from a tokenizer file.

use crate::exchange::{Object, run};
use crate::exports;
use crate::failure::Failure;
use gcc_grammar::vocabulary::SpecialToken;
use gcc_grammar::{Error, Vocabulary};
use gcc_grammar_tokenizers::{Contents, Format};
use serde::Deserialize;

/// What stands before the tokens of a vocabulary.
#[derive(Deserialize)]
struct Given {
    name: String,
    /// Names of special tokens with their ids.
    special_tokens: Vec<(String, u32)>,
    end_tokens: Vec<u32>,
    /// The number of bits of a mask.
    width: u32,
}

/// What stands before a tokenizer file: what it may not say.
#[derive(Deserialize)]
struct Overrides {
    name: String,
    width: u32,
    /// The tokens that end an output, if the file does not name them.
    end_tokens: Vec<End>,
}

/// A token by its id, or by its name.
#[derive(Deserialize)]
#[serde(untagged)]
enum End {
    Id(u32),
    Name(String),
}

/// The first bytes of the rest, which is shortened by them.
fn take<'b>(rest: &mut &'b [u8], length: usize) -> Result<&'b [u8], Failure> {
    let cut_off = || Failure::usage("the input is cut off");
    let (taken, left) = rest.split_at_checked(length).ok_or_else(cut_off)?;
    *rest = left;
    Ok(taken)
}

fn take_number(rest: &mut &[u8]) -> Result<u32, Failure> {
    Ok(take(rest, 4)?.try_into().map_or(0, u32::from_le_bytes))
}

/// Reads the length of a JSON text, and that text.
fn take_head<T: for<'de> Deserialize<'de>>(rest: &mut &[u8]) -> Result<T, Failure> {
    let length = take_number(rest)? as usize;
    serde_json::from_slice(take(rest, length)?).map_err(Failure::usage)
}

/// Reads the head, and, for each token, its id, its length and its bytes.
fn from_tokens(mut rest: &[u8]) -> Result<Vocabulary, Failure> {
    let Given { name, special_tokens, end_tokens, width } = take_head(&mut rest)?;
    let mut tokens = Vec::new();
    while !rest.is_empty() {
        let (id, length) = (take_number(&mut rest)?, take_number(&mut rest)? as usize);
        tokens.push((id, take(&mut rest, length)?.to_vec()));
    }
    let specials = special_tokens.into_iter().map(|(text, id)| SpecialToken { id, text }).collect();
    Ok(Vocabulary::from_parts(&name, tokens, specials, end_tokens, width)?)
}

/// Reads the head, and the file.
fn from_tokenizer(mut rest: &[u8]) -> Result<Vocabulary, Failure> {
    let Overrides { name, width, end_tokens } = take_head(&mut rest)?;
    let failed = |error| Failure::from(Error::from(error));
    let mut contents = Format::detect(rest).map_err(failed)?.read(rest).map_err(failed)?;
    contents.width = contents.width.max(width);
    let ends: Vec<u32> = end_tokens.into_iter().map(|end| end.find(&contents)).collect::<Result<_, _>>()?;
    if !ends.is_empty() {
        contents.end_tokens = ends;
    }
    Ok(Vocabulary::new(&name, contents.into_vocabulary().map_err(failed)?))
}

impl End {
    fn find(self, contents: &Contents) -> Result<u32, Failure> {
        let name = match self {
            Self::Id(id) => return Ok(id),
            Self::Name(name) => name,
        };
        let special = contents.specials.iter().find(|special| special.text == name).map(|special| special.id);
        let text = || contents.tokens.iter().find(|(_, bytes)| *bytes == name.as_bytes()).map(|(id, _)| *id);
        special.or_else(text).ok_or_else(|| Failure::usage(format!("the tokenizer has no token `{name}`")))
    }
}

exports! {
    /// Makes a vocabulary of tokens. Input: as `from_tokens` reads it.
    fn vocabulary_new() -> f64 {
        run(|exchange| {
            let vocabulary = from_tokens(&exchange.input)?;
            Ok(exchange.keep(Object::Vocabulary(vocabulary)))
        })
    }

    /// Reads a tokenizer file: `tokenizer.json`, `tekken.json`, ranks of tiktoken or a SentencePiece model. Input: as `from_tokenizer` reads it.
    fn vocabulary_from_tokenizer() -> f64 {
        run(|exchange| {
            let vocabulary = from_tokenizer(&exchange.input)?;
            Ok(exchange.keep(Object::Vocabulary(vocabulary)))
        })
    }
}
