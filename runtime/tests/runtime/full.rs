//! A full scratch: tokens that make the stack higher are refused, and all others are not.

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_runtime::{Engine, Error, Matcher};

use crate::support::emit::compile;
use crate::support::toys;

/// Commits the texts in turn until the scratch is full. Returns how many were committed.
fn fill(matcher: &mut Matcher<'_, '_>, texts: &[&[u8]]) -> usize {
    for count in 0.. {
        match matcher.commit_bytes(texts[count % texts.len()]) {
            Ok(()) => {}
            Err(Error::ScratchFull) => return count,
            Err(error) => panic!("{error}"),
        }
    }
    unreachable!()
}

/// Nested lists are opened until the scratch is full. Then they can be closed again, token by token or several in one
/// token, whatever is kept for rolling back.
#[test]
fn what_was_opened_can_be_closed() {
    let (_, toy) = toys().swap_remove(1);
    let bytes = compile(&toy, 20).bytes();
    let engine = Engine::new(GrammarView::open(&bytes).expect("valid"), &toy.vocabulary).expect("same");
    for (max_rollback, least) in [(0, 1120), (1, 1300), (4, 1600), (16, 2700), (64, 7300)] {
        for words in least..least + 25 {
            for close in [&b"]"[..], b"]]", b" ] ", b"]]]]]]"] {
                let mut scratch = vec![0; words];
                let mut matcher = Matcher::new(&engine, &mut scratch, max_rollback).expect("room");
                let count = fill(&mut matcher, &[b"[", b"1", b","]);
                let mut depth = count.div_ceil(3);
                // A list that was just opened cannot be closed before it has an element.
                match count % 3 {
                    1 => {
                        let full = Err(Error::ScratchFull);
                        assert_eq!(matcher.commit_bytes(b"1"), full, "the element makes the stack higher");
                        continue;
                    }
                    2 => {}
                    _ => assert_eq!(matcher.commit_bytes(b"1"), Ok(()), "{words} words, {max_rollback}"),
                }
                let lists = close.iter().filter(|&&byte| byte == b']').count();
                while depth >= lists {
                    let closed = matcher.commit_bytes(close);
                    assert_eq!(closed, Ok(()), "{words} words, rollback {max_rollback}, depth {depth}");
                    depth -= lists;
                }
                (0..depth).for_each(|_| assert_eq!(matcher.commit_bytes(b"]"), Ok(())));
                assert_eq!(matcher.is_accepting(), Ok(true));
                let available = matcher.available_rollback();
                assert_eq!((available, matcher.rollback(available)), (u64::from(max_rollback), Ok(())));
            }
        }
    }
}

/// What is refused for want of room can be done in a larger scratch, and is then the same.
#[test]
fn what_makes_the_stack_higher_leaves_the_reserve() {
    let (_, toy) = toys().swap_remove(1);
    let bytes = compile(&toy, 20).bytes();
    let engine = Engine::new(GrammarView::open(&bytes).expect("valid"), &toy.vocabulary).expect("same");
    let (mut scratch, mut larger) = (vec![0; 1200], vec![0; 2400]);
    let mut matcher = Matcher::new(&engine, &mut scratch, 0).expect("room");
    fill(&mut matcher, &[b"["]);
    assert!(matcher.used_words() > 1200 - 160, "the reserve is small: {}", matcher.used_words());
    let mut fork = matcher.fork(&mut larger).expect("room");
    assert_eq!((fork.commit_bytes(b"["), matcher.commit_bytes(b"[")), (Ok(()), Err(Error::ScratchFull)));
}
