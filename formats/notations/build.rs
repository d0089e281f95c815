//! Generates the parser of Lark grammars.

fn main() {
    println!("cargo::rerun-if-changed=src/lark/syntax.lalrpop");
    lalrpop::process_src().expect("the syntax of Lark grammars");
}
