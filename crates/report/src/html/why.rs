//! Why each comparison came out as it did: its differences query by query, and the queries with the largest.

use std::cmp::Reverse;

use serde::Serialize;

use super::anchors::{QueryLinks, why_anchor};
use super::decision_rows::sign;
use crate::charts::{Bar, BarScale, bars};
use crate::comparison::BaselineComparison;
use crate::text::brief_difference;
use crate::view::{MeasuredTopic, ReportView, best_first, decisive_figures, words};

/// The most comparisons that are explained, and the most bars in all of them together.
const EXPLAINED: usize = 60;
const BARS: usize = 6_000;
/// The most bars of one comparison.
const BARS_OF_ONE: usize = 400;
/// How many gains, and how many losses, are listed.
const LISTED: usize = 5;
/// The most comparisons that are all shown open.
const OPEN: usize = 3;

/// The explanations, the best system first.
#[derive(Serialize)]
pub(super) struct Why {
    comparisons: Vec<Explanation>,
    /// How many comparisons are left out.
    left_out: usize,
    /// Whether all are shown open.
    open: bool,
}

#[derive(Serialize)]
struct Explanation {
    anchor: String,
    system: String,
    /// Whether human labels correct the difference, which the bars do not show.
    corrected: bool,
    verdict: &'static str,
    class: &'static str,
    sign: &'static str,
    sentence: String,
    bars: String,
    gains: Vec<QueryDifference>,
    losses: Vec<QueryDifference>,
    queries: usize,
    /// How many queries have a bar.
    drawn: usize,
}

#[derive(Debug, Serialize)]
struct QueryDifference {
    id: String,
    text: String,
    /// The address of the query; none if the page does not have it.
    link: Option<String>,
    system: Option<f64>,
    baseline: Option<f64>,
    difference: String,
}

/// A query with its difference.
struct Differing<'a> {
    query: &'a MeasuredTopic,
    difference: f64,
    of: [Option<f64>; 2],
}

/// Returns the explanation of every comparison, with links to queries.
pub(super) fn why(view: &ReportView<'_>, links: &QueryLinks) -> Why {
    let compared = explained(view);
    let differences: Vec<Vec<Differing<'_>>> =
        compared.iter().map(|(_, found)| by_query(view, found)).collect();
    let scale = BarScale::of(differences.iter().flatten().map(|query| query.difference));
    let most = (BARS / compared.len().max(1)).clamp(20, BARS_OF_ONE);
    let explained = compared.iter().zip(&differences).map(|((at, found), queries)| {
        let shown = evenly(queries, most);
        let drawn = shown.len();
        let bar = |query: &&Differing<'_>| Bar {
            name: query.query.id.clone(),
            value: query.difference,
            link: links.to(query.query.number),
        };
        let links = links.comparing(&found.baseline, &found.system);
        let title = format!("Differences of {} from {}, query by query", found.system, found.baseline);
        let (verdict, class) = words(found);
        let listed = |query: &&Differing<'_>| QueryDifference {
            id: query.query.id.clone(),
            text: query.query.text.clone(),
            link: links.to(query.query.number),
            system: query.of[0],
            baseline: query.of[1],
            difference: brief_difference(query.difference),
        };
        let gains = queries.iter().rev().filter(|query| query.difference > 0.0);
        let losses = queries.iter().filter(|query| query.difference < 0.0);
        Explanation {
            anchor: why_anchor(&found.system, *at),
            system: found.system.clone(),
            corrected: found.ppi.is_some(),
            verdict,
            class,
            sign: sign(class),
            sentence: found.sentence.clone(),
            bars: bars(&title, &shown.iter().map(bar).collect::<Vec<_>>(), &scale),
            gains: gains.take(LISTED).collect::<Vec<_>>().iter().map(listed).collect(),
            losses: losses.take(LISTED).collect::<Vec<_>>().iter().map(listed).collect(),
            queries: queries.len(),
            drawn,
        }
    });
    let comparisons: Vec<Explanation> = explained.collect();
    Why {
        left_out: view.decision.decisive().count() - comparisons.len(),
        open: comparisons.len() <= OPEN,
        comparisons,
    }
}

/// The comparisons that are explained, the best system first, each with its place in the decision.
pub(super) fn explained<'a>(view: &ReportView<'a>) -> Vec<(usize, &'a BaselineComparison)> {
    let compared = view.decision.decisive().enumerate().collect();
    let mut compared =
        best_first(compared, |(_, found): &(usize, &BaselineComparison)| decisive_figures(found).0);
    compared.truncate(EXPLAINED.min(view.limits.rows));
    compared
}

/// The queries of a comparison, the largest loss first.
fn by_query<'a>(view: &'a ReportView<'_>, found: &BaselineComparison) -> Vec<Differing<'a>> {
    let place = |name: &str| view.systems.iter().position(|system| system.system == name);
    let (Some(system), Some(baseline)) = (place(&found.system), place(&found.baseline)) else {
        return Vec::new();
    };
    let of_query = |query: &'a MeasuredTopic| {
        let value = |at: usize| query.values.get(at).copied().flatten();
        let of = [value(system), value(baseline)];
        Some(Differing { query, difference: of[0]? - of[1]?, of })
    };
    let mut queries: Vec<Differing<'a>> = view.topics.measured.iter().filter_map(of_query).collect();
    queries.sort_by(|a, b| {
        a.difference.total_cmp(&b.difference).then_with(|| Reverse(&a.query.id).cmp(&Reverse(&b.query.id)))
    });
    queries
}

/// At most `most` of the rows, evenly along their order, the first and the last among them.
fn evenly<T>(rows: &[T], most: usize) -> Vec<&T> {
    let n = rows.len();
    if n <= most || most < 2 {
        return rows.iter().take(most).collect();
    }
    (0..most).filter_map(|at| rows.get(at * (n - 1) / (most - 1))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_left_out_evenly() {
        assert_eq!(evenly(&[0, 1, 2, 3, 4], 5), [&0, &1, &2, &3, &4]);
        assert_eq!(evenly(&[0, 1, 2, 3, 4, 5, 6, 7, 8], 3), [&0, &4, &8]);
        assert_eq!(evenly(&(0..1001).collect::<Vec<u32>>(), 400).len(), 400);
    }
}
