//! Slices of the queries, of plain files or of a study.

use anyhow::Result;
use llull::core::{SlicedQueries, Topics};
use llull::data::{read_topics_file, shown_path};
use llull::metrics::Scores;
use llull::report::{SliceSection, SliceTable};

use super::{Context, table};
use crate::args::{Format, QueryFlags, TopicsFlag};
use crate::exit::refuse;

/// Reads the queries of plain files, for their metadata and texts; `None` if no file is named.
pub(crate) fn topics_of_files(
    context: &Context,
    flags: &QueryFlags,
    topics: &TopicsFlag,
) -> Result<Option<Topics>> {
    let Some(path) = &topics.topics else {
        if let Some(field) = flags.slices.first() {
            refuse!(
                "--slice {field} is about metadata of queries, which labels and runs do not have: name the file of \
                 queries, --topics FILE"
            );
        }
        return Ok(None);
    };
    let read = read_topics_file(path, &context.global.columns)?;
    if let Some(line) = read.table.line(&shown_path(path)) {
        context.printer.note(line);
    }
    Ok(Some(read.topics))
}

/// Refuses the flag of plain files in a study.
pub(crate) fn no_topics_in_study(topics: &TopicsFlag) -> Result<()> {
    match &topics.topics {
        Some(file) => refuse!(
            "--topics {} is for plain files; a study's queries are those of llull.toml: leave it out",
            file.display()
        ),
        None => Ok(()),
    }
}

/// Returns the measured queries by each field of --slice.
///
/// # Errors
/// Returns an error if a field is unknown or has too many values.
pub(crate) fn sliced_queries(
    flags: &QueryFlags,
    topics: Option<&Topics>,
    scores: &[Scores],
) -> Result<Vec<SlicedQueries>> {
    let Some(topics) = topics else { return Ok(Vec::new()) };
    let queries =
        || scores.iter().take(1).flat_map(|scores| &scores.topics).map(|topic| topic.topic.as_str());
    let mut sliced = Vec::new();
    for field in &flags.slices {
        match topics.sliced(field, queries()) {
            Ok(found) => sliced.push(found),
            Err(error) => refuse!("--slice {field}: {error}"),
        }
    }
    Ok(sliced)
}

/// Prints a table for each field and measure.
pub(crate) fn print_slices(context: &Context, format: Format, sections: &[SliceSection]) -> Result<()> {
    for section in sections {
        let slices = SliceTable::new(section);
        context.printer.result("")?;
        context.printer.result(table(format, slices.cells(usize::MAX)))?;
        context.printer.note(&slices.note);
    }
    Ok(())
}
