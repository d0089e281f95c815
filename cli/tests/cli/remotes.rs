//! Remote stores, with servers that the tests start on the loopback interface: one that has faults, and those that stand for S3 and Azure.

use crate::support::{Folder, Ran};
use serde_json::Value;
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How a server answers the request for an object.
#[derive(Clone, Copy, Debug)]
enum Answer {
    Whole,
    Flipped,
    Halved,
    Truncated,
    Missing,
    Failing,
    FailingTwice,
    Slow,
    Dropped,
    Huge,
}

/// A server that has one object, and counts requests for it.
struct Server {
    address: String,
    requests: Arc<AtomicUsize>,
}

impl Server {
    fn start(object: Vec<u8>, answer: Answer) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let requests = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&requests);
        // The thread ends with the process.
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let number = counted.fetch_add(1, Ordering::Relaxed);
                let object = object.clone();
                // If the client has gone, there is nobody to answer.
                std::thread::spawn(move || drop(respond(stream, &object, answer, number)));
            }
        });
        Self { address, requests }
    }
}

fn respond(mut stream: TcpStream, object: &[u8], answer: Answer, number: usize) -> std::io::Result<()> {
    let mut request = [0; 4096];
    let _ = stream.read(&mut request)?;
    let head = |status: &str, length: u64| {
        format!(
            "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nETag: \"a\"\r\nLast-Modified: Tue, 24 Nov 2026 00:00:00 GMT\r\nConnection: close\r\n\r\n"
        )
    };
    let length = object.len() as u64;
    let send = |stream: &mut TcpStream, head: String, body: &[u8]| {
        stream.write_all(head.as_bytes())?;
        stream.write_all(body)
    };
    match answer {
        Answer::Dropped => Ok(()),
        Answer::Missing => send(&mut stream, head("404 Not Found", 0), b""),
        Answer::Failing => send(&mut stream, head("500 Internal Server Error", 0), b""),
        Answer::FailingTwice if number < 2 => send(&mut stream, head("503 Slow Down", 0), b""),
        Answer::Whole | Answer::FailingTwice => send(&mut stream, head("200 OK", length), object),
        Answer::Flipped => {
            let mut object = object.to_vec();
            object[length as usize / 2] ^= 1;
            send(&mut stream, head("200 OK", length), &object)
        }
        Answer::Halved => send(&mut stream, head("200 OK", length / 2), &object[..object.len() / 2]),
        Answer::Truncated => send(&mut stream, head("200 OK", length), &object[..object.len() / 2]),
        Answer::Huge => send(&mut stream, head("200 OK", 1 << 40), object),
        Answer::Slow => {
            send(&mut stream, head("200 OK", length), &object[..10])?;
            sleep(Duration::from_secs(60));
            Ok(())
        }
    }
}

/// A command with credentials for a server.
fn command(folder: &Folder, address: &str, arguments: &[&str]) -> Command {
    let mut command = folder.command(arguments);
    for variable in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("AWS_")) {
        command.env_remove(variable.0);
    }
    let google = serde_json::json!({"gcs_base_url": address, "disable_oauth": true, "client_email": "", "private_key": "", "private_key_id": ""});
    let google = google.to_string();
    command.envs([
        ("AWS_ENDPOINT", address),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_REGION", "us-east-1"),
        ("AWS_ACCESS_KEY_ID", "user"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
        ("AWS_TIMEOUT", "2 seconds"),
        ("GOOGLE_SERVICE_ACCOUNT_KEY", &google),
        ("GOOGLE_ALLOW_HTTP", "true"),
        ("GOOGLE_TIMEOUT", "2 seconds"),
        ("no_proxy", "127.0.0.1"),
    ]);
    command.stdin(Stdio::null());
    command
}

fn run(mut command: Command) -> Ran {
    Ran::of(&command.output().expect("it runs"))
}

