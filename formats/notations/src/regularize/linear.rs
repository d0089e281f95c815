//! Solves systems of right-linear or left-linear rules.
//!
//! Input: the rules of one strongly connected component, and the languages of all other symbols that they use. Output: the automata of
//! the rules, or none if the system is not linear on one side. The equations are solved by elimination with Arden's lemma, as Gauss's
//! algorithm solves linear equations: `X = A X | B` has the solution `X = A* B`.

use super::allowance::Allowance;
use super::languages::Languages;
use gcc_grammar_ir::{Body, Expr, Grammar, NonterminalId, Symbol};
use gcc_grammar_regular::{Dfa, Regex};
use std::sync::Arc;

/// The largest number of rules in a system that is solved.
const MAX_RULES: usize = 40;

/// The side on which the rules of the system stand in their right parts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// At the end.
    Right,
    /// At the beginning.
    Left,
}

/// A linear form: the union of `constant` and, for each `i`, `coefficients[i]` concatenated with rule `i` of the system. None is the empty
/// language.
#[derive(Clone)]
struct Form {
    coefficients: Vec<Option<Regex>>,
    constant: Option<Regex>,
}

/// The languages of the rules of a component, if the system is linear. The languages of all other symbols that they use must be known.
pub(super) fn solve(
    grammar: &Grammar,
    component: &[NonterminalId],
    known: &Languages,
    allowance: &Allowance,
) -> Option<Vec<Arc<Dfa>>> {
    if component.len() > MAX_RULES {
        return None;
    }
    [Side::Right, Side::Left].into_iter().find_map(|side| {
        let system = System { grammar, component, known, side };
        let forms: Option<Vec<Form>> = component
            .iter()
            .map(|rule| match &grammar.rules[rule.index()].body {
                Body::Expr(expr) => system.form(expr),
                Body::Automaton(_) => None,
            })
            .collect();
        system.eliminate(forms?, allowance)
    })
}

/// A component whose rules are taken as equations.
struct System<'s> {
    grammar: &'s Grammar,
    component: &'s [NonterminalId],
    known: &'s Languages,
    side: Side,
}

/// The union of two languages.
fn either(a: Option<Regex>, b: Option<Regex>) -> Option<Regex> {
    match (a, b) {
        (Some(Regex::Union(mut parts)), Some(b)) => {
            parts.push(b);
            Some(Regex::Union(parts))
        }
        (Some(a), Some(b)) => Some(Regex::Union(vec![a, b])),
        (a, b) => a.or(b),
    }
}

