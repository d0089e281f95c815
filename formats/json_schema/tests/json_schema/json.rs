//! JSON values whose objects keep the order of their keys, for schemas and instances of the tests.
//!
//! The order of keys matters here: it is the order in which instances are written and in which a schema
//! declares them.

#[allow(unreachable_pub, reason = "the file belongs to the public interface of the benches")]
#[path = "../../../../benches/src/json.rs"]
mod value;

pub(crate) use value::{Value as Json, quoted};

/// The JSON text as Python prints it with `ensure_ascii`: with escapes for all characters that are not printable ASCII.
pub(crate) fn ascii(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        let mut units = [0; 2];
        match character {
            '\n' | ' '..='~' => out.push(character),
            _ => character
                .encode_utf16(&mut units)
                .iter()
                .for_each(|unit| out.push_str(&format!("\\u{unit:04x}"))),
        }
    }
    out
}
