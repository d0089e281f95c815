//! The comparison finds known flaws and reports them as small cases.

use gcc_grammar_ir::{ContextRules, Discipline, Grammar};
use gcc_grammar_tests::Vocabulary;
use gcc_grammar_tests::campaign::try_seed;
use gcc_grammar_tests::cases::{Expected, follow, read_cases};
use gcc_grammar_tests::compare::{Built, Refusal, Subject};
use gcc_grammar_tests::oracle::Decoder;

/// The oracle, on a grammar that was changed a little.
struct Flawed {
    name: &'static str,
    flaw: fn(&mut Grammar),
}

impl Subject for Flawed {
    fn name(&self) -> &'static str {
        self.name
    }

    fn build(
        &self,
        grammar: &Grammar,
        vocabulary: &Vocabulary,
        body: &mut dyn FnMut(Built<'_>),
    ) -> Result<(), Refusal> {
        let mut flawed = grammar.clone();
        (self.flaw)(&mut flawed);
        body(Built { engine: &mut Decoder::new(&flawed, vocabulary, None), cfg: None, is_certified: true });
        Ok(())
    }
}

/// Differences that are looked for of each flaw, and seeds without one. Each difference is made small, which takes seconds.
const MOST: usize = if cfg!(debug_assertions) { 2 } else { 4 };
const FLAWLESS: u64 = if cfg!(debug_assertions) { 50 } else { 150 };

#[test]
fn flaws_are_found_and_reported_small() {
    /// A name, and a change of a grammar.
    type Flaw = (&'static str, fn(&mut Grammar));
    let flaws: [Flaw; 6] = [
        ("as if any split", |grammar| grammar.discipline = Discipline::AnySplit),
        ("as if longest match", |grammar| grammar.discipline = Discipline::LongestMatch),
        ("without ignored terminals", |grammar| grammar.ignored.clear()),
        ("without rules of contexts", |grammar| grammar.contexts = ContextRules::default()),
        ("without shared ties", |grammar| grammar.contexts.together.clear()),
        ("without priorities", |grammar| {
            grammar.terminals.iter_mut().for_each(|terminal| terminal.priority = 0)
        }),
    ];
    for (name, flaw) in flaws {
        let found = (0..1_000).filter_map(|seed| try_seed(seed, &Flawed { name, flaw }).err());
        let wrongs: Vec<_> = found.take(MOST).collect();
        assert!(!wrongs.is_empty(), "{name}: not found");
        for wrong in &wrongs {
            let cases = read_cases(&wrong.case).unwrap_or_else(|error| panic!("{error}\n{wrong}"));
            let Expected::Steps(steps) = &cases[0].expected else { panic!("steps are reported:\n{wrong}") };
            let sample = &cases[0].sample;
            let mut oracle = Decoder::new(&sample.grammar, &sample.vocabulary, None);
            assert_eq!(follow(&mut oracle, steps), Ok(()), "{wrong}");
            let mut flawed = sample.grammar.clone();
            flaw(&mut flawed);
            let mut engine = Decoder::new(&flawed, &sample.vocabulary, None);
            let differs = follow(&mut engine, steps).is_err();
            assert!(differs || wrong.message.starts_with("forced"), "the case does not show it:\n{wrong}");
        }
        let smallest = wrongs.iter().map(|wrong| wrong.case.len()).min();
        assert!(smallest.is_some_and(|size| size < 700), "{name}: {smallest:?}\n{}", wrongs[0]);
    }
}

#[test]
fn without_a_flaw_no_difference_is_found() {
    for seed in 0..FLAWLESS {
        if let Err(wrong) = try_seed(seed, &Flawed { name: "the oracle itself", flaw: |_| {} }) {
            panic!("{wrong}");
        }
    }
}
