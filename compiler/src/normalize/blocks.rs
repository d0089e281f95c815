//! Counts long repetitions in blocks whose lengths are powers of two.
//!
//! In: a sequence of symbols, the *unit*, and the least and greatest number of its repetitions. Out: productions
//! whose number grows with the logarithm of the count, where a chain of helpers would have one for each count.
//!
//! ```text
//! B(1) -> unit        B(2k) -> B(k) B(k)                                   exactly so many
//! U(n) -> B(p) | B(p) U(n - p) | U(p - 1)                                  1 to n, for the greatest power p <= n
//! ```
//! A number has one binary representation, so a repetition has one derivation: blocks of decreasing lengths. The
//! parser need not know the first block before it has read it: after a unit, the items of all blocks that begin with
//! it are in one LR state, and two blocks of the same length become the next longer one, as in a binary counter. So
//! there are no conflicts that a chain of helpers does not have.

use super::expression::{HelperKey, Lowering};
use gcc_grammar_ir::{NonterminalId, Symbol};
use gcc_grammar_limits::OverBudget;

impl Lowering<'_, '_> {
    /// `least` to `most` of `unit`, with `1 <= least <= most`.
    pub(super) fn in_blocks(
        &mut self,
        unit: &[Symbol],
        least: u32,
        most: u32,
    ) -> Result<Vec<Vec<Symbol>>, OverBudget> {
        if least == 1 {
            return Ok(vec![vec![self.up_to(unit, most)?]]);
        }
        let exactly = vec![self.exactly(unit, least)?];
        if least == most {
            return Ok(vec![exactly]);
        }
        let more = self.up_to(unit, most - least)?;
        Ok(vec![exactly.clone(), [exactly, vec![more]].concat()])
    }

    /// Exactly `n >= 1` of `unit`: the blocks of the binary representation of `n`, the longest first.
    fn exactly(&mut self, unit: &[Symbol], n: u32) -> Result<Symbol, OverBudget> {
        let id = self.unit_id(unit);
        let helper = self.helper(HelperKey::Count(id, n), |lowering, _| {
            if n.is_power_of_two() {
                return Ok(vec![lowering.halves(unit, n)?]);
            }
            let lengths = (0..u32::BITS).rev().map(|bit| 1 << bit).filter(|length| n & length != 0);
            let blocks: Result<Vec<Symbol>, OverBudget> =
                lengths.map(|length| lowering.exactly(unit, length)).collect();
            Ok(vec![blocks?])
        })?;
        Ok(Symbol::Nonterminal(helper))
    }

    /// The right-hand side of a block.
    fn halves(&mut self, unit: &[Symbol], length: u32) -> Result<Vec<Symbol>, OverBudget> {
        match length {
            1 => Ok(unit.to_vec()),
            _ => {
                let half = self.exactly(unit, length / 2)?;
                Ok(vec![half, half])
            }
        }
    }

    /// At least one and at most `n` of `unit`.
    fn up_to(&mut self, unit: &[Symbol], n: u32) -> Result<Symbol, OverBudget> {
        let id = self.unit_id(unit);
        let helper: NonterminalId = self.helper(HelperKey::UpTo(id, n), |lowering, _| {
            let length = 1 << n.ilog2();
            let block = lowering.exactly(unit, length)?;
            let mut alternatives = vec![vec![block]];
            if n > length {
                alternatives.push(vec![block, lowering.up_to(unit, n - length)?]);
            }
            if length > 1 {
                alternatives.push(vec![lowering.up_to(unit, length - 1)?]);
            }
            Ok(alternatives)
        })?;
        Ok(Symbol::Nonterminal(helper))
    }
}

#[cfg(test)]
mod tests {
    use crate::lr;
    use crate::normalize::{interpret, normalize};
    use gcc_grammar_ir::{
        Body, ContextRules, Discipline, Expr, Grammar, NonterminalId, Pattern, Rule, Symbol, Terminal,
        TerminalId,
    };
    use gcc_grammar_limits::Budget;
    use gcc_grammar_regular::Regex;

    /// `a{least,most} b`, or without bound.
    fn counted(least: u32, most: Option<u32>) -> Grammar {
        let terminal = |name: &str| Terminal {
            name: name.to_owned(),
            pattern: Pattern::Regex(Regex::literal(name)),
            priority: 0,
            literal: true,
        };
        let symbol = |id| Expr::Symbol(Symbol::Terminal(TerminalId(id)));
        let counted = Expr::Repeat { inner: Box::new(symbol(0)), min: least, max: most };
        let body = Body::Expr(Expr::Sequence(vec![counted, symbol(1)]));
        Grammar {
            terminals: vec![terminal("a"), terminal("b")],
            rules: vec![Rule { name: "start".to_owned(), body, location: None }],
            start: NonterminalId(0),
            ignored: Vec::new(),
            contexts: ContextRules::default(),
            discipline: Discipline::AnySplit,
        }
    }

    #[test]
    fn blocks_count_exactly_and_without_conflicts() {
        let budget = Budget::unlimited("test");
        for (least, most) in [
            (0, Some(1001)),
            (1, Some(1023)),
            (1, Some(1024)),
            (2, Some(1025)),
            (1000, Some(1500)),
            (1024, Some(1024)),
            (1337, Some(1337)),
            (1001, None),
        ] {
            let cfg = normalize(&counted(least, most), &[true; 2], &budget).expect("sound");
            assert!(cfg.productions.len() < 100, "{least} to {most:?}: {}", cfg.productions.len());
            let tables = lr::build(&cfg, &budget).expect("unlimited");
            assert_eq!(tables.conflicts(), 0, "{least} to {most:?}");
            let ends = [0, 1, 2, 3, 511, 512, 513, 767, 1000, 1001, 1002, 1023, 1024, 1025, 1337, 1400, 1499];
            let bounds = [least.saturating_sub(1), least, most.unwrap_or(least) + 1, most.unwrap_or(least)];
            for count in ends.into_iter().chain(bounds) {
                let mut text = vec![TerminalId(0); count as usize];
                text.push(TerminalId(1));
                let expected = count >= least && most.is_none_or(|most| count <= most);
                assert_eq!(tables.accepts(&text), expected, "{count} of {least} to {most:?}");
            }
        }
    }

    #[test]
    fn the_productions_define_the_count() {
        let budget = Budget::unlimited("test");
        let cfg = normalize(&counted(2, Some(1001)), &[true; 2], &budget).expect("sound");
        for count in [0, 1, 2, 3, 7, 16, 33] {
            let mut text = vec![TerminalId(0); count];
            text.push(TerminalId(1));
            assert_eq!(interpret(&cfg, &text), count >= 2, "{count}");
        }
    }
}
