//! Charts of the report's figures, with the rows behind them.

use serde::Serialize;

use super::limits::HtmlLimits;
use crate::charts::{Part, PartKind, Whisker, bars, shares, whiskers};
use crate::comparison::BaselineComparison;
use crate::corrected_figure::EstimateInterval;
use crate::coverage::JudgeCoverage;
use crate::systems::MeasuredSystem;
use crate::text::{difference, figure, narrow_interval};

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

/// A value and its interval in the space next to a name.
fn beside(value: String, low: Option<f64>, high: Option<f64>) -> String {
    match (low, high) {
        (Some(low), Some(high)) => format!("{value} {}", narrow_interval(low, high)),
        _ => value,
    }
}

/// The systems on the measure that decides.
pub(super) fn systems_chart(systems: &[MeasuredSystem], primary: usize, limits: &HtmlLimits) -> String {
    let row = |system: &MeasuredSystem| {
        let found = system.figures.get(primary)?;
        let (name, figure) = (system.system.clone(), beside(figure(found.mean), found.low, found.high));
        Some(Whisker { name, figure, value: found.mean, low: found.low, high: found.high })
    };
    let rows: Vec<Whisker> = systems.iter().take(limits.rows.min(60)).filter_map(row).collect();
    whiskers("Systems with their intervals", &rows, false)
}

/// The comparisons on the measure that decides.
pub(super) fn differences_chart(comparisons: &[&BaselineComparison], limits: &HtmlLimits) -> String {
    let row = |found: &&BaselineComparison| Whisker {
        name: found.system.clone(),
        figure: beside(difference(found.mean_difference), found.low, found.high),
        value: found.mean_difference,
        low: found.low,
        high: found.high,
    };
    let rows: Vec<Whisker> = comparisons.iter().take(limits.rows.min(60)).map(row).collect();
    whiskers("Differences from the baseline with their intervals", &rows, true)
}

/// The comparisons corrected by human labels, each with the figures of the sample and of the judge alone; `None`
/// without such comparisons.
pub(super) fn corrected_chart(comparisons: &[&BaselineComparison], limits: &HtmlLimits) -> Option<String> {
    let whisker = |name: String, value: f64, low, high| Whisker {
        name,
        figure: beside(difference(value), low, high),
        value: Some(value),
        low,
        high,
    };
    let alone =
        |who: &str, found: &EstimateInterval| whisker(who.to_owned(), found.value, found.low, found.high);
    let rows = comparisons.iter().filter_map(|found| {
        let ppi = found.ppi.as_ref()?;
        Some([
            whisker(format!("{}, corrected", found.system), ppi.value, Some(ppi.low), Some(ppi.high)),
            alone("by people alone", &ppi.human_only),
            alone("by the judge alone", &ppi.judge_only),
        ])
    });
    let rows: Vec<Whisker> = rows.take(limits.rows.min(20)).flatten().collect();
    (!rows.is_empty()).then(|| whiskers("Differences corrected by people's labels", &rows, true))
}

/// The first comparisons query by query. `values` are every query's, a value a system.
pub(super) fn by_query(
    comparisons: &[&BaselineComparison],
    systems: &[MeasuredSystem],
    values: &[(String, Vec<Option<f64>>)],
    limits: &HtmlLimits,
) -> Vec<ByQuery> {
    let place = |name: &str| systems.iter().position(|system| system.system == name);
    let drawn = comparisons.iter().take(DRAWN).filter_map(|found| {
        let (system, baseline) = (place(&found.system)?, place(&found.baseline)?);
        let of_query = |(query, values): &(String, Vec<Option<f64>>)| {
            let value = |at: usize| values.get(at).copied().flatten();
            Some(DifferenceRow { query: query.clone(), difference: value(system)? - value(baseline)? })
        };
        let mut rows: Vec<DifferenceRow> = values.iter().filter_map(of_query).collect();
        rows.sort_by(|a, b| a.difference.total_cmp(&b.difference).then_with(|| a.query.cmp(&b.query)));
        let queries = rows.len();
        let rows = evenly(rows, limits.rows);
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
