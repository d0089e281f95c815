//! Finite languages of texts: their members and the lengths of their members.

use crate::topological::topological;
use gcc_grammar_regular::Dfa;
use std::collections::VecDeque;

/// The only text of a language; `None` if there are others, or none.
pub(crate) fn only_text(dfa: &Dfa) -> Option<String> {
    String::from_utf8(dfa.only_string()?).ok()
}

/// All texts of a language, sorted; `None` if there are more than `most`.
pub(crate) fn all_texts(dfa: &Dfa, most: usize) -> Option<Vec<String>> {
    if !dfa.is_finite() {
        return None;
    }
    let mut texts = Vec::new();
    let mut open = vec![(0u32, Vec::new())];
    while let Some((state, bytes)) = open.pop() {
        if dfa.is_empty() {
            break;
        }
        if dfa.is_accepting(state) {
            texts.push(String::from_utf8(bytes.clone()).ok()?);
        }
        for (low, high, target) in dfa.edges(state) {
            for byte in low..=high {
                let mut longer = bytes.clone();
                longer.push(byte);
                open.push((target, longer));
            }
        }
        if texts.len() + open.len() > 4 * most || texts.len() > most {
            return None;
        }
    }
    texts.sort_unstable();
    (texts.len() <= most).then_some(texts)
}

/// The number of texts of a language; `None` if it is infinite or has more than 32 bits.
pub(crate) fn count(dfa: &Dfa) -> Option<u32> {
    if dfa.is_empty() {
        return Some(0);
    }
    if !dfa.is_finite() {
        return None;
    }
    // How many beginnings of texts lead to each state.
    let mut ways = vec![0u32; dfa.state_count()];
    ways[0] = 1;
    let mut all = 0u32;
    for state in in_order(dfa)? {
        let here = ways[state as usize];
        if dfa.is_accepting(state) {
            all = all.checked_add(here)?;
        }
        for (low, high, target) in dfa.edges(state) {
            let more = here.checked_mul(u32::from(high - low) + 1)?;
            let ways = &mut ways[target as usize];
            *ways = ways.checked_add(more)?;
        }
    }
    Some(all)
}

/// The number of texts with at most so many characters; `None` if it has more than 32 bits. `step` is told before the work of each character.
pub(crate) fn count_within<E>(
    dfa: &Dfa,
    most: u32,
    step: impl Fn(usize) -> Result<(), E>,
) -> Result<Option<u32>, E> {
    if dfa.is_empty() {
        return Ok(Some(0));
    }
    // How many beginnings of so many characters lead to each state. No sum is too small by saturation to have more than 32 bits.
    let mut ways = vec![0_u64; dfa.state_count()];
    ways[0] = 1;
    let mut all = u64::from(dfa.is_accepting(0));
    for _ in 0..most {
        step(dfa.state_count())?;
        let mut within = longer(dfa, &ways, false);
        ways.clone_from(&within);
        for _ in 1..MOST_BYTES {
            within = longer(dfa, &within, true);
            ways.iter_mut().zip(&within).for_each(|(ways, more)| *ways = ways.saturating_add(*more));
        }
        let accepting = (0..).zip(&ways).filter(|&(state, _)| dfa.is_accepting(state));
        all = accepting.fold(all, |all, (_, ways)| all.saturating_add(*ways));
        if all > u64::from(u32::MAX) || ways.iter().all(|&ways| ways == 0) {
            break;
        }
    }
    Ok(u32::try_from(all).ok())
}

/// The most bytes of a character.
const MOST_BYTES: usize = 4;

/// How many texts lead to each state that are longer by a byte: one that continues a character, or one that begins one.
fn longer(dfa: &Dfa, ways: &[u64], continues: bool) -> Vec<u64> {
    let mut longer = vec![0_u64; ways.len()];
    for (state, &ways) in (0..).zip(ways).filter(|&(_, &ways)| ways > 0) {
        for (low, high, target) in dfa.edges(state) {
            if (0x80..0xC0).contains(&low) == continues {
                let sum = &mut longer[target as usize];
                *sum = sum.saturating_add(ways.saturating_mul(u64::from(high - low) + 1));
            }
        }
    }
    longer
}

