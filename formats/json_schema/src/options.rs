//! The options of a schema's compilation, and the text form of each.
//!
//! Every option that chooses between a few values is read with [`FromStr`] and written with [`fmt::Display`].
//! The spellings are those of the command line, so that programs can pass options on as text: `text.parse()`
//! and `to_string()` are inverse to each other.

use crate::draft::Draft;
use crate::profile::Profile;
use crate::report::Narrowing;
use crate::style::Style;
pub use gcc_grammar_ir::InvalidOption;
use gcc_grammar_ir::{Grammar, Pattern, SpecialNames, TerminalId, words};
use gcc_grammar_limits::Budget;
use gcc_grammar_regular::{Dfa, Regex, RegularLimits};
use std::fmt;
use std::num::NonZeroU16;
use std::str::FromStr;
use std::sync::Arc;

/// The options of [`compile`](crate::compile).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Options {
    /// The draft of the schema, if not the one that `$schema` names.
    pub draft: Option<Draft>,
    /// White space between JSON tokens.
    pub whitespace: Whitespace,
    /// Accepted spellings of strings.
    pub strings: Strings,
    /// Order of the keys of objects.
    pub property_order: PropertyOrder,
    /// The most declared keys of an object that come in [any order](PropertyOrder::Any), if there is a bound. Objects with more have the order of
    /// declaration.
    pub any_order_up_to: Option<usize>,
    /// Whether a key that no schema declares may occur twice in an object.
    pub repeated_keys: RepeatedKeys,
    /// Whether `format` restricts values.
    pub formats: Formats,
    /// How keywords that cannot be enforced are treated.
    pub unenforced: Unenforced,
    /// Accepted spellings of integers.
    pub integer_spelling: IntegerSpelling,
    /// The most digits of a number before the point, after it, and in an exponent.
    pub number_digits: Option<NonZeroU16>,
    /// Whether `1.0` is an integer; `None` leaves it to the draft.
    pub integer_with_point: Option<bool>,
    /// The engine whose conventions are followed in reading schemas. [`Options::of`] also sets the other options as it does.
    pub profile: Option<Profile>,
    /// How the root is written; other styles than JSON take an object apart into tags.
    pub style: Style,
    /// Whether the root has objects only, as all styles but JSON have: arguments of a call are one.
    pub only_objects: bool,
    /// The special tokens that the marks of a style may name.
    pub names: SpecialNames,
    /// Texts that no string and no key contains, as they are written.
    pub excludes: Vec<String>,
    /// Which bounds on the length of strings the compiler counts.
    pub counting: Counting,
    /// Documents that references may lead to: URI and text.
    pub resources: Vec<(String, String)>,
    /// Bounds on single parts of the schema.
    pub limits: Limits,
}

/// Which bounds on the length of strings the compiler counts, in place of having states for all numbers. The language does not depend on it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Counting {
    /// None.
    #[default]
    Off,
    /// Those that pay, but not those of these terminals: the compiler [cannot count](gcc_grammar_ir::Pattern::Counted) their characters. A terminal is the
    /// automaton of its strings and their greatest length.
    Except(Vec<(Arc<Dfa>, u32)>),
}

impl Counting {
    /// The fewest numbers of characters for which counting pays. Many vocabularies have more than a few tokens with more characters behind a quote.
    const LEAST: u32 = 4;
    /// The most characters that must be there: each is a state.
    const MOST_NEEDED: u32 = 64;

    /// Whether strings of at least `min` and at most `max` characters are counted, but for the exceptions.
    pub(crate) fn counts(&self, min: u32, max: u32) -> bool {
        let pays = max.saturating_sub(min) >= Self::LEAST && min <= Self::MOST_NEEDED;
        pays && matches!(self, Self::Except(_))
    }

    /// What to count where the compiler cannot count `terminals` of a grammar that was made with this: the first time they are exceptions, then none is counted.
    #[must_use]
    pub fn without(&self, grammar: &Grammar, terminals: &[TerminalId]) -> Self {
        let counted = |terminal: &TerminalId| match grammar.terminals[terminal.index()].pattern.without_role()
        {
            Pattern::Counted(Regex::Automaton(strings), most) => Some((Arc::clone(strings), *most)),
            _ => None,
        };
        match self {
            Self::Except(others) if others.is_empty() => {
                Self::Except(terminals.iter().filter_map(counted).collect())
            }
            _ => Self::Off,
        }
    }

    /// Whether the terminal of these strings is an exception.
    pub(crate) fn excepts(&self, strings: &Dfa, most: u32) -> bool {
        matches!(self, Self::Except(others) if others.iter().any(|(other, bound)| *bound == most && **other == *strings))
    }
}

/// The steps to build an automaton, for each state that it may have.
const STEPS_PER_STATE: u64 = 200;

