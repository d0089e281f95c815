//! Containers: a header, a directory of sections, and the sections, all covered by checksums.
//!
//! `ContainerWriter` collects sections and lays them out; [`Container`] opens such bytes and hands out
//! sections in place. After [`Container::open`], header and directory are intact and every section lies
//! within the file. What the sections hold is compared with their checksums when it is read or verified.
//!
//! ```text
//! 0        ┌─────────────────────┐
//!          │ Header (192 bytes)  │  last field: checksum of the bytes before it
//! 192      ├─────────────────────┤
//!          │ directory entry 0   │  kinds ascending; covered by `Header::directory_checksum`
//!          │ …                   │
//!          ├─────────────────────┤  zeros up to the next multiple of 64
//!          │ section 0           │  covered by its entry's checksum
//!          ├─────────────────────┤  zeros up to the next multiple of 64
//!          │ …                   │
//! length   └─────────────────────┘
//! ```
//! Given sections can be laid out in one way only: entries ascend by kind; sections follow in the same order,
//! each at the next multiple of 64; gaps are zero; the file ends with the last section. So equal content
//! gives equal bytes, and [`Container::verify`] checks every byte of a file.

mod header;
mod reader;
mod section;
#[cfg(feature = "write")]
mod writer;

pub use header::{
    BYTE_NUMBERS, COUNTERS, DISTINCT_ITEMS, DirectoryEntry, FileKind, Fingerprint, Fingerprints, Header,
    MAGIC, MAJOR, MASKS_ON_DEMAND, MAX_SCRATCH, MINOR, NAMES_ALONE, NESTED_ITEMS, ORDINARY_BY_ID, PACKED,
    REFERS_TO_BASES, REMEMBERED_CONDITIONS, REMEMBERED_COSTS, REMEMBERED_KEYS, REMEMBERED_NAMES,
    REPEATED_TEXTS, TOKEN_LIMITS, checksum,
};
pub use reader::{Container, check_header};
pub use section::{Section, SectionElement};
#[cfg(feature = "write")]
pub use writer::ContainerWriter;
