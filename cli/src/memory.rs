//! Memory of this process, where the system tells: Linux does.

use std::fs;

/// The most memory that was in use since the start, or since the last [`reset_peak`], in bytes.
pub(crate) fn peak() -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()? * 1024)
}

/// Forgets the peak. Where that cannot be done, later peaks include earlier ones.
pub(crate) fn reset_peak() {
    // "5" resets VmHWM, see proc(5). It is a measurement: not being allowed to is no failure.
    let _ = fs::write("/proc/self/clear_refs", "5");
}
