//! The tables of every stage of the compiler, for a grammar and a vocabulary that are small enough to be
//! printed.
//!
//! A parsed grammar and a vocabulary go in; a list of [`Table`]s comes out, in the order of the pipeline:
//! terminals, productions, LR states, lexer, tokens, Terminal DWA, Parser DWA, masks. They are the tables
//! that [`compile`](crate::compile()) uses, with names in place of ids. The document `docs/theory.md`
//! explains them. States have a letter and a number: `s` for the LR automaton, `q` for the lexer, `n` for
//! nodes of the Terminal DWA, `d` for the Parser DWA, `c` for contexts, `e` for end classes and `m` for
//! masks.

mod grammar;
mod lexer;
mod masks;
mod names;
mod reading;
mod table;
mod terminal;

pub use table::{Cell, Table};

use crate::error::{Error, ErrorKind};
use crate::sources::options::Options;
use crate::sources::parse::Parsed;
use crate::text::number;
use crate::vocabulary::Vocabulary;
use gcc_grammar_artifact::GrammarView;
use gcc_grammar_compiler::{Automata, compile};
use gcc_grammar_ir::{Code, Diagnostic};
use names::Names;

/// What to show of the stages.
#[derive(Clone, Debug)]
pub struct Selection {
    /// A table with more rows is refused.
    pub max_rows: usize,
    /// A text after which the parser stack is classified by the Parser DWA.
    pub text: Option<Vec<u8>>,
}

impl Default for Selection {
    fn default() -> Self {
        Self { max_rows: 60, text: None }
    }
}

/// The tables of all stages.
///
/// # Errors
/// The grammar cannot be compiled for the vocabulary, a table has too many rows, or the grammar refuses the
/// selected text.
pub fn stages(
    parsed: &Parsed,
    vocabulary: &Vocabulary,
    options: &Options,
    selection: &Selection,
) -> Result<Vec<Table>, Error> {
    let parsed = &*parsed.spelled_out()?;
    let budget = parsed.budget(options)?;
    let refused = |error| parsed.error(error);
    let automata =
        Automata::new(&parsed.grammar, vocabulary.tokens(), budget.fork(), &mut ()).map_err(refused)?;
    let names = Names::new(&automata, vocabulary.tokens());
    let mut tables = grammar::tables(&names);
    tables.extend(lexer::tables(&names));
    tables.push(terminal::tokens(&names));
    check_rows(&tables, selection.max_rows, parsed)?;
    tables.extend(terminal::tables(&names, &budget.fork()).map_err(|over| refused(over.into()))?);
    let reading = budget.fork().stage("reading");
    // All bases are those of the artifact, so that its view is complete.
    let options = gcc_grammar_compiler::Options { refers: false, ..budget.into() };
    let compiled = compile(&parsed.grammar, vocabulary.tokens(), &options, &mut ()).map_err(refused)?;
    let artifact = compiled.to_artifact(vocabulary.tokens());
    let view = GrammarView::open(&artifact).map_err(|error| Error::artifact(&parsed.text.name, error))?;
    tables.extend(masks::tables(&names, &view));
    if let Some(text) = &selection.text {
        tables.extend(reading::tables(&names, &view, text, parsed, &reading)?);
    }
    check_rows(&tables, selection.max_rows, parsed)?;
    Ok(tables)
}

/// Refuses tables that are too long to be read.
fn check_rows(tables: &[Table], most: usize, parsed: &Parsed) -> Result<(), Error> {
    let Some(table) = tables.iter().find(|table| table.rows.len() > most) else { return Ok(()) };
    let (name, rows) = (table.name, number(table.rows.len() as u64));
    let message = format!("the table of {name} has {rows} rows; at most {most} are shown");
    let diagnostic = Diagnostic::error(Code::TooLarge, message)
        .help("take a smaller grammar and fewer tokens, or raise --max-rows");
    Err(Error::new(ErrorKind::OverBudget, parsed.text.name.as_str(), diagnostic))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::parse::parse;
    use crate::sources::source::Source;

    const GRAMMAR: &str = "start: \"[\" [start (\",\" start)*] \"]\" | NUM\nNUM: /[0-9]+/\n%ignore \" \"\n";

    fn all(grammar: &str, selection: &Selection) -> Result<Vec<Table>, Error> {
        let options = Options::default();
        let vocabulary = Vocabulary::from_tokens("example", ["[", "]", ",", "1", "]]", "1,", " 1"])?;
        stages(&parse(&Source::lark(grammar), &options)?, &vocabulary, &options, selection)
    }

    #[test]
    fn rows_have_a_cell_for_every_column() {
        for table in all(GRAMMAR, &Selection::default()).expect("small") {
            assert!(table.rows.iter().all(|row| row.len() == table.columns.len()), "{}", table.name);
            assert!(!table.rows.is_empty(), "{}", table.name);
        }
    }

    #[test]
    fn long_tables_are_refused() {
        let error = all(GRAMMAR, &Selection { max_rows: 5, text: None }).expect_err("more rows");
        assert_eq!((error.kind(), error.diagnostics()[0].code), (ErrorKind::OverBudget, Code::TooLarge));
    }

    #[test]
    fn a_text_that_is_refused_has_no_reading() {
        let selection = Selection { text: Some(b"[]]".to_vec()), ..Selection::default() };
        let error = all(GRAMMAR, &selection).expect_err("too many brackets");
        assert_eq!(error.diagnostics()[0].code, Code::RefusedText);
    }
}
