//! The artifact: a compiled grammar with its metadata, in memory or in a file, as it is or compressed for shipping.
//!
//! A compressed artifact is the plain one as a single zstd frame. It cannot be mapped: the receiver expands it once.

use crate::artifacts::key::{self, Key};
use crate::artifacts::pack::Pack;
use crate::artifacts::packing::Packing;
use crate::artifacts::seal::Seal;
use crate::error::{Error, ErrorKind};
use crate::files::bytes::Bytes;
use crate::files::frame;
use crate::files::mapped::{Expected, MapError, Mapped, map, map_opened};
use crate::files::output;
use crate::files::verified::FileVersion;
use crate::metadata::{Metadata, MetadataError};
use crate::sources::source::{is_stdin, read_bytes};
use gcc_grammar_artifact::container::check_header;
use gcc_grammar_artifact::grammar::{
    COMPLETION, COMPLETION_SECTIONS, COSTS, COUNTER_NEEDED, COUNTER_PLACES, COUNTER_STATES, COUNTER_TOKENS,
    DISTINCT, LIMITS, META, METADATA, PACK_BASES, SECTIONS, SHARED_BASES, VOCABULARY,
};
use gcc_grammar_artifact::{ArtifactError, FileKind, Fingerprints, GrammarTables, Header, Section};
use gcc_grammar_compiler::Compiled;
use gcc_grammar_files::SharedFolder;
use gcc_grammar_ir::{Code, Diagnostic};
use gcc_grammar_vocabulary::Vocabulary;
use std::borrow::Cow;
use std::fmt;
use std::io::Read;
use std::path::Path;

pub use crate::files::mapped::MAX_BYTES;
pub use gcc_grammar_artifact::GrammarView;
pub use gcc_grammar_artifact::grammar::bound;

/// The first bytes of every zstd frame.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// An artifact in memory: compiled, read or mapped.
#[derive(Debug)]
pub struct Artifact {
    name: String,
    bytes: Bytes,
    compressed: Option<usize>,
    /// Somebody vouches for the content.
    is_trusted: bool,
}

impl Artifact {
    pub(crate) fn new(name: &str, bytes: Vec<u8>) -> Self {
        Self::with(name, Bytes::Owned(bytes))
    }

    fn with(name: &str, bytes: Bytes) -> Self {
        Self { name: name.to_owned(), bytes, compressed: None, is_trusted: false }
    }

    /// Maps an artifact file; `-` is the standard input. A compressed artifact is expanded. Nothing but the header is
    /// validated yet.
    ///
    /// # Errors
    /// The file cannot be read or is no regular file; its header is not that of an artifact of this length; it is larger than
    /// 512 MiB; it is compressed and damaged.
    pub fn open(path: &Path) -> Result<Self, Error> {
        if is_stdin(path) {
            return Self::from_bytes("<stdin>", read_bytes(path)?);
        }
        Self::mapped(&path.display().to_string(), |expected| map(path, expected))
    }

    /// Maps an artifact file of a store, in which no link is followed; as [`open`](Self::open) otherwise. `below` is its path in the store.
    pub fn open_shared(store: &SharedFolder, below: &str) -> Result<Self, Error> {
        let map = |expected: &Expected| map_opened(store.open(below)?, expected);
        Self::mapped(&store.path(below).display().to_string(), map)
    }

    fn mapped(name: &str, map: impl FnOnce(&Expected) -> Result<Mapped, MapError>) -> Result<Self, Error> {
        match map(&Expected { kind: FileKind::Grammar, or: is_compressed }) {
            Ok(mapped) => Self::with(name, Bytes::Mapped(mapped)).expanded(),
            Err(MapError::Read(error)) => Err(Error::read(name, error)),
            Err(MapError::Header(error)) => Err(Error::artifact(name, error)),
        }
    }

    /// Opens an artifact file whose signature, in the file with `.minisig` after its name, the seal trusts. It is the signature of the
    /// expanded artifact.
    ///
    /// # Errors
    /// As [`open`](Self::open), and if there is no valid signature.
    pub fn open_sealed(path: &Path, seal: &Seal) -> Result<Self, Error> {
        let artifact = Self::open(path)?;
        seal.check_file(artifact.name(), artifact.bytes(), path)?;
        Ok(artifact)
    }

