//! Context-free grammars as lists of productions, for the LALR(1) tables of the oracle.
//!
//! In: the right-hand sides of a grammar as positions. Out: productions that are not empty. Afterwards every nonterminal is
//! productive and reachable.

use super::lexicon::Lexicon;
use super::right_part::{PositionId, RightParts};
use crate::Vocabulary;
use gcc_grammar_ir::{Grammar, NonterminalId, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// A context-free grammar without empty right-hand sides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cfg {
    /// The left-hand side and the right-hand side, which is never empty.
    pub productions: Vec<(NonterminalId, Vec<Symbol>)>,
    /// The start symbol. Without productions the language has at most the empty text.
    pub start: NonterminalId,
    /// Whether the empty text is in the language.
    pub accepts_empty: bool,
}

impl Cfg {
    /// The productions of a grammar, for tests without the productions of the compiler, see [`Self::from_right_parts`].
    #[must_use]
    pub fn new(grammar: &Grammar, vocabulary: &Vocabulary) -> Self {
        let inhabited = Lexicon::new(grammar, vocabulary).inhabited();
        Self::from_right_parts(&RightParts::new(grammar, &inhabited), grammar.start)
    }

    /// Makes left-linear productions: there is a nonterminal for each position, which derives the texts that lead to the position.
    ///
    /// Nullable nonterminals may be left out of right-hand sides, so that each derives only texts that are not empty.
    #[must_use]
    pub fn from_right_parts(parts: &RightParts, start: NonterminalId) -> Self {
        let nullable = parts.nullable();
        let positions: Vec<_> =
            (0..parts.positions.len()).map(|index| pass_over(parts, &nullable, index)).collect();
        let entered: BTreeSet<PositionId> =
            positions.iter().flat_map(|(_, steps)| steps).map(|step| step.1).collect();
        let prefix = |position: usize| NonterminalId::new(parts.starts.len() + position);
        let mut productions = BTreeSet::new();
        for (index, (_, steps)) in positions.iter().enumerate() {
            let owner = parts.positions[index].owner;
            let mut heads = Vec::new();
            if parts.starts[owner.index()].index() == index {
                heads.push(None);
            }
            if entered.contains(&PositionId::new(index)) {
                heads.push(Some(Symbol::Nonterminal(prefix(index))));
            }
            for &(symbol, target) in steps {
                for head in &heads {
                    let right: Vec<Symbol> = head.iter().copied().chain([symbol]).collect();
                    let (accepting, onward) = &positions[target.index()];
                    if *accepting {
                        productions.insert((owner, right.clone()));
                    }
                    if !onward.is_empty() {
                        productions.insert((prefix(target.index()), right));
                    }
                }
            }
        }
        let mut cfg = Self {
            productions: productions.into_iter().collect(),
            start,
            accepts_empty: nullable[start.index()],
        };
        cfg.drop_useless();
        cfg
    }

    /// Whether some nonterminal derives itself, so that a text has infinitely many derivations.
    #[must_use]
    pub fn is_cyclic(&self) -> bool {
        let mut derives: BTreeMap<NonterminalId, BTreeSet<NonterminalId>> = BTreeMap::new();
        for (left, right) in &self.productions {
            if let [Symbol::Nonterminal(only)] = right[..] {
                derives.entry(*left).or_default().insert(only);
            }
        }
        let all: Vec<NonterminalId> = derives.keys().copied().collect();
        all.iter().any(|&from| {
            let mut seen = BTreeSet::new();
            let mut pending = vec![from];
            while let Some(current) = pending.pop() {
                let fresh = derives.get(&current).into_iter().flatten().filter(|&&next| seen.insert(next));
                pending.extend(fresh);
            }
            seen.contains(&from)
        })
    }

    /// Removes productions that are not productive or not reachable.
    fn drop_useless(&mut self) {
        let mut productive = BTreeSet::new();
        let mut known = usize::MAX;
        while known != productive.len() {
            known = productive.len();
            for (left, right) in &self.productions {
                if nonterminals(right).all(|nonterminal| productive.contains(&nonterminal)) {
                    productive.insert(*left);
                }
            }
        }
        self.productions
            .retain(|(_, right)| nonterminals(right).all(|nonterminal| productive.contains(&nonterminal)));
        let mut reached = BTreeSet::from([self.start]);
        let mut pending = vec![self.start];
        while let Some(current) = pending.pop() {
            let bodies = self.productions.iter().filter(|production| production.0 == current);
            pending.extend(
                bodies
                    .flat_map(|production| nonterminals(&production.1))
                    .filter(|&next| reached.insert(next)),
            );
        }
        self.productions.retain(|(left, _)| reached.contains(left));
    }
}

fn nonterminals(right: &[Symbol]) -> impl Iterator<Item = NonterminalId> {
    right.iter().filter_map(|symbol| match symbol {
        Symbol::Terminal(_) => None,
        Symbol::Nonterminal(nonterminal) => Some(*nonterminal),
    })
}

/// The steps of a position, and whether it may be the last one, if nullable nonterminals are left out.
fn pass_over(parts: &RightParts, nullable: &[bool], index: usize) -> (bool, Vec<(Symbol, PositionId)>) {
    let mut seen = BTreeSet::from([index]);
    let mut pending = vec![index];
    let mut accepting = false;
    let mut steps = BTreeSet::new();
    while let Some(current) = pending.pop() {
        let position = &parts.positions[current];
        accepting |= position.accepting;
        for &(symbol, target) in &position.steps {
            steps.insert((symbol, target));
            if matches!(symbol, Symbol::Nonterminal(nonterminal) if nullable[nonterminal.index()])
                && seen.insert(target.index())
            {
                pending.push(target.index());
            }
        }
    }
    (accepting, steps.into_iter().collect())
}
