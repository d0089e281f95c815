//! A Lark grammar as written.

use super::token::Span;
use gcc_grammar_ir::TokenSelector;

/// A name and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Name {
    /// The name.
    pub(super) text: String,
    /// Where it stands.
    pub(super) span: Span,
}

impl Name {
    /// Does it name a terminal rather than a rule?
    pub(super) fn is_terminal(&self) -> bool {
        self.text.trim_start_matches('_').starts_with(|c: char| c.is_ascii_uppercase())
    }
}

/// One definition or directive.
#[derive(Clone, Debug)]
pub(super) enum Item {
    /// `name: …`
    Define(Definition),
    /// `%override name: …`
    Override(Definition),
    /// `%extend name: …`
    Extend(Definition),
    /// `%ignore …`
    Ignore {
        /// What is ignored.
        body: Vec<Alternative>,
        /// The whole directive.
        span: Span,
    },
    /// `%import …`
    Import(Import),
    /// `%declare …`
    Declare(Vec<Name>),
    /// `%word NAME`
    Word(Name),
    /// `%basic`
    Basic(Span),
    /// `%contextual NAME`
    Contextual(Name),
    /// `%never NAME`
    Never(Name),
    /// `%verbatim NAME`
    Verbatim(Name),
    /// `%after A "b": T`
    After {
        /// The lexemes before.
        lexemes: Vec<Node>,
        /// What is recognized after them.
        terminal: Node,
    },
    /// `%left "+" "-"`, `%right …` or `%nonassoc …`
    Precedence(Precedence),
    /// `%layout NEWLINE INDENT: "  "~12` or `%layout INDENT: "  "~12`
    Layout {
        /// The terminal that matches a line break.
        newline: Option<Name>,
        /// The name of the indentation of a line.
        indent: Name,
        /// What indentation consists of, and how often at most.
        unit: Node,
    },
    /// `%enclose "(" ")"`
    Enclose {
        /// After it, line breaks are ignored.
        open: Node,
        /// The end of that.
        close: Node,
    },
    /// `%llguidance {…}`
    Llguidance {
        /// The object.
        options: String,
        /// Where it stands.
        span: Span,
    },
}

/// A rule or terminal.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    /// What is defined.
    pub(super) name: Name,
    /// Parameters of a template.
    pub(super) parameters: Vec<Name>,
    /// `[name, name=value]` after the name.
    pub(super) attributes: Vec<Attribute>,
    /// The number after the dot.
    pub(super) priority: Option<i64>,
    /// What it matches.
    pub(super) body: Vec<Alternative>,
}

/// `name` or `name=value` in brackets after the name of a rule.
#[derive(Clone, Debug)]
pub(super) struct Attribute {
    /// Which attribute.
    pub(super) name: Name,
    /// What it is set to, unless that is a number.
    pub(super) value: Option<Node>,
}

/// `%import path`, with what it brings.
#[derive(Clone, Debug)]
pub(super) struct Import {
    /// Begins with a dot: relative to the importing file.
    pub(super) relative: bool,
    /// The parts between the dots.
    pub(super) path: Vec<Name>,
    /// `(A, B)`; without it the last part of the path is the only name.
    pub(super) names: Option<Vec<Name>>,
    /// `-> name`.
    pub(super) rename: Option<Name>,
    /// The whole directive.
    pub(super) span: Span,
}

/// Operators that bind equally tight, and tighter than those declared before.
#[derive(Clone, Debug)]
pub(super) struct Precedence {
    /// What several of them in a row mean.
    pub(super) associativity: Associativity,
    /// Terminals, or names for `%prec`.
    pub(super) operators: Vec<Node>,
}

/// What `a - b - c` means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Associativity {
    /// `(a - b) - c`
    Left,
    /// `a - (b - c)`
    Right,
    /// Nothing: it is refused.
    Neither,
}

/// One of several possibilities: what matches every one of the sequences joined by `&`.
#[derive(Clone, Debug)]
pub(super) struct Alternative {
    /// Usually one.
    pub(super) conjuncts: Vec<Vec<Node>>,
    /// `%prec X`: it binds as tight as X.
    pub(super) precedence: Option<Node>,
}

/// A part of a right side and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// What it is.
    pub(super) kind: NodeKind,
    /// Where it stands.
    pub(super) span: Span,
}

impl NodeKind {
    /// Is it any token, or any but some?
    pub(super) fn is_any_token(&self) -> bool {
        matches!(self, Self::Special(selectors) if matches!(selectors[..], [TokenSelector::AllBut(_)]))
    }
}

/// The parts of right sides.
#[derive(Clone, Debug)]
pub(super) enum NodeKind {
    /// A rule, terminal or parameter.
    Name(String),
    /// A string.
    Text {
        /// What it matches.
        text: String,
        /// In either case.
        ignore_case: bool,
    },
    /// A regular expression.
    Pattern {
        /// Between the slashes.
        pattern: String,
        /// After them.
        flags: String,
    },
    /// `"a".."z"`, not checked yet.
    Range(String, String),
    /// `( … )`
    Group(Vec<Alternative>),
    /// Repetition; `[ … ]` is one, too.
    Repeat {
        /// What is repeated.
        inner: Box<Node>,
        /// At least so often.
        min: i64,
        /// At most so often.
        max: Option<i64>,
    },
    /// `name{…}`
    Template {
        /// The template.
        name: String,
        /// What its parameters stand for.
        arguments: Vec<Node>,
    },
    /// Special tokens of the vocabulary. With [`TokenSelector::AllBut`], which is alone then, ordinary ones as well.
    Special(Vec<TokenSelector>),
    /// `%regex {…}`
    Structured(String),
    /// `%json {…}`: a JSON Schema.
    Json {
        /// The schema.
        text: String,
        /// Where it begins.
        start: usize,
    },
    /// `~x`: what `x` does not match.
    Not(Box<Node>),
}

/// A bound of a repetition as it was written, once the check of names has accepted it.
pub(super) fn bound(number: i64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
