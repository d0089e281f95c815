//! Compares the parser of the runtime with the simulation of the LR automaton in the compiler
//! ([`Run`](gcc_grammar_compiler::lr::Run)).
//!
//! In: a grammar, a vocabulary, and a text that is chosen token by token. After every byte and every special token the
//! heads of both are compared. The simulation keeps every stack by itself. The runtime merges the stacks of all heads
//! with equal lexer states and equal LR states on top, and shows one of them. So both must have the same pairs of a lexer
//! state and an LR state on top, and the simulation must have every stack that the runtime shows.

use crate::stage::heads::{Head, MOST, Reader};
use crate::subject::{TokenBytes, convert};
use crate::{Token, Vocabulary};
use gcc_grammar_artifact::GrammarView;
use gcc_grammar_compiler::ids::SymbolClass;
use gcc_grammar_compiler::{Automata, Limits, Options, compile};
use gcc_grammar_ir::Grammar;
use gcc_grammar_runtime::{Engine, Error, Matcher, TokenId};
use std::collections::BTreeSet;

/// The size of the scratch in words; most texts do not fill it.
const SCRATCH: usize = 1 << 16;

/// A head by numbers: the lexer state, and the LR states of the stack, top last.
type State = (u32, Vec<u32>);

/// The amount of data that was compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Compared {
    /// Bytes and special tokens after which heads were compared.
    pub symbols: usize,
    /// Symbols after which there were several heads.
    pub with_several_heads: usize,
    /// Symbols after which the runtime had merged stacks.
    pub with_merged_stacks: usize,
}

impl std::ops::AddAssign for Compared {
    fn add_assign(&mut self, other: Self) {
        self.symbols += other.symbols;
        self.with_several_heads += other.with_several_heads;
        self.with_merged_stacks += other.with_merged_stacks;
    }
}

/// Compares both parsers on a text. `choose` is given the tokens that are allowed next, without those that end the
/// text, and returns the one that is read; the text ends with `None`.
///
/// None if the grammar is not compiled. The comparison ends early if the simulation would follow too many stacks.
///
/// # Panics
/// If the parsers differ.
pub fn compare_parsers(
    grammar: &Grammar,
    vocabulary: &Vocabulary,
    choose: &mut dyn FnMut(&[u32]) -> Option<u32>,
) -> Option<Compared> {
    let tokens = convert(vocabulary);
    let automata = Automata::new(&grammar.clone().into(), &tokens, Limits::default(), &mut ()).ok()?;
    let artifact =
        compile(&grammar.clone().into(), &tokens, &Options::default(), &mut ()).ok()?.to_artifact(&tokens);
    let view = GrammarView::open(&artifact).expect("the artifact just written opens");
    let bytes = TokenBytes::new(&tokens);
    let engine = Engine::new(view, &bytes).expect("the vocabulary is the one compiled for");
    let mut scratch = vec![0; SCRATCH];
    let mut matcher = Matcher::new(&engine, &mut scratch, 0).expect("room for the beginning");
    let mut reader = Reader::new(&automata);
    let mut heads = vec![reader.start()];
    let mut compared = Compared::default();
    let by_id = |token: u32| automata.symbols.special_class.iter().any(|&(special, _)| special == token);
    let is_plain = |token: u32| !(vocabulary.is_ordinary(token) && by_id(token));
    while let Some(token) = choose(&allowed(&mut matcher, vocabulary, &is_plain)) {
        for symbol in symbols(vocabulary, token) {
            let class = match symbol {
                Symbol::Byte(byte) => automata.symbols.class_of(byte),
                Symbol::Special(token) => class_of_special(&automata, token),
            };
            heads = step(&mut reader, &heads, class);
            if heads.len() > MOST {
                return Some(compared);
            }
            let committed = match symbol {
                Symbol::Byte(byte) => matcher.commit_bytes(&[byte]),
                Symbol::Special(token) => matcher.commit(TokenId(token)),
            };
            if committed == Err(Error::ScratchFull) {
                return Some(compared);
            }
            assert_eq!(committed, Ok(()), "{grammar}");
            compared += compare(&states_of(&reader, &heads), &states_of_matcher(&matcher), grammar);
        }
    }
    Some(compared)
}

/// A part of a token after which heads are compared.
#[derive(Clone, Copy)]
enum Symbol {
    Byte(u8),
    Special(u32),
}

fn symbols(vocabulary: &Vocabulary, token: u32) -> Vec<Symbol> {
    match &vocabulary.tokens[token as usize] {
        Token::Text(bytes) => bytes.iter().map(|&byte| Symbol::Byte(byte)).collect(),
        Token::Special(_) => vec![Symbol::Special(token)],
        Token::Hole => Vec::new(),
    }
}

fn class_of_special(automata: &Automata, token: u32) -> SymbolClass {
    let special = automata.symbols.special_class.iter().find(|&&(special, _)| special == token);
    special.expect("an allowed token is known").1
}

/// The tokens that are allowed next and can be read in one way only, without those that end the text.
fn allowed(
    matcher: &mut Matcher<'_, '_>,
    vocabulary: &Vocabulary,
    is_plain: &dyn Fn(u32) -> bool,
) -> Vec<u32> {
    let mut allowed = Vec::new();
    matcher.each_allowed_range(|range| allowed.extend(range)).expect("room");
    allowed.retain(|&token| !vocabulary.is_end(token) && is_plain(token));
    allowed
}

/// The heads of the simulation after one more symbol. Heads that the runtime merges stay together: all of them if one is
/// viable, otherwise none.
fn step(reader: &mut Reader<'_>, heads: &[Head], class: SymbolClass) -> Vec<Head> {
    let mut next: Vec<Head> = heads.iter().flat_map(|head| reader.read(head, &[class])).collect();
    // The terminals that were read make no difference for a parser.
    next.iter_mut().for_each(|head| head.terminals.clear());
    next.sort();
    next.dedup();
    let viable: Vec<Head> = next.iter().filter(|head| reader.is_viable(head)).cloned().collect();
    let viable: BTreeSet<_> = viable.iter().map(|head| (head.lexer, reader.parser.top(head.stack))).collect();
    next.retain(|head| viable.contains(&(head.lexer, reader.parser.top(head.stack))));
    next
}

fn states_of(reader: &Reader<'_>, heads: &[Head]) -> BTreeSet<State> {
    let stack = |head: &Head| reader.parser.states(head.stack).iter().map(|state| state.0).collect();
    heads.iter().map(|head| (head.lexer.0, stack(head))).collect()
}

fn states_of_matcher(matcher: &Matcher<'_, '_>) -> Vec<State> {
    let states = matcher.head_views().map(|head| {
        let mut stack: Vec<u32> = head.stack.map(|state| state.0).collect();
        stack.reverse();
        (head.lexer.0, stack)
    });
    states.collect()
}

fn compare(simulated: &BTreeSet<State>, found: &[State], grammar: &Grammar) -> Compared {
    let top = |(lexer, stack): &State| (*lexer, *stack.last().expect("a stack is never empty"));
    let expected: BTreeSet<(u32, u32)> = simulated.iter().map(top).collect();
    let mut tops: Vec<(u32, u32)> = found.iter().map(top).collect();
    tops.sort_unstable();
    assert!(expected.iter().eq(&tops), "{expected:?} and {tops:?}\n{grammar}");
    for state in found {
        assert!(simulated.contains(state), "{state:?} is not one of {simulated:?}\n{grammar}");
    }
    Compared {
        symbols: 1,
        with_several_heads: usize::from(found.len() > 1),
        with_merged_stacks: usize::from(simulated.len() > found.len()),
    }
}
