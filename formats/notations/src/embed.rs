//! Grammars within a grammar, such as a JSON Schema within a Lark grammar.
//!
//! The host has a rule for each part, and that rule gets the part's start as its body. Two things must not leak:
//! - **What the host ignores** stands between the lexemes of the host only. So `%ignore` becomes explicit: every lexeme of the
//!   host, and every part, is followed by a rule for any number of ignored lexemes.
//! - **Ties.** The host's longest match lets one of two terminals win that match the same text. The terminals of a part that
//!   can meet are disjoint, but those of two parts need not be, so overlapping terminals of different parts are cut into disjoint
//!   pieces, and each is replaced by the choice of its pieces. Then there is nothing to win.
//!
//! Ties between terminals of the host and of a part are settled as in the host.

use gcc_grammar_ir::{
    Body, Expr, Grammar, NonterminalId, Pattern, Rule, Symbol, SymbolDfa, Terminal, TerminalId,
};
use gcc_grammar_regular::{Dfa, Regex, RegularLimits, TooLarge};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A grammar to be embedded, and the rule of the host that stands for it.
pub struct Part {
    /// The rule of the host; its body is replaced.
    pub place: NonterminalId,
    /// What the rule shall derive.
    pub grammar: Grammar,
}

/// Puts the parts into the host. The lexical discipline is that of the host.
pub fn embed(mut host: Grammar, parts: Vec<Part>, limits: &RegularLimits) -> Result<Grammar, TooLarge> {
    let places: Vec<NonterminalId> = parts.iter().map(|part| part.place).collect();
    if !host.ignored.is_empty() {
        make_ignored_explicit(&mut host, &places);
    }
    let mut pieces = Pieces::default();
    for part in &parts {
        for terminal in &part.grammar.terminals {
            pieces.add(terminal, limits)?;
        }
    }
    if parts.len() > 1 {
        pieces.cut(limits)?;
    }
    let symbols = pieces.into_symbols(&mut host);
    let mut symbols = symbols.as_slice();
    for part in parts {
        let (own, rest) = symbols.split_at(part.grammar.terminals.len());
        append_rules(&mut host, part, own);
        symbols = rest;
    }
    Ok(host)
}

/// Appends the rules of a part; `symbols` are what each of its terminals has become.
fn append_rules(host: &mut Grammar, part: Part, symbols: &[Vec<Symbol>]) {
    let offset = host.rules.len();
    let moved = |id: NonterminalId| Symbol::Nonterminal(NonterminalId::new(id.index() + offset));
    let location = host.rules[part.place.index()].location.clone();
    host.rules[part.place.index()].body = Body::Expr(Expr::Symbol(moved(part.grammar.start)));
    // Rules that an automaton needs besides its own come after those of the part.
    let mut further = Vec::new();
    let next = offset + part.grammar.rules.len();
    for Rule { name, body, .. } in part.grammar.rules {
        let body = match body {
            Body::Expr(mut expr) => {
                replace(&mut expr, symbols, &moved);
                Body::Expr(expr)
            }
            Body::Automaton(automaton) => {
                Body::Automaton(replace_letters(automaton, symbols, &moved, |choice| {
                    further.push(Rule { location: location.clone(), ..rule("%choice", choice) });
                    NonterminalId::new(next + further.len() - 1)
                }))
            }
        };
        host.rules.push(Rule { name, body, location: location.clone() });
    }
    host.rules.append(&mut further);
}

/// One of several symbols.
fn choice(pieces: &[Symbol]) -> Expr {
    match pieces {
        [only] => Expr::Symbol(*only),
        several => Expr::Choice(several.iter().copied().map(Expr::Symbol).collect()),
    }
}

fn replace(expr: &mut Expr, symbols: &[Vec<Symbol>], moved: &impl Fn(NonterminalId) -> Symbol) {
    match expr {
        Expr::Symbol(Symbol::Terminal(id)) => *expr = choice(&symbols[id.index()]),
        Expr::Symbol(Symbol::Nonterminal(id)) => *expr = Expr::Symbol(moved(*id)),
        Expr::Sequence(parts) | Expr::Choice(parts) => {
            parts.iter_mut().for_each(|part| replace(part, symbols, moved))
        }
        Expr::Repeat { inner, .. } => replace(inner, symbols, moved),
    }
}

/// Replaces the letters of an automaton. Where pieces of two letters of one state coincide, the second letter becomes a rule
/// for its pieces, so that the automaton stays deterministic.
fn replace_letters(
    automaton: SymbolDfa,
    symbols: &[Vec<Symbol>],
    moved: &impl Fn(NonterminalId) -> Symbol,
    mut new_rule: impl FnMut(Expr) -> NonterminalId,
) -> SymbolDfa {
    let mut states = automaton.states;
    for state in &mut states {
        let mut transitions: Vec<(Symbol, u32)> = Vec::with_capacity(state.transitions.len());
        for &(letter, target) in &state.transitions {
            let pieces = match letter {
                Symbol::Nonterminal(id) => vec![moved(id)],
                Symbol::Terminal(id) => symbols[id.index()].clone(),
            };
            let taken = pieces.iter().any(|piece| transitions.iter().any(|(symbol, _)| symbol == piece));
            let pieces = if taken { vec![Symbol::Nonterminal(new_rule(choice(&pieces)))] } else { pieces };
            transitions.extend(pieces.into_iter().map(|piece| (piece, target)));
        }
        transitions.sort_unstable();
        state.transitions = transitions;
    }
    SymbolDfa { states }
}

