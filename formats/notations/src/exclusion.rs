//! Exclusions, `A - B`: the texts of a rule that another rule does not have.
//!
//! Input: a grammar under any split in which the rule of each exclusion is a choice of its two parts, and these rules. Output: the grammar in
//! which the rule is a terminal of the difference. Context-free languages are not closed under differences, so both parts must be regular.

use crate::grammar_builder::{GrammarBuilder, choice, nonterminal};
use crate::regularize::subtract;
use crate::scanner::error;
use gcc_grammar_ir::{Code, Diagnostic, Expr, Grammar, NonterminalId};
use gcc_grammar_regular::RegularLimits;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// An exclusion, and where it is written.
pub(crate) struct Exclusion {
    rule: NonterminalId,
    kept: NonterminalId,
    left_out: NonterminalId,
    span: Range<usize>,
}

impl Exclusion {
    /// Adds the rules of an exclusion. Its language is that of both parts until it is [applied](apply).
    pub(crate) fn new(draft: &mut GrammarBuilder, kept: Expr, left_out: Expr, span: Range<usize>) -> Self {
        let kept = draft.rule("what is kept", kept);
        let left_out = draft.rule("what is left out", left_out);
        let rule = draft.rule("exclusion", choice(vec![nonterminal(kept), nonterminal(left_out)]));
        Self { rule, kept, left_out, span }
    }

    /// The exclusion as a part of a rule.
    pub(crate) fn expr(&self) -> Expr {
        nonterminal(self.rule)
    }
}

/// Turns the rules of exclusions into terminals.
pub(crate) fn apply(
    grammar: &mut Grammar,
    exclusions: &[Exclusion],
    limits: &RegularLimits,
) -> Result<(), Vec<Diagnostic>> {
    let rules: Vec<_> = exclusions.iter().map(|one| (one.rule, one.kept, one.left_out)).collect();
    let irregular: FxHashSet<NonterminalId> =
        subtract(grammar, &rules, limits).map_err(|over| vec![over.into()])?.into_iter().collect();
    let irregular = exclusions.iter().filter(|one| irregular.contains(&one.rule));
    let errors: Vec<Diagnostic> = irregular.map(not_regular).collect();
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

fn not_regular(exclusion: &Exclusion) -> Diagnostic {
    let message =
        "both sides of an exclusion must be regular languages, and must not use the rule that it stands in";
    error(Code::NotRegular, message, exclusion.span.clone())
        .help("write out what is meant, or let rules repeat with `*` and `+` instead of using themselves in the middle")
}
