//! Requests and replies.
//!
//! | request | reply |
//! |---|---|
//! | `POST /v1/artifacts` with an item of a batch | the outcome, when it is known |
//! | `POST /v1/artifacts?wait=0` | the same, without waiting for it |
//! | `GET /v1/artifacts/KEY` | the artifact |
//! | `GET /metrics` | what was counted |
//! | `GET /healthz` | whether items are accepted |

use super::nesting::depth;
use super::queue::{Admission, Ticket};
use super::reply::{Reply, too_many};
use super::service::Service;
use crate::render::batch::outcome_json;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, FromRequest, Path, Request, State};
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderName};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use gcc_grammar::{Artifact, Key};
use gcc_grammar_store::Place;
use gcc_grammar_store::make::{Outcome, Prepared, Status};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

/// A client has this time to send a body.
const BODY_TIME: Duration = Duration::from_secs(30);
/// No client is told to come back later than after this many seconds.
const LATEST: u64 = 60;
/// Options of the command line that are members of a request's `options`, as advice names them.
const OPTIONS: [&str; 22] = [
    "limits.work",
    "limits.bytes",
    "limits.lr-states",
    "limits.lexer-states",
    "limits.dwa-states",
    "limits.terminal-states",
    "start",
    "lexer",
    "indenter",
    "profile",
    "whitespace",
    "strings",
    "integer-spelling",
    "number-digits",
    "property-order",
    "repeated-keys",
    "formats",
    "unenforced",
    "strict",
    "allow-narrowed",
    "special-tokens",
    "budgets",
];
const HEALTH: &str = "/healthz";
const METRICS: &str = "/metrics";

type Shared = State<Arc<Service>>;

/// The requests that are answered.
pub(crate) fn router(service: Arc<Service>) -> Router {
    Router::new()
        .route("/v1/artifacts", post(make))
        .route("/v1/artifacts/{key}", get(fetch))
        .route(METRICS, get(metrics))
        .route(HEALTH, get(health))
        .fallback(async || Reply::error(StatusCode::NOT_FOUND, "there is nothing at this path"))
        .method_not_allowed_fallback(async || {
            let message = "there is no such method here: the header Allow has those that are";
            Reply::error(StatusCode::METHOD_NOT_ALLOWED, message)
        })
        .layer(from_fn_with_state(Arc::clone(&service), guard))
        .with_state(service)
}

/// Lets requests through that have a right and room, and counts all replies.
async fn guard(State(service): Shared, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let is_open = path == HEALTH;
    let needs_room = !is_open && path != METRICS;
    let admitted = if is_open { Ok(()) } else { service.guard.admit(request.headers()) };
    let room = admitted.and_then(|()| needs_room.then(|| service.guard.room(request.method())).transpose());
    let response = match room {
        Ok(_room) => next.run(request).await,
        Err(reply) => reply.into_response(),
    };
    service.metrics.replied(response.status());
    response
}

async fn health(State(service): Shared) -> Reply {
    match service.queue.is_closed() {
        false => Reply::new(StatusCode::OK, json!({ "status": "ok" })),
        true => closing(),
    }
}

