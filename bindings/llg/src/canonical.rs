//! Forced tokens as llguidance forces them: text that is certain to come is cut by the model's own tokenizer, and the masks allow only the
//! tokens of that cut. Models were trained on such tokens.
//!
//! In: a matcher, the tokens so far, and the caller's tokenizer. Out: the tokens that the next masks allow one after the other. The last
//! of them are left out if the text that follows could make the tokenizer cut otherwise (`chop_tokens` of llguidance): if a suffix of their
//! text begins a longer token, and the grammar allows the rest of that token.

use crate::tokens::Tokens;
use gcc_grammar::{MatchError, Matcher};

/// The bytes of certain text that are looked at, at most.
const MOST_BYTES: usize = 256;
/// The tokens at the end of the certain text of which a longer token may start.
const LOOK_BACK: usize = 4;

/// The tokens that are certain to come; none if the tokenizer does not spell the certain text.
pub(crate) fn forced(tokens: &Tokens, matcher: &mut Matcher, before: &[u32]) -> Result<Vec<u32>, MatchError> {
    let forced = matcher.forced(MOST_BYTES)?;
    if forced.is_empty() {
        return Ok(Vec::new());
    }
    let mut ids = cut(tokens, &forced, before.last().copied());
    ids.truncate(ids.len() - open_at_end(tokens, matcher, &forced, &ids)?);
    let valid = matcher.validate(&ids)?;
    ids.truncate(valid);
    Ok(ids)
}

/// The tokens of the text behind the last token: together with it if the tokenizer keeps that token, else alone.
fn cut(tokens: &Tokens, forced: &[u8], last: Option<u32>) -> Vec<u32> {
    let with_last = last.and_then(|last| {
        let text = [tokens.bytes(last)?, forced].concat();
        tokens.tokenize(&text).strip_prefix(&[last]).map(<[u32]>::to_vec)
    });
    let spells = |ids: &Vec<u32>| tokens.vocabulary.text_of(ids) == forced;
    with_last.filter(spells).or_else(|| Some(tokens.tokenize(forced)).filter(spells)).unwrap_or_default()
}

/// The number of tokens at the end that the text behind them may change.
fn open_at_end(tokens: &Tokens, matcher: &Matcher, forced: &[u8], ids: &[u32]) -> Result<usize, MatchError> {
    let length = |id: &u32| tokens.bytes(*id).map_or(0, <[u8]>::len);
    let tail: usize = ids.iter().rev().take(LOOK_BACK).map(length).sum();
    let tail = tail.min(tokens.vocabulary.tokens().max_token_len());
    let mut after = matcher.fork()?;
    after.commit_bytes(forced)?;
    for start in forced.len() - tail..forced.len() {
        if grows(tokens, &mut after, &forced[start..])? {
            let mut open = forced.len() - start;
            let kept = ids.iter().rev().take_while(|id| {
                let inside = open > 0;
                open = open.saturating_sub(length(id));
                inside
            });
            return Ok(kept.count());
        }
    }
    Ok(0)
}

/// Whether a token begins with `suffix` and goes on with a text that may come next.
fn grows(tokens: &Tokens, after: &mut Matcher, suffix: &[u8]) -> Result<bool, MatchError> {
    let vocabulary = tokens.vocabulary.tokens();
    let bytes = |id: u32| vocabulary.bytes(id).unwrap_or_default();
    let order = vocabulary.order();
    let mut refused: Option<u8> = None;
    for &id in &order[order.partition_point(|&id| bytes(id) <= suffix)..] {
        let Some(rest) = bytes(id).strip_prefix(suffix) else { break };
        // Tokens are in the order of their bytes: those with a first byte that cannot come are passed over.
        if rest.is_empty() || refused == rest.first().copied() {
            continue;
        }
        match after.validate_bytes(rest)? {
            valid if valid == rest.len() => return Ok(true),
            0 => refused = rest.first().copied(),
            _ => {}
        }
    }
    Ok(false)
}
