//! The symbols of two grammars together: bytes and special tokens, one for each class that neither grammar tells apart.

use gcc_grammar_compiler::Automata;
use gcc_grammar_compiler::ids::SymbolClass;
use gcc_grammar_vocabulary::Vocabulary;
use std::collections::BTreeMap;

/// A class of symbols.
pub(super) struct Symbol {
    /// A member as text: a byte, or the name of a special token.
    pub(super) text: Vec<u8>,
    /// Its class in each grammar; none if the grammar does not have it.
    pub(super) classes: [Option<SymbolClass>; 2],
}

/// The symbols of two grammars, whose special tokens are those of the vocabulary.
pub(super) fn symbols(automata: [&Automata; 2], vocabulary: &Vocabulary) -> Vec<Symbol> {
    let mut members: BTreeMap<[Option<SymbolClass>; 2], Vec<u8>> = BTreeMap::new();
    for byte in bytes_by_rank() {
        let classes = automata.map(|automata| Some(automata.symbols.class_of(byte)));
        members.entry(classes).or_insert_with(|| vec![byte]);
    }
    for special in vocabulary.specials() {
        let classes = automata.map(|automata| class_of_token(automata, special.id));
        if classes != [None; 2] {
            members.entry(classes).or_insert_with(|| special.text.clone().into_bytes());
        }
    }
    members.into_iter().map(|(classes, text)| Symbol { text, classes }).collect()
}

/// The class of a token that the grammar matches by id. The class of the end of text is none of the text's.
fn class_of_token(automata: &Automata, token: u32) -> Option<SymbolClass> {
    let symbols = &automata.symbols;
    let mut of_token = symbols.special_class.iter().filter(|&&(id, _)| id == token).map(|&(_, class)| class);
    of_token.find(|&class| class != symbols.end_class)
}

/// All bytes, those first that people like to read.
fn bytes_by_rank() -> impl Iterator<Item = u8> {
    let rank = |byte: u8| match byte {
        b'a'..=b'z' => 0,
        b'0'..=b'9' => 1,
        b'A'..=b'Z' => 2,
        b' ' => 3,
        0x21..=0x7E => 4,
        b'\n' => 5,
        _ => 6,
    };
    let mut bytes: Vec<u8> = (0..=u8::MAX).collect();
    bytes.sort_by_key(|&byte| rank(byte));
    bytes.into_iter()
}
