//! A grammar under construction.
//!
//! Front ends for notations without lexemes add rules and terminals in the order in which they read them; terminals that are written the
//! same way are added once. [`GrammarBuilder::finish`] returns the grammar, whose lexical discipline is any split. The free functions build
//! expressions.

use crate::free_text::Trigger;
use crate::scanner::error;
use gcc_grammar_ir::{
    Body, Code, ContextRules, Diagnostic, Discipline, Expr, Grammar, Location, NonterminalId, Pattern, Rule,
    SpecialNames, Symbol, Terminal, TerminalId, TokenSelector,
};
use gcc_grammar_limits::Budget;
use gcc_grammar_regular::{ByteSet, CharSet, Dfa, Regex, RegularLimits};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// The identity of a terminal that is written where it is used.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    Literal(Vec<u8>),
    Chars(CharSet),
    Tokens(Vec<TokenSelector>),
}

/// The terminals and rules of a grammar under construction.
#[derive(Default)]
pub(crate) struct GrammarBuilder {
    terminals: Vec<Terminal>,
    by_key: FxHashMap<Key, TerminalId>,
    /// Where each terminal was first used.
    locations: Vec<Option<Location>>,
    rules: Vec<Rule>,
    /// The names of special tokens that literals may contain.
    pub(crate) names: SpecialNames,
    /// What looking for names in literals is charged to.
    budget: Budget,
}

impl GrammarBuilder {
    /// A grammar without terminals and rules, whose literals may contain these names.
    pub(crate) fn new(names: &SpecialNames, budget: &Budget) -> Self {
        Self { names: names.clone(), budget: budget.clone(), ..Self::default() }
    }

    /// The texts that a literal accepts: its characters, and the special tokens that it names.
    pub(crate) fn accepted(&self, text: &str) -> Regex {
        self.names.literal(text, &self.budget)
    }

    /// Adds a rule without a body, which derives nothing until it gets one.
    pub(crate) fn new_rule(&mut self, name: impl Into<String>, location: Option<Location>) -> NonterminalId {
        let id = NonterminalId::new(self.rules.len());
        self.rules.push(Rule { name: name.into(), body: Body::Expr(Expr::Choice(Vec::new())), location });
        id
    }

    /// Adds a rule with this body.
    pub(crate) fn rule(&mut self, name: impl Into<String>, body: Expr) -> NonterminalId {
        let id = self.new_rule(name, None);
        self.set_body(id, body);
        id
    }

    /// Gives a rule its body.
    pub(crate) fn set_body(&mut self, rule: NonterminalId, body: Expr) {
        self.rules[rule.index()].body = Body::Expr(body);
    }

    /// Sets the location at which a rule is defined.
    pub(crate) fn set_location(&mut self, rule: NonterminalId, location: Location) {
        self.rules[rule.index()].location = Some(location);
    }

    /// The name of a rule.
    pub(crate) fn name(&self, rule: NonterminalId) -> &str {
        &self.rules[rule.index()].name
    }

    /// A word that ends free text, with the special tokens that it names.
    pub(crate) fn trigger(&self, word: &str) -> Trigger {
        Trigger { name: word.to_owned(), word: Regex::literal(word), accepted: self.accepted(word) }
    }

    /// If a place of the text lies within the name of a special token: the text up to the end of the name, with the token for the name, and
    /// where the name ends.
    pub(crate) fn across(&self, text: &str, place: usize) -> Option<(Regex, usize)> {
        let found = self.names.find(text, &self.budget);
        let named = found.into_iter().find(|named| named.span.start < place && place < named.span.end)?;
        let before = self.accepted(&text[..named.span.start]);
        Some((before.then(SpecialNames::tokens(&named)), named.span.end))
    }

    /// The terminal of this text; for the empty text, the empty sequence.
    pub(crate) fn literal(&mut self, text: &str, location: Option<Location>) -> Expr {
        if text.is_empty() {
            return Expr::Sequence(Vec::new());
        }
        let pattern = Pattern::of(self.accepted(text));
        let key = Key::Literal(text.as_bytes().to_vec());
        self.keyed(key, || (format!("{text:?}"), pattern, true), location)
    }

