//! The compiled vocabulary: everything that is sorted and built for a [`Vocabulary`], in one container file.
//!
//! Reading copies the tables and checks every invariant that later accesses rely on; nothing is sorted or hashed.
//! The sections are declared in `gcc_grammar_artifact::vocabulary`.

use crate::trie::Node;
use crate::{ByteSet, ErrorKind, SpecialToken, Trie, Vocabulary, VocabularyError};
use gcc_grammar_artifact::ids::TokenId;
use gcc_grammar_artifact::vocabulary::{
    END_TOKENS, META, ORDER, SPECIAL_IDS, SPECIAL_NAMES, SPECIAL_OFFSETS, TEXT_TOKENS, TOKEN_BYTES,
    TOKEN_OFFSETS, TRIE_BYTE_SETS, TRIE_NODES, VocabularyMeta, check_offsets,
};
use gcc_grammar_artifact::wire::U32;
use gcc_grammar_artifact::{
    ArtifactError, Container, ContainerWriter, FileKind, Fingerprints, Section, VocabularyView,
};

impl Vocabulary {
    /// The compiled vocabulary as a file. Equal vocabularies give equal bytes.
    #[must_use]
    pub fn to_artifact(&self) -> Vec<u8> {
        let mut writer = self.write_tokens();
        writer.add_words(&ORDER, &self.order);
        write_trie(&self.trie, &mut writer);
        writer.finish()
    }

    /// The same without what can be built again: the order of the tokens and their trie, which only the compiler needs.
    #[must_use]
    pub fn to_small_artifact(&self) -> Vec<u8> {
        self.write_tokens().finish()
    }

    fn write_tokens(&self) -> ContainerWriter {
        let fingerprints = Fingerprints { vocabulary: self.fingerprint, ..Fingerprints::default() };
        let mut writer = ContainerWriter::new(FileKind::Vocabulary, fingerprints);
        let meta = VocabularyMeta {
            mask_width: self.width,
            max_token_bytes: self.max_token_len as u32,
            token_hash: self.canonical,
        };
        writer.add_bytes(&META, meta.write().to_vec());
        writer.add_words(&TOKEN_OFFSETS, &self.offsets);
        writer.add_bytes(&TOKEN_BYTES, self.blob.clone());
        let halves = self.is_text.iter().flat_map(|word| [*word as u32, (word >> 32) as u32]);
        writer
            .add_words(&TEXT_TOKENS, &halves.take((self.offsets.len() - 1).div_ceil(32)).collect::<Vec<_>>());
        self.write_specials(&mut writer);
        writer.add_words(&END_TOKENS, &self.end_tokens);
        writer
    }

    fn write_specials(&self, writer: &mut ContainerWriter) {
        let mut names = Vec::new();
        let mut offsets = vec![0];
        for special in &self.specials {
            names.extend_from_slice(special.text.as_bytes());
            offsets.push(names.len() as u32);
        }
        writer.add_words(&SPECIAL_IDS, &self.specials.iter().map(|special| special.id).collect::<Vec<_>>());
        writer.add_words(&SPECIAL_OFFSETS, &offsets);
        writer.add_bytes(&SPECIAL_NAMES, names);
    }

    /// Reads a compiled vocabulary.
    ///
    /// # Errors
    /// The file is not an intact compiled vocabulary of a version this crate reads.
    pub fn from_artifact(file: &[u8]) -> Result<Self, VocabularyError> {
        let read = || {
            let view = VocabularyView::open(file)?;
            let vocabulary = read(&view)?;
            check_tokens(&vocabulary)?;
            check_trie(&vocabulary.trie, vocabulary.order.len())?;
            Ok(vocabulary)
        };
        read().map_err(|error: ArtifactError| {
            VocabularyError::new(ErrorKind::Malformed, error.to_string())
                .help("compile it again from the tokenizer file")
        })
    }
}

fn write_trie(trie: &Trie, writer: &mut ContainerWriter) {
    let words = |node: &Node| {
        let label = u32::from(node.depth) | u32::from(node.byte) << 16 | u32::from(node.height) << 24;
        [node.subtree_end, node.first_token, node.below, label]
    };
    writer.add_words(&TRIE_NODES, &trie.nodes.iter().flat_map(words).collect::<Vec<_>>());
    let sets = trie.byte_sets.iter().flatten().flat_map(|word| [*word as u32, (word >> 32) as u32]);
    writer.add_words(&TRIE_BYTE_SETS, &sets.collect::<Vec<_>>());
}

