//! Outputs of a bundled grammar, and completions of programs.

use crate::Language;
use crate::masks::{ABOVE, Masks};
use gcc_grammar::generate::{Generator, RandomNumbers};
use gcc_grammar::{Matcher, Options, Session, Vocabulary, compile};
use gcc_grammar_benches::Result;
use gcc_grammar_benches::corpus::{files, sample};
use gcc_grammar_benches::language::{find_source, large_limits};
use gcc_grammar_benches::times::{SUMMARY, Summary, Times};
use gcc_grammar_benches::tokenization::{Random, tokenizer};
use std::time::Instant;

pub(crate) fn run(arguments: &Language, vocabulary: &Vocabulary, seed: u64) -> Result<bool> {
    let options = Options { limits: large_limits().into(), ..Options::default() };
    let artifact = compile(&find_source(&arguments.name)?, vocabulary, &options)?;
    let session = Session::new(artifact, vocabulary)?;
    let least = session.matcher()?.min_remaining()?.ok_or("no completion of the beginning is known")?;
    println!("{}: the shortest known output has {least} tokens, the end token included", arguments.name);
    let outputs = generate(arguments, &session, seed)?;
    let mut masks = Masks::default();
    let programs = complete(arguments, &session, &mut masks, seed)?;
    masks.print();
    Ok(outputs && programs)
}

/// Draws outputs; a new matcher reads them.
fn generate(arguments: &Language, session: &Session, seed: u64) -> Result<bool> {
    let mut generator = Generator::new(session)?;
    let (mut right, mut tokens) = (0, 0);
    for index in 0..arguments.outputs {
        let output = generator.generate(&mut RandomNumbers(seed + index), arguments.max_tokens as usize)?;
        tokens += output.len();
        right += u64::from(output.len() <= arguments.max_tokens as usize && accepts(session, &output)?);
    }
    println!("{right} of {} outputs accepted, {tokens} tokens", arguments.outputs);
    Ok(right == arguments.outputs)
}

/// Completes programs that are cut at random places: with the fewest tokens, and at random within budgets that are little more. A new matcher
/// reads the results. Without programs, the beginning is completed.
fn complete(arguments: &Language, session: &Session, masks: &mut Masks, seed: u64) -> Result<bool> {
    let mut programs = Vec::new();
    if let Some(folder) = &arguments.folder {
        let mut paths = files(&[folder])?;
        sample(&mut paths, arguments.files, seed);
        for path in paths {
            programs.push(std::fs::read(path)?);
        }
    } else {
        programs.push(Vec::new());
    }
    let tokenizer = tokenizer(session.vocabulary())?;
    let mut random = Random(seed);
    let (mut cuts, mut right, mut refused) = (0, 0, 0);
    let mut times = Times::default();
    let mut longest = 0;
    for program in programs {
        let tokens = tokenizer.tokenize(&program)?.ids;
        let mut places: Vec<usize> = (0..arguments.cuts).map(|_| random.below(tokens.len() + 1)).collect();
        places.sort_unstable();
        let mut matcher = session.matcher()?;
        let mut read = 0;
        for place in places {
            if tokens[read..place].iter().try_for_each(|&token| matcher.commit(token)).is_err() {
                refused += 1;
                break;
            }
            read = place;
            cuts += 1;
            let start = Instant::now();
            let completion = matcher.shortest_completion()?;
            times.push(start.elapsed());
            let Some(completion) = completion else { continue };
            longest = longest.max(completion.len());
            let mut are_right = follows(&matcher, &completion)?;
            let least = matcher.min_remaining()?.ok_or("a text with a completion has a cost")?;
            for above in ABOVE {
                let budget = least + above;
                let output = masks.within(&matcher, budget, &mut random)?;
                are_right &= output.is_some_and(|tokens| {
                    tokens.len() <= budget as usize && follows(&matcher, &tokens).is_ok_and(|follows| follows)
                });
            }
            right += usize::from(are_right);
        }
    }
    println!("{right} of {cuts} cuts completed, with {longest} tokens at most; {refused} programs refused");
    println!("{}", Summary("complete", times.percentiles(SUMMARY)));
    Ok(right == cuts)
}

fn accepts(session: &Session, tokens: &[u32]) -> Result<bool> {
    follows(&session.matcher()?, tokens)
}

/// Whether the text is complete after these tokens.
fn follows(matcher: &Matcher, tokens: &[u32]) -> Result<bool> {
    let mut fork = matcher.fork()?;
    let is_read = tokens.iter().all(|&token| fork.commit(token).is_ok());
    Ok(is_read && (fork.is_terminated() || fork.is_accepting()?))
}
