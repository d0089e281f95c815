//! Patterns in the syntax of the `regex-syntax` crate.

use super::extension::{self, Extension};
use super::{CharSet, Look, Regex, RegularLimits, TooLarge};
use super::{PatternError, PatternErrorKind};
use regex_syntax::ast::{self, Ast};
use regex_syntax::hir::{self, Class, Hir, HirKind};
use std::ops::Range;

/// How deep parentheses may nest in a pattern.
const NEST_LIMIT: u32 = 200;
/// The number of groups that are in no pattern.
const NO_GROUP: u32 = u32::MAX;

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
    /// Groups with the names of extensions are these, see [`Extension`].
    pub extensions: bool,
}

impl PatternFlags {
    /// For a terminal written with these letters, as in `/…/imsx`: it matches a piece of a text, and may use extensions.
    pub fn of_terminal(letters: &str) -> Self {
        Self {
            case_insensitive: letters.contains('i'),
            multi_line: letters.contains('m'),
            dot_matches_new_line: letters.contains('s'),
            ignore_whitespace: letters.contains('x'),
            refuse_assertions: true,
            extensions: true,
        }
    }
}

impl Regex {
    /// Parses a pattern. Spans of errors are byte ranges of `pattern`.
    pub fn parse(pattern: &str, flags: PatternFlags) -> Result<Self, PatternError> {
        let syntax = Syntax::parse(pattern, flags)?;
        syntax.regex(&syntax.hir)
    }
}

/// A pattern that has been parsed.
pub struct Syntax {
    /// The whole of it. A group whose name is an [`Extension`] has a dummy in it if it was empty.
    pub hir: Hir,
    /// Where the groups stand, by number; none for group 0, which is the whole.
    groups: Vec<Option<ast::Span>>,
    /// The first assertion of a kind that is refused.
    refused: Option<ast::Span>,
    /// The first assertion of any kind.
    assertion: Option<ast::Span>,
    extensions: bool,
    limits: RegularLimits,
}

impl Syntax {
    /// Parses a pattern. Spans of errors are byte ranges of `pattern`.
    pub fn parse(pattern: &str, flags: PatternFlags) -> Result<Self, PatternError> {
        let mut ast = ast::parse::ParserBuilder::new()
            .nest_limit(NEST_LIMIT)
            .ignore_whitespace(flags.ignore_whitespace)
            .octal(false)
            .build()
            .parse(pattern)
            .map_err(|error| ast_error(&error))?;
        let assertion = find_assertion(&ast, |_| true);
        if let Some(span) = assertion.filter(|_| flags.refuse_assertions) {
            return Err(PatternError::new(
                PatternErrorKind::UnsupportedAssertion,
                "assertions about the surroundings are not supported here",
            )
            .at(location(&span))
            .help("leave it out: a terminal ends where its longest match ends"));
        }
        let groups = if flags.extensions { prepare_extensions(&mut ast)? } else { Vec::new() };
        let hir = hir::translate::TranslatorBuilder::new()
            .case_insensitive(flags.case_insensitive)
            .multi_line(flags.multi_line)
            .dot_matches_new_line(flags.dot_matches_new_line)
            .utf8(false)
            .build()
            .translate(pattern, &ast)
            .map_err(|error| pattern_error(error.kind().to_string(), error.span()))?;
        let refused = find_assertion(&ast, is_refused);
        let extensions = flags.extensions;
        Ok(Self { hir, groups, refused, assertion, extensions, limits: RegularLimits::default() })
    }

    /// Where the first assertion stands, such as `^`.
    pub fn assertion(&self) -> Option<Range<usize>> {
        self.assertion.as_ref().map(location)
    }

    /// The extension that the group is.
    pub fn extension(&self, capture: &hir::Capture) -> Option<Extension> {
        capture.name.as_ref().filter(|_| self.extensions).and_then(|name| Extension::named(name))
    }

    /// An error about a group.
    pub fn group_error(&self, capture: &hir::Capture, message: &str) -> PatternError {
        let error = PatternError::new(PatternErrorKind::BadExtension, message);
        match self.groups.get(capture.index as usize) {
            Some(Some(span)) => error.at(location(span)),
            _ => error,
        }
    }

