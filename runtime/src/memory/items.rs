//! Lists whose items differ.
//!
//! The text is remembered, and where each lexeme began. Where the lexeme of a head ends as an item of such a list, its place is added
//! to the memory of the head, unless an item of the memory has the same text: then it has not ended so.
//! What stands between two items keeps the memory, and every other terminal drops that of the innermost list. An item of several lexemes is open from
//! the lexeme that begins it to the one that ends it, and keeps the memory of the list that it is in; when it ends, that of lists within it is gone. The memory follows from the terminals that were read, and the parser stack knows nothing of it.
//!
//! A head is kept only if its lexeme [can still differ](Scratch::can_differ): it is followed along each remembered text that begins with it, as
//! long as no other text is possible. As the grammar has no list with more items than there are values, a further item is always possible where it
//! has not begun.
//!
//! The names of objects in items are remembered in the same way until the object closes. Where there are names, items are compared
//! [as values](crate::memory::values).

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::grammar::Role;
use gcc_grammar_artifact::ids::{LexState, Terminal};

use crate::error::Error;
use crate::memory::values::Likeness;
use crate::scratch::{
    Bytes, ENDLESS, Head, ITEM, Memory, NAME, NO_RECORD, Node, OPEN, Scratch, Signature, Sorted, Span,
};

