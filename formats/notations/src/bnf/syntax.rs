//! From text to a draft, by recursive descent. Parentheses are counted, so the recursion is bounded.

use super::cursor::{Cursor, error};
use super::{Dialect, Options, macros};
use crate::draft::{Draft, choice, nonterminal, repeat, sequence};
use gcc_grammar_ir::Code;
use gcc_grammar_ir::{Diagnostic, Expr, Grammar, Location, NonterminalId, TokenSelector};
use gcc_grammar_regular::{CharSet, RegularLimits};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// How deep parentheses may nest: what is built from them is walked recursively.
const MAX_NESTING: usize = 100;

/// A rule by name.
struct Named<'t> {
    name: &'t str,
    id: NonterminalId,
    /// Where it is mentioned first.
    used: Range<usize>,
    defined: bool,
}

/// At least and at most how often, and where that is written.
type Times = (u32, Option<u32>, Range<usize>);

/// The grammar as far as it has been read.
pub(super) struct Reader<'t> {
    pub(super) cursor: Cursor<'t>,
    pub(super) draft: Draft,
    pub(super) limits: RegularLimits,
    rules: Vec<Named<'t>>,
    by_name: FxHashMap<&'t str, usize>,
    depth: usize,
}

/// What stands before a repetition sign.
enum Item {
    Expr(Expr),
    /// Any one token, ordinary ones too, save these.
    AnyToken {
        except: Vec<TokenSelector>,
        span: Range<usize>,
    },
}

/// Reads a whole grammar; also tells where its terminals were first used.
pub(super) fn read(
    text: &str,
    options: &Options<'_>,
) -> Result<(Grammar, Vec<Option<Location>>), Vec<Diagnostic>> {
    let cursor = Cursor { text, at: 0, dialect: options.dialect };
    let (draft, rules, by_name) = Default::default();
    let mut reader = Reader { cursor, draft, limits: options.limits, rules, by_name, depth: 0 };
    reader.all().map_err(|error| vec![error])?;
    let undefined = reader.undefined();
    if !undefined.is_empty() {
        return Err(undefined);
    }
    match reader.by_name.get(options.root) {
        Some(&index) => Ok(reader.draft.finish(reader.rules[index].id)),
        None => {
            let message = format!("there is no rule `{}` to start from", options.root);
            let help = "add it, or name another start rule";
            Err(vec![Diagnostic::error(Code::NoStart, message).help(help)])
        }
    }
}

impl<'t> Reader<'t> {
    fn all(&mut self) -> Result<(), Diagnostic> {
        self.cursor.space(true);
        while self.cursor.peek().is_some() {
            self.rule()?;
            self.cursor.space(true);
        }
        Ok(())
    }

    fn undefined(&self) -> Vec<Diagnostic> {
        let missing = self.rules.iter().filter(|rule| !rule.defined);
        missing
            .map(|rule| {
                let message = format!("`{}` is not defined", rule.name);
                error(Code::UndefinedName, message, rule.used.clone())
                    .help("define it as a rule, or write it in quotes if it is text")
            })
            .collect()
    }

    /// The rule of this name, which may be defined later.
    pub(super) fn named(&mut self, name: &'t str, span: Range<usize>) -> NonterminalId {
        let index = *self.by_name.entry(name).or_insert_with(|| {
            let id = self.draft.new_rule(name, None);
            self.rules.push(Named { name, id, used: span, defined: false });
            self.rules.len() - 1
        });
        self.rules[index].id
    }

    fn rule(&mut self) -> Result<(), Diagnostic> {
        let start = self.cursor.at;
        let name = self.cursor.name();
        let span = start..self.cursor.at;
        if name.is_empty() {
            return Err(self.cursor.expected("the name of a rule"));
        }
        self.cursor.space(false);
        if self.cursor.dialect == Dialect::XGrammar {
            self.rule_options()?;
        }
        if !self.cursor.eat("::=") {
            return Err(self.cursor.expected("`::=` after the name of a rule"));
        }
        let id = self.named(name, span.clone());
        let known = &mut self.rules[self.by_name[name]];
        if std::mem::replace(&mut known.defined, true) {
            let message = format!("`{name}` is defined twice");
            return Err(error(Code::DuplicateDefinition, message, span).help("join the definitions with |"));
        }
        self.draft.set_location(id, Location::Span(span));
        self.cursor.space(true);
        let body = self.alternatives()?;
        self.draft.set_body(id, body);
        self.end_of_rule()
    }

