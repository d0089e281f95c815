//! A grammar under construction: rules by number, equal terminals once.

use gcc_grammar_ir::{
    Body, ContextRules, Discipline, Expr, Grammar, Location, NonterminalId, Pattern, Rule, Symbol, Terminal,
    TerminalId, TokenSelector,
};
use gcc_grammar_regular::{ByteSet, CharSet, Regex};
use rustc_hash::FxHashMap;

/// What identifies a terminal that is written out where it is used.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    Literal(Vec<u8>),
    Chars(CharSet),
    Tokens(Vec<TokenSelector>),
}

/// Terminals and rules so far.
#[derive(Default)]
pub(crate) struct Draft {
    terminals: Vec<Terminal>,
    known: FxHashMap<Key, TerminalId>,
    /// Where each terminal was first used.
    locations: Vec<Option<Location>>,
    rules: Vec<Rule>,
}

impl Draft {
    /// A rule without a body: until it gets one, it derives nothing.
    pub(crate) fn new_rule(&mut self, name: impl Into<String>, location: Option<Location>) -> NonterminalId {
        let id = NonterminalId::new(self.rules.len());
        self.rules.push(Rule { name: name.into(), body: Body::Expr(Expr::Choice(Vec::new())), location });
        id
    }

    /// A rule with this body.
    pub(crate) fn rule(&mut self, name: impl Into<String>, body: Expr) -> NonterminalId {
        let id = self.new_rule(name, None);
        self.set_body(id, body);
        id
    }

    /// Gives a rule its body.
    pub(crate) fn set_body(&mut self, rule: NonterminalId, body: Expr) {
        self.rules[rule.index()].body = Body::Expr(body);
    }

    /// Says where a rule is defined.
    pub(crate) fn set_location(&mut self, rule: NonterminalId, location: Location) {
        self.rules[rule.index()].location = Some(location);
    }

    /// Exactly this text; nothing at all is the empty sequence.
    pub(crate) fn literal(&mut self, text: &str, location: Option<Location>) -> Expr {
        if text.is_empty() {
            return Expr::Sequence(Vec::new());
        }
        let pattern = Pattern::Regex(Regex::literal(text));
        let key = Key::Literal(text.as_bytes().to_vec());
        self.keyed(key, || (format!("{text:?}"), pattern, true), location)
    }

    /// One character of the set.
    pub(crate) fn chars(&mut self, set: CharSet, name: &str, location: Option<Location>) -> Expr {
        let key = Key::Chars(set.clone());
        self.keyed(key, || (name.to_owned(), Pattern::Regex(Regex::Chars(set)), false), location)
    }

    /// One of these tokens.
    pub(crate) fn tokens(
        &mut self,
        selectors: Vec<TokenSelector>,
        name: &str,
        location: Option<Location>,
    ) -> Expr {
        let key = Key::Tokens(selectors.clone());
        self.keyed(key, || (name.to_owned(), Pattern::Token(selectors), false), location)
    }

    /// Any tokens but these, if repeated any number of times: ordinary tokens are any bytes.
    pub(crate) fn any_token(&mut self, except: Vec<TokenSelector>) -> Expr {
        let bytes = self.regex(Regex::Bytes(ByteSet::ALL), "any byte", None);
        choice(vec![bytes, self.tokens(vec![TokenSelector::AllBut(except)], "any other token", None)])
    }

    /// A terminal of its own, which may also match nothing: then it is optional.
    pub(crate) fn regex(&mut self, regex: Regex, name: &str, location: Option<Location>) -> Expr {
        let optional = regex.matches_empty();
        let regex = if optional { non_empty(regex) } else { regex };
        if matches!(&regex, Regex::Automaton(dfa) if dfa.is_empty()) {
            return Expr::Choice(Vec::new());
        }
        let terminal = self.push(name.to_owned(), Pattern::Regex(regex), false, location);
        let one = Expr::Symbol(Symbol::Terminal(terminal));
        if optional { repeat(one, 0, Some(1)) } else { one }
    }

    fn keyed(
        &mut self,
        key: Key,
        make: impl FnOnce() -> (String, Pattern, bool),
        location: Option<Location>,
    ) -> Expr {
        let id = match self.known.get(&key) {
            Some(&known) => known,
            None => {
                let (name, pattern, literal) = make();
                let id = self.push(name, pattern, literal, location);
                self.known.insert(key, id);
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

    /// The grammar that derives what `start` does, any split; and where its terminals were first used.
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

/// What the expression matches, save the empty string.
fn non_empty(regex: Regex) -> Regex {
    let something = Regex::Complement(Box::new(Regex::empty()));
    Regex::Intersect(vec![regex, something])
}

/// So often.
pub(crate) fn repeat(inner: Expr, min: u32, max: Option<u32>) -> Expr {
    Expr::Repeat { inner: Box::new(inner), min, max }
}

/// The parts in order; one alone is itself.
pub(crate) fn sequence(mut parts: Vec<Expr>) -> Expr {
    if parts.len() == 1 { parts.remove(0) } else { Expr::Sequence(parts) }
}

/// Any one of the parts; one alone is itself.
pub(crate) fn choice(mut parts: Vec<Expr>) -> Expr {
    if parts.len() == 1 { parts.remove(0) } else { Expr::Choice(parts) }
}

/// The rule.
pub(crate) fn nonterminal(id: NonterminalId) -> Expr {
    Expr::Symbol(Symbol::Nonterminal(id))
}
