//! Rows that are updated in place, batches, trees of drafts, and forced tokens.

use gcc_grammar::batch::{Job, MOST_THREADS, Pool};
use gcc_grammar::draft::{Tree, TreeError};
use gcc_grammar::generate::{Generator, RandomNumbers};
use gcc_grammar::{
    MOST_FORCED_BYTES, Matcher, Notation, Options, RowMemory, SchemaOptions, Session, Source, Vocabulary,
    compile,
};
use std::sync::LazyLock;

const SCHEMA: &str = r#"{"type": "object", "properties": {
    "description": {"type": "string"}, "quantity": {"type": "integer"}, "kind": {"enum": ["internal", "international"]},
    "tags": {"type": "array", "items": {"type": "string"}}}, "required": ["description", "kind"]}"#;

fn session(vocabulary: &Vocabulary) -> Session {
    let schema = SchemaOptions {
        whitespace: "compact".parse().expect("an option"),
        strings: "canonical".parse().expect("an option"),
        ..SchemaOptions::default()
    };
    let options = Options { schema, ..Options::default() };
    let artifact = compile(&Source::json_schema(SCHEMA), vocabulary, &options).expect("the schema compiles");
    Session::new(artifact, vocabulary).expect("the artifact is for this vocabulary")
}

fn session_of(source: &Source, vocabulary: &Vocabulary) -> Session {
    let artifact = compile(source, vocabulary, &Options::default()).expect("the source compiles");
    Session::new(artifact, vocabulary).expect("the artifact is for this vocabulary")
}

static SESSION: LazyLock<Session> = LazyLock::new(|| session(&Vocabulary::load("llama3").expect("built in")));

/// Texts of the language, as the model's own tokenizer cuts them.
fn outputs(count: u64) -> Vec<Vec<u32>> {
    let mut generator = Generator::new(&SESSION).expect("enough scratch");
    let mut random = RandomNumbers(1);
    let texts = (0..count).map(|_| {
        let drawn = generator.generate(&mut random, 60).expect("an output");
        let text = SESSION.vocabulary().text_of(&drawn);
        SESSION.vocabulary().tokenize(&text, false).expect("every byte is a token").ids
    });
    texts.collect()
}

fn row() -> Vec<u32> {
    vec![0; SESSION.row_words()]
}

fn mask(matcher: &mut Matcher) -> Vec<u32> {
    let mut row = row();
    matcher.fill_mask(&mut row).expect("the row is long enough");
    row
}

#[test]
fn rows_that_are_updated_are_the_masks() {
    let (mut updated, mut memory) = (row(), RowMemory::default());
    for output in outputs(5) {
        let mut matcher = SESSION.matcher().expect("enough scratch");
        for token in output {
            matcher.update_mask(&mut updated, &mut memory).expect("the row is long enough");
            assert_eq!(updated, mask(&mut matcher));
            matcher.commit(token).expect("an allowed token");
        }
    }
    // The memory of a row says nothing about the masks of another session.
    let other = session(SESSION.vocabulary());
    let mut matcher = other.matcher().expect("enough scratch");
    matcher.update_mask(&mut updated, &mut memory).expect("the row is long enough");
    assert_eq!(updated, mask(&mut matcher));
}

#[test]
fn a_row_that_was_moved_or_has_another_length_is_filled_as_a_whole() {
    let mut memory = RowMemory::default();
    let mut matcher = SESSION.matcher().expect("enough scratch");
    let words = SESSION.row_words();
    // Rows of one allocation have places of their own.
    let mut rows = vec![u32::MAX; 3 * words + 2];
    let mut places =
        [0..words, words..2 * words, 2 * words..3 * words, 2 * words..3 * words + 2].into_iter().cycle();
    for token in &outputs(1)[0] {
        let place = places.next().expect("a cycle");
        rows[place.clone()].fill(u32::MAX);
        matcher.update_mask(&mut rows[place.clone()], &mut memory).expect("the row is long enough");
        let (row, padding) = rows[place].split_at(words);
        assert!(row == mask(&mut matcher) && padding.iter().all(|word| *word == 0));
        matcher.commit(*token).expect("an allowed token");
    }
}

#[test]
fn no_more_threads_are_started_than_can_be_used() {
    let most = Pool::usable(usize::MAX);
    assert!(most >= MOST_THREADS && most == Pool::usable(1 << 40) && Pool::usable(3) == 3);
    assert!(Pool::usable(0) >= 1 && Pool::usable(0) <= most);
    // This would take minutes, or never end.
    Pool::new(1 << 40).expect("threads");
}

#[test]
fn forced_bytes_take_memory_for_what_is_certain_alone() {
    let vocabulary = Vocabulary::from_tokens("bytes", (0..=255_u8).map(|byte| [byte])).expect("tokens");
    let text = "0123456789".repeat(MOST_FORCED_BYTES / 10 + 100);
    let session = session_of(&Source::choices([format!("{text}a"), format!("{text}b")]), &vocabulary);
    let mut matcher = session.matcher().expect("enough scratch");
    for most in [0, 1, 255, 256, 257, 1024, 5000, MOST_FORCED_BYTES, usize::MAX >> 1, usize::MAX] {
        let forced = matcher.forced(most).expect("enough scratch");
        assert_eq!(forced, text.as_bytes()[..most.min(MOST_FORCED_BYTES)]);
    }
    let rest = &text.as_bytes()[300..];
    matcher.commit_bytes(rest).expect("some text begins like this");
    assert_eq!(matcher.forced(1 << 40).expect("enough scratch"), &text.as_bytes()[rest.len()..]);
}

