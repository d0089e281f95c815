//! Outputs within budgets, drawn at random, and the times of their masks.

use gcc_grammar::Matcher;
use gcc_grammar::generate::{Drawn, draw};
use gcc_grammar_benches::Result;
use gcc_grammar_benches::times::{SUMMARY, Summary, Times};
use gcc_grammar_benches::tokenization::Random;
use std::time::{Duration, Instant};

/// Budgets above the fewest tokens.
pub(crate) const ABOVE: [u32; 3] = [0, 2, 8];
/// A budget whose end is far.
const DISTANT: u32 = 1 << 20;
/// Masks are near the end of the budget if this many tokens remain, or fewer.
const NEAR: u32 = 32;
/// Masks that take longer are made again.
const LONG: Duration = Duration::from_micros(100);

/// The times of masks, and how many of those near the end lack tokens.
#[derive(Default)]
pub(crate) struct Masks {
    plain: Times,
    distant: Times,
    far: Times,
    near: Times,
    near_plain: Times,
    degraded: u64,
    /// The slowest mask near the end, with what remained, and the text drawn before it.
    slowest: Option<(Duration, u32, String)>,
}

impl Masks {
    /// Draws what completes the text of a matcher within a budget, beside matchers without one and with a distant one. `None` if a mask is
    /// empty before the end.
    pub(crate) fn within(
        &mut self,
        start: &Matcher,
        budget: u32,
        random: &mut Random,
    ) -> Result<Option<Vec<u32>>> {
        let [mut matcher, mut plain, mut distant] = [start.fork()?, start.fork()?, start.fork()?];
        matcher.set_budget(Some(budget))?;
        distant.set_budget(Some(DISTANT))?;
        let mut row = vec![0; start.session().row_words()];
        let mut tokens = Vec::new();
        loop {
            // The first mask of each matcher fetches what the second one reads.
            time(&mut plain, &mut row)?;
            let took = time(&mut plain, &mut row)?;
            self.plain.push(took);
            time(&mut distant, &mut row)?;
            self.distant.push(time(&mut distant, &mut row)?);
            self.bounded(&mut matcher, &mut row, took, &tokens)?;
            match draw(&mut matcher, random)? {
                Drawn::Token(token) => {
                    tokens.push(token);
                    [&mut matcher, &mut plain, &mut distant]
                        .into_iter()
                        .try_for_each(|each| each.commit(token))?;
                }
                Drawn::End(end) => {
                    tokens.extend(end);
                    return Ok(Some(tokens));
                }
                Drawn::Nothing => return Ok(None),
            }
        }
    }

    /// Times the mask of a matcher with a budget.
    fn bounded(
        &mut self,
        matcher: &mut Matcher,
        row: &mut [u32],
        plain: Duration,
        tokens: &[u32],
    ) -> Result<()> {
        let (left, degraded) = (matcher.remaining().unwrap_or(0), matcher.degraded_masks());
        let took = least_time(matcher, row)?;
        if left > NEAR {
            self.far.push(took);
            return Ok(());
        }
        self.near.push(took);
        self.near_plain.push(plain);
        self.degraded += matcher.degraded_masks() - degraded;
        if self.slowest.as_ref().is_none_or(|(most, ..)| *most < took) {
            let text = matcher.session().vocabulary().text_of(tokens);
            self.slowest = Some((took, left, String::from_utf8_lossy(&text).into_owned()));
        }
        Ok(())
    }

    /// Prints a line for each kind of masks, and the slowest mask near the end.
    pub(crate) fn print(&mut self) {
        for (name, times) in [
            ("plain", &mut self.plain),
            ("distant", &mut self.distant),
            ("far", &mut self.far),
            ("near", &mut self.near),
            ("(plain)", &mut self.near_plain),
        ] {
            println!("{} of {}", Summary(name, times.percentiles(SUMMARY)), times.len());
        }
        println!("degraded  {} of {} masks near the end", self.degraded, self.near.len());
        if let Some((took, left, before)) = &self.slowest {
            println!("slowest   {took:.2?}, {left} tokens left, after {before:?}");
        }
    }
}

fn time(matcher: &mut Matcher, row: &mut [u32]) -> Result<Duration> {
    let start = Instant::now();
    matcher.fill_mask(row)?;
    Ok(start.elapsed())
}

/// The least time of the same mask, from the matcher and, if it took long, from copies of it: other processes take processors away.
fn least_time(matcher: &mut Matcher, row: &mut [u32]) -> Result<Duration> {
    let mut copies = [matcher.fork()?, matcher.fork()?, matcher.fork()?];
    let mut least = time(matcher, row)?;
    for copy in &mut copies {
        if least > LONG {
            least = least.min(time(copy, row)?);
        }
    }
    Ok(least)
}