/// Copies the tables. What the view does not validate is checked afterwards.
fn read(view: &VocabularyView<'_>) -> Result<Vocabulary, ArtifactError> {
    let container = view.container();
    let numbers = |section: &Section| Ok(container.words(section)?.iter().map(|word| word.get()).collect());
    let has_order = container.entries().any(|entry| entry.kind == ORDER.kind);
    let mut vocabulary = Vocabulary {
        width: view.meta().mask_width,
        offsets: numbers(&TOKEN_OFFSETS)?,
        is_text: pairs(container.words(&TEXT_TOKENS)?),
        blob: container.bytes(&TOKEN_BYTES)?.to_vec(),
        specials: read_specials(container)?,
        end_tokens: view.end_tokens().map(|TokenId(id)| id).collect(),
        order: if has_order { numbers(&ORDER)? } else { Vec::new() },
        trie: if has_order { read_trie(container)? } else { Trie::build(std::iter::empty()) },
        max_token_len: view.meta().max_token_bytes as usize,
        canonical: view.meta().token_hash,
        fingerprint: view.fingerprint(),
    };
    if !has_order {
        vocabulary.set_order();
    }
    Ok(vocabulary)
}

fn read_specials(container: &Container<'_>) -> Result<Vec<SpecialToken>, ArtifactError> {
    let ids = container.words(&SPECIAL_IDS)?;
    let offsets = container.words(&SPECIAL_OFFSETS)?;
    let names = container.bytes(&SPECIAL_NAMES)?;
    check_offsets(&SPECIAL_OFFSETS, offsets, names.len())?;
    check(offsets.len() == ids.len() + 1, &SPECIAL_OFFSETS, "wrong number of entries")?;
    let name = |span: &[U32]| std::str::from_utf8(&names[span[0].get() as usize..span[1].get() as usize]);
    let specials = ids.iter().zip(offsets.windows(2)).map(|(id, span)| {
        let text = name(span).map_err(|_| bad(&SPECIAL_NAMES, "not UTF-8"))?;
        Ok(SpecialToken { id: id.get(), text: text.to_owned() })
    });
    specials.collect()
}

fn read_trie(container: &Container<'_>) -> Result<Trie, ArtifactError> {
    let nodes = container.words(&TRIE_NODES)?.as_chunks::<4>();
    check(nodes.1.is_empty(), &TRIE_NODES, "wrong number of entries")?;
    let node = |[subtree_end, first_token, below, label]: &[U32; 4]| {
        let [low, high, byte, height] = label.get().to_le_bytes();
        Node {
            subtree_end: subtree_end.get(),
            first_token: first_token.get(),
            below: below.get(),
            depth: u16::from_le_bytes([low, high]),
            byte,
            height,
        }
    };
    let sets = container.words(&TRIE_BYTE_SETS)?.as_chunks::<8>();
    check(sets.1.is_empty(), &TRIE_BYTE_SETS, "wrong number of entries")?;
    let set = |words: &[U32; 8]| -> ByteSet {
        std::array::from_fn(|index| {
            u64::from(words[2 * index].get()) | u64::from(words[2 * index + 1].get()) << 32
        })
    };
    Ok(Trie { nodes: nodes.0.iter().map(node).collect(), byte_sets: sets.0.iter().map(set).collect() })
}

/// Pairs of words to double words, the lower half first.
fn pairs(words: &[U32]) -> Vec<u64> {
    let high = |pair: &[U32]| pair.get(1).map_or(0, |word| word.get());
    words.chunks(2).map(|pair| u64::from(pair[0].get()) | u64::from(high(pair)) << 32).collect()
}

/// Invariants 1, 3 and 5 of [`Vocabulary`], as far as memory safety and termination go.
fn check_tokens(vocabulary: &Vocabulary) -> Result<(), ArtifactError> {
    let is_text =
        |&id: &u32| vocabulary.is_text.get(id as usize / 64).is_some_and(|word| word >> (id % 64) & 1 == 1);
    let in_order =
        vocabulary.order.iter().all(|id| (*id as usize) < vocabulary.offsets.len() - 1 && is_text(id));
    check(in_order, &ORDER, "not a text token")?;
    check(vocabulary.width <= crate::vocabulary::limits::WIDTH, &META, "mask too wide")?;
    check(vocabulary.ids() <= vocabulary.width, &META, "mask narrower than the tokens")
}

