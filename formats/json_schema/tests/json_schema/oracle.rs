//! Random schemas against an independent validator, the crate `jsonschema`.
//!
//! ```text
//! cargo test -p gcc-grammar-json-schema --features oracle --test json_schema oracle [-- --ignored]
//! ```
//! `--ignored` starts the long run. Where the verdicts differ, [Ajv](https://ajv.js.org) is a second judge: the script
//! `second_judge.mjs` beside this file reads the lines `WRONG …` of the output.

use crate::json::Json;
use crate::order::{Verdict, verdict};
use crate::random::{constants, document, mutated, value};
use crate::recognizer::Recognizer;
use gcc_grammar_json_schema::{Options, Unenforced, compile};
use gcc_grammar_random::Random;
use serde_json::{Value, json};

#[derive(Default)]
struct Tally {
    compiled: usize,
    unsatisfiable: usize,
    refused: usize,
    valid: usize,
    invalid: usize,
    wrong: Vec<Value>,
}

/// Compares the verdicts on random values, and on values near those that the schema names.
fn compare(seed: u64, unenforced: Unenforced, tally: &mut Tally) {
    let random = &mut Random::new(seed);
    let schema = document(random);
    let Ok(validator) = jsonschema::draft202012::new(&schema) else { return };
    let options = Options { unenforced, ..Options::default() };
    let recognizer = match compile(&schema.to_string(), &options) {
        Ok(compiled) => Some(Recognizer::new(&compiled.grammar)),
        Err(errors) if errors.iter().all(|error| error.code == "unsatisfiable") => None,
        Err(_) => return tally.refused += 1,
    };
    match recognizer {
        Some(_) => tally.compiled += 1,
        None => tally.unsatisfiable += 1,
    }
    let constants = constants(&schema);
    let mut instance = Value::Null;
    for round in 0..24 {
        instance = match round % 3 {
            0 if round % 6 == 0 && !constants.is_empty() => (*random.pick(&constants)).clone(),
            0 => value(random, 3),
            _ => mutated(random, &instance),
        };
        let valid = validator.is_valid(&instance);
        let verdict = recognizer.as_ref().map_or(Verdict::Refused, |recognizer| {
            verdict(recognizer, &ordered(&instance), &ordered(&schema))
        });
        let accepted = match verdict {
            Verdict::Accepted | Verdict::Reordered(_) => true,
            Verdict::Refused => false,
            Verdict::Unknown => continue,
        };
        *(if valid { &mut tally.valid } else { &mut tally.invalid }) += 1;
        if valid && !accepted || accepted && !valid && unenforced == Unenforced::Refuse {
            tally.wrong.push(json!({"seed": seed, "valid": valid, "instance": instance, "schema": schema}));
        }
    }
}

/// The value with its keys in the order in which it is written.
fn ordered(value: &Value) -> Json {
    value.to_string().parse().expect("the text is JSON")
}

fn run(seeds: std::ops::Range<u64>) {
    for unenforced in [Unenforced::Refuse, Unenforced::Allow] {
        let mut tally = Tally::default();
        for seed in seeds.clone() {
            compare(seed, unenforced, &mut tally);
        }
        println!(
            "{unenforced:?}: {} schemas compiled, {} unsatisfiable, {} refused; {} valid, {} invalid instances",
            tally.compiled, tally.unsatisfiable, tally.refused, tally.valid, tally.invalid
        );
        tally.wrong.iter().take(50).for_each(|wrong| println!("WRONG {wrong}"));
        assert!(tally.wrong.is_empty(), "{} wrong verdicts", tally.wrong.len());
        assert!(tally.compiled > 3 * tally.refused, "too few schemas compile");
    }
}

#[test]
fn random_schemas_have_the_right_verdicts() {
    run(0..500);
}

#[test]
#[ignore = "takes minutes: the long run, by hand with --ignored"]
fn many_random_schemas_have_the_right_verdicts() {
    run(1_000_000..1_050_000);
}
