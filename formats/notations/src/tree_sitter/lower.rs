//! Turns the rules of a grammar into definitions and directives as in Lark.

use super::json::{Content, Grammar, Rule};
use crate::lark::ast::{self as lark, Definition, Item, Node, NodeKind, sequence};
use crate::named_rules::no_start;
use crate::options::GrammarOptions;
use crate::scanner::{charge, error, warning};
use gcc_grammar_ir::{Code, Diagnostic};
use gcc_grammar_limits::Budget;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Estimated bytes of a part of a rule, and the work to read it.
const BYTES_PER_PART: u64 = 1_000;
const WORK_PER_PART: u64 = 50;

/// The definitions of a grammar.
pub(super) struct Lowered {
    pub(super) start: String,
    pub(super) items: Vec<Item>,
    /// The terminals before which nothing is ignored.
    pub(super) immediate: Vec<lark::Name>,
    pub(super) warnings: Vec<Diagnostic>,
}

pub(super) fn lower(grammar: &Grammar, options: &GrammarOptions<'_>) -> Result<Lowered, Vec<Diagnostic>> {
    let start = match options.start {
        Some(name) => grammar.rules.iter().find(|rule| rule.name == name),
        None => grammar.rules.first(),
    };
    let Some(start) = start else {
        let known = grammar.rules.iter().map(|rule| rule.name.as_str());
        return Err(vec![no_start(options.start, known)]);
    };
    if let Some(word) =
        grammar.word.as_ref().filter(|word| grammar.rules.iter().all(|rule| rule.name != **word))
    {
        let message = format!("`{word}`, the token of words, is not defined");
        return Err(vec![error(Code::UndefinedName, message, 0..1).help("name a rule in `word`")]);
    }
    let mut lowering = Lowering::new(grammar, &options.limits.budget);
    lowering.grammar(start).map_err(|error| vec![error])?;
    if let (Some(first), false) = (lowering.immediate.first(), grammar.extras.is_empty()) {
        let message = "beside this immediate token, a token behind ignored text may be taken for one that is expected elsewhere";
        let help = "valid texts may be refused; `token` in place of `token.immediate` admits ignored text before the token";
        lowering.warnings.push(warning(Code::ContestedText, message, first.span.clone()).help(help));
    }
    let start = rule_name(&start.name);
    let Lowering { items, immediate, warnings, .. } = lowering;
    Ok(Lowered { start, items, immediate, warnings })
}

/// The name of a rule, which must not look like that of a terminal.
fn rule_name(name: &str) -> String {
    match name.trim_start_matches('_').starts_with(|c: char| c.is_ascii_uppercase()) {
        true => format!("<{name}>"),
        false => name.to_owned(),
    }
}

/// The content of a token that a rule is, without what does not change its texts; none if it is no token.
fn token(content: &Content) -> Option<&Content> {
    match content {
        Content::String { .. }
        | Content::Pattern { .. }
        | Content::Token { .. }
        | Content::ImmediateToken { .. } => Some(content),
        Content::Alias { .. } => None,
        other => wrapped(other).and_then(token),
    }
}

struct Lowering<'g> {
    grammar: &'g Grammar,
    rules: FxHashMap<&'g str, &'g Rule>,
    budget: &'g Budget,
    items: Vec<Item>,
    immediate: Vec<lark::Name>,
    warnings: Vec<Diagnostic>,
    /// The number of terminals that have no name.
    unnamed: usize,
    /// Where the rule is written whose parts are being read.
    place: Range<usize>,
}

impl<'g> Lowering<'g> {
    fn new(grammar: &'g Grammar, budget: &'g Budget) -> Self {
        let rules = grammar.rules.iter().map(|rule| (rule.name.as_str(), rule)).collect();
        let (items, immediate, warnings) = Default::default();
        Self { grammar, rules, budget, items, immediate, warnings, unnamed: 0, place: 0..0 }
    }

