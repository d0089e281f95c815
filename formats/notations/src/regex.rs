//! Reads a regular expression as a grammar of the texts that match it as a whole.
//!
//! Input: a pattern in the syntax of the [`regex-syntax`](https://docs.rs/regex/latest/regex/#syntax) crate, with the groups of
//! [`Extension`]. Output: a grammar, or diagnostics located in the pattern. A regular language needs no stack: it becomes one terminal, so
//! a mask depends on the state of the lexer only. Special tokens, `(?P<SPECIAL_TOKEN>name)`, and counted ordinary tokens, such as
//! `(?P<TEXT_TOKEN>){3}`, are matched by id; an expression that contains them becomes a rule whose terminals are these tokens and the regular
//! parts between them.

use crate::grammar_builder::{GrammarBuilder, choice, repeat, sequence};
use crate::regularize::regularize;
use gcc_grammar_ir::{Code, Diagnostic, Expr, Grammar, Location, Parsed, TokenSelector, check};
use gcc_grammar_regular::{Extension, PatternFlags, Regex, RegularLimits, Syntax};
use regex_syntax::hir::{Hir, HirKind};
use std::sync::Arc;

/// Reads a regular expression that the whole text must match. Locations of diagnostics are byte ranges of `pattern`.
pub fn parse(pattern: &str, flags: PatternFlags, limits: &RegularLimits) -> Result<Parsed, Vec<Diagnostic>> {
    let flags = PatternFlags { extensions: true, look_around: true, ..flags };
    let grammar = grammar(pattern, flags, limits).map_err(|error| vec![error])?;
    let (errors, mut warnings) = check::check(&grammar, |_| None);
    warnings.extend(slashes(pattern));
    if errors.is_empty() { Ok(Parsed { grammar, warnings }) } else { Err(errors) }
}

/// Warns of slashes around a pattern, with which JavaScript and Lark write one: here they are part of the text.
fn slashes(pattern: &str) -> Option<Diagnostic> {
    let (inner, flags) = pattern.strip_prefix('/')?.rsplit_once('/')?;
    if inner.is_empty() || !flags.bytes().all(|byte| b"dgimsuvxy".contains(&byte)) {
        return None;
    }
    let flags: String = flags.chars().filter(|flag| "imsx".contains(*flag)).collect();
    let without = if flags.is_empty() { inner.to_owned() } else { format!("(?{flags}){inner}") };
    let message =
        "the slashes around this pattern, and what follows them, are part of the text that it matches";
    let warning = Diagnostic::warning(Code::BadPattern, message).at(Location::Span(0..pattern.len()));
    Some(warning.help(format!("write `{without}` if they are not meant so")))
}

/// The grammar of a pattern.
fn grammar(pattern: &str, flags: PatternFlags, limits: &RegularLimits) -> Result<Grammar, Diagnostic> {
    let syntax = Syntax::parse(pattern, flags, limits)?;
    let mut lowering = Lowering { syntax: &syntax, draft: GrammarBuilder::default(), limits };
    let has_tokens = lowering.has_tokens(&syntax.hir);
    let body = if has_tokens {
        if let Some(place) = syntax.assertion() {
            let message =
                "assertions and atomic groups cannot be combined with tokens that are matched by id";
            return Err(Diagnostic::error(Code::UnsupportedAssertion, message)
                .at(Location::Span(place))
                .help("leave them out; without ^ and $, too, the whole text must match"));
        }
        lowering.expr(&syntax.hir)?
    } else {
        let dfa = syntax.regex(&syntax.hir)?.to_dfa(limits).map_err(too_large)?;
        lowering.draft.regex(Regex::Automaton(Arc::new(dfa)), "regex", None)
    };
    let start = lowering.draft.rule("start", body);
    let (grammar, _) = lowering.draft.finish(start);
    Ok(if has_tokens { regularize(grammar, &mut [], limits) } else { grammar })
}

fn too_large(error: gcc_grammar_limits::OverBudget) -> Diagnostic {
    Diagnostic { code: Code::TerminalTooLarge, ..error.into() }
}

/// Turns the syntax tree of a pattern with special tokens into an expression over terminals.
struct Lowering<'s> {
    syntax: &'s Syntax,
    draft: GrammarBuilder,
    limits: &'s RegularLimits,
}

