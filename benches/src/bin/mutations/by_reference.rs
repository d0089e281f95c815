//! Compares the verdicts on all texts with those of a reference parser, and shows the first disagreements.

use crate::case::Case;
use crate::{Arguments, verdict};
use gcc_grammar_benches::Result;
use gcc_grammar_benches::reference::verdicts;
use gcc_grammar_tests::law::Law;

/// How often the grammar and the reference accept the same mutation.
#[derive(Default)]
struct Agreement {
    both_accept: usize,
    both_refuse: usize,
    only_grammar: usize,
    only_reference: usize,
}

/// Whether every unchanged program that the reference accepts is accepted.
pub(crate) fn compare(arguments: &Arguments, law: &Law, cases: &[Case], command: &str) -> Result<bool> {
    let texts: Vec<_> = cases.iter().map(|case| (case.extension(), case.text.as_str())).collect();
    let expected = verdicts(command, &texts)?;
    let mut agreement = Agreement::default();
    let mut shown = 0;
    let mut is_complete = true;
    law.judge(|read| {
        for (case, &expected) in cases.iter().zip(&expected) {
            let (readable, accepted) = verdict(read, case.text.as_bytes());
            let is_mutated = case.change.is_some();
            if is_mutated {
                agreement.count(accepted, expected);
            } else {
                is_complete &= accepted || !expected;
            }
            if accepted != expected && (!is_mutated || shown < arguments.show) {
                shown += usize::from(is_mutated);
                show(case, expected, readable);
            }
        }
    });
    agreement.print();
    Ok(is_complete)
}

impl Agreement {
    fn count(&mut self, by_grammar: bool, by_reference: bool) {
        let count = match (by_grammar, by_reference) {
            (true, true) => &mut self.both_accept,
            (false, false) => &mut self.both_refuse,
            (true, false) => &mut self.only_grammar,
            (false, true) => &mut self.only_reference,
        };
        *count += 1;
    }

    fn print(&self) {
        let Self { both_accept, both_refuse, only_grammar, only_reference } = self;
        let agreed = both_accept + both_refuse;
        let all = agreed + only_grammar + only_reference;
        println!("mutations  {all}: both accept {both_accept}, both refuse {both_refuse}");
        println!("           only the grammar accepts {only_grammar}, only the reference {only_reference}");
        println!("agreement  {:.2} %", agreed as f64 * 100.0 / all.max(1) as f64);
    }
}

/// Shows a text on which the grammar and the reference disagree. `readable` is the length of its longest viable prefix.
fn show(case: &Case, expected: bool, readable: usize) {
    let at = case.change.as_ref().map_or(readable, |(at, _)| *at);
    let verdict = if expected { "refused, the reference accepts" } else { "accepted, the reference refuses" };
    println!("{}: {}: {verdict}", case.place(at), case.description());
    println!("    {}", case.around(at, 60));
    if expected && readable != at {
        println!("    read up to: {}", case.around(readable, 40));
    }
}
