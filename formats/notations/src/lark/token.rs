//! The tokens of Lark grammars, over which `syntax.lalrpop` describes the syntax.

use gcc_grammar_ir::TokenSelector;
use std::fmt;
use std::ops::Range;

/// A byte range of the text.
pub(super) type Span = Range<usize>;

/// A token of a Lark grammar.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    /// The name of a rule: begins with a lower-case letter, after underscores.
    RuleName(String),
    /// The name of a terminal: begins with an upper-case letter, after underscores.
    TerminalName(String),
    /// `"…"` or `"…"i`.
    Text {
        /// The contents, with escapes resolved.
        text: String,
        /// Whether the suffix `i` is there.
        ignore_case: bool,
    },
    /// `/…/flags`.
    Pattern {
        /// The text between the slashes.
        pattern: String,
        /// The letters after the second slash.
        flags: String,
    },
    /// An integer, possibly signed.
    Number(i64),
    /// `{low,high}` after the operand of a repetition.
    Bounds(i64, Option<i64>),
    /// `<name>` or `<[ids]>`: special tokens of the vocabulary.
    Special(Vec<TokenSelector>),
    /// The JSON object after `%llguidance`, `%regex` or `%json`.
    Json(String),
    /// The text in braces after `%lark`.
    Grammar(String),
    /// What stands behind the name of a rule and `::`, or behind `%if`: an expression over the parameter.
    Parameter(String),
    /// `%name`.
    Directive(Directive),
    /// `?` or `!` before the name of the rule that is being defined.
    Modifier,
    /// `~` before a number: repetition.
    Times,
    /// Any other punctuation.
    Sign(&'static str),
    /// A line break that ends a definition or directive.
    Newline,
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RuleName(name) => write!(f, "rule name `{name}`"),
            Self::TerminalName(name) => write!(f, "terminal name `{name}`"),
            Self::Text { text, .. } => write!(f, "string {text:?}"),
            Self::Pattern { pattern, .. } => write!(f, "regular expression /{pattern}/"),
            Self::Number(number) => write!(f, "number {number}"),
            Self::Bounds(..) => f.write_str("repetition in braces"),
            Self::Special(_) => f.write_str("special token"),
            Self::Json(_) => f.write_str("JSON object"),
            Self::Grammar(_) => f.write_str("grammar in braces"),
            Self::Parameter(text) => write!(f, "parameter `{text}`"),
            Self::Directive(directive) => write!(f, "`%{}`", directive.as_str()),
            Self::Modifier => f.write_str("modifier `?` or `!`"),
            Self::Times => f.write_str("`~`"),
            Self::Sign(sign) => write!(f, "`{sign}`"),
            Self::Newline => f.write_str("end of line"),
        }
    }
}

/// Declares the directives with their spellings.
macro_rules! directives {
    ($($(#[$doc:meta])* $variant:ident = $spelling:literal),+ $(,)?) => {
        /// The name of a directive.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(super) enum Directive {
            $($(#[$doc])* $variant),+
        }

        impl Directive {
            /// All directives. The first ones begin a line, the last ones stand within an alternative.
            pub(super) const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name without `%`.
            pub(super) const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $spelling),+
                }
            }
        }
    };
}

directives! {
    /// Terminals between any two lexemes.
    Ignore = "ignore",
    /// Definitions of another file.
    Import = "import",
    /// Names without definition.
    Declare = "declare",
    /// A new body for an imported definition.
    Override = "override",
    /// More alternatives for an imported definition.
    Extend = "extend",
    /// Recognizes all terminals in every context.
    Basic = "basic",
    /// Excepts a terminal from `%basic`.
    Contextual = "contextual",
    /// Recognizes a terminal and its keywords in every context.
    Word = "word",
    /// Recognizes a terminal after certain lexemes only.
    After = "after",
    /// Recognizes a terminal that no rule uses.
    Never = "never",
    /// Indentation that has meaning.
    Layout = "layout",
    /// Terminals between which line breaks are ignored.
    Enclose = "enclose",
    /// Terminals with equal texts.
    Same = "same",
    /// Recognizes nothing else where a terminal is expected.
    Verbatim = "verbatim",
    /// Left-associative operators.
    Left = "left",
    /// Right-associative operators.
    Right = "right",
    /// Operators that are not associative.
    Nonassoc = "nonassoc",
    /// Options of llguidance.
    Llguidance = "llguidance",
    /// A regular expression described by a JSON object.
    Regex = "regex",
    /// Options of a grammar in the dialect of llguidance.
    GrammarOptions = "grammar_options",
    /// A JSON Schema.
    Json = "json",
    /// A grammar within the grammar.
    Lark = "lark",
    /// A grammar of a file, as a language of its own.
    Language = "language",
    /// The condition of an alternative of a rule with a parameter.
    If = "if",
    /// The precedence of an alternative.
    Prec = "prec",
}

impl Directive {
    /// The directive of this name, if there is one.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|directive| directive.as_str() == name)
    }

    /// Whether it stands within an alternative; the others begin a line.
    pub(super) const fn is_inline(self) -> bool {
        matches!(self, Self::Regex | Self::Json | Self::Prec | Self::Lark | Self::Language | Self::If)
    }

    /// Whether a JSON object follows it.
    pub(super) const fn takes_json(self) -> bool {
        matches!(self, Self::Llguidance | Self::GrammarOptions | Self::Regex | Self::Json)
    }
}
