//! The spellings of all texts but a few: those of the keys that an object does not declare.
//!
//! They are those of all texts, with a state more for each place in the few texts: a character that goes on with one of them leads to the next
//! place, and all others go on as in other texts. If the few have plain characters only, which have no escapes in print, a place has the escapes
//! of all other characters. So the rows of tables are copied from a model, the spellings of all texts but `0`, and few cells are written anew.

use super::spelled::{Spelled, spell};
use super::text_classes::is_plain;
use crate::languages::Frame;
use crate::options::Strings;
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{Dfa, Patchwork, Regex, RegularLimits};
use std::sync::LazyLock;

/// The spellings of all texts but `0`, with the states whose rows are copied.
struct Model {
    dfa: Dfa,
    /// In a text that is none of the few.
    outside: u32,
    /// After a backslash where the next character decides whether a text is one of the few.
    escape: u32,
}

/// The model. All schemas share it.
static MODEL: LazyLock<Model> = LazyLock::new(|| {
    let limits = RegularLimits::default();
    let zero = Regex::literal("0");
    let texts = Regex::Intersect(vec![Regex::any_char().star(), Regex::Complement(Box::new(zero))]);
    let frame = Frame { open: true, close: Some(&Dfa::empty_string()) };
    let spelled = texts.to_dfa(&limits).and_then(|texts| spell(&texts, frame, Strings::Printed, &limits));
    let dfa = (*spelled.expect("a handful of states").automaton).clone();
    let after = |text: &str| dfa.state_after(text.as_bytes()).expect("it reads all other texts");
    Model { outside: after("\"1"), escape: after("\"\\"), dfa }
});

/// The spellings in print of all texts but a few, for which [`are_plain`] holds, in quotes and with what follows them.
pub(crate) fn all_but(few: &Dfa, close: &Dfa, limits: &RegularLimits) -> Result<Spelled, OverBudget> {
    let Model { dfa: model, outside, escape } = &*MODEL;
    // First the quote, then the places in the few texts, the model, and what follows the closing quote.
    let (in_few, in_model) = (1, 1 + few.state_count() as u32);
    let in_close = in_model + model.state_count() as u32;
    let parts = [model, few, close];
    let mut states = Patchwork::new(&parts, in_close as usize + close.state_count(), limits)?;
    states.copy(0, 0, in_model);
    states.set(b'"', Some(in_few));
    for place in 0..few.state_count() as u32 {
        states.copy(0, *outside, in_model);
        states.overlay(1, place, in_few);
        states.set(b'"', (!few.is_accepting(place)).then_some(in_close));
        if few.targets(place).any(|target| target.is_some()) {
            states.set(b'\\', Some(in_model + escape));
        }
    }
    for state in 0..model.state_count() as u32 {
        states.copy(0, state, in_model);
        if state == *outside {
            states.set(b'"', Some(in_close));
        }
    }
    (0..close.state_count() as u32).for_each(|state| states.copy(2, state, in_close));
    Ok(Spelled { automaton: states.build().into(), is_narrow: true })
}

/// Whether some texts have characters, and all of these are printable and have no escape that is shorter than six characters.
pub(crate) fn are_plain(few: &Dfa) -> bool {
    let classes = few.byte_classes();
    // All bytes that occur in no text are one class.
    let unused = classes[0];
    let mut others = (0..=255u8).filter(|&byte| !is_plain(byte));
    few.state_count() > 1
        && others.all(|byte| classes[usize::from(byte)] == unused)
        && (0..few.state_count() as u32).all(|state| few.next_by_class(state, unused).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_are_those_of_the_automaton_of_all_other_texts() {
        let limits = RegularLimits::default();
        let dfa = |regex: Regex| regex.to_dfa(&limits).unwrap();
        let texts = dfa(Regex::any_char().star());
        let colon = dfa(Regex::parse(" ?: ?", Default::default()).unwrap());
        let words = [
            &["0"][..],
            &["", "0", "00"],
            &["name", "age"],
            &["ba", "ca", "b", "aa"],
            &["u00e9", "n", "bfnrt", "7F", "{a b}"],
            &["~", " "],
        ];
        for words in words {
            let few = dfa(Regex::union(words.iter().map(|word| Regex::literal(word))));
            let others = texts.difference(&few, &limits).unwrap();
            assert!(are_plain(&few), "{words:?}");
            for close in [&colon, &Dfa::empty_string()] {
                let frame = Frame { open: true, close: Some(close) };
                let spelled = spell(&others, frame, Strings::Printed, &limits).unwrap();
                let copied = all_but(&few, close, &limits).unwrap();
                assert_eq!(copied.automaton, spelled.automaton, "{words:?}");
                assert_eq!(copied.is_narrow, spelled.is_narrow, "{words:?}");
            }
        }
        for word in ["", "a/b", "\"", "\\", "\n", "é", "\u{7F}"] {
            assert!(!are_plain(&dfa(Regex::literal(word))), "{word:?}");
        }
    }
}
