//! The terminals of a program with their languages.
//!
//! Input: a program whose names were checked. Output: the language of every terminal that the given file defines or needs. Terminals may use
//! terminals, but not themselves, so they are built in the order of use.

use super::ast::{Name, NodeKind};
use super::languages::Languages;
use super::program::{DefinitionId, ModuleId, Program, sole_node};
use super::references::{ignored_references, in_order_of_use, indented_terminals};
use super::supplied;
use gcc_grammar_ir::{Code, Diagnostic, SpecialNames};
use gcc_grammar_regular::RegularLimits;
use rustc_hash::FxHashMap;

/// All terminals of a program.
pub(super) struct Terminals {
    /// The languages of the terminals.
    pub(super) languages: Languages,
    /// Whether strings in terminals name no special tokens, because a pattern matches the byte that would stand for one.
    pub(super) has_raw_bytes: bool,
    /// The tokens of an indenter.
    pub(super) indenter: Option<supplied::Names>,
    /// The special tokens that strings in rules may name.
    pub(super) names: SpecialNames,
    /// The first terminal that is defined as this string and nothing else.
    texts: FxHashMap<(String, bool), DefinitionId>,
    /// The first terminal that is defined as this pattern with these flags and nothing else.
    patterns: FxHashMap<(String, String), DefinitionId>,
}

/// Builds the languages of terminals in this order.
fn languages_of(
    program: &Program,
    order: &[DefinitionId],
    limits: &RegularLimits,
    names: &SpecialNames,
) -> Result<Languages, Vec<Diagnostic>> {
    let mut languages = Languages::new(program, limits.clone(), names.clone(), indented_terminals(program));
    let mut errors = Vec::new();
    for &id in order {
        let defined = &program.definitions[id.index()];
        if defined.is_terminal() && !defined.declared_only && !languages.is_indented(id) {
            errors.extend(languages.build(program, id).err());
        }
    }
    if errors.is_empty() { Ok(languages) } else { Err(errors) }
}

impl Terminals {
    /// Builds the terminals that the start rule and the definitions of the given file need, directly or not. Names must have been checked.
    pub(super) fn build(
        (program, start): (&Program, &str),
        limits: &RegularLimits,
        names: &SpecialNames,
        indenter: Option<supplied::Names>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let own = (0..program.definitions.len()).map(DefinitionId::new);
        let mut roots: Vec<_> =
            own.filter(|&id| program.definitions[id.index()].module.index() == 0).collect();
        roots.extend(program.find(ModuleId(0), start));
        roots.extend(ignored_references(program));
        roots.extend(program.never.iter().filter_map(|name| program.find(ModuleId(0), &name.text)));
        let of_modes = program.modes.iter().flat_map(|mode| &mode.terminals);
        roots.extend(of_modes.filter_map(|name| program.find(ModuleId(0), &name.text)));
        let (order, cycles) = in_order_of_use(program, roots);
        if !cycles.is_empty() {
            return Err(cycles.into_iter().map(|id| recursive(program, id)).collect());
        }
        let mut languages = languages_of(program, &order, limits, names)?;
        // Where no string names a token, no text has the byte. Otherwise strings without names tell whether a pattern matches it.
        let mut has_raw_bytes = languages.may_match_mark(program);
        if has_raw_bytes {
            let plain = languages_of(program, &order, limits, &SpecialNames::default())?;
            has_raw_bytes = plain.may_match_mark(program);
            languages = if has_raw_bytes { plain } else { languages };
        }
        let (texts, patterns) = Default::default();
        let names = names.clone();
        let mut terminals = Self { languages, has_raw_bytes, indenter, names, texts, patterns };
        terminals.index_literals(program);
        Ok(terminals)
    }

    /// Whether this is a token that an indenter supplies, so that nothing says what it matches.
    pub(super) fn is_supplied(&self, name: &str) -> bool {
        self.indenter.as_ref().is_some_and(|names| names.supplies(name))
    }

    /// Finds the terminals that are defined as one string or pattern.
    fn index_literals(&mut self, program: &Program) {
        for (index, defined) in program.definitions.iter().enumerate() {
            let id = DefinitionId::new(index);
            match sole_node(&defined.clauses).map(|node| &node.kind) {
                _ if !defined.is_terminal()
                    || defined.lexeme.is_some()
                    || self.languages.get(id).is_none() => {}
                Some(NodeKind::Text { text, ignore_case }) => {
                    self.texts.entry((text.clone(), *ignore_case)).or_insert(id);
                }
                Some(NodeKind::Pattern { pattern, flags }) => {
                    self.patterns.entry((pattern.clone(), flags.clone())).or_insert(id);
                }
                _ => {}
            }
        }
    }

    /// The terminal that is defined as this node and nothing else.
    pub(super) fn defined_as(&self, node: &NodeKind) -> Option<DefinitionId> {
        match node {
            NodeKind::Text { text, ignore_case } => self.texts.get(&(text.clone(), *ignore_case)).copied(),
            NodeKind::Pattern { pattern, flags } => {
                self.patterns.get(&(pattern.clone(), flags.clone())).copied()
            }
            _ => None,
        }
    }
}

fn recursive(program: &Program, id: DefinitionId) -> Diagnostic {
    let Name { text, span } = &program.definitions[id.index()].name;
    let message = format!("the terminal `{text}` uses itself");
    program
        .error(Code::RecursiveTerminal, &message, program.definitions[id.index()].module, span)
        .help("terminals are regular; write what nests as a rule, with a lower-case name")
}
