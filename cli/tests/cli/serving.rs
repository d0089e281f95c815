//! The service, through real sockets: what it answers, what it refuses, and how it ends.

use crate::schemas::expect_valid;
use crate::support::Folder;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A service that runs in a folder.
struct Service {
    child: Child,
    address: String,
}

/// A reply: its status, its head, and its body.
struct Reply {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Reply {
    fn json(&self) -> Value {
        let value = serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("{}", self.text()));
        expect_valid("serve", std::slice::from_ref(&value));
        value
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

impl Service {
    fn start(folder: &Folder, arguments: &[&str]) -> Self {
        let line = ["serve", "--vocab", "tiny", "--store", "store", "--listen", "127.0.0.1:0"];
        Self::start_with(folder, &[&line[..], arguments].concat())
    }

    fn start_with(folder: &Folder, arguments: &[&str]) -> Self {
        let mut command = folder.command(arguments);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("it starts");
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().expect("a pipe")).read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("listening on http://").unwrap_or_else(|| panic!("{line}"));
        let port = address.rsplit_once(':').expect("a port").1;
        Self { address: format!("127.0.0.1:{port}"), child }
    }

    /// Sends bytes, and reads until the service closes the connection.
    fn send(&self, request: &[u8]) -> Reply {
        let mut stream = self.connect();
        // A service that has refused the head may have closed the connection.
        let _ = stream.write_all(request);
        self.end(stream)
    }

    /// A connection on which a request has begun.
    fn begin(&self, request: &str) -> TcpStream {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).expect("sent");
        stream
    }

    /// The reply of a connection that ends with it.
    #[allow(clippy::unused_self, reason = "the service runs")]
    fn end(&self, mut stream: TcpStream) -> Reply {
        let mut reply = Vec::new();
        let _ = stream.read_to_end(&mut reply);
        let end = reply.windows(4).position(|part| part == b"\r\n\r\n");
        let end = end.unwrap_or_else(|| panic!("no reply: {}", String::from_utf8_lossy(&reply)));
        let head = String::from_utf8_lossy(&reply[..end]).into_owned();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        Reply { status, head, body: reply[end + 4..].to_vec() }
    }

    fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> Reply {
        let (host, length) = (&self.address, body.len());
        let head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n{headers}");
        let host = if headers.contains("Host:") { String::new() } else { format!("Host: {host}\r\n") };
        self.send(format!("{head}{host}Content-Length: {length}\r\n\r\n{body}").as_bytes())
    }

    fn get(&self, path: &str) -> Reply {
        self.request("GET", path, "", "")
    }

    fn post(&self, path: &str, item: &Value) -> Reply {
        self.request("POST", path, "Content-Type: application/json\r\n", &item.to_string())
    }

    fn make(&self, item: &Value) -> Reply {
        self.post("/v1/artifacts", item)
    }

    /// The value of a counter.
    fn metric(&self, name: &str) -> u64 {
        let text = self.get("/metrics").text();
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("gcc_grammar_{name} ")));
        line.unwrap_or_else(|| panic!("{name}: {text}")).parse().expect("a number")
    }

    /// Asks the service to end, and expects that it does.
    fn terminate(self) {
        self.terminate_with(0);
    }

    /// Asks the service to end, and expects that it does with this exit code.
    fn terminate_with(mut self, code: i32) {
        let killed = Command::new("kill").arg(self.child.id().to_string()).status().expect("kill runs");
        assert!(killed.success());
        let ended = self.child.wait().expect("it ends");
        assert_eq!(ended.code(), Some(code), "{ended}");
    }

    /// A connection on which nothing is waited for for ever.
    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("connected");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("set");
        stream.set_write_timeout(Some(Duration::from_secs(60))).expect("set");
        stream
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn schema(id: u32, members: u32) -> Value {
    let properties = (0..members).map(|number| (format!("p{id}x{number}"), json!({"type": "integer"})));
    let properties: serde_json::Map<String, Value> = properties.collect();
    json!({"id": id, "schema": {"type": "object", "properties": properties}})
}

