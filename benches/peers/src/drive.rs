//! Drives a worker process: starts it, sends jobs, and restarts it if it ends or exceeds a time limit.

use crate::protocol::{Compile, Job, Note, Report};
use gcc_grammar_benches::Result;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The time in which a worker must be ready.
const START_LIMIT: Duration = Duration::from_secs(300);

/// The command that starts a worker.
#[derive(Clone, Debug)]
pub struct Engine {
    /// The name in tables.
    pub name: String,
    /// The program.
    pub program: PathBuf,
    /// The arguments.
    pub flags: Vec<String>,
}

impl Engine {
    /// Parses `NAME=PROGRAM` or `NAME:MODE=PROGRAM`.
    ///
    /// # Errors
    /// The text has no `=`.
    pub fn read(text: &str, flags: &[String]) -> Result<Self> {
        let (name, program) = text.split_once('=').ok_or("a worker is NAME=PROGRAM or NAME:MODE=PROGRAM")?;
        let mut flags = flags.to_vec();
        let name = match name.split_once(':') {
            Some((name, mode)) => {
                flags.extend(["--mode".to_owned(), mode.to_owned()]);
                name
            }
            None => name,
        };
        Ok(Self { name: name.to_owned(), program: PathBuf::from(program), flags })
    }
}

/// A worker process, with the command to start it again.
pub struct Worker {
    engine: Engine,
    process: Process,
    /// The message with which the worker was ready.
    pub ready: Note,
}

struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Worker {
    /// Starts a worker, and waits until it is ready.
    ///
    /// # Errors
    /// The worker does not start, or is not ready in time.
    pub fn start(engine: Engine) -> Result<Self> {
        let (process, ready) = start(&engine)?;
        Ok(Self { engine, process, ready })
    }

    /// The engine's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.engine.name
    }

    /// Sends a job, and waits for the report. Compiling may take `limit`, and the texts may take as long again.
    ///
    /// # Errors
    /// The worker sends no valid message, or cannot be restarted.
    pub fn run(&mut self, job: &Job, limit: Duration) -> Result<Report> {
        let line = serde_json::to_string(job)?;
        let start = Instant::now();
        let mut deadline = start + limit;
        let mut report = Report { id: job.id.clone(), ..Report::default() };
        // If the worker has ended, reading from it fails below.
        let _ = writeln!(self.process.input, "{line}");
        loop {
            match self.process.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => {
                    match serde_json::from_str(&line).map_err(|error| format!("{}: {error}", self.name()))? {
                        Note::Done(report) => return Ok(*report),
                        Note::Compiled { .. } => {
                            report.compile = Compile::Ok;
                            deadline = Instant::now() + limit;
                        }
                        Note::Ready { .. } => {}
                    }
                }
                Err(error) => {
                    self.restart()?;
                    add_failure(&mut report, error == RecvTimeoutError::Timeout, start.elapsed());
                    return Ok(report);
                }
            }
        }
    }

    fn restart(&mut self) -> Result<()> {
        let (process, ready) = start(&self.engine)?;
        self.process = process;
        self.ready = ready;
        Ok(())
    }
}

/// Reports that the worker exceeded the time limit or ended, while it compiled or after that.
fn add_failure(report: &mut Report, is_timeout: bool, elapsed: Duration) {
    let message = if is_timeout { "time limit" } else { "the worker ended" };
    if report.compile == Compile::Ok {
        message.clone_into(&mut report.run_failure);
    } else {
        report.compile = if is_timeout { Compile::Timeout } else { Compile::Crash };
        report.compile_ns = elapsed.as_nanos() as u64;
        message.clone_into(&mut report.message);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The process may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn start(engine: &Engine) -> Result<(Process, Note)> {
    let fail = |problem: String| format!("{} ({}): {problem}", engine.name, engine.program.display());
    let mut command = Command::new(program(&engine.program));
    // Every engine gets one thread.
    command.args(&engine.flags).env("RAYON_NUM_THREADS", "1").env("GLRMASK_COMPILE_THREADS", "1");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| fail(error.to_string()))?;
    let pipes = child.stdin.take().zip(child.stdout.take());
    let (input, output) = pipes.ok_or_else(|| fail("no pipes".to_owned()))?;
    let (sender, lines) = channel();
    thread::spawn(move || {
        let lines = BufReader::new(output).lines().map_while(Result::ok);
        lines.map(|line| sender.send(line)).take_while(Result::is_ok).count()
    });
    let process = Process { child, input, lines };
    let line = process.lines.recv_timeout(START_LIMIT).map_err(|_| fail("it did not start".to_owned()))?;
    let ready = serde_json::from_str(&line).map_err(|error| fail(error.to_string()))?;
    Ok((process, ready))
}

/// The absolute path of a program. A path without a folder would be searched in PATH.
fn program(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
