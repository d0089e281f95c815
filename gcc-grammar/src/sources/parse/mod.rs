//! From a source to a grammar, by the front end of its notation.
//!
//! | file | job |
//! |---|---|
//! | `parsed` | [`Parsed`]: the grammar of a source |
//! | `inputs` | what it is made from, as artifacts store it |
//! | `imports` | the files that a source imports |
//! | `front_end` | the reader of each notation |

mod front_end;
mod imports;
mod inputs;
mod parsed;

pub(crate) use inputs::Inputs;
pub use parsed::Parsed;

use crate::error::Error;
use crate::metadata::ReportEntry;
use crate::sources::deep::{is_deep, is_deep_json, with_stack};
use crate::sources::options::{Options, SchemaOptions, Strict};
use crate::sources::source::Source;
use crate::sources::strict;
use crate::vocabulary::Vocabulary;
use front_end::{FrontEnd, report_entries};
use gcc_grammar_compiler::CompileError;
use gcc_grammar_ir::{Code, Diagnostic, Location, Pattern, Severity, SpecialNames, SpecialTokens};
use gcc_grammar_json_schema::{Counting, Unenforced};
use gcc_grammar_notations::notation::Notation;
use gcc_grammar_notations::tools;
use gcc_grammar_vocabulary::fewest_tokens;
use parsed::Input;
use std::borrow::Cow;
use std::sync::Arc;

/// Parses a source into a grammar, whose literals accept their characters only.
///
/// # Errors
/// The text is refused, or a limit of the front end is exceeded.
pub fn parse(source: &Source, options: &Options) -> Result<Parsed, Error> {
    let without = Options { special_tokens: SpecialTokens::Never, ..options.clone() };
    parse_with(source, SpecialNames::default(), without)
}

/// Parses a source into a grammar for a vocabulary: its literals accept the special tokens that they name, as the options say.
///
/// # Errors
/// The text is refused, or a limit of the front end is exceeded.
pub fn parse_for(source: &Source, vocabulary: &Vocabulary, options: &Options) -> Result<Parsed, Error> {
    let missing = missing_marks(source, vocabulary, options);
    if let Some(warning) = missing.as_ref().filter(|_| options.strict != Strict::Off) {
        let error = Diagnostic { severity: Severity::Error, ..warning.clone() };
        return Err(Error::refused(vec![error], &source.text));
    }
    let mut parsed = parse_counting(source, special_names(vocabulary, options), options)?;
    parsed.warnings.extend(missing);
    Ok(parsed)
}

/// A warning if the vocabulary lacks special tokens that the models of the family have: it is that of other models.
fn missing_marks(source: &Source, vocabulary: &Vocabulary, options: &Options) -> Option<Diagnostic> {
    if source.notation != Notation::Tools {
        return None;
    }
    let (text, calls) = (source.text.text.clone(), options.tools.clone());
    let family = with_stack(is_deep_json(&text), move || tools::asked(&text, &calls).family().ok())?;
    let tokens = vocabulary.tokens();
    let has = |mark: &str| {
        tokens.specials().iter().any(|special| special.text == mark)
            || fewest_tokens(mark.as_bytes(), tokens).is_ok_and(|spelled| spelled.len() == 1)
    };
    let missing: Vec<&str> = family.tokens.iter().map(String::as_str).filter(|mark| !has(mark)).collect();
    if missing.is_empty() {
        return None;
    }
    let message = format!(
        "the vocabulary has no token {}, which the models of the family {} have for calls",
        missing.join(", "),
        family.name
    );
    let warning = Diagnostic::warning(Code::UnknownToken, message).at(Location::Pointer(String::new()));
    Some(
        warning
            .help("give the vocabulary of the model, or the family that the model of this vocabulary writes"),
    )
}

/// The special tokens that literals may name.
fn special_names(vocabulary: &Vocabulary, options: &Options) -> SpecialNames {
    vocabulary.special_names().accepted(options.special_tokens)
}

/// Parses a source [without literals](Source::has_literals) into a grammar for whatever vocabulary, as [`parse_for`] does.
///
/// # Errors
/// The text is refused, or a limit of the front end is exceeded.
pub fn parse_for_any(source: &Source, options: &Options) -> Result<Parsed, Error> {
    parse_counting(source, SpecialNames::default(), options)
}

/// Parses a source into a grammar that counts the characters of strings. Where this fails, it is as without counting: the errors, too.
fn parse_counting(source: &Source, names: SpecialNames, options: &Options) -> Result<Parsed, Error> {
    let schema = SchemaOptions { counting: Counting::Except(Vec::new()), ..options.schema.clone() };
    parse_with(source, names.clone(), Options { schema, ..options.clone() })
        .or_else(|_| parse_with(source, names, options.clone()))
}

