//! Texts that no string and no key may contain, and numbers with too many digits: taken out of the graph before it is trimmed, so that what becomes empty is no dead end.

use crate::automaton::Keys;
use crate::content::Content;
use crate::languages::number::digits;
use crate::languages::{LanguageId, Languages};
use crate::schema::Schemas;
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::Regex;
use std::num::NonZeroU16;

/// Takes strings and keys with excluded texts out of the values of all nodes.
pub(crate) fn exclude(
    contents: &mut [Content],
    schemas: &Schemas,
    languages: &mut Languages,
    excludes: &[String],
) -> Result<(), OverBudget> {
    let Some(excluded) = excluded(languages, excludes)? else { return Ok(()) };
    for content in contents {
        content.strings = languages.difference(content.strings, excluded)?;
        let states = content.objects.iter_mut().flat_map(|object| &mut object.states);
        for transitions in states.map(|state| &mut state.transitions) {
            for (keys, ..) in transitions.iter_mut() {
                *keys = without(*keys, schemas, languages, excluded)?;
            }
            transitions.retain(|(keys, ..)| *keys != Keys::Class(Languages::NOTHING));
        }
    }
    Ok(())
}

/// The texts that contain an excluded one; none if nothing is excluded.
pub(crate) fn excluded(
    languages: &mut Languages,
    excludes: &[String],
) -> Result<Option<LanguageId>, OverBudget> {
    if excludes.is_empty() {
        return Ok(None);
    }
    let words = Regex::union(excludes.iter().map(|text| Regex::literal(text)));
    languages.add_regex(&words.anywhere()).map(Some)
}

/// Takes the numbers of all nodes away that have no numeral in plain notation with so few digits.
pub(crate) fn within_digits(
    contents: &mut [Content],
    languages: &mut Languages,
    most: Option<NonZeroU16>,
) -> Result<(), OverBudget> {
    let Some(most) = most else { return Ok(()) };
    let all = digits(most, languages.limits())?;
    for content in contents {
        let numbers = languages.automaton(content.numbers)?;
        if !numbers.intersects(&all, languages.limits())? {
            content.numbers = Languages::NOTHING;
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
