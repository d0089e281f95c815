//! Tokens without a text that lead to another mode, such as `OTHER : -> mode(DEFAULT_MODE);`.
//!
//! Input: the rules of all files. Output: rules without such tokens. The longest match wins, so a token without a text comes only where no other token of
//! its mode matches anything. There the lexer goes on in the other mode, at the same place. So the first mode gets a copy of each token of the other one:
//! it matches the texts that begin with no token of the first mode, and makes the changes of both. If a token of the first mode matches, all tokens that
//! are as long or longer are of the first mode, and the copies that remain are shorter; so the longest match decides between them as ANTLR does.

use super::ast::{Alternative, Command, Element, ElementKind, Name, Rule};
use super::commands::{Change, Commands, TokenAction};
use super::modes::tokens;
use super::reach::Rules;
use super::syntax::DEFAULT_MODE;
use super::{Loaded, in_file};
use gcc_grammar_ir::Diagnostic;
use gcc_grammar_limits::Budget;
use rustc_hash::FxHashSet;

/// Estimated bytes of a copy, and of a name in it.
const BYTES_PER_COPY: u64 = 1_000;
const BYTES_PER_NAME: u64 = 100;

/// A token without a text, and its file.
type Textless<'g> = (usize, &'g Rule);

/// Replaces tokens without a text by copies of the tokens of the modes to which they lead.
pub(super) fn replace(loaded: &mut [Loaded], budget: &Budget) -> Result<(), Diagnostic> {
    let rules = Rules::new(loaded);
    let all: Vec<(usize, &Rule)> = tokens(loaded, &rules).collect();
    let textless: Vec<Textless<'_>> = all.iter().copied().filter(|(_, rule)| is_textless(rule)).collect();
    let from: FxHashSet<&str> = textless.iter().map(|(_, rule)| mode(rule)).collect();
    let begun = Begun::of(&all).map_err(|(file, problem)| in_file(loaded, file, problem))?;
    let mut modes = FxHashSet::default();
    let mut copies = Vec::new();
    let mut gone: Vec<FxHashSet<String>> = vec![FxHashSet::default(); loaded.len()];
    for &(file, rule) in &textless {
        let Some(target) = target(rule).map_err(|problem| in_file(loaded, file, problem))? else { continue };
        // Chains of such tokens, those that lead to their own mode among them, are left.
        if from.contains(target) || begun.has(mode(rule)) {
            continue;
        }
        // Of several ones, the first one wins.
        if modes.insert(mode(rule)) {
            let made = copies_of(&all, rule, target, &rules, budget)?;
            copies.extend(made.into_iter().map(|copy| (file, copy)));
        }
        gone[file].insert(rule.name.text.clone());
    }
    for (one, gone) in loaded.iter_mut().zip(&gone) {
        one.grammar.rules.retain(|rule| !gone.contains(&rule.name.text));
    }
    for (file, copy) in copies {
        loaded[file].grammar.rules.push(copy);
    }
    Ok(())
}

fn is_textless(rule: &Rule) -> bool {
    matches!(&rule.alternatives[..], [only] if only.elements.is_empty())
}

fn mode(rule: &Rule) -> &str {
    rule.mode.as_ref().map_or(DEFAULT_MODE, |mode| &mode.text)
}

/// The mode to which a token leads that the parser does not see, if its commands say it.
fn target(rule: &Rule) -> Result<Option<&str>, Diagnostic> {
    let Commands { action, changes } = Commands::of(rule)?;
    if !matches!(action, TokenAction::Ignored | TokenAction::More) {
        return Ok(None);
    }
    let Some(Change::Set(_) | Change::Push(_)) = changes.last() else { return Ok(None) };
    Ok(last_mode(rule))
}

/// The mode that the last of the commands with modes names.
fn last_mode(rule: &Rule) -> Option<&str> {
    let mut commands = rule.alternatives.iter().flat_map(|one| &one.commands);
    let last = commands.rfind(|command| command.name.text.to_ascii_lowercase().ends_with("mode"));
    let target = last.and_then(|command| command.argument.as_deref());
    target.map(|target| if target == "0" { DEFAULT_MODE } else { target })
}

/// The modes in which a token may have begun: at the end of the text, a token without a text would end it.
struct Begun<'g> {
    everywhere: bool,
    modes: FxHashSet<&'g str>,
}

