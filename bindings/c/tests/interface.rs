//! The header is the one that the source says, and C programs that use it do what they should.

#[path = "../../ffi/testing.rs"]
mod testing;

use std::path::Path;
use std::process::Command;
use testing::{Package, SANITIZED, run};

const PACKAGE: Package = Package {
    name: "gcc-grammar-c",
    root: env!("CARGO_MANIFEST_DIR"),
    library: "gcc_grammar_c",
    header: "gcc_grammar",
};

#[test]
fn the_header_is_written_from_the_source() {
    PACKAGE.check_header(&["error", "vocabulary", "session", "compile_session", "matcher", "batch"]);
}

/// Under AddressSanitizer and UndefinedBehaviorSanitizer, which also find what is not freed; and without, where the program forks, too.
#[test]
fn every_function_can_be_called_from_c() {
    let artifact = Path::new(env!("CARGO_TARGET_TMPDIR")).join("test.gcg");
    for flags in [&SANITIZED[..], &[]] {
        run(Command::new(PACKAGE.compile("tests/c/test.c", flags)).arg(&artifact));
    }
}

/// ThreadSanitizer checks the C program, and the program checks the results of the library. `tests/threads.sh` builds the library, too, with
/// ThreadSanitizer, which takes a compiler that is not stable.
#[test]
fn calls_may_run_at_once_as_the_header_says() {
    let program = PACKAGE.compile("tests/c/threads.c", &["-fsanitize=thread", "-O1"]);
    // It cannot see how the library, which it did not compile, orders its own accesses.
    run(Command::new(program).env("TSAN_OPTIONS", "ignore_noninstrumented_modules=1"));
}

/// The README shows the example that `test_install.sh` builds and runs.
#[test]
fn the_readme_shows_the_example() {
    let read = |path: &str| std::fs::read_to_string(Path::new(PACKAGE.root).join(path)).expect("readable");
    let example = read("examples/cmake/choose.c");
    let (_, program) = example.split_once("\n\n").expect("a comment and a program");
    assert!(read("README.md").contains(&format!("```c\n{program}```\n")));
}
