//! Opens a container and hands out its sections.
//!
//! Opening takes time in the number of sections, not in their size: it reads header and directory only. A section is
//! compared with its checksum whenever it is handed out, but for the tables of a grammar, which are handed out as
//! they are stored, and are compared by [`GrammarView::verify`](crate::GrammarView::verify).

use super::header::{DirectoryEntry, FileKind, Header, KNOWN_FEATURES, MAGIC, MAJOR, align, checksum};
use super::section::Section;
use crate::error::ArtifactError;
use crate::wire::{self, Numbers, U32};

/// The bytes of a file whose header, directory and layout were checked.
#[derive(Clone, Copy, Debug)]
pub struct Container<'a> {
    bytes: &'a [u8],
    header: Header,
    /// `header.section_count` entries in the form described in the [module docs](super). The range of each
    /// lies in `bytes`.
    directory: &'a [u8],
}

impl<'a> Container<'a> {
    /// Opens the bytes of a file: checks the header, the directory and the layout. Nothing behind the directory is
    /// read.
    ///
    /// # Errors
    /// An error for each way in which the bytes are not an intact container of this kind and version.
    pub fn open(bytes: &'a [u8], kind: FileKind) -> Result<Self, ArtifactError> {
        Self::open_with(bytes, kind, 0)
    }

    /// Opens the bytes of a file that may require these features, too.
    pub(crate) fn open_with(bytes: &'a [u8], kind: FileKind, features: u64) -> Result<Self, ArtifactError> {
        let header = check_header_with(bytes, bytes.len() as u64, kind, KNOWN_FEATURES | features)?;
        let directory = read_directory(bytes, &header)?;
        let container = Self { bytes, header, directory };
        container.check_layout()?;
        Ok(container)
    }

    /// The header.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The entries of the directory.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = DirectoryEntry> + use<'a> {
        self.directory.as_chunks().0.iter().map(DirectoryEntry::read)
    }

    /// The bytes of a section, checked against its checksum.
    ///
    /// # Errors
    /// The section is missing, damaged, or not an array of bytes.
    pub fn bytes(&self, section: &Section) -> Result<&'a [u8], ArtifactError> {
        self.check(section)?;
        self.stored(section).map(|(bytes, _)| bytes)
    }

    /// The words of a section, checked against its checksum.
    ///
    /// # Errors
    /// The section is missing, damaged, or not an array of words.
    pub fn words(&self, section: &Section) -> Result<&'a [U32], ArtifactError> {
        wire::words(self.bytes(section)?).ok_or(malformed(section, "it ends within a word"))
    }

    /// The numbers of a section, checked against its checksum.
    ///
    /// # Errors
    /// The section is missing, damaged, or not an array of numbers.
    pub fn numbers(&self, section: &Section) -> Result<Numbers<'a>, ArtifactError> {
        self.check(section)?;
        let (bytes, width) = self.stored(section)?;
        Numbers::read(bytes, width).ok_or(malformed(section, "it ends within a number"))
    }

    /// The bytes of a section as they are stored, and the size of an element.
    pub(crate) fn stored(&self, section: &Section) -> Result<(&'a [u8], u32), ArtifactError> {
        let entry = self.entry(section)?;
        if !section.element.may_take(entry.element_size) {
            return Err(malformed(section, "its elements have another size"));
        }
        Ok((self.content(&entry), entry.element_size))
    }

    /// Compares a section with its checksum.
    pub(crate) fn check(&self, section: &Section) -> Result<(), ArtifactError> {
        self.check_entry(&self.entry(section)?)
    }

    /// Checks every byte: compares every section with its checksum, including sections that this reader does not
    /// know, and the gaps between them with zero.
    ///
    /// # Errors
    /// [`ArtifactError::SectionChecksum`] for the first section that is damaged;
    /// [`ArtifactError::MalformedDirectory`] for a gap.
    pub fn verify(&self) -> Result<(), ArtifactError> {
        self.check_gaps()?;
        self.entries().try_for_each(|entry| self.check_entry(&entry))
    }

    fn check_entry(&self, entry: &DirectoryEntry) -> Result<(), ArtifactError> {
        match checksum(self.content(entry)) == entry.checksum {
            true => Ok(()),
            false => Err(ArtifactError::SectionChecksum { kind: entry.kind }),
        }
    }

    /// The entry of a section. `check_layout` has found that the kinds ascend.
    fn entry(&self, section: &Section) -> Result<DirectoryEntry, ArtifactError> {
        let entries = self.directory.as_chunks().0;
        let found = entries.binary_search_by_key(&section.kind, |entry| DirectoryEntry::read(entry).kind);
        let missing = ArtifactError::MissingSection { section: section.name };
        found.map(|index| DirectoryEntry::read(&entries[index])).map_err(|_| missing)
    }

    /// The bytes of an entry. `check_layout` has found that they lie in the file.
    pub(super) fn content(&self, entry: &DirectoryEntry) -> &'a [u8] {
        &self.bytes[entry.offset as usize..][..entry.length as usize]
    }

    /// Checks that the bytes between directory and sections are zero.
    pub(crate) fn check_gaps(&self) -> Result<(), ArtifactError> {
        let mut end = Header::SIZE + self.directory.len();
        for (index, entry) in self.entries().enumerate() {
            let start = entry.offset as usize;
            if self.bytes[end..start].iter().any(|&byte| byte != 0) {
                let problem = "the gap before the section is not zero";
                return Err(ArtifactError::MalformedDirectory { entry: index, problem });
            }
            end = start + entry.length as usize;
        }
        Ok(())
    }

    /// Checks that the directory has the form that the writer gives it.
    fn check_layout(&self) -> Result<(), ArtifactError> {
        let mut end = (Header::SIZE + self.directory.len()) as u64;
        let mut previous = None;
        for (index, entry) in self.entries().enumerate() {
            let bad = |problem| Err(ArtifactError::MalformedDirectory { entry: index, problem });
            if previous.is_some_and(|kind| kind >= entry.kind) {
                return bad("the kinds do not ascend");
            }
            if align(end) != Some(entry.offset) {
                return bad("the section is not at the next multiple of 64");
            }
            let section_end = entry.offset.checked_add(entry.length);
            let Some(section_end) = section_end.filter(|&end| end <= self.header.length) else {
                return bad("the section ends after the file");
            };
            end = section_end;
            previous = Some(entry.kind);
        }
        if end != self.header.length {
            let entry = self.header.section_count as usize;
            return Err(ArtifactError::MalformedDirectory {
                entry,
                problem: "the file continues after the last section",
            });
        }
        Ok(())
    }
}

