//! Lays out sections to the bytes of a container.

use std::collections::BTreeMap;

use super::header::{DirectoryEntry, FileKind, Fingerprints, Header, MAGIC, MAJOR, MINOR, align, checksum};
use super::reader::Container;
use super::section::{Section, SectionElement};
use crate::wire::Numbers;

/// Collects sections and lays them out. The same sections give the same bytes, in whatever order they are
/// added.
///
/// Adding a section twice replaces it.
#[derive(Clone, Debug)]
pub struct ContainerWriter {
    kind: FileKind,
    fingerprints: Fingerprints,
    scratch: [u32; 2],
    minor: u16,
    required_features: u64,
    /// Per kind: the size of an element, and the bytes.
    sections: BTreeMap<u32, (u32, Vec<u8>)>,
}

impl ContainerWriter {
    /// Makes a writer without sections.
    #[must_use]
    pub fn new(kind: FileKind, fingerprints: Fingerprints) -> Self {
        let sections = BTreeMap::new();
        Self { kind, fingerprints, scratch: [0; 2], minor: MINOR, required_features: 0, sections }
    }

    /// Makes a writer with the sections of a file, which gives the same file again.
    #[must_use]
    pub fn of(container: &Container<'_>, kind: FileKind) -> Self {
        let header = container.header();
        let (grammar, vocabulary) = (header.grammar, header.vocabulary);
        let fingerprints = Fingerprints { grammar, vocabulary, options: header.options, key: header.key };
        let sections = container
            .entries()
            .map(|entry| (entry.kind, (entry.element_size, container.content(&entry).to_vec())));
        Self {
            kind,
            fingerprints,
            scratch: [header.scratch_minimum, header.scratch_recommended],
            minor: header.minor,
            required_features: header.required_features,
            sections: sections.collect(),
        }
    }

    /// Removes a section.
    pub fn remove(&mut self, section: &Section) {
        self.sections.remove(&section.kind);
    }

    /// Sets the sizes of scratch that the header recommends, in 32-bit words.
    pub fn set_scratch(&mut self, minimum: u32, recommended: u32) {
        self.scratch = [minimum, recommended];
    }

    /// Adds features without which the file cannot be read.
    pub fn require(&mut self, features: u64) {
        self.required_features |= features;
    }

    /// Takes back features that the file does not need any more.
    pub fn no_longer_require(&mut self, features: u64) {
        self.required_features &= !features;
    }

    /// Adds a section of bytes.
    pub fn add_bytes(&mut self, section: &Section, bytes: Vec<u8>) {
        debug_assert_eq!(section.element, SectionElement::Byte, "{}", section.name);
        self.sections.insert(section.kind, (1, bytes));
    }

    /// Adds a section of shorts. Panics if a number is 2^16 or more.
    pub fn add_shorts(&mut self, section: &Section, numbers: &[u32]) {
        debug_assert_eq!(section.element, SectionElement::Short, "{}", section.name);
        let short = |&number: &u32| u16::try_from(number).expect("a number less than 2^16");
        let bytes = numbers.iter().flat_map(|number| short(number).to_le_bytes()).collect();
        self.sections.insert(section.kind, (2, bytes));
    }

    /// Adds a section of words.
    pub fn add_words(&mut self, section: &Section, words: &[u32]) {
        debug_assert_eq!(section.element, SectionElement::Word, "{}", section.name);
        let bytes = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.sections.insert(section.kind, (4, bytes));
    }

    /// Adds a section of numbers, in one or two bytes each if all of them fit, else in four.
    pub fn add_numbers(&mut self, section: &Section, numbers: &[u32]) {
        debug_assert_eq!(section.element, SectionElement::Number, "{}", section.name);
        let width = Numbers::width_for(numbers);
        let bytes = match width {
            // 2^32 - 1 is stored as 2^8 - 1 and 2^16 - 1.
            1 => numbers.iter().map(|number| *number as u8).collect(),
            2 => numbers.iter().flat_map(|number| (*number as u16).to_le_bytes()).collect(),
            _ => numbers.iter().flat_map(|number| number.to_le_bytes()).collect(),
        };
        self.sections.insert(section.kind, (width, bytes));
    }

    /// Returns the bytes of the file.
    #[must_use]
    pub fn finish(&self) -> Vec<u8> {
        let directory = self.directory();
        let length = directory.last().map_or(0, |last| last.offset + last.length);
        let mut file = Vec::with_capacity(usize::try_from(length).expect("a file fits in memory"));
        file.resize(Header::SIZE, 0);
        file.extend(directory.iter().flat_map(DirectoryEntry::write));
        let directory_checksum = checksum(&file[Header::SIZE..]);
        for (entry, (_, bytes)) in directory.iter().zip(self.sections.values()) {
            file.resize(entry.offset as usize, 0);
            file.extend_from_slice(bytes);
        }
        let header = self.header(file.len(), directory_checksum);
        file[..Header::SIZE].copy_from_slice(&header);
        file
    }

    fn directory(&self) -> Vec<DirectoryEntry> {
        let mut end = (Header::SIZE + self.sections.len() * DirectoryEntry::SIZE) as u64;
        let place = |(&kind, &(element_size, ref bytes)): (&u32, &(u32, Vec<u8>))| {
            let offset = align(end).expect("a file is shorter than 2^64 bytes");
            let length = bytes.len() as u64;
            end = offset + length;
            DirectoryEntry { kind, element_size, offset, length, checksum: checksum(bytes) }
        };
        self.sections.iter().map(place).collect()
    }

    fn header(&self, length: usize, directory_checksum: u64) -> [u8; Header::SIZE] {
        let mut header = Header {
            magic: MAGIC,
            kind: self.kind.tag(),
            major: MAJOR,
            minor: self.minor,
            section_count: u32::try_from(self.sections.len()).expect("section kinds are 32-bit numbers"),
            required_features: self.required_features,
            optional_features: 0,
            length: length as u64,
            grammar: self.fingerprints.grammar,
            vocabulary: self.fingerprints.vocabulary,
            options: self.fingerprints.options,
            scratch_minimum: self.scratch[0],
            scratch_recommended: self.scratch[1],
            key: self.fingerprints.key,
            directory_checksum,
            header_checksum: 0,
        };
        let bytes = header.write();
        header.header_checksum = checksum(&bytes[..Header::SIZE - size_of::<u64>()]);
        header.write()
    }
}
