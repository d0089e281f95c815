//! The commands of tokens: what becomes of their texts, and how they change the mode of the lexer.

use super::ast::{Rule, unsupported};
use gcc_grammar_ir::Diagnostic;

/// What becomes of the text of a token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum TokenAction {
    /// It is a token of this name.
    Token,
    /// It is ignored.
    Ignored,
    /// It is an error: the grammar has a channel for these, and no text of the language has one.
    Error,
    /// It is a token of another name.
    Other(String),
    /// It is the beginning of the token that follows.
    More,
}

/// A change of the stack of modes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Change {
    /// `mode(X)`: the mode on top is replaced.
    Set(String),
    /// `pushMode(X)`
    Push(String),
    /// `popMode`
    Pop,
}

/// The commands of a token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Commands {
    pub(super) action: TokenAction,
    pub(super) changes: Vec<Change>,
}

impl Commands {
    /// Those of a rule.
    pub(super) fn of(rule: &Rule) -> Result<Self, Diagnostic> {
        let (mut action, mut changes, mut hidden) = (TokenAction::Token, Vec::new(), None);
        for command in rule.alternatives.iter().flat_map(|alternative| &alternative.commands) {
            let span = command.name.span.clone();
            if rule.alternatives.len() > 1 {
                let help = "put the alternatives in parentheses, and the command behind them";
                return Err(unsupported("a command of one of several alternatives is", span, help));
            }
            // ANTLR takes the first letter in either case.
            match (command.name.text.to_ascii_lowercase().as_str(), &command.argument) {
                ("skip", _) => action = TokenAction::Ignored,
                ("channel", Some(channel)) => {
                    hidden = match channel.as_str() {
                        "DEFAULT_TOKEN_CHANNEL" | "0" => None,
                        _ if is_for_errors(channel) => Some(TokenAction::Error),
                        _ => Some(TokenAction::Ignored),
                    };
                }
                ("type", Some(other)) => action = TokenAction::Other(other.clone()),
                ("more", None) => action = TokenAction::More,
                ("mode", Some(mode)) => changes.push(Change::Set(mode.clone())),
                ("pushmode", Some(mode)) => changes.push(Change::Push(mode.clone())),
                ("popmode", None) => changes.push(Change::Pop),
                _ => {
                    let help = "write the whole text as one token";
                    let message = format!("the command `{}` of the lexer is", command.name.text);
                    return Err(unsupported(&message, span, help));
                }
            }
        }
        if hidden.is_some() && action == TokenAction::More {
            let help = "hide the token that ends the text";
            return Err(unsupported("`channel` beside `more` is", rule.name.span.clone(), help));
        }
        Ok(Self { action: hidden.unwrap_or(action), changes })
    }
}

/// Whether a channel has the tokens that its grammar calls errors, by its name: `ERROR`, `ErrorLexem`, `ERRORCHANNEL`.
fn is_for_errors(channel: &str) -> bool {
    channel.to_ascii_lowercase().contains("error")
}
