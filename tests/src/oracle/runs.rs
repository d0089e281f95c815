//! Lexemes in progress under longest match: their steps, and the terminals that they can still become.
//!
//! A run is the list of the terminals of a context with the languages that they can still match. Inhibitors are the languages
//! of runs that were cut off and must not match. Equal runs and equal sets of inhibitors have equal numbers.

use super::interner::Interner;
use super::language::Language;
use super::lexicon::Lexicon;
use super::recognizer::Unit;
use gcc_grammar_ir::{TerminalId, index_newtype};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeSet, VecDeque};

/// The largest number of lexemes that a search for a continuation visits.
const SEARCHED: usize = 50_000;

index_newtype! {
    /// The terminals of a context that can still match, each with the language of its continuations.
    Run;
}

index_newtype! {
    /// The languages of the continuations on which runs that were cut off would match again.
    Inhibitors;
}

/// The lexeme in progress.
pub(super) type Lexeme = (Run, Inhibitors);

/// All runs and inhibitors in use.
#[derive(Debug)]
pub(super) struct Runs {
    lexicon: Lexicon,
    /// One unit of each kind, see [`Languages::letters`](super::Languages::letters).
    letters: Vec<Unit>,
    /// The terminals of a run are in order of declaration.
    runs: Interner<Vec<(TerminalId, Language)>>,
    inhibitors: Interner<BTreeSet<Language>>,
    run_steps: FxHashMap<(Run, Unit), Option<Run>>,
    inhibitor_steps: FxHashMap<(Inhibitors, Unit), Option<Inhibitors>>,
    searches: FxHashMap<Lexeme, Search>,
}

/// A breadth-first search for the terminals that can win. It is continued when the terminals found so far do not suit.
#[derive(Debug)]
struct Search {
    found: Vec<TerminalId>,
    seen: FxHashSet<Lexeme>,
    pending: VecDeque<Lexeme>,
}

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Found {
    Yes,
    No,
    /// The search visited too many lexemes.
    GaveUp,
}

impl Runs {
    pub(super) fn new(lexicon: Lexicon) -> Self {
        Self {
            letters: lexicon.languages.letters(),
            lexicon,
            runs: Interner::default(),
            inhibitors: Interner::default(),
            run_steps: FxHashMap::default(),
            inhibitor_steps: FxHashMap::default(),
            searches: FxHashMap::default(),
        }
    }

    pub(super) fn terminals(&self) -> impl Iterator<Item = TerminalId> + use<> {
        (0..self.lexicon.terminals.len()).map(TerminalId::new)
    }

    pub(super) fn ignored(&self) -> &[TerminalId] {
        &self.lexicon.ignored
    }

    pub(super) fn is_ignored(&self, terminal: TerminalId) -> bool {
        self.lexicon.ignored.contains(&terminal)
    }

    /// The run of these terminals before its first unit.
    pub(super) fn start(&mut self, terminals: impl Iterator<Item = TerminalId>) -> Run {
        let run = terminals.map(|terminal| (terminal, self.lexicon.terminals[terminal.index()]));
        Run::new(self.runs.number(run.collect()))
    }

    /// The empty set of inhibitors.
    pub(super) fn uninhibited(&mut self) -> Inhibitors {
        Inhibitors::new(self.inhibitors.number(BTreeSet::new()))
    }

    /// The inhibitors after the lexeme ended: its run becomes one more.
    pub(super) fn cut_off(&mut self, (run, inhibitors): Lexeme) -> Inhibitors {
        let rest = self.runs.value(run.index()).iter().map(|pair| pair.1).collect();
        let rest = self.lexicon.languages.union(rest);
        let mut more = (*self.inhibitors.value(inhibitors.index())).clone();
        more.insert(rest);
        Inhibitors::new(self.inhibitors.number(more))
    }

    /// The lexeme after `unit`; none if no terminal can match or an inhibitor does.
    pub(super) fn read(&mut self, (run, inhibitors): Lexeme, unit: Unit) -> Option<Lexeme> {
        let inhibitors = match self.inhibitor_steps.get(&(inhibitors, unit)) {
            Some(&known) => known,
            None => {
                let next = self.read_inhibitors(inhibitors, unit);
                self.inhibitor_steps.insert((inhibitors, unit), next);
                next
            }
        };
        let run = match self.run_steps.get(&(run, unit)) {
            Some(&known) => known,
            None => {
                let next = self.read_run(run, unit);
                self.run_steps.insert((run, unit), next);
                next
            }
        };
        Some((run?, inhibitors?))
    }

    fn read_inhibitors(&mut self, inhibitors: Inhibitors, unit: Unit) -> Option<Inhibitors> {
        let inhibitors = self.inhibitors.value(inhibitors.index());
        let languages = &mut self.lexicon.languages;
        let mut rest: BTreeSet<_> =
            inhibitors.iter().map(|&inhibitor| languages.step(inhibitor, unit)).collect();
        if rest.iter().any(|&inhibitor| languages.is_nullable(inhibitor)) {
            return None;
        }
        rest.retain(|&inhibitor| languages.is_inhabited(inhibitor));
        Some(Inhibitors::new(self.inhibitors.number(rest)))
    }

    fn read_run(&mut self, run: Run, unit: Unit) -> Option<Run> {
        let run = self.runs.value(run.index());
        let languages = &mut self.lexicon.languages;
        let mut rest: Vec<_> =
            run.iter().map(|&(terminal, rest)| (terminal, languages.step(rest, unit))).collect();
        rest.retain(|pair| languages.is_inhabited(pair.1));
        (!rest.is_empty()).then(|| Run::new(self.runs.number(rest)))
    }

    /// The terminals that win if the run ends here.
    pub(super) fn winners(&self, run: Run) -> Vec<TerminalId> {
        let run = self.runs.value(run.index());
        let matching = run.iter().filter(|pair| self.lexicon.languages.is_nullable(pair.1));
        self.lexicon.winners(&matching.map(|pair| pair.0).collect::<Vec<_>>())
    }

    /// Whether a terminal that `suits` wins the run after some continuation on which no inhibitor matches.
    pub(super) fn can_win(&mut self, lexeme: Lexeme, mut suits: impl FnMut(TerminalId) -> bool) -> Found {
        let fresh = || Search {
            found: Vec::new(),
            seen: FxHashSet::from_iter([lexeme]),
            pending: VecDeque::from([lexeme]),
        };
        let mut search = self.searches.remove(&lexeme).unwrap_or_else(fresh);
        let mut tried = 0;
        let found = loop {
            if search.found[tried..].iter().any(|&terminal| suits(terminal)) {
                break Found::Yes;
            }
            tried = search.found.len();
            if search.seen.len() > SEARCHED {
                break Found::GaveUp;
            }
            let Some(next) = search.pending.pop_front() else { break Found::No };
            self.go_on(&mut search, next);
        };
        self.searches.insert(lexeme, search);
        found
    }

    /// Visits the successors of a lexeme.
    fn go_on(&mut self, search: &mut Search, lexeme: Lexeme) {
        for index in 0..self.letters.len() {
            let Some(next) = self.read(lexeme, self.letters[index]) else { continue };
            let mut winners = self.winners(next.0);
            winners.retain(|winner| !search.found.contains(winner));
            search.found.extend(winners);
            if search.seen.insert(next) {
                search.pending.push_back(next);
            }
        }
    }
}
