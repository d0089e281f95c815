//! Grammars that refer to base bitmaps of their vocabulary have the masks of grammars with bitmaps of their own, and are refused without
//! these bitmaps or with others.

use gcc_grammar_artifact::container::{FileKind, REFERS_TO_BASES};
use gcc_grammar_artifact::grammar::{GrammarMeta, META, SHARED_BASES};
use gcc_grammar_artifact::vocabulary::{BASE_CHECKSUMS, BASE_WORDS};
use gcc_grammar_artifact::{ArtifactError, Container, ContainerWriter, GrammarView, VocabularyView};
use gcc_grammar_compiler::{Options, compile};
use gcc_grammar_ir::Grammar;
use gcc_grammar_notations::lark;
use gcc_grammar_runtime::{Engine, Matcher, TokenId};
use gcc_grammar_tests::generate::Random;
use gcc_grammar_vocabulary::{SpecialToken, Vocabulary};

const SCHEMAS: [&str; 4] = [
    r#"{"type": "object", "properties": {"name": {"type": "string"}, "size": {"type": "integer"}}}"#,
    r#"{"type": "array", "items": {"type": "string", "pattern": "^[a-z]+$"}}"#,
    r#"{"type": "object", "properties": {"id": {"type": "string", "maxLength": 4}}, "additionalProperties": {"enum": [1, "x", null]}}"#,
    "true",
];
const LARK: [&str; 2] = [
    "start: (WORD | NUM)+\nWORD: /[a-z]+/\nNUM: /[0-9]+/\n%ignore /[ \\n]+/",
    "start: \"[\" [start (\",\" start)*] \"]\" | STRING\nSTRING: /\"[^\"\\n]*\"/",
];

fn vocabulary() -> Vocabulary {
    let longer = [
        "\": ", "\", \"", "\": \"", "{\"", "\"}", "},\n", "],", "\n  ", "\n    ", "12", "300", "ab", "name",
        "size", "abc", "\\n", "\\u00", "null", "true",
    ];
    let bytes = (0..=255).map(|byte| vec![byte]).chain(longer.map(Into::into));
    let tokens: Vec<(u32, Vec<u8>)> = (0..).zip(bytes).collect();
    let end = tokens.len() as u32;
    let special = SpecialToken { id: end, text: "<end>".to_owned() };
    Vocabulary::from_tokens(tokens, vec![special], vec![end], end + 30).expect("a vocabulary")
}

fn grammars() -> Vec<Grammar> {
    let schema =
        |schema: &&str| gcc_grammar_json_schema::compile(schema, &Default::default()).expect("valid").grammar;
    let lark = |text: &&str| lark::parse(text).expect("valid").grammar;
    SCHEMAS.iter().map(schema).chain(LARK.iter().map(lark)).collect()
}

fn artifact(grammar: &Grammar, vocabulary: &Vocabulary, refers: bool) -> Vec<u8> {
    let options = Options { refers, ..Options::default() };
    compile(&grammar.clone().into(), vocabulary, &options, &mut ()).expect("small").to_artifact(vocabulary)
}

#[test]
fn masks_are_those_of_a_grammar_with_bitmaps_of_its_own() {
    let vocabulary = vocabulary();
    let file = vocabulary.to_artifact();
    let tokens = VocabularyView::open(&file).expect("valid");
    for grammar in grammars() {
        let files = [true, false].map(|refers| artifact(&grammar, &vocabulary, refers));
        let views = files.each_ref().map(|file| GrammarView::open(file).expect("valid"));
        assert_eq!(views.map(|view| view.refers_to_bases()), [true, false]);
        let engines = views.map(|view| Engine::new(view, &tokens).expect("the same vocabulary"));
        for seed in 0..40 {
            assert_alike(&engines, &mut Random::new(seed));
        }
    }
}

