//! A lower bound on the length of a completion in symbols (an admissible heuristic), from the tables of the artifact.
//!
//! | module | lower bound on the symbols |
//! |---|---|
//! | [`lexemes`] | that complete a lexeme to a terminal |
//! | [`productions`] | that derive from a nonterminal; the productions are recovered from the LR tables |
//! | [`stacks`] | that lead from a parser stack to acceptance |
//!
//! The bound is exact for the context-free grammar and each lexeme by itself. It ignores the longest-match constraints between
//! lexemes and the contexts in which lexemes start, so a completion may be a little longer.

mod lexemes;
mod productions;
mod stacks;

use crate::matcher::Matcher;
use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::ids::Terminal;
use gcc_grammar_runtime::HeadView;
use lexemes::Lexemes;
use productions::Productions;
use stacks::Stacks;

/// A number of symbols (bytes or special tokens).
type Cost = u32;
/// The cost of what cannot be reached. Sums of costs saturate at it.
const NEVER: Cost = u32::MAX;

/// The bounds of one artifact.
pub(crate) struct Bounds<'a> {
    grammar: GrammarView<'a>,
    lexemes: Lexemes,
    productions: Productions,
    stacks: Stacks<'a>,
    /// Cells of parser stacks read so far.
    cells_read: u64,
}

impl<'a> Bounds<'a> {
    pub(crate) fn new(grammar: GrammarView<'a>) -> Self {
        let lexemes = Lexemes::new(&grammar);
        let productions = Productions::new(&grammar, &lexemes);
        let stacks = Stacks::new(grammar, &productions);
        Self { grammar, lexemes, productions, stacks, cells_read: 0 }
    }

    /// The bound for the configuration of a matcher; [`u32::MAX`] if the text cannot be completed.
    pub(crate) fn of(&mut self, matcher: &Matcher) -> Cost {
        matcher.inspect(|matcher| matcher.head_views().map(|head| self.of_head(&head)).min()).unwrap_or(NEVER)
    }

    /// The number of cells of parser stacks that were read for bounds so far, which is the work of computing them.
    pub(crate) fn cells_read(&self) -> u64 {
        self.cells_read
    }

    fn of_head(&mut self, head: &HeadView<'_, '_>) -> Cost {
        let (grammar, productions) = (&self.grammar, &self.productions);
        let mut states: Vec<_> = head.stack.clone().collect();
        states.reverse();
        self.cells_read += states.len() as u64;
        let stack = self.stacks.find(productions, &states);
        let costs = grammar.pending(head.lexer).map(|terminal| {
            let lexeme = self.lexemes.rest(grammar, head.lexer, terminal);
            let then = match terminal {
                Terminal::IGNORE => self.stacks.rest(productions, stack),
                _ => self.stacks.rest_after(productions, stack, terminal),
            };
            lexeme.saturating_add(then)
        });
        costs.min().unwrap_or(NEVER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use crate::session::Session;
    use crate::source::Source;
    use crate::vocabulary::Vocabulary;
    use gcc_grammar_vocabulary::Vocabulary as Tokens;
    use std::path::PathBuf;

    /// Calls `see` with a matcher of a grammar and its bounds.
    fn with<T>(source: &Source, see: impl FnOnce(&mut Matcher, &mut Bounds<'_>) -> T) -> T {
        let tokens = (0..=u8::MAX).map(|byte| (u32::from(byte), vec![byte])).collect();
        let tokens = Tokens::from_tokens(tokens, Vec::new(), vec![256], 257).expect("bytes");
        let vocabulary =
            Vocabulary::from_artifact("bytes", &tokens.to_artifact(), PathBuf::new()).expect("valid");
        let artifact = crate::compile(source, &vocabulary, &Options::default()).expect("it is small");
        let session = Session::new(artifact, &vocabulary).expect("the same vocabulary");
        let mut matcher = session.matcher_with_rollback(0).expect("enough scratch");
        see(&mut matcher, &mut Bounds::new(*session.engine().grammar()))
    }

    /// The bound after each byte of a text.
    fn bounds(schema: &str, text: &str) -> Vec<Cost> {
        with(&Source::json_schema(schema), |matcher, bounds| {
            let first = bounds.of(matcher);
            let others = text.bytes().map(|byte| {
                matcher.commit_bytes(&[byte]).expect("the text is valid");
                bounds.of(matcher)
            });
            std::iter::once(first).chain(others).collect()
        })
    }

    /// The number of bytes that are left of the text, after each byte.
    fn left(text: &str) -> Vec<Cost> {
        (0..=text.len() as Cost).rev().collect()
    }

    #[test]
    fn required_members_are_counted() {
        let schema = r#"{"properties": {"first": {"type": "boolean"}, "second": {"enum": ["abc"]}, "x": {"type": "integer"}},
            "required": ["first", "second", "x"], "type": "object"}"#;
        let text = r#"{"first":true,"second":"abc","x":0}"#;
        assert_eq!(bounds(schema, text), left(text));
    }

    #[test]
    fn nesting_and_lists_are_counted() {
        let schema = r##"{"$defs": {"tree": {"type": "object", "required": ["sub"], "additionalProperties": false,
            "properties": {"sub": {"type": "array", "items": {"$ref": "#/$defs/tree"}}}}}, "$ref": "#/$defs/tree"}"##;
        let text = r#"{"sub":[{"sub":[{"sub":[]}]}]}"#;
        let bounds = bounds(schema, text);
        // Nothing forces an item before the brace that opens it.
        let at = [0, 8, 9, 16, 17, text.len()].map(|bytes| bounds[bytes]);
        assert_eq!(at, [10, 2, 11, 4, 13, 0]);
    }

    #[test]
    fn long_lexemes_are_counted() {
        let text = format!("{{\"a\":\"{}\"}}", "x".repeat(300));
        let schema = r#"{"properties": {"a": {"type": "string", "minLength": 300}}, "required": ["a"], "type": "object"}"#;
        let bounds = bounds(schema, &text);
        assert!((300..=text.len() as Cost).contains(&bounds[0]), "{}", bounds[0]);
        assert!((100..=108).contains(&bounds[text.len() - 107]), "{}", bounds[text.len() - 107]);
    }

    #[test]
    fn reductions_as_deep_as_the_stack_are_counted() {
        const DEPTH: usize = 100_000;
        let lark = "start: list \"c\"\nlist: \"a\" list | \"b\"\n";
        with(&Source::lark(lark), |matcher, bounds| {
            matcher.commit_bytes(&[b'a'; DEPTH]).expect("the text is valid");
            assert_eq!(bounds.of(matcher), 2);
            matcher.commit_bytes(b"b").expect("the text is valid");
            assert_eq!(bounds.of(matcher), 1);
            matcher.commit_bytes(b"c").expect("the text is valid");
            assert_eq!(bounds.of(matcher), 0);
        });
    }
}
