//! Names notations that are not read, or that a text is not given as, so that it is not refused for a character somewhere, or read as something else.
//!
//! A notation is told by the extension of its files, or by what its texts look like. Input: a path or a text. Output: its name, and what to do.

use gcc_grammar_ir::{Code, Diagnostic, Location};
use std::ffi::OsStr;
use std::path::Path;

/// A notation that is not read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Foreign {
    /// Its name, as in "this is …".
    pub name: &'static str,
    /// What to do instead.
    pub help: &'static str,
    /// Whether it is read, if it is given as such.
    pub is_read: bool,
}

/// A notation that is not read.
const fn unread(name: &'static str, help: &'static str) -> Foreign {
    Foreign { name, help, is_read: false }
}

/// A notation that is read if it is given as such.
const fn read(name: &'static str, help: &'static str) -> Foreign {
    Foreign { name, help, is_read: true }
}

const AS_LARK: &str = "write the grammar as Lark (`.lark`): `name: …` for rules, `NAME: /…/` for terminals, `%ignore` for white space";
const AS_BNF: &str = "write it as EBNF of XGrammar: `name ::= …`, a blank between parts, `( )*` and `( )?` for repetitions and options, and `#` before comments";

const W3C: Foreign =
    read("the EBNF of the W3C, as in the specification of XML", "give its notation, as in --format w3c");
const ISO: Foreign = unread("the EBNF of ISO 14977", AS_BNF);
const ABNF: Foreign = read("ABNF, as in RFC 5234", "give its notation, as in --format abnf");
const ANTLR: Foreign = read("a grammar of ANTLR", "give its notation, as in --format antlr");
const OLD_ANTLR: Foreign = unread(
    "a grammar of ANTLR 2 or 3",
    "write it for ANTLR 4 (`.g4`), without syntactic predicates and rewriting",
);
const NEARLEY: Foreign = unread("a grammar of nearley", AS_LARK);
const PEG: Foreign = unread(
    "a parsing expression grammar",
    "write it as Lark or EBNF; its ordered choice becomes a choice of all alternatives, repetitions are `( … )*`, and its predicates have to be written out",
);
const YACC: Foreign = unread("a grammar of yacc or Bison", AS_LARK);
const TREE_SITTER: Foreign =
    read("a grammar of tree-sitter", "give its notation, as in --format tree-sitter");

/// The notations that extensions tell.
const EXTENSIONS: [(&str, Foreign); 12] = [
    ("g", OLD_ANTLR),
    ("ne", NEARLEY),
    ("peg", PEG),
    ("pest", PEG),
    ("pegjs", PEG),
    ("peggy", PEG),
    ("gram", PEG),
    ("y", YACC),
    ("yy", YACC),
    ("ypp", YACC),
    ("yacc", YACC),
    ("bison", YACC),
];

/// The notation that the extension of a file tells.
#[must_use]
pub fn of_path(path: &Path) -> Option<Foreign> {
    let extension = path.extension().and_then(OsStr::to_str)?;
    EXTENSIONS.into_iter().find(|(known, _)| *known == extension).map(|(_, foreign)| foreign)
}

/// The notation that a text which is no BNF looks like.
#[must_use]
pub fn of_text(text: &str) -> Option<Foreign> {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let any = |found: &dyn Fn(&str) -> bool| lines().any(found);
    if any(&|line| line.starts_with("grammar ") && line.ends_with(';'))
        || any(&|line| line.starts_with("lexer grammar "))
    {
        return Some(ANTLR);
    }
    if any(&|line| line == "%%") || any(&|line| line.starts_with("%token ") || line.starts_with("%union")) {
        return Some(YACC);
    }
    if any(&|line| line.starts_with("@builtin ") || line.starts_with("@{%")) {
        return Some(NEARLEY);
    }
    if any(&|line| {
        line.contains("<-")
            || !line.contains("::=") && ["= _{", "= @{", "= { "].iter().any(|sign| line.contains(sign))
    }) {
        return Some(PEG);
    }
    if any(&|line| is_numbered(line)) || text.contains("::=") && text.contains("/*") {
        return Some(W3C);
    }
    let defines =
        |line: &str| line.split_once('=').is_some_and(|(name, _)| is_name(name.trim_end_matches([':', ' '])));
    if any(&|line| defines(line) && line.ends_with(';')) || text.contains("(*") && any(&defines) {
        return Some(ISO);
    }
    let is_abnf = |line: &str| ABNF_SIGNS.iter().any(|sign| line.contains(sign));
    any(&|line| defines(line) && is_abnf(line)).then_some(ABNF)
}

