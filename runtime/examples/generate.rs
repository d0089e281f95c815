//! Generates an output of a compiled grammar within 100 tokens. Arguments: the files of a grammar and of its vocabulary, both compiled.

use gcc_grammar_runtime::{Engine, GrammarView, MaskRow, Matcher, TokenId, VocabularyView};

/// The tokens of an output, the end token included.
pub fn generate(grammar: &[u8], vocabulary: &[u8]) -> Result<Vec<TokenId>, Box<dyn std::error::Error>> {
    let vocabulary = VocabularyView::open(vocabulary)?;
    let engine = Engine::new(GrammarView::open(grammar)?, &vocabulary)?;
    let mut scratch = vec![0; engine.scratch_words()];
    let mut words = vec![0; engine.row_words()];
    let mut row = MaskRow::new(&mut words);
    let mut matcher = Matcher::new(&engine, &mut scratch, 16)?; // 16 tokens can be rolled back
    matcher.set_budget(Some(100))?; // masks have only tokens after which 100 in all are enough
    let mut output = Vec::new();
    while !matcher.is_terminated() {
        matcher.update_mask(&mut row)?;
        let token = sample(row.words()); // bit t % 32 of word t / 32: may token t come next?
        matcher.commit(token)?;
        output.push(token);
    }
    Ok(output)
}

/// Stands for the model: takes the first allowed token.
fn sample(mask: &[u32]) -> TokenId {
    let word = mask.iter().position(|word| *word != 0).expect("some token is allowed");
    TokenId(word as u32 * 32 + mask[word].trailing_zeros())
}

#[allow(dead_code, reason = "a test calls `generate` alone")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let [grammar, vocabulary] = files.as_slice() else {
        return Err("give GRAMMAR.gcg VOCABULARY.gcv".into());
    };
    println!("{:?}", generate(&std::fs::read(grammar)?, &std::fs::read(vocabulary)?)?);
    Ok(())
}