/// An item that takes long enough for others to come meanwhile.
fn slow(id: u32) -> Value {
    schema(id, 300)
}

fn path_of(folder: &Folder, key: &str) -> PathBuf {
    let root = folder.path("store/v1");
    let vocabulary = fs::read_dir(&root).expect("a store").next().expect("one").expect("an entry").path();
    vocabulary.join(&key[..2]).join(format!("{key}.gcg"))
}

#[test]
fn items_are_made_and_fetched() {
    let folder = Folder::new();
    let service = Service::start(&folder, &[]);
    assert_eq!(service.get("/healthz").json(), json!({"version": 1, "status": "ok"}));
    let point: Value = serde_json::from_slice(&folder.read("point.json")).expect("JSON");
    let item = json!({"id": "point", "schema": folder_text(&folder), "options": {"whitespace": "compact"}});
    let made = service.make(&item);
    let line = made.json();
    assert_eq!((made.status, &line["id"], &line["status"]), (200, &json!("point"), &json!("compiled")));
    let again = service.make(&item);
    assert_eq!(
        (again.status, &again.json()["status"], &again.json()["key"]),
        (200, &json!("present"), &line["key"])
    );
    // The key and the bytes are those of the command line.
    let command = ["compile", "point.json", "--whitespace", "compact", "--vocab", "tiny", "-o", "point.gcg"];
    folder.succeed(&command);
    let key = line["key"].as_str().expect("a key");
    let fetched = service.get(&format!("/v1/artifacts/{key}"));
    assert_eq!((fetched.status, &fetched.body), (200, &folder.read("point.gcg")));
    assert_eq!(line["size"], json!(fetched.body.len()));
    // As a value, the text of the schema is another one.
    assert_eq!(service.make(&json!({"schema": point})).json()["status"], "compiled");
    let grammar = json!({"grammar": "start: \"a\" json\n%import json.start -> json", "format": "lark"});
    assert_eq!(service.make(&grammar).status, 200, "{}", service.make(&grammar).text());
    let pending = service.post("/v1/artifacts?wait=0", &slow(0));
    assert_eq!((pending.status, &pending.json()["status"]), (202, &json!("pending")));
    let key = pending.json()["key"].as_str().expect("a key").to_owned();
    let start = Instant::now();
    while service.get(&format!("/v1/artifacts/{key}")).status == 202 {
        assert!(start.elapsed() < Duration::from_secs(60), "never made");
    }
    assert_eq!(service.get(&format!("/v1/artifacts/{key}")).status, 200);
    // An artifact can be fetched a moment before its item is counted; whoever asks for the item anew is answered after.
    assert_eq!(service.make(&slow(0)).status, 200);
    assert_eq!(service.metric("items_total{status=\"compiled\"}"), 4);
    assert!(service.metric("requests_total{code=\"200\"}") >= 7);
    service.terminate();
}

fn folder_text(folder: &Folder) -> String {
    String::from_utf8(folder.read("point.json")).expect("a text")
}

