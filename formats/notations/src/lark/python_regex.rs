//! Translates regular expressions of Python's `re`, which Lark uses, to the syntax of the `regex-syntax` crate.
//!
//! Input: a pattern and its flags. Output: a regular expression, or an error located in the pattern. The two syntaxes agree on nearly
//! everything. The translated differences are set operators (`[[]`, `[a&&b]`, `[+--]` are plain characters in Python), `\b` in a class
//! (backspace), octal escapes, `\Z`, escaped letters that only one of them knows (`\<`), a brace that begins no repetition, `{,n}`,
//! comments `(?#…)`, `$` (also before a line feed at the end), possessive repetitions (`a*+` is `(?>a*)`, and `a{2}+` is `(?>(?>a){2})`), and white
//! space in a class under the flag `x`. `\w` are letters, numbers and `_` (`str.isalnum`), and `\s` also the separators U+001C to U+001F
//! (`str.isspace`); `\d` is that of Unicode in both. Conditionals and back-references are refused. Two differences are left: `\b` is a boundary of
//! Unicode's words, which have marks and no numbers such as `²`; and `i` does not match `ı` and `İ`.

use super::scan::bounds;
use super::token::Span;
use gcc_grammar_ir::{Code, Diagnostic, Location};
use gcc_grammar_regular::{PatternFlags, Regex, RegularLimits};

/// Reads a pattern with flag letters out of `imslux`. Errors are located in `pattern`.
pub(super) fn parse(pattern: &str, flags: &str, limits: &RegularLimits) -> Result<Regex, Diagnostic> {
    let translator = translate(pattern, flags)?;
    let flags =
        PatternFlags { look_around: true, refuse_assertions: false, ..PatternFlags::of_terminal(flags) };
    Regex::parse_within(&translator.output, flags, limits).map_err(|error| translator.relocate(error.into()))
}

/// A pattern of Python with flag letters out of `aimsx`, in the syntax of [regular expressions](crate::regex).
///
/// # Errors
/// The pattern is none of Python, or no regular expression. The location is a byte range of `pattern`.
pub fn translated(pattern: &str, flags: &str) -> Result<String, Diagnostic> {
    let translator = translate(pattern, flags)?;
    let flags: String = flags.chars().filter(|flag| "imsx".contains(*flag)).collect();
    Ok(if flags.is_empty() { translator.output } else { format!("(?{flags}){}", translator.output) })
}

fn translate<'p>(pattern: &'p str, flags: &str) -> Result<Translator<'p>, Diagnostic> {
    let mut translator = Translator {
        source: pattern,
        at: 0,
        ascii: flags.contains('a'),
        extended: flags.contains('x'),
        multi_line: vec![flags.contains('m')],
        output: String::new(),
        origin: Vec::new(),
        open: Vec::new(),
        item: 0,
        atomic: Vec::new(),
    };
    translator.pattern()?;
    translator.open_atomic_groups();
    Ok(translator)
}

/// A pattern in the course of translation.
struct Translator<'p> {
    source: &'p str,
    at: usize,
    /// Whether classes are those of ASCII (flag `a`).
    ascii: bool,
    /// Whether white space is insignificant (flag `x`).
    extended: bool,
    /// For each open group, and for the whole pattern, whether `$` is the end of a line (flag `m`).
    multi_line: Vec<bool>,
    output: String,
    /// Per byte of the output, the position in the source that it came from.
    origin: Vec<usize>,
    /// Where each open group begins in the output.
    open: Vec<usize>,
    /// Where the last item that may be repeated begins in the output.
    item: usize,
    /// Where an atomic group begins in the output, of a possessive repetition.
    atomic: Vec<usize>,
}

fn refuse(message: &str, span: Span) -> Diagnostic {
    Diagnostic::error(Code::BadPattern, message).at(Location::Span(span))
}