/// Compares the masks along a random walk, filled, updated and from parts.
fn assert_alike(engines: &[Engine<'_>; 2], random: &mut Random) {
    let mut scratch = [(); 2].map(|()| vec![0; 1 << 14]);
    let [first, second] = &mut scratch;
    let mut matchers = [(&engines[0], first), (&engines[1], second)]
        .map(|(engine, scratch)| Matcher::new(engine, scratch, 0).expect("room"));
    let mut held = None;
    let mut updated = vec![0; engines[0].row_words()];
    for step in 0..60 {
        let rows = matchers.each_mut().map(|matcher| {
            let mut row = vec![u32::MAX; engines[0].row_words()];
            matcher.fill_mask(&mut row).expect("room");
            row
        });
        assert_eq!(rows[0], rows[1], "step {step}");
        held = matchers[0].update_words(&mut updated, held).expect("room");
        assert_eq!(updated, rows[0], "step {step}");
        let allowed: Vec<u32> = (0..rows[0].len() as u32 * 32)
            .filter(|t| rows[0][*t as usize / 32] >> (t % 32) & 1 == 1)
            .collect();
        for &token in &allowed {
            assert_eq!(matchers[0].allows(TokenId(token)), Ok(true));
        }
        if allowed.is_empty() {
            return;
        }
        let token = TokenId(allowed[random.below(allowed.len())]);
        matchers.iter_mut().for_each(|matcher| matcher.commit(token).expect("allowed"));
    }
}

#[test]
fn other_bitmaps_and_none_are_refused() {
    let vocabulary = vocabulary();
    let file = vocabulary.to_artifact();
    let grammar = artifact(&grammars()[0], &vocabulary, true);
    let view = GrammarView::open(&grammar).expect("valid");
    let open = |file: &[u8]| {
        let tokens = VocabularyView::open(file)?;
        Engine::new(view, &tokens).map(drop)
    };
    assert_eq!(open(&file), Ok(()));
    assert!(matches!(open(&vocabulary.to_small_artifact()), Err(ArtifactError::MissingBase { .. })));
    // Another bitmap, with its checksum.
    let container = Container::open(&file, FileKind::Vocabulary).expect("valid");
    let number = last_referred(&view);
    let mut words: Vec<u32> =
        container.words(&BASE_WORDS).expect("there").iter().map(|word| word.get()).collect();
    let mut sums: Vec<u32> =
        container.words(&BASE_CHECKSUMS).expect("there").iter().map(|word| word.get()).collect();
    let row_words = view.row_words();
    words[number * row_words] ^= 1;
    let bytes = words[number * row_words..][..row_words].iter().flat_map(|word| word.to_le_bytes());
    let sum = gcc_grammar_artifact::container::checksum(&bytes.collect::<Vec<_>>());
    (sums[2 * number], sums[2 * number + 1]) = (sum as u32, (sum >> 32) as u32);
    let mut writer = ContainerWriter::of(&container, FileKind::Vocabulary);
    writer.add_words(&BASE_WORDS, &words);
    assert!(
        matches!(open(&writer.finish()), Err(ArtifactError::SectionChecksum { .. })),
        "without the checksum"
    );
    writer.add_words(&BASE_CHECKSUMS, &sums);
    assert_eq!(open(&writer.finish()), Err(ArtifactError::WrongBase { number: number as u32 }));
    // Too few, and half a bitmap.
    sums.truncate(2 * number);
    words.truncate(number * row_words);
    writer.add_words(&BASE_CHECKSUMS, &sums);
    writer.add_words(&BASE_WORDS, &words);
    assert_eq!(open(&writer.finish()), Err(ArtifactError::MissingBase { number: number as u32 }));
    writer.add_words(&BASE_WORDS, &words[1..]);
    assert!(matches!(open(&writer.finish()), Err(ArtifactError::MalformedTable { .. })));
}

fn last_referred(view: &GrammarView<'_>) -> usize {
    let (entries, _) = view.container().words(&SHARED_BASES).expect("there").as_chunks::<3>();
    entries.last().expect("a base")[0].get() as usize
}

#[test]
fn forged_references_are_refused() {
    let vocabulary = vocabulary();
    let grammar = artifact(&grammars()[0], &vocabulary, true);
    let container = Container::open(&grammar, FileKind::Grammar).expect("valid");
    let shared: Vec<u32> =
        container.words(&SHARED_BASES).expect("there").iter().map(|word| word.get()).collect();
    let meta = GrammarMeta::read(container.bytes(&META).expect("there").try_into().expect("the record"));
    let forged = |change: &dyn Fn(&mut ContainerWriter)| {
        let mut writer = ContainerWriter::of(&container, FileKind::Grammar);
        change(&mut writer);
        GrammarView::open(&writer.finish()).map(drop)
    };
    let with_shared = |words: &[u32]| forged(&|writer| writer.add_words(&SHARED_BASES, words));
    let with_count = |count: u32| {
        let meta = GrammarMeta { shared_bases: count, ..meta };
        forged(&|writer| writer.add_bytes(&META, meta.write().to_vec()))
    };
    assert_eq!(
        (forged(&|_| ()), with_shared(&shared), with_count(meta.shared_bases)),
        (Ok(()), Ok(()), Ok(()))
    );
    let swapped = [&shared[3..6], &shared[..3], &shared[6..]].concat();
    let without_first = &shared[3..];
    for forged in [
        with_shared(&swapped),
        with_shared(without_first),
        with_shared(&shared[..shared.len() - 3]),
        with_shared(&shared[..shared.len() - 1]),
        with_shared(&[]),
        with_count(0),
        with_count(meta.shared_bases - 1),
        with_count(meta.shared_bases + 1),
        with_count(u32::MAX),
        forged(&|writer| writer.no_longer_require(REFERS_TO_BASES)),
    ] {
        assert!(matches!(forged, Err(ArtifactError::MalformedTable { .. })), "{forged:?}");
    }
    let missing = forged(&|writer| writer.remove(&SHARED_BASES));
    assert_eq!(missing, Err(ArtifactError::MissingSection { section: "shared_bases" }));
}
