//! A worker process with time limits.

use crate::protocol::{Compile, Job, Note, Report};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long a worker may take to say that it is ready.
const START_LIMIT: Duration = Duration::from_secs(300);

/// How a worker is started.
#[derive(Clone, Debug)]
pub struct Engine {
    /// For tables.
    pub name: String,
    /// The program.
    pub program: PathBuf,
    /// Its flags.
    pub flags: Vec<String>,
}

impl Engine {
    /// Reads `NAME=PROGRAM` or `NAME:MODE=PROGRAM`.
    pub fn read(text: &str, flags: &[String]) -> Result<Self, String> {
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

/// A worker, and what it takes to start it again.
pub struct Worker {
    engine: Engine,
    process: Process,
    /// What it said when it was ready.
    pub ready: Note,
}

struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Worker {
    /// Starts a worker, and waits until it is ready.
    pub fn start(engine: Engine) -> Result<Self, String> {
        let (process, ready) = start(&engine)?;
        Ok(Self { engine, process, ready })
    }

    /// The engine's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.engine.name
    }

    /// Has a job done. Compiling may take `limit`, and the texts that follow as long again.
    pub fn run(&mut self, job: &Job, limit: Duration) -> Result<Report, String> {
        let line = serde_json::to_string(job).map_err(|error| error.to_string())?;
        let start = Instant::now();
        let mut deadline = start + limit;
        let mut report = Report { id: job.id.clone(), ..Report::default() };
        // A worker that cannot be written to has ended; that shows below.
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
                    let is_timeout = error == RecvTimeoutError::Timeout;
                    let message = if is_timeout { "time limit" } else { "the worker ended" };
                    self.restart()?;
                    if report.compile == Compile::Ok {
                        message.clone_into(&mut report.run_failure);
                    } else {
                        report.compile = if is_timeout { Compile::Timeout } else { Compile::Crash };
                        report.compile_ns = start.elapsed().as_nanos() as u64;
                        message.clone_into(&mut report.message);
                    }
                    return Ok(report);
                }
            }
        }
    }

    fn restart(&mut self) -> Result<(), String> {
        let (process, ready) = start(&self.engine)?;
        self.process = process;
        self.ready = ready;
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn start(engine: &Engine) -> Result<(Process, Note), String> {
    let fail = |problem: String| format!("{} ({}): {problem}", engine.name, engine.program.display());
    let mut command = Command::new(program(&engine.program));
    // One thread each.
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

/// A path without a folder would be looked for in PATH.
fn program(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
