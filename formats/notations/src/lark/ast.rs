//! The syntax tree of a Lark file: its definitions and directives as they are written, with their locations.

use super::token::Span;
use gcc_grammar_ir::TokenSelector;

/// A name and its location.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

impl Name {
    /// Whether it is the name of a terminal: its first letter is a capital. Otherwise it is the name of a rule.
    pub(crate) fn is_terminal(&self) -> bool {
        self.text.trim_start_matches('_').starts_with(|c: char| c.is_ascii_uppercase())
    }
}

/// One definition or directive.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// `name: …`
    Define(Definition),
    /// `%override name: …`
    Override(Definition),
    /// `%extend name: …`
    Extend(Definition),
    /// `%ignore …`
    Ignore {
        /// The ignored text.
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
        /// The terminal that is recognized after them.
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
        /// The text of one level, repeated as often as there may be levels.
        unit: Node,
    },
    /// `%enclose "(" ")"`
    Enclose {
        /// The opening terminal, after which line breaks are ignored.
        open: Node,
        /// The closing terminal.
        close: Node,
    },
    /// `%same NAME END_NAME "/>"`: the terminals of which the first one is remembered, the second one repeats it, and all others forget it.
    Same(Vec<Node>),
    /// `%llguidance {…}`
    Llguidance {
        /// The object.
        options: String,
        /// Where it stands.
        span: Span,
    },
    /// `%grammar_options {…}`
    GrammarOptions {
        /// The object.
        options: String,
        /// Where it stands.
        span: Span,
    },
}

/// A rule or terminal.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    /// The name that is defined.
    pub(crate) name: Name,
    /// Parameters of a template.
    pub(crate) parameters: Vec<Name>,
    /// Whether `::_` stands behind the name: the rule has a number as its parameter.
    pub(crate) parametric: bool,
    /// `[name, name=value]` after the name.
    pub(crate) attributes: Vec<Attribute>,
    /// The number after the dot.
    pub(crate) priority: Option<i64>,
    /// The alternatives.
    pub(crate) body: Vec<Alternative>,
}

impl Definition {
    /// A definition without a body.
    pub(crate) fn named(name: Name) -> Self {
        let (parameters, parametric, attributes, body) = Default::default();
        Self { name, parameters, parametric, attributes, priority: None, body }
    }
}

/// `name` or `name=value` in brackets after the name of a rule.
#[derive(Clone, Debug)]
pub(crate) struct Attribute {
    /// The name of the attribute.
    pub(crate) name: Name,
    /// Its value, unless that is a number.
    pub(crate) value: Option<Node>,
    /// Its value, if that is an integer.
    pub(crate) number: Option<i64>,
}

/// `%import path`, with the imported names.
#[derive(Clone, Debug)]
pub(crate) struct Import {
    /// Whether the path begins with a dot and is relative to the importing file.
    pub(crate) relative: bool,
    /// The parts between the dots.
    pub(crate) path: Vec<Name>,
    /// `(A, B)`; without this list, the last part of the path is the only imported name.
    pub(crate) names: Option<Vec<Name>>,
    /// `-> name`.
    pub(crate) rename: Option<Name>,
    /// The whole directive.
    pub(crate) span: Span,
}

/// Operators of one level of precedence, which bind tighter than the operators of earlier directives.
#[derive(Clone, Debug)]
pub(crate) struct Precedence {
    /// The grouping of several operators in a row.
    pub(crate) associativity: Associativity,
    /// Terminals, or names for `%prec`.
    pub(crate) operators: Vec<Node>,
}

/// The grouping of `a - b - c`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Associativity {
    /// `(a - b) - c`
    Left,
    /// `a - (b - c)`
    Right,
    /// None: the text is not in the language.
    Neither,
}

/// An alternative: the texts that match each of the sequences joined by `&`.
#[derive(Clone, Debug)]
pub(crate) struct Alternative {
    /// The sequences, of which there is usually one.
    pub(crate) conjuncts: Vec<Vec<Node>>,
    /// `%prec X`: the alternative has the level of `X`.
    pub(crate) precedence: Option<Node>,
    /// `%if c`: the alternative counts only if this holds for the parameter of the rule.
    pub(crate) condition: Option<Name>,
}

/// The alternative of these nodes.
pub(crate) fn sequence(nodes: Vec<Node>) -> Alternative {
    Alternative { conjuncts: vec![nodes], precedence: None, condition: None }
}

/// A part of a right side and its location.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    pub(crate) span: Span,
}

impl NodeKind {
    /// The tokens that are left out, if it is any token or any token except some.
    pub(crate) fn any_token_but(&self) -> Option<&[TokenSelector]> {
        match self {
            Self::Special(selectors) => match &selectors[..] {
                [TokenSelector::AnyBut(except)] => Some(except),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The parts of right sides.
#[derive(Clone, Debug)]
pub(crate) enum NodeKind {
    /// A rule, terminal or parameter.
    Name(String),
    /// A string.
    Text {
        /// The text that it matches.
        text: String,
        /// Whether upper and lower case are equal.
        ignore_case: bool,
    },
    /// A regular expression.
    Pattern {
        /// The text between the slashes.
        pattern: String,
        /// The letters after them.
        flags: String,
    },
    /// `"a".."z"`. The bounds are not checked yet.
    Range(String, String),
    /// `( … )`
    Group(Vec<Alternative>),
    /// A repetition. `[ … ]` is one, too.
    Repeat {
        /// The operand.
        inner: Box<Node>,
        /// The smallest number of repetitions.
        min: i64,
        /// The largest number of repetitions.
        max: Option<i64>,
    },
    /// `name{…}`
    Template {
        /// The template.
        name: String,
        /// The arguments, one per parameter.
        arguments: Vec<Node>,
    },
    /// Tokens of the vocabulary.
    Special(Vec<TokenSelector>),
    /// `%regex {…}`
    Structured(String),
    /// `%json {…}`: a JSON Schema.
    Json {
        /// The schema.
        text: String,
        /// The position at which it begins.
        start: usize,
    },
    /// `%lark {…}`: a grammar.
    Lark {
        /// The grammar.
        text: String,
        /// The position at which it begins.
        start: usize,
    },
    /// `%language name`: the grammar of a file.
    Language {
        /// Whether the path begins with a dot and is relative to this file.
        relative: bool,
        /// The parts between the dots.
        path: Vec<Name>,
    },
    /// `name::p`: a rule with a value of its parameter.
    Parametric {
        /// The rule.
        name: String,
        /// The expression for the value.
        value: Name,
    },
    /// `~x`: the texts that do not match `x`.
    Not(Box<Node>),
    /// A repetition in a terminal that a backtracking matcher would keep short, in notations that have one for parts with names.
    Lazy(Box<Node>),
}

/// A bound of a repetition as it was written, once the check of names has accepted it.
pub(crate) fn bound(number: i64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
