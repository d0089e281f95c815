//! Reads a text with all its heads, by the interpreter of the lexer and the simulation of the LR automaton.
//!
//! A head is one way to read the text so far. Unlike the runtime, stacks are never merged.

use gcc_grammar_compiler::ids::{ContextId, EndClass, LexState, LrState, SymbolClass};
use gcc_grammar_compiler::lexer::{self, Contexts, IGNORED};
use gcc_grammar_compiler::lr::{LrTables, Run, StackId};
use gcc_grammar_compiler::{Automata, Decoding};
use gcc_grammar_ir::TerminalId;
use std::collections::BTreeSet;

/// The largest number of heads that are followed. Ambiguous grammars may have any number.
pub(crate) const MOST: usize = 60;

/// One way to read a text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Head {
    /// The state of the lexer, in the lexeme under way.
    pub(crate) lexer: LexState,
    /// The stack of the parser after the lexemes that ended.
    pub(crate) stack: StackId,
    /// The terminals of the lexemes that ended, without ignored ones.
    pub(crate) terminals: Vec<TerminalId>,
}

/// Follows heads.
pub(crate) struct Reader<'a> {
    tables: Decoding<'a>,
    pub(crate) parser: Parser<'a>,
}

/// The stacks of the LR automaton.
pub(crate) struct Parser<'a> {
    contexts: &'a Contexts,
    run: Run<&'a LrTables>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(automata: &'a Automata) -> Self {
        let tables = automata.decoding();
        let parser = Parser { contexts: tables.contexts, run: Run::new(tables.lr) };
        Self { tables, parser }
    }

    /// The head at the start of a text.
    pub(crate) fn start(&mut self) -> Head {
        let start = LrState(0);
        let lexer = self.tables.lexer.restart(EndClass(0), self.tables.contexts.of(start));
        Head { lexer, stack: self.parser.run.stacks.bottom(start), terminals: Vec::new() }
    }

    /// All heads after more symbols, including heads that cannot be completed.
    pub(crate) fn read(&mut self, head: &Head, symbols: &[SymbolClass]) -> Vec<Head> {
        let mut heads = vec![head.clone()];
        for &symbol in symbols {
            heads = heads.iter().flat_map(|head| self.step(head, symbol)).collect();
            heads.sort();
            heads.dedup();
        }
        heads
    }

    /// Whether the lexeme under way can become a terminal that the parser takes.
    pub(crate) fn is_viable(&mut self, head: &Head) -> bool {
        let mut pending = self.tables.lexer.pending(head.lexer).iter();
        pending.any(|&last| last == IGNORED || !self.parser.shift_all(head.stack, &[last]).is_empty())
    }

    /// All heads after one more symbol. The lexeme continues, or it ends and the next one starts in the context of the
    /// stack that the parser has then. If there are several such stacks, each goes with its own context only.
    fn step(&mut self, head: &Head, symbol: SymbolClass) -> Vec<Head> {
        let lexer = self.tables.lexer;
        let states = |ended: &[TerminalId], context: Option<ContextId>| {
            let mut contexts_after =
                |after: &[TerminalId]| context.into_iter().filter(|_| after == ended).collect();
            let readings = lexer::interpret(lexer, head.lexer, &[symbol], &mut contexts_after);
            readings.into_iter().filter(|reading| reading.0 == ended).map(|reading| reading.1).collect()
        };
        let continued: Vec<LexState> = states(&[], None);
        let mut heads: Vec<Head> =
            continued.into_iter().map(|lexer| Head { lexer, ..head.clone() }).collect();
        for &terminal in lexer.accepts(head.lexer) {
            let terminals = [head.terminals.as_slice(), &without_ignored(&[terminal])].concat();
            for stack in self.parser.shift_all(head.stack, &[terminal]) {
                let started: Vec<LexState> = states(&[terminal], Some(self.parser.context(stack)));
                let terminals = &terminals;
                heads.extend(started.into_iter().map(|lexer| Head {
                    lexer,
                    stack,
                    terminals: terminals.clone(),
                }));
            }
        }
        heads
    }
}

impl Parser<'_> {
    /// All stacks after these terminals. Ignored terminals change nothing.
    pub(crate) fn shift_all(&mut self, stack: StackId, terminals: &[TerminalId]) -> Vec<StackId> {
        let mut stacks = vec![stack];
        for &terminal in terminals.iter().filter(|&&terminal| terminal != IGNORED) {
            stacks =
                stacks.iter().flat_map(|&stack| self.run.shift_unmerged(stack, terminal).stacks).collect();
            stacks.sort_unstable();
            stacks.dedup();
        }
        stacks
    }

    /// The contexts in which a lexeme may start after these terminals.
    pub(crate) fn contexts_after(&mut self, stack: StackId, terminals: &[TerminalId]) -> Vec<ContextId> {
        let stacks = self.shift_all(stack, terminals);
        let contexts = stacks.iter().map(|&stack| self.context(stack));
        contexts.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// The context in which a lexeme may start on top of a stack.
    pub(crate) fn context(&self, stack: StackId) -> ContextId {
        self.contexts.of(self.top(stack))
    }

    /// The state on top of a stack.
    pub(crate) fn top(&self, stack: StackId) -> LrState {
        self.run.stacks.top(stack)
    }

    /// The states of a stack, top last.
    pub(crate) fn states(&self, stack: StackId) -> Vec<LrState> {
        self.run.stacks.states(stack)
    }
}

/// The terminals that the parser sees.
pub(crate) fn without_ignored(terminals: &[TerminalId]) -> Vec<TerminalId> {
    terminals.iter().copied().filter(|&terminal| terminal != IGNORED).collect()
}
