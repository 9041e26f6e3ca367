//! Labels and runs: rows, JSON by query, TREC's files.

use anyhow::Result;
use llull::data::{write_labels_json, write_qrels, write_run, write_run_json, write_sourced_qrels};
use llull::files::export::{label_rows, run_rows};

use super::inputs::{Labels, runs_of_files, study_inputs, topics, wanted};
use super::written::{Written, check_output, format_of, report, rows_format, write, write_rows};
use crate::args::{ExportLabels, ExportRuns, Format};
use crate::commands::Context;
use crate::exit::{Exit, refuse};

pub(super) fn labels(context: &Context, args: &ExportLabels) -> Result<Exit> {
    let output = &args.output.output;
    check_output(context, output)?;
    let format = format_of(args.format, output);
    if args.texts && rows_format(format).is_none() {
        refuse!("--texts needs a format with columns: csv, tsv, jsonl, parquet or xlsx");
    }
    if args.texts && args.labels.labels.qrels.is_some() && args.labels.topics.is_none() {
        refuse!("--texts needs the texts of the queries; name their file: --topics FILE");
    }
    let labels = Labels::read(context, &args.labels.labels)?;
    labels.warn_of_places(context);
    let texts = if args.texts { topics(context, &labels, &args.labels)? } else { None };
    let entries = match rows_format(format) {
        Some(format) => {
            let source = |query: &str, document: &str| labels.source(query, document);
            write_rows(context, output, label_rows(&labels.qrels, texts.as_ref(), source), format)?
        }
        None => {
            write(context, output, |out| match format {
                Format::Json => write_labels_json(&labels.qrels, out),
                _ if labels.is_mixed() => {
                    write_sourced_qrels(&labels.qrels, |query, document| labels.source(query, document), out)
                }
                _ => write_qrels(&labels.qrels, out),
            })?;
            labels.qrels.pairs()
        }
    };
    report(context, output, "label", &Written { entries, unlabelled: labels.unlabelled })?;
    Ok(labels.exit)
}

pub(super) fn runs(context: &Context, args: &ExportRuns) -> Result<Exit> {
    let output = &args.output.output;
    check_output(context, output)?;
    let all = match args.runs.as_slice() {
        [] => study_inputs(context)?.runs,
        files => runs_of_files(context, files, args.reading)?,
    };
    let runs = wanted(&all, &args.systems)?;
    let format = format_of(args.format, output);
    let entries = match (rows_format(format), runs.as_slice()) {
        (Some(format), runs) => write_rows(context, output, run_rows(runs), format)?,
        (None, [run]) => {
            write(context, output, |out| match format {
                Format::Json => write_run_json(run, out),
                _ => write_run(run, out),
            })?;
            run.iter().map(|(_, ranking)| ranking.len()).sum()
        }
        (None, runs) => {
            let names: Vec<&str> = runs.iter().map(|run| run.name.as_str()).collect();
            refuse!(
                "such a file holds one system, and there are {}: name one with --system, or write csv, tsv, jsonl, \
                 parquet or xlsx",
                names.join(", ")
            );
        }
    };
    report(context, output, "result", &Written { entries, unlabelled: 0 })?;
    Ok(Exit::Fine)
}
