//! Prints a study's result: the decision, the figures, their evidence.

use std::path::Path;

use anyhow::Result;
use llull::report::check_sentence;
use llull::{ReportFiles, Study, Summary};

use super::evidence_text::{against_reference, rests_on};
use super::figures_table::figures;
use super::since_table::since_table;
use crate::commands::Context;

/// Prints failed judge checks and the decision, then the figures, then their evidence; or all of it as JSON.
pub(crate) fn show(context: &Context, study: &Study, files: &ReportFiles, summary: &Summary) -> Result<()> {
    let printer = context.printer;
    if context.shows_json(summary)? {
        return Ok(());
    }
    for check in summary.checks.iter().filter(|check| check.is_raised()) {
        printer.result(check_sentence(check))?;
    }
    for condition in &summary.unlike {
        printer.result(condition.line())?;
    }
    if let Some(since) = summary.since.as_ref().filter(|since| !since.unlike.is_empty()) {
        printer.result(since.verdict())?;
    }
    printer.results(&summary.decision.summary)?;
    printer.results(summary.decision.without.iter().flat_map(|without| &without.sentences))?;
    for gate in &summary.decision.check_gates {
        printer.result(&gate.sentence)?;
    }
    printer.results(&summary.decision.notes)?;
    printer.result("")?;
    printer.result(figures(summary))?;
    printer.result("")?;
    printer.result(rests_on(summary))?;
    if let Some(reference) = &summary.reference {
        printer.result(against_reference(reference))?;
    }
    if let Some(people) = summary.tournaments.as_ref().and_then(|found| found.people.as_ref()) {
        printer.results(people.sentences())?;
    }
    printer.result(&summary.study.honesty)?;
    if let Some(since) = &summary.since {
        printer.result("")?;
        printer.result(since_table(since))?;
    }
    if files.beside {
        printer.warn(
            "report.md and labels.qrels hold labels, and this report has none, so they were kept and this one stands \
             beside them",
        );
    }
    if !files.moved.is_empty() {
        printer.note("\nmoved since the report that was here:");
        files.moved.iter().for_each(|line| printer.note(format!("  {line}")));
    }
    let shown = |path: &Path| path.strip_prefix(study.folder().dir()).unwrap_or(path).display().to_string();
    let place = match study.folder().dir() {
        dir if dir == Path::new(".") => "written".to_owned(),
        dir => format!("in {}", dir.display()),
    };
    printer.note(format!(
        "\n{place}: {}, {}, {}, {}",
        shown(&files.html),
        shown(&files.markdown),
        shown(&files.json),
        shown(&files.labels)
    ));
    Ok(())
}
