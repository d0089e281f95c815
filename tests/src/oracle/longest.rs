//! Longest match: the text is cut into the longest lexemes, by contexts that depend on the parser.
//!
//! Exactly this is recognized. A *run* starts at the beginning of the text and after every lexeme. Its context is
//! the set of terminals that have an action in the LALR(1) state on top of the stack, changed by the grammar's
//! [`ContextRules`], and the ignored ones. Its
//! lexeme is the longest prefix of the remaining text that any terminal of the context matches; among the
//! terminals that match this prefix the winner is found by priority, then literal over regex, then order of
//! declaration. An ignored winner leaves the stack as it is, any other is parsed. Where the tables have conflicts
//! every possibility is followed, each with its own stack and so with its own contexts.
//!
//! Read from left to right, the end of a lexeme is a guess: when a run matches, one *configuration* starts a new run
//! and keeps the old one as an **inhibitor**, which dies when it can match no more and refutes the guess when it
//! matches again; another goes on with the run.
//!
//! A configuration between lexemes is viable: its stack is, and the next lexeme is not looked at. One inside a
//! lexeme is viable if some continuation makes some terminal win without an inhibitor having matched on the way, and the
//! parser can read this terminal.

use super::lalr::Tables;
use super::{Cfg, Language, Lexicon, Recognizer, Unit};
use crate::Vocabulary;
use gcc_grammar_frontends::{ContextRules, Grammar, TerminalId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// More configurations than this are not followed.
const CONFIGURATIONS: usize = 500;
/// More lexer states than this are not searched for a continuation.
const SEARCHED: usize = 20_000;

/// What remains of each terminal of the context that can still match, in order of declaration.
type Run = Vec<(TerminalId, Language)>;

/// What remains of the runs that must not match again, sorted.
type Inhibitors = Vec<Language>;

/// One way to read the text so far.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Configuration {
    stack: Vec<usize>,
    /// The last lexeme that the parser has read.
    last: Option<TerminalId>,
    run: Run,
    /// The run has read at least one unit.
    pending: bool,
    inhibitors: Inhibitors,
}

/// The recognizer for [`Discipline::LongestMatch`](gcc_grammar_frontends::Discipline::LongestMatch).
#[derive(Debug)]
pub struct LongestMatch {
    lexicon: Lexicon,
    tables: Tables,
    rules: ContextRules,
    /// Per unit read, and one for the start.
    states: Vec<BTreeSet<Configuration>>,
    winners: FxHashMap<(Run, Inhibitors), Rc<[TerminalId]>>,
    exhausted: bool,
}

impl LongestMatch {
    /// At the start of the text.
    #[must_use]
    pub fn new(grammar: &Grammar, vocabulary: &Vocabulary, cfg: &Cfg) -> Self {
        let mut recognizer = Self {
            lexicon: Lexicon::new(grammar, vocabulary),
            tables: Tables::new(cfg),
            rules: grammar.contexts.clone(),
            states: Vec::new(),
            winners: FxHashMap::default(),
            exhausted: false,
        };
        let mut first = BTreeSet::new();
        if cfg.accepts_empty || !cfg.productions.is_empty() {
            first.insert(recognizer.between(vec![0], None, Inhibitors::new()));
        }
        recognizer.states.push(first);
        recognizer
    }

    /// The configuration that starts a run in the context of the stack's top, after a lexeme that the parser has read.
    fn between(
        &mut self,
        stack: Vec<usize>,
        last: Option<TerminalId>,
        inhibitors: Inhibitors,
    ) -> Configuration {
        let expected: BTreeSet<TerminalId> = self.tables.context(stack[stack.len() - 1]).collect();
        let terminals = (0..self.lexicon.terminals.len()).map(TerminalId::new);
        let terminals = terminals.filter(|&terminal| self.is_recognized(terminal, &expected, last));
        let run = terminals.map(|terminal| (terminal, self.lexicon.terminals[terminal.index()])).collect();
        Configuration { stack, last, run, pending: false, inhibitors }
    }

    /// Whether a terminal may start where the parser expects these, and the last lexeme it has read is that one.
    fn is_recognized(
        &self,
        terminal: TerminalId,
        expected: &BTreeSet<TerminalId>,
        last: Option<TerminalId>,
    ) -> bool {
        let verbatim = expected.iter().any(|expected| self.rules.verbatim.contains(expected));
        if !verbatim && self.lexicon.ignored.contains(&terminal) {
            return true;
        }
        let mut places = self.rules.after.iter().filter(|after| after.terminal == terminal).peekable();
        if places.peek().is_some() {
            return places.any(|after| last.is_some_and(|last| after.lexemes.contains(&last)));
        }
        expected.contains(&terminal) || (!verbatim && self.rules.everywhere.contains(&terminal))
    }

