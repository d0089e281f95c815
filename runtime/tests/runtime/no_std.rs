//! The runtime links with neither `std` nor `alloc`.
//!
//! `no_std/lib.rs` is a static library with its own panic handler, with which `std` would clash, and without
//! an allocator, which `alloc` would need. It is built here as a package of its own, so that no other package
//! of the workspace can switch on features of what it links.

use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn links_with_neither_std_nor_alloc() {
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR"));
    let package = package_for(runtime);
    let output = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--offline", "--manifest-path"])
        .arg(package.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(package.join("target"))
        .env_remove("RUSTFLAGS")
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Writes the package: a manifest for the source, and the lock file of the workspace.
fn package_for(runtime: &Path) -> PathBuf {
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no_std");
    std::fs::create_dir_all(&package).expect("a temporary folder");
    let manifest = format!(
        r#"
            [package]
            name = "no-std-check"
            version = "0.0.0"
            edition = "2024"
            [lib]
            path = {source:?}
            crate-type = ["staticlib"]
            [dependencies]
            gcc-grammar-runtime = {{ path = {runtime:?} }}
            gcc-grammar-artifact = {{ path = {artifact:?} }}
            [profile.dev]
            panic = "abort"
            [workspace]
        "#,
        source = runtime.join("tests/runtime/no_std/lib.rs"),
        artifact = runtime.join("../formats/artifact"),
    );
    std::fs::write(package.join("Cargo.toml"), manifest).expect("written");
    std::fs::copy(runtime.join("../Cargo.lock"), package.join("Cargo.lock")).expect("copied");
    package
}
