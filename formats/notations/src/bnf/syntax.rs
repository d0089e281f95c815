//! Parses the text of a grammar into rules and terminals of a draft. Groups that are open lie on a stack, so nothing recurses.

use super::Dialect;
use super::cursor::{Cursor, error};
use super::macros::{self, Expansion, Macro};
use super::suffixes::{BoundedRule, RuleOptions};
use crate::bounds::Bounds;
use crate::foreign;
use crate::grammar_builder::{GrammarBuilder, choice, nonterminal, repeat_again, sequence};
use crate::named_rules::Rules;
use crate::options::GrammarOptions;
use crate::scanner::{charge, check_depth};
use gcc_grammar_ir::{Code, Diagnostic, Expr, Grammar, Location, TokenSelector};
use gcc_grammar_regular::{CharSet, RegularLimits};

/// Estimated bytes of an item of a sequence, with the terminal or rule that it is.
const BYTES_PER_ITEM: u64 = 400;
/// The work to read an item.
const WORK_PER_ITEM: u64 = 50;

/// The parser: its position in the text, and the rules that it has read.
struct Parser<'t> {
    cursor: Cursor<'t>,
    rules: Rules<'t>,
    limits: RegularLimits,
    /// The number of open parentheses.
    depth: usize,
    bounded: Vec<BoundedRule>,
    warnings: Vec<Diagnostic>,
}

/// A choice that is being read: a whole rule, or a group.
#[derive(Default)]
struct Level {
    /// Where the parenthesis of the group stands.
    start: usize,
    /// Whether the group says what follows, `(= … )`.
    is_hint: bool,
    /// The finished alternatives.
    alternatives: Vec<Expr>,
    /// The items of the last one.
    items: Vec<Item>,
}

/// The operand of a repetition.
enum Item {
    Expr(Expr),
    /// Any one token, ordinary tokens included, except these. Repeated, it is text.
    AnyToken(Vec<TokenSelector>),
}

/// A grammar as it is written.
pub(super) struct Read {
    pub(super) grammar: Grammar,
    /// Where each of its terminals was first used.
    pub(super) places: Vec<Option<Location>>,
    /// The rules with options that bound their texts.
    pub(super) bounded: Vec<BoundedRule>,
    /// What probably means something else than intended.
    pub(super) warnings: Vec<Diagnostic>,
}

/// Reads a whole grammar.
pub(super) fn read(
    text: &str,
    dialect: Dialect,
    options: &GrammarOptions<'_>,
) -> Result<Read, Vec<Diagnostic>> {
    let cursor = Cursor::new(text, dialect);
    options.limits.budget.charge_work(text.len() as u64 / 8).map_err(|over| vec![over.into()])?;
    let draft = GrammarBuilder::new(&options.names, &options.limits.budget);
    let (rules, limits) = (Rules::new(draft), options.limits.clone());
    let mut parser = Parser { cursor, rules, limits, depth: 0, bounded: Vec::new(), warnings: Vec::new() };
    parser.grammar().map_err(|error| vec![foreign::explain(text, error)])?;
    let macros = if parser.cursor.dialect == Dialect::XGrammar { &Macro::NAMES[..] } else { &[] };
    let (grammar, places) = parser.rules.finish(options.start.or(Some("root")), macros)?;
    Ok(Read { grammar, places, bounded: parser.bounded, warnings: parser.warnings })
}

impl<'t> Parser<'t> {
    fn grammar(&mut self) -> Result<(), Diagnostic> {
        self.cursor.space(true);
        while self.cursor.peek().is_some() {
            self.rule()?;
            self.cursor.space(true);
        }
        Ok(())
    }

    fn rule(&mut self) -> Result<(), Diagnostic> {
        let start = self.cursor.at;
        let name = self.cursor.name();
        let span = start..self.cursor.at;
        if name.is_empty() {
            let error = self.cursor.expected("the name of a rule");
            let is_comment = self.cursor.rest().starts_with(['/', ';', '%']);
            return Err(if is_comment { error.help("a comment begins with #") } else { error });
        }
        self.cursor.space(false);
        let options_start = self.cursor.at;
        let options = match self.cursor.dialect {
            Dialect::XGrammar => self.cursor.rule_options()?,
            Dialect::Gbnf => RuleOptions::default(),
        };
        let options_span = options_start..self.cursor.at;
        if !self.cursor.eat("::=") {
            let error = self.cursor.expected("`::=` after the name of a rule");
            let is_other = self.cursor.rest().starts_with([':', '=']);
            return Err(if is_other {
                error.help("write `::=` between the name of a rule and its body")
            } else {
                error
            });
        }
        let id = self.rules.define(name, span)?;
        if options.bounds != Bounds::default() {
            self.bounded.push(BoundedRule { id, bounds: options.bounds, span: options_span });
        }
        self.cursor.space(true);
        let body = self.alternatives()?;
        self.rules.set_body(id, body);
        self.end_of_rule()
    }

