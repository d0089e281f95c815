//! Turns the rules of all files into definitions and directives as in Lark.
//!
//! Input: the grammars. Output: for each file its definitions; all directives are those of the given file.

use super::ast::{Alternative, Element, ElementKind, Rule, with_inner};
use super::commands::{Commands, TokenAction};
use super::last::last_tokens;
use super::levels::Levels;
use super::lexer_rules::{Tokens, literal, name, pattern, plain, sequence};
use super::modal::Symbol;
use super::modal_lower::{modal_symbols, positions};
use super::modal_rules::{Written, write};
use super::modes::{Modes, tokens};
use super::nested::{MOST_DEPTH, Nested};
use super::reach::{Reached, Rules, reached};
use super::start::{END, start_rule};
use super::{Loaded, in_file};
use crate::lark::LexerMode;
use crate::lark::ast::{self as lark, Definition, Item, Node, NodeKind};
use crate::scanner::{error, warning};
use gcc_grammar_ir::spelling::similar;
use gcc_grammar_ir::{Code, Diagnostic};
use gcc_grammar_limits::Budget;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// The definitions of all files.
pub(super) struct Lowered {
    pub(super) start: String,
    pub(super) items: Vec<Vec<Item>>,
    /// Whether `EOF` stands elsewhere than at the end of the start rule.
    pub(super) has_end: bool,
    pub(super) warnings: Vec<Diagnostic>,
    /// The places of the tokens that are defined once per level.
    pub(super) levelled: Vec<Range<usize>>,
    /// The modes of the lexer, if it has some.
    pub(super) modes: Vec<LexerMode>,
}

/// Estimated bytes of a token among all tokens.
const BYTES_PER_TOKEN: u64 = 330;
/// Estimated bytes of an alternative on one level.
const BYTES_PER_LEVEL: u64 = 4_000;

pub(super) fn lower(
    loaded: &[Loaded],
    start: Option<&str>,
    budget: &Budget,
) -> Result<Lowered, Vec<Diagnostic>> {
    let rules = Rules::new(loaded);
    let (start, doubt) = start_rule(loaded, &rules, start).map_err(|error| vec![error])?;
    let reached = reached(&rules, start);
    let mut commands: FxHashMap<&str, Commands> = FxHashMap::default();
    for (file, rule) in tokens(loaded, &rules) {
        let own = Commands::of(rule).map_err(|problem| vec![in_file(loaded, file, problem)])?;
        commands.insert(&rule.name.text, own);
    }
    let modes = Modes::of(loaded, &rules, &commands);
    let mut modes = modes.map_err(|(file, problem)| vec![in_file(loaded, file, problem)])?;
    let symbols = match modes.matter() {
        true => modal_symbols(loaded, &rules, &mut modes, start, budget).map_err(|error| vec![error])?,
        false => Vec::new(),
    };
    let mut lowering = Lowering::new(loaded, &rules, &reached, &modes, start, budget);
    lowering.warnings.extend(doubt);
    lowering.tokens(&commands).map_err(|error| vec![error])?;
    let start = match modes.matter() {
        true => lowering.modal_rules(&symbols).map_err(|error| vec![error])?,
        false => {
            lowering.texts();
            lowering.parser_rules().map_err(|error| vec![error])?;
            start.name.text.clone()
        }
    };
    let Lowering { items, warnings, levelled, has_end, lexer_modes: modes, .. } = lowering;
    Ok(Lowered { start, items, has_end, warnings, levelled, modes })
}

struct Lowering<'g> {
    loaded: &'g [Loaded],
    rules: &'g Rules<'g>,
    reached: &'g Reached<'g>,
    modes: &'g Modes<'g>,
    start: &'g Rule,
    budget: &'g Budget,
    items: Vec<Vec<Item>>,
    /// The tokens that are no texts of others, in the order of their definitions.
    tokens: Vec<&'g str>,
    ignored: FxHashSet<&'g str>,
    /// The tokens that are declared without a definition.
    declared: FxHashSet<&'g str>,
    /// By name, the tokens that are turned into it.
    also: FxHashMap<String, Vec<&'g str>>,
    /// The strings that are tokens without a definition, with their names if no rule of the parser uses them.
    texts: Vec<&'g str>,
    /// By text, the first token that is defined as nothing else.
    by_text: FxHashMap<&'g str, &'g str>,
    has_end: bool,
    warnings: Vec<Diagnostic>,
    levelled: Vec<Range<usize>>,
    lexer_modes: Vec<LexerMode>,
}

