//! The numbers behind the table of a report's first screen.

use super::report_view::ReportView;
use crate::text::{confidence, count, counted};

/// Returns `24 queries, all 212 query-document pairs labelled, 95% intervals.`, and the orders, correction and cost.
pub(super) fn basis(view: &ReportView<'_>) -> String {
    let coverage = view.coverage;
    let figure = view.deciding_figure();
    let queries = figure.map(|figure| counted(figure.n, "query"));
    let pairs = counted(coverage.pairs, "query-document pair");
    let labelled = match coverage.labelled == coverage.pairs && coverage.pairs > 0 {
        true => format!("all {pairs} labelled"),
        false => format!("{} of {pairs} labelled", count(coverage.labelled)),
    };
    let shown = view.table.iter().filter_map(|row| row.difference.as_ref());
    let has_intervals = shown.map(|(_, interval)| interval).any(|interval| !interval.is_empty());
    let level = figure.filter(|_| has_intervals).map(|figure| confidence(figure.confidence));
    let intervals = level.map(|level| format!("{level} intervals"));
    let numbers = queries.into_iter().chain([labelled]).chain(intervals).collect::<Vec<_>>();
    let mut sentences = vec![format!("{}.", numbers.join(", "))];
    if let Some(tournaments) = view.tournaments {
        let totals = &tournaments.totals;
        let cyclic = match totals.triangles {
            0 => String::new(),
            all => format!("; {} of {} cyclic", count(totals.cyclic_triangles), counted(all, "triangle")),
        };
        sentences.push(format!(
            "Orders from {} of documents in {}{cyclic}.",
            counted(totals.calls, "set"),
            counted(totals.waves, "wave")
        ));
    }
    sentences.extend(view.correction());
    let cost = view.cost.total();
    if cost.known.is_some_and(|usd| usd > 0.0) {
        sentences.push(format!("Cost so far: {cost}."));
    }
    sentences.join(" ")
}
