//! Front ends that recurse along the nesting of their input, on a thread with enough stack.
//!
//! How deep an input may be nested is limited: by 100 levels of parentheses, 200 of schemas, 256 references in each other. To walk that deep takes more
//! stack than a thread of a program may have (musl's have 128 KB), and less than [`STACK_BYTES`]. A level takes at least one opening bracket,
//! so an input with few of them is read where the caller is.

use std::panic::resume_unwind;
use std::thread;

/// The stack of the thread: ten times what the deepest inputs take.
const STACK_BYTES: usize = 16 << 20;

/// The most opening brackets of an input that is read on the thread of the caller.
const MOST_IN_PLACE: usize = 12;

/// Whether an input may be nested deep: with many brackets, with other files, or with references that may lead back to it.
fn may_be_deep(text: &str) -> bool {
    let opens = |byte: &u8| matches!(byte, b'(' | b'[' | b'{');
    let refers = |word: &&str| text.contains(word);
    text.bytes().filter(opens).nth(MOST_IN_PLACE).is_some()
        || ["Ref\"", "$ref\"", "\\u", "import"].iter().any(refers)
}

/// Reads an input with this text. Where no thread can be started, as in a browser, it is read on the thread of the caller.
pub(crate) fn with_stack<T: Send>(text: &str, read: impl Fn() -> T + Sync) -> T {
    if !may_be_deep(text) {
        return read();
    }
    thread::scope(|scope| match thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, &read) {
        Ok(reader) => reader.join().unwrap_or_else(|panic| resume_unwind(panic)),
        Err(_) => read(),
    })
}
