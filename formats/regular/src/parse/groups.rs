//! Prepares the groups of a pattern that are named like an [`Extension`], before the pattern is translated.
//!
//! The translation of `regex-syntax` drops repetitions of empty groups, and reorders alternatives that share a prefix.
//! Both would lose what an extension needs, so empty extension groups get a dummy character, and the alternatives of a
//! subsequence a group each. Misspelt extension names, and missing or superfluous arguments, are refused here.

use super::errors::pattern_error;
use crate::error::PatternError;
use crate::extension::{self, Extension};
use regex_syntax::ast::{self, Ast};

/// The index of the groups that are added here, which are not in the pattern.
const NO_GROUP: u32 = u32::MAX;

/// Prepares the groups of the pattern that are extensions, if these are read. Returns the place of each group by its index; `None` for index 0, the whole.
pub(super) fn prepare_groups(
    ast: &mut Ast,
    extensions: bool,
) -> Result<Vec<Option<ast::Span>>, PatternError> {
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
                if extensions {
                    prepare_group(group)?;
                }
                open.push(&mut group.ast);
            }
            _ => {}
        }
    }
    Ok(groups)
}

/// Prepares one group, or refuses it.
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
            let message = format!("{} needs an argument", name.name);
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

/// Puts each alternative of the first part of `argument` into a group of its own.
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
