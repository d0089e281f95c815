//! Containers are read as they were written, and every fault of a container gives its own error.

use gcc_grammar_artifact::container::{DirectoryEntry, FileKind, MAJOR, checksum};
use gcc_grammar_artifact::{
    ArtifactError, Container, ContainerWriter, Fingerprints, Header, Section, SectionElement,
};

const NUMBERS: Section = section(7, "numbers", SectionElement::Word);
const TEXT: Section = section(3, "text", SectionElement::Byte);
const EMPTY: Section = section(9, "empty", SectionElement::Word);

const fn section(kind: u32, name: &'static str, element: SectionElement) -> Section {
    Section { kind, name, element, doc: "" }
}

fn sample() -> Vec<u8> {
    let fingerprints = Fingerprints { grammar: [1; 32], vocabulary: [2; 32], options: [3; 32], key: [4; 32] };
    let mut writer = ContainerWriter::new(FileKind::Grammar, fingerprints);
    writer.set_scratch(10, 20);
    writer.add_words(&NUMBERS, &[1, 2, 0xdead_beef]);
    writer.add_bytes(&TEXT, b"hello".to_vec());
    writer.add_words(&EMPTY, &[]);
    writer.finish()
}

fn open(bytes: &[u8]) -> Result<Container<'_>, ArtifactError> {
    Container::open(bytes, FileKind::Grammar)
}

/// The sample with a changed header and correct checksums.
fn with_header(change: impl Fn(&mut Header)) -> Vec<u8> {
    let mut bytes = sample();
    let mut header = Header::read(bytes.first_chunk().expect("a header"));
    change(&mut header);
    header.header_checksum = checksum(&header.write()[..Header::SIZE - 8]);
    bytes[..Header::SIZE].copy_from_slice(&header.write());
    bytes
}

/// The sample with a changed directory entry and correct checksums.
fn with_entry(index: usize, change: impl Fn(&mut DirectoryEntry)) -> Vec<u8> {
    let mut bytes = sample();
    let start = Header::SIZE + index * DirectoryEntry::SIZE;
    let mut entry = DirectoryEntry::read(bytes[start..].first_chunk().expect("an entry"));
    change(&mut entry);
    bytes[start..][..DirectoryEntry::SIZE].copy_from_slice(&entry.write());
    let directory = checksum(&bytes[Header::SIZE..][..3 * DirectoryEntry::SIZE]);
    let header = with_header(|header| header.directory_checksum = directory);
    bytes[..Header::SIZE].copy_from_slice(&header[..Header::SIZE]);
    bytes
}

#[test]
fn sections_are_read_as_written() {
    let bytes = sample();
    let container = open(&bytes).expect("valid");
    assert_eq!(container.bytes(&TEXT), Ok(&b"hello"[..]));
    let numbers = container.words(&NUMBERS).expect("there");
    assert!(numbers.iter().map(|word| word.get()).eq([1, 2, 0xdead_beef]));
    assert!(container.words(&EMPTY).expect("there").is_empty());
    assert_eq!(container.verify(), Ok(()));
    let header = container.header();
    assert_eq!((header.grammar, header.vocabulary, header.options), ([1; 32], [2; 32], [3; 32]));
    assert_eq!((header.scratch_minimum, header.scratch_recommended), (10, 20));
    assert!(container.entries().all(|entry| entry.offset % 64 == 0));
    assert!(container.entries().map(|entry| entry.kind).eq([3, 7, 9]));
}

#[test]
fn a_container_is_read_at_any_address() {
    let bytes = sample();
    for shift in 1..9 {
        let shifted = [&vec![0; shift], bytes.as_slice()].concat();
        let container = open(&shifted[shift..]).expect("valid");
        assert_eq!(container.words(&NUMBERS).expect("there")[2].get(), 0xdead_beef);
    }
}

#[test]
fn the_order_of_adding_does_not_matter() {
    let write = |sections: &[&Section]| {
        let mut writer = ContainerWriter::new(FileKind::Vocabulary, Fingerprints::default());
        sections.iter().for_each(|section| writer.add_words(section, &[section.kind; 5]));
        writer.finish()
    };
    assert_eq!(write(&[&NUMBERS, &EMPTY]), write(&[&EMPTY, &NUMBERS]));
}

#[test]
fn each_fault_of_the_header_is_its_own_error() {
    let error = |bytes: &[u8]| open(bytes).map(|_| ()).expect_err("a fault");
    assert_eq!(error(b"{\"a\": 1}"), ArtifactError::NotAContainer);
    assert!(matches!(error(b""), ArtifactError::Truncated { actual: 0, .. }));
    assert!(matches!(error(b"GCC"), ArtifactError::Truncated { actual: 3, .. }));
    let bytes = sample();
    let found = Container::open(&bytes, FileKind::Vocabulary).map(|_| ()).expect_err("a grammar");
    assert_eq!(found, ArtifactError::WrongKind { expected: *b"voca", found: *b"gram" });
    for found in [MAJOR + 1, MAJOR - 1] {
        let other = with_header(|header| header.major = found);
        assert_eq!(error(&other), ArtifactError::OtherMajor { found, supported: MAJOR });
    }
    let demanding = with_header(|header| header.required_features = 1 << 40);
    assert_eq!(error(&demanding), ArtifactError::UnknownFeature { bits: 1 << 40 });
    let mut flipped = bytes.clone();
    flipped[50] ^= 1;
    assert_eq!(error(&flipped), ArtifactError::HeaderChecksum);
    let expected = bytes.len() as u64;
    assert_eq!(error(&bytes[..300]), ArtifactError::Truncated { expected, actual: 300 });
    let longer = [bytes.as_slice(), b"!"].concat();
    assert_eq!(error(&longer), ArtifactError::TrailingBytes { expected, actual: expected + 1 });
}

