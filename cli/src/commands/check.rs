//! `gcc-grammar check`.

use crate::commands::compile::LimitArguments;
use crate::failure::{Exit, Failure};
use crate::findings::Findings;
use crate::grammar::{GrammarArguments, Parsed};
use crate::shell::{Shell, diagnostics_json, failure_json};
use crate::show::number;
use crate::stages::{FirstStages, Names};
use crate::summary::{entry_text, report_json};
use clap::Args;
use gcc_grammar::metadata::ReportEntry;
use gcc_grammar_compiler::CompileError;
use gcc_grammar_compiler::analysis::heads::{self, Cost};
use gcc_grammar_compiler::ids::ProductionId;
use gcc_grammar_compiler::lr::{Conflict, Reading};
use gcc_grammar_ir::{Diagnostic, Symbol};
use serde_json::{Value, json};
use std::io::Write;

/// Conflicts shown to people.
const SHOWN_CONFLICTS: usize = 20;
/// Conflicts shown to machines.
const LISTED_CONFLICTS: usize = 10_000;

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Explain where the grammar is ambiguous, or needs to look further ahead than one terminal, and what that costs
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
    let most = if shell.json { LISTED_CONFLICTS } else { SHOWN_CONFLICTS };
    let report =
        Report::of(&parsed, arguments, most).map_err(|error| Failure::compile(error, &parsed.text))?;
    shell.warn(report.warnings(), &parsed.text);
    if shell.json {
        shell.write_json(&report.to_json())?;
        return Ok(Exit::Done);
    }
    let mut out = shell.out();
    report.write(&mut out)?;
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

/// What there is to tell.
struct Report<'a> {
    parsed: &'a Parsed,
    first: FirstStages,
    findings: Findings,
    /// The conflicts, if they are asked for.
    conflicts: Option<Vec<Explained>>,
}

/// A conflict and what it costs.
struct Explained {
    conflict: Conflict,
    cost: Cost,
    /// Symbols of the random texts at which it parted stacks.
    met: usize,
}

impl<'a> Report<'a> {
    /// With so many conflicts at most.
    fn of(parsed: &'a Parsed, arguments: &Arguments, most: usize) -> Result<Self, CompileError> {
        let grammar = &parsed.grammar;
        let first = FirstStages::of(grammar, arguments.limits.over(parsed.limits()))?;
        let findings = if Findings::may_be(&first.tables, parsed.is_schema()) {
            let lexed = first.lexed(grammar)?;
            Findings::of(first.front(grammar, &lexed), parsed.is_schema())
        } else {
            Findings::default()
        };
        let conflicts = arguments.conflicts.then(|| explained(&first, &findings, most));
        Ok(Self { parsed, first, findings, conflicts })
    }

    /// Beside those of the front end.
    fn warnings(&self) -> &[Diagnostic] {
        &self.findings.warnings
    }

    fn names(&self) -> Names<'_> {
        Names { cfg: &self.first.cfg, grammar: &self.parsed.grammar }
    }

    fn write(&self, out: &mut impl Write) -> Result<(), Failure> {
        let Parsed { grammar, text, report, .. } = self.parsed;
        let (rules, terminals) = (grammar.rules.len(), grammar.terminals.len());
        let (states, conflicts) = (self.first.tables.states(), self.first.tables.conflicts());
        writeln!(
            out,
            "{}: {} rules, {} terminals, {} LR states, {} conflicts",
            text.name,
            number(rules as u64),
            number(terminals as u64),
            number(states as u64),
            number(conflicts as u64)
        )?;
        if let Some(heads) = self.findings.heads_text() {
            writeln!(out, "  heads      {heads}")?;
        }
        for entry in report {
            out.write_all(entry_text(entry).as_bytes())?;
        }
        if let Some(shown) = &self.conflicts {
            self.names().write_conflicts(out, shown)?;
            if conflicts > shown.len() {
                writeln!(out, "and {} more; see --json", number((conflicts - shown.len()) as u64))?;
            }
        }
        Ok(())
    }

    fn to_json(&self) -> Value {
        let Parsed { grammar, warnings, report, text, .. } = self.parsed;
        let mut object = json!({
            "rules": grammar.rules.len(),
            "terminals": grammar.terminals.len(),
            "lr_states": self.first.tables.states(),
            "conflict_count": self.first.tables.conflicts(),
            "heads": self.findings.heads_json(),
            "report": report_json(report),
            "warnings": diagnostics_json(&[warnings, self.warnings()].concat(), text),
        });
        if let Some(conflicts) = &self.conflicts {
            let names = self.names();
            object["conflicts"] = conflicts.iter().map(|conflict| names.conflict_json(conflict)).collect();
        }
        object
    }
}

/// The first conflicts.
fn explained(first: &FirstStages, findings: &Findings, most: usize) -> Vec<Explained> {
    let forks = findings.heads.as_ref().map(|heads| &heads.forks);
    let met = |conflict: &Conflict| {
        let fork = (conflict.state, conflict.terminal);
        forks.and_then(|forks| forks.get(&fork)).copied().unwrap_or(0)
    };
    let conflicts = first.conflicts().take(most).zip(heads::costs(&first.tables));
    conflicts.map(|(conflict, cost)| Explained { met: met(&conflict), conflict, cost }).collect()
}

/// What a conflict costs, and how often.
fn cost_text(cost: Cost, met: usize) -> String {
    let what = match cost {
        Cost::Terminals(0) => return "nothing: only one of these can go on".to_owned(),
        Cost::Terminals(1) => "a second stack for one terminal at most".to_owned(),
        Cost::Terminals(most) => format!("a second stack for {most} terminals at most"),
        Cost::Unbounded => "a second stack, maybe to the end of the text".to_owned(),
    };
    match met {
        0 => format!("{what}; never met in random texts"),
        1 => format!("{what}; met once in random texts"),
        _ => format!("{what}; met {} times in random texts", number(met as u64)),
    }
}

impl Names<'_> {
    fn write_conflicts(&self, out: &mut impl Write, conflicts: &[Explained]) -> Result<(), Failure> {
        for (index, explained) in conflicts.iter().enumerate() {
            let Explained { conflict, cost, met } = explained;
            let prefix = self.list(&conflict.prefix);
            writeln!(out, "conflict {}: after {prefix} comes {}", index + 1, self.terminal(conflict))?;
            for (what, production) in self.readings(conflict) {
                writeln!(out, "  {what:<7} {production}")?;
            }
            writeln!(out, "  costs   {}", cost_text(*cost, *met))?;
        }
        Ok(())
    }

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

    fn conflict_json(&self, explained: &Explained) -> Value {
        let Explained { conflict, cost, met } = explained;
        let readings = self.readings(conflict);
        let readings =
            readings.iter().map(|(what, production)| json!({"action": what, "production": production}));
        json!({
            "prefix": conflict.prefix.iter().map(|&symbol| self.symbol(symbol)).collect::<Vec<_>>(),
            "terminal": self.terminal(conflict),
            "readings": readings.collect::<Vec<_>>(),
            "most_terminals_with_two_stacks": match cost {
                Cost::Terminals(most) => json!(most),
                Cost::Unbounded => Value::Null,
            },
            "met": met,
        })
    }
}
