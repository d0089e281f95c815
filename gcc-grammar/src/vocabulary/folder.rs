//! The folder for data of programs.

use std::path::PathBuf;

/// The folder for data of programs, as operating systems define it. A relative path counts for nothing, as the XDG Base
/// Directory Specification says: files in the current folder may be anyone's.
#[must_use]
pub fn default_folder() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = variable("XDG_DATA_HOME").or_else(|| variable("LOCALAPPDATA"));
    let data = data.or_else(|| Some(variable("HOME")?.join(".local").join("share")));
    data.map(|data| data.join("gcc-grammar"))
}
