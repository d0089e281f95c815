//! Generates random grammars. They are small, and have every feature of the grammar representation.

use super::regex;
use crate::oracle::right_part::RightParts;
use crate::oracle::{Cfg, Lexicon};
use crate::{Token, Vocabulary};
use gcc_grammar_ir::special::{LIMIT, MARK, mark, may_match_mark};
use gcc_grammar_ir::{
    After, Body, ContextRules, Discipline, EmbeddedLanguage, Expr, Grammar, NonterminalId, Pattern, Rule,
    Symbol, SymbolDfa, SymbolDfaState, Terminal, TerminalId, TokenSelector,
};
use gcc_grammar_random::Random;
use gcc_grammar_regular::{CharSet, Dfa, PatternFlags, Regex, RegularLimits};
use std::sync::Arc;

/// The largest number of productions. With more, the tables of the oracle take too long to build.
const PRODUCTIONS: usize = 60;

/// Generates a sound grammar over the special tokens of `vocabulary`.
pub(super) fn grammar(random: &mut Random, letters: &[&[u8]], vocabulary: &Vocabulary) -> Grammar {
    loop {
        let grammar = any_grammar(random, letters, vocabulary);
        if is_sound(&grammar, vocabulary) {
            return grammar;
        }
    }
}

/// The same under any split, where most terminals have limits on the tokens of their lexemes.
pub(super) fn grammar_with_limits(
    random: &mut Random,
    letters: &[&[u8]],
    vocabulary: &Vocabulary,
) -> Grammar {
    limited(random, letters, vocabulary, |grammar| {
        (grammar.discipline, grammar.contexts) = (Discipline::AnySplit, ContextRules::default());
    })
}

/// The same in both disciplines, and with context rules.
pub(super) fn contexts_with_limits(
    random: &mut Random,
    letters: &[&[u8]],
    vocabulary: &Vocabulary,
) -> Grammar {
    limited(random, letters, vocabulary, |_| {})
}

/// The same under any split, where some terminals are JSON strings whose characters are counted.
pub(super) fn grammar_with_counters(
    random: &mut Random,
    letters: &[&[u8]],
    vocabulary: &Vocabulary,
) -> Grammar {
    loop {
        let mut grammar = grammar(random, letters, vocabulary);
        (grammar.discipline, grammar.contexts) = (Discipline::AnySplit, ContextRules::default());
        let count = random.between(1, 2);
        for terminal in grammar.terminals.iter_mut().take(count) {
            terminal.pattern = Pattern::Counted(strings(random), random.below(8) as u32);
            terminal.literal = false;
        }
        if is_sound(&grammar, vocabulary) {
            return grammar;
        }
    }
}

/// Generates a language of JSON strings.
fn strings(random: &mut Random) -> Regex {
    const CHARACTERS: [&str; 9] = [
        "a",
        "b",
        "é",
        "[^\"\\\\\\x00-\\x1F]",
        r"\\n",
        r#"\\[\\"n]"#,
        r"\\u00e9",
        r"\\u[0-9a-c][0-9a-f]{3}",
        r"\\ud[89a]00\\ud[c-f]0[0-9a]",
    ];
    let count = random.between(1, 4);
    let some = Regex::union((0..count).map(|_| parsed(random.pick::<&str>(&CHARACTERS))));
    let other = || parsed("a");
    let content = match random.below(7) {
        0..3 => some.star(),
        3 => some.repeat(random.below(4) as u32, None),
        4 => Regex::concat([other(), some.star()]),
        5 => Regex::concat([some.star(), other().optional()]),
        _ => Regex::concat([other(), some]).star(),
    };
    Regex::concat([Regex::literal("\""), content, Regex::literal("\"")])
}

fn parsed(pattern: &str) -> Regex {
    Regex::parse(pattern, PatternFlags::default()).expect("a pattern")
}

/// A sound grammar that is changed, and then gets limits on tokens.
fn limited(
    random: &mut Random,
    letters: &[&[u8]],
    vocabulary: &Vocabulary,
    change: fn(&mut Grammar),
) -> Grammar {
    loop {
        let mut grammar = grammar(random, letters, vocabulary);
        change(&mut grammar);
        limit_tokens(random, letters, &mut grammar);
        if is_sound(&grammar, vocabulary) {
            return grammar;
        }
    }
}

/// Whether the compiler must accept the grammar: its language is not empty, every text has finitely many derivations, and no
/// terminal matches the empty text.
#[must_use]
pub fn is_sound(grammar: &Grammar, vocabulary: &Vocabulary) -> bool {
    let mut lexicon = Lexicon::new(grammar, vocabulary);
    let parts = RightParts::new(grammar, &lexicon.inhabited());
    let consuming = lexicon.terminals.iter().all(|&terminal| !lexicon.languages.is_nullable(terminal));
    if !consuming || !parts.is_productive(grammar.start) {
        return false;
    }
    let cfg = Cfg::from_right_parts(&parts, grammar.start);
    cfg.productions.len() <= PRODUCTIONS && !cfg.is_cyclic()
}

