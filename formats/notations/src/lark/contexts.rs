//! `%basic`, `%contextual`, `%word`, `%after`, `%never` and `%verbatim`: directives that change the lexical contexts.
//!
//! By default, the lexer recognizes a terminal where the parser expects it. Input: the directives of a program, and the terminals that rules
//! use. Output: the [`ContextRules`] of the grammar, which say where a terminal is recognized although the parser does not expect it, or not
//! recognized although the parser expects it; and warnings about directives without effect.

use super::ast::{Name, Node, NodeKind};
use super::layout::LayoutTerminal;
use super::lexemes::{Built, Lexemes};
use super::options::Lexer;
use super::program::{After, ModuleId, Program};
use gcc_grammar_ir::{Code, ContextRules, Diagnostic, LexerMode, Terminal, TerminalId, special};
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{Dfa, Regex, RegularLimits};
use std::cmp::Reverse;

/// The directives, with their terminals looked up.
#[derive(Default)]
pub(super) struct Directives {
    basic: bool,
    contextual: Vec<TerminalId>,
    words: Vec<TerminalId>,
    /// What is said about contexts alone, over the terminals in the order of first use.
    rules: ContextRules,
    /// Warnings about terminals that no rule uses.
    pub(super) warnings: Vec<Diagnostic>,
}

impl Directives {
    /// Looks up the terminals of all directives. Names must have been checked.
    pub(super) fn new(program: &Program, lexemes: &mut Lexemes<'_>, lexer: Lexer) -> Self {
        let basic = program.basic.is_some() || lexer == Lexer::Basic;
        let mut directives = Self { basic, ..Self::default() };
        directives.contextual = directives.named(program, lexemes, &program.contextual);
        directives.words = directives.named(program, lexemes, &program.words);
        directives.rules.verbatim = directives.named(program, lexemes, &program.verbatim);
        for After { module, lexemes: before, terminal } in &program.after {
            let before: Vec<Option<TerminalId>> =
                before.iter().map(|node| directives.find(program, lexemes, node, *module)).collect();
            let Some(terminal) = directives.find(program, lexemes, terminal, *module) else { continue };
            let before = before.into_iter().flatten().collect();
            directives.rules.after.push(gcc_grammar_ir::After { terminal, lexemes: before });
        }
        let mut all = |names: &[Name]| -> Vec<TerminalId> {
            let found = names.iter().filter_map(|name| program.find(ModuleId(0), &name.text));
            found.map(|id| lexemes.definition(id)).collect()
        };
        directives.rules.everywhere = all(&program.never);
        let modes = program.modes.iter();
        directives.rules.modes = modes
            .map(|mode| LexerMode { terminals: all(&mode.terminals), behind: all(&mode.behind) })
            .collect();
        directives.layout(lexemes);
        directives
    }

    /// Adds the contexts of the terminals of `%layout`: indentation is recognized directly after line breaks only.
    fn layout(&mut self, lexemes: &Lexemes<'_>) {
        let made = lexemes.layout_terminals();
        let select = |wanted: fn(LayoutTerminal) -> bool| -> Vec<TerminalId> {
            made.iter().filter(|(made, _)| wanted(*made)).map(|&(_, id)| id).collect()
        };
        self.contextual.extend(select(|_| true));
        let newline = select(|made| made == LayoutTerminal::Newline);
        for terminal in select(|made| matches!(made, LayoutTerminal::Indent(1..))) {
            self.rules.after.push(gcc_grammar_ir::After { terminal, lexemes: newline.clone() });
        }
        let breaks = select(|made| {
            matches!(made, LayoutTerminal::Newline | LayoutTerminal::Indent(0) | LayoutTerminal::Blank)
        });
        for terminal in select(|made| made == LayoutTerminal::Other) {
            self.rules.after.push(gcc_grammar_ir::After { terminal, lexemes: breaks.clone() });
        }
    }

    /// The terminals with these names.
    fn named(&mut self, program: &Program, lexemes: &Lexemes<'_>, names: &[Name]) -> Vec<TerminalId> {
        let nodes = names
            .iter()
            .map(|Name { text, span }| Node { kind: NodeKind::Name(text.clone()), span: span.clone() });
        nodes.filter_map(|node| self.find(program, lexemes, &node, ModuleId(0))).collect()
    }

