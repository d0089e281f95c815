//! Files and bytes, whatever is in them.
//!
//! | module | job |
//! |---|---|
//! | `bytes` | the bytes of an artifact, mapped or owned |
//! | `mapped` | maps a file |
//! | `verified` | the files that this process has checked |
//! | `frame` | zstd |
//! | `output` | writes a file as a whole |

pub(crate) mod bytes;
pub(crate) mod frame;
pub(crate) mod mapped;
pub mod output;
pub(crate) mod verified;
