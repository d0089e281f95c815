//! Compares the verdicts on all texts, and masks at some places of them, with those of the oracle, and shows all differences.

use crate::case::Case;
use crate::{Arguments, verdict};
use gcc_grammar::{MatchError, Matcher, Session};
use gcc_grammar_benches::Result;
use gcc_grammar_benches::language::Language;
use gcc_grammar_benches::oracle::{GaveUp, Oracle};
use gcc_grammar_benches::replay::is_allowed;
use gcc_grammar_benches::tokenization::Random;
use gcc_grammar_tests::law::Law;
use std::time::Instant;

/// Whether the oracle reads as much of every text, and gives the same verdict.
pub(crate) fn compare_verdicts(law: &Law, cases: &[Case], oracle: &mut Oracle) -> bool {
    let start = Instant::now();
    let (mut accepted, mut refused, mut different, mut given_up) = (0, 0, 0, 0);
    law.judge(|read| {
        for case in cases {
            let found = verdict(read, case.text.as_bytes());
            match oracle.judge(case.text.as_bytes()) {
                Ok(expected) if expected == found && found.1 => accepted += 1,
                Ok(expected) if expected == found => refused += 1,
                Ok(expected) => {
                    different += 1;
                    let at = found.0.min(expected.0);
                    let (place, description) = (case.place(at), case.description());
                    println!("{place}: {description}: {found:?}, the oracle {expected:?}");
                    println!("    {}", case.around(at, 60));
                }
                Err(GaveUp) => {
                    given_up += 1;
                    println!("{}: {}: the oracle gave up", case.file.display(), case.description());
                }
            }
        }
    });
    let texts = cases.len();
    println!("oracle     {texts} texts: both accept {accepted}, both refuse at the same byte {refused}");
    println!("           different {different}, oracle gave up {given_up}; {:.1?}", start.elapsed());
    different == 0
}

/// Compares masks, and counts the results.
struct Masks<'v> {
    /// The tokens with bytes, sorted by their bytes.
    tokens: Vec<(&'v [u8], u32)>,
    matcher: Matcher,
    compared: usize,
    /// Over all masks, the tokens that the oracle allows.
    allowed: usize,
    /// Over all masks, the tokens on which the oracle disagrees.
    different: usize,
    given_up: usize,
}

/// Whether the masks at random places of the programs are as the oracle says.
pub(crate) fn compare_masks(arguments: &Arguments, cases: &[Case], oracle: &mut Oracle) -> Result<bool> {
    let start = Instant::now();
    let language = Language::compile(&arguments.grammar, "llama3")?;
    let mut masks = Masks::new(&language.session)?;
    for (index, cases) in cases.chunk_by(|_, next| next.change.is_some()).enumerate() {
        let mut random = arguments.random(index);
        for _ in 0..arguments.masks {
            let (case, at) = place(cases, oracle, &mut random);
            masks.compare(case, at, oracle)?;
        }
    }
    let Masks { tokens, compared, allowed, different, given_up, .. } = masks;
    println!("masks      {compared} of {} tokens, {allowed} times allowed by both", tokens.len());
    println!("           different {different}, oracle gave up {given_up}; {:.1?}", start.elapsed());
    Ok(different == 0)
}

/// A random text among a program and its mutations, and the length of a viable prefix: any, or the longest.
fn place<'c>(cases: &'c [Case], oracle: &mut Oracle, random: &mut Random) -> (&'c Case, usize) {
    let case = &cases[random.below(cases.len())];
    let readable = oracle.judge(case.text.as_bytes()).map_or(0, |(readable, _)| readable);
    let is_longest = random.below(2) == 0;
    (case, if is_longest { readable } else { random.below(readable + 1) })
}

impl<'v> Masks<'v> {
    fn new(session: &'v Session) -> Result<Self> {
        let vocabulary = session.vocabulary().tokens();
        let tokens = (0..vocabulary.ids()).filter_map(|id| Some((vocabulary.bytes(id)?, id)));
        let mut tokens: Vec<_> = tokens.filter(|token| !token.0.is_empty()).collect();
        tokens.sort_unstable();
        Ok(Self {
            tokens,
            matcher: session.matcher_with_rollback(1)?,
            compared: 0,
            allowed: 0,
            different: 0,
            given_up: 0,
        })
    }

    /// Compares the mask after the first `at` bytes of a text.
    fn compare(&mut self, case: &Case, at: usize, oracle: &mut Oracle) -> Result<()> {
        let text = &case.text.as_bytes()[..at];
        let row = mask(&mut self.matcher, text).map_err(|error| format!("{}: {error}", case.place(at)))?;
        let Ok(expected) = oracle.allowed(text, self.tokens.iter().map(|token| token.0)) else {
            self.given_up += 1;
            return Ok(());
        };
        self.compared += 1;
        self.allowed += expected.iter().filter(|&&allowed| allowed).count();
        for (&(bytes, id), expected) in self.tokens.iter().zip(expected) {
            if is_allowed(&row, id) != expected {
                self.different += 1;
                let (place, token) = (case.place(at), String::from_utf8_lossy(bytes));
                println!("{place}: token {id} {token:?}: {}, the oracle {expected}", !expected);
                println!("    {}", case.around(at, 60));
            }
        }
        Ok(())
    }
}

/// The mask after a text.
fn mask(matcher: &mut Matcher, text: &[u8]) -> Result<Vec<u32>, MatchError> {
    matcher.reset();
    matcher.commit_bytes(text)?;
    let mut row = vec![0; matcher.session().row_words()];
    matcher.fill_mask(&mut row)?;
    Ok(row)
}