    /// The terminal of one character of the set.
    pub(crate) fn chars(&mut self, set: CharSet, name: &str, location: Option<Location>) -> Expr {
        let key = Key::Chars(set.clone());
        self.keyed(key, || (name.to_owned(), Pattern::Regex(Regex::Chars(set)), false), location)
    }

    /// The terminal of one of these special tokens.
    pub(crate) fn tokens(
        &mut self,
        selectors: Vec<TokenSelector>,
        name: &str,
        location: Option<Location>,
    ) -> Expr {
        let key = Key::Tokens(selectors.clone());
        self.keyed(key, || (name.to_owned(), Pattern::Token(selectors), false), location)
    }

    /// A number of tokens except these. Any number of them is text with special tokens in it; what is counted are whole tokens.
    pub(crate) fn any_tokens(&mut self, except: Vec<TokenSelector>, min: u32, max: Option<u32>) -> Expr {
        if max.is_none() && min <= 1 {
            return repeat(self.part_of_tokens(except), min, None);
        }
        let one = self.tokens(vec![TokenSelector::AnyBut(except.clone())], "any other token", None);
        match max {
            Some(max) => repeat(one, min, Some(max)),
            None => sequence(vec![repeat(one, min, Some(min)), repeat(self.part_of_tokens(except), 0, None)]),
        }
    }

    /// Any one byte, or any special token except these.
    fn part_of_tokens(&mut self, except: Vec<TokenSelector>) -> Expr {
        // In a regular expression, the byte 0xFF would be that of a mark.
        let texts = TokenSelector::TextsBut(Arc::new(single_bytes()), except.clone());
        let bytes = self.tokens(vec![texts], "any byte", None);
        choice(vec![bytes, self.tokens(vec![TokenSelector::SpecialBut(except)], "any other token", None)])
    }

    /// A new terminal for a regular expression without marks of special tokens; if the expression matches the empty string, an optional one.
    pub(crate) fn regex(&mut self, regex: Regex, name: &str, location: Option<Location>) -> Expr {
        self.texts(regex, Pattern::Regex, name, location)
    }

    /// The same for an expression that is made of characters and [accepted](Self::accepted) literals.
    pub(crate) fn literals(&mut self, regex: Regex, name: &str, location: Option<Location>) -> Expr {
        self.texts(regex, Pattern::of, name, location)
    }

    /// Text of at most so many tokens that matches a regular expression with the empty text.
    pub(crate) fn limited(&mut self, regex: Regex, most: u32, name: &str) -> Expr {
        match most {
            0 => sequence(Vec::new()),
            _ => self.texts(regex, |regex| Pattern::limited(regex, most), name, None),
        }
    }

    fn texts(
        &mut self,
        regex: Regex,
        pattern: impl FnOnce(Regex) -> Pattern,
        name: &str,
        location: Option<Location>,
    ) -> Expr {
        let optional = regex.matches_empty();
        let regex = if optional { non_empty(regex) } else { regex };
        if matches!(&regex, Regex::Automaton(dfa) if dfa.is_empty()) {
            return Expr::Choice(Vec::new());
        }
        let terminal = self.push(name.to_owned(), pattern(regex), false, location);
        let symbol = Expr::Symbol(Symbol::Terminal(terminal));
        if optional { repeat(symbol, 0, Some(1)) } else { symbol }
    }

    /// The terminal with this identity, which `make` makes if there is none: its name, pattern, and whether it is a literal.
    fn keyed(
        &mut self,
        key: Key,
        make: impl FnOnce() -> (String, Pattern, bool),
        location: Option<Location>,
    ) -> Expr {
        let id = match self.by_key.get(&key) {
            Some(&known) => known,
            None => {
                let (name, pattern, literal) = make();
                let id = self.push(name, pattern, literal, location);
                self.by_key.insert(key, id);
                id
            }
        };
        Expr::Symbol(Symbol::Terminal(id))
    }