    /// Takes the bytes of an artifact; `name` is for errors. A compressed artifact is expanded. Nothing is validated yet.
    ///
    /// # Errors
    /// The bytes are compressed and damaged.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Self, Error> {
        Self::new(name, bytes).expanded()
    }

    /// Vouches for the content: it came with a signature, say, or the storage compares it. Then only header and
    /// directory are compared with their checksums, which takes the same time for artifacts of all sizes. If the
    /// content is damaged all the same, masks are wrong, but nothing panics.
    #[must_use]
    pub fn trusted(self) -> Self {
        Self { is_trusted: true, ..self }
    }

    fn expanded(mut self) -> Result<Self, Error> {
        if !is_compressed(self.bytes()) {
            return Ok(self);
        }
        let expanded = expand(self.bytes()).map(Cow::into_owned).map_err(|error| self.expand_error(error))?;
        self.compressed = Some(self.bytes().len());
        self.bytes = Bytes::Owned(expanded);
        Ok(self)
    }

    fn expand_error(&self, error: ExpandError) -> Error {
        match error {
            ExpandError::Header(error) => Error::artifact(&self.name, error),
            ExpandError::TooLarge => Error::too_large(self.name.as_str(), MAX_BYTES),
            ExpandError::Damaged => {
                let diagnostic =
                    Diagnostic::error(Code::DamagedArtifact, error.to_string()).help("fetch it again");
                Error::new(ErrorKind::Refused, self.name.as_str(), diagnostic)
            }
        }
    }

    /// The name of the file, or of the source.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The bytes of the artifact, expanded. Those of an artifact in a [pack](crate::Pack) lack the base bitmaps.
    #[must_use]
    #[doc(alias = "to_bytes")]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes of the file, if it is compressed.
    #[must_use]
    pub fn compressed_bytes(&self) -> Option<usize> {
        self.compressed
    }

    /// The bytes of the file that [`save`](Self::save) would write.
    ///
    /// # Errors
    /// The artifact is in a pack, and damaged.
    pub fn file_bytes(&self) -> Result<Cow<'_, [u8]>, Error> {
        match self.bytes {
            Bytes::Packed(..) => self.unpacked().map(Cow::Owned),
            _ => Ok(Cow::Borrowed(self.bytes())),
        }
    }

    /// Writes the artifact to a file; an existing file is replaced as a whole or stays as it was.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        output::write(path, &self.file_bytes()?)
    }

    /// The bytes of an artifact in a pack, by itself again.
    fn unpacked(&self) -> Result<Vec<u8>, Error> {
        self.grammar()?.to_unpacked().map_err(|error| self.error(error))
    }

    /// Verifies the artifact and gives a view of its tables. The content of a file is read once per process, as long as the
    /// file is not changed, and that of a [trusted](Self::trusted) artifact never.
    ///
    /// # Errors
    /// The bytes are no artifact, damaged, or of another format version.
    pub fn grammar(&self) -> Result<GrammarView<'_>, Error> {
        let view = match &self.bytes {
            Bytes::Packed(pack, _) => GrammarView::open_packed(self.bytes(), pack.bases()),
            _ => GrammarView::open_trusted(self.bytes()),
        };
        let view = view.map_err(|error| self.error(error))?;
        if !self.is_known(&view) {
            self.verify(&view).map_err(|error| self.error(error))?;
        }
        Ok(view)
    }

    /// Whether the content need not be read: it is trusted, or was verified before.
    fn is_known(&self, view: &GrammarView<'_>) -> bool {
        let checksum = view.container().header().header_checksum;
        self.is_trusted || self.version().is_some_and(|version| version.is_verified(checksum))
    }

    /// Verifies the tables, which `view` shows, also if the artifact is trusted.
    pub(crate) fn verify(&self, view: &GrammarView<'_>) -> Result<(), ArtifactError> {
        view.verify()?;
        if let Some(version) = self.version() {
            version.set_verified(view.container().header().header_checksum);
        }
        Ok(())
    }

    fn version(&self) -> Option<FileVersion> {
        match self.bytes {
            Bytes::Mapped(Mapped { version, .. }) => version,
            Bytes::Owned(_) | Bytes::Packed(..) => None,
        }
    }

    /// The metadata of the artifact.
    ///
    /// # Errors
    /// The metadata is of another version, with which `grammar` still opens; or it is damaged, and the artifact is trusted.
    pub fn metadata(&self, grammar: &GrammarView<'_>) -> Result<Metadata, MetadataError> {
        let section = grammar.container().bytes(&METADATA);
        Metadata::decode(section.map_err(|_| MetadataError::Malformed)?)
    }

    /// The error that the artifact cannot be used.
    #[must_use]
    pub fn error(&self, error: ArtifactError) -> Error {
        Error::artifact(&self.name, error)
    }
}

