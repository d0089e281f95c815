//! Cases of MaskBench: a schema with instances.

use crate::Result;
use crate::json::Value;
use gcc_grammar_tests::files::find_shared;
use std::fs;
use std::path::{Path, PathBuf};

/// The folder with the cases: the given one, or that of the shared data. If there is none, this is printed.
#[must_use]
pub fn folder(given: Option<&Path>) -> Option<PathBuf> {
    let folder = given.map(Path::to_owned).or_else(|| find_shared("data/maskbench/dev"));
    if folder.is_none() {
        println!("skipped: ../shared/data/maskbench/dev is not there; give the folder with the cases");
    }
    folder
}

/// A file of MaskBench.
pub struct Case {
    /// The schema.
    pub schema: Value,
    /// Instances of the schema and others.
    pub tests: Vec<Test>,
}

/// An instance, and whether it is valid.
pub struct Test {
    /// The instance.
    pub instance: Value,
    /// Whether it is valid.
    pub is_valid: bool,
}

impl Case {
    /// Reads a file.
    ///
    /// # Errors
    /// The file cannot be read or is not JSON.
    pub fn open(path: &Path) -> Result<Self> {
        let file: Value = fs::read_to_string(path)?.parse()?;
        let test = |test: &Value| Test {
            instance: test.get("data").clone(),
            is_valid: test.get("valid").as_bool() == Some(true),
        };
        let tests = file.get("tests").items().iter().map(test).collect();
        Ok(Self { schema: file.get("schema").clone(), tests })
    }
}