impl System<'_> {
    fn constant(&self, constant: Option<Regex>) -> Form {
        Form { coefficients: vec![None; self.component.len()], constant }
    }

    /// The linear form of an expression; none if it is not linear on this side or uses a symbol that is not regular.
    fn form(&self, expr: &Expr) -> Option<Form> {
        match expr {
            Expr::Symbol(symbol) => self.symbol(*symbol),
            Expr::Choice(parts) => {
                let mut sum = self.constant(None);
                for part in parts {
                    sum = self.add(sum, self.form(part)?);
                }
                Some(sum)
            }
            Expr::Sequence(parts) => {
                let mut product = self.constant(Some(Regex::empty()));
                // The parts are multiplied from the linear end on.
                for index in 0..parts.len() {
                    let index = if self.side == Side::Right { parts.len() - 1 - index } else { index };
                    product = self.multiply(self.form(&parts[index])?, product)?;
                }
                Some(product)
            }
            Expr::Repeat { inner, min, max } => self.repeat(self.form(inner)?, *min, *max),
        }
    }

    fn symbol(&self, symbol: Symbol) -> Option<Form> {
        let own = self.component.iter().position(|rule| Symbol::Nonterminal(*rule) == symbol);
        match own {
            Some(index) => {
                let mut form = self.constant(None);
                form.coefficients[index] = Some(Regex::empty());
                Some(form)
            }
            None => Some(self.constant(Some(self.known.regex(self.grammar, symbol)?))),
        }
    }

    fn add(&self, a: Form, b: Form) -> Form {
        let coefficients = a.coefficients.into_iter().zip(b.coefficients);
        Form {
            coefficients: coefficients.map(|(a, b)| either(a, b)).collect(),
            constant: either(a.constant, b.constant),
        }
    }

    /// `far` stands on the far side of `near`, so it must be constant, unless `near` is the empty string.
    fn multiply(&self, far: Form, near: Form) -> Option<Form> {
        let is_constant = |form: &Form| form.coefficients.iter().all(Option::is_none);
        if is_constant(&near) && near.constant.as_ref().is_some_and(is_empty_string) {
            return Some(far);
        }
        if !is_constant(&far) {
            return None;
        }
        let Some(far) = far.constant else { return Some(self.constant(None)) };
        Some(self.scale(&far, near))
    }

    /// `far` concatenated with every language of the form.
    fn scale(&self, far: &Regex, near: Form) -> Form {
        let scale = |part: Option<Regex>| part.map(|part| self.join(far.clone(), part));
        Form {
            coefficients: near.coefficients.into_iter().map(scale).collect(),
            constant: scale(near.constant),
        }
    }

    /// The concatenation in the order of the text.
    fn join(&self, far: Regex, near: Regex) -> Regex {
        if is_empty_string(&far) {
            return near;
        }
        if is_empty_string(&near) {
            return far;
        }
        match self.side {
            Side::Right => far.then(near),
            Side::Left => near.then(far),
        }
    }

    fn repeat(&self, inner: Form, min: u32, max: Option<u32>) -> Option<Form> {
        if max.is_some_and(|max| max < min) {
            return Some(self.constant(None));
        }
        if inner.coefficients.iter().all(Option::is_none) {
            let constant = match inner.constant {
                Some(constant) => Some(constant.repeat(min, max)),
                None => (min == 0).then(Regex::empty),
            };
            return Some(self.constant(constant));
        }
        match (min, max) {
            (_, Some(0)) => Some(self.constant(Some(Regex::empty()))),
            (0, Some(1)) => Some(self.add(self.constant(Some(Regex::empty())), inner)),
            (1, Some(1)) => Some(inner),
            _ => None,
        }
    }

    /// Solves the equations one after the other. Intermediate results become automata, which keeps the expressions small.
    fn eliminate(&self, mut forms: Vec<Form>, allowance: &Allowance) -> Option<Vec<Arc<Dfa>>> {
        let count = forms.len();
        for index in 0..count {
            let mut solved = forms[index].clone();
            if let Some(own) = solved.coefficients[index].take() {
                solved = self.scale(&own.star(), solved);
            }
            let solved = compact(solved, allowance)?;
            for (other, form) in forms.iter_mut().enumerate().filter(|(other, _)| *other != index) {
                if let Some(factor) = form.coefficients[index].take() {
                    let sum = self.add(form.clone(), self.scale(&factor, solved.clone()));
                    *form = if other < index { compact(sum, allowance)? } else { sum };
                }
            }
            forms[index] = solved;
        }
        let language = |form: Form| match form.constant {
            Some(regex) => allowance.dfa(&regex),
            None => Some(Arc::new(Dfa::never())),
        };
        forms.into_iter().map(language).collect()
    }
}

fn is_empty_string(regex: &Regex) -> bool {
    matches!(regex, Regex::Literal(bytes) if bytes.is_empty())
}

/// The form with automata in place of expressions; none if one of them is too large.
fn compact(form: Form, allowance: &Allowance) -> Option<Form> {
    let compact = |part: Option<Regex>| match part {
        Some(part) if !is_empty_string(&part) => allowance.dfa(&part).map(|dfa| Some(Regex::Automaton(dfa))),
        other => Some(other),
    };
    Some(Form {
        coefficients: form.coefficients.into_iter().map(compact).collect::<Option<_>>()?,
        constant: compact(form.constant)?,
    })
}
