//! The terminals that rules use, numbered in the order of first use.
//!
//! Input: uses of terminals, by name or as they are written; terminals with the same [`Key`] are one. Output of [`Lexemes::build`]: the
//! terminals of the grammar with their automata, in the order in which they were written, since that order resolves ties; and the final
//! number of every terminal.

use super::ast::{Name, Node, NodeKind};
use super::key::Key;
use super::languages::{Language, too_costly};
use super::layout::{Layout, LayoutTerminal};
use super::program::{Defined, DefinitionId, ModuleId, OneLexeme, Program, sole_node};
use super::terminals::Terminals;
use super::token::Span;
use crate::bounds::Bounds;
use gcc_grammar_ir::{
    Code, Diagnostic, Followed, Location, Pattern, Terminal, TerminalId, TokenSelector, special,
};
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{Beginning, ByteSet, Dfa, Ending, Regex, RegularLimits};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A terminal in the order of first use.
struct Used<'p> {
    key: Key,
    module: ModuleId,
    /// The location of the definition, or of the first use.
    span: Span,
    /// The syntax of a terminal without a name.
    node: Option<&'p Node>,
}

impl Used<'_> {
    /// What the attributes of a rule say that is one lexeme.
    fn lexeme<'p>(&self, program: &'p Program) -> Option<&'p OneLexeme> {
        match self.key {
            Key::Named(id) | Key::Level(id, _) => program.definitions[id.index()].lexeme.as_ref(),
            _ => None,
        }
    }
}

/// The terminals used so far, numbered in the order of first use.
pub(super) struct Lexemes<'p> {
    program: &'p Program,
    terminals: &'p Terminals,
    layout: Option<&'p Layout>,
    used: Vec<Used<'p>>,
    numbers: FxHashMap<Key, TerminalId>,
}

/// The terminals of the grammar, in the order in which they were written, which resolves ties.
pub(super) struct Built {
    pub(super) terminals: Vec<Terminal>,
    /// Per number in the order of first use, the final number.
    pub(super) numbers: Vec<TerminalId>,
    /// Per final number, whether the terminal may be empty.
    pub(super) empty: Vec<Empty>,
    /// Per final number, the location of the definition, or of the first use.
    pub(super) locations: Vec<Location>,
    /// Per final number, whether the terminal is a rule that matches the shortest possible text.
    pub(super) lazy: Vec<bool>,
    /// The terminals with texts that match only where certain texts follow.
    pub(super) followed: Vec<Followed>,
    /// The terminals whose texts depend on the text before them, with what takes their places.
    pub(super) preceded: Vec<(TerminalId, Vec<Variant>)>,
}

/// What a terminal matches behind certain texts.
pub(super) struct Variant {
    pub(super) before: Arc<Dfa>,
    pub(super) pattern: Pattern,
    pub(super) after: Vec<Arc<Dfa>>,
}

/// The most different languages of what may follow a terminal.
const MOST_ENDINGS: usize = special::MOST_FOLLOWED;

/// The automaton of a terminal.
struct Automaton {
    dfa: Dfa,
    /// Whether the terminal may be empty.
    optional: bool,
    /// What may follow texts that end in marks, by their numbers.
    after: Vec<Arc<Dfa>>,
    /// What it is behind certain texts, if that is not the same everywhere.
    behind: Vec<(Arc<Dfa>, Automaton)>,
}

/// A terminal of the grammar.
struct Made {
    terminal: Terminal,
    /// Whether the terminal may be empty.
    optional: bool,
    /// What may follow texts that end in marks.
    after: Vec<Arc<Dfa>>,
    variants: Vec<Variant>,
}

/// Whether a terminal may be empty. As terminals of grammars are not, its uses become optional, or vanish.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Empty {
    Never,
    Possible,
    Always,
}

