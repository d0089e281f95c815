//! Lowers the definitions of a program to the rules and terminals of a [`Grammar`](gcc_grammar_ir::Grammar).
//!
//! ```text
//! definitions ──table, expressions──▶ rules ──precedence──▶ unambiguous rules ──assemble──▶ Grammar with numbered terminals
//! ```
//! Input: a program whose names were checked, and its terminals. Output: a grammar of the definitions that the start rule reaches, under
//! longest match, and warnings. Schemas and grammars within the grammar are embedded at the end.

mod assemble;
mod embedded;
mod expressions;
mod table;

use super::layout::{Layout, LayoutContext};
use super::lexemes::Lexemes;
use super::options::Options;
use super::program::{DefinitionId, ModuleId, Program};
use super::terminals::Terminals;
use crate::named_rules::no_start;
pub(super) use assemble::Lowered;
use assemble::assemble;
use expressions::Expressions;
use gcc_grammar_ir::{Code, Diagnostic};
use table::{Instance, RuleTable};

/// Makes the grammar. Names must have been checked.
pub(super) fn lower(
    program: &Program,
    terminals: &Terminals,
    options: &Options<'_>,
) -> Result<Lowered, Vec<Diagnostic>> {
    let start = find_start(program, options.start).map_err(|error| vec![error])?;
    let layout = Layout::new(program, terminals).map_err(|error| vec![error])?;
    let lexemes = Lexemes::new(program, terminals, layout.as_ref());
    let table = RuleTable::new(program, layout.as_ref(), lexemes);
    let mut lowering = Expressions::new(table, options);
    let table = &mut lowering.table;
    let text = match &layout {
        _ if program.definitions[start.index()].is_terminal() => {
            table.start_from_terminal(start);
            None
        }
        Some(layout) if layout.newline.is_some() && layout.lays_out(start) => Some(table.text(start)),
        _ => {
            table.instance(Instance::of(start, LayoutContext::default()));
            None
        }
    };
    lowering.run().map_err(|error| vec![error])?;
    if let Some(text) = text {
        lowering.table.blank_lines(text);
    }
    let lexemes = &mut lowering.table.lexemes;
    let ignored = (0..program.ignored.len()).map(|index| lexemes.ignored(index)).collect();
    assemble(lowering, ignored, terminals, options)
}

fn find_start(program: &Program, name: &str) -> Result<DefinitionId, Diagnostic> {
    let Some(id) = program.find(ModuleId(0), name) else {
        return Err(no_start(Some(name), program.names(ModuleId(0)).into_iter()));
    };
    let defined = &program.definitions[id.index()];
    if defined.name.is_terminal() || !defined.parameters.is_empty() || defined.parametric {
        let message = format!("`{name}` is not a rule without parameters, so it cannot be the start rule");
        return Err(program
            .error(Code::NoStart, &message, defined.module, &defined.name.span)
            .help("name another start rule with --start"));
    }
    Ok(id)
}
