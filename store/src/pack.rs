//! Writes packs: the artifacts of a store for a vocabulary, in one file.

use crate::place::Place;
use crate::store::Store;
use gcc_grammar::seal::{Seal, path_of};
use gcc_grammar::{Error, Key, Vocabulary, output};
use gcc_grammar_artifact::container::checksum;
use gcc_grammar_artifact::pack::{PACK_MAGIC, PACK_VERSION, PackEntry, PackHeader};
use gcc_grammar_artifact::wire::U32;
use gcc_grammar_artifact::{Fingerprint, GrammarView};
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

/// Base bitmaps start at a multiple of a page.
const PAGE: usize = 4096;
/// Artifacts start at multiples of a cache line.
const LINE: usize = 64;

/// A pack that is being written: the artifacts one after the other, then the base bitmaps and the index, and at last the header. In memory are the
/// bitmaps and the index.
struct Writer<W: Write + Seek> {
    out: BufWriter<W>,
    /// What was written so far, in bytes.
    length: u64,
    /// The number of each base bitmap, by its SHA-256.
    numbers: FxHashMap<[u8; 32], u32>,
    bases: Vec<u8>,
    entries: Vec<PackEntry>,
}

impl<W: Write + Seek> Writer<W> {
    fn new(out: W) -> io::Result<Self> {
        let (numbers, bases, entries) = Default::default();
        let mut writer = Self { out: BufWriter::new(out), length: 0, numbers, bases, entries };
        writer.put(&[0; PackHeader::SIZE])?;
        Ok(writer)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.length += bytes.len() as u64;
        self.out.write_all(bytes)
    }

    fn align(&mut self, alignment: usize) -> io::Result<()> {
        let gap = self.length.next_multiple_of(alignment as u64) - self.length;
        self.put(&vec![0; gap as usize])
    }

    fn add(&mut self, key: Key, grammar: &GrammarView<'_>) -> io::Result<()> {
        let packed = grammar.to_packed(|base| self.number(base));
        self.align(LINE)?;
        self.entries.push(PackEntry { key: key.0, offset: self.length, length: packed.len() as u64 });
        self.put(&packed)
    }

    fn number(&mut self, base: &[U32]) -> u32 {
        let bytes: Vec<u8> = base.iter().flat_map(|word| word.get().to_le_bytes()).collect();
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry(Sha256::digest(&bytes).into()).or_insert(next);
        if number == next {
            self.bases.extend(bytes);
        }
        number
    }

    /// Writes the rest; the length of the pack in bytes. The keys were added in order.
    fn finish(mut self, vocabulary: Fingerprint) -> io::Result<u64> {
        self.align(PAGE)?;
        let bases = std::mem::take(&mut self.bases);
        let bases_offset = self.length;
        self.put(&bases)?;
        let index_offset = self.length;
        let index: Vec<u8> = self.entries.iter().flat_map(PackEntry::write).collect();
        self.put(&index)?;
        let mut header = PackHeader {
            magic: PACK_MAGIC,
            version: PACK_VERSION,
            vocabulary,
            artifacts: self.entries.len() as u32,
            bases: self.numbers.len() as u32,
            bases_offset,
            bases_length: bases.len() as u64,
            index_offset,
            length: self.length,
            bases_checksum: checksum(&bases),
            index_checksum: checksum(&index),
            header_checksum: 0,
        };
        header.header_checksum = checksum(&header.write()[..PackHeader::SIZE - size_of::<u64>()]);
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(&header.write())?;
        self.out.flush()?;
        Ok(self.length)
    }
}

