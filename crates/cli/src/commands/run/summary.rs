//! Prints a study's result: the judges, one table, what to do next; with `--verbose` the evidence of the figures too.

use std::path::Path;

use anyhow::Result;
use llull::report::text::{difference, figure, text_table};
use llull::report::{CiResult, Exporter as _, Limits, ReportView, SinceSection, Terminal};
use llull::{ReportFiles, Study, Summary};

use super::evidence_text::{against_reference, rests_on};
use super::figures_table::figures;
use crate::args::CiOutputs;
use crate::commands::{Context, write_ci_outputs};

/// How much of a result is printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Detail {
    /// The judges, one table and what to do next.
    #[default]
    Short,
    /// The sentences of the decision, the figures of all measures and their evidence as well.
    Verbose,
}

impl Detail {
    /// What `--verbose` asks for.
    pub(crate) fn of(verbose: bool) -> Self {
        if verbose { Self::Verbose } else { Self::Short }
    }
}

/// Prints the result, or all of it as JSON.
pub(crate) fn show(
    context: &Context,
    study: &Study,
    files: &ReportFiles,
    summary: &Summary,
    detail: Detail,
) -> Result<()> {
    let printer = context.printer;
    if context.shows_json(summary)? {
        return Ok(());
    }
    let view = ReportView::new(summary, Limits::default());
    printer.result(commands_in(study.folder().dir(), Terminal.to_text(&view)?))?;
    if detail == Detail::Verbose {
        evidence(context, summary, &view)?;
    } else if let (true, Some(reference)) = (study.settings().pool_of_reference, &summary.reference) {
        printer.result(format!("\n{}", reference.systems.text(&reference.name)))?;
    }
    if let Some(since) = &summary.since {
        printer.result("")?;
        printer.result(since_table(since))?;
    }
    if files.beside {
        printer.warn(
            "report.md and labels.qrels hold labels, and this report has none, so they are unchanged and this one is \
             beside them",
        );
    }
    if !files.moved.is_empty() && detail == Detail::Verbose {
        printer.note("\nchanged since the report that was here:");
        files.moved.iter().for_each(|line| printer.note(format!("  {line}")));
    }
    let folder = study.folder().dir();
    let (report, serve) = match folder == Path::new(".") {
        true => (files.html.strip_prefix(folder).unwrap_or(&files.html), "llull serve".to_owned()),
        false => (files.html.as_path(), format!("llull -C {} serve", folder.display())),
    };
    printer.note(format!("\nReport: {}   or look around: {serve}", report.display()));
    Ok(())
}

/// Writes the outputs for CI. `complete` is false if judgments are missing.
pub(crate) fn show_in_ci(
    context: &Context,
    wanted: &CiOutputs,
    summary: &Summary,
    complete: bool,
) -> Result<()> {
    if !wanted.is_any() {
        return Ok(());
    }
    let view = ReportView::new(summary, Limits::default());
    write_ci_outputs(context, wanted, &CiResult::of_report(&view, complete))
}

/// Returns the text with its commands as they work outside the study's folder.
fn commands_in(folder: &Path, text: String) -> String {
    if folder == Path::new(".") {
        return text;
    }
    ["doctor", "ledger", "review", "run", "sample", "serve"].iter().fold(text, |text, command| {
        text.replace(&format!("llull {command}"), &format!("llull -C {} {command}", folder.display()))
    })
}

/// The sentences of the decision, the figures of all measures, and the numbers behind them.
fn evidence(context: &Context, summary: &Summary, view: &ReportView<'_>) -> Result<()> {
    let printer = context.printer;
    printer.result("")?;
    // The lead and the notes are printed above.
    printer.results(summary.decision.summary.iter().skip(summary.decision.lead().len()))?;
    printer.results(view.track_record())?;
    printer.result("")?;
    printer.result(figures(summary))?;
    printer.result("")?;
    printer.result(rests_on(summary))?;
    if let Some(reference) = &summary.reference {
        printer.result(against_reference(reference))?;
    }
    if let Some(annotators) = summary.tournaments.as_ref().and_then(|found| found.people.as_ref()) {
        printer.results(annotators.sentences())?;
    }
    printer.result(&summary.study.honesty)?;
    Ok(())
}

/// Describes the differences of the two settings, other changes, and the figures of both.
fn since_table(since: &SinceSection) -> String {
    let mut lines = vec![match since.unlike.is_empty() {
        true => format!("since {}: {}", since.name, since.verdict()),
        false => format!("since {}:", since.name),
    }];
    lines.extend(
        since.unlike.iter().map(|condition| format!("  {}: {}", condition.of.name(), condition.sentence)),
    );
    lines.extend(since.changed.iter().chain(&since.decisions).map(|line| format!("  {line}")));
    if !since.figures.is_empty() {
        let rows = since.figures.iter().map(|moved| {
            let measure = moved.measure.clone();
            let [then, now] = [moved.before, moved.now].map(figure);
            vec![moved.system.clone(), measure, then, now, difference(moved.difference)]
        });
        lines.push(text_table(vec!["system", "measure", "then", "now", "difference"], rows));
    }
    lines.join("\n")
}
