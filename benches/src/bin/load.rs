//! Loads the service `gcc-grammar serve` with twice what it can do, and looks at what becomes of its memory and of the items.
//!
//! ```text
//! load PROGRAM [--vocab llama3] [--seconds 60] [--jobs 2] [--queue 16]
//! ```
//! PROGRAM is a `gcc-grammar` with the feature `serve`. *Capacity* is the rate of different schemas that are compiled when as many clients as there are jobs,
//! and one more, ask one after the other. *Load* are requests at four times this rate, where two in turn want the same schema: twice the capacity. Then
//! the queue is filled with items that nobody waits for, and the service is asked to end. The exit code is 1 unless requests were shed with 429 and
//! others answered, each accepted schema was compiled once, and all of them are in the store when the service has ended.

use clap::Parser;
use gcc_grammar::{Key, Vocabulary};
use gcc_grammar_benches::language::load_vocabulary;
use gcc_grammar_benches::{Result, exit_code};
use gcc_grammar_store::{Place, Store};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How long the capacity is measured.
const PROBE: Duration = Duration::from_secs(10);
/// Clients that ask at once under load.
const CLIENTS: usize = 128;
/// How often the memory of the service is looked at.
const SAMPLE: Duration = Duration::from_millis(200);

/// Loads the service with twice what it can do.
#[derive(Parser)]
struct Arguments {
    /// The program `gcc-grammar`, with the feature `serve`.
    program: PathBuf,
    /// The vocabulary: a built-in name, or a tokenizer file.
    #[arg(long = "vocab", default_value = "llama3")]
    vocabulary: String,
    /// How long the load lasts.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Items that the service compiles at once.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Items that wait in the service.
    #[arg(long, default_value_t = 16)]
    queue: usize,
}

fn main() -> ExitCode {
    exit_code(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<bool> {
    let folder = tempfile::tempdir()?;
    let service = Service::start(arguments, folder.path())?;
    let (seen, numbers) = (Seen::default(), AtomicU64::new(0));
    let rate = capacity(&service, &seen, &numbers, arguments.jobs + 1);
    println!("capacity  {rate:.1} schemas a second; {} MB resident", service.resident()? / 1_000_000);
    let most = load(&service, &seen, &numbers, rate, Duration::from_secs(arguments.seconds))?;
    println!(
        "memory    at most {} MB resident under load, {} MB after it",
        most / 1_000_000,
        service.resident()? / 1_000_000
    );
    seen.show();
    let (compiled, accepted) =
        (service.metric("items_total{status=\"compiled\"}")?, seen.keys().len() as u64);
    println!("compiled  {compiled} items for {accepted} different schemas that were accepted");
    let left = leave(&service, &seen, &numbers, arguments.queue)?;
    let ended = service.terminate()?;
    let lost = lost(folder.path(), &load_vocabulary(&arguments.vocabulary)?, &seen.keys())?;
    println!(
        "end       {left} items were waiting; exit code {ended:?}; {lost} of {} accepted schemas are not in the store",
        seen.keys().len()
    );
    Ok(compiled == accepted && seen.is_shed_and_answered() && lost == 0 && ended == Some(0))
}

/// The service, which ends with this value.
struct Service {
    child: Mutex<Child>,
    id: u32,
    address: String,
}

impl Service {
    fn start(arguments: &Arguments, folder: &Path) -> Result<Self> {
        let (jobs, queue) = (arguments.jobs.to_string(), arguments.queue.to_string());
        let mut command = Command::new(&arguments.program);
        command.args(["serve", "--listen", "127.0.0.1:0", "--vocab", &arguments.vocabulary]);
        command.args(["--jobs", &jobs, "--queue", &queue, "--store"]).arg(folder);
        let mut child = command.stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().ok_or("no output")?).read_line(&mut line)?;
        let address = line.trim().rsplit_once('/').ok_or("no address")?.1.to_owned();
        Ok(Self { id: child.id(), child: Mutex::new(child), address })
    }

    /// The resident memory in bytes.
    fn resident(&self) -> Result<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
        Ok(line.trim().trim_end_matches(" kB").parse::<u64>()? * 1024)
    }

    fn metric(&self, name: &str) -> Result<u64> {
        let text = Client::new(self).ask("GET", "/metrics", "")?.1;
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("gcc_grammar_{name} ")));
        Ok(line.ok_or("no such counter")?.parse()?)
    }

    /// Asks the service to end. Returns its exit code.
    fn terminate(&self) -> Result<Option<i32>> {
        Command::new("kill").arg(self.id.to_string()).status()?;
        Ok(self.child.lock().expect("no panic").wait()?.code())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // It has ended, unless there was an error.
        let _ = self.child.get_mut().expect("no panic").kill();
    }
}