/// Puts a rule for any number of ignored lexemes at the beginning, and behind every terminal and every place.
fn make_ignored_explicit(host: &mut Grammar, places: &[NonterminalId]) {
    let ignored = Symbol::Nonterminal(NonterminalId::new(host.rules.len()));
    let follow = |symbol: Symbol| match symbol {
        Symbol::Terminal(_) => true,
        Symbol::Nonterminal(id) => places.contains(&id),
    };
    let mut wrappers = Vec::new();
    let first_wrapper = host.rules.len() + 2;
    for rule in &mut host.rules {
        match &mut rule.body {
            Body::Expr(expr) => follow_by(expr, ignored, &follow),
            Body::Automaton(automaton) => {
                for (symbol, _) in automaton.states.iter_mut().flat_map(|state| &mut state.transitions) {
                    if follow(*symbol) {
                        let id = NonterminalId::new(first_wrapper + wrappers.len());
                        wrappers.push(std::mem::replace(symbol, Symbol::Nonterminal(id)));
                    }
                }
                automaton.states.iter_mut().for_each(|state| state.transitions.sort_unstable());
            }
        }
    }
    let lexemes: Vec<Symbol> = std::mem::take(&mut host.ignored).into_iter().map(Symbol::Terminal).collect();
    let lexemes = Box::new(choice(&lexemes));
    host.rules.push(rule("%ignore", Expr::Repeat { inner: lexemes, min: 0, max: None }));
    let start = [ignored, Symbol::Nonterminal(host.start)];
    host.start = NonterminalId::new(host.rules.len());
    host.rules.push(rule("%start", Expr::Sequence(start.map(Expr::Symbol).to_vec())));
    for symbol in wrappers {
        host.rules.push(rule("%lexeme", Expr::Sequence([symbol, ignored].map(Expr::Symbol).to_vec())));
    }
}

fn rule(name: &str, expr: Expr) -> Rule {
    Rule { name: name.to_string(), body: Body::Expr(expr), location: None }
}

fn follow_by(expr: &mut Expr, what: Symbol, follow: &impl Fn(Symbol) -> bool) {
    match expr {
        Expr::Symbol(symbol) if follow(*symbol) => {
            *expr = Expr::Sequence([*symbol, what].map(Expr::Symbol).to_vec());
        }
        Expr::Symbol(_) => {}
        Expr::Sequence(parts) | Expr::Choice(parts) => {
            parts.iter_mut().for_each(|part| follow_by(part, what, follow))
        }
        Expr::Repeat { inner, .. } => follow_by(inner, what, follow),
    }
}

/// The terminals of all parts, equal ones once, cut into disjoint pieces where they overlap.
#[derive(Default)]
struct Pieces {
    /// What each part's terminals are called here, in order: an index into `languages`, or a list of tokens.
    lexemes: Vec<Lexeme>,
    /// Different languages, with the first terminal that has each.
    languages: Vec<(Arc<Dfa>, Terminal)>,
    by_language: FxHashMap<Arc<Dfa>, usize>,
    /// Disjoint pieces, and per language the pieces that it is made of; as long as nothing was cut, the languages.
    pieces: Vec<Arc<Dfa>>,
    made_of: Vec<Vec<usize>>,
}

enum Lexeme {
    Language(usize),
    Tokens(Terminal),
}

impl Pieces {
    fn add(&mut self, terminal: &Terminal, limits: &RegularLimits) -> Result<(), TooLarge> {
        let regex = match &terminal.pattern {
            Pattern::Token(_) => {
                self.lexemes.push(Lexeme::Tokens(terminal.clone()));
                return Ok(());
            }
            Pattern::Regex(regex) => regex,
        };
        let dfa = match regex {
            Regex::Automaton(dfa) => Arc::clone(dfa),
            other => Arc::new(other.to_dfa(limits)?),
        };
        let next = self.languages.len();
        let index = *self.by_language.entry(Arc::clone(&dfa)).or_insert(next);
        if index == next {
            self.languages.push((Arc::clone(&dfa), terminal.clone()));
            self.pieces.push(dfa);
            self.made_of.push(vec![index]);
        }
        self.lexemes.push(Lexeme::Language(index));
        Ok(())
    }

