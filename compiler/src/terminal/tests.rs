//! Walks with shortcuts (counted characters, uniform subtrees) against walks of everything from every state
//! by itself.

use super::counting::CountingAutomaton;
use super::walk::{WalkMemo, WalkSets, Walker};
use super::{Tokens, WalkTables};
use crate::ids::LexState;
use crate::lexer::{self, Lexer, Symbols};
use crate::sets::Sets;
use crate::{lr, normalize, terminals};
use gcc_grammar_ir::{Discipline, TerminalId};
use gcc_grammar_limits::{Budget, Limits};
use gcc_grammar_notations::lark;
use gcc_grammar_vocabulary::Vocabulary;

/// All strings of up to four of these pieces.
fn strings(pieces: &[&[u8]]) -> Vec<Vec<u8>> {
    let mut strings: Vec<Vec<u8>> = Vec::new();
    let mut last = vec![Vec::new()];
    for _ in 0..4 {
        last = last.iter().flat_map(|string| pieces.iter().map(|piece| [string, *piece].concat())).collect();
        strings.extend_from_slice(&last);
    }
    strings.sort_unstable();
    strings.dedup();
    strings
}

/// A vocabulary of these text tokens.
fn vocabulary(tokens: Vec<Vec<u8>>) -> Vocabulary {
    let width = tokens.len() as u32 + 1;
    Vocabulary::from_tokens((1..).zip(tokens).collect(), Vec::new(), vec![0], width).unwrap()
}

/// Ranks by pending set, and trie nodes by terminal.
type Plain = (Vec<(Vec<TerminalId>, Vec<u32>)>, Vec<(u32, Vec<u32>)>);

/// Per state of the walked automaton: the result of a walk from the root.
fn all_walks(tables: &WalkTables, lexer: &Lexer, tokens: &Tokens) -> Vec<Plain> {
    let budget = &Budget::unlimited("test");
    let walker = Walker { lexer: tables.parts.walked(lexer), tokens, tables, budget };
    let mut memo = WalkMemo::default();
    let [mut ranks, mut positions] = [0; 2].map(|_| Sets::new(budget.clone()));
    let root = positions.intern(&[(0, 1)]).unwrap();
    let mut all = |state| {
        let sets = &mut WalkSets { tokens: &mut ranks, positions: &mut positions };
        let summary = memo.behind(&walker, sets, root, state).unwrap();
        let ends = summary.ends.iter().map(|&(pending, set)| {
            let pending = walker.lexer.pending_sets.row(pending.index());
            (pending.to_vec(), ranks.ranks(set).collect())
        });
        let ends = ends.collect();
        let cuts =
            summary.cuts.iter().map(|&((terminal, _), set)| (terminal.0, positions.ranks(set).collect()));
        (ends, cuts.collect())
    };
    (1..walker.lexer.states()).map(|state| all(LexState::new(state))).collect()
}

/// Number of pairs of an inner node of the trie and a lexer state from which its subtree is uniform.
fn uniform_subtrees(tables: &WalkTables, lexer: &Lexer, tokens: &Tokens) -> usize {
    let trie = tokens.trie();
    let nodes = (1..trie.len()).filter(|&node| trie.height(node) > 0);
    let is_uniform = |node: u32, state: LexState| {
        tables.uniform.is_uniform(
            state,
            trie.height(node),
            &trie.symbol_sets()[trie.symbols_below(node) as usize],
        )
    };
    let states = || (1..tables.parts.walked(lexer).states()).map(LexState::new);
    nodes.map(|node| states().filter(|&state| is_uniform(node, state)).count()).sum()
}

/// What the walks of a grammar have saved: the largest number of counts of a control state, and the number of uniform
/// subtrees.
struct Saved {
    counts: usize,
    uniform: usize,
}

/// Compares the walks of a grammar.
fn compared(grammar: &str, discipline: Discipline, vocabulary: &Vocabulary) -> Saved {
    let mut grammar = lark::parse(grammar).unwrap().grammar;
    grammar.discipline = discipline;
    let budget = Budget::new(Limits::default());
    let terminals = terminals::build(&grammar, vocabulary, &budget).unwrap();
    let cfg = normalize::normalize(&grammar, &terminals.usable, &budget).unwrap();
    let lr = lr::build(&cfg, &budget).unwrap();
    let symbols = Symbols::new(&terminals.dfas, &terminals.special, cfg.end, &budget).unwrap();
    let (lexer, _) = lexer::build(&grammar, &lr, &symbols, &budget).unwrap();
    let tokens = Tokens::new(vocabulary, &symbols);
    let any_split = discipline == Discipline::AnySplit;
    let tables = WalkTables::new(&lexer, &symbols, &tokens, any_split, &budget).unwrap();
    let mut plain = WalkTables::new(&lexer, &symbols, &tokens, any_split, &budget).unwrap();
    plain.counting = CountingAutomaton::default();
    plain.uniform.forget();
    let [found, expected] = [&tables, &plain].map(|tables| all_walks(tables, &lexer, &tokens));
    assert_eq!(found, expected, "{grammar:?}");
    Saved { counts: tables.counting.most_counts(), uniform: uniform_subtrees(&tables, &lexer, &tokens) }
}

