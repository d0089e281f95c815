//! Writes and reads compiled vocabularies (`.gcv` files): all tables of a [`Vocabulary`] in one container file.
//!
//! Writing copies the tables into the sections that `gcc_grammar_artifact::vocabulary` declares; vocabularies that are equal, with the same precomputed walks, give
//! equal files. Reading neither sorts nor hashes: it checks every invariant that later accesses rely on, and then copies
//! the tables, or borrows them from a file that stays in memory. A damaged file is an error.

use crate::bases::{Bases, LazyBases, sizes};
use crate::containing::Containing;
use crate::error::{ErrorKind, VocabularyError};
use crate::follows::Follows;
use crate::table::{Borrowed, Copied, Entry, Keep, Table, entries};
use crate::trie::{ChildSets, Node, Trie};
use crate::vocabulary::{SpecialToken, Tables, Vocabulary};
use crate::walks::{Block, MaybeWalks, PrecomputedWalks};
use gcc_grammar_artifact::ids::TokenId;
use gcc_grammar_artifact::trie::SymbolSet;
use gcc_grammar_artifact::vocabulary::{
    BASE_CHECKSUMS, BASE_OFFSETS, BASE_RANGES, BASE_WORDS, CHARACTERS, END_TOKENS, LONG_TOKENS, META, ORDER,
    SPECIAL_IDS, SPECIAL_NAMES, SPECIAL_OFFSETS, TEXT_TOKENS, TOKEN_BYTES, TOKEN_OFFSETS, TRIE_CHILD_SETS,
    TRIE_CHILDREN, TRIE_NODES, TRIE_SYMBOL_SETS, VocabularyMeta, WALK_BLOCKS, WALK_LANGUAGES, WALK_OFFSETS,
    WALK_PARTS, WALK_SETS, WALKS, check_offsets,
};
use gcc_grammar_artifact::wire::{U32, words};
use gcc_grammar_artifact::{
    ArtifactError, Container, ContainerWriter, FileKind, Fingerprints, Section, VocabularyView,
};
use std::sync::Arc;
use zerocopy::IntoBytes;

impl Vocabulary {
    /// Writes the compiled vocabulary. Equal vocabularies with the same precomputed walks give equal bytes.
    #[must_use]
    pub fn to_artifact(&self) -> Vec<u8> {
        let mut writer = self.write_tokens();
        writer.add_words(&ORDER, &self.0.order);
        write_trie(&self.0.trie, &mut writer);
        writer.add_words(&CHARACTERS, &self.0.characters);
        write_bases(self.bases(), &mut writer);
        if let Some(walks) = self.walks() {
            write_walks(walks, &mut writer);
        }
        writer.finish()
    }

    /// Writes the compiled vocabulary without byte order, trie, characters, base bitmaps and precomputed walks, for grammars that refer to none. Reading
    /// builds missing tables again.
    #[must_use]
    pub fn to_small_artifact(&self) -> Vec<u8> {
        self.write_tokens().finish()
    }

    fn write_tokens(&self) -> ContainerWriter {
        let fingerprints = Fingerprints { vocabulary: self.0.fingerprint, ..Fingerprints::default() };
        let mut writer = ContainerWriter::new(FileKind::Vocabulary, fingerprints);
        let meta = VocabularyMeta {
            mask_width: self.0.width,
            max_token_bytes: self.0.max_token_len as u32,
            token_hash: self.0.canonical,
        };
        writer.add_bytes(&META, meta.write().to_vec());
        writer.add_words(&TOKEN_OFFSETS, &self.0.offsets);
        writer.add_bytes(&TOKEN_BYTES, self.0.blob.to_vec());
        writer.add_words(&TEXT_TOKENS, &self.0.is_text);
        self.write_specials(&mut writer);
        writer.add_words(&END_TOKENS, &self.0.end_tokens);
        writer
    }

