//! The oracle agrees with the definitions of the lexical disciplines, on all short texts of small random grammars.

use gcc_grammar_ir::{After, ContextRules, Discipline, Grammar, Pattern, Symbol, TerminalId};
use gcc_grammar_regular::Regex;
use gcc_grammar_tests::generate::{Random, Sample, is_sound};
use gcc_grammar_tests::oracle::lalr::Tables;
use gcc_grammar_tests::oracle::{
    AnySplit, Cfg, Languages, Lexicon, LongestMatch, Recognizer, Stack, Stacks, Unit,
};
use gcc_grammar_tests::{Token, Vocabulary};
use std::collections::{BTreeMap, BTreeSet};

/// All texts of at most `length` units over the units that the sample knows.
fn texts(sample: &Sample, length: usize) -> Vec<Vec<Unit>> {
    let mut units = BTreeSet::new();
    let mut lexicon = Lexicon::new(&sample.grammar, &sample.vocabulary);
    let terminals = lexicon.terminals.clone();
    // One unit of each kind that some terminal reads.
    for unit in lexicon.languages.letters() {
        let mut pending = terminals.clone();
        let mut seen = BTreeSet::from_iter(pending.clone());
        while let Some(language) = pending.pop() {
            for letter in lexicon.languages.letters() {
                let next = lexicon.languages.step(language, letter);
                if lexicon.languages.is_inhabited(next) {
                    if letter == unit {
                        units.insert(unit);
                    }
                    if seen.insert(next) {
                        pending.push(next);
                    }
                }
            }
        }
    }
    let mut all: Vec<Vec<Unit>> = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..length {
        last = last.iter().flat_map(|text| units.iter().map(|&unit| [&text[..], &[unit]].concat())).collect();
        if all.len() + last.len() > 3_000 {
            break;
        }
        all.extend(last.iter().cloned());
    }
    all
}

/// Reads a whole text: whether it is a member, and whether it is viable.
fn read(recognizer: &mut dyn Recognizer, text: &[Unit]) -> (bool, bool) {
    recognizer.truncate(0);
    read_on(recognizer, text);
    (recognizer.accepts(), recognizer.is_viable())
}

fn read_on(recognizer: &mut dyn Recognizer, text: &[Unit]) {
    for &unit in text {
        recognizer.push(unit);
    }
}

/// Context-free recognition by the definition: a nonterminal derives a piece of text if a production cuts it so.
struct Derivations<'a> {
    cfg: &'a Cfg,
    lexicon: &'a mut Lexicon,
    text: &'a [Unit],
    known: BTreeMap<(usize, usize, Symbol), bool>,
}

impl Derivations<'_> {
    fn derives(&mut self, from: usize, to: usize, symbol: Symbol) -> bool {
        if let Some(&known) = self.known.get(&(from, to, symbol)) {
            return known;
        }
        let derived = match symbol {
            Symbol::Terminal(terminal) => {
                let skip = self.lexicon.skip();
                let lexeme = self.lexicon.terminals[terminal.index()];
                let language = self.lexicon.languages.concat(skip, lexeme);
                matches(&mut self.lexicon.languages, language, &self.text[from..to])
            }
            Symbol::Nonterminal(nonterminal) => {
                // The grammar is not cyclic and has no empty right parts, so this is never asked again on the way.
                let productions: Vec<_> =
                    self.cfg.productions.iter().filter(|p| p.0 == nonterminal).collect();
                productions.into_iter().any(|production| self.sequence(from, to, &production.1))
            }
        };
        self.known.insert((from, to, symbol), derived);
        derived
    }

    fn sequence(&mut self, from: usize, to: usize, symbols: &[Symbol]) -> bool {
        match symbols {
            [] => from == to,
            [only] => self.derives(from, to, *only),
            [first, rest @ ..] => {
                (from + 1..to).any(|cut| self.derives(from, cut, *first) && self.sequence(cut, to, rest))
            }
        }
    }

    fn accepts(&mut self) -> bool {
        let end = self.text.len();
        (0..=end).any(|cut| {
            let skip = self.lexicon.skip();
            let rest = matches(&mut self.lexicon.languages, skip, &self.text[cut..]);
            let start = Symbol::Nonterminal(self.cfg.start);
            rest && (if cut == 0 { self.cfg.accepts_empty } else { self.derives(0, cut, start) })
        })
    }
}

fn matches(languages: &mut Languages, language: gcc_grammar_tests::oracle::Language, text: &[Unit]) -> bool {
    let rest = text.iter().fold(language, |rest, &unit| languages.step(rest, unit));
    languages.is_nullable(rest)
}