    /// All that `configuration` becomes by one more unit.
    fn step(&mut self, configuration: &Configuration, unit: Unit) -> Vec<Configuration> {
        let Some((run, inhibitors)) = self.read(&configuration.run, &configuration.inhibitors, unit) else {
            return Vec::new();
        };
        let mut after = self.end_lexeme(configuration, &run, &inhibitors);
        let goes_on = Configuration { run, pending: true, inhibitors, ..configuration.clone() };
        if self.can_be_completed(&goes_on) {
            after.push(goes_on);
        }
        after
    }

    /// The run and the inhibitors after `unit`; none if no terminal can match or an inhibitor does.
    fn read(&mut self, run: &Run, inhibitors: &Inhibitors, unit: Unit) -> Option<(Run, Inhibitors)> {
        let languages = &mut self.lexicon.languages;
        let stepped: Vec<Language> =
            inhibitors.iter().map(|&inhibitor| languages.step(inhibitor, unit)).collect();
        if stepped.iter().any(|&inhibitor| languages.is_nullable(inhibitor)) {
            return None;
        }
        let alive: BTreeSet<_> =
            stepped.into_iter().filter(|&inhibitor| languages.is_inhabited(inhibitor)).collect();
        let rest = run.iter().map(|&(terminal, rest)| (terminal, languages.step(rest, unit)));
        let rest: Run = rest.collect();
        let rest: Run = rest.into_iter().filter(|pair| languages.is_inhabited(pair.1)).collect();
        (!rest.is_empty()).then(|| (rest, alive.into_iter().collect()))
    }

    /// The terminal that wins if the run ends here.
    fn winner(&self, run: &Run) -> Option<TerminalId> {
        let matching = run.iter().filter(|pair| self.lexicon.languages.is_nullable(pair.1));
        self.lexicon.winner(matching.map(|pair| pair.0))
    }

    /// The configurations in which the run has ended here.
    fn end_lexeme(
        &mut self,
        before: &Configuration,
        run: &Run,
        inhibitors: &Inhibitors,
    ) -> Vec<Configuration> {
        let Some(winner) = self.winner(run) else { return Vec::new() };
        let (stacks, last) = if self.lexicon.ignored.contains(&winner) {
            (vec![before.stack.clone()], before.last)
        } else {
            (self.tables.shift(&before.stack, winner), Some(winner))
        };
        let cut_off = self.lexicon.languages.union(run.iter().map(|pair| pair.1).collect());
        let inhibitors: BTreeSet<_> = inhibitors.iter().copied().chain([cut_off]).collect();
        let inhibitors: Inhibitors = inhibitors.into_iter().collect();
        stacks.into_iter().map(|stack| self.between(stack, last, inhibitors.clone())).collect()
    }

    /// Whether a terminal that the parser can read may still win the run.
    fn can_be_completed(&mut self, configuration: &Configuration) -> bool {
        let winners = self.winners(&configuration.run, &configuration.inhibitors);
        winners.iter().any(|&terminal| {
            self.lexicon.ignored.contains(&terminal)
                || !self.tables.shift(&configuration.stack, terminal).is_empty()
        })
    }

    /// The terminals that win the run after some continuation on which no inhibitor matches.
    fn winners(&mut self, run: &Run, inhibitors: &Inhibitors) -> Rc<[TerminalId]> {
        let start = (run.clone(), inhibitors.clone());
        if let Some(known) = self.winners.get(&start) {
            return Rc::clone(known);
        }
        let letters = self.lexicon.languages.letters();
        let mut winners = BTreeSet::new();
        let mut seen = FxHashSet::from_iter([start.clone()]);
        let mut pending = vec![start.clone()];
        while let Some((run, inhibitors)) = pending.pop() {
            for &unit in &letters {
                let Some(next) = self.read(&run, &inhibitors, unit) else { continue };
                winners.extend(self.winner(&next.0));
                if seen.insert(next.clone()) {
                    pending.push(next);
                }
            }
            if seen.len() > SEARCHED {
                self.exhausted = true;
                break;
            }
        }
        let winners: Rc<[TerminalId]> = winners.into_iter().collect();
        self.winners.insert(start, Rc::clone(&winners));
        winners
    }
}

impl Recognizer for LongestMatch {
    fn push(&mut self, unit: Unit) -> bool {
        let before = self.states[self.len()].clone();
        let mut after = BTreeSet::new();
        for configuration in &before {
            after.extend(self.step(configuration, unit));
        }
        if after.len() > CONFIGURATIONS {
            self.exhausted = true;
            after.clear();
        }
        self.states.push(after);
        self.is_viable()
    }

    fn len(&self) -> usize {
        self.states.len() - 1
    }

    fn truncate(&mut self, len: usize) {
        self.states.truncate(len + 1);
    }

    fn is_viable(&self) -> bool {
        !self.states[self.len()].is_empty()
    }

    fn accepts(&self) -> bool {
        let ends = |configuration: &Configuration| {
            !configuration.pending && self.tables.accepts(&configuration.stack)
        };
        self.states[self.len()].iter().any(ends)
    }

    fn is_exhausted(&self) -> bool {
        self.exhausted
    }
}
