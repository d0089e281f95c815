//! Forced tokens (jump-forward decoding): the tokens of the text that is certain to come, cut as the model's own tokenizer cuts it.
//!
//! In: the bytes that the grammar forces, the last tokens, and a tokenizer. Out: tokens that may be committed without asking the model.
//! They are canonical: however the text continues, the tokenizer still cuts its beginning into the same tokens. Three rules make sure of that:
//!
//! 1. The last tokens, cut together with the forced text, stay what they are.
//! 2. Tokens at the end are left out if a suffix of their text begins a longer token, and the grammar allows the rest of that token
//!    (`chop_tokens` of llguidance).
//! 3. The tokens stay the same when the rest of such a token follows, or one of the [`PROBES`]. Tokenizers cut a text into words first,
//!    and where a word ends depends on the characters behind it: white space, digits, letters, apostrophes.
//!
//! Where a special token, or its name, is certain to come, the special token is: a tokenizer cuts a text at these names first. So nothing behind
//! the text before it changes how that is cut.

use crate::decoding::exact::Exact;
use crate::decoding::row;
use crate::vocabulary::Vocabulary;
use gcc_grammar_runtime::Error;
use gcc_grammar_vocabulary::Vocabulary as Tokens;

/// The bytes of forced text that are looked at, at most.
const MOST_BYTES: usize = 256;
/// The tokens before the forced text that are cut along with it. If the most do not stay what they are, it may be because a word was cut
/// where they begin, so fewer are tried.
const BEFORE: [usize; 3] = [16, 4, 1];
/// The tokens at the end of which llguidance looks for the beginning of a longer one.
const LOOK_BACK: usize = 4;

/// Texts that may follow: a character of each class that the patterns of tokenizers distinguish.
const PROBES: [&str; 14] =
    [" ", "  ", " a", "\n", "\n\n", "\r\n", "a", "A", "s", "0", "000", "'s", ".", "\u{e9}"];

/// How certain forced tokens must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Certainty {
    /// By all rules of this module.
    Canonical,
    /// As llguidance forces tokens: one token before them is looked at, and if it would be joined with them, the forced text is cut on its
    /// own; rule 2 looks at the last four tokens; rule 3 does not hold.
    Llguidance,
}

/// A tokenizer: the ids of a text, or none if it cannot spell the text as the model's own tokenizer would.
pub(crate) type Cut<'c> = &'c dyn Fn(&[u8]) -> Vec<u32>;

/// The special tokens that are looked for, at most.
const MOST_SPECIALS: usize = 16;

/// A special token that is certain to come, if not its name.
struct Special {
    token: u32,
    /// The name, if its characters may come, too.
    name: Option<Vec<u8>>,
}

/// The tokens that are certain to come behind the tokens `before`.
pub(crate) fn certain(
    exact: &mut Exact,
    before: &[u32],
    cut: Cut<'_>,
    certainty: Certainty,
) -> Result<Vec<u32>, Error> {
    let forced = exact.forced(MOST_BYTES)?;
    let mut next = special_behind(exact, &forced)?;
    let mut found = match (&next, forced.is_empty()) {
        (None, true) => return Ok(Vec::new()),
        (Some(_), true) => Vec::new(),
        (Some(_), false) => cut_alone(exact, before, &forced, cut)?,
        (None, false) => return text_tokens(exact, before, &forced, cut, certainty),
    };
    if exact.session().vocabulary().text_of(&found) != forced {
        return Ok(found);
    }
    let mut after = exact.fork()?;
    found.iter().try_for_each(|&token| after.commit(token))?;
    for _ in 0..MOST_SPECIALS {
        let Some(Special { token, .. }) = next else { break };
        found.push(token);
        after.commit(token)?;
        let forced = after.forced(MOST_BYTES)?;
        next = special_behind(&after, &forced)?;
        let more = match &next {
            Some(_) => cut_alone(&mut after, &[], &forced, cut)?,
            None if forced.is_empty() => break,
            None => text_tokens(&mut after, &[], &forced, cut, certainty)?,
        };
        more.iter().try_for_each(|&token| after.commit(token))?;
        let is_whole = after.session().vocabulary().text_of(&more) == forced;
        found.extend(more);
        if !is_whole {
            break;
        }
    }
    Ok(found)
}

/// The bytes that are certain to come, at most `most`: names of special tokens are those of their characters where these may come.
pub(crate) fn certain_bytes(exact: &mut Exact, most: usize) -> Result<Vec<u8>, Error> {
    let mut found = exact.forced(most)?;
    for _ in 0..MOST_SPECIALS {
        let Some(Special { name: Some(name), .. }) = special_behind(exact, &found)? else { break };
        found.extend(name);
        let mut after = behind(exact, &found)?;
        found.extend(after.forced(most.saturating_sub(found.len()))?);
        if found.len() >= most {
            break;
        }
    }
    found.truncate(most);
    Ok(found)
}

/// What the grammar allows behind bytes that are certain to come. There is no budget: perhaps no token within it ends behind them.
fn behind(exact: &Exact, bytes: &[u8]) -> Result<Exact, Error> {
    let mut after = exact.fork()?;
    after.set_budget(None)?;
    after.commit_bytes(bytes)?;
    Ok(after)
}

