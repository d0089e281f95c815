//! Damaged and forged bytes: opening them is an error, or gives a matcher that does not panic.
//!
//! Damage (truncation, flipped bits) must be found by the checksums. Forgeries have correct checksums, and are
//! found by the validation of tables and of saved matchers. A file that is opened as trusted is not looked at: there
//! damage may give wrong masks, but no panic.

use gcc_grammar_artifact::container::{DirectoryEntry, FileKind, checksum};
use gcc_grammar_artifact::grammar::{DISTANCE, GrammarMeta, META};
use gcc_grammar_artifact::ids::TokenId;
use gcc_grammar_artifact::{ArtifactError, Container, GrammarTables, GrammarView, Header};
use gcc_grammar_runtime::{Engine, Error, MaskRow, Matcher};

use crate::support::emit::compile;
use crate::support::{Toy, fingerprints, toys};
use gcc_grammar_random::Random;

fn sample() -> (Toy, Vec<u8>) {
    let toy = toys().swap_remove(2).1;
    let bytes = compile(&toy, 20).bytes();
    (toy, bytes)
}

#[test]
fn a_wrong_vocabulary_is_refused() {
    let (_, bytes) = sample();
    let other = crate::support::OtherVocabulary;
    let error = Engine::new(GrammarView::open(&bytes).expect("valid"), &other).err();
    assert!(matches!(error, Some(ArtifactError::WrongVocabulary { .. })), "{error:?}");
}

#[test]
fn every_truncation_is_an_error() {
    let (_, bytes) = sample();
    for len in 0..bytes.len() {
        let error = GrammarView::open(&bytes[..len]).err();
        assert!(matches!(error, Some(ArtifactError::Truncated { .. })), "{len}: {error:?}");
    }
    let longer = [bytes.as_slice(), &[0]].concat();
    assert!(matches!(GrammarView::open(&longer), Err(ArtifactError::TrailingBytes { .. })));
}

#[test]
fn every_flipped_bit_is_found() {
    let (_, mut bytes) = sample();
    for index in 0..bytes.len() {
        for bit in [0x01, 0x80] {
            bytes[index] ^= bit;
            assert!(GrammarView::open(&bytes).is_err(), "byte {index}, bit {bit:#x}");
            bytes[index] ^= bit;
        }
    }
}

/// A trusted file is damaged behind its directory: nobody notices, and nothing panics.
#[test]
fn damaged_files_that_are_trusted_do_not_panic() {
    let (toy, bytes) = sample();
    let mut random = Random::new(6);
    let start = entries(&bytes)[0].offset as usize;
    let mut damaged = bytes.clone();
    for index in start..bytes.len() {
        for bit in 0..8 {
            damaged[index] ^= 1 << bit;
            exercise_trusted(&toy, &damaged, &mut random);
            damaged[index] ^= 1 << bit;
        }
    }
    for _ in 0..3000 {
        let mut damaged = bytes.clone();
        for _ in 0..=random.below(200) {
            damaged[start + random.below(bytes.len() - start)] = random.draw() as u8;
        }
        exercise_trusted(&toy, &damaged, &mut random);
    }
}

/// Replaces every word of every section, and corrects the checksums.
#[test]
fn forged_tables_do_not_panic() {
    let (toy, bytes) = sample();
    let mut random = Random::new(7);
    let mut opened = 0;
    for entry in entries(&bytes) {
        for index in 0..entry.length as usize / 4 {
            for value in [0, 1, 2, 3, 1 << 31, u32::MAX, random.below(64) as u32, random.draw() as u32] {
                let mut forged = bytes.clone();
                forged[entry.offset as usize + index * 4..][..4].copy_from_slice(&value.to_le_bytes());
                seal(&mut forged);
                opened += u32::from(exercise(&toy, &forged, &mut random));
            }
        }
    }
    assert!(opened > 1000, "many forgeries pass validation: {opened}");
}

/// Shortens or empties every section, and corrects the directory and the checksums.
#[test]
fn forged_lengths_do_not_panic() {
    let (toy, bytes) = sample();
    let mut random = Random::new(8);
    for removed in 0..entries(&bytes).len() {
        for keep in [0, 1, 4, 8, 20] {
            exercise(&toy, &with_section_cut(&bytes, removed, keep), &mut random);
        }
    }
}

