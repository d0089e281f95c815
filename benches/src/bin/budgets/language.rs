//! Outputs of a bundled grammar, and completions of programs.

use crate::Language;
use gcc_grammar::generate::{Generator, RandomNumbers};
use gcc_grammar::{Matcher, Options, Session, Source, Vocabulary, compile};
use gcc_grammar_benches::Result;
use gcc_grammar_benches::corpus::{files, sample};
use gcc_grammar_benches::times::{SUMMARY, Summary, Times};
use gcc_grammar_benches::tokenization::{Random, tokenizer};
use std::time::Instant;

pub(crate) fn run(arguments: &Language, vocabulary: &Vocabulary, seed: u64) -> Result<bool> {
    let source = Source::bundled(&arguments.name).ok_or("no bundled grammar has this name")?;
    let session = Session::new(compile(&source, vocabulary, &Options::default())?, vocabulary)?;
    let least = session.matcher()?.min_remaining()?.ok_or("no completion of the beginning is known")?;
    println!("{}: the shortest known output has {least} tokens, the end token included", arguments.name);
    let outputs = generate(arguments, &session, seed)?;
    let programs = complete(arguments, &session, seed)?;
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

/// Completes programs that are cut at random places; a new matcher reads the result.
fn complete(arguments: &Language, session: &Session, seed: u64) -> Result<bool> {
    let mut paths = files(&[&arguments.folder])?;
    sample(&mut paths, arguments.files, seed);
    let tokenizer = tokenizer(session.vocabulary())?;
    let mut random = Random(seed);
    let (mut cuts, mut right, mut refused) = (0, 0, 0);
    let mut times = Times::default();
    let mut longest = 0;
    for path in paths {
        let tokens = tokenizer.tokenize(&std::fs::read(&path)?)?.ids;
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
            right += usize::from(follows(&matcher, &completion)?);
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
