//! Decides whether every text of the grammar is a sequence of tokens.
//!
//! In: the vocabulary, and the alphabet of the lexer. The bytes of a class are interchangeable for the grammar: whatever
//! can be completed can be completed with any of them. So if every class that a terminal uses has a byte that is a token
//! by itself, then what can be completed by bytes can be completed by tokens: the vocabulary is *complete* for the
//! grammar. Before this stage, bytes that no token has were taken out of the terminals
//! ([`terminals`](crate::terminals)).

use crate::lexer::Symbols;
use gcc_grammar_vocabulary::Vocabulary;

/// Why a vocabulary is not known to spell every text of the grammar; `None` if it does, or has no text tokens at all.
pub(crate) fn incompleteness(vocabulary: &Vocabulary, symbols: &Symbols) -> Option<String> {
    if vocabulary.order().is_empty() {
        return None;
    }
    let mut has_token = vec![false; symbols.byte_classes];
    for byte in (0..=u8::MAX).filter(|&byte| is_token(vocabulary, byte)) {
        has_token[symbols.class_of(byte).index()] = true;
    }
    if !has_token.contains(&false) {
        return None;
    }
    let mut is_used = vec![false; symbols.classes];
    for terminal in &symbols.terminals {
        let states = 0..terminal.states() as u32;
        states
            .flat_map(|state| terminal.transitions(state))
            .for_each(|(class, _)| is_used[class.index()] = true);
    }
    let alone = |byte: &u8| {
        let class = symbols.class_of(*byte).index();
        is_used[class] && !has_token[class]
    };
    let byte = (0..=u8::MAX).find(alone)?;
    Some(format!(
        "the vocabulary has no token for byte 0x{byte:02X} alone, so that a text of the grammar may not be a sequence of tokens"
    ))
}

/// Whether the byte is a token by itself.
fn is_token(vocabulary: &Vocabulary, byte: u8) -> bool {
    let bytes = |token: &u32| vocabulary.bytes(*token).unwrap_or_default();
    vocabulary.order().binary_search_by(|token| bytes(token).cmp(&[byte])).is_ok()
}
