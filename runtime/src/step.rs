//! One symbol on all heads: the lexer and the parser together.
//!
//! In go a list of heads and a symbol (or the end of the text); out comes the list of heads after it, which
//! may be empty. On a head with lexer state `l` and node `n`, the symbol either continues the lexeme, or
//! shows that the lexeme ended before it. In the second case each terminal that `l` accepts is given to the
//! parser on `n`, and the symbol begins the next lexeme. Both cases may hold, then both heads are kept. Heads
//! with equal lexer and LR states are merged.

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::ids::{LexState, SymbolClass, Terminal};

use crate::error::Error;
use crate::scratch::{Head, Heads, Node, Scratch};
use crate::simulate::{FEW_REDUCTIONS, Outcome};

impl Scratch<'_> {
    /// Reads one symbol. `heads` may be the newest entry or the only temporary; the result is the only
    /// temporary.
    pub(crate) fn step(
        &mut self,
        grammar: &GrammarView<'_>,
        heads: Heads,
        symbol: SymbolClass,
    ) -> Result<Heads, Error> {
        if heads.count == 1 {
            let head = self.head(heads, 0);
            if grammar.accepts(head.lex).len() == 0 {
                return self.continue_lexeme(grammar, head, symbol);
            }
        }
        let next = self.empty_heads();
        self.step_also(grammar, heads, symbol, next)
    }

    /// Reads one symbol, and adds the heads after it to `next`, which is the only temporary except `heads`. So is the result.
    pub(crate) fn step_also(
        &mut self,
        grammar: &GrammarView<'_>,
        heads: Heads,
        symbol: SymbolClass,
        next: Heads,
    ) -> Result<Heads, Error> {
        self.step_below(grammar, heads, symbol, next).map(|next| self.keep_heads(next))
    }

    /// Reads one symbol, and adds the heads after it to `next`, the list at the bottom of the temporaries. So is the result; all other temporaries stay.
    pub(crate) fn step_below(
        &mut self,
        grammar: &GrammarView<'_>,
        heads: Heads,
        symbol: SymbolClass,
        mut next: Heads,
    ) -> Result<Heads, Error> {
        self.charge_heads(heads)?;
        for index in 0..heads.count {
            let head = self.head(heads, index);
            let kept = grammar.next(head.lex, symbol);
            if kept != LexState::DEAD {
                let age = self.older(head.age);
                self.add_head(&mut next, Head { lex: kept, age, ..head })?;
            }
            for terminal in grammar.accepts(head.lex) {
                self.end_lexeme(grammar, &mut next, head, terminal, symbol)?;
            }
        }
        Ok(next)
    }

    /// Charges that several heads are looked at.
    pub(crate) fn charge_heads(&mut self, heads: Heads) -> Result<(), Error> {
        if heads.count > 1 { self.charge(heads.count) } else { Ok(()) }
    }

    /// Reads one symbol on the only head, whose lexeme cannot have ended.
    fn continue_lexeme(
        &mut self,
        grammar: &GrammarView<'_>,
        head: Head,
        symbol: SymbolClass,
    ) -> Result<Heads, Error> {
        let lex = grammar.next(head.lex, symbol);
        if lex == LexState::DEAD {
            self.drop_temporaries();
            return Ok(self.empty_heads());
        }
        self.keep_head(Head { lex, age: self.older(head.age), ..head })
    }

    /// The age of a lexeme after the next symbol.
    fn older(&self, age: u32) -> u32 {
        age.saturating_add(self.begun).min(self.oldest)
    }

    /// Adds the heads for the case that the lexeme of `head` was a `terminal` and `symbol` begins the next
    /// lexeme.
    fn end_lexeme(
        &mut self,
        grammar: &GrammarView<'_>,
        next: &mut Heads,
        head: Head,
        terminal: Terminal,
        symbol: SymbolClass,
    ) -> Result<(), Error> {
        let mut start = |scratch: &mut Self, node, memory| {
            let restarted = grammar.restart(head.lex, scratch.lr(node));
            let lex = grammar.next(restarted, symbol);
            if lex == LexState::DEAD {
                Ok(false)
            } else {
                let (age, start) = (scratch.begun, scratch.read_from);
                scratch.add_head(next, Head { lex, node, age, start, memory }).map(|()| true)
            }
        };
        if terminal == Terminal::IGNORE {
            return start(self, head.node, head.memory).map(|_| ());
        }
        let before = self.cells();
        let mut outcome = self.simulate_within(grammar, head.node, terminal, FEW_REDUCTIONS);
        if let Outcome::Long(pushed) = outcome {
            // Before many reductions it pays to see that no lexeme could follow, as after `el` in `else`.
            let mut starts = grammar.restarts(head.lex);
            if starts.all(|start| grammar.next(start, symbol) == LexState::DEAD) {
                return Ok(());
            }
            outcome = self.simulate_deep(grammar, pushed, terminal);
        }
        if matches!(outcome, Outcome::Refused) {
            return Ok(());
        }
        let Some(memory) = self.memory_after(grammar, head, terminal)? else { return Ok(()) };
        let tops = self.shift_after(grammar, head.node, terminal, outcome)?;
        let mut used = false;
        for cell in tops.clone() {
            if let Some(node) = self.top_at(&tops, cell)? {
                used |= start(self, node, memory)?;
            }
        }
        if !used {
            self.truncate_cells(before);
        }
        Ok(())
    }

    /// Adds a head to the list, or merges it into the head with the same lexer and LR states. Heads whose lexemes have different ages stay apart,
    /// but for those with the same stack: of these the younger one may do everything that the other one may, if ages are not exact.
    pub(crate) fn add_head(&mut self, heads: &mut Heads, head: Head) -> Result<(), Error> {
        for index in 0..heads.count {
            self.charge(1)?;
            let other = self.head(*heads, index);
            if other.lex != head.lex || self.lr(other.node) != self.lr(head.node) {
                continue;
            }
            if other.start != head.start || other.memory != head.memory {
                continue;
            }
            if other.age == head.age {
                let node = self.merge(other.node, head.node)?;
                self.set_head(*heads, index, Head { node, ..other });
                return Ok(());
            }
            if !self.are_ages_exact && self.is_same_stack(other.node, head.node) {
                self.set_head(*heads, index, Head { age: other.age.min(head.age), ..other });
                return Ok(());
            }
        }
        self.push_head(heads, head)
    }

    /// Whether two nodes with the same LR state are known to be the same stack.
    fn is_same_stack(&self, a: Node, b: Node) -> bool {
        let is_single = |node| self.rest(node).is_none();
        a == b || is_single(a) && is_single(b) && self.parent(a) == self.parent(b)
    }

    /// Reads an end token: ends the lexemes and shifts the end terminal. The result is the only temporary.
    ///
    /// `at_start` is true if nothing was read yet; then the text may also end without a lexeme.
    pub(crate) fn finish(
        &mut self,
        grammar: &GrammarView<'_>,
        heads: Heads,
        at_start: bool,
    ) -> Result<Heads, Error> {
        self.charge_heads(heads)?;
        self.read_symbol();
        let mut next = self.empty_heads();
        for index in 0..heads.count {
            let head = self.head(heads, index);
            if at_start {
                self.shift_end(grammar, &mut next, head.node)?;
            }
            for terminal in grammar.accepts(head.lex) {
                self.finish_lexeme(grammar, &mut next, head, terminal)?;
            }
        }
        Ok(self.keep_heads(next))
    }

    /// Adds the heads for the case that the last lexeme was a `terminal`.
    fn finish_lexeme(
        &mut self,
        grammar: &GrammarView<'_>,
        next: &mut Heads,
        head: Head,
        terminal: Terminal,
    ) -> Result<(), Error> {
        if terminal == Terminal::IGNORE {
            return self.finish_at(grammar, next, head.lex, head.node);
        }
        if self.memory_after(grammar, head, terminal)?.is_none() {
            return Ok(());
        }
        let tops = self.shift(grammar, head.node, terminal)?;
        for cell in tops.clone() {
            if let Some(top) = self.top_at(&tops, cell)? {
                self.finish_at(grammar, next, head.lex, top)?;
            }
        }
        Ok(())
    }

    /// Shifts the end terminal behind a lexeme that ended in `lex`, if the lexer lets the text end there.
    fn finish_at(
        &mut self,
        grammar: &GrammarView<'_>,
        next: &mut Heads,
        lex: LexState,
        node: Node,
    ) -> Result<(), Error> {
        if grammar.may_end(lex, self.lr(node)) { self.shift_end(grammar, next, node) } else { Ok(()) }
    }

    fn shift_end(&mut self, grammar: &GrammarView<'_>, next: &mut Heads, node: Node) -> Result<(), Error> {
        let tops = self.shift(grammar, node, grammar.end_terminal())?;
        for cell in tops.clone() {
            if let Some(node) = self.top_at(&tops, cell)? {
                self.add_head(next, Head { lex: LexState::DEAD, node, age: 0, start: 0, memory: None })?;
            }
        }
        Ok(())
    }

    /// Keeps the viable heads; `heads` is the only temporary, and so is the result.
    pub(crate) fn retain_viable(&mut self, grammar: &GrammarView<'_>, heads: Heads) -> Result<Heads, Error> {
        self.charge_heads(heads)?;
        let mut kept = 0;
        for index in 0..heads.count {
            let head = self.head(heads, index);
            if self.is_viable(grammar, head)? && self.can_differ(grammar, head)? {
                self.set_head(heads, kept, head);
                kept += 1;
            }
        }
        Ok(if kept == heads.count { heads } else { self.truncate_heads(heads, kept) })
    }

    /// Whether the lexeme can still become a terminal that the parser takes on this stack. As the LR
    /// automaton has the viable-prefix property, some continuation then leads to a text of the language.
    ///
    /// A terminal may need a reduction for each level of a right recursion. So all terminals are first tried
    /// with few reductions: if the lexeme is `else` or begins a name, `else` decides at once.
    pub(crate) fn is_viable(&mut self, grammar: &GrammarView<'_>, head: Head) -> Result<bool, Error> {
        let (mut is_decided, mut object) = (true, None);
        for terminal in grammar.pending(head.lex) {
            let few = |terminal| self.simulate_within(grammar, head.node, terminal, FEW_REDUCTIONS);
            match (terminal != Terminal::IGNORE).then(|| few(terminal)) {
                None => return Ok(true),
                Some(Outcome::Shifted { .. })
                    if self.may_come(grammar, head.memory, terminal, &mut object)?
                        && self.may_become_same(grammar, head, terminal)? =>
                {
                    return Ok(true);
                }
                Some(Outcome::Shifted { .. } | Outcome::Refused) => {}
                Some(Outcome::Ambiguous | Outcome::Long(_)) => is_decided = false,
            }
        }
        if is_decided {
            return Ok(false);
        }
        for terminal in grammar.pending(head.lex) {
            if self.can_shift(grammar, head.node, terminal)?
                && self.may_come(grammar, head.memory, terminal, &mut object)?
                && self.may_become_same(grammar, head, terminal)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
