//! The contexts of the base bitmaps: what a text begins with, and the language of the text.

use gcc_grammar_artifact::bases::ALL_PLANES;
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
    /// Objects whose first value is a string of at most [`MOST`] characters.
    Counted,
    /// Objects whose first value is a string that does not end.
    Unclosed,
    /// Objects whose first value is a URI.
    Uri,
    /// Objects whose first value is an email address.
    Email,
}

/// The greatest number of characters that are left in a string in [`Language::Counted`].
const MOST: usize = 40;

/// Any spelling of a string.
const STRING: &str = r#""([^"\\\x00-\x1F]|\\(["\\/bfnrt]|u([0-9abcefABCEF]X{3}|[dD]([0-7]X{2}|[89abAB]X{2}\\u[dD][c-fC-F]X{2}))))*""#;
/// The same without the escapes `\u0020` to `\u007e`.
const PRINTED: &str = r#""([^"\\\x00-\x1F]|\\(["\\/bfnrt]|u(0(0([0189a-fA-F]X|7[fF])|[1-9a-fA-F]X{2})|[1-9abcefABCEF]X{3}|[dD]([0-7]X{2}|[89abAB]X{2}\\u[dD][c-fC-F]X{2}))))*""#;
const NUMBER: &str = r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?";
/// RFC 3986, of whose IP literals only those of the future. A slash may be escaped.
const URI: &str = "[A-Za-z][A-Za-z0-9+.-]*:(//((U|:)*@)?(\\[v[0-9a-fA-F]+[.](U|:)+\\]|U*)(:[0-9]*)?(/P*)*|/(P+(/P*)*)?|P+(/P*)*)?([?](P|/|[?])*)?(#(P|/|[?])*)?";
/// RFC 5321, without IP literals.
const EMAIL: &str =
    r#"((A|/)+([.](A|/)+)*|\\"(Q|\\\\(Q|\\\\|\\"))*\\")@L([A-Za-z0-9-]*L)?([.]L([A-Za-z0-9-]*L)?)*"#;
/// White space as printers of JSON write it: nothing, a space, or a line break and an indentation.
const SPACE: &str = r"( |\r?\n[ \t]{0,32})?";

impl Language {
    /// The languages, in the order of the contexts.
    const ALL: [Self; 10] = [
        Self::Object,
        Self::Array,
        Self::Strings,
        Self::Numbers,
        Self::Single,
        Self::Printed,
        Self::Counted,
        Self::Unclosed,
        Self::Uri,
        Self::Email,
    ];

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
            Self::Unclosed => format!(r"\{{W{key}{}", PRINTED.trim_end_matches('"')),
            Self::Uri => {
                let unreserved = "([A-Za-z0-9._~!$&'()*+,;=-]|%XX)";
                let uri = URI.replace('/', r"\\?/").replace('P', "(U|[:@])").replace('U', unreserved);
                format!("\\{{W{key}\"{uri}\"(W[\\]}}])*(,W{key}{value})*")
            }
            Self::Email => {
                let quoted = EMAIL.replace('Q', r"([\x20\x21\x23-\x5B\x5D-\x7E]|/)").replace('/', r"\\?/");
                let email =
                    quoted.replace('L', "[a-zA-Z0-9]").replace("(A|", "([a-zA-Z0-9!#$%&'*+=?^_`{|}~-]|");
                format!("\\{{W{key}\"{email}\"(W[\\]}}])*(,W{key}{value})*")
            }
            Self::Counted => {
                let counted = PRINTED.replace(")*\"", &format!("){{0,{MOST}}}\""));
                format!(r"\{{W{key}{counted}(W[\]}}])*(,W{key}{value})*")
            }
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

/// The contexts whose bases come behind the planes.
const LATER: &[(Language, &[u8])] = &[
    (Language::Uri, b"{\"a\":\""),
    (Language::Uri, b"{\"a\":\"a"),
    (Language::Uri, b"{\"a\":\"a:"),
    (Language::Uri, b"{\"a\":\"a://"),
    (Language::Uri, b"{\"a\":\"a://a:1"),
    (Language::Uri, b"{\"a\":\"a://a@"),
    (Language::Uri, b"{\"a\":\"a://a@a:1"),
    (Language::Uri, b"{\"a\":\"a://[v1"),
    (Language::Uri, b"{\"a\":\"a://[v1."),
    (Language::Uri, b"{\"a\":\"a://[v1.a"),
    (Language::Uri, b"{\"a\":\"a:#"),
    (Language::Uri, b"{\"a\":\"a:%"),
    (Language::Uri, b"{\"a\":\"a:%0"),
    (Language::Uri, b"{\"a\":\"a:\\"),
    (Language::Email, b"{\"a\":\""),
    (Language::Email, b"{\"a\":\"a"),
    (Language::Email, b"{\"a\":\"a."),
    (Language::Email, b"{\"a\":\"a@"),
    (Language::Email, b"{\"a\":\"a@a"),
    (Language::Email, b"{\"a\":\"a@a-"),
    (Language::Email, b"{\"a\":\"\\"),
    (Language::Email, b"{\"a\":\"a\\"),
    (Language::Email, b"{\"a\":\"\\\""),
    (Language::Email, b"{\"a\":\"\\\"\\"),
    (Language::Email, b"{\"a\":\"\\\"\\\\"),
];

/// The numbers of characters that are left in a string. Each is a further context, in this order. Beyond that many characters, tokens are so rare
/// that every few numbers are enough.
const LEFT: [usize; 27] =
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 28, 32, 40];
/// The same after a backslash, before the last digits of an escape, and within the second half of a surrogate pair: the character that goes on is not
/// counted.
const LEFT_AFTER_BACKSLASH: [usize; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10];
const LEFT_BEFORE_A_DIGIT: [usize; 14] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14];
const LEFT_BEFORE_TWO_DIGITS: [usize; 7] = [0, 1, 2, 3, 4, 5, 6];
const LEFT_BEFORE_THREE_DIGITS: [usize; 4] = [0, 1, 2, 4];
const LEFT_IN_SURROGATES: [usize; 3] = [0, 1, 2];

