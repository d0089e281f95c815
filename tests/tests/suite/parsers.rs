//! The parser of the runtime and the simulation of the LR automaton have the same heads and stacks, on the case files and on
//! random texts of random grammars.

use gcc_grammar_tests::cases::{Expected, all_cases};
use gcc_grammar_tests::compare::Step;
use gcc_grammar_tests::generate::{Random, Sample};
use gcc_grammar_tests::oracle::has_limits;
use gcc_grammar_tests::parsers::{Compared, compare_parsers};

/// The longest random text, in tokens.
const TOKENS: usize = 12;

#[test]
fn parsers_have_the_same_stacks_on_all_cases() {
    let mut compared = Compared::default();
    for (name, case) in all_cases() {
        let Expected::Steps(steps) = &case.expected else { continue };
        // The parser of the tests counts no tokens.
        if has_limits(&case.sample.grammar) {
            continue;
        }
        let mut committed = steps.iter().filter_map(|step| match step.then {
            Some(Step::Commit(token)) if step.allowed.contains(&token) => Some(token),
            _ => None,
        });
        // A case may go back and take another way, which is not followed here.
        let mut choose = |allowed: &[u32]| committed.next().filter(|token| allowed.contains(token));
        let on_case = compare_parsers(&case.sample.grammar, &case.sample.vocabulary, &mut choose);
        compared += on_case.unwrap_or_else(|| panic!("{name}: not compiled"));
    }
    println!("{compared:?}");
    assert!(compared.symbols > 100 && compared.with_several_heads > 4, "{compared:?}");
}

#[test]
fn parsers_have_the_same_stacks_on_random_texts() {
    let mut compared = Compared::default();
    for seed in 0..600 {
        let Sample { grammar, vocabulary } = Sample::new(seed);
        for text in 0..3 {
            let (mut random, mut left) = (Random::new(seed * 3 + text), TOKENS);
            let mut choose = |allowed: &[u32]| {
                left = left.checked_sub(1)?;
                (!allowed.is_empty()).then(|| *random.pick(allowed))
            };
            compared += compare_parsers(&grammar, &vocabulary, &mut choose).unwrap_or_default();
        }
    }
    println!("{compared:?}");
    assert!(compared.symbols > 10_000, "{compared:?}");
    assert!(compared.with_several_heads > 1_000 && compared.with_merged_stacks > 100, "{compared:?}");
}
