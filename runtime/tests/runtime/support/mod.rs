//! Toy grammars, a simple compiler from grammars to tables, and an interpreter of the tables.

pub(crate) mod emit;
pub(crate) mod lexer;
pub(crate) mod lr;
pub(crate) mod naive;

use gcc_grammar_artifact::ids::TokenId;
use gcc_grammar_artifact::{Fingerprint, Fingerprints};
use gcc_grammar_runtime::Tokens;

/// A terminal of a toy grammar.
#[derive(Clone, Debug)]
pub(crate) enum Pattern {
    /// This text.
    Literal(&'static str),
    /// One or more of these bytes, as many as possible.
    Run(&'static str),
    /// A special token.
    Special(u32),
}

/// A symbol of a right part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Symbol {
    /// An index into `Toy::terminals`, or [`Toy::end`].
    T(u32),
    /// A nonterminal.
    N(u32),
}

/// A toy grammar with its vocabulary. No rule is empty; no nonterminal derives itself.
#[derive(Clone, Debug)]
pub(crate) struct Toy {
    pub(crate) terminals: Vec<Pattern>,
    /// The terminal that is ignored, if any.
    pub(crate) ignored: Option<u32>,
    /// Left and right parts; nonterminal 0 is the start.
    pub(crate) rules: Vec<(u32, Vec<Symbol>)>,
    /// Whether reductions look at FOLLOW sets (SLR) or not at all (LR(0), which leaves many conflicts).
    pub(crate) lookahead: bool,
    /// Whether the empty text is in the language, too.
    pub(crate) accepts_nothing: bool,
    pub(crate) vocabulary: ToyVocabulary,
}

impl Toy {
    /// The terminal of the end tokens.
    pub(crate) fn end(&self) -> u32 {
        self.terminals.len() as u32
    }

    pub(crate) fn nonterminals(&self) -> u32 {
        self.rules.iter().map(|(lhs, _)| lhs + 1).max().unwrap_or(0)
    }
}

/// The texts of the tokens by id; ids without a text are special or unused.
#[derive(Clone, Debug, Default)]
pub(crate) struct ToyVocabulary {
    pub(crate) texts: Vec<Option<Vec<u8>>>,
    pub(crate) end_tokens: Vec<u32>,
}

pub(crate) const FINGERPRINT: Fingerprint = [7; 32];

impl Tokens for ToyVocabulary {
    fn bytes(&self, token: TokenId) -> Option<&[u8]> {
        self.texts.get(token.index())?.as_deref()
    }

    fn width(&self) -> u32 {
        self.texts.len() as u32
    }

