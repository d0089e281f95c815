//! `%left`, `%right`, `%nonassoc` and `%prec`: makes rules of operators unambiguous.
//!
//! ```text
//! directives ──levels──▶ levels of terminals   rule ──gather──▶ alternatives ──filter, decisions──▶ copies ──copies──▶ rules
//! ```
//! Input: lowered rules and the directives of a program. Output: rules of the same texts in which every decision that the directives make
//! is part of the grammar, so that later passes see a grammar like any other. Precedence has the meaning it has in yacc: when an
//! alternative is complete and a terminal follows, the one that binds tighter wins. This is a filter on derivations, which becomes part of
//! the rules as in Afroozeh et al., "Safe specification of operator precedence rules", SLE 2013.

mod copies;
mod decisions;
mod filter;
mod first;
mod gather;
mod levels;
#[cfg(test)]
mod tests;

use super::ast::Node;
use super::lexemes::Lexemes;
use super::program::{ModuleId, Program};
use copies::bodies;
use decisions::Decisions;
use filter::Filter;
use gather::{Gatherer, TooLarge};
use gcc_grammar_ir::{Body, Code, Diagnostic, Expr, NonterminalId, Rule};
use levels::Levels;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// The largest number of copies of all rules together.
const MAX_COPIES: usize = 50_000;

/// The source of a rule.
pub(super) struct Written<'p> {
    /// The file that defines it.
    pub(super) module: ModuleId,
    /// Per clause, the operand of its `%prec`.
    pub(super) precedences: Vec<Option<&'p Node>>,
}

/// The result of resolving precedence.
#[derive(Default)]
pub(super) struct Resolution {
    pub(super) warnings: Vec<Diagnostic>,
    /// The rules whose alternatives became alternatives of other rules.
    pub(super) inlined: BTreeSet<NonterminalId>,
}

/// Makes rules unambiguous where precedence is declared. `written` has the rules of the author; their copies are appended to `rules`.
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
    let mut gatherer = Gatherer::new(&before, &explicit);
    let mut compared = FxHashSet::default();
    let mut warnings = Vec::new();
    for (&rule, Written { module, .. }) in written {
        let Rule { name, location, .. } = &before[rule.index()];
        let about = |diagnostic: Diagnostic| match location {
            Some(location) => diagnostic.at(location.clone()),
            None => diagnostic,
        };
        let mut decisions = Decisions::new(levels.of_terminals(*module));
        let bodies = resolve_rule(rule, &mut gatherer, &mut decisions, rules.len());
        let bodies = bodies.map_err(|TooLarge| vec![about(too_large(name))])?;
        compared.extend(decisions.compared);
        if decisions.mixed {
            warnings.push(about(mixed(name)));
        }
        if rules.len() - before.len() > MAX_COPIES {
            return Err(vec![about(too_large(name))]);
        }
        let mut bodies = bodies.into_iter().map(Body::Expr);
        if let Some(own) = bodies.next() {
            rules[rule.index()].body = own;
        }
        for (body, number) in bodies.zip(2..) {
            rules.push(Rule { name: format!("{name}#{number}"), body, location: location.clone() });
        }
    }
    warnings.extend(levels::without_effect(program, |rank| compared.contains(&rank)));
    Ok(Resolution { warnings, inlined: gatherer.inlined })
}

/// The bodies of a rule and of its copies, which are numbered from `next` on; none if the levels decide nothing about the rule.
fn resolve_rule<'r>(
    rule: NonterminalId,
    gatherer: &mut Gatherer<'r>,
    decisions: &mut Decisions<'r>,
    next: usize,
) -> Result<Vec<Expr>, TooLarge> {
    let Some(alternatives) = gatherer.alternatives(rule, decisions.levels)? else { return Ok(Vec::new()) };
    let copies = Filter::new(&mut gatherer.first, decisions, rule, &alternatives).copies()?;
    let visits = gatherer.first.visits();
    gatherer.charge(copies.len() * alternatives.len() + visits)?;
    let decided = !decisions.compared.is_empty();
    Ok(if decided { bodies(rule, next, &alternatives, &copies) } else { Vec::new() })
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