async fn metrics(State(service): Shared) -> Response {
    let text = service.metrics.text(&service.queue);
    ([(CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}

/// Makes the artifact of an item, unless the store has it.
async fn make(State(service): Shared, request: Request) -> Result<Reply, Reply> {
    let wait = wait(request.uri().query(), service.bounds.wait)?;
    let body = body(&service, request).await?;
    let prepared = match prepared(&service, body).await? {
        Ok(prepared) => prepared,
        Err(outcome) => return Ok(outcome_reply(&outcome, outcome.id.clone())),
    };
    let (id, key) = (prepared.id().clone(), prepared.identity().0);
    let ticket = match service.queue.admit(prepared) {
        Admission::Accepted(ticket) => ticket,
        Admission::Joined(ticket) => {
            service.metrics.joined();
            ticket
        }
        Admission::Full => return Err(too_many("too many items wait", service.again())),
        Admission::Closed => return Err(closing()),
    };
    Ok(match outcome(ticket, wait).await? {
        Some(outcome) => outcome_reply(&outcome, id),
        None => pending(id, key),
    })
}

/// The item of a body with its key, or the outcome that it cannot be read.
async fn prepared(service: &Service, body: Bytes) -> Result<Result<Prepared, Box<Outcome>>, Reply> {
    let busy = || too_many("too many items are read", service.again());
    let read = service.bodies.add(body).ok_or_else(busy)?;
    let mut end = service.closing.clone();
    tokio::select! {
        read = timeout(service.bounds.wait.max(BODY_TIME), read) => read.map_err(|_| busy())?.map_err(|_| fault()),
        // It would not be accepted any more.
        _ = end.wait_for(|end| *end) => Err(closing()),
    }
}

/// The outcome, if it is known in time. If it is not, the item is made all the same, unless it is given up because the service ends.
async fn outcome(mut ticket: Ticket, wait: Duration) -> Result<Option<Arc<Outcome>>, Reply> {
    match timeout(wait, ticket.wait_for(Option::is_some)).await {
        Ok(Ok(known)) => Ok(known.clone()),
        Ok(Err(_)) => Err(closing()),
        Err(_) => Ok(None),
    }
}

impl Service {
    /// The seconds after which there will be room for an item again.
    fn again(&self) -> u64 {
        let rounds = self.queue.counts().0.div_ceil(self.bounds.jobs);
        let time = self.metrics.mean() * u32::try_from(rounds).unwrap_or(u32::MAX);
        (time.as_secs() + 1).min(LATEST)
    }
}

/// How long the client wants to wait: `wait=SECONDS`.
fn wait(query: Option<&str>, most: Duration) -> Result<Duration, Reply> {
    let Some(query) = query else { return Ok(most) };
    let seconds = query.strip_prefix("wait=").and_then(|seconds| seconds.parse().ok());
    let wait = seconds.map(|seconds| Duration::from_secs(seconds).min(most));
    wait.ok_or_else(|| Reply::error(StatusCode::BAD_REQUEST, "the query is wait=SECONDS, a whole number"))
}

/// The body, within its limits.
async fn body(service: &Service, mut request: Request) -> Result<Bytes, Reply> {
    expect_json(request.headers())?;
    let most = service.bounds.body;
    let too_large = || {
        let message = format!("the body has more than the limit of {most} bytes");
        Reply::error(StatusCode::PAYLOAD_TOO_LARGE, &message)
    };
    if header(request.headers(), CONTENT_LENGTH).parse().is_ok_and(|length: u64| length > most as u64) {
        return Err(too_large());
    }
    DefaultBodyLimit::max(most).apply(&mut request);
    let read = timeout(BODY_TIME, Bytes::from_request(request, &())).await;
    let read =
        read.map_err(|_| Reply::error(StatusCode::REQUEST_TIMEOUT, "the body did not arrive in time"))?;
    let body = read.map_err(|error| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => too_large(),
        _ => Reply::error(StatusCode::BAD_REQUEST, "the body is not complete, or malformed"),
    })?;
    if depth(&body) > service.bounds.nesting {
        let message = format!("the body nests deeper than the limit of {} levels", service.bounds.nesting);
        return Err(Reply::error(StatusCode::UNPROCESSABLE_ENTITY, &message));
    }
    Ok(body)
}

/// The value of a header; nothing if there is none.
fn header(headers: &HeaderMap, name: HeaderName) -> &str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Refuses a body that is not JSON as it is.
fn expect_json(headers: &HeaderMap) -> Result<(), Reply> {
    let refused = |message: &str| Err(Reply::error(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    let kind = header(headers, CONTENT_TYPE).split(';').next().unwrap_or_default();
    // A web page of another origin cannot send this type without being allowed to.
    if !kind.trim().eq_ignore_ascii_case("application/json") {
        return refused("the type of the body is application/json");
    }
    let is_encoded = |value: &axum::http::HeaderValue| !value.as_bytes().eq_ignore_ascii_case(b"identity");
    if headers.get_all(CONTENT_ENCODING).iter().any(is_encoded) {
        return refused("the body is sent as it is: Content-Encoding is identity, or missing");
    }
    Ok(())
}

fn outcome_reply(outcome: &Outcome, id: Value) -> Reply {
    let status = match outcome.status {
        Status::Compiled | Status::Present => StatusCode::OK,
        Status::Refused | Status::OverBudget => StatusCode::UNPROCESSABLE_ENTITY,
        Status::Failed => StatusCode::INTERNAL_SERVER_ERROR,
    };
    let mut body = outcome_json(outcome);
    // Equal requests share an outcome, but each has its own id.
    body["id"] = id;
    for diagnostic in body["diagnostics"].as_array_mut().into_iter().flatten() {
        if let Some(help) = diagnostic["help"].as_str().map(for_clients) {
            diagnostic["help"] = help.into();
        }
    }
    Reply::new(status, body)
}

/// Advice with the members of a request in place of the options of the command line.
fn for_clients(help: &str) -> String {
    let help = help.replace("--resource URI=FILE", "options.resources").replace("--limit-", "--limits.");
    OPTIONS.iter().fold(help, |help, name| {
        help.replace(&format!("--{name}"), &format!("options.{}", name.replace('-', "_")))
    })
}

fn pending(id: Value, key: Key) -> Reply {
    Reply::new(StatusCode::ACCEPTED, json!({ "id": id, "status": "pending", "key": key.to_string() }))
}

fn closing() -> Reply {
    Reply::error(StatusCode::SERVICE_UNAVAILABLE, "the service is about to end")
}

fn fault() -> Reply {
    Reply::error(StatusCode::INTERNAL_SERVER_ERROR, "the compiler has a fault: it panicked on this item")
}

/// The bytes of an artifact, which stays mapped as long as they are sent.
struct Content(Artifact);

impl AsRef<[u8]> for Content {
    fn as_ref(&self) -> &[u8] {
        self.0.bytes()
    }
}

/// The artifact of a key.
async fn fetch(State(service): Shared, Path(key): Path<String>) -> Result<Response, Reply> {
    let wrong = |error: gcc_grammar::Error| Reply::error(StatusCode::BAD_REQUEST, &error.to_string());
    let key: Key = key.parse().map_err(wrong)?;
    // Asked before the store is read: an item that is finished in between is in the store.
    let is_wanted = service.queue.wants(key);
    let found = {
        let service = Arc::clone(&service);
        spawn_blocking(move || service.content(key)).await
    };
    match found.map_err(|_| fault())? {
        Ok(Some(bytes)) => {
            Ok(([(CONTENT_TYPE, "application/octet-stream")], Body::from(bytes)).into_response())
        }
        Ok(None) if is_wanted => Err(pending(Value::Null, key)),
        Ok(None) => Err(Reply::error(StatusCode::NOT_FOUND, "the store has no artifact with this key")),
        Err(error) => Err(Reply::error(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string())),
    }
}

impl Service {
    /// The bytes of an artifact in the store.
    fn content(&self, key: Key) -> Result<Option<Bytes>, gcc_grammar::Error> {
        let place = Place::new(key, self.maker.session.vocabulary());
        let Some(artifact) = self.maker.store.get(&place)? else { return Ok(None) };
        Ok(Some(match artifact.file_bytes()? {
            Cow::Owned(bytes) => bytes.into(),
            Cow::Borrowed(_) => Bytes::from_owner(Content(artifact)),
        }))
    }
}