impl Lowering<'_> {
    /// Whether an expression contains tokens that are matched by id: special ones, or ordinary ones that are counted. The parser of patterns bounds
    /// the nesting.
    fn has_tokens(&self, hir: &Hir) -> bool {
        match hir.kind() {
            HirKind::Capture(capture) => match self.syntax.extension(capture) {
                Some(Extension::SpecialToken | Extension::TextToken | Extension::ParagraphToken) => true,
                _ => self.has_tokens(&capture.sub),
            },
            HirKind::Repetition(repetition) => {
                !self.syntax.is_any_text(repetition) && self.has_tokens(&repetition.sub)
            }
            HirKind::Concat(parts) | HirKind::Alternation(parts) => {
                parts.iter().any(|part| self.has_tokens(part))
            }
            HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) | HirKind::Look(_) => false,
        }
    }

    /// The expression of a syntax tree; a tree without special tokens is one terminal.
    fn expr(&mut self, hir: &Hir) -> Result<Expr, Diagnostic> {
        if !self.has_tokens(hir) {
            let regex = self.syntax.regex(hir)?;
            return Ok(self.draft.regex(regex, "text", None));
        }
        match hir.kind() {
            HirKind::Capture(capture) => match self.syntax.extension(capture) {
                Some(Extension::SpecialToken) => {
                    let names = self.syntax.regex(&capture.sub)?.to_dfa(self.limits);
                    let selector = TokenSelector::Matching(Arc::new(names.map_err(too_large)?));
                    Ok(self.draft.tokens(vec![selector], "special token", None))
                }
                Some(extension @ (Extension::TextToken | Extension::ParagraphToken)) => {
                    let texts = extension.token_texts().to_dfa(self.limits).map_err(too_large)?;
                    let selector = TokenSelector::Spelled(Arc::new(texts));
                    Ok(self.draft.tokens(vec![selector], "one token of text", None))
                }
                Some(_) => {
                    Err(self.syntax.group_error(capture, "a special token cannot be an argument").into())
                }
                None => self.expr(&capture.sub),
            },
            HirKind::Repetition(repetition) => {
                Ok(repeat(self.expr(&repetition.sub)?, repetition.min, repetition.max))
            }
            HirKind::Alternation(parts) => Ok(choice(self.exprs(parts)?)),
            HirKind::Concat(parts) => Ok(sequence(self.exprs(parts)?)),
            HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) | HirKind::Look(_) => {
                Ok(Expr::Sequence(Vec::new()))
            }
        }
    }

    fn exprs(&mut self, parts: &[Hir]) -> Result<Vec<Expr>, Diagnostic> {
        parts.iter().map(|part| self.expr(part)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcc_grammar_ir::{Discipline, Location, Pattern};

    fn read(pattern: &str) -> Result<Parsed, Vec<Diagnostic>> {
        parse(pattern, PatternFlags::default(), &RegularLimits::default())
    }

    #[test]
    fn slashes_around_a_pattern_are_told() {
        let help = |pattern: &str| {
            let warnings = read(pattern).expect("a pattern").warnings;
            warnings
                .into_iter()
                .find(|warning| warning.code == Code::BadPattern)
                .and_then(|warning| warning.help)
        };
        assert_eq!(help("/abc/i").as_deref(), Some("write `(?i)abc` if they are not meant so"));
        assert_eq!(help("/a/gu").as_deref(), Some("write `a` if they are not meant so"));
        for text in ["/usr/bin", "//", "/", "a/b/i", "/etc/[a-z]+"] {
            assert_eq!(help(text), None, "{text}");
        }
    }

    #[test]
    fn a_regular_language_is_one_terminal() {
        for pattern in [
            r"\d{4}-\d\d",
            r"^(?i)é|\p{Greek}*$",
            r"[a-z&&[^aeiou]]+",
            r"(?P<QUOTED_TEXT>)",
            "a?",
            r"\bab\b",
            "(?!a).*(?<!b)",
        ] {
            let grammar = read(&pattern.replace(r"\b", r"(?-u:\b)"))
                .unwrap_or_else(|errors| panic!("{errors:?}"))
                .grammar;
            assert_eq!((grammar.rules.len(), grammar.terminals.len()), (1, 1), "{pattern}: {grammar}");
            assert_eq!(grammar.discipline, Discipline::AnySplit);
        }
    }

    #[test]
    fn what_is_not_regular_is_refused_with_its_place() {
        let cases = [
            ("ab(?=c", 2..5),
            (r"(a)\1", 3..5),
            ("a(b", 1..2),
            ("[z-a]", 1..4),
            (r"\p{Nothing}", 0..11),
            ("^(?P<SPECIAL_TOKEN>x)", 0..1),
            ("a(?!b)(?P<SPECIAL_TOKEN>x)", 1..4),
        ];
        for (pattern, span) in cases {
            let errors = read(pattern).expect_err(pattern);
            assert_eq!(errors[0].location, Some(Location::Span(span)), "{pattern}: {errors:?}");
        }
        // Where all texts are ASCII, words of Unicode are those of ASCII.
        for [unicode, ascii] in [[r"\b[0-9]+\b", r"(?-u:\b)[0-9]+(?-u:\b)"], [r"x\B(y| )", r"x(?-u:\B)(y| )"]]
        {
            let language =
                |pattern| format!("{:?}", read(pattern).expect("decided").grammar.terminals[0].pattern);
            assert_eq!(language(unicode), language(ascii));
        }
        assert_eq!(read("[a&&b]").expect_err("nothing")[0].code, "no-text");
        assert_eq!(read("((a{1,1000}){1,1000}){1,1000}").expect_err("large")[0].code, "terminal-too-large");
    }

    #[test]
    fn special_tokens_stand_between_texts() {
        let grammar = read(r"a+(b|(?P<SPECIAL_TOKEN><\|image_\d+\|>))*c").expect("valid").grammar;
        let tokens =
            grammar.terminals.iter().filter(|terminal| matches!(terminal.pattern, Pattern::Token(_)));
        assert_eq!((grammar.terminals.len(), tokens.count()), (4, 1), "{grammar}");
    }

    #[test]
    fn every_beginning_is_read_or_refused() {
        let pattern = r"^(?P<DELIMITED_LIST>((?P<QUOTED_TEXT>))(, ))|(?P<TEXT_UNTIL>a[^b]){2,3}?(?P<SPECIAL_TOKEN><x>)(?i:é\x41)$";
        for end in (0..=pattern.len()).filter(|&end| pattern.is_char_boundary(end)) {
            for error in read(&pattern[..end]).err().into_iter().flatten() {
                let Some(Location::Span(span)) = error.location else { panic!("{error:?}") };
                assert!(span.start <= span.end && span.end <= end, "{}", &pattern[..end]);
            }
        }
    }
}
