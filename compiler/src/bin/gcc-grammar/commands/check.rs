//! `gcc-grammar check`.

use crate::commands::compile::LimitArguments;
use crate::failure::{Exit, Failure};
use crate::grammar::{GrammarArguments, Parsed};
use crate::shell::{Shell, diagnostics_json, failure_json};
use crate::show::number;
use crate::stages::{FirstStages, Names};
use crate::summary::{entry_text, report_json};
use clap::Args;
use gcc_grammar::ids::ProductionId;
use gcc_grammar::lr::{Conflict, Reading};
use gcc_grammar::metadata::ReportEntry;
use gcc_grammar_frontends::{Diagnostic, Grammar, Symbol};
use serde_json::{Value, json};
use std::io::Write;

/// Conflicts shown to people.
const SHOWN_CONFLICTS: usize = 20;

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Explain where the grammar is ambiguous, or needs to look further ahead than one terminal
    #[arg(long)]
    conflicts: bool,
    /// Show the grammar as the compiler sees it
    #[arg(long)]
    grammar_text: bool,
    #[command(flatten)]
    grammar: GrammarArguments,
    #[command(flatten)]
    limits: LimitArguments,
}

/// Tells what the front end and the first stages think of the input.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let text = arguments.grammar.read()?;
    let parsed = match arguments.grammar.parse_text(text.clone()) {
        Ok(parsed) => parsed,
        Err(failure) => return refused(failure, &arguments.grammar.coverage_of_refused(&text), shell),
    };
    shell.warn(&parsed.warnings, &parsed.text);
    let first = FirstStages::of(&parsed.grammar, &arguments.limits)
        .map_err(|error| Failure::compile(error, &parsed.text))?;
    let shadowed = first.shadowed(&parsed.grammar);
    shell.warn(&shadowed, &parsed.text);
    if shell.json {
        let warnings = [&parsed.warnings[..], &shadowed].concat();
        shell.write_json(&to_json(&parsed, &warnings, &first, arguments))?;
        return Ok(Exit::Done);
    }
    let mut out = shell.out();
    let (rules, terminals) = (parsed.grammar.rules.len(), parsed.grammar.terminals.len());
    let (states, conflicts) = (first.tables.states(), first.tables.conflicts());
    writeln!(
        out,
        "{}: {} rules, {} terminals, {} LR states, {} conflicts",
        parsed.text.name,
        number(rules as u64),
        number(terminals as u64),
        number(states as u64),
        number(conflicts as u64)
    )?;
    for entry in &parsed.report {
        out.write_all(entry_text(entry).as_bytes())?;
    }
    if arguments.conflicts {
        write_conflicts(&mut out, &first, &parsed.grammar)?;
    }
    if arguments.grammar_text {
        write!(out, "{}", parsed.grammar)?;
    }
    out.flush()?;
    Ok(Exit::Done)
}

/// Tells also of the keywords that are enforced, if others are the reason why a schema is refused.
fn refused(failure: Failure, report: &[ReportEntry], shell: &Shell) -> Result<Exit, Failure> {
    let Failure::Reported { exit, diagnostics, source } = &failure else { return Err(failure) };
    if shell.json {
        let mut object = failure_json(*exit, diagnostics, source);
        object["report"] = report_json(report);
        shell.write_json(&object)?;
        return Ok(*exit);
    }
    let mut out = shell.out();
    for entry in report {
        out.write_all(entry_text(entry).as_bytes())?;
    }
    out.flush()?;
    Err(failure)
}

fn to_json(parsed: &Parsed, warnings: &[Diagnostic], first: &FirstStages, arguments: &Arguments) -> Value {
    let mut object = json!({
        "rules": parsed.grammar.rules.len(),
        "terminals": parsed.grammar.terminals.len(),
        "lr_states": first.tables.states(),
        "conflict_count": first.tables.conflicts(),
        "report": report_json(&parsed.report),
        "warnings": diagnostics_json(warnings, &parsed.text),
    });
    if arguments.conflicts {
        let names = Names { cfg: &first.cfg, grammar: &parsed.grammar };
        object["conflicts"] =
            first.conflicts().iter().map(|conflict| names.conflict_json(conflict)).collect();
    }
    object
}

fn write_conflicts(out: &mut impl Write, first: &FirstStages, grammar: &Grammar) -> Result<(), Failure> {
    let names = Names { cfg: &first.cfg, grammar };
    let conflicts = first.conflicts();
    for (index, conflict) in conflicts.iter().take(SHOWN_CONFLICTS).enumerate() {
        writeln!(
            out,
            "conflict {}: after {} comes {}",
            index + 1,
            names.list(&conflict.prefix),
            names.terminal(conflict)
        )?;
        for (what, production) in names.readings(conflict) {
            writeln!(out, "  {what:<7} {production}")?;
        }
    }
    if conflicts.len() > SHOWN_CONFLICTS {
        writeln!(out, "and {} more; --json has all", conflicts.len() - SHOWN_CONFLICTS)?;
    }
    Ok(())
}

impl Names<'_> {
    fn terminal(&self, conflict: &Conflict) -> &str {
        self.symbol(Symbol::Terminal(conflict.terminal))
    }

    /// A production with a dot after what was read.
    fn production(&self, production: ProductionId, read: usize) -> String {
        let production = &self.cfg.productions[production.index()];
        let mut words: Vec<&str> = production.rhs.iter().map(|&symbol| self.symbol(symbol)).collect();
        words.insert(read.min(words.len()), "•");
        format!("{}: {}", self.symbol(Symbol::Nonterminal(production.lhs)), words.join(" "))
    }

    fn readings(&self, conflict: &Conflict) -> Vec<(&'static str, String)> {
        let mut out = Vec::new();
        for reading in &conflict.readings {
            match reading {
                Reading::Reduce(production) => out.push(("reduce", self.production(*production, usize::MAX))),
                Reading::Shift(items) => {
                    out.extend(
                        items.iter().map(|&(production, dot)| ("shift", self.production(production, dot))),
                    );
                }
            }
        }
        out
    }

    fn conflict_json(&self, conflict: &Conflict) -> Value {
        let readings = self.readings(conflict);
        let readings =
            readings.iter().map(|(what, production)| json!({"action": what, "production": production}));
        json!({
            "prefix": conflict.prefix.iter().map(|&symbol| self.symbol(symbol)).collect::<Vec<_>>(),
            "terminal": self.terminal(conflict),
            "readings": readings.collect::<Vec<_>>(),
        })
    }
}