impl<'p> Translator<'p> {
    fn rest(&self) -> &'p str {
        &self.source[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Writes `text` for the next `length` bytes of the source.
    fn emit(&mut self, text: &str, length: usize) {
        self.output.push_str(text);
        self.origin.resize(self.output.len(), self.at);
        self.at += length;
    }

    fn copy(&mut self, length: usize) {
        self.emit(&self.rest()[..length], length);
    }

    /// Moves the location of an error from the output to the source.
    fn relocate(&self, mut error: Diagnostic) -> Diagnostic {
        let origin = |at: usize| self.origin.get(at).copied().unwrap_or(self.source.len());
        if let Some(Location::Span(span)) = &mut error.location {
            let end = if span.end == 0 { 0 } else { origin(span.end) };
            *span = origin(span.start)..end.max(origin(span.start));
        }
        error
    }

    fn pattern(&mut self) -> Result<(), Diagnostic> {
        while let Some(c) = self.peek() {
            match c {
                '*' | '+' | '?' => {
                    self.copy(1);
                    self.after_quantifier();
                }
                '{' => self.brace(),
                c if self.extended && c.is_whitespace() => self.copy(c.len_utf8()),
                '#' if self.extended => self.copy(self.rest().find('\n').unwrap_or(self.rest().len())),
                c => self.item(c)?,
            }
        }
        Ok(())
    }

    /// Translates an item that may be repeated, or the begin of a group.
    fn item(&mut self, c: char) -> Result<(), Diagnostic> {
        self.item = self.output.len();
        match c {
            '\\' => self.escape()?,
            '[' => self.class()?,
            '(' => self.group()?,
            ')' => {
                self.item = self.open.pop().unwrap_or(self.item);
                self.copy(1);
                if self.multi_line.len() > 1 {
                    self.multi_line.pop();
                }
            }
            '$' if self.multi_line.last() == Some(&false) => self.emit(r"(?=\n?\z)", 1),
            c => self.copy(c.len_utf8()),
        }
        Ok(())
    }

    /// Translates the suffix of a quantifier: `?` makes it lazy, `+` possessive.
    fn after_quantifier(&mut self) {
        match self.peek() {
            Some('?') => self.copy(1),
            Some('+') => {
                self.atomic.push(self.item);
                self.emit(")", 1);
            }
            _ => {}
        }
    }

    /// Writes the beginnings of the groups of possessive repetitions.
    fn open_atomic_groups(&mut self) {
        if self.atomic.is_empty() {
            return;
        }
        self.atomic.sort_unstable();
        let plain = std::mem::take(&mut self.output);
        let origin = std::mem::take(&mut self.origin);
        let mut written = 0;
        for &start in &self.atomic {
            self.output.push_str(&plain[written..start]);
            self.origin.extend_from_slice(&origin[written..start]);
            self.output.push_str("(?>");
            self.origin.resize(self.output.len(), origin[start]);
            written = start;
        }
        self.output.push_str(&plain[written..]);
        self.origin.extend_from_slice(&origin[written..]);
    }

    fn brace(&mut self) {
        let Some((low, high, length)) = repetition(self.rest()) else {
            self.item = self.output.len();
            self.emit(r"\{", 1);
            return;
        };
        let low = if low.is_empty() { "0" } else { low };
        let text = match high {
            Some(high) => format!("{{{low},{high}}}"),
            None => format!("{{{low}}}"),
        };
        if !matches!(low.parse(), Ok(0_u32 | 1)) && self.rest()[length..].starts_with('+') {
            // Python does not go back into a round, also where the next one does not match.
            self.atomic.push(self.item);
            self.emit(")", 0);
        }
        self.emit(&text, length);
        self.after_quantifier();
    }

    fn group(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let rest = self.rest();
        if rest.starts_with("(?#") {
            let length =
                rest.find(')').ok_or_else(|| refuse("this comment is not closed", start..start + 3))?;
            self.at += length + 1;
            return Ok(());
        }
        let refused = [
            (
                "(?P=",
                "a back-reference is not a regular expression",
                "list the possible texts as alternatives instead",
            ),
            ("(?(", "conditionals are not regular expressions", "write the cases as alternatives instead"),
        ];
        for (prefix, message, help) in refused {
            if rest.starts_with(prefix) {
                return Err(refuse(message, start..start + prefix.len()).help(help));
            }
        }
        let (on, off, is_whole) = flags(rest).unwrap_or_default();
        self.extended |= on.contains('x');
        let outside = self.multi_line.last() == Some(&true);
        let multi_line = (outside || on.contains('m')) && !off.contains('m');
        match (is_whole, self.multi_line.last_mut()) {
            (true, Some(outside)) => *outside = multi_line,
            _ => {
                self.multi_line.push(multi_line);
                self.open.push(self.item);
            }
        }
        if is_whole && on.contains(['a', 'u']) {
            self.ascii |= on.contains('a');
            let others: String = on.chars().filter(|flag| !"au".contains(*flag)).collect();
            let text = if others.is_empty() { String::new() } else { format!("(?{others})") };
            self.emit(&text, "(?)".len() + on.len());
            return Ok(());
        }
        // The `?` after the parenthesis is not a quantifier.
        self.copy(if rest.starts_with("(?") { 2 } else { 1 });
        Ok(())
    }

    /// Translates an escape outside of a class.
    fn escape(&mut self) -> Result<(), Diagnostic> {
        let Some(c) = self.rest()[1..].chars().next() else {
            return Err(refuse("a backslash ends the pattern", self.at..self.at + 1));
        };
        match c {
            'Z' => self.emit(r"\z", 2),
            '0' => self.octal(),
            '1'..='3' if self.is_octal() => self.octal(),
            'w' | 'W' | 'd' | 'D' | 's' | 'S' => self.named_class(c, "[", "]"),
            // The module `regex`, which Lark can use, has classes of Unicode.
            'p' | 'P' if self.rest()[2..].starts_with('{') => {
                self.copy(self.rest().find('}').map_or(2, |end| end + 1));
            }
            'N' => return Err(self.no_names()),
            '<' | '>' => self.emit(&c.to_string(), 2),
            c if !c.is_ascii() => self.emit(&c.to_string(), 1 + c.len_utf8()),
            _ => self.copy(2),
        }
        Ok(())
    }

    /// A class such as `\w`, between `open` and `close` if it is not negated.
    fn named_class(&mut self, letter: char, open: &str, close: &str) {
        let content = match (letter.to_ascii_lowercase(), self.ascii) {
            ('w', false) => r"\p{L}\p{N}_",
            ('w', true) => "0-9A-Za-z_",
            ('d', false) => r"\d",
            ('d', true) => "0-9",
            (_, false) => r"\s\x1C-\x1F",
            (_, true) => r"\t-\r\x20",
        };
        let text = match letter.is_ascii_uppercase() {
            true => format!("[^{content}]"),
            false => format!("{open}{content}{close}"),
        };
        self.emit(&text, 2);
    }

    /// Whether three octal digits stand behind the backslash, which are no back-reference.
    fn is_octal(&self) -> bool {
        let digits = self.rest().as_bytes().get(1..4);
        digits.is_some_and(|digits| digits.iter().all(|digit| (b'0'..b'8').contains(digit)))
    }

    fn no_names(&self) -> Diagnostic {
        refuse(r"characters by name (\N{…}) are not supported", self.at..self.at + 2)
            .help(r"write \uXXXX instead")
    }

    /// `\0`, `\07`, `\012`, `\101`.
    fn octal(&mut self) {
        let digits = self.rest()[1..].bytes().take(3).take_while(|byte| (b'0'..b'8').contains(byte)).count();
        let value = u32::from_str_radix(&self.rest()[1..=digits], 8).unwrap_or(0);
        self.emit(&format!(r"\x{{{value:X}}}"), 1 + digits);
    }

    fn class(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        self.copy(1);
        if self.rest().starts_with('^') {
            self.copy(1);
        }
        let mut first = true;
        loop {
            match self.peek() {
                None => return Err(refuse("this character class is not closed", start..start + 1)),
                Some(']') if !first => break,
                Some(_) => self.class_item()?,
            }
            first = false;
        }
        self.copy(1);
        Ok(())
    }

    /// Translates one character of a class, or a range of characters.
    fn class_item(&mut self) -> Result<(), Diagnostic> {
        self.class_char()?;
        let mut ahead = self.rest().chars();
        if ahead.next() == Some('-') && ahead.next().is_some_and(|c| c != ']') {
            self.copy(1);
            self.class_char()?;
        }
        Ok(())
    }

    fn class_char(&mut self) -> Result<(), Diagnostic> {
        let Some(c) = self.peek() else { return Ok(()) };
        match c {
            '\\' => match self.rest()[1..].chars().next() {
                Some('b') => self.emit(r"\x08", 2),
                Some('0'..='7') => self.octal(),
                Some(c @ ('w' | 'W' | 'd' | 'D' | 's' | 'S')) => self.named_class(c, "", ""),
                _ => self.escape()?,
            },
            '[' | ']' | '&' | '~' | '-' | '^' => self.emit(&format!(r"\{c}"), 1),
            c if self.extended && (c.is_whitespace() || c == '#') => {
                self.emit(&format!(r"\x{{{:X}}}", u32::from(c)), c.len_utf8());
            }
            c => self.copy(c.len_utf8()),
        }
        Ok(())
    }
}

/// Reads `(?i-m:` or `(?i)`: the flags that are set and those that are not, and whether they hold without a group of their own.
fn flags(text: &str) -> Option<(&str, &str, bool)> {
    let letters = text.strip_prefix("(?")?;
    let end = letters.find(|c: char| !c.is_ascii_alphabetic() && c != '-')?;
    let (on, off) = letters[..end].split_once('-').unwrap_or((&letters[..end], ""));
    match letters[end..].chars().next()? {
        ')' => Some((on, off, true)),
        ':' => Some((on, off, false)),
        _ => None,
    }
}

/// Reads `{low,high}` or `{low}` and returns the digits of both bounds, and the length.
fn repetition(text: &str) -> Option<(&str, Option<&str>, usize)> {
    bounds(text).filter(|&(.., length)| !text[..length].contains(char::is_whitespace))
}

#[cfg(test)]
mod tests {
    use super::parse;
    use gcc_grammar_ir::{Diagnostic, Location};
    use gcc_grammar_regular::{Dfa, RegularLimits};

