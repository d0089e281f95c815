//! Parses the text of a grammar into rules of a draft. Groups that are open lie on a stack, so nothing recurses.

use crate::exclusion::Exclusion;
use crate::grammar_builder::{GrammarBuilder, choice, nonterminal, repeat_again, sequence};
use crate::named_rules::Rules;
use crate::options::GrammarOptions;
use crate::scanner::{Scanner, charge, check_depth, check_surrogates, error};
use gcc_grammar_ir::{Code, Diagnostic, Expr, Grammar, Location, NonterminalId};
use gcc_grammar_limits::Budget;
use gcc_grammar_regular::CharSet;

/// Estimated bytes of an item of a sequence, and the work to read it.
const BYTES_PER_ITEM: u64 = 400;
const WORK_PER_ITEM: u64 = 50;

/// A grammar as it is written.
pub(super) struct Read {
    pub(super) grammar: Grammar,
    /// Where each of its terminals was first used.
    pub(super) places: Vec<Option<Location>>,
    pub(super) exclusions: Vec<Exclusion>,
    /// The rules behind `@terminals`.
    pub(super) terminals: Vec<NonterminalId>,
    /// The rule of `@pass`.
    pub(super) ignored: Option<NonterminalId>,
}

/// Whether a text begins with a code point such as `#x20`.
pub(super) fn is_code_point(text: &str) -> bool {
    text.strip_prefix("#x").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_hexdigit()))
}

/// Whether nothing but white space stands between the beginning of a line and the end of a text.
pub(super) fn ends_at_line(before: &str) -> bool {
    let before = before.trim_end_matches(|c: char| c.is_whitespace() && c != '\n');
    before.is_empty() || before.ends_with('\n')
}

/// The most characters of the number of a production.
const MOST_DIGITS: usize = 12;

/// Whether a text begins with what may be the number of a production, as in `[4a] Name ::=`. It may be a class as well: only grammars whose first production has a number have
/// others, each at the beginning of its line.
pub(super) fn is_number(text: &str) -> bool {
    let Some(inside) = text.strip_prefix('[') else { return false };
    let Some(end) = inside.bytes().take(MOST_DIGITS + 1).position(|byte| byte == b']') else { return false };
    let (number, rest) = (&inside[..end], &inside[end + 1..]);
    let is_number = number.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".- ".contains(&byte));
    let mut name = Scanner::new(rest.trim_start());
    is_number
        && !number.is_empty()
        && !symbol(&mut name).is_empty()
        && name.rest().trim_start().starts_with("::=")
}

/// The name of a production that comes next; empty if there is none.
fn symbol<'t>(scanner: &mut Scanner<'t>) -> &'t str {
    let start = scanner.at;
    if scanner.eat("<") {
        let name = scanner.take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
        if !name.is_empty() && scanner.eat(">") {
            return name;
        }
        scanner.at = start;
        return "";
    }
    scanner.eat("@");
    if !scanner.peek().is_some_and(|c| c.is_alphabetic() || c == '_') {
        scanner.at = start;
        return "";
    }
    scanner.take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    let name = &scanner.text[start..scanner.at];
    // A hyphen at the end is an exclusion.
    let trimmed = name.trim_end_matches(['-', '.']);
    scanner.at = start + trimmed.len();
    trimmed
}

/// A choice that is being read: a whole production, or a group.
#[derive(Default)]
struct Level {
    /// Where the parenthesis of the group stands.
    start: usize,
    /// The finished alternatives.
    alternatives: Vec<Expr>,
    /// The parts of the last one.
    parts: Vec<Expr>,
    /// The exclusion whose next part is read.
    exclusion: Option<Begun>,
}

/// An exclusion that is being read, `A - B - C`: a text of `A` that neither `B` nor `C` has.
struct Begun {
    start: usize,
    kept: Expr,
    left_out: Vec<Expr>,
}

