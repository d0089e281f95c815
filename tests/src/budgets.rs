//! Token budgets beside the oracle: whatever is chosen from the masks within a budget, the output is complete before the budget ends.
//!
//! Along random outputs, every token that the mask allows without a budget is tried. The oracle must accept it, and then the shortest
//! completion of the runtime, whose length is the cost: so the cost is that of a real completion. The mask within each budget must have
//! exactly the tokens whose cost it affords. How often the cost is the fewest tokens, an exhaustive search says.

use crate::generate::Sample;
use crate::oracle::Decoder;
use crate::subject::{TokenBytes, convert, productions_of};
use gcc_grammar_artifact::GrammarView;
use gcc_grammar_compiler::liveness::Liveness;
use gcc_grammar_compiler::random::Random;
use gcc_grammar_compiler::{Options, TokenBudgets, compile};
use gcc_grammar_runtime::{Engine, Error, Matcher, TokenId};
use std::collections::BTreeMap;

/// Budgets above the least one.
const SLACK: u32 = 5;
/// Samples that need more tokens than this are left out: the oracle is slow.
const LONGEST: u32 = 40;
/// The words of a scratch.
const SCRATCH: usize = 1 << 18;
/// The tokens that the exhaustive search may try from one position.
const MOST_TRIED: u32 = 3_000;

/// How much was checked.
#[derive(Default, Debug)]
pub struct Tally {
    /// Samples that were compiled.
    pub samples: u64,
    /// Samples whose artifacts bound by how much a token raises the cost.
    pub bounded: u64,
    /// Samples whose costs are exact.
    pub exact: u64,
    /// Outputs, each of which was complete within its budget.
    pub outputs: u64,
    /// Positions in outputs.
    pub positions: u64,
    /// Bits of masks within budgets, of tokens that the mask has without one.
    pub decisions: u64,
    /// Bits that the budget took from a mask.
    pub withheld: u64,
    /// Positions at which the cost is the fewest tokens, and at which it is more, by how many.
    pub above_fewest: BTreeMap<u32, u64>,
    /// Positions at which the exhaustive search was given up.
    pub undecided: u64,
    /// Samples without a known completion.
    pub without_completion: u64,
    /// Outputs that were given up because the scratch was full.
    pub overflows: u64,
}

fn bits(row: &[u32]) -> Vec<u32> {
    let tokens = 0..32 * row.len() as u32;
    tokens.filter(|token| row[*token as usize / 32] >> (token % 32) & 1 == 1).collect()
}

/// Draws outputs of a sample within several budgets.
///
/// # Panics
/// Something is wrong.
pub fn try_sample(seed: u64, outputs: u64, budgets: TokenBudgets, tally: &mut Tally) {
    let sample = Sample::new(seed);
    let vocabulary = convert(&sample.vocabulary);
    let options = Options { budgets, ..Options::default() };
    let Ok(compiled) = compile(&sample.grammar.clone().into(), &vocabulary, &options, &mut ()) else {
        return;
    };
    let bytes = compiled.to_artifact(&vocabulary);
    let tokens = TokenBytes::new(&vocabulary);
    let engine = Engine::new(GrammarView::open(&bytes).expect("written"), &tokens).expect("compiled for it");
    let mut scratch = vec![0; SCRATCH];
    let mut matcher = Matcher::new(&engine, &mut scratch, 4).expect("room for the beginning");
    matcher.set_max_search(u64::MAX);
    tally.samples += 1;
    tally.bounded += u64::from(max_loss(&matcher) < u32::MAX);
    let is_exact = compiled.tables.completion.as_ref().is_some_and(|tables| tables.is_exact);
    tally.exact += u64::from(is_exact);
    let Some(least) = matcher.min_remaining().expect("enough scratch") else {
        tally.without_completion += 1;
        assert!(
            compiled.liveness != Liveness::Certified,
            "seed {seed}: a certified grammar has a completion"
        );
        return;
    };
    if least > LONGEST {
        return;
    }
    let cfg = productions_of(&sample.grammar, &sample.vocabulary);
    let mut pair =
        Pair { seed, is_exact, matcher, oracle: Decoder::new(&sample.grammar, &sample.vocabulary, cfg) };
    if least > 0 {
        let refused = pair.matcher.set_budget(Some(least - 1));
        assert_eq!(refused, Err(Error::BudgetTooSmall { needed: least, is_exact }), "seed {seed}");
    }
    for budget in least..=least + SLACK {
        for output in 0..outputs {
            pair.matcher.reset();
            pair.oracle.reset();
            pair.matcher.set_budget(Some(budget)).expect("large enough");
            pair.draw(&mut Random(seed ^ u64::from(budget) << 32 ^ output << 48), tally);
            tally.outputs += 1;
        }
        pair.matcher.set_budget(None).expect("lifted");
    }
}

