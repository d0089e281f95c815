//! Writing output files: as a whole or not at all.

use crate::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Writes a file. A regular file is written beside its place and renamed, so that an existing one stays as it was if anything
/// fails; links are followed. Devices and pipes are written to directly.
///
/// # Errors
/// The file cannot be written.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let is_stream = fs::metadata(&place).is_ok_and(|found| !found.is_file() && !found.is_dir());
    let written = if is_stream { fs::write(&place, bytes) } else { replace(&place, bytes) };
    written.map_err(|error| Error::io(path, "cannot be written", error))
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".gcc-grammar-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    fs::metadata(folder)?;
    // The error names the kind only: the user did not choose the name of the temporary file.
    let mut file = builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))?;
    file.write_all(bytes)?;
    file.persist(path).map(drop).map_err(|error| error.error)
}
