//! The languages of the formats, written as patterns after the grammars of their specifications.
//!
//! Length limits that a specification states outside of its grammar are not in the patterns.

use crate::languages::pattern;
use gcc_grammar_regular::{Regex, RegularLimits};

/// The texts of the format of this name.
pub(super) fn regex(name: &str) -> Regex {
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
        "uuid1" | "uuid3" | "uuid4" | "uuid5" | "uuid6" | "uuid7" | "uuid8" => exactly(&uuid(&name[4..])),
        "regex" => Regex::any_char().star(),
        "regex without look-around" => exactly(&expression(3)),
        "json-pointer" => exactly(JSON_POINTER),
        "byte" => exactly(BASE64),
        "relative-json-pointer" => exactly(&format!("(0|[1-9][0-9]*)(#|{JSON_POINTER})")),
        "idn-hostname" => exactly(&idn_hostname()),
        "hostname" => exactly(&host_name(LABEL)),
        _ => exactly(&host_name(&label_without_xn())),
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
/// A minute has a 61st second only at 23:59 UTC, which is one local time per offset. These local times are
/// listed for all offsets that are multiples of a quarter of an hour: no other offset has been in use since
/// leap seconds exist.
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

/// RFC 5321: `atext` and `qtextSMTP`, as the inside of a character class.
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

fn host_name(label: &str) -> String {
    format!("({label})(\\.({label}))*")
}

/// A label that does not begin with `xn--`: it has up to three characters, or differs from it in one of the first four.
fn label_without_xn() -> String {
    let (inner, last) = ("[A-Za-z0-9\\-]", "[A-Za-z0-9]");
    let rest = |most: u32| format!("({inner}{{0,{most}}}{last})");
    format!(
        "{last}{}?|[A-WYZa-wyz0-9]{}?|[Xx]([A-MO-Za-mo-z0-9\\-]{}|[Nn]({last}{}?|-{last}{}?))",
        rest(1),
        rest(61),
        rest(60),
        rest(59),
        rest(58)
    )
}

/// RFC 5890 section 2.3.2.1, with any characters outside ASCII but the separators of RFC 3490 section 3.1. A label has at most 63 octets in
/// ASCII, and that form has at least as many octets as the label has characters.
fn idn_hostname() -> String {
    let character = "A-Za-z0-9\\u{80}-\\u{3001}\\u{3003}-\\u{FF0D}\\u{FF0F}-\\u{FF60}\\u{FF62}-\\u{10FFFF}";
    let label = format!("[{character}]([{character}\\-]{{0,61}}[{character}])?");
    format!("{label}([.\\u{{3002}}\\u{{FF0E}}\\u{{FF61}}]{label})*")
}

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

/// The grammar of RFC 3986 or, with more letters, of RFC 3987.
struct Uri {
    /// `ucschar`, as the inside of a character class.
    letters: &'static str,
    /// `iprivate`, as the inside of a character class.
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

    /// An absolute URI, without fragment.
    fn absolute(&self) -> String {
        let segment = self.one_of(":@");
        let hierarchy = format!(
            "//{}(/{segment}*)*|/({segment}+(/{segment}*)*)?|{segment}+(/{segment}*)*|",
            self.authority()
        );
        format!("[A-Za-z][A-Za-z0-9+.\\-]*:({hierarchy}){}", self.query())
    }

    /// A relative reference, without fragment.
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

/// RFC 9562 section 4, for one version.
fn uuid(version: &str) -> String {
    let h = "[0-9A-Fa-f]";
    format!("{h}{{8}}-{h}{{4}}-{version}{h}{{3}}-[89ABab]{h}{{3}}-{h}{{12}}")
}

/// ECMA 262 section 22.2.1: `Disjunction` with groups nested so deep, as far as it is read alike with the flag `u` and without, and by Python's `re`.
fn expression(depth: u32) -> String {
    let escape = "\\\\([dDwWsStnrfv^$\\\\.*+?()\\[\\]{}|/]|x[0-9A-Fa-f]{2}|u[0-9A-CE-Fa-ce-f][0-9A-Fa-f]{3})";
    let letter = "[^\\^$\\\\.*+?()\\[\\]{}|\\x00-\\x1F]";
    let mut atom = format!("{letter}|\\.|{escape}|\\[\\^?(-|-?{}+-?)\\]", class_item(escape));
    if depth > 0 {
        atom = format!("{atom}|\\((\\?:)?({})\\)", expression(depth - 1));
    }
    let bound =
        format!("\\{{((0|[1-9]\\d{{0,2}})|(0|[1-9]\\d?),([1-9]\\d{{2}})?|{})\\}}", bounds_below_100());
    let term = format!("\\^|\\$|\\\\[bB]|({atom})(([*+?]|{bound})\\??)?");
    format!("({term})*(\\|({term})*)*")
}

/// Two bounds below 100 in their order.
fn bounds_below_100() -> String {
    let tens = (1..=9).map(|tens| {
        let equal = (0..=9).map(|unit| format!("{tens}{unit},{tens}[{unit}-9]"));
        let more = (tens < 9).then(|| format!("{tens}\\d,[{}-9]\\d", tens + 1));
        equal.chain(more).collect::<Vec<_>>().join("|")
    });
    let units = (0..=9).map(|unit| format!("{unit},[{unit}-9]"));
    units.chain(["\\d,[1-9]\\d".to_owned()]).chain(tens).collect::<Vec<_>>().join("|")
}

/// A character of a class, or a range of digits or letters in their order.
fn class_item(escape: &str) -> String {
    let ranges = |low: char, high: char| {
        let each = (low..=high).map(|from| format!("{from}-[{from}-{high}]"));
        each.collect::<Vec<_>>().join("|")
    };
    let letter = "[^\\\\\\[\\]^&~|\\-\\x00-\\x1F]";
    format!("({letter}|{escape}|\\\\-|{}|{}|{})", ranges('0', '9'), ranges('A', 'Z'), ranges('a', 'z'))
}

/// RFC 4648 section 4.
const BASE64: &str = "([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)?";

/// RFC 6901 section 3.
const JSON_POINTER: &str = "(/([^~/]|~[01])*)*";

#[test]
fn one_part_of_the_host_names_has_no_label_that_begins_with_xn() {
    let limits = RegularLimits::default();
    let dfa = |regex: Regex| regex.to_dfa(&limits).unwrap();
    let marked = dfa(exactly("([^]*\\.)?[Xx][Nn]--[^]*"));
    let without = dfa(regex("hostname")).difference(&marked, &limits).unwrap();
    assert_eq!(dfa(regex("hostname without xn--")), without);
}