#[test]
fn faults_of_servers_are_errors_and_nothing_wrong_is_used() {
    let folder = Folder::new();
    folder.compile("point.json", "point.gcg");
    let key = folder.succeed(&["key", "point.json", "--vocab", "tiny"]).text().trim().to_owned();
    let expected = folder.succeed(&["mask", "point.gcg", "--vocab", "tiny"]).text();
    let cases = [
        (Answer::Whole, None, 1),
        (Answer::FailingTwice, None, 3),
        (Answer::Flipped, Some("checksum"), 1),
        (Answer::Halved, Some("truncated"), 1),
        (Answer::Truncated, Some("cannot be used"), 0),
        (Answer::Missing, Some("has no artifact with the key"), 1),
        (Answer::Failing, Some("500"), 4),
        (Answer::Slow, Some("cannot be used"), 0),
        (Answer::Dropped, Some("cannot be used"), 4),
        (Answer::Huge, Some("more than the limit"), 1),
    ];
    for scheme in ["s3://bucket/fleet", "gs://bucket/fleet", "http"] {
        for (answer, error, requests) in cases {
            if scheme == "http" && matches!(answer, Answer::Slow) {
                // Nothing says another limit than 30 seconds there.
                continue;
            }
            let server = Server::start(folder.read("point.gcg"), answer);
            let url = if scheme == "http" { format!("{}/fleet", server.address) } else { scheme.to_owned() };
            let _ = fs::remove_dir_all(folder.path("cache"));
            let line = ["mask", &key, "--vocab", "tiny", "--store", &url, "--cache", "cache"];
            let start = Instant::now();
            let ran = run(command(&folder, &server.address, &line));
            let shown = format!("{scheme} {answer:?}: {} {}", ran.stderr, ran.text());
            assert!(start.elapsed() < Duration::from_secs(30), "{shown}");
            match error {
                None => assert!(ran.exit == 0 && ran.text() == expected, "{shown}"),
                Some(error) => {
                    let is_said = ran.stderr.to_lowercase().contains(error);
                    assert!(ran.exit != 0 && ran.stdout.is_empty() && is_said, "{shown}");
                }
            }
            let counted = server.requests.load(Ordering::Relaxed);
            assert!(requests == 0 || counted == requests, "{counted} requests; {shown}");
            // The second time, the server is not asked.
            let again = run(command(&folder, "http://127.0.0.1:1", &line));
            assert_eq!(again.exit == 0, error.is_none(), "{scheme} {answer:?}: {}", again.stderr);
        }
    }
}

/// A server that stands for a cloud.
struct Emulator {
    process: Child,
    address: String,
}

impl Emulator {
    /// Starts a program with the arguments that `line` makes of a port, and waits until it takes a bucket at this path.
    fn start(line: impl FnOnce(&str) -> Vec<String>, bucket: &str) -> Self {
        let port = TcpListener::bind("127.0.0.1:0")
            .and_then(|listener| listener.local_addr())
            .expect("a port")
            .port();
        let line = line(&port.to_string());
        let mut command = Command::new(&line[0]);
        command.args(&line[1..]).stdout(Stdio::null()).stderr(Stdio::null());
        let process = command.spawn().expect("the program is on the PATH");
        let server = Self { process, address: format!("http://127.0.0.1:{port}") };
        let start = Instant::now();
        while server.put(bucket, b"").is_none() {
            assert!(start.elapsed() < Duration::from_secs(60), "{} does not answer", line[0]);
            sleep(Duration::from_millis(100));
        }
        server
    }

    /// A server that is compatible with S3, with a bucket.
    fn s3() -> Self {
        let line = |port: &str| ["moto_server", "-H", "127.0.0.1", "-p", port].map(str::to_owned).to_vec();
        Self::start(line, "/bucket")
    }

    /// A server that is compatible with Azure, with a container.
    fn azure(folder: &Folder) -> Self {
        let place = folder.path("azure").to_string_lossy().into_owned();
        let line = |port: &str| {
            let address = ["--blobHost", "127.0.0.1", "--blobPort", port, "--location", &place];
            [&["azurite-blob", "--silent", "--disableTelemetry", "--skipApiVersionCheck"], &address[..]]
                .concat()
                .into_iter()
                .map(str::to_owned)
                .collect()
        };
        Self::start(line, &azure_path("", "&restype=container"))
    }

    /// Puts a bucket or an object there, without a signature, or with one in its path.
    fn put(&self, path: &str, body: &[u8]) -> Option<()> {
        let mut stream = TcpStream::connect(self.address.strip_prefix("http://")?).ok()?;
        let access = "x-amz-acl: public-read-write\r\nx-ms-blob-type: BlockBlob";
        let head = format!(
            "PUT {path} HTTP/1.1\r\nHost: localhost\r\n{access}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        );
        stream.write_all(&[head.as_bytes(), body].concat()).ok()?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).ok()?;
        answer.starts_with(b"HTTP/1.1 20").then_some(())
    }
}

