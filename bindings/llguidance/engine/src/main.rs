//! Prints what the sample engine sees: the same lines with llguidance and with gcc-grammar in its place.

mod engine;

use anyhow::Result;
use engine::{Constraint, Engine, Model};
use llguidance::StopController;
use llguidance::toktrie::InferenceCapabilities;
use llguidance::{Constraint as Appending, ParserFactory, api::TopLevelGrammar};

/// Constraints whose masks are equal: llguidance leaves out nothing of these languages.
const CONSTRAINTS: [Constraint; 6] = [
    Constraint::Regex("[a-c]{2,5}[0-9]+(;|x|yy)"),
    Constraint::Regex("(ab|abc|abcd)*e"),
    Constraint::Lark("start: greeting \" \" NAME \".\"\ngreeting: \"hello\" | \"hi\"\nNAME: /[A-Z][a-z]{1,8}/\n"),
    Constraint::Lark("start: \"(\" start \")\" | item+\nitem: /[0-9]{1,3}/ \",\"\n"),
    Constraint::JsonSchema(
        r#"{"type":"object","x-guidance":{"whitespace_flexible":false},"properties":{"unit":{"enum":["celsius","kelvin"]},"deep":{"type":"boolean"}},"required":["unit","deep"],"additionalProperties":false}"#,
    ),
    Constraint::JsonSchema(
        r#"{"type":"array","x-guidance":{"whitespace_flexible":false},"items":{"enum":["abc","abd",null,true]},"minItems":2,"maxItems":4}"#,
    ),
];

fn main() -> Result<()> {
    let tokens = Model::tokens();
    let engine = Engine::new(&tokens)?;
    for constraint in &CONSTRAINTS {
        for seed in 1..=20 {
            let mut model = numbers(seed);
            let mut matcher = engine.matcher(constraint)?;
            let output = engine.run(&mut matcher, &mut model, 40, |output, allowed| {
                let set: Vec<usize> = (0..allowed.len()).filter(|token| allowed[*token]).collect();
                println!("{} {set:?}", output.len());
                Ok(())
            })?;
            let text = tokens.tok_trie().decode_str(&output);
            println!("{constraint:?} {seed}: {text:?} {}", matcher.stop_reason());
            matcher.rollback(output.len().min(2))?;
            println!("{} {}", matcher.is_stopped(), matcher.compute_mask_or_eos()?.num_set());
        }
    }
    append(&tokens)?;
    stop(&tokens)
}

/// The older interface, with an engine that appends several tokens at once.
fn append(tokens: &llguidance::toktrie::TokEnv) -> Result<()> {
    let capabilities = InferenceCapabilities { ff_tokens: true, ..InferenceCapabilities::default() };
    let factory = ParserFactory::new(tokens, capabilities, &[])?;
    let grammar = "start: \"abc\" /[x-z]/ \"null12\" /[x-z]/";
    let mut constraint = Appending::new(factory.create_parser(TopLevelGrammar::from_lark(grammar.into()))?);
    constraint.start_without_prompt();
    let mut model = numbers(7);
    loop {
        let step = constraint.compute_mask()?;
        let Some(mask) = &step.sample_mask else { break };
        let entries = mask.to_list();
        let token = entries[(model() % entries.len() as u64) as usize];
        let result = constraint.commit_token(Some(token))?;
        println!("{entries:?} {token} {:?} {}", result.ff_tokens, result.stop);
    }
    println!("{}", constraint.commit_token(None)?.stop);
    Ok(())
}

/// Stop texts and patterns.
fn stop(tokens: &llguidance::toktrie::TokEnv) -> Result<()> {
    for (pattern, texts) in
        [(Some("he(L+)a"), vec![]), (None, vec!["abcx", "null"]), (Some("[0-9]{3}"), vec!["end"])]
    {
        for text in ["abcabcx", "heLLo heLLLa x", "12 345", "nul nulnull", "a🫠b hen end", "no stop é"] {
            let texts = texts.iter().map(|text| (*text).to_owned()).collect();
            let mut stop = StopController::new(tokens.clone(), vec![3], pattern.map(str::to_owned), texts)?;
            let parts: Vec<String> =
                tokens.tokenize(text).into_iter().map(|token| stop.commit_token(token)).collect();
            println!("{text:?} {parts:?} {}", stop.is_stopped());
        }
    }
    Ok(())
}

/// Pseudo-random numbers (xorshift).
fn numbers(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state >> 11
    }
}
