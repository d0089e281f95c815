//! What completions cost besides the tokens that the grammar needs, where keys or items are remembered.
//!
//! An open object owes the members that must come. An item must not end as one of those before it: it leaves the remembered texts that begin with it, by a byte
//! that none of them has, or ends within one. The way there takes a token for each byte at most, and the lexer knows what is left behind it. So
//! some token always leads to a configuration that costs less.

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::grammar::{CompletionView, LexemeCost, Role};
use gcc_grammar_artifact::ids::LexState;

use super::state::NEVER;
use crate::error::Error;
use crate::matcher::Matcher;
use crate::memory::items::is_item;
use crate::scratch::{Head, Node, Scratch, Span};

/// A lexeme that may become an item, one of its list, and the last of the list.
#[derive(Clone, Copy)]
struct Along {
    head: Head,
    text: Span,
    last: Node,
}

impl Scratch<'_> {
    /// The tokens of a completion in which the lexeme of a head ends so, besides those behind it in the grammar; [`NEVER`] if it must not.
    pub(super) fn tokens_to_end(
        &mut self,
        grammar: &GrammarView<'_>,
        completion: &CompletionView<'_>,
        head: Head,
        end: LexemeCost,
    ) -> Result<u32, Error> {
        if grammar.distinct().is_empty() {
            return Ok(end.tokens);
        }
        let mut tokens = end.tokens;
        let owed = match grammar.distinct().role(end.terminal) {
            Role::Key(key) => self.owed_after_key(grammar, head.memory, key)?.unwrap_or(NEVER),
            Role::Opens(record) => self.owed_after_opening(grammar, head.memory, record)?,
            Role::Comma => self.owed_after_comma(grammar, head.memory)?,
            Role::Item => {
                tokens = self.tokens_of_new_item(grammar, completion, head, end)?;
                self.owed(grammar, head.memory)?
            }
            _ => self.owed(grammar, head.memory)?,
        };
        Ok(tokens.saturating_add(owed))
    }

    /// The tokens until the lexeme of a head ends as an item that differs from all of its list.
    fn tokens_of_new_item(
        &mut self,
        grammar: &GrammarView<'_>,
        completion: &CompletionView<'_>,
        head: Head,
        end: LexemeCost,
    ) -> Result<u32, Error> {
        let Some(last) = self.items_of(head.memory) else { return Ok(end.tokens) };
        let written = Span { start: head.start, end: self.text.len() };
        let mut least = None;
        self.any_text_with(last, written, |scratch, texts| {
            for place in 0..texts.count {
                let text = scratch.item(scratch.sorted_at(texts, place));
                least = Some(scratch.tokens_along(
                    grammar,
                    completion,
                    Along { head, text, last },
                    (end, least),
                )?);
            }
            Ok(false)
        })?;
        Ok(least.unwrap_or(end.tokens))
    }

    /// The fewest tokens until the lexeme ends so, if it goes along a remembered text and leaves it by a byte, or ends within it; or what is known of other texts.
    /// All begin with what is written, so what leaves them there is looked at once.
    fn tokens_along(
        &mut self,
        grammar: &GrammarView<'_>,
        completion: &CompletionView<'_>,
        Along { head, text, last }: Along,
        (end, known): (LexemeCost, Option<u32>),
    ) -> Result<u32, Error> {
        let mut lex = head.lex;
        let mut beginning = Span { start: text.start, end: text.start + (self.text.len() - head.start) };
        let mut least = known.unwrap_or(NEVER);
        let mut read = 0;
        while read < least {
            self.charge(1)?;
            if read > 0 || known.is_none() {
                let may_end = grammar.accepts(lex).any(|terminal| terminal == end.terminal);
                if may_end && !self.is_remembered(Some(last), beginning)? {
                    return Ok(least.min(read));
                }
                let left = self.tokens_leaving(grammar, completion, (lex, beginning, last), end)?;
                least = least.min(left.saturating_add(read));
            }
            if beginning.end == text.end {
                break;
            }
            lex = grammar.next(lex, grammar.byte_symbol(self.text.byte(beginning.end)));
            if lex == LexState::DEAD {
                break;
            }
            beginning.end += 1;
            read += 1;
        }
        Ok(least)
    }

    /// The fewest tokens until the lexeme ends so, the first of which is a byte that no remembered text has behind this beginning.
    fn tokens_leaving(
        &mut self,
        grammar: &GrammarView<'_>,
        completion: &CompletionView<'_>,
        at: (LexState, Span, Node),
        end: LexemeCost,
    ) -> Result<u32, Error> {
        let mut least = NEVER;
        self.any_leaving(grammar, at, |_, to| {
            let state = grammar.number(grammar.uncounted(to)).ok_or(Error::MaskOverLimit)?;
            let ends = completion.lexeme_costs(state);
            let same = ends.filter(|other| (other.terminal, other.end) == (end.terminal, end.end));
            let tokens = same.map(|other| other.tokens.saturating_add(1)).min();
            least = tokens.unwrap_or(NEVER).min(least);
            Ok(false)
        })?;
        Ok(least)
    }

    /// Whether a lexeme may become an item that is there already, so that what it costs does not follow from its state.
    fn may_repeat(&mut self, grammar: &GrammarView<'_>, head: Head) -> Result<bool, Error> {
        let Some(last) = self.items_of(head.memory) else { return Ok(false) };
        let written = Span { start: head.start, end: self.text.len() };
        let may_be_item =
            grammar.pending(head.lex).any(|terminal| is_item(grammar.distinct().role(terminal)));
        Ok(may_be_item && self.any_text_with(last, written, |_, _| Ok(true))?)
    }
}

impl Matcher<'_, '_> {
    /// Whether the lexeme of some head may become an item that is there already. If none may, that stays so until the lexeme ends.
    pub(super) fn may_repeat_item(&mut self) -> Result<bool, Error> {
        let grammar = self.grammar();
        if !grammar.distinct().has_items() {
            return Ok(false);
        }
        let heads = self.scratch.newest();
        for index in 0..heads.count {
            let head = self.scratch.head(heads, index);
            if self.scratch.may_repeat(grammar, head)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
