//! The explanation of a diagnostic code as text and as JSON.

use gcc_grammar::Code;
use serde_json::{Value, json};

/// The explanation as lines of text.
pub(crate) fn explanation_text(code: Code) -> String {
    let explanation = code.explanation();
    let mut out = format!("{code}\n{}\n", explanation.meaning);
    if let Some(example) = explanation.example {
        let text = example.text.trim_end().replace('\n', "\n    ");
        out.push_str(&format!("\nExample ({}):\n    {text}\n", example.notation));
    }
    out.push_str(&format!("\nRemedy: {}\n", explanation.remedy));
    out
}

/// The explanation as JSON.
pub(crate) fn explanation_json(code: Code) -> Value {
    let explanation = code.explanation();
    let example = explanation.example;
    json!({
        "code": code.as_str(),
        "meaning": explanation.meaning,
        "example": example.map(|example| json!({"notation": example.notation, "text": example.text})),
        "remedy": explanation.remedy,
    })
}
