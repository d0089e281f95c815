//! The tables for walks of the vocabulary, and what walks remember: for all lexer states at once, or in batches of terminals.
//!
//! Where lexer states are made on demand, a batch is made of the terminals of a state that have no tables yet, when the state is walked first, and of others with no more states than
//! there are tables for. Batches share what depends on the vocabulary and on languages alone ([`Walks`]); numbers of states of the walked automaton, and what is remembered by them, are those of a batch.

use super::kept::{OfStates, Walks};
use super::parts::Part;
use super::reached::Reached;
use super::shortcuts::Shortcuts;
use super::tables::WalkTables;
use super::tokens::Tokens;
use super::walk::{Summary, WalkMemo, WalkSets, Walker};
use crate::ids::{LexState, SetId};
use crate::lexer::{Lexer, Member, PendingId, Symbols};
use crate::lr::LrTables;
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::{Budget, OverBudget};
use std::sync::Arc;

/// Where tables for walks come from.
#[derive(Clone, Copy)]
pub enum WalkSource<'a> {
    /// They are there.
    Made(&'a Arc<WalkTables>),
    /// They are made in batches.
    InBatches(BatchSource<'a>),
}

/// What batches are made of.
#[derive(Clone, Copy)]
pub struct BatchSource<'a> {
    pub(crate) reached: &'a Reached<'a>,
    pub(crate) parser: &'a LrTables,
    pub(crate) symbols: &'a Symbols,
    pub(crate) keyed: bool,
    pub(crate) shortcuts: Shortcuts,
}

/// A batch.
struct Batch {
    tables: Arc<WalkTables>,
    memo: WalkMemo,
    of_states: OfStates,
}

/// The batches so far.
pub(super) struct Batches<'a> {
    source: WalkSource<'a>,
    lexer: &'a Lexer,
    tokens: &'a Tokens,
    /// Per terminal: the number of its batch, plus one; 0 if it has none. Empty if there is one batch for all.
    of: Vec<u32>,
    batches: Vec<Batch>,
    pub(super) walks: Walks,
}

impl<'a> Batches<'a> {
    /// The one batch of tables that are there, or none yet. `lexer` is walked itself unless its states are divided.
    pub(super) fn new(
        source: WalkSource<'a>,
        lexer: &'a Lexer,
        tokens: &'a Tokens,
        mut walks: Walks,
    ) -> Self {
        let may_start = match source {
            WalkSource::Made(tables) => &tables.may_start,
            WalkSource::InBatches(source) => &source.reached.may_start,
        };
        walks.begin(tokens, &may_start.first().copied().unwrap_or_default());
        let (mut of, mut batches) = (Vec::new(), Vec::new());
        match source {
            WalkSource::Made(tables) => batches.push(Batch::new(Arc::clone(tables), lexer)),
            WalkSource::InBatches(source) => of.resize(source.symbols.terminals.len(), 0),
        }
        Self { source, lexer, tokens, of, batches, walks }
    }

    /// Divides a lexer state with these members into parts, each with the number of its batch.
    pub(super) fn parts(
        &mut self,
        state: LexState,
        members: &[Member],
        budget: &Budget,
    ) -> Result<Vec<(usize, Part)>, OverBudget> {
        let WalkSource::InBatches(source) = self.source else {
            let parts = self.batches[0].tables.parts.of(state, members);
            return Ok(parts.into_iter().map(|part| (0, part)).collect());
        };
        let mut missing: Vec<Member> =
            members.iter().filter(|member| self.of[member.automaton.index()] == 0).copied().collect();
        missing.dedup_by_key(|member| member.automaton);
        if !missing.is_empty() {
            self.add_others(source, &mut missing);
            let tables = source.batch(&missing, self.lexer, self.tokens, budget)?;
            self.batches.push(Batch::new(Arc::new(tables), self.lexer));
            missing.iter().for_each(|member| self.of[member.automaton.index()] = self.batches.len() as u32);
        }
        let part = |member: &Member| {
            let batch = self.of[member.automaton.index()] as usize - 1;
            let parts = self.batches[batch].tables.parts.of(state, &[*member]);
            parts.into_iter().map(move |part| (batch, part))
        };
        Ok(members.iter().flat_map(part).collect())
    }

