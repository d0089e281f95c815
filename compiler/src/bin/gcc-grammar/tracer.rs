//! A text read byte by byte with all its heads, as the runtime does, but with everything by name.
//!
//! A head is a lexer state and a parser stack. Lexemes end lazily: at every byte, a head goes on with its lexeme and, if the
//! lexeme may have ended, shifts it and starts the next one. What cannot become a lexeme that the parser takes is dropped.

use gcc_grammar::ids::{EndClass, LexState, LrState};
use gcc_grammar::lexer::{Contexts, IGNORED, Lexer, Symbols};
use gcc_grammar::lr::{Action, LrTables};
use gcc_grammar_frontends::TerminalId;

/// A grammar as tables.
pub(crate) struct Tables<'a> {
    pub(crate) lr: &'a LrTables,
    pub(crate) lexer: &'a Lexer,
    pub(crate) contexts: &'a Contexts,
    pub(crate) symbols: &'a Symbols,
}

/// A lexeme that has been read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lexeme {
    /// Which terminal it is; [`IGNORED`] if the parser does not see it.
    pub(crate) terminal: TerminalId,
    /// Bytes of the text.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The parser stack after it, bottom first.
    pub(crate) stack: Vec<LrState>,
}

/// One way to read the text so far.
#[derive(Clone)]
pub(crate) struct Head {
    lexer: LexState,
    /// Where the lexeme in progress began.
    pub(crate) start: usize,
    pub(crate) stack: Vec<LrState>,
    pub(crate) lexemes: Vec<Lexeme>,
}

/// What became of a text.
pub(crate) struct Trace {
    /// Bytes that could be read.
    pub(crate) read: usize,
    /// The heads after them.
    pub(crate) heads: Vec<Head>,
    /// Number of heads after each byte.
    pub(crate) counts: Vec<usize>,
    /// The ways to end there; none if the text may not end.
    pub(crate) complete: Vec<Head>,
}

impl Tables<'_> {
    /// Reads the text as far as possible.
    pub(crate) fn trace(&self, text: &[u8]) -> Trace {
        let stack = vec![LrState(0)];
        let lexer = self.lexer.restart(EndClass(0), self.contexts.of(LrState(0)));
        let mut heads = vec![Head { lexer, start: 0, stack, lexemes: Vec::new() }];
        let mut counts = Vec::new();
        for (at, &byte) in text.iter().enumerate() {
            let next = self.step(&heads, at, byte);
            if next.is_empty() {
                break;
            }
            counts.push(next.len());
            heads = next;
        }
        let read = counts.len();
        let ended: Vec<Head> = if read == 0 {
            heads.clone()
        } else {
            heads.iter().flat_map(|head| self.end_lexeme(head, read)).collect()
        };
        let complete = ended.into_iter().filter(|head| !self.shift(&head.stack, self.lr.end).is_empty());
        Trace { read, complete: complete.collect(), heads, counts }
    }

    fn step(&self, heads: &[Head], at: usize, byte: u8) -> Vec<Head> {
        let class = self.symbols.class_of(byte);
        let mut next: Vec<Head> = Vec::new();
        let mut add = |head: &Head, lexer: LexState, start: usize| {
            let lexer = self.lexer.next(lexer, class);
            let known = next.iter().any(|other| other.lexer == lexer && other.stack == head.stack);
            if lexer != LexState(0) && !known && self.is_viable(lexer, &head.stack) {
                next.push(Head { lexer, start, ..head.clone() });
            }
        };
        for head in heads {
            add(head, head.lexer, head.start);
            let end = self.lexer.end_class[head.lexer.index()];
            for after in self.end_lexeme(head, at) {
                let top = after.stack[after.stack.len() - 1];
                add(&after, self.lexer.restart(end, self.contexts.of(top)), at);
            }
        }
        next
    }

    /// The head with its lexeme ended, once for each way to parse it.
    fn end_lexeme(&self, head: &Head, end: usize) -> Vec<Head> {
        let mut after = Vec::new();
        for &terminal in self.lexer.accepts(head.lexer) {
            let stacks = match terminal {
                IGNORED => vec![head.stack.clone()],
                terminal => self.shift(&head.stack, terminal),
            };
            for stack in stacks {
                let mut head = Head { stack: stack.clone(), ..head.clone() };
                head.lexemes.push(Lexeme { terminal, start: head.start, end, stack });
                after.push(head);
            }
        }
        after
    }

    /// Whether the lexeme in progress may become one that the parser takes.
    fn is_viable(&self, lexer: LexState, stack: &[LrState]) -> bool {
        let pending = self.lexer.pending(lexer);
        pending.iter().any(|&terminal| terminal == IGNORED || !self.shift(stack, terminal).is_empty())
    }

    /// The terminals that the parser takes after these heads.
    pub(crate) fn expected(&self, stack: &[LrState]) -> Vec<TerminalId> {
        let terminals = (0..self.lr.terminals).map(TerminalId::new);
        terminals.filter(|&terminal| !self.shift(stack, terminal).is_empty()).collect()
    }

    /// The stacks after a terminal: all reductions, then its shift.
    fn shift(&self, stack: &[LrState], terminal: TerminalId) -> Vec<Vec<LrState>> {
        let (mut open, mut out) = (vec![stack.to_vec()], Vec::new());
        while let Some(stack) = open.pop() {
            let Some(&top) = stack.last() else { continue };
            for &(_, action) in self.lr.actions_on(top, terminal) {
                let mut stack = stack.clone();
                match action {
                    Action::Shift(state) => {
                        stack.push(state);
                        out.push(stack);
                    }
                    Action::Reduce(production) => {
                        let (left, length) = self.lr.productions[production.index()];
                        stack.truncate(stack.len() - length as usize);
                        let goto = stack.last().and_then(|&top| self.lr.goto(top, left));
                        stack.extend(goto);
                        open.push(stack);
                    }
                }
            }
        }
        out
    }
}
