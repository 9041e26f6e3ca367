//! The rows of the decision's table, with drawings on one scale.

use std::collections::BTreeMap;

use serde::Serialize;

use super::anchors::why_anchor;
use crate::charts::{RowLook, RowScale};
use crate::comparison::{BaselineComparison, ComparisonFinding};
use crate::panel::finding_changes;
use crate::text::brief_percent;
use crate::view::{DecisionRow, ReportView, decisive_figures, explained};

/// The table.
#[derive(Serialize)]
pub(super) struct DecisionTable<'a> {
    /// The numbers of the scale; none if nothing is compared.
    axis: Option<String>,
    rows: Vec<PageRow<'a>>,
    /// How many systems are left out.
    left_out: usize,
    /// Whether a document that the measure read has no label.
    unjudged: bool,
}

#[derive(Serialize)]
struct PageRow<'a> {
    #[serde(flatten)]
    row: &'a DecisionRow<'a>,
    /// The sign of the verdict.
    sign: &'static str,
    drawing: String,
    /// The anchor of the explanation; none without one.
    why: Option<String>,
    /// The queries on which the system is better, equal and worse; none if human labels correct the difference, since
    /// these are by the judge's labels.
    outcomes: Option<[usize; 3]>,
    /// The judges without whose labels the verdict is another.
    fragile: Vec<&'a str>,
    /// The share of documents without a label among those that the measure read.
    unjudged_share: String,
}

/// Returns the table of a report, whose explanations have the anchors of [`why_anchor`].
pub(super) fn decision_table<'a>(view: &'a ReportView<'a>) -> DecisionTable<'a> {
    let most = view.limits.rows;
    let shown = || view.table.iter().take(most);
    let compared = shown().filter_map(|row| row.comparison).map(decisive_figures);
    let scale = RowScale::of(compared);
    let fragile = fragile(view);
    let anchors: BTreeMap<&str, String> = explained(view.decision, &view.limits)
        .into_iter()
        .map(|(at, found)| (found.system.as_str(), why_anchor(&found.system, at)))
        .collect();
    let page_row = |row: &'a DecisionRow<'a>| {
        let difference = row.difference_text();
        let title = difference
            .map_or_else(|| row.verdict.to_owned(), |difference| format!("{difference}: {}", row.verdict));
        let figures = row.comparison.map_or((None, None, None), decisive_figures);
        let (seen, unjudged) = (row.unjudged.1, row.unjudged.0);
        let by_judge = row.comparison.filter(|found| found.ppi.is_none());
        PageRow {
            sign: sign(row.class),
            drawing: scale.row(&title, figures, look(row.class)),
            why: anchors.get(row.system).cloned(),
            outcomes: by_judge.map(|found| [found.wins, found.ties, found.losses]),
            fragile: fragile.get(row.system).cloned().unwrap_or_default(),
            unjudged_share: brief_percent((seen > 0).then(|| unjudged as f64 / seen as f64)),
            row,
        }
    };
    DecisionTable {
        axis: shown().any(|row| row.difference.is_some()).then(|| scale.axis()),
        rows: shown().map(page_row).collect(),
        left_out: view.table.len().saturating_sub(most),
        unjudged: shown().any(|row| row.unjudged.0 > 0),
    }
}

/// The judges by system without whose labels the system's verdict is another.
fn fragile<'a>(view: &'a ReportView<'a>) -> BTreeMap<&'a str, Vec<&'a str>> {
    // A correction by human labels is not repeated without a judge, so its verdict cannot be compared.
    let is_compared = |found: &&BaselineComparison| {
        found.ppi.is_none()
            && matches!(
                found.decision,
                ComparisonFinding::Better | ComparisonFinding::Worse | ComparisonFinding::Inconclusive
            )
    };
    let verdicts: Vec<&BaselineComparison> = view.decision.decisive().filter(is_compared).collect();
    let mut fragile: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for without in view.panel.into_iter().flat_map(|panel| &panel.without) {
        for (found, _) in finding_changes(&without.comparisons, &verdicts) {
            fragile.entry(&found.system).or_default().push(&without.without);
        }
    }
    fragile
}

/// The sign of a verdict's class, which tells verdicts apart without colour.
pub(super) fn sign(class: &str) -> &'static str {
    match class {
        "better" => "▲",
        "worse" => "▼",
        "unclear" => "○",
        "none" => "▨",
        _ => "",
    }
}

fn look(class: &str) -> RowLook {
    match class {
        "better" | "worse" => RowLook::Decided,
        "unclear" => RowLook::Unclear,
        _ => RowLook::Open,
    }
}
