//! The files whose content this process has verified, so that each is read as a whole only once.
//!
//! A file is known by its place, its length and the times of its last changes, all taken from the open file, and by the
//! checksum in its header, which covers the checksums of everything else. Where the system does not tell all of this,
//! files are verified each time. So are files that were changed just now: clocks of file systems are coarse, and the next
//! change might not be told apart from the last one.

use std::collections::HashSet;
use std::fs::File;
use std::sync::{LazyLock, Mutex};

/// Files that are remembered. If there are more, all are forgotten.
const MOST: usize = 1 << 16;

/// Where this is locked, nobody waits for it, and files are verified again: in a process that was forked, it may be for ever.
static VERIFIED: LazyLock<Mutex<HashSet<(FileVersion, u64)>>> = LazyLock::new(Mutex::default);

/// A file as it was when it was opened. It is another version after every change.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct FileVersion {
    /// Device and number of the file.
    place: [u64; 2],
    length: u64,
    /// When content and status changed last, in seconds and nanoseconds.
    changed: [(i64, i64); 2],
}

impl FileVersion {
    /// The version of an open file, if the system tells it and the file was not changed just now.
    #[cfg(unix)]
    pub(crate) fn of(file: &File) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        use std::time::SystemTime;
        /// The coarsest clock of a file system in use: FAT counts in two seconds.
        const TICK: u64 = 2;
        let found = file.metadata().ok()?;
        let changed = [(found.mtime(), found.mtime_nsec()), (found.ctime(), found.ctime_nsec())];
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?;
        let is_past = |seconds: u64| seconds.saturating_add(TICK) < now.as_secs();
        let is_settled = |(seconds, _)| u64::try_from(seconds).is_ok_and(is_past);
        let place = [found.dev(), found.ino()];
        changed.into_iter().all(is_settled).then_some(Self { place, length: found.len(), changed })
    }

    #[cfg(not(unix))]
    pub(crate) fn of(_: &File) -> Option<Self> {
        None
    }

    /// Whether the file was verified before. `checksum` is that of the header.
    pub(crate) fn is_verified(self, checksum: u64) -> bool {
        VERIFIED.try_lock().is_ok_and(|verified| verified.contains(&(self, checksum)))
    }

    /// Remembers that the file was verified.
    pub(crate) fn set_verified(self, checksum: u64) {
        let Ok(mut verified) = VERIFIED.try_lock() else { return };
        if verified.len() >= MOST {
            verified.clear();
        }
        verified.insert((self, checksum));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_waits_for_a_lock_that_stays() {
        let version = FileVersion { place: [0, u64::MAX], length: 3, changed: [(1, 0); 2] };
        let held = VERIFIED.lock().expect("no test panics with it");
        version.set_verified(7);
        assert!(!version.is_verified(7));
        drop(held);
        // Other tests may hold it for a moment.
        while !version.is_verified(7) {
            version.set_verified(7);
        }
    }
}
