//! Renders the cost of ambiguity as JSON.

use gcc_grammar::Findings;
use serde_json::{Value, json};

/// The heads to expect, and where they multiply; null if one stack is always enough. A compilation reads no random texts, and has null for
/// what they tell.
pub(crate) fn heads_json(findings: &Findings) -> Value {
    let Some(heads) = &findings.heads else { return Value::Null };
    let sample = heads.sample.as_ref();
    json!({
        "expected": sample.map(|sample| sample.mean_heads), "most": sample.map(|sample| sample.most_heads),
        "extra_steps": sample.map(|sample| sample.mean_extra_steps), "bytes": sample.map(|sample| sample.symbols),
        "growth": findings.growth, "tried_all": heads.tried_all,
    })
}
