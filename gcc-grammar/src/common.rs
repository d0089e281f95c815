//! The walks of lexemes that most JSON schemas have, which come with a vocabulary.
//!
//! In: a vocabulary. Out: what compiling the [`schemas`] for it finds in its trie. Any schema with such lexemes compiles faster then, and
//! to the same bytes.

use crate::options::Options;
use crate::parse::parse;
use crate::source::Source;
use gcc_grammar_compiler::Session;
use gcc_grammar_vocabulary::Vocabulary;
use gcc_grammar_vocabulary::walks::KnownWalks;

/// Values that most schemas have: numbers, strings of a limited length, and strings in the formats of JSON Schema. A string has the walks of
/// all longer strings, too, once no token is as long as what is left of them.
const VALUES: [&str; 17] = [
    r#""integer""#,
    r#""number""#,
    r#""integer", "minimum": 0"#,
    r#""number", "minimum": 0"#,
    r#""integer", "minimum": 1"#,
    r#""string", "minLength": 1"#,
    r#""string", "maxLength": 200"#,
    r#""string", "minLength": 1, "maxLength": 200"#,
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

/// Strings that are so long that they are read in blocks, which changes how each token is walked. What is left of a length after whole blocks
/// has walks of its own.
const LONG_VALUES: [&str; 6] = [
    r#""string", "maxLength": 500"#,
    r#""string", "minLength": 1, "maxLength": 1000"#,
    r#""string", "maxLength": 2000"#,
    r#""string", "maxLength": 3000"#,
    r#""string", "maxLength": 4000"#,
    r#""string", "maxLength": 5000"#,
];

/// The schemas: objects with the values as properties, without long strings and with them.
fn schemas() -> [String; 2] {
    [0, LONG_VALUES.len()].map(|long| {
        let values = VALUES.iter().chain(&LONG_VALUES[..long]).enumerate();
        let properties: Vec<String> =
            values.map(|(number, value)| format!(r#""x{number}": {{"type": {value}}}"#)).collect();
        format!(r#"{{"properties": {{{}}}}}"#, properties.join(", "))
    })
}

/// The walks of a vocabulary. A schema that cannot be compiled for it adds none.
pub(crate) fn walks(vocabulary: &Vocabulary) -> KnownWalks {
    let options = Options::default();
    let mut session = Session::default();
    let mut all = Vec::new();
    for schema in schemas() {
        let Ok(parsed) = parse(&Source::json_schema(schema), &options) else { continue };
        let Ok(budget) = parsed.budget(&options) else { continue };
        if session.compile(&parsed.grammar, vocabulary, &budget.into(), &mut ()).is_ok() {
            all = session.known_walks();
        }
    }
    KnownWalks::new(&all)
}