/// The number of the context within a string.
const IN_STRING: usize = 16;

/// The bases behind those of the contexts: what one context has and the other has not. Where a string is read in blocks, these tokens go on after
/// the end of a block.
pub(super) fn differences() -> impl Iterator<Item = (usize, usize)> {
    let left = CONTEXTS.len()..;
    left.zip(LEFT).filter(|(_, left)| *left <= 24).map(|(number, _)| (IN_STRING, number))
}

/// The first contexts, in the order of their numbers.
fn all() -> impl Iterator<Item = (Language, Vec<u8>)> {
    let spaced = |(start, spaces): (&[u8], usize)| [start, &vec![b' '; spaces]].concat();
    let chosen = CONTEXTS.iter().map(move |&(language, start, spaces)| (language, spaced((start, spaces))));
    let string = move |left| spaced((b"{\"a\":\"", MOST - left));
    let left = LEFT.into_iter().map(move |left| (Language::Counted, string(left)));
    let within =
        move |left, escape: &[u8]| (Language::Counted, [string(left + 1).as_slice(), escape].concat());
    let escaped = LEFT_AFTER_BACKSLASH.into_iter().map(move |left| within(left, b"\\"));
    let before_one = LEFT_BEFORE_A_DIGIT.into_iter().map(move |left| within(left, b"\\u000"));
    let before_two = LEFT_BEFORE_TWO_DIGITS.into_iter().map(move |left| within(left, b"\\u01"));
    let before_three = LEFT_BEFORE_THREE_DIGITS.into_iter().map(move |left| within(left, b"\\u1"));
    let surrogates = LEFT_IN_SURROGATES.into_iter().map(move |left| within(left, b"\\ud800\\ud"));
    let unclosed = [(Language::Unclosed, b"{\"a\":\"".to_vec())];
    let digits = before_one.chain(before_two).chain(before_three).chain(surrogates);
    chosen.chain(left).chain(escaped).chain(digits).chain(unclosed)
}

/// All contexts with their numbers.
fn numbered() -> impl Iterator<Item = (u32, (Language, Vec<u8>))> {
    let later = LATER.iter().map(|&(language, start)| (language, start.to_vec()));
    (0..).zip(all()).chain((ALL_PLANES.end..).zip(later))
}

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
            let own = numbered().filter(|(_, context)| context.0 == language);
            let state = |(number, (_, start)): (u32, (_, Vec<u8>))| {
                (number, automaton.state_after(&start).expect("the beginning of a text of the language"))
            };
            Contexts { states: own.map(state).collect(), automaton }
        })
    })
}
