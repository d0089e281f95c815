//! Limits on the tokens of lexemes.
//!
//! In a grammar with limits, every head has the age of its lexeme: how many tokens began in it. Where a token ends, a lexeme that is as old as it
//! may become reads the symbol of its greatest limit, which no token has. If it can end there, it has ended then; as other terminals it continues. So the
//! tables are those of any grammar, and the ages are a part of the heads: they are copied, saved and rolled back with them.

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::ids::{LexState, SymbolClass};

use crate::error::Error;
use crate::matcher::Matcher;
use crate::scratch::{Head, Heads, Scratch};

impl Matcher<'_, '_> {
    /// Notes that the next symbol is the first one of a token.
    pub(crate) fn begin_token(&mut self) {
        self.scratch.begun = u32::from(self.scratch.has_ages());
    }

    /// Whether a byte at the newest entry continues a lexeme that has a limit, so that it does not come if the limit is reached.
    pub(crate) fn continues_limited(&self, symbol: SymbolClass) -> bool {
        let (grammar, heads) = (self.grammar(), self.scratch.newest());
        let after = |index| grammar.next(self.scratch.head(heads, index).lex, symbol);
        self.scratch.has_ages()
            && (0..heads.count).map(after).any(|lex| limits(grammar, lex).next().is_some())
    }
}

impl Scratch<'_> {
    /// Ends the lexemes that have as many tokens as they may have, where they can end. `heads` is the only temporary, and so is the result.
    pub(crate) fn end_limited(&mut self, grammar: &GrammarView<'_>, heads: Heads) -> Result<Heads, Error> {
        self.charge_heads(heads)?;
        let mut next = self.empty_heads();
        for index in 0..heads.count {
            let head = self.head(heads, index);
            let ended = self.within_limits(grammar, head)?;
            self.add_head(&mut next, ended)?;
        }
        Ok(self.keep_heads(next))
    }

    fn within_limits(&mut self, grammar: &GrammarView<'_>, head: Head) -> Result<Head, Error> {
        if limits(grammar, head.lex).next().is_none() {
            return Ok(Head { age: 0, ..head });
        }
        let reached = limits(grammar, head.lex).filter(|&(most, _)| head.age >= most).max();
        let Some((_, symbol)) = reached else { return Ok(head) };
        let ended = Head { lex: grammar.next(head.lex, symbol), ..head };
        let is_viable = ended.lex == head.lex || self.is_viable(grammar, ended)?;
        Ok(if is_viable { ended } else { head })
    }
}

/// The limits of the terminals that the lexeme may be, and their symbols. A terminal counts that no lexeme of the state can become any more, since
/// longer matches of it exclude others.
fn limits<'a>(
    grammar: &GrammarView<'a>,
    lex: LexState,
) -> impl Iterator<Item = (u32, SymbolClass)> + use<'a> {
    let grammar = *grammar;
    grammar.limits().filter(move |&(_, symbol)| grammar.next(lex, symbol) != LexState::DEAD)
}
