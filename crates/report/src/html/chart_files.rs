//! The charts in files next to the Markdown.

use super::chart_rows::{corrected_chart, differences_chart, systems_chart};
use super::limits::HtmlLimits;
use super::render::primary_place;
use super::template::STYLE;
use crate::charts::ChartFile;
use crate::comparison::BaselineComparison;
use crate::report::Report;
use crate::retrieval::speed;

/// The kinds of charts, as in their files' names.
const CHARTS: [&str; 4] = ["systems", "differences", "corrected", "speed"];

/// Returns the names of the charts that a report under this stem may have had before, and has not now.
pub fn idle_chart_files(charts: &[ChartFile], stem: &str) -> Vec<String> {
    let names = CHARTS.iter().map(|what| format!("{stem}.{what}.svg"));
    names.filter(|name| charts.iter().all(|chart| chart.name != *name)).collect()
}

/// The charts of a report as files, at most four: systems, differences, corrections by human labels, and quality
/// against time. Their names begin with `stem`: `report.systems.svg`.
pub fn chart_files<T>(report: &Report<T>, stem: &str) -> Vec<ChartFile> {
    let (limits, primary) = (HtmlLimits::default(), primary_place(report));
    let measure = &report.decision.primary;
    let comparisons: Vec<&BaselineComparison> =
        report.decision.comparisons.iter().filter(|found| found.measure == *measure).collect();
    let systems = (!report.systems.is_empty()).then(|| systems_chart(&report.systems, primary, &limits));
    let differences = (!comparisons.is_empty()).then(|| differences_chart(&comparisons, &limits));
    let speed = speed(&report.systems, primary, measure);
    let titles = [
        format!("{measure} of each system, with its interval"),
        format!("Differences from the baseline in {measure}, with their intervals"),
        "Differences corrected by people's labels".to_owned(),
        format!("{measure} against the 95th percentile of times"),
    ];
    let charts = [
        systems,
        differences,
        corrected_chart(&comparisons, &limits),
        speed.map(|found| found.chart).filter(|chart| !chart.is_empty()),
    ];
    let file = |(what, (title, chart)): (&str, (String, Option<String>))| {
        Some(ChartFile::new(format!("{stem}.{what}.svg"), &title, &chart?, STYLE))
    };
    CHARTS.into_iter().zip(titles.into_iter().zip(charts)).filter_map(file).collect()
}
