//! Generates files, and parts of pages, from code.

use anyhow::{Result, bail};
use llull::audit::CheckKind;

/// The page whose table of judge checks begins with identifiers and titles from the code.
const CHECKS: &str = "docs/reference/checks.md";

/// Writes the generated files, or with `check` complains of those that differ.
pub(crate) fn run(check: bool) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    let checks = with_titles(&fs_err::read_to_string(CHECKS)?)?;
    for (file, content) in [("docs/report.schema.json", llull::report::schema_json()), (CHECKS, checks)] {
        if !check {
            fs_err::write(file, content)?;
        } else if fs_err::read_to_string(file)? != content {
            complaints.push(format!("{file}: differs from the code; run `cargo xtask generate`"));
        }
    }
    Ok(complaints)
}

/// Returns the page with the title of every check in its row.
fn with_titles(page: &str) -> Result<String> {
    let mut lines: Vec<String> = page.lines().map(str::to_owned).collect();
    for kind in CheckKind::ALL {
        let start = format!("| `{}`", kind.name());
        let Some(row) = lines.iter_mut().find(|line| line.starts_with(&start)) else {
            bail!("{CHECKS}: no row of a table begins with {start}");
        };
        let Some((_, rest)) = row.split_at(start.len()).1.split_once(" |") else {
            bail!("{CHECKS}: the row of {start} has one cell");
        };
        *row = format!("{start}: {} |{rest}", kind.title());
    }
    Ok(lines.join("\n") + "\n")
}