    fn end_of_rule(&mut self) -> Result<(), Diagnostic> {
        match self.cursor.peek() {
            None | Some('\n' | '\r') => Ok(()),
            Some(_) if self.cursor.dialect == Dialect::XGrammar && self.cursor.at_rule() => {
                let line = self.cursor.text[..self.cursor.at].rfind('\n').map_or(0, |at| at + 1);
                if self.cursor.text[line..self.cursor.at].trim().is_empty() {
                    return Ok(());
                }
                Err(self.cursor.expected("a line break before the next rule"))
            }
            Some(')') => Err(error(Code::Syntax, "this `)` closes nothing", self.cursor.here())),
            Some(next) => {
                let error = self.cursor.expected("the end of the rule");
                Err(match foreign_part(next) {
                    Some(help) => error.help(help),
                    None => error,
                })
            }
        }
    }

    /// Whether a line break is white space here.
    fn lines(&self) -> bool {
        self.depth > 0 || self.cursor.dialect == Dialect::XGrammar
    }

    /// The alternatives of a rule, with the groups in them.
    fn alternatives(&mut self) -> Result<Expr, Diagnostic> {
        let (mut level, mut open) = (Level::default(), Vec::new());
        loop {
            let item = if self.cursor.rest().starts_with('(') {
                open.push(std::mem::take(&mut level));
                level = self.open_group()?;
                continue;
            } else if let Some(item) = self.primary()? {
                item
            } else if self.cursor.eat("|") || self.eat_leading_bar() {
                self.cursor.space(true);
                self.end_alternative(&mut level);
                continue;
            } else if let Some(outer) = open.pop() {
                self.close_group(std::mem::replace(&mut level, outer))?
            } else {
                self.end_alternative(&mut level);
                return Ok(choice(level.alternatives));
            };
            let item = self.repeated(item)?;
            level.items.push(item);
        }
    }

    /// Makes the last items an alternative.
    fn end_alternative(&mut self, level: &mut Level) {
        let items = std::mem::take(&mut level.items);
        level.alternatives.push(self.sequence(items));
    }

    /// Moves over a `|` at the beginning of a line, which llama.cpp reads within parentheses only.
    fn eat_leading_bar(&mut self) -> bool {
        let before = self.cursor.at;
        self.cursor.space(true);
        let start = self.cursor.at;
        if !self.cursor.eat("|") {
            self.cursor.at = before;
            return false;
        }
        let message = "llama.cpp refuses a `|` at the beginning of a line outside of parentheses";
        let warning = Diagnostic::warning(Code::LeadingBar, message).at(Location::Span(start..start + 1));
        if self.warnings.iter().all(|known| known.code != Code::LeadingBar) {
            self.warnings.push(warning.help("write the `|` at the end of the line before, for llama.cpp"));
        }
        true
    }

    /// Warns about a class with a character that it has several times, and with quotes, which is probably meant to be a text.
    fn warn_about_class(&mut self, start: usize, repeated: Option<char>) {
        let Some(repeated) = repeated else { return };
        let message = format!("this class has {repeated:?} several times: it is one character, not a text");
        let warning =
            Diagnostic::warning(Code::DoubtfulClass, message).at(Location::Span(start..self.cursor.at));
        self.warnings.push(
            warning.help("write a text in quotes outside of brackets, and each character of a class once"),
        );
    }

    /// The sequence of the items.
    fn sequence(&mut self, items: Vec<Item>) -> Expr {
        let part = |item| match item {
            Item::Expr(expr) => expr,
            Item::AnyToken(except) => self.rules.draft.any_tokens(except, 1, Some(1)),
        };
        sequence(items.into_iter().map(part).collect())
    }

    /// An item with the repetitions that follow it.
    fn repeated(&mut self, mut item: Item) -> Result<Item, Diagnostic> {
        self.cursor.space(self.lines());
        let mut repeated = false;
        while let Some((min, max, span)) = self.cursor.times()? {
            if std::mem::replace(&mut repeated, true) && self.cursor.dialect == Dialect::XGrammar {
                return Err(error(Code::Syntax, "two repetitions follow one another", span)
                    .help("put the first one in parentheses"));
            }
            item = Item::Expr(match item {
                Item::Expr(expr) => repeat_again(expr, min, max, span)?,
                Item::AnyToken(except) => self.rules.draft.any_tokens(except, min, max),
            });
            self.cursor.space(self.lines());
        }
        Ok(item)
    }

    /// Charges the item from `start` on, and the rule, terminal and expressions that it becomes.
    fn charge(&self, start: usize) -> Result<(), Diagnostic> {
        let bytes = BYTES_PER_ITEM + 6 * (self.cursor.at - start) as u64;
        charge(&self.limits.budget, WORK_PER_ITEM, bytes, start..self.cursor.at)
    }

