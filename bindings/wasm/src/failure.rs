//! Errors: a code that a program decides by, a message, and the diagnostics of the library.

#[cfg(feature = "compiler")]
use gcc_grammar::{Error, ErrorKind};
use gcc_grammar_artifact::ArtifactError;
use gcc_grammar_runtime::Error as MatchError;

/// Why a function did nothing.
pub(crate) struct Failure {
    code: &'static str,
    message: String,
    /// A JSON array.
    diagnostics: String,
}

impl Failure {
    fn new(code: &'static str, message: impl ToString) -> Self {
        Self { code, message: message.to_string(), diagnostics: "[]".to_owned() }
    }

    /// An argument that cannot be meant.
    pub(crate) fn usage(message: impl ToString) -> Self {
        Self::new("usage", message)
    }

    /// An artifact is opened without a vocabulary, and has none inside.
    pub(crate) fn no_vocabulary() -> Self {
        Self::usage(
            "the artifact has no tokens inside: give the vocabulary that it was compiled for, or compile it to be self-contained",
        )
    }

    pub(crate) fn to_json(&self) -> String {
        let Self { code, message, diagnostics } = self;
        format!(r#"{{"code":"{code}","message":{},"diagnostics":{diagnostics}}}"#, quoted(message))
    }
}

/// A text as a JSON string.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\u{0}'..='\u{1f}' => quoted.push_str(&format!("\\u{:04x}", character as u32)),
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(feature = "compiler")]
impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let code = match error.kind() {
            ErrorKind::NotFound => "not-found",
            ErrorKind::OverBudget => "over-budget",
            ErrorKind::OtherVocabulary => "other-vocabulary",
            _ => "refused",
        };
        let diagnostics = error.diagnostics_json().to_string();
        Self { code, message: error.render().trim_end().to_owned(), diagnostics }
    }
}

impl From<MatchError> for Failure {
    fn from(error: MatchError) -> Self {
        let code = match error {
            MatchError::Refused | MatchError::NotASavedMatcher | MatchError::Damaged => "refused",
            MatchError::BudgetTooSmall { .. } | MatchError::CannotComplete => "refused",
            MatchError::ScratchFull | MatchError::TooMuchWork { .. } => "over-budget",
            MatchError::RollbackTooFar { .. } => "rollback-too-far",
            MatchError::OtherArtifact => "other-vocabulary",
            _ => "usage",
        };
        Self::new(code, error)
    }
}

impl From<ArtifactError> for Failure {
    fn from(error: ArtifactError) -> Self {
        let code = match error {
            ArtifactError::WrongVocabulary { .. } => "other-vocabulary",
            _ => "refused",
        };
        Self::new(code, error)
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn any_text_is_a_json_string() {
        let all: String = ('\u{0}'..='\u{2030}').collect();
        assert_eq!(serde_json::from_str::<String>(&quoted(&all)).ok(), Some(all));
    }
}
