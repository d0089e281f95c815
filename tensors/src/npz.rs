//! Writes `.npz`: a ZIP archive of arrays in the format of NumPy, as `numpy.savez_compressed` does.
//!
//! Sources: NEP 1 (the format `.npy`, version 1.0) and the ZIP application note of PKWARE, 4.3. Times are those of the epoch of ZIP,
//! so equal tensors give equal bytes.

use crate::arrays::{Array, Elements};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::Value;
use std::io::Write;

/// The first of January 1980.
const DATE: u16 = 0x21;
const DEFLATED: u16 = 8;
/// 2.0: the version that reads deflated members.
const VERSION: u16 = 20;

/// A member that was written.
struct Member {
    name: String,
    offset: u32,
    checksum: u32,
    packed: u32,
    plain: u32,
}

/// The arrays as a file. The description is the member `description.json`, as an array of bytes.
#[must_use]
pub fn npz(arrays: &[Array], description: &Value) -> Vec<u8> {
    let mut file = Vec::new();
    let mut members: Vec<Member> = Vec::new();
    for Array { name, shape, elements } in arrays {
        let kind = match elements {
            Elements::Bool(_) => "|b1",
            Elements::I32(_) => "<i4",
        };
        let content = [npy_header(kind, shape), elements.bytes()].concat();
        members.push(member(&mut file, format!("{name}.npy"), &content));
    }
    let description = description.to_string();
    let content = [npy_header("|u1", &[description.len()]), description.into_bytes()].concat();
    members.push(member(&mut file, "description.npy".to_owned(), &content));
    let start = file.len() as u32;
    members.iter().for_each(|member| member.write_entry(&mut file));
    write_end(&mut file, members.len() as u16, start);
    file
}

/// The header of an array, which makes the data begin at a multiple of 64 bytes.
fn npy_header(kind: &str, shape: &[usize]) -> Vec<u8> {
    let shape: String = shape.iter().map(|length| format!("{length}, ")).collect();
    let shape = shape.trim_end();
    let mut text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}");
    let filled = (10 + text.len() + 1).next_multiple_of(64) - 10;
    text.extend(std::iter::repeat_n(' ', filled - 1 - text.len()));
    text.push('\n');
    [b"\x93NUMPY\x01\x00", (filled as u16).to_le_bytes().as_slice(), text.as_bytes()].concat()
}

fn member(file: &mut Vec<u8>, name: String, content: &[u8]) -> Member {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    let packed = encoder.write_all(content).and_then(|()| encoder.finish()).expect("memory to memory");
    let mut checksum = flate2::Crc::new();
    checksum.update(content);
    let member = Member {
        name,
        offset: file.len() as u32,
        checksum: checksum.sum(),
        packed: packed.len() as u32,
        plain: content.len() as u32,
    };
    file.extend(b"PK\x03\x04");
    member.write_common(file);
    file.extend(member.name.as_bytes());
    file.extend(packed);
    member
}

impl Member {
    /// The fields that a member and its entry of the directory share.
    fn write_common(&self, file: &mut Vec<u8>) {
        put16(file, &[VERSION, 0, DEFLATED, 0, DATE]);
        put32(file, &[self.checksum, self.packed, self.plain]);
        put16(file, &[self.name.len() as u16, 0]);
    }

    fn write_entry(&self, file: &mut Vec<u8>) {
        file.extend(b"PK\x01\x02");
        put16(file, &[VERSION]);
        self.write_common(file);
        put16(file, &[0, 0, 0]);
        put32(file, &[0, self.offset]);
        file.extend(self.name.as_bytes());
    }
}

fn write_end(file: &mut Vec<u8>, count: u16, start: u32) {
    let size = file.len() as u32 - start;
    file.extend(b"PK\x05\x06");
    put16(file, &[0, 0, count, count]);
    put32(file, &[size, start]);
    put16(file, &[0]);
}

fn put16(file: &mut Vec<u8>, values: &[u16]) {
    values.iter().for_each(|value| file.extend(value.to_le_bytes()));
}

fn put32(file: &mut Vec<u8>, values: &[u32]) {
    values.iter().for_each(|value| file.extend(value.to_le_bytes()));
}
