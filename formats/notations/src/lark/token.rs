//! From Lark text to tokens.
//!
//! Written by hand because two things depend on more than the next characters: a line break ends a definition
//! unless the next line goes on with `|` or `->`, or it stands inside parentheses; and `?` and `!` before a name are
//! modifiers at the beginning of a definition and operators elsewhere.

use super::escape;
use gcc_grammar_ir::{Code, Diagnostic, Location, TokenSelector};
use std::fmt;
use std::ops::Range;

/// A byte range of the text.
pub(super) type Span = Range<usize>;

/// How deep parentheses may nest: what is built from them is walked recursively.
const MAX_NESTING: usize = 100;

/// What the grammar of Lark is written over.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    /// The name of a rule: begins with a lower-case letter, after underscores.
    RuleName(String),
    /// The name of a terminal: begins with an upper-case letter, after underscores.
    TerminalName(String),
    /// `"…"` or `"…"i`.
    Text {
        /// With escapes resolved.
        text: String,
        /// With the suffix `i`.
        ignore_case: bool,
    },
    /// `/…/flags`.
    Pattern {
        /// What stands between the slashes.
        pattern: String,
        /// The letters after the second slash.
        flags: String,
    },
    /// An integer, possibly signed.
    Number(i64),
    /// `{low,high}` after what is repeated.
    Bounds(i64, Option<i64>),
    /// `<name>` or `<[ids]>`: special tokens of the vocabulary.
    Special(Vec<TokenSelector>),
    /// The JSON object after `%llguidance`, `%regex` or `%json`.
    Json(String),
    /// `%name`.
    Directive(&'static str),
    /// `?` or `!` before the name of the rule that is being defined.
    Modifier,
    /// `~` before a number: repetition.
    Times,
    /// Any other punctuation.
    Sign(&'static str),
    /// A line break that ends a definition or directive.
    Newline,
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RuleName(name) => write!(f, "rule name `{name}`"),
            Self::TerminalName(name) => write!(f, "terminal name `{name}`"),
            Self::Text { text, .. } => write!(f, "string {text:?}"),
            Self::Pattern { pattern, .. } => write!(f, "regular expression /{pattern}/"),
            Self::Number(number) => write!(f, "number {number}"),
            Self::Bounds(..) => f.write_str("repetition in braces"),
            Self::Special(_) => f.write_str("special token"),
            Self::Json(_) => f.write_str("JSON object"),
            Self::Directive(name) => write!(f, "`%{name}`"),
            Self::Modifier => f.write_str("modifier `?` or `!`"),
            Self::Times => f.write_str("`~`"),
            Self::Sign(sign) => write!(f, "`{sign}`"),
            Self::Newline => f.write_str("end of line"),
        }
    }
}

/// Longer signs come before their prefixes.
const SIGNS: [&str; 18] =
    ["->", "..", "::", ":", "|", "(", ")", "[", "]", "{", "}", ",", ".", "*", "+", "?", "&", "="];

/// Directives that begin a line.
const DIRECTIVES: [&str; 17] = [
    "ignore",
    "import",
    "declare",
    "override",
    "extend",
    "basic",
    "contextual",
    "word",
    "after",
    "never",
    "layout",
    "enclose",
    "verbatim",
    "left",
    "right",
    "nonassoc",
    "llguidance",
];
/// Directives that stand within an alternative.
const INLINE_DIRECTIVES: [&str; 3] = ["regex", "json", "prec"];
/// Directives that a JSON object follows.
const WITH_JSON: [&str; 3] = ["llguidance", "regex", "json"];

/// Cuts `text` into tokens with their spans. The last one is a [`Token::Newline`], unless there are none.
pub(super) fn tokenize(text: &str) -> Result<Vec<(usize, Token, usize)>, Diagnostic> {
    let mut tokenizer = Tokenizer { text, at: 0, tokens: Vec::new(), open: Vec::new() };
    while tokenizer.at < text.len() {
        tokenizer.step()?;
    }
    tokenizer.end_definition(text.len())?;
    Ok(tokenizer.tokens)
}

struct Tokenizer<'t> {
    text: &'t str,
    at: usize,
    tokens: Vec<(usize, Token, usize)>,
    /// Positions of the parentheses, brackets and braces that are open.
    open: Vec<usize>,
}

fn error(code: Code, message: impl Into<String>, span: Span) -> Diagnostic {
    Diagnostic::error(code, message).at(Location::Span(span))
}

