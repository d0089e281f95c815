//! Tokens that a program supplies to Lark's parser, or the notation itself: those of an `Indenter`, and the end of the text.
//!
//! Input: a program and the options. Output: the names of these tokens, which no pattern matches. [`indenter`](super::indenter) gives them their meaning.

mod options;

use super::program::{ModuleId, Program};
pub use options::Indenter;

/// The names of the terminals of an indenter in a program.
#[derive(Default)]
pub(super) struct Names {
    pub(super) newline: Option<String>,
    pub(super) indent: Option<String>,
    pub(super) dedent: Option<String>,
    pub(super) brackets: Vec<(String, String)>,
    /// The end of the text.
    pub(super) end: Option<String>,
}

/// The terminals that names of Lark's `Indenter` mean where the grammar writes them as texts.
const ANONYMOUS: [(&str, &str); 8] = [
    ("LPAR", "("),
    ("RPAR", ")"),
    ("LSQB", "["),
    ("RSQB", "]"),
    ("LBRACE", "{"),
    ("RBRACE", "}"),
    ("LESSTHAN", "<"),
    ("MORETHAN", ">"),
];

/// The names for the line break that are tried without an option.
const NEWLINES: [&str; 2] = ["_NEWLINE", "_NL"];

impl Names {
    /// The names of the indenter of a program: it declares the tokens for the indentation, and defines the line break.
    pub(super) fn of(program: &Program, options: &Indenter) -> Option<Self> {
        if program.end.is_some() {
            return Some(Self { end: program.end.clone(), ..Self::default() });
        }
        let find = |name: &str| program.find(ModuleId(0), name).map(|id| &program.definitions[id.index()]);
        let is_declared = |name: &str| find(name).is_some_and(|defined| defined.declared_only);
        let is_terminal =
            |name: &&str| find(name).is_some_and(|defined| defined.is_terminal() && !defined.declared_only);
        if program.layout.is_some() || !is_declared(&options.indent) || !is_declared(&options.dedent) {
            return None;
        }
        let newline = match &options.newline {
            Some(name) => Some(name.as_str()).filter(is_terminal),
            None => NEWLINES.into_iter().find(is_terminal),
        }?;
        let Indenter { indent, dedent, brackets, .. } = options.clone();
        let newline = Some(newline.to_owned());
        Some(Self { newline, indent: Some(indent), dedent: Some(dedent), brackets, end: None })
    }

    /// Whether this is the name of a token that nothing matches.
    pub(super) fn supplies(&self, name: &str) -> bool {
        [&self.indent, &self.dedent, &self.end].into_iter().any(|supplied| supplied.as_deref() == Some(name))
    }
}

/// The text of a terminal that Lark names itself where a grammar writes it as a text.
pub(super) fn text_of(name: &str) -> Option<&'static str> {
    ANONYMOUS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}