/// Draws an output with a small scratch beside one with a large scratch. Returns how often the small one was full.
///
/// # Panics
/// They differ otherwise.
pub fn try_small_scratch(seed: u64, words: usize) -> u64 {
    let sample = Sample::new(seed);
    let vocabulary = convert(&sample.vocabulary);
    let Ok(compiled) = compile(&sample.grammar.into(), &vocabulary, &Options::default(), &mut ()) else {
        return 0;
    };
    let bytes = compiled.to_artifact(&vocabulary);
    let tokens = TokenBytes::new(&vocabulary);
    let engine = Engine::new(GrammarView::open(&bytes).expect("written"), &tokens).expect("compiled for it");
    let (mut small, mut large) = (vec![0; words], vec![0; SCRATCH]);
    let Ok(mut small) = Matcher::new(&engine, &mut small, 2) else { return 0 };
    let mut large = Matcher::new(&engine, &mut large, 2).expect("room for the beginning");
    small.set_max_search(u64::MAX);
    large.set_max_search(u64::MAX);
    let Ok(Some(least)) = small.min_remaining() else { return 0 };
    if small.set_budget(Some(least + LONGEST)).is_err() {
        return 0;
    }
    large.set_budget(Some(least + LONGEST)).expect("as the small one");
    let (mut random, mut full) = (Random(seed), 0);
    let mut row = vec![0; engine.row_words()];
    let mut completions = [[TokenId(0); 128]; 2];
    while let Ok(()) = large.fill_mask(&mut row) {
        let mask = bits(&row);
        assert!(small.fill_mask(&mut row).is_err() || bits(&row) == mask, "seed {seed}: another mask");
        let lengths = [&mut small, &mut large].into_iter().zip(&mut completions);
        let lengths: Vec<_> = lengths.map(|(matcher, buffer)| matcher.shortest_completion(buffer)).collect();
        full += u64::from(lengths[0] == Err(Error::ScratchFull));
        if let Ok(length) = lengths[0] {
            assert_eq!(lengths[1], Ok(length), "seed {seed}");
            assert_eq!(completions[0][..length], completions[1][..length], "seed {seed}");
        }
        if mask.is_empty() {
            break;
        }
        let token = TokenId(mask[random.below(mask.len())]);
        if small.commit(token) == Err(Error::ScratchFull) {
            full += 1;
            break;
        }
        large.commit(token).expect("as the small one");
        let least = small.min_remaining();
        assert!(least == Err(Error::ScratchFull) || least == large.min_remaining(), "seed {seed}");
    }
    full
}

/// Draws outputs of a sample from masks whose search has next to no work. Returns how many masks were degraded.
///
/// # Panics
/// A mask has a token that the exact one lacks, is empty where that one is not, or leads to an output that does not end within the budget
/// or that the oracle refuses.
pub fn try_degraded(seed: u64, most: u64) -> u64 {
    let sample = Sample::new(seed);
    let vocabulary = convert(&sample.vocabulary);
    let Ok(compiled) = compile(&sample.grammar.clone().into(), &vocabulary, &Options::default(), &mut ())
    else {
        return 0;
    };
    let bytes = compiled.to_artifact(&vocabulary);
    let tokens = TokenBytes::new(&vocabulary);
    let engine = Engine::new(GrammarView::open(&bytes).expect("written"), &tokens).expect("compiled for it");
    let (mut exact, mut bounded) = (vec![0; SCRATCH], vec![0; SCRATCH]);
    let mut exact = Matcher::new(&engine, &mut exact, 4).expect("room for the beginning");
    let mut bounded = Matcher::new(&engine, &mut bounded, 4).expect("room for the beginning");
    exact.set_max_search(u64::MAX);
    bounded.set_max_search(most);
    let Some(least) = exact.min_remaining().expect("enough scratch").filter(|&least| least <= LONGEST) else {
        return 0;
    };
    let mut oracle = Decoder::new(
        &sample.grammar,
        &sample.vocabulary,
        productions_of(&sample.grammar, &sample.vocabulary),
    );
    let mut random = Random(seed);
    for budget in least..=least + SLACK {
        oracle.reset();
        for matcher in [&mut exact, &mut bounded] {
            matcher.reset();
            matcher.set_budget(Some(budget)).expect("large enough");
        }
        draw_degraded(seed, ([&mut exact, &mut bounded], most), &mut oracle, &mut random);
        for matcher in [&mut exact, &mut bounded] {
            matcher.set_budget(None).expect("lifted");
        }
    }
    assert_eq!(exact.degraded_masks(), 0, "seed {seed}");
    bounded.degraded_masks()
}