#[test]
fn a_pool_fills_the_rows_of_a_batch() {
    let outputs = outputs(4);
    let at = |step: usize| {
        let mut matcher = SESSION.matcher().expect("enough scratch");
        for &token in outputs[step % 4].iter().take(step) {
            matcher.commit(token).expect("an allowed token");
        }
        matcher
    };
    let mut matchers: Vec<Matcher> = (0..300).map(at).collect();
    let expected: Vec<Vec<u32>> = matchers.iter_mut().map(mask).collect();
    for threads in [1, 2, 3] {
        let mut rows = vec![row(); matchers.len()];
        let jobs = matchers.iter_mut().zip(&mut rows);
        let mut jobs: Vec<Job<'_>> = jobs.map(|(matcher, row)| Job { matcher, row }).collect();
        let results = Pool::new(threads).expect("threads").fill_masks(&mut jobs);
        assert!(results.iter().all(Result::is_ok) && rows == expected);
    }
    let mut short = [0];
    let mut jobs = [Job { matcher: &mut matchers[0], row: &mut short }];
    assert!(Pool::new(1).expect("no threads").fill_masks(&mut jobs)[0].is_err());
}

#[test]
fn trees_are_verified_as_their_paths_are() {
    for output in outputs(8) {
        let mut matcher = SESSION.matcher().expect("enough scratch");
        let (done, rest) = output.split_at(output.len() / 3);
        done.iter().for_each(|&token| matcher.commit(token).expect("an allowed token"));
        // The output is one path; every third node has another child, and the root has a wrong one.
        let (mut parents, mut tokens) = (vec![None], vec![0]);
        let mut last = None;
        for (place, &token) in rest.iter().enumerate() {
            parents.push(last);
            tokens.push(token);
            let node = tokens.len() - 1;
            if place % 3 == 0 {
                parents.push(Some(node));
                tokens.push(rest[place / 2]);
            }
            last = Some(node);
        }
        let words = SESSION.row_words();
        let mut rows = vec![1; words * tokens.len()];
        let (before, tree) = (matcher.save(), Tree { parents: &parents, tokens: &tokens });
        let allowed = matcher.verify_tree(tree, &mut rows).expect("a tree");
        assert_eq!(matcher.save(), before);
        for (node, row) in rows.chunks_exact(words).enumerate() {
            let path: Vec<usize> = std::iter::successors(Some(node), |&node| parents[node]).collect();
            let mut step = matcher.clone();
            let accepted = path.iter().rev().all(|&node| step.commit(tokens[node]).is_ok());
            assert_eq!(allowed[node], accepted);
            assert_eq!(row, if accepted { mask(&mut step) } else { vec![0; words] });
        }
    }
}

/// A matcher for each node of it would take gigabytes.
#[test]
fn long_chains_of_drafts_are_verified() {
    let bytes = Vocabulary::from_tokens("bytes", (0..=u8::MAX).map(|byte| [byte])).expect("a vocabulary");
    let session = session_of(&Source::new(Notation::Regex, "a*"), &bytes);
    let mut matcher = session.matcher().expect("enough scratch");
    let parents: Vec<Option<usize>> = (0..20_000_usize).map(|node| node.checked_sub(1)).collect();
    let mut tokens = vec![u32::from(b'a'); parents.len()];
    tokens[15_000] = b'b'.into();
    let words = session.row_words();
    let mut rows = vec![1; words * tokens.len()];
    let allowed =
        matcher.verify_tree(Tree { parents: &parents, tokens: &tokens }, &mut rows).expect("a chain");
    assert!(allowed.iter().enumerate().all(|(node, allowed)| *allowed == (node < 15_000)));
    let mut expected = vec![0; words];
    matcher.fill_mask(&mut expected).expect("the row is long enough");
    let is_right = |(node, row): (usize, &[u32])| match node < 15_000 {
        true => row == expected,
        false => row.iter().all(|&word| word == 0),
    };
    assert!(rows.chunks_exact(words).enumerate().all(is_right));
}

#[test]
fn trees_that_are_none_are_refused() {
    let mut matcher = SESSION.matcher().expect("enough scratch");
    let mut rows = vec![0; 2 * SESSION.row_words()];
    let mut verify = |parents: &[Option<usize>], tokens: &[u32], length: usize| {
        matcher.verify_tree(Tree { parents, tokens }, &mut rows[..length]).expect_err("no tree")
    };
    assert_eq!(verify(&[None], &[1, 2], 0), TreeError::Lengths);
    assert_eq!(verify(&[None, Some(1)], &[1, 2], 0), TreeError::Parent(1));
    assert_eq!(verify(&[None], &[1], 5), TreeError::RowsTooShort(SESSION.row_words()));
}

/// The forced tokens are those of the model's own tokenizer, wherever the text goes on.
#[test]
fn forced_tokens_are_canonical() {
    let mut forced_in_all = 0;
    for output in outputs(20) {
        let mut matcher = SESSION.matcher().expect("enough scratch");
        for (place, &token) in output.iter().enumerate() {
            let forced = matcher.forced_tokens(&output[..place]).expect("a built-in tokenizer");
            assert!(output[place..].starts_with(&forced), "{:?} at {place}: {forced:?}", output);
            forced_in_all += forced.len();
            matcher.commit(token).expect("an allowed token");
        }
    }
    assert!(forced_in_all > 60, "only {forced_in_all} tokens were forced");
}
