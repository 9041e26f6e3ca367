//! Slices and choices of the queries, of plain files or of a study.

use std::path::{Path, PathBuf};

use anyhow::Result;
use llull::core::{Qrels, SlicedQueries, Topics};
use llull::data::{read_topics_file, shown_path};
use llull::metrics::Scores;
use llull::report::{QuerySelection, SliceSection, SliceTable};

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
        let fields = flags.slices.first().map(|field| format!("--slice {field}"));
        let by = flags.sample_by.as_ref().map(|field| format!("--sample-by {field}"));
        let is_of_field = |text: &&String| text.contains('=') && !Path::new(text).is_file();
        let only = flags.only.iter().find(is_of_field).map(|text| format!("--queries {text}"));
        if let Some(flag) = fields.or(by).or(only) {
            refuse!(
                "{flag} is about metadata of queries, which labels and runs do not have: name the file of queries, \
                 --topics FILE"
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

/// Removes the labels of queries that are not chosen. Returns the choice; `None` if all are used.
///
/// # Errors
/// Returns an error if the choice matches no query, or names something unknown.
pub(crate) fn choose_in_files(
    context: &Context,
    flags: &QueryFlags,
    topics: Option<&Topics>,
    labels: &mut Qrels,
) -> Result<Option<QuerySelection>> {
    let settings = flags.settings();
    if settings.is_all() {
        return Ok(None);
    }
    let choice = settings.choice(context.intervals()?.seed.0, |file| PathBuf::from(file))?;
    let queries: Vec<&str> = labels.iter().map(|(query, _)| query).collect();
    let none = Topics::default();
    let chosen = choice.choose(&queries, topics.unwrap_or(&none))?;
    labels.retain(|query| chosen.ids.contains(query));
    let selection = QuerySelection::from(&chosen);
    context.printer.note(selection.to_string());
    Ok(Some(selection))
}

/// Leaves out the queries that are not chosen where scores list those without labels.
pub(crate) fn forget_unchosen(selection: Option<&QuerySelection>, labels: &Qrels, scores: &mut [Scores]) {
    if selection.is_some() {
        scores.iter_mut().for_each(|scores| scores.unlabelled.retain(|query| labels.topic(query).is_some()));
    }
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
