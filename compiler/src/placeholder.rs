//! Makes a stand-in for the vocabulary, so that the stages before the vocabulary can run without one.
//!
//! In: a grammar. Out: a vocabulary in which every special token that the grammar names exists, without text tokens or with
//! one for each byte. The LR tables and the lexer do not depend on the ids of its tokens.

use gcc_grammar_ir::{Grammar, Pattern, TokenSelector};
use gcc_grammar_vocabulary::{SpecialToken, Vocabulary};
use std::collections::BTreeSet;

/// The highest id of a token that is named by its id. No real vocabulary has as many tokens.
const HIGHEST_ID: u32 = 1 << 22;

/// Makes a vocabulary that has the special tokens of the grammar.
pub(crate) fn placeholder(grammar: &Grammar) -> Vocabulary {
    placeholder_for(&[grammar])
}

/// Makes a vocabulary that has the special tokens of all these grammars, so that their symbols can be compared.
#[must_use]
pub fn placeholder_for(grammars: &[&Grammar]) -> Vocabulary {
    with_text(grammars, &[])
}

/// Makes a vocabulary that has a token for each byte, and the special tokens of the grammar. With it, the number of tokens of
/// a text is that of its bytes.
#[must_use]
pub fn byte_vocabulary(grammar: &Grammar) -> Vocabulary {
    let bytes: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
    with_text(&[grammar], &bytes)
}

/// Makes a vocabulary that has these texts and the special tokens of the grammars.
fn with_text(grammars: &[&Grammar], texts: &[Vec<u8>]) -> Vocabulary {
    let terminals = grammars.iter().flat_map(|grammar| &grammar.terminals);
    let selectors = terminals.filter_map(|terminal| match &terminal.pattern {
        Pattern::Token(selectors) => Some(selectors),
        _ => None,
    });
    // A token that the grammar does not name stands for all others.
    let mut specials = vec!["<other>".to_owned()];
    let (mut highest, mut numbered) = (0, BTreeSet::new());
    let mut open: Vec<&TokenSelector> = selectors.flatten().collect();
    while let Some(selector) = open.pop() {
        match selector {
            TokenSelector::Name(name) => specials.push(name.clone()),
            &TokenSelector::Ids(low, high) => {
                highest = highest.max(high.min(HIGHEST_ID));
                numbered.insert(low.min(HIGHEST_ID));
            }
            TokenSelector::AnyBut(except)
            | TokenSelector::SpecialBut(except)
            | TokenSelector::TextsBut(_, except) => open.extend(except),
            TokenSelector::Spelled(_) => {}
            TokenSelector::Matching(names) => {
                specials.extend(names.shortest().and_then(|name| String::from_utf8(name).ok()));
            }
        }
    }
    specials.sort_unstable();
    specials.dedup();
    let numbered = numbered.into_iter().map(|id| (id, format!("<{id}>")));
    let specials = numbered.chain((highest + 1..).zip(specials));
    let specials: Vec<SpecialToken> = specials.map(|(id, text)| SpecialToken { id, text }).collect();
    let end = specials.last().map_or(highest, |special| special.id) + 1;
    let texts: Vec<(u32, Vec<u8>)> = (end + 1..).zip(texts.iter().cloned()).collect();
    let width = end + 1 + texts.len() as u32;
    let made = Vocabulary::from_tokens(texts, specials, vec![end], width);
    made.unwrap_or_else(|_| Vocabulary::from_tokens(Vec::new(), Vec::new(), Vec::new(), 0).expect("empty"))
}
