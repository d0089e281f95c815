//! The memory of this process, as Linux reports it. Other systems give no value.

use std::fs;

/// The peak of memory since the start of the process, or since the last [`reset_peak`], in bytes.
pub(crate) fn peak() -> Option<usize> {
    of_status("VmHWM:")
}

/// The resident memory, in bytes.
#[cfg(feature = "serve")]
pub(crate) fn resident() -> Option<usize> {
    of_status("VmRSS:")
}

fn of_status(name: &str) -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()? * 1024)
}

/// Resets the peak. Where the system does not allow it, later peaks include earlier ones.
pub(crate) fn reset_peak() {
    // "5" resets VmHWM, see proc(5). A measurement must not fail, so an error is ignored.
    let _ = fs::write("/proc/self/clear_refs", "5");
}
