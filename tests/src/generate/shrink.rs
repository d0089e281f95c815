//! Makes failing samples small: parts are removed or simplified as long as the sample still fails.
//!
//! In: a sample with a walk, and a test that tells whether a sample fails. Out: a sample that fails, and of which no
//! simplification fails, unless the number of attempts is used up.

use super::grammar::is_sound;
use super::sample::Sample;
use crate::compare::Step;
use crate::{Token, Vocabulary};
use gcc_grammar_ir::{
    Body, ContextRules, Expr, Grammar, NonterminalId, Pattern, Symbol, SymbolDfa, TerminalId, TokenSelector,
};
use gcc_grammar_regular::Regex;

/// A sample with a walk on it.
#[derive(Clone, Debug)]
pub struct Failing {
    /// Grammar and vocabulary.
    pub sample: Sample,
    /// The steps to the failure.
    pub walk: Vec<Step>,
}

/// The smallest failing one found within `attempts` tries; `fails` holds for `failing`.
pub fn shrink(failing: Failing, attempts: usize, mut fails: impl FnMut(&Failing) -> bool) -> Failing {
    let mut smallest = failing;
    let mut left = attempts;
    'smaller: loop {
        for candidate in smaller(&smallest) {
            if left == 0 {
                return smallest;
            }
            left -= 1;
            if is_sound(&candidate.sample.grammar, &candidate.sample.vocabulary) && fails(&candidate) {
                smallest = candidate;
                continue 'smaller;
            }
        }
        return smallest;
    }
}

/// All simplifications of a sample, those that remove most first.
fn smaller(failing: &Failing) -> Vec<Failing> {
    let mut candidates = Vec::new();
    let Failing { sample: Sample { grammar, vocabulary }, walk } = failing;
    for index in 0..walk.len() {
        let mut walk = walk.clone();
        walk.remove(index);
        candidates.push(Failing { sample: failing.sample.clone(), walk });
    }
    let grammars = smaller_grammars(grammar);
    candidates.extend(grammars.into_iter().map(|grammar| Failing {
        sample: Sample { grammar, vocabulary: vocabulary.clone() },
        walk: walk.clone(),
    }));
    candidates.extend((0..vocabulary.tokens.len()).rev().filter_map(|id| without_token(failing, id)));
    candidates.extend(simpler_vocabularies(vocabulary).into_iter().map(|vocabulary| Failing {
        sample: Sample { grammar: grammar.clone(), vocabulary },
        walk: walk.clone(),
    }));
    candidates
}

/// Removes a token; none if the walk uses it.
fn without_token(failing: &Failing, removed: usize) -> Option<Failing> {
    let removed_id = u32::try_from(removed).ok()?;
    let moved = |id: u32| if id > removed_id { id - 1 } else { id };
    let Failing { sample: Sample { grammar, vocabulary }, walk } = failing;
    let mut grammar = grammar.clone();
    for terminal in &mut grammar.terminals {
        // Marks have ids.
        if terminal.pattern.is_marked() {
            return None;
        }
        let Pattern::Token(selectors) = &mut terminal.pattern else { continue };
        let mut open: Vec<&mut TokenSelector> = selectors.iter_mut().collect();
        while let Some(selector) = open.pop() {
            match selector {
                TokenSelector::Ids(low, _) if *low == removed_id => return None,
                TokenSelector::Ids(low, high) => (*low, *high) = (moved(*low), moved(*high)),
                TokenSelector::AnyBut(except)
                | TokenSelector::SpecialBut(except)
                | TokenSelector::TextsBut(_, except) => open.extend(except),
                TokenSelector::Name(_) | TokenSelector::Matching(_) | TokenSelector::Spelled(_) => {}
            }
        }
    }
    let mut vocabulary = vocabulary.clone();
    vocabulary.tokens.remove(removed);
    vocabulary.end.retain(|&id| id != removed_id);
    vocabulary.end.iter_mut().for_each(|id| *id = moved(*id));
    let step = |step: &Step| match *step {
        Step::Commit(id) if id == removed_id => None,
        Step::Commit(id) => Some(Step::Commit(moved(id))),
        rollback => Some(rollback),
    };
    let walk = walk.iter().map(step).collect::<Option<Vec<Step>>>()?;
    Some(Failing { sample: Sample { grammar, vocabulary }, walk })
}