#[test]
fn forged_headers_do_not_panic() {
    let (toy, bytes) = sample();
    let mut random = Random::new(9);
    let end = Header::SIZE + entries(&bytes).len() * DirectoryEntry::SIZE;
    for index in 0..end {
        for value in [0, 1, 0x7f, 0xff, random.draw() as u8] {
            let mut forged = bytes.clone();
            forged[index] = value;
            seal_header(&mut forged);
            exercise(&toy, &forged, &mut random);
        }
    }
}

#[test]
fn forged_saved_matchers_do_not_panic() {
    let (toy, bytes) = sample();
    let engine = Engine::new(GrammarView::open(&bytes).expect("valid"), &toy.vocabulary).expect("same");
    let saved = saved_matcher(&engine);
    let mut scratch = vec![0; 1 << 12];
    let mut random = Random::new(10);
    for len in 0..saved.len() {
        let error = Matcher::restore(&engine, &mut scratch, &saved[..len]).err();
        assert_eq!(error, Some(Error::NotASavedMatcher), "{len}");
    }
    let mut restored = 0;
    for index in 0..saved.len() - 8 {
        for value in [0, 1, 2, 0x7f, 0xff, random.draw() as u8] {
            let mut forged = saved.clone();
            forged[index] = value;
            let unsealed = Matcher::restore(&engine, &mut scratch, &forged).is_err();
            assert!(unsealed || forged == saved, "byte {index} is not covered by the checksum");
            let (content, sum) = forged.split_at_mut(saved.len() - 8);
            sum.copy_from_slice(&checksum(content).to_le_bytes());
            if let Ok(mut matcher) = Matcher::restore(&engine, &mut scratch, &forged) {
                restored += 1;
                use_matcher(&mut matcher, &mut random);
            }
        }
    }
    assert!(restored > 50, "many forgeries pass validation: {restored}");
}

/// A commit adds to the number of commits, and compaction to the number that can be rolled back.
#[test]
fn forged_counters_of_saved_matchers_are_refused() {
    let (toy, bytes) = sample();
    let engine = Engine::new(GrammarView::open(&bytes).expect("valid"), &toy.vocabulary).expect("same");
    let saved = saved_matcher(&engine);
    let restores = |committed: u64, floor: u64, max_rollback: u32| {
        let mut forged = saved.clone();
        forged[16..24].copy_from_slice(&committed.to_le_bytes());
        forged[24..32].copy_from_slice(&floor.to_le_bytes());
        forged[40..44].copy_from_slice(&max_rollback.to_le_bytes());
        let (content, sum) = forged.split_at_mut(saved.len() - 8);
        sum.copy_from_slice(&checksum(content).to_le_bytes());
        let mut scratch = vec![0; 1 << 12];
        let Ok(mut matcher) = Matcher::restore(&engine, &mut scratch, &forged) else { return false };
        use_matcher(&mut matcher, &mut Random::new(3));
        true
    };
    // The saved matcher has five commits, of which three can be rolled back.
    assert!(restores(5, 2, 3) && restores(5, 2, u32::MAX) && restores(1 << 62, (1 << 62) - 3, 3));
    assert!(!restores(u64::MAX, u64::MAX, 3) && !restores(u64::MAX, u64::MAX - 3, 3));
    assert!(!restores(1 << 63, (1 << 63) - 3, 3));
    assert!(!restores(5, 2, 2), "more history than can be rolled back");
    assert!(!restores(5, 6, 3) && !restores(5, 1, 3) && !restores(5, 3, 3));
}