    fn dfa(pattern: &str, flags: &str) -> Dfa {
        parse(pattern, flags, &RegularLimits::default())
            .expect(pattern)
            .to_dfa(&RegularLimits::default())
            .expect("small")
    }

    fn error(pattern: &str) -> (Diagnostic, std::ops::Range<usize>) {
        let error = parse(pattern, "", &RegularLimits::default()).expect_err(pattern);
        match error.location.clone() {
            Some(Location::Span(span)) => (error, span),
            other => panic!("no span: {other:?}"),
        }
    }

    #[test]
    fn classes_are_those_of_python() {
        for text in ["[", "&", "a"] {
            assert!(dfa("[[a&&]", "").accepts(text.as_bytes()), "{text}");
        }
        assert!(
            dfa("[]x]", "").accepts(b"]")
                && dfa("[^]x]", "").accepts(b"y")
                && !dfa("[^]x]", "").accepts(b"]")
        );
        assert!(dfa("[+--]", "").accepts(b",") && !dfa("[+--]", "").accepts(b"."));
        assert!(
            dfa("[a-]", "").accepts(b"-") && dfa("[-a]", "").accepts(b"-") && !dfa("[a-]", "").accepts(b"b")
        );
        assert!(dfa(r"[\b\0\012]", "").accepts(b"\x08") && dfa(r"[\b\0\012]", "").accepts(b"\n"));
        assert!(dfa(r"[^\]\\]", "").accepts(b"[") && dfa("[ #]", "x").accepts(b" "));
        assert!(dfa("[~^~]", "").accepts(b"^") && dfa("[a^]", "").accepts(b"^"));
    }

