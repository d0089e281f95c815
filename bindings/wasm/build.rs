//! Sets the size of the stack of the WebAssembly module.

/// A token has at most 1,024 bytes and lexemes, and each of them is a level of recursion.
const STACK_BYTES: u32 = 16 << 20;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        println!("cargo:rustc-link-arg-cdylib=-zstack-size={STACK_BYTES}");
    }
}
