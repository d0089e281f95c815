//! Random walks on which the runtime must agree with the interpreter of `support`.

use crate::support::emit::{bitmap, compile};
use crate::support::naive::{Naive, State};
use crate::support::{Toy, ToyVocabulary, toys};
use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::ids::TokenId;
use gcc_grammar_random::Random;
use gcc_grammar_runtime::{Engine, Error, MaskRow, Matcher};
use std::collections::BTreeSet;

/// Runs `test` on every toy grammar.
fn each_toy(mut test: impl FnMut(&str, &Engine<'_>, &Naive<'_>, usize)) {
    for (name, toy) in toys() {
        let compiled = compile(&toy, 150);
        let bytes = compiled.bytes();
        let grammar = GrammarView::open(&bytes).expect(name);
        let engine = Engine::new(grammar, &toy.vocabulary).expect(name);
        test(name, &engine, &Naive { grammar, tokens: &toy.vocabulary }, compiled.depth);
    }
}

/// Compares all answers of a matcher with those of the interpreter.
fn assert_same(name: &str, matcher: &mut Matcher<'_, '_>, naive: &Naive<'_>, state: &State) {
    let expected = naive.mask(state);
    let width = naive.grammar.meta().mask_width;
    let words = naive.grammar.row_words();
    let mut row = vec![u32::MAX; words + 2];
    matcher.fill_mask(&mut row).expect("room");
    assert_eq!(row[..words], bitmap(&expected, width), "{name}: {state:?}");
    assert_eq!(row[words..], [0, 0], "padding");
    assert_eq!(matcher.count_allowed(), Ok(expected.len() as u32));
    for token in 0..width {
        assert_eq!(matcher.allows(TokenId(token)), Ok(expected.contains(&token)), "{name}: token {token}");
    }
    let mut ranges = Vec::new();
    matcher.each_allowed_range(|range| ranges.push(range)).expect("room");
    assert!(
        ranges.windows(2).all(|pair| pair[0].end < pair[1].start) && ranges.iter().all(|r| !r.is_empty())
    );
    assert!(ranges.into_iter().flatten().eq(expected), "{name}: ranges");
    assert_eq!(matcher.is_accepting(), Ok(naive.is_accepting(state)), "{name}: {state:?}");
    assert_eq!(matcher.is_terminated(), state.terminated);
    let mut forced = [0; 6];
    let count = matcher.forced(&mut forced).expect("room");
    assert_eq!(forced[..count], naive.forced(state, 6), "{name}: forced at {state:?}");
}

#[test]
fn walks_agree() {
    each_toy(|name, engine, naive, depth| {
        let mut random = Random::new(1);
        let mut scratch = vec![0; 1 << 16];
        let width = naive.grammar.meta().mask_width;
        for _ in 0..20 {
            let mut matcher = Matcher::new(engine, &mut scratch, u32::MAX).expect("room");
            let mut states = vec![naive.initial()];
            for _ in 0..40 {
                let state = states.last().expect("never empty").clone();
                assert_same(name, &mut matcher, naive, &state);
                let token = random.below(width as usize) as u32;
                match naive.commit(&state, token) {
                    _ if random.below(4) == 0 => {
                        let back = random.below(states.len());
                        assert_eq!(matcher.rollback(back as u64), Ok(()));
                        states.truncate(states.len() - back);
                    }
                    Some(next) if states.len() <= depth => {
                        assert_eq!(matcher.commit(TokenId(token)), Ok(()), "{name}: {token} at {state:?}");
                        states.push(next);
                    }
                    Some(_) => assert_eq!(matcher.validate(&[TokenId(token)]), Ok(1)),
                    None => assert_eq!(matcher.commit(TokenId(token)), Err(Error::Refused)),
                }
                assert_eq!(matcher.committed(), states.len() as u64 - 1);
            }
        }
    });
}

#[test]
fn validate_is_the_accepted_prefix() {
    each_toy(|name, engine, naive, depth| {
        let mut random = Random::new(2);
        let mut scratch = vec![0; 1 << 14];
        let mut matcher = Matcher::new(engine, &mut scratch, 8).expect("room");
        let width = naive.grammar.meta().mask_width as usize;
        for _ in 0..300 {
            let (tokens, accepted) = random_tokens(&mut random, naive, width, depth);
            assert_eq!(matcher.validate(&tokens), Ok(accepted), "{name}: {tokens:?}");
            assert_same(name, &mut matcher, naive, &naive.initial());
        }
    });
}

