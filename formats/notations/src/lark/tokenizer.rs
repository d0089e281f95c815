//! Cuts the text of a Lark grammar into tokens.
//!
//! Input: the text of one file. Output: tokens with their byte ranges; the last token is a line break unless there are no tokens. The
//! tokenizer is written by hand because two decisions need more than the next characters: a line break ends a definition unless the next
//! line goes on with `|` or `->` or parentheses are open; and `?` and `!` before a name are modifiers at the beginning of a definition and
//! operators elsewhere. The escapes of strings are resolved at the end, since a directive, wherever it is, decides which there are.

use super::escape::Escapes;
use super::options::Dialect;
use super::scan::{
    bounds, closing, grammar_length, is_name_char, line_length, name_prefix, object_length, parameter_length,
    skip_blank, starts_definition,
};
use super::token::{Directive, Span, Token};
use crate::scanner::{charge, check_depth, error};
use gcc_grammar_ir::{Code, Diagnostic, TokenSelector};
use gcc_grammar_limits::Budget;

/// Estimated bytes of a token, and of the part of the syntax tree and of the rules that it becomes.
const BYTES_PER_TOKEN: u64 = 400;
/// The work to read a token and what becomes of it.
const WORK_PER_TOKEN: u64 = 50;

/// Longer signs come before their prefixes.
const SIGNS: [&str; 18] =
    ["->", "..", "::", ":", "|", "(", ")", "[", "]", "{", "}", ",", ".", "*", "+", "?", "&", "="];

/// Cuts `text` into tokens with their spans. The last one is a [`Token::Newline`], unless there are none.
pub(super) fn tokenize(
    text: &str,
    dialect: Dialect,
    budget: &Budget,
) -> Result<Vec<(usize, Token, usize)>, Diagnostic> {
    let mut tokenizer = Tokenizer { text, budget, at: 0, tokens: Vec::new(), open: Vec::new(), blank_end: 0 };
    budget.charge_work(text.len() as u64 / 8)?;
    while tokenizer.at < text.len() {
        let start = tokenizer.at;
        let count = tokenizer.tokens.len();
        tokenizer.step()?;
        if tokenizer.tokens.len() > count {
            tokenizer.charge(start)?;
        }
    }
    tokenizer.end_definition(text.len())?;
    let mut tokens = tokenizer.tokens;
    let is_llguidance =
        |token: &Token| matches!(token, Token::Directive(Directive::Llguidance | Directive::GrammarOptions));
    let is_dialect =
        dialect == Dialect::Llguidance || tokens.iter().any(|(_, token, _)| is_llguidance(token));
    let escapes = if is_dialect { Escapes::Json } else { Escapes::Python };
    for (start, token, _) in &mut tokens {
        if let Token::Text { text, .. } = token {
            *text = escapes.resolve(text, *start + 1)?;
        }
    }
    Ok(tokens)
}

struct Tokenizer<'t> {
    text: &'t str,
    budget: &'t Budget,
    at: usize,
    tokens: Vec<(usize, Token, usize)>,
    /// Positions of the parentheses, brackets and braces that are open.
    open: Vec<usize>,
    /// The end of the white space and comments after the last line break that was looked at.
    blank_end: usize,
}

impl<'t> Tokenizer<'t> {
    /// Charges the token that begins at `start`, and the part of the syntax tree that it becomes.
    fn charge(&self, start: usize) -> Result<(), Diagnostic> {
        let bytes = BYTES_PER_TOKEN + 4 * (self.at - start) as u64;
        charge(self.budget, WORK_PER_TOKEN, bytes, start..self.at)
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn push(&mut self, start: usize, token: Token) {
        self.tokens.push((start, token, self.at));
    }

    fn last(&self) -> Option<&Token> {
        self.tokens.last().map(|(_, token, _)| token)
    }

    /// Whether the next token begins a definition.
    fn at_definition(&self) -> bool {
        match self.last() {
            None | Some(Token::Newline | Token::Modifier) => true,
            Some(Token::Directive(directive)) => {
                matches!(directive, Directive::Override | Directive::Extend)
            }
            _ => false,
        }
    }

    /// Ends the definition at `at`: no parenthesis may be open.
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

    /// Whether a sign at this position belongs to a number.
    fn before_number(&self) -> bool {
        matches!(self.last(), Some(Token::Sign("." | "..") | Token::Times))
    }

    fn line_break(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        self.at += 1;
        if self.blank_end < self.at {
            self.blank_end = self.text.len() - skip_blank(self.rest()).len();
        }
        let rest = &self.text[self.blank_end..];
        let inline = rest.strip_prefix('%').and_then(|rest| Directive::named(name_prefix(rest)));
        let inline = inline.is_some_and(Directive::is_inline);
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
        let text = rest[1..end].to_owned();
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
                .help("close it with /, or add the flag x to allow line breaks in it"));
        }
        if let Some(at) = flags.find('l') {
            let at = start + end + 1 + at;
            return Err(error(
                Code::BadPattern,
                "the flag l, for the characters of a locale, is not supported",
                at..at + 1,
            )
            .help("remove it: patterns are those of Unicode"));
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
        let Some(directive) = Directive::named(name) else {
            let names = Directive::ALL.iter().filter(|known| !known.is_inline()).map(|known| known.as_str());
            let help = format!("the directives are %{}", names.collect::<Vec<_>>().join(", %"));
            let message = format!("there is no directive `%{name}`");
            return Err(error(Code::UnknownDirective, message, start..self.at).help(help));
        };
        if !directive.is_inline() {
            self.end_definition(start)?;
        }
        self.push(start, Token::Directive(directive));
        match directive {
            Directive::Lark => self.in_braces(true),
            Directive::If => {
                self.at += self.rest().len() - self.rest().trim_start_matches([' ', '\t']).len();
                self.parameter();
                Ok(())
            }
            _ if directive.takes_json() => self.in_braces(false),
            _ => Ok(()),
        }
    }