    #[test]
    fn braces_and_escapes_are_those_of_python() {
        assert!(
            dfa("a{,2}", "").accepts(b"aa") && dfa("a{,}", "").accepts(b"") && dfa("a{", "").accepts(b"a{")
        );
        assert!(dfa("{x}", "").accepts(b"{x}") && dfa(r"\<\é\/", "").accepts("<é/".as_bytes()));
        assert!(dfa(r"a(?#note)b", "").accepts(b"ab") && dfa("a b # c", "x").accepts(b"ab"));
        assert!(dfa("(?P<n>a)(?:b)(?i:C)", "").accepts(b"abc") && dfa("É", "i").accepts("é".as_bytes()));
        assert!(dfa(r"\u00e9\x41", "").accepts("éA".as_bytes()));
        assert!(dfa(r"\p{Lu}[\P{L}]{2}", "").accepts("É12".as_bytes()));
    }

    #[test]
    fn named_classes_are_those_of_python() {
        // Verdicts of `re.fullmatch`.
        let words = ["\u{b2}", "\u{bd}", "\u{2160}", "_", "é", "٣", "中"];
        let others = ["\u{301}", "\u{ff3f}", "\u{200d}", "-"];
        for pattern in [r"\w", r"[\w]", r"[^\W]"] {
            assert!(words.iter().all(|text| dfa(pattern, "").accepts(text.as_bytes())), "{pattern}");
            assert!(!others.iter().any(|text| dfa(pattern, "").accepts(text.as_bytes())), "{pattern}");
        }
        for pattern in [r"\W", r"[\W]", r"[^\w]"] {
            assert!(others.iter().all(|text| dfa(pattern, "").accepts(text.as_bytes())), "{pattern}");
        }
        assert!(dfa(r"[\sx]\S", "").accepts(b"\x1Cx") && !dfa(r"\S", "").accepts(b"\x1F"));
        assert!(dfa(r"\d[\D]", "").accepts("٣x".as_bytes()) && !dfa(r"\d", "a").accepts("٣".as_bytes()));
        assert!(dfa(r"\w\s", "a").accepts(b"a ") && !dfa(r"\w", "a").accepts("é".as_bytes()));
        assert!(dfa(r"\141[\142]\060", "").accepts(b"ab0"));
        assert_eq!(error(r"(a)\12").1, 3..5);
    }