/// The least and greatest number of characters of the texts of a language; `None` if the language is empty or
/// infinite.
pub(crate) fn length_bounds(dfa: &Dfa) -> Option<(u32, u32)> {
    if dfa.is_empty() || !dfa.is_finite() {
        return None;
    }
    let mut bounds: Vec<Option<(u32, u32)>> = vec![None; dfa.state_count()];
    bounds[0] = Some((0, 0));
    let mut all: Option<(u32, u32)> = None;
    let join = |into: &mut Option<(u32, u32)>, (least, greatest): (u32, u32)| {
        *into = Some(into.map_or((least, greatest), |known| (known.0.min(least), known.1.max(greatest))));
    };
    for state in in_order(dfa)? {
        let Some((least, greatest)) = bounds[state as usize] else { continue };
        if dfa.is_accepting(state) {
            join(&mut all, (least, greatest));
        }
        for (low, _, target) in dfa.edges(state) {
            // A continuation byte belongs to the character before it; no range of bytes mixes the two kinds.
            let step = u32::from(!(0x80..0xC0).contains(&low));
            join(&mut bounds[target as usize], (least + step, greatest + step));
        }
    }
    all
}

/// The states of a finite language, each before its targets.
fn in_order(dfa: &Dfa) -> Option<impl Iterator<Item = u32>> {
    let targets = |state| dfa.edges(state as u32).map(|(.., target)| target as usize);
    Some(topological(dfa.state_count(), targets)?.into_iter().map(|state| state as u32))
}

/// The least number of characters of the texts of a language; `None` if it is empty.
pub(crate) fn least_length(dfa: &Dfa) -> Option<u32> {
    let mut least: Vec<Option<u32>> = vec![None; dfa.state_count()];
    // States in the order of the number of characters before them: continuation bytes add none.
    let mut open = VecDeque::from([(0u32, 0u32)]);
    while let Some((state, characters)) = open.pop_front() {
        if least[state as usize].is_some() {
            continue;
        }
        least[state as usize] = Some(characters);
        if dfa.is_accepting(state) {
            return Some(characters);
        }
        for (low, _, target) in dfa.edges(state) {
            match (0x80..0xC0).contains(&low) {
                true => open.push_front((target, characters)),
                false => open.push_back((target, characters + 1)),
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcc_grammar_regular::Regex;
    use gcc_grammar_regular::RegularLimits;

    fn dfa(regex: &Regex) -> Dfa {
        regex.to_dfa(&RegularLimits::default()).unwrap()
    }

    #[test]
    fn a_text_is_the_only_one_or_not() {
        let only = |pattern: &str| only_text(&dfa(&Regex::parse(pattern, Default::default()).unwrap()));
        for text in ["", "a", "aa", "abcabc", "é𝄞"] {
            assert_eq!(only(text).as_deref(), Some(text));
        }
        for pattern in ["a?", "ab?", "[ab]", "[ab]c", "a*", "aa*", "ab|ac", "ab|b"] {
            assert_eq!(only(pattern), None, "{pattern}");
        }
        assert_eq!(only_text(&Dfa::never()), None);
    }

    #[test]
    fn finite_languages_are_listed_and_measured() {
        let words = dfa(&Regex::union(["ab", "é", "abc𝄞"].map(Regex::literal)));
        assert_eq!(all_texts(&words, 3).unwrap(), ["ab", "abc𝄞", "é"]);
        assert_eq!(all_texts(&words, 2), None);
        assert_eq!(count(&words), Some(3));
        assert_eq!(
            count(&dfa(&Regex::parse("[a-z]{0,3}|[0-9]", Default::default()).unwrap())),
            Some(1 + 26 + 676 + 17_576 + 10)
        );
        assert_eq!(
            [Dfa::all(), Dfa::never(), Dfa::empty_string()].map(|dfa| count(&dfa)),
            [None, Some(0), Some(1)]
        );
        assert_eq!(count(&dfa(&Regex::parse("[a-z]{9}", Default::default()).unwrap())), None);
        for pattern in ["[a-c]*", "(?:é|b𝄞)*", "a{2}", "(?:ab|é)*(?:c|𝄞)", "[0-9]{1,3}|é*", ".*"] {
            let (any, limits) =
                (dfa(&Regex::parse(pattern, Default::default()).unwrap()), RegularLimits::default());
            for most in 0..4 {
                let short = any.intersect(&dfa(&Regex::any_char().repeat(0, Some(most))), &limits).unwrap();
                assert_eq!(
                    count_within(&any, most, |_| Ok::<_, ()>(())),
                    Ok(count(&short)),
                    "{pattern} {most}"
                );
            }
        }
        assert_eq!(length_bounds(&words), Some((1, 4)));
        assert_eq!(length_bounds(&dfa(&Regex::any_char().repeat(2, Some(5)))), Some((2, 5)));
        assert_eq!(length_bounds(&dfa(&Regex::any_char().star())), None);
        assert_eq!(length_bounds(&Dfa::never()), None);
        let least =
            [words, dfa(&Regex::any_char().repeat(3, None)), dfa(&Regex::literal("é𝄞")), Dfa::never()];
        assert_eq!(least.map(|dfa| least_length(&dfa)), [Some(1), Some(3), Some(2), None]);
    }
}
