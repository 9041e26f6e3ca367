//! Results that go to a file, or to standard output.

use std::io::Write as _;
use std::path::Path;

use anyhow::Result;
use llull::Folder;
use llull::data::create;
use serde::Serialize;

use super::Context;

/// Writes a result to a file, compressed if its name ends in `.gz` or `.zst`, or to standard output if that is `-`.
///
/// # Errors
///
/// Returns an error if the file cannot be written.
pub(crate) fn write_output(context: &Context, output: &Path, bytes: &[u8]) -> Result<()> {
    if output == Path::new("-") {
        context.printer.stream(|out| out.write_all(bytes))?;
        return Ok(());
    }
    let mut file = create(output)?;
    file.write_all(bytes)?;
    file.flush()?;
    file.finish()?;
    Ok(())
}

/// A result as a file of JSON, with a line end.
pub(crate) fn json_file(result: &impl Serialize) -> Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(result)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Writes a file whose name llull derives from one that was typed. What stands there may be a stranger's link, so none
/// is followed.
///
/// # Errors
///
/// Returns an error if the file is a link, or cannot be written.
pub(crate) fn write_beside(output: &Path, bytes: &[u8]) -> Result<()> {
    let folder = output.parent().filter(|parent| !parent.as_os_str().is_empty());
    let folder = Folder::new(folder.unwrap_or(Path::new(".")));
    Ok(folder.write(output.file_name().unwrap_or_default(), bytes)?)
}