/// A client with a connection that it keeps.
struct Client<'s> {
    address: &'s str,
    stream: Option<BufReader<TcpStream>>,
}

impl<'s> Client<'s> {
    fn new(service: &'s Service) -> Self {
        Self { address: &service.address, stream: None }
    }

    /// The status and the body of the reply. A connection that the service has closed meanwhile is opened again.
    fn ask(&mut self, method: &str, path: &str, body: &str) -> Result<(u16, String)> {
        let is_kept = self.stream.is_some();
        let asked = self.try_ask(method, path, body);
        if asked.is_err() {
            self.stream = None;
            return if is_kept { self.try_ask(method, path, body) } else { asked };
        }
        asked
    }

    fn try_ask(&mut self, method: &str, path: &str, body: &str) -> Result<(u16, String)> {
        let stream = match &mut self.stream {
            Some(stream) => stream,
            none => none.insert(BufReader::new(TcpStream::connect(self.address)?)),
        };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        stream.get_mut().write_all((head + body).as_bytes())?;
        read_reply(stream)
    }
}

fn read_reply(stream: &mut BufReader<TcpStream>) -> Result<(u16, String)> {
    let (mut line, mut length) = (String::new(), 0);
    stream.read_line(&mut line)?;
    let status = line.split(' ').nth(1).ok_or("no reply")?.parse()?;
    loop {
        line.clear();
        stream.read_line(&mut line)?;
        match line.to_lowercase().split_once(": ") {
            Some(("content-length", value)) => length = value.trim().parse()?,
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body)?;
    Ok((status, String::from_utf8(body)?))
}

/// What the clients have seen.
#[derive(Default)]
struct Seen(Mutex<Replies>);

#[derive(Default)]
struct Replies {
    by_status: BTreeMap<String, u64>,
    /// Of items that were accepted.
    keys: BTreeSet<String>,
    times: Vec<Duration>,
}

impl Seen {
    fn add(&self, reply: Result<(u16, String)>, time: Duration) {
        let mut seen = self.0.lock().expect("no panic");
        let Ok((status, body)) = reply else {
            *seen.by_status.entry("error".to_owned()).or_default() += 1;
            return;
        };
        *seen.by_status.entry(status.to_string()).or_default() += 1;
        if matches!(status, 200 | 202) {
            let body: Value = serde_json::from_str(&body).unwrap_or_default();
            seen.keys.extend(body["key"].as_str().map(str::to_owned));
            seen.times.push(time);
        }
    }

    fn keys(&self) -> BTreeSet<String> {
        self.0.lock().expect("no panic").keys.clone()
    }

    fn show(&self) {
        let mut seen = self.0.lock().expect("no panic");
        seen.times.sort_unstable();
        let at =
            |percent: usize| seen.times.get(seen.times.len() * percent / 100).copied().unwrap_or_default();
        println!(
            "replies   {:?}; p50 {:.0?}, p99 {:.0?} until a schema is compiled",
            seen.by_status,
            at(50),
            at(99)
        );
    }

    /// Whether there were replies with 200 and 429, and no others.
    fn is_shed_and_answered(&self) -> bool {
        let statuses: Vec<String> = self.0.lock().expect("no panic").by_status.keys().cloned().collect();
        statuses == ["200", "202", "429"]
    }
}

/// A schema that takes some milliseconds to compile. Numbers make different ones.
fn schema(number: u64) -> String {
    let kinds = [
        json!({"type": "string", "maxLength": 40}),
        json!({"type": "integer", "minimum": 0, "maximum": 1000 + number % 100}),
        json!({"enum": ["small", "medium", "large"]}),
        json!({"type": "array", "items": {"type": "string", "format": "date"}, "maxItems": 5}),
    ];
    let member = |index: usize| (format!("m{number}x{index}"), kinds[index % kinds.len()].clone());
    let properties: Map<String, Value> = (0..12).map(member).collect();
    json!({"id": number, "schema": {"type": "object", "properties": properties}}).to_string()
}

/// The rate of different schemas that clients get who ask one after the other.
fn capacity(service: &Service, seen: &Seen, numbers: &AtomicU64, clients: usize) -> f64 {
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..clients {
            scope.spawn(|| {
                let mut client = Client::new(service);
                while start.elapsed() < PROBE {
                    let asked = Instant::now();
                    let body = schema(numbers.fetch_add(1, Relaxed));
                    seen.add(client.ask("POST", "/v1/artifacts", &body), asked.elapsed());
                }
            });
        }
    });
    seen.keys().len() as f64 / start.elapsed().as_secs_f64()
}

