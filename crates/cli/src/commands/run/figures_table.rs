//! The systems' figures as a table, marked by how they compare with the baseline.

use llull::Summary;
use llull::report::ComparisonFinding;
use llull::report::text::{ABSENT, count, figure, text_table};

/// One row for each system and one column for each measure; marks show how a system compares with the baseline.
pub(super) fn figures(summary: &Summary) -> String {
    let names: Vec<&str> = summary
        .systems
        .first()
        .map(|system| system.figures.iter().map(|figure| figure.measure.as_str()).collect())
        .unwrap_or_default();
    let mut headings = vec!["system"];
    headings.extend(&names);
    headings.extend(["unjudged", "queries", "missing"]);
    let rows = summary.systems.iter().map(|system| {
        let mut row = vec![system.system.clone()];
        row.extend(system.figures.iter().map(|measured| match measured.mean {
            Some(mean) => {
                format!("{}{}", figure(mean), mark(summary, &system.system, &measured.measure))
            }
            None => ABSENT.to_owned(),
        }));
        if let Some(first) = coverage_figure(&system.figures) {
            row.push(format!("{} of {}", count(first.unjudged), count(first.seen)));
            row.push(count(first.n));
            row.push(count(first.missing_topics));
        }
        row
    });
    let legend = match &summary.decision.baseline {
        Some(baseline) => format!("\n+ better, - worse than {baseline}, = cannot be told apart"),
        None => String::new(),
    };
    text_table(headings, rows) + &legend
}

/// The figure whose counts describe coverage: the first with a cutoff. A measure without one also sees documents that
/// were never pooled.
fn coverage_figure(figures: &[llull::report::Figure]) -> Option<&llull::report::Figure> {
    figures.iter().find(|figure| figure.measure.contains('@')).or(figures.first())
}

fn mark(summary: &Summary, system: &str, measure: &str) -> &'static str {
    let comparison = summary
        .decision
        .comparisons
        .iter()
        .find(|comparison| comparison.system == system && comparison.measure == measure);
    match comparison.map(|comparison| comparison.decision) {
        Some(ComparisonFinding::Better) => " +",
        Some(ComparisonFinding::Worse) => " -",
        Some(ComparisonFinding::Inconclusive) => " =",
        None if summary.decision.baseline.is_some() => "  ",
        None => "",
    }
}