impl Scratch<'_> {
    /// Notes the next byte of the text.
    #[inline]
    pub(crate) fn read_byte(&mut self, byte: u8) -> Result<(), Error> {
        if self.has_text() {
            self.read_symbol();
            self.text.push(byte)?;
        }
        Ok(())
    }

    /// Notes that a symbol without bytes comes next.
    pub(crate) fn read_symbol(&mut self) {
        self.read_from = self.text.len();
    }

    /// The memory of a head after its lexeme was a terminal; none if it is an item that was there before.
    pub(crate) fn memory_after(
        &mut self,
        grammar: &GrammarView<'_>,
        head: Head,
        terminal: Terminal,
    ) -> Result<Option<Memory>, Error> {
        if !self.has_text() {
            return Ok(Some(None));
        }
        if !grammar.same().is_empty() {
            return self.memory_after_same(grammar, head, terminal);
        }
        let lexeme = Span { start: head.start, end: self.read_from };
        Ok(match grammar.distinct().role(terminal) {
            Role::Other | Role::Part | Role::Comma => Some(self.innermost(head.memory)?),
            Role::Opens(record) => Some(self.memory_in_object(head.memory, record)?),
            Role::Key(key) => self.memory_after_key(grammar, head.memory, key)?,
            Role::Closes => Some(self.memory_after_object(head.memory)?),
            Role::Between => Some(head.memory),
            Role::Begins => Some(Some(self.remember(head.memory, Span { start: head.start, end: OPEN })?)),
            Role::BeginsEndless => {
                Some(Some(self.remember(head.memory, Span { start: head.start, end: ENDLESS })?))
            }
            Role::Ends => self.memory_after_end(grammar, head.memory)?,
            Role::Item if self.is_remembered(self.items_of(head.memory), lexeme)? => None,
            Role::Item => {
                let tag = self.tag_of(grammar, lexeme)?;
                Some(Some(self.remember_as(head.memory, lexeme, tag)?))
            }
            Role::OpensNames => Some(self.memory_in_object(head.memory, NO_RECORD)?),
            Role::Name => {
                let names = self.names_of(head.memory)?;
                if self.is_remembered(names, lexeme)? {
                    return Ok(None);
                }
                let around = self.innermost(head.memory)?;
                Some(Some(self.remember_as(around, lexeme, NAME)?))
            }
        })
    }

    /// The memory after the innermost open item has ended.
    fn memory_after_end(
        &mut self,
        grammar: &GrammarView<'_>,
        memory: Memory,
    ) -> Result<Option<Memory>, Error> {
        let Some(open) = self.innermost_item(memory)? else { return Ok(Some(None)) };
        let item = Span { start: self.item(open).start, end: self.read_from };
        let list = self.item_before(open);
        if self.is_like_item(grammar, item, list)? {
            return Ok(None);
        }
        let tag = self.tag_of(grammar, item)?;
        self.remember_as(list, item, tag).map(|item| Some(Some(item)))
    }

    /// The tag of an item: its signature, if it is an array or object that is compared as a value.
    fn tag_of(&mut self, grammar: &GrammarView<'_>, item: Span) -> Result<u32, Error> {
        if !grammar.distinct().has_names() || !self.text.is_composite(item) {
            return Ok(ITEM);
        }
        self.charge(item.len() as usize)?;
        Ok(self.text.signature(item).tag())
    }

    /// Whether an item is equal to one of a list.
    pub(crate) fn is_like_item(
        &mut self,
        grammar: &GrammarView<'_>,
        item: Span,
        list: Memory,
    ) -> Result<bool, Error> {
        let list = self.items_of(list);
        if !self.text.is_value(item) {
            return self.is_remembered(list, item);
        }
        let Some(signature) = Signature::of_tag(self.tag_of(grammar, item)?) else {
            // No value begins with another one.
            return self.any_like(list, item);
        };
        self.any_part(list, |scratch, items| {
            let others = scratch.values_with(items, signature.tag());
            for place in 0..others.count {
                scratch.charge(1)?;
                let other = scratch.item(scratch.sorted_at(others, place));
                if scratch.likeness(item, other)? == Likeness::Equal {
                    return Ok(true);
                }
            }
            Ok(false)
        })
    }

    /// Whether a value of a list begins with a text, white space outside of strings aside. Values have no signatures.
    pub(crate) fn any_like(&mut self, list: Memory, beginning: Span) -> Result<bool, Error> {
        self.any_part(list, |scratch, items| {
            scratch.charge(beginning.len() as usize)?;
            Ok(scratch.values_like(items, beginning).count > 0)
        })
    }

    /// Whether a part of a list has a property: an item, or at once those in the table. The last one is asked first.
    fn any_part(
        &mut self,
        list: Memory,
        mut has: impl FnMut(&mut Self, Sorted) -> Result<bool, Error>,
    ) -> Result<bool, Error> {
        let mut next = list;
        while let Some(item) = next {
            self.charge(1)?;
            let is_table = self.is_table_of(item);
            let items = if is_table { self.table() } else { Sorted::one(item) };
            if has(self, items)? {
                return Ok(true);
            }
            next = if is_table { None } else { self.listed_before(item) };
        }
        Ok(false)
    }

    /// Whether an item or name of a list has a property. The last one is asked first.
    pub(crate) fn any_item(
        &mut self,
        memory: Memory,
        mut has: impl FnMut(&mut Self, Span) -> Result<bool, Error>,
    ) -> Result<bool, Error> {
        let mut next = memory;
        while let Some(item) = next {
            self.charge(1)?;
            if has(self, self.item(item))? {
                return Ok(true);
            }
            next = self.listed_before(item);
        }
        Ok(false)
    }

    /// Whether an item of the list has this text.
    pub(crate) fn is_remembered(&mut self, memory: Memory, text: Span) -> Result<bool, Error> {
        let mut next = memory;
        while let Some(item) = next {
            self.charge(1)?;
            if self.is_table_of(item) && !self.text.is_value(text) {
                // The first of the texts that begin with this one is the shortest one.
                let texts = self.texts_with(self.table(), text);
                return Ok(texts.count > 0 && self.item(self.sorted_at(texts, 0)).len() == text.len());
            }
            if self.text.is_equal(self.item(item), text) {
                return Ok(true);
            }
            next = self.listed_before(item);
        }
        Ok(false)
    }

    /// Whether the items that have begun can still differ from those before them. The head is viable.
    pub(crate) fn can_differ(&mut self, grammar: &GrammarView<'_>, head: Head) -> Result<bool, Error> {
        let is_nested = head.memory.is_some() && grammar.distinct().is_nested();
        Ok(self.can_lexeme_differ(grammar, head)? && (!is_nested || self.can_open_differ(grammar, head)?))
    }

    /// Whether the lexeme can still become an item that differs from all of its list, or something that is no item. The head is viable.
    pub(crate) fn can_lexeme_differ(&mut self, grammar: &GrammarView<'_>, head: Head) -> Result<bool, Error> {
        if head.memory.is_none() || grammar.distinct().is_empty() || !may_run_out(grammar, head.lex) {
            return Ok(true);
        }
        let list = self.list_of(grammar, head)?;
        let Some(last) = list else { return Ok(true) };
        let written = Span { start: head.start, end: self.text.len() };
        let mut is_alone = true;
        let differs = self.any_text_with(last, written, |scratch, texts| {
            is_alone = false;
            (0..texts.count).try_fold(false, |differs, place| {
                let text = scratch.item(scratch.sorted_at(texts, place));
                Ok(differs || scratch.differs_along(grammar, head, text, last)?)
            })
        })?;
        Ok(differs || is_alone || self.is_no_item(grammar, head)?)
    }

    /// Whether some texts of a list that begin with a text have a property; they come in groups.
    pub(crate) fn any_text_with(
        &mut self,
        last: Node,
        beginning: Span,
        mut have: impl FnMut(&mut Self, Sorted) -> Result<bool, Error>,
    ) -> Result<bool, Error> {
        self.any_part(Some(last), |scratch, items| {
            let texts = scratch.texts_with(items, beginning);
            Ok(texts.count > 0 && have(scratch, texts)?)
        })
    }

    /// The list of which the lexeme may become an item, or the object of which it may become a name.
    fn list_of(&mut self, grammar: &GrammarView<'_>, head: Head) -> Result<Memory, Error> {
        let is_name = |role| role == Role::Name;
        if grammar.distinct().has_names()
            && self.can_shift_some(grammar, head, grammar.pending(head.lex), is_name)?
        {
            return self.names_of(head.memory);
        }
        Ok(self.items_of(head.memory))
    }

    /// Whether the lexeme may also become a terminal that is no item.
    fn is_no_item(&mut self, grammar: &GrammarView<'_>, head: Head) -> Result<bool, Error> {
        for terminal in grammar.pending(head.lex) {
            if !is_item(grammar.distinct().role(terminal))
                && (terminal == Terminal::IGNORE || self.can_shift(grammar, head.node, terminal)?)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the lexeme of a head can leave a remembered text, of which it is a beginning, for a text that is not remembered.
    fn differs_along(
        &mut self,
        grammar: &GrammarView<'_>,
        head: Head,
        text: Span,
        last: Node,
    ) -> Result<bool, Error> {
        let mut lex = head.lex;
        let mut end = text.start + (self.text.len() - head.start);
        loop {
            let beginning = Span { start: text.start, end };
            let head = Head { lex, ..head };
            let is_new = !self.is_remembered(Some(last), beginning)?;
            if is_new && self.can_shift_some(grammar, head, grammar.accepts(lex), is_item)?
                || self.any_leaving(grammar, (lex, beginning, last), |scratch, lex| {
                    scratch.is_viable(grammar, Head { lex, ..head })
                })?
            {
                return Ok(true);
            }
            if end == text.end {
                return Ok(false);
            }
            lex = grammar.next(lex, grammar.byte_symbol(self.text.byte(end)));
            if lex == LexState::DEAD {
                return Ok(false);
            }
            end += 1;
        }
    }

    /// Whether a state has a property to which a byte leads that no remembered text has behind this beginning. The beginning led to the given state.
    pub(crate) fn any_leaving(
        &mut self,
        grammar: &GrammarView<'_>,
        (lex, beginning, last): (LexState, Span, Node),
        mut has: impl FnMut(&mut Self, LexState) -> Result<bool, Error>,
    ) -> Result<bool, Error> {
        let taken = self.bytes_behind(beginning, last)?;
        // A class of bytes is looked at once.
        let mut known = Bytes::EMPTY;
        for byte in (0..=u8::MAX).filter(|&byte| !taken.contains(byte.into())) {
            let symbol = grammar.byte_symbol(byte);
            let to = grammar.next(lex, symbol);
            if to == LexState::DEAD || known.contains(symbol.0) {
                continue;
            }
            known.insert(symbol.0);
            if has(self, to)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The bytes that come behind this beginning in remembered texts.
    pub(crate) fn bytes_behind(&mut self, beginning: Span, last: Node) -> Result<Bytes, Error> {
        let mut taken = Bytes::EMPTY;
        self.any_text_with(last, beginning, |scratch, texts| {
            taken.insert_all(scratch.bytes_at(texts, beginning.len()));
            Ok(false)
        })?;
        Ok(taken)
    }
}

/// Whether a terminal with this role is an item or a name.
pub(crate) const fn is_item(role: Role) -> bool {
    matches!(role, Role::Item | Role::Name)
}

/// Whether a lexeme in this state may become an item of which fewer texts are left than can be remembered.
#[inline]
pub(crate) fn may_run_out(grammar: &GrammarView<'_>, lex: LexState) -> bool {
    let is_short = grammar.counters().free(lex).is_some_and(|free| free < TEXT_BITS);
    is_short || !grammar.distinct().branches(grammar.uncounted(lex))
}

/// The text has fewer bytes than 2 to the power of this.
const TEXT_BITS: u32 = 32;
