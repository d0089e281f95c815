//! Warnings about definitions and imports of the given file that nothing uses.

use crate::lark::program::{DefinitionId, ModuleId, Program};
use crate::lark::references::{ignored_references, references};
use gcc_grammar_ir::{Code, Diagnostic, Location};

/// Warns about each definition and import of the given file that is not used. `open` has the definitions that rules use directly.
pub(super) fn unused(program: &Program, mut open: Vec<DefinitionId>) -> Vec<Diagnostic> {
    let mut used = vec![false; program.definitions.len()];
    open.extend(ignored_references(program));
    while let Some(id) = open.pop() {
        if !std::mem::replace(&mut used[id.index()], true) {
            open.extend(references(program, id));
        }
    }
    let own = program.definitions.iter().filter(|defined| defined.module.index() == 0);
    let own =
        own.filter(|defined| !defined.declared_only).map(|defined| (Code::UnusedDefinition, &defined.name));
    let imported = program.imported.iter().map(|name| (Code::UnusedImport, name));
    own.chain(imported)
        .filter(|(_, name)| program.find(ModuleId(0), &name.text).is_some_and(|id| !used[id.index()]))
        .map(|(code, name)| {
            let kind = if name.is_terminal() { "terminal" } else { "rule" };
            Diagnostic::warning(code, format!("the {kind} `{}` is never used", name.text))
                .at(Location::Span(name.span.clone()))
                .help("remove it, or use it in a rule that the start rule reaches")
        })
        .collect()
}
