//! Opens a container and hands out its sections.
//!
//! Opening takes time in the number of sections, not in their size: it checks header, directory, layout and
//! gaps. A section is compared with its checksum whenever it is handed out.

use super::header::{DirectoryEntry, FileKind, Header, KNOWN_FEATURES, MAGIC, MAJOR, align, checksum};
use super::section::Section;
use crate::error::ArtifactError;
use crate::wire::{self, Numbers, U16, U32};

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
    /// Opens the bytes of a file: checks the header, the directory and the layout.
    ///
    /// # Errors
    /// An error for each way in which the bytes are not an intact container of this kind and version.
    pub fn open(bytes: &'a [u8], kind: FileKind) -> Result<Self, ArtifactError> {
        let header = check_header(bytes, bytes.len() as u64, kind)?;
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
        self.section(section).map(|(bytes, _)| bytes)
    }

    /// The shorts of a section, checked against its checksum.
    ///
    /// # Errors
    /// The section is missing, damaged, or not an array of shorts.
    pub(crate) fn shorts(&self, section: &Section) -> Result<&'a [U16], ArtifactError> {
        wire::shorts(self.bytes(section)?).ok_or(malformed(section, "it ends within a short"))
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
        let (bytes, width) = self.section(section)?;
        Numbers::read(bytes, width).ok_or(malformed(section, "it ends within a number"))
    }

    /// The bytes of a section, and the size of an element.
    fn section(&self, section: &Section) -> Result<(&'a [u8], u32), ArtifactError> {
        let missing = ArtifactError::MissingSection { section: section.name };
        let entry = self.entries().find(|entry| entry.kind == section.kind).ok_or(missing)?;
        if !section.element.may_take(entry.element_size) {
            return Err(malformed(section, "its elements have another size"));
        }
        Ok((self.checked(&entry)?, entry.element_size))
    }

    /// Compares every section with its checksum, including sections that this reader does not know.
    ///
    /// # Errors
    /// [`ArtifactError::SectionChecksum`] for the first section that is damaged.
    pub fn verify(&self) -> Result<(), ArtifactError> {
        self.entries().try_for_each(|entry| self.checked(&entry).map(|_| ()))
    }

    fn checked(&self, entry: &DirectoryEntry) -> Result<&'a [u8], ArtifactError> {
        // `check_layout` has found that the range lies in `bytes`.
        let section = &self.bytes[entry.offset as usize..][..entry.length as usize];
        if checksum(section) != entry.checksum {
            return Err(ArtifactError::SectionChecksum { kind: entry.kind });
        }
        Ok(section)
    }

    /// Checks that the directory has the form that the writer gives it, and that the gaps are zero.
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
            // Both bounds are at most `header.length`, which is the length of a slice.
            if self.bytes[end as usize..entry.offset.min(section_end) as usize].iter().any(|&byte| byte != 0)
            {
                return bad("the gap before the section is not zero");
            }
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
    let unknown = header.required_features & !KNOWN_FEATURES;
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
