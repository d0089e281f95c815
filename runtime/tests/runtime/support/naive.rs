//! An interpreter of the tables that keeps every stack as a vector of its own.
//!
//! It is slow and independent of the runtime, which must give the same answers. It does not read the Parser
//! DWA or the masks: a token is allowed if it can be committed.

use std::collections::BTreeSet;

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::grammar::Action;
use gcc_grammar_artifact::ids::{LexState, LrState, SymbolClass, Terminal, TokenId};
use gcc_grammar_runtime::Tokens;

/// A head: a lexer state and a stack, bottom first.
pub(crate) type Head = (u32, Vec<u32>);

/// All heads after a text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct State {
    pub(crate) heads: BTreeSet<Head>,
    pub(crate) at_start: bool,
    pub(crate) terminated: bool,
}

pub(crate) struct Naive<'a> {
    pub(crate) grammar: GrammarView<'a>,
    pub(crate) tokens: &'a dyn Tokens,
}

impl Naive<'_> {
    pub(crate) fn initial(&self) -> State {
        let heads = BTreeSet::from([(self.grammar.initial_lex_state().0, vec![0])]);
        State { heads, at_start: true, terminated: false }
    }

    pub(crate) fn commit(&self, state: &State, token: u32) -> Option<State> {
        match self.grammar.special_symbol(TokenId(token)) {
            Some(symbol) if self.grammar.is_end(symbol) => self.finish(state),
            Some(symbol) => {
                let ended = self.grammar.ends_text(TokenId(token)).then(|| self.finish(state)).flatten();
                ended.or_else(|| self.read(state, &[symbol]))
            }
            None => self.commit_bytes(state, self.tokens.bytes(TokenId(token)).filter(|b| !b.is_empty())?),
        }
    }

    pub(crate) fn commit_bytes(&self, state: &State, bytes: &[u8]) -> Option<State> {
        let symbols: Vec<_> = bytes.iter().map(|&byte| self.grammar.byte_symbol(byte)).collect();
        self.read(state, &symbols)
    }

    pub(crate) fn mask(&self, state: &State) -> BTreeSet<u32> {
        let width = self.grammar.meta().mask_width;
        (0..width).filter(|&token| self.commit(state, token).is_some()).collect()
    }

    pub(crate) fn is_accepting(&self, state: &State) -> bool {
        state.terminated || self.finish(state).is_some()
    }

    /// The forced bytes, at most `limit`.
    pub(crate) fn forced(&self, state: &State, limit: usize) -> Vec<u8> {
        let mut state = state.clone();
        let mut forced = Vec::new();
        while forced.len() < limit && !self.is_accepting(&state) {
            let specials: BTreeSet<_> = self.grammar.special_symbols().collect();
            if specials.iter().any(|&symbol| self.read(&state, &[symbol]).is_some()) {
                break;
            }
            let mut next = (0..=255).filter_map(|byte| Some((byte, self.commit_bytes(&state, &[byte])?)));
            let (Some((byte, after)), None) = (next.next(), next.next()) else { break };
            forced.push(byte);
            state = after;
        }
        forced
    }

    fn read(&self, state: &State, symbols: &[SymbolClass]) -> Option<State> {
        let mut heads = state.heads.clone();
        for &symbol in symbols {
            heads = heads.iter().flat_map(|head| self.step(head, symbol)).collect();
        }
        heads.retain(|(lex, stack)| {
            self.grammar.pending(LexState(*lex)).any(|terminal| !self.shift(stack, terminal).is_empty())
        });
        (!heads.is_empty()).then_some(State { heads, at_start: false, terminated: false })
    }

    fn step(&self, (lex, stack): &Head, symbol: SymbolClass) -> Vec<Head> {
        let lex = LexState(*lex);
        let ended = self.grammar.accepts(lex).flat_map(|terminal| self.shift(stack, terminal)).map(|stack| {
            let top = LrState(*stack.last().expect("never empty"));
            (self.grammar.next(self.grammar.restart(lex, top), symbol).0, stack)
        });
        let kept = (self.grammar.next(lex, symbol).0, stack.clone());
        ended.chain([kept]).filter(|(lex, _)| *lex != 0).collect()
    }

    fn finish(&self, state: &State) -> Option<State> {
        let end = |stack: &Vec<u32>| self.shift(stack, self.grammar.end_terminal());
        let mut heads = BTreeSet::new();
        for (lex, stack) in &state.heads {
            if state.at_start {
                heads.extend(end(stack));
            }
            for terminal in self.grammar.accepts(LexState(*lex)) {
                heads.extend(self.shift(stack, terminal).iter().flat_map(end));
            }
        }
        let heads: BTreeSet<Head> = heads.into_iter().map(|stack| (0, stack)).collect();
        (!heads.is_empty()).then_some(State { heads, at_start: false, terminated: true })
    }

    /// All stacks after a terminal was read on a stack.
    fn shift(&self, stack: &[u32], terminal: Terminal) -> BTreeSet<Vec<u32>> {
        let mut shifted = BTreeSet::new();
        if terminal == Terminal::IGNORE {
            shifted.insert(stack.to_vec());
            return shifted;
        }
        let mut work = vec![stack.to_vec()];
        while let Some(mut stack) = work.pop() {
            let top = LrState(*stack.last().expect("never empty"));
            for &code in self.grammar.actions(top, terminal) {
                match Action::decode(code) {
                    Action::Shift(target) => {
                        let mut stack = stack.clone();
                        stack.push(target.0);
                        shifted.insert(stack);
                    }
                    Action::Reduce(production) => {
                        let (nonterminal, length) = self.grammar.production(production);
                        let left = stack.len().saturating_sub(length as usize);
                        let Some(&on) = stack[..left].last() else { continue };
                        if let Some(target) = self.grammar.goto(LrState(on), nonterminal) {
                            work.push(stack[..left].iter().copied().chain([target.0]).collect());
                        }
                    }
                }
            }
            stack.clear();
        }
        shifted
    }
}
