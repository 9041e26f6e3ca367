//! The files beside a sheet.

use std::path::{Path, PathBuf};

use anyhow::Result;
use llull::data::{SheetFormat, SheetRow, write_sheet};
use llull::judge::Rubric;

use crate::commands::{Context, write_output};

/// Writes a sheet.
pub(super) fn write(context: &Context, draw: &str, rows: &[SheetRow], output: &Path) -> Result<()> {
    let mut bytes = Vec::new();
    write_sheet(draw, rows, SheetFormat::of(output), &mut bytes)?;
    write_output(context, output, &bytes)
}

/// Writes what the grades mean beside a sheet, for those who fill it in. Returns where; `None` for standard output.
pub(super) fn write_rubric(context: &Context, rubric: &Rubric, sheet: &Path) -> Result<Option<PathBuf>> {
    if sheet == Path::new("-") {
        return Ok(None);
    }
    let path = beside(sheet, "rubric.md");
    write_output(context, &path, rubric_text(rubric).as_bytes())?;
    Ok(Some(path))
}

/// `sheet.csv.gz` and `sample.tsv` make `sheet.sample.tsv`.
pub(super) fn beside(sheet: &Path, ending: &str) -> PathBuf {
    let name = sheet.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let stem = [".gz", ".zst", ".csv", ".tsv", ".txt"].iter().fold(name.as_str(), |name, end| {
        name.strip_suffix(end).filter(|rest| !rest.is_empty()).unwrap_or(name)
    });
    sheet.with_file_name(format!("{stem}.{ending}"))
}

fn rubric_text(rubric: &Rubric) -> String {
    let mut text = format!(
        "# {}\n\nPut one grade from {} to {} into the column `grade` of each line: how well the document answers the \
         query. Leave it blank if it cannot be told. `note` is for anything else.\n",
        rubric.name,
        rubric.scale.low(),
        rubric.scale.high()
    );
    for grade in &rubric.grades {
        text += &format!("\n**{}, {}**: {}\n", grade.grade, grade.name, grade.definition);
    }
    if !rubric.body.trim().is_empty() {
        text += &format!("\n{}\n", rubric.body.trim());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_beside_a_sheet_have_its_name() {
        for (sheet, expected) in [
            ("a/sheet.csv", "a/sheet.sample.tsv"),
            ("sheet.tsv.gz", "sheet.sample.tsv"),
            ("sheet", "sheet.sample.tsv"),
            (".tsv", ".tsv.sample.tsv"),
        ] {
            assert_eq!(beside(Path::new(sheet), "sample.tsv"), Path::new(expected));
        }
    }
}