fn any_grammar(random: &mut Random, letters: &[&[u8]], vocabulary: &Vocabulary) -> Grammar {
    let discipline = if random.chance(50) { Discipline::AnySplit } else { Discipline::LongestMatch };
    let mut terminals: Vec<Terminal> = Vec::new();
    for _ in 0..random.between(1, 6) {
        let terminal = text(random, letters, &terminals);
        terminals.push(terminal);
    }
    // A stream of its own, so that samples without names are those of the same seeds as ever.
    let mut names = random.clone();
    if names.chance(25) {
        for terminal in &mut terminals {
            if names.chance(60) {
                with_names(&mut names, letters, vocabulary, terminal);
            }
        }
    }
    if random.chance(20)
        && let Some(special) = special(random, vocabulary)
    {
        terminals.push(special);
    }
    let used = terminals.len();
    let ignored = random.chance(30);
    if ignored {
        let terminal = text(random, letters, &terminals);
        terminals.push(terminal);
    }
    for (index, terminal) in terminals.iter_mut().enumerate() {
        terminal.name = format!("T{index}");
    }
    let ignored = if ignored { vec![TerminalId::new(used)] } else { Vec::new() };
    let rules = rules(random, used);
    let mut contexts = match discipline {
        Discipline::LongestMatch if random.chance(40) => context_rules(random, used),
        _ => ContextRules::default(),
    };
    if random.chance(10) {
        contexts.languages = languages(random, used, &ignored);
    }
    Grammar { terminals, rules, start: NonterminalId(0), ignored, discipline, contexts }
}

/// Generates rules for terminals that are recognized where the parser does not expect them, mostly with a higher priority.
fn context_rules(random: &mut Random, terminals: usize) -> ContextRules {
    let some = |random: &mut Random, chance| {
        (0..terminals).filter(|_| random.chance(chance)).map(TerminalId::new).collect::<Vec<_>>()
    };
    let everywhere = some(random, 20);
    let targets = some(random, 25);
    let after = targets.into_iter().map(|terminal| After { terminal, lexemes: some(random, 60) });
    let after = after.collect();
    let verbatim = some(random, 10);
    let together = if random.chance(60) { some(random, 80) } else { Vec::new() };
    let lazy = if random.chance(30) { some(random, 30) } else { Vec::new() };
    ContextRules { everywhere, after, verbatim, together, lazy, ..ContextRules::default() }
}

/// Generates an embedded language of some of the terminals, which may have the ignored ones.
fn languages(random: &mut Random, terminals: usize, ignored: &[TerminalId]) -> Vec<EmbeddedLanguage> {
    let own = (0..terminals).filter(|_| random.chance(60)).map(TerminalId::new);
    let mut own: Vec<TerminalId> = own.collect();
    let everywhere = own.iter().copied().filter(|_| random.chance(20)).collect();
    let ignored = if random.chance(70) { ignored.to_vec() } else { Vec::new() };
    own.extend(&ignored);
    vec![EmbeddedLanguage { terminals: own, everywhere, ignored }]
}

/// Generates a terminal over bytes, often similar to one of the `others`, so that they compete.
fn text(random: &mut Random, letters: &[&[u8]], others: &[Terminal]) -> Terminal {
    let literal = random.chance(50);
    let pattern = match akin(random, letters, others) {
        Some(pattern) if random.chance(40) => pattern,
        _ if literal => Regex::Literal(regex::literal(random, letters)),
        _ => regex::regex(random, letters, 3),
    };
    let priority = if random.chance(70) { 0 } else { *random.pick(&[-1, 1]) };
    Terminal { name: String::new(), pattern: Pattern::Regex(pattern), priority, literal }
}

/// Makes a terminal one in which special tokens stand for names, or besides them, if there are special tokens.
fn with_names(random: &mut Random, letters: &[&[u8]], vocabulary: &Vocabulary, terminal: &mut Terminal) {
    let specials = vocabulary.iter().filter(|(_, token)| matches!(token, Token::Special(_)));
    let specials: Vec<u32> = specials.map(|(id, _)| id).collect();
    // In such a terminal, the byte 0xFF is that of marks.
    let letters: Vec<&[u8]> = letters.iter().copied().filter(|letter| *letter != [MARK]).collect();
    if specials.is_empty() || letters.is_empty() {
        return;
    }
    let part = |random: &mut Random| {
        let text = Regex::Literal(regex::literal(random, &letters));
        match random.below(10) {
            0..4 => text,
            4..8 => Regex::union([text, Regex::Literal(mark(*random.pick(&specials)))]),
            8 => Regex::Literal(mark(*random.pick(&specials))),
            _ => regex::regex(random, &letters, 1),
        }
    };
    let parts =
        |random: &mut Random| Regex::Concat((0..random.between(1, 3)).map(|_| part(random)).collect());
    let regex = match random.below(6) {
        0 => parts(random).plus(),
        1 => Regex::union([parts(random), parts(random)]),
        2 => Regex::concat([part(random), parts(random).star()]),
        _ => parts(random),
    };
    terminal.pattern = Pattern::Marked(regex);
}

