//! `stop="…"`: a lexeme that ends before a text, which is not a part of it.
//!
//! In llguidance the stop text is generated, taken back, and generation goes on behind the lexeme. Usually the rule goes on with the same
//! text, and then nothing has to be taken back: `with_stop "<end>"` has the language that `with_stop` has with `suffix="<end>"`. Elsewhere the
//! stop text stays, as in XGrammar, with a warning.
//!
//! Input: a program. After [`join`], each lexeme that stops before a text ends with that text, and the text behind each of its uses is removed.

use super::ast::{Alternative, Node, NodeKind};
use super::program::{Clause, Defined, ModuleId, Program};
use gcc_grammar_ir::{Code, Diagnostic};
use std::collections::BTreeSet;

/// Removes the stop text behind each use of a lexeme that stops before it, so that the lexeme ends with it instead.
pub(super) fn join(program: &mut Program, start: &str) {
    if program.definitions.iter().all(|defined| !stops(defined)) {
        return;
    }
    let mut joined: Vec<Vec<Clause>> = Vec::new();
    let mut joiner = Joiner { program, kept: BTreeSet::new() };
    joined.extend(program.definitions.iter().map(|defined| joiner.clauses(&defined.clauses)));
    let ignored: Vec<_> = program.ignored.iter().map(|ignored| joiner.clauses(&ignored.clauses)).collect();
    joiner.keep(ModuleId(0), start);
    let warnings: Vec<Diagnostic> = joiner.kept.iter().map(|&index| stays(program, index)).collect();
    program.warnings.extend(warnings);
    for (defined, clauses) in program.definitions.iter_mut().zip(joined) {
        defined.clauses = clauses;
    }
    for (ignored, clauses) in program.ignored.iter_mut().zip(ignored) {
        ignored.clauses = clauses;
    }
}

fn stops(defined: &Defined) -> bool {
    defined.lexeme.as_ref().is_some_and(|lexeme| lexeme.stops_before)
}

/// The warning that what a definition stops before stays in the text.
fn stays(program: &Program, index: usize) -> Diagnostic {
    let Defined { name, module, .. } = &program.definitions[index];
    let (location, prefix) = program.place(*module, &name.span);
    let message = format!(
        "{prefix}`{}` stops before a text that its uses do not go on with, so the text stays",
        name.text
    );
    let help = "write the text behind each use, too, or `suffix` instead of `stop`: generated text cannot be taken back";
    Diagnostic::warning(Code::StopStays, message).at(location).help(help)
}

struct Joiner<'p> {
    program: &'p Program,
    /// The definitions with a use that does not go on with the stop text.
    kept: BTreeSet<usize>,
}

impl<'p> Joiner<'p> {
    fn clauses(&mut self, clauses: &[Clause]) -> Vec<Clause> {
        let clause = |Clause { module, alternative }: &Clause| Clause {
            module: *module,
            alternative: self.alternative(alternative, *module),
        };
        clauses.iter().map(clause).collect()
    }

    fn alternative(&mut self, alternative: &Alternative, module: ModuleId) -> Alternative {
        let conjuncts = alternative.conjuncts.iter();
        let conjuncts = conjuncts.map(|sequence| self.sequence(sequence, module)).collect();
        Alternative { conjuncts, ..alternative.clone() }
    }

    fn sequence(&mut self, sequence: &[Node], module: ModuleId) -> Vec<Node> {
        let mut out = Vec::with_capacity(sequence.len());
        let mut rest = sequence;
        while let [node, after @ ..] = rest {
            rest = after;
            match &node.kind {
                NodeKind::Name(name) => {
                    match (self.stop_of(module, name), after.split_first()) {
                        (Some(stop), Some((next, after))) if same_text(stop, next) => rest = after,
                        _ => self.keep(module, name),
                    }
                    out.push(node.clone());
                }
                _ => out.push(self.node(node, module)),
            }
        }
        out
    }

    /// A node that is not a name; uses within it are joined.
    fn node(&mut self, node: &Node, module: ModuleId) -> Node {
        let mut alone = |inner: &Node| self.sequence(std::slice::from_ref(inner), module).pop();
        let kind = match &node.kind {
            NodeKind::Group(alternatives) => NodeKind::Group(
                alternatives.iter().map(|alternative| self.alternative(alternative, module)).collect(),
            ),
            NodeKind::Repeat { inner, min, max } => match alone(inner) {
                Some(inner) => NodeKind::Repeat { inner: Box::new(inner), min: *min, max: *max },
                None => return node.clone(),
            },
            NodeKind::Not(inner) => match alone(inner) {
                Some(inner) => NodeKind::Not(Box::new(inner)),
                None => return node.clone(),
            },
            NodeKind::Template { name, arguments } => NodeKind::Template {
                name: name.clone(),
                arguments: arguments.iter().filter_map(alone).collect(),
            },
            _ => return node.clone(),
        };
        Node { kind, span: node.span.clone() }
    }

    /// What the definition of this name stops before, if it does.
    fn stop_of(&self, module: ModuleId, name: &str) -> Option<&'p Node> {
        let program = self.program;
        let defined = &program.definitions[program.find(module, name)?.index()];
        let lexeme = defined.lexeme.as_ref().filter(|lexeme| lexeme.stops_before)?;
        lexeme.suffix.as_ref()
    }

    /// Notes a use of a definition that does not go on with what it stops before.
    fn keep(&mut self, module: ModuleId, name: &str) {
        if let Some(id) = self.program.find(module, name)
            && stops(&self.program.definitions[id.index()])
        {
            self.kept.insert(id.index());
        }
    }
}

/// Whether both nodes are the same text.
fn same_text(a: &Node, b: &Node) -> bool {
    match (&a.kind, &b.kind) {
        (NodeKind::Text { text: a, ignore_case: false }, NodeKind::Text { text: b, ignore_case: false }) => {
            a == b
        }
        _ => false,
    }
}
