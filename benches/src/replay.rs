//! A text token by token, with the mask before each.

use crate::times::Times;
use crate::tokenization::Random;
use gcc_grammar_runtime::{Error, Matcher, TokenId};
use std::time::Instant;

/// How a text went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Every token, and the end.
    Accepted,
    /// The token with this index is refused.
    Refused(usize),
    /// The text may not end here.
    Incomplete,
    /// The scratch is too small after so many tokens.
    Overflow(usize),
    /// Mask and commit, or mask and validate, disagree at the token with this index: never.
    Inconsistent(usize),
}

/// What masks and commits cost.
#[derive(Debug, Default)]
pub struct Costs {
    /// Filling a mask.
    pub mask: Times,
    /// Committing a token.
    pub commit: Times,
    /// Heads after each token: more than two are rare.
    pub most_heads: usize,
}

/// Commits token after token, each of which its mask must allow.
pub fn replay(matcher: &mut Matcher<'_, '_>, tokens: &[u32], costs: &mut Costs) -> Verdict {
    replay_probed(matcher, tokens, 0, &mut Random(0), costs)
}

/// The same, and each mask is compared with what is said of `probes` random tokens one by one.
pub fn replay_probed(
    matcher: &mut Matcher<'_, '_>,
    tokens: &[u32],
    probes: usize,
    random: &mut Random,
    costs: &mut Costs,
) -> Verdict {
    matcher.reset();
    let mut row = vec![0u32; matcher.engine().row_words()];
    for (index, &token) in tokens.iter().enumerate() {
        let start = Instant::now();
        let filled = matcher.fill_mask(&mut row);
        let masked = Instant::now();
        if filled.is_ok() && !(0..probes).all(|_| is_right(matcher, &row, random)) {
            return Verdict::Inconsistent(index);
        }
        let probed = Instant::now();
        let committed = matcher.commit(TokenId(token));
        costs.commit.push(probed.elapsed());
        costs.mask.push(masked - start);
        let allowed = row[token as usize / 32] >> (token % 32) & 1 == 1;
        match (filled, committed) {
            (Ok(()), Ok(())) if allowed => {}
            (Ok(()), Err(Error::Refused)) if !allowed => return Verdict::Refused(index),
            (Err(Error::ScratchFull), _) | (_, Err(Error::ScratchFull)) => return Verdict::Overflow(index),
            _ => return Verdict::Inconsistent(index),
        }
        costs.most_heads = costs.most_heads.max(matcher.head_views().len());
    }
    match matcher.is_accepting() {
        Ok(true) => Verdict::Accepted,
        Ok(false) => Verdict::Incomplete,
        Err(_) => Verdict::Overflow(tokens.len()),
    }
}

/// Whether the mask says of a random token what the matcher says of it.
fn is_right(matcher: &mut Matcher<'_, '_>, row: &[u32], random: &mut Random) -> bool {
    let token = random.below(row.len() * 32) as u32;
    let allowed = row[token as usize / 32] >> (token % 32) & 1 == 1;
    matcher.validate(&[TokenId(token)]).is_ok_and(|count| (count == 1) == allowed)
}

/// How many bytes of the text can be read.
pub fn readable(matcher: &mut Matcher<'_, '_>, text: &[u8]) -> usize {
    matcher.reset();
    text.iter().take_while(|&&byte| matcher.commit_bytes(&[byte]).is_ok()).count()
}

/// The bytes that may come next, each once.
pub fn next_bytes(matcher: &mut Matcher<'_, '_>) -> Vec<u8> {
    (0..=255).filter(|&byte| matcher.validate_bytes(&[byte]) == Ok(1)).collect()
}
