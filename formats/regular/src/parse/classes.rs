//! Classes of characters and bytes as expressions.

use crate::regex::Regex;
use crate::sets::CharSet;
use regex_syntax::hir::Class;

/// The expression of a class.
pub(super) fn from_class(class: &Class) -> Regex {
    match class {
        Class::Unicode(class) => {
            Regex::Chars(CharSet::new(class.iter().map(|range| (range.start() as u32, range.end() as u32))))
        }
        Class::Bytes(class) => {
            Regex::Bytes(class.iter().flat_map(|range| range.start()..=range.end()).collect())
        }
    }
}
