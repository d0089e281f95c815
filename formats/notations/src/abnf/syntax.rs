//! Parses the text of a grammar into rules of a draft. Groups that are open lie on a stack, so nothing recurses.

use super::core;
use super::values::{self, Units};
use crate::grammar_builder::{GrammarBuilder, choice, nonterminal, repeat, repeat_again, sequence};
use crate::named_rules::{no_start, undefined};
use crate::options::GrammarOptions;
use crate::scanner::{Scanner, charge, check_depth, check_times, error, warning};
use gcc_grammar_ir::{Code, Diagnostic, Expr, Grammar, Location, NonterminalId};
use gcc_grammar_limits::Budget;
use gcc_grammar_regular::{CharSet, Regex};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Estimated bytes of an element, and the work to read it.
const BYTES_PER_ELEMENT: u64 = 1_200;
const WORK_PER_ELEMENT: u64 = 50;

/// A grammar as it is written.
pub(super) struct Read {
    pub(super) grammar: Grammar,
    /// Where each of its terminals was first used.
    pub(super) places: Vec<Option<Location>>,
    pub(super) warnings: Vec<Diagnostic>,
    /// The number of rules that are not core rules.
    pub(super) own_rules: usize,
}

/// A rule, by its name in capitals.
struct Named {
    id: NonterminalId,
    first_use: Range<usize>,
    /// The alternatives so far; none if the rule is not defined.
    alternatives: Option<Vec<Expr>>,
    /// Whether it was first used in angle brackets, where words may stand as well.
    in_brackets: bool,
}

/// How often an element is repeated.
type Times = Option<(u32, Option<u32>)>;

/// A choice that is being read: a whole rule, or a group.
#[derive(Default)]
struct Level {
    /// Where the group begins, with the number of its repetitions, and where its parenthesis stands.
    start: usize,
    open: usize,
    times: Times,
    /// The finished alternatives.
    alternatives: Vec<Expr>,
    /// The parts of the last one.
    parts: Vec<Expr>,
}

struct Parser<'t> {
    scanner: Scanner<'t>,
    draft: GrammarBuilder,
    units: Units,
    rules: Vec<Named>,
    by_name: FxHashMap<String, usize>,
    budget: Budget,
    first: Option<usize>,
    /// Whether the text is that of a core rule, so that there are no places in it.
    in_core: bool,
}

/// Reads a whole grammar.
pub(super) fn read(text: &str, options: &GrammarOptions<'_>) -> Result<Read, Vec<Diagnostic>> {
    let budget = options.limits.budget.clone();
    budget.charge_work(text.len() as u64 / 4).map_err(|over| vec![over.into()])?;
    let draft = GrammarBuilder::new(&options.names, &budget);
    let (rules, by_name) = Default::default();
    let (scanner, units) = (Scanner::new(text), values::units(text));
    let mut parser = Parser { scanner, draft, units, rules, by_name, budget, first: None, in_core: false };
    parser.grammar().map_err(|error| vec![error])?;
    parser.finish(text, options.start)
}

impl Level {
    /// Makes the last parts an alternative.
    fn end_alternative(&mut self) {
        self.alternatives.push(sequence(std::mem::take(&mut self.parts)));
    }
}

impl<'t> Parser<'t> {
    fn grammar(&mut self) -> Result<(), Diagnostic> {
        self.lines();
        while self.scanner.peek().is_some() {
            self.rule()?;
            self.lines();
        }
        if self.first.is_none() { Err(self.scanner.expected("a rule, `name = …`")) } else { Ok(()) }
    }

    /// Moves over blanks, blank lines and comments, also to the next line, which may begin a rule.
    fn lines(&mut self) {
        loop {
            self.scanner.take_while(char::is_whitespace);
            if self.scanner.peek() != Some(';') {
                return;
            }
            self.scanner.take_while(|c| c != '\n');
        }
    }

    /// Moves over blanks, comments and line breaks within a rule: a rule ends where the next one begins, or the text.
    fn space(&mut self) {
        let before = self.scanner.at;
        self.lines();
        if self.at_rule() {
            self.scanner.at = before;
            self.scanner.take_while(|c| matches!(c, ' ' | '\t'));
        }
    }

    /// Whether a line begins here with a rule. What is before on the line, which may be long, is looked at last.
    fn at_rule(&self) -> bool {
        let mut ahead = self.scanner;
        !name(&mut ahead).is_empty() && {
            ahead.take_while(|c| matches!(c, ' ' | '\t'));
            ahead.rest().starts_with('=') && self.scanner.begins_line()
        }
    }

