//! `llull report`: writes a study's report from its ledger.

use std::path::Path;

use anyhow::Result;
use llull::StudyReport;

use super::Context;
use crate::args::{ReportArgs, ReportFormat};
use crate::exit::Exit;

pub(crate) fn run(context: &Context, args: &ReportArgs) -> Result<Exit> {
    if args.format == Some(ReportFormat::Schema) {
        context.printer.result(llull::report::PUBLISHED_SCHEMA.trim_end())?;
        return Ok(Exit::Fine);
    }
    super::measure::parse(&args.measures)?;
    let study = context.study_as_last_run(args.overrides())?;
    let known = super::judge::load_study(context, &study)?;
    let report = study.report(&known.inputs, &known.evidence)?;
    let report = match &args.since {
        Some(earlier) => report.since(earlier)?,
        None => report,
    };
    let report = if args.no_texts { report.without_texts() } else { report };
    let format = args.format.or(context.global.json.then_some(ReportFormat::Json));
    match &args.output {
        Some(output) => write(context, &report, format, output)?,
        None => {
            let files = study.write_report(&known.inputs, &report)?;
            match format {
                Some(ReportFormat::Markdown) => {
                    context.printer.result(fs_err::read_to_string(files.markdown)?.trim_end())?;
                }
                Some(ReportFormat::Html) => {
                    context.printer.result(fs_err::read_to_string(files.html)?.trim_end())?;
                }
                Some(ReportFormat::Json) => {
                    context.printer.result(fs_err::read_to_string(files.json)?.trim_end())?;
                }
                Some(ReportFormat::Schema) | None => {
                    super::run::show(context, &study, &files, report.summary())?;
                }
            }
        }
    }
    Ok(super::judge::exit_of_report(&known.evidence, report.summary()))
}

/// Writes the report to a file or to standard output, and nothing into the study's folder.
fn write(
    context: &Context,
    report: &StudyReport<'_>,
    format: Option<ReportFormat>,
    output: &Path,
) -> Result<()> {
    let format =
        format.unwrap_or_else(|| match output.extension().and_then(|extension| extension.to_str()) {
            Some("json") => ReportFormat::Json,
            Some("html" | "htm") => ReportFormat::Html,
            _ => ReportFormat::Markdown,
        });
    let mut text = Vec::new();
    match format {
        ReportFormat::Json => report.write_json(&mut text)?,
        ReportFormat::Html => text.extend(report.html()?.into_bytes()),
        ReportFormat::Markdown | ReportFormat::Schema => text.extend(report.markdown()?.into_bytes()),
    }
    super::write_output(context, output, &text)?;
    if output != Path::new("-") {
        context.printer.note(format!("wrote {}", output.display()));
    }
    Ok(())
}
