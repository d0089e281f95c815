//! The walks of lexemes that most JSON schemas have, which come with a vocabulary.
//!
//! In: a vocabulary. Out: what compiling a [`schema`] for it finds in its trie. Any schema with such lexemes compiles faster then, and
//! to the same bytes.

use crate::sources::options::Options;
use crate::sources::parse::parse_for_any;
use crate::sources::source::Source;
use gcc_grammar_compiler::CompileSession;
use gcc_grammar_vocabulary::Vocabulary;
use gcc_grammar_vocabulary::walks::{PrecomputedWalk, PrecomputedWalks};

/// Values that most schemas have: numbers, strings of a limited length, whose characters the lexer counts whatever the limit is, and strings in
/// the formats of JSON Schema.
const VALUES: [&str; 16] = [
    r#""integer""#,
    r#""number""#,
    r#""integer", "minimum": 0"#,
    r#""number", "minimum": 0"#,
    r#""integer", "minimum": 1"#,
    r#""string", "minLength": 1"#,
    r#""string", "maxLength": 200"#,
    r#""string", "format": "date-time""#,
    r#""string", "format": "date""#,
    r#""string", "format": "time""#,
    r#""string", "format": "duration""#,
    r#""string", "format": "email""#,
    r#""string", "format": "uri""#,
    r#""string", "format": "uuid""#,
    r#""string", "format": "ipv4""#,
    r#""string", "format": "ipv6""#,
];

/// An object with the values as properties.
fn schema() -> String {
    let property = |(number, value)| format!(r#""x{number}": {{"type": {value}}}"#);
    let properties: Vec<String> = (1..).zip(VALUES).map(property).collect();
    format!(r#"{{"properties": {{{}}}}}"#, properties.join(", "))
}

/// The walks of a vocabulary; none if the schema cannot be compiled for it.
pub(crate) fn walks(vocabulary: &Vocabulary) -> PrecomputedWalks {
    PrecomputedWalks::new(&find(vocabulary))
}

fn find(vocabulary: &Vocabulary) -> Vec<PrecomputedWalk> {
    let options = Options::default();
    let compiled = || {
        let parsed = parse_for_any(&Source::json_schema(schema()), &options).ok()?;
        let mut session = CompileSession::default();
        let budget = parsed.budget(&options).ok()?;
        session.compile(&parsed.grammar, vocabulary, &budget.into(), &mut ()).ok()?;
        Some(session.precomputed_walks())
    };
    compiled().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcc_grammar_compiler::compile;
    use gcc_grammar_compiler::random::Random;

    /// All ASCII characters and some longer tokens, which grow together from random pieces of JSON texts.
    fn vocabulary() -> Vocabulary {
        let pieces = [
            "\"", "\": ", "\", \"", "\"}", "-", "T", ":", "20", "17", "ab", "é", "@", ".com", "{\"x1\"",
            ", ", "\\u", "0", "null",
        ];
        let mut tokens: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
        let mut random = Random(1);
        for _ in 0..300 {
            let mut token = Vec::new();
            for _ in 0..=random.below(4) {
                token.extend(pieces[random.below(pieces.len())].as_bytes());
            }
            tokens.push(token);
        }
        let end = tokens.len() as u32;
        Vocabulary::from_tokens((0..).zip(tokens).collect(), Vec::new(), vec![end], end + 1)
            .expect("a vocabulary")
    }

    const OTHERS: [&str; 9] = [
        r#"{"properties": {"id": {"format": "uuid"}, "mail": {"format": "email"}}, "required": ["mail"]}"#,
        r#"{"type": "object", "properties": {"a": {"type": "string", "maxLength": 40}}, "additionalProperties": false}"#,
        r#"{"type": "string", "minLength": 2, "maxLength": 1100}"#,
        r#"{"type": "array", "items": {"type": "string", "maxLength": 1500}}"#,
        r#"{"type": "object", "properties": {"x1": {"const": "abc"}, "x2": {"enum": ["a", 17, null]}}}"#,
        r#"{"type": "array", "items": {"format": "date-time", "type": "string"}, "maxItems": 3}"#,
        r#"{"type": "number", "minimum": 0}"#,
        r#"{"type": "integer"}"#,
        "{}",
    ];

    #[test]
    fn known_walks_change_no_byte() {
        let options = Options::default();
        let plain = vocabulary();
        let with_walks = plain.clone().with_walks(walks(&plain));
        for schema in OTHERS {
            let parsed = parse_for_any(&Source::json_schema(schema), &options).expect("a schema");
            let budget = || parsed.budget(&options).expect("a budget").into();
            let bytes = |vocabulary: &Vocabulary| {
                let compiled = compile(&parsed.grammar, vocabulary, &budget(), &mut ());
                compiled.expect("compiled").to_artifact(vocabulary)
            };
            assert!(bytes(&with_walks) == bytes(&plain), "{schema}");
            let mut session = CompileSession::default();
            session.compile(&parsed.grammar, &with_walks, &budget(), &mut ()).expect("compiled");
            assert!(session.reuse().found > 0, "{schema} finds walks");
        }
    }

    #[test]
    fn wrong_walks_lead_in_no_circle() {
        let plain = vocabulary();
        let honest = find(&plain);
        let block = |word| {
            let mut block = [0; 16];
            block[0] = word;
            vec![(0, block)]
        };
        let parsed = parse_for_any(&Source::json_schema(OTHERS[0]), &Options::default()).expect("a schema");
        // Lexemes that end where they begin, or above.
        for nodes in [block(1), block(2), block(u64::MAX)] {
            let wrong: Vec<PrecomputedWalk> =
                honest.iter().map(|walk| PrecomputedWalk { nodes: nodes.clone(), ..walk.clone() }).collect();
            let vocabulary = plain.clone().with_walks(PrecomputedWalks::new(&wrong));
            let budget = parsed.budget(&Options::default()).expect("a budget");
            let _ = compile(&parsed.grammar, &vocabulary, &budget.into(), &mut ());
        }
    }
}
