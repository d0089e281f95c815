//! Renders diagnostics: as text for people, and as JSON for programs.
//!
//! This is the only place where diagnostics become text. Control characters of the input never reach the output. Long lines are cut
//! around the marked place, and long messages in the middle, so that a diagnostic fits on a screen of 24 lines whatever the input is.

use super::data::{Diagnostic, Location, Severity};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::{self, Write};
use std::ops::Range;

/// The greatest number of characters of a line that are shown. Longer lines are cut around the marked place.
const SHOWN_COLUMNS: usize = 100;

/// The most characters of a message, an advice or a pointer that are shown: seven lines of a screen.
const SHOWN_TEXT: usize = 560;
/// Of these, those at the end.
const SHOWN_END: usize = 160;

/// The most places of one diagnostic that are shown.
const SHOWN_PLACES: usize = 8;

const BOLD: &str = "\x1b[1m";
const RED: &str = "\x1b[1;31m";
const YELLOW: &str = "\x1b[1;33m";
const BLUE: &str = "\x1b[1;34m";
const PLAIN: &str = "\x1b[0m";

/// Line and column of a byte offset, both from 1; columns count characters. An offset inside a character counts as
/// its beginning, and an offset behind the end of the text as the end.
#[must_use]
pub fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..floor(text, offset)];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// The greatest character boundary that is not after `offset`.
fn floor(text: &str, offset: usize) -> usize {
    (0..=offset.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// All diagnostics as lines of text, one after the other as they are taken. Those that differ only in their place are one, with up to [`SHOWN_PLACES`]
/// places. Each takes time in proportion to the text.
pub fn render_all(
    diagnostics: &[Diagnostic],
    source_name: &str,
    source_text: &str,
    color: bool,
) -> impl ExactSizeIterator<Item = String> {
    let mut groups: Vec<(&Diagnostic, Vec<&str>)> = Vec::new();
    let mut known = HashMap::new();
    for diagnostic in diagnostics {
        let kind = (diagnostic.code, &diagnostic.message, &diagnostic.help);
        let pointer = match &diagnostic.location {
            Some(Location::Pointer(pointer)) => Some(pointer.as_str()),
            _ => None,
        };
        match (pointer, pointer.and_then(|_| known.get(&kind))) {
            (Some(pointer), Some(&group)) => {
                let (_, places): &mut (_, Vec<_>) = &mut groups[group];
                places.push(pointer);
            }
            _ => {
                pointer.map(|_| known.insert(kind, groups.len()));
                groups.push((diagnostic, Vec::new()));
            }
        }
    }
    let render = move |(diagnostic, more): (&Diagnostic, Vec<&str>)| {
        render_group(diagnostic, &more, (source_name, source_text), color)
    };
    groups.into_iter().map(render)
}

/// The diagnostic as lines of text, each ended by a line feed:
///
/// ```text
/// error[undefined-name]: `vlaue` is not defined
///  --> json.lark:1:8
///   |
/// 1 | start: vlaue
///   |        ^^^^^
///   = help: did you mean `value`?
/// ```
///
/// `source_text` is the text that a [`Location::Span`] refers to; other locations do not read it.
#[must_use]
pub fn render_text(diagnostic: &Diagnostic, source_name: &str, source_text: &str, color: bool) -> String {
    render_group(diagnostic, &[], (source_name, source_text), color)
}

/// The diagnostic as lines of text, with more pointers at which it holds.
fn render_group(
    diagnostic: &Diagnostic,
    more: &[&str],
    (source_name, source_text): (&str, &str),
    color: bool,
) -> String {
    let paint = Paint(color);
    let style = match diagnostic.severity {
        Severity::Error => RED,
        Severity::Warning => YELLOW,
    };
    let head = paint.with(style, &format!("{}[{}]", diagnostic.severity, diagnostic.code));
    let mut out = format!("{head}: {}\n", paint.with(BOLD, &visible(&diagnostic.message)));
    let mut margin = String::from(" ");
    let arrow = paint.with(BLUE, "-->");
    // Writing to a string cannot fail.
    let _ = match &diagnostic.location {
        Some(Location::Span(span)) => {
            let (line, column) = line_and_column(source_text, span.start);
            margin = " ".repeat(line.to_string().len());
            let excerpt = excerpt(source_text, span, line, &margin, style, paint);
            write!(out, "{margin}{arrow} {source_name}:{line}:{column}\n{excerpt}")
        }
        Some(Location::Pointer(pointer)) => {
            let pointers = [pointer.as_str()].into_iter().chain(more.iter().copied());
            for pointer in pointers.take(SHOWN_PLACES) {
                // Pointers into a schema within a grammar, or into another document, begin with its place.
                let hash = if pointer.is_empty() || pointer.starts_with('/') { "#" } else { "" };
                let _ = writeln!(out, "{margin}{arrow} {source_name}, at {hash}{}", visible(pointer));
            }
            match (more.len() + 1).saturating_sub(SHOWN_PLACES) {
                0 => Ok(()),
                others => writeln!(out, "{margin}{arrow} and {others} more places"),
            }
        }
        Some(Location::Offset(offset)) => writeln!(out, "{margin}{arrow} {source_name}, at byte {offset}"),
        None => writeln!(out, "{margin}{arrow} {source_name}"),
    };
    if let Some(help) = &diagnostic.help {
        let _ = writeln!(out, "{margin} {} help: {}", paint.with(BLUE, "="), visible(help));
    }
    out
}

/// Adds ANSI styles to text, or not.
#[derive(Clone, Copy)]
struct Paint(bool);

impl Paint {
    fn with(self, style: &str, text: &str) -> String {
        if self.0 { format!("{style}{text}{PLAIN}") } else { text.to_string() }
    }
}

/// The text with control characters, which could garble a terminal, replaced by U+FFFD, and cut if it is long.
fn visible(text: &str) -> String {
    shortened(text).chars().map(|c| if c.is_control() { '\u{FFFD}' } else { c }).collect()
}

/// The text, or the beginning and the end of a long one: a part of the input may be quoted in it.
#[must_use]
pub fn shortened(text: &str) -> Cow<'_, str> {
    let length = text.chars().count();
    if length <= SHOWN_TEXT {
        return Cow::Borrowed(text);
    }
    let byte = |index| text.char_indices().nth(index).map_or(text.len(), |(at, _)| at);
    let left_out = length - SHOWN_TEXT;
    let (begin, end) = (byte(SHOWN_TEXT - SHOWN_END), byte(length - SHOWN_END));
    Cow::Owned(format!("{} … ({left_out} characters are left out) … {}", &text[..begin], &text[end..]))
}

/// The first line of `span`, with carets below the span.
fn excerpt(text: &str, span: &Range<usize>, line: usize, margin: &str, style: &str, paint: Paint) -> String {
    let start = floor(text, span.start);
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let shown: Vec<char> = text[line_start..line_end].trim_end_matches('\r').chars().collect();
    let first = text[line_start..start].chars().count().min(shown.len());
    let end = floor(text, span.end).clamp(start, line_end);
    let last = first + text[start..end].chars().count().max(1);
    let window = window(shown.len(), first);
    let mut body = String::new();
    let mut carets = String::new();
    if window.start > 0 {
        body.push('…');
        carets.push(' ');
    }
    for index in window.clone() {
        let (c, width) = if shown[index] == '\t' { (' ', 4) } else { (shown[index], 1) };
        let mark = if (first..last).contains(&index) { '^' } else { ' ' };
        body.extend(std::iter::repeat_n(if c.is_control() { '\u{FFFD}' } else { c }, width));
        carets.extend(std::iter::repeat_n(mark, width));
    }
    if window.end < shown.len() {
        body.push('…');
    }
    if first == shown.len() {
        carets.push('^');
    }
    let bar = paint.with(BLUE, "|");
    let number = paint.with(BLUE, &line.to_string());
    let carets = paint.with(style, carets.trim_end());
    format!("{margin} {bar}\n{number} {bar} {body}\n{margin} {bar} {carets}\n")
}

/// The range of the characters of a line to show, so that the character at index `first` is among them.
fn window(length: usize, first: usize) -> Range<usize> {
    let start = if length <= SHOWN_COLUMNS { 0 } else { first.saturating_sub(SHOWN_COLUMNS / 2) };
    start..length.min(start + SHOWN_COLUMNS)
}

/// The diagnostic as a JSON object with `severity`, `code`, `message`, `source`, and, where there are any, `help` and
/// `location`, which is `{start, end, line, column, end_line, end_column}`, `{pointer}` or `{offset}`. Lines and columns count
/// from 1, `start`, `end` and `offset` are bytes from 0, and ends are exclusive.
#[must_use]
pub fn to_json(diagnostic: &Diagnostic, source_name: &str, source_text: &str) -> Value {
    object(diagnostic, source_name, |offset| line_and_column(source_text, offset))
}

/// All diagnostics as JSON objects, as [`to_json`] makes them. The text is read once, however many there are.
#[must_use]
pub fn all_to_json(diagnostics: &[Diagnostic], source_name: &str, source_text: &str) -> Value {
    let places = places(diagnostics, source_text);
    diagnostics.iter().map(|diagnostic| object(diagnostic, source_name, |offset| places[&offset])).collect()
}

/// Line and column, as [`line_and_column`] has them, of the offsets that diagnostics have.
fn places(diagnostics: &[Diagnostic], text: &str) -> HashMap<usize, (usize, usize)> {
    let spans = diagnostics.iter().filter_map(|diagnostic| match &diagnostic.location {
        Some(Location::Span(span)) => Some([span.start, span.end]),
        _ => None,
    });
    let mut offsets: Vec<usize> = spans.flatten().collect();
    offsets.sort_unstable();
    let (mut at, mut line, mut column) = (0, 1, 1);
    let place = |offset| {
        let next = floor(text, offset);
        for c in text[at..next].chars() {
            (line, column) = if c == '\n' { (line + 1, 1) } else { (line, column + 1) };
        }
        at = next;
        (offset, (line, column))
    };
    offsets.into_iter().map(place).collect()
}

/// A diagnostic as a JSON object; `place` has the line and the column of an offset.
fn object(diagnostic: &Diagnostic, source_name: &str, place: impl Fn(usize) -> (usize, usize)) -> Value {
    let mut object = json!({
        "severity": diagnostic.severity.to_string(),
        "code": diagnostic.code.as_str(),
        "message": shortened(&diagnostic.message),
        "source": source_name,
    });
    if let Some(location) = &diagnostic.location {
        object["location"] = location_to_json(location, place);
    }
    if let Some(help) = &diagnostic.help {
        object["help"] = json!(shortened(help));
    }
    object
}

fn location_to_json(location: &Location, place: impl Fn(usize) -> (usize, usize)) -> Value {
    match location {
        Location::Span(span) => {
            let ((line, column), (end_line, end_column)) = (place(span.start), place(span.end));
            json!({
                "start": span.start, "end": span.end, "line": line, "column": column,
                "end_line": end_line, "end_column": end_column,
            })
        }
        Location::Pointer(pointer) => json!({ "pointer": pointer }),
        Location::Offset(offset) => json!({ "offset": offset }),
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
        })
    }
}

