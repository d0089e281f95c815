//! The interface of everything that decodes under a grammar: the runtime, the oracle, a stage of the compiler.

/// The engine reached a limit. Its state is as before the operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overflow;

/// Decodes under a grammar.
pub trait Engine {
    /// Returns for every token id whether the token may come next.
    fn mask(&mut self) -> Result<Vec<bool>, Overflow>;
    /// Commits a token. Returns false and changes nothing if the token is not allowed.
    fn commit(&mut self, token: u32) -> Result<bool, Overflow>;
    /// How many of the tokens could be committed one after the other.
    fn validate(&mut self, tokens: &[u32]) -> Result<usize, Overflow> {
        let mut read = 0;
        let mut overflow = Ok(());
        for &token in tokens {
            match self.commit(token) {
                Ok(true) => read += 1,
                Ok(false) => break,
                Err(full) => {
                    overflow = Err(full);
                    break;
                }
            }
        }
        self.rollback(read);
        overflow.map(|()| read)
    }
    /// Takes back the last `tokens` commits. Returns false and changes nothing if there are fewer.
    fn rollback(&mut self, tokens: usize) -> bool;
    /// Goes back to the start of the text.
    fn reset(&mut self);
    /// Returns the bytes that every continuation starts with, at most `longest`.
    fn forced(&mut self, longest: usize) -> Result<Vec<u8>, Overflow>;
    /// Whether the text so far is in the language.
    fn is_accepting(&mut self) -> Result<bool, Overflow>;
    /// Whether an end token was committed.
    fn is_terminated(&mut self) -> bool;
}
