//! `gcc-grammar tools`: lists the families of models, and shows how each calls a tool.

use crate::arguments::{FamilyArguments, model_of};
use crate::failure::{Exit, Failure};
use crate::render::call::example;
use crate::shell::Shell;
use clap::{Args, Subcommand};
use gcc_grammar::ToolOptions;
use gcc_grammar::tools::{Family, families};
use serde_json::{Value, json};
use std::io::Write;

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the families of models that are built in: their names, models, calls, and marks of thinking
    Families {
        #[command(flatten)]
        families: FamilyArguments,
    },
    /// Show how the models of a family write a call
    Show {
        /// The family, or anything else that --model takes
        #[arg(value_name = "FAMILY")]
        model: String,
        #[command(flatten)]
        families: FamilyArguments,
    },
}

/// Lists the families, or shows the call of one.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let mut out = shell.out();
    match &arguments.command {
        Command::Families { families: given } => {
            let given = given.read()?;
            let all = families().iter().chain(given.as_slice());
            if shell.json {
                let all = all.map(described).collect::<Result<Vec<_>, _>>()?;
                shell.write_json(&json!({ "families": all }))?;
                return Ok(Exit::Done);
            }
            for family in all {
                out.write_all(listed(family)?.as_bytes())?;
            }
        }
        Command::Show { model: named, families } => {
            let families = families.read()?;
            let model = model_of(Some(named), &families)?;
            let options = ToolOptions { model, families, ..ToolOptions::default() };
            let family = options.family().map_err(|error| Failure::refused(named, error))?;
            if shell.json {
                shell.write_json(&described(&family)?)?;
                return Ok(Exit::Done);
            }
            writeln!(out, "{}", example(&family)?)?;
        }
    }
    out.flush()?;
    Ok(Exit::Done)
}

/// The lines of a family in the list.
fn listed(family: &Family) -> Result<String, Failure> {
    let mut lines = format!("{}\n  call      {}\n", family.name, example(family)?.replace('\n', "␊"));
    let models = models(family);
    if !models.is_empty() {
        lines += &format!("  models    {}\n", models.join(", "));
    }
    if let Some([begin, end]) = family.thinking() {
        lines += &format!("  thinking  {}…{end}\n", begin.replace('\n', "␊"));
    }
    Ok(lines)
}

/// Names of models, as `--model` takes them.
fn models(family: &Family) -> Vec<String> {
    family.models().map(|name| name.replace(' ', "-")).collect()
}

fn described(family: &Family) -> Result<Value, Failure> {
    let thinking = family.thinking().map(|[begin, end]| json!({"begin": begin, "end": end}));
    let source = (!family.source.is_empty()).then_some(&family.source);
    Ok(json!({
        "family": family.name,
        "call": example(family)?,
        "models": models(family),
        "thinking": thinking,
        "tokens": family.tokens,
        "source": source,
    }))
}
