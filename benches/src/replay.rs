//! Commits the tokens of a text one by one, with the mask before each, and measures both.
//!
//! A text is accepted if every mask allows the token that follows, every commit succeeds, and the text may end after the last token.

use crate::Result;
use crate::times::Times;
use crate::tokenization::Random;
use gcc_grammar::Session;
use gcc_grammar_runtime::{Error, MaskRow, Matcher, TokenId};
use std::time::{Duration, Instant};

/// The verdict on a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Every token and the end of the text are allowed.
    Accepted,
    /// The token with this index is refused.
    Refused(usize),
    /// The text may not end here.
    Incomplete,
    /// The scratch is full after this number of tokens.
    Overflow(usize),
    /// The mask disagrees with `commit` or `validate` at the token with this index. This is a bug.
    Inconsistent(usize),
}

/// The cost of masks and commits.
#[derive(Debug, Default)]
pub struct Costs {
    /// The time to fill each mask.
    pub mask: Times,
    /// The time to commit each token.
    pub commit: Times,
    /// The time of each mask and commit together in the first pass, with the caches as they are.
    pub first: Times,
    /// The most stack heads after any token. More than two are rare.
    pub most_heads: usize,
}

/// Reads a text once. Its costs are added to `costs`.
pub fn replay(matcher: &mut Matcher<'_, '_>, tokens: &[u32], costs: &mut Costs) -> Verdict {
    replay_probed(matcher, tokens, 0, &mut Random(0), costs)
}

/// Reads a text `passes` times. The least time of each mask and each commit is added to `costs`, which filters out other load on the machine;
/// the times of the first pass are added apart.
pub fn replay_often(
    matcher: &mut Matcher<'_, '_>,
    tokens: &[u32],
    passes: usize,
    costs: &mut Costs,
) -> Verdict {
    let mut best = Costs::default();
    let mut verdict = replay(matcher, tokens, &mut best);
    costs
        .first
        .append(best.mask.iter().zip(best.commit.iter()).map(|(mask, commit)| mask + commit).collect());
    for _ in 1..passes {
        let mut again = Costs::default();
        verdict = replay(matcher, tokens, &mut again);
        best.mask.keep_least(&again.mask);
        best.commit.keep_least(&again.commit);
    }
    costs.mask.append(best.mask);
    costs.commit.append(best.commit);
    costs.most_heads = costs.most_heads.max(best.most_heads);
    verdict
}

/// Reads an accepted text `passes` times with a row that remembers its content (`update_mask`). The least time of each update is added to
/// `costs`.
///
/// # Errors
/// A token is refused, or the scratch is full.
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
            Some(best) => best.keep_least(&times),
            None => best = Some(times),
        }
    }
    costs.append(best.unwrap_or_default());
    Ok(())
}

/// Reads a text once, and compares each mask with `validate` for `probes` random tokens.
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
        if filled.is_ok() && !(0..probes).all(|_| agrees(matcher, &row, random)) {
            return Verdict::Inconsistent(index);
        }
        let probed = Instant::now();
        let committed = matcher.commit(TokenId(token));
        costs.commit.push(probed.elapsed());
        costs.mask.push(masked - start);
        match (filled, committed) {
            (Ok(()), Ok(())) if is_allowed(&row, token) => {}
            (Ok(()), Err(Error::Refused)) if !is_allowed(&row, token) => return Verdict::Refused(index),
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

/// Whether the mask and `validate` agree on a random token.
fn agrees(matcher: &mut Matcher<'_, '_>, row: &[u32], random: &mut Random) -> bool {
    let token = random.below(row.len() * 32) as u32;
    matcher.validate(&[TokenId(token)]).is_ok_and(|count| (count == 1) == is_allowed(row, token))
}

/// Whether the mask in this row allows the token.
#[must_use]
pub fn is_allowed(row: &[u32], token: u32) -> bool {
    row[token as usize / 32] >> (token % 32) & 1 == 1
}

/// Reads the tokens of a text, and keeps the least times of the masks and commits of the last ones, as many as there are in `least`.
///
/// # Errors
/// A token is not allowed, or the matcher fails.
pub fn keep_least_times(session: &Session, tokens: &[u32], least: &mut [(Duration, Duration)]) -> Result<()> {
    let mut matcher = session.matcher()?;
    let mut row = vec![0; session.row_words()];
    let (known, measured) = tokens.split_at(tokens.len() - least.len());
    for &token in known {
        matcher.commit(token)?;
    }
    for (&token, (mask, commit)) in measured.iter().zip(least) {
        let start = Instant::now();
        matcher.fill_mask(&mut row)?;
        *mask = start.elapsed().min(*mask);
        if !is_allowed(&row, token) {
            return Err(format!("the mask does not allow token {token}").into());
        }
        let start = Instant::now();
        matcher.commit(token)?;
        *commit = start.elapsed().min(*commit);
    }
    Ok(())
}

/// The length of the longest viable prefix of the text. The matcher has then committed this prefix.
pub fn readable(matcher: &mut Matcher<'_, '_>, text: &[u8]) -> usize {
    matcher.reset();
    text.iter().take_while(|&&byte| matcher.commit_bytes(&[byte]).is_ok()).count()
}

/// The bytes that may come next.
pub fn next_bytes(matcher: &mut Matcher<'_, '_>) -> Vec<u8> {
    (0..=255).filter(|&byte| matcher.validate_bytes(&[byte]) == Ok(1)).collect()
}
