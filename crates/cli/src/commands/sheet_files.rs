//! Writes the files next to a sheet.

use std::path::{Path, PathBuf};

use anyhow::Result;
use llull::data::{QueueSheetForm, SheetFormat, SheetRow, write_sheet};
use llull::judge::Rubric;
use llull::report::text::counted;

use crate::commands::{Context, write_beside, write_output};

pub(super) fn write(context: &Context, draw: &str, rows: &[SheetRow], output: &Path) -> Result<()> {
    let mut bytes = Vec::new();
    write_sheet(draw, rows, SheetFormat::of(output), &mut bytes)?;
    write_output(context, output, &bytes)
}

/// The task of annotators on a sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SheetTask {
    /// To grade the pairs of a sample.
    Sample,
    /// To answer those of a queue.
    Queue(QueueSheetForm),
}

/// Writes the meaning of answers next to a sheet with this number of lines, for annotators, and notes both files.
/// Standard output has no such file.
pub(super) fn write_rubric(
    context: &Context,
    (rubric, task): (&Rubric, SheetTask),
    (sheet, lines): (&Path, usize),
) -> Result<()> {
    if sheet == Path::new("-") {
        return Ok(());
    }
    let path = beside(sheet, "rubric.md");
    write_beside(&path, rubric_text(rubric, task).as_bytes())?;
    context.printer.note(format!(
        "wrote {}, {}; what the {} mean is in {}",
        sheet.display(),
        counted(lines, "line"),
        if task == SheetTask::Sample { "grades" } else { "answers" },
        path.display()
    ));
    Ok(())
}

/// `sheet.csv.gz` and `sample.tsv` make `sheet.sample.tsv`.
pub(super) fn beside(sheet: &Path, ending: &str) -> PathBuf {
    let name = sheet.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let stem = [".gz", ".zst", ".csv", ".tsv", ".txt"].iter().fold(name.as_str(), |name, end| {
        name.strip_suffix(end).filter(|rest| !rest.is_empty()).unwrap_or(name)
    });
    sheet.with_file_name(format!("{stem}.{ending}"))
}

fn rubric_text(rubric: &Rubric, task: SheetTask) -> String {
    let (low, high) = (rubric.scale.low(), rubric.scale.high());
    let grade = format!("one grade from {low} to {high}");
    let (answer, column, asked) = match task {
        SheetTask::Sample | SheetTask::Queue(QueueSheetForm::Grade) => {
            (grade.as_str(), "grade", "how well the document answers the query")
        }
        SheetTask::Queue(QueueSheetForm::Compare) => {
            ("left, right or neither", "answer", "which document answers the query better")
        }
        SheetTask::Queue(QueueSheetForm::Answers) => {
            let answer = if (low, high) == (0, 1) { "yes or no" } else { grade.as_str() };
            (answer, "answer", "whether the text states the expected answer")
        }
    };
    let blank = match task {
        SheetTask::Sample => "Leave it blank if it cannot be told.",
        SheetTask::Queue(_) => {
            "Put skip to pass over a line, later to leave it for later, and can't tell if it cannot be told. Leave \
             blank what you have not looked at."
        }
    };
    let mut text = format!(
        "# {}\n\nPut {answer} into the column `{column}` of each line: {asked}. {blank} `note` is for anything \
         else.\n",
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
            ("sheet", "sheet.sample.tsv"),
            (".tsv", ".tsv.sample.tsv"),
        ] {
            assert_eq!(beside(Path::new(sheet), "sample.tsv"), Path::new(expected));
        }
    }
}
