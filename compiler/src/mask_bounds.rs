//! Bounds the cost of a mask and of a byte, as the artifact states them.
//!
//! In: the automata, and how far the Parser DWA reads ([`Depth`]). Out: [`MaskBounds`] of the artifact, with the
//! construct along which reading never ends, if there is one.
//!
//! **Heads.** There is one head at all times if no LR state has a conflict, and if each symbol either continues
//! the lexeme or ends it as one terminal, but not both. [`is_deterministic`] checks the second part for all
//! lexer states, and all contexts in which the next lexeme may start.
//!
//! **Cells pushed.** A byte can end one lexeme. Its terminal is shifted, which pushes a cell, and another one if
//! reductions come first. With a conflict the number depends on the stacks that there are.

use crate::automata::{Automata, Decoding};
use crate::ids::{ContextId, LexState, LrState};
use crate::lexer::{IGNORED, Lexer, PatternId, Rows};
use crate::lr::Entry;
use crate::parser::Depth;
use gcc_grammar_artifact::grammar::{MaskBounds, NONE};
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::{Budget, OverBudget};

/// Cells that a terminal pushes on a stack: the last reduction, and the shift.
const CELLS_PER_TERMINAL: u32 = 2;

/// The costs of a grammar whose masks have `row_words` words and at most `flips` flips. Second, the construct
/// that makes masks read on for ever; empty if there is none.
///
/// # Errors
/// The budget is spent.
pub(crate) fn mask_bounds(
    automata: &Automata,
    depth: &Depth,
    row_words: u32,
    flips: u32,
) -> Result<(MaskBounds, String), OverBudget> {
    let budget = automata.budget.stage("costs");
    let has_one_head = automata.decoding().lr.conflicts() == 0 && is_deterministic(automata, &budget)?;
    let (cells_read, masks_united, construct) = match depth {
        Depth::Bounded(bound) => (bound.cells, bound.outputs, String::new()),
        Depth::Unbounded { cycle, .. } => (NONE, NONE, construct(automata, cycle)),
    };
    let words_written = match masks_united {
        NONE => NONE,
        _ if !has_one_head => NONE,
        // A row is set to 0 or to a base; each mask that is united may have a base of its own, and its flips.
        masks => {
            let united = row_words.saturating_add(masks.saturating_mul(row_words.saturating_add(flips)));
            // Tokens with too many characters are taken out in one more pass.
            let cut = if automata.decoding().lexer.counters.is_empty() { 0 } else { row_words };
            united.saturating_add(cut)
        }
    };
    let costs = MaskBounds {
        cells_read,
        masks_united,
        words_written,
        heads: if has_one_head { 1 } else { NONE },
        cells_pushed: if has_one_head { CELLS_PER_TERMINAL } else { NONE },
    };
    Ok((costs, construct))
}

/// The symbols of a cycle of LR states, and the rules whose reductions read through them.
fn construct(automata: &Automata, cycle: &[LrState]) -> String {
    let entries = automata.decoding().lr.entries();
    let name = |state: &LrState| match &entries[state.index()] {
        Entry::Start => "the beginning",
        Entry::Shift(terminals) => automata.terminal_name(automata.origin(terminals[0])),
        Entry::Goto(nonterminal) => automata.rule_name(automata.nonterminal_origin(*nonterminal)),
    };
    cycle.iter().map(name).collect::<Vec<_>>().join(" ")
}

/// Whether a symbol leaves at most one choice in every lexer state: to continue the lexeme, or to end it as one
/// of the terminals that it may be.
fn is_deterministic(automata: &Automata, budget: &Budget) -> Result<bool, OverBudget> {
    let decoding = automata.decoding();
    let lexer = decoding.lexer;
    let after = ContextsAfter::new(&decoding);
    let classes = Classes::new(lexer);
    for state in (1..lexer.states()).map(LexState::new) {
        let accepts = lexer.accepts(state);
        let mut taken = classes.of(state).to_vec();
        for &terminal in accepts {
            let contexts = after.terminal(terminal);
            budget.charge_work(contexts.len() as u64)?;
            let mut ended = vec![0; taken.len()];
            for &context in contexts {
                let start = lexer.restart(lexer.end_class[state.index()], context);
                if start != LexState::DEAD {
                    ended.iter_mut().zip(classes.of(start)).for_each(|(all, own)| *all |= own);
                }
            }
            if taken.iter().zip(&ended).any(|(a, b)| a & b != 0) {
                return Ok(false);
            }
            taken.iter_mut().zip(&ended).for_each(|(all, own)| *all |= own);
        }
        // Two terminals may both be the last of the text.
        if accepts.iter().filter(|&&terminal| terminal != IGNORED).count() > 1 {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The contexts in which the parser may be after each terminal.
struct ContextsAfter {
    terminals: Vec<Vec<ContextId>>,
    /// After an ignored lexeme: all contexts in which lexemes start.
    all: Vec<ContextId>,
}

impl ContextsAfter {
    fn new(Decoding { lr, contexts, .. }: &Decoding<'_>) -> Self {
        let mut terminals = vec![Vec::new(); lr.terminals];
        let mut all = Vec::new();
        for (state, entry) in lr.entries().into_iter().enumerate() {
            let context = contexts.of(LrState::new(state));
            match entry {
                Entry::Start => all.push(context),
                Entry::Shift(shifted) => {
                    all.push(context);
                    shifted.iter().for_each(|terminal| terminals[terminal.index()].push(context));
                }
                Entry::Goto(_) => {}
            }
        }
        for contexts in terminals.iter_mut().chain([&mut all]) {
            contexts.sort_unstable();
            contexts.dedup();
        }
        Self { terminals, all }
    }

    fn terminal(&self, terminal: TerminalId) -> &[ContextId] {
        if terminal == IGNORED { &self.all } else { &self.terminals[terminal.index()] }
    }
}

/// Per pattern of lexer states: the symbol classes with a transition, as a bit set.
struct Classes<'a> {
    rows: &'a Rows,
    /// Length of a bit set.
    words: usize,
    bits: Vec<u64>,
}

impl<'a> Classes<'a> {
    fn new(lexer: &'a Lexer) -> Self {
        let words = lexer.classes.div_ceil(64);
        let mut bits = vec![0; lexer.rows.sizes().len() * words];
        for (pattern, row) in lexer.rows.slots().chunks(lexer.classes).enumerate() {
            for class in (0..lexer.classes).filter(|&class| row[class] != 0) {
                bits[pattern * words + class / 64] |= 1 << (class % 64);
            }
        }
        Self { rows: &lexer.rows, words, bits }
    }

    fn of(&self, state: LexState) -> &[u64] {
        let PatternId(pattern) = self.rows.pattern(state);
        let first = pattern as usize * self.words;
        &self.bits[first..first + self.words]
    }
}