    fn grammar(&mut self, start: &'g Rule) -> Result<(), Diagnostic> {
        let reached = self.reached(start)?;
        if self.grammar.has_reserved {
            let message =
                "sets of reserved words have no effect: where a keyword is not expected, it may be a name";
            self.warnings.push(
                warning(Code::ActionLeftOut, message, 0..1).help("nothing has to be done if that may be"),
            );
        }
        for rule in self.grammar.rules.iter().filter(|rule| reached.contains(rule.name.as_str())) {
            self.place = rule.span.clone();
            match token(&rule.content) {
                Some(content) => self.terminal(terminal_name(&rule.name), content)?,
                None => {
                    let node = self.node(&rule.content, false)?;
                    self.define(rule_name(&rule.name), None, vec![sequence(vec![node])]);
                }
            }
        }
        if token(&start.content).is_some() {
            self.place = start.span.clone();
            let whole = self.name(terminal_name(&start.name));
            self.define(rule_name(&start.name), None, vec![sequence(vec![whole])]);
        }
        if let Some(word) = self.grammar.word.as_deref().filter(|word| reached.contains(word)) {
            let span = self.rules.get(word).map_or(0..1, |rule| rule.span.clone());
            self.items.push(Item::Never(lark::Name { text: terminal_name(word), span }));
        }
        for extra in &self.grammar.extras {
            self.extra(extra)?;
        }
        Ok(())
    }

