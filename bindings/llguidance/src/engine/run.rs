//! A state that keeps the first error: afterwards it does nothing more.

use crate::engine::state::State;

/// The state of one output, or the error that it has ended with.
#[derive(Clone)]
pub struct Run(Result<State, String>);

impl Run {
    /// A state, or the reason that there is none.
    #[must_use]
    pub fn new(state: Result<State, String>) -> Self {
        Self(state)
    }

    /// Runs an operation. An error stays.
    ///
    /// # Errors
    /// This error, or the one that the output has ended with.
    pub fn run<T>(&mut self, body: impl FnOnce(&mut State) -> Result<T, String>) -> Result<T, &str> {
        let result = match &mut self.0 {
            Ok(state) => body(state),
            Err(_) => Err(String::new()),
        };
        match result {
            Ok(value) => Ok(value),
            Err(error) => Err(self.fail(error)),
        }
    }

    /// Ends with an error, if it has not ended with another one.
    fn fail(&mut self, error: String) -> &str {
        if self.0.is_ok() {
            self.0 = Err(error);
        }
        self.error().unwrap_or_default()
    }

    /// The error that it has ended with.
    #[must_use]
    pub fn error(&self) -> Option<&str> {
        self.0.as_ref().err().map(String::as_str)
    }

    /// The state, if it has not ended with an error.
    #[must_use]
    pub fn state(&self) -> Option<&State> {
        self.0.as_ref().ok()
    }

    /// Whether nothing but an end token can come next, also because of an error.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.state().is_none_or(State::is_stopped)
    }
}
