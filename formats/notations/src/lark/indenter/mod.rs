//! Lark's `Indenter`: tokens for indentation that a program supplies, as a context-free grammar.
//!
//! ```text
//! rules over _NEWLINE, _INDENT, _DEDENT ──items──▶ blocks and brackets ──flow──▶ modes ──expand──▶ rules over line breaks of columns
//! ```
//! In Lark, `%declare _INDENT _DEDENT` names tokens that no pattern matches. After each `_NEWLINE`, the `Indenter` compares the column of the
//! next line with a stack of columns and inserts `_INDENT`, or one `_DEDENT` for each column that it takes from the stack; at the end of the
//! text it takes all. Between brackets it drops `_NEWLINE`.
//!
//! Columns are multiples of a unit and bounded, so there are finitely many. The line break before a line of column `c` is a terminal of its own. The
//! parser does not know the column where `_NEWLINE` stands, but where the next lexeme comes: so `_NEWLINE` itself derives nothing, and a line
//! break is *due* ([`modes::Mode`]). It is read in front of the next terminal, with the column of the block that the terminal stands in.
//! So rules are made once for each column only if a block begins in them or a line break is read in them.
//!
//! Input: a checked grammar with the three terminals, and what the options say. Output: the grammar of the texts that Lark's parser and
//! `Indenter` accept, as far as their columns are among those that are read.

mod expand;
mod flow;
mod items;
mod lines;

use super::lexemes::Lexemes;
use super::supplied::{Indenter, Names, text_of};
use gcc_grammar_ir::{Code, Diagnostic, Grammar, TerminalId};
use gcc_grammar_regular::RegularLimits;
use items::Roles;
use lines::Lines;

/// What it takes to expand a grammar once it was checked.
pub(crate) struct Plan {
    roles: Roles,
    lines: Lines,
}

impl Plan {
    /// Looks up the terminals. `numbers` has the final number of each terminal in the order of first use. No plan without uses.
    pub(super) fn new(
        names: &Names,
        lexemes: &Lexemes<'_>,
        grammar: &Grammar,
        numbers: &[TerminalId],
        options: &Indenter,
        limits: &RegularLimits,
    ) -> Result<Option<Self>, Diagnostic> {
        let find = |name: &str| lexemes.named_or_text(name, text_of(name)).map(|id| numbers[id.index()]);
        let given = |name: &Option<String>| name.as_deref().and_then(find);
        let [newline, indent, dedent, end] =
            [&names.newline, &names.indent, &names.dedent, &names.end].map(given);
        if newline.is_none() && end.is_none() {
            return Ok(None);
        }
        let brackets = names.brackets.iter().filter_map(|(open, close)| Some((find(open)?, find(close)?)));
        let roles = Roles { newline, indent, dedent, end, brackets: brackets.collect() };
        let is_newline = |id: &TerminalId| Some(*id) == newline;
        if grammar.ignored.iter().any(is_newline)
            || grammar.contexts.followed.iter().any(|followed| is_newline(&followed.terminal))
        {
            let message = "the line break of the indenter is ignored, or has assertions at its end";
            return Err(Diagnostic::error(Code::BadLayout, message)
                .help("let it match line breaks and the white space behind them, and do not ignore it"));
        }
        let newline = newline.map(|id| &grammar.terminals[id.index()].pattern);
        let lines = Lines::new(newline, options, limits)?;
        Ok(Some(Self { roles, lines }))
    }

    /// The grammar in which the tokens for the indentation are line breaks of columns.
    pub(crate) fn expand(self, grammar: Grammar, limits: &RegularLimits) -> Result<Grammar, Diagnostic> {
        expand::expand(grammar, &self.roles, self.lines, &limits.budget)
    }
}
