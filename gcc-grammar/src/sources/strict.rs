//! Strict compilations: a schema of which the grammar refuses texts of valid values is refused, except for the kinds that are allowed.
//!
//! In: the report on the schemas of a source. Out: an error for each kind that is not allowed, at the first place where it occurs.

use crate::metadata::ReportEntry;
use crate::sources::options::{Options, Strict};
use gcc_grammar_ir::{Code, Diagnostic, Location};
use gcc_grammar_json_schema::{NO_OPTION, Narrowing};

/// The errors about narrowings that the options do not allow, in the order of the kinds.
pub(crate) fn refusals(report: &[ReportEntry], options: &Options) -> Vec<Diagnostic> {
    let is_refused =
        |kind: &Narrowing| options.strict.refuses(*kind) && !options.allow_narrowed.contains(kind);
    let refused = Narrowing::ALL.iter().copied().filter(is_refused);
    refused.filter_map(|kind| refusal(report, kind.as_str(), options.strict)).collect()
}

/// The error about one kind, at its first place. Without `--strict=all`, a place where no option accepts the texts is none.
fn refusal(report: &[ReportEntry], kind: &str, strict: Strict) -> Option<Diagnostic> {
    let is_refused = |entry: &&ReportEntry| strict == Strict::All || !entry.note.ends_with(NO_OPTION);
    let mut of_kind =
        report.iter().filter(|entry| entry.is_narrowing() && entry.kind == kind).filter(is_refused);
    let first = of_kind.next()?;
    let more = match of_kind.count() {
        0 => String::new(),
        1 => ", and at one more place".to_owned(),
        more => format!(", and at {more} more places"),
    };
    let message = format!("the grammar is narrower than the schema here{more} ({kind}): it {}", first.note);
    let place = Location::Pointer(first.pointer.clone());
    Some(
        Diagnostic::error(Code::Narrowed, message)
            .at(place)
            .help(format!("--allow-narrowed {kind} accepts this; `check` without --strict lists all places")),
    )
}

/// The number of narrowings of each kind that occurs, in the order of the kinds.
#[must_use]
pub fn narrowed_counts(report: &[ReportEntry]) -> Vec<(&'static str, usize)> {
    let count = |kind: &str| report.iter().filter(|entry| entry.is_narrowing() && entry.kind == kind).count();
    let counts = Narrowing::ALL.iter().map(|kind| (kind.as_str(), count(kind.as_str())));
    counts.filter(|&(_, count)| count > 0).collect()
}
