//! Forged containers: a valid file is taken apart, edited, and put together again with correct checksums.
//!
//! A script of edits is an input that stays meaningful when the format changes, where a damaged file would only be one of another version.

use gcc_grammar_artifact::container::{DirectoryEntry, FileKind, checksum};
use gcc_grammar_artifact::{Container, Header};

/// One edit of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edit {
    /// The section, modulo the number of sections plus one; the last one is the header with the directory.
    pub(crate) section: u8,
    /// What is done.
    pub(crate) operation: u8,
    /// The place, modulo the number of places.
    pub(crate) place: u16,
    /// The operand.
    pub(crate) value: u32,
}

impl Edit {
    /// The length of an edit in bytes.
    pub(crate) const SIZE: usize = 8;

    /// Reads an edit; missing bytes are zero.
    pub(crate) fn read(bytes: &[u8]) -> Self {
        let mut record = [0; Self::SIZE];
        record.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
        let [section, operation, p0, p1, v0, v1, v2, v3] = record;
        let (place, value) = (u16::from_le_bytes([p0, p1]), u32::from_le_bytes([v0, v1, v2, v3]));
        Self { section, operation, place, value }
    }

    /// Reads a script.
    pub(crate) fn script(bytes: &[u8]) -> impl Iterator<Item = Self> {
        bytes.chunks(Self::SIZE).map(Self::read)
    }

    pub(crate) fn write(self) -> [u8; Self::SIZE] {
        let ([p0, p1], [v0, v1, v2, v3]) = (self.place.to_le_bytes(), self.value.to_le_bytes());
        [self.section, self.operation, p0, p1, v0, v1, v2, v3]
    }

    /// Applies the edit to bytes. Only the operations that keep the length are used if `fixed`.
    pub(crate) fn apply(self, bytes: &mut Vec<u8>, fixed: bool) {
        let operations = if fixed { 6 } else { 9 };
        match self.operation % operations {
            0 => self.put::<4>(bytes, |_| self.value),
            1 => self.put::<4>(bytes, |old| old.wrapping_add(self.value)),
            2 => self.put::<2>(bytes, |_| self.value),
            3 => self.put::<1>(bytes, |_| self.value),
            4 => self.put::<1>(bytes, |old| old ^ 1 << (self.value % 8)),
            // A number of eight bytes: the operand with its sign.
            5 => {
                let wide = (i64::from(self.value as i32) as u64).to_le_bytes();
                let numbers = bytes.as_chunks_mut::<8>().0;
                let at = usize::from(self.place) % numbers.len().max(1);
                if let Some(number) = numbers.get_mut(at) {
                    *number = wide;
                }
            }
            6 => bytes.truncate(usize::from(self.place) % (bytes.len() + 1)),
            7 => bytes.extend(self.value.to_le_bytes()),
            _ => {
                let words = bytes.as_chunks::<4>().0.len();
                let (first, second) = (usize::from(self.place), self.value as usize);
                if words > 0 {
                    let (first, second) = (first % words * 4, second % words * 4);
                    (0..4).for_each(|byte| bytes.swap(first + byte, second + byte));
                }
            }
        }
    }

    /// Changes a number of N bytes at the place of the edit.
    fn put<const N: usize>(self, bytes: &mut [u8], change: impl Fn(u32) -> u32) {
        let numbers = bytes.as_chunks_mut::<N>().0;
        if numbers.is_empty() {
            return;
        }
        let at = usize::from(self.place) % numbers.len();
        let mut wide = [0; 4];
        wide[..N].copy_from_slice(&numbers[at]);
        let changed = change(u32::from_le_bytes(wide)).to_le_bytes();
        numbers[at].copy_from_slice(&changed[..N]);
    }
}

/// The file with the edits of a script applied to its sections, its directory and its header, and with correct checksums.
pub(crate) fn forge(file: &[u8], kind: FileKind, script: &[u8]) -> Vec<u8> {
    let container = Container::open(file, kind).expect("the file is valid");
    let mut entries: Vec<DirectoryEntry> = container.entries().collect();
    let section = |entry: &DirectoryEntry| file[entry.offset as usize..][..entry.length as usize].to_vec();
    let mut sections: Vec<Vec<u8>> = entries.iter().map(section).collect();
    let (in_sections, in_front): (Vec<Edit>, Vec<Edit>) = Edit::script(script)
        .partition(|edit| usize::from(edit.section) % (sections.len() + 1) < sections.len());
    for edit in in_sections {
        let index = usize::from(edit.section) % (sections.len() + 1);
        edit.apply(&mut sections[index], false);
    }
    let mut forged = lay_out(file, &mut entries, &sections);
    let mut front = forged[..Header::SIZE + entries.len() * DirectoryEntry::SIZE].to_vec();
    in_front.iter().for_each(|edit| edit.apply(&mut front, true));
    forged[..front.len()].copy_from_slice(&front);
    mend(&mut forged);
    forged
}

/// Puts sections together as the format prescribes.
fn lay_out(file: &[u8], entries: &mut [DirectoryEntry], sections: &[Vec<u8>]) -> Vec<u8> {
    let mut out = vec![0; Header::SIZE + entries.len() * DirectoryEntry::SIZE];
    for (entry, section) in entries.iter_mut().zip(sections) {
        out.resize(out.len().next_multiple_of(64), 0);
        entry.offset = out.len() as u64;
        entry.length = section.len() as u64;
        entry.checksum = checksum(section);
        out.extend_from_slice(section);
    }
    let directory: Vec<u8> = entries.iter().flat_map(DirectoryEntry::write).collect();
    out[Header::SIZE..][..directory.len()].copy_from_slice(&directory);
    let header = Header { length: out.len() as u64, ..Header::read(file.first_chunk().expect("a header")) };
    out[..Header::SIZE].copy_from_slice(&header.write());
    out
}

/// Corrects the checksums of the header and, if there is a directory, of the directory.
fn mend(file: &mut [u8]) {
    let mut header = Header::read(file.first_chunk().expect("a header"));
    let entries = (header.section_count as usize).checked_mul(DirectoryEntry::SIZE);
    let end = entries.and_then(|length| length.checked_add(Header::SIZE));
    if let Some(directory) = end.and_then(|end| file.get(Header::SIZE..end)) {
        header.directory_checksum = checksum(directory);
    }
    header.header_checksum = checksum(&header.write()[..Header::SIZE - 8]);
    file[..Header::SIZE].copy_from_slice(&header.write());
}
