//! Assertions such as `^` and `\b` in patterns: their expressions, and where they stand.
//!
//! The high-level representation of `regex-syntax` has no positions, so the places are looked up in its syntax tree.

use super::classes::from_class;
use crate::regex::{Look, Regex};
use regex_syntax::ast::{self, Ast};
use regex_syntax::hir::{self, HirKind};

/// The expression of an assertion. Where texts are ASCII, words of Unicode are those of ASCII.
pub(super) fn from_look(look: hir::Look, is_ascii: bool) -> Regex {
    Regex::Look(match look {
        look if !is_ascii && hir::LookSet::singleton(look).contains_word_unicode() => return of_words(look),
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

/// An assertion about words of Unicode, whose characters have several bytes.
fn of_words(look: hir::Look) -> Regex {
    let class = regex_syntax::parse(r"\w");
    let word = class.ok().and_then(|class| match class.into_kind() {
        HirKind::Class(class) => Some(from_class(&class)),
        _ => None,
    });
    let word = word.unwrap_or_else(Regex::never);
    let before = |is_word: bool| word.clone().behind(!is_word);
    let after = |is_word: bool| word.clone().ahead(!is_word);
    let sides = |first, second| before(first).then(after(second));
    match look {
        hir::Look::WordUnicodeNegate => Regex::union([sides(true, true), sides(false, false)]),
        hir::Look::WordStartUnicode => sides(false, true),
        hir::Look::WordEndUnicode => sides(true, false),
        hir::Look::WordStartHalfUnicode => before(false),
        hir::Look::WordEndHalfUnicode => after(false),
        _ => Regex::union([sides(true, false), sides(false, true)]),
    }
}

/// The place of the first assertion.
pub(super) fn find_assertion(ast: &Ast) -> Option<ast::Span> {
    let mut open = vec![ast];
    while let Some(ast) = open.pop() {
        match ast {
            Ast::Assertion(assertion) => return Some(assertion.span),
            Ast::Repetition(repetition) => open.push(&repetition.ast),
            Ast::Group(group) => open.push(&group.ast),
            Ast::Alternation(alternation) => open.extend(alternation.asts.iter().rev()),
            Ast::Concat(concat) => open.extend(concat.asts.iter().rev()),
            _ => {}
        }
    }
    None
}