    /// Adds further terminals to a batch that is not the first, as long as it has no more states than all batches before it: there are few batches, and
    /// a text of few lexemes pays for few.
    fn add_others(&self, source: BatchSource<'_>, batch: &mut Vec<Member>) {
        let states = |member: &Member| source.symbols.terminals[member.automaton.index()].states();
        let starts = &source.reached.starts;
        let made = starts.iter().filter(|member| self.of[member.automaton.index()] > 0).map(states).sum();
        let mut open = usize::saturating_sub(made, batch.iter().map(states).sum());
        for member in starts {
            let is_missing = || batch.iter().all(|other| other.automaton != member.automaton);
            if states(member) <= open && self.of[member.automaton.index()] == 0 && is_missing() {
                open -= states(member);
                batch.push(*member);
            }
        }
    }

    /// Everything strictly below a set of nodes, which are reached in a state of the walked automaton of a batch, and the lexemes that end at them.
    pub(super) fn behind(
        &mut self,
        batch: usize,
        sets: &mut WalkSets<'_>,
        (nodes, state): (SetId, LexState),
        budget: &Budget,
    ) -> Result<Arc<Summary>, OverBudget> {
        let Batch { tables, memo, of_states } = &mut self.batches[batch];
        let tables = &**tables;
        let walker = Walker { lexer: tables.parts.walked(self.lexer), tokens: self.tokens, tables, budget };
        self.walks.swap(of_states);
        std::mem::swap(&mut memo.walks, &mut self.walks);
        let summary = memo.behind(&walker, sets, nodes, state);
        std::mem::swap(&mut memo.walks, &mut self.walks);
        self.walks.swap(of_states);
        summary
    }

    /// The terminals of a pending set of the walked automaton of a batch.
    pub(super) fn pending(&self, batch: usize, pending: PendingId) -> &[TerminalId] {
        self.batches[batch].tables.parts.walked(self.lexer).pending_sets.row(pending.index())
    }
}

impl Batch {
    fn new(tables: Arc<WalkTables>, lexer: &Lexer) -> Self {
        let of_states = OfStates::new(tables.parts.walked(lexer));
        Self { tables, memo: WalkMemo::default(), of_states }
    }
}

