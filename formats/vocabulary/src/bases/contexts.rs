//! The contexts of the base bitmaps: what a text begins with, and the language of the text.

use gcc_grammar_regular::{Dfa, PatternFlags, Regex, RegularLimits};
use std::sync::OnceLock;

/// A regular language of JSON texts. It is larger than the JSON texts of its kind, since brackets need not match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Language {
    /// Objects: after a comma comes a key.
    Object,
    /// Arrays: after a comma comes a value.
    Array,
    /// Arrays of strings.
    Strings,
    /// Arrays of numbers.
    Numbers,
    /// Objects after which the text ends.
    Single,
    /// A string in which printable characters of ASCII are not written as `\u`, as constrained strings are printed.
    Printed,
}

/// Any spelling of a string.
const STRING: &str = r#""([^"\\\x00-\x1F]|\\(["\\/bfnrt]|u([0-9abcefABCEF]X{3}|[dD]([0-7]X{2}|[89abAB]X{2}\\u[dD][c-fC-F]X{2}))))*""#;
/// The same without the escapes `\u0020` to `\u007e`.
const PRINTED: &str = r#""([^"\\\x00-\x1F]|\\(["\\/bfnrt]|u(0(0([0189a-fA-F]X|7[fF])|[1-9a-fA-F]X{2})|[1-9abcefABCEF]X{3}|[dD]([0-7]X{2}|[89abAB]X{2}\\u[dD][c-fC-F]X{2}))))*""#;
const NUMBER: &str = r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?";
/// White space as printers of JSON write it: nothing, a space, or a line break and an indentation.
const SPACE: &str = r"( |\r?\n[ \t]{0,32})?";

impl Language {
    /// The languages, in the order of the contexts.
    const ALL: [Self; 6] =
        [Self::Object, Self::Array, Self::Strings, Self::Numbers, Self::Single, Self::Printed];

    fn pattern(self) -> String {
        let key = r"S:\x20?";
        let scalar = "(S|N|true|false|null)";
        // Brackets that open, a scalar or an empty pair of brackets, brackets that close.
        let value = format!(r"(\[W|\{{W{key})*({scalar}|\[W\]|\{{W\}})(W[\]}}])*");
        let pattern = match self {
            Self::Object => format!(r"\{{W({key}{value}(,W{key}{value})*)?"),
            Self::Array => format!(r"\[W({value}(,W{value})*)?"),
            Self::Strings => r"\[W(S(W[\]}])*(,WS(W[\]}])*)*)?".to_owned(),
            Self::Numbers => r"\[W(N(W[\]}])*(,WN(W[\]}])*)*)?".to_owned(),
            Self::Single => r"\{W(S:\x20?S(,WS:\x20?S)*W)?\}".to_owned(),
            Self::Printed => format!("{PRINTED}(,W{key})?(W[\\]}}])*"),
        };
        let spelled = pattern.replace('S', STRING).replace('N', NUMBER).replace('W', SPACE);
        spelled.replace('X', "[0-9a-fA-F]")
    }

    fn automaton(self) -> Dfa {
        let regex = Regex::parse(&self.pattern(), PatternFlags::default()).expect("a valid pattern");
        regex.to_dfa(&RegularLimits::default()).expect("a few hundred states")
    }
}

