//! Renders the names and the properties of vocabularies as text and as JSON.

use super::show::{hex, number, printable, size};
use gcc_grammar::vocabulary::{BUILTINS, Builtin, Cache, CompiledFile, Origin, Resolved, SpecialToken};
use serde_json::{Value, json};
use std::fmt::Write;

/// The greatest number of special tokens that are shown as text.
const SHOWN_SPECIALS: usize = 24;

/// The names of the built-in and of the imported vocabularies as lines of text, and what compiled ones take.
pub(crate) fn names_text(imported: &[String], compiled: &[CompiledFile]) -> String {
    let mut out = String::new();
    for builtin in &BUILTINS {
        let also = match builtin.aliases {
            [] => String::new(),
            aliases => format!(" (also {})", aliases.join(", ")),
        };
        let _ = writeln!(out, "{:<12} {}{also}", builtin.name, builtin.about);
    }
    for name in imported {
        let _ = writeln!(out, "{name:<12} imported");
    }
    if !compiled.is_empty() {
        let _ = writeln!(out, "kept: {}; `vocab clean` removes them", compiled_text(compiled));
    }
    out
}

/// How many compiled vocabularies there are, and how large they are.
pub(crate) fn compiled_text(compiled: &[CompiledFile]) -> String {
    let bytes: u64 = compiled.iter().map(|file| file.bytes).sum();
    let count = compiled.len();
    let s = if count == 1 { "y" } else { "ies" };
    format!("{count} compiled vocabular{s}, {}", size(usize::try_from(bytes).unwrap_or(usize::MAX)))
}

/// The compiled vocabularies as JSON.
pub(crate) fn compiled_json(compiled: &[CompiledFile]) -> Value {
    let file = |file: &CompiledFile| json!({"label": file.label, "bytes": file.bytes, "path": file.path.display().to_string()});
    compiled.iter().map(file).collect()
}

/// The names of the built-in and of the imported vocabularies as JSON.
pub(crate) fn names_json(imported: &[String], compiled: &[CompiledFile]) -> Value {
    let builtin =
        |builtin: &Builtin| json!({"name": builtin.name, "aliases": builtin.aliases, "about": builtin.about});
    let builtin: Vec<Value> = BUILTINS.iter().map(builtin).collect();
    json!({"builtin": builtin, "imported": imported, "compiled": compiled_json(compiled)})
}

/// The properties of a vocabulary as lines of text. `added` are its text tokens that the tokenizer adds to the model's own.
pub(crate) fn vocabulary_text(resolved: &Resolved, added: &[u32]) -> String {
    let vocabulary = &resolved.vocabulary;
    let text = vocabulary.text_tokens().count() as u64;
    let bytes = vocabulary.text_tokens().map(|(_, bytes)| bytes.len()).sum();
    let specials = number(vocabulary.specials().len() as u64);
    let ids = number(u64::from(vocabulary.ids()));
    let width = vocabulary.width();
    let mut out = format!("{}: {}\n", resolved.name, origin_text(resolved));
    let _ =
        writeln!(out, "tokens       {} text ({}), {specials} special, {ids} ids", number(text), size(bytes));
    let _ = writeln!(out, "mask         {width} bits, {} words a row", width.div_ceil(32));
    let _ = writeln!(out, "longest      {} bytes", vocabulary.max_token_len());
    let _ = writeln!(out, "fingerprint  {}", hex(&vocabulary.fingerprint()));
    let _ = writeln!(out, "tokens hash  {}", hex(&vocabulary.canonical_hash()));
    let _ = writeln!(out, "compiled     {}", cache_text(&resolved.cache));
    out.push_str(&special_tokens_text(resolved));
    out.push_str(&listed("text", added, |&id| (id, text_of(resolved, id)), "added text tokens"));
    out
}

/// A line for each of the first tokens, and the number of the others.
fn listed<T>(kind: &str, tokens: &[T], shown: impl Fn(&T) -> (u32, String), name: &str) -> String {
    let mut out = String::new();
    for (id, text) in tokens.iter().take(SHOWN_SPECIALS).map(shown) {
        let _ = writeln!(out, "{kind:<12} {id:>7}  {text}");
    }
    let more = tokens.len().saturating_sub(SHOWN_SPECIALS);
    if more > 0 {
        let _ = writeln!(out, "             and {more} more {name}");
    }
    out
}

fn text_of(resolved: &Resolved, id: u32) -> String {
    printable(&String::from_utf8_lossy(resolved.vocabulary.bytes(id).unwrap_or_default()))
}

fn special_tokens_text(resolved: &Resolved) -> String {
    let vocabulary = &resolved.vocabulary;
    let mut out = String::new();
    for &end in vocabulary.end_tokens() {
        let name = printable(vocabulary.special_text(end).unwrap_or(""));
        let _ = writeln!(out, "end token    {end:>7}  {name}");
    }
    let shown = |special: &SpecialToken| (special.id, printable(&special.text));
    out + &listed("special", vocabulary.specials(), shown, "special tokens")
}

/// The file that holds the compiled vocabulary.
fn cache_text(cache: &Cache) -> String {
    match cache {
        Cache::Read(path) => path.display().to_string(),
        Cache::Written(path) => format!("{} (just now)", path.display()),
        Cache::Unavailable(error) => format!("not kept: {}", printable(&error.to_string())),
    }
}

fn origin_text(resolved: &Resolved) -> String {
    match &resolved.origin {
        Origin::Builtin(builtin) => format!("built in, {}", builtin.about),
        Origin::Imported(path) => format!("imported, in {}", path.display()),
        Origin::Source(path) => format!("from {}", path.display()),
        Origin::Compiled(path) => format!("compiled, {}", path.display()),
    }
}

/// The same as JSON.
pub(crate) fn vocabulary_json(resolved: &Resolved, added: &[u32]) -> Value {
    let vocabulary = &resolved.vocabulary;
    let specials: Vec<Value> =
        vocabulary.specials().iter().map(|special| json!({"id": special.id, "text": special.text})).collect();
    let text = |id| String::from_utf8_lossy(vocabulary.bytes(id).unwrap_or_default()).into_owned();
    let added: Vec<Value> = added.iter().map(|&id| json!({"id": id, "text": text(id)})).collect();
    json!({
        "name": resolved.name,
        "origin": origin_text(resolved),
        "text_tokens": vocabulary.text_tokens().count(),
        "ids": vocabulary.ids(),
        "width": vocabulary.width(),
        "longest": vocabulary.max_token_len(),
        "fingerprint": hex(&vocabulary.fingerprint()),
        "tokens_hash": hex(&vocabulary.canonical_hash()),
        "end_tokens": vocabulary.end_tokens(),
        "specials": specials,
        "added": added,
    })
}
