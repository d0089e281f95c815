//! The narrowings that concern the whole document: white space, and canonical strings, half surrogates, repeated keys.

use super::orders;
use crate::automaton::Keys;
use crate::content::Vertex;
use crate::graph::Graph;
use crate::languages::{LanguageId, Languages};
use crate::options::RepeatedKeys;
use crate::report::{Narrowed, Narrowing};
use gcc_grammar_limits::{Budget, OverBudget};
use gcc_grammar_regular::Dfa;
use rustc_hash::FxHashSet;

const HALF_SURROGATE: Narrowed = Narrowed {
    kind: Narrowing::HalfSurrogate,
    refuses: "the escape of half a surrogate pair, such as \"\\ud83d\", which stands for no character",
    help: "no option accepts it",
};
const REPEATED_KEY: Narrowed = Narrowed {
    kind: Narrowing::RepeatedKey,
    refuses: "a member that occurs twice in an object, where its key is declared or members are counted",
    help: "no option accepts it",
};
const REPEATED_NAME: Narrowed = Narrowed {
    kind: Narrowing::RepeatedKey,
    refuses: "a member that occurs twice in an object, where its key is declared, members are counted, or the object is in an item of an array with uniqueItems",
    help: "no option accepts it",
};
const REFUSED_REPETITION: Narrowed = Narrowed {
    kind: Narrowing::RepeatedKey,
    refuses: "a member that occurs twice in an object",
    help: "--repeated-keys accept accepts it where no schema declares the key",
};

const CANONICAL: Narrowed = Narrowed {
    kind: Narrowing::StringSpelling,
    refuses: "escapes of characters that need none, and other escapes than the shortest",
    help: "--strings all accepts every spelling",
};

/// The narrowings of the whole document, by kind. The vertices are those whose values occur in valid documents.
pub(super) fn narrowed(
    graph: &Graph,
    vertices: &[Vertex],
    languages: &mut Languages,
    (is_canonical, repeated_keys, white_space): (bool, RepeatedKeys, Option<Narrowed>),
    budget: &Budget,
) -> Result<Vec<Narrowed>, OverBudget> {
    let texts = texts(graph, vertices);
    let mut has_halves = false;
    for language in texts {
        has_halves |= admits_half_surrogates(language, languages, budget)?;
    }
    let objects = || vertices.iter().flat_map(|&vertex| &graph.content(vertex).objects);
    let has_names = vertices.iter().any(|&vertex| graph.content(vertex).has_names());
    let mut repeats = vertices.iter().any(|&vertex| graph.content(vertex).record.is_some());
    for object in objects() {
        repeats = repeats || orders::refuses_repetition(object, budget)?;
    }
    let kinds = [
        has_halves.then_some(HALF_SURROGATE),
        match repeated_keys {
            RepeatedKeys::Refuse => (has_names || repeats).then_some(REFUSED_REPETITION),
            RepeatedKeys::Accept if has_names => Some(REPEATED_NAME),
            RepeatedKeys::Accept => repeats.then_some(REPEATED_KEY),
        },
        is_canonical.then_some(CANONICAL),
        white_space,
    ];
    Ok(kinds.into_iter().flatten().collect())
}

/// The languages of all strings, and of all keys that no schema names.
fn texts(graph: &Graph, vertices: &[Vertex]) -> Vec<LanguageId> {
    let mut found = FxHashSet::default();
    for &vertex in vertices {
        let content = graph.content(vertex);
        found.insert(content.strings);
        let states = content.objects.iter().flat_map(|object| &object.states);
        found.extend(states.flat_map(|state| &state.transitions).filter_map(|&(keys, ..)| match keys {
            Keys::Class(language) => Some(language),
            Keys::Named(_) => None,
        }));
    }
    found.into_iter().collect()
}

/// Whether the strings that a language stands for include some with half a surrogate pair: at some place it allows both neighbours of
/// the surrogates, U+D7FF and U+E000, without difference.
fn admits_half_surrogates(
    language: LanguageId,
    languages: &mut Languages,
    budget: &Budget,
) -> Result<bool, OverBudget> {
    let language = languages.as_bounded(language).map_or(language, |(base, _)| base);
    if let Some(lengths) = languages.as_lengths(language) {
        return Ok(lengths.max != Some(0));
    }
    let texts = languages.automaton(language)?;
    budget.charge_work(texts.state_count() as u64)?;
    let after = |texts: &Dfa, state: u32, character: char| {
        let mut bytes = [0; 4];
        let bytes = character.encode_utf8(&mut bytes).bytes();
        bytes.into_iter().try_fold(state, |state, byte| texts.next(state, byte))
    };
    Ok((0..texts.state_count() as u32).any(|state| {
        let before = after(&texts, state, '\u{D7FF}');
        before.is_some() && before == after(&texts, state, '\u{E000}')
    }))
}
