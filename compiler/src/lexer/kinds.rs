//! Groups the lexer states that differ only in their numbers.
//!
//! In: the lexer. Out: [`Kinds`], which the artifact stores in place of the rows of all states. Where a string counts characters, each count has
//! the same states. They lead to states with the next count, which are as far away for all counts, and to states that all counts share.

use super::tables::Lexer;
use crate::csr::Csr;
use crate::ids::LexState;
use gcc_grammar_artifact::grammar::DISTANCE;
use rustc_hash::FxHashMap;

/// A target to which more states lead is stored by its number.
const MAX_SOURCES: u32 = 32;

/// The kinds of lexer states.
pub(crate) struct Kinds {
    /// Per state: its kind.
    pub(crate) of_state: Vec<u32>,
    /// Per kind: its first state.
    pub(crate) first: Vec<LexState>,
    /// Per kind: the targets of its states, as the section `lexer_targets` has them.
    pub(crate) targets: Csr<u32>,
    /// Per kind: the greatest distance to a target that is stored as a distance, forwards and back.
    pub(crate) reach: Vec<u32>,
    pub(crate) back: Vec<u32>,
}

impl Kinds {
    pub(crate) fn new(lexer: &Lexer) -> Self {
        let mut sources = vec![0u32; lexer.states()];
        lexer.rows.all_targets().items().iter().for_each(|to| sources[to.index()] += 1);
        let mut kinds = Self {
            of_state: Vec::new(),
            first: Vec::new(),
            targets: Csr::default(),
            reach: Vec::new(),
            back: Vec::new(),
        };
        let mut known: FxHashMap<Box<[u32]>, u32> = FxHashMap::default();
        let (mut key, mut targets) = (Vec::new(), Vec::new());
        for state in (0..lexer.states()).map(LexState::new) {
            let code = |&to: &LexState| match (to.0 + DISTANCE).checked_sub(state.0) {
                Some(distance) if sources[to.index()] <= MAX_SOURCES && distance < 2 * DISTANCE => {
                    distance << 1 | 1
                }
                _ => to.0 << 1,
            };
            targets.clear();
            targets.extend(lexer.rows.targets(state).iter().map(code));
            key.clear();
            key.extend([
                lexer.rows.pattern(state).0,
                lexer.end_class[state.index()].0,
                lexer.pending[state.index()].0,
                lexer.accepts(state).len() as u32,
            ]);
            key.extend(lexer.accepts(state).iter().map(|terminal| terminal.0));
            key.extend(&targets);
            let kind = known.get(&*key).copied().unwrap_or_else(|| {
                let kind = kinds.add(state, &targets);
                known.insert(key.as_slice().into(), kind);
                kind
            });
            kinds.of_state.push(kind);
        }
        kinds
    }

    fn add(&mut self, first: LexState, targets: &[u32]) -> u32 {
        let distances = || targets.iter().filter(|&target| target & 1 == 1).map(|target| target >> 1);
        self.reach.push(distances().map(|distance| distance.saturating_sub(DISTANCE)).max().unwrap_or(0));
        self.back.push(distances().map(|distance| DISTANCE.saturating_sub(distance)).max().unwrap_or(0));
        self.targets.push(targets.iter().copied());
        self.first.push(first);
        self.first.len() as u32 - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Automata;
    use gcc_grammar_limits::Limits;
    use gcc_grammar_notations::lark;

    fn with_lexer<T>(pattern: &str, read: impl FnOnce(&Lexer) -> T) -> T {
        let grammar = lark::parse(&format!("start: A\nA: /{pattern}/\n")).expect("valid").grammar;
        let vocabulary = crate::byte_vocabulary(&grammar);
        read(&Automata::new(&grammar.into(), &vocabulary, Limits::default(), &mut ()).expect("small").lexer)
    }

    #[test]
    fn counts_share_their_kinds() {
        let kinds = |most: u32| {
            with_lexer(&format!("'[^']{{0,{most}}}'[a-z]{{3,{most}}}"), |lexer| {
                (lexer.states(), Kinds::new(lexer).first.len())
            })
        };
        let ((few, kinds_of_few), (many, kinds_of_many)) = (kinds(40), kinds(80));
        assert!(many > few + 300, "{few} and {many} states");
        assert_eq!(kinds_of_few, kinds_of_many);
    }

    #[test]
    fn kinds_have_the_rows_of_their_states() {
        with_lexer("(ab|[a-c]{2,9}x?)*[^x]{0,30}é", has_the_rows);
    }

    fn has_the_rows(lexer: &Lexer) {
        let kinds = Kinds::new(lexer);
        for (state, &kind) in kinds.of_state.iter().enumerate() {
            let first = kinds.first[kind as usize];
            let same = |a: LexState, b: LexState| {
                lexer.rows.pattern(a) == lexer.rows.pattern(b)
                    && lexer.accepts(a) == lexer.accepts(b)
                    && lexer.end_class[a.index()] == lexer.end_class[b.index()]
                    && lexer.pending(a) == lexer.pending(b)
            };
            assert!(same(LexState::new(state), first));
            let targets = kinds.targets.row(kind as usize).iter().map(|&code| match code & 1 {
                0 => LexState(code >> 1),
                _ => LexState(state as u32 + (code >> 1) - DISTANCE),
            });
            assert!(targets.eq(lexer.rows.targets(LexState::new(state)).iter().copied()));
        }
    }
}