impl<'t> Tokenizer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn push(&mut self, start: usize, token: Token) {
        self.tokens.push((start, token, self.at));
    }

    fn last(&self) -> Option<&Token> {
        self.tokens.last().map(|(_, token, _)| token)
    }

    /// Is the next token the first one of a definition?
    fn at_definition(&self) -> bool {
        match self.last() {
            None | Some(Token::Newline | Token::Modifier) => true,
            Some(Token::Directive(name)) => matches!(*name, "override" | "extend"),
            _ => false,
        }
    }

    fn end_definition(&mut self, at: usize) -> Result<(), Diagnostic> {
        if let Some(&open) = self.open.first() {
            let message =
                format!("this `{}` is not closed before the definition ends", &self.text[open..=open]);
            return Err(error(Code::UnclosedParenthesis, message, open..open + 1));
        }
        if !matches!(self.last(), None | Some(Token::Newline)) {
            self.tokens.push((at, Token::Newline, at));
        }
        Ok(())
    }

    /// Consumes white space, a comment or one token.
    fn step(&mut self) -> Result<(), Diagnostic> {
        let rest = self.rest();
        let start = self.at;
        let Some(first) = rest.chars().next() else { return Ok(()) };
        match first {
            ' ' | '\t' | '\r' | '\u{FEFF}' => self.at += first.len_utf8(),
            '\n' => self.line_break()?,
            '\\' if rest[1..].trim_start_matches([' ', '\t', '\r']).starts_with('\n') => {
                self.at += rest.find('\n').map_or(rest.len(), |end| end + 1);
            }
            '#' => self.at += line_length(rest),
            '/' if rest.starts_with("//") => self.at += line_length(rest),
            '"' => self.string()?,
            '/' => self.pattern()?,
            '<' => self.special()?,
            '{' if bounds(rest).is_some() => self.bounds()?,
            '%' => self.directive()?,
            '~' => self.tilde(),
            '?' | '!' if self.at_definition() => {
                self.at += 1;
                self.push(start, Token::Modifier);
            }
            c if c.is_ascii_alphabetic() || c == '_' => self.name()?,
            c if c.is_ascii_digit() => self.number()?,
            '-' | '+' if rest[1..].starts_with(|c: char| c.is_ascii_digit()) && self.before_number() => {
                self.number()?
            }
            _ => self.sign()?,
        }
        Ok(())
    }

    /// After `.` a sign belongs to the number.
    fn before_number(&self) -> bool {
        matches!(self.last(), Some(Token::Sign("." | "..") | Token::Times))
    }

    fn line_break(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        self.at += 1;
        let rest = skip_blank(self.rest());
        let inline = INLINE_DIRECTIVES
            .iter()
            .any(|name| rest.strip_prefix('%').is_some_and(|rest| name_prefix(rest) == *name));
        let definition = (rest.starts_with('%') && !inline) || starts_definition(rest);
        let unfinished = matches!(self.last(), Some(Token::Sign("|" | ":" | "->" | "," | "&")));
        let goes_on =
            rest.starts_with(['|', '&']) || rest.starts_with("->") || !self.open.is_empty() || unfinished;
        if definition || !goes_on { self.end_definition(start) } else { Ok(()) }
    }

    fn string(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let rest = self.rest();
        let Some(end) = closing(rest, '"', false) else {
            return Err(error(
                Code::UnterminatedString,
                "this string has no closing quote",
                start..start + line_length(rest),
            )
            .help("strings end on the line they begin on; write \\n for a line break"));
        };
        let text = escape::unescape(&rest[1..end], start + 1)?;
        self.at += end + 1;
        let ignore_case = self.rest().starts_with('i') && !self.rest()[1..].starts_with(is_name_char);
        self.at += usize::from(ignore_case);
        self.push(start, Token::Text { text, ignore_case });
        Ok(())
    }

    fn pattern(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let rest = self.rest();
        let Some(end) = closing(rest, '/', true) else {
            let message = "this regular expression has no closing slash";
            return Err(error(Code::UnterminatedPattern, message, start..start + line_length(rest)));
        };
        let flags: &str = &rest[end + 1..];
        let flags = &flags[..flags.find(|c| !"imslux".contains(c)).unwrap_or(flags.len())];
        self.at += end + 1 + flags.len();
        if rest[..end].contains('\n') && !flags.contains('x') {
            let message = "this regular expression spans several lines";
            return Err(error(Code::UnterminatedPattern, message, start..start + line_length(rest))
                .help("close it with / or, if it is meant so, add the flag x"));
        }
        self.push(start, Token::Pattern { pattern: rest[1..end].to_string(), flags: flags.to_string() });
        Ok(())
    }

    fn special(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let rest = self.rest();
        let end = rest.find(['>', '\n']).filter(|&end| rest[end..].starts_with('>') && end > 1);
        let Some(end) = end else {
            return Err(error(
                Code::BadSpecialToken,
                "`<` begins a special token, but `>` is missing",
                start..start + 1,
            )
            .help("write a literal angle bracket as \"<\""));
        };
        let selectors = special_selectors(&rest[..=end], start)?;
        self.at += end + 1;
        self.push(start, Token::Special(selectors));
        Ok(())
    }

    fn directive(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let name = name_prefix(&self.rest()[1..]);
        self.at += 1 + name.len();
        let known = |known: &&str| *known == name;
        if let Some(directive) = DIRECTIVES.into_iter().find(known) {
            self.end_definition(start)?;
            self.push(start, Token::Directive(directive));
        } else if let Some(directive) = INLINE_DIRECTIVES.into_iter().find(known) {
            self.push(start, Token::Directive(directive));
        } else {
            let message = format!("there is no directive `%{name}`");
            return Err(error(Code::UnknownDirective, message, start..self.at)
                .help(format!("the directives are %{}", DIRECTIVES.join(", %"))));
        }
        if WITH_JSON.contains(&name) { self.json() } else { Ok(()) }
    }

    /// The JSON object that must follow; its contents are checked where they are used.
    fn json(&mut self) -> Result<(), Diagnostic> {
        self.at += self.rest().len() - self.rest().trim_start().len();
        let start = self.at;
        let Some(length) = object_length(self.rest()) else {
            let end = start + line_length(self.rest()).min(1);
            return Err(error(Code::BadJson, "a complete JSON object must follow", start..end)
                .help("write it in braces, as in %llguidance {}"));
        };
        self.at += length;
        self.push(start, Token::Json(self.text[start..self.at].to_string()));
        Ok(())
    }

    fn bounds(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let Some((low, high, length)) = bounds(self.rest()) else { return Ok(()) };
        self.at += length;
        let number = |digits: &str| digits.parse::<i64>();
        let low = if low.is_empty() { Ok(0) } else { number(low) };
        let high = high.map(|high| if high.is_empty() { Ok(None) } else { number(high).map(Some) });
        let high = high.unwrap_or_else(|| low.clone().map(Some));
        match (low, high) {
            (Ok(low), Ok(high)) => self.push(start, Token::Bounds(low, high)),
            _ => return Err(error(Code::BadNumber, "this bound is out of range", start..self.at)),
        }
        Ok(())
    }

    fn tilde(&mut self) {
        let start = self.at;
        self.at += 1;
        let times = self.rest().trim_start_matches([' ', '\t']).starts_with(|c: char| c.is_ascii_digit());
        self.push(start, if times { Token::Times } else { Token::Sign("~") });
    }

    fn name(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let name = name_prefix(self.rest());
        self.at += name.len();
        let letters = name.trim_start_matches('_');
        let token = if letters.starts_with(|c: char| c.is_ascii_lowercase()) {
            Token::RuleName(name.to_string())
        } else if letters.starts_with(|c: char| c.is_ascii_uppercase()) {
            Token::TerminalName(name.to_string())
        } else {
            return Err(error(Code::BadName, format!("`{name}` is no name"), start..self.at).help(
                "names of rules begin with a lower-case letter, names of terminals with an upper-case one",
            ));
        };
        self.push(start, token);
        Ok(())
    }

    fn number(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let rest = self.rest();
        let digits = rest[1..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |end| end + 1);
        self.at += digits;
        let number = rest[..digits].parse::<i64>();
        let number =
            number.map_err(|_| error(Code::BadNumber, "this number is too large", start..self.at))?;
        self.push(start, Token::Number(number));
        Ok(())
    }

    fn sign(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let rest = self.rest();
        let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) else {
            let c = rest.chars().next().unwrap_or_default();
            let advice = match c {
                '\'' => "strings are written in double quotes",
                '@' => "references to other grammars are not supported; import a file instead",
                ';' => "a definition ends with its line; there is no semicolon",
                _ => "text to be matched is written in double quotes",
            };
            let message = format!("the character {c:?} has no meaning here");
            return Err(error(Code::UnexpectedCharacter, message, start..start + c.len_utf8()).help(advice));
        };
        self.at += sign.len();
        match sign {
            "(" | "[" | "{" => self.open.push(start),
            ")" | "]" | "}" => drop(self.open.pop()),
            _ => {}
        }
        if self.open.len() > MAX_NESTING {
            let message = format!("parentheses are nested more than {MAX_NESTING} levels deep");
            return Err(
                error(Code::TooDeep, message, start..self.at).help("give the inner parts names of their own")
            );
        }
        self.push(start, Token::Sign(sign));
        Ok(())
    }
}

fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The name that `text` begins with. A hyphen belongs to it if a letter or digit follows.
fn name_prefix(text: &str) -> &str {
    let mut end = 0;
    loop {
        let rest = &text[end..];
        end += rest.find(|c| !is_name_char(c)).unwrap_or(rest.len());
        let hyphen = text[end..].strip_prefix('-').is_some_and(|after| after.starts_with(is_name_char));
        if end == 0 || !hyphen {
            return &text[..end];
        }
        end += 1;
    }
}

/// Reads `{low}`, `{low,}`, `{,high}` or `{low,high}`: the digits, and the length of it all.
fn bounds(text: &str) -> Option<(&str, Option<&str>, usize)> {
    let end = text.find('}')?;
    let inner = text.get(1..end)?;
    let (low, high) = inner.split_once(',').map_or((inner, None), |(low, high)| (low, Some(high)));
    let (low, high) = (low.trim(), high.map(str::trim));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let some = !low.is_empty() || high.is_some();
    (some && digits(low) && high.is_none_or(digits)).then_some((low, high, end + 1))
}

/// The length of the braces that `text` begins with and what is between them, strings taken as a whole.
fn object_length(text: &str) -> Option<usize> {
    if !text.starts_with('{') {
        return None;
    }
    let (mut depth, mut quoted, mut escaped) = (0usize, false, false);
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'{' if !quoted => depth += 1,
            b'}' if !quoted => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(index + 1);
        }
    }
    None
}