    fn fingerprint(&self) -> Fingerprint {
        FINGERPRINT
    }
}

pub(crate) fn fingerprints() -> Fingerprints {
    Fingerprints { grammar: [1; 32], vocabulary: FINGERPRINT, options: [2; 32], key: [0; 32] }
}

/// A vocabulary with these texts from id 2 on. Id 0 is a special token, id 1 the end token, the last ids are
/// padding.
pub(crate) fn vocabulary(texts: &[&str]) -> ToyVocabulary {
    let texts = texts.iter().map(|text| Some(text.as_bytes().to_vec()));
    ToyVocabulary {
        texts: [None, None].into_iter().chain(texts).chain([None, None, None]).collect(),
        end_tokens: vec![1],
    }
}

/// Parses rules such as `"E: E + E | a"`. Letters with a rule are nonterminals, the others are terminals:
/// their index in `names`.
pub(crate) fn rules(lines: &[&str], names: &str) -> Vec<(u32, Vec<Symbol>)> {
    let heads: Vec<char> = lines.iter().filter_map(|line| line.chars().next()).collect();
    let symbol = |c: char| match heads.iter().position(|&head| head == c) {
        Some(index) => Symbol::N(index as u32),
        None => Symbol::T(names.chars().position(|name| name == c).expect("a name") as u32),
    };
    let alternatives = |(lhs, line): (usize, &&str)| {
        let right = line.split_once(':').expect("a colon").1;
        let right: Vec<_> =
            right.split('|').map(|part| part.chars().filter(|c| *c != ' ').map(symbol).collect()).collect();
        right.into_iter().map(move |part| (lhs as u32, part))
    };
    lines.iter().enumerate().flat_map(alternatives).collect()
}

/// The grammars on which the tests run, with names.
pub(crate) fn toys() -> Vec<(&'static str, Toy)> {
    use Pattern::{Literal, Run, Special};
    let toy = |terminals: Vec<Pattern>, ignored, lines: &[&str], names, lookahead, texts: &[&str]| Toy {
        terminals,
        ignored,
        rules: rules(lines, names),
        lookahead,
        accepts_nothing: false,
        vocabulary: vocabulary(texts),
    };
    let expression = ["E: E+E | E*E | (E) | a"];
    let expression_terminals = || vec![Literal("+"), Literal("*"), Literal("("), Literal(")"), Run("ab")];
    let expression_tokens = ["+", "*", "(", ")", "a", "b", "ab", "+(", "))", "a+b", "(a", "a)", ")*b"];
    vec![
        (
            "nested",
            toy(
                vec![Literal("("), Literal(")"), Literal("a")],
                None,
                &["S: (S) | a"],
                "()a",
                true,
                &["(", ")", "a", "((", "))", "(a", "a)", "a))", "()", "(((a", "(a)", ")))", "((a))"],
            ),
        ),
        (
            "list with blanks",
            toy(
                vec![Literal("["), Literal("]"), Literal(","), Run("01"), Run(" ")],
                Some(4),
                &["V: [L] | n", "L: V | L,V"],
                "[],n",
                true,
                &[
                    "[", "]", ",", "0", "1", " ", "  ", "10", ", ", " ,", "],", "]]", "[[", "[1", "1,0",
                    " 0 1", "1 ]",
                ],
            ),
        ),
        (
            "ambiguous expressions",
            toy(expression_terminals(), None, &expression, "+*()a", true, &expression_tokens),
        ),
        (
            "expressions without lookahead",
            toy(expression_terminals(), None, &expression, "+*()a", false, &expression_tokens),
        ),
        (
            "lexemes of many readings",
            toy(
                vec![Literal("a"), Literal("ab"), Literal("ba"), Literal("b"), Literal("aba")],
                None,
                &["S: X | SX", "X: p | q | r s | t"],
                "pqrst",
                false,
                &["a", "b", "ab", "ba", "aba", "bab", "abab", "bb"],
            ),
        ),
        (
            "right recursion and chains",
            toy(
                vec![Literal("="), Run("xy"), Literal(";"), Special(0)],
                None,
                &["S: A; | A;S | s", "A: B=A | C", "B: C", "C: x | CC"],
                "=x;s",
                false,
                &["=", "x", "y", ";", "x=", "=y;", "xy", "x=y=x", ";x", ";;"],
            ),
        ),
        (
            "undecided below",
            toy(
                ["x", "m", "n", "c", "d"].map(Literal).to_vec(),
                None,
                &["S: AMc | BMd | AMcS", "A: x", "B: x | xx", "M: mN", "N: n | mN | nn"],
                "xmncd",
                true,
                &["x", "m", "n", "c", "d", "nc", "nd", "mn", "xm", "nn", "ncx", "mnd", "xx", "nncxxm"],
            ),
        ),
        (
            "maybe nothing",
            Toy {
                accepts_nothing: true,
                ..toy(
                    vec![Run(" "), Run("a")],
                    Some(0),
                    &["S: a | SaS"],
                    "_a",
                    true,
                    &[" ", "a", "a ", "  ", " a", "aa"],
                )
            },
        ),
        (
            "forced text",
            toy(
                vec![Literal("true"), Literal("false"), Literal("{\"key\":"), Literal("}")],
                None,
                &["S: k V e", "V: t | f | S"],
                "tfke",
                true,
                &[
                    "t", "r", "u", "e", "f", "a", "l", "s", "{", "\"", "k", "y", ":", "}", "{\"", "tr",
                    "true", "true}", "ey", ":{",
                ],
            ),
        ),
    ]
}

/// A vocabulary that no toy grammar was compiled for.
pub(crate) struct OtherVocabulary;

impl Tokens for OtherVocabulary {
    fn bytes(&self, _: TokenId) -> Option<&[u8]> {
        None
    }

    fn width(&self) -> u32 {
        0
    }

    fn fingerprint(&self) -> Fingerprint {
        [8; 32]
    }
}
