//! Turns the rules of all files into definitions and directives as in Lark.
//!
//! Input: the grammars. Output: for each file its definitions; all directives are those of the given file.

mod modal_rules;
mod rules;
mod tokens;
mod warnings;

use super::ast::{ElementKind, Rule};
use super::commands::Commands;
use super::modal_lower::modal_symbols;
use super::modes::{Modes, tokens};
use super::reach::{Reached, Rules, reached};
use super::start::start_rule;
use super::{Loaded, in_file};
use crate::lark::LexerMode;
use crate::lark::ast::{self as lark, Definition, Item};
use gcc_grammar_ir::Diagnostic;
use gcc_grammar_limits::Budget;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// The definitions of all files.
#[derive(Default)]
pub(super) struct Lowered {
    pub(super) start: String,
    pub(super) items: Vec<Vec<Item>>,
    /// Whether `EOF` stands elsewhere than at the end of the start rule.
    pub(super) has_end: bool,
    pub(super) warnings: Vec<Diagnostic>,
    /// The places of the tokens that are defined once per level.
    pub(super) levelled: Vec<Range<usize>>,
    /// Whether there are tokens that are defined once per level.
    pub(super) has_levels: bool,
    /// The modes of the lexer, if it has some.
    pub(super) modes: Vec<LexerMode>,
}

pub(super) fn lower(
    loaded: &[Loaded],
    start: Option<&str>,
    levels: usize,
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
    let items = loaded.iter().map(|_| Vec::new()).collect();
    let count = if modes.matter() { modes.names.len() } else { 0 };
    let lexer_modes = (0..count).map(|_| LexerMode::default()).collect();
    let mut lowering = Lowering {
        loaded,
        rules: &rules,
        reached: &reached,
        modes: &modes,
        start,
        budget,
        known: Known::default(),
        out: Lowered { items, modes: lexer_modes, ..Lowered::default() },
    };
    lowering.left_out();
    lowering.out.warnings.extend(doubt);
    lowering.tokens(&commands, levels).map_err(|error| vec![error])?;
    lowering.out.start = match modes.matter() {
        true => lowering.modal_rules(&symbols).map_err(|error| vec![error])?,
        false => {
            lowering.texts();
            lowering.parser_rules().map_err(|error| vec![error])?;
            start.name.text.clone()
        }
    };
    Ok(lowering.out)
}

struct Lowering<'g> {
    loaded: &'g [Loaded],
    rules: &'g Rules<'g>,
    reached: &'g Reached<'g>,
    modes: &'g Modes<'g>,
    start: &'g Rule,
    budget: &'g Budget,
    known: Known<'g>,
    out: Lowered,
}

/// What is known about tokens.
#[derive(Default)]
struct Known<'g> {
    /// The tokens that are no texts of others, in the order of their definitions.
    tokens: Vec<&'g str>,
    /// The tokens that the parser never sees.
    hidden: FxHashSet<&'g str>,
    /// The tokens that are declared without a definition.
    declared: FxHashSet<&'g str>,
    /// By name, the tokens that are turned into it.
    also: FxHashMap<String, Vec<&'g str>>,
    /// The strings that are tokens without a definition, with their names if no rule of the parser uses them.
    texts: Vec<&'g str>,
    /// By text, the first token that is defined as nothing else.
    by_text: FxHashMap<&'g str, &'g str>,
}

impl<'g> Lowering<'g> {
    fn define(
        &mut self,
        file: usize,
        name: &str,
        span: Range<usize>,
        priority: Option<i64>,
        body: Vec<lark::Alternative>,
    ) {
        let name = lark::Name { text: name.to_owned(), span };
        self.out.items[file].push(Item::Define(Definition { priority, body, ..Definition::named(name) }));
    }

    /// An error in a file, for a reader of the given one.
    fn in_file(&self, file: usize, problem: Diagnostic) -> Diagnostic {
        in_file(self.loaded, file, problem)
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
}