    fn write_specials(&self, writer: &mut ContainerWriter) {
        let mut names = Vec::new();
        let mut offsets = vec![0];
        for special in &self.0.specials {
            names.extend_from_slice(special.text.as_bytes());
            offsets.push(names.len() as u32);
        }
        writer.add_words(&SPECIAL_IDS, &self.0.specials.iter().map(|special| special.id).collect::<Vec<_>>());
        writer.add_words(&SPECIAL_OFFSETS, &offsets);
        writer.add_bytes(&SPECIAL_NAMES, names);
    }

    /// Reads a compiled vocabulary, and copies its tables.
    ///
    /// # Errors
    /// The file is damaged, is not a compiled vocabulary, or has a version that this crate does not read.
    pub fn from_artifact(file: &[u8]) -> Result<Self, VocabularyError> {
        read::<Copied>(file).map_err(unreadable)
    }

    /// Reads a compiled vocabulary, and borrows its large tables from the file. Big-endian processors copy them.
    ///
    /// # Errors
    /// Those of [`from_artifact`](Self::from_artifact).
    pub fn from_static_artifact(file: &'static [u8]) -> Result<Self, VocabularyError> {
        read::<Borrowed>(file).map_err(unreadable)
    }
}

fn unreadable(error: ArtifactError) -> VocabularyError {
    let message = format!("the compiled vocabulary cannot be used: {error}");
    VocabularyError::new(ErrorKind::Malformed, message)
        .help("compile the vocabulary again from its tokenizer file")
        .caused_by(error)
}

fn write_trie(trie: &Trie, writer: &mut ContainerWriter) {
    let words = |node: &Node| {
        let label = u32::from(node.depth) | u32::from(node.byte) << 16 | u32::from(node.height) << 24;
        [node.subtree_end, node.first_token, node.below, label]
    };
    writer.add_words(&TRIE_NODES, &trie.nodes.iter().flat_map(words).collect::<Vec<_>>());
    writer.add_words(&TRIE_SYMBOL_SETS, &halves(&trie.symbol_sets));
    writer.add_words(&TRIE_CHILDREN, &trie.children.of);
    writer.add_words(&TRIE_CHILD_SETS, &halves(&trie.children.sets));
}

/// The words of 32 bits, the low word first.
fn halves<const N: usize>(entries: &[[u64; N]]) -> Vec<u32> {
    entries.iter().flatten().flat_map(|word| [*word as u32, (word >> 32) as u32]).collect()
}

fn write_walks(walks: &PrecomputedWalks, writer: &mut ContainerWriter) {
    writer.add_words(&WALK_LANGUAGES, &halves(&walks.languages));
    writer.add_words(&WALK_OFFSETS, &walks.first_walk);
    writer.add_words(&WALKS, &walks.walks);
    writer.add_words(&WALK_SETS, &walks.first_part);
    writer.add_words(&WALK_PARTS, &walks.parts);
    writer.add_words(&WALK_BLOCKS, &halves(&walks.blocks));
}

fn write_bases(bases: &Bases, writer: &mut ContainerWriter) {
    let native = |words: &[U32]| words.iter().map(|word| word.get()).collect::<Vec<_>>();
    let view = bases.view();
    writer.add_words(&BASE_WORDS, &native(view.words()));
    writer.add_words(&BASE_CHECKSUMS, &native(words(&bases.checksums).unwrap_or_default()));
    writer.add_words(&BASE_OFFSETS, &bases.offsets);
    let ranges = bases.ranges.iter().flat_map(|&(start, end)| [start, end]);
    writer.add_words(&BASE_RANGES, &ranges.collect::<Vec<_>>());
    writer.add_words(&LONG_TOKENS, &native(words(&bases.long).unwrap_or_default()));
}

