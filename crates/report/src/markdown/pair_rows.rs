//! Rows of pairs on which labels or judges differ.

use serde::Serialize;

use crate::differing::{DifferingPair, HereAndThere, JudgeReason, PairReasons, reason_text};
use crate::panel::PanelSection;
use crate::reference::ReferenceSection;
use crate::text::shorten;

/// How long a query's text and a document's title may be, in characters.
const NAME: usize = 60;
/// The most characters of a judge's reason where the judges are split.
const REASON: usize = 160;

/// A pair on which the labels and the reference, or the judges of a panel, differ.
#[derive(Debug, Serialize)]
pub(super) struct PairRow {
    query: String,
    document: String,
    label: i32,
    /// The grade of the reference; none for judges.
    there: Option<i32>,
    best_rank: Option<usize>,
    /// The judges' answers with their reasons.
    why: String,
}

/// The first pairs on which the labels and the reference differ, with the reasons of the study's judges.
pub(super) fn differing_rows(reference: Option<&ReferenceSection>, most: usize) -> Vec<PairRow> {
    let pairs = reference.into_iter().flat_map(|reference| &reference.disagreements.listed);
    let said = |judge: &JudgeReason| {
        let grade = judge.grade.map_or_else(String::new, |grade| format!(" {grade}"));
        Some(format!("{}{grade}: {}", judge.judge, reason_text(judge)?))
    };
    let of_pair = |pair: &DifferingPair<HereAndThere>| PairRow {
        there: Some(pair.sides.there.grade),
        ..row(pair, &pair.sides.here, said)
    };
    pairs.take(most).map(of_pair).collect()
}

/// The first pairs on which grades are split.
pub(super) fn split_rows(panel: Option<&PanelSection>, most: usize) -> Vec<PairRow> {
    let pairs = panel.into_iter().flat_map(|panel| &panel.ambiguous.listed);
    let said = |judge: &JudgeReason| {
        let grade = judge.grade?;
        Some(match reason_text(judge) {
            Some(reason) => format!("{} {grade}: {}", judge.judge, shorten(&reason, REASON)),
            None => format!("{} {grade}", judge.judge),
        })
    };
    pairs.take(most).map(|pair| row(pair, &pair.sides, said)).collect()
}

fn row<S>(
    pair: &DifferingPair<S>,
    label: &PairReasons,
    said: impl Fn(&JudgeReason) -> Option<String>,
) -> PairRow {
    let with = |id: &str, text: Option<&String>| match text {
        Some(text) => format!("{id}: {}", shorten(text, NAME)),
        None => id.to_owned(),
    };
    PairRow {
        query: with(&pair.query, pair.query_text.as_ref()),
        document: with(&pair.document, pair.title.as_ref()),
        label: label.grade,
        there: None,
        best_rank: pair.best_rank,
        why: label.judges.iter().filter_map(said).collect::<Vec<_>>().join(" - "),
    }
}
