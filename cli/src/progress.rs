//! Shows the stage that is being compiled, and measures the time of each stage. Both observe the stages that the library names.

use crate::render::batch::Counts;
use crate::shell::Shell;
use gcc_grammar::{Budget, Observer};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::sync::{Arc, OnceLock};
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

/// Shows the current stage on a terminal and the share of the limit of work that is spent, and measures all stages.
pub(crate) struct Progress {
    bar: ProgressBar,
    budget: Arc<OnceLock<Budget>>,
    times: StageTimes,
}

impl Progress {
    /// Progress that is shown unless the shell says otherwise.
    pub(crate) fn new(shell: &Shell) -> Self {
        let budget = Arc::default();
        let bar = if shell.is_watched() { spinner(stages(&budget)) } else { ProgressBar::hidden() };
        Self { bar, budget, times: StageTimes::default() }
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

/// The form of the current stage, with the share of the budget that is spent once there is one.
fn stages(budget: &Arc<OnceLock<Budget>>) -> ProgressStyle {
    let budget = Arc::clone(budget);
    let share = move |_: &ProgressState, out: &mut dyn Write| {
        if let Some(budget) = budget.get() {
            // There is no place to report that the form cannot be written.
            let _ = out.write_str(&share_text(budget.share()));
        }
    };
    form("{spinner} {elapsed} {msg}{share}").with_key("share", share)
}

/// A share of the limit of work, as it stands behind the name of a stage.
fn share_text(share: f64) -> String {
    format!(", {:.1} % of the limit of work", 100.0 * share)
}

fn form(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}

fn spinner(form: ProgressStyle) -> ProgressBar {
    let bar = ProgressBar::new_spinner().with_style(form);
    bar.enable_steady_tick(TICK);
    bar
}

impl Observer for Progress {
    fn budget(&mut self, budget: &Budget) {
        // Only the first compilation is shown.
        let _ = self.budget.set(budget.clone());
    }

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
            (true, None) => spinner(form("{spinner} {elapsed} {msg}")),
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
    let form = form("{spinner} {elapsed} {percent}% [{bar:20}] {eta} left  {msg}");
    let bar = ProgressBar::new(total).with_style(form);
    bar.enable_steady_tick(TICK);
    bar
}
