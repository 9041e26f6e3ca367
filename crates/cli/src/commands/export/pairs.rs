//! `llull export pairs`: pairs of documents of which one is better.

use anyhow::Result;
use llull::files::export::{graded_pairs, voted_pairs};
use llull::report::text::counted;

use super::inputs::Labels;
use super::written::{Written, check_output, format_of, report, rows_format, write_rows};
use crate::args::ExportPairs;
use crate::commands::Context;
use crate::exit::{Exit, refuse};

pub(super) fn run(context: &Context, args: &ExportPairs) -> Result<Exit> {
    let output = &args.output.output;
    check_output(context, output)?;
    let Some(format) = rows_format(format_of(args.format, output)) else {
        refuse!(
            "{}: pairs have columns; name the file .csv, .tsv, .jsonl, .parquet or .xlsx",
            output.display()
        );
    };
    let labels = Labels::read(context, &args.labels)?;
    let compared =
        labels.study().filter(|(study, _)| study.settings().tournament.is_some() && !args.labels.human);
    let entries = match compared {
        None => write_rows(context, output, graded_pairs(&labels.qrels), format)?,
        Some((study, _)) => {
            let ballots = study.attempts().ballots_as_asked()?.ballots;
            let (rows, even) = voted_pairs(&ballots);
            if even > 0 {
                let pairs = counted(even, "compared pair");
                context.printer.note(format!("{pairs} without a lead in votes, left out of the export"));
            }
            write_rows(context, output, rows, format)?
        }
    };
    report(context, output, "pair", &Written { entries, unlabelled: labels.unlabelled })?;
    Ok(labels.exit)
}
