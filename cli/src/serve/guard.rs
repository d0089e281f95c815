//! Who may ask, and whether there is room for another request.
//!
//! With a token, each request needs it. Without one, the service is reached from this machine only; the name of the host is compared
//! then, so that a web page whose name leads to this machine cannot ask.

use super::reply::{Reply, too_many};
use axum::http::header::{AUTHORIZATION, HOST, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A request without room is worth repeating after this many seconds.
const AGAIN: u64 = 1;

const BEARER: &[u8] = b"Bearer ";

/// Lets requests through.
pub(crate) struct Guard {
    token: Option<String>,
    /// For requests that fetch something.
    fetching: Arc<Semaphore>,
    /// For all others, whose bodies may come slowly, and which may wait for long.
    making: Arc<Semaphore>,
}

impl Guard {
    /// Expects a token, if there is one, and lets this many requests through at once that fetch something, and as many others.
    pub(crate) fn new(token: Option<String>, requests: usize) -> Self {
        let room = || Arc::new(Semaphore::new(requests));
        Self { token, fetching: room(), making: room() }
    }

    /// Refuses whoever may not ask.
    pub(crate) fn admit(&self, headers: &HeaderMap) -> Result<(), Reply> {
        for (header, what) in [(HOST, "host"), (AUTHORIZATION, "token")] {
            if headers.get_all(header).iter().count() > 1 {
                let message = format!("the request names more than one {what}");
                return Err(Reply::error(StatusCode::BAD_REQUEST, &message));
            }
        }
        let Some(token) = &self.token else { return expect_local(headers) };
        let given = headers.get(AUTHORIZATION).map(HeaderValue::as_bytes);
        // The name of a scheme has no case (RFC 9110, section 11.1).
        let given = given.and_then(|value| value.split_at_checked(BEARER.len()));
        let given = given.filter(|(scheme, _)| scheme.eq_ignore_ascii_case(BEARER)).map(|(_, token)| token);
        if given.is_some_and(|given| are_equal(given, token.as_bytes())) {
            return Ok(());
        }
        let reply = Reply::error(StatusCode::UNAUTHORIZED, "the request has no token, or a wrong one");
        Err(reply.with(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer")))
    }

    /// The room for a request, as long as the value is kept.
    pub(crate) fn room(&self, method: &Method) -> Result<OwnedSemaphorePermit, Reply> {
        let room = if method.is_safe() { &self.fetching } else { &self.making };
        Arc::clone(room).try_acquire_owned().map_err(|_| too_many("too many requests are answered", AGAIN))
    }
}

fn expect_local(headers: &HeaderMap) -> Result<(), Reply> {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => name,
        _ => host,
    };
    // Names of hosts have no case, and may end in the dot of the root.
    let name = name.strip_suffix('.').unwrap_or(name);
    let is_local = name.eq_ignore_ascii_case("localhost")
        || name == "[::1]"
        || name.parse().is_ok_and(|address: std::net::Ipv4Addr| address.is_loopback());
    match is_local {
        true => Ok(()),
        false => {
            Err(Reply::error(StatusCode::FORBIDDEN, "this service has no token, so its host is localhost"))
        }
    }
}

/// Compares in a time that does not tell where the first difference is.
fn are_equal(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
}