/// Bounds on single parts of a schema. A text that is nested too deep is refused; a keyword whose automaton would be too
/// large cannot be enforced. The cost of the whole is bounded by the [`Budget`] of the compilation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Nesting of the schema text.
    pub max_depth: usize,
    /// States of the automaton of one language of strings, keys or numbers.
    pub max_automaton_states: usize,
    /// Steps to build the automaton of one language.
    pub max_automaton_steps: u64,
    /// Transitions of the automaton of the objects at one place, where it can do without conditions on keys: beyond that, the runtime remembers the
    /// keys. `None` for about as many as artifacts of some megabytes have.
    pub max_key_transitions: Option<usize>,
}

impl Default for Limits {
    fn default() -> Self {
        let (max_automaton_states, max_automaton_steps) = (200_000, 40_000_000);
        Self { max_depth: 512, max_automaton_states, max_automaton_steps, max_key_transitions: None }
    }
}

impl Limits {
    /// The bounds on the automaton of one language, within the budget of the compilation. Where that admits larger terminals, as for a long schema, they
    /// are larger, too.
    pub(crate) fn automaton(&self, budget: &Budget) -> RegularLimits {
        let states = budget.limits().terminal_states;
        let max_states = self.max_automaton_states.max(usize::try_from(states).unwrap_or(usize::MAX));
        let max_work = self.max_automaton_steps.max(states.saturating_mul(STEPS_PER_STATE));
        RegularLimits { max_states, max_work, max_bytes: 1 << 29, budget: budget.clone() }
    }
}

/// The accepted white space between the tokens of JSON.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Whitespace {
    /// No white space.
    Compact,
    /// One space after each comma and colon, nowhere else: the default of Python's `json.dumps`.
    Spaced,
    /// The white space that printers of JSON write: nothing or one space after `{ [ , :` and before `] }`,
    /// or, except after the colon, a line break and up to `max` spaces and tabs.
    Flexible {
        /// The longest indentation. Each length up to it is a state of the lexer, for each kind of
        /// punctuation.
        max: u32,
    },
    /// Nothing or one space at each place between tokens.
    Single,
    /// Up to `max` characters of the white space that RFC 8259 allows at each place between tokens, and none before and after the whole text.
    Bounded {
        /// The most characters at one place.
        max: u32,
    },
    /// All white space that RFC 8259 allows between tokens, without bound, and none before and after the whole text.
    Inner,
    /// All white space that RFC 8259 allows, without bound.
    Any,
}

impl Default for Whitespace {
    fn default() -> Self {
        Self::Flexible { max: 32 }
    }
}

impl fmt::Display for Whitespace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compact => f.pad("compact"),
            Self::Spaced => f.pad("spaced"),
            Self::Single => f.pad("single"),
            Self::Flexible { max } => write!(f, "flexible:{max}"),
            Self::Bounded { max } => write!(f, "bounded:{max}"),
            Self::Inner => f.pad("inner"),
            Self::Any => f.pad("any"),
        }
    }
}

impl FromStr for Whitespace {
    type Err = InvalidOption;

    /// Reads `compact`, `spaced`, `single`, `flexible:N`, `bounded:N`, `inner` or `any`; `flexible` alone is the default.
    fn from_str(text: &str) -> Result<Self, InvalidOption> {
        let max = text.strip_prefix("flexible:").and_then(|max| max.parse().ok());
        if let Some(max) = text.strip_prefix("bounded:").and_then(|max| max.parse().ok()) {
            return Ok(Self::Bounded { max });
        }
        match (text, max) {
            ("compact", _) => Ok(Self::Compact),
            ("spaced", _) => Ok(Self::Spaced),
            ("single", _) => Ok(Self::Single),
            ("flexible", _) => Ok(Self::default()),
            (_, Some(max)) => Ok(Self::Flexible { max }),
            ("inner", _) => Ok(Self::Inner),
            ("any", _) => Ok(Self::Any),
            _ => {
                let expected =
                    "compact, spaced, single, flexible, flexible:N (N is a whole number), bounded:N, inner or any"
                        .to_owned();
                Err(InvalidOption::new("white space", text, expected))
            }
        }
    }
}

/// Which spellings of a string are accepted. An escape of half a surrogate pair stands for no character (RFC 8259, section 8.2, leaves
/// open what it means), so it is no spelling of any string.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Strings {
    /// The spellings that printers of JSON write: printable characters of ASCII as themselves, `"` and `\\` after a backslash, `/` with or
    /// without one, and all other characters in every way that JSON has. Where a pattern allows a class of more than 32 ranges outside of
    /// ASCII, such as `\p{L}`, characters outside of ASCII are written as themselves. Where it makes no difference which character comes
    /// next, every spelling: in strings without constraint, or of which only the length is bounded.
    #[default]
    Printed,
    /// Every spelling that JSON has for the characters.
    All,
    /// One spelling per character: itself if JSON allows that, else its short escape if it has one, else
    /// `\u00xx` in lower case.
    Canonical,
}

