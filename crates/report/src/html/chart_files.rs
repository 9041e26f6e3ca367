//! The charts in files next to the Markdown.

use super::template::STYLE;
use crate::charts::ChartFile;
use crate::view::ReportView;

/// The kinds of charts, as in their files' names.
const CHARTS: [&str; 4] = ["systems", "differences", "corrected", "speed"];

/// Returns the names of the charts that a report under this stem may have had before, and has not now.
pub fn idle_chart_files(charts: &[ChartFile], stem: &str) -> Vec<String> {
    let names = CHARTS.iter().map(|what| format!("{stem}.{what}.svg"));
    names.filter(|name| charts.iter().all(|chart| chart.name != *name)).collect()
}

/// The charts of a report as files, at most four: systems, differences, corrections by human labels, and quality
/// against time. Their names begin with `stem`: `report.systems.svg`.
pub fn chart_files(view: &ReportView<'_>, stem: &str) -> Vec<ChartFile> {
    let (measure, charts) = (&view.decision.primary, &view.charts);
    let titles = [
        format!("{measure} of each system, with its interval"),
        format!("Differences from the baseline in {measure}, with their intervals"),
        "Differences corrected by human labels".to_owned(),
        format!("{measure} against the 95th percentile of times"),
    ];
    let speed = view.speed.as_ref().map(|found| &found.chart).filter(|chart| !chart.is_empty());
    let charts = [charts.systems.as_ref(), charts.differences.as_ref(), charts.corrected.as_ref(), speed];
    let file = |(what, (title, chart)): (&str, (String, Option<&String>))| {
        Some(ChartFile::new(format!("{stem}.{what}.svg"), &title, chart?, STYLE))
    };
    CHARTS.into_iter().zip(titles.into_iter().zip(charts)).filter_map(file).collect()
}
