//! Leaves out reductions that nothing depends on: reductions by `B → A`, if all that the parser can do after `A` is to reduce by it.
//!
//! In: LR tables. Out: tables of the same language. If in all states that a goto on `A` leads to the only action is to reduce by
//! `B → A`, then a production of `A` is made a production of `B`, and these states are gone. A statement that is one of a thousand
//! kinds then is a statement as soon as it is complete, and minimization merges what the thousand kinds have in common.
//!
//! A state after `A` could refuse a terminal that other states before it have let pass. Now that terminal is refused in a state after
//! `B`: every stack of the tables is that of a viable prefix, so no terminal is shifted that no text has there.

use super::table::{Action, Entry, LrTables, predecessors};
use crate::ids::LrState;
use gcc_grammar_ir::NonterminalId;
use gcc_grammar_limits::{Budget, OverBudget};

/// Tables of the same language without such reductions.
///
/// # Errors
/// The budget is spent.
pub(crate) fn without_units(tables: LrTables, budget: &Budget) -> Result<LrTables, OverBudget> {
    budget.stage("lr").charge_work((tables.actions.items().len() + tables.states()) as u64 / 8)?;
    let stands_for = stands_for(&tables);
    if stands_for.iter().all(Option::is_none) {
        return Ok(tables);
    }
    let is_gone = |nonterminal: NonterminalId| stands_for[nonterminal.index()].is_some();
    let mut number = vec![None; tables.states()];
    let mut left = Vec::new();
    for (state, entry) in tables.entries().into_iter().enumerate() {
        if !matches!(entry, Entry::Goto(nonterminal) if is_gone(nonterminal)) {
            number[state] = Some(LrState::new(left.len()));
            left.push(state);
        }
    }
    let new = |state: LrState| {
        number[state.index()].expect("only gotos that are gone lead to states that are gone")
    };
    let new_action = |action| match action {
        Action::Shift(to) => Action::Shift(new(to)),
        reduce @ Action::Reduce(_) => reduce,
    };
    let actions = left.iter().map(|&state| {
        let row = tables.actions.row(state).iter();
        row.map(|&(terminal, action)| (terminal, new_action(action))).collect::<Vec<_>>()
    });
    let gotos = left.iter().map(|&state| {
        let row = tables.gotos.row(state).iter().filter(|&&(nonterminal, _)| !is_gone(nonterminal));
        row.map(|&(nonterminal, to)| (nonterminal, new(to))).collect::<Vec<_>>()
    });
    let (actions, gotos) = (actions.collect(), gotos.collect());
    let last = |nonterminal: NonterminalId| {
        // There is no cycle of unit productions.
        std::iter::successors(Some(nonterminal), |n| stands_for[n.index()]).last().unwrap_or(nonterminal)
    };
    let productions = tables.productions.iter().map(|&(lhs, length)| (last(lhs), length)).collect();
    let predecessors = predecessors(&actions, &gotos);
    Ok(LrTables { actions, gotos, productions, predecessors, ..tables })
}

/// Per nonterminal `A` that can be left out: the `B` to which it is always reduced.
fn stands_for(tables: &LrTables) -> Vec<Option<NonterminalId>> {
    /// The findings about a nonterminal so far.
    #[derive(Clone, Copy, PartialEq)]
    enum Known {
        Nothing,
        Unit(NonterminalId),
        Needed,
    }
    let mut known = vec![Known::Nothing; tables.nonterminals];
    for (state, entry) in tables.entries().into_iter().enumerate() {
        let Entry::Goto(nonterminal) = entry else { continue };
        let own = match only_reduction(tables, state) {
            Some((lhs, 1)) => Known::Unit(lhs),
            _ => Known::Needed,
        };
        let all = &mut known[nonterminal.index()];
        *all = if *all == Known::Nothing || *all == own { own } else { Known::Needed };
    }
    let unit = |known| if let Known::Unit(lhs) = known { Some(lhs) } else { None };
    known.into_iter().map(unit).collect()
}

/// The left-hand side and length of the production that a state reduces by, if that is all it does.
fn only_reduction(tables: &LrTables, state: usize) -> Option<(NonterminalId, u32)> {
    let mut reductions = tables.actions.row(state).iter().map(|&(_, action)| match action {
        Action::Reduce(by) => Some(tables.productions[by.index()]),
        Action::Shift(_) => None,
    });
    let first = reductions.next()??;
    (tables.gotos.row(state).is_empty() && reductions.all(|other| other == Some(first))).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lr;
    use crate::normalize::normalize;
    use gcc_grammar_ir::TerminalId;
    use gcc_grammar_notations::lark;

    /// The tables of a grammar: as it is written, and without units, both minimized.
    fn tables(text: &str) -> [LrTables; 2] {
        let grammar = lark::parse(text).expect("valid").grammar;
        let budget = Budget::unlimited("test");
        let cfg = normalize(&grammar, &vec![true; grammar.terminals.len()], &budget).expect("sound");
        let kinds = vec![0; cfg.terminal_count];
        let plain = lr::build(&cfg, &budget).expect("small");
        let without = without_units(lr::build(&cfg, &budget).expect("small"), &budget).expect("small");
        [plain, without].map(|tables| lr::minimize(&tables, &kinds, &budget).expect("small"))
    }

    /// Compares the texts of up to `length` terminals that are accepted. Returns their number.
    fn compare([plain, without]: &[LrTables; 2], length: usize) -> usize {
        let mut texts: Vec<Vec<TerminalId>> = vec![vec![]];
        let mut accepted = 0;
        for _ in 0..=length {
            for text in &texts {
                assert_eq!(plain.accepts(text), without.accepts(text), "{text:?}");
                accepted += usize::from(plain.accepts(text));
            }
            let terminals = || (0..plain.terminals).map(TerminalId::new).filter(|&t| t != plain.end);
            texts =
                texts.iter().flat_map(|text| terminals().map(|t| [text.as_slice(), &[t]].concat())).collect();
        }
        accepted
    }

    #[test]
    fn kinds_of_statements_are_one() {
        let kinds = |n: usize| {
            let names: Vec<String> = (0..n).map(|i| format!("k{i}")).collect();
            let rules: Vec<String> = (0..n).map(|i| format!("k{i}: \"v{i}\" \"n\" \";\"\n")).collect();
            tables(&format!("start: s*\ns: {}\n{}", names.join(" | "), rules.concat()))
        };
        assert!(compare(&kinds(2), 7) > 3);
        let [few, many] = [3, 30].map(|n| kinds(n)[1].states());
        assert_eq!(few, many, "states for 3 and 30 kinds");
        assert!(kinds(30)[0].states() > 60);
    }

    #[test]
    fn nonterminals_that_are_needed_stay() {
        // `a` is an `s`, but before "c" it is none; `e` and `f` differ by what follows.
        let needed = [
            "start: s\ns: a | \"b\" a \"c\"\na: \"x\" | a \"y\"\n",
            "start: \"a\" e \"c\" | \"a\" f \"d\" | \"b\" f \"c\" | \"b\" e \"d\"\ne: \"e\"\nf: \"e\"\n",
            "start: e\ne: e \"+\" t | t\nt: t \"*\" p | p\np: \"(\" e \")\" | n\nn: \"1\" | \"2\"\n",
            "start: x | y\nx: \"a\" x | \"a\"\ny: z\nz: \"b\" y | \"b\"\n",
            "start: (p | q)*\np: \"a\" | \"a\" \"b\"\nq: r\nr: \"b\" | \"b\" \"a\" | q \"c\"\n",
        ];
        for text in needed {
            assert!(compare(&tables(text), 6) > 1, "{text}");
        }
    }
}
