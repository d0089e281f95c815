//! Measures masks and commits of objects whose keys are remembered, and compares the masks with trial commits.
//!
//! ```text
//! remembered_keys [--vocab llama3] [--every N] [--readings COUNT]
//! ```
//! Each row is a schema with a text of it. The times are those of all places of the text: a mask as a row, and the commit of the token that follows, the least of
//! so many readings of the text. At every `N`th place the mask is compared with the commits of all tokens.

use clap::Parser;
use gcc_grammar::json_schema::PropertyOrder;
use gcc_grammar::{Options, Session, Source, compile};
use gcc_grammar_benches::language::load_vocabulary;
use gcc_grammar_benches::replay::{is_allowed, keep_least_times};
use gcc_grammar_benches::times::Times;
use gcc_grammar_benches::tokenization::tokenizer;
use gcc_grammar_benches::{Result, exit_code};

use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Measures objects whose keys are remembered.
#[derive(Parser)]
struct Arguments {
    /// The vocabulary: a built-in name, or a tokenizer file.
    #[arg(long = "vocab", default_value = "llama3")]
    vocabulary: String,
    /// The masks of one place in so many are compared.
    #[arg(long, default_value_t = 7)]
    every: usize,
    /// How often each text is read.
    #[arg(long, default_value_t = 3)]
    readings: usize,
}

/// A schema of objects.
struct Kind {
    name: &'static str,
    keys: usize,
    order: PropertyOrder,
    /// Further keywords.
    more: String,
    /// The keys of the text, in their order.
    text: Vec<usize>,
}