    fn push(
        &mut self,
        name: String,
        pattern: Pattern,
        literal: bool,
        location: Option<Location>,
    ) -> TerminalId {
        let id = TerminalId::new(self.terminals.len());
        self.terminals.push(Terminal { name, pattern, priority: 0, literal });
        self.locations.push(location);
        id
    }

    /// The grammar that derives the language of `start`, and where each of its terminals was first used.
    pub(crate) fn finish(self, start: NonterminalId) -> (Grammar, Vec<Option<Location>>) {
        let Self { terminals, rules, locations, .. } = self;
        let discipline = Discipline::AnySplit;
        (
            Grammar {
                terminals,
                rules,
                start,
                ignored: Vec::new(),
                discipline,
                contexts: ContextRules::default(),
            },
            locations,
        )
    }
}

/// The automaton of all single bytes.
fn single_bytes() -> Dfa {
    Regex::Bytes(ByteSet::ALL).to_dfa(&RegularLimits::default()).expect("two states")
}

/// The language of the expression without the empty string.
fn non_empty(regex: Regex) -> Regex {
    let something = Regex::Complement(Box::new(Regex::empty()));
    Regex::Intersect(vec![regex, something])
}

/// The expression repeated.
pub(crate) fn repeat(inner: Expr, min: u32, max: Option<u32>) -> Expr {
    Expr::Repeat { inner: Box::new(inner), min, max }
}

/// An expression, which may be repeated already, repeated as the operator at this place of the text says. A repetition of a repetition is one, where
/// that has the same texts; so only a number of operators that does not grow with the text stays nested.
pub(crate) fn repeat_again(
    inner: Expr,
    min: u32,
    max: Option<u32>,
    span: Range<usize>,
) -> Result<Expr, Diagnostic> {
    let too_many = move || {
        let message = "with this repetition, the repetitions before it count further than there are numbers";
        error(Code::BadRepetition, message, span.clone()).help("repeat less often, or without a bound")
    };
    match inner {
        Expr::Repeat { inner, min: least, max: most } if is_contiguous((least, most), (min, max)) => {
            let product = |a: u32, b: u32| a.checked_mul(b).ok_or_else(&too_many);
            let (least, most) = (
                product(least, min)?,
                match (most, max) {
                    (Some(most), Some(max)) => Some(product(most, max)?),
                    (Some(0), None) | (None, Some(0)) => Some(0),
                    _ => None,
                },
            );
            Ok(Expr::Repeat { inner, min: least, max: most })
        }
        inner => Ok(repeat(inner, min, max)),
    }
}

/// Whether `min` to `max` times, each `least` to `most` times, is each number from the least to the greatest product: the numbers for one round more
/// begin no later than behind those before.
fn is_contiguous((least, most): (u32, Option<u32>), (min, max): (u32, Option<u32>)) -> bool {
    let is_proper = most.is_none_or(|most| least <= most) && max.is_none_or(|max| min <= max);
    let [least, min] = [least, min].map(u64::from);
    let reaches = most.is_none_or(|most| (min + 1) * least <= min * u64::from(most) + 1);
    // Without a round there is no text, however many one round has.
    let first = if min == 0 { least <= 1 } else { reaches };
    is_proper && (max.map(u64::from) == Some(min) || first)
}

/// The sequence of the parts; of a single part, the part itself.
pub(crate) fn sequence(mut parts: Vec<Expr>) -> Expr {
    if parts.len() == 1 { parts.remove(0) } else { Expr::Sequence(parts) }
}

/// The choice of the parts; of a single part, the part itself.
pub(crate) fn choice(mut parts: Vec<Expr>) -> Expr {
    if parts.len() == 1 { parts.remove(0) } else { Expr::Choice(parts) }
}

/// The expression that is one rule.
pub(crate) fn nonterminal(id: NonterminalId) -> Expr {
    Expr::Symbol(Symbol::Nonterminal(id))
}
