//! What a store has as a whole: lists of its artifacts, and the removal of some.

use crate::folder::Removed;
use crate::place::Place;
use crate::store::Store;
use gcc_grammar::diagnostic::{Code, Diagnostic};
use gcc_grammar::{Error, ErrorKind, Key};

/// The digits of a key.
const KEY_DIGITS: usize = 64;
/// The fewest digits that stand for a whole key.
const LEAST_DIGITS: usize = 6;

impl Store {
    /// The places of all artifacts, by vocabulary and key. Their content is not looked at.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn places(&self) -> Result<Vec<Place>, Error> {
        let mut places = Vec::new();
        for vocabulary in self.objects.vocabularies()? {
            places.extend(self.objects.keys(vocabulary)?.into_iter().map(|key| Place { vocabulary, key }));
        }
        places.sort_unstable_by_key(|place| (place.vocabulary, place.key.0));
        Ok(places)
    }

    /// The key that a text names: all of its digits, or the first ones, if no other key of the store begins with them.
    ///
    /// # Errors
    /// The text is no key and no beginning of one, no key of the store begins with it, or several do; the store cannot be read.
    pub fn key(&self, text: &str) -> Result<Key, Error> {
        let is_short = text.len() < KEY_DIGITS && text.len() >= LEAST_DIGITS;
        if !is_short || !text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
            return text.parse();
        }
        let mut keys: Vec<Key> = self.places()?.into_iter().map(|place| place.key).collect();
        keys.retain(|key| key.to_string().starts_with(text));
        keys.sort_unstable();
        keys.dedup();
        let wrong = |message: String| {
            let diagnostic =
                Diagnostic::error(Code::Usage, message).help("`gcc-grammar store list` shows the keys");
            Err(Error::new(ErrorKind::NotFound, self.objects.name(), diagnostic))
        };
        match keys[..] {
            [key] => Ok(key),
            [] => wrong(format!("no key of the store begins with {text}")),
            _ => wrong(format!("{} keys of the store begin with {text}", keys.len())),
        }
    }

    /// Removes the artifacts of a key, for whichever vocabularies, with their signatures. Who has one mapped keeps its content.
    ///
    /// # Errors
    /// The store is no folder, or a file cannot be removed.
    pub fn remove(&self, key: Key) -> Result<Vec<Removed>, Error> {
        let folder = self.folder().ok_or_else(|| self.not_a_folder())?;
        let vocabularies = self.objects.vocabularies()?.into_iter();
        let removed = vocabularies.map(|vocabulary| folder.remove(&Place { vocabulary, key }));
        removed.filter_map(Result::transpose).collect()
    }

    /// Removes the artifacts that were used least recently, until the rest has at most this number of bytes; and temporary files that were left by
    /// processes that were killed. Where a store is not bounded, only writing counts as a use.
    ///
    /// # Errors
    /// The store is no folder; or it has more bytes than these afterwards, since files cannot be removed.
    pub fn prune(&self, most_bytes: u64) -> Result<Vec<Removed>, Error> {
        let (removed, failed) = self.folder().ok_or_else(|| self.not_a_folder())?.remove_oldest(most_bytes);
        failed.map_or(Ok(removed), Err)
    }

    fn not_a_folder(&self) -> Error {
        let diagnostic = Diagnostic::error(Code::Usage, "artifacts are removed only from a store that is a folder")
            .help("name the folder alone, without --cache; remove objects of a remote store with its own tools, and make packs anew");
        Error::new(ErrorKind::NotFound, self.objects.name(), diagnostic)
    }
}
