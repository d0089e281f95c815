//! Decodes with the tables of one stage.

use super::heads::{self, Head, Reader};
use super::verdict::{Tables, Verdict};
use crate::engine::{Engine, Overflow};
use gcc_grammar_compiler::ids::SymbolClass;

/// Decodes with the tables of one stage.
pub(super) struct Decoder<'a> {
    tables: &'a Tables<'a>,
    verdict: Verdict<'a>,
    reader: Reader<'a>,
    /// All ways to read the text so far; none after an end token.
    heads: Vec<Head>,
    /// The heads before each committed token.
    history: Vec<Vec<Head>>,
}

impl<'a> Decoder<'a> {
    /// At the start of the text.
    pub(super) fn new(tables: &'a Tables<'a>, verdict: Verdict<'a>) -> Self {
        let mut reader = Reader::new(tables.automata);
        let heads = vec![reader.start()];
        Self { tables, verdict, reader, heads, history: Vec::new() }
    }

    /// The viable heads after one more token or byte.
    fn read(&mut self, heads: &[Head], symbols: &[SymbolClass]) -> Result<Vec<Head>, Overflow> {
        let mut next = Vec::new();
        for head in heads {
            for head in self.reader.read(head, symbols) {
                if self.verdict.is_viable(&mut self.reader, &head) {
                    next.push(head);
                }
            }
        }
        next.sort();
        next.dedup();
        if next.len() > heads::MOST { Err(Overflow) } else { Ok(next) }
    }

    /// Whether the text may end after these heads.
    fn ends(&mut self, heads: &[Head]) -> Result<bool, Overflow> {
        let end = self.tables.automata.symbols.end_class;
        Ok(!self.read(heads, &[end])?.is_empty())
    }

    /// Whether a special token other than one that ends the text may come after these heads.
    fn takes_special(&mut self, heads: &[Head]) -> Result<bool, Overflow> {
        let symbols = &self.tables.automata.symbols;
        for class in (symbols.byte_classes..symbols.classes).map(SymbolClass::new) {
            if class != symbols.end_class && !self.read(heads, &[class])?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Engine for Decoder<'_> {
    fn mask(&mut self) -> Result<Vec<bool>, Overflow> {
        let mut mask = vec![false; self.tables.vocabulary.width() as usize];
        for head in &self.heads {
            for token in self.verdict.allowed(&mut self.reader, head) {
                mask[token as usize] = true;
            }
        }
        Ok(mask)
    }

    fn commit(&mut self, token: u32) -> Result<bool, Overflow> {
        let heads = self.heads.clone();
        let (mut next, mut ends) = (Vec::new(), false);
        for symbols in self.tables.ways_of(token) {
            let more = self.read(&heads, &symbols)?;
            ends |= !more.is_empty() && symbols == [self.tables.automata.symbols.end_class];
            next.extend(more);
        }
        if next.is_empty() {
            return Ok(false);
        }
        next.sort();
        next.dedup();
        self.history.push(heads);
        self.heads = if ends { Vec::new() } else { next };
        Ok(true)
    }

    fn rollback(&mut self, tokens: usize) -> bool {
        let Some(left) = self.history.len().checked_sub(tokens) else { return false };
        if let Some(heads) = self.history.drain(left..).next() {
            self.heads = heads;
        }
        true
    }

    fn reset(&mut self) {
        self.history.clear();
        self.heads = vec![self.reader.start()];
    }

    fn forced(&mut self, longest: usize) -> Result<Vec<u8>, Overflow> {
        let symbols = &self.tables.automata.symbols;
        let mut heads = self.heads.clone();
        let mut forced = Vec::new();
        while forced.len() < longest && !self.ends(&heads)? && !self.takes_special(&heads)? {
            let mut possible = Vec::new();
            for class in (0..symbols.byte_classes).map(SymbolClass::new) {
                let next = self.read(&heads, &[class])?;
                let bytes = (0..=255u8).filter(|&byte| !next.is_empty() && symbols.class_of(byte) == class);
                possible.extend(bytes.map(|byte| (byte, next.clone())));
            }
            let [(byte, next)] = &possible[..] else { break };
            forced.push(*byte);
            heads = next.clone();
        }
        Ok(forced)
    }

    fn is_accepting(&mut self) -> Result<bool, Overflow> {
        let heads = self.heads.clone();
        Ok(self.is_terminated() || self.ends(&heads)?)
    }

    fn is_terminated(&mut self) -> bool {
        self.heads.is_empty()
    }
}