/// Limits the tokens of terminals. Ignored ones have no limits.
fn limit_tokens(random: &mut Random, letters: &[&[u8]], grammar: &mut Grammar) {
    let Grammar { terminals, ignored, .. } = grammar;
    let is_ignored = |index| ignored.contains(&TerminalId::new(index));
    let others = terminals.iter_mut().enumerate().filter(|&(index, _)| !is_ignored(index));
    for (_, terminal) in others {
        if random.chance(60) {
            limit(random, letters, terminal);
        }
    }
}

/// Limits the tokens of a terminal of texts, which may then end without a suffix. Literals are repeated, so that they can have several tokens.
fn limit(random: &mut Random, letters: &[&[u8]], terminal: &mut Terminal) {
    let Some(texts) = terminal.pattern.regex() else { return };
    let is_marked = terminal.pattern.is_marked();
    let repeats = terminal.literal || random.chance(30);
    let texts = if repeats { texts.clone().plus() } else { texts.clone() };
    let most = u32::try_from(random.between(1, 3)).expect("a small number");
    // In a terminal with marks, the byte 0xFF is that of marks.
    let letters: Vec<&[u8]> = letters.iter().copied().filter(|letter| *letter != [MARK]).collect();
    let can_close = (is_marked || !may_match_mark(&texts)) && !letters.is_empty();
    let pattern = if can_close && random.chance(30) {
        let suffix = Regex::Literal(regex::literal(random, &letters));
        Pattern::Marked(Regex::concat([texts, Regex::union([suffix, Regex::Literal(LIMIT.to_vec())])]))
    } else if is_marked {
        Pattern::Marked(texts)
    } else {
        Pattern::Regex(texts)
    };
    (terminal.pattern, terminal.literal) = (Pattern::Limited(Box::new(pattern), most), false);
}

/// Generates a terminal that is equal to another one, or an extension of it.
fn akin(random: &mut Random, letters: &[&[u8]], others: &[Terminal]) -> Option<Regex> {
    if others.is_empty() {
        return None;
    }
    let Pattern::Regex(other) = &random.pick(others).pattern else { return None };
    let more = Regex::Literal(regex::literal(random, letters));
    Some(match random.below(5) {
        0 => other.clone(),
        1 => other.clone().plus(),
        2 => Regex::concat([other.clone(), more.optional()]),
        3 => Regex::concat([other.clone(), more]),
        _ => Regex::union([other.clone(), more]),
    })
}

/// Generates a terminal over tokens that are matched by id.
fn special(random: &mut Random, vocabulary: &Vocabulary) -> Option<Terminal> {
    let specials = vocabulary.iter().filter_map(|(id, token)| match token {
        Token::Special(name) if !vocabulary.is_end(id) => Some((id, Some(name.clone()))),
        _ => None,
    });
    let ordinary = vocabulary.iter().filter(|(id, _)| vocabulary.is_ordinary(*id)).map(|(id, _)| (id, None));
    let specials: Vec<(u32, Option<String>)> = specials.collect();
    let among = if random.chance(20) { specials.iter().cloned().chain(ordinary).collect() } else { specials };
    if among.is_empty() {
        return None;
    }
    let selectors = (0..random.between(1, 2)).map(|_| selector(random, &among));
    let pattern = Pattern::Token(selectors.collect());
    Some(Terminal { name: String::new(), pattern, priority: 0, literal: false })
}

/// A selector of one of these tokens, of which the special ones have names, or of all others.
fn selector(random: &mut Random, tokens: &[(u32, Option<String>)]) -> TokenSelector {
    let (id, name) = random.pick(tokens).clone();
    let one = match name {
        Some(name) if random.chance(50) => TokenSelector::Name(name),
        _ => TokenSelector::Ids(id, id),
    };
    match random.below(20) {
        0..2 => TokenSelector::SpecialBut(vec![one]),
        2..4 => TokenSelector::AnyBut(vec![one]),
        4 => TokenSelector::TextsBut(Arc::new(letters_dfa()), vec![one]),
        5 => TokenSelector::Spelled(Arc::new(letters_dfa())),
        _ => one,
    }
}

