//! The states of a lexer, made while they are read, for any number of threads.
//!
//! A state is the set of its members, and lies where it stays. A transition that was made before is read without a lock; one thread at a time makes
//! missing ones ([`OneByOne`]). States are not forgotten: heads have their numbers. They take a part of what the whole lexer would, and are charged like it.
//!
//! A state that counts characters is one of the automaton of its terminal, and its number follows from that one. What it knows of tokens is made when a mask asks
//! for it.
//!
//! Numbers of the others come in the order in which states are read, so they say nothing outside of this process. The artifact has its own. Where these are asked for,
//! to save a matcher or for the costs of completions, the lexer is made as a whole, once, and states are found in it by their members.

use super::append_only::AppendOnly;
use crate::csr::Csr;
use crate::ids::{ContextId, LexState, SymbolClass};
use crate::lexer::{Counters, Distance, FIRST_COUNTING, Member, OneByOne};
use crate::prepared::Prepared;
use crate::terminal::LexemeStates;
use gcc_grammar_artifact::grammar::{LexerSource, NotMade};
use gcc_grammar_artifact::wire::U32;
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::{Budget, OverBudget, Resource};
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Estimated bytes of a state, besides its lists and its row.
const STATE_BYTES: usize = 96;
/// Estimated bytes of a member of a state of the lexer as a whole.
const MEMBER_BYTES: u64 = 48;

/// The states so far.
pub(super) struct LexerOnDemand<'p> {
    prepared: &'p Prepared,
    budget: Budget,
    /// Per context.
    starts: Box<[OnceLock<LexState>]>,
    /// By subset.
    states: AppendOnly<State>,
    /// Per state that counts, from the first one on: its subset; 0 if it is not made.
    counting: Box<[AtomicU32]>,
    /// None until it is needed, and if the budget was spent then.
    maker: Mutex<Option<OneByOne<'p>>>,
    whole: OnceLock<Option<Whole>>,
}

/// A state that is not dead.
struct State {
    number: LexState,
    members: Box<[Member]>,
    accepts: Box<[U32]>,
    pending: Box<[U32]>,
    /// Per class, once a symbol is read here: the state after it, plus one; 0 if it is not made yet.
    next: OnceLock<Box<[AtomicU32]>>,
    /// The tokens that do not take what the vocabulary says, in a state that counts: near the end of the string, and farther away.
    tokens: [OnceLock<Box<[U32]>>; 2],
}

/// The lexer of the artifact.
struct Whole {
    counters: Counters,
    /// By members.
    numbers: FxHashMap<Box<[Member]>, LexState>,
    members: Csr<Member>,
    parser_checksum: u64,
    bytes: u64,
}

impl<'p> LexerOnDemand<'p> {
    /// No state is made yet.
    pub(super) fn new(prepared: &'p Prepared) -> Self {
        let contexts = prepared.automata.contexts.terminals.len();
        let counting = prepared.automata.lexer.counters.places.len();
        Self {
            prepared,
            budget: prepared.automata.budget.stage("lexer"),
            starts: (0..contexts).map(|_| OnceLock::new()).collect(),
            states: AppendOnly::default(),
            counting: (0..counting).map(|_| AtomicU32::new(0)).collect(),
            maker: Mutex::new(None),
            whole: OnceLock::new(),
        }
    }

    /// Estimated bytes of the lexer as a whole, if it was made.
    pub(super) fn whole_bytes(&self) -> u64 {
        self.whole.get().and_then(Option::as_ref).map_or(0, |whole| whole.bytes)
    }

    /// The subset of a state that was made; the dead one of others.
    fn subset(&self, state: LexState) -> LexState {
        match state.0.checked_sub(FIRST_COUNTING) {
            Some(place) => self
                .counting
                .get(place as usize)
                .map_or(LexState::DEAD, |subset| LexState(subset.load(Ordering::Acquire))),
            None => state,
        }
    }

    fn state(&self, state: LexState) -> Option<&State> {
        self.states.get(self.subset(state).index())
    }

    /// The counter of a state, and its state of the automaton, if it counts.
    fn counted(&self, members: &[Member]) -> Option<(usize, u32)> {
        let [only] = members else { return None };
        let mut counted = self.prepared.automata.counted.iter();
        let counter = counted.position(|counted| counted.counts(only.automaton, only.state))?;
        Some((counter, only.state))
    }

    /// The number of a state with this subset.
    fn number_of(&self, subset: LexState, members: &[Member]) -> LexState {
        let Some((counter, own)) = self.counted(members) else { return subset };
        let [first, ..] = self.prepared.automata.lexer.counters.entries[counter];
        LexState(first.get() + own)
    }

