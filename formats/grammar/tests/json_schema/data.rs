//! Finding the shared data, and instances as text.

use serde_json::Value;
use std::path::{Path, PathBuf};

/// A folder or file of the shared data; `None` (said loudly) if it is not there.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let found =
        here.ancestors().map(|folder| folder.join("shared/data").join(path)).find(|path| path.exists());
    if found.is_none() {
        eprintln!("SKIPPED: there is no shared/data/{path} beside the repository");
    }
    found
}

/// As Python's `json.dumps` writes it, with non-ASCII characters kept.
pub(crate) fn spaced(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                write(item, out);
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (index, (key, item)) in members.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                out.push_str(&serde_json::to_string(key).unwrap());
                out.push_str(": ");
                write(item, out);
            }
            out.push('}');
        }
        scalar => out.push_str(&serde_json::to_string(scalar).unwrap()),
    }
}

/// The instance with the keys of every object in the order of the `properties` that fit it best.
pub(crate) fn in_schema_order(instance: &Value, schema: &Value) -> Value {
    let mut orders = Vec::new();
    collect_orders(schema, &mut orders);
    reorder(instance, &orders)
}

fn collect_orders(schema: &Value, orders: &mut Vec<Vec<String>>) {
    match schema {
        Value::Array(items) => items.iter().for_each(|item| collect_orders(item, orders)),
        Value::Object(members) => {
            let mut order: Vec<String> = Vec::new();
            if let Some(Value::Object(properties)) = members.get("properties") {
                order.extend(properties.keys().cloned());
            }
            if let Some(Value::Array(required)) = members.get("required") {
                order.extend(required.iter().filter_map(|key| key.as_str().map(str::to_owned)));
            }
            if order.is_empty() {
                // Perhaps a constant: its keys are in the order that its schema has.
                order.extend(members.keys().cloned());
            }
            if !order.is_empty() {
                orders.push(order);
            }
            members.values().for_each(|member| collect_orders(member, orders));
        }
        _ => {}
    }
}

fn reorder(instance: &Value, orders: &[Vec<String>]) -> Value {
    match instance {
        Value::Array(items) => Value::Array(items.iter().map(|item| reorder(item, orders)).collect()),
        Value::Object(members) => {
            let fit = |order: &&Vec<String>| members.keys().filter(|key| order.contains(key)).count();
            let mut best: Option<&Vec<String>> = None;
            for order in orders {
                if best.is_none_or(|best| fit(&order) > fit(&best)) {
                    best = Some(order);
                }
            }
            let mut keys: Vec<&String> = members.keys().collect();
            if let Some(best) = best {
                keys.sort_by_key(|key| best.iter().position(|other| other == *key).unwrap_or(usize::MAX));
            }
            Value::Object(keys.into_iter().map(|key| (key.clone(), reorder(&members[key], orders))).collect())
        }
        scalar => scalar.clone(),
    }
}
