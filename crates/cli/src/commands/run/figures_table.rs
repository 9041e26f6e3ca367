//! Prints the systems' figures with marks of the comparison.
//!
//! The marks compare each with the baseline.

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
    text_table(headings, rows) + &legend(summary)
}

/// Explains the marks in the table; empty without any.
fn legend(summary: &Summary) -> String {
    let Some(baseline) = &summary.decision.baseline else { return String::new() };
    let comparisons = &summary.decision.comparisons;
    let marks = || comparisons.iter().filter_map(|comparison| mark_of(comparison.decision, baseline));
    let stand = SIGNS.chars().filter_map(|sign| marks().find(|(found, _)| *found == sign));
    let meanings: Vec<String> = stand.map(|(sign, meaning)| format!("{sign} {meaning}")).collect();
    if meanings.is_empty() { String::new() } else { format!("\n{}", meanings.join(", ")) }
}

/// The figure whose counts describe coverage: the first with a cutoff. A measure without one also sees documents that
/// were never pooled.
fn coverage_figure(figures: &[llull::report::Figure]) -> Option<&llull::report::Figure> {
    figures.iter().find(|figure| figure.measure.contains('@')).or(figures.first())
}

/// The signs of marks, in the order of the legend.
const SIGNS: &str = "+-~=?!";

/// The sign of a finding and its meaning; `None` without a comparison.
fn mark_of(finding: ComparisonFinding, baseline: &str) -> Option<(char, String)> {
    Some(match finding {
        ComparisonFinding::Better => ('+', format!("better than {baseline}")),
        ComparisonFinding::Worse => ('-', format!("worse than {baseline}")),
        ComparisonFinding::Inconclusive => ('~', "no clear difference".to_owned()),
        ComparisonFinding::Identical => ('=', "the same on every query".to_owned()),
        ComparisonFinding::NotTrusted => ('?', "no verdict: a judge failed a check".to_owned()),
        ComparisonFinding::Incomplete { .. } => {
            ('!', "no verdict: labels are missing that could change it".to_owned())
        }
        ComparisonFinding::Unmeasured => return None,
    })
}

/// The mark of a figure, or as much space.
fn mark(summary: &Summary, system: &str, measure: &str) -> String {
    let comparison = summary
        .decision
        .comparisons
        .iter()
        .find(|comparison| comparison.system == system && comparison.measure == measure);
    match comparison.and_then(|found| mark_of(found.decision, &found.baseline)) {
        Some((sign, _)) => format!(" {sign}"),
        None if summary.decision.baseline.is_some() => "  ".to_owned(),
        None => String::new(),
    }
}