    /// The list of a counting state, where so many characters may begin.
    fn tokens(&self, state: LexState, left: u32) -> Result<&[U32], OverBudget> {
        let Some((state, (counter, own))) =
            self.state(state).and_then(|state| Some((state, self.counted(&state.members)?)))
        else {
            return Ok(&[]);
        };
        let counted = &self.prepared.automata.counted[counter];
        let list = match counted.distance(left) {
            Distance::Near => &state.tokens[0],
            Distance::Far => &state.tokens[1],
            Distance::Beyond => return Ok(&[]),
        };
        if let Some(list) = list.get() {
            return Ok(list);
        }
        let made = counted.list(own, left, &self.prepared.vocabulary, &self.budget)?;
        let made = made.ok_or_else(|| self.budget.over(Resource::Bytes, self.budget.limits().bytes))?;
        self.budget.charge_bytes(made.len() as u64 * 4)?;
        Ok(list.get_or_init(|| made.into_iter().map(U32::new).collect()))
    }

    /// The state that `make` says, which is added unless it is there or dead.
    fn made(
        &self,
        make: impl FnOnce(&mut OneByOne<'p>) -> Result<LexState, OverBudget>,
    ) -> Result<LexState, OverBudget> {
        let mut maker: MutexGuard<'_, _> = self.maker.lock().unwrap_or_else(PoisonError::into_inner);
        let automata = &self.prepared.automata;
        let maker = match &mut *maker {
            Some(maker) => maker,
            none => {
                let new =
                    OneByOne::new(&automata.grammar, &automata.symbols, &automata.contexts, &self.budget)?;
                none.insert(new)
            }
        };
        let state = make(maker)?;
        if state == LexState::DEAD {
            return Ok(state);
        }
        if self.states.get(state.index()).is_none() {
            let members = maker.members(state).into_boxed_slice();
            let number = self.number_of(state, &members);
            let words =
                |terminals: &[TerminalId]| terminals.iter().map(|t| U32::new(t.0)).collect::<Box<[U32]>>();
            let mut pending: Vec<TerminalId> = members.iter().map(|member| member.terminal).collect();
            pending.dedup();
            let (accepts, pending) = (words(&maker.accepting(state)), words(&pending));
            self.budget.charge_bytes((STATE_BYTES + members.len() * 20) as u64)?;
            let (next, tokens) = (OnceLock::new(), [OnceLock::new(), OnceLock::new()]);
            self.states.set(state.index(), State { number, members, accepts, pending, next, tokens });
            if let Some(place) = number.0.checked_sub(FIRST_COUNTING) {
                self.counting[place as usize].store(state.0, Ordering::Release);
            }
        }
        Ok(self.states.get(state.index()).map_or(state, |state| state.number))
    }

    fn try_next(&self, state: LexState, class: SymbolClass) -> Result<LexState, OverBudget> {
        let Some(from) = self.state(state) else { return Ok(state) };
        let row = match from.next.get() {
            Some(row) => row,
            None => {
                let classes = self.prepared.automata.symbols.classes;
                self.budget.charge_bytes(classes as u64 * 4)?;
                from.next.get_or_init(|| (0..classes).map(|_| AtomicU32::new(0)).collect())
            }
        };
        let Some(entry) = row.get(class.index()) else { return Ok(LexState::DEAD) };
        if let Some(known) = entry.load(Ordering::Acquire).checked_sub(1) {
            return Ok(LexState(known));
        }
        let to = self.made(|maker| maker.next(self.subset(state), class))?;
        entry.store(to.0 + 1, Ordering::Release);
        Ok(to)
    }

    /// The lexer of the artifact; `None` if it exceeds a limit.
    fn whole(&self) -> Option<&Whole> {
        self.whole.get_or_init(|| Whole::new(self.prepared).ok()).as_ref()
    }
}

impl Whole {
    fn new(prepared: &Prepared) -> Result<Self, OverBudget> {
        let budget = prepared.automata.budget.fork();
        let lexer = prepared.automata.whole_lexer(&budget)?;
        let fingerprint = prepared.vocabulary.fingerprint();
        let parser_checksum = prepared.parser_tables_with(&lexer).parser_checksum(fingerprint);
        let (members, counters) = (lexer.members.unwrap_or_default(), lexer.counters);
        let bytes = members.items().len() as u64 * MEMBER_BYTES;
        budget.charge_bytes(bytes)?;
        let numbered = (0..members.rows()).map(|state| (members.row(state).into(), LexState::new(state)));
        Ok(Self { counters, numbers: numbered.collect(), members, parser_checksum, bytes })
    }
}

impl LexemeStates for LexerOnDemand<'_> {
    fn start_in(&self, context: ContextId) -> Result<LexState, OverBudget> {
        let Some(known) = self.starts.get(context.index()) else { return Ok(LexState::DEAD) };
        match known.get() {
            Some(&start) => Ok(start),
            None => {
                let start = self.made(|maker| maker.start(context))?;
                Ok(*known.get_or_init(|| start))
            }
        }
    }