#[test]
fn what_cannot_be_answered_is_refused() {
    let folder = Folder::new();
    folder.write("secret.lark", "SECRET: \"s\"");
    let service =
        Service::start(&folder, &["--limit-body", "2000", "--limit-nesting", "20", "--limit-work", "2000"]);
    let statuses = [
        (json!({"schema": {"type": "intger"}}), 422, "intger"),
        (slow(1).get("schema").map(|_| schema(1, 20)).expect("a schema"), 422, "over-budget"),
        (json!({"schema": {}, "options": {"limits": {"work": 1}}}), 422, "over-budget"),
        (json!({"shema": {}}), 422, "unknown field"),
        (json!([]), 422, "this is no item"),
        (json!({"path": "point.json"}), 422, "cannot name files"),
        (
            json!({"grammar": "start: \"a\"", "format": "lark", "options": {"import_folders": ["/"]}}),
            422,
            "cannot name files",
        ),
        (
            json!({"grammar": "start: S\n%import secret.SECRET -> S", "format": "lark"}),
            422,
            "no built-in file",
        ),
        (
            json!({"grammar": "start: S\n%import .secret.SECRET -> S", "format": "lark"}),
            422,
            "no built-in file",
        ),
        (slow(2), 413, "limit of 2000 bytes"),
        (json!({"grammar": 5, "format": "lark"}), 422, "is a text"),
        (json!({"schema": {}, "options": {"limits": {"work": 1}}}), 422, "raise options.limits.work"),
        (json!({"schema": {"$ref": "https://example.com/a"}}), 422, "options.resources"),
    ];
    for (item, status, message) in statuses {
        let reply = service.make(&item);
        assert!(
            reply.status == status && reply.text().contains(message),
            "{item}: {} {}",
            reply.status,
            reply.text()
        );
        reply.json();
    }
    let deep = format!("{{\"schema\": {}}}", "[".repeat(900));
    let json = "Content-Type: application/json\r\n";
    let requests = [
        ("POST", "/v1/artifacts", json, &*deep, 422),
        ("POST", "/v1/artifacts", json, "{", 422),
        ("POST", "/v1/artifacts", json, "\u{0}", 422),
        ("POST", "/v1/artifacts", "", "{}", 415),
        ("POST", "/v1/artifacts", "Content-Type: text/plain\r\n", "{}", 415),
        ("POST", "/v1/artifacts?wait=x", json, "{}", 400),
        ("PUT", "/v1/artifacts", json, "{}", 405),
        ("DELETE", "/healthz", "", "", 405),
        ("POST", "/v1/artifacts", &format!("{json}Content-Encoding: gzip\r\n"), "{}", 415),
        ("POST", "/v1/artifacts", &format!("{json}Content-Encoding: Identity\r\n"), "{\"schema\": {}}", 422),
        ("GET", "/v1/artifacts/abc", "", "", 400),
        ("GET", "/v1/artifacts/..%2f..%2fpoint.json", "", "", 400),
        ("GET", &format!("/v1/artifacts/{}", "0".repeat(64)), "", "", 404),
        ("GET", "/", "", "", 404),
        ("GET", "/metrics", "Host: example.com\r\n", "", 403),
        ("GET", "/metrics", "Host: 127.0.0.1.example.com:80\r\n", "", 403),
        ("GET", "/metrics", "Host: localhost:1\r\n", "", 200),
        ("GET", "/metrics", "Host: LocalHost.:1\r\n", "", 200),
        ("GET", "/metrics", "Host: localhost..\r\n", "", 403),
        ("GET", "/metrics", "Host: localhost\r\nHost: example.com\r\n", "", 400),
    ];
    for (method, path, headers, body, status) in requests {
        let reply = service.request(method, path, headers, body);
        assert_eq!(reply.status, status, "{method} {path} {headers}: {}", reply.text());
        if status != 200 {
            assert!(reply.json()["error"].is_string() || status == 422, "{method} {path}: {}", reply.text());
        }
        assert_eq!(status == 405, reply.head.to_ascii_lowercase().contains("\r\nallow: "), "{}", reply.head);
    }
    let post = "POST /v1/artifacts HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n";
    // The number alone is too large: the body is not waited for.
    let begun = Instant::now();
    let stream = service.begin(&format!("{post}Content-Length: 100000\r\n\r\n{{"));
    assert_eq!(service.end(stream).status, 413);
    assert!(begun.elapsed() < Duration::from_secs(20));
    let stream = service.begin(&format!("{post}Content-Length: 100\r\n\r\n{{}}"));
    stream.shutdown(Shutdown::Write).expect("half closed");
    assert_eq!(service.end(stream).status, 400);
    assert_eq!(
        service.send(format!("{post}Transfer-Encoding: chunked\r\n\r\nzz\r\n").as_bytes()).status,
        400
    );
    let long = format!("{post}Transfer-Encoding: chunked\r\n\r\n1000\r\n{}\r\n0\r\n\r\n", "x".repeat(0x1000));
    assert_eq!(service.send(long.as_bytes()).status, 413);
    // What is no HTTP is refused, a client that does not go on is left alone, and others are answered.
    assert_eq!(service.send(b"\x16\x03\x01 nonsense\r\n\r\n").status, 400);
    let mut open = TcpStream::connect(&service.address).expect("connected");
    open.write_all(b"POST /v1/artifacts HTTP/1.1\r\nContent-Length: 9").expect("sent");
    let head = format!("GET /healthz HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(1 << 17));
    assert_eq!(service.send(head.as_bytes()).status, 431);
    assert_eq!(service.get("/healthz").status, 200);
    drop(open);
    service.terminate();
}

#[test]
fn the_address_is_written_as_json() {
    let folder = Folder::new();
    let line = ["serve", "--vocab", "tiny", "--store", "store", "--listen", "127.0.0.1:0", "--json"];
    let mut child = folder.command(&line).stdout(Stdio::piped()).spawn().expect("it starts");
    let out = child.stdout.as_mut().expect("a pipe");
    let written = serde_json::Deserializer::from_reader(out).into_iter().next().expect("an object");
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    expect_valid("serve", &[written.expect("JSON")]);
}

#[test]
fn equal_requests_compile_once() {
    let folder = Folder::new();
    let service = Service::start(&folder, &["--jobs", "2"]);
    let replies: Vec<Value> = std::thread::scope(|scope| {
        let asking: Vec<_> = (0..12)
            .map(|number| {
                let (service, mut item) = (&service, slow(7));
                item["id"] = json!(number);
                scope.spawn(move || service.make(&item).json())
            })
            .collect();
        asking.into_iter().map(|thread| thread.join().expect("it ends")).collect()
    });
    for (number, reply) in replies.iter().enumerate() {
        assert_eq!((&reply["id"], &reply["key"]), (&json!(number), &replies[0]["key"]), "{reply}");
    }
    assert_eq!(service.metric("items_total{status=\"compiled\"}"), 1);
    let (joined, present) =
        (service.metric("joined_total"), service.metric("items_total{status=\"present\"}"));
    assert_eq!(joined + present, 11);
    assert!(joined > 0);
    service.terminate();
}

#[test]
fn a_full_queue_sheds_requests() {
    let folder = Folder::new();
    let service = Service::start(&folder, &["--jobs", "1", "--queue", "2"]);
    let replies: Vec<Reply> = std::thread::scope(|scope| {
        let asking: Vec<_> = (0..16)
            .map(|number| {
                let service = &service;
                scope.spawn(move || service.make(&slow(number)))
            })
            .collect();
        asking.into_iter().map(|thread| thread.join().expect("it ends")).collect()
    });
    let (made, shed): (Vec<Reply>, Vec<Reply>) = replies.into_iter().partition(|reply| reply.status == 200);
    assert!(!made.is_empty() && !shed.is_empty(), "{} made, {} shed", made.len(), shed.len());
    for reply in &shed {
        let head = reply.head.to_lowercase();
        let seconds = head.lines().find_map(|line| line.strip_prefix("retry-after: "));
        let seconds: u64 = seconds.and_then(|seconds| seconds.parse().ok()).expect("a time");
        assert!(reply.status == 429 && (1..=60).contains(&seconds), "{}", reply.head);
    }
    assert_eq!(service.metric("items_total{status=\"compiled\"}"), made.len() as u64);
    assert_eq!(service.metric("requests_total{code=\"429\"}"), shed.len() as u64);
    service.terminate();
}

/// Every item that was accepted is in the store when the service has ended, and who waits gets the reply.
#[cfg(unix)]
#[test]
fn the_end_loses_no_accepted_item() {
    let folder = Folder::new();
    let service = Service::start(&folder, &["--jobs", "2", "--grace", "600"]);
    let mut keys: Vec<String> = (0..10)
        .map(|number| {
            let reply = service.post("/v1/artifacts?wait=0", &slow(number));
            assert_eq!(reply.status, 202, "{}", reply.text());
            reply.json()["key"].as_str().expect("a key").to_owned()
        })
        .collect();
    let waiting = {
        let address = service.address.clone();
        std::thread::spawn(move || {
            let mut stream = TcpStream::connect(&address).expect("connected");
            let body = slow(99).to_string();
            let head = format!(
                "POST /v1/artifacts HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
                body.len()
            );
            stream.write_all((head + &body).as_bytes()).expect("sent");
            let mut reply = String::new();
            stream.read_to_string(&mut reply).expect("a reply");
            reply
        })
    };
    // The last one is accepted before the signal comes.
    let start = Instant::now();
    while service.metric("queue_length")
        + service.metric("running")
        + service.metric("items_total{status=\"compiled\"}")
        < 11
    {
        assert!(start.elapsed() < Duration::from_secs(60), "never accepted");
    }
    let address = service.address.clone();
    service.terminate();
    let reply = waiting.join().expect("it ends");
    assert!(reply.starts_with("HTTP/1.1 200"), "{reply}");
    let line: Value = serde_json::from_str(reply.split("\r\n\r\n").nth(1).expect("a body")).expect("JSON");
    keys.push(line["key"].as_str().expect("a key").to_owned());
    for key in &keys {
        assert!(path_of(&folder, key).is_file(), "{key}");
        folder.succeed(&["verify", key, "--vocab", "tiny", "--store", "store"]);
    }
    assert!(TcpStream::connect(address).is_err());
}

#[test]
fn other_addresses_need_a_token() {
    let folder = Folder::new();
    let line = ["serve", "--vocab", "tiny", "--store", "store", "--listen", "0.0.0.0:0"];
    let refused = folder.run(&line);
    assert!(refused.exit == 2 && refused.stderr.contains("there is no token"), "{}", refused.stderr);
    for wrong in ["", "short", "with spaces in the token"] {
        folder.write("token", wrong);
        let refused = folder.run(&[&line[..], &["--token-file", "token"]].concat());
        assert!(refused.exit == 2 && refused.stderr.contains("a token has at least"), "{}", refused.stderr);
    }
    let token = "0123456789abcdef0123456789abcdef";
    folder.write("token", format!("{token}\n"));
    let service = Service::start_with(&folder, &[&line[..], &["--token-file", "token"]].concat());
    let ask = |header: &str| service.request("GET", "/metrics", header, "").status;
    assert_eq!(ask(&format!("Host: any.example\r\nAuthorization: Bearer {token}\r\n")), 200);
    assert_eq!(ask(&format!("Authorization: bearer {token}\r\n")), 200);
    assert_eq!(ask(&format!("Authorization: Bearer {token}\r\n").repeat(2)), 400);
    for wrong in [
        "",
        "Authorization: Bearer \r\n",
        "Authorization: é\r\n",
        "Authorization: Bearer 0123456789abcdef0123456789abcdeF\r\n",
        &format!("Authorization: Basic {token}\r\n"),
        &format!("Authorization: Bearer {token}0\r\n"),
    ] {
        assert_eq!(ask(wrong), 401, "{wrong}");
    }
    let post =
        service.request("POST", "/v1/artifacts", "Content-Type: application/json\r\n", "{\"schema\": {}}");
    assert!(
        post.status == 401 && post.head.to_lowercase().contains("www-authenticate: bearer"),
        "{}",
        post.head
    );
    assert_eq!(service.get("/healthz").status, 200);
    service.terminate();
}

/// Clients that send request after request and read no reply are left alone, and keep nobody out.
#[test]
fn clients_that_do_not_read_are_given_up() {
    let folder = Folder::new();
    let service = Service::start(&folder, &["--connections", "4", "--patience", "1"]);
    let requests = format!("GET /healthz HTTP/1.1\r\nHost: {}\r\n\r\n", service.address).repeat(1000);
    std::thread::scope(|scope| {
        let stuck: Vec<_> = (0..8)
            .map(|_| {
                let (mut stream, requests) = (service.connect(), &requests);
                // Until the service ends the connection. If it does not, writing takes too long at last.
                scope.spawn(move || {
                    loop {
                        if let Err(error) = stream.write_all(requests.as_bytes()) {
                            return error.kind();
                        }
                    }
                })
            })
            .collect();
        for _ in 0..3 {
            assert_eq!(service.get("/healthz").status, 200);
        }
        for thread in stuck {
            let kind = thread.join().expect("it ends");
            assert!(matches!(kind, ErrorKind::ConnectionReset | ErrorKind::BrokenPipe), "{kind}");
        }
    });
    service.terminate();
}

/// Clients that send no whole head, or nothing at all, keep nobody out, however long they are given.
#[test]
fn clients_that_do_not_go_on_keep_nobody_out() {
    let folder = Folder::new();
    let service = Service::start(&folder, &["--connections", "3", "--patience", "3600"]);
    let slow: Vec<TcpStream> = (0..9)
        .map(|number| {
            let mut stream = service.connect();
            let sent: &[u8] = if number % 3 == 0 { b"" } else { b"GET /healthz HTTP/1.1\r\nX: " };
            // It may have been given up already.
            let _ = stream.write_all(sent);
            stream
        })
        .collect();
    assert_eq!(service.get("/healthz").status, 200);
    assert_eq!(service.make(&json!({"schema": {"type": "integer"}})).status, 200);
    drop(slow);
    service.terminate();
}

/// A client that closes its half behind its request has the reply.
#[test]
fn clients_may_close_their_half_of_the_connection() {
    let folder = Folder::new();
    let service = Service::start(&folder, &[]);
    let item = r#"{"schema": {"type": "integer"}}"#;
    let mut stream = service.connect();
    let head = format!(
        "POST /v1/artifacts HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        item.len()
    );
    stream.write_all((head + item).as_bytes()).expect("sent");
    stream.shutdown(std::net::Shutdown::Write).expect("closed");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).expect("a reply");
    assert!(reply.starts_with("HTTP/1.1 200"), "{reply}");
    service.terminate();
}

