//! Where characters lead within a lexeme.

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::ids::{LexState, SymbolClass};

use crate::characters::Groups;

/// A head that went on with its lexeme: the number of the head and the lexer state.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Continuation {
    pub(super) head: usize,
    pub(super) lex: LexState,
}

impl Continuation {
    pub(super) const NONE: Self = Self { head: 0, lex: LexState::DEAD };
}

/// Whether a lexeme may end in a lexer state so that the symbol begins the next one, on some stack.
pub(super) fn may_end_before(grammar: &GrammarView<'_>, lex: LexState, symbol: SymbolClass) -> bool {
    let starts = || grammar.restarts(lex).any(|start| grammar.next(start, symbol) != LexState::DEAD);
    grammar.accepts(lex).len() > 0 && starts()
}

/// The groups with a character that does not lead from one state to the other, or before which the lexeme may end.
pub(super) fn stray(grammar: &GrammarView<'_>, from: LexState, to: LexState) -> Groups {
    if to == LexState::DEAD {
        return Groups::ALL;
    }
    let mut stray = if wide_lead_to(grammar, from, to) { Groups::NONE } else { Groups::WIDE };
    let mut last = None;
    for byte in 0..0x80 {
        let symbol = grammar.byte_symbol(byte);
        let leads = match last {
            Some((known, leads)) if known == symbol => leads,
            _ => grammar.next(from, symbol) == to && !may_end_before(grammar, from, symbol),
        };
        if !leads {
            stray = stray.with(Groups::of(byte));
        }
        last = Some((symbol, leads));
    }
    stray
}

/// Whether every character that is not ASCII leads from one state to the other, and the lexeme cannot end before it or within it.
pub(super) fn wide_lead_to(grammar: &GrammarView<'_>, from: LexState, to: LexState) -> bool {
    let mut last = None;
    (0xc2..=0xf4).all(|lead: u8| {
        let symbol = grammar.byte_symbol(lead);
        let (second, rest) = continuations(lead);
        let known = (symbol, second, rest);
        if last == Some(known) {
            return true;
        }
        last = Some(known);
        let mut at =
            if may_end_before(grammar, from, symbol) { None } else { Some(grammar.next(from, symbol)) };
        for (low, high) in core::iter::once(second).chain((0..rest).map(|_| (0x80, 0xbf))) {
            at = at
                .filter(|&state| grammar.accepts(state).len() == 0)
                .and_then(|at| common(grammar, at, low, high));
        }
        at == Some(to)
    })
}

/// The least and the greatest second byte of a character in UTF-8, and the number of bytes after it (RFC 3629, section 4).
const fn continuations(lead: u8) -> ((u8, u8), usize) {
    match lead {
        0xe0 => ((0xa0, 0xbf), 1),
        0xed => ((0x80, 0x9f), 1),
        0xe1..=0xef => ((0x80, 0xbf), 1),
        0xf0 => ((0x90, 0xbf), 2),
        0xf4 => ((0x80, 0x8f), 2),
        0xf1..=0xf3 => ((0x80, 0xbf), 2),
        _ => ((0x80, 0xbf), 0),
    }
}

/// The state to which all these bytes lead.
fn common(grammar: &GrammarView<'_>, from: LexState, low: u8, high: u8) -> Option<LexState> {
    let symbol = grammar.byte_symbol(low);
    let to = grammar.next(from, symbol);
    let leads = |byte| {
        let other = grammar.byte_symbol(byte);
        other == symbol || grammar.next(from, other) == to
    };
    (low..=high).all(leads).then_some(to)
}
