//! A C program calls every function, under AddressSanitizer and UndefinedBehaviorSanitizer, which also find what is not freed.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds the shared library with the profile of this test, and returns its folder.
fn library() -> PathBuf {
    let test = std::env::current_exe().expect("this test");
    let folder = test.ancestors().nth(2).expect("target/debug/deps").to_owned();
    let target = folder.parent().expect("target");
    let cargo = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--locked", "--package", "gcc-grammar-llg", "--lib", "--target-dir"])
        .arg(target)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status();
    assert!(cargo.expect("cargo runs").success());
    target.join("debug")
}

/// Compiles a C program of this folder against the shared library.
fn compile(name: &str, flags: &[&str], output: &Path) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let library = library();
    let compiler = Command::new("cc")
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-g", "-pthread"])
        .args(flags)
        .arg("-I")
        .arg(root.join("include"))
        .arg(root.join(name))
        .arg("-o")
        .arg(output)
        .arg("-L")
        .arg(&library)
        .arg(format!("-Wl,-rpath,{}", library.display()))
        .arg("-lgcc_grammar_llg")
        .status();
    assert!(compiler.expect("a C compiler is installed").success(), "{name} does not compile");
}

#[test]
fn every_function_can_be_called_from_c() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let program = folder.join("llg-test");
    let store = tempfile::tempdir().expect("a folder");
    compile("tests/c/test.c", &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"], &program);
    let output = Command::new(&program).arg(store.path()).output().expect("the program runs");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "0 failures\n", "{text}");
    assert_eq!(store.path().read_dir().expect("the folder").count(), 1, "the grammar was stored");
}
