//! Texts that are repeated, such as the name of a start tag in the end tag.
//!
//! Where the lexeme of a head ends as a remembered terminal, its place is added to the memory of the head, which is a stack. Where it ends as a repeated terminal, its
//! text must be that of the last place, which goes; else it has not ended so. The grammar repeats or forgets each remembered text. So a
//! repeated terminal can come wherever the parser takes it, and it can end if its lexeme [begins like](Scratch::may_become_same) the remembered text.

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::grammar::SameRole;
use gcc_grammar_artifact::ids::Terminal;

use crate::error::Error;
use crate::scratch::{Head, Memory, Scratch, Span};

impl Scratch<'_> {
    /// The memory of a head after its lexeme was a terminal; none if it has not the text that it must repeat.
    pub(super) fn memory_after_same(
        &mut self,
        grammar: &GrammarView<'_>,
        head: Head,
        terminal: Terminal,
    ) -> Result<Option<Memory>, Error> {
        let lexeme = Span { start: head.start, end: self.read_from };
        let before = |scratch: &Self| head.memory.and_then(|last| scratch.item_before(last));
        Ok(match grammar.same().role(terminal) {
            None => Some(head.memory),
            Some(SameRole::Remembered) => Some(Some(self.remember(head.memory, lexeme)?)),
            Some(SameRole::Forgotten) => Some(before(self)),
            Some(SameRole::Repeated) => match self.text_to_repeat(head.memory) {
                Some(text) => {
                    self.charge(lexeme.len() as usize)?;
                    self.text.is_equal(text, lexeme).then(|| before(self))
                }
                None => None,
            },
        })
    }

    /// The text that comes next among those that are repeated.
    pub(crate) fn text_to_repeat(&self, memory: Memory) -> Option<Span> {
        memory.map(|last| self.item(last))
    }

    /// Whether the lexeme of a head can become this terminal, if it is one that repeats a text.
    #[inline]
    pub(crate) fn may_become_same(
        &mut self,
        grammar: &GrammarView<'_>,
        head: Head,
        terminal: Terminal,
    ) -> Result<bool, Error> {
        if !grammar.same().is_repeated(terminal) {
            return Ok(true);
        }
        let written = Span { start: head.start, end: self.text.len() };
        let Some(text) = self.text_to_repeat(head.memory) else { return Ok(false) };
        self.charge(written.len() as usize)?;
        let beginning = Span { end: text.start + written.len(), ..text };
        Ok(beginning.end <= text.end && self.text.is_equal(beginning, written))
    }
}
