//! What is not walked, because characters are counted or do not matter, against walks of everything from every state by itself.

use super::counted::Counters;
use super::{Tokens, WalkTables};
use crate::lexer::{self, Symbols};
use crate::limits::{Budget, Limits};
use crate::{lr, normalize, terminals};
use gcc_grammar_ir::Discipline;
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

/// With these text tokens.
fn vocabulary(tokens: Vec<Vec<u8>>) -> Vocabulary {
    let width = tokens.len() as u32 + 1;
    Vocabulary::from_tokens((1..).zip(tokens).collect(), Vec::new(), vec![0], width).unwrap()
}

/// Counts per control state, and how many subtrees are settled from the start, after the walks were compared.
fn compared(grammar: &str, discipline: Discipline, vocabulary: &Vocabulary) -> (Vec<usize>, usize) {
    let mut grammar = lark::parse(grammar).unwrap().grammar;
    grammar.discipline = discipline;
    let budget = Budget::new(Limits::default());
    let terminals = terminals::build(&grammar, vocabulary, &budget).unwrap();
    let cfg = normalize::normalize(&grammar, &terminals.usable, &budget).unwrap();
    let lr = lr::build(&cfg, &budget).unwrap();
    let symbols = Symbols::new(&terminals.dfas, &terminals.special, cfg.end);
    let (lexer, _) = lexer::build(&grammar, &lr, &symbols, &budget).unwrap();
    let tokens = Tokens::new(vocabulary, &symbols);
    let any_split = discipline == Discipline::AnySplit;
    let tables = WalkTables::new(&lexer, &symbols, &tokens, any_split, &budget).unwrap();
    let mut plain = WalkTables::new(&lexer, &symbols, &tokens, any_split, &budget).unwrap();
    plain.counters = Counters::default();
    plain.settled.forget();
    let [found, expected] = [&tables, &plain].map(|tables| tables.all_walks(&lexer, &tokens));
    assert_eq!(found, expected, "{grammar:?}");
    let counts = tables.counters.controls().iter().map(|control| control.states.len()).collect();
    (counts, tables.settled_subtrees(&lexer, &tokens))
}

#[test]
fn counted_strings_give_what_each_state_gives() {
    let vocabulary = vocabulary(strings(&[b"a", "é".as_bytes(), b"\"", b"-"]));
    let counts = |grammar, discipline| compared(grammar, discipline, &vocabulary).0;
    let [any_split, longest_match] = [Discipline::AnySplit, Discipline::LongestMatch];
    for discipline in [any_split, longest_match] {
        // No token has more than eight bytes: counts from eight on are alike. Within a character of two bytes there is one less.
        assert_eq!(counts(r#"start: /"[aé]{0,10}"/"#, discipline), [9, 8]);
        // The dash forgets the count.
        assert_eq!(counts(r#"start: /"[a-z]{0,6}(-[a-z]{0,6})*"/"#, discipline), [7]);
        assert_eq!(counts(r#"start: /"[a-z]*"/"#, discipline), [0; 0]);
        // Before a least length there are no counts.
        assert_eq!(counts(r#"start: /"[a-z]{4,10}"/"#, discipline), [7]);
        assert_eq!(counts(r#"start: /"[a-z]{4}"/"#, discipline), [0; 0]);
    }
    let nested = r"start: /([a-z]{0,6}é){1,5}/";
    assert_eq!(counts(nested, any_split), [6, 6, 6, 6, 7]);
    assert_eq!(counts(nested, longest_match), [6, 6, 6, 6, 6]);
    // What may follow a longest match depends on how it could have gone on.
    assert_eq!(counts(r"start: /[aé]{1,10}/", any_split), [9, 8]);
    assert_eq!(counts(r"start: /[aé]{1,10}/", longest_match), [0; 0]);
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
            let settled = |grammar| compared(grammar, discipline, &vocabulary).1;
            any += settled(r#"start: /"[^"]*"/"#);
            ascii += settled(r#"start: /"[^"\x80-\u{10FFFF}]*"/"#);
            settled(r#"start: /"[^"€]*"/"#);
            settled(r#"start: /"[^"]{0,3}"/"#);
            settled(r#"start: /"[^"]{2,7}"/"#);
            settled(r#"start: /"[^"€]{0,9}"/"#);
            settled(r#"start: /"([^"]{0,2}a)*"/"#);
            settled(r#"start: (/[^"]+/ | "€" | /[é-€]+a/) /".*/"#);
            settled(r"start: /(é|€|😀)+/ | /[^a]{1,4}/");
            settled(r"start: /a.{0,5}/ /[^é]+/");
        }
    }
    assert!(any > 2 * ascii, "{any} {ascii}");
}
