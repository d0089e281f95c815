//! Token budgets where keys or items are remembered, beside the list of all documents.
//!
//! The fewest tokens that complete a text follow from the list, which shares nothing with the compiler. Along random outputs within budgets, each token of a mask
//! must leave enough for some document, each output must be a document, and the mask far from the end must be the one without a budget.

use crate::distinct::vocabulary;
use crate::keys;
use crate::subject::{TokenBytes, convert};
use crate::{Token, Vocabulary, distinct};
use gcc_grammar_artifact::GrammarView;
use gcc_grammar_compiler::Options;
use gcc_grammar_json_schema as json_schema;
use gcc_grammar_random::Random;
use gcc_grammar_runtime::{Engine, Matcher, TokenId};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Schemas with more documents are not compared.
const MOST_DOCUMENTS: usize = 3_000;
/// Budgets above the least one.
const ABOVE: u32 = 6;
/// A budget that is far from its end.
const FAR: u32 = 100_000;
/// The words of a scratch.
const SCRATCH: usize = 1 << 17;

/// How much was checked.
#[derive(Default, Debug)]
pub struct Tally {
    /// Schemas whose artifacts have budgets and remember.
    pub samples: usize,
    /// Schemas whose artifacts have none.
    pub without: usize,
    /// Outputs within a budget.
    pub outputs: usize,
    /// Tokens of masks without a budget that were asked for.
    pub decisions: usize,
    /// Those that no completion follows within the budget.
    pub unaffordable: usize,
    /// Those that the mask lacks, though one follows.
    pub lacking: usize,
    /// Positions, by how much more than the fewest tokens the matcher takes to be needed.
    pub above_fewest: std::collections::BTreeMap<u32, usize>,
}

/// The documents, and the fewest tokens from each place in them to the end.
struct Documents {
    texts: Vec<Vec<u8>>,
    fewest: Vec<Vec<u32>>,
}

impl Documents {
    fn new(texts: BTreeSet<String>, vocabulary: &Vocabulary) -> Self {
        let texts: Vec<Vec<u8>> = texts.into_iter().map(String::into_bytes).collect();
        let tokens = vocabulary.tokens.iter().filter_map(|token| match token {
            Token::Text(bytes) => Some(bytes),
            _ => None,
        });
        let tokens: Vec<&Vec<u8>> = tokens.collect();
        let fewest = |text: &Vec<u8>| {
            let mut fewest = vec![u32::MAX; text.len() + 1];
            fewest[text.len()] = 1;
            for at in (0..text.len()).rev() {
                let next = tokens.iter().filter(|token| text[at..].starts_with(token));
                let least = next.map(|token| fewest[at + token.len()]).min().expect("all bytes are tokens");
                fewest[at] = least.saturating_add(1);
            }
            fewest
        };
        let fewest = texts.iter().map(fewest).collect();
        Self { texts, fewest }
    }

    /// The fewest tokens that complete a text, the end token included.
    fn fewest(&self, text: &[u8]) -> Option<u32> {
        let first = self.texts.partition_point(|document| &document[..] < text);
        let rest = self.texts[first..].iter().take_while(|document| document.starts_with(text));
        rest.zip(&self.fewest[first..]).map(|(_, fewest)| fewest[text.len()]).min()
    }
}

/// Draws outputs of a random object or list within several budgets.
///
/// # Panics
/// Something is wrong.
pub fn try_sample(seed: u64, tally: &mut Tally) {
    let random = &mut Random::new(seed);
    if random.chance(60) {
        let shape = match random.chance(20) {
            true => keys::Shape::random_counted(random),
            false => keys::Shape::random(random),
        };
        let is_listed = shape.others.is_empty();
        if let Some(documents) = shape.documents().filter(|_| is_listed) {
            compare(&shape.schema(), &shape.options(), documents, random, tally);
        }
    } else {
        let shape = distinct::Shape::random(random, 2);
        let whitespace = "compact".parse().expect("a known word");
        let strings = json_schema::Strings::Canonical;
        let options = json_schema::Options { whitespace, strings, ..Default::default() };
        if let Some(documents) = shape.documents() {
            compare(&shape.schema(), &options, documents, random, tally);
        }
    }
}