    /// The terminal, if a rule uses it; otherwise a warning, except for an imported directive, whose terminals need not be used.
    fn find(
        &mut self,
        program: &Program,
        lexemes: &Lexemes<'_>,
        node: &Node,
        module: ModuleId,
    ) -> Option<TerminalId> {
        let found = lexemes.find(node, module);
        if found.is_none() && module.index() == 0 {
            let message = "no rule uses this terminal, so the directive has no effect on it";
            let (location, _) = program.place(module, &node.span);
            let warning = Diagnostic::warning(Code::UnusedLexeme, message).at(location);
            self.warnings.push(warning.help("write it just as rules do, or remove it here"));
        }
        found
    }

    /// The terminals of `%never`, which no rule takes.
    pub(super) fn never(&self) -> &[TerminalId] {
        &self.rules.everywhere
    }

    pub(super) fn is_empty(&self) -> bool {
        !self.basic && self.words.is_empty() && self.rules == ContextRules::default()
    }

    /// The context rules over the final numbers of terminals. Raises the priorities of the terminals of `%after` above those of ignored
    /// terminals, so that they win ties.
    pub(super) fn apply(
        self,
        built: &mut Built,
        ignored: &[TerminalId],
        limits: &RegularLimits,
    ) -> Result<ContextRules, OverBudget> {
        let by: Vec<_> = built.numbers.iter().map(|&number| vec![number]).collect();
        let number = |id: TerminalId| by[id.index()][0];
        let mut rules = self.rules.replaced(&by);
        let above = ignored.iter().map(|id| built.terminals[id.index()].priority.saturating_add(1)).max();
        for target in rules.after.iter().map(|after| after.terminal) {
            let priority = &mut built.terminals[target.index()].priority;
            *priority = (*priority).max(above.unwrap_or(*priority));
        }
        for word in self.words.into_iter().map(number) {
            rules.everywhere.extend(word_and_keywords(built, word, limits)?);
        }
        if self.basic {
            let contextual: Vec<TerminalId> = self.contextual.into_iter().map(number).collect();
            let all = (0..built.terminals.len()).map(TerminalId::new);
            rules.everywhere.extend(all.filter(|id| !contextual.contains(id)));
        }
        rules.everywhere.sort_unstable();
        rules.everywhere.dedup();
        for mode in &mut rules.modes {
            mode.terminals.sort_unstable();
            mode.behind.sort_unstable();
        }
        Ok(rules)
    }
}

/// The word, and its keywords: the terminals that match only texts of the word and win ties with it.
fn word_and_keywords(
    built: &Built,
    word: TerminalId,
    limits: &RegularLimits,
) -> Result<Vec<TerminalId>, OverBudget> {
    let terminals = &built.terminals;
    let Some(all) = automaton(&terminals[word.index()]) else { return Ok(vec![word]) };
    let mut found = Vec::new();
    for id in (0..terminals.len()).map(TerminalId::new) {
        let own = automaton(&terminals[id.index()]).filter(|_| rank(terminals, id) > rank(terminals, word));
        let is_followed = built.followed.iter().any(|followed| followed.terminal == id);
        let is_keyword = match own {
            Some(own) if is_followed => without_marks(own, limits)?.is_subset(all, limits)?,
            Some(own) => own.is_subset(all, limits)?,
            None => false,
        };
        if id == word || is_keyword {
            found.push(id);
        }
    }
    Ok(found)
}

/// The texts of an automaton in which there are no marks.
fn without_marks(dfa: &Dfa, limits: &RegularLimits) -> Result<Dfa, OverBudget> {
    let bytes = (0..special::MARK).collect();
    dfa.intersect(&Regex::Bytes(bytes).star().to_dfa(limits)?, limits)
}

/// The rank of a terminal in ties: the highest rank wins.
pub(super) fn rank(terminals: &[Terminal], id: TerminalId) -> (i32, bool, Reverse<TerminalId>) {
    let Terminal { priority, literal, .. } = terminals[id.index()];
    (priority, literal, Reverse(id))
}

pub(super) fn automaton(terminal: &Terminal) -> Option<&Dfa> {
    match terminal.pattern.regex() {
        Some(Regex::Automaton(dfa)) => Some(dfa),
        _ => None,
    }
}
