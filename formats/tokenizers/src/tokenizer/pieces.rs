//! Tokenizes with a SentencePiece model.
//!
//! The input is a parsed model and a text; the output is the ids of pieces. There are two algorithms:
//!
//! - BPE merges characters to pieces, the pair with the highest score first (Sennrich, Haddow, Birch 2016, with scores in
//!   place of ranks).
//! - Unigram takes the sequence of pieces with the highest sum of scores (Kudo 2018), by the Viterbi algorithm.
//!
//! A character without a piece is spelled by byte pieces. Pieces are compared as bytes with spaces instead of U+2581, so
//! that a U+2581 in the text is not taken for a space.

use super::added::Added;
use super::merge::merge;
use crate::loaders::fallback_byte;
use crate::loaders::sentencepiece::{Algorithm, Model, PieceKind};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// How much lower than the worst piece an unknown character scores.
const UNKNOWN_PENALTY: f32 = 10.0;

/// A piece that takes part in merging.
#[derive(Clone, Copy)]
struct Piece {
    id: u32,
    score: f32,
}

/// A SentencePiece model, prepared for tokenizing.
pub(super) struct Pieces {
    algorithm: Algorithm,
    pieces: FxHashMap<Vec<u8>, Piece>,
    /// Pieces that are cut out of the text first, the longest match first, and are never merged.
    user_defined: Added,
    /// The byte piece of each byte.
    bytes: Vec<Option<u32>>,
    /// Length of the longest piece in bytes.
    longest: usize,
    lowest_score: f32,
    /// Whether the text gets a space in front.
    dummy_prefix: bool,
    /// Whether the tokens are those of the reference implementation.
    exact: bool,
}

impl Pieces {
    /// Prepares a model.
    pub(super) fn new(model: &Model<'_>, dummy_prefix: bool) -> Self {
        let mut this = Self {
            algorithm: model.algorithm,
            pieces: FxHashMap::default(),
            user_defined: Added::default(),
            bytes: vec![None; 256],
            longest: 0,
            lowest_score: 0.0,
            dummy_prefix: dummy_prefix && model.dummy_prefix,
            exact: !model.normalizes && model.algorithm != Algorithm::Other,
        };
        for (id, piece) in (0..).zip(&model.pieces) {
            let Some(bytes) = piece.bytes().filter(|bytes| !bytes.is_empty()) else { continue };
            match piece.kind {
                PieceKind::Byte => fallback_byte(piece.text).into_iter().for_each(|byte| {
                    this.bytes[usize::from(byte)] = Some(id);
                }),
                // The reference implementation merges unused pieces and cuts them again. No known model has any.
                PieceKind::Unused => this.exact = false,
                PieceKind::UserDefined => this.user_defined.insert(bytes, id),
                _ => {
                    this.longest = this.longest.max(bytes.len());
                    this.lowest_score = this.lowest_score.min(piece.score);
                    this.pieces.insert(bytes, Piece { id, score: piece.score });
                }
            }
        }
        this
    }

    /// Whether the tokens are those of the reference implementation.
    pub(super) fn is_exact(&self) -> bool {
        self.exact
    }

    /// The ids of a text; `None` if a character has neither a piece nor byte pieces.
    pub(super) fn encode(&self, text: &str) -> Option<Vec<u32>> {
        let prefixed = if self.dummy_prefix { format!(" {text}") } else { text.to_owned() };
        let mut ids = Vec::new();
        let mut start = 0;
        for (span, id) in self.user_defined.spans(&prefixed) {
            self.encode_segment(&prefixed[start..span.start], &mut ids)?;
            ids.push(id);
            start = span.end;
        }
        self.encode_segment(&prefixed[start..], &mut ids)?;
        Some(ids)
    }

    /// Appends the ids of a text without user-defined pieces.
    fn encode_segment(&self, text: &str, ids: &mut Vec<u32>) -> Option<()> {
        let starts: Vec<usize> = text.char_indices().map(|(start, _)| start).collect();
        let spans = match self.algorithm {
            Algorithm::Bpe => {
                merge(text.as_bytes(), &starts, |bytes| Some(descending(self.piece(bytes)?.score)))
            }
            Algorithm::Unigram | Algorithm::Other => self.best_path(text, &starts),
        };
        for span in spans {
            let bytes = &text.as_bytes()[span];
            match self.piece(bytes) {
                Some(piece) => ids.push(piece.id),
                None => {
                    for &byte in bytes {
                        ids.push(self.bytes[usize::from(byte)]?);
                    }
                }
            }
        }
        Some(())
    }