/// Draws outputs of a schema, of which all documents are listed, within several budgets.
///
/// # Panics
/// Something is wrong.
pub fn compare(
    schema: &str,
    options: &json_schema::Options,
    documents: BTreeSet<String>,
    random: &mut Random,
    tally: &mut Tally,
) {
    if documents.is_empty() || documents.len() > MOST_DOCUMENTS {
        return;
    }
    let Ok(grammar) = json_schema::compile(schema, options) else { return };
    let tokens = vocabulary(&documents, random);
    let compiled_for = convert(&tokens);
    let grammar = Arc::new(grammar.grammar);
    let compiled = gcc_grammar_compiler::compile(&grammar, &compiled_for, &Options::default(), &mut ());
    let compiled = compiled.expect("a small grammar");
    if compiled.tables.distinct.is_none() {
        return;
    }
    if compiled.tables.completion.is_none() {
        tally.without += 1;
        return;
    }
    tally.samples += 1;
    let bytes = compiled.to_artifact(&compiled_for);
    let bytes_of = TokenBytes::new(&compiled_for);
    let engine =
        Engine::new(GrammarView::open(&bytes).expect("written"), &bytes_of).expect("compiled for it");
    let mut scratch = vec![0; SCRATCH];
    let mut matcher = Matcher::new(&engine, &mut scratch, 4).expect("room for the beginning");
    matcher.set_max_search(u64::MAX);
    let documents = Documents::new(documents, &tokens);
    let mut walk = Walk { schema, tokens: &tokens, documents: &documents, matcher };
    let least = walk.matcher.min_remaining().expect("enough scratch").expect("a document is known");
    for budget in least..=least + ABOVE {
        walk.matcher.reset();
        walk.matcher.set_budget(Some(budget)).expect("large enough");
        walk.output(random, tally);
        walk.matcher.set_budget(None).expect("lifted");
    }
}

struct Walk<'a, 'e, 's> {
    schema: &'a str,
    tokens: &'a Vocabulary,
    documents: &'a Documents,
    matcher: Matcher<'e, 's>,
}

impl Walk<'_, '_, '_> {
    /// Draws an output within the budget of the matcher.
    fn output(&mut self, random: &mut Random, tally: &mut Tally) {
        let mut text = Vec::new();
        tally.outputs += 1;
        loop {
            let remaining = self.matcher.remaining().expect("a budget was set");
            let place = format!("{}: {:?}, {remaining} remain", self.schema, String::from_utf8_lossy(&text));
            let least = self.matcher.min_remaining().expect("enough scratch").expect("it can end");
            let fewest = self.documents.fewest(&text).expect("the text is viable");
            assert!(fewest <= least && least <= remaining, "{place}: {fewest}, {least}");
            *tally.above_fewest.entry(least - fewest).or_default() += 1;
            let mask = self.mask(remaining);
            self.check_mask(&text, (remaining, &mask), &place, tally);
            self.check_completion(&text, least, &place);
            assert!(!mask.is_empty(), "{place}: a dead end");
            let token = *random.pick(&mask);
            self.matcher.commit(TokenId(token)).unwrap_or_else(|error| panic!("{place}: {token}: {error}"));
            match &self.tokens.tokens[token as usize] {
                Token::Text(bytes) => text.extend_from_slice(bytes),
                _ => {
                    assert!(self.documents.texts.contains(&text), "{place}");
                    return;
                }
            }
        }
    }

    fn mask(&mut self, remaining: u32) -> Vec<u32> {
        let mut row = vec![0; self.matcher.engine().row_words()];
        self.matcher.fill_mask_within(&mut row, remaining).expect("enough scratch");
        bits(&row)
    }

    /// Compares the mask with the documents, and a far one with that without a budget.
    fn check_mask(&mut self, text: &[u8], (remaining, mask): (u32, &[u32]), place: &str, tally: &mut Tally) {
        let mut scratch = vec![0; SCRATCH];
        let mut fork = self.matcher.fork(&mut scratch).expect("as large");
        fork.set_budget(None).expect("lifted");
        let mut row = vec![0; fork.engine().row_words()];
        fork.fill_mask(&mut row).expect("enough scratch");
        let plain = bits(&row);
        fork.fill_mask_within(&mut row, FAR).expect("enough scratch");
        assert_eq!(bits(&row), plain, "{place}: far from the end");
        assert!(mask.iter().all(|token| plain.contains(token)), "{place}: {mask:?}, {plain:?}");
        for token in plain {
            let after = match &self.tokens.tokens[token as usize] {
                Token::Text(bytes) => self.documents.fewest(&[text, bytes].concat()).expect("it is viable"),
                _ => 0,
            };
            tally.decisions += 1;
            tally.unaffordable += usize::from(after >= remaining);
            let is_there = mask.contains(&token);
            assert!(!is_there || after < remaining, "{place}: {token} leaves {after}");
            tally.lacking += usize::from(!is_there && after < remaining);
            assert_eq!(self.matcher.allows(TokenId(token)), Ok(is_there), "{place}: {token}");
        }
    }

    /// The completion that is known is one.
    fn check_completion(&mut self, text: &[u8], least: u32, place: &str) {
        let mut completion = vec![TokenId(0); least as usize];
        let length = self.matcher.shortest_completion(&mut completion);
        let length = length.unwrap_or_else(|error| panic!("{place}: {least} tokens are known: {error}"));
        let mut text = text.to_vec();
        for token in &completion[..length] {
            if let Token::Text(bytes) = &self.tokens.tokens[token.0 as usize] {
                text.extend_from_slice(bytes);
            }
        }
        assert!(self.documents.texts.contains(&text), "{place}: {}", String::from_utf8_lossy(&text));
    }
}

fn bits(row: &[u32]) -> Vec<u32> {
    let tokens = 0..32 * row.len() as u32;
    tokens.filter(|token| row[*token as usize / 32] >> (token % 32) & 1 == 1).collect()
}
