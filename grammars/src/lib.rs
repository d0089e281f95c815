//! The bundled grammars: one folder per language with its Lark file, a README (scope, source, deviations), and texts that it must
//! accept and reject. They are part of the program, so they need no file at run time.

use gcc_grammar_notations::lark::{Source, Sources};

/// A grammar that comes with the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bundled {
    /// The name, as in `--grammar NAME` and `%import NAME.rule`.
    pub name: &'static str,
    /// What it describes, in a line.
    pub about: &'static str,
    /// The grammar, in the language of Lark.
    pub text: &'static str,
}

/// Declares the list from names and descriptions.
macro_rules! bundled {
    ($($name:literal: $about:literal),+ $(,)?) => {
        /// All of them, by name.
        pub const ALL: &[Bundled] = &[$(Bundled {
            name: $name,
            about: $about,
            text: include_str!(concat!("../", $name, "/", $name, ".lark")),
        }),+];
    };
}

bundled! {
    "c": "C (C11), preprocessor lines ignored",
    "csv": "Comma-separated values (RFC 4180)",
    "go": "Go 1.22",
    "java": "Java 17",
    "javascript": "JavaScript (ECMAScript 2025)",
    "json": "JSON (RFC 8259)",
    "json-lines": "JSON Lines: one JSON value per line",
    "lua": "Lua 5.4",
    "python": "Python 3.11, indented by spaces",
    "sql": "SQL (PostgreSQL 16)",
    "typescript": "TypeScript 5, without JSX",
    "xml": "XML 1.0, well-formed but for the names of end tags",
    "yaml": "YAML 1.2, a block subset in steps of two or four spaces",
}

/// The grammar of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Bundled> {
    ALL.iter().find(|bundled| bundled.name == name)
}

/// Lets Lark grammars import bundled ones, as in `%import java.expression`. What the other sources know comes first.
#[derive(Clone, Copy, Debug)]
pub struct WithBundled<S>(pub S);

impl<S: Sources> Sources for WithBundled<S> {
    fn find(&self, importer: &str, relative: bool, path: &[&str]) -> Result<Source, String> {
        // A bundled grammar is no file: what it imports is not looked for next to it.
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

/// Begins the names of bundled files.
const SCHEME: &str = "bundled:";

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
