//! Writes `.safetensors`: the length of a header, the header as JSON, and the arrays one after the other.

use crate::arrays::{Array, Elements};
use serde_json::{Map, Value, json};

/// The arrays as a file. The description is in the metadata of the header, where every value is a string.
#[must_use]
pub fn safetensors(arrays: &[Array], description: &Value) -> Vec<u8> {
    let mut header = Map::new();
    let entries = description.as_object().into_iter().flatten();
    let texts = entries.map(|(name, value)| (name.clone(), Value::from(text_of(value))));
    header.insert("__metadata__".to_owned(), texts.collect::<Map<_, _>>().into());
    let mut data = Vec::new();
    for Array { name, shape, elements } in arrays {
        let kind = match elements {
            Elements::Bool(_) => "BOOL",
            Elements::I32(_) => "I32",
        };
        let start = data.len();
        data.extend(elements.bytes());
        let entry = json!({ "dtype": kind, "shape": shape, "data_offsets": [start, data.len()] });
        header.insert((*name).to_owned(), entry);
    }
    let mut header = Value::from(header).to_string();
    header.extend(std::iter::repeat_n(' ', header.len().next_multiple_of(8) - header.len()));
    [(header.len() as u64).to_le_bytes().as_slice(), header.as_bytes(), &data].concat()
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
