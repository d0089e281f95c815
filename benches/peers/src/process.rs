//! What the system says of this process; see proc(5). 0 where it does not tell.

use std::fs;

/// A field of `/proc/self/status`: kibibytes, or a count.
#[must_use]
pub fn status(field: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let value = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    value.and_then(|value| value.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// Makes `VmHWM` begin anew.
pub fn reset_peak() {
    // Where that is not allowed the peak is that of the whole life of the process.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// Nanoseconds that this thread was on a processor.
#[must_use]
pub fn processor_time() -> u64 {
    let times = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    times.split_whitespace().next().and_then(|time| time.parse().ok()).unwrap_or(0)
}
