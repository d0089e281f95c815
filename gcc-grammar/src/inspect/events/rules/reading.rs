//! How a text so far is cut into lexemes, in all ways.

use super::certain::Next;
use super::chart::{Chart, Item, Lexeme, NOT_BEGUN, SetId};
use super::facts::FactsId;
use crate::inspect::trace::heads::{Heads, Move};
use gcc_grammar_compiler::ids::{LexState, SymbolClass};
use gcc_grammar_compiler::lexer::IGNORED;
use gcc_grammar_compiler::lr::StackId;
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::OverBudget;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A way to cut the text so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Head {
    lexer: LexState,
    stack: StackId,
    /// The set behind the last lexeme that is not ignored.
    set: SetId,
    /// Where the lexeme in progress begins.
    start: usize,
}

/// Cuts texts into lexemes.
pub(super) struct Cutter<'a> {
    heads: Heads<'a>,
    /// Per state of the lexer, the terminals that a lexeme may become if it continues.
    going_on: FxHashMap<LexState, Arc<[TerminalId]>>,
}

impl<'a> Cutter<'a> {
    pub(super) fn new(heads: Heads<'a>) -> Self {
        Self { heads, going_on: FxHashMap::default() }
    }

    /// The head before the first symbol.
    pub(super) fn first(&mut self) -> Vec<Head> {
        let (lexer, stack) = self.heads.first();
        vec![Head { lexer, stack, set: 0, start: 0 }]
    }

    /// The class of a byte.
    pub(super) fn class_of(&self, byte: u8) -> SymbolClass {
        self.heads.automata.symbols.class_of(byte)
    }

    /// The classes of a token that the grammar takes as a whole.
    pub(super) fn classes_of(&self, token: u32) -> Vec<SymbolClass> {
        let symbols = &self.heads.automata.symbols;
        let of_token =
            symbols.special_class.iter().filter(|&&(id, class)| id == token && class != symbols.end_class);
        of_token.map(|&(_, class)| class).collect()
    }

    /// The heads behind a symbol that begins at an offset of the text.
    pub(super) fn read(
        &mut self,
        chart: &mut Chart<'_>,
        heads: &[Head],
        class: SymbolClass,
        at: usize,
    ) -> Result<Vec<Head>, OverBudget> {
        let mut moves: Vec<(Head, Move)> = Vec::new();
        for &head in heads {
            let from_head = self.heads.moves((head.lexer, head.stack), class, |_, _| true)?;
            moves.extend(from_head.into_iter().map(|to| (head, to)));
        }
        let ended = moves.iter().filter_map(|(head, to)| self.lexeme(head, to.ended?));
        let ended: FxHashSet<Lexeme> = ended.collect();
        let set = if ended.is_empty() { None } else { Some(chart.read(&ended, at)?) };
        let mut known = FxHashSet::default();
        let after = |(head, Move { ended, lexer, stack }): (Head, Move)| match ended {
            None => Head { lexer, stack, ..head },
            Some(IGNORED) => Head { lexer, stack, start: at, ..head },
            Some(_) => Head { lexer, stack, start: at, set: set.unwrap_or(head.set) },
        };
        Ok(moves.into_iter().map(after).filter(|&head| known.insert(head)).collect())
    }

    /// The lexeme of a head that ends as a terminal; none if it is ignored.
    fn lexeme(&self, head: &Head, ended: TerminalId) -> Option<Lexeme> {
        let lexeme = |terminal| Lexeme { from: head.set, terminal, start: head.start };
        (ended != IGNORED).then(|| lexeme(self.heads.automata.origin(ended)))
    }

    /// The items with which the text can continue behind its last symbol. Adds a set to the chart for the lexemes that may end there.
    pub(super) fn next(
        &mut self,
        chart: &mut Chart<'_>,
        heads: &[Head],
        end: usize,
    ) -> Result<Vec<Next>, OverBudget> {
        let mut next = Vec::new();
        let mut lexemes = FxHashSet::default();
        for head in heads {
            let set = &chart.sets[head.set as usize];
            let going_on = self.going_on(head.lexer);
            if going_on.contains(&IGNORED)
                || self.heads.automata.decoding().lexer.accepts(head.lexer).contains(&IGNORED)
            {
                next.extend(set.reading_any().map(|item| at(item, NOT_BEGUN)));
            } else {
                let items =
                    going_on.iter().flat_map(|&terminal| set.reading(self.heads.automata.origin(terminal)));
                next.extend(items.map(|item| at(item, head.start)));
            }
            for (terminal, _) in self.heads.ends((head.lexer, head.stack))? {
                lexemes.extend(self.lexeme(head, terminal));
            }
        }
        if !lexemes.is_empty() {
            let set = chart.read(&lexemes, end)?;
            next.extend(chart.sets[set as usize].reading_any().map(|item| at(item, NOT_BEGUN)));
        }
        Ok(next)
    }

    /// The items that are complete if the text ends behind its last symbol, but for the end; none if it may not end. Adds a set to the chart.
    pub(super) fn complete(
        &mut self,
        chart: &mut Chart<'_>,
        heads: &[Head],
        end: usize,
    ) -> Result<Vec<Next>, OverBudget> {
        let last = self.heads.automata.cfg.end;
        let mut next = Vec::new();
        let mut lexemes = FxHashSet::default();
        for head in heads {
            for (terminal, stack) in self.heads.ends((head.lexer, head.stack))? {
                if !self.heads.may_end_behind(head.lexer, stack)? {
                    continue;
                }
                match self.lexeme(head, terminal) {
                    Some(lexeme) => drop(lexemes.insert(lexeme)),
                    None => next
                        .extend(chart.sets[head.set as usize].reading(last).map(|item| at(item, NOT_BEGUN))),
                }
            }
        }
        if !lexemes.is_empty() {
            let set = chart.read(&lexemes, end)?;
            next.extend(chart.sets[set as usize].reading(last).map(|item| at(item, NOT_BEGUN)));
        }
        Ok(next)
    }

    /// Up to where the text is certain not to be ignored.
    pub(super) fn read_up_to(&self, chart: &Chart<'_>, heads: &[Head], end: usize) -> usize {
        let lexer = self.heads.automata.decoding().lexer;
        let of_head = |head: &Head| match lexer.pending(head.lexer).contains(&IGNORED) {
            true => chart.sets[head.set as usize].end,
            false => end,
        };
        heads.iter().map(of_head).min().unwrap_or(end)
    }

    /// The terminals that a lexeme may become if it continues.
    fn going_on(&mut self, state: LexState) -> Arc<[TerminalId]> {
        let lexer = self.heads.automata.decoding().lexer;
        let known = self.going_on.entry(state).or_insert_with(|| {
            let states: FxHashSet<LexState> =
                lexer.row(state).iter().copied().filter(|&to| to != LexState(0)).collect();
            let terminals: FxHashSet<TerminalId> =
                states.into_iter().flat_map(|state| lexer.pending(state).iter().copied()).collect();
            terminals.into_iter().collect()
        });
        Arc::clone(known)
    }
}

/// An item with which the text continues.
fn at((item, facts): (Item, FactsId), start: usize) -> Next {
    Next { item, facts, start }
}
