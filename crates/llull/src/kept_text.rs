//! Copies of texts that judges were given, beside the ledger.

use std::io::{ErrorKind, Write as _};
use std::path::Path;

use llull_data::DataError;

use crate::error::StudyError;
use crate::folder::Folder;

/// Writes a copy under this name, unless there is one. Nothing is kept where the folder cannot be written to.
///
/// # Errors
/// Returns an error if the copy cannot be written for another reason.
pub(crate) fn keep(folder: &Folder, name: &Path, text: &str) -> Result<(), StudyError> {
    if folder.private_file(name)?.is_file() {
        return Ok(());
    }
    let written = folder.create_private(name).and_then(|mut file| {
        file.write_all(text.as_bytes()).map_err(DataError::File)?;
        file.finish()
    });
    match written {
        Err(DataError::File(error))
            if matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem) =>
        {
            Ok(())
        }
        written => Ok(written?),
    }
}
