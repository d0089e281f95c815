//! Replies whose bodies are JSON.

use crate::shell::Versioned;
use axum::http::header::{CONTENT_TYPE, HeaderName, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// A reply whose body is JSON.
#[derive(Debug)]
pub(crate) struct Reply {
    status: StatusCode,
    body: Value,
    header: Option<(HeaderName, HeaderValue)>,
}

impl Reply {
    /// A reply with this body.
    pub(crate) fn new(status: StatusCode, body: Value) -> Self {
        Self { status, body, header: None }
    }

    /// A reply with an error.
    pub(crate) fn error(status: StatusCode, message: &str) -> Self {
        Self::new(status, json!({ "error": message }))
    }

    /// The same reply with a header.
    pub(crate) fn with(self, name: HeaderName, value: impl Into<HeaderValue>) -> Self {
        Self { header: Some((name, value.into())), ..self }
    }
}

/// The reply that there is no room; the client may come back in this many seconds.
pub(crate) fn too_many(message: &str, seconds: u64) -> Reply {
    Reply::error(StatusCode::TOO_MANY_REQUESTS, message).with(RETRY_AFTER, seconds)
}

impl IntoResponse for Reply {
    fn into_response(self) -> Response {
        let body = json!(Versioned::new(&self.body));
        let content = (self.status, [(CONTENT_TYPE, "application/json")], format!("{body}\n"));
        let mut response = content.into_response();
        response.headers_mut().extend(self.header);
        response
    }
}
