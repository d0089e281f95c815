//! The syntax tree of a grammar.

pub(super) use crate::lark::ast::Name;
use crate::scanner::error;
use gcc_grammar_ir::{Code, Diagnostic};
use std::ops::Range;

impl Name {
    /// Whether it is the name of a token; otherwise it is that of a rule of the parser.
    pub(super) fn is_token(&self) -> bool {
        self.text.starts_with(char::is_uppercase)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Combined,
    Lexer,
    Parser,
}

/// A grammar of one file.
#[derive(Debug)]
pub(super) struct Grammar {
    pub(super) kind: Kind,
    pub(super) name: Name,
    /// The grammars that are imported, and the one with the tokens.
    pub(super) imports: Vec<Import>,
    /// Whether tokens match letters in either case, unless their own options say otherwise.
    pub(super) case_insensitive: bool,
    /// The names in `tokens { … }`.
    pub(super) declared: Vec<Name>,
    pub(super) rules: Vec<Rule>,
    /// Actions and predicates, by their places.
    pub(super) actions: Vec<Range<usize>>,
    /// Where a class is named whose code may change the tokens.
    pub(super) super_class: Option<Range<usize>>,
}

/// Another grammar that a grammar needs.
#[derive(Clone, Debug)]
pub(super) struct Import {
    pub(super) name: Name,
    /// Whether its rules become rules of this grammar, under the options of this grammar. Otherwise it has the tokens, and options of its own.
    pub(super) merges: bool,
}

#[derive(Debug)]
pub(super) struct Rule {
    pub(super) name: Name,
    pub(super) is_fragment: bool,
    /// The mode of a token; none for the default mode.
    pub(super) mode: Option<Name>,
    pub(super) alternatives: Vec<Alternative>,
    /// Tokens none of which the text of this one begins with.
    pub(super) begins_with_none_of: Vec<String>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Alternative {
    pub(super) elements: Vec<Element>,
    /// The commands of a token, behind `->`.
    pub(super) commands: Vec<Command>,
    /// Whether code stands at the beginning.
    pub(super) begins_with_code: bool,
    /// How much code stands behind elements.
    pub(super) code_behind: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Command {
    pub(super) name: Name,
    pub(super) argument: Option<String>,
}

#[derive(Clone, Debug)]
pub(super) struct Element {
    pub(super) kind: ElementKind,
    pub(super) span: Range<usize>,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) enum ElementKind {
    Name(String),
    /// A text, with letters in either case if case is ignored.
    Text {
        text: String,
        ignore_case: bool,
    },
    /// A set of characters, as the inside of a class in a pattern of Python.
    Set(String),
    /// Any character, or any token.
    Any,
    /// Any character or token but these.
    Not(Vec<Element>),
    Group(Vec<Alternative>),
    Repeat {
        inner: Box<Element>,
        min: u32,
        max: Option<u32>,
        lazy: bool,
    },
}

impl Rule {
    /// The text that a token is, if rules of a parser may write the text in its place. As in ANTLR, no code stands before it, and behind it a piece
    /// of code, or at most two commands, one of them with an argument.
    pub(super) fn alias(&self) -> Option<&str> {
        let [only] = &self.alternatives[..] else { return None };
        let arguments = only.commands.iter().filter(|command| command.argument.is_some()).count();
        let is_plain = match only.code_behind {
            0 => only.commands.len() <= 2 && (arguments <= 1 || only.commands.len() <= 1),
            count => count == 1 && only.commands.is_empty(),
        };
        match &only.only()?.kind {
            ElementKind::Text { text, .. } if is_plain && !only.begins_with_code => Some(text),
            _ => None,
        }
    }
}

impl Alternative {
    pub(super) fn may_be_empty<'e>(&'e self, of_name: &mut impl FnMut(&'e str) -> bool) -> bool {
        self.elements.iter().all(|element| element.may_be_empty(of_name))
    }

    /// Its only element.
    pub(super) fn only(&self) -> Option<&Element> {
        match &self.elements[..] {
            [only] => Some(only),
            _ => None,
        }
    }
}

impl Element {
    /// Whether the element may match the empty text, as names do for which `of_name` holds.
    pub(super) fn may_be_empty<'e>(&'e self, of_name: &mut impl FnMut(&'e str) -> bool) -> bool {
        match &self.kind {
            ElementKind::Name(name) => of_name(name),
            ElementKind::Text { text, .. } => text.is_empty(),
            ElementKind::Group(alternatives) => alternatives.iter().any(|one| one.may_be_empty(of_name)),
            ElementKind::Repeat { inner, min, .. } => *min == 0 || inner.may_be_empty(of_name),
            ElementKind::Set(_) | ElementKind::Any | ElementKind::Not(_) => false,
        }
    }

    /// Whether this is the end of the text.
    pub(super) fn is_end(&self) -> bool {
        matches!(&self.kind, ElementKind::Name(name) if name == "EOF")
    }

    /// The elements within this one.
    pub(super) fn children(&self) -> Vec<&Element> {
        match &self.kind {
            ElementKind::Group(alternatives) => {
                alternatives.iter().flat_map(|alternative| &alternative.elements).collect()
            }
            ElementKind::Repeat { inner, .. } => vec![inner],
            ElementKind::Not(elements) => elements.iter().collect(),
            _ => Vec::new(),
        }
    }
}

/// Elements with all that is within them.
pub(super) fn with_inner<'e>(elements: impl Iterator<Item = &'e Element>) -> Vec<&'e Element> {
    let (mut all, mut open) = (Vec::new(), elements.collect::<Vec<_>>());
    open.reverse();
    while let Some(element) = open.pop() {
        open.extend(element.children());
        all.push(element);
    }
    all
}

/// Wherever they are.
impl PartialEq for Element {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

/// Without their commands.
impl PartialEq for Alternative {
    fn eq(&self, other: &Self) -> bool {
        self.elements == other.elements
    }
}

/// The error that a construct is not read.
pub(super) fn unsupported(what: &str, span: Range<usize>, help: &str) -> Diagnostic {
    error(Code::UnsupportedConstruct, format!("{what} not read"), span).help(help)
}