/// Parses a source into a grammar for a vocabulary whose rules are the written ones: none of them becomes a part of a lexeme, and no characters are counted.
pub(crate) fn parse_as_written(
    source: &Source,
    vocabulary: &Vocabulary,
    options: &Options,
) -> Result<Parsed, Error> {
    let names = special_names(vocabulary, options);
    read(source, FrontEnd { names, keeps_rules: true, ..FrontEnd::new(source, options.clone()) })
}

fn parse_with(source: &Source, names: SpecialNames, options: Options) -> Result<Parsed, Error> {
    read(source, FrontEnd { names, ..FrontEnd::new(source, options) })
}

fn read(source: &Source, front_end: FrontEnd) -> Result<Parsed, Error> {
    let is_deep = match source.notation {
        Notation::JsonSchema | Notation::Tools => is_deep_json(&source.text.text),
        _ => is_deep(&source.text.text),
    };
    with_stack(is_deep, move || read_here(&front_end))
}

fn read_here(front_end: &FrontEnd) -> Result<Parsed, Error> {
    let FrontEnd { source, options, .. } = front_end;
    let parsed = options.whole(&source.text, front_end.parsed())?;
    let budget = &front_end.limits.budget;
    if let Some(over) = budget.exceeded() {
        return Err(front_end.over_budget(over, parsed.err()));
    }
    let mut parsed = Parsed { work: budget.spent().0, ..parsed? };
    let names = &front_end.names;
    if parsed
        .grammar
        .terminals
        .iter()
        .any(|terminal| matches!(terminal.pattern.without_role(), Pattern::Counted(..)))
    {
        let input = Input { source: source.clone(), names: names.clone(), options: options.clone() };
        parsed.counted = Some(Arc::new(input));
    }
    match strict::refusals(&parsed.report, options) {
        refusals if refusals.is_empty() => Ok(parsed),
        refusals => Err(front_end.refused(refusals)),
    }
}

/// What becomes of every keyword of the schemas in a source that is refused only because some keywords cannot be enforced, or because it
/// is narrowed; empty for other inputs.
#[must_use]
pub fn coverage_of_refused(source: &Source, options: &Options) -> Vec<ReportEntry> {
    let schema = SchemaOptions { unenforced: Unenforced::Allow, ..options.schema.clone() };
    let options = Options { schema, ..options.clone() };
    let front_end = FrontEnd::new(source, options);
    let report = with_stack(is_deep(&source.text.text), move || front_end.report());
    report.map_or_else(|_| Vec::new(), |report| report_entries(&report.refused()))
}

impl Parsed {
    /// The grammar of the same source that counts other lengths. Only where this one counts some.
    fn counting(&self, input: &Input, counting: Counting) -> Result<Self, Error> {
        let mut options = input.options.clone();
        options.schema.counting = counting;
        parse_with(&input.source, input.names.clone(), options)
    }

    /// The grammar of the same source in which no characters are counted.
    pub(crate) fn spelled_out(&self) -> Result<Cow<'_, Self>, Error> {
        match &self.counted {
            Some(input) => self.counting(input, Counting::Off).map(Cow::Owned),
            None => Ok(Cow::Borrowed(self)),
        }
    }

    /// The grammar to compile instead where this one was not compiled because some characters cannot be counted: the first time they are spelled out, then all
    /// are. Any other error is returned.
    fn after(&self, error: CompileError) -> Result<Self, Error> {
        let (CompileError::NotCounted(terminals), Some(input)) = (&error, &self.counted) else {
            return Err(self.error(error));
        };
        self.counting(input, input.options.schema.counting.without(&self.grammar, terminals))
    }

    /// Makes something of the grammar. If characters cannot be counted that this grammar counts, it is made of a grammar that does not, which is
    /// then returned, too.
    pub(crate) fn countable<T>(
        &self,
        mut make: impl FnMut(&Self) -> Result<T, CompileError>,
    ) -> Result<(T, Option<Self>), Error> {
        let mut other = None;
        loop {
            let parsed = other.as_ref().unwrap_or(self);
            match make(parsed) {
                Ok(made) => return Ok((made, other)),
                Err(error) => other = Some(parsed.after(error)?),
            }
        }
    }
}

/// What a grammar is made from. Lark grammars, structural tags, and tools with directives of Lark are parsed for this, since they may import others. With strict options everything is: what was
/// compiled without them may be found by its key, and must be refused all the same.
pub(crate) fn inputs(source: &Source, options: &Options) -> Result<Inputs, Error> {
    let may_import = match source.notation {
        Notation::Lark | Notation::Antlr | Notation::StructuralTag => true,
        // A directive begins with `%`, which an escape of JSON may stand for.
        Notation::Tools => source.text.text.contains('%') || source.text.text.contains("\\u"),
        _ => false,
    };
    if may_import || options.strict != Strict::Off {
        let Parsed { source, options, .. } = parse_with(source, SpecialNames::default(), options.clone())?;
        return Ok(Inputs { source, options });
    }
    Ok(Inputs::of(source, options))
}