impl Drop for Emulator {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The path of a blob in the container of the emulator, signed with its well-known key for the time until 2099.
fn azure_path(blob: &str, more: &str) -> String {
    let signature = "pPICvo4HrDdyXm7gDPy0551FFGK%2Fhqg7zrrsqWQnDXI%3D";
    let rights = "sv=2019-12-12&ss=b&srt=sco&sp=rwdlac&se=2099-12-31T00:00:00Z";
    format!("/devstoreaccount1/box{blob}?{rights}&sig={signature}{more}")
}

const STORE: &str = "s3://bucket/fleet";

fn batch_to<'a>(store: &'a str, cache: &'a str) -> [&'a str; 10] {
    ["batch", "list.jsonl", "--vocab", "tiny", "--store", store, "--cache", cache, "--jobs", "2"]
}

fn batch(cache: &str) -> [&str; 10] {
    batch_to(STORE, cache)
}

/// The number of items with each status.
fn count(ran: &Ran, status: &str) -> usize {
    let lines = ran.text();
    let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON"));
    lines.filter(|line| line["status"] == status).count()
}

fn many(count: usize) -> String {
    (0..count)
        .map(|number| format!("{{\"id\": {number}, \"schema\": {{\"enum\": [{number}, \"a\"]}}}}\n"))
        .collect()
}

#[test]
#[ignore = "needs moto_server on the PATH: pip install 'moto[server]'"]
fn a_store_on_s3_is_filled_read_and_repaired() {
    let (folder, moto) = (Folder::new(), Emulator::s3());
    let here = |arguments: &[&str]| run(command(&folder, &moto.address, arguments));
    let put = |object: &str, bytes: &[u8]| moto.put(&format!("/bucket/{object}"), bytes);
    filled_read_and_repaired(&folder, STORE, here, put);
}

#[test]
#[ignore = "needs azurite-blob on the PATH: npm install azurite"]
fn a_store_on_azure_is_filled_read_and_repaired() {
    let folder = Folder::new();
    let azurite = Emulator::azure(&folder);
    let here = |arguments: &[&str]| {
        let mut command = folder.command(arguments);
        command.env("AZURE_STORAGE_USE_EMULATOR", "true").env("AZURITE_BLOB_STORAGE_URL", &azurite.address);
        run(command)
    };
    let put = |object: &str, bytes: &[u8]| azurite.put(&azure_path(&format!("/{object}"), ""), bytes);
    filled_read_and_repaired(&folder, "az://box/fleet", here, put);
}

/// Fills a store, whose objects begin with `fleet/`, reads and lists it, and damages and repairs it. `put` replaces an object.
fn filled_read_and_repaired(
    folder: &Folder,
    store: &str,
    here: impl Fn(&[&str]) -> Ran,
    put: impl Fn(&str, &[u8]) -> Option<()>,
) {
    let batch = |cache| here(&batch_to(store, cache));
    folder.write("list.jsonl", many(20));
    let first = batch("a");
    assert_eq!((first.exit, count(&first, "compiled")), (0, 20), "{}", first.stderr);
    // Another machine, with a cache of its own.
    let second = batch("b");
    assert_eq!((second.exit, count(&second, "present")), (0, 20), "{}", second.stderr);
    let line: Value = serde_json::from_str(first.text().lines().next().expect("a line")).expect("JSON");
    let key = line["key"].as_str().expect("a key");
    let mask = |cache| ["mask", key, "--vocab", "tiny", "--store", store, "--cache", cache];
    let expected = here(&mask("a")).text();
    assert!(expected.contains("tokens allowed"), "{expected}");
    assert_eq!(here(&mask("c")).text(), expected);
    // Lists: the vocabulary is not named, and all keys are wanted.
    let found = here(&["verify", key, "--store", store, "--cache", "d"]);
    assert_eq!(found.exit, 0, "{}", found.stderr);
    let packed = here(&["pack", "--store", store, "--cache", "d", "--vocab", "tiny", "-o", "all.gcp"]);
    assert!(packed.text().contains("20 artifacts"), "{}{}", packed.text(), packed.stderr);
    let mut vocabularies = fs::read_dir(folder.path("a/v1")).expect("the cache");
    let vocabulary =
        vocabularies.next().expect("one").expect("an entry").file_name().into_string().expect("digits");
    let path = format!("fleet/v1/{vocabulary}/{}/{key}.gcg", &key[..2]);
    folder.succeed(&["compile", "point.json", "--vocab", "tiny", "--compress", "zstd", "-o", "packed.gcg"]);
    // Wrong and truncated objects are refused, and replaced by whoever has the source.
    for wrong in [&b"nonsense"[..], b"", &folder.read("packed.gcg")[..200]] {
        put(&path, wrong).expect("put");
        let _ = fs::remove_dir_all(folder.path("e"));
        let refused = here(&mask("e"));
        assert!(refused.exit == 1 && refused.stdout.is_empty(), "{}: {}", refused.exit, refused.stderr);
        let repaired = batch("e");
        assert_eq!((repaired.exit, count(&repaired, "compiled")), (0, 1), "{}", repaired.stderr);
        assert!(repaired.text().contains("was replaced"));
        assert_eq!(here(&mask("f")).text(), expected);
        let _ = fs::remove_dir_all(folder.path("f"));
    }
}