    fn rule(&mut self) -> Result<(), Diagnostic> {
        let start = self.scanner.at;
        let name = name(&mut self.scanner);
        if name.is_empty() {
            return Err(self.scanner.expected("the name of a rule"));
        }
        let span = start..self.scanner.at;
        self.scanner.take_while(|c| matches!(c, ' ' | '\t'));
        let adds = self.scanner.eat("=/");
        if !adds && !self.scanner.eat("=") {
            return Err(self.unexpected("`=` or `=/` after the name of a rule"));
        }
        let index = self.index(name, span.clone());
        self.first = self.first.or(Some(index));
        self.space();
        let body = self.alternation()?;
        self.end_of_rule()?;
        let location = Location::Span(span.clone());
        match &mut self.rules[index].alternatives {
            Some(_) if !adds => {
                let message = format!("`{name}` is defined twice");
                Err(error(Code::DuplicateDefinition, message, span).help("write `=/` to add alternatives"))
            }
            Some(known) => {
                known.push(body);
                Ok(())
            }
            none => {
                *none = Some(vec![body]);
                self.draft.set_location(self.rules[index].id, location);
                Ok(())
            }
        }
    }

    /// The error that `construct` was expected, with how ABNF writes what stands here in other notations.
    fn unexpected(&self, construct: &str) -> Diagnostic {
        let help = match self.scanner.peek() {
            Some('|') => "write `/` between alternatives",
            Some('\'') => "write strings in double quotes, with %s before them if their case matters",
            Some('+' | '?') => "write repetition in front, as in 1*element, and [element] for an option",
            Some('*') => "write repetition in front, as in *element",
            Some('{') => "write *( … ) for a repetition",
            Some(':') => "write `=`",
            Some('_') => "names have letters, digits and hyphens",
            Some('/' | '\n' | '\r') | None => "write \"\" for nothing",
            Some(_) => return self.scanner.expected(construct),
        };
        self.scanner.expected(construct).help(help)
    }

    fn end_of_rule(&mut self) -> Result<(), Diagnostic> {
        self.scanner.take_while(|c| matches!(c, ' ' | '\t'));
        match self.scanner.peek() {
            None | Some('\r' | '\n' | ';') => Ok(()),
            Some(c @ (')' | ']')) => {
                Err(error(Code::Syntax, format!("this `{c}` closes nothing"), self.scanner.here()))
            }
            Some(_) => Err(self.unexpected("`/`, another element or the end of the rule")),
        }
    }

    /// The rule of this name in upper or lower case.
    fn index(&mut self, name: &str, span: Range<usize>) -> usize {
        let known = self.by_name.entry(name.to_ascii_uppercase());
        *known.or_insert_with(|| {
            let id = self.draft.new_rule(name, None);
            self.rules.push(Named { id, first_use: span, alternatives: None, in_brackets: false });
            self.rules.len() - 1
        })
    }

    /// The alternatives of a rule, with the groups in them.
    fn alternation(&mut self) -> Result<Expr, Diagnostic> {
        let (mut level, mut open) = (Level::default(), Vec::new());
        loop {
            let start = self.scanner.at;
            let times = if self.at_rule() { None } else { self.times()? };
            let (element, times, start) = if self.scanner.rest().starts_with(['(', '[']) {
                open.push(std::mem::take(&mut level));
                level = self.open_group(start, times, open.len())?;
                continue;
            } else if let Some(element) = self.element(times)? {
                (element, times, start)
            } else if times.is_some() {
                return Err(self.scanner.expected("the element that is repeated"));
            } else if level.parts.is_empty() {
                return Err(self.unexpected("an element"));
            } else if self.scanner.eat("/") {
                level.end_alternative();
                self.space();
                continue;
            } else if let Some(outer) = open.pop() {
                self.close_group(std::mem::replace(&mut level, outer))?
            } else {
                level.end_alternative();
                return Ok(choice(level.alternatives));
            };
            level.parts.push(self.repeated(element, times, start)?);
            self.space();
        }
    }

    /// The element from `start` on, repeated.
    fn repeated(&self, element: Expr, times: Times, start: usize) -> Result<Expr, Diagnostic> {
        let bytes = BYTES_PER_ELEMENT + 6 * (self.scanner.at - start) as u64;
        let span = start..self.scanner.at;
        charge(&self.budget, WORK_PER_ELEMENT, bytes, span.clone())?;
        match times {
            None => Ok(element),
            Some((min, max)) => repeat_again(element, min, max, span),
        }
    }

