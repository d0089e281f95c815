//! The languages of ECMA-262 regular expressions.
//!
//! A pattern searches: its language is all texts in which it matches somewhere. The anchors `^` and `$` and
//! the word boundaries `\b` and `\B`, and lookaround, are part of the expression that comes out. Back references
//! are refused, because they are not a regular operation.
//!
//! ```text
//! text ──parser, classes, dialects──▶ Regex ──parts──▶ lookaheads and what they stand before
//!                                                      ──bound──▶ each without a bound on the length, and the bound
//! ```

mod bound;
mod classes;
mod dialects;
mod error;
mod groups;
mod modifiers;
mod parser;
mod references;
mod sets;
mod unicode;

pub(crate) use error::PatternError;

use gcc_grammar_limits::{Budget, OverBudget};
use gcc_grammar_regular::{Look, Regex};
use parser::Parser;

/// A pattern that has a language.
pub(crate) struct Pattern {
    /// The pattern matches where all of these do: the lookaheads at the start of the text, and what follows them.
    pub(crate) parts: Vec<Part>,
    /// What the pattern has that ECMA-262 does not have, and that is read as other dialects agree to read it.
    pub(crate) foreign: Vec<&'static str>,
}

/// A part of a pattern.
pub(crate) struct Part {
    /// The texts in which it matches somewhere.
    pub(crate) language: Regex,
    /// An expression whose texts with at most so many characters are the same, if there is one.
    pub(crate) bounded: Option<(Regex, u32)>,
}

/// Estimated bytes of a pattern and its expression, for each byte of its text.
const BYTES_PER_BYTE: u64 = 250;
/// The work to read a byte of a pattern.
const WORK_PER_BYTE: u64 = 10;

/// Spends what it takes to read a pattern. The bytes are free again when it has been read.
pub(crate) fn charge(pattern: &str, budget: &Budget) -> Result<(), OverBudget> {
    let bytes = BYTES_PER_BYTE * pattern.len() as u64;
    budget.charge_work(WORK_PER_BYTE * pattern.len() as u64)?;
    budget.charge_bytes(bytes)?;
    budget.release_bytes(bytes);
    Ok(())
}

/// Reads a pattern.
pub(crate) fn parse(pattern: &str) -> Result<Pattern, PatternError> {
    let (whole, foreign) = Parser::parse(pattern)?;
    Ok(Pattern { parts: parts(whole).into_iter().map(Part::new).collect(), foreign })
}

impl Part {
    fn new(regex: Regex) -> Self {
        let mut relaxed = regex.clone();
        let most = bound::relax(&mut relaxed);
        Self { language: regex.anywhere(), bounded: most.map(|most| (relaxed.anywhere(), most)) }
    }
}

/// The lookaheads behind `^`, as expressions of their own, and the rest. The product of their automata is smaller than what reads them at once.
fn parts(whole: Regex) -> Vec<Regex> {
    let Regex::Concat(mut nodes) = whole else { return vec![whole] };
    let is_ahead = |node: &Regex| matches!(node, Regex::Around(around) if !around.behind && !around.negative);
    if nodes.first() != Some(&Regex::Look(Look::Start)) {
        return vec![Regex::Concat(nodes)];
    }
    let count = nodes[1..].iter().take_while(|node| is_ahead(node)).count();
    let aheads: Vec<Regex> = nodes.drain(1..=count).collect();
    let condition = |ahead: Regex| match ahead {
        Regex::Around(around) => Regex::concat([Regex::Look(Look::Start), around.inner]),
        node => node,
    };
    aheads.into_iter().map(condition).chain([Regex::Concat(nodes)]).collect()
}