fn line_length(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}

/// Without white space, line breaks and comments at the front.
fn skip_blank(mut text: &str) -> &str {
    loop {
        text = text.trim_start();
        if !text.starts_with("//") && !text.starts_with('#') {
            return text;
        }
        text = &text[line_length(text)..];
    }
}

/// Does `text` begin with a name and what follows it in the head of a definition?
fn starts_definition(text: &str) -> bool {
    let text = text.trim_start_matches(['?', '!']);
    let name = name_prefix(text);
    let mut rest = text[name.len()..].trim_start_matches([' ', '\t']);
    if name.is_empty() {
        return false;
    }
    if let Some(after) = rest.strip_prefix('[') {
        rest = after[attributes_length(after)..].trim_start_matches([' ', '\t']);
    }
    if let Some(after) = rest.strip_prefix('{') {
        rest = after[after.find(['}', '\n']).unwrap_or(after.len())..].trim_start_matches(['}', ' ', '\t']);
    }
    if let Some(after) = rest.strip_prefix('.') {
        rest = after.trim_start_matches(|c: char| c.is_ascii_digit() || "+- \t".contains(c));
    }
    rest.starts_with(':')
}

/// The length of what stands before and with the bracket that closes, on this line, strings taken as a whole.
fn attributes_length(text: &str) -> usize {
    let mut at = 0;
    while let Some(next) = text[at..].find([']', '"', '\n']) {
        let rest = &text[at + next..];
        match rest.as_bytes()[0] {
            b']' => return at + next + 1,
            b'"' => match closing(rest, '"', false) {
                Some(end) => at += next + end + 1,
                None => break,
            },
            _ => break,
        }
    }
    0
}

/// Where the delimiter that opens `text` is closed, backslash escapes aside.
fn closing(text: &str, delimiter: char, lines: bool) -> Option<usize> {
    let mut escaped = false;
    for (index, c) in text.char_indices().skip(1) {
        match c {
            '\n' if !lines => return None,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == delimiter => return Some(index),
            _ => {}
        }
    }
    None
}

/// Reads `<name>`, `<[1,5-7]>`, `<[^1,5-7]>` or `<[*]>`.
fn special_selectors(text: &str, start: usize) -> Result<Vec<TokenSelector>, Diagnostic> {
    let ids = text.strip_prefix("<[").and_then(|ids| ids.strip_suffix("]>"));
    let Some(ids) = ids else {
        if text.contains(|c: char| c.is_whitespace()) {
            let message = "the name of a special token has no white space";
            return Err(error(Code::BadSpecialToken, message, start..start + text.len())
                .help("write a literal angle bracket as \"<\""));
        }
        return Ok(vec![TokenSelector::Name(text.to_string())]);
    };
    let ranges =
        |ids: &str| ids.split(',').map(|range| id_range(range.trim(), start..start + text.len())).collect();
    match ids.strip_prefix('^') {
        Some(except) => Ok(vec![TokenSelector::AllBut(ranges(except)?)]),
        None if ids == "*" => Ok(vec![TokenSelector::AllBut(Vec::new())]),
        None => ranges(ids),
    }
}

fn id_range(text: &str, span: Span) -> Result<TokenSelector, Diagnostic> {
    let (low, high) = text.split_once('-').unwrap_or((text, text));
    match (low.trim().parse(), high.trim().parse()) {
        (Ok(low), Ok(high)) if low <= high => Ok(TokenSelector::Ids(low, high)),
        _ => Err(error(Code::BadSpecialToken, format!("{text:?} is no token id or range of ids"), span)
            .help("write ids as in <[128009]> or <[5, 100-200]>")),
    }
}
