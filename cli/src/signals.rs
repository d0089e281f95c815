//! Removes temporary files when a signal ends the program: SIGINT, SIGTERM or SIGHUP.
//!
//! A signal is taken by a thread of its own. After the files are removed, the program ends by the same signal, so that the
//! shell sees how it ended. A signal that is ignored when the program starts stays ignored, as `nohup` wants it. SIGKILL
//! cannot be handled: it may leave a file whose name begins with `.gcc-grammar-`.

#[cfg(feature = "serve")]
type Ending = Box<dyn FnOnce() + Send>;

/// What the first SIGINT or SIGTERM does instead of ending the program.
#[cfg(feature = "serve")]
static ENDING: std::sync::Mutex<Option<Ending>> = std::sync::Mutex::new(None);

/// Lets the first SIGINT or SIGTERM ask the program to end. The second one ends it. Only Unix has these signals.
#[cfg(feature = "serve")]
pub(crate) fn end_with(ending: impl FnOnce() + Send + 'static) {
    *ENDING.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(Box::new(ending));
}

/// Whether the program ends by itself after this signal.
#[cfg(all(unix, feature = "serve"))]
fn is_taken(signal: i32) -> bool {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let mut ending = ENDING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let taken = matches!(signal, SIGINT | SIGTERM).then(|| ending.take()).flatten();
    taken.map(|end| end()).is_some()
}

#[cfg(all(unix, not(feature = "serve")))]
fn is_taken(_signal: i32) -> bool {
    false
}

/// Starts the thread that waits for signals.
#[cfg(unix)]
pub(crate) fn remove_temporaries_on_signals() {
    use gcc_grammar::output::remove_temporaries;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    let handled = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal));
    // Without the handler, the program works as well, and signals end it.
    let Ok(mut signals) = Signals::new(handled) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            if is_taken(signal) {
                continue;
            }
            remove_temporaries();
            // This ends the program.
            let _ = emulate_default_handler(signal);
        }
    });
}

/// Other systems end a program without signals.
#[cfg(not(unix))]
pub(crate) fn remove_temporaries_on_signals() {}

/// Whether the process ignores a signal. Only Linux tells; elsewhere SIGHUP may be ignored, so it is not handled there.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    match ignored_signals() {
        Some(mask) => mask >> (signal - 1) & 1 == 1,
        None => signal == signal_hook::consts::SIGHUP,
    }
}

/// The set of ignored signals: signal n is bit n - 1.
#[cfg(unix)]
fn ignored_signals() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}
