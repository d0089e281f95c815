//! Matchers: the state of one output, its masks, commits and rollbacks.

use crate::exchange::{Exchange, Guided, Object, run};
use crate::exports;
use crate::failure::Failure;
use crate::library::{Matcher, begin, is_free, restore};

fn keep(exchange: &mut Exchange, matcher: Matcher) -> f64 {
    let row = vec![0; matcher.session().row_words()];
    exchange.keep(Object::Matcher(Box::new(Guided { matcher, row })))
}

/// Does something with a matcher.
fn with(number: u32, body: impl FnOnce(&mut Matcher) -> Result<f64, Failure>) -> f64 {
    run(|exchange| body(&mut exchange.matcher(number)?.matcher))
}

fn number(value: bool) -> f64 {
    f64::from(u8::from(value))
}

/// A number of tokens that JavaScript gives: none is infinity.
fn limit(tokens: f64) -> Result<Option<u32>, Failure> {
    match tokens {
        _ if tokens == f64::INFINITY => Ok(None),
        _ if tokens.fract() == 0.0 && (0.0..f64::from(u32::MAX)).contains(&tokens) => Ok(Some(tokens as u32)),
        _ => Err(Failure::usage("a budget is a whole number of tokens, or Infinity")),
    }
}

exports! {
    /// Makes a matcher at the beginning of an output, with a bound on the work of each call unless that is negative. Input: nothing, or further
    /// options as JSON.
    fn matcher_new(grammar: u32, max_rollback: u32, max_work: f64) -> f64 {
        run(|exchange| {
            let max_work = (max_work >= 0.0).then_some(max_work as u64);
            let session = exchange.grammar(grammar)?.clone();
            let matcher = begin(&session, max_rollback, max_work, exchange.text()?)?;
            Ok(keep(exchange, matcher))
        })
    }

    /// Makes a matcher of a saved one, with a bound on the work of each call; negative for the default. Input: what was saved.
    fn matcher_restore(grammar: u32, max_work: f64) -> f64 {
        run(|exchange| {
            let saved = std::mem::take(&mut exchange.input);
            let mut matcher = restore(exchange.grammar(grammar)?, &saved)?;
            if max_work >= 0.0 {
                matcher.set_max_work(Some(max_work as u64));
            }
            Ok(keep(exchange, matcher))
        })
    }

    /// Writes the state of a matcher.
    fn matcher_save(matcher: u32) -> f64 {
        run(|exchange| {
            exchange.output = exchange.matcher(matcher)?.matcher.save();
            Ok(0.0)
        })
    }

    /// Makes another matcher with the same state.
    fn matcher_fork(matcher: u32) -> f64 {
        run(|exchange| {
            let fork = exchange.matcher(matcher)?.matcher.fork()?;
            Ok(keep(exchange, fork))
        })
    }

    /// Goes back to the beginning.
    fn matcher_reset(matcher: u32) -> f64 {
        with(matcher, |matcher| {
            matcher.reset();
            Ok(0.0)
        })
    }

    /// Fills the mask of the next token, and says where it begins. It lies there until the next call.
    fn matcher_fill(matcher: u32) -> f64 {
        run(|exchange| {
            let Guided { matcher, row } = exchange.matcher(matcher)?;
            matcher.fill_mask(row)?;
            Ok(row.as_ptr() as usize as f64)
        })
    }

    /// Commits a token.
    fn matcher_commit(matcher: u32, token: u32) -> f64 {
        with(matcher, |matcher| {
            matcher.commit(token)?;
            Ok(0.0)
        })
    }

    /// Commits bytes as if they were one token. Input: the bytes.
    fn matcher_commit_bytes(matcher: u32) -> f64 {
        run(|exchange| {
            let bytes = std::mem::take(&mut exchange.input);
            exchange.matcher(matcher)?.matcher.commit_bytes(&bytes)?;
            Ok(0.0)
        })
    }

    /// The number of tokens that could be committed one after the other. Input: their ids.
    fn matcher_validate(matcher: u32) -> f64 {
        run(|exchange| {
            let tokens = exchange.tokens();
            Ok(exchange.matcher(matcher)?.matcher.validate(&tokens)? as f64)
        })
    }

    /// The number of bytes that could be committed one after the other. Input: the bytes.
    fn matcher_validate_bytes(matcher: u32) -> f64 {
        run(|exchange| {
            let bytes = std::mem::take(&mut exchange.input);
            Ok(exchange.matcher(matcher)?.matcher.validate_bytes(&bytes)? as f64)
        })
    }

    /// Takes back commits.
    fn matcher_rollback(matcher: u32, count: u32) -> f64 {
        with(matcher, |matcher| {
            matcher.rollback(count.into())?;
            Ok(0.0)
        })
    }

    /// Whether a token may come next.
    fn matcher_allows(matcher: u32, token: u32) -> f64 {
        with(matcher, |matcher| Ok(number(matcher.allows(token)?)))
    }

    /// Whether the text so far is in the language.
    fn matcher_is_accepting(matcher: u32) -> f64 {
        with(matcher, |matcher| Ok(number(matcher.is_accepting()?)))
    }

    /// Whether an end token was committed.
    fn matcher_is_terminated(matcher: u32) -> f64 {
        with(matcher, |matcher| Ok(number(matcher.is_terminated())))
    }

    /// Whether the output is still in the free text in front.
    fn matcher_is_free(matcher: u32) -> f64 {
        with(matcher, |matcher| Ok(number(is_free(matcher))))
    }

    /// The number of commits that were not taken back.
    fn matcher_committed(matcher: u32) -> f64 {
        with(matcher, |matcher| Ok(matcher.committed() as f64))
    }

    /// Writes the bytes that are certain to come, at most this number.
    fn matcher_forced(matcher: u32, most: u32) -> f64 {
        run(|exchange| {
            exchange.output = exchange.matcher(matcher)?.matcher.forced(most as usize)?;
            Ok(0.0)
        })
    }

    /// The number of tokens that may come next.
    fn matcher_count_allowed(matcher: u32) -> f64 {
        with(matcher, |matcher| Ok(matcher.count_allowed()?.into()))
    }

    /// Writes the tokens that may come next, as ranges: the first id, and the id behind the last one.
    fn matcher_allowed_ranges(matcher: u32) -> f64 {
        run(|exchange| {
            let ranges = exchange.matcher(matcher)?.matcher.allowed_ranges()?;
            Ok(exchange.give(ranges.into_iter().flat_map(|range| [range.start, range.end])))
        })
    }

    /// Limits the number of tokens that may still be committed; infinity lifts the limit.
    fn matcher_set_budget(matcher: u32, tokens: f64) -> f64 {
        with(matcher, |matcher| {
            matcher.set_budget(limit(tokens)?)?;
            Ok(0.0)
        })
    }

    /// The number of tokens that may still be committed; infinity if there is no limit.
    fn matcher_remaining(matcher: u32) -> f64 {
        with(matcher, |matcher| Ok(matcher.remaining().map_or(f64::INFINITY, f64::from)))
    }

    /// The number of tokens that complete the output; infinity if no completion is known.
    fn matcher_min_remaining(matcher: u32) -> f64 {
        with(matcher, |matcher| Ok(matcher.min_remaining()?.map_or(f64::INFINITY, f64::from)))
    }

    /// Writes tokens that complete the output, and returns their number; infinity if no completion is known.
    fn matcher_shortest_completion(matcher: u32) -> f64 {
        run(|exchange| {
            let tokens = exchange.matcher(matcher)?.matcher.shortest_completion()?;
            Ok(tokens.map_or(f64::INFINITY, |tokens| exchange.give(tokens)))
        })
    }

    /// The number of masks within a budget that may lack tokens.
    fn matcher_degraded_masks(matcher: u32) -> f64 {
        with(matcher, |matcher| Ok(matcher.degraded_masks() as f64))
    }
}
