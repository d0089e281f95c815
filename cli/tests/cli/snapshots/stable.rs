//! Replaces what differs between two runs of the same command line: durations, memory, names of cache files, and the version of the
//! program.

use crate::console::timeless;
use serde_json::{Map, Value};

/// The version, as metadata state it.
const VERSION: &str = concat!("gcc-grammar ", env!("CARGO_PKG_VERSION"));

/// Longer JSON values are written on several lines.
const WIDTH: usize = 100;

/// A printed line in which they are replaced.
pub(super) fn stable_line(line: &str) -> String {
    if line.starts_with("memory      peaks: ") {
        return "memory      peaks: [by stage]".to_owned();
    }
    if line.trim_start().starts_with("mask / copy of a row ") {
        return "            mask / copy of a row [ratio], update / copy [ratio]".to_owned();
    }
    if let Some((_, rest)) =
        line.strip_prefix("compiled     kept/compiled/").and_then(|file| file.split_once(".gcv"))
    {
        return format!("compiled     kept/compiled/[file].gcv{rest}");
    }
    timeless(line).replace("some time", "[time]").replace(VERSION, "gcc-grammar [version]")
}

/// A JSON value in which they are replaced, with the keys of objects in order. Whether objects keep the order in which keys are
/// inserted depends on the features of `serde_json`, and thus on the packages that are built together.
pub(super) fn stable_json(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(stable_json).collect(),
        Value::Object(members) => {
            let mut members: Vec<(String, Value)> = members.into_iter().collect();
            members.sort_by(|(a, _), (b, _)| a.cmp(b));
            let stable = members.into_iter().map(|(key, value)| {
                let value = stable_member(&key, value);
                (key, value)
            });
            Value::Object(stable.collect::<Map<_, _>>())
        }
        other => other,
    }
}

fn stable_member(key: &str, value: Value) -> Value {
    match key {
        "ms" => "[time]".into(),
        _ if key.ends_with("_ns") => "[time]".into(),
        "peak_memory" => "[by stage]".into(),
        "compiler" => "[version]".into(),
        _ => stable_json(value),
    }
}

/// The value as JSON, in which arrays and objects that fit are on one line.
pub(super) fn json_text(value: &Value) -> String {
    match value {
        Value::Array(items) => list_text('[', items.iter().map(json_text).collect(), ']'),
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| {
                format!("{}: {}", Value::from(key.as_str()), json_text(value))
            };
            list_text('{', members.iter().map(member).collect(), '}')
        }
        other => other.to_string(),
    }
}

fn list_text(open: char, items: Vec<String>, close: char) -> String {
    let line = format!("{open}{}{close}", items.join(", "));
    if line.len() <= WIDTH && !line.contains('\n') {
        return line;
    }
    let items = items.join(",\n").replace('\n', "\n  ");
    format!("{open}\n  {items}\n{close}")
}