fn simpler_vocabularies(vocabulary: &Vocabulary) -> Vec<Vocabulary> {
    let mut simpler = Vec::new();
    if vocabulary.padding > 0 {
        simpler.push(Vocabulary { padding: 0, ..vocabulary.clone() });
    }
    for (index, token) in vocabulary.tokens.iter().enumerate() {
        if let Token::Text(bytes) = token
            && bytes.len() > 1
        {
            for shorter in [&bytes[1..], &bytes[..bytes.len() - 1]] {
                let mut vocabulary = vocabulary.clone();
                vocabulary.tokens[index] = Token::Text(shorter.to_vec());
                simpler.push(vocabulary);
            }
        }
    }
    simpler
}

fn smaller_grammars(grammar: &Grammar) -> Vec<Grammar> {
    let mut smaller = Vec::new();
    smaller.extend((0..grammar.rules.len()).filter_map(|index| without_rule(grammar, index)));
    smaller.extend((0..grammar.terminals.len()).filter_map(|index| without_terminal(grammar, index)));
    if grammar.contexts != ContextRules::default() {
        smaller.push(Grammar { contexts: ContextRules::default(), ..grammar.clone() });
    }
    for index in 0..grammar.contexts.after.len() {
        let mut grammar = grammar.clone();
        grammar.contexts.after.remove(index);
        smaller.push(grammar);
    }
    if !grammar.ignored.is_empty() {
        smaller.push(Grammar { ignored: Vec::new(), ..grammar.clone() });
    }
    for index in 0..grammar.rules.len() {
        for body in simpler_bodies(&grammar.rules[index].body) {
            let mut grammar = grammar.clone();
            grammar.rules[index].body = body;
            smaller.push(grammar);
        }
    }
    for index in 0..grammar.terminals.len() {
        let terminal = &grammar.terminals[index];
        if terminal.priority != 0 || terminal.literal {
            let mut grammar = grammar.clone();
            grammar.terminals[index].priority = 0;
            grammar.terminals[index].literal = false;
            smaller.push(grammar);
        }
        for simpler in simpler_patterns(&terminal.pattern) {
            let mut grammar = grammar.clone();
            grammar.terminals[index].pattern = simpler;
            smaller.push(grammar);
        }
    }
    smaller
}

/// Removes a rule that no other rule uses.
fn without_rule(grammar: &Grammar, removed: usize) -> Option<Grammar> {
    let gone = Symbol::Nonterminal(NonterminalId::new(removed));
    if grammar.start.index() == removed {
        return None;
    }
    let mut grammar = grammar.clone();
    grammar.rules.remove(removed);
    let shift = |symbol: Symbol| match symbol {
        Symbol::Nonterminal(id) if id.index() > removed => Symbol::Nonterminal(NonterminalId(id.0 - 1)),
        other => other,
    };
    renumber(&mut grammar, gone, shift)?;
    if grammar.start.index() > removed {
        grammar.start.0 -= 1;
    }
    Some(grammar)
}

