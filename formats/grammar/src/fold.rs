//! Folds of expressions and other trees without recursion, however deep they are nested.

use crate::grammar::{Expr, Symbol};

impl Expr {
    /// The direct parts of the expression.
    #[must_use]
    pub fn parts(&self) -> &[Self] {
        match self {
            Self::Symbol(_) => &[],
            Self::Sequence(parts) | Self::Choice(parts) => parts,
            Self::Repeat { inner, .. } => std::slice::from_ref(&**inner),
        }
    }

    /// Folds the expression from its symbols up: `join` is given an expression and the results of its parts.
    pub fn fold<'e, T>(&'e self, mut join: impl FnMut(&'e Self, Vec<T>) -> T) -> T {
        match self.try_fold(|expr, parts| Ok::<T, std::convert::Infallible>(join(expr, parts))) {
            Ok(folded) => folded,
            Err(never) => match never {},
        }
    }

    /// Folds the expression like [`fold`](Self::fold), up to the first error.
    ///
    /// # Errors
    /// That of `join`.
    pub fn try_fold<'e, T, E>(&'e self, join: impl FnMut(&'e Self, Vec<T>) -> Result<T, E>) -> Result<T, E> {
        try_fold(self, |expr| expr.parts().iter(), join)
    }

    /// Puts expressions in the places of the symbols that have one in `new`, which is asked in order.
    pub fn replace(&mut self, new: &mut impl FnMut(Symbol) -> Option<Self>) {
        match self {
            Self::Symbol(symbol) => {
                if let Some(new) = new(*symbol) {
                    *self = new;
                }
            }
            Self::Sequence(parts) | Self::Choice(parts) => {
                parts.iter_mut().for_each(|part| part.replace(new))
            }
            Self::Repeat { inner, .. } => inner.replace(new),
        }
    }
}

/// Folds a tree from its leaves up, without recursion: `join` is given a node and the results of its `parts`.
///
/// # Errors
/// The first one of `join`.
pub fn try_fold<N: Copy, I: Iterator<Item = N>, T, E>(
    root: N,
    parts: impl Fn(N) -> I,
    mut join: impl FnMut(N, Vec<T>) -> Result<T, E>,
) -> Result<T, E> {
    let (mut open, mut at) = (Vec::new(), (root, parts(root), Vec::new()));
    loop {
        if let Some(next) = at.1.next() {
            open.push(std::mem::replace(&mut at, (next, parts(next), Vec::new())));
            continue;
        }
        let (node, _, done) = at;
        let folded = join(node, done)?;
        at = match open.pop() {
            Some(around) => around,
            None => return Ok(folded),
        };
        at.2.push(folded);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::TerminalId;

    #[test]
    fn parts_are_joined_in_their_order() {
        let symbol = |id| Expr::Symbol(Symbol::Terminal(TerminalId(id)));
        let list =
            Expr::Repeat { inner: Box::new(Expr::Choice(vec![symbol(1), symbol(2)])), min: 0, max: None };
        let expr = Expr::Sequence(vec![symbol(0), list, Expr::Sequence(Vec::new()), symbol(3)]);
        let text = expr.fold(|expr, parts: Vec<String>| match expr {
            Expr::Symbol(Symbol::Terminal(id)) => id.0.to_string(),
            Expr::Repeat { .. } => format!("{}*", parts.concat()),
            _ => format!("({})", parts.join(" ")),
        });
        assert_eq!(text, "(0 (1 2)* () 3)");
        let first: Result<(), u32> = expr.try_fold(|expr, _| match expr {
            Expr::Symbol(Symbol::Terminal(id)) if id.0 > 0 => Err(id.0),
            _ => Ok(()),
        });
        assert_eq!(first, Err(1));
    }
}