    fn times(&mut self) -> Result<Times, Diagnostic> {
        let start = self.scanner.at;
        let low = self.scanner.number()?;
        if self.scanner.eat("#") || low.is_some() && self.scanner.eat("#") {
            let message = "lists with `#` are no part of ABNF: they are an extension of RFC 9110";
            return Err(error(Code::UnsupportedConstruct, message, start..self.scanner.at)
                .help("write the list out, as in [ element *( OWS \",\" OWS element ) ]"));
        }
        if !self.scanner.eat("*") {
            return Ok(low.map(|count| (count, Some(count))));
        }
        let high = self.scanner.number()?;
        let low = low.unwrap_or(0);
        check_times(low, high, start..self.scanner.at)?;
        Ok(Some((low, high)))
    }

    fn place(&self, start: usize) -> Option<Location> {
        (!self.in_core).then_some(Location::Span(start..self.scanner.at))
    }

    /// The next element that is no group; none at the end of the concatenation.
    fn element(&mut self, times: Times) -> Result<Option<Expr>, Diagnostic> {
        let start = self.scanner.at;
        Ok(match self.scanner.peek() {
            // Without repetition, the words do not count: RFC 3986 writes `0<pchar>` for nothing.
            Some('<') if matches!(times, Some((_, Some(0)))) => {
                self.prose();
                Some(sequence(Vec::new()))
            }
            Some('"') => Some(self.string(start, false)?),
            Some('%') => Some(self.values(start)?),
            Some('<') => {
                let words = self.prose().filter(|words| is_name(words));
                let span = start..self.scanner.at;
                let Some(words) = words else { return Err(in_words(span)) };
                let before = self.rules.len();
                let index = self.index(words, span);
                self.rules[index].in_brackets |= index == before;
                Some(nonterminal(self.rules[index].id))
            }
            _ if self.at_rule() => None,
            _ => match name(&mut self.scanner) {
                "" => None,
                name => {
                    let index = self.index(name, start..self.scanner.at);
                    Some(nonterminal(self.rules[index].id))
                }
            },
        })
    }

