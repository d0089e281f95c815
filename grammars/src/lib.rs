//! Grammars of data formats and programming languages that come with gcc-grammar, in the notation of Lark.
//!
//! One folder per language has the grammar, a README (scope, source, deviations), and texts that the grammar must accept and reject. The
//! texts of the grammars are compiled into this crate, so they need no files at run time. [`find`] returns a grammar by name, and
//! [`WithBundled`] lets other Lark grammars import them:
//!
//! ```
//! use gcc_grammar_bundled::{WithBundled, find};
//! use gcc_grammar_notations::lark::{self, BuiltIn};
//!
//! assert_eq!(find("lua").map(|lua| lua.about), Some("Lua 5.4"));
//! let options = lark::Options { sources: &WithBundled(BuiltIn), ..lark::Options::default() };
//! let text = "start: \"<\" value \">\"\n%import json.value\n";
//! assert!(lark::parse_with(text, &options).is_ok());
//! ```

#![forbid(unsafe_code)]

use gcc_grammar_notations::lark::{Source, Sources};

/// A bundled grammar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bundled {
    /// The name, as in `%import NAME.rule`.
    pub name: &'static str,
    /// The language that it describes, in one line.
    pub about: &'static str,
    /// The text of the grammar, in the notation of Lark.
    pub text: &'static str,
}

/// Declares the bundled grammars by name and description.
macro_rules! bundled {
    ($($name:literal: $about:literal),+ $(,)?) => {
        /// All bundled grammars, in the order of their names.
        pub const ALL: &[Bundled] = &[$(Bundled {
            name: $name,
            about: $about,
            text: include_str!(concat!("../", $name, "/", $name, ".lark")),
        }),+];
    };
}

bundled! {
    "c": "C (C11), preprocessor lines ignored",
    "c-plain": "C (C17), without macros in the place of syntax",
    "csv": "Comma-separated values (RFC 4180)",
    "go": "Go 1.22",
    "java": "Java 17",
    "javascript": "JavaScript (ECMAScript 2025)",
    "json": "JSON (RFC 8259)",
    "json-lines": "JSON Lines: one JSON value per line",
    "lua": "Lua 5.4",
    "python": "Python 3.11, indented by spaces",
    "sql": "SQL (PostgreSQL 16)",
    "sql-queries": "SQL that reads and changes rows (PostgreSQL 16), spelled out",
    "typescript": "TypeScript 5, without JSX",
    "xml": "XML 1.0, well-formed but for the names of end tags",
    "xml-strict": "XML 1.0, where end tags have the names of their start tags",
    "yaml": "YAML 1.2, a block subset in steps of two or four spaces",
}

/// The bundled grammar of this name, if there is one.
#[must_use]
pub fn find(name: &str) -> Option<&'static Bundled> {
    ALL.iter().find(|bundled| bundled.name == name)
}

/// Lets Lark grammars import bundled grammars, as in `%import java.expression`. The inner sources are asked first.
#[derive(Clone, Copy, Debug)]
pub struct WithBundled<S>(pub S);

impl<S: Sources> Sources for WithBundled<S> {
    fn find(&self, importer: &str, relative: bool, path: &[&str]) -> Result<Source, String> {
        // A bundled grammar is not a file, so its imports are not looked up next to it.
        let importer = if importer.starts_with(SCHEME) { "" } else { importer };
        self.0.find(importer, relative, path).or_else(|error| match path {
            [name] if !relative => {
                let bundled = find(name).ok_or(error)?;
                Ok(Source { name: format!("{SCHEME}{name}.lark"), text: bundled.text.to_owned() })
            }
            _ => Err(error),
        })
    }
}

/// The prefix of the names of bundled files, which no path of a file has.
const SCHEME: &str = "bundled:";

/// Runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests {
    use super::*;
    use gcc_grammar_notations::lark::{self, BuiltIn};

    #[test]
    fn names_are_sorted_and_texts_are_grammars() {
        assert!(ALL.is_sorted_by(|a, b| a.name < b.name));
        let sources = WithBundled(BuiltIn);
        let options = lark::Options { sources: &sources, ..lark::Options::default() };
        for bundled in ALL {
            let parsed = lark::parse_with(bundled.text, &options)
                .unwrap_or_else(|e| panic!("{}: {e:?}", bundled.name));
            assert_eq!(parsed.warnings, [], "{}", bundled.name);
        }
    }

    #[test]
    fn bundled_grammars_can_be_imported() {
        let sources = WithBundled(BuiltIn);
        let options = lark::Options { sources: &sources, ..lark::Options::default() };
        let text = "start: \"<\" value \">\"\n%import json.value\n";
        assert!(lark::parse_with(text, &options).is_ok());
        let errors = lark::parse_with("start: x\n%import cobol.x\n", &options).expect_err("not bundled");
        assert_eq!(errors[0].code, "bad-import");
    }
}