fn kinds() -> Vec<Kind> {
    let pair = |key: usize| format!(r#"{{"not":{{"required":["k{key}","k{}"]}}}}"#, key + 20);
    let pairs = (0..20).map(pair).collect::<Vec<_>>().join(",");
    let closed = format!(r#""allOf":[{pairs}],"additionalProperties":false"#);
    let mixed: Vec<usize> = (0..20).map(|key| 7 * key % 20 + 20 * (key % 2)).collect();
    let declared: Vec<usize> = (0..10).chain(30..40).collect();
    let kind = |name, keys, order, more: &str, text: &[usize]| Kind {
        name,
        keys,
        order,
        more: more.to_owned(),
        text: text.to_vec(),
    };
    let hundred: Vec<usize> = (0..100).map(|key| 37 * key % 100).collect();
    let chain: Vec<String> = (0..29).map(|key| format!(r#""k{key}":["k{}"]"#, key + 1)).collect();
    let chain = format!(r#""dependentRequired":{{{}}},"additionalProperties":false"#, chain.join(","));
    let required = r#""required":["k3","k40","k41","k99"],"additionalProperties":false"#;
    let condition = |key: usize, otherwise: &str| {
        format!(
            r#"{{"if":{{"properties":{{"k{key}":{{"const":1}}}},"required":["k{key}"]}},"then":{{"properties":{{"k{0}":{{"not":{{"type":"boolean"}}}}}},"required":["k{0}"]}}{otherwise}}}"#,
            key + 12
        )
    };
    let conditions: Vec<String> = (0..12).map(|key| condition(key, "")).collect();
    let conditions = format!(r#""allOf":[{}],"additionalProperties":false"#, conditions.join(","));
    let both = (0..12).map(|key| condition(key, &format!(r#","else":{{"required":["k{}"]}}"#, key + 24)));
    let needed: Vec<String> = (0..12).map(|key| format!(r#""k{key}""#)).collect();
    let both = format!(
        r#""allOf":[{}],"required":[{}],"additionalProperties":false"#,
        both.collect::<Vec<_>>().join(","),
        needed.join(",")
    );
    let all: Vec<usize> = (0..36).collect();
    let without: Vec<String> = (0..12)
        .map(|key| condition(key, "").replacen(&format!(r#","required":["k{key}"]"#), "", 1))
        .collect();
    let without = format!(r#""allOf":[{}],"additionalProperties":false"#, without.join(","));
    let groups = (0..10).map(|key| {
        let [second, third, last] = [10, 20, 30].map(|more| key + more);
        format!(r#"{{"anyOf":[{{"required":["k{key}"]}},{{"required":["k{second}","k{third}"]}},{{"required":["k{last}"]}}]}}"#)
    });
    let groups =
        format!(r#""allOf":[{}],"additionalProperties":false"#, groups.collect::<Vec<_>>().join(","));
    let one_of_each: Vec<usize> = (0..3).chain(13..20).chain(23..30).collect();
    let values = (2..16).map(|value| {
        let holds = format!(r#"{{"properties":{{"k0":{{"const":{value}}}}}}}"#);
        format!(r#"{{"if":{holds},"then":{{"required":["k{value}"]}}}}"#)
    });
    let values = format!(
        r#""allOf":[{}],"required":["k0"],"additionalProperties":false"#,
        values.collect::<Vec<_>>().join(",")
    );
    vec![
        kind(
            "12 conditions that hold without their key, declared order",
            24,
            PropertyOrder::Declared,
            &without,
            &all[..24],
        ),
        kind("the same, any order", 24, PropertyOrder::Any, &without, &all[..24]),
        kind(
            "10 alternatives of 3 groups of keys, declared order",
            40,
            PropertyOrder::Declared,
            &groups,
            &one_of_each,
        ),
        kind("the same, any order", 40, PropertyOrder::Any, &groups, &one_of_each),
        kind(
            "a key with 14 values that ask for others, any order",
            16,
            PropertyOrder::Any,
            &values,
            &all[..16],
        ),
        kind("12 conditions on values, declared order", 24, PropertyOrder::Declared, &conditions, &all[..24]),
        kind("the same, any order", 24, PropertyOrder::Any, &conditions, &all[..24]),
        kind("12 if, then and else on values, declared order", 36, PropertyOrder::Declared, &both, &all),
        kind("20 pairs, declared order", 40, PropertyOrder::Declared, &closed, &declared),
        kind("20 pairs, any order", 40, PropertyOrder::Any, &closed, &mixed),
        kind(
            "20 pairs, open, declared order",
            40,
            PropertyOrder::Declared,
            &format!(r#""allOf":[{pairs}]"#),
            &declared,
        ),
        kind("20 pairs, open, any order", 40, PropertyOrder::Any, &format!(r#""allOf":[{pairs}]"#), &mixed),
        kind(
            "30 keys that require the next one, any order",
            30,
            PropertyOrder::Any,
            &chain,
            &(0..30).rev().collect::<Vec<_>>(),
        ),
        kind("100 keys, 4 required, any order", 100, PropertyOrder::Any, required, &hundred),
    ]
}

fn main() -> ExitCode {
    exit_code(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<bool> {
    let vocabulary = load_vocabulary(&arguments.vocabulary)?;
    let tokenizer = tokenizer(&vocabulary)?;
    println!("| keys | artifact | compiled in | mask p50 | p99 | commit p50 | p99 | compared | different |");
    println!("|---|---|---|---|---|---|---|---|---|");
    let mut is_right = true;
    for Kind { name, keys, order, more, text } in kinds() {
        let properties: Vec<String> = (0..keys).map(|key| format!(r#""k{key}":{{}}"#)).collect();
        let schema = format!(r#"{{"type":"object","properties":{{{}}},{more}}}"#, properties.join(","));
        let mut options = Options::default();
        options.schema.property_order = order;
        let start = Instant::now();
        let artifact = compile(&Source::json_schema(&schema), &vocabulary, &options)?;
        let compiled = start.elapsed();
        let bytes = artifact.bytes().len();
        let session = Session::new(artifact, &vocabulary)?;
        let values = ["1", "\"a}\"", "{\"k1\": 0}", "[null, {}]", "true"];
        let members: Vec<String> =
            text.iter().map(|key| format!(r#""k{key}": {}"#, values[key % values.len()])).collect();
        let text = format!("{{{}}}", members.join(", "));
        let tokens = tokenizer.tokenize(text.as_bytes())?.ids;
        let mut least = vec![(Duration::MAX, Duration::MAX); tokens.len()];
        for _ in 0..arguments.readings {
            keep_least_times(&session, &tokens, &mut least)?;
        }
        let (mut masks, mut commits) = (Times::default(), Times::default());
        for (mask, commit) in least {
            masks.push(mask);
            commits.push(commit);
        }
        let (compared, different) = compare(&session, &tokens, arguments.every, name)?;
        is_right &= different == 0;
        let ([mask, mask_99], [commit, commit_99]) =
            (masks.percentiles([500, 990]), commits.percentiles([500, 990]));
        println!(
            "| {name} | {bytes} | {compiled:.0?} | {mask:.2?} | {mask_99:.2?} | {commit:.2?} | {commit_99:.2?} | {compared} | {different} |"
        );
    }
    Ok(is_right)
}

/// Compares the masks of every so many places with the commits of all tokens: how many bits were compared, and how many are different.
fn compare(session: &Session, tokens: &[u32], every: usize, name: &str) -> Result<(usize, usize)> {
    let mut matcher = session.matcher()?;
    let mut row = vec![0; session.row_words()];
    let (mut compared, mut different) = (0, 0);
    for (index, &token) in tokens.iter().enumerate() {
        if index % every == 0 {
            matcher.fill_mask(&mut row)?;
            for other in 0..session.engine().grammar().meta().mask_width {
                let allowed = is_allowed(&row, other);
                let is_read = matcher.validate(&[other])? == 1;
                if allowed != is_read && different < 10 {
                    eprintln!("{name}: token {other} after {index} tokens: mask {allowed}, commit {is_read}");
                }
                different += usize::from(allowed != is_read);
                compared += 1;
            }
        }
        matcher.commit(token)?;
    }
    Ok((compared, different))
}