/// While the keys of long grammars are computed, others are answered.
#[test]
fn nobody_waits_for_the_keys_of_others() {
    let folder = Folder::new();
    let service = Service::start(&folder, &["--jobs", "1", "--wait", "120"]);
    let made = service.make(&json!({"schema": {"type": "integer"}})).json();
    let artifact = format!("/v1/artifacts/{}", made["key"].as_str().expect("a key"));
    // Each takes a time to be parsed, and is refused at its end.
    let templates: String = (0..4000).map(|n| format!("t{n}{{x}}: x \"{n}\" x\n")).collect();
    let uses: Vec<String> = (0..4000).map(|n| format!("t{n}{{\"a\"}}")).collect();
    let grammar = |n: u32| format!("start: {} \"{n}\" undefined\n{templates}", uses.join(" | "));
    std::thread::scope(|scope| {
        let asking: Vec<_> = (0..12)
            .map(|n| {
                let (service, item) = (&service, json!({"grammar": grammar(n), "format": "lark"}));
                scope.spawn(move || {
                    let reply = service.make(&item);
                    (reply.status, Instant::now())
                })
            })
            .collect();
        let start = Instant::now();
        while service.metric("requests_total{code=\"200\"}") < 20 {
            assert!(start.elapsed() < Duration::from_secs(60));
            assert_eq!(service.get(&artifact).status, 200);
        }
        assert_eq!(service.make(&json!({"schema": {"type": "boolean"}})).status, 200);
        let answered = Instant::now();
        let replies: Vec<(u16, Instant)> =
            asking.into_iter().map(|thread| thread.join().expect("it ends")).collect();
        assert!(replies.iter().all(|(status, _)| *status == 422));
        let later = replies.iter().filter(|(_, at)| *at > answered).count();
        assert!(later > 0, "all {} were answered before", replies.len());
    });
    service.terminate();
}

