//! The spellings of all texts but a few: those of the keys that an object does not declare.
//!
//! They are those of all texts, with a state more for each place in the few texts: a character that goes on with one of them leads to the next
//! place, and all others go on as in other texts. If the few have plain characters only, which have no escapes in print, a place has the escapes
//! of all other characters. So the rows of tables are copied from a model, the spellings of all texts but `0`, and few cells are written anew.

use super::spelled::{Spelled, spell};
use crate::languages::Frame;
use crate::options::Strings;
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{Dfa, Patchwork, Regex, RegularLimits};
use std::sync::OnceLock;

/// The spellings of all texts but `0`, with the states whose rows are copied.
struct Model {
    dfa: Dfa,
    /// In a text that is none of the few.
    outside: u32,
    /// After a backslash where the next character decides whether a text is one of the few.
    escape: u32,
}

/// The model. All schemas share it.
static MODEL: OnceLock<Model> = OnceLock::new();

impl Model {
    fn get(texts: &Dfa) -> &'static Self {
        MODEL.get_or_init(|| {
            let limits = RegularLimits::default();
            let zero = Regex::literal("0").to_dfa(&limits);
            let texts = zero.and_then(|zero| texts.without_few(&zero, &limits)).expect("a handful of states");
            let frame = Frame { open: true, close: Some(&Dfa::empty_string()) };
            let spelled = spell(&texts, frame, Strings::Printed, &limits).expect("a handful of states");
            let dfa = (*spelled.automaton).clone();
            let after = |text: &str| dfa.state_after(text.as_bytes()).expect("it reads all other texts");
            Self { outside: after("\"1"), escape: after("\"\\"), dfa }
        })
    }
}

/// The spellings in print of all texts but a few, in quotes and with what follows them. `texts` are all texts, always the same. `None` if some of the few have characters with escapes,
/// or if none has characters.
pub(crate) fn all_but(
    texts: &Dfa,
    few: &Dfa,
    close: &Dfa,
    limits: &RegularLimits,
) -> Result<Option<Spelled>, OverBudget> {
    if close.is_empty() || few.state_count() == 1 || !are_plain(few) {
        return Ok(None);
    }
    let Model { dfa: model, outside, escape } = Model::get(texts);
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
    Ok(Some(Spelled { automaton: states.build().into(), is_narrow: true }))
}

/// Whether all characters of some texts are printable, and have no escape that is shorter than six characters.
fn are_plain(few: &Dfa) -> bool {
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\' | b'/');
    let classes = few.byte_classes();
    // All bytes that occur in no text are one class.
    let unused = classes[0];
    let mut others = (0..=255u8).filter(|&byte| !is_plain(byte));
    others.all(|byte| classes[usize::from(byte)] == unused)
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
            for close in [&colon, &Dfa::empty_string()] {
                let frame = Frame { open: true, close: Some(close) };
                let spelled = spell(&others, frame, Strings::Printed, &limits).unwrap();
                let copied = all_but(&texts, &few, close, &limits).unwrap().unwrap();
                assert_eq!(copied.automaton, spelled.automaton, "{words:?}");
                assert_eq!(copied.is_narrow, spelled.is_narrow, "{words:?}");
            }
        }
        for word in ["", "a/b", "\"", "\\", "\n", "é", "\u{7F}"] {
            let few = dfa(Regex::literal(word));
            assert!(all_but(&texts, &few, &colon, &limits).unwrap().is_none(), "{word:?}");
        }
    }
}
