//! The formats that are enforced, as languages of texts or ranges of numbers.
//!
//! Most are written as patterns after the grammars of their specifications, without length limits that those state
//! elsewhere. Names that are not here are annotations, as the specification wants it.

use super::draft::Draft;
use super::options::Strings;
use super::pattern;
use super::spell::{Frame, spell};
use gcc_grammar_regular::RegularLimits;
use gcc_grammar_regular::{Dfa, Regex};
use std::sync::{Arc, OnceLock};

/// What a format restricts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Format {
    /// Strings.
    Texts(TextFormat),
    /// Strings, but no automaton can tell which ones.
    Irregular {
        /// Why not.
        why: &'static str,
    },
    /// Integers from `least` to `greatest`.
    Numbers { least: &'static str, greatest: &'static str },
}

/// A format of strings: a place in [`TEXTS`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct TextFormat(usize);

/// Formats of strings.
const TEXTS: [&str; 18] = [
    "date",
    "time",
    "date-time",
    "duration",
    "email",
    "idn-email",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uri-template",
    "uuid",
    "json-pointer",
    "relative-json-pointer",
    "byte",
    "hostname",
];

/// The format of this name, if it is enforced.
pub(super) fn find(name: &str, draft: Draft) -> Option<Format> {
    match name {
        "byte" if !draft.is_open_api() => None,
        "int32" => Some(Format::Numbers { least: "-2147483648", greatest: "2147483647" }),
        "int64" => Some(Format::Numbers { least: "-9223372036854775808", greatest: "9223372036854775807" }),
        "regex" => {
            Some(Format::Irregular { why: "regular expressions nest, so they are not a regular language" })
        }
        "idn-hostname" => {
            Some(Format::Irregular { why: "the rules for international labels are not implemented" })
        }
        _ => TEXTS.iter().position(|&known| known == name).map(|place| Format::Texts(TextFormat(place))),
    }
}

/// Automata of formats, made once per process: some take longer than everything else about a schema.
static AUTOMATA: [OnceLock<Arc<Dfa>>; TEXTS.len()] = [const { OnceLock::new() }; TEXTS.len()];
static SPELLED: [[OnceLock<Arc<Dfa>>; TEXTS.len()]; 2] =
    [const { [const { OnceLock::new() }; TEXTS.len()] }, const { [const { OnceLock::new() }; TEXTS.len()] }];

impl TextFormat {
    /// The texts of the format.
    pub(super) fn texts(self) -> Arc<Dfa> {
        let automaton = AUTOMATA[self.0].get_or_init(|| {
            let dfa = regex(TEXTS[self.0]).to_dfa(&RegularLimits::default());
            Arc::new(dfa.expect("the patterns of this file are small"))
        });
        automaton.clone()
    }

    /// The JSON strings of the format.
    pub(super) fn spelled(self, strings: Strings) -> Arc<Dfa> {
        let automaton = SPELLED[strings as usize][self.0].get_or_init(|| {
            let frame = Frame { open: true, close: Some(&Dfa::empty_string()) };
            Arc::new(spell(&self.texts(), frame, strings, usize::MAX).expect("there is no limit"))
        });
        automaton.clone()
    }

    /// Why the format is not enforced exactly, and what gets through.
    pub(super) fn gap(self) -> Option<(&'static str, &'static str)> {
        (TEXTS[self.0] == "hostname").then_some((
            "the length of all labels together and the contents of xn-- labels are not checked",
            "host names of more than 253 characters and xn-- labels that are no Punycode",
        ))
    }
}

