//! The charts in files next to the Markdown.

use super::template::STYLE;
use crate::charts::ChartFile;
use crate::view::ReportView;

/// The kinds of charts, as in their files' names.
const CHARTS: [&str; 5] = ["systems", "differences", "corrected", "speed", "cost"];

/// Returns the names of the charts that a report under this stem may have had before, and has not now.
pub fn idle_chart_files(charts: &[ChartFile], stem: &str) -> Vec<String> {
    let names = CHARTS.iter().map(|what| format!("{stem}.{what}.svg"));
    names.filter(|name| charts.iter().all(|chart| chart.name != *name)).collect()
}

/// The charts of a report as files, at most five: systems, differences, corrections by human labels, and quality
/// against time and cost. Their names begin with `stem`: `report.systems.svg`.
pub fn chart_files(view: &ReportView<'_>, stem: &str) -> Vec<ChartFile> {
    let (measure, charts) = (&view.decision.primary, &view.charts);
    let of_measure = [
        (format!("{measure} of each system, with its interval"), &charts.systems),
        (format!("Differences from the baseline in {measure}, with their intervals"), &charts.differences),
        ("Differences corrected by human labels".to_owned(), &charts.corrected),
    ];
    let kinds = CHARTS.into_iter().zip(of_measure);
    let of_measure = kinds.filter_map(|(kind, (title, chart))| Some((kind, title, chart.as_ref()?.as_str())));
    let trades = view.speed.iter().flat_map(|found| &found.charts);
    let trades = trades.map(|chart| (chart.kind, chart.title.clone(), chart.drawing.as_str()));
    let file = |(kind, title, chart): (&str, String, &str)| {
        ChartFile::new(format!("{stem}.{kind}.svg"), &title, chart, STYLE)
    };
    of_measure.chain(trades).map(file).collect()
}
