//! Takes an engine along the steps of a case.

use super::case::Expectation;
use crate::compare::Step;
use crate::engine::{Engine, Overflow};

/// Takes `engine` along the steps.
///
/// # Errors
/// A message about the first step at which the engine does not do what is expected.
pub fn follow(engine: &mut dyn Engine, steps: &[Expectation]) -> Result<(), String> {
    for (index, step) in steps.iter().enumerate() {
        let met = meets(engine, step).unwrap_or_else(|Overflow| Err("a limit was reached".to_owned()));
        met.map_err(|message| format!("step {index}: {message}"))?;
    }
    Ok(())
}

/// Checks one step, and takes it.
fn meets(engine: &mut dyn Engine, step: &Expectation) -> Result<Result<(), String>, Overflow> {
    let found: Vec<u32> = (0..).zip(engine.mask()?).filter(|(_, bit)| *bit).map(|(id, _)| id).collect();
    if found != step.allowed {
        return Ok(Err(format!("allowed {found:?} instead of {:?}", step.allowed)));
    }
    if let Some(expected) = step.accepting
        && engine.is_accepting()? != expected
    {
        return Ok(Err(format!("accepting is {} instead of {expected}", !expected)));
    }
    let done = match step.then {
        None => true,
        Some(Step::Rollback(tokens)) => engine.rollback(tokens),
        Some(Step::Commit(token)) => engine.commit(token)? == step.allowed.contains(&token),
    };
    Ok(if done { Ok(()) } else { Err(format!("{:?} went wrong", step.then)) })
}
