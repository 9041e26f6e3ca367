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
    let stands =
        |mark: Mark| comparisons.iter().any(|comparison| Mark::of(comparison.decision) == Some(mark));
    let all = Mark::ALL.into_iter().filter(|mark| stands(*mark));
    let meanings: Vec<String> =
        all.map(|mark| format!("{} {}", mark.sign(), mark.meaning(baseline))).collect();
    if meanings.is_empty() { String::new() } else { format!("\n{}", meanings.join(", ")) }
}

/// The figure whose counts describe coverage: the first with a cutoff. A measure without one also sees documents that
/// were never pooled.
fn coverage_figure(figures: &[llull::report::Figure]) -> Option<&llull::report::Figure> {
    figures.iter().find(|figure| figure.measure.contains('@')).or(figures.first())
}

/// How a system compares with the baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Better,
    Worse,
    Undecided,
    Same,
    Doubted,
    Incomplete,
}

impl Mark {
    const ALL: [Self; 6] =
        [Self::Better, Self::Worse, Self::Undecided, Self::Same, Self::Doubted, Self::Incomplete];

    /// `None` without a comparison.
    fn of(finding: ComparisonFinding) -> Option<Self> {
        match finding {
            ComparisonFinding::Better => Some(Self::Better),
            ComparisonFinding::Worse => Some(Self::Worse),
            ComparisonFinding::Inconclusive => Some(Self::Undecided),
            ComparisonFinding::Identical => Some(Self::Same),
            ComparisonFinding::NotTrusted => Some(Self::Doubted),
            ComparisonFinding::Incomplete { .. } => Some(Self::Incomplete),
            ComparisonFinding::Unmeasured => None,
        }
    }

    fn sign(self) -> char {
        match self {
            Self::Better => '+',
            Self::Worse => '-',
            Self::Undecided => '~',
            Self::Same => '=',
            Self::Doubted => '?',
            Self::Incomplete => '!',
        }
    }

    fn meaning(self, baseline: &str) -> String {
        match self {
            Self::Better => format!("better than {baseline}"),
            Self::Worse => format!("worse than {baseline}"),
            Self::Undecided => "no clear difference".to_owned(),
            Self::Same => "the same on every query".to_owned(),
            Self::Doubted => "no verdict: a judge failed a check".to_owned(),
            Self::Incomplete => "no verdict: labels are missing that could change it".to_owned(),
        }
    }
}

/// The mark of a figure, or as much space.
fn mark(summary: &Summary, system: &str, measure: &str) -> String {
    let comparison = summary
        .decision
        .comparisons
        .iter()
        .find(|comparison| comparison.system == system && comparison.measure == measure);
    match comparison.and_then(|comparison| Mark::of(comparison.decision)) {
        Some(mark) => format!(" {}", mark.sign()),
        None if summary.decision.baseline.is_some() => "  ".to_owned(),
        None => String::new(),
    }
}