/// What is not made in the time for the end is given up, and who waits for it is told.
#[cfg(unix)]
#[test]
fn the_end_comes_in_time() {
    let folder = Folder::new();
    let service = Service::start(&folder, &["--jobs", "1", "--grace", "1"]);
    let keys: Vec<String> = (0..50)
        .map(|number| {
            let reply = service.post("/v1/artifacts?wait=0", &schema(number, 600));
            assert_eq!(reply.status, 202, "{}", reply.text());
            reply.json()["key"].as_str().expect("a key").to_owned()
        })
        .collect();
    std::thread::scope(|scope| {
        let last = service.connect();
        let address = service.address.clone();
        let waiting = scope.spawn(move || {
            let (mut stream, body) = (last, schema(49, 600).to_string());
            let head = format!(
                "POST /v1/artifacts HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
                body.len()
            );
            stream.write_all((head + &body).as_bytes()).expect("sent");
            let mut reply = String::new();
            let _ = stream.read_to_string(&mut reply);
            reply
        });
        let start = Instant::now();
        while service.metric("joined_total") < 1 {
            assert!(start.elapsed() < Duration::from_secs(60), "never asked for");
        }
        service.terminate_with(3);
        let reply = waiting.join().expect("it ends");
        assert!(reply.starts_with("HTTP/1.1 503"), "{reply}");
    });
    let made = keys.iter().filter(|key| folder.path("store/v1").exists() && path_of(&folder, key).is_file());
    assert!(made.count() < keys.len());
}