/// The notation of a JSON text that is no JSON Schema, if it is one.
#[must_use]
pub fn of_json(text: &str) -> Option<Foreign> {
    crate::tree_sitter::looks_like(text).then_some(TREE_SITTER)
}

/// The error that an input is in this notation.
#[must_use]
pub fn refused(foreign: Foreign) -> Diagnostic {
    let why = if foreign.is_read { "and not in the notation that was given" } else { "which is not read" };
    Diagnostic::error(Code::OtherNotation, format!("this is {}, {why}", foreign.name)).help(foreign.help)
}

/// The error of a text that is no BNF: if it is in another notation, that it is.
#[must_use]
pub(crate) fn explain(text: &str, error: Diagnostic) -> Diagnostic {
    match of_text(text) {
        Some(foreign) => refused(foreign).at(error.location.unwrap_or(Location::Span(0..0))),
        None => error,
    }
}

/// What rules of ABNF have, and those of other notations do not.
const ABNF_SIGNS: [&str; 7] = [" / ", "=/", "*(", "1*", "%x", "%d", "*DIGIT"];

/// Whether a line begins like `[1] Name ::=`.
fn is_numbered(line: &str) -> bool {
    let Some((number, rest)) = line.strip_prefix('[').and_then(|rest| rest.split_once(']')) else {
        return false;
    };
    let name = rest.split("::=").next().unwrap_or_default().trim();
    !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && rest.contains("::=")
        && is_name(name)
}

fn is_name(text: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ' ');
    text.starts_with(|c: char| c.is_alphabetic()) && text.chars().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_tell_their_notation() {
        let of = |text| of_text(text).map(|foreign| foreign.name);
        assert_eq!(of("letter = \"A\" | \"B\" ;\nroot = letter , { letter } ; (* iso *)\n"), Some(ISO.name));
        assert_eq!(of("[1] Unit ::= Query\n[2] Query ::= 'SELECT' Var+\n"), Some(W3C.name));
        assert_eq!(of("a ::= 'x'\n/* comment */\n"), Some(W3C.name));
        assert_eq!(of("rule = *( ALPHA / DIGIT ) CRLF\n"), Some(ABNF.name));
        assert_eq!(of("grammar Expr;\nprog: expr EOF;\n"), Some(ANTLR.name));
        assert_eq!(of("%token NUM\n%%\ne: e '+' e;\n"), Some(YACC.name));
        assert_eq!(of("@builtin \"number.ne\"\nmain -> number\n"), Some(NEARLEY.name));
        assert_eq!(of("Expr <- Sum / Number\n"), Some(PEG.name));
        assert_eq!(of("word = @{ ASCII_ALPHA+ }\n"), Some(PEG.name));
        assert_eq!(of("root ::= \"a\n"), None);
        assert_eq!(of("root ::= { \"a\" }\n"), None);
    }

    #[test]
    fn only_grammars_of_tree_sitter_are_no_schemas() {
        let of = |text| of_json(text).map(|foreign| foreign.name);
        let grammar = r#"{"name":"toy","rules":{"source":{"type":"REPEAT","content":{"type":"BLANK"}}}}"#;
        assert_eq!(of(grammar), Some(TREE_SITTER.name));
        assert_eq!(of(r#"{"name":"toy","rules":{}}"#), None);
        assert_eq!(of(r#"{"type":"object","properties":{"rules":{"type":"string"}}}"#), None);
        assert_eq!(of_path(Path::new("a/expr.y")), Some(YACC));
        assert_eq!(of_path(Path::new("a.ebnf")), None);
    }
}
