//! Whether items of several lexemes can still differ from those before them.
//!
//! An item can end like an earlier one only if that begins with what is written of it. Then a text that ends it differently is looked for, byte by byte and depth first,
//! by the lexer and the parser, with the memory of the heads. The search ends where one is sure to exist: in a scalar of which there are more than can be
//! remembered, behind an end of the outermost item that is like none before, or where all items that have begun are longer than all others.
//! As there is one text for each value, or one for each of few orders of its members, it looks at no more ends than there are such texts of the remembered items. White space outside of strings makes no difference, and is read only where
//! nothing else may come.
//!
//! The path is a stack of frames in the temporaries: `[next candidate, heads, place, frame before, cells in use, heads…]`.

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::grammar::Role;
use gcc_grammar_artifact::ids::{LexState, Terminal};

use crate::error::Error;
use crate::memory::items::may_run_out;
use crate::memory::values::{Beginning, Likeness};
use crate::scratch::{Bytes, ENDLESS, Head, Heads, Memory, OPEN, Place, Scratch, Span};

/// Words of a frame in front of its heads.
const FRAME: usize = 5;
/// Added to the place of a frame if something other than white space can come.
const GOES_ON: u32 = 1 << 8;
/// The numbers of candidates in a frame: brackets that close, all bytes, and white space.
const BYTES: u32 = 256 + 2;
const ALL: u32 = BYTES + 256;
/// The lengths of items are compared once in so many bytes.
const LENGTHS_EVERY: u32 = 32;

