//! Inputs that are compiled quickly give the artifacts of the golden list. The program `golden` of this package compares the
//! whole list.

use gcc_grammar_tests::golden::{List, SLOW, digest, inputs, vocabulary};

#[test]
fn quick_inputs_give_the_artifacts_of_the_list() {
    let (list, vocabulary) = (List::load(), vocabulary("llama3"));
    let mut compared = 0;
    for input in inputs() {
        if SLOW.iter().any(|name| input.label == format!("grammar/{name}")) {
            continue;
        }
        let found = digest(&input.source, &vocabulary);
        let expected = list.get("llama3", &input.label);
        assert_eq!(expected, Some(found.as_str()), "{}: see the page of the module `golden`", input.label);
        compared += 1;
    }
    assert!(compared >= 10, "only {compared} inputs");
}
