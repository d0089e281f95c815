//! Snapshots: files that hold what each command prints and how each diagnostic looks, so that a change shows in a review.
//!
//! | file | contents |
//! |---|---|
//! | `sessions` | the command lines that are run for each command |
//! | `commands` | a snapshot of the text, the JSON and the help of each command |
//! | `diagnostics` | a snapshot of each diagnostic code, as text and as JSON |
//! | `refusals` | a snapshot of each kind of input that other packages take and this one refuses |
//! | `inputs` | the files that these command lines read |
//! | `stable` | replaces what differs between two runs, such as durations |
//!
//! The snapshots are in `cli/tests/snapshots`. `INSTA_UPDATE=always` rewrites them; snapshots that no test writes have to be deleted.

mod commands;
mod diagnostics;
mod inputs;
mod refusals;
mod sessions;
mod stable;

use insta::Settings;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The snapshots of one kind, which are the files of one folder.
struct Snapshots {
    folder: PathBuf,
    written: BTreeSet<String>,
}

impl Snapshots {
    /// The snapshots in a folder of `cli/tests/snapshots`.
    fn new(folder: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
        Self { folder: root.join(folder), written: BTreeSet::new() }
    }

    /// Compares a text with the snapshot of this name.
    fn compare(&mut self, name: &str, text: &str) {
        let mut settings = Settings::new();
        settings.set_snapshot_path(&self.folder);
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(name, text));
        self.written.insert(name.to_owned());
    }

    /// Expects that the folder has no other snapshots than those that were compared.
    fn finish(self) {
        let files = fs::read_dir(&self.folder).expect("the folder of the snapshots");
        let names = files.map(|file| file.expect("an entry").path());
        let names = names.filter(|path| path.extension().is_some_and(|extension| extension == "snap"));
        let names: BTreeSet<String> =
            names.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect();
        let left: Vec<&String> = names.difference(&self.written).collect();
        assert!(left.is_empty(), "delete these snapshots, nothing writes them: {left:?}");
    }
}
