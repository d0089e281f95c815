//! No operation of the runtime allocates memory.

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::ids::TokenId;
use gcc_grammar_runtime::{Engine, MaskRow, Matcher};

use crate::support::emit::compile;
use crate::support::toys;
use gcc_grammar_random::Random;

#[test]
fn nothing_allocates() {
    for (name, toy) in toys() {
        let bytes = compile(&toy, 100).bytes();
        let width = toy.vocabulary.texts.len();
        let mut memory = Memory::new(width);
        let count = allocation_counter::measure(|| {
            let engine =
                Engine::new(GrammarView::open(&bytes).expect("valid"), &toy.vocabulary).expect("same");
            use_everything(&engine, &mut memory, width);
        });
        assert_eq!(count.count_total, 0, "{name}");
        assert!(memory.committed > 300, "{name}: the walk commits something");
    }
}

/// The memory that the caller provides.
struct Memory {
    scratch: Vec<u32>,
    other_scratch: Vec<u32>,
    row: Vec<u32>,
    buffer: Vec<u8>,
    random: Random,
    committed: u32,
}

impl Memory {
    fn new(width: usize) -> Self {
        Self {
            scratch: vec![0; 1 << 10],
            other_scratch: vec![0; 1 << 10],
            row: vec![0; width.div_ceil(32)],
            buffer: vec![0; 1 << 14],
            random: Random::new(6),
            committed: 0,
        }
    }
}

/// Runs all operations on a walk that is long enough for the scratch to be compacted.
fn use_everything(engine: &Engine<'_>, memory: &mut Memory, width: usize) {
    let Memory { scratch, other_scratch, row, buffer, random, committed } = memory;
    let mut matcher = Matcher::new(engine, scratch, 4).expect("room");
    for _ in 0..600 {
        let token = TokenId(random.below(width) as u32);
        let used = [
            matcher.fill_mask(row).is_ok(),
            matcher.update_mask(&mut MaskRow::new(row)).is_ok(),
            matcher.mask_by_number(&mut [0; 8]).is_ok(),
            matcher.each_allowed_range(|_| ()).is_ok(),
            matcher.count_allowed().is_ok(),
            matcher.allows(token).is_ok(),
            matcher.validate(&[token, token]).is_ok(),
            matcher.validate_bytes(b"a(").is_ok(),
            matcher.is_accepting().is_ok(),
            matcher.forced(&mut [0; 8]).is_ok(),
        ];
        if used != [true; 10] {
            // The stack has become too deep for the scratch.
            matcher.reset();
            continue;
        }
        let mut tokens = (0..width).map(|step| TokenId((token.0 + step as u32) % width as u32));
        *committed += u32::from(tokens.any(|token| matcher.commit(token).is_ok()));
        if matcher.is_terminated() || random.below(16) == 0 {
            matcher.rollback(matcher.available_rollback()).expect("available");
        }
    }
    assert_eq!(matcher.commit_bytes(b"#"), Err(gcc_grammar_runtime::Error::Refused));
    let heads = matcher.head_views().map(|head| head.stack.count()).sum::<usize>();
    assert!(heads > 0);
    let saved = matcher.save(buffer).expect("room");
    assert!(Matcher::restore(engine, other_scratch, &buffer[..saved]).is_ok());
    assert!(matcher.fork(other_scratch).is_ok());
    assert!(matcher.fork_onto(engine, other_scratch).is_ok());
    matcher.reset();
}
