//! Recognizes the notation that a file is written in.
//!
//! The file's extension decides, with two exceptions: a `.json` file is a JSON Schema unless its text is an object with
//! `"type": "structural_tag"`, or a grammar of tree-sitter, which no JSON Schema is. A `.ebnf` file is in the notation of XGrammar unless it has what only
//! that of the W3C has. Input: a path, and the text behind it. Output: a [`Notation`], which names a
//! module of this crate (or the crate `gcc-grammar-json-schema`) that reads the text.

use crate::{tree_sitter, w3c};
use gcc_grammar_ir::words;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::ffi::OsStr;
use std::path::Path;

/// A notation for grammars.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Notation {
    /// Lark (`.lark`), read by [`lark`](crate::lark).
    Lark,
    /// JSON Schema (`.json`), read by the crate `gcc-grammar-json-schema`.
    JsonSchema,
    /// The notation of llama.cpp (`.gbnf`), read by [`bnf`](crate::bnf).
    Gbnf,
    /// The notation of XGrammar (`.ebnf`), read by [`bnf`](crate::bnf).
    Ebnf,
    /// The notation of the W3C (`.ebnf` with what only this notation has), read by [`w3c`].
    W3c,
    /// ABNF (`.abnf`), read by [`abnf`](crate::abnf).
    Abnf,
    /// Grammars of ANTLR 4 (`.g4`), read by [`antlr`](crate::antlr).
    Antlr,
    /// Grammars of tree-sitter (`.json` with a name and rules), read by [`tree_sitter`].
    TreeSitter,
    /// A regular expression (`.regex`), read by [`regex`](crate::regex).
    Regex,
    /// A list of texts, one per line (`.choices`), read by [`choices`](crate::choices).
    Choices,
    /// Structural tags (`.json` with `"type": "structural_tag"`), read by [`structural_tag`](crate::structural_tag).
    StructuralTag,
    /// Definitions of tools, in JSON, read by [`tools`](crate::tools). No extension tells them.
    Tools,
}

words!(Notation is "the notation" {
    Lark = "lark",
    JsonSchema = "json-schema",
    Gbnf = "gbnf",
    Ebnf = "ebnf",
    W3c = "w3c",
    Abnf = "abnf",
    Antlr = "antlr",
    TreeSitter = "tree-sitter",
    Regex = "regex",
    Choices = "choices",
    StructuralTag = "structural-tag",
    Tools = "tools",
});

impl Notation {
    /// The extension of files in this notation, without the dot. Structural tags, tools and tree-sitter share theirs with JSON Schema,
    /// and the notation of the W3C with that of XGrammar.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::JsonSchema | Self::TreeSitter | Self::StructuralTag | Self::Tools => "json",
            Self::W3c => "ebnf",
            Self::Antlr => "g4",
            named_alike => named_alike.as_str(),
        }
    }

    /// The rule that derives whole texts unless the user names another one; none where the notation has no
    /// named rules, or the first one counts.
    #[must_use]
    pub const fn default_start(self) -> Option<&'static str> {
        match self {
            Self::Lark => Some("start"),
            Self::Gbnf | Self::Ebnf => Some("root"),
            _ => None,
        }
    }

    /// The notation that the extension of a file names, before the file is read; none if the extension is not known. A `.json` file
    /// counts as a JSON Schema.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension().and_then(OsStr::to_str)?;
        // Choices as JSON strings: `names.choices.jsonl`.
        if extension == "jsonl" {
            let stem = path.file_stem().map(Path::new)?;
            return (stem.extension()? == "choices").then_some(Self::Choices);
        }
        Self::ALL.iter().copied().find(|notation| extension.eq_ignore_ascii_case(notation.extension()))
    }

    /// The notation of a file with this path and text; none if the extension is not known.
    #[must_use]
    pub fn of_file(path: &Path, text: &str) -> Option<Self> {
        match Self::of_path(path)? {
            Self::JsonSchema if is_structural_tag(text) => Some(Self::StructuralTag),
            Self::JsonSchema if tree_sitter::looks_like(text) => Some(Self::TreeSitter),
            Self::Ebnf if w3c::looks_like(text) => Some(Self::W3c),
            notation => Some(notation),
        }
    }

    /// The part of a file's text that is written in the notation: the line break at the end of a file is no part of a regular
    /// expression.
    #[must_use]
    pub fn content(self, file: &str) -> &str {
        match self {
            Self::Regex => file.trim_end_matches(['\n', '\r']),
            _ => file,
        }
    }
}