    /// `[temperature=0.7]` after the name: about sampling, not about the language.
    fn rule_options(&mut self) -> Result<(), Diagnostic> {
        let start = self.cursor.at;
        if !self.cursor.eat("[") {
            return Ok(());
        }
        let rest = self.cursor.rest();
        let end = rest.find([']', '\n']).filter(|&end| rest[end..].starts_with(']'));
        let Some(end) = end else { return Err(self.cursor.expected("`]` after the options of a rule")) };
        self.cursor.at += end + 1;
        let value = rest[..end].trim().strip_prefix("temperature").map(str::trim_start);
        let number = value.and_then(|value| value.strip_prefix('=')).map(|value| value.trim().parse::<f64>());
        if !matches!(number, Some(Ok(number)) if number >= 0.0 && number.is_finite()) {
            let message = "there is no option of this form";
            return Err(error(Code::BadOption, message, start..self.cursor.at)
                .help("the option of a rule is [temperature=0.7], which does not change its language"));
        }
        self.cursor.space(false);
        Ok(())
    }

    fn end_of_rule(&mut self) -> Result<(), Diagnostic> {
        match self.cursor.peek() {
            None | Some('\n' | '\r') => Ok(()),
            Some(_) if self.cursor.dialect == Dialect::XGrammar && self.at_rule() => {
                let line = self.cursor.text[..self.cursor.at].rfind('\n').map_or(0, |at| at + 1);
                if self.cursor.text[line..self.cursor.at].trim().is_empty() {
                    return Ok(());
                }
                Err(self.cursor.expected("a line break before the next rule"))
            }
            Some(')') => Err(error(Code::Syntax, "this `)` closes nothing", self.cursor.here())),
            Some(_) => Err(self.cursor.expected("the end of the rule")),
        }
    }

    /// Does a rule begin here?
    fn at_rule(&self) -> bool {
        let Cursor { text, at, dialect } = self.cursor;
        let mut ahead = Cursor { text, at, dialect };
        if ahead.name().is_empty() {
            return false;
        }
        ahead.space(true);
        if ahead.eat("[") {
            ahead.at += ahead.rest().find([']', '\n']).map_or(0, |end| end + 1);
            ahead.space(true);
        }
        ahead.rest().starts_with("::=")
    }

    /// Line breaks are white space here.
    fn lines(&self) -> bool {
        self.depth > 0 || self.cursor.dialect == Dialect::XGrammar
    }

    fn alternatives(&mut self) -> Result<Expr, Diagnostic> {
        let mut items = self.alternative_items()?;
        let mut parts = vec![self.no_token(std::mem::take(&mut items))?];
        while self.cursor.eat("|") {
            self.cursor.space(true);
            let items = self.alternative_items()?;
            parts.push(self.no_token(items)?);
        }
        Ok(choice(parts))
    }

    /// The items of a sequence; [`Item::AnyToken`] only as the last one.
    fn alternative_items(&mut self) -> Result<Vec<Item>, Diagnostic> {
        let mut items: Vec<Item> = Vec::new();
        while let Some(item) = self.item()? {
            if let Some(Item::AnyToken { span, .. }) = items.last() {
                return Err(counted_token(span.clone()));
            }
            items.push(item);
        }
        Ok(items)
    }

    fn no_token(&self, items: Vec<Item>) -> Result<Expr, Diagnostic> {
        let parts: Result<Vec<Expr>, Diagnostic> = items
            .into_iter()
            .map(|item| match item {
                Item::Expr(expr) => Ok(expr),
                Item::AnyToken { span, .. } => Err(counted_token(span)),
            })
            .collect();
        Ok(sequence(parts?))
    }