impl<'p> Lexemes<'p> {
    pub(super) fn new(program: &'p Program, terminals: &'p Terminals, layout: Option<&'p Layout>) -> Self {
        Self { program, terminals, layout, used: Vec::new(), numbers: FxHashMap::default() }
    }

    /// A terminal that `%layout` makes.
    pub(super) fn layout_terminal(&mut self, layout: &Layout, made: LayoutTerminal) -> TerminalId {
        let (key, span) = (Key::Layout(made), layout.span.clone());
        self.number(Used { key, module: layout.module, span, node: None })
    }

    /// All terminals of `%layout` that are used, in a fixed order.
    pub(super) fn layout_terminals(&self) -> Vec<(LayoutTerminal, TerminalId)> {
        let made = self.numbers.iter().filter_map(|(key, &id)| match key {
            Key::Layout(made) => Some((*made, id)),
            _ => None,
        });
        let mut made: Vec<_> = made.collect();
        made.sort_unstable();
        made
    }

    /// The terminal of a definition.
    pub(super) fn definition(&mut self, id: DefinitionId) -> TerminalId {
        let Defined { name, module, .. } = &self.program.definitions[id.index()];
        self.number(Used { key: Key::Named(id), module: *module, span: name.span.clone(), node: None })
    }

    /// The terminal of a definition that uses the indentation, at a level.
    pub(super) fn at_level(&mut self, id: DefinitionId, level: u32) -> TerminalId {
        let Defined { name, module, .. } = &self.program.definitions[id.index()];
        self.number(Used { key: Key::Level(id, level), module: *module, span: name.span.clone(), node: None })
    }

    /// A terminal that is written where it is used: the terminal that is defined as this node, if there is one.
    pub(super) fn written(&mut self, node: &'p Node, module: ModuleId) -> TerminalId {
        if let Some(id) = self.terminals.defined_as(&node.kind) {
            return self.definition(id);
        }
        let used = Used { key: Key::of_node(&node.kind), module, span: node.span.clone(), node: Some(node) };
        self.number(used)
    }

    /// The terminals of any number of tokens except these: one byte or more of ordinary tokens, and one special token.
    pub(super) fn parts_of_tokens(
        &mut self,
        except: &[TokenSelector],
        node: &Node,
        module: ModuleId,
    ) -> [TerminalId; 2] {
        let special = Key::Special(vec![TokenSelector::SpecialBut(except.to_vec())]);
        let keys = [Key::AnyBytes(except.to_vec()), special];
        keys.map(|key| self.number(Used { key, module, span: node.span.clone(), node: None }))
    }

    /// The terminal that a name or a node stands for, if it has been used.
    pub(super) fn find(&self, node: &Node, module: ModuleId) -> Option<TerminalId> {
        self.numbers.get(&self.identity(node, module)?).copied()
    }

    /// The terminal of this name in the given file, or of this text if no terminal of another name is defined as it, if it has been used.
    pub(super) fn named_or_text(&self, name: &str, text: Option<&str>) -> Option<TerminalId> {
        let named = self.program.find(ModuleId(0), name).map(Key::Named);
        let written = || {
            let node = NodeKind::Text { text: text?.to_owned(), ignore_case: false };
            self.terminals.defined_as(&node).is_none().then(|| Key::of_node(&node))
        };
        self.numbers.get(&named.or_else(written)?).copied()
    }

    /// The identity of the terminal that a name or a node stands for.
    pub(super) fn identity(&self, node: &Node, module: ModuleId) -> Option<Key> {
        let definition = match &node.kind {
            NodeKind::Name(name) => Some(self.program.find(module, name)?),
            written => self.terminals.defined_as(written),
        };
        Some(definition.map_or_else(|| Key::of_node(&node.kind), Key::Named))
    }