#[test]
fn optional_features_and_minor_versions_are_ignored() {
    assert!(open(&with_header(|header| header.optional_features = 1 << 40)).is_ok());
    assert!(open(&with_header(|header| header.minor += 1)).is_ok());
}

#[test]
fn each_fault_of_the_directory_is_found() {
    let problem = |bytes: &[u8]| match open(bytes).and_then(|container| container.verify()) {
        Err(ArtifactError::MalformedDirectory { entry, problem }) => (entry, problem),
        other => panic!("{other:?}"),
    };
    let mut flipped = sample();
    flipped[Header::SIZE] ^= 1;
    assert!(matches!(open(&flipped), Err(ArtifactError::DirectoryChecksum)));
    assert_eq!(problem(&with_entry(1, |entry| entry.kind = 3)), (1, "the kinds do not ascend"));
    let misplaced = with_entry(1, |entry| entry.offset += 4);
    assert_eq!(problem(&misplaced), (1, "the section is not at the next multiple of 64"));
    for length in [1000, u64::MAX, u64::MAX - 400] {
        let long = with_entry(2, |entry| entry.length = length);
        assert_eq!(problem(&long), (2, "the section ends after the file"));
    }
    let short = with_entry(0, |entry| entry.length = 1);
    assert_eq!(problem(&short), (1, "the gap before the section is not zero"));
    let fewer = with_header(|header| {
        header.section_count = 2;
        header.directory_checksum = checksum(&sample()[Header::SIZE..][..2 * DirectoryEntry::SIZE]);
    });
    assert!(open(&fewer).is_err());
    let more = with_header(|header| header.section_count = u32::MAX);
    assert!(matches!(open(&more), Err(ArtifactError::Truncated { .. })));
}

#[test]
fn each_fault_of_a_section_is_found() {
    let mut bytes = sample();
    let offset = open(&bytes).expect("valid").entries().next().expect("text").offset as usize;
    bytes[offset] ^= 1;
    let container = open(&bytes).expect("the header is intact");
    assert_eq!(container.bytes(&TEXT), Err(ArtifactError::SectionChecksum { kind: 3 }));
    assert_eq!(container.verify(), Err(ArtifactError::SectionChecksum { kind: 3 }));
    assert!(container.words(&NUMBERS).is_ok());
    let missing = section(4, "missing", SectionElement::Byte);
    assert_eq!(container.bytes(&missing), Err(ArtifactError::MissingSection { section: "missing" }));
    let as_bytes = section(7, "numbers", SectionElement::Byte);
    assert!(matches!(container.bytes(&as_bytes), Err(ArtifactError::MalformedTable { .. })));
    let half = with_entry(0, |entry| entry.element_size = 4);
    let as_words = section(3, "text", SectionElement::Word);
    let words = open(&half).expect("the header is intact").words(&as_words).map(|_| ());
    assert!(matches!(words, Err(ArtifactError::MalformedTable { problem: "it ends within a word", .. })));
}

#[test]
fn errors_say_what_to_do() {
    let text = ArtifactError::WrongVocabulary { expected: [0xab; 32], found: [0xcd; 32] }.to_string();
    let expected = "the grammar was compiled for another vocabulary: \
                    it needs abababababababab, but cdcdcdcdcdcdcdcd was given";
    assert_eq!(text, expected);
    let text = ArtifactError::WrongKind { expected: *b"gram", found: *b"vo\0a" }.to_string();
    assert_eq!(text, "this is a vo.a file, not a gram file");
    let text = ArtifactError::OtherMajor { found: 3, supported: 5 }.to_string();
    assert_eq!(text, "the file has format 3, this reader needs format 5: compile it again");
    let text = ArtifactError::Truncated { expected: 9, actual: 4 }.to_string();
    assert_eq!(text, "the file is truncated: it has 4 bytes of 9; copy or compile it again");
}

#[test]
fn numbers_are_as_narrow_as_all_of_them_fit() {
    const TABLE: Section = section(11, "table", SectionElement::Number);
    for (numbers, width) in [
        (&[][..], 1),
        (&[0, 7, 0xfe, u32::MAX], 1),
        (&[0, 7, 0xff], 2),
        (&[0, 7, 0xfffe, u32::MAX], 2),
        (&[0, 7, 0xffff], 4),
        (&[0, 7, 0xffff, 0xffff_fffe, u32::MAX], 4),
    ] {
        let mut writer = ContainerWriter::new(FileKind::Grammar, Fingerprints::default());
        writer.add_numbers(&TABLE, numbers);
        let bytes = writer.finish();
        let container = open(&bytes).expect("valid");
        assert_eq!(container.entries().next().expect("a section").element_size, width);
        let read = container.numbers(&TABLE).expect("there");
        assert!((0..read.len()).map(|index| read.get(index)).eq(numbers.iter().copied()), "{numbers:?}");
        for (index, &number) in numbers.iter().enumerate() {
            assert_eq!(read.position(0..numbers.len(), number), Some(index), "{number}");
        }
        assert_eq!(read.position(0..numbers.len(), 8), None);
    }
}

#[test]
fn numbers_of_three_bytes_are_refused() {
    const TABLE: Section = section(3, "text", SectionElement::Number);
    let bytes = with_entry(0, |entry| entry.element_size = 3);
    assert!(open(&bytes).expect("the header is intact").numbers(&TABLE).is_err());
    let bytes = with_entry(0, |entry| entry.element_size = 2);
    assert!(open(&bytes).expect("the header is intact").numbers(&TABLE).is_err(), "5 bytes");
}