/// Reads the tables, and checks the invariants that [`VocabularyView`] does not check.
fn read<'a, K: Keep<'a>>(file: &'a [u8]) -> Result<Vocabulary, ArtifactError> {
    let view = VocabularyView::open(file)?;
    let container = view.container();
    let has_order = container.entries().any(|entry| entry.kind == ORDER.kind);
    let mut tables = Tables {
        width: view.meta().mask_width,
        offsets: table::<u32, K>(view.token_offsets(), &TOKEN_OFFSETS)?,
        is_text: table::<u32, K>(view.text_tokens(), &TEXT_TOKENS)?,
        blob: K::keep(view.token_bytes().into()),
        specials: read_specials(&view)?,
        end_tokens: view.end_tokens().map(|TokenId(id)| id).collect(),
        order: Table::default(),
        characters: Table::default(),
        trie: Trie::build(std::iter::empty()),
        max_token_len: view.meta().max_token_bytes as usize,
        canonical: view.meta().token_hash,
        fingerprint: view.fingerprint(),
        bases: LazyBases::default(),
        walks: MaybeWalks::default(),
        containing: Containing::default(),
    };
    if has_order {
        tables.order = table::<u32, K>(container.words(&ORDER)?, &ORDER)?;
        tables.trie = read_trie::<K>(container)?;
        tables.characters = table::<u32, K>(container.words(&CHARACTERS)?, &CHARACTERS)?;
        tables.walks = Follows(read_walks::<K>(container)?.map(Arc::new));
    }
    let mut vocabulary = Vocabulary::from(tables);
    if !has_order {
        vocabulary.set_order();
    }
    let tables = Arc::make_mut(&mut vocabulary.0);
    check_tokens(tables)?;
    check_trie(tables)?;
    if let Some(bases) = read_bases::<K>(&view, tables.order.len())? {
        tables.bases = bases.into();
    }
    Ok(vocabulary)
}

fn read_trie<'a, K: Keep<'a>>(container: &Container<'a>) -> Result<Trie, ArtifactError> {
    let nodes = table::<Node, K>(container.words(&TRIE_NODES)?, &TRIE_NODES)?;
    let symbol_sets = table::<SymbolSet, K>(container.words(&TRIE_SYMBOL_SETS)?, &TRIE_SYMBOL_SETS)?;
    let of = match container.words(&TRIE_CHILDREN) {
        Err(ArtifactError::MissingSection { .. }) => return Ok(Trie::from_tables(nodes, symbol_sets, None)),
        of => table::<u32, K>(of?, &TRIE_CHILDREN)?,
    };
    let sets = table::<SymbolSet, K>(container.words(&TRIE_CHILD_SETS)?, &TRIE_CHILD_SETS)?;
    check(of.len() + 1 == nodes.len(), &TRIE_CHILDREN, "wrong number of entries")?;
    let in_bounds = of.iter().fold(true, |all, &set| all & ((set as usize) < sets.len()));
    check(in_bounds, &TRIE_CHILDREN, "no such set of bytes")?;
    Ok(Trie::from_tables(nodes, symbol_sets, Some(ChildSets { of, sets })))
}

/// The precomputed walks, if the file has some.
fn read_walks<'a, K: Keep<'a>>(container: &Container<'a>) -> Result<Option<PrecomputedWalks>, ArtifactError> {
    let languages = match container.words(&WALK_LANGUAGES) {
        Err(ArtifactError::MissingSection { .. }) => return Ok(None),
        languages => table::<[u64; 4], K>(languages?, &WALK_LANGUAGES)?,
    };
    let numbers = |section| table::<u32, K>(container.words(section)?, section);
    let (walks, parts) = (numbers(&WALKS)?, numbers(&WALK_PARTS)?);
    check_offsets(&WALK_OFFSETS, container.words(&WALK_OFFSETS)?, walks.len() / PrecomputedWalks::WALK)?;
    check_offsets(&WALK_SETS, container.words(&WALK_SETS)?, parts.len() / PrecomputedWalks::PART)?;
    let walks = PrecomputedWalks {
        languages,
        first_walk: numbers(&WALK_OFFSETS)?,
        walks,
        first_part: numbers(&WALK_SETS)?,
        parts,
        blocks: table::<Block, K>(container.words(&WALK_BLOCKS)?, &WALK_BLOCKS)?,
    };
    walks.problem().map_or(Ok(Some(walks)), |problem| Err(bad(&WALKS, problem)))
}