/// Draws an output from the masks of the second matcher, beside the exact ones of the first.
fn draw_degraded(
    seed: u64,
    ([exact, bounded], most): ([&mut Matcher<'_, '_>; 2], u64),
    oracle: &mut Decoder,
    random: &mut Random,
) {
    let mut row = vec![0; exact.engine().row_words()];
    loop {
        let before = bounded.degraded_masks();
        exact.fill_mask(&mut row).expect("enough scratch");
        let all = bits(&row);
        bounded.fill_mask(&mut row).expect("enough scratch");
        let mask = bits(&row);
        let mut ranges = Vec::new();
        bounded.each_allowed_range(|range| ranges.extend(range)).expect("enough scratch");
        assert_eq!(ranges, mask, "seed {seed}: ranges");
        assert_eq!(bounded.count_allowed(), Ok(mask.len() as u32), "seed {seed}: count");
        for token in 0..32 * row.len() as u32 {
            assert_eq!(bounded.allows(TokenId(token)), Ok(mask.contains(&token)), "seed {seed}: {token}");
        }
        assert_eq!(mask_of_restored(bounded, most), mask, "seed {seed}: restored");
        assert!(mask.iter().all(|token| all.contains(token)), "seed {seed}: {mask:?} beside {all:?}");
        assert_eq!(mask.is_empty(), all.is_empty(), "seed {seed}");
        assert!(mask == all || bounded.degraded_masks() > before, "seed {seed}: a token is missing silently");
        let mut completion = vec![TokenId(0); exact.min_remaining().expect("known").expect("known") as usize];
        let length = bounded.shortest_completion(&mut completion).expect("as short as is known");
        let accepted = completion[..length].iter().take_while(|token| oracle.accept(token.0)).count();
        let is_complete = accepted == length && (oracle.is_terminated() || oracle.accepts());
        assert!(is_complete || oracle.is_exhausted(), "seed {seed}: {completion:?} completes no text");
        oracle.rollback(accepted);
        if mask.is_empty() {
            let ended = bounded.is_terminated() || bounded.is_accepting() == Ok(true);
            assert!(ended, "seed {seed}: a dead end");
            return;
        }
        let token = mask[random.below(mask.len())];
        exact.commit(TokenId(token)).expect("the exact mask allows it");
        bounded.commit(TokenId(token)).expect("the mask allows it");
        assert!(oracle.accept(token) || oracle.is_exhausted(), "seed {seed}: the oracle refuses {token}");
    }
}

/// The mask of a matcher that was saved and restored: what it remembered of costs is gone.
fn mask_of_restored(matcher: &mut Matcher<'_, '_>, most: u64) -> Vec<u32> {
    let (mut saved, mut scratch) = (vec![0; 1 << 16], vec![0; SCRATCH]);
    let length = matcher.save(&mut saved).expect("enough room");
    let restored = Matcher::restore(matcher.engine(), &mut scratch, &saved[..length]);
    let mut restored = restored.expect("what was saved can be restored");
    restored.set_max_search(most);
    let mut row = vec![0; matcher.engine().row_words()];
    restored.fill_mask(&mut row).expect("enough scratch");
    bits(&row)
}

fn max_loss(matcher: &Matcher<'_, '_>) -> u32 {
    matcher.engine().grammar().completion().map_or(u32::MAX, |completion| completion.max_loss())
}

/// The runtime and the oracle at the same position.
struct Pair<'a, 's> {
    seed: u64,
    is_exact: bool,
    matcher: Matcher<'a, 's>,
    oracle: Decoder,
}

impl Pair<'_, '_> {
    /// Draws an output within the budget of the matcher.
    fn draw(&mut self, random: &mut Random, tally: &mut Tally) {
        let seed = self.seed;
        let mut row = vec![0; self.matcher.engine().row_words()];
        loop {
            let remaining = self.matcher.remaining().expect("a budget was set");
            if self.matcher.fill_mask(&mut row) == Err(Error::ScratchFull) {
                tally.overflows += 1;
                return;
            }
            let least = self.least().expect("the budget is enough");
            assert!(least <= remaining, "seed {seed}: {least} tokens are needed, {remaining} remain");
            let mask = bits(&row);
            tally.positions += 1;
            match self.compare_masks(remaining, &mask, tally) {
                Err(Error::ScratchFull) => {
                    tally.overflows += 1;
                    return;
                }
                compared => compared.expect("no other error"),
            }
            self.search(least, tally);
            if mask.is_empty() {
                let ended = self.matcher.is_terminated() || self.matcher.is_accepting() == Ok(true);
                assert!(ended, "seed {seed}: a dead end");
                return;
            }
            let token = mask[random.below(mask.len())];
            self.matcher.commit(TokenId(token)).expect("the mask allows it");
            let accepted = self.oracle.accept(token);
            assert!(accepted || self.oracle.is_exhausted(), "seed {seed}: the oracle refuses {token}");
        }
    }