fn regex(name: &str) -> Regex {
    match name {
        "time" => time(),
        "date-time" => Regex::concat([exactly(DATE), exactly("[Tt]"), time()]),
        "date" => exactly(DATE),
        "duration" => exactly(DURATION),
        "email" => exactly(&email(ATEXT, QTEXT, &domain("A-Za-z0-9"))),
        "idn-email" => {
            let other = "\\u{80}-\\u{10FFFF}";
            exactly(&email(
                &format!("{ATEXT}{other}"),
                &format!("{QTEXT}{other}"),
                &domain(&format!("A-Za-z0-9{other}")),
            ))
        }
        "ipv4" => exactly(IPV4),
        "ipv6" => exactly(&ipv6()),
        "uri" => exactly(&format!("{}{}", Uri::ASCII.absolute(), Uri::ASCII.fragment())),
        "iri" => exactly(&format!("{}{}", Uri::INTERNATIONAL.absolute(), Uri::INTERNATIONAL.fragment())),
        "uri-reference" => exactly(&Uri::ASCII.reference()),
        "iri-reference" => exactly(&Uri::INTERNATIONAL.reference()),
        "uri-template" => exactly(&uri_template()),
        "uuid" => exactly("[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"),
        "json-pointer" => exactly(JSON_POINTER),
        "byte" => exactly(BASE64),
        "relative-json-pointer" => exactly(&format!("(0|[1-9][0-9]*)(#|{JSON_POINTER})")),
        _ => exactly(&format!("{LABEL}(\\.{LABEL})*")),
    }
}

/// The texts that match a pattern from end to end.
fn exactly(pattern: &str) -> Regex {
    pattern::exactly(pattern).expect("the patterns of this file are correct")
}

/// RFC 3339 section 5.6, with the days that the months have.
const DATE: &str = concat!(
    "\\d{4}-((0[13578]|1[02])-(0[1-9]|[12]\\d|3[01])|(0[469]|11)-(0[1-9]|[12]\\d|30)|02-(0[1-9]|1\\d|2[0-8]))",
    "|(\\d\\d(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29"
);

/// RFC 3339 section 5.6: `full-time`.
///
/// A minute has a 61st second only at 23:59 UTC, so at most one local time per offset. Those are listed for all
/// offsets that are multiples of a quarter of an hour: no other ones have been in use since leap seconds exist.
fn time() -> Regex {
    let fraction = "(\\.\\d+)?";
    let ordinary =
        format!("([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d{fraction}([Zz]|[+-]([01]\\d|2[0-3]):[0-5]\\d)");
    let mut times = vec![ordinary, format!("23:59:60{fraction}([Zz]|-00:00)")];
    let clock = |minutes: u32| format!("{:02}:{:02}", minutes / 60, minutes % 60);
    for east in (0..1440).step_by(15) {
        let local = clock((1439 + east) % 1440);
        let zones = format!("\\+{}|-{}", clock(east), clock((1440 - east) % 1440));
        times.push(format!("{local}:60{fraction}({zones})"));
    }
    exactly(&times.join("|"))
}

/// RFC 3339 appendix A.
const DURATION: &str = concat!(
    "P(\\d+W|(\\d+D|\\d+M(\\d+D)?|\\d+Y(\\d+M(\\d+D)?)?)(T(\\d+H(\\d+M(\\d+S)?)?|\\d+M(\\d+S)?|\\d+S))?",
    "|T(\\d+H(\\d+M(\\d+S)?)?|\\d+M(\\d+S)?|\\d+S))"
);

/// RFC 5321: `atext`, `qtextSMTP`, to stand in a class.
const ATEXT: &str = "A-Za-z0-9!#$%&'*+/=?^_`{|}~\\-";
const QTEXT: &str = "\\x20\\x21\\x23-\\x5B\\x5D-\\x7E";

/// RFC 5321 section 4.1.2: `Mailbox`.
fn email(atext: &str, qtext: &str, domain: &str) -> String {
    let quoted = format!("\"([{qtext}]|\\\\[\\x20-\\x7E])*\"");
    let literal = format!("\\[({IPV4}|IPv6:({}))\\]", ipv6());
    format!("([{atext}]+(\\.[{atext}]+)*|{quoted})@({domain}|{literal})")
}

fn domain(letters: &str) -> String {
    let label = format!("[{letters}]([{letters}\\-]*[{letters}])?");
    format!("{label}(\\.{label})*")
}

/// RFC 1123 section 2.1.
const LABEL: &str = "[A-Za-z0-9]([A-Za-z0-9\\-]{0,61}[A-Za-z0-9])?";

const IPV4: &str = "((25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)\\.){3}(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";

