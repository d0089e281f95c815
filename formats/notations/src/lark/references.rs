//! References between definitions: which definitions a definition names, in which order terminals can be built, and which definitions use
//! the indentation.
//!
//! Input: a program whose names were checked, or are yet to be: a name without definition is skipped.

use super::ast::{Node, NodeKind};
use super::program::{Clause, Defined, DefinitionId, ModuleId, OneLexeme, Program};
use gcc_grammar_ir::{Code, Diagnostic, Location};

/// The definitions that a definition names.
pub(super) fn references(program: &Program, id: DefinitionId) -> Vec<DefinitionId> {
    let Defined { clauses, lexeme, module, .. } = &program.definitions[id.index()];
    let mut found = references_of(program, clauses);
    if let Some(OneLexeme { suffix: Some(suffix), .. }) = lexeme {
        visit_names(vec![suffix], &mut |name| found.extend(program.find(*module, name)));
    }
    found
}

/// The definitions that `%ignore` names.
pub(super) fn ignored_references(program: &Program) -> Vec<DefinitionId> {
    program.ignored.iter().flat_map(|ignored| references_of(program, &ignored.clauses)).collect()
}

fn references_of(program: &Program, clauses: &[Clause]) -> Vec<DefinitionId> {
    let mut found = Vec::new();
    for Clause { module, alternative } in clauses {
        let nodes = alternative.conjuncts.iter().flatten().collect();
        visit_names(nodes, &mut |name| found.extend(program.find(*module, name)));
    }
    found
}

/// Calls `visit` for every name in the nodes.
fn visit_names(mut open: Vec<&Node>, visit: &mut impl FnMut(&str)) {
    while let Some(node) = open.pop() {
        match &node.kind {
            NodeKind::Name(name) | NodeKind::Parametric { name, .. } => visit(name),
            NodeKind::Template { name, arguments } => {
                visit(name);
                open.extend(arguments);
            }
            NodeKind::Group(inner) => {
                open.extend(inner.iter().flat_map(|inner| inner.conjuncts.iter().flatten()))
            }
            NodeKind::Repeat { inner, .. } | NodeKind::Not(inner) | NodeKind::Lazy(inner) => open.push(inner),
            NodeKind::Text { .. }
            | NodeKind::Pattern { .. }
            | NodeKind::Range(..)
            | NodeKind::Special(_)
            | NodeKind::Structured(_)
            | NodeKind::Json { .. }
            | NodeKind::Lark { .. }
            | NodeKind::Language { .. } => {}
        }
    }
}

/// The definitions that can be reached from `roots`, each after the definitions that it uses, and the terminals that use themselves.
pub(super) fn in_order_of_use(
    program: &Program,
    roots: Vec<DefinitionId>,
) -> (Vec<DefinitionId>, Vec<DefinitionId>) {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; program.definitions.len()];
    let (mut order, mut cycles) = (Vec::new(), Vec::new());
    let mut stack: Vec<(DefinitionId, Vec<DefinitionId>)> = Vec::new();
    for root in roots {
        if marks[root.index()] == Mark::New {
            marks[root.index()] = Mark::Open;
            stack.push((root, references(program, root)));
        }
        while let Some((id, rest)) = stack.last_mut() {
            let Some(next) = rest.pop() else {
                marks[id.index()] = Mark::Done;
                order.push(*id);
                stack.pop();
                continue;
            };
            let terminal = program.definitions[id.index()].is_terminal();
            match marks[next.index()] {
                Mark::New => {
                    marks[next.index()] = Mark::Open;
                    stack.push((next, references(program, next)));
                }
                Mark::Open if terminal => cycles.push(next),
                Mark::Open | Mark::Done => {}
            }
        }
    }
    cycles.sort_unstable();
    cycles.dedup();
    (order, cycles)
}

/// Per definition, whether it is a terminal that uses the indentation. Such a terminal is made once per level.
pub(super) fn indented_terminals(program: &Program) -> Vec<bool> {
    let indent = program.layout.as_ref().and_then(|layout| program.find(layout.module, &layout.indent.text));
    let Some(indent) = indent else { return vec![false; program.definitions.len()] };
    let mut indented = users(program, &[indent]);
    for (indented, defined) in indented.iter_mut().zip(&program.definitions) {
        *indented &= defined.is_terminal();
    }
    indented[indent.index()] = false;
    indented
}

/// Per definition, whether it uses one of `used`, directly or not.
pub(super) fn users(program: &Program, used: &[DefinitionId]) -> Vec<bool> {
    let count = program.definitions.len();
    let mut used_by: Vec<Vec<DefinitionId>> = vec![Vec::new(); count];
    for user in (0..count).map(DefinitionId::new) {
        references(program, user).into_iter().for_each(|id| used_by[id.index()].push(user));
    }
    let mut out = vec![false; count];
    let mut open = used.to_vec();
    while let Some(id) = open.pop() {
        if !std::mem::replace(&mut out[id.index()], true) {
            open.extend(&used_by[id.index()]);
        }
    }
    out
}

/// Warns about each definition and import of the given file that is not used. `open` has the definitions that rules use directly.
pub(crate) fn unused(program: &Program, mut open: Vec<DefinitionId>) -> Vec<Diagnostic> {
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
