//! Outputs of schemas within budgets, beside outputs that are cut off; the times of their masks, and what the artifacts cost.

use crate::Schemas;
use crate::masks::{ABOVE, Masks};
use gcc_grammar::generate::{Drawn, draw};
use gcc_grammar::{Options, Session, Source, TokenBudgets, Vocabulary, compile};
use gcc_grammar_benches::Result;
use gcc_grammar_benches::cases::Case;
use gcc_grammar_benches::corpus::{files, sample};
use gcc_grammar_benches::times::nearest_rank;
use gcc_grammar_benches::tokenization::Random;
use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

/// The greatest budget.
const MOST: u32 = 200;
/// Budgets that do not follow from the fewest tokens.
const BUDGETS: [u32; 4] = [32, 64, 128, MOST];

#[derive(Default)]
struct Report {
    schemas: usize,
    within: u64,
    too_long: u64,
    without: u64,
    cut_off: u64,
    masks: Masks,
    /// Per schema, in per mille: the size and the time to compile beside those without budgets.
    sizes: Vec<u64>,
    compile_times: Vec<u64>,
    losses: Vec<u32>,
    lines: String,
}

pub(crate) fn run(arguments: &Schemas, vocabulary: &Vocabulary, seed: u64) -> Result<bool> {
    let mut cases = files(&arguments.folders)?;
    cases.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    // More than are wanted: some schemas are refused, or have only long values.
    sample(&mut cases, 4 * arguments.count, seed);
    let mut random = Random(seed);
    let mut report = Report::default();
    while report.schemas < arguments.count && !cases.is_empty() {
        let case = cases.swap_remove(random.below(cases.len()));
        report.schema(&case, vocabulary, arguments.outputs, &mut random)?;
    }
    if let Some(path) = &arguments.write {
        std::fs::write(path, &report.lines)?;
    }
    report.print();
    Ok(report.too_long == 0)
}

impl Report {
    fn schema(
        &mut self,
        path: &Path,
        vocabulary: &Vocabulary,
        outputs: u64,
        random: &mut Random,
    ) -> Result<()> {
        let schema = Case::open(path)?.schema.to_string();
        let source = Source::json_schema(schema);
        let Ok((session, time)) = timed(&source, vocabulary, TokenBudgets::Bounded) else { return Ok(()) };
        let Some(least) = session.matcher()?.min_remaining()?.filter(|&least| least <= MOST) else {
            return Ok(());
        };
        let (without, time_without) = timed(&source, vocabulary, TokenBudgets::Off)?;
        let bytes = |session: &Session| session.artifact().bytes().len() as u64;
        self.schemas += 1;
        self.sizes.push(1000 * bytes(&session) / bytes(&without).max(1));
        self.compile_times.push((1000.0 * time.as_secs_f64() / time_without.as_secs_f64()) as u64);
        let completion = session.artifact().grammar()?.completion().copied();
        self.losses.push(completion.map_or(u32::MAX, |completion| completion.max_loss()));
        let above = ABOVE.into_iter().map(|above| least + above);
        for budget in above.chain(BUDGETS.into_iter().filter(|&budget| budget > least + 8)) {
            for _ in 0..outputs {
                let tokens = self.masks.within(&session.matcher()?, budget, random)?;
                self.within += 1;
                let is_right = tokens.as_ref().is_some_and(|tokens| tokens.len() <= budget as usize);
                self.too_long += u64::from(!is_right);
                let text =
                    String::from_utf8_lossy(&vocabulary.text_of(&tokens.unwrap_or_default())).into_owned();
                let line = serde_json::json!({ "case": path, "budget": budget, "text": text });
                writeln!(self.lines, "{line}")?;
                self.without += 1;
                self.cut_off += u64::from(!is_complete(&session, budget, random)?);
            }
        }
        Ok(())
    }

    fn print(&mut self) {
        let percent = |part: u64, all: u64| 100.0 * part as f64 / all.max(1) as f64;
        println!("{} schemas", self.schemas);
        let complete = percent(self.within - self.too_long, self.within);
        println!("within a budget    {} outputs, {complete:.2} % complete", self.within);
        let complete = percent(self.without - self.cut_off, self.without);
        println!("cut off            {} outputs, {complete:.2} % complete", self.without);
        self.masks.print();
        self.sizes.sort_unstable();
        self.compile_times.sort_unstable();
        self.losses.sort_unstable();
        let ratio = |values: &[u64], per_mille| nearest_rank(values, per_mille).unwrap_or(0) as f64 / 1000.0;
        println!(
            "artifact size   p50 {:.3} times, p90 {:.3}",
            ratio(&self.sizes, 500),
            ratio(&self.sizes, 900)
        );
        println!(
            "compile time    p50 {:.3} times, p90 {:.3}",
            ratio(&self.compile_times, 500),
            ratio(&self.compile_times, 900)
        );
        let loss = |per_mille| nearest_rank(&self.losses, per_mille).unwrap_or(0);
        let known = self.losses.iter().filter(|&&loss| loss < u32::MAX).count();
        println!("greatest loss   known of {known}, p50 {}, p90 {}", loss(500), loss(900));
    }
}

fn timed(source: &Source, vocabulary: &Vocabulary, budgets: TokenBudgets) -> Result<(Session, Duration)> {
    let start = Instant::now();
    let artifact = compile(source, vocabulary, &Options { budgets, ..Options::default() })?;
    let time = start.elapsed();
    Ok((Session::new(artifact, vocabulary)?, time))
}

/// Whether random tokens without a budget end the output within so many tokens.
fn is_complete(session: &Session, most: u32, random: &mut Random) -> Result<bool> {
    let mut matcher = session.matcher()?;
    for _ in 0..most {
        match draw(&mut matcher, random)? {
            Drawn::Token(token) => matcher.commit(token)?,
            Drawn::End(_) => return Ok(true),
            Drawn::Nothing => return Ok(false),
        }
    }
    Ok(false)
}