    /// The language of a part. Repetitions and alternatives lose their preference order, save that lazy repetitions are
    /// marked as such.
    pub fn regex(&self, hir: &Hir) -> Result<Regex, PatternError> {
        Ok(match hir.kind() {
            HirKind::Empty => Regex::empty(),
            HirKind::Literal(literal) => Regex::Literal(literal.0.to_vec()),
            HirKind::Class(class) => from_class(class),
            HirKind::Look(look) => Regex::Look(from_look(*look).map_err(|error| match &self.refused {
                Some(span) => error.at(location(span)),
                None => error,
            })?),
            HirKind::Repetition(repetition) => {
                let inner = match self.repeated_text(repetition) {
                    Some(text) => text,
                    None => self.regex(&repetition.sub)?,
                };
                let repeat = inner.repeat(repetition.min, repetition.max);
                if repetition.greedy { repeat } else { Regex::Lazy(Box::new(repeat)) }
            }
            HirKind::Capture(capture) => match self.extension(capture) {
                Some(extension) => self.extended(extension, capture)?,
                None => self.regex(&capture.sub)?,
            },
            HirKind::Concat(parts) => {
                Regex::Concat(parts.iter().map(|part| self.regex(part)).collect::<Result<_, _>>()?)
            }
            HirKind::Alternation(parts) => {
                Regex::Union(parts.iter().map(|part| self.regex(part)).collect::<Result<_, _>>()?)
            }
        })
    }

    /// The characters of `TEXT_TOKEN*` and the like.
    fn repeated_text(&self, repetition: &hir::Repetition) -> Option<Regex> {
        let HirKind::Capture(capture) = repetition.sub.kind() else { return None };
        let extension = self.extension(capture)?;
        let any_number = repetition.min <= 1 && repetition.max.is_none();
        match extension {
            Extension::TextToken if any_number => Some(extension::text(false)),
            Extension::ParagraphToken if any_number => Some(extension::text(true)),
            _ => None,
        }
    }

    fn extended(&self, extension: Extension, capture: &hir::Capture) -> Result<Regex, PatternError> {
        let wrong = |message: &str| self.group_error(capture, message);
        let too_large = |error: TooLarge| PatternError {
            kind: PatternErrorKind::TooLarge,
            ..wrong(&format!("this is too large: {error}"))
        };
        match extension {
            Extension::QuotedText => Ok(extension::quoted_text()),
            Extension::UnquotedText => Ok(extension::unquoted_text()),
            Extension::TextToken | Extension::ParagraphToken => {
                Err(wrong("this must be repeated, with * or +").help(
                    "texts are matched by their characters, so tokens cannot be counted; count characters, as in .{0,200}",
                ))
            }
            Extension::TextUntil => {
                let stop = self.regex(&capture.sub)?;
                if stop.matches_empty() {
                    return Err(wrong("the stop phrase must not be empty"));
                }
                extension::text_until(stop, &self.limits).map_err(too_large)
            }
            Extension::SubstringOf => match literal(&capture.sub) {
                Some(text) => extension::substring_of(&text, &self.limits).map_err(too_large),
                None => Err(wrong("this wants a plain text").help("escape signs with a backslash")),
            },
            Extension::DelimitedList => {
                let [element, delimiter] = self.two_groups(capture)?;
                Ok(extension::delimited_list(self.regex(element)?, self.regex(delimiter)?))
            }
            Extension::DelimitedSubsequenceOf => {
                let [elements, delimiter] = self.two_groups(capture)?;
                let Some(delimiter) = literal(delimiter) else {
                    return Err(wrong("the delimiter must be a plain text"));
                };
                let elements: Vec<Regex> = match self.regex(elements)? {
                    Regex::Union(parts) => parts,
                    one => vec![one],
                };
                extension::delimited_subsequence(&elements, delimiter.as_bytes(), &self.limits)
                    .map_err(too_large)
            }
            Extension::SpecialToken => Err(wrong("a special token is no text, so it cannot be part of one")
                .help("use it in a regular expression of its own, or in a rule of a grammar")),
        }
    }

    fn two_groups<'h>(&self, capture: &'h hir::Capture) -> Result<[&'h Hir; 2], PatternError> {
        if let HirKind::Concat(parts) = capture.sub.kind()
            && let [first, second] = &parts[..]
            && let (HirKind::Capture(first), HirKind::Capture(second)) = (first.kind(), second.kind())
        {
            return Ok([&first.sub, &second.sub]);
        }
        Err(self
            .group_error(
                capture,
                "two groups are wanted here, one for the elements and one for the delimiter",
            )
            .help("as in (?P<DELIMITED_LIST>([a-z]+)(, ))"))
    }
}

/// The text, if it is a plain one.
pub fn literal(hir: &Hir) -> Option<String> {
    match hir.kind() {
        HirKind::Empty => Some(String::new()),
        HirKind::Literal(literal) => String::from_utf8(literal.0.to_vec()).ok(),
        HirKind::Capture(capture) => literal(&capture.sub),
        _ => None,
    }
}

