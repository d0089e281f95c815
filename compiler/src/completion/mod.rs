//! Finds the fewest tokens that complete a text, from every lexer state and parser stack.
//!
//! In: the LR tables and the lexer to decode with, and the trie of the vocabulary. Out: [`CompletionTables`], from
//! which the cost of a head, the number of tokens that complete its text, is read at the top of its stack.
//!
//! A completion is a sequence of lexemes, and a lexeme is spelled by tokens. The number is the least over the
//! completions in which each token lies within one lexeme, or in ignored text and the lexeme behind it. Other tokens can
//! only save some, so the number is an upper bound of the fewest tokens; and from every configuration some token leads
//! to one that costs one token less, because the number is that of a real completion. Each end token counts, too. If exact
//! costs are asked for, all tokens count ([`exact`]), and the number is the fewest.
//!
//! ```text
//! trie, lexer ──token_steps──▶ one-token steps ──lexemes──▶ tokens to the end of a lexeme
//!                                                             └──boundaries──▶ outcomes between lexemes
//! LR tables, outcomes ──summaries──▶ cost to pop a cell ──classes──▶ classes of cells, costs relative to a cell
//! ```
//! The stack's part of the cost is a number in every cell: the least cost to have the cell reduced and the rest below it
//! completed. Cells whose costs differ by a constant have the same *class*, so that a cell needs nothing but its class and
//! that number, and both follow from the cell below ([`classes`]). By how much a token can raise the cost at most
//! ([`loss`]) tells the runtime how long it need not ask.
//!
//! Sources: weighted pushdown systems (Reps, Schwoon, Jha, Melski 2005), whose `pre*` is computed by Knuth's
//! generalization of Dijkstra's algorithm (1977); determinization of weighted automata over the min-plus semiring
//! (Mohri 1997), for the automaton that reads the stack from its bottom.

mod boundaries;
mod classes;
mod exact;
mod lexemes;
mod loss;
mod members;
mod new_items;
pub mod reach;
mod remembered;
mod shortfall;
mod spans;
mod summaries;
mod tables;
mod token_dag;
mod token_steps;
mod tokens;

use crate::automata::{Automata, Decoding};
use crate::liveness::Liveness;
use crate::options::TokenBudgets;
use crate::terminal::{Paths, Weights};
use boundaries::{Boundaries, RawRows};
use gcc_grammar_artifact::grammar::{CompletionTables, DistinctTables};
use gcc_grammar_limits::{Budget, OverBudget, Resource};
use gcc_grammar_vocabulary::Vocabulary;
use lexemes::Lexemes;
use remembered::Remembered;
pub use shortfall::Shortfall;
pub(crate) use tokens::{Cost, Tokens};

/// The costs of completions, for all sequences of terminals that tokens can have.
pub(crate) struct Costs {
    tables: CompletionTables,
    /// What bounds the loss, if there is a bound.
    weights: Option<Weights>,
    /// Per record of remembered keys, and key: what a member costs.
    pub(crate) members: Vec<Vec<Cost>>,
}

impl Costs {
    /// The tables, for tokens with these sequences of terminals.
    pub(crate) fn finish(self, paths: &[Paths]) -> CompletionTables {
        let Self { mut tables, weights, .. } = self;
        if let Some(weights) = weights {
            tables.max_loss = paths.iter().map(|paths| paths.heaviest(&weights)).max().unwrap_or(0);
        }
        tables
    }
}

/// The costs of completions, the shortfall from the mode that was asked for, and the work and bytes that were spent.
#[derive(Default)]
pub(crate) struct Built {
    costs: Option<Costs>,
    shortfall: Option<Shortfall>,
    spent: (u64, u64),
}

/// Computes the costs of completions with a share of the budget that is left: a half for exact costs, a quarter for
/// bounds. The share is a budget of its own, so that another thread can charge this one, and so that a compilation never
/// fails because of completions.
pub(crate) fn build(
    automata: &Automata,
    vocabulary: &Vocabulary,
    distinct: Option<&DistinctTables>,
    budgets: TokenBudgets,
    budget: &Budget,
) -> Built {
    let within = |parts: u64, budgets: TokenBudgets| {
        let share = budget.fork_part(parts).stage("completion");
        let before = share.spent();
        let (costs, shortfall) = match build_within(automata, vocabulary, distinct, budgets, &share) {
            Ok(costs) => with_shortfall(costs, budgets),
            Err(over) => (None, Some(Shortfall::Limit(over))),
        };
        let after = share.spent();
        Built { costs, shortfall, spent: (after.0 - before.0, after.1 - before.1) }
    };
    match budgets {
        TokenBudgets::Off => Built::default(),
        TokenBudgets::Bounded => within(4, TokenBudgets::Bounded),
        TokenBudgets::Exact => match within(2, TokenBudgets::Exact) {
            Built { costs: None, shortfall, spent: (work, bytes) } => {
                let Built { costs, spent: (more_work, more_bytes), .. } = within(4, TokenBudgets::Bounded);
                Built { costs, shortfall, spent: (work + more_work, bytes + more_bytes) }
            }
            built => built,
        },
    }
}