/// No number that a program allocates or counts by is larger than the file or a constant.
#[test]
fn forged_numbers_are_bounded() {
    let (toy, bytes) = sample();
    let open = |forged: &[u8]| {
        GrammarView::open(forged).and_then(|grammar| Engine::new(grammar, &toy.vocabulary).map(drop))
    };
    let meta = entries(&bytes).into_iter().find(|entry| entry.kind == META.kind).expect("meta");
    let forge_meta = |change: &dyn Fn(&mut GrammarMeta)| {
        let mut forged = bytes.clone();
        let range = meta.offset as usize..(meta.offset + meta.length) as usize;
        let mut numbers = GrammarMeta::read(forged[range.clone()].try_into().expect("the record"));
        change(&mut numbers);
        forged[range].copy_from_slice(&numbers.write());
        seal(&mut forged);
        open(&forged)
    };
    let forge_scratch = |minimum: u32, recommended: u32| {
        let mut forged = bytes.clone();
        let header = Header::read(bytes.first_chunk().expect("a header"));
        let header = Header { scratch_minimum: minimum, scratch_recommended: recommended, ..header };
        forged[..Header::SIZE].copy_from_slice(&header.write());
        seal_header(&mut forged);
        open(&forged)
    };
    assert_eq!((forge_meta(&|_| ()), forge_scratch(16, 1 << 20)), (Ok(()), Ok(())));
    let width = toy.vocabulary.texts.len() as u32;
    for forged in [
        forge_meta(&|meta| meta.mask_width = u32::MAX),
        forge_meta(&|meta| meta.mask_width = (1 << 24) + 1),
        forge_meta(&|meta| meta.mask_width = width + 1),
        forge_meta(&|meta| meta.max_token_bytes = u32::MAX),
        forge_meta(&|meta| meta.class_count = u32::MAX),
        forge_meta(&|meta| meta.context_count = u32::MAX),
        forge_meta(&|meta| meta.end_symbol = u32::MAX - 1),
        forge_meta(&|meta| meta.end_terminal = u32::MAX - 1),
        forge_meta(&|meta| meta.nonterminal_count = u32::MAX),
        forge_meta(&|meta| meta.max_delta = u32::MAX),
        forge_scratch(16, u32::MAX),
        forge_scratch(u32::MAX, u32::MAX),
        forge_scratch(16, (1 << 20) + 1),
        forge_scratch(17, 16),
    ] {
        assert!(matches!(forged, Err(ArtifactError::MalformedTable { .. })), "{forged:?}");
    }
}

/// Changes the tables of an artifact.
type Change<'a> = &'a dyn Fn(&mut GrammarTables);

/// A target of a lexer state is a state, whether it is stored as a number or as a distance.
#[test]
fn forged_targets_of_lexer_states_are_refused() {
    let toy = toys().swap_remove(2).1;
    let tables = compile(&toy, 20).tables;
    let opened = |change: Change<'_>| {
        let mut forged = tables.clone();
        change(&mut forged);
        let bytes = forged.write(fingerprints(), Vec::new());
        GrammarView::open(&bytes).map(drop)
    };
    assert_eq!(opened(&|_| ()), Ok(()));
    let states = tables.lexer_kind.len() as u32;
    let far = tables.kind_reach.iter().position(|&distance| distance > 0).expect("a distance");
    let one_before = (DISTANCE - 1) << 1 | 1;
    let last = states as usize - 1;
    let forgeries: [(&str, Change<'_>); 6] = [
        ("lexer_targets", &|tables| tables.lexer_targets[0] = states << 1),
        ("lexer_targets", &|tables| tables.kind_reach[far] = 0),
        ("lexer_targets", &|tables| tables.lexer_targets[0] = one_before),
        ("lexer_kind", &|tables| tables.lexer_kind[last] = far as u32),
        ("lexer_kind", &|tables| tables.lexer_kind[0] = far as u32),
        ("lexer_kind", &|tables| tables.lexer_kind[1] = states),
    ];
    for (name, change) in forgeries {
        let forged = opened(change);
        assert!(
            matches!(forged, Err(ArtifactError::MalformedTable { table, .. }) if table == name),
            "{name}: {forged:?}"
        );
    }
}

fn saved_matcher(engine: &Engine<'_>) -> Vec<u8> {
    let mut scratch = vec![0; 1 << 12];
    let mut matcher = Matcher::new(engine, &mut scratch, 3).expect("room");
    [&b"(a"[..], b"+b", b"*(", b"ab+b", b")"]
        .iter()
        .for_each(|text| matcher.commit_bytes(text).expect("allowed"));
    let mut buffer = vec![0; 1 << 14];
    let len = matcher.save(&mut buffer).expect("room");
    assert_eq!(matcher.save(&mut buffer[..len - 1]), Err(Error::BufferTooShort { needed: len }));
    buffer.truncate(len);
    buffer
}

/// Opens a file and uses it; returns whether it could be opened. If not, it is used as trusted.
fn exercise(toy: &Toy, bytes: &[u8], random: &mut Random) -> bool {
    let is_valid = GrammarView::open(bytes).is_ok_and(|grammar| use_grammar(toy, grammar, random));
    if !is_valid {
        exercise_trusted(toy, bytes, random);
    }
    is_valid
}