    /// The terminal of the `index`-th `%ignore`.
    pub(super) fn ignored(&mut self, index: usize) -> TerminalId {
        let ignored = &self.program.ignored[index];
        let main = ModuleId(0);
        match sole_node(&ignored.clauses).map(|node| (&node.kind, node)) {
            Some((NodeKind::Name(name), _)) => {
                if let Some(id) = self.program.find(main, name) {
                    return self.definition(id);
                }
            }
            Some((NodeKind::Text { .. } | NodeKind::Pattern { .. } | NodeKind::Range(..), node)) => {
                return self.written(node, main);
            }
            _ => {}
        }
        self.number(Used { key: Key::Ignored(index), module: main, span: ignored.span.clone(), node: None })
    }

    fn number(&mut self, used: Used<'p>) -> TerminalId {
        if let Some(&known) = self.numbers.get(&used.key) {
            return known;
        }
        let number = TerminalId::new(self.used.len());
        self.numbers.insert(used.key.clone(), number);
        self.used.push(used);
        number
    }

    /// The name of a terminal, for messages.
    pub(super) fn name(&self, terminal: TerminalId) -> String {
        self.used[terminal.index()].key.name(self.program, self.layout)
    }

    /// The definitions among the terminals.
    pub(super) fn named(&self) -> impl Iterator<Item = DefinitionId> {
        self.used.iter().filter_map(|used| match used.key {
            Key::Named(id) | Key::Level(id, _) => Some(id),
            _ => None,
        })
    }

    /// Numbers the terminals in the order in which they were written and makes their automata.
    pub(super) fn build(&self) -> Result<Built, Vec<Diagnostic>> {
        let mut order: Vec<usize> = (0..self.used.len()).collect();
        order.sort_by_key(|&index| self.written_at(&self.used[index]));
        let mut numbers = vec![TerminalId(0); order.len()];
        order.iter().enumerate().for_each(|(new, &old)| numbers[old] = TerminalId::new(new));
        let place = |&index: &usize| self.program.place(self.used[index].module, &self.used[index].span).0;
        let locations = order.iter().map(place).collect();
        let lazy = order
            .iter()
            .map(|&index| self.used[index].lexeme(self.program).is_some_and(|lexeme| lexeme.lazy))
            .collect();
        let (terminals, empty, followed, preceded) = Default::default();
        let mut built = Built { terminals, numbers, empty, locations, lazy, followed, preceded };
        let mut errors = Vec::new();
        for &index in &order {
            match self.making(index).terminal() {
                Ok(Made { terminal, optional, after, variants }) => {
                    built.empty.push(match optional {
                        false => Empty::Never,
                        true if matches_nothing(&terminal.pattern) => Empty::Always,
                        true => Empty::Possible,
                    });
                    let number = TerminalId::new(built.terminals.len());
                    if !after.is_empty() {
                        built.followed.push(Followed { terminal: number, after });
                    }
                    if !variants.is_empty() {
                        built.preceded.push((number, variants));
                    }
                    built.terminals.push(terminal);
                }
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() { Ok(built) } else { Err(errors) }
    }

    fn making(&self, index: usize) -> Making<'_> {
        let &Self { program, terminals, layout, .. } = self;
        let used = &self.used[index];
        Making { program, terminals, layout, used, name: used.key.name(program, layout) }
    }

    /// The position that orders the terminals. An imported terminal counts as written where its file is imported.
    fn written_at(&self, used: &Used<'_>) -> (usize, ModuleId, usize) {
        let at = self.program.modules[used.module.index()].imported_at.as_ref().unwrap_or(&used.span);
        (at.start, used.module, used.span.start)
    }
}

/// What it takes to make a terminal.
struct Making<'m> {
    program: &'m Program,
    terminals: &'m Terminals,
    layout: Option<&'m Layout>,
    used: &'m Used<'m>,
    name: String,
}

