//! Renders the coverage report of a schema as text and as JSON.

use super::show::printable;
use gcc_grammar::metadata::ReportEntry;
use serde_json::Value;

/// The coverage of all keywords as JSON.
pub(crate) fn report_json(report: &[ReportEntry]) -> Value {
    report.iter().map(ReportEntry::to_json).collect()
}

/// The coverage in short: the number of enforced keywords, and the keywords that are not enforced.
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
    out
}

fn is_gap(entry: &ReportEntry) -> bool {
    !matches!(entry.coverage.as_str(), "enforced" | "annotation")
}

/// The coverage of one keyword as a line of text.
pub(crate) fn entry_text(entry: &ReportEntry) -> String {
    let note = if entry.note.is_empty() { String::new() } else { format!(": {}", printable(&entry.note)) };
    // Pointers with the place of a schema or the URI of a document have a `#` already.
    let hash = if entry.pointer.contains('#') { "" } else { "#" };
    format!("    {:<10} {hash}{}{note}\n", printable(&entry.coverage), printable(&entry.pointer))
}