struct Parser<'t> {
    scanner: Scanner<'t>,
    rules: Rules<'t>,
    budget: Budget,
    exclusions: Vec<Exclusion>,
    first: Option<&'t str>,
    /// Whether the first production has a number.
    is_numbered: bool,
    terminals: Vec<NonterminalId>,
    /// Whether `@terminals` was read.
    in_terminals: bool,
    ignored: Option<NonterminalId>,
}

/// Reads a whole grammar.
pub(super) fn read(text: &str, options: &GrammarOptions<'_>) -> Result<Read, Vec<Diagnostic>> {
    let budget = options.limits.budget.clone();
    budget.charge_work(text.len() as u64 / 8).map_err(|over| vec![over.into()])?;
    let rules = Rules::new(GrammarBuilder::new(&options.names, &budget));
    let scanner = Scanner::new(text);
    let (exclusions, terminals) = Default::default();
    let mut parser = Parser {
        scanner,
        rules,
        budget,
        exclusions,
        first: None,
        is_numbered: false,
        terminals,
        in_terminals: false,
        ignored: None,
    };
    parser.grammar().map_err(|error| vec![error])?;
    let Parser { rules, exclusions, terminals, ignored, first, .. } = parser;
    let start = options.start.or(first);
    let (grammar, places) = rules.finish(start, &[])?;
    Ok(Read { grammar, places, exclusions, terminals, ignored })
}

impl Level {
    /// Makes the last parts an alternative.
    fn end_alternative(&mut self) {
        self.alternatives.push(sequence(std::mem::take(&mut self.parts)));
    }
}

impl<'t> Parser<'t> {
    fn grammar(&mut self) -> Result<(), Diagnostic> {
        self.space()?;
        self.is_numbered = is_number(self.scanner.rest());
        while self.scanner.peek().is_some() {
            self.production()?;
            self.space()?;
        }
        if self.first.is_none() {
            return Err(self.scanner.expected("a production, `Name ::= …`"));
        }
        Ok(())
    }

    /// Moves over white space and comments, also those that tools for this notation have beside `/* */`.
    fn space(&mut self) -> Result<(), Diagnostic> {
        loop {
            self.scanner.take_while(char::is_whitespace);
            if self.scanner.comment()? {
                continue;
            }
            if self.scanner.peek() == Some('#') && !self.at_code_point() {
                self.scanner.take_while(|c| c != '\n');
            } else if !self.constraint() {
                return Ok(());
            }
        }
    }

    /// Whether a code point stands here, perhaps a misspelt one: within a line, no comment begins with `#x` or a digit.
    fn at_code_point(&self) -> bool {
        let rest = self.scanner.rest();
        let is_near = rest[1..].starts_with(|c: char| matches!(c, 'x' | 'X' | '0'..='9'));
        is_code_point(rest) || is_near && !ends_at_line(&self.scanner.text[..self.scanner.at])
    }

    /// Moves over a remark such as `[ WFC: Entity Declared ]`.
    fn constraint(&mut self) -> bool {
        let rest = self.scanner.rest();
        let Some(inside) = rest.strip_prefix('[') else { return false };
        let inside = inside.trim_start();
        let kind = ["WFC:", "VC:", "NSC:", "wfc:", "vc:"].iter().any(|kind| inside.starts_with(kind));
        if let (true, Some(end)) = (kind, rest.find(']')) {
            self.scanner.at += end + 1;
            return true;
        }
        false
    }

    fn production(&mut self) -> Result<(), Diagnostic> {
        if self.at_number() {
            self.scanner.take_to("]");
            self.space()?;
        }
        let start = self.scanner.at;
        let name = symbol(&mut self.scanner);
        let span = start..self.scanner.at;
        match name {
            "" => return Err(self.scanner.expected("the name of a production")),
            "@terminals" => {
                self.in_terminals = true;
                return Ok(());
            }
            _ => {}
        }
        self.space()?;
        let is_defined = self.scanner.eat("::=") || name == "@pass" && self.scanner.eat(":");
        if !is_defined {
            return Err(self.scanner.expected("`::=` after the name of a production"));
        }
        let rule = self.rules.define(name, span)?;
        match name {
            "@pass" => self.ignored = Some(rule),
            _ if self.in_terminals => self.terminals.push(rule),
            _ => self.first = self.first.or(Some(name)),
        }
        self.first = self.first.or(Some(name).filter(|&name| name != "@pass"));
        self.space()?;
        let body = self.alternatives()?;
        self.rules.set_body(rule, body);
        self.space()?;
        self.scanner.eat(";");
        match self.scanner.peek() {
            None => Ok(()),
            Some(')') => Err(error(Code::Syntax, "this `)` closes nothing", self.scanner.here())),
            Some(_) if self.at_production() => Ok(()),
            Some(_) => Err(self.scanner.expected("`|`, another part or the next production")),
        }
    }

