//! Solves systems of right-linear or left-linear rules.
//!
//! Input: the rules of one strongly connected component, and the languages of all other symbols that they use. Output: the automata of
//! the rules, or none if the system is not linear on one side. The equations are solved by elimination with Arden's lemma, as Gauss's
//! algorithm solves linear equations: `X = A X | B` has the solution `X = A* B`.

use super::allowance::Allowance;
use super::languages::Languages;
use gcc_grammar_ir::{Body, Expr, Grammar, NonterminalId, Symbol};
use gcc_grammar_regular::{Dfa, Regex};
use std::collections::BTreeMap;
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

/// A linear form: the union of `constant` and, for each `i`, `coefficients[i]` concatenated with rule `i` of the system. What is missing is the empty
/// language.
#[derive(Clone, Default)]
struct Form {
    coefficients: BTreeMap<usize, Regex>,
    constant: Option<Regex>,
}

impl Form {
    fn constant(constant: Option<Regex>) -> Self {
        Self { constant, ..Self::default() }
    }

    fn is_constant(&self) -> bool {
        self.coefficients.is_empty()
    }
}

impl Languages {
    /// Solves the equations of rules that use each other, if they are regular.
    pub(super) fn solve(&mut self, grammar: &Grammar, component: &[NonterminalId], allowance: &Allowance) {
        let solved = solve(grammar, component, self, allowance);
        for (rule, language) in component.iter().zip(solved.into_iter().flatten()) {
            self.rules[rule.index()] = Some(language);
        }
    }
}

/// The languages of the rules of a component, if the system is linear. The languages of all other symbols that they use must be known.
fn solve(
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
    /// The linear form of an expression; none if it is not linear on this side or uses a symbol that is not regular.
    fn form(&self, expr: &Expr) -> Option<Form> {
        let form = expr.try_fold(|expr, parts| {
            let form = match expr {
                Expr::Symbol(symbol) => self.symbol(*symbol),
                Expr::Choice(_) => {
                    Some(parts.into_iter().fold(Form::default(), |sum, part| self.add(sum, part)))
                }
                Expr::Sequence(_) => self.product(parts),
                Expr::Repeat { min, max, .. } => {
                    parts.into_iter().next().and_then(|inner| self.repeat(inner, *min, *max))
                }
            };
            form.ok_or(())
        });
        form.ok()
    }

    fn symbol(&self, symbol: Symbol) -> Option<Form> {
        let own = self.component.iter().position(|rule| Symbol::Nonterminal(*rule) == symbol);
        match own {
            Some(index) => {
                Some(Form { coefficients: BTreeMap::from([(index, Regex::empty())]), constant: None })
            }
            None => Some(Form::constant(Some(self.known.regex(self.grammar, symbol)?))),
        }
    }

    fn add(&self, mut a: Form, b: Form) -> Form {
        for (index, factor) in b.coefficients {
            let sum = either(a.coefficients.remove(&index), Some(factor));
            a.coefficients.extend(sum.map(|sum| (index, sum)));
        }
        Form { constant: either(a.constant, b.constant), ..a }
    }

    /// The parts of a sequence. Only the one at the linear end, not counting empty strings, need not be constant.
    fn product(&self, parts: Vec<Form>) -> Option<Form> {
        let is_empty =
            |form: &Form| form.is_constant() && form.constant.as_ref().is_some_and(is_empty_string);
        let mut parts: Vec<Form> = parts.into_iter().filter(|part| !is_empty(part)).collect();
        if self.side == Side::Left {
            parts.reverse();
        }
        let Some(near) = parts.pop() else { return Some(Form::constant(Some(Regex::empty()))) };
        if !parts.iter().all(Form::is_constant) {
            return None;
        }
        if self.side == Side::Left {
            parts.reverse();
        }
        let far: Option<Vec<Regex>> = parts.into_iter().map(|part| part.constant).collect();
        let Some(mut far) = far else { return Some(Form::constant(None)) };
        Some(match far.len() {
            0 => near,
            1 => self.scale(&far.remove(0), near),
            _ => self.scale(&Regex::Concat(far), near),
        })
    }

    /// `far` concatenated with every language of the form.
    fn scale(&self, far: &Regex, near: Form) -> Form {
        let coefficients = near.coefficients.into_iter();
        Form {
            coefficients: coefficients.map(|(index, part)| (index, self.join(far.clone(), part))).collect(),
            constant: near.constant.map(|part| self.join(far.clone(), part)),
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
            return Some(Form::default());
        }
        if inner.is_constant() {
            let constant = match inner.constant {
                Some(constant) => Some(constant.repeat(min, max)),
                None => (min == 0).then(Regex::empty),
            };
            return Some(Form::constant(constant));
        }
        match (min, max) {
            (_, Some(0)) => Some(Form::constant(Some(Regex::empty()))),
            (0, Some(1)) => Some(self.add(Form::constant(Some(Regex::empty())), inner)),
            (1, Some(1)) => Some(inner),
            _ => None,
        }
    }

    /// Solves the equations one after the other. Intermediate results become automata, which keeps the expressions small.
    fn eliminate(&self, mut forms: Vec<Form>, allowance: &Allowance) -> Option<Vec<Arc<Dfa>>> {
        let count = forms.len();
        for index in 0..count {
            let mut solved = forms[index].clone();
            if let Some(own) = solved.coefficients.remove(&index) {
                solved = self.scale(&own.star(), solved);
            }
            let solved = compact(solved, allowance)?;
            for (other, form) in forms.iter_mut().enumerate().filter(|(other, _)| *other != index) {
                if let Some(factor) = form.coefficients.remove(&index) {
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
    let compact = |part: Regex| match is_empty_string(&part) {
        true => Some(part),
        false => allowance.dfa(&part).map(Regex::Automaton),
    };
    let coefficients = form.coefficients.into_iter().map(|(index, part)| Some((index, compact(part)?)));
    Some(Form {
        coefficients: coefficients.collect::<Option<_>>()?,
        constant: match form.constant {
            Some(part) => Some(compact(part)?),
            None => None,
        },
    })
}
