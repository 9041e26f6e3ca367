//! Generates files from code.

use anyhow::Result;

/// Writes the generated files, or with `check` complains of those that differ.
pub(crate) fn run(check: bool) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    for (file, content) in [("docs/report.schema.json", llull::report::schema_json())] {
        if !check {
            fs_err::write(file, content)?;
        } else if fs_err::read_to_string(file)? != content {
            complaints.push(format!("{file}: differs from the code; run `cargo xtask generate`"));
        }
    }
    Ok(complaints)
}
