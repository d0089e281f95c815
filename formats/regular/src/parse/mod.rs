//! Parses patterns in the syntax of the `regex-syntax` crate, the syntax of Rust's `regex`.
//!
//! ```text
//! pattern ──regex_syntax::ast──▶ Ast ──prepare extension groups──▶ Ast ──regex_syntax::hir──▶ Hir ──Syntax::regex──▶ Regex
//! ```
//! Goes out: a [`Regex`], or a [`PatternError`] with a byte range of the pattern. Look-around and atomic groups are read where the
//! flags say so; backreferences are refused. Groups named like an [`Extension`] become its language.

mod assertions;
mod atomic;
mod classes;
mod errors;
mod groups;
mod lookaround;

use crate::error::{PatternError, PatternErrorKind};
use crate::extension::{self, Extension};
use crate::limits::RegularLimits;
use crate::regex::Regex;
use assertions::{find_assertion, from_look};
use classes::from_class;
use errors::{ast_error, location, pattern_error};
use gcc_grammar_limits::OverBudget;
use groups::prepare_groups;
use lookaround::{Grouped, Kind};
use regex_syntax::ast;
use regex_syntax::hir::{self, Class, Hir, HirKind};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The deepest nesting of groups in a pattern.
const NEST_LIMIT: u32 = 200;

/// Options for reading a pattern.
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
    /// Assertions such as `^`, `$` and `\b` are errors, because the pattern matches a piece of a larger text.
    pub refuse_assertions: bool,
    /// Groups named like an [`Extension`] match the language of that extension.
    pub extensions: bool,
    /// Look-around and atomic groups are read. They look at the text that the whole expression matches.
    pub look_around: bool,
}

impl PatternFlags {
    /// The options of a terminal with the flags `letters`, as in `/…/imsx`. Assertions are refused, extensions allowed.
    pub fn of_terminal(letters: &str) -> Self {
        Self {
            case_insensitive: letters.contains('i'),
            multi_line: letters.contains('m'),
            dot_matches_new_line: letters.contains('s'),
            ignore_whitespace: letters.contains('x'),
            refuse_assertions: true,
            extensions: true,
            look_around: false,
        }
    }
}

impl Regex {
    /// Parses a pattern.
    ///
    /// # Errors
    /// [`PatternError`], whose span is a byte range of `pattern`, if the pattern is malformed or not regular.
    pub fn parse(pattern: &str, flags: PatternFlags) -> Result<Self, PatternError> {
        Self::parse_within(pattern, flags, &RegularLimits::default())
    }

    /// Parses a pattern like [`Regex::parse`], within limits.
    ///
    /// # Errors
    /// As for [`Regex::parse`], or the pattern is too long.
    pub fn parse_within(
        pattern: &str,
        flags: PatternFlags,
        limits: &RegularLimits,
    ) -> Result<Self, PatternError> {
        let syntax = Syntax::parse(pattern, flags, limits)?;
        syntax.regex(&syntax.hir)
    }
}

/// Estimated bytes of the syntax trees of a pattern, for each byte of it. A class of two characters has most.
const BYTES_PER_BYTE: u64 = 280;
/// The work to make them, for each byte of the pattern.
const WORK_PER_BYTE: u64 = 25;
/// Estimated bytes of a class such as `\\p{L}`, which is written in a few bytes and has hundreds of ranges.
const BYTES_PER_CLASS: u64 = 12_000;
/// The work to make its ranges.
const WORK_PER_CLASS: u64 = 1_500;

/// Charges what it costs to parse a pattern.
fn charge(pattern: &str, limits: &RegularLimits) -> Result<(), OverBudget> {
    let named_class = |pair: &[u8]| pair[0] == b'\\' && matches!(pair[1], b'p' | b'P' | b'w' | b'W');
    let classes = pattern.as_bytes().windows(2).filter(|pair| named_class(pair)).count() as u64;
    let length = pattern.len() as u64;
    limits.budget.charge_work(length * WORK_PER_BYTE + classes * WORK_PER_CLASS)?;
    limits.budget.charge_bytes(length * BYTES_PER_BYTE + classes * BYTES_PER_CLASS)
}