impl BatchSource<'_> {
    /// The tables for these terminals, in all states.
    fn batch(
        &self,
        terminals: &[Member],
        lexer: &Lexer,
        tokens: &Tokens,
        budget: &Budget,
    ) -> Result<WalkTables, OverBudget> {
        let states = |member: &Member| {
            let member = *member;
            let states = self.symbols.terminals[member.automaton.index()].states() as u32;
            (0..states).map(move |state| Member { state, ..member })
        };
        let reached = Reached {
            may_start: self.reached.may_start.clone(),
            members: Some(terminals.iter().flat_map(states).collect()),
            starts: self.reached.starts.clone(),
            is_one_automaton: false,
        };
        let Self { parser, symbols, keyed, shortcuts, .. } = *self;
        WalkTables::of(lexer, reached, Some(parser), symbols, tokens, true, keyed, shortcuts, budget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::EndClass;
    use crate::options::Options;
    use crate::prepared::Prepared;
    use crate::sets::Sets;
    use gcc_grammar_notations::bnf::{self, Dialect};
    use gcc_grammar_vocabulary::Vocabulary;

    /// What the walk of a part finds: its terminal, the tokens that end in its lexeme, and the nodes at which one may have ended.
    type OfPart = (Option<TerminalId>, Vec<SetId>, Vec<(EndClass, SetId)>);

    /// What the walks of a lexer state find.
    fn found(
        batches: &mut Batches<'_>,
        sets: &mut WalkSets<'_>,
        (state, members): (LexState, &[Member]),
        budget: &Budget,
    ) -> Vec<OfPart> {
        let root = sets.positions.intern(&[(0, 1)]).expect("no limit");
        let parts = batches.parts(state, members, budget).expect("no limit");
        let mut all: Vec<OfPart> = parts
            .into_iter()
            .map(|(batch, part)| {
                let summary = batches.behind(batch, sets, (root, part.state), budget).expect("no limit");
                let cuts = summary.cuts.iter().map(|&((_, end), nodes)| (end, nodes)).collect();
                (part.terminal, summary.ends.iter().map(|&(_, set)| set).collect(), cuts)
            })
            .collect();
        all.sort();
        all
    }

    /// A terminal has tables from the first walk of one of its states on, and walks find what they find with the tables of all terminals.
    #[test]
    fn terminals_have_tables_from_their_first_walk_on() {
        let text = "root ::= (\"a\" | \"ab\" | word | \"[\" root \"]\") root?\nword ::= [a-c]{2,30} \"!\"\n";
        let grammar = bnf::parse(text, Dialect::Gbnf, &Default::default()).expect("a grammar").grammar;
        let words = ["ab", "abc", "b!", "b!a", "b!ab[", "]]", "[a", "ccccccc", "ccc!"].map(str::as_bytes);
        let tokens = (0..=u8::MAX).map(|byte| vec![byte]).chain(words.map(<[u8]>::to_vec));
        let tokens: Vec<(u32, Vec<u8>)> = (0..).zip(tokens).collect();
        let end = tokens.len() as u32;
        let vocabulary = Vocabulary::from_tokens(tokens, Vec::new(), vec![end], end + 1).expect("distinct");
        let prepared =
            Prepared::new(&grammar.into(), &vocabulary, &Options::default(), &mut ()).expect("small");
        let (sources, automata) = (prepared.sources(), &prepared.automata);
        let budget = Budget::unlimited("test");
        let whole = automata.whole_lexer(&budget).expect("small");
        let tables =
            WalkTables::new(&whole, &automata.symbols, sources.tokens, true, &budget).expect("small");
        let (mut tokens, mut positions) = (Sets::new(budget.clone()), Sets::new(budget.clone()));
        let sets = &mut WalkSets { tokens: &mut tokens, positions: &mut positions };
        let mut lazy = Batches::new(sources.walks, sources.lexer, sources.tokens, Walks::default());
        let tables = tables.into();
        let mut made = Batches::new(WalkSource::Made(&tables), &whole, sources.tokens, Walks::default());
        assert!(lazy.batches.is_empty() && made.batches.len() == 1);
        let members = whole.members.as_ref().expect("any split");
        let mut open: Vec<usize> = (1..members.rows()).collect();
        open.sort_by_key(|&state| members.row(state).len());
        for (done, state) in open.into_iter().enumerate() {
            let at = (LexState::new(state), members.row(state));
            assert_eq!(found(&mut lazy, sets, at, &budget), found(&mut made, sets, at, &budget), "{state}");
            let has_tables = |member: &Member| lazy.of[member.automaton.index()] > 0;
            assert!(members.row(state).iter().all(has_tables));
            assert!(done > 0 || lazy.of.iter().filter(|&&batch| batch > 0).count() == 1);
        }
        assert!(lazy.batches.len() > 1, "{} batches", lazy.batches.len());
    }

    /// All bytes are tokens.
    fn bytes() -> Vocabulary {
        let tokens: Vec<(u32, Vec<u8>)> = (0..256).map(|byte| (byte, vec![byte as u8])).collect();
        Vocabulary::from_tokens(tokens, Vec::new(), vec![256], 257).expect("distinct")
    }

    /// A text of forty keywords, each in a lexer state of its own, does not take forty batches.
    #[test]
    fn batches_grow() {
        let keywords: Vec<String> = (10..50).map(|number| format!("\"k{number}\"")).collect();
        let text = format!("root ::= {}\n", keywords.join(" (\"[\" root \"]\")? "));
        let grammar = bnf::parse(&text, Dialect::Gbnf, &Default::default()).expect("a grammar").grammar;
        let vocabulary = bytes();
        let prepared =
            Prepared::new(&grammar.into(), &vocabulary, &Options::default(), &mut ()).expect("small");
        let (sources, budget) = (prepared.sources(), Budget::unlimited("test"));
        let whole = prepared.automata.whole_lexer(&budget).expect("small");
        let mut lazy = Batches::new(sources.walks, sources.lexer, sources.tokens, Walks::default());
        let members = whole.members.as_ref().expect("any split");
        for state in 1..members.rows() {
            let parts = lazy.parts(LexState::new(state), members.row(state), &budget).expect("no limit");
            assert_eq!(parts.len(), members.row(state).len(), "{state}");
        }
        let terminals = lazy.of.iter().filter(|&&batch| batch > 0).count();
        assert!(terminals > 40 && (3..=8).contains(&lazy.batches.len()), "{} batches", lazy.batches.len());
    }
}