    /// Cuts the languages into the atoms of the boolean algebra that they generate.
    fn cut(&mut self, limits: &RegularLimits) -> Result<(), TooLarge> {
        self.pieces.clear();
        for language in 0..self.languages.len() {
            let mut rest = (*self.languages[language].0).clone();
            let mut made_of = Vec::new();
            for piece in 0..self.pieces.len() {
                if !self.pieces[piece].intersects(&rest) {
                    continue;
                }
                let common = self.pieces[piece].intersect(&rest, limits)?;
                let outside = self.pieces[piece].difference(&rest, limits)?;
                rest = rest.difference(&common, limits)?;
                made_of.push(piece);
                if !outside.is_empty() {
                    let new = self.pieces.len();
                    self.pieces.push(Arc::new(outside));
                    let earlier =
                        self.made_of[..language].iter_mut().filter(|made_of| made_of.contains(&piece));
                    earlier.for_each(|made_of| made_of.push(new));
                    self.pieces[piece] = Arc::new(common);
                }
            }
            if !rest.is_empty() {
                made_of.push(self.pieces.len());
                self.pieces.push(Arc::new(rest));
            }
            self.made_of[language] = made_of;
        }
        Ok(())
    }

    /// Makes the terminals of the host, and says per terminal of the parts what it has become.
    fn into_symbols(self, host: &mut Grammar) -> Vec<Vec<Symbol>> {
        let first = host.terminals.len();
        for (index, piece) in self.pieces.iter().enumerate() {
            let mut whole =
                self.languages.iter().zip(&self.made_of).filter(|(_, made_of)| made_of.contains(&index));
            let Some(((_, terminal), made_of)) = whole.next() else { continue };
            let name =
                if made_of.len() == 1 { terminal.name.clone() } else { format!("{}#{index}", terminal.name) };
            let pattern = Pattern::Regex(Regex::Automaton(Arc::clone(piece)));
            host.terminals.push(Terminal { name, pattern, ..terminal.clone() });
        }
        let symbol = |index| Symbol::Terminal(TerminalId::new(index));
        let mut symbols = Vec::with_capacity(self.lexemes.len());
        for lexeme in self.lexemes {
            symbols.push(match lexeme {
                Lexeme::Language(language) => {
                    self.made_of[language].iter().map(|piece| symbol(first + piece)).collect()
                }
                Lexeme::Tokens(terminal) => {
                    host.terminals.push(terminal);
                    vec![symbol(host.terminals.len() - 1)]
                }
            });
        }
        symbols
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcc_grammar_json_schema as json_schema;

    fn schema(text: &str) -> Grammar {
        json_schema::compile(text, &json_schema::Options::default()).expect("a valid schema").grammar
    }

    fn host(places: usize) -> Grammar {
        let text = format!("start: {}\nplace: \"x\"\n%ignore \" \"\n", "place ".repeat(places));
        crate::lark::parse(&text).expect("valid").grammar
    }

    fn dfa(terminal: &Terminal) -> &Dfa {
        match &terminal.pattern {
            Pattern::Regex(Regex::Automaton(dfa)) => dfa,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn terminals_of_different_parts_become_disjoint() {
        let host = host(1);
        let own = host.terminals.len();
        let place = NonterminalId(1);
        let texts = [
            r#"{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}"#,
            r#"{"type": "object", "additionalProperties": {"enum": ["a", "b", 1]}}"#,
            r#"{"type": "string"}"#,
        ];
        let parts: Vec<Grammar> = texts.map(schema).to_vec();
        let embedded = parts.iter().map(|grammar| Part { place, grammar: grammar.clone() }).collect();
        let limits = RegularLimits::default();
        let combined = embed(host, embedded, &limits).expect("small");
        let pieces = &combined.terminals[own..];
        for (index, piece) in pieces.iter().enumerate() {
            assert!(pieces[..index].iter().all(|other| !dfa(other).intersects(dfa(piece))), "{}", piece.name);
        }
        for terminal in parts.iter().flat_map(|part| &part.terminals) {
            let Pattern::Regex(regex) = &terminal.pattern else { continue };
            let whole = regex.to_dfa(&limits).expect("small");
            let inside = pieces.iter().filter(|piece| dfa(piece).is_subset(&whole));
            let union =
                inside.fold(Dfa::never(), |union, piece| union.union(dfa(piece), &limits).expect("small"));
            assert_eq!(union, whole, "{}", terminal.name);
        }
        assert_eq!(gcc_grammar_ir::check::check(&combined, |_| None).0, []);
    }

    #[test]
    fn ignored_lexemes_stand_between_those_of_the_host_only() {
        let combined = embed(
            host(2),
            vec![Part { place: NonterminalId(1), grammar: schema("true") }],
            &RegularLimits::default(),
        );
        let combined = combined.expect("small");
        assert!(combined.ignored.is_empty());
        let shown = combined.to_string();
        assert!(
            shown.contains(
                "%start %start\nstart: (place %ignore) (place %ignore)\nplace: value\n%ignore: \" \"*\n"
            ),
            "{shown}"
        );
        assert!(shown.contains("%start: %ignore start\n"), "{shown}");
    }
}