impl Pack {
    /// The artifact with a key; none if the pack does not have it. Nothing of its content is verified yet.
    #[must_use]
    pub fn artifact(&self, key: Key) -> Option<Artifact> {
        let bytes = self.view().artifact(&key.0)?;
        let start = bytes.as_ptr().addr() - self.bytes().as_ptr().addr();
        let bytes = Bytes::Packed(self.clone(), start..start + bytes.len());
        Some(Artifact::with(&format!("{}/{key}", self.name()), bytes))
    }
}

/// The name of a kind of section; its number in hexadecimal if this version does not know it.
#[must_use]
pub fn section_name(kind: u32) -> String {
    let single = [
        METADATA,
        VOCABULARY,
        PACK_BASES,
        SHARED_BASES,
        LIMITS,
        COUNTER_STATES,
        COUNTER_PLACES,
        COUNTER_NEEDED,
        COUNTER_TOKENS,
        DISTINCT,
        META,
        COSTS,
        COMPLETION,
    ]
    .into_iter();
    let known = single.chain(SECTIONS.iter().copied()).chain(COMPLETION_SECTIONS.iter().copied());
    let found: Option<Section> = known.into_iter().find(|section| section.kind == kind);
    found.map_or_else(|| format!("{kind:#x}"), |section| section.name.to_owned())
}

/// The bytes of the artifact, for the vocabulary that the grammar was compiled for.
pub(crate) fn write(
    compiled: &Compiled,
    vocabulary: &Vocabulary,
    metadata: &Metadata,
    packing: Packing,
) -> Vec<u8> {
    let options = metadata.options_fingerprint();
    let fingerprints = key::fingerprints(&metadata.source, options, vocabulary, packing);
    let (tables, metadata) = (&compiled.tables, metadata.encode());
    match packing {
        Packing::Referenced => tables.write(fingerprints, metadata),
        Packing::SelfContained => {
            tables.write_self_contained(fingerprints, metadata, vocabulary.to_small_artifact())
        }
    }
}

/// The tables of a grammar whose masks are made on demand. They have no metadata, and no artifact can be opened from them alone.
pub(crate) fn parser_tables(tables: &GrammarTables, vocabulary: &Vocabulary) -> Vec<u8> {
    let fingerprints = Fingerprints { vocabulary: vocabulary.fingerprint(), ..Fingerprints::default() };
    tables.write(fingerprints, Vec::new())
}

