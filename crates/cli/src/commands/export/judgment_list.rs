//! `llull export letor`: labels with features.

use anyhow::Result;
use llull::core::Run;
use llull::data::{read_pair_features, write_letor};
use llull::files::export::{FeatureSource, judgment_list};
use llull::report::text::{count, counted};

use super::inputs::{Labels, runs_of_files};
use super::written::{Written, check_output, report, write};
use crate::args::ExportLetor;
use crate::commands::{Context, one_standard_input};
use crate::exit::{Exit, refuse};

pub(super) fn run(context: &Context, args: &ExportLetor) -> Result<Exit> {
    let output = &args.output.output;
    check_output(context, output)?;
    if args.labels.qrels.is_some() && args.runs.is_empty() && args.features.is_none() {
        refuse!("--qrels needs features: --run FILE for scores and ranks, or --features FILE");
    }
    one_standard_input(args.labels.qrels.iter().chain(&args.runs).chain(&args.features))?;
    let read = |file| read_pair_features(file, &context.global.columns);
    let file = args.features.as_ref().map(read).transpose()?;
    let labels = Labels::read(context, &args.labels)?;
    labels.warn_of_places(context);
    let of_files = runs_of_files(context, &args.runs, args.run_reading)?;
    let runs: Vec<&Run> = match labels.study() {
        Some((_, known)) => known.inputs.runs.iter().collect(),
        None => of_files.iter().collect(),
    };
    let source = match &file {
        Some(file) => FeatureSource::File(file),
        None => FeatureSource::Runs(&runs),
    };
    let list = judgment_list(&labels.qrels, source);
    if list.without_features == labels.qrels.pairs() {
        anyhow::bail!("no labelled pair has a feature: the identifiers of queries or documents differ");
    }
    if list.without_features > 0 {
        context.printer.warn(format!(
            "{} of {} have no feature, and a line without any",
            count(list.without_features),
            counted(labels.qrels.pairs(), "labelled pair")
        ));
    }
    write(context, output, |out| write_letor(&list.features, &list.queries, out))?;
    let written = Written { entries: labels.qrels.pairs(), unlabelled: labels.unlabelled };
    report(context, output, "label", &written)?;
    Ok(labels.exit)
}