/// Loads the service, where two requests in turn want the same. Returns the most resident bytes meanwhile.
fn load(service: &Service, seen: &Seen, numbers: &AtomicU64, rate: f64, time: Duration) -> Result<u64> {
    let (start, sent, first) = (Instant::now(), AtomicU64::new(0), numbers.load(Relaxed));
    let is_over = AtomicBool::new(false);
    let most = std::thread::scope(|scope| {
        let sampled = scope.spawn(|| sampled(service, &is_over));
        let clients: Vec<_> = (0..CLIENTS)
            .map(|_| {
                scope.spawn(|| {
                    let mut client = Client::new(service);
                    loop {
                        let request = sent.fetch_add(1, Relaxed);
                        let due = Duration::from_secs_f64(request as f64 / (4.0 * rate));
                        if due > time {
                            return;
                        }
                        std::thread::sleep(due.saturating_sub(start.elapsed()));
                        let asked = Instant::now();
                        seen.add(
                            client.ask("POST", "/v1/artifacts", &schema(first + request / 2)),
                            asked.elapsed(),
                        );
                    }
                })
            })
            .collect();
        clients.into_iter().for_each(|client| client.join().expect("it ends"));
        is_over.store(true, Relaxed);
        sampled.join().expect("it ends")
    })?;
    numbers.fetch_add(sent.load(Relaxed), Relaxed);
    println!(
        "load      {:.1} requests a second for {:.1?}",
        sent.load(Relaxed) as f64 / start.elapsed().as_secs_f64(),
        start.elapsed()
    );
    Ok(most)
}

fn sampled(service: &Service, is_over: &AtomicBool) -> Result<u64> {
    let mut most = 0;
    while !is_over.load(Relaxed) {
        most = most.max(service.resident()?);
        std::thread::sleep(SAMPLE);
    }
    Ok(most)
}

/// Leaves items that nobody waits for. Returns how many wait when the last one is accepted.
fn leave(service: &Service, seen: &Seen, numbers: &AtomicU64, count: usize) -> Result<u64> {
    let mut client = Client::new(service);
    for _ in 0..count {
        let body = schema(numbers.fetch_add(1, Relaxed));
        seen.add(client.ask("POST", "/v1/artifacts?wait=0", &body), Duration::ZERO);
    }
    service.metric("queue_length")
}

/// How many of the keys the store does not have.
fn lost(folder: &Path, vocabulary: &Vocabulary, keys: &BTreeSet<String>) -> Result<usize> {
    let store = Store::open(&folder.to_string_lossy(), None)?;
    let mut lost = 0;
    for key in keys {
        let key: Key = key.parse()?;
        lost += usize::from(store.get(&Place::new(key, vocabulary))?.is_none());
    }
    Ok(lost)
}