/// Where the groups stand, by number. Empty groups that are extensions get something into them, because the translation drops
/// repetitions of nothing; other names that look like one are refused.
fn prepare_extensions(ast: &mut Ast) -> Result<Vec<Option<ast::Span>>, PatternError> {
    let mut groups = vec![None];
    let mut open = vec![ast];
    while let Some(ast) = open.pop() {
        match ast {
            Ast::Repetition(repetition) => open.push(&mut repetition.ast),
            Ast::Alternation(alternation) => open.extend(&mut alternation.asts),
            Ast::Concat(concat) => open.extend(&mut concat.asts),
            Ast::Group(group) => {
                let index = group.capture_index().filter(|&index| index != NO_GROUP);
                let index = index.map_or(0, |index| index as usize);
                if groups.len() <= index {
                    groups.resize(index + 1, None);
                }
                if index > 0 {
                    groups[index] = Some(group.span);
                }
                prepare_group(group)?;
                open.push(&mut group.ast);
            }
            _ => {}
        }
    }
    Ok(groups)
}

fn prepare_group(group: &mut ast::Group) -> Result<(), PatternError> {
    let ast::GroupKind::CaptureName { name, .. } = &group.kind else { return Ok(()) };
    let is_empty = matches!(*group.ast, Ast::Empty(_));
    match Extension::named(&name.name) {
        Some(extension) if extension.is_constant() && is_empty => {
            let (span, kind, c) = (group.span, ast::LiteralKind::Verbatim, 'x');
            *group.ast = Ast::literal(ast::Literal { span, kind, c });
        }
        Some(extension) if extension.is_constant() => {
            let message = format!("{} takes no argument", name.name);
            return Err(pattern_error(message, &group.span).help("close the parenthesis after the name"));
        }
        Some(_) if is_empty => {
            let message = format!("{} wants an argument", name.name);
            return Err(
                pattern_error(message, &group.span).help("write it between the name and the parenthesis")
            );
        }
        Some(Extension::DelimitedSubsequenceOf) => keep_apart(&mut group.ast),
        None if is_empty && name.name.chars().all(|c| c.is_ascii_uppercase() || c == '_') => {
            let names: Vec<&str> = extension::NAMES.iter().map(|(name, _)| *name).collect();
            return Err(pattern_error(format!("there is no extension {}", name.name), &group.span)
                .help(format!("the extensions are {}", names.join(", "))));
        }
        _ => {}
    }
    Ok(())
}

/// Puts each of the elements into a group, or else the translation would join and reorder them.
fn keep_apart(argument: &mut Ast) {
    let Ast::Concat(concat) = argument else { return };
    let Some(mut elements) = concat.asts.first_mut() else { return };
    while let Ast::Group(group) = elements {
        elements = &mut group.ast;
    }
    let Ast::Alternation(alternation) = elements else { return };
    for element in &mut alternation.asts {
        let span = *element.span();
        let kind = ast::GroupKind::CaptureIndex(NO_GROUP);
        let inner = std::mem::replace(element, Ast::empty(span));
        *element = Ast::group(ast::Group { span, kind, ast: Box::new(inner) });
    }
}

fn location(span: &ast::Span) -> Range<usize> {
    span.start.offset..span.end.offset
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

fn from_look(look: hir::Look) -> Result<Look, PatternError> {
    match look {
        hir::Look::Start => Ok(Look::Start),
        hir::Look::End => Ok(Look::End),
        hir::Look::StartLF => Ok(Look::LineStart),
        hir::Look::EndLF => Ok(Look::LineEnd),
        hir::Look::WordAscii => Ok(Look::WordBoundary),
        hir::Look::WordAsciiNegate => Ok(Look::NotWordBoundary),
        hir::Look::WordUnicode | hir::Look::WordUnicodeNegate => Err(PatternError::new(
            PatternErrorKind::UnsupportedAssertion,
            "word boundaries by Unicode letters are not supported",
        )
        .help(r"write (?-u:\b) for boundaries of ASCII words")),
        _ => {
            Err(PatternError::new(PatternErrorKind::UnsupportedAssertion, "this assertion is not supported")
                .help(r"only ^, $, \A, \z and boundaries of ASCII words are"))
        }
    }
}

fn pattern_error(message: impl Into<String>, span: &ast::Span) -> PatternError {
    PatternError::new(PatternErrorKind::BadPattern, message).at(location(span))
}

fn ast_error(error: &ast::Error) -> PatternError {
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