    fn primary(&mut self) -> Result<Option<Item>, Diagnostic> {
        let start = self.cursor.at;
        let item = self.uncharged_primary(start)?;
        if item.is_some() {
            self.charge(start)?;
        }
        Ok(item)
    }

    fn uncharged_primary(&mut self, start: usize) -> Result<Option<Item>, Diagnostic> {
        let location = |end| Some(Location::Span(start..end));
        let expr = match self.cursor.peek() {
            Some('"') => {
                let text = self.cursor.string()?;
                self.rules.draft.literal(&text, location(self.cursor.at))
            }
            Some('[') => {
                let (set, name, repeated) = self.cursor.class()?;
                self.warn_about_class(start, repeated);
                self.rules.draft.chars(set, name, location(self.cursor.at))
            }
            Some('.') => {
                self.cursor.at += 1;
                self.rules.draft.chars(CharSet::all(), ".", location(self.cursor.at))
            }
            Some('<') => {
                let selector = self.cursor.token()?;
                let name = &self.cursor.text[start..self.cursor.at];
                self.rules.draft.tokens(vec![selector], name, location(self.cursor.at))
            }
            Some('!') => {
                self.cursor.at += 1;
                let except = vec![self.cursor.token()?];
                return Ok(Some(Item::AnyToken(except)));
            }
            Some('{') => {
                let error = self.cursor.expected("something before the repetition");
                return Err(error.help(
                    "write `( … )*` for what is repeated; `{` begins the bounds of what is before it",
                ));
            }
            Some('*' | '+' | '?') => {
                return Err(self.cursor.expected("something before the repetition"));
            }
            _ if self.cursor.dialect == Dialect::XGrammar && self.cursor.at_rule() => return Ok(None),
            _ => match self.cursor.name() {
                "" => return Ok(None),
                name => return self.reference(name, start).map(Some),
            },
        };
        Ok(Some(Item::Expr(expr)))
    }

    /// A reference to a rule, or a macro of XGrammar.
    fn reference(&mut self, name: &'t str, start: usize) -> Result<Item, Diagnostic> {
        let is_call = self.cursor.dialect == Dialect::XGrammar && self.cursor.rest().starts_with('(');
        match Macro::named(name).filter(|_| is_call) {
            None => Ok(Item::Expr(nonterminal(self.rules.named(name, start..self.cursor.at)))),
            Some(name) => {
                let expansion = macros::expand(name, start, &mut self.cursor, &mut self.rules, &self.limits)?;
                Ok(match expansion {
                    Expansion::Expr(expr) => Item::Expr(expr),
                    Expansion::AnyToken(except) => Item::AnyToken(except),
                })
            }
        }
    }

    /// Moves over the beginning of a group.
    fn open_group(&mut self) -> Result<Level, Diagnostic> {
        let start = self.cursor.at;
        self.cursor.at += 1;
        self.depth += 1;
        check_depth(self.depth, start..start + 1)?;
        self.cursor.space(true);
        let is_hint = self.cursor.dialect == Dialect::XGrammar && self.cursor.eat("=");
        self.cursor.space(true);
        Ok(Level { start, is_hint, ..Level::default() })
    }

    /// Moves over the end of a group. A group of nothing but any one token is still any one token.
    fn close_group(&mut self, mut level: Level) -> Result<Item, Diagnostic> {
        let is_any_token = level.alternatives.is_empty() && matches!(level.items[..], [Item::AnyToken(_)]);
        let only = if is_any_token { level.items.pop() } else { None };
        let item = match only {
            Some(any_token) => any_token,
            None => {
                self.end_alternative(&mut level);
                Item::Expr(choice(std::mem::take(&mut level.alternatives)))
            }
        };
        if !self.cursor.eat(")") {
            return Err(self.unclosed(level.start));
        }
        self.depth -= 1;
        self.charge(level.start)?;
        // A lookahead says what follows, and the grammar says that, too.
        Ok(if level.is_hint { Item::Expr(sequence(Vec::new())) } else { item })
    }

    /// The error that the group which begins at `start` does not end here.
    fn unclosed(&self, start: usize) -> Diagnostic {
        let unclosed = |message| error(Code::UnclosedParenthesis, message, start..start + 1);
        match self.cursor.peek() {
            None => unclosed("this `(` is not closed"),
            Some(c) if c != ']' && (self.cursor.at_rule() || self.cursor.rest().starts_with("::=")) => {
                unclosed("this `(` is not closed before the next rule")
            }
            Some(_) => self.cursor.expected("`)`, `|` or another part"),
        }
    }
}

/// What to write for a part that other notations begin with this character.
fn foreign_part(next: char) -> Option<&'static str> {
    match next {
        '\'' => Some("write text in double quotes: \"x\""),
        '\\' => Some("write a class of characters, such as [0-9] for \\d and [a-zA-Z0-9_] for \\w"),
        '/' => Some(
            "there are no regular expressions here: write text in double quotes, and classes of characters, such as [a-z]+",
        ),
        _ => None,
    }
}
