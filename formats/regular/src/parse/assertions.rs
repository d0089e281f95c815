//! Assertions (look-around of one byte) in patterns: which ones are supported, and where they stand.
//!
//! The high-level representation of `regex-syntax` has no positions, so the places are looked up in its syntax tree.

use crate::error::{PatternError, PatternErrorKind};
use crate::regex::Look;
use regex_syntax::ast::{self, Ast};
use regex_syntax::hir;

/// The assertion of an expression; an error if it is not supported. Where texts are ASCII, words of Unicode are those of ASCII.
pub(super) fn from_look(look: hir::Look, is_ascii: bool) -> Result<Look, PatternError> {
    let is_of_unicode = hir::LookSet::singleton(look).contains_word_unicode();
    if is_of_unicode && !is_ascii {
        return Err(PatternError::new(
            PatternErrorKind::UnsupportedAssertion,
            "boundaries of Unicode words are supported only where all texts of the pattern are ASCII",
        )
        .help(r"write (?-u:\b) for boundaries of ASCII words, or (?-u:\w) and [0-9] for \w and \d"));
    }
    Ok(match look {
        hir::Look::Start => Look::Start,
        hir::Look::End => Look::End,
        hir::Look::StartLF => Look::LineStart,
        hir::Look::EndLF => Look::LineEnd,
        hir::Look::StartCRLF => Look::LineStartCrlf,
        hir::Look::EndCRLF => Look::LineEndCrlf,
        hir::Look::WordAscii | hir::Look::WordUnicode => Look::WordBoundary,
        hir::Look::WordAsciiNegate | hir::Look::WordUnicodeNegate => Look::NotWordBoundary,
        hir::Look::WordStartAscii | hir::Look::WordStartUnicode => Look::WordStart,
        hir::Look::WordEndAscii | hir::Look::WordEndUnicode => Look::WordEnd,
        hir::Look::WordStartHalfAscii | hir::Look::WordStartHalfUnicode => Look::WordStartHalf,
        hir::Look::WordEndHalfAscii | hir::Look::WordEndHalfUnicode => Look::WordEndHalf,
    })
}

/// The place of the first assertion whose kind `wanted` selects.
pub(super) fn find_assertion(ast: &Ast, wanted: impl Fn(&ast::AssertionKind) -> bool) -> Option<ast::Span> {
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

/// Whether [`from_look`] may refuse an assertion of this kind.
pub(super) fn is_refused(kind: &ast::AssertionKind) -> bool {
    use ast::AssertionKind::{EndLine, EndText, StartLine, StartText};
    !matches!(kind, StartLine | EndLine | StartText | EndText)
}
