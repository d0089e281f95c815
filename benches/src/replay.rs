//! A text token by token, with the mask before each.

use crate::times::Times;
use crate::tokenization::Random;
use gcc_grammar_runtime::{Error, MaskRow, Matcher, TokenId};
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

/// The same so often, and the least that each mask and each commit took: what else the machine was doing is left out.
pub fn replay_often(
    matcher: &mut Matcher<'_, '_>,
    tokens: &[u32],
    passes: usize,
    costs: &mut Costs,
) -> Verdict {
    let mut best = Costs::default();
    let mut verdict = replay(matcher, tokens, &mut best);
    for _ in 1..passes {
        let mut again = Costs::default();
        verdict = replay(matcher, tokens, &mut again);
        best.mask.at_most(&again.mask);
        best.commit.at_most(&again.commit);
    }
    costs.mask.append(best.mask);
    costs.commit.append(best.commit);
    costs.most_heads = costs.most_heads.max(best.most_heads);
    verdict
}

/// Fills a row that remembers what it holds before each token, which is then committed. What the row costs is noted as that of masks.
pub fn replay_updating<'a>(
    matcher: &mut Matcher<'a, '_>,
    tokens: &[u32],
    passes: usize,
    costs: &mut Times,
) -> Result<(), Error> {
    let mut words = vec![0u32; matcher.engine().row_words()];
    let mut best: Option<Times> = None;
    for _ in 0..passes {
        let mut times = Times::default();
        let mut row = MaskRow::new(&mut words);
        matcher.reset();
        for &token in tokens {
            let start = Instant::now();
            matcher.update_mask(&mut row)?;
            times.push(start.elapsed());
            matcher.commit(TokenId(token))?;
        }
        match &mut best {
            Some(best) => best.at_most(&times),
            None => best = Some(times),
        }
    }
    costs.append(best.unwrap_or_default());
    Ok(())
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