    fn least(&mut self) -> Option<u32> {
        self.matcher.min_remaining().expect("enough scratch")
    }

    /// Compares the masks within several budgets with the costs after the tokens, each of which is that of a completion.
    fn compare_masks(&mut self, remaining: u32, mask: &[u32], tally: &mut Tally) -> Result<(), Error> {
        let seed = self.seed;
        let mut scratch = vec![0; SCRATCH];
        let mut fork = self.matcher.fork(&mut scratch).expect("as large");
        fork.set_budget(None).expect("lifted");
        let mut row = vec![0; fork.engine().row_words()];
        fork.fill_mask(&mut row)?;
        let plain = bits(&row);
        let costs: Vec<Option<u32>> =
            plain.iter().map(|&token| self.cost_after(&mut fork, token)).collect::<Result<_, Error>>()?;
        let within = |budget: u32| {
            let affordable =
                plain.iter().zip(&costs).filter(|(_, cost)| cost.is_some_and(|cost| cost < budget));
            affordable.map(|(&token, _)| token).collect::<Vec<u32>>()
        };
        assert_eq!(mask, within(remaining), "seed {seed}: the mask within {remaining} tokens");
        let least = self.least().expect("the budget is enough");
        let far = least.saturating_add(max_loss(&fork)).min(4 * LONGEST);
        for budget in (least.saturating_sub(1)..=least + SLACK).chain(far.saturating_sub(1)..=far + 2) {
            fork.fill_mask_within(&mut row, budget)?;
            let wanted = within(budget);
            assert_eq!(bits(&row), wanted, "seed {seed}: the mask within {budget} tokens");
            tally.decisions += plain.len() as u64;
            tally.withheld += (plain.len() - wanted.len()) as u64;
        }
        Ok(())
    }

    /// The cost after a token: the oracle accepts it, and so many tokens that complete the text.
    fn cost_after(&mut self, fork: &mut Matcher<'_, '_>, token: u32) -> Result<Option<u32>, Error> {
        let seed = self.seed;
        fork.commit(TokenId(token))?;
        let cost = fork.min_remaining()?;
        if let Some(cost) = cost {
            let mut completion = vec![TokenId(0); cost as usize];
            let length = fork.shortest_completion(&mut completion)?;
            let tokens: Vec<u32> =
                [token].into_iter().chain(completion[..length].iter().map(|id| id.0)).collect();
            let accepted = tokens.iter().take_while(|&&token| self.oracle.accept(token)).count();
            let is_complete = self.oracle.is_terminated() || self.oracle.accepts();
            let is_right = accepted == tokens.len() && is_complete;
            assert!(is_right || self.oracle.is_exhausted(), "seed {seed}: {tokens:?} completes no text");
            self.oracle.rollback(accepted);
        }
        fork.rollback(1)?;
        Ok(cost)
    }

    /// Compares the cost with the fewest tokens.
    fn search(&mut self, least: u32, tally: &mut Tally) {
        let mut left = MOST_TRIED;
        for length in 0..least {
            match reaches_end(&mut self.oracle, length, &mut left) {
                Some(false) => {}
                Some(true) => {
                    assert!(
                        !self.is_exact,
                        "seed {}: {length} tokens complete the text, not {least}",
                        self.seed
                    );
                    *tally.above_fewest.entry(least - length).or_default() += 1;
                    return;
                }
                None => {
                    tally.undecided += 1;
                    return;
                }
            }
        }
        *tally.above_fewest.entry(0).or_default() += 1;
    }
}

/// Whether some sequence of so many tokens completes the text; `None` after too many tries.
fn reaches_end(oracle: &mut Decoder, length: u32, left: &mut u32) -> Option<bool> {
    if oracle.is_exhausted() {
        return None;
    }
    if length == 0 {
        return Some(oracle.is_terminated());
    }
    let allowed = oracle.allowed();
    for token in (0..).zip(&allowed).filter(|(_, allowed)| **allowed).map(|(token, _)| token) {
        *left = left.checked_sub(1)?;
        if !oracle.accept(token) {
            return None;
        }
        let found = reaches_end(oracle, length - 1, left);
        oracle.rollback(1);
        if found != Some(false) {
            return found;
        }
    }
    Some(false)
}
