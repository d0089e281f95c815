//! The recognizer for longest match: the text is cut into longest lexemes, in contexts that depend on the parser.
//!
//! The definition is as follows. A *run* starts at the beginning of the text and after every lexeme. Its context is
//! the set of terminals that have an action in the LALR(1) state on top of the stack, changed by the grammar's
//! [`ContextRules`], and the ignored ones. Its
//! lexeme is the longest prefix of the remaining text that any terminal of the context matches, or the shortest one that a lazy terminal
//! matches; among the
//! terminals that match this prefix the winner is found by priority, then literal over regex, then order of
//! declaration. Terminals that share ties with the winner win, too. An ignored winner leaves the stack as it is, any
//! other is parsed. Where there are several winners, or the tables have conflicts, every possibility is followed, each
//! with its own stack and so with its own contexts.
//!
//! Read from left to right, the end of a lexeme is a guess: when a run matches, one *configuration* starts a new run
//! and keeps the old one as an **inhibitor**. The inhibitor is dropped when it cannot match any more, and refutes the guess when
//! it matches again. Another configuration continues the run.
//!
//! In a grammar under any split, only the terminals of embedded languages compete: the others may end wherever they match, and do not
//! inhibit.
//!
//! Of a terminal with a limit on tokens, a run does not go on behind an end of a token where it may end and so many tokens have begun in it. So a
//! configuration counts the tokens of its run.
//!
//! A configuration is kept only if it is *live*: some continuation is a text of the language, see [`Completion`].

use super::cfg::Cfg;
use super::completion::Completion;
use super::lalr::Tables;
use super::lexicon::Lexicon;
use super::recognizer::Recognizer;
use super::runs::{Inhibitors, Lexeme, Run, Runs};
use super::stacks::{Stack, Stacks};
use super::token_texts::{BETWEEN, Place, TokenTexts};
use super::unit::Unit;
use crate::Vocabulary;
use gcc_grammar_ir::{ContextRules, EmbeddedLanguage, Grammar, LexerMode, TerminalId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The largest number of configurations that are followed.
const CONFIGURATIONS: usize = 500;

/// A way to read the text so far.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Configuration {
    stack: Stack,
    /// The last lexeme that the parser has read.
    last: Option<TerminalId>,
    run: Run,
    /// Whether the run has read a unit.
    pending: bool,
    inhibitors: Inhibitors,
    /// The number of tokens that have begun in the run, if a terminal of it has a limit.
    age: u32,
}

/// The recognizer for [`Discipline::LongestMatch`](gcc_grammar_ir::Discipline::LongestMatch).
#[derive(Debug)]
pub struct LongestMatch {
    runs: Runs,
    parser: Parser,
    rules: ContextRules,
    /// The run that starts with a state on top of the stack, after a lexeme.
    starts: FxHashMap<(usize, Option<TerminalId>), Run>,
    /// By all texts; none if it is too large.
    completion: Option<Completion>,
    /// By texts of tokens, once somebody has asked; none if it is too large.
    by_tokens: Option<Option<Completion>>,
    /// Per unit read, and one for the start.
    states: Vec<BTreeSet<Configuration>>,
    /// The lengths at which tokens have ended, the beginning among them.
    token_ends: Vec<usize>,
    exhausted: bool,
}

/// The LALR(1) tables, and the stacks.
#[derive(Debug)]
struct Parser {
    tables: Tables,
    stacks: Stacks,
    shifts: FxHashMap<(Stack, TerminalId), Rc<[Stack]>>,
}

impl Parser {
    /// Every stack that results from reading `terminal`.
    fn shift(&mut self, stack: Stack, terminal: TerminalId) -> Rc<[Stack]> {
        let Self { tables, stacks, shifts } = self;
        Rc::clone(
            shifts.entry((stack, terminal)).or_insert_with(|| tables.shift(stacks, stack, terminal).into()),
        )
    }
}

impl LongestMatch {
    /// At the start of the text.
    #[must_use]
    pub fn new(grammar: &Grammar, vocabulary: &Vocabulary, cfg: &Cfg) -> Self {
        let mut runs = Runs::new(Lexicon::new(grammar, vocabulary));
        let tables = Tables::new(cfg);
        let rules = grammar.contexts.clone();
        let all = runs.all();
        let completion = Completion::new(&mut runs, &tables, all, &mut |runs, state, last| {
            start(runs, &tables, &rules, state, last)
        });
        let mut recognizer = Self {
            runs,
            parser: Parser { tables, stacks: Stacks::default(), shifts: FxHashMap::default() },
            rules,
            starts: FxHashMap::default(),
            exhausted: completion.is_none(),
            completion,
            by_tokens: None,
            states: Vec::new(),
            token_ends: vec![0],
        };
        let mut first = BTreeSet::new();
        if cfg.accepts_empty || !cfg.productions.is_empty() {
            let bottom = recognizer.parser.stacks.bottom(0);
            let inhibitors = recognizer.runs.uninhibited();
            let configuration = recognizer.between(bottom, None, inhibitors);
            first.extend(Some(configuration).filter(|configuration| recognizer.is_live(configuration)));
        }
        recognizer.states.push(first);
        recognizer
    }