/// Opens a file as trusted, and uses it.
fn exercise_trusted(toy: &Toy, bytes: &[u8], random: &mut Random) {
    let _ = GrammarView::open_trusted(bytes).map(|grammar| use_grammar(toy, grammar, random));
}

/// Uses a grammar; returns whether it fits to the vocabulary.
fn use_grammar(toy: &Toy, grammar: GrammarView<'_>, random: &mut Random) -> bool {
    let Ok(engine) = Engine::new(grammar, &toy.vocabulary) else { return false };
    let mut scratch = [0; 600];
    if let Ok(mut matcher) = Matcher::new(&engine, &mut scratch, 2) {
        use_matcher(&mut matcher, random);
    }
    true
}

/// Runs a few operations. Their results do not matter.
fn use_matcher(matcher: &mut Matcher<'_, '_>, random: &mut Random) {
    let mut row = vec![0; matcher.engine().row_words().min(1 << 16)];
    let texts: [&[u8]; 6] = [b"a", b"(", b"+a*", b")", b"(((", b"b+"];
    for _ in 0..6 {
        for token in 0..18 {
            let _ = matcher.allows(TokenId(token));
        }
        let _ = matcher.fill_mask(&mut row);
        let _ = matcher.is_accepting();
        let _ = matcher.commit(TokenId(random.below(20) as u32));
        let _ = matcher.commit_bytes(texts[random.below(texts.len())]);
        if random.below(3) == 0 {
            let _ = matcher.rollback(random.below(3) as u64);
        }
    }
    let _ = matcher.forced(&mut [0; 4]);
    let _ = matcher.mask_by_number(&mut row);
    let mut held = MaskRow::new(&mut row);
    let _ = matcher.update_mask(&mut held);
    let _ = matcher.commit(TokenId(random.below(20) as u32));
    let _ = matcher.update_mask(&mut held);
    if row.len() < 64 {
        let _ = matcher.count_allowed();
    }
}

fn entries(bytes: &[u8]) -> Vec<DirectoryEntry> {
    Container::open(bytes, FileKind::Grammar).expect("valid").entries().collect()
}

/// Corrects all checksums.
fn seal(bytes: &mut [u8]) {
    let header = Header::read(bytes.first_chunk().expect("a header"));
    for index in 0..header.section_count as usize {
        let start = Header::SIZE + index * DirectoryEntry::SIZE;
        let mut entry = DirectoryEntry::read(bytes[start..].first_chunk().expect("an entry"));
        entry.checksum = checksum(&bytes[entry.offset as usize..][..entry.length as usize]);
        bytes[start..][..DirectoryEntry::SIZE].copy_from_slice(&entry.write());
    }
    seal_header(bytes);
}

/// Corrects the checksums of the header and, if there is a directory, of the directory.
fn seal_header(bytes: &mut [u8]) {
    let mut header = Header::read(bytes.first_chunk().expect("a header"));
    let end = Header::SIZE + header.section_count as usize * DirectoryEntry::SIZE;
    if let Some(directory) = bytes.get(Header::SIZE..end) {
        header.directory_checksum = checksum(directory);
    }
    let raw = header.write();
    header.header_checksum = checksum(&raw[..Header::SIZE - 8]);
    bytes[..Header::SIZE].copy_from_slice(&header.write());
}

/// The file with one section shortened to `keep` bytes.
fn with_section_cut(bytes: &[u8], cut: usize, keep: usize) -> Vec<u8> {
    let mut entries = entries(bytes);
    let sections: Vec<&[u8]> =
        entries.iter().map(|e| &bytes[e.offset as usize..][..e.length as usize]).collect();
    let mut file = vec![0; Header::SIZE + entries.len() * DirectoryEntry::SIZE];
    for (index, entry) in entries.iter_mut().enumerate() {
        file.resize(file.len().next_multiple_of(64), 0);
        entry.offset = file.len() as u64;
        let section =
            if index == cut { &sections[index][..keep.min(sections[index].len())] } else { sections[index] };
        entry.length = section.len() as u64;
        file.extend_from_slice(section);
    }
    let directory: Vec<u8> = entries.iter().flat_map(DirectoryEntry::write).collect();
    file[Header::SIZE..][..directory.len()].copy_from_slice(&directory);
    let header = Header { length: file.len() as u64, ..Header::read(bytes.first_chunk().expect("a header")) };
    file[..Header::SIZE].copy_from_slice(&header.write());
    seal(&mut file);
    file
}
