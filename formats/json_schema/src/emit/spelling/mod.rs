//! Spelling: from a language of texts to the language of their JSON strings.
//!
//! A language of texts is an automaton over UTF-8. In a JSON string (RFC 8259, section 7) every code point
//! has several spellings: itself unless it is a control character, `"` or `\`; a short escape such as `\n`
//! for some; `\uXXXX` in either case of the digits, in two halves above U+FFFF. [`Strings`] selects among them. The spellings of different
//! code points are disjoint and none is a prefix of another, so the spelling automaton of a deterministic
//! automaton is deterministic: transitions over raw bytes stay, and each state gets an escape state, from
//! which a trie of hexadecimal digits leads to the states that the code points lead to. Lengths, patterns and
//! equality of keys are decided before, on texts.

mod all_but;
mod code_points;
mod counted;
mod escaped;
mod escapes;
mod spelled;
mod speller;
mod state;
mod text_classes;

use crate::languages::format::TextFormat;
use crate::languages::{Frame, LanguageId, Languages};
use crate::options::{Options, Strings};
use gcc_grammar_limits::{Budget, OverBudget, Resource};
use gcc_grammar_regular::{Dfa, RegularLimits};
use speller::Speller;
use state::SpellingState;

pub(super) use all_but::{all_but, are_plain};
pub(super) use counted::counted;
pub(super) use spelled::{Spelled, spell};
use std::sync::OnceLock;

/// The texts of a language as strings of Python, in either kind of quotes, each followed by a text of `close`.
pub(super) fn python(texts: &Dfa, close: &Dfa, limits: &RegularLimits) -> Result<Dfa, OverBudget> {
    let quoted = |quote| Speller::python(texts, close, quote).automaton(SpellingState::Open, limits);
    quoted(b'\'')?.union(&quoted(b'"')?, limits)
}

/// The spellings of all texts, by [`Strings`]. All schemas share them.
static ALL: [OnceLock<Spelled>; Strings::ALL.len()] = [const { OnceLock::new() }; Strings::ALL.len()];

/// All JSON strings. `texts` must be the automaton of all texts.
pub(super) fn all(texts: &Dfa, strings: Strings) -> Spelled {
    let spelled = ALL[strings as usize].get_or_init(|| {
        let frame = Frame { open: true, close: Some(&Dfa::empty_string()) };
        spell(texts, frame, strings, &RegularLimits::default()).expect("a handful of states")
    });
    spelled.clone()
}

/// The spellings of each format, by [`Strings`]. All schemas share them.
static FORMATS: [[OnceLock<Spelled>; TextFormat::COUNT]; Strings::ALL.len()] =
    [const { [const { OnceLock::new() }; TextFormat::COUNT] }; Strings::ALL.len()];

/// All JSON strings of a format.
pub(super) fn of_format(format: TextFormat, strings: Strings) -> Spelled {
    let spelled = FORMATS[strings as usize][format.index()].get_or_init(|| {
        let frame = Frame { open: true, close: Some(&Dfa::empty_string()) };
        spell(&format.texts(), frame, strings, &RegularLimits::default()).expect("formats are small")
    });
    spelled.clone()
}

/// Languages with fewer states are small enough in all their spellings.
const LARGE: usize = 4_000;

/// Whether the strings of a language can be a terminal. That of a smaller language can.
///
/// # Errors
/// Their automaton is too large.
pub(crate) fn check(
    languages: &mut Languages,
    language: LanguageId,
    options: &Options,
) -> Result<(), OverBudget> {
    let language = languages.as_bounded(language).map_or(language, |(base, _)| base);
    if !options.style.is_json() || languages.as_lengths(language).is_some() {
        return Ok(());
    }
    let texts = languages.automaton(language)?;
    if texts.state_count() < LARGE {
        return Ok(());
    }
    let budget = &languages.limits().budget;
    let limits = of_terminal(budget);
    let frame = Frame { open: true, close: Some(&Dfa::empty_string()) };
    spell(&texts, frame, options.strings, &limits).map(|_| ()).map_err(|over| named(over, budget))
}

/// The limits of the automaton of a terminal.
pub(super) fn of_terminal(budget: &Budget) -> RegularLimits {
    let max_states = budget.limits().terminal_states as usize;
    RegularLimits { max_states, ..RegularLimits::within(budget) }
}

