//! Compiles a schema in memory, decodes with random tokens, and traces a text that is refused. The only dependency is `gcc-grammar`.

use gcc_grammar::generate::{Drawn, RandomNumbers, draw};
use gcc_grammar::{Error, Options, Session, Source, Vocabulary, compile, parse, trace};

const SCHEMA: &str = r#"{"type": "object", "properties": {"name": {"type": "string", "maxLength": 8},
    "age": {"type": "integer", "minimum": 0}}, "required": ["name", "age"], "additionalProperties": false}"#;

/// Runs the example; a test calls it, too.
pub fn main() -> Result<(), Error> {
    let (source, options) = (Source::json_schema(SCHEMA), Options::default());
    let vocabulary = Vocabulary::load("llama3")?;
    let session = Session::new(compile(&source, &vocabulary, &options)?, &vocabulary)?;

    let (mut matcher, mut random, mut tokens) = (session.matcher()?, RandomNumbers(1), Vec::new());
    let mut row = vec![0; session.row_words()];
    while let Drawn::Token(token) = draw(&mut matcher, &mut random)? {
        matcher.fill_mask(&mut row)?;
        assert_eq!(row[token as usize / 32] >> (token % 32) & 1, 1, "token t is bit t % 32 of word t / 32");
        matcher.commit(token)?;
        tokens.push(token);
    }
    println!("{}", String::from_utf8_lossy(&vocabulary.text_of(&tokens)));

    let refused = trace(&parse(&source, &options)?, br#"{"name":"Ada","age":-1}"#, &options)?;
    println!("{} bytes could be read, as {} lexemes", refused.read, refused.lexemes.len());
    for stuck in &refused.stuck {
        println!("expected {}", stuck.expected.join(" "));
    }
    Ok(())
}
