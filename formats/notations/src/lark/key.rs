//! The identity of a terminal within a program, and its name.
//!
//! Two uses are the same terminal if they name the same definition or, without a name, are written the same way.

use super::ast::NodeKind;
use super::layout::{Layout, LayoutContext, LayoutTerminal};
use super::program::{DefinitionId, Program};
use gcc_grammar_ir::TokenSelector;

/// The identity of a terminal: its definition, or its spelling.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Named(DefinitionId),
    /// A definition that uses the indentation, at a level.
    Level(DefinitionId, u32),
    Text(String, bool),
    Pattern(String, String),
    Range(String, String),
    Special(Vec<TokenSelector>),
    Structured(String),
    Ignored(usize),
    Layout(LayoutTerminal),
    AnyBytes,
}

impl Key {
    /// The identity of a terminal that is written out as this node.
    pub(super) fn of_node(kind: &NodeKind) -> Self {
        match kind {
            NodeKind::Pattern { pattern, flags } => Self::Pattern(pattern.clone(), flags.clone()),
            NodeKind::Range(low, high) => Self::Range(low.clone(), high.clone()),
            NodeKind::Special(selectors) => Self::Special(selectors.clone()),
            NodeKind::Structured(object) => Self::Structured(object.clone()),
            NodeKind::Text { text, ignore_case } => Self::Text(text.clone(), *ignore_case),
            // The check of names refuses the other kinds in rules.
            _ => Self::Special(Vec::new()),
        }
    }

    /// The name of the terminal, for messages.
    pub(super) fn name(&self, program: &Program, layout: Option<&Layout>) -> String {
        match self {
            Self::Named(id) => program.definitions[id.index()].name.text.clone(),
            Self::Level(id, level) => {
                let place = LayoutContext { level: *level, enclosed: false };
                format!("{}{}", program.definitions[id.index()].name.text, Layout::suffix(place))
            }
            Self::Text(text, ignore_case) => format!("{text:?}{}", if *ignore_case { "i" } else { "" }),
            Self::Pattern(pattern, flags) => format!("/{pattern}/{flags}"),
            Self::Range(low, high) => format!("{low:?}..{high:?}"),
            Self::Special(selectors) => selectors.iter().map(selector_name).collect::<Vec<_>>().join(" | "),
            Self::Structured(object) => format!("%regex {object}"),
            Self::Ignored(index) => format!("%ignore #{}", index + 1),
            Self::AnyBytes => "any bytes".to_owned(),
            Self::Layout(made) => layout.map_or(String::new(), |layout| layout.terminal_name(program, *made)),
        }
    }
}

/// The notation of a token selector.
fn selector_name(selector: &TokenSelector) -> String {
    match selector {
        TokenSelector::Name(name) => name.clone(),
        TokenSelector::Ids(low, high) if low == high => format!("<[{low}]>"),
        TokenSelector::Ids(low, high) => format!("<[{low}-{high}]>"),
        TokenSelector::AllBut(except) => {
            let except: Vec<String> = except.iter().map(selector_name).collect();
            match except.is_empty() {
                true => "any special token".to_owned(),
                false => format!("any special token but {}", except.join(", ")),
            }
        }
        TokenSelector::Matching(_) => "a special token by its name".to_owned(),
    }
}
