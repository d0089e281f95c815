//! What is shown while compiling, and how long each stage took.

use crate::shell::Shell;
use gcc_grammar::Observer;
use indicatif::{ProgressBar, ProgressStyle};
use std::time::{Duration, Instant};

/// Time between two frames.
const TICK: Duration = Duration::from_millis(100);

/// Measures how long each stage takes.
#[derive(Default)]
pub(crate) struct StageTimes {
    done: Vec<(&'static str, Duration)>,
    current: Option<(&'static str, Instant)>,
}

impl StageTimes {
    /// The last stage is done: how long each one took, in order.
    pub(crate) fn finish(mut self) -> Vec<(&'static str, Duration)> {
        self.end_stage();
        self.done
    }

    fn end_stage(&mut self) {
        if let Some((name, start)) = self.current.take() {
            self.done.push((name, start.elapsed()));
        }
    }
}

impl Observer for StageTimes {
    fn stage(&mut self, name: &'static str) {
        self.end_stage();
        self.current = Some((name, Instant::now()));
    }
}

/// Shows the stage under way if somebody is watching, and measures all of them.
pub(crate) struct Progress {
    bar: ProgressBar,
    times: StageTimes,
}

impl Progress {
    pub(crate) fn new(shell: &Shell) -> Self {
        let bar = if shell.is_watched() { spinner() } else { ProgressBar::hidden() };
        Self { bar, times: StageTimes::default() }
    }

    /// Everything is done: how long each stage took.
    pub(crate) fn finish(mut self) -> Vec<(&'static str, Duration)> {
        std::mem::take(&mut self.times).finish()
    }
}

fn spinner() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(TICK);
    bar
}

impl Observer for Progress {
    fn stage(&mut self, name: &'static str) {
        self.times.stage(name);
        self.bar.set_message(name);
    }
}

/// Whatever happens, the bar does not stay on the terminal.
impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