words!(Strings is "the spellings of strings" { Printed = "printed", All = "all", Canonical = "canonical" });

/// Which spellings of numbers are accepted where all numbers are integers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum IntegerSpelling {
    /// Digits.
    Plain,
    /// Digits, with a point and zeros after them where `1.0` is an integer. So a point forces nothing but zeros.
    #[default]
    Zeros,
    /// Also the exponents that printers write, where at most the sign is restricted: those of integers that are not negative, and after
    /// decimals those of large floating-point numbers. So `3.14` is the beginning of an integer, `3.14e20`.
    All,
}

words!(IntegerSpelling is "the spelling of integers" { Plain = "plain", Zeros = "zeros", All = "all" });

/// In which order the keys of an object may come.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum PropertyOrder {
    /// Declared keys in the order of their declaration, then all others.
    #[default]
    Declared,
    /// Any order. The grammar grows with the number of sets of declared keys, so this is for objects with few
    /// keys.
    Any,
}

words!(PropertyOrder is "the order of properties" { Declared = "declared", Any = "any" });

/// Whether a key that no schema declares may occur twice in an object. A declared key occurs once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum RepeatedKeys {
    /// It may, but where this could make an invalid value pass.
    #[default]
    Accept,
    /// No key occurs twice. The runtime remembers the keys of each object with infinitely many of them.
    Refuse,
}

words!(RepeatedKeys is "the treatment of repeated keys" { Accept = "accept", Refuse = "refuse" });

/// Whether `format` restricts values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Formats {
    /// Known formats restrict values.
    #[default]
    Assert,
    /// Formats are annotations.
    Annotate,
}

words!(Formats is "the meaning of formats" { Assert = "assert", Annotate = "annotate" });

/// How keywords that a grammar cannot express are treated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Unenforced {
    /// The schema is refused.
    #[default]
    Refuse,
    /// They are left out, so that the grammar accepts more, and listed in the report.
    Allow,
}

words!(Unenforced is "the treatment of unenforced keywords" { Refuse = "refuse", Allow = "allow" });

impl Narrowing {
    /// Whether some option of schemas admits the texts that are refused.
    #[must_use]
    pub const fn is_optional(self) -> bool {
        use Narrowing::{HalfSurrogate, ItemSpelling, Keys, Length, RepeatedKey};
        !matches!(self, HalfSurrogate | ItemSpelling | Keys | Length | RepeatedKey)
    }
}

words!(Narrowing is "the kinds of narrowings" {
    FormatSpelling = "format-spelling",
    HalfSurrogate = "half-surrogate",
    ItemSpelling = "item-spelling",
    KeyOrder = "key-order",
    Keys = "keys",
    Length = "length",
    NumberDigits = "number-digits",
    NumberSpelling = "number-spelling",
    Profile = "profile",
    RepeatedKey = "repeated-key",
    StringSpelling = "string-spelling",
    WhiteSpace = "white-space",
});

words!(Draft is "the draft" {
    Draft4 = "4",
    OpenApi30 = "openapi-3.0",
    Draft6 = "6",
    Draft7 = "7",
    Draft2019 = "2019-09",
    Draft2020 = "2020-12",
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_as_they_are_written() {
        fn check<T: FromStr<Err = InvalidOption> + ToString + PartialEq + fmt::Debug>(values: &[T]) {
            for value in values {
                assert_eq!(value.to_string().parse().as_ref(), Ok(value));
            }
        }
        check(Strings::ALL);
        check(IntegerSpelling::ALL);
        check(PropertyOrder::ALL);
        check(RepeatedKeys::ALL);
        check(Formats::ALL);
        check(Unenforced::ALL);
        check(Narrowing::ALL);
        check(Draft::ALL);
        check(Profile::ALL);
        check(&[Whitespace::Compact, Whitespace::Spaced, Whitespace::Flexible { max: 7 }]);
        check(&[Whitespace::Single, Whitespace::Inner, Whitespace::Any]);
        assert_eq!(Whitespace::default().to_string(), "flexible:32");
        assert_eq!("flexible".parse(), Ok(Whitespace::default()));
    }

    #[test]
    fn unknown_values_are_refused_with_the_known_ones() {
        let refused = "3".parse::<Draft>().unwrap_err().to_string();
        assert_eq!(
            refused,
            "`3` is not a value for the draft; expected 4, openapi-3.0, 6, 7, 2019-09 or 2020-12"
        );
        for text in ["", "Compact", "flexible:", "flexible:-1", "flexible:x"] {
            assert!(text.parse::<Whitespace>().is_err(), "{text}");
        }
    }
}