    /// The rules that the start rule and the extras reach. Tokens of the external scanner must not be among them.
    fn reached(&self, start: &'g Rule) -> Result<FxHashSet<&'g str>, Diagnostic> {
        let mut reached: FxHashSet<&str> = FxHashSet::default();
        let mut open: Vec<(&Content, &Range<usize>)> = vec![(&start.content, &start.span)];
        reached.insert(&start.name);
        open.extend(self.grammar.extras.iter().map(|extra| (extra, &start.span)));
        while let Some((content, place)) = open.pop() {
            open.extend(children(content).into_iter().map(|child| (child, place)));
            let Content::Symbol { name } = content else { continue };
            if reached.contains(name.as_str()) {
                continue;
            }
            reached.insert(name);
            match self.rules.get(name.as_str()) {
                Some(rule) => open.push((&rule.content, &rule.span)),
                None if self.grammar.externals.contains(name) => {
                    let message = format!(
                        "`{name}` is a token of an external scanner, which is a program and not read"
                    );
                    return Err(error(Code::UnsupportedConstruct, message, place.clone())
                        .help("define the token in `rules`, or leave out what uses it"));
                }
                None => {
                    let message = format!("`{name}` is not defined");
                    return Err(
                        error(Code::UndefinedName, message, place.clone()).help("define it in `rules`")
                    );
                }
            }
        }
        Ok(reached)
    }

    fn define(&mut self, name: String, priority: Option<i64>, body: Vec<lark::Alternative>) {
        let name = lark::Name { text: name, span: self.place.clone() };
        self.items.push(Item::Define(Definition { priority, body, ..Definition::named(name) }));
    }

    /// Defines a terminal.
    fn terminal(&mut self, name: String, content: &Content) -> Result<(), Diagnostic> {
        let (mut inner, mut priority, mut immediate) = (content, None, false);
        loop {
            inner = match inner {
                Content::Token { content } => content,
                Content::ImmediateToken { content } => {
                    immediate = true;
                    content
                }
                Content::Prec { value, content } => {
                    priority = priority.or(value.as_i64());
                    content
                }
                Content::PrecLeft { content }
                | Content::PrecRight { content }
                | Content::PrecDynamic { content } => content,
                _ => break,
            };
        }
        let mut node = self.node(inner, true)?;
        if immediate {
            self.immediate.push(lark::Name { text: name.clone(), span: self.place.clone() });
            // In a group, the same text or pattern elsewhere is another terminal.
            node = self.at(NodeKind::Group(vec![sequence(vec![node])]));
        }
        self.define(name, priority, vec![sequence(vec![node])]);
        Ok(())
    }

    fn extra(&mut self, extra: &Content) -> Result<(), Diagnostic> {
        let span = self.place.clone();
        let node = match extra {
            Content::Symbol { name } => match self.rules.get(name.as_str()) {
                Some(rule) if token(&rule.content).is_some() => self.name(terminal_name(name)),
                Some(rule) => {
                    self.place = rule.span.clone();
                    self.unnamed("EXTRA", &rule.content)?
                }
                None => return Ok(()),
            },
            token => self.unnamed("EXTRA", token)?,
        };
        self.items.push(Item::Ignore { body: vec![sequence(vec![node])], span });
        Ok(())
    }

    fn name(&self, name: String) -> Node {
        self.at(NodeKind::Name(name))
    }

    fn at(&self, kind: NodeKind) -> Node {
        Node { kind, span: self.place.clone() }
    }

    fn charge(&self) -> Result<(), Diagnostic> {
        charge(self.budget, WORK_PER_PART, BYTES_PER_PART, self.place.clone())
    }

    /// A terminal that has no name of its own.
    fn unnamed(&mut self, kind: &str, content: &Content) -> Result<Node, Diagnostic> {
        self.unnamed += 1;
        let name = format!("{kind}_{}", self.unnamed);
        self.terminal(name.clone(), content)?;
        Ok(self.name(name))
    }

    /// A part of a rule of the parser, or of a token.
    fn node(&mut self, content: &Content, in_token: bool) -> Result<Node, Diagnostic> {
        self.charge()?;
        Ok(match content {
            Content::Symbol { name } => match self.rules.get(name.as_str()) {
                Some(rule) if token(&rule.content).is_some() => self.name(terminal_name(name)),
                Some(_) if in_token => {
                    let message = format!(
                        "`{name}` is a rule of the parser in what is ignored, or in a token, which is not read"
                    );
                    return Err(error(Code::UnsupportedConstruct, message, self.place.clone())
                        .help("write it as `token(…)`"));
                }
                None if in_token => self.name(name.clone()),
                _ => self.name(rule_name(name)),
            },
            Content::Token { content } | Content::ImmediateToken { content } if in_token => {
                self.node(content, in_token)?
            }
            Content::Token { .. } | Content::ImmediateToken { .. } => self.unnamed("TOKEN", content)?,
            Content::Seq { members } => {
                let nodes = members.iter().map(|member| self.node(member, in_token));
                let nodes = nodes.collect::<Result<_, _>>()?;
                self.at(NodeKind::Group(vec![sequence(nodes)]))
            }
            Content::Choice { members } => {
                let nodes = members.iter().map(|member| Ok(sequence(vec![self.node(member, in_token)?])));
                let nodes = nodes.collect::<Result<_, Diagnostic>>()?;
                self.at(NodeKind::Group(nodes))
            }
            Content::Repeat { content } => self.node(content, in_token).map(|inner| self.repeat(inner, 0))?,
            Content::Repeat1 { content } => {
                self.node(content, in_token).map(|inner| self.repeat(inner, 1))?
            }
            other => match wrapped(other) {
                Some(content) => self.node(content, in_token)?,
                None => self.leaf(other),
            },
        })
    }

    fn repeat(&self, inner: Node, min: i64) -> Node {
        self.at(NodeKind::Repeat { inner: Box::new(inner), min, max: None })
    }

    fn leaf(&self, content: &Content) -> Node {
        self.at(match content {
            Content::String { value } if !value.is_empty() => {
                NodeKind::Text { text: value.clone(), ignore_case: false }
            }
            Content::Pattern { value, flags } => {
                let ignore_case = flags.as_deref().is_some_and(|flags| flags.contains('i'));
                let flags = if ignore_case { "i" } else { "" };
                NodeKind::Pattern { pattern: python_pattern(value), flags: flags.to_owned() }
            }
            _ => NodeKind::Group(vec![sequence(Vec::new())]),
        })
    }
}

/// The name of the terminal of a rule that is a token.
fn terminal_name(name: &str) -> String {
    let underscores = name.len() - name.trim_start_matches('_').len();
    let (underscores, rest) = name.split_at(underscores);
    let mut chars = rest.chars();
    let first = chars.next().map_or(String::new(), |c| c.to_ascii_uppercase().to_string());
    let is_letter = first.starts_with(|c: char| c.is_ascii_uppercase());
    if is_letter { format!("{underscores}{first}{}", chars.as_str()) } else { format!("T{name}") }
}

/// The content within something that does not change texts.
fn wrapped(content: &Content) -> Option<&Content> {
    match content {
        Content::Prec { content, .. }
        | Content::PrecLeft { content }
        | Content::PrecRight { content }
        | Content::PrecDynamic { content }
        | Content::Alias { content }
        | Content::Field { content }
        | Content::Reserved { content } => Some(content),
        _ => None,
    }
}

/// The contents of a content.
fn children(content: &Content) -> Vec<&Content> {
    match content {
        Content::Seq { members } | Content::Choice { members } => members.iter().collect(),
        Content::Repeat { content }
        | Content::Repeat1 { content }
        | Content::Token { content }
        | Content::ImmediateToken { content } => vec![content],
        other => wrapped(other).into_iter().collect(),
    }
}

/// A pattern of tree-sitter as one of Python: classes such as `\s` are those of ASCII, code points in braces have other escapes, a slash needs none, and no
/// pattern but that of the character itself matches the character NUL, with which texts end there.
fn python_pattern(pattern: &str) -> String {
    let mut out = String::new();
    let mut rest = pattern;
    let mut in_class = false;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        rest = after;
        match c {
            '\\' => rest = escape(after, in_class, &mut out),
            '[' if !in_class => {
                in_class = true;
                out.push('[');
                if let Some(negated) = after.strip_prefix('^') {
                    out.push_str("^\\x00");
                    rest = negated;
                }
            }
            ']' => {
                in_class = false;
                out.push(']');
            }
            '.' if !in_class => out.push_str("[^\\n\\x00]"),
            c => out.push(c),
        }
    }
    out
}

