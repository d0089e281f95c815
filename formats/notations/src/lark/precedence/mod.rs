//! `%left`, `%right`, `%nonassoc` and `%prec`: precedence and associativity, as yacc has them.

mod copies;
mod filter;
mod first;
mod levels;
mod operators;
#[cfg(test)]
mod tests;

use levels::Levels;

use super::ast::Node;
use super::lexemes::Lexemes;
use super::program::{ModuleId, Program};
use gcc_grammar_ir::{Body, Code, Diagnostic, NonterminalId, Rule};
use operators::{Operators, TooLarge};
use std::collections::{BTreeMap, BTreeSet};

/// How many copies all rules may have together.
const MAX_COPIES: usize = 50_000;

/// A rule as it was written.
pub(super) struct Written<'p> {
    /// The file that defines it.
    pub(super) module: ModuleId,
    /// What each of its clauses says with `%prec`.
    pub(super) precedences: Vec<Option<&'p Node>>,
}

/// What came of it.
#[derive(Default)]
pub(super) struct Resolution {
    pub(super) warnings: Vec<Diagnostic>,
    /// Rules whose alternatives became those of others.
    pub(super) inlined: BTreeSet<NonterminalId>,
}

/// Makes rules unambiguous where precedence is declared. Those that were written are named; rules are added at the end.
pub(super) fn resolve(
    program: &Program,
    lexemes: &Lexemes<'_>,
    rules: &mut Vec<Rule>,
    written: &BTreeMap<NonterminalId, Written<'_>>,
) -> Result<Resolution, Vec<Diagnostic>> {
    let levels = Levels::new(program, lexemes)?;
    if levels.is_empty() {
        return Ok(Resolution::default());
    }
    let before = rules.clone();
    let named = |written: &Written<'_>| {
        let level = |node: &Option<&Node>| node.and_then(|node| levels.named(lexemes, node, written.module));
        written.precedences.iter().map(level).collect()
    };
    let explicit = written.iter().map(|(&rule, written)| (rule, (written.module, named(written)))).collect();
    let mut operators = Operators::new(&before, &explicit);
    let mut warnings = Vec::new();
    for (&rule, Written { module, .. }) in written {
        let terminals = levels.of_terminals(*module);
        let Rule { name, location, .. } = &before[rule.index()];
        let about = |diagnostic: Diagnostic| match location {
            Some(location) => diagnostic.at(location.clone()),
            None => diagnostic,
        };
        let resolved = operators
            .resolve(rule, terminals, rules.len())
            .map_err(|TooLarge| vec![about(too_large(name))])?;
        if resolved.mixed {
            warnings.push(about(mixed(name)));
        }
        if rules.len() - before.len() > MAX_COPIES {
            return Err(vec![about(too_large(name))]);
        }
        let mut bodies = resolved.bodies.into_iter().map(Body::Expr);
        if let Some(own) = bodies.next() {
            rules[rule.index()].body = own;
        }
        for (body, number) in bodies.zip(2..) {
            rules.push(Rule { name: format!("{name}#{number}"), body, location: location.clone() });
        }
    }
    warnings.extend(levels::without_effect(program, |rank| operators.used.contains(&rank)));
    Ok(Resolution { warnings, inlined: operators.inlined })
}

fn too_large(name: &str) -> Diagnostic {
    let message = format!("with the levels of precedence of its operators, `{name}` becomes too large");
    Diagnostic::error(Code::TooManyRules, message)
        .help("put operators on the same level where they bind equally tight, and alternatives without operands in a rule of their own")
}

fn mixed(name: &str) -> Diagnostic {
    let message = format!(
        "after an operand in `{name}`, terminals of different precedence may follow in one alternative, which is left ambiguous"
    );
    Diagnostic::warning(Code::MixedPrecedence, message)
        .help("write an alternative for each level of precedence")
}
