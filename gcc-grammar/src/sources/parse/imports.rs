//! The files that a source imports.

use crate::metadata::Import;
use crate::sources::source::read_source;
use gcc_grammar_bundled::WithBundled;
use gcc_grammar_notations::{antlr, lark};
use std::cell::RefCell;
use std::path::PathBuf;

/// The files that a source may import.
pub(super) struct Files {
    /// Files by the names of imports.
    pub(super) stored: Vec<Import>,
    /// Where others are looked for, if they may be imported.
    pub(super) directories: Option<lark::Directories>,
}

impl lark::Sources for Files {
    fn find(&self, importer: &str, relative: bool, path: &[&str]) -> Result<lark::Source, String> {
        let wanted = path.join(".");
        if let Some(Import { name, text }) = self.stored.iter().find(|import| import.name == wanted) {
            return Ok(lark::Source { name: name.clone(), text: text.clone() });
        }
        match &self.directories {
            Some(directories) => directories.find(importer, relative, path),
            None => lark::BuiltIn.find(importer, relative, path),
        }
    }
}

/// Finds imported grammars of ANTLR, and records them.
pub(super) struct AntlrFiles {
    pub(super) stored: Vec<Import>,
    pub(super) folders: Vec<PathBuf>,
    pub(super) may_read: bool,
    pub(super) imports: RefCell<Vec<Import>>,
    pub(super) files: RefCell<Vec<PathBuf>>,
}

impl antlr::Files for AntlrFiles {
    fn find(&self, name: &str) -> Result<lark::Source, String> {
        let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
        if let Some(Import { text, .. }) = self.stored.iter().find(|import| import.name == name) {
            return Ok(lark::Source { name: name.to_owned(), text: text.clone() });
        }
        let missing = || format!("there is no file {name}.g4");
        if !self.may_read || !is_name {
            return Err(missing());
        }
        let path =
            self.folders.iter().map(|folder| folder.join(format!("{name}.g4"))).find(|path| path.is_file());
        let path = path.ok_or_else(missing)?;
        let text = read_source(&path).map_err(|error| error.to_string())?.text;
        self.imports.borrow_mut().push(Import { name: name.to_owned(), text: text.clone() });
        self.files.borrow_mut().push(path.clone());
        Ok(lark::Source { name: path.display().to_string(), text })
    }
}

/// Finds imported files, and records them.
pub(super) struct Recording {
    pub(super) sources: WithBundled<Files>,
    pub(super) imports: RefCell<Vec<Import>>,
    pub(super) files: RefCell<Vec<PathBuf>>,
}

impl lark::Sources for Recording {
    fn find(&self, importer: &str, relative: bool, path: &[&str]) -> Result<lark::Source, String> {
        let source = self.sources.find(importer, relative, path)?;
        let import = Import { name: path.join("."), text: source.text.clone() };
        let mut imports = self.imports.borrow_mut();
        if !imports.contains(&import) {
            imports.push(import);
        }
        self.files.borrow_mut().push(PathBuf::from(&source.name));
        Ok(source)
    }
}
