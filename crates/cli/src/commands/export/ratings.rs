//! Labels by the texts of queries: for Quepid, Elasticsearch and OpenSearch.

use std::path::Path;

use anyhow::Result;
use llull::data::{RankEval, RatedQuery, TableFormat, write_opensearch_judgments, write_rank_eval};
use llull::files::export::{Ratings, quepid_rows, ratings};
use llull::report::text::counted;

use super::inputs::{Labels, topics};
use super::written::{Written, check_output, report, write, write_rows};
use crate::args::{ExportOpensearch, ExportQuepid, ExportRankEval, ExportedRatings};
use crate::commands::Context;
use crate::exit::{Exit, refuse};

pub(super) fn quepid(context: &Context, args: &ExportQuepid) -> Result<Exit> {
    let output = &args.output.output;
    exported(context, output, &args.labels, true, |_, rated| {
        write_rows(context, output, quepid_rows(rated), TableFormat::Csv).map(drop)
    })
}

pub(super) fn rank_eval(context: &Context, args: &ExportRankEval) -> Result<Exit> {
    let output = &args.output.output;
    let settings = RankEval { index: &args.index, fields: &args.fields, cutoff: args.cutoff };
    exported(context, output, &args.labels, false, |_, rated| {
        write(context, output, |out| write_rank_eval(&rated.queries, &settings, out))
    })
}

pub(super) fn opensearch(context: &Context, args: &ExportOpensearch) -> Result<Exit> {
    let output = &args.output.output;
    exported(context, output, &args.labels, true, |labels, rated| {
        let name = args.name.as_deref().unwrap_or(labels.name());
        write(context, output, |out| write_opensearch_judgments(&rated.queries, name, out))
    })
}

/// Reads labels with the texts of their queries, and writes them. `by_text` is for tools that know a query by its text.
fn exported(
    context: &Context,
    output: &Path,
    args: &ExportedRatings,
    by_text: bool,
    write: impl FnOnce(&Labels, &Ratings<'_>) -> Result<()>,
) -> Result<Exit> {
    check_output(context, output)?;
    if args.labels.qrels.is_some() && args.topics.is_none() {
        refuse!("this export has the texts of queries, which --qrels lacks; name their file: --topics FILE");
    }
    let labels = Labels::read(context, &args.labels)?;
    labels.warn_of_places(context);
    let topics = topics(context, &labels, args)?.unwrap_or_default();
    let rated = ratings(&labels.qrels, &topics);
    if let Some(first) = rated.without_text.first() {
        anyhow::bail!(
            "query {first:?} has labels and no text ({} in all); add the text, or remove the labels",
            counted(rated.without_text.len(), "such query")
        );
    }
    if let Some(first) = rated.same_text.first().filter(|_| by_text) {
        context.printer.warn(format!(
            "{} with the text of another, the first: {first}; the import takes both for one",
            counted(rated.same_text.len(), "query")
        ));
    }
    write(&labels, &rated)?;
    let entries = rated.queries.iter().map(|query: &RatedQuery<'_>| query.ratings.len()).sum();
    report(context, output, "rating", &Written { entries, unlabelled: labels.unlabelled })?;
    Ok(labels.exit)
}