/// Writes a pack of the artifacts of a store for a vocabulary with these keys, in whatever order, as a whole or not at all, and returns its length in bytes. The same
/// artifacts give the same bytes. A signature, if there is a key to sign with, is written before it. In memory is one artifact after the other, and the
/// base bitmaps of all.
///
/// # Errors
/// The store does not have a key, or what it has is damaged; the file cannot be written, or is a pipe.
pub fn pack(
    store: &Store,
    vocabulary: &Vocabulary,
    keys: &[Key],
    seal: &Seal,
    output: &Path,
) -> Result<u64, Error> {
    let mut keys = keys.to_vec();
    keys.sort_unstable();
    keys.dedup();
    let failed = |error| Error::io(output, "cannot be written", error);
    output::write_with(output, |file| {
        let mut writer = Writer::new(&mut *file).map_err(failed)?;
        for key in keys {
            let place = Place::new(key, vocabulary);
            let artifact = store.get(&place)?.ok_or_else(|| store.missing(key))?;
            writer.add(key, &artifact.grammar()?).map_err(failed)?;
        }
        let length = writer.finish(vocabulary.tokens().fingerprint()).map_err(failed)?;
        if let Some(signature) = seal.sign_file(file, output, "gcc-grammar pack")? {
            output::write(&path_of(output), &signature)?;
        }
        Ok(length)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ArtifactSet, SetOptions};
    use gcc_grammar::{Options, Pack, Packing, Session, Source, artifact_key, compile};
    use gcc_grammar_artifact::pack::PackView;
    use std::fs;

    const SCHEMAS: [&str; 4] = [
        r#"{"type": "object", "properties": {"a": {"type": "string"}}}"#,
        r#"{"type": "object", "properties": {"b": {"type": "string"}, "c": {"type": "integer"}}}"#,
        r#"{"type": "array", "items": {"type": "string", "maxLength": 3}}"#,
        r#"{"enum": [1, "x"]}"#,
    ];

    fn vocabulary() -> Vocabulary {
        let long = ["ab", "cd", "abc", "\":", "{\"", "\",", "12", "345", "x\"}"];
        let bytes = (0..=255_u8).map(|byte| vec![byte]);
        Vocabulary::from_tokens("v", bytes.chain(long.map(Into::into))).expect("a vocabulary")
    }

    /// A store with the schemas, their keys, and a pack of them.
    fn packed() -> (tempfile::TempDir, Store, Vec<Key>, Vec<u8>) {
        let (vocabulary, folder) = (vocabulary(), tempfile::tempdir().expect("a folder"));
        let store = Store::open(&folder.path().join("store").to_string_lossy(), None).expect("opened");
        let key = |schema: &str| {
            let (source, options) = (Source::json_schema(schema), Options::default());
            let key = artifact_key(&source, &vocabulary, &options, Packing::Referenced).expect("a key");
            let made = || compile(&source, &vocabulary, &options);
            store.get_or_make(&Place::new(key, &vocabulary), made).expect("stored");
            key
        };
        let keys: Vec<Key> = SCHEMAS.map(key).to_vec();
        let bytes = bytes_of(&folder, &store, &keys);
        (folder, store, keys, bytes)
    }

    /// The bytes of a pack of these keys.
    fn bytes_of(folder: &tempfile::TempDir, store: &Store, keys: &[Key]) -> Vec<u8> {
        let path = folder.path().join("made.gcp");
        let length = pack(store, &vocabulary(), keys, &Seal::default(), &path).expect("packed");
        let bytes = fs::read(path).expect("read");
        assert_eq!(bytes.len() as u64, length);
        bytes
    }

    fn write(folder: &tempfile::TempDir, bytes: &[u8]) -> String {
        let path = folder.path().join("all.gcp");
        // A file that is mapped is not written to.
        let _ = fs::remove_file(&path);
        fs::write(&path, bytes).expect("written");
        path.to_string_lossy().into_owned()
    }

    /// All masks along a walk through both, which takes the same tokens.
    fn assert_alike(a: &Session, b: &Session) {
        let (mut a, mut b) = (a.matcher().expect("scratch"), b.matcher().expect("scratch"));
        let mut rows = [(); 2].map(|()| vec![0_u32; a.session().row_words()]);
        for step in 0..40 {
            a.fill_mask(&mut rows[0]).expect("a mask");
            b.fill_mask(&mut rows[1]).expect("a mask");
            assert_eq!(rows[0], rows[1], "step {step}");
            let allowed: Vec<u32> =
                (0..266).filter(|token| gcc_grammar::row::has(&rows[0], *token)).collect();
            if allowed.is_empty() {
                return;
            }
            let token = allowed[(step * 7) % allowed.len()];
            a.commit(token).expect("allowed");
            b.commit(token).expect("allowed");
        }
    }

    #[test]
    fn a_pack_gives_the_same_masks_and_the_same_files() {
        let (folder, store, keys, bytes) = packed();
        let packed = Store::open(&write(&folder, &bytes), None).expect("opened");
        let reversed: Vec<Key> = keys.iter().rev().chain(&keys).copied().collect();
        assert_eq!(bytes_of(&folder, &store, &reversed), bytes);
        assert_eq!(packed.keys(&vocabulary()).expect("keys").len(), keys.len());
        let set = ArtifactSet::new(packed, vocabulary(), SetOptions::default());
        for key in keys {
            let (by_file, by_pack) =
                (store.session(key, &vocabulary()).expect("there"), set.get(key).expect("there"));
            for _ in 0..3 {
                assert_alike(&by_file, &by_pack);
            }
            let path = folder.path().join("out.gcg");
            by_pack.artifact().save(&path).expect("saved");
            assert_eq!(fs::read(path).expect("read"), by_file.artifact().bytes());
            // By itself, a file in a pack is refused: it has no base bitmaps.
            let bytes = by_pack.artifact().bytes().to_vec();
            let error = Session::from_bytes("taken", bytes, &vocabulary()).expect_err("refused").to_string();
            assert!(error.contains("feature"), "{error}");
        }
        assert!(set.get(Key([1; 32])).is_err());
    }

    /// No flipped bit goes unnoticed, and none makes anything panic.
    #[test]
    fn damaged_packs_are_refused() {
        let (folder, _, keys, bytes) = packed();
        let header = PackView::open(&bytes).expect("intact").header().to_owned();
        let index = header.index_offset as usize;
        let places =
            (0..PackHeader::SIZE).chain(index..bytes.len()).chain((0..index).step_by(bytes.len() / 400));
        for at in places {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            let opened = Store::open(&write(&folder, &damaged), None);
            let all = opened.and_then(|store| {
                keys.iter().try_for_each(|key| store.session(*key, &vocabulary()).map(drop))
            });
            assert!(all.is_err() || is_gap(&bytes, at), "byte {at}");
        }
        for length in [0, 3, 100, bytes.len() / 2, bytes.len() - 1] {
            assert!(Pack::open(Path::new(&write(&folder, &bytes[..length]))).is_err(), "{length} bytes");
        }
    }

    /// Whether a byte lies between two parts of a pack.
    fn is_gap(bytes: &[u8], at: usize) -> bool {
        let view = PackView::open(bytes).expect("intact");
        let header = view.header();
        let bases = header.bases_offset as usize..(header.bases_offset + header.bases_length) as usize;
        let mut parts =
            view.entries().map(|entry| entry.offset as usize..(entry.offset + entry.length) as usize);
        let ends = at < PackHeader::SIZE || at >= header.index_offset as usize;
        !ends && !bases.contains(&at) && !parts.any(|part| part.contains(&at))
    }
}
