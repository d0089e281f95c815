//! A grammar of several files as one set of definitions.
//!
//! Every file is a module with a scope of its own. An import is an entry of the scope that points to another module, so mangled names are
//! never needed: the names in an imported rule are looked up where the rule was written. A definition is a list of clauses, each with the
//! module whose scope its names are looked up in, because `%override` and `%extend` let one file write clauses for a definition of another.
//! The [loader](super::loader) builds a [`Program`]; all later passes read it.

use super::ast::{Alternative, Name, Node, NodeKind, Precedence};
use super::token::Span;
use gcc_grammar_ir::diagnostic::line_and_column;
use gcc_grammar_ir::spelling::similar;
use gcc_grammar_ir::{Code, Diagnostic, Location, index_newtype};
use rustc_hash::FxHashMap;

index_newtype! {
    vis pub(super),
    /// A file; 0 is the given file.
    ModuleId;
    /// A rule, template or terminal of any file.
    DefinitionId;
}

/// A file of a grammar.
pub(super) struct Module {
    pub(super) name: String,
    pub(super) text: String,
    /// Where the given file imports this one, directly or not; none for the given file itself.
    pub(super) imported_at: Option<Span>,
}

/// An alternative, and the module whose scope its names are looked up in.
#[derive(Clone)]
pub(super) struct Clause {
    pub(super) module: ModuleId,
    pub(super) alternative: Alternative,
}

/// A rule, template or terminal.
pub(super) struct Defined {
    pub(super) name: Name,
    pub(super) module: ModuleId,
    pub(super) parameters: Vec<Name>,
    pub(super) priority: Option<i64>,
    pub(super) clauses: Vec<Clause>,
    /// Whether the rule has a parameter, as in `name::_`.
    pub(super) parametric: bool,
    /// Set by attributes: the rule is one lexeme.
    pub(super) lexeme: Option<OneLexeme>,
    /// Set by `%declare`: the language of the terminal is not given.
    pub(super) declared_only: bool,
}

impl Defined {
    /// Whether the lexer matches it, as one lexeme.
    pub(super) fn is_terminal(&self) -> bool {
        self.name.is_terminal() || self.lexeme.is_some()
    }
}

/// The meaning of a name in a module.
#[derive(Clone)]
pub(super) enum Binding {
    Own(DefinitionId),
    Imported { module: ModuleId, name: String },
}

/// Text that is ignored between lexemes.
pub(super) struct Ignored {
    pub(super) clauses: Vec<Clause>,
    pub(super) span: Span,
}

/// A terminal that is recognized after certain lexemes only.
pub(super) struct After {
    pub(super) module: ModuleId,
    pub(super) lexemes: Vec<Node>,
    pub(super) terminal: Node,
}

/// Line breaks and indentation that have meaning.
pub(super) struct Layout {
    pub(super) module: ModuleId,
    /// The terminal that matches a line break. Without it, the indentation is part of terminals only.
    pub(super) newline: Option<Name>,
    pub(super) indent: Name,
    pub(super) unit: Node,
}

/// Terminals between which line breaks are ignored.
pub(super) struct Enclose {
    pub(super) module: ModuleId,
    pub(super) open: Node,
    pub(super) close: Node,
}

/// A mode of the lexer, in notations that have them.
#[derive(Default)]
pub(crate) struct LexerMode {
    /// The terminals that are recognized in it, ignored ones included.
    pub(crate) terminals: Vec<Name>,
    /// Those behind which the text may end in it.
    pub(crate) behind: Vec<Name>,
}

/// All files of a grammar.
#[derive(Default)]
pub(super) struct Program {
    pub(super) modules: Vec<Module>,
    /// Per module, the names of its scope.
    pub(super) scopes: Vec<FxHashMap<String, Binding>>,
    pub(super) definitions: Vec<Defined>,
    /// The `%ignore` directives of the given file. As in Lark, an import does not bring directives along.
    pub(super) ignored: Vec<Ignored>,
    /// The `%basic` of the given file.
    pub(super) basic: Option<Span>,
    /// The terminals that `%contextual` names in the given file.
    pub(super) contextual: Vec<Name>,
    /// The terminals that `%word` names in the given file.
    pub(super) words: Vec<Name>,
    /// The terminals that `%never` names in the given file.
    pub(super) never: Vec<Name>,
    /// The terminals that `%verbatim` names in the given file.
    pub(super) verbatim: Vec<Name>,
    /// The `%after` directives of all files, which are about the terminals that they name.
    pub(super) after: Vec<After>,
    /// Those of all files, in the order of each file: they are about its own rules.
    pub(super) precedences: Vec<(ModuleId, Precedence)>,
    /// That of any file: it is about the line break that it names.
    pub(super) layout: Option<Layout>,
    /// Those of all files.
    pub(super) enclose: Vec<Enclose>,
    /// The `%same` directives of all files, which are about the terminals that they name.
    pub(super) same: Vec<(ModuleId, Vec<Node>)>,
    /// The names that the given file imports.
    pub(super) imported: Vec<Name>,
    /// Whether the given file has `%llguidance`, or is in that dialect anyway.
    pub(super) llguidance: bool,
    /// Whether at most one ignored lexeme may stand between two others.
    pub(super) ignore_once: bool,
    /// The files that ignore something.
    pub(super) ignoring: Vec<ModuleId>,
    /// The name of the terminal for the end of the text, in notations that have one.
    pub(super) end: Option<String>,
    /// The terminals of the given file before which nothing is ignored, in notations that have some.
    pub(super) immediate: Vec<Name>,
    pub(super) modes: Vec<LexerMode>,
    /// Whether a match of a terminal wins only over alternatives in which a lazy repetition has begun.
    pub(super) cuts_behind_lazy: bool,
    pub(super) warnings: Vec<Diagnostic>,
}

