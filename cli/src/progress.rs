//! Shows the stage that is being compiled, and measures the time of each stage. Both observe the stages that the library names.

use crate::shell::Shell;
use gcc_grammar::Observer;
use indicatif::{ProgressBar, ProgressStyle};
use std::time::{Duration, Instant};

/// The time between two frames of the animation.
const TICK: Duration = Duration::from_millis(100);

/// Measures how long each stage takes.
#[derive(Default)]
pub(crate) struct StageTimes {
    done: Vec<(&'static str, Duration)>,
    current: Option<(&'static str, Instant)>,
}

impl StageTimes {
    /// Ends the last stage, and returns the stages with their times in order.
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

/// Shows the current stage on a terminal, and measures all stages.
pub(crate) struct Progress {
    bar: ProgressBar,
    times: StageTimes,
}

impl Progress {
    /// Progress that is shown unless the shell says otherwise.
    pub(crate) fn new(shell: &Shell) -> Self {
        let bar = if shell.is_watched() { spinner() } else { ProgressBar::hidden() };
        Self { bar, times: StageTimes::default() }
    }

    /// Hides the current stage while something else is written to the terminal.
    pub(crate) fn suspend(&self, write: impl FnOnce()) {
        self.bar.suspend(write);
    }

    /// Ends the last stage, and returns the stages with their times in order.
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

/// Removes the bar from the terminal, also if compiling failed.
impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