    /// Whether the number of a production stands here.
    fn at_number(&self) -> bool {
        self.is_numbered
            && is_number(self.scanner.rest())
            && ends_at_line(&self.scanner.text[..self.scanner.at])
    }

    /// Whether a production begins here.
    fn at_production(&self) -> bool {
        let rest = self.scanner.rest();
        if self.at_number() || rest.starts_with("@terminals") || rest.starts_with("@pass") {
            return true;
        }
        let mut ahead = self.scanner;
        !symbol(&mut ahead).is_empty() && ahead.rest().trim_start().starts_with("::=")
    }

    /// The alternatives of a production, with the groups in them.
    fn alternatives(&mut self) -> Result<Expr, Diagnostic> {
        let (mut level, mut open) = (Level::default(), Vec::new());
        self.space()?;
        loop {
            let start = self.scanner.at;
            let is_group = self.scanner.rest().starts_with('(');
            let (item, start) = if is_group {
                open.push(std::mem::take(&mut level));
                level = self.open_group(open.len())?;
                continue;
            } else if let Some(item) = self.primary()? {
                (item, start)
            } else if level.exclusion.is_some() {
                return Err(self.scanner.expected("what is left out, behind `-`"));
            } else if self.scanner.eat("|") {
                level.end_alternative();
                self.space()?;
                continue;
            } else if let Some(outer) = open.pop() {
                let Level { start, alternatives, .. } =
                    self.close_group(std::mem::replace(&mut level, outer))?;
                (choice(alternatives), start)
            } else {
                level.end_alternative();
                return Ok(choice(level.alternatives));
            };
            let item = self.repeated(item, start)?;
            self.part(&mut level, item, start)?;
        }
    }

    /// Adds a part from `start` on, from which texts may be left out. What is left out one after the other is left out at once.
    fn part(&mut self, level: &mut Level, item: Expr, start: usize) -> Result<(), Diagnostic> {
        let goes_on = self.scanner.eat("-");
        match (level.exclusion.take(), goes_on) {
            (None, false) => level.parts.push(item),
            (None, true) => level.exclusion = Some(Begun { start, kept: item, left_out: Vec::new() }),
            (Some(mut begun), true) => {
                begun.left_out.push(item);
                level.exclusion = Some(begun);
            }
            (Some(Begun { start, kept, mut left_out }), false) => {
                left_out.push(item);
                let span = start..self.scanner.at;
                let exclusion = Exclusion::new(&mut self.rules.draft, kept, choice(left_out), span);
                level.parts.push(exclusion.expr());
                self.exclusions.push(exclusion);
            }
        }
        if goes_on { self.space() } else { Ok(()) }
    }

    /// The item from `start` on, with the repetitions that follow it.
    fn repeated(&mut self, mut item: Expr, start: usize) -> Result<Expr, Diagnostic> {
        let bytes = BYTES_PER_ITEM + 6 * (self.scanner.at - start) as u64;
        charge(&self.budget, WORK_PER_ITEM, bytes, start..self.scanner.at)?;
        self.space()?;
        while let Some((min, max)) = self.scanner.suffix() {
            item = repeat_again(item, min, max, self.scanner.here())?;
            self.scanner.next();
            self.space()?;
        }
        Ok(item)
    }