impl<'g> Begun<'g> {
    fn of(all: &[(usize, &'g Rule)]) -> Result<Self, (usize, Diagnostic)> {
        let mut begun = Self { everywhere: false, modes: FxHashSet::default() };
        for &(file, rule) in all {
            let Commands { action, changes } = Commands::of(rule).map_err(|problem| (file, problem))?;
            if action != TokenAction::More {
                continue;
            }
            match changes.last() {
                None => _ = begun.modes.insert(mode(rule)),
                Some(Change::Set(_) | Change::Push(_)) => begun.modes.extend(last_mode(rule)),
                Some(Change::Pop) => begun.everywhere = true,
            }
        }
        Ok(begun)
    }

    fn has(&self, mode: &str) -> bool {
        self.everywhere || self.modes.contains(mode)
    }
}

/// The tokens of the mode to which a token without a text leads, as tokens of its own mode.
fn copies_of(
    all: &[(usize, &Rule)],
    textless: &Rule,
    target: &str,
    rules: &Rules<'_>,
    budget: &Budget,
) -> Result<Vec<Rule>, Diagnostic> {
    let own = all.iter().map(|(_, rule)| *rule).filter(|rule| mode(rule) == mode(textless));
    let own: Vec<&Rule> = own.filter(|rule| !is_textless(rule)).collect();
    let mut copies = Vec::new();
    for (_, rule) in all.iter().filter(|(_, rule)| mode(rule) == target) {
        budget.charge_bytes(BYTES_PER_COPY + BYTES_PER_NAME * own.len() as u64)?;
        if !is_covered(rule, &own) {
            copies.push(copy(rule, textless, &own, rules)?);
        }
    }
    Ok(copies)
}

fn copy(rule: &Rule, textless: &Rule, own: &[&Rule], rules: &Rules<'_>) -> Result<Rule, Diagnostic> {
    let base = format!("{}__{}", rule.name.text, mode(textless));
    let names = std::iter::once(base.clone()).chain((2_u32..).map(|number| format!("{base}__{number}")));
    let text = names.into_iter().find(|name| rules.get(name).is_none()).unwrap_or(base);
    let span = rule.name.span.clone();
    let is_seen = Commands::of(rule)?.action == TokenAction::Token;
    let command = |name: &str, argument: Option<&str>| Command {
        name: Name { text: name.to_owned(), span: span.clone() },
        argument: argument.map(str::to_owned),
    };
    let changes = Commands::of(textless)?.changes;
    let mut commands: Vec<Command> = changes
        .iter()
        .map(|change| match change {
            Change::Set(mode) => command("mode", Some(mode)),
            Change::Push(mode) => command("pushMode", Some(mode)),
            Change::Pop => command("popMode", None),
        })
        .collect();
    commands.extend(rule.alternatives.iter().flat_map(|one| one.commands.iter().cloned()));
    commands.extend(is_seen.then(|| command("type", Some(&rule.name.text))));
    let elements = vec![Element { kind: ElementKind::Name(rule.name.text.clone()), span: span.clone() }];
    Ok(Rule {
        name: Name { text, span },
        is_fragment: false,
        mode: textless.mode.clone(),
        alternatives: vec![Alternative { elements, commands, ..Alternative::default() }],
        begins_with_none_of: own.iter().map(|rule| rule.name.text.clone()).collect(),
    })
}

/// Whether each alternative of a token is one of these tokens, as far as it is seen at once: then no text is left to a copy.
fn is_covered(rule: &Rule, own: &[&Rule]) -> bool {
    let own: Vec<&Alternative> = own.iter().flat_map(|rule| flat(&rule.alternatives)).collect();
    flat(&rule.alternatives).iter().all(|one| own.contains(one))
}

/// Alternatives, also if they are in parentheses.
fn flat(alternatives: &[Alternative]) -> Vec<&Alternative> {
    let mut open: Vec<&Alternative> = alternatives.iter().collect();
    let mut flat = Vec::new();
    while let Some(one) = open.pop() {
        match one.only().map(|only| &only.kind) {
            Some(ElementKind::Group(inner)) => open.extend(inner),
            _ => flat.push(one),
        }
    }
    flat
}
