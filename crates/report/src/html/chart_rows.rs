//! Charts of the page alone, with the rows behind them.

use serde::Serialize;

use crate::charts::{Part, PartKind, bars, shares};
use crate::comparison::BaselineComparison;
use crate::coverage::JudgeCoverage;
use crate::view::ReportView;

/// Comparisons whose queries are drawn.
const DRAWN: usize = 6;

/// A comparison query by query: the sorted differences and their running sum.
#[derive(Serialize)]
pub(super) struct ByQuery {
    system: String,
    baseline: String,
    outcomes: String,
    bars: String,
    rows: Vec<DifferenceRow>,
    /// How many queries there are, drawn or not.
    queries: usize,
    /// How many are left out of bars and table, evenly along the order.
    left_out: usize,
}

#[derive(Serialize)]
struct DifferenceRow {
    query: String,
    difference: f64,
}

/// The first comparisons query by query.
pub(super) fn by_query(view: &ReportView<'_>) -> Vec<ByQuery> {
    let place = |name: &str| view.systems.iter().position(|system| system.system == name);
    let drawn = view.decision.decisive().take(DRAWN).filter_map(|found: &BaselineComparison| {
        let (system, baseline) = (place(&found.system)?, place(&found.baseline)?);
        let of_query = |(query, values): &(String, Vec<Option<f64>>)| {
            let value = |at: usize| values.get(at).copied().flatten();
            Some(DifferenceRow { query: query.clone(), difference: value(system)? - value(baseline)? })
        };
        let mut rows: Vec<DifferenceRow> = view.topics.values.iter().filter_map(of_query).collect();
        rows.sort_by(|a, b| a.difference.total_cmp(&b.difference).then_with(|| a.query.cmp(&b.query)));
        let queries = rows.len();
        let rows = evenly(rows, view.limits.rows);
        let pairs: Vec<(&str, f64)> = rows.iter().map(|row| (row.query.as_str(), row.difference)).collect();
        let title = format!("Differences of {} from {}, query by query", found.system, found.baseline);
        let part = |name: &str, count: usize, kind| Part { name: name.to_owned(), count: count as u64, kind };
        let parts = [
            part("better", found.wins, PartKind::Good),
            part("equal", found.ties, PartKind::Neutral),
            part("worse", found.losses, PartKind::Bad),
        ];
        Some(ByQuery {
            outcomes: shares("Queries better, equal and worse", &parts),
            bars: bars(&title, &pairs),
            system: found.system.clone(),
            baseline: found.baseline.clone(),
            left_out: queries - rows.len(),
            queries,
            rows,
        })
    });
    drawn.collect()
}

/// At most `most` of the rows, evenly along their order, the first and the last among them.
fn evenly<T>(rows: Vec<T>, most: usize) -> Vec<T> {
    let n = rows.len();
    if n <= most || most < 2 {
        return rows.into_iter().take(most).collect();
    }
    let mut wanted = (0..most).map(|at| at * (n - 1) / (most - 1)).peekable();
    rows.into_iter()
        .enumerate()
        .filter(|(at, _)| wanted.next_if_eq(at).is_some())
        .map(|(_, row)| row)
        .collect()
}

/// The outcomes of a judge's questions.
pub(super) fn coverage_chart(judge: &JudgeCoverage) -> String {
    let lost =
        judge.unusable.iter().chain(&judge.refused).chain(&judge.failed).map(|count| count.count).sum();
    let part = |name: &str, count, kind| Part { name: name.to_owned(), count, kind };
    let parts = [
        part("answered", judge.judged, PartKind::Good),
        part("not asked", judge.not_asked, PartKind::Neutral),
        part("lost", lost, PartKind::Bad),
    ];
    shares(&format!("Questions to {}", judge.judge), &parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_left_out_evenly() {
        assert_eq!(evenly((0..5).collect(), 5), [0, 1, 2, 3, 4]);
        assert_eq!(evenly((0..9).collect(), 3), [0, 4, 8]);
        assert_eq!(evenly((0..1001).collect::<Vec<u32>>(), 400).len(), 400);
    }
}