/// The beginnings of texts, each with a number of spaces at its end. The tokens that may come next are a base. Its place in this list is its
/// number, which artifacts name: entries are never changed or removed, and new ones come at the end.
///
/// They were chosen greedily for the masks of 193 schemas of MaskBench and the vocabulary of Llama 3. Of the spaces that indent a line, each
/// number has masks of its own, of which every few are enough.
const CONTEXTS: &[(Language, &[u8], usize)] = &[
    (Language::Object, b"{\"a\":\"\\", 0),
    (Language::Object, b"{\"a\":\"\\u", 0),
    (Language::Object, b"{\"a\":\"\\ud", 0),
    (Language::Object, b"{\"a\":\"\\u0", 0),
    (Language::Object, b"{\"a\":\"\\u00", 0),
    (Language::Object, b"{\"a\":\"\\u000", 0),
    (Language::Object, b"{\"a\":\"\\ud8", 0),
    (Language::Object, b"{\"a\":\"\\ud800\\u", 0),
    (Language::Object, b"{\"a\":\"\\ud800\\ud", 0),
    (Language::Object, b"{\"a\":\"\xc3", 0),
    (Language::Object, b"{\"a\":\"\xe0", 0),
    (Language::Object, b"{\"a\":\"\xe1", 0),
    (Language::Object, b"{\"a\":\"\xed", 0),
    (Language::Object, b"{\"a\":\"\xf0", 0),
    (Language::Object, b"{\"a\":\"\xf1", 0),
    (Language::Object, b"{\"a\":\"\xf4", 0),
    (Language::Object, b"{\"a\":\"", 0),
    (Language::Object, b"{\"", 0),
    (Language::Object, b"{\"a\":1.", 0),
    (Language::Object, b"{\"a\":", 0),
    (Language::Object, b"{\"a\":1,", 0),
    (Language::Object, b"{\"a\":1, ", 0),
    (Language::Object, b"{\"a\":1,\n", 0),
    (Language::Object, b"{\"a\":1,\n", 8),
    (Language::Object, b"{\"a\":1,\n", 16),
    (Language::Object, b"{\"a\":1,\n", 24),
    (Language::Object, b"{\"a\":1,\n", 28),
    (Language::Array, b"[1, ", 0),
    (Language::Array, b"[1,\n", 0),
    (Language::Array, b"[1,\n", 8),
    (Language::Array, b"[1,\n", 16),
    (Language::Array, b"[1,\n", 24),
    (Language::Array, b"[1,\n", 28),
    (Language::Strings, b"[\"\",\n", 8),
    (Language::Strings, b"[\"\",\n", 16),
    (Language::Strings, b"[\"\",\n", 24),
    (Language::Strings, b"[\"\",\n", 28),
    (Language::Numbers, b"[1, ", 0),
    (Language::Numbers, b"[1,\n", 8),
    (Language::Numbers, b"[1,\n", 16),
    (Language::Numbers, b"[1,\n", 28),
    (Language::Single, b"{\"a\":\"", 0),
    (Language::Single, b"{\"", 0),
    (Language::Single, b"{\"a\":", 0),
    (Language::Single, b"{\n", 0),
    (Language::Single, b"{\"a\":\"\"\n", 0),
    (Language::Single, b"{\"a\":\"\"\n", 4),
    (Language::Single, b"{\"a\":\"\"\n", 8),
    (Language::Single, b"{\"a\":\"\"\n", 12),
    (Language::Single, b"{\"a\":\"\"\n", 16),
    (Language::Single, b"{\"a\":\"\"\n", 20),
    (Language::Single, b"{\"a\":\"\"\n", 22),
    (Language::Single, b"{\"a\":\"\"\n", 24),
    (Language::Single, b"{\"a\":\"\"\n", 26),
    (Language::Single, b"{\"a\":\"\"\n", 28),
    (Language::Single, b"{\"a\":\"\"\n", 30),
    (Language::Printed, b"\"\\u0", 0),
    (Language::Printed, b"\"\\u00", 0),
    (Language::Printed, b"\"\\u007", 0),
];

/// The contexts in a language.
pub(super) struct Contexts {
    pub(super) automaton: Dfa,
    /// Per context: its number, and the state of the automaton.
    pub(super) states: Vec<(u32, u32)>,
}

/// The contexts in all languages. All vocabularies share them.
pub(super) fn contexts() -> &'static [Contexts] {
    static ALL: OnceLock<[Contexts; Language::ALL.len()]> = OnceLock::new();
    ALL.get_or_init(|| {
        Language::ALL.map(|language| {
            let automaton = language.automaton();
            let own = (0..).zip(CONTEXTS).filter(|(_, context)| context.0 == language);
            let state = |(number, context): (u32, &(_, &[u8], usize))| {
                (number, state_after(&automaton, context.1, context.2))
            };
            Contexts { states: own.map(state).collect(), automaton }
        })
    })
}

fn state_after(automaton: &Dfa, start: &[u8], spaces: usize) -> u32 {
    let text = start.iter().copied().chain(std::iter::repeat_n(b' ', spaces));
    text.fold(0, |state, byte| automaton.next(state, byte).expect("the beginning of a text of the language"))
}