    /// Moves over a description in words, or the name of a rule, in angle brackets. Returns what is between them, if the line has both.
    fn prose(&mut self) -> Option<&'t str> {
        let rest = self.scanner.rest();
        let end = rest.find(['>', '\n']).unwrap_or(rest.len());
        self.scanner.at += (end + 1).min(rest.len());
        rest[end..].starts_with('>').then(|| &rest[1..end])
    }

    /// Moves over the beginning of the group on this level.
    fn open_group(&mut self, start: usize, times: Times, depth: usize) -> Result<Level, Diagnostic> {
        let open = self.scanner.at;
        self.scanner.next();
        check_depth(depth, open..open + 1)?;
        self.space();
        Ok(Level { start, open, times, ..Level::default() })
    }

    /// Moves over the end of a group. Its element, how often it is repeated, and where it begins.
    fn close_group(&mut self, mut level: Level) -> Result<(Expr, Times, usize), Diagnostic> {
        level.end_alternative();
        let Level { start, open, times, alternatives, .. } = level;
        let (open, inner) = (&self.scanner.text[open..=open], choice(alternatives));
        let close = if open == "[" { "]" } else { ")" };
        if self.scanner.eat(close) {
            let is_optional = open == "[";
            return Ok((if is_optional { repeat(inner, 0, Some(1)) } else { inner }, times, start));
        }
        Err(match self.scanner.peek() {
            None | Some('\r' | '\n' | ';') => {
                let message = format!("this `{open}` is not closed before the next rule");
                error(Code::UnclosedParenthesis, message, level.open..level.open + 1)
            }
            Some(_) => self.scanner.expected(&format!("`{close}`, `/` or another element")),
        })
    }

    fn values(&mut self, start: usize) -> Result<Expr, Diagnostic> {
        let kind = self.scanner.rest().chars().nth(1).map(|c| c.to_ascii_lowercase());
        if let (Some(kind @ ('s' | 'i')), Some('"')) = (kind, self.scanner.rest().chars().nth(2)) {
            self.scanner.at += 2;
            return self.string(start, kind == 's');
        }
        let regex = values::read(&mut self.scanner)?.regex(self.units);
        let name = &self.scanner.text[start..self.scanner.at];
        Ok(self.draft.regex(regex, name, self.place(start)))
    }

    /// A string, whose letters are in upper or lower case unless it is marked as `%s"…"`.
    fn string(&mut self, start: usize, in_this_case: bool) -> Result<Expr, Diagnostic> {
        let help = "strings end on the line they begin on; write a line break as %x0A, and a quote as %x22";
        let text = self.scanner.plain_string(start, '"', help)?;
        let place = self.place(start);
        if in_this_case || !text.contains(|c: char| c.is_ascii_alphabetic()) {
            return Ok(self.draft.literal(text, place));
        }
        let either =
            |c: char| CharSet::single(c.to_ascii_lowercase()).union(&CharSet::single(c.to_ascii_uppercase()));
        let regex = Regex::concat(text.chars().map(|c| Regex::chars(either(c))));
        Ok(self.draft.regex(regex, &format!("{text:?}"), place))
    }

    /// Adds the core rules that are used and not defined.
    fn core_rules(&mut self, text: &'t str) -> Result<(), Diagnostic> {
        let own = self.scanner;
        self.in_core = true;
        let mut at = 0;
        while at < self.rules.len() {
            let name = self.draft.name(self.rules[at].id).to_ascii_uppercase();
            if let (None, Some(definition)) = (&self.rules[at].alternatives, core::definition(&name)) {
                self.scanner = Scanner { text: definition, at: 0 };
                let body = self.alternation()?;
                self.rules[at].alternatives = Some(vec![body]);
            }
            at += 1;
        }
        self.scanner = Scanner { text, ..own };
        Ok(())
    }

    fn finish(mut self, text: &'t str, start: Option<&str>) -> Result<Read, Vec<Diagnostic>> {
        let own_rules = self.rules.len();
        self.core_rules(text).map_err(|error| vec![error])?;
        let names: Vec<&str> = self.rules.iter().map(|rule| self.draft.name(rule.id)).collect();
        let defined = |index: &usize| self.rules[*index].alternatives.is_some();
        let known: Vec<&str> = (0..names.len()).filter(defined).map(|index| names[index]).collect();
        let missing: Vec<usize> = (0..names.len()).filter(|index| !defined(index)).collect();
        if !missing.is_empty() {
            let (words, rules): (Vec<_>, Vec<_>) = missing
                .into_iter()
                .map(|index| (names[index], &self.rules[index]))
                .partition(|(_, rule)| rule.in_brackets);
            let span = |(name, rule): (_, &Named)| (name, rule.first_use.clone());
            let help = "add the rule, for instance from the document that it is taken from";
            let words = words.into_iter().map(|(_, rule)| in_words(rule.first_use.clone()));
            return Err(words.chain(undefined(rules.into_iter().map(span), &known, help)).collect());
        }
        let found = match start {
            Some(name) => self.by_name.get(&name.to_ascii_uppercase()).copied(),
            None => self.first,
        };
        let Some(found) = found else {
            return Err(vec![no_start(start, known.into_iter())]);
        };
        let start = self.rules[found].id;
        for rule in self.rules {
            self.draft.set_body(rule.id, choice(rule.alternatives.unwrap_or_default()));
        }
        let warnings = octets(self.units, text);
        let (grammar, places) = self.draft.finish(start);
        Ok(Read { grammar, places, warnings, own_rules })
    }
}

/// Whether a text is the name of a rule.
fn is_name(text: &str) -> bool {
    !text.is_empty() && name(&mut Scanner::new(text)) == text
}

/// The error that a description in words stands for rules.
fn in_words(span: Range<usize>) -> Diagnostic {
    let message = "a description in words says nothing that could be read";
    error(Code::UnsupportedConstruct, message, span)
        .help("replace it by the rules that it is about, for instance by those of the other document")
}

/// The warning that values are octets, at the first of them.
fn octets(units: Units, text: &str) -> Vec<Diagnostic> {
    if units == Units::CodePoints {
        return Vec::new();
    }
    let at = text.find('%').unwrap_or(0);
    let message =
        "the values of this grammar are read as octets, since some are beyond %x7F and none is beyond %xFF";
    let help = "texts need not be UTF-8 then; for code points of Unicode, let the greatest value be %x10FFFF";
    vec![warning(Code::ValuesAreOctets, message, at..at + 1).help(help)]
}

/// The name of a rule that comes next; empty if there is none.
fn name<'t>(scanner: &mut Scanner<'t>) -> &'t str {
    if !scanner.peek().is_some_and(|c| c.is_ascii_alphabetic()) {
        return "";
    }
    scanner.take_while(|c| c.is_ascii_alphanumeric() || c == '-')
}
