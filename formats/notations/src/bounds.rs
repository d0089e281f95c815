//! The bounds of a rule that is one lexeme: `lazy`, `max_chars` and `max_tokens`, with the meaning that they have in llguidance and XGrammar.

use gcc_grammar_ir::special;
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{Dfa, Regex, RegularLimits};
use std::sync::Arc;

/// Where the texts of a rule end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Bounds {
    /// At the first place where they can.
    pub(crate) lazy: bool,
    /// From this many characters on, at the first place where the body can end.
    pub(crate) max_chars: Option<u32>,
    /// From this many tokens on, at the first place where the body can end.
    pub(crate) max_tokens: Option<u32>,
}

impl Bounds {
    /// Whether there are bounds on the texts, which do not depend on tokens.
    pub(crate) fn has_texts(self) -> bool {
        self.lazy || self.max_chars.is_some()
    }

    /// The texts of a lexeme, which none of them begins another, and the texts of its `body` with the mark of the limit on tokens behind them:
    /// where the limit is reached, the lexeme ends without what would have to follow its body.
    pub(crate) fn closing(texts: &Dfa, body: &Regex, limits: &RegularLimits) -> Result<Dfa, OverBudget> {
        let closed = body.clone().then(Regex::Literal(special::LIMIT.to_vec())).to_dfa(limits)?;
        texts.union(&closed, limits)?.shortest_matches(limits)
    }

    /// The texts of `body`, followed by the suffix, within the bounds.
    pub(crate) fn apply(
        self,
        body: &Regex,
        suffix: Option<Regex>,
        limits: &RegularLimits,
    ) -> Result<Dfa, OverBudget> {
        if self.max_tokens == Some(0) {
            return Regex::empty().to_dfa(limits);
        }
        let has_suffix = suffix.is_some();
        let whole = body.clone().then(suffix.unwrap_or(Regex::empty())).to_dfa(limits)?;
        let whole = if self.lazy { whole.shortest_matches(limits)? } else { whole };
        let Some(most) = self.max_chars else { return Ok(whole) };
        let characters = |min, max| Regex::any_char().repeat(min, max).to_dfa(limits);
        let within = whole.intersect(&characters(0, Some(most))?, limits)?;
        // A suffix that has not come by then is left out. The body goes on until it can end.
        let ends = match has_suffix {
            true => whole.union(&body.to_dfa(limits)?, limits)?,
            false => whole,
        };
        let late = ends.intersect(&characters(most, None)?, limits)?.shortest_matches(limits)?;
        if !self.lazy {
            return within.union(&late, limits);
        }
        let complete = Regex::Automaton(Arc::new(within.clone())).then(Regex::any_char().plus());
        within.union(&late.difference(&complete.to_dfa(limits)?, limits)?, limits)
    }
}