    /// The next item with its repetitions; none at the end of the sequence.
    fn item(&mut self) -> Result<Option<Item>, Diagnostic> {
        let Some(mut item) = self.primary()? else { return Ok(None) };
        self.cursor.space(self.lines());
        let mut repeated = false;
        while let Some((min, max, span)) = self.times()? {
            if std::mem::replace(&mut repeated, true) && self.cursor.dialect == Dialect::XGrammar {
                return Err(error(Code::Syntax, "two repetitions follow one another", span)
                    .help("put the first one in parentheses"));
            }
            item = Item::Expr(match item {
                Item::Expr(expr) => repeat(expr, min, max),
                Item::AnyToken { except, .. } if min <= 1 && max.is_none() => {
                    repeat(self.draft.any_token(except), min, max)
                }
                Item::AnyToken { span, .. } => return Err(counted_token(span)),
            });
            self.cursor.space(self.lines());
        }
        Ok(Some(item))
    }

    fn primary(&mut self) -> Result<Option<Item>, Diagnostic> {
        let start = self.cursor.at;
        let location = |end| Some(Location::Span(start..end));
        let expr = match self.cursor.peek() {
            Some('"') => {
                let text = self.cursor.string()?;
                self.draft.literal(&text, location(self.cursor.at))
            }
            Some('[') => {
                let (set, name) = self.cursor.class()?;
                self.draft.chars(set, name, location(self.cursor.at))
            }
            Some('.') => {
                self.cursor.at += 1;
                self.draft.chars(CharSet::all(), ".", location(self.cursor.at))
            }
            Some('(') => return self.group().map(Some),
            Some('<') => {
                let selector = self.token()?;
                let name = &self.cursor.text[start..self.cursor.at];
                self.draft.tokens(vec![selector], name, location(self.cursor.at))
            }
            Some('!') => {
                self.cursor.at += 1;
                let except = vec![self.token()?];
                return Ok(Some(Item::AnyToken { except, span: start..self.cursor.at }));
            }
            Some('*' | '+' | '?' | '{') => {
                return Err(self.cursor.expected("something before the repetition"));
            }
            _ if self.cursor.dialect == Dialect::XGrammar && self.at_rule() => return Ok(None),
            _ => match self.cursor.name() {
                "" => return Ok(None),
                name => return self.reference(name, start).map(Some),
            },
        };
        Ok(Some(Item::Expr(expr)))
    }

    /// A rule, or a macro of XGrammar's.
    fn reference(&mut self, name: &'t str, start: usize) -> Result<Item, Diagnostic> {
        if self.cursor.dialect == Dialect::XGrammar && self.cursor.rest().starts_with('(') {
            match macros::expand(self, name, start)? {
                Some(macros::Expansion::Expr(expr)) => return Ok(Item::Expr(expr)),
                Some(macros::Expansion::AnyToken(except)) => {
                    return Ok(Item::AnyToken { except, span: start..self.cursor.at });
                }
                None => {}
            }
        }
        Ok(Item::Expr(nonterminal(self.named(name, start..self.cursor.at))))
    }

    fn group(&mut self) -> Result<Item, Diagnostic> {
        let start = self.cursor.at;
        self.cursor.at += 1;
        self.depth += 1;
        if self.depth > MAX_NESTING {
            let message = format!("parentheses are nested more than {MAX_NESTING} levels deep");
            return Err(error(Code::TooDeep, message, start..start + 1)
                .help("give the inner parts names of their own"));
        }
        self.cursor.space(true);
        if self.cursor.dialect == Dialect::XGrammar && self.cursor.rest().starts_with('=') {
            let message = "lookahead assertions are not supported";
            return Err(error(Code::UnsupportedAssertion, message, start..self.cursor.at + 1)
                .help("leave it out: it is a hint about what follows, which the grammar says anyway"));
        }
        let first = self.alternative_items()?;
        let item = match <[Item; 1]>::try_from(first) {
            Ok([Item::AnyToken { except, span }]) if self.cursor.rest().starts_with(')') => {
                Item::AnyToken { except, span }
            }
            Ok(only) => Item::Expr(self.further_alternatives(only.into())?),
            Err(several) => Item::Expr(self.further_alternatives(several)?),
        };
        if !self.cursor.eat(")") {
            let unclosed = self.cursor.peek().is_none_or(|c| c != ']');
            let error = match self.cursor.peek() {
                None => error(Code::UnclosedParenthesis, "this `(` is not closed", start..start + 1),
                Some(_) if unclosed && self.at_rule() => error(
                    Code::UnclosedParenthesis,
                    "this `(` is not closed before the next rule",
                    start..start + 1,
                ),
                Some(_) => self.cursor.expected("`)`, `|` or another part"),
            };
            return Err(error);
        }
        self.depth -= 1;
        Ok(item)
    }

