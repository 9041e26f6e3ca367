//! Writes the files of a synthesis, and prints its summary.

use std::io::Write as _;
use std::path::Path;

use anyhow::Result;
use llull::data::{EvaluationDataset, write_dataset, write_dataset_csv};
use llull::report::text::{count, text_table};
use llull::synthesis::{DroppedQuestion, SynthesisCounts};
use serde::Serialize;

use super::models::Models;
use crate::args::SynthesizeArgs;
use crate::commands::{Context, write_output};

/// Writes the dataset, in the form of its file name's extension.
pub(super) fn dataset(context: &Context, file: &Path, dataset: &EvaluationDataset) -> Result<()> {
    let mut bytes = Vec::new();
    let name = file.to_string_lossy();
    let plain = name.strip_suffix(".gz").or(name.strip_suffix(".zst")).unwrap_or(&name);
    if plain.ends_with(".csv") {
        write_dataset_csv(dataset, &mut bytes)?;
    } else {
        write_dataset(dataset, &mut bytes)?;
    }
    write_output(context, file, &bytes)
}

/// Writes the dropped questions, one per line.
pub(super) fn dropped(context: &Context, file: &Path, dropped: &[DroppedQuestion]) -> Result<()> {
    let mut bytes = Vec::new();
    for question in dropped {
        serde_json::to_writer(&mut bytes, question)?;
        bytes.write_all(b"\n")?;
    }
    write_output(context, file, &bytes)
}

#[derive(Serialize)]
struct Summary<'a> {
    /// The dataset; null if it was not written.
    dataset: Option<String>,
    synthetic: bool,
    written_by: &'a str,
    checked_by: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    told_apart_by: Option<&'a str>,
    seed: u64,
    questions: usize,
    wanted: usize,
    #[serde(flatten)]
    counts: &'a SynthesisCounts,
}

/// Prints the number of questions, and the outcomes of the others.
pub(super) fn show(
    context: &Context,
    args: &SynthesizeArgs,
    models: &Models,
    counts: &SynthesisCounts,
) -> Result<()> {
    let written = counts.questions() > 0;
    // If the dataset is printed to standard output, no summary follows.
    if args.output == Path::new("-") {
        return Ok(());
    }
    let names = models.names();
    let summary = Summary {
        dataset: written.then(|| args.output.display().to_string()),
        synthetic: true,
        written_by: names.writer,
        checked_by: names.checker,
        told_apart_by: names.told_apart_by,
        seed: args.seed,
        questions: counts.questions(),
        wanted: counts.wanted(),
        counts,
    };
    if context.shows_json(&summary)? {
        return Ok(());
    }
    let rows = counts.categories.iter().map(|category| {
        let numbers = [category.wanted, category.asked, category.questions];
        std::iter::once(category.category.to_owned()).chain(numbers.map(count)).collect()
    });
    context.printer.result(text_table(["category", "wanted", "passages tried", "questions"], rows))?;
    for (fate, number) in &counts.dropped {
        context.printer.result(format!("not in the dataset: {}, {fate}", count(*number)))?;
    }
    if written {
        let checked = match names.checker {
            Some(checker) => format!("checked by {checker}"),
            None => "checked by nobody".to_owned(),
        };
        context.printer.note(format!(
            "{}: {} synthetic questions, written by {}, {checked}",
            args.output.display(),
            count(counts.questions()),
            names.writer
        ));
    }
    Ok(())
}