/// Removes a terminal that no rule uses.
fn without_terminal(grammar: &Grammar, removed: usize) -> Option<Grammar> {
    let gone = TerminalId::new(removed);
    let ContextRules { everywhere, after, verbatim, together, lazy, followed, preceded, languages, modes } =
        &grammar.contexts;
    let embedded = languages.iter().flat_map(|language| language.everywhere.iter().chain(&language.ignored));
    let behind = modes.iter().flat_map(|mode| &mode.behind);
    let named = after.iter().flat_map(|after| after.lexemes.iter().chain([&after.terminal]));
    if grammar
        .ignored
        .iter()
        .chain(everywhere)
        .chain(verbatim)
        .chain(together)
        .chain(lazy)
        .chain(embedded)
        .chain(behind)
        .chain(named)
        .chain(followed.iter().map(|followed| &followed.terminal))
        .chain(preceded.iter().map(|preceded| &preceded.terminal))
        .any(|&id| id == gone)
    {
        return None;
    }
    let mut grammar = grammar.clone();
    grammar.terminals.remove(removed);
    let shift = |symbol: Symbol| match symbol {
        Symbol::Terminal(id) if id > gone => Symbol::Terminal(TerminalId(id.0 - 1)),
        other => other,
    };
    renumber(&mut grammar, Symbol::Terminal(gone), shift)?;
    let ContextRules { everywhere, after, verbatim, together, lazy, followed, preceded, languages, modes } =
        &mut grammar.contexts;
    languages.iter_mut().for_each(|language| language.terminals.retain(|&id| id != gone));
    modes.iter_mut().for_each(|mode| mode.terminals.retain(|&id| id != gone));
    let of_modes = modes.iter_mut().flat_map(|mode| mode.terminals.iter_mut().chain(&mut mode.behind));
    let embedded = languages.iter_mut().flat_map(|language| {
        language.terminals.iter_mut().chain(&mut language.everywhere).chain(&mut language.ignored)
    });
    let named = after.iter_mut().flat_map(|after| after.lexemes.iter_mut().chain([&mut after.terminal]));
    let lists = [everywhere, verbatim, together, lazy].into_iter().flatten();
    let followed = followed.iter_mut().map(|followed| &mut followed.terminal);
    let preceded = preceded.iter_mut().map(|preceded| &mut preceded.terminal);
    let around = followed.chain(preceded).chain(of_modes);
    let all = grammar.ignored.iter_mut().chain(lists).chain(embedded).chain(named).chain(around);
    for id in all.filter(|id| **id > gone) {
        id.0 -= 1;
    }
    Some(grammar)
}

/// Renames the symbols of all right-hand sides; none if one of them uses `gone`.
fn renumber(grammar: &mut Grammar, gone: Symbol, rename: impl Fn(Symbol) -> Symbol) -> Option<()> {
    for rule in &mut grammar.rules {
        match &mut rule.body {
            Body::Expr(expr) => rename_expr(expr, gone, &rename)?,
            Body::Automaton(automaton) => {
                for (symbol, _) in automaton.states.iter_mut().flat_map(|state| &mut state.transitions) {
                    if *symbol == gone {
                        return None;
                    }
                    *symbol = rename(*symbol);
                }
            }
        }
    }
    Some(())
}

fn rename_expr(expr: &mut Expr, gone: Symbol, rename: &impl Fn(Symbol) -> Symbol) -> Option<()> {
    match expr {
        Expr::Symbol(symbol) if *symbol == gone => None,
        Expr::Symbol(symbol) => {
            *symbol = rename(*symbol);
            Some(())
        }
        Expr::Sequence(parts) | Expr::Choice(parts) => {
            parts.iter_mut().try_for_each(|part| rename_expr(part, gone, rename))
        }
        Expr::Repeat { inner, .. } => rename_expr(inner, gone, rename),
    }
}

fn simpler_bodies(body: &Body) -> Vec<Body> {
    match body {
        Body::Expr(expr) => simpler_exprs(expr).into_iter().map(Body::Expr).collect(),
        Body::Automaton(automaton) => simpler_automata(automaton).into_iter().map(Body::Automaton).collect(),
    }
}

fn simpler_automata(automaton: &SymbolDfa) -> Vec<SymbolDfa> {
    let mut simpler = Vec::new();
    for (index, state) in automaton.states.iter().enumerate() {
        for transition in 0..state.transitions.len() {
            let mut automaton = automaton.clone();
            automaton.states[index].transitions.remove(transition);
            simpler.push(automaton);
        }
        if state.accepting {
            let mut automaton = automaton.clone();
            automaton.states[index].accepting = false;
            simpler.push(automaton);
        }
    }
    simpler
}

