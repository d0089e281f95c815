//! `gcc-grammar tools`: lists the families of models, and shows how each calls a tool.

use crate::arguments::{FamilyArguments, model_of};
use crate::failure::{Exit, Failure};
use crate::render::call::example;
use crate::shell::Shell;
use clap::Subcommand;
use gcc_grammar::ToolOptions;
use gcc_grammar::tools::{Family, families};
use serde_json::{Value, json};

// A text for the documentation would be the help of the command.
#[derive(Subcommand)]
pub(crate) enum Arguments {
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
    match arguments {
        Arguments::Families { families: given } => {
            let given = given.read()?;
            let all = families().iter().chain(given.as_slice());
            let all =
                all.map(|family| Ok((family, example(family)?))).collect::<Result<Vec<_>, Failure>>()?;
            let one = |(family, call): &(&Family, String)| described(family, call);
            shell.write(
                || all.iter().map(|(family, call)| listed(family, call)).collect(),
                || json!({ "families": all.iter().map(one).collect::<Vec<_>>() }),
            )
        }
        Arguments::Show { model: named, families } => {
            let families = families.read()?;
            let model = model_of(Some(named), &families)?;
            let options = ToolOptions { model, families, ..ToolOptions::default() };
            let family = options.family().map_err(|error| Failure::refused(named, error))?;
            let call = example(&family)?;
            shell.write(|| format!("{call}\n"), || described(&family, &call))
        }
    }
}

/// The lines of a family in the list.
fn listed(family: &Family, call: &str) -> String {
    let mut lines = format!("{}\n  call      {}\n", family.name, call.replace('\n', "␊"));
    let models = models(family);
    if !models.is_empty() {
        lines += &format!("  models    {}\n", models.join(", "));
    }
    if let Some([begin, end]) = family.thinking() {
        lines += &format!("  thinking  {}…{end}\n", begin.replace('\n', "␊"));
    }
    lines
}

/// Names of models, as `--model` takes them.
fn models(family: &Family) -> Vec<String> {
    family.models().map(|name| name.replace(' ', "-")).collect()
}

fn described(family: &Family, call: &str) -> Value {
    let thinking = family.thinking().map(|[begin, end]| json!({"begin": begin, "end": end}));
    let source = (!family.source.is_empty()).then_some(&family.source);
    json!({
        "family": family.name,
        "call": call,
        "models": models(family),
        "thinking": thinking,
        "tokens": family.tokens,
        "source": source,
    })
}
