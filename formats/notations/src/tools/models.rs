//! The names of known models, and which family each writes.
//!
//! The table is `models.json`, made from the chat templates that the makers have published, on the day that it names. A name is known if it is a
//! name of the table and words that say nothing about the template, such as sizes, dates and quantizations. With any other word it may be the
//! name of another model, which may write other calls: it is not known.

mod words;

use super::builtin;
use super::family::Family;
use gcc_grammar_ir::spelling::similar;
use gcc_grammar_ir::{Code, Diagnostic};
use serde::Deserialize;
use std::sync::LazyLock;
use words::{Position, positions, says_nothing, split};

/// The names of the table, and the day on which it was made.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    pub(super) date: String,
    pub(super) models: Vec<Model>,
}

/// Models of a maker that write the same calls.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Model {
    pub(super) maker: String,
    /// How their names begin, in small letters and without separators; behind a space come words that a name must have.
    pub(super) names: Vec<String>,
    /// The family that they write: several if the name does not tell which, none if it is not built in.
    pub(super) families: Vec<String>,
    /// Further words that their names may have.
    #[serde(default)]
    also: Vec<String>,
    /// What they write, if it is not one family.
    #[serde(default)]
    pub(super) writes: String,
}

/// The table.
pub(super) fn table() -> &'static Table {
    static TABLE: LazyLock<Table> =
        LazyLock::new(|| serde_json::from_str(include_str!("models.json")).expect("a test reads the table"));
    &TABLE
}

impl Family {
    /// The names of the models that write this family and no other, by their beginnings.
    pub fn models(&self) -> impl Iterator<Item = &'static str> {
        let models = table().models.iter().filter(|model| model.families == [self.name.as_str()]);
        models.flat_map(|model| model.names.iter().map(String::as_str))
    }
}

/// The longest name that is looked for.
const LONGEST: usize = 300;

/// The entry of a model, by its last part behind `/`.
pub(super) fn find(name: &str) -> Option<&'static Model> {
    let name = last_part(name)?;
    let positions = positions(&name);
    let entries = table().models.iter().flat_map(|model| model.names.iter().map(move |name| (name, model)));
    let matching = entries.filter(|(known, model)| positions.iter().any(|at| model.is(known, *at)));
    matching.max_by_key(|(known, _)| known.len()).map(|(_, model)| model)
}

/// The last part of a name in small letters, without a version of a service such as `-v1:0`.
fn last_part(name: &str) -> Option<String> {
    let last = name.trim().trim_end_matches('/').rsplit('/').next().filter(|last| last.len() <= LONGEST)?;
    let last = last.to_lowercase();
    let without = last
        .strip_suffix(":0")
        .and_then(|last| ["-v1", "-v2", "-1"].iter().find_map(|v| last.strip_suffix(v)));
    let last = without.unwrap_or(&last);
    Some(last.strip_suffix(".gguf").unwrap_or(last).to_owned())
}

impl Model {
    /// Whether a name is this one of the table, with words that say nothing about the template.
    fn is(&self, known: &str, name: Position<'_>) -> bool {
        let mut parts = known.split(' ');
        let Some(rest) = parts.next().and_then(|beginning| name.after(beginning)) else { return false };
        let words = split(rest);
        let wanted: Vec<&str> = parts.collect();
        let is_known = |word: &String| {
            wanted.contains(&word.as_str()) || self.also.contains(word) || says_nothing(word, &words)
        };
        wanted.iter().all(|wanted| words.iter().any(|word| word == wanted)) && words.iter().all(is_known)
    }

