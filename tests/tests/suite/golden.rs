//! The artifacts of the golden list: every notation, every bundled language and every family of tools. What is compiled slowly for the
//! vocabularies of models is compiled for single bytes. The program `golden` of this package compares the whole list.

use gcc_grammar_tests::golden::{BYTES, List, digest, inputs, notation_inputs, vocabulary};

#[test]
fn artifacts_are_those_of_the_list() {
    let (list, llama3, bytes) = (List::load(), vocabulary("llama3"), vocabulary(BYTES));
    let inputs = inputs().into_iter().chain(notation_inputs());
    let different: Vec<String> = inputs
        .filter_map(|input| {
            let (name, vocabulary) = if input.is_slow() { (BYTES, &bytes) } else { ("llama3", &llama3) };
            let (found, expected) = (digest(&input, vocabulary), list.get(name, &input.label));
            (expected != Some(found.as_str()))
                .then(|| format!("{name} {}: {found}, not {expected:?}", input.label))
        })
        .collect();
    assert!(different.is_empty(), "see the page of the module `golden`:\n{}", different.join("\n"));
}
