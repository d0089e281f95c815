//! Validates a grammar, whichever front end made it.
//!
//! Comes in: a [`Grammar`]. Goes out: errors and warnings. After a check without errors:
//! - all ids are defined;
//! - no terminal matches the empty string;
//! - the start rule derives some text;
//! - no rule derives itself and nothing else.
//!
//! Rules that derive nothing, or that the start rule does not reach, are warnings; the compiler drops them.

mod balance;
mod cyclic;
mod derivable;
mod least;
mod symbols;
mod undefined;

use crate::diagnostic::{Code, Diagnostic, Location};
use crate::grammar::{Grammar, Terminal};
use crate::ids::{NonterminalId, TerminalId};
use balance::unbalanced;
use cyclic::cyclic_rules;
use derivable::{matches_nothing, productive, reachable};
use undefined::undefined_ids;

pub use derivable::nullable;
pub use symbols::{for_each_in_expr, for_each_symbol};

/// The errors and the warnings about a grammar. `terminal_location` returns the place where a terminal was written, if it
/// has one.
pub fn check(
    grammar: &Grammar,
    terminal_location: impl Fn(TerminalId) -> Option<Location>,
) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
    check_filtered(grammar, terminal_location, |_, _| true)
}

/// Checks a grammar like [`check`], but leaves out the warnings about rules for which `reports` is false. A front end that makes rules of
/// its own may know the reason for a warning about one of them.
pub fn check_filtered(
    grammar: &Grammar,
    terminal_location: impl Fn(TerminalId) -> Option<Location>,
    reports: impl Fn(Code, NonterminalId) -> bool,
) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
    let undefined = undefined_ids(grammar);
    if !undefined.is_empty() {
        return (undefined, Vec::new());
    }
    let mut found = Found::default();
    for (index, terminal) in grammar.terminals.iter().enumerate() {
        found.check_terminal(terminal, || terminal_location(TerminalId::new(index)));
    }
    found.check_rules(grammar, reports);
    found.errors.extend(unbalanced(grammar));
    found.warnings.extend(cyclic_rules(grammar));
    (found.errors, found.warnings)
}

/// The diagnostics found so far.
#[derive(Default)]
struct Found {
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

impl Found {
    fn check_terminal(&mut self, terminal: &Terminal, location: impl Fn() -> Option<Location>) {
        let Some(regex) = terminal.pattern.regex() else { return };
        let name = &terminal.name;
        if regex.matches_empty() {
            let error = Diagnostic::error(
                Code::EmptyTerminal,
                format!("the terminal {name} matches the empty string"),
            );
            let help = "let it match at least one character, and make its uses optional instead, as in `X?`";
            self.errors.push(error.help(help).at_optional(location()));
        } else if matches_nothing(&terminal.pattern) {
            let message = format!("the terminal {name} matches nothing");
            let warning = Diagnostic::warning(Code::UnmatchableTerminal, message);
            self.warnings.push(warning.at_optional(location()));
        }
    }

    fn check_rules(&mut self, grammar: &Grammar, reports: impl Fn(Code, NonterminalId) -> bool) {
        let productive = productive(grammar);
        let reachable = reachable(grammar);
        for (index, rule) in grammar.rules.iter().enumerate() {
            let (name, location) = (&rule.name, rule.location.clone());
            if grammar.start.index() == index && !productive[index] {
                let message = format!("the start rule `{name}` derives no text");
                let error = Diagnostic::error(Code::NoText, message)
                    .help("give every recursion a way to end, and look for parts and assertions that exclude each other");
                self.errors.push(error.at_optional(location));
            } else if !productive[index] {
                let message = format!("the rule `{name}` derives no text");
                let warning = Diagnostic::warning(Code::UnproductiveRule, message)
                    .help("give its recursion a way to end, or remove it");
                self.warn_about(index, warning.at_optional(location), &reports);
            } else if !reachable[index] {
                let message = format!("the rule `{name}` is never reached from the start rule");
                let warning = Diagnostic::warning(Code::UnreachableRule, message);
                self.warn_about(index, warning.at_optional(location), &reports);
            }
        }
    }

    fn warn_about(
        &mut self,
        rule: usize,
        warning: Diagnostic,
        reports: impl Fn(Code, NonterminalId) -> bool,
    ) {
        if reports(warning.code, NonterminalId::new(rule)) {
            self.warnings.push(warning);
        }
    }
}