    /// Reads an expression over the parameter of a rule.
    fn parameter(&mut self) {
        let start = self.at;
        self.at += parameter_length(self.rest());
        self.push(start, Token::Parameter(self.text[start..self.at].to_string()));
    }

    /// The text in braces that must follow a directive, without them where it is a grammar.
    fn in_braces(&mut self, is_grammar: bool) -> Result<(), Diagnostic> {
        self.at += self.rest().len() - self.rest().trim_start().len();
        let start = self.at;
        let length = if is_grammar { grammar_length(self.rest()) } else { object_length(self.rest()) };
        let Some(length) = length else {
            let span = start..self.text.ceil_char_boundary(start + line_length(self.rest()).min(1));
            return Err(if is_grammar {
                error(Code::Syntax, "a complete grammar in braces must follow %lark", span)
                    .help("write it as in `%lark { start: \"a\" }`")
            } else {
                error(Code::BadJson, "a complete JSON object must follow", span)
                    .help("write it in braces, as in %llguidance {}")
            });
        };
        self.at += length;
        let token = match is_grammar {
            true => Token::Grammar(self.text[start + 1..self.at - 1].to_string()),
            false => Token::Json(self.text[start..self.at].to_string()),
        };
        self.push(start, token);
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
            return Err(error(Code::BadName, format!("`{name}` is not a valid name"), start..self.at).help(
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
                '@' => {
                    "a grammar by name comes with a program; write it out as in `%lark { start: … }`, or import a file with `%language .file`"
                }
                ';' => "a definition ends with its line; there is no semicolon",
                _ => "text to be matched is written in double quotes",
            };
            let message = format!("the character {c:?} has no meaning here");
            return Err(error(Code::UnexpectedCharacter, message, start..start + c.len_utf8()).help(advice));
        };
        self.at += sign.len();
        if sign == "::" {
            self.parameter();
            return Ok(());
        }
        match sign {
            "(" | "[" | "{" => self.open.push(start),
            ")" | "]" | "}" => drop(self.open.pop()),
            _ => {}
        }
        check_depth(self.open.len(), start..self.at)?;
        self.push(start, Token::Sign(sign));
        Ok(())
    }
}

/// Reads `<name>`, `<[1,5-7]>`, `<[^1,5-7]>` or `<[*]>`.
fn special_selectors(text: &str, start: usize) -> Result<Vec<TokenSelector>, Diagnostic> {
    let ids = text.strip_prefix("<[").and_then(|ids| ids.strip_suffix("]>"));
    let Some(ids) = ids else {
        if text.contains(|c: char| c.is_whitespace()) {
            let message = "the name of a special token cannot contain white space";
            return Err(error(Code::BadSpecialToken, message, start..start + text.len())
                .help("write a literal angle bracket as \"<\""));
        }
        return Ok(vec![TokenSelector::Name(text.to_string())]);
    };
    let ranges =
        |ids: &str| ids.split(',').map(|range| id_range(range.trim(), start..start + text.len())).collect();
    match ids.strip_prefix('^') {
        Some(except) => Ok(vec![TokenSelector::AnyBut(ranges(except)?)]),
        None if ids == "*" => Ok(vec![TokenSelector::AnyBut(Vec::new())]),
        None => ranges(ids),
    }
}

fn id_range(text: &str, span: Span) -> Result<TokenSelector, Diagnostic> {
    let (low, high) = text.split_once('-').unwrap_or((text, text));
    match (low.trim().parse(), high.trim().parse()) {
        (Ok(low), Ok(high)) if low <= high => Ok(TokenSelector::Ids(low, high)),
        _ => Err(error(
            Code::BadSpecialToken,
            format!("{text:?} is neither a token id nor a range of ids"),
            span,
        )
        .help("write ids as in <[128009]> or <[5, 100-200]>")),
    }
}