/// A parsed pattern, for callers that translate parts of it themselves.
pub struct Syntax {
    /// The translated pattern. An empty group named like an [`Extension`] holds a dummy character.
    pub hir: Hir,
    /// The place of each group by its index; `None` for index 0, which is the whole pattern.
    groups: Vec<Option<Range<usize>>>,
    /// The groups that are look-around or atomic, by their index.
    arounds: FxHashMap<u32, Kind>,
    /// The first assertion of any kind, or atomic group.
    assertion: Option<Range<usize>>,
    extensions: bool,
    /// No text of the pattern has a character beyond ASCII.
    is_ascii: bool,
    limits: RegularLimits,
}

impl Syntax {
    /// Parses a pattern.
    ///
    /// # Errors
    /// As for [`Regex::parse`].
    pub fn parse(pattern: &str, flags: PatternFlags, limits: &RegularLimits) -> Result<Self, PatternError> {
        charge(pattern, limits)
            .map_err(|error| PatternError::new(PatternErrorKind::TooLarge, error.to_string()))?;
        let Some(grouped) = flags.look_around.then(|| Grouped::new(pattern)).flatten() else {
            return Self::parse_groups(pattern, flags, limits, None);
        };
        let origin = |span| grouped.origin(span);
        let mut syntax = Self::parse_groups(&grouped.pattern, flags, limits, Some(&grouped))
            .map_err(|error| PatternError { span: error.span.map(origin), ..error })?;
        syntax.groups = syntax.groups.into_iter().map(|group| group.map(origin)).collect();
        syntax.assertion = Some(syntax.assertion.map_or(grouped.first(), origin));
        Ok(syntax)
    }

    /// Parses a pattern whose look-around was made groups.
    fn parse_groups(
        pattern: &str,
        flags: PatternFlags,
        limits: &RegularLimits,
        grouped: Option<&Grouped>,
    ) -> Result<Self, PatternError> {
        let mut ast = ast::parse::ParserBuilder::new()
            .nest_limit(NEST_LIMIT)
            .ignore_whitespace(flags.ignore_whitespace)
            .octal(false)
            .build()
            .parse(pattern)
            .map_err(|error| ast_error(&error))?;
        let assertion = find_assertion(&ast);
        if let Some(span) = assertion.filter(|_| flags.refuse_assertions) {
            return Err(PatternError::new(
                PatternErrorKind::UnsupportedAssertion,
                "assertions about the surrounding text are not supported here",
            )
            .at(location(&span))
            .help("leave the assertion out: a terminal ends where its longest match ends"));
        }
        let spans = prepare_groups(&mut ast, flags.extensions)?;
        let hir = hir::translate::TranslatorBuilder::new()
            .case_insensitive(flags.case_insensitive)
            .multi_line(flags.multi_line)
            .dot_matches_new_line(flags.dot_matches_new_line)
            .utf8(false)
            .build()
            .translate(pattern, &ast)
            .map_err(|error| pattern_error(error.kind().to_string(), error.span()))?;
        let kind =
            |(index, span): (usize, &Option<ast::Span>)| Some((index as u32, grouped?.kind(span.as_ref()?)?));
        Ok(Self {
            arounds: spans.iter().enumerate().filter_map(kind).collect(),
            groups: spans.iter().map(|span| span.as_ref().map(location)).collect(),
            assertion: assertion.as_ref().map(location),
            extensions: flags.extensions,
            is_ascii: is_ascii(&hir),
            hir,
            limits: limits.clone(),
        })
    }

    /// The byte range of the first assertion, such as `^` or `(?=`, or atomic group.
    pub fn assertion(&self) -> Option<Range<usize>> {
        self.assertion.clone()
    }

    /// The extension that the group is named like.
    pub fn extension(&self, capture: &hir::Capture) -> Option<Extension> {
        capture.name.as_ref().filter(|_| self.extensions).and_then(|name| Extension::named(name))
    }

    /// The error `message` at the group.
    pub fn group_error(&self, capture: &hir::Capture, message: &str) -> PatternError {
        let error = PatternError::new(PatternErrorKind::BadExtension, message);
        match self.groups.get(capture.index as usize) {
            Some(Some(span)) => error.at(span.clone()),
            _ => error,
        }
    }