    /// The piece with these bytes.
    fn piece(&self, bytes: &[u8]) -> Option<Piece> {
        if bytes.len() <= self.longest { self.pieces.get(bytes).copied() } else { None }
    }

    /// The spans of the sequence with the highest score. Of equal sequences, this is the first that is found.
    fn best_path(&self, text: &str, starts: &[usize]) -> Vec<Range<usize>> {
        let ends: Vec<usize> = starts.iter().skip(1).copied().chain([text.len()]).collect();
        // best[i] is the highest score of a sequence that ends at i, and the start of its last span.
        let mut best: Vec<Option<(f32, usize)>> = vec![None; text.len() + 1];
        best[0] = Some((0.0, 0));
        for (index, &start) in starts.iter().enumerate() {
            let Some((score, _)) = best[start] else { continue };
            let character = ends[index];
            let reachable = ends[index..]
                .iter()
                .copied()
                .take_while(|&end| end == character || end - start <= self.longest);
            for end in reachable {
                let own = self.span_score(&text.as_bytes()[start..end], end == character);
                let Some(total) = own.map(|own| score + own) else { continue };
                if best[end].is_none_or(|(other, _)| total > other) {
                    best[end] = Some((total, start));
                }
            }
        }
        let last_start = |end: usize| best[end].map_or(0, |(_, start)| start);
        let mut spans: Vec<Range<usize>> = Vec::new();
        let mut end = text.len();
        while end > 0 {
            spans.push(last_start(end)..end);
            end = last_start(end);
        }
        spans.reverse();
        spans
    }

    /// The score of a span; `None` if it is neither a piece nor a single character.
    fn span_score(&self, bytes: &[u8], is_character: bool) -> Option<f32> {
        let unknown = is_character.then_some(self.lowest_score - UNKNOWN_PENALTY);
        self.piece(bytes).map(|piece| piece.score).or(unknown)
    }
}

/// Converts a score to a number that is lower for higher scores.
fn descending(score: f32) -> u32 {
    let bits = score.to_bits();
    if bits >> 31 == 1 { bits } else { !(bits | 1 << 31) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loaders::sentencepiece::{parse, tests::model};

    fn encode(pieces: &[(&str, u8)], algorithm: u8, text: &str) -> Option<Vec<u32>> {
        Pieces::new(&parse(&model(pieces, algorithm)).unwrap(), false).encode(text)
    }

    #[test]
    fn scores_turn_into_descending_numbers() {
        let scores = [f32::INFINITY, 2.0, 0.5, 0.0, -0.0, -0.5, -7.0, f32::NEG_INFINITY];
        assert!(scores.windows(2).all(|pair| descending(pair[0]) < descending(pair[1])));
    }

    #[test]
    fn bpe_merges_by_score_and_unigram_maximizes_the_sum() {
        let pieces = [("ab", 1), ("bc", 1), ("a", 1), ("b", 1), ("c", 1)];
        assert_eq!(encode(&pieces, 2, "abc"), Some(vec![0, 4]));
        // "ab" + "c" costs 0 + 4, "a" + "bc" costs 2 + 1.
        assert_eq!(encode(&pieces, 1, "abc"), Some(vec![2, 1]));
    }

    #[test]
    fn unknown_characters_are_spelled_by_bytes() {
        let pieces = [("a", 1), ("<0xC3>", 6), ("<0xA9>", 6), ("\u{2581}", 1)];
        for algorithm in [1, 2] {
            assert_eq!(encode(&pieces, algorithm, "a\u{e9} "), Some(vec![0, 1, 2, 3]));
            assert_eq!(encode(&pieces, algorithm, "z"), None);
            assert_eq!(encode(&pieces, algorithm, "\u{2581}"), None, "a raw U+2581 is not a space");
        }
    }

    #[test]
    fn user_defined_pieces_are_cut_out_first() {
        let pieces = [("ab", 1), ("a", 1), ("b", 1), ("c", 1), ("bc", 4)];
        for algorithm in [1, 2] {
            assert_eq!(encode(&pieces, algorithm, "abcab"), Some(vec![1, 4, 0]));
        }
    }
}