/// The texts of letters.
fn letters_dfa() -> Dfa {
    let letters = Regex::Chars(CharSet::range('a', 'z')).plus();
    letters.to_dfa(&RegularLimits::default()).expect("two states")
}

fn rules(random: &mut Random, terminals: usize) -> Vec<Rule> {
    let count = random.between(1, 5);
    let body = |random: &mut Random, index: usize| {
        let symbols = Symbols { terminals, nonterminals: count };
        match random.below(10) {
            0 => Body::Automaton(symbols.automaton(random)),
            1..4 => Body::Expr(symbols.shape(random, index)),
            _ => Body::Expr(symbols.expr(random, 3)),
        }
    };
    (0..count)
        .map(|index| Rule { name: format!("r{index}"), body: body(random, index), location: None })
        .collect()
}

/// The symbols of right-hand sides.
struct Symbols {
    terminals: usize,
    nonterminals: usize,
}

impl Symbols {
    fn symbol(&self, random: &mut Random) -> Symbol {
        if random.chance(60) {
            self.terminal(random)
        } else {
            Symbol::Nonterminal(NonterminalId::new(random.below(self.nonterminals)))
        }
    }

    fn terminal(&self, random: &mut Random) -> Symbol {
        Symbol::Terminal(TerminalId::new(random.below(self.terminals)))
    }

    fn expr(&self, random: &mut Random, depth: usize) -> Expr {
        if depth == 0 || random.chance(30) {
            return Expr::Symbol(self.symbol(random));
        }
        match random.below(10) {
            0..5 => Expr::Sequence((0..random.between(0, 3)).map(|_| self.expr(random, depth - 1)).collect()),
            5..8 => Expr::Choice((0..random.between(1, 3)).map(|_| self.expr(random, depth - 1)).collect()),
            _ => {
                let (min, max) = *random.pick(&[
                    (0, None),
                    (1, None),
                    (0, Some(1)),
                    (0, Some(2)),
                    (2, Some(3)),
                    (1, Some(1)),
                    (0, Some(0)),
                ]);
                Expr::Repeat { inner: Box::new(self.expr(random, depth - 1)), min, max }
            }
        }
    }

    /// Generates a typical right-hand side of real grammars, or one that is difficult for parsers.
    fn shape(&self, random: &mut Random, index: usize) -> Expr {
        let this = || Expr::Symbol(Symbol::Nonterminal(NonterminalId::new(index)));
        let symbol = |random: &mut Random| Expr::Symbol(self.symbol(random));
        let terminal = |random: &mut Random| Expr::Symbol(self.terminal(random));
        let (first, second) = (symbol(random), symbol(random));
        let base = terminal(random);
        let optional = |inner: Expr| Expr::Repeat { inner: Box::new(inner), min: 0, max: Some(1) };
        let any = |inner: Expr| Expr::Repeat { inner: Box::new(inner), min: 0, max: None };
        match random.below(9) {
            // left recursion, right recursion, both (ambiguous), in the middle
            0 => Expr::Choice(vec![Expr::Sequence(vec![this(), first, second]), base]),
            1 => Expr::Choice(vec![Expr::Sequence(vec![first, second, this()]), base]),
            2 => Expr::Choice(vec![Expr::Sequence(vec![this(), first, this()]), base]),
            3 => Expr::Choice(vec![Expr::Sequence(vec![terminal(random), this(), first]), second]),
            // right recursion without separators, that derives the empty text
            4 => Expr::Choice(vec![Expr::Sequence(vec![first, this()]), Expr::Sequence(Vec::new())]),
            // recursion hidden behind a part that may be empty
            5 => Expr::Choice(vec![Expr::Sequence(vec![optional(first), this(), base]), second]),
            6 => Expr::Choice(vec![Expr::Sequence(vec![base, this(), optional(first)]), second]),
            // a list with separators, optional members in order
            7 => optional(Expr::Sequence(vec![first.clone(), any(Expr::Sequence(vec![base, first]))])),
            _ => {
                Expr::Sequence(vec![optional(first), optional(second), optional(terminal(random)), any(base)])
            }
        }
    }

    fn automaton(&self, random: &mut Random) -> SymbolDfa {
        let count = random.between(1, 4);
        let state = |random: &mut Random| {
            let mut symbols: Vec<Symbol> = (0..random.between(0, 3)).map(|_| self.symbol(random)).collect();
            symbols.sort_unstable();
            symbols.dedup();
            let target = |random: &mut Random| u32::try_from(random.below(count)).expect("few states");
            let transitions = symbols.into_iter().map(|symbol| (symbol, target(random))).collect();
            SymbolDfaState { accepting: random.chance(40), transitions }
        };
        SymbolDfa { states: (0..count).map(|_| state(random)).collect() }
    }
}