    /// The configuration that starts a run in the context of the stack's top, after a lexeme that the parser has read.
    fn between(&mut self, stack: Stack, last: Option<TerminalId>, inhibitors: Inhibitors) -> Configuration {
        let state = self.parser.stacks.top(stack);
        let run = match self.starts.get(&(state, last)) {
            Some(&known) => known,
            None => {
                let run = start(&mut self.runs, &self.parser.tables, &self.rules, state, last);
                self.starts.insert((state, last), run);
                run
            }
        };
        Configuration { stack, last, run, pending: false, inhibitors, age: 0 }
    }

    /// The successors of `configuration` after one more unit, which may be the first of a token.
    fn step(&mut self, configuration: Configuration, unit: Unit, begins: bool) -> Vec<Configuration> {
        let lexeme = (configuration.run, configuration.inhibitors);
        let Some(lexeme) = self.runs.read(lexeme, unit) else { return Vec::new() };
        let mut after = self.end_lexeme(configuration, lexeme);
        let (run, inhibitors) = lexeme;
        let age = configuration.age + u32::from(begins && self.runs.is_limited(run));
        after.push(Configuration { run, pending: true, inhibitors, age, ..configuration });
        after.retain(|configuration| self.is_live(configuration));
        after
    }

    /// The configurations at the end of a token. Where a limit ends a lexeme, its terminal takes part in the tie: a lexeme that ends here as
    /// another terminal is one only if it wins.
    fn end_token(&mut self, before: &BTreeSet<Configuration>) -> BTreeSet<Configuration> {
        let (mut after, mut beaten, mut ended) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for &configuration in before.iter().filter(|configuration| configuration.pending) {
            let ends = self.end_lexeme(configuration, (configuration.run, configuration.inhibitors));
            match self.within_limits(configuration) {
                Some(limited) => {
                    beaten.extend(ends);
                    after.extend(limited);
                }
                None => {
                    ended.extend(ends);
                    after.insert(configuration);
                }
            }
        }
        let is_beaten = |configuration| beaten.contains(configuration) && !ended.contains(configuration);
        after.extend(before.iter().filter(|one| !one.pending && !is_beaten(*one)));
        after
    }

    /// What the limits on tokens make of a configuration within a lexeme at the end of a token; none if they change nothing.
    fn within_limits(&mut self, configuration: Configuration) -> Option<Vec<Configuration>> {
        let Configuration { run, inhibitors, age, .. } = configuration;
        let run = self.runs.within_limits(run, age)?;
        let mut after = self.end_lexeme(configuration, (run, inhibitors));
        after.push(Configuration { run, ..configuration });
        after.retain(|configuration| self.is_live(configuration));
        // Where another terminal wins the tie, and no text may follow it, the limit does not end the lexeme.
        (!after.is_empty()).then_some(after)
    }

    /// The configurations in which the run has ended here.
    fn end_lexeme(&mut self, before: Configuration, lexeme: Lexeme) -> Vec<Configuration> {
        let mut after = Vec::new();
        for winner in self.runs.winners(lexeme.0) {
            let (stacks, last) = if self.runs.is_ignored(winner) {
                (Rc::from([before.stack]), before.last)
            } else {
                (self.parser.shift(before.stack, winner), Some(winner))
            };
            let inhibitors = self.runs.cut_off(lexeme);
            after.extend(stacks.iter().map(|&stack| self.between(stack, last, inhibitors)));
        }
        after
    }

    /// Whether some continuation is a text of the language.
    fn is_live(&mut self, configuration: &Configuration) -> bool {
        let Self { runs, parser: Parser { stacks, .. }, completion, exhausted, .. } = self;
        let Some(completion) = completion else { return true };
        let live = is_completed(runs, stacks, completion, configuration, BETWEEN);
        *exhausted |= live.is_none();
        live.unwrap_or(true)
    }
}

