//! The model that calls tools, and which calls it may make.

use super::builtin;
use super::choice::Choice;
use super::family::Family;
use super::given::Families;
use super::recognize;
use gcc_grammar_ir::{Code, Diagnostic, words};
use std::borrow::Cow;

/// The model, and which calls of the tools it may make.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Calls {
    /// The name of a family or of a model, its chat template or a JSON document with it, or the description of a family as a JSON object. Without it, the model
    /// that the request names.
    pub model: Option<String>,
    /// Further families, which the model or the request may name.
    pub families: Families,
    /// Whether there are calls, and of which tools.
    pub choice: Choice,
    /// Whether there may be several calls, if the request allows them, too.
    pub parallel: bool,
    /// Whether the model thinks first.
    pub thinking: Thinking,
    /// The most tokens of a block of thoughts, behind which its end follows.
    pub thinking_tokens: Option<u32>,
}

impl Default for Calls {
    fn default() -> Self {
        Self {
            model: None,
            families: Families::default(),
            choice: Choice::Asked,
            parallel: true,
            thinking: Thinking::Off,
            thinking_tokens: None,
        }
    }
}

impl Calls {
    /// The family of the model.
    ///
    /// # Errors
    /// There is no model, none of this name, or the description of a family is wrong.
    pub fn family(&self) -> Result<Cow<'static, Family>, Diagnostic> {
        let missing = || {
            let error = Diagnostic::error(Code::Usage, "tools need the model that calls them");
            error.help(format!("name a model or a family: {}", builtin::some_names()))
        };
        let model = self.model.as_deref();
        if let Some(given) = model.and_then(|model| self.families.named(model)) {
            return Ok(Cow::Owned(given.clone()));
        }
        let family = model.ok_or_else(missing).and_then(recognize::of);
        family.map_err(|error| {
            let help = error.help.clone().unwrap_or_default();
            error.help(self.families.advice(model) + &help)
        })
    }
}

/// Whether a model thinks before it answers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Thinking {
    /// It does not.
    #[default]
    Off,
    /// It does. The mark at the beginning may be a part of the prompt.
    On,
    /// It may. The mark at the beginning is a part of the output.
    Auto,
}

words!(Thinking is "thinking" { Off = "off", On = "on", Auto = "auto" });
