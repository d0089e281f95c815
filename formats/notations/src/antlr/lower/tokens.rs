//! The definitions of tokens, and which of them are recognized and ignored.

use super::Lowering;
use crate::antlr::Loaded;
use crate::antlr::ast::{Alternative, ElementKind, Rule, unsupported};
use crate::antlr::commands::{Commands, TokenAction};
use crate::antlr::levels::Levels;
use crate::antlr::lexer_rules::{Tokens, name, pattern, plain, sequence};
use crate::antlr::nested::{MOST_DEPTH, Nested};
use crate::lark::ast::{self as lark, Item, Node};
use gcc_grammar_ir::Diagnostic;
use gcc_grammar_limits::Budget;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Estimated bytes of an alternative on one level.
const BYTES_PER_LEVEL: u64 = 4_000;

impl<'g> Lowering<'g> {
    /// Defines the tokens, each with a lower priority than those before it.
    pub(super) fn tokens(
        &mut self,
        commands: &FxHashMap<&'g str, Commands>,
        most_levels: usize,
    ) -> Result<(), Diagnostic> {
        let budget = self.budget;
        let levels = self.levels(most_levels, budget);
        let mut priority = 0;
        for (file, Loaded { grammar, .. }) in self.loaded.iter().enumerate() {
            for rule in
                grammar.rules.iter().filter(|rule| rule.name.is_token() && self.rules.counts(file, rule))
            {
                let at = |problem| self.in_file(file, problem);
                let is_token = !rule.is_fragment && self.modes.has(&rule.name.text);
                let lowered = Tokens { rules: self.rules, budget };
                priority -= 1;
                let own = Some(priority).filter(|_| is_token);
                let (name, span) = (rule.name.text.as_str(), rule.name.span.clone());
                if !rule.begins_with_none_of.is_empty() {
                    self.check_copy(rule, &levels, &lowered).map_err(at)?;
                }
                if let Some(nested) = Nested::of(rule, &lowered) {
                    self.never(file, rule, vec![self.pattern(nested.unended(), &span)], priority);
                    let message =
                        format!("`{name}` may lie in itself at most {MOST_DEPTH} deep, and each must end");
                    self.warn_about_nesting(file, message, &span);
                    self.define(file, name, span.clone(), own, vec![self.pattern(nested.token(), &span)]);
                } else if levels.nests(name) {
                    self.levelled(file, rule, own, &lowered, &levels, budget)?;
                } else {
                    let body = lowered.body_of(rule).map_err(at)?;
                    self.define(file, name, span.clone(), own, body);
                }
                if is_token && self.modes.matter() {
                    self.unended_within(file, rule, priority, &lowered);
                }
                if is_token {
                    self.token(file, rule, &commands[name].action);
                } else if !rule.is_fragment {
                    // The lexer never comes to its mode.
                    self.out.levelled.extend((file == 0).then_some(span));
                }
            }
            let declared = grammar.declared.iter().filter(|name| self.rules.get(&name.text).is_none());
            self.known.declared.extend(declared.map(|name| name.text.as_str()));
        }
        self.warn_about_errors(commands);
        self.warn_about_declared();
        self.warn_about_undefined();
        if !self.modes.matter() {
            self.basic();
        }
        Ok(())
    }

    /// Refuses a token that uses itself, where it may not begin with others.
    fn check_copy(&self, rule: &Rule, levels: &Levels<'_>, tokens: &Tokens<'_>) -> Result<(), Diagnostic> {
        let names =
            rule.alternatives.iter().flat_map(|one| &one.elements).filter_map(|element| {
                match &element.kind {
                    ElementKind::Name(name) => Some(name),
                    _ => None,
                }
            });
        let nests = |name: &str| {
            levels.nests(name) || self.rules.get(name).is_some_and(|rule| Nested::of(rule, tokens).is_some())
        };
        if !names.into_iter().any(|name| nests(name)) {
            return Ok(());
        }
        let message = "a token that uses itself, in a mode to which a token without a text leads, is";
        Err(unsupported(
            message,
            rule.name.span.clone(),
            "let the token that leads to the mode match the text that the next token begins with",
        ))
    }

