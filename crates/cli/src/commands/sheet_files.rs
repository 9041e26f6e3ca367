//! Writes a sheet and the files next to it.

use std::path::{Path, PathBuf};

use anyhow::Result;
use llull::data::{Sheet, SheetForm, SheetFormat, write_sheet, write_sheet_workbook};
use llull::judge::Rubric;
use llull::report::text::counted;

use crate::commands::{Context, write_beside, write_output};

pub(super) fn write(context: &Context, sheet: &Sheet, output: &Path) -> Result<()> {
    let mut bytes = Vec::new();
    match output.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("xlsx")) {
        true => write_sheet_workbook(sheet, &mut bytes)?,
        false => write_sheet(sheet, SheetFormat::of(output), &mut bytes)?,
    }
    write_output(context, output, &bytes)
}

/// Writes a sheet, and the meaning of answers next to it, for annotators, and notes both files. Standard output has no
/// file next to it.
pub(super) fn write_with_rubric(
    context: &Context,
    rubric: &Rubric,
    sheet: &Sheet,
    output: &Path,
) -> Result<()> {
    write(context, sheet, output)?;
    if output == Path::new("-") {
        return Ok(());
    }
    let path = beside(output, "rubric.md");
    write_beside(&path, rubric_text(rubric, sheet.form).as_bytes())?;
    context.printer.note(format!(
        "wrote {}, {}; what the answers mean is in {}",
        output.display(),
        counted(sheet.rows.len(), "line"),
        path.display()
    ));
    Ok(())
}

/// `sheet.csv.gz` and `sample.tsv` make `sheet.sample.tsv`.
pub(super) fn beside(sheet: &Path, ending: &str) -> PathBuf {
    let name = sheet.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let stem = [".gz", ".zst", ".csv", ".tsv", ".txt", ".xlsx"].iter().fold(name.as_str(), |name, end| {
        name.strip_suffix(end).filter(|rest| !rest.is_empty()).unwrap_or(name)
    });
    sheet.with_file_name(format!("{stem}.{ending}"))
}

fn rubric_text(rubric: &Rubric, form: SheetForm) -> String {
    let (low, high) = (rubric.scale.low(), rubric.scale.high());
    let grade = format!("one grade from {low} to {high}");
    let (answer, column, question) = match form {
        SheetForm::Grade => (grade.as_str(), "grade", "how well the document answers the query"),
        SheetForm::Compare => ("left, right or neither", "answer", "which document answers the query better"),
        SheetForm::Answers => {
            let answer = if (low, high) == (0, 1) { "yes or no" } else { grade.as_str() };
            (answer, "answer", "whether the text states the expected answer")
        }
    };
    let mut text = format!(
        "# {}\n\nPut {answer} into the column `{column}` of each line: {question}. Put skip to pass over a line, later \
         to leave it for later, and can't tell if the texts do not decide it. Leave blank what you have not looked at. \
         `note` is for anything else.\n",
        rubric.name
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
            ("sheet.xlsx", "sheet.sample.tsv"),
            ("sheet", "sheet.sample.tsv"),
            (".tsv", ".tsv.sample.tsv"),
        ] {
            assert_eq!(beside(Path::new(sheet), "sample.tsv"), Path::new(expected));
        }
    }
}
