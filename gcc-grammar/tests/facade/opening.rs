//! What is read of an artifact file when it is opened: everything once, or the outline only if it is trusted.

use gcc_grammar::generate::Generator;
use gcc_grammar::{Artifact, Code, MatchError, Options, Session, Source, Vocabulary, compile};
use std::fs;
use std::path::Path;

fn vocabulary() -> Vocabulary {
    let tokens = (0..=u8::MAX).map(|byte| vec![byte]).chain([b"[[".to_vec(), b"]]".to_vec()]);
    Vocabulary::from_tokens("toy", tokens).expect("a vocabulary")
}

fn artifact(vocabulary: &Vocabulary) -> Artifact {
    let source = Source::lark("start: \"[\" start* \"]\" | /[0-9]+/");
    compile(&source, vocabulary, &Options::default()).expect("the source compiles")
}

fn open(path: &Path, vocabulary: &Vocabulary) -> Result<Session, gcc_grammar::Error> {
    Session::new(Artifact::open(path)?, vocabulary)
}

fn open_trusted(path: &Path, vocabulary: &Vocabulary) -> Result<Session, gcc_grammar::Error> {
    Session::new(Artifact::open(path)?.trusted(), vocabulary)
}

fn first_mask(session: &Session) -> Vec<u32> {
    let mut row = vec![0; session.row_words()];
    session.matcher().expect("enough scratch").fill_mask(&mut row).expect("the row is long enough");
    row
}

/// The place and the length of each section.
fn sections(bytes: &[u8]) -> Vec<(usize, usize)> {
    let view = gcc_grammar::artifact::GrammarView::open(bytes).expect("valid");
    view.container().entries().map(|entry| (entry.offset as usize, entry.length as usize)).collect()
}

#[test]
fn all_ways_to_open_give_the_same_masks() {
    let vocabulary = vocabulary();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.gcg");
    artifact(&vocabulary).save(&path).expect("written");
    let trusted = open_trusted(&path, &vocabulary).expect("intact");
    let [first, again] = [(); 2].map(|()| open(&path, &vocabulary).expect("intact"));
    assert_eq!(first_mask(&first), first_mask(&again));
    assert_eq!(first_mask(&first), first_mask(&trusted));
    assert_eq!(trusted.verify(), Ok(()));
    assert!(Generator::new(&trusted).is_ok());
}

/// The file is replaced, or changed in place, by one of the same length in which a bit is flipped.
#[test]
fn a_file_that_was_changed_is_verified_again() {
    let vocabulary = vocabulary();
    let folder = tempfile::tempdir().expect("a folder");
    let intact = artifact(&vocabulary).bytes().to_vec();
    for (run, in_place) in [true, false].into_iter().enumerate() {
        let path = folder.path().join(format!("{run}.gcg"));
        for (offset, length) in sections(&intact).into_iter().filter(|(_, length)| *length > 0) {
            let mut damaged = intact.clone();
            damaged[offset + length / 2] ^= 4;
            fs::write(&path, &intact).expect("written");
            assert!(open(&path, &vocabulary).is_ok() && open(&path, &vocabulary).is_ok());
            if !in_place {
                fs::remove_file(&path).expect("removed");
            }
            fs::write(&path, &damaged).expect("written");
            for _ in 0..2 {
                let Err(error) = open(&path, &vocabulary) else { panic!("the section at {offset}") };
                assert_eq!(error.diagnostics()[0].code, Code::DamagedArtifact);
            }
        }
    }
}

#[test]
fn damage_of_a_trusted_file_is_found_where_the_tables_are_read_as_a_whole() {
    let vocabulary = vocabulary();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.gcg");
    let intact = artifact(&vocabulary).bytes().to_vec();
    let mut damaged_sections = 0;
    for (offset, length) in sections(&intact).into_iter().filter(|(_, length)| *length > 0) {
        let mut damaged = intact.clone();
        damaged[offset + length / 2] ^= 0x80;
        fs::write(&path, &damaged).expect("written");
        let Ok(session) = open_trusted(&path, &vocabulary) else { continue };
        let mut matcher = session.matcher().expect("enough scratch");
        let _ = matcher.commit_bytes(b"[[1]").map(|()| matcher.is_accepting());
        if session.verify() == Err(MatchError::Damaged) {
            assert_eq!(Generator::new(&session).map(drop), Err(MatchError::Damaged));
            damaged_sections += 1;
        }
    }
    assert!(damaged_sections > 20, "most sections are tables: {damaged_sections}");
}

/// After equal productions and states are one, there are fewer of both than nonterminals.
#[test]
fn objects_with_many_optional_members_are_opened() {
    let vocabulary = vocabulary();
    for count in [200, 260, 600] {
        let members = (0..count).map(|number| format!("\"p{number}\": {{\"type\": \"integer\"}}"));
        let members = members.collect::<Vec<_>>().join(", ");
        let schema = format!("{{\"type\": \"object\", \"properties\": {{{members}}}}}");
        let artifact = compile(&Source::json_schema(schema), &vocabulary, &Options::default());
        let session = Session::new(artifact.expect("compiled"), &vocabulary).expect("opened");
        let mut matcher = session.matcher().expect("enough scratch");
        for byte in b"{\"p7\": 1, \"p199\": 20}" {
            matcher.commit(u32::from(*byte)).expect("allowed");
        }
        assert!(matcher.is_accepting().expect("enough scratch"), "{count}");
    }
}