/// RFC 3986 section 3.2.2: `IPv6address`.
fn ipv6() -> String {
    let h = "[0-9A-Fa-f]{1,4}";
    let tail = format!("({h}:{h}|{IPV4})");
    let mut forms = vec![format!("({h}:){{6}}{tail}")];
    for before in 0..=5 {
        let head = if before == 0 { String::new() } else { format!("(({h}:){{0,{}}}{h})?", before - 1) };
        forms.push(format!("{head}::({h}:){{{}}}{tail}", 5 - before));
    }
    forms.push(format!("(({h}:){{0,5}}{h})?::{h}"));
    forms.push(format!("(({h}:){{0,6}}{h})?::"));
    format!("({})", forms.join("|"))
}

/// RFC 3986 and, with more letters, RFC 3987.
struct Uri {
    /// `ucschar` and `iprivate`, to stand in a class.
    letters: &'static str,
    private: &'static str,
}

impl Uri {
    const ASCII: Self = Self { letters: "", private: "" };
    const INTERNATIONAL: Self = Self {
        letters: concat!(
            "\\u{A0}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFEF}\\u{10000}-\\u{1FFFD}\\u{20000}-\\u{2FFFD}",
            "\\u{30000}-\\u{3FFFD}\\u{40000}-\\u{4FFFD}\\u{50000}-\\u{5FFFD}\\u{60000}-\\u{6FFFD}\\u{70000}-\\u{7FFFD}",
            "\\u{80000}-\\u{8FFFD}\\u{90000}-\\u{9FFFD}\\u{A0000}-\\u{AFFFD}\\u{B0000}-\\u{BFFFD}\\u{C0000}-\\u{CFFFD}",
            "\\u{D0000}-\\u{DFFFD}\\u{E1000}-\\u{EFFFD}"
        ),
        private: "\\u{E000}-\\u{F8FF}\\u{F0000}-\\u{FFFFD}\\u{100000}-\\u{10FFFD}",
    };

    /// One character of the class, or an escaped byte.
    fn one_of(&self, more: &str) -> String {
        format!("([A-Za-z0-9._~!$&'()*+,;=\\-{}{more}]|%[0-9A-Fa-f]{{2}})", self.letters)
    }

    fn authority(&self) -> String {
        let future = "[Vv][0-9A-Fa-f]+\\.[A-Za-z0-9._~!$&'()*+,;=:\\-]+";
        let (user, name) = (self.one_of(":"), self.one_of(""));
        format!("({user}*@)?(\\[({}|{future})\\]|{name}*)(:[0-9]*)?", ipv6())
    }

    /// Without fragment.
    fn absolute(&self) -> String {
        let segment = self.one_of(":@");
        let hierarchy = format!(
            "//{}(/{segment}*)*|/({segment}+(/{segment}*)*)?|{segment}+(/{segment}*)*|",
            self.authority()
        );
        format!("[A-Za-z][A-Za-z0-9+.\\-]*:({hierarchy}){}", self.query())
    }

    /// Without scheme and fragment.
    fn relative(&self) -> String {
        let (segment, first) = (self.one_of(":@"), self.one_of("@"));
        let path = format!(
            "//{}(/{segment}*)*|/({segment}+(/{segment}*)*)?|{first}+(/{segment}*)*|",
            self.authority()
        );
        format!("({path}){}", self.query())
    }

    fn query(&self) -> String {
        format!("(\\?{}*)?", self.one_of(&format!(":@/?{}", self.private)))
    }

    fn fragment(&self) -> String {
        format!("(#{}*)?", self.one_of(":@/?"))
    }

    fn reference(&self) -> String {
        format!("({}|{}){}", self.absolute(), self.relative(), self.fragment())
    }
}

/// RFC 6570 section 2.
fn uri_template() -> String {
    let international = Uri::INTERNATIONAL;
    // Everything but controls, space and "%<>\^`{|}
    let literal = format!(
        "([\\x21\\x23\\x24&'()*+,\\-./0-9:;=?@A-Z\\[\\]_a-z~{}{}]|%[0-9A-Fa-f]{{2}})",
        international.letters, international.private
    );
    let character = "([A-Za-z0-9_]|%[0-9A-Fa-f]{2})";
    let variable = format!("{character}(\\.?{character})*(:[1-9]\\d{{0,3}}|\\*)?");
    format!("({literal}|\\{{[+#./;?&=,!@|]?{variable}(,{variable})*\\}})*")
}

/// RFC 4648 section 4.
const BASE64: &str = "([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)?";

/// RFC 6901 section 3.
const JSON_POINTER: &str = "(/([^~/]|~[01])*)*";