fn simpler_exprs(expr: &Expr) -> Vec<Expr> {
    match expr {
        Expr::Symbol(_) => vec![Expr::Sequence(Vec::new())],
        Expr::Sequence(parts) => simpler_lists(parts, simpler_exprs, Expr::Sequence),
        Expr::Choice(parts) => simpler_lists(parts, simpler_exprs, Expr::Choice),
        Expr::Repeat { inner, min, max } => {
            let mut simpler = vec![(**inner).clone()];
            let repeat = |inner: Expr| Expr::Repeat { inner: Box::new(inner), min: *min, max: *max };
            simpler.extend(simpler_exprs(inner).into_iter().map(repeat));
            simpler
        }
    }
}

fn simpler_patterns(pattern: &Pattern) -> Vec<Pattern> {
    match pattern {
        Pattern::Regex(regex) => simpler_regexes(regex).into_iter().map(Pattern::Regex).collect(),
        Pattern::Limited(texts, most) => {
            let limited = |texts: Pattern, most| Pattern::Limited(Box::new(texts), most);
            let mut simpler: Vec<Pattern> =
                simpler_patterns(texts).into_iter().map(|texts| limited(texts, *most)).collect();
            simpler.extend((*most > 1).then(|| limited((**texts).clone(), most - 1)));
            // A mark of the limit is allowed within it only.
            simpler.extend((!texts.is_marked()).then(|| (**texts).clone()));
            simpler
        }
        Pattern::Counted(strings, most) if *most > 0 => vec![Pattern::Counted(strings.clone(), most - 1)],
        Pattern::Counted(..) | Pattern::Marked(_) | Pattern::Token(_) | Pattern::WithRole(..) => Vec::new(),
    }
}

fn simpler_regexes(regex: &Regex) -> Vec<Regex> {
    match regex {
        Regex::Literal(bytes) if bytes.len() > 1 => {
            vec![Regex::Literal(bytes[1..].to_vec()), Regex::Literal(bytes[..bytes.len() - 1].to_vec())]
        }
        Regex::Concat(parts) => simpler_lists(parts, simpler_regexes, Regex::Concat),
        Regex::Union(parts) => simpler_lists(parts, simpler_regexes, Regex::Union),
        Regex::Intersect(parts) => simpler_lists(parts, simpler_regexes, Regex::Intersect),
        Regex::Complement(inner) => {
            simpler_regexes(inner).into_iter().map(|inner| Regex::Complement(Box::new(inner))).collect()
        }
        Regex::Repeat { inner, min, max } => {
            let mut simpler = vec![(**inner).clone()];
            let repeat = |inner: Regex| Regex::Repeat { inner: Box::new(inner), min: *min, max: *max };
            simpler.extend(simpler_regexes(inner).into_iter().map(repeat));
            simpler
        }
        Regex::Automaton(automaton) => automaton.shortest().map(Regex::Literal).into_iter().collect(),
        Regex::Chars(set) => {
            let first = set.0.first().filter(|range| set.0.len() > 1 || range.0 < range.1);
            let letter = first.and_then(|range| char::from_u32(range.0));
            letter.map(|letter| Regex::Literal(letter.to_string().into_bytes())).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// All lists with one part only, with one part less, or with one part simplified.
fn simpler_lists<T: Clone>(
    parts: &[T],
    simpler: impl Fn(&T) -> Vec<T>,
    list: impl Fn(Vec<T>) -> T,
) -> Vec<T> {
    let mut results: Vec<T> = parts.to_vec();
    for index in 0..parts.len() {
        let replaced = |by: &[T]| list([&parts[..index], by, &parts[index + 1..]].concat());
        results.push(replaced(&[]));
        results.extend(simpler(&parts[index]).into_iter().map(|part| replaced(&[part])));
    }
    results
}