/// One line: severity, code and message.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: {}", self.severity, self.code, visible(&self.message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::code::Code;

    const TEXT: &str = "start: \"é\" vlaue\n\tother: x\n";

    fn text(location: Location) -> String {
        let diagnostic = Diagnostic::error(Code::UndefinedName, "`vlaue` is not defined").at(location);
        render_text(&diagnostic.help("did you mean `value`?"), "a.lark", TEXT, false)
    }

    #[test]
    fn spans_are_underlined() {
        assert_eq!(
            text(Location::Span(12..17)),
            "error[undefined-name]: `vlaue` is not defined\n \
             --> a.lark:1:12\n  \
             |\n\
             1 | start: \"é\" vlaue\n  \
             |            ^^^^^\n  \
             = help: did you mean `value`?\n"
        );
    }

    #[test]
    fn tabs_ends_and_odd_places_are_survived() {
        assert!(text(Location::Span(19..24)).contains("2 |     other: x\n  |     ^^^^^\n"));
        let at_end = text(Location::Span(TEXT.len()..TEXT.len()));
        assert!(at_end.contains("a.lark:3:1\n  |\n3 | \n  | ^\n"), "{at_end}");
        assert!(text(Location::Span(16..500)).contains(":1:16"));
        assert!(text(Location::Span(9..9)).contains("a.lark:1:9"), "inside of é counts as its beginning");
        assert!(text(Location::Span(900..901)).contains("a.lark:3:1"));
        assert!(
            text(Location::Span(16..26)).contains("1 | start: \"é\" vlaue\n  |                ^\n"),
            "two lines"
        );
    }

    #[test]
    fn other_locations_are_named() {
        assert!(text(Location::Pointer("/a/b".to_string())).contains(" --> a.lark, at #/a/b\n"));
        assert!(text(Location::Offset(7)).contains(" --> a.lark, at byte 7\n"));
    }

    #[test]
    fn diagnostics_that_differ_in_their_place_are_one() {
        let at =
            |code, pointer: String| Diagnostic::warning(code, "m").at(Location::Pointer(pointer)).help("h");
        let many = (0..10).map(|place| at(Code::Io, format!("/{place}")));
        let others = [at(Code::Syntax, String::new()), Diagnostic::warning(Code::Io, "m").help("h")];
        let all: Vec<Diagnostic> = many.chain(others).collect();
        let shown: Vec<String> = render_all(&all, "f", "", false).collect();
        let places: String = (0..SHOWN_PLACES).map(|place| format!(" --> f, at #/{place}\n")).collect();
        let expected = [
            format!("warning[io]: m\n{places} --> and 2 more places\n  = help: h\n"),
            "warning[syntax]: m\n --> f, at #\n  = help: h\n".to_owned(),
            "warning[io]: m\n --> f\n  = help: h\n".to_owned(),
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn long_lines_are_cut() {
        let long = format!("{}x{}", "a".repeat(5000), "b".repeat(5000));
        let shown = render_text(
            &Diagnostic::warning(Code::Syntax, "m").at(Location::Span(5000..5001)),
            "f",
            &long,
            false,
        );
        assert!(shown.lines().all(|line| line.chars().count() < 130), "{shown}");
        let line = shown.lines().nth(3).expect("the line");
        let carets = shown.lines().nth(4).expect("the carets");
        let place = carets.chars().position(|c| c == '^').expect("a caret");
        assert_eq!(line.chars().nth(place), Some('x'));
    }

    #[test]
    fn long_messages_are_cut_in_the_middle() {
        let long = format!("`é{}` is not defined", "a".repeat(200_000));
        let diagnostic = Diagnostic::error(Code::UndefinedName, &*long).help(&*long);
        for pointer in ["/a".repeat(10_000), String::new()] {
            let shown = render_text(&diagnostic.clone().at(Location::Pointer(pointer)), "f", "", false);
            let lines: usize = shown.lines().map(|line| line.chars().count().div_ceil(80)).sum();
            assert!(lines <= 24, "{lines} lines: {shown}");
        }
        let message = to_json(&diagnostic, "f", "")["message"].to_string();
        assert!(message.contains("`éaaa") && message.contains("aaa` is not defined"), "{message}");
        assert!(message.chars().count() < 700 && diagnostic.to_string().chars().count() < 700);
        let short = "é".repeat(SHOWN_TEXT);
        assert_eq!(shortened(&short), short);
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        let text = "a\x1b[31mb";
        let diagnostic = Diagnostic::error(Code::Syntax, "bad \x1b[0m").at(Location::Span(0..1));
        assert!(!render_text(&diagnostic, "f", text, false).contains('\x1b'));
        assert!(render_text(&diagnostic, "f", text, true).contains("\x1b[1;31merror[syntax]\x1b[0m"));
    }

    #[test]
    fn diagnostics_are_errors_of_one_line() {
        fn check<E: std::error::Error + Send + Sync + 'static>(error: E) -> String {
            error.to_string()
        }
        let diagnostic = Diagnostic::error(Code::Io, "cannot be read").help("h");
        assert_eq!(check(diagnostic), "error[io]: cannot be read");
    }

    #[test]
    fn many_are_as_each_is() {
        let spans = [12..17, 0..3, 19..24, 9..9, 16..500, 900..901, 24..26].map(Location::Span);
        let others = [Location::Pointer("/a".to_owned()), Location::Offset(7)];
        let locations = spans.into_iter().chain(others).map(Some).chain([None]);
        let all: Vec<Diagnostic> =
            locations.map(|at| Diagnostic { location: at, ..Diagnostic::error(Code::Io, "m") }).collect();
        let each: Vec<Value> = all.iter().map(|diagnostic| to_json(diagnostic, "f", TEXT)).collect();
        assert_eq!(all_to_json(&all, "f", TEXT), Value::Array(each));
    }

    #[test]
    fn json_has_lines_and_bytes() {
        let diagnostic = Diagnostic::error(Code::Io, "m").at(Location::Span(12..17)).help("h");
        let expected = json!({
            "severity": "error", "code": "io", "message": "m", "source": "a.lark", "help": "h",
            "location": {"start": 12, "end": 17, "line": 1, "column": 12, "end_line": 1, "end_column": 17},
        });
        assert_eq!(to_json(&diagnostic, "a.lark", TEXT), expected);
        let bare = json!({"severity": "warning", "code": "io", "message": "m", "source": "s"});
        assert_eq!(to_json(&Diagnostic::warning(Code::Io, "m"), "s", ""), bare);
    }
}
