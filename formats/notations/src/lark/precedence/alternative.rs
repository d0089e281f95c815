//! Alternatives of a rule and their operands.
//!
//! An occurrence of the rule itself in one of its alternatives is an *operand*. An alternative that begins with an operand is *open at the
//! left*, and an alternative that ends with an operand is *open at the right*.

use super::levels::Level;
use gcc_grammar_ir::{Expr, NonterminalId, Symbol};

/// An alternative of a rule, written out as a sequence.
pub(super) struct Alternative {
    pub(super) elements: Vec<Expr>,
    /// The level of precedence: that of `%prec` or of its last terminal.
    pub(super) level: Option<Level>,
}

impl Alternative {
    /// The positions at which the rule is an operand of it.
    pub(super) fn operands(&self, rule: NonterminalId) -> impl Iterator<Item = usize> {
        // An alternative that is nothing but the rule has no operand; the check of the grammar refuses it later.
        (0..self.elements.len())
            .filter(move |&place| self.elements.len() > 1 && is_rule(&self.elements[place], rule))
    }

    /// Whether its first operand is at the beginning.
    pub(super) fn is_open_left(&self, rule: NonterminalId) -> bool {
        self.operands(rule).next() == Some(0)
    }

    /// Whether its last operand is at the end.
    pub(super) fn is_open_right(&self, rule: NonterminalId) -> bool {
        self.operands(rule).any(|place| place + 1 == self.elements.len())
    }

    /// The elements behind this alternative in `longer`, if `longer` begins with it and is longer.
    pub(super) fn rest_of<'a>(&self, longer: &'a Self) -> Option<&'a [Expr]> {
        longer.elements.strip_prefix(&self.elements[..]).filter(|rest| !rest.is_empty())
    }

    /// Whether it is a proper prefix of one of the alternatives.
    pub(super) fn goes_on_in(&self, alternatives: &[Self]) -> bool {
        alternatives.iter().any(|longer| self.rest_of(longer).is_some())
    }
}

/// Whether an element is this rule.
pub(super) fn is_rule(element: &Expr, rule: NonterminalId) -> bool {
    *element == Expr::Symbol(Symbol::Nonterminal(rule))
}
