//! What is asked of the model: what the options say, and else the request.

use super::choice::{Choice, Chosen, NAMED};
use super::definitions::Definitions;
use super::family::Family;
use super::options::{Calls, Thinking};
use crate::structural_tag::json::nearly;
use gcc_grammar_ir::{Code, Diagnostic, Location};

/// What the output is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// Text, in which there may be calls.
    Auto,
    /// Calls and no other text.
    Required,
    /// Text without calls.
    None,
}

/// What is asked, of tools that may all be called.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub(super) mode: Mode,
    /// Whether there may be several calls.
    pub(super) parallel: bool,
    pub(super) thinking: Thinking,
    /// The most tokens of a block of thoughts.
    pub(super) thinking_tokens: Option<u32>,
}

impl Calls {
    /// These calls, with what the request says where they say nothing. A family that is given has its description as the model.
    pub(super) fn within(&self, definitions: &Definitions<'_>) -> Self {
        let chosen = match &self.choice {
            Choice::Asked => definitions.chosen.clone().unwrap_or_else(|| Choice::Auto.into()),
            given => given.clone().into(),
        };
        let Chosen { choice, parallel } = chosen;
        let parallel = self.parallel
            && [parallel, definitions.parallel].into_iter().all(|allowed| allowed != Some(false));
        let model = self.model.as_ref().or(definitions.model.as_ref());
        let given = model.and_then(|model| self.families.named(model)).map(Family::description);
        let model = given.or_else(|| model.cloned());
        Self { model, choice, parallel, ..self.clone() }
    }

    /// Leaves the tools that may be called.
    ///
    /// # Errors
    /// A tool is chosen that is not there.
    pub(super) fn choose(&self, definitions: &mut Definitions<'_>) -> Result<Asked, Diagnostic> {
        let names = self.choice.names();
        if let Some(missing) =
            names.iter().find(|name| !definitions.tools.iter().any(|tool| tool.name == **name))
        {
            let of_request = definitions.chosen.as_ref().is_some_and(|chosen| chosen.choice == self.choice);
            let place = if of_request { definitions.chosen_at.clone() } else { String::new() };
            return Err(no_tool(missing, definitions).at(Location::Pointer(place)));
        }
        if !names.is_empty() {
            definitions.tools.retain(|tool| names.contains(&tool.name));
        }
        let mode = match self.choice {
            Choice::None => Mode::None,
            Choice::Required | Choice::Tool(_) | Choice::Tools { required: true, .. } => Mode::Required,
            Choice::Asked | Choice::Auto | Choice::Tools { required: false, .. } => Mode::Auto,
        };
        if mode == Mode::Required && definitions.tools.is_empty() {
            let error = Diagnostic::error(Code::BadTools, "a call is required, but there is no tool");
            return Err(error.at(Location::Pointer(String::new())).help("add a tool, or choose auto"));
        }
        let parallel = self.parallel && !matches!(self.choice, Choice::Tool(_));
        if self.thinking_tokens.is_some() && self.thinking == Thinking::Off {
            let error = Diagnostic::error(Code::Usage, "there are no thoughts whose tokens could be limited");
            return Err(error.help("turn thinking on, or set it to auto"));
        }
        Ok(Asked { mode, parallel, thinking: self.thinking, thinking_tokens: self.thinking_tokens })
    }
}

impl Definitions<'_> {
    /// Notes that a request asks for thoughts, which the output does not have.
    pub(super) fn note_thoughts(&mut self, family: &Family, thinking: Thinking) {
        let has_thoughts = family.thinking.is_some() || family.messages.is_some();
        let Some(place) = self.thinks_at.take().filter(|_| has_thoughts && thinking == Thinking::Off) else {
            return;
        };
        let message = "the request lets the model think, but the output has no thoughts: --thinking on allows them, auto with both marks";
        self.not_used(message, place);
    }
}

fn no_tool(name: &str, definitions: &Definitions<'_>) -> Diagnostic {
    let names: Vec<&str> = definitions.tools.iter().map(|tool| tool.name.as_str()).collect();
    let advice = nearly(name, names.iter().copied().chain(Choice::words().map(|word| -> &str { word })));
    let error = Diagnostic::error(Code::BadTools, format!("there is no tool {name:?} to choose"));
    error.help(format!("{advice}the tools are {}; the other choices are {NAMED}", names.join(", ")))
}
