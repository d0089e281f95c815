//! The terminals of the grammars that come with Lark: `%import python.NAME`, `unicode`, `lark`.

use super::ast::Name;
use super::sources::Source;

/// The files, by the name of their import.
const LIBRARIES: [(&str, &str); 3] = [
    ("python", include_str!("libraries/python.lark")),
    ("unicode", include_str!("libraries/unicode.lark")),
    ("lark", include_str!("libraries/lark.lark")),
];

/// The library of an import, if it has all these names.
pub(super) fn find(path: &[&str], names: &[Name]) -> Option<Source> {
    let [path] = path else { return None };
    let (name, text) = LIBRARIES.into_iter().find(|(name, _)| name == path)?;
    let has_all = names.iter().all(|name| defines(text, &name.text));
    has_all.then(|| Source { name: format!("library:{name}.lark"), text: text.to_owned() })
}

/// Whether a line of the text begins with the definition of a name.
fn defines(text: &str, name: &str) -> bool {
    let mut rests = text.lines().filter_map(|line| line.strip_prefix(name));
    rests.any(|rest| rest.starts_with([':', '.']))
}
