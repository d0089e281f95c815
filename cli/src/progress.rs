//! Shows the stage that is being compiled, and measures the time of each stage. Both observe the stages that the library names.

use crate::render::batch::Counts;
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

/// Shows how much of a batch is done, at which rate, and how long the rest will take.
pub(crate) struct BatchProgress(ProgressBar);

impl BatchProgress {
    /// Progress that is shown unless the shell says otherwise. `total` is the length of the list in bytes, if it is known.
    pub(crate) fn new(shell: &Shell, total: Option<u64>) -> Self {
        let bar = match (shell.is_watched(), total) {
            (false, _) => ProgressBar::hidden(),
            (true, None) => spinner(),
            (true, Some(total)) => bar(total),
        };
        Self(bar)
    }

    /// Shows the numbers so far, and the bytes of the list that were read for them.
    pub(crate) fn show(&self, end: u64, counts: &Counts) {
        // Outcomes come in the order in which they are done.
        self.0.set_position(self.0.position().max(end));
        let seconds = self.0.elapsed().as_secs_f64().max(0.001);
        self.0.set_message(format!("{}, {:.1} a second", counts.text(), counts.all() as f64 / seconds));
    }
}

impl Drop for BatchProgress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

fn bar(total: u64) -> ProgressBar {
    let bar = ProgressBar::new(total);
    if let Ok(style) =
        ProgressStyle::with_template("{spinner} {elapsed} {percent}% [{bar:20}] {eta} left  {msg}")
    {
        bar.set_style(style);
    }
    bar.enable_steady_tick(TICK);
    bar
}