#[test]
fn any_split_is_context_free_recognition() {
    let mut accepted = 0;
    for seed in 0..250 {
        let mut sample = Sample::new(seed);
        sample.grammar.discipline = Discipline::AnySplit;
        let cfg = Cfg::new(&sample.grammar, &sample.vocabulary);
        let mut lexicon = Lexicon::new(&sample.grammar, &sample.vocabulary);
        let mut earley = AnySplit::new(&sample.grammar, &sample.vocabulary);
        let mut members = Vec::new();
        for text in texts(&sample, 5) {
            let mut derivations =
                Derivations { cfg: &cfg, lexicon: &mut lexicon, text: &text, known: BTreeMap::new() };
            let expected = derivations.accepts();
            let (found, viable) = read(&mut earley, &text);
            assert_eq!(found, expected, "seed {seed}: {text:?}");
            assert!(viable || !expected, "seed {seed}: a member that is not viable: {text:?}");
            if expected {
                members.push(text);
            }
        }
        for text in &members {
            assert!(
                (0..text.len()).all(|cut| read(&mut earley, &text[..cut]).1),
                "seed {seed}: prefix of {text:?}"
            );
        }
        accepted += members.len();
    }
    assert!(accepted > 5_000, "only {accepted} members were found: the samples are too poor");
}

/// Every viable text is the start of a member: shown by finding one.
#[test]
fn viable_texts_can_be_completed() {
    for seed in 0..300 {
        let mut sample = Sample::new(seed);
        sample.grammar.discipline = Discipline::AnySplit;
        // They only lead the search astray.
        sample.grammar.ignored.clear();
        let mut earley = AnySplit::new(&sample.grammar, &sample.vocabulary);
        if !earley.is_viable() {
            // The vocabulary lacks bytes that every text has.
            continue;
        }
        let letters = Lexicon::new(&sample.grammar, &sample.vocabulary);
        let letters = letters.languages.letters();
        let mut random = Random::new(seed);
        for _ in 0..random.between(0, 6) {
            let before = earley.len();
            let unit = *random.pick(&letters);
            if !earley.push(unit) {
                earley.truncate(before);
            }
        }
        assert!(
            completes(&mut earley, &letters, &mut random),
            "seed {seed}: no way out of {} units\n{}",
            earley.len(),
            sample.grammar
        );
    }
}

/// Whether some text leads to a member: random ones are tried, each with its own favourite letters, as a walk without any
/// would go deeper more often than it comes back.
fn completes(recognizer: &mut dyn Recognizer, letters: &[Unit], random: &mut Random) -> bool {
    let start = recognizer.len();
    let mut letters = letters.to_vec();
    for _ in 0..5_000 {
        recognizer.truncate(start);
        for last in (1..letters.len()).rev() {
            letters.swap(last, random.below(last + 1));
        }
        for _ in 0..80 {
            if recognizer.accepts() {
                return true;
            }
            if !push_favourite(recognizer, &letters, random) {
                break;
            }
        }
    }
    false
}

/// Reads one of the first letters that are possible.
fn push_favourite(recognizer: &mut dyn Recognizer, letters: &[Unit], random: &mut Random) -> bool {
    let before = recognizer.len();
    for pass in 0..2 {
        for &letter in letters {
            if pass == 0 && random.chance(20) {
                continue;
            }
            if recognizer.push(letter) {
                return true;
            }
            recognizer.truncate(before);
        }
    }
    false
}

/// Longest match by the definition, without looking ahead: lexeme by lexeme on the whole text.
struct Cuts<'a> {
    tables: &'a Tables,
    stacks: Stacks,
    lexicon: &'a mut Lexicon,
    contexts: &'a ContextRules,
}

impl Cuts<'_> {
    /// What may start after the lexeme `last`, with this state on top.
    fn context(&self, state: usize, last: Option<TerminalId>) -> BTreeSet<TerminalId> {
        let ContextRules { everywhere, after, verbatim, .. } = self.contexts;
        let mut context: BTreeSet<TerminalId> = self.tables.context(state).collect();
        let is_verbatim = verbatim.iter().any(|terminal| context.contains(terminal));
        if !is_verbatim {
            context.extend(everywhere);
        }
        for After { terminal, .. } in after {
            context.remove(terminal);
        }
        for After { terminal, lexemes } in after {
            if last.is_some_and(|last| lexemes.contains(&last)) {
                context.insert(*terminal);
            }
        }
        if !is_verbatim {
            context.extend(&self.lexicon.ignored);
        }
        context
    }

    fn accepts(&mut self, stack: Stack, last: Option<TerminalId>, text: &[Unit]) -> bool {
        if text.is_empty() {
            return self.tables.accepts(&mut self.stacks, stack);
        }
        let context = self.context(self.stacks.top(stack), last);
        let Some((length, winners)) = self.lexeme(&context, text) else { return false };
        winners.into_iter().any(|winner| {
            if self.lexicon.ignored.contains(&winner) {
                return self.accepts(stack, last, &text[length..]);
            }
            let stacks = self.tables.shift(&mut self.stacks, stack, winner);
            stacks.into_iter().any(|stack| self.accepts(stack, Some(winner), &text[length..]))
        })
    }

    /// The longest prefix that any terminal matches, and the terminals that win it.
    fn lexeme(&mut self, context: &BTreeSet<TerminalId>, text: &[Unit]) -> Option<(usize, Vec<TerminalId>)> {
        let lazy = (1..=text.len()).find(|&length| {
            let lazy: Vec<TerminalId> =
                self.lexicon.lazy.iter().copied().filter(|lazy| context.contains(lazy)).collect();
            lazy.into_iter().any(|lazy| {
                let language = self.lexicon.terminals[lazy.index()];
                matches(&mut self.lexicon.languages, language, &text[..length])
            })
        });
        let longest = lazy.unwrap_or(text.len());
        (1..=longest).rev().find_map(|length| {
            let tied: Vec<_> = context
                .iter()
                .copied()
                .filter(|terminal| {
                    let language = self.lexicon.terminals[terminal.index()];
                    matches(&mut self.lexicon.languages, language, &text[..length])
                })
                .collect();
            let winners = self.lexicon.winners(&tied);
            (!winners.is_empty()).then_some((length, winners))
        })
    }
}