    /// The levels of tokens that use themselves in another way than nested comments.
    fn levels(&self, most: usize, budget: &Budget) -> Levels<'g> {
        let tokens = Tokens { rules: self.rules, budget };
        let rules = self.loaded.iter().enumerate().flat_map(|(file, loaded)| {
            loaded.grammar.rules.iter().filter(move |rule| self.rules.counts(file, rule))
        });
        let rules = rules.filter(|rule| rule.name.is_token() && Nested::of(rule, &tokens).is_none());
        Levels::of(rules.map(|rule| (rule.name.text.as_str(), plain(rule))).collect(), most)
    }

    /// Defines the levels of a token that uses itself, or one that does, and the token of texts that go deeper.
    fn levelled(
        &mut self,
        file: usize,
        rule: &Rule,
        priority: Option<i64>,
        tokens: &Tokens<'_>,
        levels: &Levels<'_>,
        budget: &Budget,
    ) -> Result<(), Diagnostic> {
        let (name, span) = (&rule.name.text, &rule.name.span);
        self.out.levelled.extend((file == 0).then(|| span.clone()));
        self.out.has_levels = true;
        for (defined, alternatives) in levels.rules(name).unwrap_or_default() {
            budget.charge_bytes(BYTES_PER_LEVEL * alternatives.len() as u64)?;
            let body = tokens.body(&alternatives).map_err(|problem| self.in_file(file, problem))?;
            let priority = priority.filter(|_| defined == *name);
            self.define(file, &defined, span.clone(), priority, body);
        }
        if let Some(priority) = priority {
            let deeper = tokens.body(&[levels.deeper(name, span.clone())]);
            self.never(file, rule, deeper.map_err(|problem| self.in_file(file, problem))?, priority);
        }
        if levels.is_recursive(name) {
            let message = format!("`{name}` may lie in itself at most {} deep", levels.count());
            self.warn_about_nesting(file, message, span);
        }
        Ok(())
    }

    /// Defines the texts that no rule uses for a token that is a nested one of another mode, or has it as an alternative.
    fn unended_within(&mut self, file: usize, rule: &Rule, priority: i64, tokens: &Tokens<'_>) {
        let mut open: Vec<&Alternative> = rule.alternatives.iter().collect();
        while let Some(alternative) = open.pop() {
            match alternative.only().map(|only| &only.kind) {
                Some(ElementKind::Group(alternatives)) => open.extend(alternatives),
                Some(ElementKind::Name(name)) => {
                    let nested = self.rules.get(name).and_then(|rule| Nested::of(rule, tokens));
                    if let Some(nested) = nested {
                        let body = vec![self.pattern(nested.unended(), &rule.name.span)];
                        return self.never(file, rule, body, priority);
                    }
                }
                _ => {}
            }
        }
    }

    fn pattern(&self, text: String, span: &Range<usize>) -> lark::Alternative {
        sequence(vec![Node { kind: pattern(text), span: span.clone() }])
    }

    /// Defines the token that no rule uses beside one whose nesting has a bound.
    pub(super) fn never(&mut self, file: usize, rule: &Rule, body: Vec<lark::Alternative>, priority: i64) {
        let hidden = format!("{}__UNENDED", rule.name.text);
        let span = rule.name.span.clone();
        self.define(file, &hidden, span.clone(), Some(priority), body);
        let span = self.loaded[file].place(&span);
        self.recognize(&rule.name.text, lark::Name { text: hidden, span });
    }

    /// Lets the lexer recognize a token that no rule may use, where it recognizes the token `beside`.
    fn recognize(&mut self, beside: &str, token: lark::Name) {
        match self.modes.of_token(beside) {
            Some(mode) if self.modes.matter() => self.out.modes[usize::from(mode)].terminals.push(token),
            _ => self.out.items[0].push(Item::Never(token)),
        }
    }

    fn token(&mut self, file: usize, rule: &'g Rule, action: &TokenAction) {
        let text = rule.name.text.as_str();
        let span = if file == 0 { rule.name.span.clone() } else { self.start.name.span.clone() };
        let mut other = None;
        if self.modes.matter() {
            self.recognize(text, lark::Name { text: text.to_owned(), span: span.clone() });
            if !self.modes.is_ignored(text) {
                return;
            }
        }
        match action {
            TokenAction::Ignored => {
                let body = vec![sequence(vec![name(text, span.clone())])];
                self.out.items[0].push(Item::Ignore { body, span });
                self.known.hidden.insert(text);
                return;
            }
            TokenAction::Other(kind) => {
                self.known.also.entry(kind.clone()).or_default().push(text);
                other = Some(kind.clone());
            }
            TokenAction::Error => _ = self.known.hidden.insert(text),
            TokenAction::Token | TokenAction::More => self.known.tokens.push(text),
        }
        if *action == TokenAction::Error || !self.is_reached(text, other.as_deref()) {
            self.out.items[0].push(Item::Never(lark::Name { text: text.to_owned(), span }));
        }
    }

    /// Whether a rule of the parser uses a token, by its name or its text. It may be a token of another name.
    fn is_reached(&self, token: &str, other: Option<&str>) -> bool {
        let text = self.text_of(token);
        let kind = other.unwrap_or(token);
        self.reached.names.contains(token)
            || text.is_some_and(|text| self.reached.texts.contains(text))
            || self.reached.names.contains(kind)
            || self.reached.has_other(Some(kind), text)
    }

    fn basic(&mut self) {
        let span = self.start.name.span.clone();
        self.out.items[0].push(Item::Basic(span));
    }
}