/// The error that an automaton is too large, if it is that of a terminal.
pub(super) fn named(over: OverBudget, budget: &Budget) -> OverBudget {
    match over.resource {
        Resource::AutomatonStates => budget.over(Resource::TerminalStates, budget.limits().terminal_states),
        _ => over,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcc_grammar_regular::Regex;
    use std::sync::Arc;

    fn spelled(regex: &Regex, strings: Strings) -> Arc<Dfa> {
        let texts = regex.to_dfa(&RegularLimits::default()).unwrap();
        let frame = Frame { open: true, close: Some(&Dfa::empty_string()) };
        spell(&texts, frame, strings, &RegularLimits::default()).unwrap().automaton
    }

    #[test]
    fn every_spelling_of_a_letter() {
        let dfa = spelled(&Regex::literal("aé𝄞/\n"), Strings::All);
        for text in
            [r#""aé𝄞/\n""#, r#""\u0061\u00e9\ud834\udd1e\/\u000a""#, r#""a\u00E9\uD834\uDD1E\u002f\u000A""#]
        {
            assert!(dfa.accepts(text.as_bytes()), "{text}");
        }
        for text in ["\"aé𝄞/\n\"", r#""aé\ud834/\n""#, r#""aé𝄞/n""#, r#"aé𝄞/\n"#, r#""aé𝄞/\n"x"#]
        {
            assert!(!dfa.accepts(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn characters_that_are_read_like_escapes_share_their_states() {
        for pattern in
            ["(%[0-9A-Fa-f]{2}|[é-ÿ])*", "x[0-9a-f]|[\\x00-\\x1F]", "\\n|an|bt|\\t", "u000a|\\n", "a/|/"]
        {
            let regex = Regex::parse(pattern, Default::default()).unwrap();
            for &strings in Strings::ALL {
                let dfa = spelled(&regex, strings);
                let minimal = dfa.intersect(&Dfa::all(), &RegularLimits::default()).unwrap();
                assert_eq!(*dfa, minimal, "{pattern} in {strings} spelling");
            }
        }
        for (place, &strings) in
            (0..TextFormat::COUNT).flat_map(|place| Strings::ALL.iter().map(move |strings| (place, strings)))
        {
            let dfa = of_format(TextFormat::at(place), strings).automaton;
            let minimal = dfa.intersect(&Dfa::all(), &RegularLimits::default()).unwrap();
            assert_eq!(*dfa, minimal, "format {place} in {strings} spelling");
        }
    }

    #[test]
    fn nothing_is_spelled_before_an_end_that_no_text_matches() {
        let (texts, limits) = (Regex::literal("key"), RegularLimits::default());
        let texts = texts.to_dfa(&limits).unwrap();
        for &strings in Strings::ALL {
            let frame = Frame { open: true, close: Some(&Dfa::never()) };
            assert_eq!(*spell(&texts, frame, strings, &limits).unwrap().automaton, Dfa::never());
        }
    }

    #[test]
    fn canonical_spelling_is_one() {
        let dfa = spelled(&Regex::literal("a/\n\u{1f}"), Strings::Canonical);
        assert!(dfa.accepts(br#""a/\n\u001f""#));
        for text in [r#""a\/\n\u001f""#, r#""a/\u000a\u001f""#, r#""a/\n\u001F""#, r#""\u0061/\n\u001f""#] {
            assert!(!dfa.accepts(text.as_bytes()), "{text}");
        }
    }

    /// A `0` may not follow, so that characters matter.
    #[test]
    fn only_printable_ascii_lacks_spellings_in_print() {
        let not_zero = gcc_grammar_regular::CharSet::single('0').negate();
        let dfa = spelled(&Regex::Chars(not_zero), Strings::Printed);
        for character in ('\0'..=char::MAX).filter(|&character| character != '0') {
            let is_printable = (' '..='~').contains(&character);
            let printed = serde_json::to_string(&character).unwrap();
            assert!(dfa.accepts(printed.as_bytes()), "{printed}");
            let mut units = [0; 2];
            let units = character.encode_utf16(&mut units);
            let lower: String = units.iter().map(|unit| format!("\\u{unit:04x}")).collect();
            let upper: String = units.iter().map(|unit| format!("\\u{unit:04X}")).collect();
            for escape in [lower, upper] {
                assert_eq!(dfa.accepts(format!("\"{escape}\"").as_bytes()), !is_printable, "{escape}");
            }
        }
        assert!(dfa.accepts(br#""\/""#));
        assert!(!dfa.accepts(br#""\a""#) && !dfa.accepts(b"\"\n\"") && !dfa.accepts(br#"""""#));
    }

    #[test]
    fn large_classes_have_no_escapes_outside_of_ascii_in_print() {
        let accepts = |pattern: &str, strings, text: &str| {
            spelled(&Regex::parse(pattern, Default::default()).unwrap(), strings).accepts(text.as_bytes())
        };
        for pattern in [r"\p{L}", r"[^\p{P}]", r"[\x00-\x1F\p{Lu}\p{Ll}]"] {
            assert!(accepts(pattern, Strings::All, r#""\u00e9""#), "{pattern}");
            assert!(!accepts(pattern, Strings::Printed, r#""\u00e9""#), "{pattern}");
            assert!(accepts(pattern, Strings::Printed, "\"é\""), "{pattern}");
        }
        assert!(accepts(r"[\x00-\x1F\p{L}]", Strings::Printed, r#""\u001F""#));
        for pattern in [r"\p{Cyrillic}|é", r"[à-ÿ]", r"[^ ]"] {
            assert!(accepts(pattern, Strings::Printed, r#""\u00e9""#), "{pattern}");
        }
        // Many characters, each with a state of its own, are no class.
        let words: Vec<String> = (0..64).map(|place| format!("\\u{:04x}{place}", 0xC0 + 2 * place)).collect();
        assert!(accepts(&words.join("|"), Strings::Printed, r#""\u00c00""#));
    }

    #[test]
    fn ranges_across_the_surrogates() {
        let set = gcc_grammar_regular::CharSet::new([(0xD7F0, 0x1_0FFF), (0x2_0001, 0x2_0801)]);
        let dfa = spelled(&Regex::Chars(set.clone()), Strings::All);
        let probes = [
            0xD7EF, 0xD7F0, 0xE000, 0xFFFF, 0x1_0000, 0x1_0FFF, 0x1_1000, 0x2_0000, 0x2_0001, 0x2_0801,
            0x2_0802,
        ];
        for code in probes {
            let mut units = [0; 2];
            let escaped: String = char::from_u32(code)
                .unwrap()
                .encode_utf16(&mut units)
                .iter()
                .map(|unit| format!("\\u{unit:04x}"))
                .collect();
            assert_eq!(dfa.accepts(format!("\"{escaped}\"").as_bytes()), set.contains(code), "{escaped}");
        }
        assert!(!dfa.accepts(br#""\ud800""#));
    }
}
