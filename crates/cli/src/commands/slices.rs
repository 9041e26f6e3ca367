//! Slices and choices of the queries, of plain files or of a study.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use indexmap::IndexSet;
use llull::core::{ChosenQueries, Identifiers, Qrels, QueryChoiceError, SlicedQueries, Topics};
use llull::data::{read_topics_file, shown_path};
use llull::files::LabelsFile;
use llull::metrics::Scores;
use llull::report::text::{count, counted};
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
        let by = flags.sample_by().map(|field| format!("--sample-queries N:{field}"));
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
    context.say_columns();
    Ok(Some(read.topics))
}

/// Chooses among the queries of the labels; `None` if all are used. The labels stay whole until their identifiers are
/// checked, then [`leave_out_unchosen`] removes those of the other queries.
///
/// # Errors
/// Returns an error if the choice matches no query, or names something unknown; also if the file of queries has none of
/// these queries.
pub(crate) fn choose_in_files(
    context: &Context,
    flags: &QueryFlags,
    topics: Option<&Topics>,
    labels: &LabelsFile<'_>,
) -> Result<Option<ChosenQueries>> {
    let queries: Vec<&str> = labels.qrels.iter().map(|(query, _)| query).collect();
    if let Some(topics) = topics {
        let known = || topics.iter().map(|topic| topic.id.as_str());
        Identifiers::of_queries("--topics", known())
            .check_overlap(&Identifiers::of_queries(shown_path(labels.path), queries.iter().copied()))?;
        match queries.iter().filter(|query| topics.get(query).is_none()).count() {
            0 => {}
            absent => context.printer.warn(format!(
                "{} of {} with labels {} in no file of --topics, so their metadata are unknown",
                count(absent),
                counted(queries.len(), "query"),
                if absent == 1 { "is" } else { "are" }
            )),
        }
    }
    let settings = flags.settings();
    if settings.is_all() {
        return Ok(None);
    }
    let choice = settings.choice(context.intervals()?.seed.0, |file| PathBuf::from(file))?;
    let none = Topics::default();
    let chosen = match choice.choose(&queries, topics.unwrap_or(&none)) {
        Err(QueryChoiceError::NoQuery { list, first, others }) => {
            let others =
                if others == 0 { String::new() } else { format!(" (nor have {others} more of its queries)") };
            bail!(
                "--queries {list}: {first:?} has no label{others}. Leave out of the list what has none, or label it"
            );
        }
        Err(QueryChoiceError::NoMatch { pattern, first }) => bail!(
            "--queries {pattern}: no query with a label matches it (the first: {first}), and no file has this name"
        ),
        chosen => chosen?,
    };
    context.printer.note(QuerySelection::from(&chosen).to_string());
    Ok(Some(chosen))
}

/// Removes the labels and figures of queries that are not chosen.
pub(crate) fn leave_out_unchosen(chosen: Option<&ChosenQueries>, labels: &mut Qrels, scores: &mut [Scores]) {
    let Some(chosen) = chosen else { return };
    labels.retain(|query| chosen.ids.contains(query));
    for scores in scores {
        scores.topics.retain(|topic| chosen.ids.contains(&topic.topic));
        scores.unlabelled.retain(|query| chosen.ids.contains(query));
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
    for field in flags.slices.iter().collect::<IndexSet<_>>() {
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
        context.printer.result(table(format, &slices.cells(usize::MAX)))?;
        context.printer.note(&slices.note);
    }
    Ok(())
}
