//! The questions that are put to a pair of matchers. The row of the artifact's matcher, filled as a whole, is the mask that all answers must have.

use super::pair::Pair;
use gcc_grammar::runtime::BaseId;
use gcc_grammar::{Certainty, Matcher, RowMemory, row};
use gcc_grammar_random::Random;

/// The flips of a mask by number.
const FLIPS: usize = 1024;
/// The tokens that are asked for one by one.
const ASKED: usize = 8;

/// The mask, filled as a whole.
pub(super) fn filled(matcher: &mut Matcher) -> Vec<u32> {
    let mut filled = vec![0; matcher.session().row_words()];
    matcher.fill_mask(&mut filled).expect("a mask");
    filled
}

/// A token of a mask, if it has one.
pub(super) fn pick(mask: &[u32], random: &mut Random) -> Option<u32> {
    let tokens: Vec<u32> = row::tokens(mask).collect();
    (!tokens.is_empty()).then(|| *random.pick(&tokens))
}

impl Pair {
    /// Asks both matchers for everything that can be asked without changing them, and returns the mask.
    pub(super) fn ask(
        &mut self,
        at: &str,
        (shared, memory): (&mut [u32], &mut RowMemory),
        random: &mut Random,
    ) -> Vec<u32> {
        let mask = filled(&mut self.whole);
        // In either order, so that what one matcher does cannot depend on the other.
        for is_lazy in if random.chance(50) { [false, true] } else { [true, false] } {
            let (who, matcher) = if is_lazy { ("lazy", &mut self.lazy) } else { ("whole", &mut self.whole) };
            let at = format!("{at}, {who}");
            matcher.update_mask(shared, memory).expect("a mask");
            assert_eq!(shared, mask, "{at}: update");
            assert_eq!(filled(matcher), mask, "{at}: fill");
            assert_eq!(matcher.allowed_ranges().expect("a mask"), row::ranges(&mask), "{at}: ranges");
            let count: u32 = mask.iter().map(|word| word.count_ones()).sum();
            assert_eq!(matcher.count_allowed(), Ok(count), "{at}: count");
            for _ in 0..ASKED {
                let width = 32 * mask.len();
                let some = if random.chance(50) { pick(&mask, random) } else { None };
                let token = some.unwrap_or_else(|| random.below(width) as u32);
                assert_eq!(matcher.allows(token), Ok(row::has(&mask, token)), "{at}: token {token}");
            }
            assert_eq!(numbered(matcher).unwrap_or_else(|| mask.clone()), mask, "{at}: by number");
        }
        self.ask_for_states(at, random);
        mask
    }

    /// What is not the mask.
    fn ask_for_states(&mut self, at: &str, random: &mut Random) {
        let Self { whole, lazy } = self;
        let both = [whole, lazy];
        let states = both.map(|matcher| {
            let text = matcher.forced(24).expect("certain bytes");
            let cut = |text: &[u8]| text.iter().map(|&byte| u32::from(byte)).collect();
            let tokens = matcher.certain_tokens(&[], &cut, Certainty::Canonical).expect("certain tokens");
            let flags = (matcher.is_accepting(), matcher.is_terminated());
            (text, tokens, flags, matcher.committed(), matcher.remaining())
        });
        assert_eq!(states[0], states[1], "{at}: states");
        if random.chance(10) {
            let token = random.below(32 * self.whole.session().row_words()) as u32;
            let why = [&mut self.whole, &mut self.lazy].map(|matcher| {
                let why = matcher.why(token).expect("an explanation");
                let places = matcher.session().places_of(&why, None);
                (why, places)
            });
            assert_eq!(why[0], why[1], "{at}: why {token}");
        }
    }

    /// What completing the text costs. Budgets wait for the artifact.
    pub(super) fn ask_for_costs(&mut self, at: &str) -> Option<u32> {
        let [least, other] = [&mut self.whole, &mut self.lazy].map(Matcher::min_remaining);
        assert_eq!(least, other, "{at}: least");
        let [tokens, others] = [&mut self.whole, &mut self.lazy].map(Matcher::shortest_completion);
        assert_eq!(tokens, others, "{at}: completion");
        least.ok().flatten()
    }
}

/// The mask by number, put together again.
fn numbered(matcher: &mut Matcher) -> Option<Vec<u32>> {
    let mut flips = vec![0; FLIPS];
    let mask = matcher.mask_by_number(&mut flips).expect("a mask")?;
    let session = matcher.session();
    let mut words = vec![0; session.row_words()];
    for base in mask.bases() {
        let base = session.engine().grammar().base(BaseId(base.0));
        words.iter_mut().zip(base).for_each(|(word, base)| *word |= base.get());
    }
    flips[..mask.flip_count()].iter().for_each(|flip| words[*flip as usize / 32] ^= 1 << (flip % 32));
    Some(words)
}