/// An item cannot raise the limits of the service, whether they are given or not.
#[test]
fn items_do_not_raise_limits() {
    let folder = Folder::new();
    let service = Service::start(&folder, &[]);
    // The automaton of the lexer has more states than the default limit.
    let huge = 1_u64 << 40;
    let limits = json!({"terminal_states": huge, "bytes": huge, "work": huge, "lexer_states": huge, "dwa_states": huge, "lr_states": huge});
    let grammar = json!({"grammar": "a{600000}", "format": "regex", "options": {"limits": limits}});
    let reply = service.make(&grammar);
    assert_eq!((reply.status, &reply.json()["status"]), (422, &json!("over-budget")), "{}", reply.text());
    service.terminate();
}

/// The operator gives families at the start, and items name them.
#[test]
fn families_of_the_operator() {
    let folder = Folder::new();
    let family = |name: &str| json!({"name": name, "forms": [{"trigger": "CALL ", "calls": ["CALL $name $arguments"]}]});
    folder.write("families.json", json!([family("mine"), family("other")]).to_string());
    let service = Service::start(&folder, &["--family", "families.json"]);
    let item = |options: Value| json!({"tools": [{"name": "f", "parameters": {"type": "object"}}], "options": options});
    for model in ["mine", "other", "hermes"] {
        let made = service.make(&item(json!({"model": model})));
        assert_eq!(made.status, 200, "{model}: {}", made.text());
    }
    let request = json!({"tools": {"model": "mine", "messages": [], "tools": [{"name": "f"}]}});
    assert_eq!(service.make(&request).status, 200);
    // A family of the item's own, which is the only one there.
    assert_eq!(service.make(&item(json!({"families": family("third")}))).status, 200);
    let refused = service.make(&item(json!({"model": "third"})));
    assert!(refused.status == 422 && refused.text().contains("given are mine, other"), "{}", refused.text());
    service.terminate();
}
