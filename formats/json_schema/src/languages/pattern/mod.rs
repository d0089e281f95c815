//! The languages of ECMA-262 regular expressions.
//!
//! A pattern searches: its language is all texts in which it matches somewhere. The anchors `^` and `$` and
//! the word boundaries `\b` and `\B` are part of the expression that comes out; lookaround is rewritten (see
//! `lookaround`). Back references are refused, because they are not a regular operation.
//!
//! ```text
//! text ──parser, classes──▶ tree ──lookaround──▶ Regex
//! ```

mod classes;
mod lookaround;
mod parser;
mod sets;
mod tree;

pub(crate) use tree::PatternError;

use gcc_grammar_regular::Regex;
use parser::Parser;

/// The texts in which the pattern matches somewhere.
pub(crate) fn language(pattern: &str) -> Result<Regex, PatternError> {
    lookaround::search(&Parser::parse(pattern)?)
}

/// The texts that a pattern without lookaround and anchors matches as a whole: the patterns of formats.
#[cfg(test)]
pub(crate) fn exactly(pattern: &str) -> Result<Regex, PatternError> {
    lookaround::plain(&Parser::parse(pattern)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcc_grammar_regular::RegularLimits;

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
        check("^a{,2}]}$", &["a{,2}]}"], &["a]}"]);
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
    fn much_lookaround_is_refused() {
        for (pattern, times) in [("(?=a)", 100_000), ("(?:(?!b)a){8}", 5000), ("(?:a(?!b)|c(?!d))", 100)] {
            let error = language(&pattern.repeat(times)).unwrap_err();
            assert!(error.unsupported && error.message.contains("too large"), "{pattern}: {}", error.message);
        }
        let nested = (0..20).fold("(?!b)a".to_owned(), |pattern, _| format!("(?:{pattern}){{8}}"));
        assert!(language(&nested).is_err_and(|error| error.unsupported));
    }

    #[test]
    fn errors_have_positions() {
        for (pattern, position, unsupported) in [
            ("a(b", 1, false),
            ("a)", 1, false),
            ("*a", 0, false),
            ("[a", 0, false),
            (r"(a)\1", 3, true),
            ("a{3,2}", 1, false),
            ("(?i)a", 0, false),
            (r"\Z", 0, false),
            ("(a(?!b))*", 2, true),
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