/// The vocabulary file inside an artifact, if it is self-contained.
///
/// # Errors
/// The section is damaged.
pub fn embedded_vocabulary<'a>(grammar: &GrammarView<'a>) -> Result<Option<&'a [u8]>, ArtifactError> {
    match grammar.container().bytes(&VOCABULARY) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(ArtifactError::MissingSection { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The artifact compressed for shipping, `level` from 1 (fast) to 22 (small). Equal inputs give equal bytes. In WebAssembly it is packed, but
/// not compressed.
///
/// # Panics
/// Never: memory is the only source and sink.
#[must_use]
pub fn compress(artifact: &[u8], level: i32) -> Vec<u8> {
    frame::pack(artifact, level)
}

/// Whether [`expand`] would have to do anything.
#[must_use]
pub fn is_compressed(bytes: &[u8]) -> bool {
    bytes.starts_with(&ZSTD_MAGIC)
}

/// A compressed artifact that cannot be expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ExpandError {
    /// Not an intact zstd frame that says how long its content is.
    Damaged,
    /// It expands to more bytes than are read from a file.
    TooLarge,
    /// What it expands to does not begin like an artifact of this length.
    Header(ArtifactError),
}

impl fmt::Display for ExpandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged => f.write_str("damaged: it is compressed, and cannot be expanded"),
            Self::TooLarge => write!(f, "it expands to more than {MAX_BYTES} bytes"),
            Self::Header(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ExpandError {}

impl From<MetadataError> for Error {
    fn from(error: MetadataError) -> Self {
        let diagnostic = Diagnostic::error(Code::OtherFormat, error.to_string());
        Self::new(ErrorKind::Refused, "metadata", diagnostic.help("compile it again")).caused_by(error)
    }
}

impl From<ExpandError> for Error {
    fn from(error: ExpandError) -> Self {
        let diagnostic = Diagnostic::error(Code::DamagedArtifact, error.to_string());
        Self::new(ErrorKind::Refused, "artifact", diagnostic).caused_by(error)
    }
}

/// The plain artifact: `bytes` themselves, or what they expand to. The length that a frame announces is checked, and then
/// the header, before the rest is expanded.
///
/// # Errors
/// [`ExpandError`].
pub fn expand(bytes: &[u8]) -> Result<Cow<'_, [u8]>, ExpandError> {
    if !is_compressed(bytes) {
        return Ok(Cow::Borrowed(bytes));
    }
    let length = frame::content_size(bytes).ok_or(ExpandError::Damaged)?;
    if length > MAX_BYTES {
        return Err(ExpandError::TooLarge);
    }
    let mut decoder = frame::reader(bytes).map_err(|_| ExpandError::Damaged)?;
    let mut plain = Vec::new();
    let mut read = |plain: &mut Vec<u8>, most: u64| {
        decoder.by_ref().take(most).read_to_end(plain).map_err(|_| ExpandError::Damaged)
    };
    read(&mut plain, Header::SIZE as u64)?;
    check_header(&plain, length, FileKind::Grammar).map_err(ExpandError::Header)?;
    plain.reserve_exact(length as usize - plain.len());
    // One byte more than announced shows that there is more.
    read(&mut plain, length + 1 - Header::SIZE as u64)?;
    if plain.len() as u64 == length { Ok(Cow::Owned(plain)) } else { Err(ExpandError::Damaged) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressed_and_expanded_it_is_the_same() {
        let fingerprints = Fingerprints::default();
        let plain = gcc_grammar_artifact::GrammarTables::default().write(fingerprints, vec![7; 1000]);
        let packed = compress(&plain, 19);
        assert!(packed.len() < plain.len() && is_compressed(&packed) && !is_compressed(&plain));
        assert_eq!(expand(&packed).as_deref(), Ok(plain.as_slice()));
        assert_eq!(expand(&plain).as_deref(), Ok(plain.as_slice()));
        assert_eq!(expand(&packed[..packed.len() - 1]), Err(ExpandError::Damaged));
    }

    /// A few kilobytes that expand to gigabytes of zeros: nothing of them is expanded but the first bytes.
    #[test]
    fn bombs_are_refused_by_length_and_header() {
        let bomb = |length: u64| {
            let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
            encoder.set_pledged_src_size(Some(length)).unwrap();
            std::io::copy(&mut std::io::repeat(0).take(length), &mut encoder).unwrap();
            encoder.finish().unwrap()
        };
        assert_eq!(expand(&bomb(MAX_BYTES + 1)), Err(ExpandError::TooLarge));
        assert_eq!(expand(&bomb(1 << 24)), Err(ExpandError::Header(ArtifactError::NotAContainer)));
        assert_eq!(expand(&bomb(3)), Err(ExpandError::Header(ArtifactError::NotAContainer)));
        let silent = zstd::encode_all(std::io::repeat(0).take(1 << 24), 1).unwrap();
        assert_eq!(expand(&silent), Err(ExpandError::Damaged));
    }

    #[test]
    fn expanded_lengths_are_those_of_the_header_and_the_frame() {
        let plain =
            gcc_grammar_artifact::GrammarTables::default().write(Fingerprints::default(), vec![7; 1000]);
        for other in [plain[..plain.len() - 1].to_vec(), [&plain[..], &[0]].concat(), plain[..100].to_vec()] {
            assert!(matches!(expand(&compress(&other, 1)), Err(ExpandError::Header(_))));
        }
        let two_frames = [compress(&plain, 1), compress(b"more", 1)].concat();
        assert_eq!(expand(&two_frames), Err(ExpandError::Damaged));
    }
}
