//! Makes a stand-in for the vocabulary, so that the stages before the vocabulary can run without one.
//!
//! In: a grammar. Out: a vocabulary without text tokens in which every special token that the grammar names
//! exists. The LR tables and the lexer do not depend on the ids of its tokens.

use gcc_grammar_ir::{Grammar, Pattern, TokenSelector};
use gcc_grammar_vocabulary::{SpecialToken, Vocabulary};
use std::collections::BTreeSet;

/// The highest id of a token that is named by its id. No real vocabulary has as many tokens.
const HIGHEST_ID: u32 = 1 << 22;

/// Makes a vocabulary that has the special tokens of the grammar.
pub(crate) fn stand_in(grammar: &Grammar) -> Vocabulary {
    let selectors = grammar.terminals.iter().filter_map(|terminal| match &terminal.pattern {
        Pattern::Token(selectors) => Some(selectors),
        Pattern::Regex(_) => None,
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
    let made = Vocabulary::from_tokens(Vec::new(), specials, vec![end], end + 1);
    made.unwrap_or_else(|_| Vocabulary::from_tokens(Vec::new(), Vec::new(), Vec::new(), 0).expect("empty"))
}
