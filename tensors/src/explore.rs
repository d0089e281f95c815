//! Explores all configurations that tokens lead to, breadth first.

use crate::configurations::{Configuration, Configurations};
use crate::failure::Failure;
use crate::labels::{Label, Labels};
use crate::options::TensorOptions;
use crate::tensors::Cut;
use crate::words::{Word, Words};
use gcc_grammar::Session;
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;

/// The number of a state.
pub(crate) type State = u32;

/// An automaton over words. State 0 is the start.
#[derive(Default)]
pub(crate) struct Automaton {
    pub(crate) states: Vec<StateEdges>,
    pub(crate) cut: Cut,
}

/// A state with its edges, sorted by target. The labels of its edges are disjoint.
#[derive(Clone, PartialEq, Eq, Default)]
pub(crate) struct StateEdges {
    pub(crate) accepts: bool,
    pub(crate) edges: Vec<Edge>,
}

/// An edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Edge {
    pub(crate) target: State,
    pub(crate) label: Label,
}

/// Explores the configurations of a session. States beyond the greatest number of tokens have no edges.
pub(crate) fn explore(
    session: &Session,
    words: &Words,
    labels: &mut Labels,
    options: &TensorOptions,
    budget: &Budget,
) -> Result<Automaton, Failure> {
    let grammar = *session.engine().grammar();
    let configurations = Configurations::new(grammar, options.depth.unwrap_or(u32::MAX), budget)?;
    let mut search = Search {
        configurations,
        words,
        labels,
        budget,
        numbers: FxHashMap::default(),
        known: Vec::new(),
        is_cut: false,
    };
    let start = search.configurations.start()?;
    search.known.push(Known::Start(start));
    let mut automaton = Automaton::default();
    let mut level_end = 1;
    let mut left = options.tokens.unwrap_or(u32::MAX);
    while automaton.states.len() < search.known.len() {
        if automaton.states.len() == level_end {
            level_end = search.known.len();
            left -= 1;
        }
        if search.known.len() as u64 > options.max_states {
            return Err(Failure::TooManyStates);
        }
        let known = search.known[automaton.states.len()];
        let state = if left > 0 { search.expand(known)? } else { search.close(known)? };
        automaton.cut.deeper += u64::from(std::mem::take(&mut search.is_cut));
        automaton.cut.longer += u64::from(left == 0 && known != Known::Ended && state.accepts);
        automaton.states.push(state);
    }
    Ok(automaton)
}

/// What a state stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Known {
    /// The beginning of an output. The same configuration may come again, when some text was read.
    Start(Configuration),
    At(Configuration),
    /// Behind an end token.
    Ended,
}

struct Search<'s, 'g> {
    configurations: Configurations<'g>,
    words: &'s Words,
    labels: &'s mut Labels,
    budget: &'s Budget,
    numbers: FxHashMap<Known, State>,
    known: Vec<Known>,
    /// Whether the state that is expanded has continuations that are nested too deeply.
    is_cut: bool,
}

impl Search<'_, '_> {
    fn number(&mut self, known: Known) -> State {
        *self.numbers.entry(known).or_insert_with(|| {
            self.known.push(known);
            self.known.len() as State - 1
        })
    }

    fn expand(&mut self, known: Known) -> Result<StateEdges, OverBudget> {
        let (at, at_start) = match known {
            Known::Ended => return self.close(known),
            Known::Start(at) => (at, true),
            Known::At(at) => (at, false),
        };
        let mut reached = self.walk(at)?;
        let accepts = self.configurations.accepts(at, at_start)?;
        if let Some(word) = self.words.end.filter(|_| accepts) {
            let ended = self.number(Known::Ended);
            reached.push((ended, word));
        }
        let edges = self.edges(reached)?;
        Ok(StateEdges { accepts: accepts && self.words.end.is_none(), edges })
    }

    /// A state whose edges are not wanted.
    fn close(&mut self, known: Known) -> Result<StateEdges, OverBudget> {
        let accepts = match known {
            Known::Ended => true,
            _ if self.words.end.is_some() => false,
            Known::Start(at) => self.configurations.accepts(at, true)?,
            Known::At(at) => self.configurations.accepts(at, false)?,
        };
        Ok(StateEdges { accepts, edges: Vec::new() })
    }

    /// Walks the trie of words. Returns the state that each word leads to.
    fn walk(&mut self, from: Configuration) -> Result<Vec<(State, Word)>, OverBudget> {
        let nodes = &self.words.nodes;
        let mut path = vec![from];
        let mut reached = Vec::new();
        let (mut node, mut visited) = (0, 0);
        while let Some(entry) = nodes.get(node) {
            visited += 1;
            path.truncate(entry.depth as usize);
            let before = path[entry.depth as usize - 1];
            let next = self.configurations.step(before, entry.class)?;
            self.is_cut |= self.configurations.is_cut(before);
            if next == Configuration::DEAD {
                node = entry.subtree_end as usize;
                continue;
            }
            path.push(next);
            if let Some(word) = entry.word {
                reached.push((self.number(Known::At(next)), word));
            }
            node += 1;
        }
        self.budget.charge_work(visited)?;
        Ok(reached)
    }

    /// Joins the words that lead to the same state.
    fn edges(&mut self, mut reached: Vec<(State, Word)>) -> Result<Vec<Edge>, OverBudget> {
        reached.sort_unstable();
        let mut edges = Vec::new();
        let mut words = Vec::new();
        for group in reached.chunk_by(|a, b| a.0 == b.0) {
            words.clear();
            words.extend(group.iter().map(|&(_, word)| word));
            let (label, is_new) = self.labels.intern(&words);
            self.budget.charge_bytes(16 + if is_new { 4 * words.len() as u64 } else { 0 })?;
            edges.push(Edge { target: group[0].0, label });
        }
        Ok(edges)
    }
}
