//! The page of `gcc-grammar explore`: its parts in `explore/`, and the data in one JSON text.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use gcc_grammar::metadata::Metadata;
use gcc_grammar::{Notation, Session};
use serde_json::json;
use std::io::Write;

const PAGE: &str = include_str!("../../explore/page.html");
const STYLE: &str = include_str!("../../explore/style.css");
/// What is around the module, for all of JavaScript.
const INTERFACE: &str = include_str!("../../explore/index.js");
const SCRIPT: &str = include_str!("../../explore/explore.js");

/// What a page is made of.
pub(crate) struct Page<'a> {
    /// The name of the input.
    pub(crate) name: &'a str,
    /// The WebAssembly module.
    pub(crate) module: &'a [u8],
    pub(crate) session: &'a Session,
    pub(crate) metadata: &'a Metadata,
}

/// The page as a text.
pub(crate) fn page(page: &Page<'_>) -> String {
    let Page { name, module, session, metadata } = page;
    let notations: Vec<&str> = Notation::ALL.iter().map(|notation| notation.as_str()).collect();
    let data = json!({
        "name": name,
        "notation": metadata.source.format,
        "notations": notations,
        "source": metadata.source.text,
        "options": metadata.options_json(),
        "module": packed(module),
        "artifact": packed(session.artifact().bytes()),
        "vocabulary": packed(&session.vocabulary().tokens().to_small_artifact()),
    });
    // Nothing in the text ends the element that it stands in.
    let data = data.to_string().replace('<', "\\u003c");
    let script = [INTERFACE, SCRIPT].join("\n");
    let parts = [("/*STYLE*/", STYLE), ("/*SCRIPT*/", script.as_str()), ("/*DATA*/", data.as_str())];
    parts.into_iter().fold(PAGE.to_owned(), |page, (place, part)| page.replacen(place, part, 1))
}

/// The bytes, compressed and as base64.
fn packed(bytes: &[u8]) -> String {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let packed = encoder.write_all(bytes).and_then(|()| encoder.finish());
    STANDARD.encode(packed.expect("memory to memory"))
}
