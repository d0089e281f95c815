//! Reads SentencePiece `.model` files: a protobuf message with one piece per id.
//!
//! ```text
//! ModelProto      1 pieces*: SentencePiece   2 trainer_spec   3 normalizer_spec
//! SentencePiece   1 piece: string   2 score: float   3 type: enum
//! ```
//!
//! [`parse`] returns the whole model, which a tokenizer needs; [`read`] returns its tokens as [`Contents`]. Pieces write a
//! space as U+2581; byte-fallback pieces such as `<0x0A>` stand for one byte. Format: `sentencepiece_model.proto` of
//! SentencePiece (Kudo and Richardson 2018).

use super::byte_fallback::fallback_byte;
use super::protobuf::{Fields, Value};
use crate::contents::Contents;
use gcc_grammar_vocabulary::SpecialToken;
use gcc_grammar_vocabulary::limits;
use gcc_grammar_vocabulary::{Place, VocabularyError};

/// The type of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PieceKind {
    Normal,
    Unknown,
    Control,
    UserDefined,
    Unused,
    Byte,
}

/// A token of the model.
pub(crate) struct Piece<'a> {
    pub(crate) text: &'a str,
    pub(crate) score: f32,
    pub(crate) kind: PieceKind,
}

impl Piece<'_> {
    /// The bytes that the piece stands for; `None` for control tokens and the unknown token.
    pub(crate) fn bytes(&self) -> Option<Vec<u8>> {
        match self.kind {
            PieceKind::Control | PieceKind::Unknown => None,
            PieceKind::Byte => fallback_byte(self.text).map(|byte| vec![byte]),
            PieceKind::Normal | PieceKind::UserDefined | PieceKind::Unused => {
                Some(self.text.replace('\u{2581}', " ").into_bytes())
            }
        }
    }
}

/// The algorithm by which the model cuts text into pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Algorithm {
    Unigram,
    Bpe,
    Other,
}

/// A parsed model.
pub(crate) struct Model<'a> {
    /// The pieces by id.
    pub(crate) pieces: Vec<Piece<'a>>,
    pub(crate) algorithm: Algorithm,
    /// Whether the tokenizer puts a space in front of the text.
    pub(crate) dummy_prefix: bool,
    /// Whether the tokenizer normalizes the text by a table before it cuts it.
    pub(crate) normalizes: bool,
    /// The id of the end token.
    eos: Option<u32>,
}

/// Whether the file starts with a piece: field 1 of the message, which starts with field 1 of the piece.
pub(super) fn looks_like(data: &[u8]) -> bool {
    matches!(Fields::new(data, 0).next(), Some(Ok((1, Value::Bytes(piece)))) if piece.first() == Some(&0x0a))
}

/// Reads the tokens and the end token.
pub(super) fn read(data: &[u8]) -> Result<Contents, VocabularyError> {
    let model = parse(data)?;
    let mut contents = Contents::default();
    for (id, piece) in (0..).zip(&model.pieces) {
        match piece.bytes() {
            Some(bytes) => {
                contents.tokens.push((id, bytes));
                contents.added.extend((piece.kind == PieceKind::UserDefined).then_some(id));
            }
            None => contents.specials.push(SpecialToken { id, text: piece.text.to_owned() }),
        }
    }
    contents.add_end_tokens_by_name();
    let is_special = |id: &u32| contents.specials.iter().any(|special| special.id == *id);
    contents.end_tokens.extend(model.eos.filter(is_special));
    Ok(contents)
}

/// Parses the whole model.
pub(crate) fn parse(data: &[u8]) -> Result<Model<'_>, VocabularyError> {
    let mut model = Model {
        pieces: Vec::new(),
        algorithm: Algorithm::Unigram,
        dummy_prefix: true,
        normalizes: false,
        eos: Some(2),
    };
    let mut fields = Fields::new(data, 0);
    while let Some(field) = fields.next() {
        let (number, Value::Bytes(message)) = field? else { continue };
        // The message ends where the next field starts.
        let offset = fields.offset() - message.len();
        match number {
            1 if model.pieces.len() >= limits::TOKENS => {
                let message = format!("the model has more than the limit of {} pieces", limits::TOKENS);
                return Err(VocabularyError::too_large(message).at(Place::Offset(offset)));
            }
            1 => model.pieces.push(piece(message, offset)?),
            2 => trainer(message, offset, &mut model)?,
            3 => normalizer(message, offset, &mut model)?,
            _ => {}
        }
    }
    if model.pieces.is_empty() {
        return Err(VocabularyError::malformed("the model has no pieces"));
    }
    Ok(model)
}