/// The texts that a pattern matches as a whole: the patterns of formats.
#[cfg(test)]
pub(crate) fn exactly(pattern: &str) -> Result<Regex, PatternError> {
    Ok(Parser::parse(pattern)?.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcc_grammar_regular::{PatternFlags, RegularLimits};

    fn language(pattern: &str) -> Result<Regex, PatternError> {
        Parser::parse(pattern).map(|(whole, _)| whole.anywhere())
    }

    fn check(pattern: &str, yes: &[&str], no: &[&str]) {
        let dfa = language(pattern).unwrap().to_dfa(&RegularLimits::default()).unwrap();
        for text in yes {
            assert!(dfa.accepts(text.as_bytes()), "{pattern} should match {text:?}");
        }
        for text in no {
            assert!(!dfa.accepts(text.as_bytes()), "{pattern} should not match {text:?}");
        }
    }

    #[test]
    fn searching_and_anchors() {
        check("b+", &["b", "abbc"], &["", "ac"]);
        check("^a|b$", &["ax", "xb", "a"], &["xa", "bx"]);
        check("^$", &[""], &["a"]);
        check("", &["", "x"], &[]);
        check(r"a\b", &["a", "a b"], &["ab"]);
        check("^(a|bc){2,3}$", &["aa", "abc", "bcbcbc"], &["a", "aaaa"]);
    }

    #[test]
    fn back_references_to_groups_of_few_texts() {
        check(r#"^(['"])[a-z'"]*\1$"#, &["'a'", "\"\"", "'\"'"], &["'a\"", "'", "a"]);
        check(r"(a|bc)-\1", &["xa-ay", "bc-bc"], &["a-bc", "bc-b"]);
        check(r"^(?<x>a?)(b{1,2})\k<x>\2$", &["bb", "abab", "abbabb"], &["ab", "abb", "abbab"]);
        check(r"^(?:(a|b)\1,)+$", &["aa,bb,", "bb,"], &["ab,", "aa,ab,"]);
        check(r"^(a|b)(?:x\1)*$", &["a", "axaxa"], &["axb"]);
        check(r"^(a|b)(?:\1c|d)(?!\1)", &["aacb", "ad"], &["ada", "bcb"]);
        check(r"^(?i:(a)\1)$", &["aA", "AA"], &["ab"]);
        check(r"^((a|b)\2)\1$", &["aaaa", "bbbb"], &["aabb", "aa"]);
        check(r"^(a|b)c(?<=\1c)$", &["ac"], &["cc"]);
        check(r"^([ab]{6})\1$", &["ababbbababbb"], &["ababbbababba"]);
        check(r"^(?:(a)|b)(c)\2$", &["acc", "bcc"], &["ac"]);
        for pattern in [
            r"(a+)\1",
            r"(a|b)*\1",
            r"(?:(a)|b)\1",
            r"\1(a)",
            r"(a\1)",
            r"(?=(a))\1",
            r"(?<=(a)\1)b",
            r"(?<=x(?=(a)\1))",
            r"(^a)\1",
            r"(a)\2",
            r"(a)\k<x>",
        ] {
            assert!(language(pattern).unwrap_err().unsupported, "{pattern}");
        }
        let long = format!("(a|b){}\\1", "[ab]".repeat(2000));
        assert!(language(&long).unwrap_err().unsupported);
        let pairs = |count: usize| (1..=count).map(|n| format!("(a|b)\\{n}")).collect::<String>();
        check(&format!("^{}$", pairs(5)), &["aabbaabbaa"], &["aabbaabbab", "aabbaabb"]);
        assert!(language(&pairs(30)).unwrap_err().unsupported);
    }

    #[test]
    fn classes_are_those_of_ecma() {
        check(r"^\d$", &["0"], &["٣", "a"]);
        check(r"^\w$", &["_", "Z"], &["é", "-"]);
        check(r"^\s$", &["\u{feff}", " "], &["\u{85}"]);
        check("^.$", &["x", "\u{85}"], &["\n", "\u{2028}"]);
        check(r"^[\w-.]$", &["-", ".", "q"], &["+"]);
        check(r"^[^]$", &["\n", "a"], &[""]);
        check(r"[]", &[], &["", "a"]);
        check(r"^[\b\]a-c]$", &["\u{8}", "]", "b"], &["d"]);
        check(r"^\p{Lu}\u{1F600}\uD83D\uDE00\x41\cJ\/$", &["É😀😀A\n/"], &["é😀😀A\n/"]);
        check("^a{,}]}$", &["a{,}]}"], &["a]}"]);
        // Halves of pairs are code points of ECMA-262, but stand for no character.
        check(r"^[\u0020-\uD7FF\uE000-\uFFFD\uD800\uDBFF-\uDC00\uDFFF]$", &["a", "é"], &["\n", "😀"]);
        check(r"^[\uD83D\uDE00-\u{1F60F}]$|\uD800|\uDC00\uD800", &["😀", "😏"], &["😐", ""]);
        check(
            r"^\p{Zl}\p{sc=Sidetic}\P{Zl}$",
            &["\u{2028}\u{10940}a"],
            &["a\u{10940}a", "\u{2028}\u{10940}\u{2028}"],
        );
    }

    #[test]
    fn lookaround_at_the_ends() {
        check("^(?!foo|bar$)[a-z]+$", &["ba", "barx", "fo"], &["foo", "foox", "bar"]);
        check("^(?=.*\\d)(?=.*[a-z]).{4,}$", &["abc1", "1234x"], &["abcd", "a1"]);
        check("^x(?!.*\\.\\.)[a-z.]*$", &["xa.b"], &["xa..b"]);
        check("^[a-z.]+(?<!\\.)$", &["a.b"], &["a.b."]);
        check("a(?!b)", &["ac", "aba", "a"], &["ab", "b"]);
        check("^(a(?=b)|c).$", &["ab", "cx"], &["ac"]);
        check("^[a-z](?:(?!.*--)[a-z-]*[a-z])?$", &["a", "a-b", "abc"], &["a--b", "a-", "-a"]);
        check("^((?!a)[a-z]{2}){1,2}$", &["ba", "bcde"], &["ab", "bcad", "bca"]);
    }

    #[test]
    fn lookaround_before_every_character() {
        check("^((?!foo).)*$", &["", "fo", "fofo"], &["foo", "xfoo", "a\nb"]);
        check("^x(?:(?!--)(?!__)[a-z_-])+$", &["xa-b", "x_-_"], &["x", "xa--", "xa__b"]);
        check("^(?:(?=[ab]*c$).)*$", &["", "abc"], &["ab", "cc"]);
        check("((?!foo).)*$", &["xfoo", ""], &[]);
    }

    #[test]
    fn lookaround_anywhere() {
        check("^(a(?!b))*c$", &["c", "aac"], &["abc", "ab"]);
        check("(a(?!b))*c", &["abc", "ac"], &["ab"]);
        check("^(?!^$)a?$", &["a"], &["", "b"]);
        check("^(?=.{1,4}$)^[a-z]+$", &["a", "abcd"], &["", "abcde"]);
        check(r"^(?!^[-+.]*$)[+-]?0*\d*\.?\d*$", &["1", "-.5", "00.1"], &["", "-", "+.", "."]);
        check("^((?!-)[a-z-]{1,5}(?<!-)\\.)+[a-z]{2}$", &["a.bc", "a-b.c.de"], &["-a.bc", "a-.bc", "a.b"]);
        check(r"^(?:(?<=\s|^)\w+\b ?)+$", &["ab cd", "a"], &["a  b", "ab-cd"]);
    }

    /// The texts of up to four of some letters, which the tables of `tests/look_around.py` are about.
    fn short_texts(letters: &str) -> Vec<String> {
        let mut texts = vec![String::new()];
        for length in 0..4 {
            let longest: Vec<String> = texts.iter().filter(|text| text.len() == length).cloned().collect();
            let longer =
                |text: &String| letters.chars().map(|letter| format!("{text}{letter}")).collect::<Vec<_>>();
            texts.extend(longest.iter().flat_map(longer));
        }
        texts
    }

    /// Compares which of some texts a pattern matches with a line of a table.
    fn check_bits(pattern: &str, texts: &[String], bits: &str) {
        let digits: Vec<u32> = bits.chars().map(|digit| digit.to_digit(16).expect("hexadecimal")).collect();
        let dfa = language(pattern).unwrap_or_else(|error| panic!("{pattern}: {error:?}"));
        let dfa = dfa.to_dfa(&RegularLimits::default()).unwrap();
        for (place, text) in texts.iter().enumerate() {
            let bit = (4 * digits.len() + place).checked_sub(texts.len());
            let expected = bit.is_some_and(|bit| digits[bit / 4] >> (3 - bit % 4) & 1 == 1);
            assert_eq!(dfa.accepts(text.as_bytes()), expected, "{pattern:?} on {text:?}");
        }
    }

    #[test]
    fn lookaround_is_that_of_node() {
        let texts = short_texts("ab-\n");
        for line in include_str!("look_around.txt").lines() {
            let (pattern, bits) = line.split_once('\t').expect("a pattern and bits");
            check_bits(pattern, &texts, bits);
        }
    }

    #[test]
    fn other_dialects_are_read_as_python_reads_them() {
        let texts = short_texts("aA \n");
        for line in include_str!("dialect.txt").lines() {
            let (pattern, bits) = line.split_once('\t').expect("a pattern and bits");
            let pattern: String = serde_json::from_str(pattern).expect("a string");
            assert!(!parse(&pattern).expect("a pattern").foreign.is_empty(), "{pattern}");
            check_bits(&pattern, &texts, bits);
        }
    }

    /// The crate `regex-syntax` reads the dialect of Rust, which is that of RE2 here.
    #[test]
    fn other_dialects_are_read_as_rust_reads_them() {
        let limits = RegularLimits::default();
        for pattern in [
            r"\Aab\z",
            r"\A(?:a|b\z)",
            r"(?i)^[k-m]+$",
            r"^(a(?i)b|c)d$",
            r"^a(?is-m).b",
            r"(?x) ^ a b # c
                {2} [\ \#] + $",
            r"^(?P<year>[0-9]{4})-(?P<month>[0-9]{2})$",
            r"^[[:alpha:]_][[:alnum:]_]*$",
            r"^[^[:^digit:]a][[:space:]-]$",
            r"^[[:word:][:punct:]]{2}[[:xdigit:]]$",
            r"^[[:ascii:]]*[[:cntrl:][:print:]]$",
            r"^[]a][^]a][]-a]$",
            r"^\p{Greek}\P{Thai}[\p{Cyrillic}]$",
            r"^\x{48}\x{1F600}\a\U0001F601[\x{41}-\x{43}\a]$",
        ] {
            let rust = Regex::parse(pattern, PatternFlags { look_around: true, ..PatternFlags::default() });
            let rust = rust.unwrap_or_else(|error| panic!("{pattern}: {error:?}")).anywhere();
            let read = parse(pattern).unwrap_or_else(|error| panic!("{pattern}: {error:?}"));
            assert!(!read.foreign.is_empty(), "{pattern}");
            assert!(
                read.parts[0].language.to_dfa(&limits).unwrap() == rust.to_dfa(&limits).unwrap(),
                "{pattern}"
            );
        }
    }

    #[test]
    fn what_ecma_has_a_meaning_for_keeps_it() {
        for pattern in [
            "^[[:alpha:]$",
            "^[[:alpha:][0-9]$",
            "^[]$",
            "a[]|[^]",
            r"^[\]a]$",
            "(?<a>b)",
            "(?i:a)",
            r"^\p{L}$",
            r"^\p{Script=Greek}\p{sc=Han}\p{Alphabetic}\p{Lowercase_Letter}\p{Any}\p{Hex_Digit}\p{Lm}$",
        ] {
            assert_eq!(parse(pattern).map(|pattern| pattern.foreign), Ok(vec![]), "{pattern}");
        }
        check("^[[:alpha:]$", &["[", ":", "p"], &["z"]);
        check(r"^\Qa.b|\E+\Q(", &["a.b||("], &["axb|(", "a.ba.b|("]);
        for (short, long) in [
            (r"^\pL+\PN*$", r"^\p{L}+\P{N}*$"),
            (r"^[^\pZ\pC]$", r"^[^\p{Z}\p{C}]$"),
            (r"\p{^Lu}\P{^Nd}", r"\P{Lu}\p{Nd}"),
        ] {
            let dfa = |pattern| language(pattern).unwrap().to_dfa(&RegularLimits::default()).unwrap();
            assert!(dfa(short) == dfa(long), "{short}");
        }
        check("^(?'a'b)(?#c)\\e$", &["b\u{1b}"], &["b"]);
    }

    #[test]
    fn modifiers_hold_in_their_group() {
        check("^(?i:ab)c$", &["abc", "ABc"], &["abC"]);
        check("^(?i:k(?-i:k))$", &["kk", "\u{212a}k"], &["kK"]);
        check("^(?i:[^k])$", &["a"], &["K", "\u{212a}"]);
        check(r"^(?i:\W)$", &["-"], &["\u{17f}", "a"]);
        check("^(?s:.)(?-s:.)$", &["\na"], &["a\n"]);
        check("^a(?m:$)\nb$", &["a\nb"], &["ab"]);
        check("a\n(?m:^)b$", &["a\nb"], &["ab"]);
    }

    #[test]
    fn much_lookaround_is_compiled_or_over_a_limit() {
        let long = ["(?=a)".repeat(10_000), "(?:(?!b)a){8}".repeat(50), "(?:a(?!b)|c(?!d))".repeat(100)];
        let nested = (0..20).fold("(?!b)a".to_owned(), |pattern, _| format!("(?:{pattern}){{8}}"));
        for pattern in long.iter().chain([&nested]) {
            let dfa = language(pattern).unwrap().to_dfa(&RegularLimits::default());
            assert!(dfa.is_err() || !dfa.is_ok_and(|dfa| dfa.is_empty()), "{}", &pattern[..20]);
        }
    }

    #[test]
    fn bounds_on_the_whole_length_are_found() {
        let limits = RegularLimits::default();
        for (pattern, bound) in [
            ("^[a-z]{1,64}$", Some(64)),
            ("^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$", Some(63)),
            ("^$|(^(?:ab){2,20}c$)", Some(41)),
            ("^(?:x[a-z]{0,40}|y[a-z]{3,40})z$", Some(42)),
            (r"^\+[1-9]\d{1,14}\b$", Some(16)),
            ("^[a-z]{1,64}", None),
            ("[a-z]{1,64}$", None),
            ("^[a-z]{1,64}|x$", None),
            ("^[a-z]{1,64}-?$", None),
            ("^([a-z]{1,64}-)+$", None),
            ("^[a-z]{1,40}(-[a-z]{1,40})?$", None),
            ("^(?:a[a-z]{0,40}|[a-z]{0,40})$", None),
            ("^(?!.{20}$)[a-z]{1,64}$", Some(64)),
            ("^(?!.{1,64}$)[a-z]+$", None),
            ("^[a-z]{1,11}$", None),
            ("^[a-z]{20}$", None),
        ] {
            let found = parse(pattern).unwrap().parts.remove(0).bounded;
            assert_eq!(found.as_ref().map(|&(_, most)| most), bound, "{pattern}");
            let Some((relaxed, most)) = found else { continue };
            let shorter = Regex::any_char().repeat(0, Some(most)).to_dfa(&limits).unwrap();
            let relaxed = relaxed.to_dfa(&limits).unwrap().intersect(&shorter, &limits).unwrap();
            assert!(relaxed == language(pattern).unwrap().to_dfa(&limits).unwrap(), "{pattern}");
        }
    }

    /// The parts together match what the whole pattern does, whose lookaheads are read beside it.
    #[test]
    fn lookaheads_at_the_start_are_parts() {
        let limits = RegularLimits::default();
        for (pattern, count) in [
            ("^(?=.{1,64}$)[a-z]+(-[a-z]+)*$", 2),
            ("^(?=.{1,9}\\.?$)[a-z](?:[a-z-]{0,5}[a-z])?(?:\\.[a-z]{1,4})*\\.?$", 2),
            (r"^(?=.*[a-z])(?=.*\d)(?!.*x)\S{4,8}$", 3),
            (r"^(?=ab|b)\w*", 2),
            (r"^(?=\bab\b)(?=(?<=^)a).+\B", 3),
            ("^(?!a)b", 1),
            ("(?=a)b|^(?=c)d", 1),
            ("^(?=a)b|c", 1),
        ] {
            let parts = parse(pattern).unwrap().parts;
            assert_eq!(parts.len(), count, "{pattern}");
            let parts = parts.into_iter().map(|part| part.language.to_dfa(&limits).unwrap());
            let together = parts.reduce(|a, b| a.intersect(&b, &limits).unwrap()).unwrap();
            assert!(together == language(pattern).unwrap().to_dfa(&limits).unwrap(), "{pattern}");
        }
    }

    #[test]
    fn errors_have_positions() {
        for (pattern, position, unsupported) in [
            ("a(b", 1, false),
            ("a)", 1, false),
            ("*a", 0, false),
            ("[a", 0, false),
            (r"(a+)\1", 4, true),
            ("a{3,2}", 1, false),
            ("(?ii:a)", 0, false),
            ("(?-:a)", 0, false),
            ("(?u)a", 0, false),
            ("(?x:[ ])", 5, false),
            ("(?i)*", 4, false),
            (r"\h", 0, false),
            ("a++", 2, false),
            ("(?P<a>b)(?P=a)", 8, true),
            ("(a(?R)?b)", 2, true),
            ("a(?>b*)", 1, true),
            (r"\u12", 0, false),
            (r"\u{110000}", 0, false),
            (r"\uD800\u12", 6, false),
            (r"\p{Print}", 0, false),
            ("[z-a]", 1, false),
        ] {
            let error = language(pattern).unwrap_err();
            assert_eq!(
                (error.position, error.unsupported),
                (position, unsupported),
                "{pattern}: {}",
                error.message
            );
        }
    }
}
