//! Token budgets: whatever is chosen from the masks within a budget, the output is complete before the budget ends.

use gcc_grammar_artifact::{Fingerprint, GrammarView};
use gcc_grammar_compiler::random::Random;
use gcc_grammar_compiler::{Options, compile};
use gcc_grammar_runtime::{Engine, Error, Matcher, TokenId, Tokens};
use gcc_grammar_tests::generate::Sample;
use gcc_grammar_tests::oracle::Decoder;
use gcc_grammar_tests::subject::{convert, productions_of};
use gcc_grammar_vocabulary::Vocabulary;

/// Outputs per sample and budget.
const OUTPUTS: u64 = 3;
/// Budgets above the least one.
const SLACK: u32 = 4;
/// Samples that need more tokens than this are left out: the oracle is slow.
const LONGEST: u32 = 40;

struct TokenBytes<'a>(&'a Vocabulary);

impl Tokens for TokenBytes<'_> {
    fn bytes(&self, token: TokenId) -> Option<&[u8]> {
        self.0.bytes(token.0)
    }

    fn width(&self) -> u32 {
        self.0.width()
    }

    fn fingerprint(&self) -> Fingerprint {
        self.0.fingerprint()
    }
}

/// How much was checked.
#[derive(Default, Debug)]
struct Tally {
    samples: u64,
    outputs: u64,
    masks: u64,
    /// Bits that the budget took from a mask.
    withheld: u64,
    without_completion: u64,
    overflows: u64,
}

fn bits(row: &[u32]) -> Vec<u32> {
    let tokens = 0..32 * row.len() as u32;
    tokens.filter(|token| row[*token as usize / 32] >> (token % 32) & 1 == 1).collect()
}

/// Draws outputs of a sample within several budgets.
fn try_sample(seed: u64, tally: &mut Tally) {
    let sample = Sample::new(seed);
    let vocabulary = convert(&sample.vocabulary);
    let Ok(compiled) = compile(&sample.grammar, &vocabulary, &Options::default(), &mut ()) else { return };
    let bytes = compiled.to_artifact(&vocabulary);
    let tokens = TokenBytes(&vocabulary);
    let engine = Engine::new(GrammarView::open(&bytes).expect("written"), &tokens).expect("compiled for it");
    let mut scratch = vec![0; 1 << 18];
    let mut matcher = Matcher::new(&engine, &mut scratch, 4).expect("room for the beginning");
    tally.samples += 1;
    let Some(least) = matcher.min_remaining().expect("enough scratch") else {
        tally.without_completion += 1;
        assert!(!compiled_is_certified(&compiled), "seed {seed}: a certified grammar has a completion");
        return;
    };
    if least > LONGEST {
        return;
    }
    let mut oracle = Decoder::new(
        &sample.grammar,
        &sample.vocabulary,
        productions_of(&sample.grammar, &sample.vocabulary),
    );
    if least > 0 {
        assert_eq!(
            matcher.set_budget(Some(least - 1)),
            Err(Error::BudgetTooSmall { needed: least }),
            "seed {seed}"
        );
    }
    for budget in least..=least + SLACK {
        for output in 0..OUTPUTS {
            matcher.reset();
            oracle.reset();
            matcher.set_budget(Some(budget)).expect("large enough");
            let mut random = Random(seed ^ u64::from(budget) << 32 ^ output << 48);
            draw(seed, &mut matcher, &mut oracle, &mut random, tally);
            tally.outputs += 1;
        }
        matcher.set_budget(None).expect("lifted");
    }
}

fn compiled_is_certified(compiled: &gcc_grammar_compiler::Compiled) -> bool {
    compiled.liveness == gcc_grammar_compiler::liveness::Liveness::Certified
}

/// Draws an output within the budget of the matcher.
fn draw(
    seed: u64,
    matcher: &mut Matcher<'_, '_>,
    oracle: &mut Decoder,
    random: &mut Random,
    tally: &mut Tally,
) {
    let words = matcher.engine().row_words();
    let (mut row, mut plain) = (vec![0; words], vec![0; words]);
    let mut completion = vec![TokenId(0); 64];
    loop {
        let remaining = matcher.remaining().expect("a budget was set");
        if matcher.fill_mask(&mut row) == Err(Error::ScratchFull) {
            tally.overflows += 1;
            return;
        }
        let least = matcher.min_remaining().expect("enough scratch").expect("the budget is enough");
        assert!(least <= remaining, "seed {seed}: {least} tokens are needed, {remaining} remain");
        let length = matcher.shortest_completion(&mut completion).expect("there is one, and room for it");
        assert!(length <= least as usize, "seed {seed}: {length} tokens instead of {least}");
        check_completion(seed, oracle, &completion[..length]);
        let mask = bits(&row);
        let mut fork_scratch = vec![0; 1 << 18];
        let mut fork = matcher.fork(&mut fork_scratch).expect("as large");
        fork.set_budget(None).expect("lifted");
        fork.fill_mask(&mut plain).expect("enough scratch");
        let plain = bits(&plain);
        assert!(
            mask.iter().all(|token| plain.contains(token)),
            "seed {seed}: more tokens than without a budget"
        );
        tally.masks += 1;
        tally.withheld += (plain.len() - mask.len()) as u64;
        if mask.is_empty() {
            assert!(matcher.is_terminated() || matcher.is_accepting() == Ok(true), "seed {seed}: a dead end");
            return;
        }
        let token = mask[random.below(mask.len())];
        matcher.commit(TokenId(token)).expect("the mask allows it");
        assert!(oracle.accept(token) || oracle.is_exhausted(), "seed {seed}: the oracle refuses {token}");
    }
}

/// Checks that the tokens complete the text of the oracle.
fn check_completion(seed: u64, oracle: &mut Decoder, tokens: &[TokenId]) {
    let accepted = tokens.iter().take_while(|token| oracle.accept(token.0)).count();
    let is_complete = accepted == tokens.len() && (oracle.is_terminated() || oracle.accepts());
    assert!(is_complete || oracle.is_exhausted(), "seed {seed}: {tokens:?} is no completion");
    oracle.rollback(accepted);
}

#[test]
fn outputs_are_complete_within_the_budget() {
    let mut tally = Tally::default();
    for seed in 0..1_500 {
        try_sample(seed, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.outputs > 10_000 && tally.withheld > 10_000, "{tally:?}");
}