#[test]
#[ignore = "needs moto_server on the PATH: pip install 'moto[server]'"]
fn processes_that_race_or_are_killed_leave_a_whole_store_on_s3() {
    let (folder, moto) = (Folder::new(), Emulator::s3());
    folder.write("list.jsonl", many(60));
    let start = |cache: &str| {
        let mut command = command(&folder, &moto.address, &batch(cache));
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
    };
    for round in 0..20_u64 {
        let mut child = start("a");
        sleep(Duration::from_millis(30 + round * 37 % 200));
        child.kill().expect("killed");
        child.wait().expect("ended");
    }
    // Two processes with one cache compile each item at most once, and the store has all of them.
    let ended = [start("a"), start("a")].map(|child| Ran::of(&child.wait_with_output().expect("it ends")));
    assert!(ended.iter().all(|ran| ran.exit == 0), "{} {}", ended[0].stderr, ended[1].stderr);
    assert!(ended.iter().map(|ran| count(ran, "compiled")).sum::<usize>() <= 60);
    let fresh = run(command(&folder, &moto.address, &batch("b")));
    assert_eq!((fresh.exit, count(&fresh, "present")), (0, 60), "{}", fresh.stderr);
    // Without credentials.
    let mut bare = command(&folder, &moto.address, &batch("c"));
    bare.env_remove("AWS_ACCESS_KEY_ID")
        .env_remove("AWS_SECRET_ACCESS_KEY")
        .env("AWS_METADATA_ENDPOINT", "http://127.0.0.1:1");
    let refused = run(bare);
    assert_eq!((refused.exit, count(&refused, "failed")), (1, 60), "{}", refused.stderr);
}

/// The signatures are objects of their own: read with the artifact, put before it, and missed if they are gone.
#[cfg(feature = "sign")]
#[test]
#[ignore = "needs moto_server on the PATH: pip install 'moto[server]'"]
fn signed_objects_on_s3_are_checked_and_signed_again() {
    use crate::signing::{OTHER, PUBLIC, SECRET};
    let (folder, moto) = (Folder::new(), Emulator::s3());
    let here = |arguments: &[&str]| run(command(&folder, &moto.address, arguments));
    folder.write("list.jsonl", many(5));
    for (name, key) in [("secret.key", SECRET), ("our.pub", PUBLIC), ("other.pub", OTHER)] {
        folder.write(name, key);
    }
    let signed = |cache: &str| here(&[&batch(cache)[..], &["--sign", "secret.key"]].concat());
    // Objects without signatures are made again by who signs, and then are there for others.
    assert_eq!(count(&here(&batch("a")), "compiled"), 5);
    let first = signed("b");
    assert_eq!((first.exit, count(&first, "compiled")), (0, 5), "{}", first.stderr);
    assert_eq!(count(&signed("c"), "present"), 5);
    let line: Value = serde_json::from_str(first.text().lines().next().expect("a line")).expect("JSON");
    let key = line["key"].as_str().expect("a key");
    let mask = |cache: &str, trust: &str| {
        here(&["mask", key, "--vocab", "tiny", "--store", STORE, "--cache", cache, "--trust", trust])
    };
    assert_eq!(mask("d", "our.pub").exit, 0);
    assert_eq!(mask("e", "other.pub").exit, 1);
    let mut vocabularies = fs::read_dir(folder.path("a/v1")).expect("the cache");
    let vocabulary = vocabularies.next().expect("one").expect("an entry").file_name();
    let vocabulary = vocabulary.into_string().expect("digits");
    let path = format!("/bucket/fleet/v1/{vocabulary}/{}/{key}.gcg.minisig", &key[..2]);
    for (number, wrong) in [&b"nonsense"[..], b"", &[b'A'; 10_000]].into_iter().enumerate() {
        moto.put(&path, wrong).expect("put");
        let [reader, writer] = ["r", "w"].map(|name| format!("{name}{number}"));
        let refused = mask(&reader, "our.pub");
        assert!(refused.exit != 0 && refused.stdout.is_empty(), "{}: {}", refused.exit, refused.stderr);
        assert_eq!(count(&signed(&writer), "compiled"), 1);
        assert_eq!(mask(&reader, "our.pub").exit, 0);
    }
}