    fn members(&self, state: LexState) -> &[Member] {
        self.state(state).map_or(&[], |state| &state.members)
    }
}

impl LexerSource for LexerOnDemand<'_> {
    fn next(&self, state: LexState, symbol: SymbolClass) -> LexState {
        self.try_next(state, symbol).unwrap_or(LexState::UNKNOWN)
    }

    fn accepts(&self, state: LexState) -> &[U32] {
        self.state(state).map_or(&[], |state| &state.accepts)
    }

    fn pending(&self, state: LexState) -> &[U32] {
        self.state(state).map_or(&[], |state| &state.pending)
    }

    fn start(&self, context: u32) -> LexState {
        self.start_in(ContextId(context)).unwrap_or(LexState::UNKNOWN)
    }

    fn counter_tokens(&self, state: LexState, left: u32) -> Result<&[U32], NotMade> {
        self.tokens(state, left).map_err(|OverBudget { .. }| NotMade)
    }

    fn number(&self, state: LexState, characters: Option<u32>) -> Option<LexState> {
        let Some(state) = self.state(state) else { return (state == LexState::DEAD).then_some(state) };
        let whole = self.whole()?;
        let number = *whole.numbers.get(&state.members)?;
        match characters {
            Some(characters) => whole.counters.view().with_characters(number, characters),
            None => Some(number),
        }
    }

    fn numbered(&self, number: LexState) -> Option<(LexState, Option<u32>)> {
        let Whole { members, counters, .. } = self.whole()?;
        let counted = counters.view().counted(number);
        let (number, characters) =
            counted.map_or((number, None), |counted| (counted.state, Some(counted.characters)));
        let members = (number.index() < members.rows()).then(|| members.row(number.index()))?;
        Some((self.made(|maker| maker.of_members(members)).ok()?, characters))
    }

    fn parser_checksum(&self) -> Option<u64> {
        Some(self.whole()?.parser_checksum)
    }
}

impl fmt::Debug for LexerOnDemand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LexerOnDemand").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use gcc_grammar_notations::bnf::{self, Dialect};
    use gcc_grammar_vocabulary::Vocabulary;

    /// Along all texts of a few bytes, states are those of the lexer as a whole, by its numbers.
    #[test]
    fn states_are_those_of_the_whole_lexer() {
        let text = "root ::= (\"a\" | \"ab\" | word | \"[\" root \"]\") root?\nword ::= [a-c]{2,30} \"!\"\n";
        let grammar = bnf::parse(text, Dialect::Gbnf, &Default::default()).expect("a grammar").grammar;
        let tokens = (0..=u8::MAX).map(|byte| (u32::from(byte), vec![byte])).collect();
        let vocabulary = Vocabulary::from_tokens(tokens, Vec::new(), vec![256], 257).expect("distinct ids");
        let prepared =
            Prepared::new(&grammar.into(), &vocabulary, &Options::default(), &mut ()).expect("small");
        let automata = &prepared.automata;
        let lexer = LexerOnDemand::new(&prepared);
        let whole = automata.whole_lexer(&automata.budget).expect("small");
        let mut open: Vec<(LexState, LexState, usize)> = (0..automata.contexts.terminals.len())
            .map(ContextId::new)
            .map(|context| {
                let start = lexer.start_in(context).expect("small");
                (start, whole.restart(crate::ids::EndClass(0), context), 5)
            })
            .collect();
        let mut compared = 0;
        while let Some((state, number, left)) = open.pop() {
            assert_eq!(lexer.number(state, None), Some(number));
            assert_eq!(lexer.numbered(number), Some((state, None)));
            let terminals = |words: &[U32]| words.iter().map(|t| TerminalId(t.get())).collect::<Vec<_>>();
            assert_eq!(terminals(lexer.accepts(state)), whole.accepts(number));
            assert_eq!(terminals(lexer.pending(state)), whole.pending(number));
            compared += 1;
            let classes = (0..if left > 0 { whole.classes } else { 0 }).map(SymbolClass::new);
            open.extend(classes.map(|class| (lexer.next(state, class), whole.next(number, class), left - 1)));
        }
        assert!(compared > 1_000, "{compared} texts");
        let made = (1..whole.states()).filter(|&state| lexer.states.get(state).is_some()).count();
        assert!(made < whole.states() - 10, "{made} of {} states", whole.states());
        assert_eq!(lexer.number(LexState::UNKNOWN, None), None);
        assert_eq!(lexer.numbered(LexState::new(whole.states())), None);
    }
}