/// Random tokens, most of them allowed, and the number of those before the first that is refused.
fn random_tokens(random: &mut Random, naive: &Naive<'_>, width: usize, len: usize) -> (Vec<TokenId>, usize) {
    let mut state = Some(naive.initial());
    let mut tokens = Vec::new();
    let mut accepted = 0;
    while tokens.len() < len {
        let allowed: Vec<u32> = state.iter().flat_map(|state| naive.mask(state)).collect();
        let any = allowed.is_empty() || random.below(8) == 0;
        let token = if any { random.below(width) as u32 } else { *random.pick(&allowed) };
        state = state.and_then(|state| naive.commit(&state, token));
        accepted += usize::from(state.is_some());
        tokens.push(TokenId(token));
    }
    (tokens, accepted)
}

#[test]
fn bytes_and_tokens_agree() {
    each_toy(|name, engine, naive, _| {
        let mut random = Random::new(3);
        let mut scratch = vec![0; 1 << 14];
        for _ in 0..100 {
            let mut matcher = Matcher::new(engine, &mut scratch, 8).expect("room");
            let mut state = naive.initial();
            for _ in 0..12 {
                let byte = random.below(128) as u8;
                let expected = naive.commit_bytes(&state, &[byte]);
                assert_eq!(matcher.validate_bytes(&[byte]), Ok(usize::from(expected.is_some())), "{name}");
                assert_eq!(
                    matcher.commit_bytes(&[byte]).is_ok(),
                    expected.is_some(),
                    "{name}: {byte} at {state:?}"
                );
                state = expected.unwrap_or(state);
            }
        }
    });
}

#[test]
fn forks_and_restored_matchers_continue_alike() {
    each_toy(|name, engine, naive, depth| {
        let mut random = Random::new(4);
        let (mut first, mut second, mut third) = (vec![0; 1 << 14], vec![7; 1 << 13], vec![9; 1 << 13]);
        let mut buffer = vec![0; 1 << 16];
        let width = naive.grammar.meta().mask_width as usize;
        for _ in 0..20 {
            let mut matcher = Matcher::new(engine, &mut first, 3).expect("room");
            let (tokens, accepted) = random_tokens(&mut random, naive, width, depth);
            let (before, after) = tokens[..accepted].split_at(random.below(accepted + 1));
            before.iter().for_each(|&token| assert_eq!(matcher.commit(token), Ok(())));
            let mut fork = matcher.fork(&mut second).expect("room");
            let len = matcher.save(&mut buffer).expect("room");
            let mut restored = Matcher::restore(engine, &mut third, &buffer[..len]).expect(name);
            let mut state = naive.initial();
            before.iter().for_each(|token| state = naive.commit(&state, token.0).expect("accepted"));
            for &token in after {
                state = naive.commit(&state, token.0).expect("accepted");
                for matcher in [&mut matcher, &mut fork, &mut restored] {
                    assert_eq!(matcher.commit(token), Ok(()), "{name}");
                    assert_same(name, matcher, naive, &state);
                }
            }
            let back = matcher.available_rollback();
            assert_eq!(back, accepted.min(3) as u64);
            let mut state = naive.initial();
            let left = &tokens[..accepted - back as usize];
            left.iter().for_each(|token| state = naive.commit(&state, token.0).expect("accepted"));
            for matcher in [&mut matcher, &mut fork, &mut restored] {
                assert_eq!(matcher.rollback(back + 1), Err(Error::RollbackTooFar { available: back }));
                assert_eq!(matcher.rollback(back), Ok(()));
                assert_same(name, matcher, naive, &state);
                matcher.reset();
                assert_same(name, matcher, naive, &naive.initial());
            }
        }
    });
}

/// A matcher in a scratch that hardly suffices is compacted all the time, and agrees with one in a large
/// scratch. If the scratch does not suffice, the failed commit changes nothing.
#[test]
fn little_scratch_changes_nothing() {
    let mut full = 0;
    let mut went_on = 0;
    each_toy(|name, engine, naive, depth| {
        let mut random = Random::new(5);
        let width = naive.grammar.meta().mask_width as usize;
        for words in (8..400).step_by(7) {
            let mut little = vec![0; words];
            let Ok(mut matcher) = Matcher::new(engine, &mut little, 1) else { continue };
            let mut roomy = vec![0; 1 << 14];
            let mut reference = Matcher::new(engine, &mut roomy, 1).expect("room");
            let (tokens, accepted) = random_tokens(&mut random, naive, width, depth);
            for &token in &tokens[..accepted] {
                let stacks = stacks(&matcher);
                match matcher.commit(token) {
                    Ok(()) => {
                        assert_eq!(reference.commit(token), Ok(()));
                        assert_eq!(self::stacks(&matcher), self::stacks(&reference), "{name}");
                        assert_eq!(matcher.available_rollback(), reference.available_rollback());
                    }
                    Err(error) => {
                        assert_eq!((error, self::stacks(&matcher)), (Error::ScratchFull, stacks), "{name}");
                        break;
                    }
                }
            }
        }
    });
    let long = long_walk(&toys()[0].1);
    full += usize::from(long.0);
    went_on += usize::from(long.1);
    assert_eq!((full, went_on), (1, 1));
}