#[test]
fn longest_match_follows_its_definition() {
    let mut accepted = 0;
    for seed in 0..400 {
        let mut sample = Sample::new(seed);
        sample.grammar.discipline = Discipline::LongestMatch;
        sample.grammar.contexts.languages.clear();
        let cfg = Cfg::new(&sample.grammar, &sample.vocabulary);
        let tables = Tables::new(&cfg);
        let mut lexicon = Lexicon::new(&sample.grammar, &sample.vocabulary);
        let mut longest = LongestMatch::new(&sample.grammar, &sample.vocabulary, &cfg);
        let contexts = &sample.grammar.contexts;
        let stacks = Stacks::default();
        let mut cuts = Cuts { tables: &tables, stacks, lexicon: &mut lexicon, contexts };
        let bottom = cuts.stacks.bottom(0);
        let mut members = Vec::new();
        for text in texts(&sample, 5) {
            let expected = cuts.accepts(bottom, None, &text);
            let (found, viable) = read(&mut longest, &text);
            if longest.is_exhausted() {
                break;
            }
            assert_eq!(found, expected, "seed {seed}: {text:?}");
            assert!(viable || !expected, "seed {seed}: a member that is not viable: {text:?}");
            if expected {
                members.push(text);
            }
        }
        for text in &members {
            assert!(
                (0..text.len()).all(|cut| read(&mut longest, &text[..cut]).1),
                "seed {seed}: prefix of {text:?}"
            );
        }
        accepted += members.len();
    }
    assert!(accepted > 5_000, "only {accepted} members were found: the samples are too poor");
}

/// Where lexemes delimit themselves, both disciplines are the same, viable prefixes included.
#[test]
fn disciplines_agree_on_lexemes_that_delimit_themselves() {
    let patterns = ["a", "b", "cd", "ce", "é", "[x]"];
    let mut compared = 0;
    for seed in 0..400 {
        let mut sample = Sample::new(seed);
        for (terminal, pattern) in sample.grammar.terminals.iter_mut().zip(patterns) {
            terminal.pattern = Pattern::Regex(Regex::Literal(pattern.as_bytes().to_vec()));
        }
        sample.grammar.terminals.truncate(patterns.len());
        sample.grammar.contexts = ContextRules::default();
        let known = sample.grammar.terminals.len();
        // All bytes, so that the texts can be spelled.
        sample.vocabulary.tokens.push(Token::Text((0..=u8::MAX).collect()));
        if uses_beyond(&sample.grammar, known) || !is_sound(&sample.grammar, &sample.vocabulary) {
            continue;
        }
        let cfg = Cfg::new(&sample.grammar, &sample.vocabulary);
        let mut earley = AnySplit::new(&sample.grammar, &sample.vocabulary);
        let mut longest = LongestMatch::new(&sample.grammar, &sample.vocabulary, &cfg);
        for text in texts(&sample, 6) {
            let both = (read(&mut earley, &text), read(&mut longest, &text));
            assert!(longest.is_exhausted() || both.0 == both.1, "seed {seed}: {both:?} on {text:?}");
            compared += 1;
        }
    }
    assert!(compared > 50_000, "only {compared} texts were compared");
}

/// Whether a rule uses a terminal that is no longer there.
fn uses_beyond(grammar: &Grammar, known: usize) -> bool {
    let ignored = grammar.ignored.iter().any(|terminal| terminal.index() >= known);
    ignored
        || grammar
            .rules
            .iter()
            .any(|rule| format!("{:?}", rule.body).contains(&format!("TerminalId({known}")))
}

/// Vocabularies are as their generator promises.
#[test]
fn vocabularies_have_tokens_that_span_lexemes_and_odd_ones() {
    let (mut empty, mut long, mut holes, mut ends) = (0, 0, 0, 0);
    for seed in 0..200 {
        let Vocabulary { tokens, end, .. } = Sample::new(seed).vocabulary;
        empty +=
            tokens.iter().filter(|token| matches!(token, Token::Text(bytes) if bytes.is_empty())).count();
        long += tokens.iter().filter(|token| matches!(token, Token::Text(bytes) if bytes.len() > 3)).count();
        holes += tokens.iter().filter(|token| matches!(token, Token::Hole)).count();
        ends += end.len();
    }
    assert!(empty > 10 && long > 200 && holes > 10 && ends > 100, "{empty} {long} {holes} {ends}");
}
