//! The family of a model from files: what its chat template writes around calls of tools, or a description of the family.

use crate::error::{Error, ErrorKind, SourceText};
use gcc_grammar_files::{ReadError, read_within};
use gcc_grammar_ir::{Code, Diagnostic};
use gcc_grammar_notations::tools::{self, Families};
use std::path::{Path, PathBuf};

/// Longer files are refused, in bytes.
const MAX_BYTES: u64 = 1 << 26;

/// The files of a folder that tell the family; the first one that does is read. That for tools comes before that for everything.
const FILES: [&str; 5] = [
    "additional_chat_templates/tool_use.jinja",
    "chat_template.jinja",
    "chat_template.json",
    "tokenizer_config.json",
    "tekken.json",
];

/// The family of a model: its name, from the folder of the model, its `tokenizer_config.json`, `chat_template.json`, `tekken.json`, or the text of its chat
/// template; or its description, from a file with one. If the folder has the name of a known model, the template must agree with it.
///
/// # Errors
/// No file tells the family, or it is not the one of the model of this name, or the description is wrong.
pub fn family_of_model(path: &Path) -> Result<String, Error> {
    let (files, folder) = match path.is_dir() {
        true => {
            (FILES.iter().map(|file| path.join(file)).filter(|file| file.is_file()).collect(), Some(path))
        }
        false => (vec![path.to_owned()], path.parent()),
    };
    let name = folder.and_then(name_of);
    for file in &files {
        if let Some(family) = read(file, name.as_deref())? {
            return Ok(family);
        }
    }
    let message = match files.is_empty() {
        true => format!("the folder has none of {}", FILES.join(", ")),
        false => "there is no chat template".to_owned(),
    };
    let help = "give the file of the chat template, or name the family that the model writes";
    let diagnostic = Diagnostic::error(Code::Usage, message).help(help);
    Err(Error::new(ErrorKind::Refused, path.display().to_string(), diagnostic))
}

/// Families from a file that describes one, or a list of them: [`ToolOptions::families`](crate::ToolOptions).
///
/// # Errors
/// The file cannot be read, or describes no family.
pub fn read_families(file: &Path) -> Result<Families, Error> {
    let source = text_of(file)?;
    Families::read(&source.text).map_err(|error| Error::refused(vec![error], &source))
}

/// The text of a file.
fn text_of(file: &Path) -> Result<SourceText, Error> {
    let shown = file.display().to_string();
    let bytes = read_within(file, MAX_BYTES).map_err(|error: ReadError| Error::read(&shown, error))?;
    let text = String::from_utf8(bytes).map_err(|_| {
        Error::new(
            ErrorKind::Refused,
            &shown,
            Diagnostic::error(Code::NotUtf8, "the text is not valid UTF-8"),
        )
    })?;
    let text = text.trim_start_matches('\u{feff}').to_owned();
    Ok(SourceText { text, ..SourceText::named(shown) })
}

fn read(file: &Path, name: Option<&str>) -> Result<Option<String>, Error> {
    let source = text_of(file)?;
    let refused = |error| Error::refused(vec![error], &source);
    if let Some(families) = tools::described_families(&source.text).map_err(refused)? {
        return families.only().map(|family| Some(family.description())).map_err(refused);
    }
    // A template is a program, no part of which is shown.
    let unseen = SourceText::named(&source.name);
    let family = tools::family_of_template(&source.text, name);
    let family = family.map_err(|error| Error::refused(vec![error], &unseen))?;
    Ok(family.map(|family| family.name.clone()))
}

/// The name of the model of a folder, also of one in a cache of the Hub: `models--OWNER--NAME/snapshots/REVISION`.
fn name_of(folder: &Path) -> Option<String> {
    let folder = folder.canonicalize().ok()?;
    let parts: Vec<PathBuf> = folder.ancestors().take(3).map(Path::to_path_buf).collect();
    let names = parts.iter().filter_map(|part| part.file_name()?.to_str());
    let cached = names.clone().find_map(|name| name.strip_prefix("models--"));
    cached.map(|name| name.replace("--", "/")).or_else(|| names.clone().next().map(str::to_owned))
}