impl Program {
    /// The definition that `name` refers to in `module`.
    pub(super) fn find(&self, module: ModuleId, name: &str) -> Option<DefinitionId> {
        let (mut module, mut name) = (module, name);
        // A chain of imports has at most as many steps as there are modules, unless it is a circle.
        for _ in 0..=self.modules.len() {
            match self.scopes[module.index()].get(name)? {
                Binding::Own(definition) => return Some(*definition),
                Binding::Imported { module: next, name: original } => (module, name) = (*next, original),
            }
        }
        None
    }

    /// A name of `module`'s scope that `name` may be a misspelling of.
    pub(super) fn similar(&self, module: ModuleId, name: &str) -> Option<&str> {
        similar(name, self.names(module).into_iter())
    }

    /// The names of `module`'s scope, in alphabetical order.
    pub(super) fn names(&self, module: ModuleId) -> Vec<&str> {
        let mut known: Vec<&str> = self.scopes[module.index()].keys().map(String::as_str).collect();
        known.sort_unstable();
        known
    }

    /// Where `span` of `module` is for a reader of the given file, and a prefix for the message if it is in another file.
    pub(super) fn place(&self, module: ModuleId, span: &Span) -> (Location, String) {
        place(&self.modules, module, span)
    }

    /// The line and column of a place, as `LINE:COLUMN`, with the name of the file before them if it is imported.
    pub(super) fn line_and_column(&self, module: ModuleId, at: usize) -> String {
        let Module { name, text, imported_at } = &self.modules[module.index()];
        let (line, column) = line_and_column(text, at);
        match imported_at {
            None => format!("{line}:{column}"),
            Some(_) => format!("{name}:{line}:{column}"),
        }
    }

    /// An error in `module`.
    pub(super) fn error(&self, code: Code, message: &str, module: ModuleId, span: &Span) -> Diagnostic {
        let (location, prefix) = self.place(module, span);
        Diagnostic::error(code, format!("{prefix}{message}")).at(location)
    }
}

/// Where `span` of `module` is for a reader of the given file, and a prefix for the message if it is in another file.
pub(super) fn place(modules: &[Module], module: ModuleId, span: &Span) -> (Location, String) {
    let Module { name, text, imported_at } = &modules[module.index()];
    match imported_at {
        None => (Location::Span(span.clone()), String::new()),
        Some(import) => {
            let (line, column) = line_and_column(text, span.start);
            (
                Location::Span(import.clone()),
                format!("in the imported {name}, line {line}, column {column}: "),
            )
        }
    }
}

/// The clauses that a module writes for a definition.
pub(super) fn clauses(module: ModuleId, body: Vec<Alternative>) -> Vec<Clause> {
    body.into_iter().map(|alternative| Clause { module, alternative }).collect()
}

/// Whether these are regular expressions: strings, patterns, and terminals.
pub(super) fn are_texts(clauses: &[Clause]) -> bool {
    clauses.iter().all(|clause| is_text(&clause.alternative))
}

fn is_text(alternative: &Alternative) -> bool {
    let is_plain = alternative.precedence.is_none() && alternative.condition.is_none();
    is_plain && alternative.conjuncts.iter().flatten().all(node_is_text)
}

fn node_is_text(node: &Node) -> bool {
    match &node.kind {
        NodeKind::Name(name) => Name { text: name.clone(), span: node.span.clone() }.is_terminal(),
        NodeKind::Group(alternatives) => alternatives.iter().all(is_text),
        NodeKind::Repeat { inner, .. } => node_is_text(inner),
        kind => matches!(
            kind,
            NodeKind::Text { .. } | NodeKind::Pattern { .. } | NodeKind::Range(..) | NodeKind::Structured(_)
        ),
    }
}

/// Takes the string at the end of the only alternative, if something stands before it.
pub(super) fn take_last_text(clauses: &mut [Clause]) -> Option<Node> {
    let [Clause { alternative: Alternative { conjuncts, .. }, .. }] = clauses else { return None };
    let [sequence] = &mut conjuncts[..] else { return None };
    let is_text = |node: &Node| matches!(&node.kind, NodeKind::Text { text, .. } if !text.is_empty());
    let ends_with_text = sequence.len() > 1 && sequence.last().is_some_and(is_text);
    if ends_with_text { sequence.pop() } else { None }
}

/// The node, if there is one alternative and it is one node.
pub(super) fn sole_node(clauses: &[Clause]) -> Option<&Node> {
    match clauses {
        [Clause { alternative: Alternative { conjuncts, .. }, .. }] => match &conjuncts[..] {
            [sequence] if sequence.len() == 1 => sequence.first(),
            _ => None,
        },
        _ => None,
    }
}

/// A rule that is one lexeme: its body is a regular expression, like that of a terminal.
#[derive(Clone, Debug, Default)]
pub(super) struct OneLexeme {
    /// Whether the lexeme is the shortest possible text.
    pub(super) lazy: bool,
    /// The end of the lexeme, after the body.
    pub(super) suffix: Option<Node>,
    /// Whether the rule stops before the suffix. If the suffix is a text that stands behind a use of the rule, too, the pass `stops` removes
    /// it there.
    pub(super) stops_before: bool,
    /// After this many characters the lexeme ends, suffix or not, as soon as its body can end.
    pub(super) max_chars: Option<u32>,
    /// After this many tokens the lexeme ends, suffix or not, as soon as its body can end.
    pub(super) max_tokens: Option<u32>,
}