/// The invariants of [`Trie`], as far as memory safety, termination and walks by depth go. That no node of a subtree is
/// as shallow as its root is the writer's to keep: to check it here would take longer than all the rest.
fn check_trie(trie: &Trie, tokens: usize) -> Result<(), ArtifactError> {
    let Some((last, nodes)) = trie.nodes.split_last() else {
        return Err(bad(&TRIE_NODES, "no root"));
    };
    let sets = trie.byte_sets.len() as u32;
    let check = |holds: bool, problem| check(holds, &TRIE_NODES, problem);
    check(!nodes.is_empty(), "no root")?;
    check(all(nodes, |node| node.below < sets), "no such set of bytes")?;
    check(all_pairs(&trie.nodes, |a, b| a.first_token <= b.first_token), "tokens not in order")?;
    let ends = (nodes[0].first_token, last.first_token as usize);
    check(ends == (0, tokens), "does not cover all tokens")?;
    check(nodes[0].depth == 0 && all(&nodes[1..], |node| node.depth != 0), "not one root")?;
    check(all_pairs(nodes, |a, b| b.depth <= a.depth.saturating_add(1)), "a depth is skipped")?;
    check(subtrees_end(nodes), "not the end of a subtree")
}

/// Whether every subtree ends after its root, at a node that is not deeper or at the end.
fn subtrees_end(nodes: &[Node]) -> bool {
    let ends_well = |(at, node): (usize, &Node)| {
        let end = node.subtree_end as usize;
        let depth_there = nodes.get(end).map_or(0, |there| there.depth);
        (end > at) & (end <= nodes.len()) & (depth_there <= node.depth)
    };
    nodes.iter().enumerate().map(ends_well).fold(true, |all, one| all & one)
        && nodes[0].subtree_end as usize == nodes.len()
}

/// Without stopping at the first that fails, which lets the compiler use vector instructions.
fn all<T>(list: &[T], holds: impl Fn(&T) -> bool) -> bool {
    list.iter().fold(true, |all, item| all & holds(item))
}

/// The same for neighbours.
fn all_pairs<T: Copy>(list: &[T], holds: impl Fn(T, T) -> bool) -> bool {
    list.iter().zip(list.iter().skip(1)).fold(true, |all, (&a, &b)| all & holds(a, b))
}

fn check(holds: bool, section: &Section, problem: &'static str) -> Result<(), ArtifactError> {
    if holds { Ok(()) } else { Err(bad(section, problem)) }
}

