//! Reads cases of patterns and texts, and writes what the crate `regex` says: whether the pattern matches the whole text.

use serde_json::{Value, json};
use std::io::BufRead;

fn main() {
    for line in std::io::stdin().lock().lines() {
        let case: Value = serde_json::from_str(&line.expect("UTF-8")).expect("JSON");
        let pattern = case["grammar"].as_str().expect("a pattern");
        let text = case["text"].as_str().expect("a text");
        let built = regex::bytes::RegexBuilder::new(&format!(r"\A(?:{pattern})\z"))
            .case_insensitive(case["options"]["case-insensitive"] == true)
            .unicode(case["options"]["unicode"] != false)
            .build();
        let mut about_grammar = case.clone();
        about_grammar.as_object_mut().expect("an object").remove("text");
        about_grammar["verdict"] = json!(if built.is_ok() { "compiles" } else { "refused" });
        println!("{about_grammar}");
        if let Ok(regex) = built {
            let mut judged = case.clone();
            judged["verdict"] = json!(if regex.is_match(text.as_bytes()) { "accept" } else { "incomplete" });
            println!("{judged}");
        }
    }
}