/// Lexer state and stack of each head, independent of the numbers of the cells.
fn stacks(matcher: &Matcher<'_, '_>) -> Vec<(u32, Vec<u32>)> {
    matcher.head_views().map(|head| (head.lexer.0, head.stack.map(|state| state.0).collect())).collect()
}

/// Commits and rolls back "(a" in a small scratch, which must always work, and then "((((…", which must fail
/// in the end. Returns whether the second failed and the first worked.
fn long_walk(toy: &Toy) -> (bool, bool) {
    let bytes = compile(toy, 10).bytes();
    let engine = Engine::new(GrammarView::open(&bytes).expect("valid"), &toy.vocabulary).expect("same");
    let mut scratch = vec![0; 200];
    let mut matcher = Matcher::new(&engine, &mut scratch, 2).expect("room");
    let went_on = (0..1000).all(|_| {
        matcher
            .commit_bytes(b"(")
            .and_then(|()| matcher.commit_bytes(b"a"))
            .and_then(|()| matcher.rollback(2))
            .is_ok()
    });
    let full = (0..1000).any(|_| matcher.commit_bytes(b"(") == Err(Error::ScratchFull));
    (full, went_on)
}

/// The mask of its bases and flips, with as much room for flips as there are tokens.
fn from_numbers(matcher: &mut Matcher<'_, '_>, bases: &mut [u32]) -> Option<Vec<u32>> {
    let grammar = *matcher.engine().grammar();
    let mut flips = vec![u32::MAX; grammar.meta().mask_width as usize];
    let mask = matcher.mask_by_number(&mut flips).expect("room")?;
    bases[mask.bases().len()] += 1;
    let mut row = vec![0; grammar.row_words()];
    for base in mask.bases() {
        row.iter_mut().zip(grammar.base(base)).for_each(|(word, base)| *word |= base.get());
    }
    let flips = &flips[..mask.flip_count()];
    assert!(flips.is_sorted_by(|a, b| a < b));
    flips.iter().for_each(|token| row[(token / 32) as usize] ^= 1 << (token % 32));
    if let Some(fewer) = mask.flip_count().checked_sub(1) {
        assert_eq!(matcher.mask_by_number(&mut vec![0; fewer]), Ok(None));
    }
    Some(row)
}

/// Masks of no base, of one, and of several occur.
#[test]
fn masks_by_number_equal_filled_rows() {
    let mut bases = [0; gcc_grammar_runtime::MAX_BASES + 1];
    each_toy(|name, engine, naive, _| {
        let mut random = Random::new(9);
        let mut scratch = vec![0; 1 << 14];
        let mut matcher = Matcher::new(engine, &mut scratch, 8).expect("room");
        let width = naive.grammar.meta().mask_width;
        for _ in 0..2_000 {
            match random.below(10) {
                0 => matcher.reset(),
                1 => drop(matcher.rollback(1)),
                _ => drop(matcher.commit(TokenId(random.below(width as usize) as u32))),
            }
            let mut row = vec![0; engine.row_words()];
            matcher.fill_mask(&mut row).expect("room");
            assert_eq!(from_numbers(&mut matcher, &mut bases), Some(row), "{name}");
        }
    });
    assert!(bases[..3].iter().all(|&masks| masks > 0), "{bases:?}");
}

/// One row is used for two matchers in random order, through commits and rollbacks, and compared with a plain
/// fill.
#[test]
fn updated_rows_equal_filled_rows() {
    each_toy(|name, engine, naive, _| {
        let mut random = Random::new(8);
        let (mut first, mut second) = (vec![0; 1 << 14], vec![0; 1 << 14]);
        let width = naive.grammar.meta().mask_width;
        let words = engine.row_words();
        let mut remembering = vec![random.below(1 << 32) as u32; words + 1];
        let mut row = MaskRow::new(&mut remembering);
        let mut matchers = [
            Matcher::new(engine, &mut first, 8).expect("room"),
            Matcher::new(engine, &mut second, 8).expect("room"),
        ];
        for _ in 0..2_000 {
            let matcher = &mut matchers[usize::from(random.below(5) == 0)];
            match random.below(10) {
                0 => matcher.reset(),
                1 => drop(matcher.rollback(1)),
                _ => drop(matcher.commit(TokenId(random.below(width as usize) as u32))),
            }
            let mut plain = vec![0; words + 1];
            matcher.fill_mask(&mut plain).expect("room");
            matcher.update_mask(&mut row).expect("room");
            assert_eq!(row.words(), plain, "{name}");
        }
    });
}