impl Making<'_> {
    fn limits(&self) -> &RegularLimits {
        &self.terminals.languages.limits
    }

    fn too_large(&self, over: OverBudget) -> Diagnostic {
        too_costly(self.program, &self.name, over, self.used.module, &self.used.span)
    }

    /// The refusal whose message has the name between these texts.
    fn refused(&self, before: &str, after: &str) -> Diagnostic {
        let message = format!("{before}{}{after}", self.name);
        self.program.error(Code::UnsupportedAssertion, &message, self.used.module, &self.used.span)
    }

    /// What the attributes of a rule say that is one lexeme.
    fn lexeme(&self) -> Option<&OneLexeme> {
        self.used.lexeme(self.program)
    }

    /// The terminal of the grammar.
    fn terminal(self) -> Result<Made, Diagnostic> {
        let (priority, literal) = match self.used.key {
            Key::Named(id) | Key::Level(id, _) => {
                let Defined { priority, clauses, .. } = &self.program.definitions[id.index()];
                let literal =
                    sole_node(clauses).is_some_and(|node| matches!(node.kind, NodeKind::Text { .. }));
                (priority.unwrap_or(0), literal)
            }
            Key::Layout(made) => {
                let base = self.layout.map_or(0, |layout| layout.priority);
                (base + if made == LayoutTerminal::Other { 1 } else { 2 }, false)
            }
            _ => (0, matches!(self.used.key, Key::Text(..))),
        };
        let priority = i32::try_from(priority).unwrap_or(0);
        let (pattern, optional, after, variants) = match self.language()? {
            Language::Tokens(selectors) => (Pattern::Token(selectors), false, Vec::new(), Vec::new()),
            Language::Text(regex) => {
                let Automaton { dfa, optional, after, behind } = self.automaton(&regex)?;
                let most = self.lexeme().and_then(|lexeme| lexeme.max_tokens).filter(|&most| most > 0);
                let dfa = if most.is_some() { self.closing(dfa)? } else { dfa };
                let texts = self.pattern(dfa, !after.is_empty());
                let pattern = match most {
                    Some(most) => Pattern::Limited(Box::new(texts), most),
                    None => texts,
                };
                let variant = |(before, Automaton { dfa, after, .. }): (Arc<Dfa>, Automaton)| Variant {
                    before,
                    pattern: self.pattern(dfa, !after.is_empty()),
                    after,
                };
                (pattern, optional, after, behind.into_iter().map(variant).collect())
            }
        };
        Ok(Made {
            terminal: Terminal { name: self.name, pattern, priority, literal },
            optional,
            after,
            variants,
        })
    }

    /// The pattern of an automaton, which may be `followed` by certain texts only.
    fn pattern(&self, dfa: Dfa, followed: bool) -> Pattern {
        let texts = Regex::Automaton(Arc::new(dfa));
        match self.has_marks() {
            _ if followed => Pattern::Marked(texts),
            true => Pattern::of(texts),
            false => Pattern::Regex(texts),
        }
    }

    /// The automaton of a lexeme with a limit on its tokens: where the limit is reached, a lexeme with a suffix ends without it.
    fn closing(&self, dfa: Dfa) -> Result<Dfa, Diagnostic> {
        let languages = &self.terminals.languages;
        let indentation = |level| self.layout.map_or(Regex::never(), |layout| layout.indentation(level));
        let (id, indentation) = match (&self.used.key, self.lexeme()) {
            (Key::Named(id), Some(OneLexeme { suffix: Some(_), .. })) => (*id, None),
            (Key::Level(id, level), Some(OneLexeme { suffix: Some(_), .. })) => {
                (*id, Some(indentation(*level)))
            }
            _ => return Ok(dfa),
        };
        if !self.has_marks() {
            let message = "`max_tokens` beside `suffix` and `stop` is not enforced where a terminal matches the byte 0xFF";
            let error = self.program.error(Code::NotEnforced, message, self.used.module, &self.used.span);
            return Err(error.help(
                "let no terminal match the byte 0xFF, which no text in UTF-8 has, or leave out the suffix",
            ));
        }
        let body = languages.body(self.program, id, indentation.as_ref())?;
        Bounds::closing(&dfa, &body, &languages.limits).map_err(|over| self.too_large(over))
    }

    /// Whether the byte that begins a mark is that of a special token in this terminal: a pattern in a rule is no string, and where terminals match
    /// this byte, only strings in rules name tokens.
    fn has_marks(&self) -> bool {
        match self.used.node {
            Some(node) => matches!(node.kind, NodeKind::Text { .. }),
            None => !self.terminals.has_raw_bytes,
        }
    }

    /// The automaton of a terminal without the empty text, and whether it may be empty.
    fn automaton(&self, regex: &Regex) -> Result<Automaton, Diagnostic> {
        if regex.has_look() {
            return self.with_assertions(regex);
        }
        let limits = self.limits();
        let dfa = match regex.is_lazy() {
            true if self.program.cuts_behind_lazy => regex.to_lazy_match_dfa(limits),
            true => regex.to_first_match_dfa(limits),
            false => regex.to_dfa(limits),
        };
        let dfa = dfa.map_err(|over| self.too_large(over))?;
        let optional = dfa.matches_empty();
        if optional && matches!(self.used.key, Key::Layout(_)) {
            let message = "a line break of %layout must not match the empty text";
            let error = self.program.error(Code::EmptyTerminal, message, self.used.module, &self.used.span);
            return Err(error.help("let it match at least one character, as in /\\n+/"));
        }
        let dfa =
            if optional { dfa.without_empty(limits).map_err(|over| self.too_large(over))? } else { dfa };
        Ok(Automaton { dfa, optional, after: Vec::new(), behind: Vec::new() })
    }

    /// The automaton of a terminal with assertions.
    fn with_assertions(&self, regex: &Regex) -> Result<Automaton, Diagnostic> {
        let limits = self.limits();
        if !regex.is_free_of_what_is_before(MOST_ENDINGS, limits).map_err(|over| self.too_large(over))? {
            return self.behind_certain_texts(regex);
        }
        let Some(endings) = regex.endings(MOST_ENDINGS, limits).map_err(|over| self.too_large(over))? else {
            let error = self.refused("what may follow ", " depends on its text in too many ways");
            return Err(error.help("use fewer assertions at the end of the terminal"));
        };
        self.of_endings(endings)
    }

    /// The automata of a terminal whose texts depend on the text before it.
    fn behind_certain_texts(&self, regex: &Regex) -> Result<Automaton, Diagnostic> {
        let limits = self.limits();
        let Some(beginnings) = regex.beginnings(MOST_ENDINGS, limits).map_err(|over| self.too_large(over))?
        else {
            let error = self.refused("what ", " matches depends on the text before it in too many ways");
            return Err(error.help("let assertions look at the text of the terminal, or at what follows it"));
        };
        let mut behind = Vec::with_capacity(beginnings.len());
        for Beginning { before, endings } in beginnings {
            let own = self.of_endings(endings)?;
            if own.optional {
                let error = self.refused("", " matches the empty text behind certain texts");
                return Err(error.help("let it match at least one character"));
            }
            behind.push((Arc::new(before), own));
        }
        let all = Regex::union(behind.iter().map(|(_, own)| Regex::Automaton(Arc::new(own.dfa.clone()))));
        let dfa = all.to_dfa(limits).map_err(|over| self.too_large(over))?;
        Ok(Automaton { dfa, optional: false, after: Vec::new(), behind })
    }

    /// The automaton of a terminal with these texts: where it matters what follows, with marks of what that is.
    fn of_endings(&self, endings: Vec<Ending>) -> Result<Automaton, Diagnostic> {
        let limits = self.limits();
        let (free, after): (Vec<_>, Vec<_>) = endings.into_iter().partition(Ending::is_free);
        let optional = free.iter().any(|ending| ending.texts.matches_empty());
        if matches!(self.used.key, Key::Layout(_)) && optional
            || after.iter().any(|ending| ending.texts.matches_empty())
        {
            let error = self.refused("", " matches the empty text where certain texts follow");
            return Err(error.help("let it match at least one character"));
        }
        let texts = |ending: &Ending| Regex::Automaton(Arc::new(ending.texts.clone()));
        let has_mark = |ending: &Ending| special::may_match_mark(&texts(ending));
        if !self.has_marks() && after.iter().any(has_mark) {
            let error = self.refused("", " matches the byte 0xFF, and it matters what follows it");
            return Err(error.help("let it match UTF-8 only"));
        }
        let marks = after.iter().enumerate();
        let marks = marks
            .map(|(number, ending)| texts(ending).then(Regex::Literal(special::followed(number).to_vec())));
        let all = Regex::union(free.iter().chain(&after).map(texts).chain(marks));
        let dfa = all
            .to_dfa(limits)
            .and_then(|dfa| dfa.without_empty(limits))
            .map_err(|over| self.too_large(over))?;
        Ok(Automaton {
            dfa,
            optional,
            after: after.into_iter().map(|ending| Arc::new(ending.after)).collect(),
            behind: Vec::new(),
        })
    }

    fn language(&self) -> Result<Language, Diagnostic> {
        match (&self.used.key, self.used.node) {
            // It is replaced before the grammar is compiled.
            (Key::Named(_), _) if self.terminals.is_supplied(&self.name) => Ok(Language::Text(Regex::literal(&self.name))),
            (Key::Named(id), _) => self.terminals.languages.get(*id).cloned().ok_or_else(|| {
                let message = format!("`{}` is declared, but nothing says what it matches", self.name);
                let error = self.program.error(Code::DeclaredOnly, &message, self.used.module, &self.used.span);
                error.help(match self.name.ends_with("INDENT") || self.name.ends_with("DEDENT") {
                    true => "in Lark a program supplies such tokens; declare both of them, define the line break as `_NEWLINE` or `_NL` or name it with the option `indenter`, or describe the indentation with %layout",
                    false => "in Lark a program supplies such tokens; define the terminal, or extend it with %extend",
                })
            }),
            (Key::Level(id, level), _) => {
                let indentation = self.layout.map_or(Regex::never(), |layout| layout.indentation(*level));
                self.terminals.languages.at_level(self.program, *id, &indentation)
            }
            (Key::Special(selectors), _) => Ok(Language::Tokens(selectors.clone())),
            (Key::Ignored(index), _) => {
                let name = Name { text: self.name.clone(), span: self.used.span.clone() };
                self.terminals.languages.language(self.program, &self.program.ignored[*index].clauses, &name)
            }
            (Key::Layout(made), _) => {
                Ok(Language::Text(self.layout.map_or(Regex::never(), |layout| layout.regex(*made))))
            }
            (Key::AnyBytes(except), _) => {
                // In a regular expression, the byte 0xFF would be that of a mark.
                let bytes = Regex::Bytes(ByteSet::ALL).repeat(1, None);
                let Automaton { dfa, .. } = self.automaton(&bytes)?;
                Ok(Language::Tokens(vec![TokenSelector::TextsBut(Arc::new(dfa), except.clone())]))
            }
            (_, Some(Node { kind: NodeKind::Text { text, ignore_case: false }, .. })) => {
                let budget = &self.terminals.languages.limits.budget;
                Ok(Language::Text(self.terminals.names.literal(text, budget)))
            }
            (_, Some(node)) => {
                self.terminals.languages.leaf(self.program, node, self.used.module).map(Language::Text)
            }
            (_, None) => Ok(Language::Text(Regex::never())),
        }
    }
}

fn matches_nothing(pattern: &Pattern) -> bool {
    matches!(pattern.regex(), Some(Regex::Automaton(dfa)) if dfa.is_empty())
}