    fn further_alternatives(&mut self, first: Vec<Item>) -> Result<Expr, Diagnostic> {
        let first = self.no_token(first)?;
        if !self.cursor.rest().starts_with('|') {
            return Ok(first);
        }
        self.cursor.at += 1;
        self.cursor.space(true);
        Ok(match self.alternatives()? {
            Expr::Choice(mut rest) => {
                rest.insert(0, first);
                Expr::Choice(rest)
            }
            other => Expr::Choice(vec![first, other]),
        })
    }

    /// `<[1000]>` or `<name>`.
    fn token(&mut self) -> Result<TokenSelector, Diagnostic> {
        let start = self.cursor.at;
        if !self.cursor.eat("<") {
            return Err(self.cursor.expected("a token such as <think> or <[1000]>"));
        }
        if self.cursor.eat("[") {
            let id = self.cursor.number()?;
            return if self.cursor.eat("]>") {
                Ok(TokenSelector::Ids(id, id))
            } else {
                Err(self.cursor.expected("`]>` after the id of a token"))
            };
        }
        let rest = self.cursor.rest();
        let end = rest.find(['>', '\n']).filter(|&end| end > 0 && rest[end..].starts_with('>'));
        let Some(end) = end else {
            let message = "`<` begins a token, but `>` is missing";
            return Err(error(Code::BadSpecialToken, message, start..start + 1)
                .help("write a literal angle bracket as \"<\""));
        };
        self.cursor.at += end + 1;
        Ok(TokenSelector::Name(self.cursor.text[start..self.cursor.at].to_owned()))
    }

    /// The repetition that comes next, and where it stands.
    fn times(&mut self) -> Result<Option<Times>, Diagnostic> {
        let start = self.cursor.at;
        let (min, max) = match self.cursor.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => return self.bounds().map(Some),
            _ => return Ok(None),
        };
        self.cursor.at += 1;
        Ok(Some((min, max, start..self.cursor.at)))
    }

    fn bounds(&mut self) -> Result<Times, Diagnostic> {
        let start = self.cursor.at;
        self.cursor.at += 1;
        self.cursor.space(false);
        if self.cursor.rest().starts_with(',') {
            return Err(self.cursor.expected("the least number").help("write {0,n} for at most n times"));
        }
        let min = self.cursor.number()?;
        self.cursor.space(false);
        let mut max = Some(min);
        if self.cursor.eat(",") {
            self.cursor.space(false);
            max = if self.cursor.rest().starts_with('}') { None } else { Some(self.cursor.number()?) };
            self.cursor.space(false);
        }
        if !self.cursor.eat("}") {
            return Err(self.cursor.expected("`}` after the numbers of a repetition"));
        }
        let span = start..self.cursor.at;
        if max.is_some_and(|max| max < min) {
            let message = "at most is less than at least";
            return Err(error(Code::BadRepetition, message, span).help("write the smaller number first"));
        }
        Ok((min, max, span))
    }
}

fn counted_token(span: Range<usize>) -> Diagnostic {
    error(Code::CountedToken, "any other token must be repeated, with * or +", span)
        .help("ordinary tokens are matched by their text, so they cannot be counted; count characters, as in .{0,200}")
}