/// The toy grammar with all token ids multiplied by `step`.
fn spread(toy: &Toy, step: usize) -> Toy {
    let vocabulary = &toy.vocabulary;
    let mut texts = vec![None; vocabulary.texts.len() * step];
    texts.iter_mut().step_by(step).zip(&vocabulary.texts).for_each(|(place, text)| place.clone_from(text));
    let end_tokens = vocabulary.end_tokens.iter().map(|token| token * step as u32).collect();
    Toy { vocabulary: ToyVocabulary { texts, end_tokens }, ..toy.clone() }
}

/// Gaps between tokens take two bytes, and some distances here are wider.
#[test]
fn tokens_far_from_each_other() {
    const STEP: u32 = 9_001;
    for (name, near) in toys() {
        let far = spread(&near, STEP as usize);
        let bytes = [&near, &far].map(|toy| compile(toy, 20).bytes());
        let views = bytes.each_ref().map(|bytes| GrammarView::open(bytes).expect(name));
        assert!(views[1].meta().mask_width > 1 << 16, "{name}");
        let [near, far] = [(views[0], &near), (views[1], &far)]
            .map(|(view, toy)| Engine::new(view, &toy.vocabulary).expect(name));
        let (mut first, mut second) = (vec![0; 1 << 14], vec![0; 1 << 14]);
        let mut expected = Matcher::new(&near, &mut first, 8).expect("room");
        let mut matcher = Matcher::new(&far, &mut second, 8).expect("room");
        let mut words = vec![0; far.row_words()];
        let mut row = MaskRow::new(&mut words);
        let mut random = Random::new(11);
        for _ in 0..200 {
            let token = random.below(near.grammar().meta().mask_width as usize) as u32;
            let refused = expected.commit(TokenId(token));
            assert_eq!(matcher.commit(TokenId(token * STEP)), refused, "{name}: {token}");
            let mut tokens = BTreeSet::new();
            let range = |range: std::ops::Range<u32>| tokens.extend(range.map(|token| token * STEP));
            expected.each_allowed_range(range).expect("room");
            let mut found = BTreeSet::new();
            matcher.each_allowed_range(|range| found.extend(range)).expect("room");
            assert_eq!(found, tokens, "{name}: ranges");
            let mut plain = vec![0; far.row_words()];
            matcher.fill_mask(&mut plain).expect("room");
            assert_eq!(plain, bitmap(&tokens, far.grammar().meta().mask_width), "{name}: row");
            matcher.update_mask(&mut row).expect("room");
            assert_eq!(row.words(), plain, "{name}: update");
            for token in tokens.iter().flat_map(|&token| [token, token + 1, token ^ 0x1_0000]) {
                assert_eq!(matcher.allows(TokenId(token)), Ok(tokens.contains(&token)), "{name}: {token}");
            }
        }
    }
}

#[test]
fn a_row_may_be_used_with_several_engines() {
    let mut words = vec![u32::MAX; 64];
    let toys = toys();
    let compiled: Vec<Vec<u8>> = toys.iter().map(|(_, toy)| compile(toy, 50).bytes()).collect();
    let engines: Vec<Engine<'_>> = toys
        .iter()
        .zip(&compiled)
        .map(|((name, toy), bytes)| {
            Engine::new(GrammarView::open(bytes).expect(name), &toy.vocabulary).expect(name)
        })
        .collect();
    let mut row = MaskRow::new(&mut words);
    for engine in engines.iter().chain(&engines) {
        let mut scratch = vec![0; 1 << 12];
        let mut matcher = Matcher::new(engine, &mut scratch, 1).expect("room");
        let mut plain = vec![1; 64];
        matcher.fill_mask(&mut plain).expect("room");
        matcher.update_mask(&mut row).expect("room");
        assert_eq!(row.words(), plain);
    }
}

#[test]
fn a_short_row_is_refused() {
    each_toy(|_, engine, _, _| {
        let mut scratch = vec![0; 1 << 12];
        let mut matcher = Matcher::new(engine, &mut scratch, 1).expect("room");
        let needed = engine.row_words();
        let mut words = vec![7; needed - 1];
        let mut row = MaskRow::new(&mut words);
        assert_eq!(matcher.update_mask(&mut row), Err(Error::RowTooShort { needed }));
        assert!(row.words().iter().all(|&word| word == 7), "untouched");
    });
}