impl<'g> Lowering<'g> {
    fn new(
        loaded: &'g [Loaded],
        rules: &'g Rules<'g>,
        reached: &'g Reached<'g>,
        modes: &'g Modes<'g>,
        start: &'g Rule,
        budget: &'g Budget,
    ) -> Self {
        let (tokens, ignored, declared, also, texts, by_text, warnings, levelled) = Default::default();
        let items = loaded.iter().map(|_| Vec::new()).collect();
        let count = if modes.matter() { modes.names.len() } else { 0 };
        let lexer_modes = (0..count).map(|_| LexerMode::default()).collect();
        let mut lowering = Self {
            loaded,
            rules,
            reached,
            modes,
            start,
            budget,
            items,
            tokens,
            ignored,
            declared,
            also,
            texts,
            by_text,
            has_end: false,
            warnings,
            levelled,
            lexer_modes,
        };
        lowering.left_out();
        lowering
    }

    /// Warns about code that is left out.
    fn left_out(&mut self) {
        for Loaded { name, grammar, imported_at, .. } in self.loaded {
            let place = |span: &Range<usize>| imported_at.clone().unwrap_or_else(|| span.clone());
            let file = if name.is_empty() { String::new() } else { format!("in {name}: ") };
            if let Some(first) = grammar.actions.first() {
                let count = grammar.actions.len();
                let message = format!(
                    "{file}{count} actions and predicates are left out; where a predicate decides, more texts are accepted"
                );
                self.warnings.push(
                    warning(Code::ActionLeftOut, message, place(first))
                        .help("write what they decide as rules"),
                );
            }
            if let Some(span) = &grammar.super_class {
                let message = format!("{file}the code of a class is left out, which may change the tokens");
                self.warnings.push(
                    warning(Code::ActionLeftOut, message, place(span)).help("write what it does as rules"),
                );
            }
        }
    }

    fn define(
        &mut self,
        file: usize,
        name: &str,
        span: Range<usize>,
        priority: Option<i64>,
        body: Vec<lark::Alternative>,
    ) {
        let name = lark::Name { text: name.to_owned(), span };
        self.items[file].push(Item::Define(Definition { priority, body, ..Definition::named(name) }));
    }

