//! Lexical contexts: for every LR state, the terminals that may start a lexeme there.
//!
//! Under longest match two contexts are merged when no terminal of one can disturb a terminal of the other, so that
//! the merged context cuts every text as the separate ones do (the idea of tree-sitter's token conflict map). What the parser
//! refuses anyway it still refuses; what it would take, but is withheld, is never added. Otherwise a programming language would get
//! one full lexer per context.

use super::runs::{RunId, Runs};
use crate::ids::{ContextId, LrState};
use crate::limits::OverBudget;
use crate::lr::{Entry, LrTables};
use crate::partition::number;
use gcc_grammar_ir::{After, ContextRules, Discipline, Grammar, TerminalId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Runs explored at most to find out who disturbs whom; beyond that, contexts stay apart.
const MAX_RUNS: usize = 20_000;

/// The contexts and who has which.
#[derive(Clone, Debug)]
pub struct Contexts {
    /// Per LR state.
    pub of_state: Vec<ContextId>,
    /// Per context: its terminals, the ignored ones included, sorted.
    pub terminals: Vec<Vec<TerminalId>>,
}

impl Contexts {
    /// The context of an LR state.
    #[must_use]
    pub fn of(&self, state: LrState) -> ContextId {
        self.of_state[state.index()]
    }
}

/// Per distinct context: terminals that are not recognized there, although the parser expects them in one of its states or would ignore them.
pub(super) type Withheld = Vec<Vec<TerminalId>>;

/// One context per distinct set of terminals. A lexeme starts in the start state or after a shift; the other states get the context of
/// the start state, which is not looked at.
pub(super) fn distinct(grammar: &Grammar, tables: &LrTables) -> (Contexts, Withheld) {
    let mut ids: FxHashMap<Vec<TerminalId>, ContextId> = FxHashMap::default();
    let mut out = Contexts { of_state: Vec::new(), terminals: Vec::new() };
    let mut withheld = Withheld::new();
    for (state, entry) in tables.entries().into_iter().enumerate() {
        let lexeme = match entry {
            Entry::Start => None,
            // After the others the same is recognized (`kinds`).
            Entry::Shift(lexemes) => Some(lexemes[0]),
            Entry::Goto(_) => {
                out.of_state.push(out.of_state[0]);
                continue;
            }
        };
        let expected = tables.actions.row(state).iter().map(|&(t, _)| t);
        let set = recognized(grammar, expected.clone(), lexeme);
        let taken = expected.chain(grammar.ignored.iter().copied());
        let unrecognized: Vec<TerminalId> = taken.filter(|t| set.binary_search(t).is_err()).collect();
        let id = *ids.entry(set).or_insert_with_key(|set| {
            out.terminals.push(set.clone());
            withheld.push(Vec::new());
            ContextId::new(out.terminals.len() - 1)
        });
        withheld[id.index()].extend(unrecognized);
        out.of_state.push(id);
    }
    (out, withheld)
}

/// Per terminal, a number: after lexemes of the same kind the same terminals are recognized, if the parser expects the same.
#[must_use]
pub fn kinds(grammar: &Grammar, terminals: usize) -> Vec<u32> {
    let is_after = |lexeme| -> Vec<bool> {
        grammar.contexts.after.iter().map(|after| after.lexemes.contains(&lexeme)).collect()
    };
    number((0..terminals).map(TerminalId::new).map(is_after))
}

/// What is recognized where the parser expects these terminals after this lexeme, sorted.
fn recognized(
    grammar: &Grammar,
    expected: impl Iterator<Item = TerminalId>,
    lexeme: Option<TerminalId>,
) -> Vec<TerminalId> {
    let mut set: Vec<TerminalId> = expected.collect();
    if grammar.discipline == Discipline::LongestMatch {
        let ContextRules { everywhere, after, verbatim } = &grammar.contexts;
        let is_verbatim = set.iter().any(|t| verbatim.contains(t));
        if !is_verbatim {
            set.extend(everywhere.iter().chain(&grammar.ignored));
        }
        set.retain(|t| after.iter().all(|after| after.terminal != *t));
        let follows = |after: &&After| lexeme.is_some_and(|lexeme| after.lexemes.contains(&lexeme));
        set.extend(after.iter().filter(follows).map(|after| after.terminal));
    } else {
        set.extend(&grammar.ignored);
    }
    set.sort_unstable();
    set.dedup();
    set
}

/// Merges contexts that cannot disturb each other, greedily, largest first.
pub(super) fn merge(
    contexts: &mut Contexts,
    withheld: &Withheld,
    runs: &mut Runs<'_>,
) -> Result<(), OverBudget> {
    let Some(disturbers) = disturbers(contexts, runs)? else { return Ok(()) };
    let words = runs.terminal_count().div_ceil(64);
    let mut order: Vec<usize> = (0..contexts.terminals.len()).collect();
    order.sort_by_key(|&c| (std::cmp::Reverse(contexts.terminals[c].len()), c));
    let mut merged: Vec<Merged> = Vec::new();
    let mut new_id = vec![ContextId(0); order.len()];
    for c in order {
        let mut member = Member::new(&contexts.terminals[c], &disturbers, words);
        withheld[c].iter().for_each(|t| set_bit(&mut member.disturbed_by, *t));
        let found = merged.iter().position(|m| m.admits(&member));
        let id = found.unwrap_or_else(|| {
            merged.push(Merged { all: vec![0; words], members: Vec::new() });
            merged.len() - 1
        });
        merged[id].all.iter_mut().zip(&member.set).for_each(|(a, b)| *a |= b);
        merged[id].members.push(member);
        new_id[c] = ContextId::new(id);
    }
    contexts.terminals = merged.iter().map(|m| bits(&m.all).map(TerminalId::new).collect()).collect();
    contexts.of_state.iter_mut().for_each(|c| *c = new_id[c.index()]);
    Ok(())
}

/// A context as a bit set, with all the terminals that would disturb one of its own, and those that are withheld from it.
struct Member {
    set: Vec<u64>,
    disturbed_by: Vec<u64>,
}

impl Member {
    fn new(terminals: &[TerminalId], disturbers: &[Vec<u64>], words: usize) -> Self {
        let mut out = Self { set: vec![0; words], disturbed_by: vec![0; words] };
        for t in terminals {
            set_bit(&mut out.set, *t);
            out.disturbed_by.iter_mut().zip(&disturbers[t.index()]).for_each(|(a, b)| *a |= b);
        }
        out
    }

    /// Whether this context stays undisturbed by the terminals of `all` that it does not have itself.
    fn bears(&self, all: impl Iterator<Item = u64>) -> bool {
        all.zip(&self.set).zip(&self.disturbed_by).all(|((all, own), bad)| all & !own & bad == 0)
    }
}

struct Merged {
    all: Vec<u64>,
    members: Vec<Member>,
}

impl Merged {
    fn admits(&self, new: &Member) -> bool {
        let union = || self.all.iter().zip(&new.set).map(|(a, b)| a | b);
        new.bears(union()) && self.members.iter().all(|m| m.bears(union()))
    }
}

/// Per terminal T the set of terminals that could take a lexeme away from T: they match the same text and win the tie, or may
/// match a longer one. `None` if the automaton of all terminals together is too large to look.
fn disturbers(contexts: &Contexts, runs: &mut Runs<'_>) -> Result<Option<Vec<Vec<u64>>>, OverBudget> {
    let words = runs.terminal_count().div_ceil(64);
    let mut out = vec![vec![0u64; words]; runs.terminal_count()];
    let mut all: Vec<TerminalId> = contexts.terminals.iter().flatten().copied().collect();
    all.sort_unstable();
    all.dedup();
    let start = runs.start(&all)?;
    let mut seen: FxHashSet<RunId> = FxHashSet::from_iter([start]);
    let mut open = vec![start];
    while let Some(run) = open.pop() {
        if seen.len() > MAX_RUNS {
            return Ok(None);
        }
        let accepting = runs.accepting_terminals(run);
        for &t in &accepting {
            let row = &mut out[t.index()];
            for &pair in runs.pairs(run) {
                let wins = accepting.contains(&pair.0) && runs.beats(pair.0, t);
                if wins || runs.can_go_on(pair) {
                    set_bit(row, pair.0);
                }
            }
        }
        for (_, next) in runs.successors(run)? {
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    Ok(Some(out))
}

fn set_bit(words: &mut [u64], t: TerminalId) {
    words[t.index() / 64] |= 1 << (t.index() % 64);
}

fn bits(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    (0..words.len() * 64).filter(|&b| words[b / 64] >> (b % 64) & 1 == 1)
}
