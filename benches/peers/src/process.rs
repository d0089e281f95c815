//! Measures time, and reads memory and processor time of this process from the system; see proc(5). All values are 0 where the system does not provide them.

use std::fs;
use std::time::Instant;

/// The nanoseconds since an instant.
#[must_use]
pub fn since(start: Instant) -> u64 {
    start.elapsed().as_nanos() as u64
}

/// A field of `/proc/self/status`, in kibibytes or as a count.
#[must_use]
pub fn status(field: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let value = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    value.and_then(|value| value.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// Resets `VmHWM`, the peak of resident memory.
pub fn reset_peak() {
    // Where this is not permitted, the peak is that of the whole life of the process.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// The nanoseconds that this thread has run on a processor.
#[must_use]
pub fn processor_time() -> u64 {
    let times = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    times.split_whitespace().next().and_then(|time| time.parse().ok()).unwrap_or(0)
}