/// Whether a configuration can be completed, from a place on; none if the search gave up.
fn is_completed(
    runs: &mut Runs,
    stacks: &Stacks,
    completion: &mut Completion,
    configuration: &Configuration,
    place: Place,
) -> Option<bool> {
    let &Configuration { stack, last, run, pending, inhibitors, .. } = configuration;
    if pending {
        completion.within(runs, stacks, stack, last, (run, inhibitors), place)
    } else {
        Some(completion.between(stacks, stack, last, (inhibitors, place)))
    }
}

/// The run of the terminals that may start with a state on top of the stack, after the lexeme `last`.
fn start(
    runs: &mut Runs,
    tables: &Tables,
    rules: &ContextRules,
    state: usize,
    last: Option<TerminalId>,
) -> Run {
    let expected: BTreeSet<TerminalId> = tables.context(state).collect();
    let mut context: Vec<TerminalId> = runs.terminals().collect();
    context.retain(|&terminal| is_recognized(runs, rules, terminal, &expected, last));
    runs.start(context.into_iter())
}

/// Whether a terminal may start where the parser expects the terminals `expected`, after the lexeme `last`.
fn is_recognized(
    runs: &Runs,
    rules: &ContextRules,
    terminal: TerminalId,
    expected: &BTreeSet<TerminalId>,
    last: Option<TerminalId>,
) -> bool {
    let verbatim = expected.iter().any(|expected| rules.verbatim.contains(expected));
    let is_here = |language: &&EmbeddedLanguage| {
        expected.iter().chain(&last).any(|terminal| language.terminals.contains(terminal))
    };
    let in_modes = |is_here: &dyn Fn(&LexerMode) -> bool| rules.modes.iter().position(is_here);
    let mode = in_modes(&|mode| mode.terminals.iter().any(|terminal| expected.contains(terminal)))
        .or_else(|| in_modes(&|mode| last.is_some_and(|last| mode.behind.contains(&last))));
    if let Some(own) = in_modes(&|mode| mode.terminals.contains(&terminal)) {
        return mode == Some(own);
    }
    let here: Vec<&EmbeddedLanguage> = rules.languages.iter().filter(is_here).collect();
    let is_foreign = rules.languages.iter().any(|language| language.ignored.contains(&terminal));
    let (ignored, everywhere) = match here.is_empty() {
        true => (runs.is_ignored(terminal) && !is_foreign, rules.everywhere.contains(&terminal)),
        false => (
            here.iter().any(|language| language.ignored.contains(&terminal)),
            here.iter().any(|language| language.everywhere.contains(&terminal)),
        ),
    };
    if !verbatim && ignored {
        return true;
    }
    let mut places = rules.after.iter().filter(|after| after.terminal == terminal).peekable();
    if places.peek().is_some() {
        return places.any(|after| last.is_some_and(|last| after.lexemes.contains(&last)));
    }
    expected.contains(&terminal) || (!verbatim && everywhere)
}

impl Recognizer for LongestMatch {
    fn push(&mut self, unit: Unit) -> bool {
        let before = self.states[self.len()].clone();
        let begins = self.token_ends.last() == Some(&self.len());
        let mut after = BTreeSet::new();
        if unit == Unit::TokenEnd {
            after = self.end_token(&before);
            self.token_ends.push(self.len() + 1);
        } else {
            after.extend(before.into_iter().flat_map(|configuration| self.step(configuration, unit, begins)));
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
        self.token_ends.retain(|&end| end <= len);
    }

    fn is_viable(&self) -> bool {
        !self.states[self.len()].is_empty()
    }

    fn is_completed_by(&mut self, tokens: &TokenTexts, place: Place) -> bool {
        let Self { runs, parser: Parser { tables, stacks, .. }, rules, states, by_tokens, exhausted, .. } =
            self;
        let completion = by_tokens.get_or_insert_with(|| {
            Completion::new(runs, tables, tokens.clone(), &mut |runs, state, last| {
                start(runs, tables, rules, state, last)
            })
        });
        let configurations = &states[states.len() - 1];
        let mut completed = configurations.iter().map(|configuration| {
            completion
                .as_mut()
                .and_then(|completion| is_completed(runs, stacks, completion, configuration, place))
        });
        let found = completed.try_fold(false, |any, completed| completed.map(|completed| any || completed));
        *exhausted |= found.is_none();
        found.unwrap_or(true)
    }

    fn accepts(&mut self) -> bool {
        let Parser { tables, stacks, .. } = &mut self.parser;
        let mut between =
            self.states[self.states.len() - 1].iter().filter(|configuration| !configuration.pending);
        between.any(|configuration| tables.accepts(stacks, configuration.stack))
    }

    fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    fn forget_exhaustion(&mut self) {
        self.exhausted = self.completion.is_none() || self.by_tokens.as_ref().is_some_and(Option::is_none);
    }
}