    /// The next item that is no group; none at the end of the sequence.
    fn primary(&mut self) -> Result<Option<Expr>, Diagnostic> {
        let start = self.scanner.at;
        if self.at_production() {
            return Ok(None);
        }
        Ok(match self.scanner.peek() {
            Some(quote @ ('"' | '\'')) => {
                let help = "strings end on the line they begin on; write a line break as #xA";
                let text = self.scanner.plain_string(start, quote, help)?;
                Some(self.rules.draft.literal(text, Some(Location::Span(start..self.scanner.at))))
            }
            Some('#') => {
                let c = code_point(&mut self.scanner)?;
                check_surrogates(c, c, start..self.scanner.at)?;
                let place = Some(Location::Span(start..self.scanner.at));
                Some(self.rules.draft.chars(
                    CharSet::new([(c, c)]),
                    &self.scanner.text[start..self.scanner.at],
                    place,
                ))
            }
            Some('[') => {
                let set = self.class()?;
                let place = Some(Location::Span(start..self.scanner.at));
                Some(self.rules.draft.chars(set, &self.scanner.text[start..self.scanner.at], place))
            }
            Some('?' | '*' | '+') => return Err(self.scanner.expected("something before the repetition")),
            _ => match symbol(&mut self.scanner) {
                "" => None,
                name => Some(nonterminal(self.rules.named(name, start..self.scanner.at))),
            },
        })
    }

    /// Moves over the beginning of the group on this level.
    fn open_group(&mut self, depth: usize) -> Result<Level, Diagnostic> {
        let start = self.scanner.at;
        self.scanner.next();
        check_depth(depth, start..start + 1)?;
        self.space()?;
        Ok(Level { start, ..Level::default() })
    }

    /// Moves over the end of a group.
    fn close_group(&mut self, mut level: Level) -> Result<Level, Diagnostic> {
        level.end_alternative();
        if self.scanner.eat(")") {
            return Ok(level);
        }
        let message = "this `(` is not closed before the next production";
        Err(match self.scanner.peek().is_none() || self.at_production() {
            true => error(Code::UnclosedParenthesis, message, level.start..level.start + 1),
            false => self.scanner.expected("`)`, `|` or another part"),
        })
    }

    fn class(&mut self) -> Result<CharSet, Diagnostic> {
        let start = self.scanner.at;
        self.scanner.next();
        let negated = self.scanner.eat("^");
        let mut ranges = Vec::new();
        while !self.scanner.eat("]") {
            ranges.push(self.scanner.range(|scanner| class_character(scanner, start))?);
        }
        if ranges.is_empty() {
            return Err(error(Code::EmptyClass, "this class has no characters", start..self.scanner.at));
        }
        let set = CharSet::new(ranges);
        Ok(if negated { set.negate() } else { set })
    }
}

/// A code point such as `#x20`.
fn code_point(scanner: &mut Scanner<'_>) -> Result<u32, Diagnostic> {
    let start = scanner.at;
    if !scanner.eat("#x") {
        return Err(scanner.expected("a code point such as #x20"));
    }
    let digits = scanner.take_while(|c| c.is_ascii_hexdigit());
    let code = u32::from_str_radix(digits, 16).ok().filter(|&code| code <= 0x10_FFFF);
    code.ok_or_else(|| {
        let message = format!("`#x{digits}` is not a code point of Unicode");
        error(Code::BadEscape, message, start..scanner.at)
            .help("write it with hexadecimal digits, up to #x10FFFF")
    })
}

/// A character of the class that begins at `class`.
fn class_character(scanner: &mut Scanner<'_>, class: usize) -> Result<u32, Diagnostic> {
    if scanner.rest().starts_with("#x") {
        return code_point(scanner);
    }
    match scanner.peek() {
        None | Some('\n') => {
            let message = "this class of characters has no closing bracket";
            let error = error(Code::UnterminatedClass, message, class..scanner.at);
            Err(error.help("classes end on the line they begin on; write a line break as #xA"))
        }
        Some(c) => {
            scanner.next();
            Ok(u32::from(c))
        }
    }
}
