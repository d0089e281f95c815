//! Tests of the file format, in one program.

mod container;
mod format;
