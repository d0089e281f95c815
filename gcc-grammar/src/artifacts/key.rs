//! Content keys: everything that an artifact is made from as one digest, which is known without compiling.
//!
//! Artifacts with equal keys are equal, byte for byte. The key covers the text of the grammar with all that it imports, the options that
//! change the language, the vocabulary, whether its tokens are inside the artifact, and the versions of the compiler and of the file
//! format. It covers no name of a file, and no bound on work or memory: these decide whether there is an artifact, not which.

use crate::artifacts::packing::Packing;
use crate::error::{Error, ErrorKind};
use crate::metadata::{self, COMPILER, digest, options_fingerprint};
use crate::sources::options::Options;
use crate::sources::parse::inputs;
use crate::sources::source::Source;
use crate::vocabulary::Vocabulary;
use gcc_grammar_artifact::container::{MAJOR, MINOR};
use gcc_grammar_artifact::{Fingerprint, Fingerprints};
use gcc_grammar_ir::{Code, Diagnostic};
use std::fmt;
use std::str::FromStr;

/// The content key of an artifact. It is written as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Key(pub Fingerprint);

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Key {
    type Err = Error;

    /// Reads 64 hexadecimal digits, as a key is written.
    fn from_str(text: &str) -> Result<Self, Error> {
        hexadecimal(text).map(Self).ok_or_else(|| {
            let message = "this is no key: a key has 64 hexadecimal digits, in lower case";
            let diagnostic =
                Diagnostic::error(Code::Usage, message).help("`gcc-grammar key` shows the key of an input");
            Error::new(ErrorKind::NotFound, text, diagnostic)
        })
    }
}

/// The bytes that 64 digits stand for.
pub(crate) fn hexadecimal(text: &str) -> Option<Fingerprint> {
    let digit = |digit: u8| match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    };
    let mut bytes = Fingerprint::default();
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if pairs.len() != bytes.len() || !rest.is_empty() {
        return None;
    }
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = digit(*high)? << 4 | digit(*low)?;
    }
    Some(bytes)
}

/// The key of the artifact that compiling gives. It is in the header of the artifact, too. Only a grammar that may import others is parsed,
/// and any source with strict options, to refuse what they refuse; else a source that compiling would refuse can have a key.
///
/// # Errors
/// The source is parsed, and refused.
pub fn artifact_key(
    source: &Source,
    vocabulary: &Vocabulary,
    options: &Options,
    packing: Packing,
) -> Result<Key, Error> {
    let inputs = inputs(source, options)?;
    Ok(key_of(&inputs.source, &inputs.options, vocabulary, packing))
}

/// The key of the artifact that is made from a source with all that it imports, and the options that change the language.
pub(crate) fn key_of(
    source: &metadata::Source,
    options: &[(String, String)],
    vocabulary: &Vocabulary,
    packing: Packing,
) -> Key {
    Key(fingerprints(source, options_fingerprint(COMPILER, options), vocabulary.tokens(), packing).key)
}

/// What an artifact is made from, with the key that follows from it. A vocabulary that another version compiled can have fewer or more base bitmaps
/// to refer to, but never other ones with the same number.
pub(crate) fn fingerprints(
    source: &metadata::Source,
    options: Fingerprint,
    tokens: &gcc_grammar_vocabulary::Vocabulary,
    packing: Packing,
) -> Fingerprints {
    let (grammar, vocabulary) = (source.fingerprint(), tokens.fingerprint());
    let format = format!("{MAJOR}.{MINOR}");
    let packing = match packing {
        Packing::Referenced => format!("referenced, {} bases", tokens.bases().count()),
        Packing::SelfContained => "self-contained".to_owned(),
    };
    let parts: [&[u8]; 5] = [format.as_bytes(), packing.as_bytes(), &grammar, &vocabulary, &options];
    Fingerprints { grammar, vocabulary, options, key: digest("gcc-grammar artifact 1", parts) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_as_they_are_written() {
        let key = Key(std::array::from_fn(|index| index as u8 * 8 + 1));
        assert_eq!(key.to_string().parse::<Key>().ok(), Some(key));
        let written = key.to_string();
        for wrong in ["", &written[1..], &format!("{written}0"), &written.to_uppercase(), &"é".repeat(32)] {
            assert!(wrong.parse::<Key>().is_err(), "{wrong}");
        }
    }
}