/// The base bitmaps, if the file has them.
fn read_bases<'a, K: Keep<'a>>(
    view: &VocabularyView<'a>,
    tokens: usize,
) -> Result<Option<Bases>, ArtifactError> {
    let (container, bases) = (view.container(), view.bases());
    let offsets = match container.words(&BASE_OFFSETS) {
        Err(ArtifactError::MissingSection { .. }) => return Ok(None),
        offsets => offsets?,
    };
    let (ranges, rest) = container.words(&BASE_RANGES)?.as_chunks::<2>();
    check(rest.is_empty(), &BASE_RANGES, "it ends within a range")?;
    check_offsets(&BASE_OFFSETS, offsets, ranges.len())?;
    check(offsets.len() == bases.count() + 1, &BASE_OFFSETS, "wrong number of entries")?;
    let ranges: Vec<(u32, u32)> = ranges.iter().map(|[start, end]| (start.get(), end.get())).collect();
    let in_bounds =
        ranges.iter().fold(true, |all, &(start, end)| all & (start < end) & (end as usize <= tokens));
    check(in_bounds, &BASE_RANGES, "not a range of ranks")?;
    let long = match container.words(&LONG_TOKENS) {
        Err(ArtifactError::MissingSection { .. }) => Table::default(),
        words => K::keep(words?.as_bytes().into()),
    };
    let offsets: Vec<u32> = offsets.iter().map(|offset| offset.get()).collect();
    Ok(Some(Bases {
        words: K::keep(bases.words().as_bytes().into()),
        checksums: K::keep(container.words(&BASE_CHECKSUMS)?.as_bytes().into()),
        row_words: view.meta().mask_width.div_ceil(32) as usize,
        sizes: sizes(&offsets, &ranges),
        offsets,
        ranges,
        long,
    }))
}

/// Converts the words of a section to a table.
fn table<'a, T: Entry, K: Keep<'a>>(words: &'a [U32], section: &Section) -> Result<Table<T>, ArtifactError> {
    entries(words).map(K::keep).ok_or(bad(section, "wrong number of entries"))
}