impl Built {
    /// The costs, charged to the budget of the other stages; none if these have left too little.
    pub(crate) fn charged_to(self, budget: &Budget) -> (Option<Costs>, Option<Shortfall>) {
        let Self { costs, shortfall, spent: (work, bytes) } = self;
        let (limits, spent) = (budget.limits(), budget.spent());
        let over = match () {
            () if work > limits.work - spent.0 => budget.over(Resource::Work, limits.work),
            () if bytes > limits.bytes - spent.1 => budget.over(Resource::Bytes, limits.bytes),
            () => match budget.charge_work(work).and_then(|()| budget.charge_bytes(bytes)) {
                Ok(()) => return (costs, shortfall),
                Err(over) => over,
            },
        };
        (None, shortfall.or(Some(Shortfall::Limit(over))))
    }
}

/// Costs that were computed within the limits, and the shortfall: all of them, or that they are exact.
fn with_shortfall(
    costs: Result<Costs, Shortfall>,
    budgets: TokenBudgets,
) -> (Option<Costs>, Option<Shortfall>) {
    match costs {
        Ok(costs) => {
            let falls_short = budgets == TokenBudgets::Exact && !costs.tables.is_exact;
            (Some(costs), falls_short.then_some(Shortfall::Classes))
        }
        Err(shortfall) => (None, Some(shortfall)),
    }
}

fn build_within(
    automata: &Automata,
    vocabulary: &Vocabulary,
    distinct: Option<&DistinctTables>,
    budgets: TokenBudgets,
    budget: &Budget,
) -> Result<Result<Costs, Shortfall>, OverBudget> {
    let at_any_count = automata.decoding().lexer.at_any_count();
    let decoding = automata.decoding();
    let decoding = Decoding { lexer: at_any_count.as_ref().unwrap_or(decoding.lexer), ..decoding };
    let tokens = Tokens::new(vocabulary, &automata.symbols);
    let (mut lexemes, mut rows) = lexeme_ends(&decoding, &tokens, budgets, budget)?;
    let remembered = match distinct {
        Some(distinct) => {
            match Remembered::new(automata, distinct, &tokens, (&mut lexemes, &mut rows), budget)? {
                Ok(remembered) => Some(remembered),
                Err(shortfall) => return Ok(Err(shortfall)),
            }
        }
        None => None,
    };
    let boundaries = Boundaries::new(&decoding, &rows, budget)?;
    let summaries = summaries::Summaries::new(&decoding, &boundaries, budget)?;
    // What is remembered is paid for by the cheapest ways.
    let classes = classes::Classes::new(decoding.lr, &summaries, budget)?
        .filter(|classes| classes.are_complete() || remembered.is_none());
    let Some(classes) = classes else { return Ok(Err(Shortfall::Classes)) };

    let mut tables = tables::tables(&decoding, &lexemes, &boundaries, &summaries, &classes);
    tables.is_exact = budgets == TokenBudgets::Exact && classes.are_complete();
    let is_live = automata.live.liveness == Liveness::Certified && tokens.spell_all(decoding.lexer);
    let is_bounded = is_live && classes.are_complete();
    let mut weights = is_bounded.then(|| loss::weights(&decoding, &classes, &tables));
    if let (Some(remembered), Some(weights)) = (&remembered, &mut weights) {
        remembered.weigh(weights);
    }
    let members = remembered.map(|remembered| remembered.members.keys).unwrap_or_default();
    Ok(Ok(Costs { tables, weights, members }))
}

/// The ends of lexemes and the outcomes behind them: for all tokens, or for the tokens that lie within one lexeme.
fn lexeme_ends(
    decoding: &Decoding<'_>,
    tokens: &Tokens<'_>,
    budgets: TokenBudgets,
    budget: &Budget,
) -> Result<(Lexemes, RawRows), OverBudget> {
    if budgets == TokenBudgets::Exact {
        return exact::build(decoding.lexer, tokens, budget);
    }
    let steps = token_steps::TokenSteps::new(decoding.lexer, tokens, budget)?;
    let lexemes = Lexemes::new(decoding.lexer, tokens, &steps, budget)?;
    let rows = RawRows::new(decoding, tokens, &lexemes, budget)?;
    Ok((lexemes, rows))
}