    /// Defines the tokens, each with a lower priority than those before it.
    fn tokens(&mut self, commands: &FxHashMap<&'g str, Commands>) -> Result<(), Diagnostic> {
        let budget = self.budget;
        let levels = self.levels(budget);
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
                if let Some(nested) = Nested::of(rule, &lowered) {
                    self.never(file, rule, vec![self.pattern(nested.unended(), &span)], priority);
                    let message =
                        format!("`{name}` may lie in itself at most {MOST_DEPTH} deep, and each must end");
                    self.warn_about_nesting(file, message, &span);
                    self.define(file, name, span.clone(), own, vec![self.pattern(nested.token(), &span)]);
                } else if levels.nests(name) {
                    self.levelled(file, rule, own, &lowered, &levels, budget)?;
                } else {
                    let body = lowered.body(&plain(rule)).map_err(at)?;
                    self.define(file, name, span.clone(), own, body);
                }
                if is_token && self.modes.matter() {
                    self.unended_within(file, rule, priority, &lowered);
                }
                if is_token {
                    self.token(file, rule, &commands[name].action);
                } else if !rule.is_fragment {
                    // The lexer never comes to its mode.
                    self.levelled.extend((file == 0).then_some(span));
                }
            }
            let declared = grammar.declared.iter().filter(|name| self.rules.get(&name.text).is_none());
            self.declared.extend(declared.map(|name| name.text.as_str()));
        }
        self.warn_about_declared();
        self.warn_about_undefined();
        if !self.modes.matter() {
            self.basic();
        }
        Ok(())
    }

    /// The levels of tokens that use themselves in another way than nested comments.
    fn levels(&self, budget: &Budget) -> Levels<'g> {
        let tokens = Tokens { rules: self.rules, budget };
        let rules = self.loaded.iter().enumerate().flat_map(|(file, loaded)| {
            loaded.grammar.rules.iter().filter(move |rule| self.rules.counts(file, rule))
        });
        let rules = rules.filter(|rule| rule.name.is_token() && Nested::of(rule, &tokens).is_none());
        Levels::of(rules.map(|rule| (rule.name.text.as_str(), plain(rule))).collect())
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
        self.levelled.extend((file == 0).then(|| span.clone()));
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
    fn never(&mut self, file: usize, rule: &Rule, body: Vec<lark::Alternative>, priority: i64) {
        let hidden = format!("{}__UNENDED", rule.name.text);
        let span = rule.name.span.clone();
        self.define(file, &hidden, span.clone(), Some(priority), body);
        let span = self.loaded[file].imported_at.clone().unwrap_or(span);
        self.recognize(&rule.name.text, lark::Name { text: hidden, span });
    }

    /// Lets the lexer recognize a token that no rule may use, where it recognizes the token `beside`.
    fn recognize(&mut self, beside: &str, token: lark::Name) {
        match self.modes.of_token(beside) {
            Some(mode) if self.modes.matter() => self.lexer_modes[usize::from(mode)].terminals.push(token),
            _ => self.items[0].push(Item::Never(token)),
        }
    }

    fn warn_about_nesting(&mut self, file: usize, message: String, span: &Range<usize>) {
        let place = self.loaded[file].imported_at.clone().unwrap_or_else(|| span.clone());
        let warning = warning(Code::NestingBounded, message, place);
        self.warnings.push(warning.help("nothing has to be done if no text goes deeper"));
    }

    /// An error in a file, for a reader of the given one.
    fn in_file(&self, file: usize, problem: Diagnostic) -> Diagnostic {
        in_file(self.loaded, file, problem)
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
                self.items[0].push(Item::Ignore { body, span });
                self.ignored.insert(text);
                return;
            }
            TokenAction::Other(kind) => {
                self.also.entry(kind.clone()).or_default().push(text);
                other = Some(kind.clone());
            }
            TokenAction::Token | TokenAction::More => self.tokens.push(text),
        }
        if !self.is_reached(text, other.as_deref()) {
            self.items[0].push(Item::Never(lark::Name { text: text.to_owned(), span }));
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

    /// The text of a token that is nothing but a string.
    fn text_of(&self, token: &str) -> Option<&'g str> {
        let rule = self.rules.get(token)?;
        match &rule.alternatives[..] {
            [only] => match &only.only()?.kind {
                ElementKind::Text { text, .. } => Some(text),
                _ => None,
            },
            _ => None,
        }
    }

    /// Warns about a token that is only declared, and used.
    fn warn_about_declared(&mut self) {
        let used =
            self.loaded.iter().flat_map(|file| file.grammar.declared.iter().map(move |name| (file, name)));
        let mut used = used.filter(|(_, name)| {
            let text = name.text.as_str();
            self.declared.contains(text) && self.reached.names.contains(text) && !self.also.contains_key(text)
        });
        if let Some((file, name)) = used.next() {
            let message = format!(
                "`{}` is declared, and no rule says what it matches: what needs it is left out",
                name.text
            );
            let place = file.imported_at.clone().unwrap_or_else(|| name.span.clone());
            let warning = warning(Code::ActionLeftOut, message, place).help("define the token");
            self.warnings.push(warning);
        }
    }

    /// Leaves out what needs tokens that no rule defines, with a warning, as ANTLR does.
    fn warn_about_undefined(&mut self) {
        let mut first: Option<(usize, &Element, &str)> = None;
        for (file, Loaded { grammar, .. }) in self.loaded.iter().enumerate() {
            let rules =
                grammar.rules.iter().filter(|rule| !rule.name.is_token() && self.rules.counts(file, rule));
            let rules = rules.filter(|rule| self.reached.names.contains(rule.name.text.as_str()));
            let elements = rules.flat_map(|rule| &rule.alternatives).flat_map(|one| &one.elements);
            for element in with_inner(elements) {
                let ElementKind::Name(name) = &element.kind else { continue };
                let is_token = name.starts_with(char::is_uppercase) && name != END;
                if is_token
                    && !self.modes.has(name)
                    && !self.also.contains_key(name)
                    && self.declared.insert(name)
                {
                    first = first.or(Some((file, element, name)));
                }
            }
        }
        let Some((file, element, name)) = first else { return };
        let place = self.loaded[file].imported_at.clone().unwrap_or_else(|| element.span.clone());
        let message = format!("no rule defines the token `{name}`: what needs it is left out");
        let near = similar(name, self.tokens.iter().copied());
        let help =
            near.map_or_else(|| "define the token".to_owned(), |near| format!("did you mean `{near}`?"));
        self.warnings.push(warning(Code::ActionLeftOut, message, place).help(help));
    }

    fn basic(&mut self) {
        let span = self.start.name.span.clone();
        self.items[0].push(Item::Basic(span));
    }

    /// Defines the rules of the parser by the modes of the lexer, and returns the name of the start rule.
    fn modal_rules(&mut self, symbols: &[Symbol]) -> Result<String, Diagnostic> {
        let (modes, budget) = (self.modes, self.budget);
        let positions = positions(self.loaded, symbols, modes, budget)?;
        if positions.ends().next().is_none() {
            return Err(self.no_text());
        }
        self.declare_end();
        let (start, written) = write(&positions, &modes.names, self.has_end, budget)?;
        for (token, mode) in last_tokens(&positions, budget)?.into_iter().filter(|last| modes.ignores(last.1))
        {
            let (name, span) = (&modes.rules[token].rule.name.text, self.start.name.span.clone());
            let behind = &mut self.lexer_modes[usize::from(mode)].behind;
            behind.push(lark::Name { text: name.clone(), span });
        }
        for Written { file, name, span, body } in written {
            self.define(file, &name, span, None, body);
        }
        Ok(start)
    }

    /// The error that the modes and the rules do not agree anywhere.
    fn no_text(&self) -> Diagnostic {
        let name = &self.start.name;
        let message = format!(
            "the modes of the lexer leave no text of `{}`: its tokens never come in the order of the rules",
            name.text
        );
        let help = "use the tokens of a mode behind the tokens that lead to it";
        error(Code::NoText, message, name.span.clone()).help(help)
    }

    /// Finds the strings in rules of the parser that no token is defined as. Those that the start rule does not reach are recognized, too.
    fn texts(&mut self) {
        for token in self.tokens.iter().rev() {
            self.by_text.extend(self.text_of(token).map(|text| (text, *token)));
        }
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        let rules =
            self.loaded.iter().flat_map(|file| &file.grammar.rules).filter(|rule| !rule.name.is_token());
        let elements = rules.flat_map(|rule| &rule.alternatives).flat_map(|one| &one.elements);
        for element in with_inner(elements) {
            let ElementKind::Text { text, .. } = &element.kind else { continue };
            if text.is_empty() || self.by_text.contains_key(text.as_str()) || !seen.insert(text) {
                continue;
            }
            self.texts.push(text);
            let is_used =
                self.reached.texts.contains(text.as_str()) || self.reached.has_other(None, Some(text));
            if !is_used {
                let span = self.start.name.span.clone();
                let hidden = format!("T__{}", self.texts.len());
                let node = Node { kind: literal(text, self.ignores_case()), span: span.clone() };
                self.define(0, &hidden, span.clone(), None, vec![sequence(vec![node])]);
                self.items[0].push(Item::Never(lark::Name { text: hidden, span }));
            }
        }
    }

    /// Declares the end of the text as a terminal, if rules use it elsewhere than at the end.
    fn declare_end(&mut self) {
        self.has_end = self.has_inner_end();
        if self.has_end {
            let span = self.start.name.span.clone();
            self.items[0].push(Item::Declare(vec![lark::Name { text: END.to_owned(), span }]));
        }
    }

    fn parser_rules(&mut self) -> Result<(), Diagnostic> {
        self.declare_end();
        for (file, Loaded { grammar, .. }) in self.loaded.iter().enumerate() {
            for rule in grammar.rules.iter().filter(|rule| !rule.name.is_token()) {
                // Rules that the start rule does not reach are often those of other entry points.
                if self.rules.counts(file, rule) && self.reached.names.contains(rule.name.text.as_str()) {
                    let body = rule.alternatives.iter().map(|one| self.alternative(one));
                    let body =
                        body.collect::<Result<_, _>>().map_err(|problem| self.in_file(file, problem))?;
                    self.define(file, &rule.name.text, rule.name.span.clone(), None, body);
                }
            }
        }
        Ok(())
    }

    /// Whether `EOF` stands elsewhere than at the end of the alternatives of the start rule, or the start rule is used.
    fn has_inner_end(&self) -> bool {
        let mut count = 0;
        let mut uses_start = false;
        let reached = self.reached.names.iter().filter_map(|name| self.rules.get(name));
        for rule in reached.filter(|rule| !rule.name.is_token()) {
            for element in with_inner(rule.alternatives.iter().flat_map(|one| &one.elements)) {
                if let ElementKind::Name(name) = &element.kind {
                    count += usize::from(name == END);
                    uses_start |= *name == self.start.name.text;
                }
            }
        }
        let is_end = |one: &&Alternative| matches!(one.elements.last(), Some(Element { kind: ElementKind::Name(name), .. }) if name == END);
        let at_end = self.start.alternatives.iter().filter(is_end).count();
        count > at_end || uses_start && count > 0
    }

    fn alternative(&self, alternative: &Alternative) -> Result<lark::Alternative, Diagnostic> {
        let nodes = alternative.elements.iter().map(|element| self.node(element));
        Ok(sequence(nodes.collect::<Result<_, _>>()?))
    }

    fn node(&self, element: &Element) -> Result<Node, Diagnostic> {
        let span = element.span.clone();
        let kind = match &element.kind {
            ElementKind::Name(text) if text == END && !self.has_end => {
                NodeKind::Group(vec![sequence(Vec::new())])
            }
            ElementKind::Name(text) => return Ok(self.named(text, span)),
            ElementKind::Text { text, .. } => self.text(text, span.clone()),
            ElementKind::Any => self.all_tokens(&[], &span)?,
            ElementKind::Not(left_out) => self.all_tokens(left_out, &span)?,
            ElementKind::Group(alternatives) => {
                let inner = alternatives.iter().map(|one| self.alternative(one));
                NodeKind::Group(inner.collect::<Result<_, _>>()?)
            }
            // Which repetitions are tried first decides between readings, and not what is read.
            ElementKind::Repeat { inner, min, max, .. } => {
                let inner = Box::new(self.node(inner)?);
                NodeKind::Repeat { inner, min: i64::from(*min), max: max.map(i64::from) }
            }
            ElementKind::Set(_) => {
                let message = "sets of characters stand in tokens only";
                return Err(
                    error(Code::Syntax, message, span).help("define a token, with an upper-case name")
                );
            }
        };
        Ok(Node { kind, span })
    }

    /// A text in a rule of the parser: the token that is defined as this text, or a token of its own.
    fn text(&self, text: &str, span: Range<usize>) -> NodeKind {
        match self.by_text.get(text) {
            Some(token) => self.named(token, span).kind,
            None => literal(text, self.ignores_case()),
        }
    }

    /// Whether texts in rules of the parser match in either case. Those of merged grammars have the options of the given one.
    fn ignores_case(&self) -> bool {
        self.loaded[0].grammar.case_insensitive
    }

    /// A rule or token, with the tokens that are turned into it.
    fn named(&self, text: &str, span: Range<usize>) -> Node {
        let is_hidden = self.ignored.contains(text) || self.declared.contains(text);
        if is_hidden && !self.also.contains_key(text) {
            // What is ignored never reaches the parser, and what is only declared is made by code of the author.
            return Node { kind: NodeKind::Group(Vec::new()), span };
        }
        let Some(also) = self.also.get(text) else { return name(text, span) };
        let own = self.rules.get(text).filter(|_| !is_hidden).map(|_| text);
        let all = own.into_iter().chain(also.iter().copied());
        let all = all.map(|one| sequence(vec![name(one, span.clone())]));
        Node { kind: NodeKind::Group(all.collect()), span }
    }

    /// Any token but these.
    fn all_tokens(&self, left_out: &[Element], span: &Range<usize>) -> Result<NodeKind, Diagnostic> {
        let bytes = (self.tokens.len() + self.texts.len()) as u64 * BYTES_PER_TOKEN;
        self.budget.charge_bytes(bytes)?;
        let (mut names, mut left_out_texts) = (FxHashSet::default(), FxHashSet::default());
        for element in left_out {
            match &element.kind {
                ElementKind::Name(name) => _ = names.insert(name.as_str()),
                ElementKind::Text { text, .. } => _ = left_out_texts.insert(text.as_str()),
                _ => {}
            }
        }
        let is_named = |token: &str| {
            let text = if left_out_texts.is_empty() { None } else { self.text_of(token) };
            !names.contains(token) && !text.is_some_and(|text| left_out_texts.contains(text))
        };
        let tokens = self.tokens.iter().filter(|token| is_named(token));
        let tokens = tokens.map(|token| self.named(token, span.clone()));
        let texts = self.texts.iter().filter(|text| !left_out_texts.contains(*text));
        let ignore_case = self.ignores_case();
        let texts = texts.map(|text| Node { kind: literal(text, ignore_case), span: span.clone() });
        Ok(NodeKind::Group(tokens.chain(texts).map(|node| sequence(vec![node])).collect()))
    }
}
