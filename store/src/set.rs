//! Many artifacts in one process: found by key, mapped when they are first used, and forgotten when others need the room.
//!
//! ```text
//! get(key) ── there: a read of the map, which no lock guards ──────────────────────▶ Session
//!    └────── not there: opened, put into a copy of the map, which replaces it ──────▶ Session
//! ```
//! All sessions share one vocabulary. A session that somebody holds continues to work after it was forgotten.
//!
//! *Least recently used* counts in epochs: an epoch ends when an artifact is opened. So a hit writes at most one word, and only the first
//! one in its epoch.

use crate::{Place, Store};
use arc_swap::ArcSwap;
use gcc_grammar::{Error, Key, Session, Vocabulary};
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// How an [`ArtifactSet`] keeps artifacts.
#[derive(Clone, Copy, Debug)]
pub struct SetOptions {
    /// The most bytes of artifacts that are kept, pinned ones aside.
    pub most_bytes: u64,
    /// Whether somebody vouches for the content, as with [`Artifact::trusted`](gcc_grammar::Artifact::trusted). Else each artifact is read as a whole when it is opened.
    pub trusted: bool,
}

impl Default for SetOptions {
    fn default() -> Self {
        Self { most_bytes: 1 << 30, trusted: false }
    }
}

/// Artifacts for one vocabulary, by key. Any number of threads may use a set.
pub struct ArtifactSet {
    store: Store,
    vocabulary: Vocabulary,
    options: SetOptions,
    map: ArcSwap<Kept>,
    /// Held while the map is replaced.
    replacing: Mutex<()>,
    epoch: AtomicU64,
}

/// The artifacts that are kept.
#[derive(Clone, Default)]
struct Kept {
    by_key: FxHashMap<Key, Arc<Open>>,
    /// The bytes of the artifacts that are not pinned, in the order of their opening.
    bytes: u64,
}

struct Open {
    session: Session,
    /// The last epoch in which it was used.
    used: AtomicU64,
    is_pinned: AtomicBool,
}

impl Open {
    fn length(&self) -> u64 {
        self.session.artifact().bytes().len() as u64
    }
}

impl ArtifactSet {
    /// A set of the artifacts in a store for a vocabulary. Nothing is opened yet.
    #[must_use]
    pub fn new(store: Store, vocabulary: Vocabulary, options: SetOptions) -> Self {
        let map = ArcSwap::default();
        Self { store, vocabulary, options, map, replacing: Mutex::new(()), epoch: AtomicU64::new(0) }
    }

    /// The session of a key. If it is kept, nothing is locked, read or allocated.
    ///
    /// # Errors
    /// The store does not have the key, or what it has is damaged.
    pub fn get(&self, key: Key) -> Result<Session, Error> {
        match self.map.load().by_key.get(&key) {
            Some(open) => Ok(self.used(open)),
            None => self.open(key, false),
        }
    }

    /// The session of a key, which is kept until [`unpin`](Self::unpin), whatever else is opened.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub fn pin(&self, key: Key) -> Result<Session, Error> {
        self.open(key, true)
    }

    /// Lets an artifact be forgotten again.
    pub fn unpin(&self, key: Key) {
        self.replace(|kept| {
            if let Some(open) = kept.by_key.get(&key) {
                open.is_pinned.store(false, Relaxed);
            }
        });
    }

    /// Opens artifacts before they are needed. Returns the artifacts that cannot be opened, with the reason.
    pub fn prefetch(&self, keys: impl IntoIterator<Item = Key>) -> Vec<(Key, Error)> {
        keys.into_iter().filter_map(|key| Some((key, self.get(key).err()?))).collect()
    }

    /// The number of artifacts that are kept, and their bytes, pinned ones aside.
    #[must_use]
    pub fn kept(&self) -> (usize, u64) {
        let kept = self.map.load();
        (kept.by_key.len(), kept.bytes)
    }

    fn used(&self, open: &Open) -> Session {
        let epoch = self.epoch.load(Relaxed);
        if open.used.load(Relaxed) != epoch {
            open.used.store(epoch, Relaxed);
        }
        open.session.clone()
    }

    /// Opens an artifact, and keeps it if there is room. Two threads may open the same at once; one of them wins.
    fn open(&self, key: Key, is_pinned: bool) -> Result<Session, Error> {
        let known = self.map.load().by_key.get(&key).map(|open| open.session.clone());
        let session = known.map_or_else(|| self.session(key), Ok)?;
        let mut found = session.clone();
        self.replace(|kept| {
            let epoch = self.epoch.fetch_add(1, Relaxed) + 1;
            let open = kept.by_key.entry(key).or_insert_with(|| {
                Arc::new(Open { session, used: AtomicU64::new(epoch), is_pinned: AtomicBool::new(false) })
            });
            open.used.store(epoch, Relaxed);
            open.is_pinned.fetch_or(is_pinned, Relaxed);
            found = open.session.clone();
        });
        Ok(found)
    }

    fn session(&self, key: Key) -> Result<Session, Error> {
        let place = Place::new(key, &self.vocabulary);
        let artifact = match self.options.trusted {
            true => self.store.get_trusted(&place)?,
            false => self.store.get(&place)?,
        };
        Session::new(artifact.ok_or_else(|| self.store.missing(key))?, &self.vocabulary)
    }

    /// Replaces the map by a changed copy within the bound.
    fn replace(&self, change: impl FnOnce(&mut Kept)) {
        let _lock = self.replacing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut kept = Kept::clone(&self.map.load());
        change(&mut kept);
        kept.forget(self.options.most_bytes);
        self.map.store(Arc::new(kept));
    }
}

