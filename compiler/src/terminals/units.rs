//! The units of a vocabulary: the tokens that no shorter tokens make up.
//!
//! In: a vocabulary. Out: [`units`], or two tokens that stand in the way. Every token is a sequence of units, and every
//! unit is a token: so texts of tokens are texts of units. If no unit begins with another one, the units are a *prefix
//! code*: a text is divided into units in one way only, and whether a text that begins with tokens can continue as tokens
//! depends on what follows alone. The units of most vocabularies are single characters.

use gcc_grammar_limits::{Budget, OverBudget};
use gcc_grammar_vocabulary::Vocabulary;
use rustc_hash::FxHashMap;

/// A unit, and a longer one that begins with it.
pub(super) struct Ambiguous<'v>(pub(super) &'v [u8], pub(super) &'v [u8]);

/// The prefix tree of the units so far. Node 0 is the root; a unit leads back to it.
#[derive(Default)]
struct Tree {
    /// From a node, by a byte, to a node.
    edges: FxHashMap<(u32, u8), u32>,
    nodes: u32,
}

/// How a token is read by the units so far.
enum Reading {
    /// It is a sequence of units.
    Units,
    /// It is not, and no unit begins it.
    New,
    /// It is not, and the unit of this length begins it.
    Begun(usize),
}

impl Tree {
    fn read(&self, token: &[u8]) -> Reading {
        let mut node = 0;
        let mut first = None;
        for (index, &byte) in token.iter().enumerate() {
            match self.edges.get(&(node, byte)) {
                Some(&next) => node = next,
                None => return first.map_or(Reading::New, Reading::Begun),
            }
            if node == 0 && first.is_none() {
                first = Some(index + 1);
            }
        }
        match first {
            Some(_) if node == 0 => Reading::Units,
            Some(length) => Reading::Begun(length),
            None => Reading::New,
        }
    }

    fn add(&mut self, unit: &[u8]) {
        let mut node = 0;
        for (index, &byte) in unit.iter().enumerate() {
            let nodes = &mut self.nodes;
            node = *self.edges.entry((node, byte)).or_insert_with(|| {
                if index + 1 == unit.len() {
                    return 0;
                }
                *nodes += 1;
                *nodes
            });
        }
    }
}

/// The units, if none of them begins with another one.
pub(super) fn units<'v>(
    vocabulary: &'v Vocabulary,
    budget: &Budget,
) -> Result<Result<Vec<&'v [u8]>, Ambiguous<'v>>, OverBudget> {
    let mut tokens: Vec<&[u8]> =
        vocabulary.order().iter().filter_map(|&token| vocabulary.bytes(token)).collect();
    // All units that a token may be made of come before it. The order among equally long ones does not matter.
    tokens.sort_by_key(|token| token.len());
    let (mut tree, mut units) = (Tree::default(), Vec::new());
    for token in tokens {
        budget.charge_work(token.len() as u64)?;
        match tree.read(token) {
            Reading::Units => {}
            Reading::New => {
                budget.charge_bytes(token.len() as u64 * 16)?;
                tree.add(token);
                units.push(token);
            }
            Reading::Begun(length) => return Ok(Err(Ambiguous(&token[..length], token))),
        }
    }
    Ok(Ok(units))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcc_grammar_limits::Limits;

    fn found(tokens: &[&str]) -> Result<Vec<String>, (String, String)> {
        let list = tokens.iter().map(|token| token.as_bytes().to_vec());
        let width = tokens.len() as u32;
        let vocabulary = Vocabulary::from_tokens((0..).zip(list).collect(), Vec::new(), Vec::new(), width);
        let vocabulary = vocabulary.expect("distinct");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let found = units(&vocabulary, &Budget::from(Limits::default())).expect("little work");
        found
            .map(|units| units.into_iter().map(text).collect())
            .map_err(|Ambiguous(unit, token)| (text(unit), text(token)))
    }

    #[test]
    fn tokens_that_others_make_up_are_no_units() {
        assert_eq!(found(&["a", "b", "ab", "ba", "abba"]), Ok(vec!["a".to_owned(), "b".to_owned()]));
        let units = ["c", "é", "ab", "ba"].map(str::to_owned).to_vec();
        assert_eq!(
            found(&["ab", "ba", "abba", "c", "cab", "é", "caé"]).map(|units| units.len()),
            Err(("c".to_owned(), "caé".to_owned()))
        );
        assert_eq!(found(&["ab", "ba", "abba", "c", "cab", "é", "cé"]).map(sorted), Ok(sorted(units)));
        assert_eq!(found(&["a", "a", "aa"]), Ok(vec!["a".to_owned()]));
    }

    #[test]
    fn a_unit_that_begins_another_one_is_found() {
        assert_eq!(found(&["ab", "abc"]), Err(("ab".to_owned(), "abc".to_owned())));
        assert_eq!(found(&["ab", "c", "abca"]), Err(("ab".to_owned(), "abca".to_owned())));
        assert_eq!(found(&["abca", "ab", "c"]), Err(("ab".to_owned(), "abca".to_owned())));
        assert!(found(&["ab", "ac", "b"]).is_ok());
    }

    fn sorted(mut units: Vec<String>) -> Vec<String> {
        units.sort();
        units
    }
}
