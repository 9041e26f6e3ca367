//! Writes results to a file, or to standard output.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Result;
use llull::Folder;
use llull::data::{Output, create};
use serde::Serialize;

use super::Context;
use crate::exit::refuse;

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
    let mut file = create_output(context, output)?;
    file.write_all(bytes)?;
    file.flush()?;
    file.finish()?;
    Ok(())
}

/// Creates a file that the user names. Nothing that the study in the folder reads, or that llull keeps, is replaced.
///
/// # Errors
///
/// Returns an error if the file is such a one, or cannot be created, or if what it would hold was read without a column
/// that `--columns` names.
pub(crate) fn create_output(context: &Context, output: &Path) -> Result<Output> {
    context.check_columns()?;
    check_output_name(context, output)?;
    Ok(create(output)?)
}

/// Refuses a file that the study in the folder reads, or that llull keeps.
pub(crate) fn check_output_name(context: &Context, output: &Path) -> Result<()> {
    if let Some(role) = Folder::new(&context.global.study).role_of(output) {
        refuse!("nothing is written to {}: {role}. Name another file", output.display());
    }
    Ok(())
}

/// Returns whether the ending of a file's name asks for a table in Parquet.
pub(crate) fn is_parquet(file: &Path) -> bool {
    file.extension().is_some_and(|end| end.eq_ignore_ascii_case("parquet"))
}

/// Refuses `--json` together with a file on standard output.
pub(crate) fn not_beside_json(context: &Context, output: Option<&Path>) -> Result<()> {
    if context.global.json && output == Some(Path::new("-")) {
        refuse!("--json and -o - both want standard output; leave out one");
    }
    Ok(())
}

/// The output of a result that is no JSON: the named file, or else standard output. `None` if JSON is printed there.
pub(crate) fn output_beside_json(context: &Context, named: Option<&Path>) -> Option<PathBuf> {
    let usual = (!context.global.json).then_some(Path::new("-"));
    named.or(usual).map(Path::to_owned)
}

/// A result as a file of JSON, with a line end.
pub(crate) fn json_file(result: &impl Serialize) -> Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(result)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Writes a file whose name llull derives from a typed one. A link with this name may be a stranger's, so it is an
/// error.
///
/// # Errors
///
/// Returns an error if the file is a link, or cannot be written.
pub(crate) fn write_beside(output: &Path, bytes: &[u8]) -> Result<()> {
    let folder = output.parent().filter(|parent| !parent.as_os_str().is_empty());
    let folder = Folder::new(folder.unwrap_or(Path::new(".")));
    Ok(folder.write(output.file_name().unwrap_or_default(), bytes)?)
}
