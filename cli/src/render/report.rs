//! Renders the coverage report of a schema as text and as JSON.

use super::show::printable;
use gcc_grammar::metadata::ReportEntry;
use gcc_grammar::narrowed_counts;
use serde_json::Value;

/// The coverage of all keywords as JSON.
pub(crate) fn report_json(report: &[ReportEntry]) -> Value {
    report.iter().map(ReportEntry::to_json).collect()
}

/// The number of narrowings of each kind as JSON.
pub(crate) fn narrowed_json(report: &[ReportEntry]) -> Value {
    narrowed_counts(report).into_iter().map(|(kind, count)| (kind.to_owned(), Value::from(count))).collect()
}

/// The coverage in short: the number of enforced keywords, the keywords that are not enforced, and the number of narrowings of each kind.
pub(crate) fn report_text(report: &[ReportEntry]) -> String {
    if report.is_empty() {
        return String::new();
    }
    let count = |coverage: &str| report.iter().filter(|entry| entry.coverage == coverage).count();
    let (enforced, annotations) = (count("enforced"), count("annotation"));
    let gaps: Vec<&ReportEntry> = report.iter().filter(|entry| is_gap(entry)).collect();
    let mut out = format!(
        "  report     {enforced} keywords enforced, {annotations} annotations, {} not enforced\n",
        gaps.len()
    );
    gaps.into_iter().for_each(|gap| out.push_str(&entry_text(gap)));
    let narrowed = narrowed_counts(report).into_iter().map(|(kind, count)| format!("{kind} {count}"));
    let narrowed: Vec<String> = narrowed.collect();
    if !narrowed.is_empty() {
        out.push_str(&format!("  narrowed   {}\n", narrowed.join(", ")));
    }
    out
}

/// The coverage for who compiles a schema: how much is enforced, each keyword that is not, and which texts of valid values are refused.
pub(crate) fn coverage_text(report: &[ReportEntry]) -> String {
    if report.is_empty() {
        return String::new();
    }
    let enforced = report.iter().filter(|entry| entry.coverage == "enforced").count();
    let gaps: Vec<&ReportEntry> = report.iter().filter(|entry| is_gap(entry)).collect();
    let mut out =
        format!("  schema     {enforced} keywords enforced, {} not (`check` lists them)\n", gaps.len());
    gaps.into_iter().for_each(|gap| out.push_str(&entry_text(gap)));
    let kinds = narrowed_counts(report);
    let words: Vec<&str> = kinds.into_iter().map(|(kind, _)| words_of(kind)).collect();
    if !words.is_empty() {
        out.push_str(&format!("  refuses    {}\n", words.join(", ")));
    }
    out
}

/// What a kind of narrowings refuses, in a few words.
fn words_of(kind: &'static str) -> &'static str {
    match kind {
        "format-spelling" => "some spellings of formats",
        "half-surrogate" => "half surrogates",
        "item-spelling" => "other notations of items",
        "key-order" => "other orders of keys",
        "keys" => "some keys",
        "length" => "very long strings or arrays",
        "number-digits" => "long numbers",
        "number-spelling" => "other notations of numbers",
        "profile" => "what the profile refuses",
        "repeated-key" => "repeated keys",
        "string-spelling" => "other escapes",
        "white-space" => "other white space",
        _ => kind,
    }
}

fn is_gap(entry: &ReportEntry) -> bool {
    !entry.is_narrowing() && !matches!(entry.coverage.as_str(), "enforced" | "annotation")
}

/// The coverage of one keyword as a line of text.
pub(crate) fn entry_text(entry: &ReportEntry) -> String {
    let note = if entry.note.is_empty() { String::new() } else { format!(": {}", printable(&entry.note)) };
    let kind = if entry.kind.is_empty() { String::new() } else { format!(" {}", printable(&entry.kind)) };
    // Pointers with the place of a schema or the URI of a document have a `#` already.
    let hash = if entry.pointer.contains('#') { "" } else { "#" };
    format!("    {:<10} {hash}{}{kind}{note}\n", printable(&entry.coverage), printable(&entry.pointer))
}
