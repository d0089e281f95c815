//! The tables of FORMAT.md agree with the declarations in the source.

use std::fmt::Write;

use gcc_grammar_artifact::container::{DirectoryEntry, MAJOR, MINOR};
use gcc_grammar_artifact::grammar::{
    COMPLETION, COMPLETION_SECTIONS, COSTS, COUNTER_NEEDED, COUNTER_PLACES, COUNTER_STATES, COUNTER_TOKENS,
    CompletionMeta, DISTINCT, GrammarMeta, LIMITS, META, METADATA, MaskBounds, PACK_BASES, SAME, SECTIONS,
    SHARED_BASES, VOCABULARY,
};
use gcc_grammar_artifact::pack::{PackEntry, PackHeader};
use gcc_grammar_artifact::vocabulary::{self, VocabularyMeta};
use gcc_grammar_artifact::wire::Field;
use gcc_grammar_artifact::{Header, Section, SectionElement};

const FORMAT: &str = include_str!("../../FORMAT.md");

fn assert_documented(expected: &str) {
    assert!(FORMAT.contains(expected), "FORMAT.md lacks or contradicts:\n{expected}");
}

/// The table of a record. Its documentation is trimmed, as doc comments keep the space after `///`.
fn record(fields: &[Field]) -> String {
    let mut table = String::from("| offset | type | field | |\n|---:|---|---|---|\n");
    for field in fields {
        let Field { offset, type_name, name, doc } = field;
        writeln!(table, "| {offset} | {type_name} | `{name}` | {} |", doc.trim()).expect("a string");
    }
    table
}

/// The table of a list of sections.
fn sections<'s>(sections: impl IntoIterator<Item = &'s Section>) -> String {
    let mut table = String::from("| kind | name | elements | |\n|---|---|---|---|\n");
    for section in sections {
        let element = match section.element {
            SectionElement::Byte => "bytes",
            SectionElement::Short => "shorts",
            SectionElement::Word => "words",
            SectionElement::Number => "numbers",
        };
        writeln!(table, "| {:#x} | `{}` | {element} | {} |", section.kind, section.name, section.doc.trim())
            .expect("a string");
    }
    table
}

#[test]
fn version_is_documented() {
    assert_documented(&format!("This is version {MAJOR}.{MINOR}."));
}

#[test]
fn records_are_documented() {
    assert_documented(&record(Header::FIELDS));
    assert_documented(&record(DirectoryEntry::FIELDS));
    assert_documented(&record(GrammarMeta::FIELDS));
    assert_documented(&record(MaskBounds::FIELDS));
    assert_documented(&record(CompletionMeta::FIELDS));
    assert_documented(&record(VocabularyMeta::FIELDS));
    assert_documented(&record(PackHeader::FIELDS));
    assert_documented(&record(PackEntry::FIELDS));
}

#[test]
fn sections_are_documented() {
    let first = [
        &METADATA,
        &VOCABULARY,
        &PACK_BASES,
        &SHARED_BASES,
        &LIMITS,
        &COUNTER_STATES,
        &COUNTER_PLACES,
        &COUNTER_NEEDED,
        &COUNTER_TOKENS,
        &DISTINCT,
        &SAME,
        &META,
    ]
    .into_iter()
    .chain(SECTIONS);
    assert_documented(&sections(first.chain([&COSTS, &COMPLETION]).chain(COMPLETION_SECTIONS)));
    assert_documented(&sections(vocabulary::SECTIONS));
}
