//! Reads input files and writes output files: regular files, within limits, as a whole or not at all.
//!
//! | module | content |
//! |---|---|
//! | [`read`] | [`open`] and [`read_within`]: regular files only, of bounded length |
//! | [`write`] | [`replace`], [`replace_with`]: a file is written beside its place and renamed; [`same_file`] |
//! | [`shared`] | [`SharedFolder`]: no link is followed in folders into which others may write |
//! | [`temporary`] | temporary files and folders, which [`remove_temporaries`] removes when a process is ended |
//!
//! Errors of input and output name no path: callers know which name the user has given.

#![forbid(unsafe_code)]

mod read;
mod shared;
mod temporary;
mod write;

pub use read::{ReadError, RegularFile, open, read_within};
pub use shared::SharedFolder;
pub use temporary::{TemporaryFolder, is_temporary, remove_temporaries};
pub use write::{replace, replace_with, same_file};