    /// The family of these models, if they write one.
    pub(super) fn only_family(&self) -> Option<&'static Family> {
        let [one] = self.families.as_slice() else { return None };
        builtin::named(one)
    }

    /// The family of these models.
    ///
    /// # Errors
    /// There is none, or the name does not tell which of several.
    pub(super) fn family(&self, name: &str) -> Result<&'static Family, Diagnostic> {
        match self.families.as_slice() {
            [_] => self.only_family().ok_or_else(|| unknown(name)),
            [] => Err(self.has_none(name)),
            several => {
                let message = format!("the model {name:?} of {} writes {}", self.maker, self.writes);
                let help =
                    format!("give its chat template ({GIVEN}), or name its family: {}", several.join(" or "));
                Err(Diagnostic::error(Code::Usage, message).help(help))
            }
        }
    }

    fn has_none(&self, name: &str) -> Diagnostic {
        let is_none = self.writes.starts_with("no calls");
        let behind = if is_none { "" } else { ", which is no built-in family" };
        let message = format!("the model {name:?} of {} writes {}{behind}", self.maker, self.writes);
        Diagnostic::error(Code::Usage, message).help(format!(
            "describe this family as a JSON object in the place of the model, or name the family that your own chat template asks for: {}",
            builtin::some_names()
        ))
    }
}

/// An error if a model of this name is known to write another family than its chat template.
pub(super) fn agrees(name: &str, family: &Family) -> Result<(), Diagnostic> {
    let Some(model) = find(name) else { return Ok(()) };
    let says_other = match model.families.as_slice() {
        // Without calls in the published template, there is a template of somebody else.
        [] => !model.writes.starts_with("no calls"),
        some => !some.contains(&family.name),
    };
    if !says_other {
        return Ok(());
    }
    let known = if model.families.is_empty() { model.writes.clone() } else { model.families.join(" or ") };
    let message = format!(
        "the chat template has the marks of {}, but models with the name {name:?} write {known}",
        family.name
    );
    Err(Diagnostic::error(Code::Usage, message).help("name the family that this model writes"))
}

/// What may be given instead of a name.
pub(super) const GIVEN: &str = "a tokenizer_config.json, a chat_template.jinja, or the folder of the model";

/// The error that the table does not have a model.
pub(super) fn unknown(name: &str) -> Diagnostic {
    let message = format!("the family of the model {name:?} is not known, as of {}", table().date);
    let error = Diagnostic::error(Code::Usage, message);
    let advice = meant(name).map_or_else(String::new, |meant| format!("did you mean {meant}? "));
    let advice = format!("{advice}{}", derived(name).unwrap_or_default());
    error.help(format!(
        "{advice}give its chat template ({GIVEN}), or name the family that it writes: {}",
        builtin::some_names()
    ))
}

/// A family or a model whose name is misspelt in letters, not in numbers: those of another number are other models.
fn meant(name: &str) -> Option<&'static str> {
    let name = last_part(name)?;
    let positions = positions(&name);
    let begins = |known: &str| positions.iter().any(|at| at.after(known).is_some());
    let known = table().models.iter().flat_map(|model| model.names.iter().map(String::as_str));
    if known.chain(builtin::names()).any(begins) {
        return None;
    }
    let words = split(&name);
    let beginnings = (1..=words.len().min(4)).map(|count| words[..count].concat());
    let models = || table().models.iter().filter(|model| !model.families.is_empty());
    let names =
        || models().flat_map(|model| &model.names).map(String::as_str).filter(|name| !name.contains(' '));
    let all = || builtin::names().into_iter().chain(names());
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let initial = |text: &str| text.chars().next();
    let mut close = beginnings.filter(|beginning| beginning.len() > 3).filter_map(|beginning| {
        similar(
            &beginning,
            all()
                .filter(|known| digits(known) == digits(&beginning) && initial(known) == initial(&beginning)),
        )
    });
    close.next()
}

/// What models write whose names begin as this one.
fn derived(name: &str) -> Option<String> {
    let name = last_part(name)?;
    let positions = positions(&name);
    let entries = table().models.iter().filter(|model| model.families.len() == 1);
    let entries = entries.flat_map(|model| model.names.iter().map(move |known| (known, &model.families[0])));
    let beginning =
        |known: &String| !known.contains(' ') && positions.iter().any(|at| at.after(known).is_some());
    let (known, family) =
        entries.filter(|(known, _)| beginning(known)).max_by_key(|(known, _)| known.len())?;
    Some(format!(
        "models named {known} write {family}: name it if this one is made from them and does so, too; else "
    ))
}

#[cfg(test)]
mod tests;