fn malformed(section: &Section, problem: &'static str) -> ArtifactError {
    ArtifactError::MalformedTable { table: section.name, index: 0, problem }
}

/// Reads the header from the first bytes of a file of `length` bytes, so that a file can be refused before the
/// rest of it is read. Checks, in this order: magic, kind, major version, checksum, features, length.
///
/// # Errors
/// An error for each way in which the file cannot be an intact container of this kind and version.
pub fn check_header(start: &[u8], length: u64, kind: FileKind) -> Result<Header, ArtifactError> {
    check_header_with(start, length, kind, KNOWN_FEATURES)
}

fn check_header_with(
    start: &[u8],
    length: u64,
    kind: FileKind,
    features: u64,
) -> Result<Header, ArtifactError> {
    let known = start.len().min(MAGIC.len());
    if start[..known] != MAGIC[..known] {
        return Err(ArtifactError::NotAContainer);
    }
    let Some((raw, _)) = start.split_first_chunk::<{ Header::SIZE }>() else {
        return Err(ArtifactError::Truncated { expected: Header::SIZE as u64, actual: length });
    };
    let header = Header::read(raw);
    if header.kind != kind.tag() {
        return Err(ArtifactError::WrongKind { expected: kind.tag(), found: header.kind });
    }
    if header.major != MAJOR {
        return Err(ArtifactError::OtherMajor { found: header.major, supported: MAJOR });
    }
    if checksum(&raw[..Header::SIZE - size_of::<u64>()]) != header.header_checksum {
        return Err(ArtifactError::HeaderChecksum);
    }
    let unknown = header.required_features & !features;
    if unknown != 0 {
        return Err(ArtifactError::UnknownFeature { bits: unknown });
    }
    let expected = header.length;
    match length.cmp(&expected) {
        core::cmp::Ordering::Less => Err(ArtifactError::Truncated { expected, actual: length }),
        core::cmp::Ordering::Equal => Ok(header),
        core::cmp::Ordering::Greater => Err(ArtifactError::TrailingBytes { expected, actual: length }),
    }
}

fn read_directory<'a>(bytes: &'a [u8], header: &Header) -> Result<&'a [u8], ArtifactError> {
    let length = u64::from(header.section_count) * DirectoryEntry::SIZE as u64;
    let rest = &bytes[Header::SIZE..];
    let directory = usize::try_from(length).ok().and_then(|length| rest.get(..length));
    let missing =
        ArtifactError::Truncated { expected: length + Header::SIZE as u64, actual: bytes.len() as u64 };
    let directory = directory.ok_or(missing)?;
    if checksum(directory) != header.directory_checksum {
        return Err(ArtifactError::DirectoryChecksum);
    }
    Ok(directory)
}
