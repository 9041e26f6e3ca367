//! Applies a saved learner to new pairs.

use std::path::Path;

use anyhow::Result;
use llull::core::PairChoice;
use llull::data::{Cell, SheetFormat, write_row};
use llull::report::text::{count, threshold as shown};
use llull::training::{AppliedRow, apply_learner, read_learner};
use serde::Serialize;

use crate::args::TrainArgs;
use crate::commands::{Context, json_file, write_output};
use crate::exit::Exit;

/// The answers as JSON.
#[derive(Serialize)]
struct Applied<'a> {
    threshold: f64,
    decided: usize,
    answers: Vec<AnswerRow<'a>>,
}

#[derive(Serialize)]
struct AnswerRow<'a> {
    line: u64,
    group: Option<&'a str>,
    answer: &'static str,
    score: f64,
}

pub(super) fn run(context: &Context, args: &TrainArgs, learner: &Path, features: &Path) -> Result<Exit> {
    let saved = read_learner(learner)?;
    let threshold = args.threshold.unwrap_or(saved.threshold);
    let rows = apply_learner(&saved, features, args.group.as_deref(), threshold)?;
    let decided = rows.iter().filter(|row| row.answer != PairChoice::Neither).count();
    let text = if context.global.json {
        let answers = rows.iter().map(row_of).collect();
        json_file(&Applied { threshold, decided, answers })?
    } else {
        table(&rows)?
    };
    write_output(context, &args.output, &text)?;
    context.printer.note(format!(
        "{} of {} pairs decided, from a score of {}",
        count(decided),
        count(rows.len()),
        shown(threshold)
    ));
    Ok(Exit::Fine)
}

fn row_of(row: &AppliedRow) -> AnswerRow<'_> {
    AnswerRow { line: row.line, group: row.group.as_deref(), answer: row.answer.name(), score: row.score }
}

/// Columns between tabs; the group last, since it is text of the file.
fn table(rows: &[AppliedRow]) -> std::io::Result<Vec<u8>> {
    let grouped = rows.iter().any(|row| row.group.is_some());
    let mut table = Vec::new();
    let mut names = vec![Cell::Value("line"), Cell::Value("answer"), Cell::Value("score")];
    names.extend(grouped.then_some(Cell::Value("group")));
    write_row(&mut table, SheetFormat::Tabs, &names)?;
    for row in rows {
        let (line, score) = (row.line.to_string(), format!("{:.6}", row.score));
        let mut cells = vec![Cell::Value(&line), Cell::Value(row.answer.name()), Cell::Value(&score)];
        cells.extend(row.group.as_deref().map(Cell::Text));
        write_row(&mut table, SheetFormat::Tabs, &cells)?;
    }
    Ok(table)
}
