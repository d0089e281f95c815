//! Texts that no string and no key may contain: taken out of the graph before it is trimmed, so that what becomes empty is no dead end.

use crate::automaton::Keys;
use crate::graph::Content;
use crate::languages::{LanguageId, Languages};
use crate::schema::Schemas;
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::Regex;

/// Takes strings and keys with excluded texts out of the values of all nodes.
pub(crate) fn exclude(
    contents: &mut [Content],
    schemas: &Schemas,
    languages: &mut Languages,
    excludes: &[String],
) -> Result<(), OverBudget> {
    if excludes.is_empty() {
        return Ok(());
    }
    let words = Regex::union(excludes.iter().map(|text| Regex::literal(text)));
    let excluded = languages.add_regex(&words.anywhere())?;
    for content in contents {
        content.strings = languages.difference(content.strings, excluded)?;
        let states = content.object.iter_mut().flat_map(|object| &mut object.states);
        for transitions in states.map(|state| &mut state.transitions) {
            for (keys, ..) in transitions.iter_mut() {
                *keys = without(*keys, schemas, languages, excluded)?;
            }
            transitions.retain(|(keys, ..)| *keys != Keys::Class(Languages::NOTHING));
        }
    }
    Ok(())
}

fn without(
    keys: Keys,
    schemas: &Schemas,
    languages: &mut Languages,
    excluded: LanguageId,
) -> Result<Keys, OverBudget> {
    Ok(match keys {
        Keys::Class(keys) => Keys::Class(languages.difference(keys, excluded)?),
        Keys::Named(key) if languages.contains(excluded, schemas.key(key))? => {
            Keys::Class(Languages::NOTHING)
        }
        named => named,
    })
}