/// Whether a text is a JSON object with `"type": "structural_tag"`. What else is in it may be nested to any depth.
fn is_structural_tag(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Typed<'t> {
        #[serde(borrow, rename = "type")]
        kind: &'t RawValue,
    }
    text.contains("structural_tag")
        && text.trim_start().starts_with('{')
        && serde_json::from_str::<Typed<'_>>(text).is_ok_and(|typed| typed.kind.get() == "\"structural_tag\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_notation_has_a_name_of_its_own() {
        for &notation in Notation::ALL {
            assert_eq!(notation.as_str().parse(), Ok(notation));
            assert_eq!(notation.to_string(), notation.as_str());
        }
        let unknown = "yacc".parse::<Notation>().expect_err("no notation");
        assert_eq!(
            unknown.to_string(),
            "`yacc` is not a value for the notation; expected lark, json-schema, gbnf, ebnf, w3c, abnf, antlr, tree-sitter, regex, choices, structural-tag or tools"
        );
    }

    #[test]
    fn the_extension_decides() {
        let cases = [
            ("a.lark", Some(Notation::Lark)),
            ("b/a.b.json", Some(Notation::JsonSchema)),
            ("a.gbnf", Some(Notation::Gbnf)),
            ("a.ebnf", Some(Notation::Ebnf)),
            ("a.abnf", Some(Notation::Abnf)),
            ("a.g4", Some(Notation::Antlr)),
            ("a.regex", Some(Notation::Regex)),
            ("a.choices", Some(Notation::Choices)),
            ("a.choices.jsonl", Some(Notation::Choices)),
            ("a.jsonl", None),
            (".choices.jsonl", None),
            ("a.LARK", Some(Notation::Lark)),
            ("A.JSON", Some(Notation::JsonSchema)),
            ("lark", None),
            (".json", None),
            ("-", None),
        ];
        for (path, notation) in cases {
            assert_eq!(Notation::of_path(Path::new(path)), notation, "{path}");
            assert_eq!(Notation::of_file(Path::new(path), r#"{"type": "object"}"#), notation, "{path}");
        }
    }

    #[test]
    fn structural_tags_are_json_with_a_type() {
        let of = |path, text| Notation::of_file(Path::new(path), text);
        assert_eq!(
            of("a.json", r#"{"format": {}, "type": "structural_tag"}"#),
            Some(Notation::StructuralTag)
        );
        for schema in [
            r#"{"type": "string", "const": "structural_tag"}"#,
            r#"{"type": ["structural_tag"]}"#,
            r#"{"structural_tag": true}"#,
            r#"["structural_tag"]"#,
            r#"{"type": "structural_tag""#,
            "",
        ] {
            assert_eq!(of("a.json", schema), Some(Notation::JsonSchema), "{schema}");
        }
        let deep =
            format!(r#"{{"type": "structural_tag", "format": {}{}}}"#, "[".repeat(5000), "]".repeat(5000));
        assert_eq!(of("a.json", &deep), Some(Notation::StructuralTag));
        assert_eq!(of("a.regex", r#"{"type": "structural_tag"}"#), Some(Notation::Regex));
    }

    #[test]
    fn the_last_line_break_is_no_part_of_a_regular_expression() {
        assert_eq!(Notation::Regex.content("a b \r\n\n"), "a b ");
        assert_eq!(Notation::Choices.content("a\n"), "a\n");
    }
}
