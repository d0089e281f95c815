//! All operations of the runtime, linked with neither `std` nor `alloc`.

#![no_std]

use core::panic::PanicInfo;

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::ids::TokenId;
use gcc_grammar_runtime::{Engine, Error, Matcher, Tokens};

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {}
}

/// Opens a grammar and runs the operations of a matcher.
pub fn decode(file: &[u8], tokens: &dyn Tokens, scratch: &mut [u32], row: &mut [u32]) -> Result<u32, Error> {
    let grammar = GrammarView::open(file).map_err(|_| Error::OtherArtifact)?;
    let engine = Engine::new(grammar, tokens).map_err(|_| Error::OtherArtifact)?;
    let (scratch, other) = scratch.split_at_mut(scratch.len() / 2);
    let mut matcher = Matcher::new(&engine, scratch, 8)?;
    matcher.fill_mask(row)?;
    matcher.commit(TokenId(1))?;
    matcher.commit_bytes(b"x")?;
    matcher.validate(&[TokenId(2)])?;
    matcher.forced(&mut [0; 16])?;
    matcher.is_accepting()?;
    matcher.each_allowed_range(|_| ())?;
    matcher.rollback(1)?;
    let mut buffer = [0; 256];
    let len = matcher.save(&mut buffer)?;
    matcher.fork_onto(&engine, other)?;
    let mut fork = matcher.fork(other)?;
    let count = fork.count_allowed()?;
    Matcher::restore(&engine, other, &buffer[..len])?;
    Ok(count)
}
