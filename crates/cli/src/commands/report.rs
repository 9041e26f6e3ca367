//! `llull report`: writes a study's report from its ledger.

use std::path::Path;

use anyhow::Result;
use llull::StudyReport;

use super::Context;
use crate::args::{Format, ReportArgs};
use crate::exit::Exit;

pub(crate) fn run(context: &Context, args: &ReportArgs) -> Result<Exit> {
    if args.format == Some(Format::Schema) {
        context.printer.result(llull::report::PUBLISHED_SCHEMA.trim_end())?;
        return Ok(Exit::Fine);
    }
    super::measure::parse(&args.measures)?;
    let to_output = args.output.as_deref().is_none_or(|output| output == Path::new("-"));
    let format = args.format.or(context.global.json.then_some(Format::Json));
    super::check_ci_outputs(context, &args.ci, format.filter(|_| to_output))?;
    let study = context.study_as_last_run(args.overrides())?;
    let known = super::judge::load_study(context, &study)?;
    let report = study.report(&known.inputs, &known.evidence)?;
    let report = match &args.since {
        Some(earlier) => study.reports().since(report, earlier)?,
        None => report,
    };
    let report = if args.no_texts { report.without_texts() } else { report };
    match &args.output {
        Some(output) => write(context, &report, format, output)?,
        None => {
            let files = study.reports().write(&known.inputs, &report)?;
            let written = match format {
                Some(Format::Markdown) => Some(&files.markdown),
                Some(Format::Html) => Some(&files.html),
                Some(Format::Json) => Some(&files.json),
                _ => None,
            };
            match written {
                Some(file) => context.printer.result(fs_err::read_to_string(file)?.trim_end())?,
                None => {
                    let detail = super::run::Detail::of(args.verbose);
                    super::run::show(context, &study, &files, report.summary(), detail)?;
                }
            }
        }
    }
    super::run::show_in_ci(context, &args.ci, report.summary(), known.evidence.is_complete())?;
    Ok(super::judge::exit_of_report(&known.evidence, report.summary()))
}

/// Writes the report to a file or to standard output, and nothing into the study's folder.
fn write(context: &Context, report: &StudyReport<'_>, format: Option<Format>, output: &Path) -> Result<()> {
    let format =
        format.unwrap_or_else(|| match output.extension().and_then(|extension| extension.to_str()) {
            Some("json") => Format::Json,
            Some("html" | "htm") => Format::Html,
            _ => Format::Markdown,
        });
    let mut text = Vec::new();
    match format {
        Format::Json => report.write_json(&mut text)?,
        Format::Html => text.extend(report.html()?.into_bytes()),
        _ => text.extend(report.markdown()?.into_bytes()),
    }
    super::write_output(context, output, &text)?;
    if output != Path::new("-") {
        context.printer.note(format!("wrote {}", output.display()));
    }
    Ok(())
}
