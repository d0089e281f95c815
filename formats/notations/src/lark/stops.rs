//! `stop="…"`: a lexeme that ends before the first occurrence of a text, which is not a part of it.
//!
//! In llguidance the stop text is generated, taken back, and generation goes on behind the lexeme. Usually the rule goes on with the same
//! text, and then nothing has to be taken back: `with_stop "<end>"` has the language that `with_stop` has with `suffix="<end>"`. Input: a
//! program. After [`join`], each lexeme that stops before a text ends with that text, and the text behind each of its uses is removed. A use
//! that another text follows is an error.

use super::ast::{Alternative, Node, NodeKind};
use super::program::{Clause, Defined, ModuleId, Program};
use super::token::Span;
use gcc_grammar_ir::{Code, Diagnostic};

/// Removes the stop text behind each use of a lexeme that stops before it, so that the lexeme ends with it instead.
pub(super) fn join(program: &mut Program, start: &str) -> Result<(), Vec<Diagnostic>> {
    if program.definitions.iter().all(|defined| stop_of(defined).is_none()) {
        return Ok(());
    }
    let mut joined: Vec<Vec<Clause>> = Vec::new();
    let mut joiner = Joiner { program, errors: Vec::new() };
    for defined in &program.definitions {
        joined.push(joiner.clauses(&defined.clauses));
        if let Some(suffix) = defined.shortest.as_ref().and_then(|shortest| shortest.suffix.as_ref()) {
            joiner.sequence(std::slice::from_ref(suffix), defined.module);
        }
    }
    let ignored: Vec<_> = program.ignored.iter().map(|ignored| joiner.clauses(&ignored.clauses)).collect();
    joiner.start(start);
    if !joiner.errors.is_empty() {
        return Err(joiner.errors);
    }
    for (defined, clauses) in program.definitions.iter_mut().zip(joined) {
        defined.clauses = clauses;
    }
    for (ignored, clauses) in program.ignored.iter_mut().zip(ignored) {
        ignored.clauses = clauses;
    }
    Ok(())
}

/// The stop text of a definition, if it has one.
fn stop_of(defined: &Defined) -> Option<&str> {
    let shortest = defined.shortest.as_ref().filter(|shortest| shortest.stops_before)?;
    match shortest.suffix.as_ref().map(|suffix| &suffix.kind) {
        Some(NodeKind::Text { text, .. }) => Some(text),
        _ => None,
    }
}

struct Joiner<'p> {
    program: &'p Program,
    errors: Vec<Diagnostic>,
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
        Alternative { conjuncts, precedence: alternative.precedence.clone() }
    }

    fn sequence(&mut self, sequence: &[Node], module: ModuleId) -> Vec<Node> {
        let mut out = Vec::with_capacity(sequence.len());
        let mut rest = sequence;
        while let [node, after @ ..] = rest {
            rest = after;
            if let Some(stop) = self.stop_at(node, module) {
                match after.split_first() {
                    Some((Node { kind: NodeKind::Text { text, ignore_case: false }, .. }, after))
                        if text == stop =>
                    {
                        rest = after;
                    }
                    _ => self.error(stop, module, &node.span),
                }
                out.push(node.clone());
            } else {
                out.push(self.node(node, module));
            }
        }
        out
    }

    /// A node that is not a use of a lexeme with a stop text; uses within it are joined.
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

    fn stop_at(&self, node: &Node, module: ModuleId) -> Option<&'p str> {
        let NodeKind::Name(name) = &node.kind else { return None };
        let program = self.program;
        stop_of(&program.definitions[program.find(module, name)?.index()])
    }

    /// Reports a start rule that stops before a text, since nothing follows the whole text.
    fn start(&mut self, start: &str) {
        let program = self.program;
        if let Some(id) = program.find(ModuleId(0), start) {
            let defined = &program.definitions[id.index()];
            if let Some(stop) = stop_of(defined) {
                self.error(stop, defined.module, &defined.name.span);
            }
        }
    }

    fn error(&mut self, stop: &str, module: ModuleId, span: &Span) {
        let message = format!("this lexeme stops before {stop:?}, which does not follow it here");
        let help =
            format!("write {stop:?} after it, or use suffix={stop:?}: generated text cannot be taken back");
        self.errors.push(self.program.error(Code::StopWithoutText, &message, module, span).help(help));
    }
}
