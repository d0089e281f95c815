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
    /// Ordinary tokens where any token except these may come.
    AnyBytes(Vec<TokenSelector>),
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
            Self::AnyBytes(_) => "any bytes".to_owned(),
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
        TokenSelector::AnyBut(except) => except_name("any token", except),
        TokenSelector::SpecialBut(except) => except_name("any special token", except),
        TokenSelector::TextsBut(_, except) => except_name("any bytes", except),
        TokenSelector::Spelled(_) => "a token by its text".to_owned(),
        TokenSelector::Matching(_) => "a special token by its name".to_owned(),
    }
}

fn except_name(what: &str, except: &[TokenSelector]) -> String {
    let names: Vec<String> = except.iter().map(selector_name).collect();
    if except.is_empty() { what.to_owned() } else { format!("{what} but {}", names.join(", ")) }
}
