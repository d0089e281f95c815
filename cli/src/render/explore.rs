//! The page of `gcc-grammar explore`: its parts in `explore/`, and the data in one JSON text.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use gcc_grammar::{Error, Notation, Session};
use serde_json::json;
use std::io::Write;

const PAGE: &str = include_str!("../../explore/page.html");
const STYLE: &str = include_str!("../../explore/style.css");
/// What is around the module, for all of JavaScript.
const INTERFACE: &str = include_str!("../../explore/index.js");
const SCRIPT: &str = include_str!("../../explore/explore.js");
/// The runtime as a WebAssembly module, compressed with gzip; `bindings/wasm/build.sh` makes it and compares it.
const RUNTIME: &[u8] = include_bytes!("../../explore/runtime.wasm.gz");

/// What a page is made of.
pub(crate) struct Page<'a> {
    /// The name of the input.
    pub(crate) name: &'a str,
    /// The WebAssembly module with the compiler; without it, the page has the runtime alone.
    pub(crate) module: Option<&'a [u8]>,
    pub(crate) session: &'a Session,
}

/// The page as a text.
///
/// # Errors
/// What the artifact says about itself cannot be read.
pub(crate) fn page(page: &Page<'_>) -> Result<String, Error> {
    let Page { name, module, session } = page;
    let notations: Vec<&str> = Notation::ALL.iter().map(|notation| notation.as_str()).collect();
    let tokens = session.vocabulary().tokens();
    // The library makes the tables that the runtime reads, which the small file does not have.
    let (module, vocabulary) = match module {
        Some(module) => (packed(module), tokens.to_small_artifact()),
        None => (STANDARD.encode(RUNTIME), tokens.to_artifact()),
    };
    let data = json!({
        "name": name,
        "notations": notations,
        "outline": { "about": session.outline()?, "places": session.outline_of_source() },
        "module": module,
        "artifact": packed(session.artifact().bytes()),
        "vocabulary": packed(&vocabulary),
    });
    // Nothing in the text ends the element that it stands in.
    let data = data.to_string().replace('<', "\\u003c");
    let script = [INTERFACE, SCRIPT].join("\n");
    let parts = [("/*STYLE*/", STYLE), ("/*SCRIPT*/", script.as_str()), ("/*DATA*/", data.as_str())];
    Ok(parts.into_iter().fold(PAGE.to_owned(), |page, (place, part)| page.replacen(place, part, 1)))
}

/// The bytes, compressed and as base64.
fn packed(bytes: &[u8]) -> String {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let packed = encoder.write_all(bytes).and_then(|()| encoder.finish());
    STANDARD.encode(packed.expect("memory to memory"))
}