/// The special token that alone may come behind these bytes, apart from the characters of its name.
fn special_behind(exact: &Exact, bytes: &[u8]) -> Result<Option<Special>, Error> {
    let session = exact.session().clone();
    let (grammar, vocabulary) = (session.engine().grammar(), session.vocabulary().tokens());
    if grammar.special_symbols().all(|symbol| grammar.is_end(symbol)) {
        return Ok(None);
    }
    let mut after = behind(exact, bytes)?;
    if after.is_accepting()? {
        return Ok(None);
    }
    let mut row = vec![0; session.row_words()];
    after.fill_mask(&mut row)?;
    let mut specials = grammar.special_tokens().map(|token| token.0).filter(|&token| row::has(&row, token));
    let Some(token) = specials.next().filter(|&token| vocabulary.bytes(token).is_none()) else {
        return Ok(None);
    };
    let name = vocabulary.special_text(token);
    if specials.any(|other| other != token && (name.is_none() || vocabulary.special_text(other) != name)) {
        return Ok(None);
    }
    let mut texts = row::tokens(&row).filter_map(|token| vocabulary.bytes(token)).peekable();
    if texts.peek().is_none() {
        return Ok(Some(Special { token, name: None }));
    }
    let Some((first, rest)) = name.and_then(|name| name.as_bytes().split_first()) else { return Ok(None) };
    if !texts.all(|text| text.first() == Some(first)) {
        return Ok(None);
    }
    after.commit_bytes(&[*first])?;
    let is_name = after.forced(rest.len())? == rest;
    Ok(is_name.then(|| Special { token, name: name.map(|name| name.as_bytes().to_vec()) }))
}

/// The tokens of a text behind which a special token comes; none if the tokens before would be cut otherwise.
fn cut_alone(exact: &mut Exact, before: &[u32], text: &[u8], cut: Cut<'_>) -> Result<Vec<u32>, Error> {
    let found = cut_behind(&BEFORE, before, text, cut, exact.session().vocabulary());
    let (.., mut ids) = found.unwrap_or_default();
    ids.truncate(exact.validate(&ids)?);
    Ok(ids)
}

/// Cuts a text together with some of the tokens before, which stay what they are: their number, the text with theirs, and the tokens of the
/// text. The last special token has no text: what comes before it has no influence.
fn cut_behind(
    windows: &[usize],
    before: &[u32],
    text: &[u8],
    cut: Cut<'_>,
    vocabulary: &Vocabulary,
) -> Option<(usize, Vec<u8>, Vec<u32>)> {
    let is_special = |token: &u32| vocabulary.tokens().bytes(*token).is_none();
    let before = before.rsplit(is_special).next().unwrap_or_default();
    windows.iter().find_map(|kept| {
        let kept = &before[before.len().saturating_sub(*kept)..];
        let whole = [&vocabulary.text_of(kept), text].concat();
        let ids = cut(&whole).strip_prefix(kept)?.to_vec();
        (vocabulary.text_of(&ids) == text).then_some((kept.len(), whole, ids))
    })
}

/// The tokens of a text that is certain to come and may continue.
fn text_tokens(
    exact: &mut Exact,
    before: &[u32],
    forced: &[u8],
    cut: Cut<'_>,
    certainty: Certainty,
) -> Result<Vec<u32>, Error> {
    let vocabulary = exact.session().vocabulary().clone();
    let windows: &[usize] = if certainty == Certainty::Canonical { &BEFORE } else { &[1, 0] };
    let found = cut_behind(windows, before, forced, cut, &vocabulary);
    let Some((kept, text, mut ids)) = found else { return Ok(Vec::new()) };
    let longer = longer_tokens(vocabulary.tokens(), exact, forced, &ids, certainty)?;
    if let Some((start, _)) = longer.first() {
        ids.truncate(within(vocabulary.tokens(), &ids, *start));
    }
    if certainty == Certainty::Canonical {
        let probes = PROBES.iter().map(|probe| probe.as_bytes());
        for behind in longer.iter().map(|(_, rest)| rest.as_slice()).chain(probes) {
            let others = cut(&[&text, behind].concat());
            let others = others.iter().skip(kept);
            ids.truncate(ids.iter().zip(others).take_while(|(id, other)| id == other).count());
        }
    }
    ids.truncate(exact.validate(&ids)?);
    Ok(ids)
}

/// The number of tokens that end at this place or before it.
fn within(vocabulary: &Tokens, ids: &[u32], place: usize) -> usize {
    let ends = ids.iter().scan(0, |end, &id| {
        *end += vocabulary.bytes(id).map_or(0, <[u8]>::len);
        Some(*end)
    });
    ends.take_while(|end| *end <= place).count()
}

/// Where in the forced text a token can start that continues behind it, with the text behind it, of one token for each place.
fn longer_tokens(
    vocabulary: &Tokens,
    exact: &Exact,
    forced: &[u8],
    ids: &[u32],
    certainty: Certainty,
) -> Result<Vec<(usize, Vec<u8>)>, Error> {
    let length = |id: &u32| vocabulary.bytes(*id).map_or(0, <[u8]>::len);
    let looked_at = if certainty == Certainty::Canonical { ids.len() } else { LOOK_BACK };
    let tail: usize = ids.iter().rev().take(looked_at).map(length).sum();
    let mut after = behind(exact, forced)?;
    let mut found = Vec::new();
    for start in forced.len() - tail.min(vocabulary.max_token_len())..forced.len() {
        if let Some(rest) = rest_of_longer(vocabulary, &mut after, &forced[start..])? {
            found.push((start, rest));
        }
    }
    Ok(found)
}

/// The rest of some token that begins with `suffix` and continues with a text that may come next.
fn rest_of_longer(vocabulary: &Tokens, after: &mut Exact, suffix: &[u8]) -> Result<Option<Vec<u8>>, Error> {
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
            valid if valid == rest.len() => return Ok(Some(rest.to_vec())),
            0 => refused = rest.first().copied(),
            _ => {}
        }
    }
    Ok(None)
}
