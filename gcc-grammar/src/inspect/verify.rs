//! The deep check of an artifact: masks against trial commits.
//!
//! It compares two ways to tell whether a token is allowed that share no tables: the mask, which the Parser DWA and the
//! mask store give, and committing the token, which the lexer and the LR automaton decide.

use crate::decoding::generate::{Drawn, RandomNumbers, draw};
use crate::decoding::matcher::Matcher;
use crate::sessions::session::Session;
use gcc_grammar_runtime::Error;

/// The number of tokens of a random walk before it starts anew.
const WALK: usize = 60;

/// The outcome of a deep check.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct DeepCheck {
    /// The states that were compared.
    pub states: usize,
    /// The tokens that were decided in both ways.
    pub decisions: u64,
    /// The first difference, after which the check ended.
    pub difference: Option<Difference>,
}

/// A token about which the mask and the commit disagree.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Difference {
    /// The token.
    pub token: u32,
    /// Whether the mask allows it; the commit says the opposite.
    pub is_in_mask: bool,
    /// The text before the token.
    pub text: Vec<u8>,
}

/// Compares masks with trial commits of all tokens, at `states` states along random walks.
///
/// # Errors
/// [`Error::ScratchFull`] if the walk nests too deeply.
pub fn deep_check(session: &Session, states: usize, seed: u64) -> Result<DeepCheck, Error> {
    let mut matcher = session.matcher_with_rollback(1)?;
    let mut random = RandomNumbers(seed);
    let mut check = DeepCheck::default();
    let (mut text, mut steps) = (Vec::new(), 0);
    while check.states < states {
        if let Some((token, is_in_mask)) = compare(&mut matcher)? {
            check.difference = Some(Difference { token, is_in_mask, text });
            return Ok(check);
        }
        check.states += 1;
        check.decisions += u64::from(session.engine().grammar().meta().mask_width);
        // Far from the beginning, states are more varied: walk on for some tokens between comparisons.
        for _ in 0..=random.below(4) {
            steps += 1;
            match draw(&mut matcher, &mut random)? {
                Drawn::Token(token) if steps < WALK => {
                    matcher.commit(token)?;
                    text.extend_from_slice(session.vocabulary().tokens().bytes(token).unwrap_or_default());
                }
                _ => {
                    matcher.reset();
                    text.clear();
                    steps = 0;
                }
            }
        }
    }
    Ok(check)
}

/// Compares the mask of one state with trial commits of all tokens. Returns the first token that differs, and whether the mask has it.
fn compare(matcher: &mut Matcher) -> Result<Option<(u32, bool)>, Error> {
    let width = matcher.session().engine().grammar().meta().mask_width;
    let mut row = vec![0u32; matcher.session().row_words()];
    matcher.fill_mask(&mut row)?;
    for token in 0..width {
        let is_in_mask = row[token as usize / 32] >> (token % 32) & 1 == 1;
        let is_committed = match matcher.commit(token) {
            Ok(()) => {
                matcher.rollback(1)?;
                true
            }
            Err(Error::Refused) => false,
            Err(error) => return Err(error),
        };
        if is_in_mask != is_committed {
            return Ok(Some((token, is_in_mask)));
        }
    }
    let counted = matcher.count_allowed()?;
    debug_assert_eq!(counted, row.iter().map(|word| word.count_ones()).sum::<u32>());
    Ok(None)
}