impl Scratch<'_> {
    /// Whether all open items of a head can end in a way that differs from the items before them.
    pub(crate) fn can_open_differ(&mut self, grammar: &GrammarView<'_>, head: Head) -> Result<bool, Error> {
        let mut around = head.memory;
        if let Some(open) = self.innermost_of(head.memory, ENDLESS)?
            && self.has_ended(grammar, head)?
        {
            around = self.item_before(open);
            let item = Span { start: self.item(open).start, end: self.text.len() };
            if self.is_like_item(grammar, item, around)? {
                return Ok(false);
            }
        }
        if !self.is_like_some(grammar, head, around)? || self.is_sure(grammar, head)? {
            return Ok(true);
        }
        let (bottom, cells, begun) = (self.bottom(), self.cells(), self.begun);
        let (written, read_from) = (self.text.len(), self.read_from);
        self.begun = 0;
        let found = self.search(grammar, head);
        self.drop_to(bottom);
        self.truncate_cells(cells);
        self.shorten_text(written);
        (self.begun, self.read_from) = (begun, read_from);
        found
    }

    /// Whether the lexeme has ended the innermost open item.
    fn has_ended(&mut self, grammar: &GrammarView<'_>, head: Head) -> Result<bool, Error> {
        self.can_shift_some(grammar, head, grammar.accepts(head.lex), |role| role == Role::Ends)
    }

    /// Whether an item before one that has begun begins with what is written of that. `around` is the memory of the items that have not ended.
    fn is_like_some(&mut self, grammar: &GrammarView<'_>, head: Head, around: Memory) -> Result<bool, Error> {
        let as_values = grammar.distinct().has_names();
        let is_like = |scratch: &mut Self, written, list| match as_values {
            true => scratch
                .any_item(list, |scratch, item| Ok(scratch.likeness(written, item)? != Likeness::Unlike)),
            false => scratch.any_like(list, written),
        };
        let written = Span { start: head.start, end: self.text.len() };
        Ok(self.may_begin(grammar, head)? && is_like(self, written, self.items_of(head.memory))?
            || self.any_open(around, is_like)?)
    }

    /// Whether an open item has a property, by what is written of it and the items before it. The innermost one is asked first. Of one of which infinitely many
    /// values are left, any will do, and of those around it, too.
    fn any_open(
        &mut self,
        memory: Memory,
        mut has: impl FnMut(&mut Self, Span, Memory) -> Result<bool, Error>,
    ) -> Result<bool, Error> {
        let end = self.text.len();
        let mut next = self.innermost_of(memory, OPEN)?;
        while let Some(open) = next {
            let list = self.item_before(open);
            if has(self, Span { start: self.item(open).start, end }, self.items_of(list))? {
                return Ok(true);
            }
            next = self.innermost_of(list, OPEN)?;
        }
        Ok(false)
    }

    /// Whether the lexeme may begin an item of several lexemes.
    fn may_begin(&mut self, grammar: &GrammarView<'_>, head: Head) -> Result<bool, Error> {
        self.can_shift_some(grammar, head, grammar.pending(head.lex), |role| role == Role::Begins)
    }

    /// Looks for an end of the open items of a head that differs from the items before them.
    fn search(&mut self, grammar: &GrammarView<'_>, head: Head) -> Result<bool, Error> {
        let (floor, written) = (self.bottom(), self.text.len());
        let mut first = self.empty_heads();
        self.push_head(&mut first, head)?;
        let place = self.place(head.memory)?;
        let mut frame = self.push_frame(first, place, floor)?;
        // The classes of bytes that cannot be read in a frame.
        let mut dead = (frame, Bytes::EMPTY);
        while frame != floor {
            let Some((byte, place)) = self.next_candidate(frame) else {
                frame = self.pop_frame(frame, written);
                continue;
            };
            let heads = self.heads_at(frame + FRAME, self.word(frame + 1) as usize);
            self.charge(1)?;
            let symbol = grammar.byte_symbol(byte);
            if dead.0 != frame {
                dead = (frame, Bytes::EMPTY);
            } else if dead.1.contains(symbol.0) {
                continue;
            }
            let is_alive = |lex| grammar.next(lex, symbol) != LexState::DEAD;
            let goes_on =
                |lex| is_alive(lex) || grammar.accepts(lex).len() > 0 && grammar.restarts(lex).any(is_alive);
            if !(0..heads.count).any(|index| goes_on(self.head(heads, index).lex)) {
                dead.1.insert(symbol.0);
                continue;
            }
            let len = self.text.len();
            self.read_byte(byte)?;
            let next = self.empty_heads();
            let next = self.step_below(grammar, heads, symbol, next)?;
            if next.count == 0 {
                dead.1.insert(symbol.0);
            }
            let next = self.keep_possible(grammar, next)?;
            if next.count == 0 {
                self.drop_to(frame);
                self.truncate_cells(self.word(frame + 4));
                self.shorten_text(len);
                continue;
            }
            for index in 0..next.count {
                if self.is_sure(grammar, self.head(next, index))? {
                    return Ok(true);
                }
            }
            self.set_word(frame + 2, self.word(frame + 2) | GOES_ON);
            frame = self.push_frame(next, place.after(byte), frame)?;
        }
        Ok(false)
    }

    /// What the end of the text belongs to, from the outermost open item on.
    fn place(&mut self, memory: Memory) -> Result<Place, Error> {
        let mut start = self.text.len();
        self.any_open(memory, |_, written, _| {
            start = written.start;
            Ok(false)
        })?;
        let written = start..self.text.len();
        self.charge(written.len())?;
        Ok(written.fold(Place::Outside, |place, at| place.after(self.text.byte(at))))
    }

    fn push_frame(&mut self, heads: Heads, place: Place, before: usize) -> Result<usize, Error> {
        self.push(self.cells())?;
        self.push(before as u32)?;
        self.push(place as u32)?;
        self.push(heads.count as u32)?;
        self.push(0)?;
        Ok(self.bottom())
    }

    /// Drops a frame, and the byte that led to it. Returns the frame before.
    fn pop_frame(&mut self, frame: usize, written: u32) -> usize {
        let before = self.word(frame + 3) as usize;
        self.drop_to(before);
        if self.text.len() > written {
            self.truncate_cells(self.word(before + 4));
        }
        self.shorten_text((self.text.len() - 1).max(written));
        before
    }

    /// The next byte to try in a frame, and its place: closing brackets first, as they make the shortest texts; white space only if nothing else goes on.
    fn next_candidate(&mut self, frame: usize) -> Option<(u8, Place)> {
        let place = match self.word(frame + 2) % GOES_ON {
            0 => Place::Outside,
            1 => Place::String,
            _ => Place::Escape,
        };
        loop {
            let number = self.word(frame);
            let goes_on = self.word(frame + 2) >= GOES_ON;
            if number == ALL || number >= BYTES && (goes_on || place != Place::Outside) {
                return None;
            }
            self.set_word(frame, number + 1);
            let (byte, is_meant) = match number {
                0 => (b'}', true),
                1 => (b']', true),
                _ if number < BYTES => {
                    let byte = (number - 2) as u8;
                    (byte, !place.skips(byte) && !matches!(byte, b'}' | b']'))
                }
                _ => ((number - BYTES) as u8, place.skips((number - BYTES) as u8)),
            };
            if is_meant {
                return Some((byte, place));
            }
        }
    }

    /// Keeps the heads of a list at the bottom of the temporaries from which a text of the grammar can follow, open items aside.
    fn keep_possible(&mut self, grammar: &GrammarView<'_>, heads: Heads) -> Result<Heads, Error> {
        let mut kept = 0;
        for index in 0..heads.count {
            let head = self.head(heads, index);
            if self.is_viable(grammar, head)? && self.can_lexeme_differ(grammar, head)? {
                self.set_head(heads, kept, head);
                kept += 1;
            }
        }
        Ok(self.first_heads(heads, kept))
    }

    /// Whether it is sure that the open items of a head can differ from those before them.
    fn is_sure(&mut self, grammar: &GrammarView<'_>, head: Head) -> Result<bool, Error> {
        Ok(self.is_free(grammar, head)?
            || self.innermost_of(head.memory, ENDLESS)?.is_some() && !self.has_ended(grammar, head)?
            || self.ends_unlike(grammar, head)?
            || self.text.len().is_multiple_of(LENGTHS_EVERY)
                && self.are_longer(head.memory)?
                && !self.may_begin(grammar, head)?)
    }

    /// Whether the lexeme can become more different scalars than items can be remembered.
    pub(crate) fn is_free(&mut self, grammar: &GrammarView<'_>, head: Head) -> Result<bool, Error> {
        let roles = |role| matches!(role, Role::Item | Role::Part | Role::Name);
        Ok(!may_run_out(grammar, head.lex)
            && self.can_shift_some(grammar, head, grammar.pending(head.lex), roles)?)
    }

    /// Whether one of the terminals has such a role and can be shifted.
    pub(crate) fn can_shift_some(
        &mut self,
        grammar: &GrammarView<'_>,
        head: Head,
        terminals: impl Iterator<Item = Terminal>,
        has_role: impl Fn(Role) -> bool,
    ) -> Result<bool, Error> {
        for terminal in terminals {
            if terminal != Terminal::IGNORE
                && has_role(grammar.distinct().role(terminal))
                && self.can_shift(grammar, head.node, terminal)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the lexeme can end the outermost open item, and that is like none before it.
    fn ends_unlike(&mut self, grammar: &GrammarView<'_>, head: Head) -> Result<bool, Error> {
        let is_end = |role| matches!(role, Role::Ends | Role::Item);
        if !self.can_shift_some(grammar, head, grammar.accepts(head.lex), is_end)? {
            return Ok(false);
        }
        if self.innermost_of(head.memory, ENDLESS)?.is_some() {
            return Ok(false);
        }
        let (start, list) = match self.innermost_of(head.memory, OPEN)? {
            Some(open) => (self.item(open).start, self.item_before(open)),
            None => (head.start, head.memory),
        };
        let is_inner = |role| role == Role::Item;
        let is_item = self.can_shift_some(grammar, head, grammar.accepts(head.lex), is_inner)?;
        if self.innermost_of(list, OPEN)?.is_some() || is_item && list != head.memory {
            return Ok(false);
        }
        let item = Span { start, end: self.text.len() };
        Ok(!self.is_like_item(grammar, item, list)?)
    }

    /// Whether all open items are longer than all items before them.
    fn are_longer(&mut self, memory: Memory) -> Result<bool, Error> {
        let mut is_within = false;
        let is_shorter = self.any_open(memory, |scratch, written, list| {
            is_within = true;
            let len = Beginning::of(&scratch.text, written, false).significant;
            scratch.charge(written.len() as usize)?;
            scratch.any_item(list, |_, item| Ok(item.len() >= len))
        })?;
        Ok(is_within && !is_shorter)
    }
}