    #[test]
    fn assertions_are_those_of_python() {
        assert!(dfa(r"a$\n", "").accepts(b"a\n") && !dfa(r"a$\nb", "").accepts(b"a\nb"));
        assert!(dfa(r"a$\nb", "m").accepts(b"a\nb") && dfa(r"(?m:a$)\n^?b", "").accepts(b"a\nb"));
        assert!(!dfa(r"(?m)(?-m:a$)\nb", "").accepts(b"a\nb") && dfa(r"(?m)(a$)\n^b", "").accepts(b"a\nb"));
        assert!(!dfa(r"a\Z\n", "").accepts(b"a\n") && dfa(r"\Aa\b\Z", "").accepts(b"a"));
        assert!(dfa(r"(?!kw\b)\w+", "").accepts("kwé".as_bytes()) && !dfa(r"(?!kw\b)\w+", "").accepts(b"kw"));
    }

    /// The texts of up to four letters, which the table of `tests/look_around.py` is about.
    fn short_texts() -> Vec<String> {
        let mut texts = vec![String::new()];
        for length in 0..4 {
            let longest: Vec<String> = texts.iter().filter(|text| text.len() == length).cloned().collect();
            texts.extend(
                longest.iter().flat_map(|text| "ab-\n".chars().map(move |letter| format!("{text}{letter}"))),
            );
        }
        texts
    }

    /// Compares the patterns of a table with the texts that they match. Returns how many are refused because of atomic groups.
    fn check_table(table: &str) -> usize {
        let texts = short_texts();
        let mut refused = 0;
        for line in table.lines() {
            let (pattern, bits) = line.split_once('\t').expect("a pattern and bits");
            let digits: Vec<u32> =
                bits.chars().map(|digit| digit.to_digit(16).expect("hexadecimal")).collect();
            let dfa = match parse(pattern, "", &RegularLimits::default()) {
                Err(error) if error.message.starts_with("an atomic group") => {
                    refused += 1;
                    continue;
                }
                _ => dfa(pattern, ""),
            };
            let first = 4 * digits.len() - texts.len();
            // Terminals are not empty, and Python before 3.14 finds no \\B in the empty text.
            for (place, text) in texts.iter().enumerate().skip(1) {
                let bit = first + place;
                let expected = digits[bit / 4] >> (3 - bit % 4) & 1 == 1;
                assert_eq!(dfa.accepts(text.as_bytes()), expected, "{pattern} on {text:?}");
            }
        }
        refused
    }

    #[test]
    fn look_around_is_that_of_python() {
        assert_eq!(check_table(include_str!("tests/look_around.txt")), 0);
    }

    #[test]
    fn atomic_groups_are_those_of_python() {
        let table = include_str!("tests/atomic.txt");
        let (refused, all) = (check_table(table), table.lines().count());
        assert!(2 * refused < all, "{refused} of {all} are refused");
    }

    #[test]
    fn possessive_repetitions_are_atomic_groups() {
        assert!(!dfa("a*+a", "").accepts(b"aa") && dfa("a*+b", "").accepts(b"aab"));
        assert!(dfa("(?>a|ab)c", "").accepts(b"ac") && !dfa("(?>a|ab)c", "").accepts(b"abc"));
        assert!(dfa("(?:ab){1,2}+a", "").accepts(b"aba") && !dfa("a{1,2}+ab", "").accepts(b"aab"));
        assert!(dfa("(?:a++b)++ # note", "x").accepts(b"aabab") && !dfa("[ab] ++b", "x").accepts(b"ab"));
    }

    #[test]
    fn refused_patterns_say_where_in_the_source() {
        assert_eq!(error("[[]a(?=b))").1, 9..10);
        assert_eq!(error("{(?<!b").1, 1..5);
        assert_eq!(error("(a)(?P=a)").1, 3..7);
        assert_eq!(error("b(?>(a?)*)").1, 1..10);
        assert_eq!(error("b(?:a?)*+").1, 1..9);
        assert_eq!(error(r"a(?>\bb)").1, 1..8);
        assert_eq!(error("a{2,3}+)").1, 7..8);
        assert_eq!(error("[a").1, 0..1);
        assert_eq!(error("a)").1, 1..2);
        assert_eq!(error("a\\").1, 1..2);
        assert_eq!(error("[b-a]").1, 1..4);
    }
}
