//! [`Failure`]: the reason why a language has no automaton within the options.

use crate::options::TensorOptions;
use gcc_grammar::diagnostic::{Code, Diagnostic};
use gcc_grammar::{Error, ErrorKind, Session};
use gcc_grammar_limits::OverBudget;

/// The reason why there is no automaton.
pub(crate) enum Failure {
    OverBudget(OverBudget),
    TooManyStates,
    Empty,
    /// The grammar matches this ordinary token by id.
    OrdinaryToken(u32),
    /// This end token is a part of a literal, too.
    EndToken(u32),
    /// The grammar has limits on the tokens of text.
    TokenLimits,
    /// The grammar has lists whose items differ.
    DifferentItems,
    /// Texts are repeated.
    RepeatedTexts,
    /// The grammar has objects whose keys are remembered.
    RememberedKeys,
}

impl From<OverBudget> for Failure {
    fn from(over: OverBudget) -> Self {
        Self::OverBudget(over)
    }
}

impl Failure {
    /// The error for the user.
    pub(crate) fn of(self, session: &Session, options: &TensorOptions) -> Error {
        let name = session.artifact().name();
        let help = match (options.depth, options.tokens) {
            (None, None) => "bound the nesting with --depth, or the output with --tokens; or raise the limit",
            _ => "give --depth or --tokens a lesser value, or raise the limit",
        };
        let over = |message: String| {
            let diagnostic = Diagnostic::error(Code::OverBudget, message).help(help);
            Error::new(ErrorKind::OverBudget, name, diagnostic)
        };
        match self {
            Self::OverBudget(error) => over(error.to_string()),
            Self::TooManyStates => over(format!("the automaton has more than {} states", options.max_states)),
            Self::OrdinaryToken(token) => {
                let message = format!("the grammar matches the ordinary token {token} by id and by its text");
                let help = "an automaton over tokens reads a token in one way: match special tokens by id, and others by their text";
                Error::new(
                    ErrorKind::Refused,
                    name,
                    Diagnostic::error(Code::OrdinaryToken, message).help(help),
                )
            }
            Self::EndToken(token) => {
                let message =
                    format!("the token {token} ends the text, and is a part of a literal of the grammar");
                let help = "an automaton over tokens reads a token in one way: compile with --special-tokens never, or choose other end tokens";
                Error::new(
                    ErrorKind::Refused,
                    name,
                    Diagnostic::error(Code::OrdinaryToken, message).help(help),
                )
            }
            Self::TokenLimits => {
                let message = "the grammar has max_tokens, and an automaton over tokens does not count them";
                let help = "leave max_tokens out, or use masks instead of tensors";
                Error::new(ErrorKind::Refused, name, Diagnostic::error(Code::NotEnforced, message).help(help))
            }
            Self::RepeatedTexts => {
                let message = "the grammar has texts that are repeated, and an automaton over tokens does not remember them";
                let help = "leave %same out, or use masks instead of tensors";
                Error::new(ErrorKind::Refused, name, Diagnostic::error(Code::NotEnforced, message).help(help))
            }
            Self::DifferentItems => {
                let message = "the schema has uniqueItems, and an automaton over tokens remembers no items";
                let help = "leave uniqueItems out, or use masks instead of tensors";
                Error::new(ErrorKind::Refused, name, Diagnostic::error(Code::NotEnforced, message).help(help))
            }
            Self::RememberedKeys => {
                let message = "the keys of large objects are remembered, and an automaton over tokens does not remember them";
                let help = "leave some conditions on keys out, or use masks instead of tensors";
                Error::new(ErrorKind::Refused, name, Diagnostic::error(Code::NotEnforced, message).help(help))
            }
            Self::Empty => {
                let message = "no output is left within these bounds";
                let help = "give --depth or --tokens a greater value";
                Error::new(ErrorKind::Refused, name, Diagnostic::error(Code::Unfinished, message).help(help))
            }
        }
    }
}