#[test]
fn counted_strings_give_what_each_state_gives() {
    let vocabulary = vocabulary(strings(&[b"a", b"b", "é".as_bytes(), b"\"", b"-"]));
    let counts = |grammar, discipline| compared(grammar, discipline, &vocabulary).counts;
    let [any_split, longest_match] = [Discipline::AnySplit, Discipline::LongestMatch];
    for discipline in [any_split, longest_match] {
        assert!(counts(r#"start: /"[abé]{0,10}"/"#, discipline) >= 9);
        // The dash forgets the count.
        assert!(counts(r#"start: /"[a-z]{0,6}(-[a-z]{0,6})*"/"#, discipline) >= 5);
        // A least length, or a fixed length.
        assert!(counts(r#"start: /"[a-z]{4,20}"/"#, discipline) >= 9);
        assert!(counts(r#"start: /"[a-zé]{9}"/"#, discipline) >= 4);
        assert!(counts(r#"start: /"/ /[a-zé]{9}/* /[a-zé]{0,3}"/"#, discipline) >= 4);
        assert!(counts(r#"start: /"/ /[^"]{9}/* /[^"]{2,3}"/"#, discipline) >= 4);
    }
    let nested = r"start: /([a-z]{0,6}é){1,5}/";
    assert!(counts(nested, any_split) >= 4);
    assert!(counts(nested, longest_match) >= 4);
    // What may follow a longest match depends on how it could have gone on.
    assert!(counts(r"start: /[abé]{1,10}/", any_split) >= 9);
    counts(r"start: /[abé]{1,10}/", longest_match);
}

/// Characters of all lengths, whole and in pieces, in tokens that are text and tokens that are not.
#[test]
fn characters_that_do_not_matter_need_no_walk() {
    let pieces: [&[u8]; 9] = [
        b"a",
        b"\"",
        "é".as_bytes(),
        "€".as_bytes(),
        "😀".as_bytes(),
        b"\xE2\x82",
        b"\xAC",
        b"\xF0",
        b"\xFF",
    ];
    let all = strings(&pieces);
    let [mut any, mut ascii] = [0; 2];
    for seed in 0..20 {
        // One in sixty, so that below some nodes everything is text.
        let chosen = |rank: usize| (rank + seed * 7919).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32 & 63 == 0;
        let tokens = all.iter().enumerate().filter(|&(rank, token)| token.len() == 1 || chosen(rank));
        let vocabulary = vocabulary(tokens.map(|(_, token)| token.clone()).collect());
        for discipline in [Discipline::AnySplit, Discipline::LongestMatch] {
            let uniform = |grammar| compared(grammar, discipline, &vocabulary).uniform;
            any += uniform(r#"start: /"[^"]*"/"#);
            ascii += uniform(r#"start: /"[^"\x80-\u{10FFFF}]*"/"#);
            uniform(r#"start: /"[^"€]*"/"#);
            uniform(r#"start: /"[^"]{0,3}"/"#);
            uniform(r#"start: /"[^"]{2,7}"/"#);
            uniform(r#"start: /"[^"€]{0,9}"/"#);
            uniform(r#"start: /"/ /[^"]{9}/* /[^"]{0,8}"/"#);
            uniform(r#"start: /"/ /[^"€]{10}/* /[^"€]{2}"/"#);
            uniform(r#"start: /"/ /[^"€]{8}/* /[^"€]{8}(é|€)*/ /[^"]{12}"?/"#);
            uniform(r#"start: /"/ /([^"\\]|\\[a-z]|\\[é€]){9}/* /([^"\\]|\\[a-z]|\\[é€]){0,8}"/"#);
            uniform(r#"start: /"([^"\\]|\\[a-z]|\\[é€]){2,5}"/"#);
            uniform(r#"start: /"([^"]{0,2}a)*"/"#);
            uniform(r#"start: (/[^"]+/ | "€" | /[é-€]+a/) /".*/"#);
            uniform(r"start: /(é|€|😀)+/ | /[^a]{1,4}/");
            uniform(r"start: /a.{0,5}/ /[^é]+/");
        }
    }
    assert!(any > 2 * ascii, "{any} {ascii}");
}
