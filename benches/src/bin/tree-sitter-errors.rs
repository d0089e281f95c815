//! A reference parser for `mutations`: tells whether tree-sitter parses files without errors. Its grammars accept more than the languages.
//!
//! ```text
//! tree-sitter-errors c|go|java|javascript|python|typescript
//! ```
//! The program reads names of files from its standard input, one per line, and prints `ok` or `error` for each.

use std::io::{BufRead, stdin};
use std::{env, fs};
use tree_sitter::{Language, Parser};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let name = env::args().nth(1).unwrap_or_default();
    let mut parser = Parser::new();
    parser
        .set_language(&language(&name).ok_or("tree-sitter-errors c|go|java|javascript|python|typescript")?)?;
    for file in stdin().lock().lines() {
        let tree = parser.parse(fs::read(file?)?, None).ok_or("no time limit is set")?;
        println!("{}", if tree.root_node().has_error() { "error" } else { "ok" });
    }
    Ok(())
}

fn language(name: &str) -> Option<Language> {
    let language = match name {
        "c" => tree_sitter_c::LANGUAGE,
        "go" => tree_sitter_go::LANGUAGE,
        "java" => tree_sitter_java::LANGUAGE,
        "javascript" => tree_sitter_javascript::LANGUAGE,
        "python" => tree_sitter_python::LANGUAGE,
        "typescript" => tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
        _ => return None,
    };
    Some(language.into())
}
