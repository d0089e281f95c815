//! Spells bytes with as few tokens as possible, by dynamic programming from the end of the text.
//!
//! This is the fallback for texts that the model's own tokenizer cannot spell, and for vocabularies without a tokenizer.

use crate::vocabulary::Vocabulary;

/// The fewest tokens that spell `text`. Of several solutions, this is the one with the longest first token, and so on.
///
/// # Errors
/// No sequence of tokens spells the text. The error is the length of the longest prefix that tokens spell.
pub fn fewest_tokens(text: &[u8], vocabulary: &Vocabulary) -> Result<Vec<u32>, usize> {
    // best[i] is the number of tokens from i to the end, and the rank of the first of them.
    let mut best: Vec<Option<(usize, u32)>> = vec![None; text.len() + 1];
    best[text.len()] = Some((0, 0));
    for start in (0..text.len()).rev() {
        best[start] = tokens_at(&text[start..], vocabulary)
            .filter_map(|(length, rank)| best[start + length].map(|(count, _)| (count + 1, length, rank)))
            .min_by_key(|&(count, length, _)| (count, usize::MAX - length))
            .map(|(count, _, rank)| (count, rank));
    }
    let mut ids = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let Some((_, rank)) = best[at] else { return Err(reach(text, vocabulary)) };
        let id = vocabulary.order()[rank as usize];
        at += vocabulary.bytes(id).map_or(0, <[u8]>::len);
        ids.push(id);
    }
    Ok(ids)
}

/// The tokens that are prefixes of `text`: length and rank.
fn tokens_at<'a>(text: &'a [u8], vocabulary: &'a Vocabulary) -> impl Iterator<Item = (usize, u32)> + 'a {
    let trie = vocabulary.trie();
    let down = move |node: u32, byte: u8| trie.children(node).find(|&child| trie.byte(child) == byte);
    let mut node = Some(0);
    let path = text.iter().map_while(move |&byte| {
        node = node.and_then(|node| down(node, byte));
        node
    });
    (1..).zip(path).filter_map(move |(length, node)| {
        let ranks = trie.tokens_at(node);
        (!ranks.is_empty()).then_some((length, ranks.start))
    })
}

/// The length of the longest prefix of `text` that tokens spell.
fn reach(text: &[u8], vocabulary: &Vocabulary) -> usize {
    let mut reached = vec![false; text.len() + 1];
    reached[0] = true;
    for start in 0..text.len() {
        if reached[start] {
            tokens_at(&text[start..], vocabulary).for_each(|(length, _)| reached[start + length] = true);
        }
    }
    reached.iter().rposition(|&reached| reached).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary(tokens: &[&str]) -> Vocabulary {
        let tokens = (0..).zip(tokens).map(|(id, token)| (id, token.as_bytes().to_vec())).collect();
        Vocabulary::from_tokens(tokens, vec![], vec![], 16).unwrap()
    }

    #[test]
    fn the_number_of_tokens_is_minimal() {
        let vocabulary = vocabulary(&["a", "b", "c", "ab", "bccc"]);
        assert_eq!(fewest_tokens(b"abccc", &vocabulary), Ok(vec![0, 4]));
        assert_eq!(fewest_tokens(b"abab", &vocabulary), Ok(vec![3, 3]));
        assert_eq!(fewest_tokens(b"", &vocabulary), Ok(vec![]));
    }

    #[test]
    fn the_error_is_the_length_of_the_spelled_prefix() {
        assert_eq!(fewest_tokens(b"abxab", &vocabulary(&["a", "ab", "b"])), Err(2));
        assert_eq!(fewest_tokens(b"x", &vocabulary(&[])), Err(0));
    }
}
