//! A matcher that starts in a tiny scratch, and is forked into a scratch twice as large whenever one is full.
//!
//! It must say at every step what a matcher says that had a large scratch from the beginning.

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::ids::TokenId;
use gcc_grammar_runtime::{Engine, Error, Matcher};

use crate::support::emit::compile;
use crate::support::toys;
use gcc_grammar_random::Random;

const ROLLBACK: u32 = 5;

/// A matcher that owns neither its engine nor its scratch, with ever larger scratches to move into.
struct Growing<'a, 's, S> {
    engine: &'a Engine<'a>,
    matcher: Matcher<'a, 's>,
    larger: S,
    moves: u32,
}

impl<'a, 's, S: Iterator<Item = &'s mut [u32]>> Growing<'a, 's, S> {
    fn new(engine: &'a Engine<'a>, mut scratches: S) -> Self {
        let matcher = scratches.find_map(|scratch| Matcher::new(engine, scratch, ROLLBACK).ok());
        Self { engine, matcher: matcher.expect("a scratch is large enough"), larger: scratches, moves: 0 }
    }

    /// Does an operation; repeats it in a larger scratch as long as the scratch is full.
    fn run<T>(
        &mut self,
        mut operation: impl FnMut(&mut Matcher<'a, 's>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        loop {
            match operation(&mut self.matcher) {
                Err(Error::ScratchFull) => {
                    let scratch = self.larger.next().expect("a larger scratch");
                    self.matcher = self.matcher.fork_onto(self.engine, scratch)?;
                    self.moves += 1;
                }
                result => return result,
            }
        }
    }
}

/// Everything that a matcher says about the text so far.
#[derive(PartialEq, Debug)]
struct Answers {
    row: Vec<u32>,
    allowed: u32,
    ranges: Vec<std::ops::Range<u32>>,
    accepting: bool,
    forced: Vec<u8>,
    validated: usize,
    committed: u64,
    rollback: u64,
}

fn answers<'a, 's, S>(growing: &mut Growing<'a, 's, S>, tokens: &[TokenId]) -> Answers
where
    S: Iterator<Item = &'s mut [u32]>,
{
    let mut row = vec![7; growing.engine.row_words()];
    let mut forced = [0; 8];
    growing.run(|matcher| matcher.fill_mask(&mut row)).expect("room");
    let allowed = growing.run(|matcher| matcher.count_allowed()).expect("room");
    let ranges = growing.run(|matcher| {
        let mut ranges = Vec::new();
        matcher.each_allowed_range(|range| ranges.push(range)).map(|()| ranges)
    });
    let accepting = growing.run(|matcher| matcher.is_accepting()).expect("room");
    let count = growing.run(|matcher| matcher.forced(&mut forced)).expect("room");
    let validated = growing.run(|matcher| matcher.validate(tokens)).expect("room");
    Answers {
        row,
        allowed,
        ranges: ranges.expect("room"),
        accepting,
        forced: forced[..count].to_vec(),
        validated,
        committed: growing.matcher.committed(),
        rollback: growing.matcher.available_rollback(),
    }
}

fn scratches(first: usize, count: usize) -> Vec<Vec<u32>> {
    (0..count).map(|doublings| vec![0xaaaa_aaaa; first << doublings]).collect()
}

#[test]
fn a_matcher_that_grows_says_the_same() {
    let mut moves = 0;
    for (name, toy) in toys() {
        let bytes = compile(&toy, 60).bytes();
        let engine = Engine::new(GrammarView::open(&bytes).expect(name), &toy.vocabulary).expect(name);
        let width = engine.grammar().meta().mask_width as usize;
        let mut random = Random::new(12);
        for _ in 0..20 {
            let (mut tiny, mut large) = (scratches(4, 16), scratches(1 << 18, 1));
            let mut growing = Growing::new(&engine, tiny.iter_mut().map(Vec::as_mut_slice));
            let mut reference = Growing::new(&engine, large.iter_mut().map(Vec::as_mut_slice));
            for _ in 0..40 {
                let tokens: Vec<TokenId> = (0..4).map(|_| TokenId(random.below(width) as u32)).collect();
                let expected = answers(&mut reference, &tokens);
                assert_eq!(answers(&mut growing, &tokens), expected, "{name}");
                let token = tokens[0];
                let committed = reference.run(|matcher| matcher.commit(token));
                assert_eq!(growing.run(|matcher| matcher.commit(token)), committed, "{name}: {token:?}");
                if random.below(6) == 0 {
                    let back = random.below(expected.rollback as usize + 1) as u64;
                    assert_eq!(reference.matcher.rollback(back), Ok(()));
                    assert_eq!(growing.matcher.rollback(back), Ok(()), "{name}: the history moved along");
                }
            }
            assert_eq!(reference.moves, 0);
            moves += growing.moves;
        }
    }
    assert!(moves > 500, "most walks outgrow some scratches: {moves}");
}

#[test]
fn a_matcher_stays_with_its_artifact() {
    let toys = toys();
    let compiled: Vec<Vec<u8>> = toys.iter().map(|(_, toy)| compile(toy, 20).bytes()).collect();
    let engine = |index: usize| {
        let grammar = GrammarView::open(&compiled[index]).expect("valid");
        Engine::new(grammar, &toys[index].1.vocabulary).expect("same")
    };
    let (first, again, other) = (engine(0), engine(0), engine(1));
    let (mut scratch, mut larger) = (vec![0; 100], vec![0; 200]);
    let matcher = Matcher::new(&first, &mut scratch, ROLLBACK).expect("room");
    assert_eq!(matcher.fork_onto(&other, &mut larger).err(), Some(Error::OtherArtifact));
    let fork = matcher.fork_onto(&again, &mut larger).expect("another engine of the same file");
    assert!(core::ptr::eq(fork.engine(), &raw const again));
}