fn bad(section: &Section, problem: &'static str) -> ArtifactError {
    ArtifactError::MalformedTable { table: section.name, index: 0, problem }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary() -> Vocabulary {
        let tokens = [(0, "ab"), (2, "a"), (3, ""), (4, "abc"), (70, "b"), (71, "b")];
        let tokens = tokens.map(|(id, text)| (id, text.as_bytes().to_vec())).to_vec();
        let specials = [(1, "<s>"), (80, "</s>"), (80, "<end>")];
        let specials = specials.map(|(id, text)| SpecialToken { id, text: text.to_owned() }).to_vec();
        Vocabulary::from_tokens(tokens, specials, vec![80, 71], 100).unwrap()
    }

    #[test]
    fn written_and_read_it_is_the_same() {
        let vocabulary = vocabulary();
        assert_eq!(Vocabulary::from_artifact(&vocabulary.to_artifact()), Ok(vocabulary));
        let empty = Vocabulary::from_tokens(vec![], vec![], vec![], 0).unwrap();
        assert_eq!(Vocabulary::from_artifact(&empty.to_artifact()), Ok(empty));
    }

    #[test]
    fn a_small_artifact_is_the_same_vocabulary() {
        let small = vocabulary().to_small_artifact();
        assert!(small.len() < vocabulary().to_artifact().len());
        assert_eq!(Vocabulary::from_artifact(&small), Ok(vocabulary()));
    }

    #[test]
    fn the_view_says_the_same() {
        let vocabulary = vocabulary();
        let file = vocabulary.to_artifact();
        let view = VocabularyView::open(&file).unwrap();
        assert_eq!(view.fingerprint(), vocabulary.fingerprint());
        assert_eq!(view.meta().mask_width, 100);
        for id in (0..200).chain([u32::MAX]) {
            assert_eq!(view.bytes(TokenId(id)), vocabulary.bytes(id));
            assert_eq!(view.is_special(TokenId(id)), vocabulary.special_text(id).is_some());
            assert_eq!(view.is_end(TokenId(id)), vocabulary.end_tokens().contains(&id));
        }
    }

    #[test]
    fn truncated_or_changed_anywhere_it_is_refused() {
        let file = vocabulary().to_artifact();
        for length in 0..file.len() {
            assert!(Vocabulary::from_artifact(&file[..length]).is_err(), "{length} bytes");
        }
        for index in 0..file.len() {
            let mut changed = file.clone();
            changed[index] ^= 0x10;
            assert!(Vocabulary::from_artifact(&changed).is_err(), "byte {index}");
        }
    }

    /// Intact checksums, but tables that no writer makes.
    #[test]
    fn inconsistent_tables_are_refused() {
        let with = |section: &Section, words: &[u32]| {
            let vocabulary = vocabulary();
            let file = vocabulary.to_artifact();
            let container = Container::open(&file, FileKind::Vocabulary).unwrap();
            let fingerprints = Fingerprints { vocabulary: vocabulary.fingerprint, ..Fingerprints::default() };
            let mut writer = ContainerWriter::new(FileKind::Vocabulary, fingerprints);
            for known in gcc_grammar_artifact::vocabulary::SECTIONS {
                let bytes = container.bytes(known).unwrap().to_vec();
                if known.element == gcc_grammar_artifact::SectionElement::Byte {
                    writer.add_bytes(known, bytes);
                } else {
                    let words = container.words(known).unwrap();
                    writer.add_words(known, &words.iter().map(|word| word.get()).collect::<Vec<_>>());
                }
            }
            writer.add_words(section, words);
            Vocabulary::from_artifact(&writer.finish()).map(drop).map_err(|error| error.message)
        };
        let trie = vocabulary().trie;
        let changed = |words: &[u32], index: usize, value: u32| {
            let mut words = words.to_vec();
            words[index] = value;
            words
        };
        let words: Vec<u32> = trie
            .nodes
            .iter()
            .flat_map(|n| [n.subtree_end, n.first_token, n.below, u32::from(n.depth)])
            .collect();
        assert_eq!(with(&TRIE_NODES, &words), Ok(()));
        let refused = [
            with(&TRIE_NODES, &changed(&words, 2, 99)),
            with(&TRIE_NODES, &changed(&words, 4, 1)),
            with(&TRIE_NODES, &changed(&words, 4, 99)),
            with(&TRIE_NODES, &changed(&words, 8, 3)),
            with(&TRIE_NODES, &changed(&words, 5, 9)),
            with(&TRIE_NODES, &changed(&words, 1, 1)),
            with(&TRIE_NODES, &changed(&words, 7, 0)),
            with(&TRIE_NODES, &changed(&words, 7, 2)),
            with(&TRIE_NODES, &words[4..]),
            with(&TRIE_NODES, &words[1..]),
            with(&TRIE_NODES, &[]),
            with(&TRIE_NODES, &[0, 0, 0, 0]),
            with(&TRIE_BYTE_SETS, &[0]),
            with(&ORDER, &[2, 0, 4, 1]),
            with(&ORDER, &[2, 0, 4, u32::MAX]),
            with(&END_TOKENS, &[80, 71]),
            with(&END_TOKENS, &[u32::MAX]),
            with(&SPECIAL_OFFSETS, &[0, 9]),
            with(&SPECIAL_IDS, &[1, 80, 200]),
            with(&TOKEN_OFFSETS, &[0]),
            with(&TEXT_TOKENS, &[]),
        ];
        let accepted: Vec<usize> =
            refused.iter().enumerate().filter(|(_, r)| r.is_ok()).map(|(i, _)| i).collect();
        assert_eq!(accepted, [0usize; 0]);
    }
}
