//! Patterns in the syntax of the `regex-syntax` crate.

use super::{CharSet, Look, Regex};
use crate::{Diagnostic, Location};
use regex_syntax::ast::{self, Ast};
use regex_syntax::hir::{self, Class, Hir, HirKind};

/// How deep parentheses may nest in a pattern.
const NEST_LIMIT: u32 = 200;

/// How a pattern is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PatternFlags {
    /// Letters match in either case (`i`).
    pub case_insensitive: bool,
    /// `^` and `$` match at line breaks (`m`).
    pub multi_line: bool,
    /// `.` matches a line feed too (`s`).
    pub dot_matches_new_line: bool,
    /// White space and `#` comments in the pattern are skipped (`x`).
    pub ignore_whitespace: bool,
    /// Assertions such as `^`, `$` and `\b` are errors: the pattern matches a piece of a text.
    pub refuse_assertions: bool,
}

impl Regex {
    /// Reads a pattern. Locations of errors are byte ranges of `pattern`.
    pub fn parse(pattern: &str, flags: PatternFlags) -> Result<Self, Diagnostic> {
        let ast = ast::parse::ParserBuilder::new()
            .nest_limit(NEST_LIMIT)
            .ignore_whitespace(flags.ignore_whitespace)
            .octal(false)
            .build()
            .parse(pattern)
            .map_err(|error| ast_error(&error))?;
        if flags.refuse_assertions
            && let Some(span) = find_assertion(&ast, |_| true)
        {
            return Err(Diagnostic::error(
                "unsupported-assertion",
                "assertions about the surroundings are not supported here",
            )
            .at(Location::Span(span.start.offset..span.end.offset))
            .help("leave it out: a terminal ends where its longest match ends"));
        }
        let hir = hir::translate::TranslatorBuilder::new()
            .case_insensitive(flags.case_insensitive)
            .multi_line(flags.multi_line)
            .dot_matches_new_line(flags.dot_matches_new_line)
            .utf8(false)
            .build()
            .translate(pattern, &ast)
            .map_err(|error| pattern_error(error.kind().to_string(), error.span()))?;
        Self::from_hir(&hir).map_err(|error| match find_assertion(&ast, is_refused) {
            Some(span) => error.at(Location::Span(span.start.offset..span.end.offset)),
            None => error,
        })
    }

    /// The language of an expression that was parsed already. Repetitions and alternatives lose their preference
    /// order, save that lazy repetitions are marked as such.
    pub fn from_hir(hir: &Hir) -> Result<Self, Diagnostic> {
        Ok(match hir.kind() {
            HirKind::Empty => Self::empty(),
            HirKind::Literal(literal) => Self::Literal(literal.0.to_vec()),
            HirKind::Class(class) => from_class(class),
            HirKind::Look(look) => Self::Look(from_look(*look)?),
            HirKind::Repetition(repetition) => {
                let repeat = Self::from_hir(&repetition.sub)?.repeat(repetition.min, repetition.max);
                if repetition.greedy { repeat } else { Self::Lazy(Box::new(repeat)) }
            }
            HirKind::Capture(capture) => Self::from_hir(&capture.sub)?,
            HirKind::Concat(parts) => {
                Self::Concat(parts.iter().map(Self::from_hir).collect::<Result<_, _>>()?)
            }
            HirKind::Alternation(parts) => {
                Self::Union(parts.iter().map(Self::from_hir).collect::<Result<_, _>>()?)
            }
        })
    }
}

fn from_class(class: &Class) -> Regex {
    match class {
        Class::Unicode(class) => {
            Regex::Chars(CharSet::new(class.iter().map(|range| (range.start() as u32, range.end() as u32))))
        }
        Class::Bytes(class) => {
            Regex::Bytes(class.iter().flat_map(|range| range.start()..=range.end()).collect())
        }
    }
}

fn from_look(look: hir::Look) -> Result<Look, Diagnostic> {
    match look {
        hir::Look::Start => Ok(Look::Start),
        hir::Look::End => Ok(Look::End),
        hir::Look::StartLF => Ok(Look::LineStart),
        hir::Look::EndLF => Ok(Look::LineEnd),
        hir::Look::WordAscii => Ok(Look::WordBoundary),
        hir::Look::WordAsciiNegate => Ok(Look::NotWordBoundary),
        hir::Look::WordUnicode | hir::Look::WordUnicodeNegate => Err(Diagnostic::error(
            "unsupported-assertion",
            "word boundaries by Unicode letters are not supported",
        )
        .help(r"write (?-u:\b) for boundaries of ASCII words")),
        _ => Err(Diagnostic::error("unsupported-assertion", "this assertion is not supported")
            .help(r"only ^, $, \A, \z and boundaries of ASCII words are")),
    }
}

fn pattern_error(message: impl Into<String>, span: &ast::Span) -> Diagnostic {
    Diagnostic::error("bad-pattern", message).at(Location::Span(span.start.offset..span.end.offset))
}

fn ast_error(error: &ast::Error) -> Diagnostic {
    match error.kind() {
        ast::ErrorKind::UnsupportedLookAround => pattern_error("look-around is not regular enough here", error.span())
            .help("rewrite the pattern without (?=, (?!, (?<= and (?<!: they would have to look at text the terminal does not consume"),
        ast::ErrorKind::UnsupportedBackreference => {
            pattern_error("a backreference is not a regular expression", error.span())
                .help("list the possible texts as alternatives instead")
        }
        kind => pattern_error(kind.to_string(), error.span()),
    }
}

/// Where the first assertion of a `wanted` kind stands.
fn find_assertion(ast: &Ast, wanted: impl Fn(&ast::AssertionKind) -> bool) -> Option<ast::Span> {
    let mut open = vec![ast];
    while let Some(ast) = open.pop() {
        match ast {
            Ast::Assertion(assertion) if wanted(&assertion.kind) => return Some(assertion.span),
            Ast::Repetition(repetition) => open.push(&repetition.ast),
            Ast::Group(group) => open.push(&group.ast),
            Ast::Alternation(alternation) => open.extend(alternation.asts.iter().rev()),
            Ast::Concat(concat) => open.extend(concat.asts.iter().rev()),
            _ => {}
        }
    }
    None
}

/// Is it an assertion that [`from_look`] refuses? A [`Hir`] has no positions, so this asks the syntax tree.
fn is_refused(kind: &ast::AssertionKind) -> bool {
    use ast::AssertionKind::{EndLine, EndText, StartLine, StartText};
    !matches!(kind, StartLine | EndLine | StartText | EndText)
}
