//! Lexemes in progress under longest match: their steps, and the terminals that they can still become.
//!
//! A run is the list of the terminals of a context with the languages that they can still match. Inhibitors are the languages
//! of runs that were cut off and must not match. Equal runs and equal sets of inhibitors have equal numbers.

use super::interner::Interner;
use super::language::{LIMIT, Language};
use super::lexicon::Lexicon;
use super::token_texts::{Place, TokenTexts};
use super::unit::Unit;
use gcc_grammar_ir::{TerminalId, index_newtype};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The largest number of lexemes that a search for a continuation visits.
const SEARCHED: usize = 5_000;

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
    /// The texts of one unit of each kind, see [`Languages::letters`](super::Languages::letters).
    all: TokenTexts,
    /// The terminals of a run are in order of declaration.
    runs: Interner<Vec<(TerminalId, Language)>>,
    inhibitors: Interner<BTreeSet<Language>>,
    run_steps: FxHashMap<(Run, Unit), Option<Run>>,
    inhibitor_steps: FxHashMap<(Inhibitors, Unit), Option<Inhibitors>>,
}

/// The letters of texts. Limits on tokens are no letters here: [`Runs::limited`] says what they end.
fn letters(lexicon: &Lexicon) -> impl Iterator<Item = Unit> {
    lexicon.languages.letters().into_iter().filter(|&letter| letter != Unit::Token(LIMIT))
}

/// The terminals that a lexeme can become, with what is left afterwards; none if the search visits too many lexemes.
pub(super) type Ends = Option<Vec<(TerminalId, (Inhibitors, Place))>>;

impl Runs {
    pub(super) fn new(lexicon: Lexicon) -> Self {
        Self {
            all: TokenTexts::of_units(letters(&lexicon)),
            lexicon,
            runs: Interner::default(),
            inhibitors: Interner::default(),
            run_steps: FxHashMap::default(),
            inhibitor_steps: FxHashMap::default(),
        }
    }

    /// All texts.
    pub(super) fn all(&self) -> TokenTexts {
        self.all.clone()
    }

    pub(super) fn terminals(&self) -> impl Iterator<Item = TerminalId> + use<> {
        (0..self.lexicon.terminals.len()).map(TerminalId::new)
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

    /// The inhibitors after the lexeme ended: its run becomes one more, of the terminals that compete.
    pub(super) fn cut_off(&mut self, (run, inhibitors): Lexeme) -> Inhibitors {
        let competing = |pair: &&(TerminalId, Language)| self.lexicon.competing[pair.0.index()];
        let rest = self.runs.value(run.index()).iter().filter(competing).map(|pair| pair.1).collect();
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
        self.after_lazy(rest)
    }

    /// The run of these terminals, of which only lazy ones are left if any of them has ended; none if there are none.
    fn after_lazy(&mut self, mut rest: Vec<(TerminalId, Language)>) -> Option<Run> {
        let (lazy, languages) = (&self.lexicon.lazy, &mut self.lexicon.languages);
        let ends = |pair: &(TerminalId, Language)| lazy.contains(&pair.0) && languages.is_nullable(pair.1);
        let ended: Vec<TerminalId> = rest.iter().filter(|pair| ends(pair)).map(|pair| pair.0).collect();
        if !ended.is_empty() {
            let nothing_more = languages.empty();
            rest = ended.into_iter().map(|terminal| (terminal, nothing_more)).collect();
        }
        (!rest.is_empty()).then(|| Run::new(self.runs.number(rest)))
    }

    /// Whether a terminal of the run has a limit on tokens.
    pub(super) fn is_limited(&self, run: Run) -> bool {
        self.runs.value(run.index()).iter().any(|pair| self.lexicon.limits[pair.0.index()].is_some())
    }

    /// The run at the end of a token, of which so many have begun in it: terminals that have to end do not go on. None if there are none.
    pub(super) fn within_limits(&mut self, run: Run, age: u32) -> Option<Run> {
        let mut rest = (*self.runs.value(run.index())).clone();
        let over = self.lexicon.languages.empty();
        let mut has_ended = false;
        for (terminal, language) in &mut rest {
            if self.lexicon.ends_by_limit(*terminal, *language, age) {
                (*language, has_ended) = (over, true);
            }
        }
        has_ended.then(|| self.after_lazy(rest)).flatten()
    }

    /// The terminals that win if the run ends here.
    pub(super) fn winners(&self, run: Run) -> Vec<TerminalId> {
        let run = self.runs.value(run.index());
        let matching = run.iter().filter(|pair| self.lexicon.languages.is_nullable(pair.1));
        self.lexicon.winners(&matching.map(|pair| pair.0).collect::<Vec<_>>())
    }

    /// What limits on tokens make of a lexeme: the search for continuations lets them end lexemes wherever they may, however many tokens have
    /// begun.
    pub(super) fn limited(&mut self, (run, inhibitors): Lexeme) -> Vec<Lexeme> {
        let terminals = self.runs.value(run.index());
        let limits: BTreeSet<u32> =
            terminals.iter().filter_map(|pair| self.lexicon.limits[pair.0.index()]).collect();
        let limited = limits.into_iter().filter_map(|age| self.within_limits(run, age));
        limited.map(|run| (run, inhibitors)).collect()
    }

    /// The terminals that win if a lexeme ends in a place, with what is left afterwards.
    pub(super) fn ends_here(
        &mut self,
        lexeme: Lexeme,
        place: Place,
    ) -> Vec<(TerminalId, (Inhibitors, Place))> {
        let cut_off = self.cut_off(lexeme);
        self.winners(lexeme.0).into_iter().map(|winner| (winner, (cut_off, place))).collect()
    }

    /// The terminals that win the run after one or more units of tokens, from a place on, on which no inhibitor matches.
    pub(super) fn ends(&mut self, lexeme: Lexeme, place: Place, tokens: &TokenTexts) -> Ends {
        let mut ends = BTreeSet::new();
        let mut seen = FxHashSet::from_iter([(lexeme, place)]);
        let mut pending = vec![(lexeme, place)];
        while let Some((lexeme, place)) = pending.pop() {
            for (unit, place) in tokens.steps(place) {
                let Some(next) = self.read(lexeme, unit) else { continue };
                let limited = self.limited(next);
                for next in limited.into_iter().chain([next]) {
                    ends.extend(self.ends_here(next, place));
                    if seen.insert((next, place)) {
                        pending.push((next, place));
                    }
                }
            }
            if seen.len() > SEARCHED {
                return None;
            }
        }
        Some(ends.into_iter().collect())
    }
}
