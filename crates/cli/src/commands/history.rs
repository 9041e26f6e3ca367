//! `llull history`: a measure in all reports of a study.

use anyhow::{Result, bail};
use httpdate::HttpDate;
use llull::config::Overrides;
use llull::metrics::WrittenMeasure;
use llull::report::ComparisonFinding;
use llull::report::text::{TableColumn, count, interval, table_figure, text_table, words};
use llull::{Folder, History, ReportInHistory, SavedReports, SystemInHistory};
use serde::Serialize;

use super::Context;
use crate::args::HistoryArgs;
use crate::exit::Exit;

/// A report as JSON shows it.
#[derive(Serialize)]
struct Dated<'a> {
    #[serde(flatten)]
    report: &'a ReportInHistory,
    /// The day on which its file was written.
    date: Option<String>,
}

pub(crate) fn run(context: &Context, args: &HistoryArgs) -> Result<Exit> {
    context.need_study(|none| format!("{none} whose reports could be listed"))?;
    let measure = args.measure.as_deref().map(|written| measure_here(context, written)).transpose()?;
    let folder = Folder::new(&context.global.study);
    let saved = SavedReports::of(&folder);
    let History { reports, unreadable } = saved.history(measure.as_deref())?;
    for error in &unreadable {
        context.printer.warn(error);
    }
    let has_figures = |report: &ReportInHistory| report.systems.iter().any(|system| system.n > 0);
    if let (Some(measure), false) = (&measure, reports.iter().any(has_figures)) {
        bail!("no saved report has {measure}; the last one has {}", saved.measures_of_last()?.join(", "));
    }
    if context.global.json {
        let dated: Vec<Dated<'_>> =
            reports.iter().map(|report| Dated { report, date: date(report) }).collect();
        context.printer.json(&dated)?;
        return Ok(Exit::Fine);
    }
    let measure = reports.first().map_or("", |report| report.measure.as_str());
    let columns: [TableColumn; 7] = [
        words("report"),
        words("date"),
        words("system"),
        measure.into(),
        "interval".into(),
        "queries".into(),
        words("verdict"),
    ];
    context.printer.result(text_table(columns, reports.iter().flat_map(rows)))?;
    if reports.iter().flat_map(|report| &report.systems).any(|system| system.corrected) {
        context.printer.result("* corrected by human labels")?;
    }
    for report in reports.iter().filter(|report| !report.changed.is_empty()) {
        context.printer.result(format!("\nChanged before report {:04}:", report.number))?;
        context.printer.results(report.changed.iter().map(|line| format!("  {line}")))?;
    }
    Ok(Exit::Fine)
}

/// The measure's name in reports of this study, whose rubric has the relevant grades.
fn measure_here(context: &Context, written: &str) -> Result<String> {
    super::measure::parse(&[written.to_owned()])?;
    let written: WrittenMeasure = written.parse()?;
    Ok(context.study_as_last_run(Overrides::default())?.measure_here(&written)?.to_string())
}

/// A row for each system; the first has the number and the date.
fn rows(report: &ReportInHistory) -> Vec<Vec<String>> {
    let row = |(at, system): (usize, &SystemInHistory)| {
        let (number, date) = match at {
            0 => (format!("{:04}", report.number), date(report).unwrap_or_default()),
            _ => (String::new(), String::new()),
        };
        let corrected = if system.corrected { "*" } else { "" };
        vec![
            number,
            date,
            system.system.clone(),
            format!("{}{corrected}", table_figure(system.mean)),
            interval(system.low, system.high),
            count(system.n),
            system.decision.map_or("", ComparisonFinding::words).to_owned(),
        ]
    };
    report.systems.iter().enumerate().map(row).collect()
}

/// `27 Nov 2026`, the day on which the report was written.
fn date(report: &ReportInHistory) -> Option<String> {
    let written = HttpDate::from(report.written?).to_string();
    // `Fri, 27 Nov 2026 01:44:10 GMT`
    written.get(5..16).map(str::to_owned)
}