/// Writes the escape that a text begins with, behind its backslash. Returns the text behind it.
fn escape<'p>(text: &'p str, in_class: bool, out: &mut String) -> &'p str {
    let code = ["u{", "x{"].iter().find_map(|begin| text.strip_prefix(begin)?.split_once('}'));
    if let Some((digits, after)) = code
        && let Ok(code) = u32::from_str_radix(digits, 16)
    {
        out.push_str(&format!("\\U{code:08x}"));
        return after;
    }
    let Some(next) = text.chars().next() else {
        out.push('\\');
        return text;
    };
    let ascii = match next.to_ascii_lowercase() {
        's' => Some("\\t-\\r "),
        'd' => Some("0-9"),
        'w' => Some("0-9A-Za-z_"),
        _ => None,
    };
    match ascii {
        Some(class) if in_class && next.is_ascii_lowercase() => out.push_str(class),
        Some(class) if !in_class && next.is_ascii_lowercase() => out.push_str(&format!("[{class}]")),
        Some(class) if !in_class => out.push_str(&format!("[^\\x00{class}]")),
        _ if next == '/' => out.push('/'),
        _ => out.extend(['\\', next]),
    }
    &text[next.len_utf8()..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_javascript_become_patterns_of_python() {
        assert_eq!(
            python_pattern(r"[\u{1F600}\x{41}\/]+\\u{41}\p{L}"),
            r"[\U0001f600\U00000041/]+\\u{41}\p{L}"
        );
    }

    #[test]
    fn a_grammar_without_its_start_or_its_word_is_refused() {
        for (text, message) in [
            (r#"{"name":"t","rules":{}}"#, "there is no rule to start from"),
            (
                r#"{"name":"t","word":"nope","rules":{"s":{"type":"BLANK"}}}"#,
                "`nope`, the token of words, is not defined",
            ),
        ] {
            let errors = crate::tree_sitter::parse(text, &GrammarOptions::default()).expect_err(text);
            assert_eq!(errors[0].message, message);
        }
    }

    /// The closing quote is immediate, the opening one is not.
    #[test]
    fn a_text_may_be_two_tokens() {
        let quote = r#"{"type":"STRING","value":"\""}"#;
        let text = format!(
            r#"{{"name":"t","rules":{{"s":{{"type":"SEQ","members":[{quote},
                {{"type":"IMMEDIATE_TOKEN","content":{{"type":"PATTERN","value":"[a-z]"}}}},
                {{"type":"IMMEDIATE_TOKEN","content":{quote}}}]}}}}}}"#
        );
        let parsed = crate::tree_sitter::parse(&text, &GrammarOptions::default()).expect("a grammar");
        let is_quote = |terminal: &&gcc_grammar_ir::Terminal| {
            let language =
                terminal.pattern.regex().map(|regex| regex.to_dfa(&GrammarOptions::default().limits));
            language.is_some_and(|dfa| dfa.is_ok_and(|dfa| dfa.accepts(b"\"")))
        };
        assert_eq!(parsed.grammar.terminals.iter().filter(is_quote).count(), 2);
        let codes: Vec<&str> = parsed.warnings.iter().map(|warning| warning.code.as_str()).collect();
        assert_eq!(codes, ["contested-text"]);
    }

    #[test]
    fn tokens_have_names_of_terminals() {
        assert_eq!(terminal_name("identifier"), "Identifier");
        assert_eq!(terminal_name("_word"), "_Word");
        assert_eq!(terminal_name("Ident"), "Ident");
        assert_eq!(rule_name("Stmt"), "<Stmt>");
    }
}
