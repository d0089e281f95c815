//! Compiles schemas once each, for profiles.
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let start = std::time::Instant::now();
        let compiled = gcc_grammar_json_schema::compile(&text, &gcc_grammar_json_schema::Options::default());
        let time = start.elapsed();
        match compiled {
            Ok(compiled) => println!("{path} {time:?} {} terminals", compiled.grammar.terminals.len()),
            Err(errors) => println!("{path} {time:?} {:?}", errors[0].message),
        }
    }
}