fn piece(message: &[u8], offset: usize) -> Result<Piece<'_>, VocabularyError> {
    let malformed = |message: &str| VocabularyError::malformed(message).at(Place::Offset(offset));
    let mut piece = Piece { text: "", score: 0.0, kind: PieceKind::Normal };
    for field in Fields::new(message, offset) {
        match field? {
            (1, Value::Bytes(text)) => {
                piece.text = std::str::from_utf8(text)
                    .map_err(|error| malformed("the text of a piece is not UTF-8").caused_by(error))?;
            }
            (2, Value::Fixed32(score)) => piece.score = f32::from_le_bytes(score),
            (3, Value::Varint(kind)) => {
                piece.kind = piece_kind(kind).ok_or_else(|| malformed("a piece has an unknown type"))?;
            }
            _ => {}
        }
    }
    if piece.kind == PieceKind::Byte && fallback_byte(piece.text).is_none() {
        return Err(malformed("a byte piece is not spelled like <0x0A>"));
    }
    Ok(piece)
}

fn piece_kind(number: u64) -> Option<PieceKind> {
    Some(match number {
        1 => PieceKind::Normal,
        2 => PieceKind::Unknown,
        3 => PieceKind::Control,
        4 => PieceKind::UserDefined,
        5 => PieceKind::Unused,
        6 => PieceKind::Byte,
        _ => return None,
    })
}

fn trainer(message: &[u8], offset: usize, model: &mut Model<'_>) -> Result<(), VocabularyError> {
    for field in Fields::new(message, offset) {
        match field? {
            (3, Value::Varint(1)) => model.algorithm = Algorithm::Unigram,
            (3, Value::Varint(2)) => model.algorithm = Algorithm::Bpe,
            (3, Value::Varint(_)) => model.algorithm = Algorithm::Other,
            // A negative id, sign-extended to 64 bits, means that the model has no end token.
            (42, Value::Varint(id)) => model.eos = u32::try_from(id).ok(),
            _ => {}
        }
    }
    Ok(())
}

fn normalizer(message: &[u8], offset: usize, model: &mut Model<'_>) -> Result<(), VocabularyError> {
    for field in Fields::new(message, offset) {
        match field? {
            (2, Value::Bytes(table)) => model.normalizes = !table.is_empty(),
            (3, Value::Varint(flag)) => model.dummy_prefix = flag != 0,
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    fn bytes_field(number: u8, bytes: &[u8]) -> Vec<u8> {
        [&[number << 3 | 2, u8::try_from(bytes.len()).unwrap()], bytes].concat()
    }

    /// A model with these pieces and types. The score of a piece is its negated position.
    pub(crate) fn model(pieces: &[(&str, u8)], algorithm: u8) -> Vec<u8> {
        let mut data = Vec::new();
        for (index, (text, kind)) in pieces.iter().enumerate() {
            let score = [&[2 << 3 | 5], &(-(index as f32)).to_le_bytes()[..]].concat();
            data.extend(bytes_field(
                1,
                &[bytes_field(1, text.as_bytes()), score, vec![3 << 3, *kind]].concat(),
            ));
        }
        data.extend(bytes_field(2, &[3 << 3, algorithm]));
        data
    }

    #[test]
    fn pieces_become_bytes() {
        let pieces =
            [("<unk>", 2), ("<s>", 3), ("</s>", 3), ("<0x0A>", 6), ("\u{2581}a", 1), ("<0x0B>", 1), ("b", 5)];
        let contents = read(&model(&pieces, 2)).unwrap();
        let expected: [(u32, &[u8]); 4] = [(3, b"\n"), (4, b" a"), (5, b"<0x0B>"), (6, b"b")];
        assert_eq!(contents.tokens, expected.map(|(id, bytes)| (id, bytes.to_vec())));
        assert_eq!((contents.specials.len(), contents.ids()), (3, 7));
        assert!(contents.end_tokens.iter().all(|&id| id == 2));
    }

    #[test]
    fn truncated_anywhere_it_never_panics() {
        let data = model(&[("<unk>", 2), ("<0x0A>", 6), ("\u{2581}a", 1)], 1);
        for length in 0..data.len() {
            let _ = read(&data[..length]);
        }
    }

    #[test]
    fn damaged_models_are_errors() {
        let kind = read(&model(&[("a", 9)], 1)).unwrap_err();
        assert_eq!(kind.place, Some(Place::Offset(2)));
        assert!(read(&model(&[("a", 6)], 1)).is_err());
        assert!(read(&bytes_field(1, &bytes_field(1, b"\xff"))).is_err());
        assert!(read(&[]).is_err());
    }
}