    /// The expression of a part of the pattern.
    ///
    /// # Errors
    /// [`PatternError`] for wrong arguments of extensions.
    pub fn regex(&self, hir: &Hir) -> Result<Regex, PatternError> {
        Ok(match hir.kind() {
            HirKind::Empty => Regex::empty(),
            HirKind::Literal(literal) => Regex::Literal(literal.0.to_vec()),
            HirKind::Class(class) => from_class(class),
            HirKind::Look(look) => from_look(*look, self.is_ascii),
            HirKind::Repetition(repetition) => {
                let inner = match self.repeated_text(repetition) {
                    Some(text) => text,
                    None => self.regex(&repetition.sub)?,
                };
                let repeat = inner.repeat(repetition.min, repetition.max);
                if repetition.greedy { repeat } else { Regex::Lazy(Box::new(repeat)) }
            }
            HirKind::Capture(capture) => match (self.extension(capture), self.arounds.get(&capture.index)) {
                (Some(extension), _) => self.extended(extension, capture)?,
                (None, Some(Kind::Behind { negative })) => self.regex(&capture.sub)?.behind(*negative),
                (None, Some(Kind::Ahead { negative })) => self.regex(&capture.sub)?.ahead(*negative),
                (None, Some(Kind::Atomic)) => self.atomic(capture)?,
                (None, None) => self.regex(&capture.sub)?,
            },
            HirKind::Concat(parts) => {
                Regex::Concat(parts.iter().map(|part| self.regex(part)).collect::<Result<_, _>>()?)
            }
            HirKind::Alternation(parts) => {
                Regex::Union(parts.iter().map(|part| self.regex(part)).collect::<Result<_, _>>()?)
            }
        })
    }

    /// Whether the repetition is any number of tokens of text, such as `TEXT_TOKEN*`, which is any text.
    #[must_use]
    pub fn is_any_text(&self, repetition: &hir::Repetition) -> bool {
        self.repeated_text(repetition).is_some()
    }

    /// The characters of an extension that stands for tokens, such as `TEXT_TOKEN*`.
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

    /// The expression of an atomic group.
    fn atomic(&self, capture: &hir::Capture) -> Result<Regex, PatternError> {
        let inner = self.regex(&capture.sub)?;
        atomic::atomic(&inner, &self.limits)
            .map_err(|error| PatternError { span: self.group_error(capture, "").span, ..error })
    }

    /// The language of an extension group.
    fn extended(&self, extension: Extension, capture: &hir::Capture) -> Result<Regex, PatternError> {
        let wrong = |message: &str| self.group_error(capture, message);
        let too_large = |error: OverBudget| PatternError {
            kind: PatternErrorKind::TooLarge,
            ..wrong(&format!("the automaton of this extension is too large: {error}"))
        };
        match extension {
            Extension::QuotedText => Ok(extension::quoted_text()),
            Extension::UnquotedText => Ok(extension::unquoted_text()),
            Extension::TextToken | Extension::ParagraphToken => {
                Err(wrong("this extension must be repeated with * or + here").help(
                    "tokens are counted only in a regular expression of its own; elsewhere count characters, as in .{0,200}",
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
                None => Err(wrong("SUBSTRING_OF needs a plain text").help("escape operators with a backslash")),
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
                    single => vec![single],
                };
                extension::delimited_subsequence(&elements, delimiter.as_bytes(), &self.limits)
                    .map_err(too_large)
            }
            Extension::SpecialToken => Err(wrong("a special token is not text, so it cannot be part of a text")
                .help("use it in a regular expression of its own, or in a rule of a grammar")),
        }
    }

    /// The contents of the two groups that the argument must consist of.
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
                "this extension needs two groups, one for the elements and one for the delimiter",
            )
            .help("write it as in (?P<DELIMITED_LIST>([a-z]+)(, ))"))
    }
}

/// Whether all texts of a pattern are ASCII, as far as it has no extensions.
fn is_ascii(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => true,
        HirKind::Literal(literal) => literal.0.is_ascii(),
        HirKind::Class(Class::Unicode(class)) => class.is_ascii(),
        HirKind::Class(Class::Bytes(class)) => class.is_ascii(),
        HirKind::Repetition(repetition) => is_ascii(&repetition.sub),
        HirKind::Capture(capture) => {
            capture.name.as_ref().is_none_or(|name| Extension::named(name).is_none())
                && is_ascii(&capture.sub)
        }
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().all(is_ascii),
    }
}

/// The text of a part without operators.
fn literal(hir: &Hir) -> Option<String> {
    match hir.kind() {
        HirKind::Empty => Some(String::new()),
        HirKind::Literal(literal) => String::from_utf8(literal.0.to_vec()).ok(),
        HirKind::Capture(capture) => literal(&capture.sub),
        _ => None,
    }
}