impl Kept {
    /// Forgets what was used least recently, until the rest has at most `most` bytes.
    fn forget(&mut self, most: u64) {
        let loose = self.by_key.iter().filter(|(_, open)| !open.is_pinned.load(Relaxed));
        let mut loose: Vec<(u64, Key, u64)> =
            loose.map(|(key, open)| (open.used.load(Relaxed), *key, open.length())).collect();
        self.bytes = loose.iter().map(|(_, _, length)| length).sum();
        if self.bytes <= most {
            return;
        }
        loose.sort_unstable();
        for (_, key, length) in loose {
            if self.bytes <= most {
                return;
            }
            self.by_key.remove(&key);
            self.bytes -= length;
        }
    }
}

impl fmt::Debug for ArtifactSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, bytes) = self.kept();
        f.debug_struct("ArtifactSet").field("kept", &count).field("bytes", &bytes).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcc_grammar::{Options, Packing, Source, artifact_key, compile};

    fn vocabulary() -> Vocabulary {
        Vocabulary::from_tokens("v", (0..=255_u8).map(|byte| [byte])).expect("a vocabulary")
    }

    /// A set of the artifacts of single letters, their keys, and the length of each.
    fn set(letters: &str, fit: u64) -> (ArtifactSet, Vec<Key>, tempfile::TempDir) {
        let (vocabulary, folder) = (vocabulary(), tempfile::tempdir().expect("a folder"));
        let store = Store::open(&folder.path().to_string_lossy(), None).expect("opened");
        let mut length = 0;
        let keys = letters.chars().map(|letter| {
            let (source, options) = (Source::regex(letter), Options::default());
            let key = artifact_key(&source, &vocabulary, &options, Packing::Referenced).expect("a key");
            let made = || compile(&source, &vocabulary, &options);
            let stored = store.get_or_make(&Place::new(key, &vocabulary), made).expect("stored");
            length = stored.artifact.bytes().len() as u64;
            key
        });
        let keys: Vec<Key> = keys.collect();
        let options = SetOptions { most_bytes: fit * length, trusted: false };
        (ArtifactSet::new(store, vocabulary, options), keys, folder)
    }

    fn is_kept(set: &ArtifactSet, key: Key) -> bool {
        set.map.load().by_key.contains_key(&key)
    }

    /// The tokens that the artifact allows first.
    fn first(session: &Session) -> Vec<u32> {
        let mut row = vec![0; session.row_words()];
        session.matcher().expect("enough scratch").fill_mask(&mut row).expect("a row");
        (0..257).filter(|token| gcc_grammar::row::has(&row, *token)).collect()
    }

    #[test]
    fn what_was_used_least_recently_is_forgotten() {
        let (set, keys, _folder) = set("abcd", 3);
        let sessions: Vec<Session> = keys[..3].iter().map(|key| set.get(*key).expect("there")).collect();
        assert!(set.get(keys[0]).expect("there").is_same(&sessions[0]));
        let kept = |set: &ArtifactSet| [0, 1, 2, 3].map(|index: usize| is_kept(set, keys[index]));
        set.get(keys[3]).expect("there");
        assert_eq!(kept(&set), [true, false, true, true]);
        // A forgotten session still works for its holders.
        assert_eq!(first(&sessions[1]), [u32::from(b'b')]);
        let again = set.get(keys[1]).expect("there");
        assert!(!again.is_same(&sessions[1]) && set.kept().0 == 3);
    }

    #[test]
    fn pinned_artifacts_stay() {
        let (set, keys, _folder) = set("abcd", 1);
        set.pin(keys[0]).expect("there");
        set.prefetch(keys.iter().copied());
        assert!(is_kept(&set, keys[0]) && is_kept(&set, keys[3]) && set.kept().0 == 2);
        set.unpin(keys[0]);
        assert_eq!(set.kept().0, 1);
    }

    #[test]
    fn errors_name_the_key_and_keep_nothing() {
        let (set, keys, folder) = set("ab", 9);
        let missing = Key([7; 32]);
        let errors = set.prefetch([keys[0], missing]);
        assert!(
            matches!(&errors[..], [(key, error)] if *key == missing && error.to_string().contains("0707"))
        );
        let path = folder.path().join(Place::new(keys[1], &vocabulary()).to_string());
        std::fs::write(path, "damaged").expect("written");
        set.get(keys[1]).expect_err("damaged");
        assert_eq!(set.kept().0, 1);
    }

    /// Threads use more artifacts than there is room for, at random, and each gets what it asks for.
    #[test]
    fn threads_get_what_they_ask_for() {
        let letters = "abcdefghijklmnopqrstuvwxyz";
        let (set, keys, _folder) = set(letters, 5);
        std::thread::scope(|scope| {
            for thread in 0..4_usize {
                let (set, keys) = (&set, &keys);
                scope.spawn(move || {
                    for step in 0..500 {
                        let index = (step * 31 + thread * 7 + step * step) % keys.len();
                        let session = set.get(keys[index]).expect("there");
                        assert_eq!(first(&session), [u32::from(letters.as_bytes()[index])]);
                    }
                });
            }
        });
        assert!(set.kept().0 <= 5);
    }
}
