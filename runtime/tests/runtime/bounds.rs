//! What the compiler checks: engines and matchers go from thread to thread, and their lifetimes can be
//! shortened.
//!
//! An owned session keeps a file, the engine that borrows from it, and the matcher that borrows from both in
//! one structure. That takes `Send`, `Sync` and covariance, which these functions have only if they compile.

use gcc_grammar_artifact::{ArtifactError, Container, GrammarView, VocabularyView};
use gcc_grammar_runtime::{Engine, Error, HeadView, MaskRow, Matcher, Stack, Tokens};

const fn is_send_and_sync<T: Send + Sync + ?Sized>() {}

const fn is_an_error<T: core::error::Error + Send + Sync + 'static>() {}

const _: () = {
    is_send_and_sync::<Engine<'_>>();
    is_send_and_sync::<Matcher<'_, '_>>();
    is_send_and_sync::<MaskRow<'_>>();
    is_send_and_sync::<HeadView<'_, '_>>();
    is_send_and_sync::<Stack<'_, '_>>();
    is_send_and_sync::<&dyn Tokens>();
    is_send_and_sync::<Container<'_>>();
    is_send_and_sync::<GrammarView<'_>>();
    is_send_and_sync::<VocabularyView<'_>>();
    is_an_error::<Error>();
    is_an_error::<ArtifactError>();
};

/// Declares a function that shortens the lifetimes of a type. It compiles only if the type is covariant.
macro_rules! covariant {
    ($($name:ident: $long:ty => $short:ty;)+) => {$(
        #[expect(dead_code, reason = "it is compiled, and never called")]
        fn $name<'long: 'short, 'short>(value: $long) -> $short {
            value
        }
    )+};
}

covariant! {
    engine: Engine<'long> => Engine<'short>;
    engine_reference: &'long Engine<'long> => &'short Engine<'short>;
    matcher: Matcher<'long, 'long> => Matcher<'short, 'short>;
    mask_row: MaskRow<'long> => MaskRow<'short>;
    head_view: HeadView<'long, 'long> => HeadView<'short, 'short>;
    grammar_view: GrammarView<'long> => GrammarView<'short>;
    vocabulary_view: VocabularyView<'long> => VocabularyView<'short>;
    container: Container<'long> => Container<'short>;
}

#[expect(dead_code, reason = "it is compiled, and never called")]
fn a_fork_borrows_from_the_new_owner_alone<'new>(
    matcher: &Matcher<'_, '_>,
    engine: &'new Engine<'new>,
    scratch: &'new mut [u32],
) -> Result<Matcher<'new, 'new>, Error> {
    matcher.fork_onto(engine, scratch)
}

#[test]
fn a_matcher_moves_to_another_thread() {
    use crate::support::{emit::compile, toys};
    let (_, toy) = toys().swap_remove(0);
    let bytes = compile(&toy, 20).bytes();
    let engine = Engine::new(GrammarView::open(&bytes).expect("valid"), &toy.vocabulary).expect("same");
    let mut scratch = vec![0; 1 << 10];
    let mut matcher = Matcher::new(&engine, &mut scratch, 1).expect("room");
    std::thread::scope(|scope| {
        let thread = scope.spawn(move || matcher.commit_bytes(b"(").map(|()| matcher.committed()));
        assert_eq!(thread.join().expect("no panic"), Ok(1));
    });
}