fn read_specials(view: &VocabularyView<'_>) -> Result<Vec<SpecialToken>, ArtifactError> {
    let (ids, container) = (view.special_ids(), view.container());
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

/// Checks invariants 1, 3 and 5 of [`Vocabulary`], as far as memory safety and termination depend on them.
fn check_tokens(tables: &Tables) -> Result<(), ArtifactError> {
    let ids = tables.offsets.len() as u32 - 1;
    let is_text =
        |id: u32| tables.is_text.get(id as usize / 32).is_some_and(|word| word >> (id % 32) & 1 == 1);
    // A fold that does not stop at the first violation is faster for intact files.
    let in_order = tables.order.iter().fold(true, |all, &id| all & (id < ids) & is_text(id));
    check(in_order, &ORDER, "not a text token")?;
    let characters = &tables.characters;
    check(characters.len() == tables.order.len(), &CHARACTERS, "wrong number of entries")?;
    let longest = tables.max_token_len;
    let in_bounds = characters.iter().fold(true, |all, &count| all & (count as usize <= longest));
    check(in_bounds, &CHARACTERS, "more characters than bytes")
}

/// Checks the invariants of [`Trie`] in one pass, as far as memory safety, termination and walks by depth depend on them.
/// It relies on the writer for one property: that every node of a subtree is deeper than its root. Checking this would
/// take longer than all other checks together.
fn check_trie(tables: &Tables) -> Result<(), ArtifactError> {
    let (trie, tokens, longest) = (&tables.trie, tables.order.len(), tables.max_token_len);
    let (nodes, sets) = (&*trie.nodes, trie.symbol_sets.len() as u32);
    let [root, .., last] = nodes else {
        return Err(bad(&TRIE_NODES, "no root"));
    };
    let check = |holds: bool, problem| check(holds, &TRIE_NODES, problem);
    check((root.first_token, last.first_token as usize) == (0, tokens), "does not cover all tokens")?;
    check((root.depth, root.subtree_end, last.depth) == (0, trie.len(), 0), "not one root")?;
    let problem = |(at, pair): (usize, &[Node])| {
        let problem = problem(nodes, sets, longest, at as u32, &pair[0], &pair[1])?;
        Some(ArtifactError::MalformedTable { table: TRIE_NODES.name, index: at, problem })
    };
    nodes.windows(2).enumerate().find_map(problem).map_or(Ok(()), Err)
}

/// The problem of the node `at`, if it has one. `next` is the entry that follows it.
#[inline]
fn problem(
    nodes: &[Node],
    sets: u32,
    longest: usize,
    at: u32,
    node: &Node,
    next: &Node,
) -> Option<&'static str> {
    if node.below >= sets {
        return Some("no such set of symbols");
    }
    if node.first_token > next.first_token {
        return Some("tokens not in order");
    }
    if node.depth == 0 && at > 0 {
        return Some("not one root");
    }
    if usize::from(node.depth) > longest {
        return Some("deeper than the longest token");
    }
    if next.depth > node.depth.saturating_add(1) {
        return Some("a depth is skipped");
    }
    // The entry after the subtree is not deeper: it starts another subtree, or is the entry past the last node.
    let after = nodes.get(node.subtree_end as usize);
    if node.subtree_end <= at || after.is_none_or(|after| after.depth > node.depth) {
        return Some("not the end of a subtree");
    }
    None
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
    use crate::walks::{PrecomputedWalk, Start};

    /// With a known walk.
    fn vocabulary() -> Vocabulary {
        let walk = PrecomputedWalk {
            language: [1, 2, 3, 4],
            start: Start::Below(1),
            tokens: vec![(0, [1; 16])],
            nodes: vec![],
        };
        without_walks().with_walks(PrecomputedWalks::new(&[walk]))
    }

    fn without_walks() -> Vocabulary {
        let tokens = [(0, "ab"), (2, "a"), (3, ""), (4, "abc"), (70, "b"), (71, "b")];
        let tokens = tokens.map(|(id, text)| (id, text.as_bytes().to_vec())).to_vec();
        let specials = [(1, "<s>"), (80, "</s>"), (80, "<end>")];
        let specials = specials.map(|(id, text)| SpecialToken { id, text: text.to_owned() }).to_vec();
        Vocabulary::from_tokens(tokens, specials, vec![80, 71], 100).unwrap()
    }

    #[test]
    fn a_written_vocabulary_reads_back_equal() {
        let vocabulary = vocabulary();
        let read = Vocabulary::from_artifact(&vocabulary.to_artifact()).unwrap();
        assert_eq!((read.walks(), &read), (vocabulary.walks(), &vocabulary));
        let read = Vocabulary::from_artifact(&without_walks().to_artifact()).unwrap();
        assert_eq!((read.walks(), &read), (None, &without_walks()));
        let empty = Vocabulary::from_tokens(vec![], vec![], vec![], 0).unwrap();
        assert_eq!(Vocabulary::from_artifact(&empty.to_artifact()), Ok(empty));
    }

    #[test]
    fn a_borrowed_vocabulary_is_equal_at_any_address() {
        for start in 0..8 {
            let shifted = [vec![0; start], vocabulary().to_artifact()].concat();
            let file: &'static [u8] = &shifted.leak()[start..];
            let in_place = Vocabulary::from_static_artifact(file).unwrap();
            assert_eq!((in_place.walks(), &in_place), (vocabulary().walks(), &vocabulary()));
            let ends = vec![80];
            assert_eq!(in_place.with_end_tokens(ends.clone()), vocabulary().with_end_tokens(ends));
            assert!(Vocabulary::from_static_artifact(&file[..file.len() - 1]).is_err());
        }
    }

    #[test]
    fn files_may_lack_the_sets_of_children() {
        let lacks = |writer: &mut ContainerWriter| {
            writer.remove(&TRIE_CHILDREN);
            writer.remove(&TRIE_CHILD_SETS);
        };
        assert_eq!(rewritten(lacks), Ok(vocabulary()));
    }

    #[test]
    fn a_small_artifact_reads_back_equal() {
        let small = vocabulary().to_small_artifact();
        assert!(small.len() < vocabulary().to_artifact().len());
        assert_eq!(Vocabulary::from_artifact(&small), Ok(vocabulary()));
    }

    #[test]
    fn the_view_of_the_runtime_agrees() {
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
    fn truncated_and_changed_files_are_refused() {
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

    /// The outcome of reading a compiled vocabulary after `change`, with intact checksums.
    fn rewritten(change: impl FnOnce(&mut ContainerWriter)) -> Result<Vocabulary, String> {
        let vocabulary = vocabulary();
        let file = vocabulary.to_artifact();
        let container = Container::open(&file, FileKind::Vocabulary).unwrap();
        let fingerprints = Fingerprints { vocabulary: vocabulary.0.fingerprint, ..Fingerprints::default() };
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
        change(&mut writer);
        Vocabulary::from_artifact(&writer.finish()).map_err(|error| error.message)
    }

    /// The outcome with other words in a section.
    fn with(section: &Section, words: &[u32]) -> Result<(), String> {
        rewritten(|writer| writer.add_words(section, words)).map(drop)
    }

    /// The outcome with another length of the longest token.
    fn with_longest(max_token_bytes: u32) -> Result<(), String> {
        let meta = VocabularyMeta { mask_width: 100, max_token_bytes, token_hash: vocabulary().0.canonical };
        rewritten(|writer| writer.add_bytes(&META, meta.write().to_vec())).map(drop)
    }

    #[test]
    fn inconsistent_tables_are_refused() {
        assert_eq!(with_longest(3), Ok(()));
        let words: Vec<u32> = vocabulary()
            .0
            .trie
            .nodes
            .iter()
            .flat_map(|n| [n.subtree_end, n.first_token, n.below, u32::from(n.depth)])
            .collect();
        assert_eq!(with(&TRIE_NODES, &words), Ok(()));
        let changed = |words: &[u32], index: usize, value: u32| {
            let mut words = words.to_vec();
            words[index] = value;
            words
        };
        let refused = [
            with_longest(2),
            with_longest(u32::MAX),
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
            with(&TRIE_SYMBOL_SETS, &[0]),
            with(&TRIE_CHILDREN, &[0]),
            with(&TRIE_CHILDREN, &[0, 0, 0, 0, 9]),
            with(&TRIE_CHILD_SETS, &[0]),
            with(&ORDER, &[2, 0, 4, 1]),
            with(&ORDER, &[2, 0, 4, u32::MAX]),
            with(&CHARACTERS, &[1]),
            with(&CHARACTERS, &[1, 2, 4, 1]),
            with(&END_TOKENS, &[80, 71]),
            with(&END_TOKENS, &[u32::MAX]),
            with(&SPECIAL_OFFSETS, &[0, 9]),
            with(&SPECIAL_IDS, &[1, 80, 200]),
            with(&SPECIAL_IDS, &[1, 80, u32::MAX]),
            with(&TOKEN_OFFSETS, &[0]),
            with(&TEXT_TOKENS, &[]),
            with(&WALK_LANGUAGES, &[1]),
            with(&WALK_OFFSETS, &[0, 2]),
            with(&WALK_OFFSETS, &[0, 99]),
            with(&WALK_OFFSETS, &[1, 1]),
            with(&WALK_OFFSETS, &[0, 0, 1]),
            with(&WALKS, &[1, 0, 9]),
            with(&WALK_SETS, &[0, 9]),
            with(&WALK_SETS, &[1, 0, 1]),
            with(&WALK_PARTS, &[0]),
            with(&WALK_PARTS, &[0, 1]),
            with(&WALK_BLOCKS, &[0]),
        ];
        let accepted: Vec<usize> =
            refused.iter().enumerate().filter(|(_, r)| r.is_ok()).map(|(i, _)| i).collect();
        assert_eq!(accepted, [0usize; 0]);
    }
}
